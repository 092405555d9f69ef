//! The positions of suites by engine, side by side.

use std::collections::{HashMap, HashSet};

use super::position::Tried;

/// All that was tried.
pub(super) struct Solving {
    pub(super) engines: Vec<String>,
    pub(super) suites: Vec<String>,
    /// The positions in the order in which they first came.
    pub(super) positions: Vec<Row>,
}

/// A position and what each engine made of it, if it came to it.
pub(super) struct Row {
    pub(super) suite: usize,
    pub(super) tried: Vec<Option<Tried>>,
}

impl Row {
    /// Any of the entries: they share the position.
    pub(super) fn any(&self) -> Option<&Tried> {
        self.tried.iter().flatten().next()
    }

    pub(super) fn solved(&self, engine: usize) -> Option<bool> {
        self.tried[engine].as_ref().map(|tried| tried.solved)
    }
}

impl Solving {
    /// Puts the lines side by side; what comes twice counts once.
    pub(super) fn new(
        names: Vec<String>,
        lines: Vec<(usize, Tried)>,
        notes: &mut Vec<String>,
    ) -> Solving {
        let (mut engines, mut suites) = (Vec::new(), Vec::new());
        let mut known = HashSet::new();
        let tried = lines.iter().map(|(_, tried)| &tried.engine);
        for name in names.iter().chain(tried) {
            if known.insert(name.clone()) {
                engines.push(name.clone());
            }
        }
        let mut positions: Vec<Row> = Vec::new();
        let mut place: HashMap<(usize, u64), usize> = HashMap::new();
        let mut twice = Vec::new();
        for (line, tried) in lines {
            let suite = suites.iter().position(|name| *name == tried.suite).unwrap_or_else(|| {
                suites.push(tried.suite.clone());
                suites.len() - 1
            });
            let Some(engine) = engines.iter().position(|name| *name == tried.engine) else {
                continue;
            };
            let at = *place.entry((suite, tried.number)).or_insert_with(|| {
                positions.push(Row { suite, tried: vec![None; engines.len()] });
                positions.len() - 1
            });
            let cell = &mut positions[at].tried[engine];
            if cell.is_some() {
                twice.push(line);
            } else {
                *cell = Some(tried);
            }
        }
        if let Some(line) = twice.first() {
            notes.push(format!(
                "results.jsonl, line {line}: a position that this engine had before is not counted \
                 again ({} such)",
                twice.len()
            ));
        }
        positions.sort_by_key(|row| (row.suite, row.any().map_or(0, |tried| tried.number)));
        Solving { engines, suites, positions }
    }

    /// What an engine made of all, or of one suite.
    pub(super) fn of(&self, engine: usize, suite: Option<usize>) -> impl Iterator<Item = &Tried> {
        self.positions
            .iter()
            .filter(move |row| suite.is_none_or(|suite| row.suite == suite))
            .filter_map(move |row| row.tried[engine].as_ref())
    }
}
