//! Why a move was rejected, or chosen: the best line against it, how deep that was looked at, which
//! techniques had a hand in it, and what the verdict would be without each of them.
//!
//! | file | idea |
//! |---|---|
//! | [`trail`] | what techniques did along one line of a search |
//!
//! Several searches, all with an empty table and one thread, so that the answer is the same every time:
//! the position (what is best?), the move alone (what is it worth, and by which line?), both again,
//! watched along that line, and the move alone without each technique that had a hand in it.

pub mod trail;

use std::sync::Arc;
use std::time::Instant;

use secateur_games::playable::{GameEngine, Playable, new_engine};
use secateur_games::record::Record;
use secateur_games::told::told;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Answer, Engine, Limits};
use secateur_search::calibrate::cuts::Cuts;
use secateur_search::calibrate::ranks::Ranks;
use secateur_search::calibrate::reductions::Reductions;
use secateur_search::observe::{Observer, Rule};
use secateur_search::{Depth, Game, Score, Settings};

use self::trail::{Trail, Use};

/// What the search made of a move.
#[derive(Clone, Debug)]
pub struct Why<G: Game> {
    /// The move.
    pub asked: G::Move,
    /// The best move.
    pub best: G::Move,
    /// What that is worth, as people are told it.
    pub best_score: Score,
    /// The line that begins with it.
    pub best_line: Vec<G::Move>,
    /// What the move is worth, as people are told it.
    pub score: Score,
    /// How deep the position was searched.
    pub depth: i32,
    /// The longest line that begins with the move and was looked at, beside all others.
    pub reached: usize,
    /// The best line after the move.
    pub refutation: Vec<G::Move>,
    /// What techniques did along it, those nearest to the root first.
    pub rules: Vec<Use>,
    /// What the move is worth without one technique, the largest change first.
    pub without: Vec<Without>,
}

/// What a move is worth without a technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Without {
    /// The technique.
    pub rule: Rule,
    /// The value then, as people are told it.
    pub score: Score,
    /// How much higher that is.
    pub change: i32,
    /// How deep that was searched: not as deep as with it, where it saves too much.
    pub depth: i32,
}

/// A search without a technique may take so many times the nodes of the first one.
const LONGER: u64 = 8;

/// What the searches are made with.
pub struct Terms<'a> {
    /// Such as the game can serve.
    pub settings: &'a Settings,
    /// The table of cuts, if not the game's own.
    pub cuts: Option<Cuts>,
    /// The table of ranks, if not the game's own.
    pub ranks: Option<Arc<Ranks>>,
    /// The table of reductions, if not the game's own.
    pub reductions: Option<Arc<Reductions>>,
    /// Of the transposition table.
    pub mebibytes: usize,
}

impl Terms<'_> {
    /// Whether the tables are what the settings want.
    pub fn check<G: Playable>(&self) -> anyhow::Result<()> {
        let mut engine = new_engine::<G>();
        self.give(&mut engine, self.settings);
        engine.check_ranks()?;
        engine.check_reductions()?;
        Ok(engine.check_cuts()?)
    }

    fn give<G: Playable, O: Observer>(
        &self,
        engine: &mut Engine<G, G::Evaluator, G::Solver, O>,
        settings: &Settings,
    ) {
        engine.set_settings(settings.clone());
        if let Some(cuts) = &self.cuts {
            engine.set_cuts(cuts);
        }
        if let Some(ranks) = &self.ranks {
            engine.set_ranks(Arc::clone(ranks));
        }
        if let Some(reductions) = &self.reductions {
            engine.set_reductions(Arc::clone(reductions));
        }
        // A table that cannot be had leaves the usual one.
        let _ = engine.set_table(self.mebibytes);
    }
}

/// Finds out. The move must be legal in the position at the end of the record, and the settings such
/// as the game can serve. `None` if `control` stopped it before the move was valued.
pub fn why<G: Playable>(
    record: &Record<G>,
    asked: G::Move,
    terms: &Terms<'_>,
    limits: &Limits<G::Move>,
    control: &Control,
) -> Option<Why<G>> {
    let (position, settings) = (record.position(), terms.settings);
    let mut engine = new_engine::<G>();
    terms.give(&mut engine, settings);
    let first = search(&mut engine, record, limits, control);
    let (best, depth) = (first.best?, first.depth);
    if depth == Depth::ZERO {
        return None;
    }
    let alone = |settings: &Settings| {
        let mut engine = new_engine::<G>();
        terms.give(&mut engine, settings);
        let limits = Limits {
            depth: Some(depth),
            nodes: Some(LONGER * first.nodes + LONGER),
            allowed: vec![asked],
            ..Limits::default()
        };
        search(&mut engine, record, &limits, control)
    };
    let only = alone(settings);
    if control.is_stopped() {
        return None;
    }
    let (score, line) = (only.score, only.line);
    let watch = |allowed: &[G::Move]| watched(record, &line, terms, depth, allowed, control);
    // Beside better moves it is hardly looked at: what is done with it at the root, and how far it is
    // followed, is seen there, everything else where it stands alone.
    let (beside, by_itself) = (watch(&[]), watch(&[asked]));
    let at_root = |found: &Use| found.ply == 0 && found.moves.contains(&G::pack(asked));
    let mut rules: Vec<Use> = beside.uses().into_iter().filter(at_root).collect();
    for found in &mut rules {
        found.moves = vec![G::pack(asked)];
    }
    rules.extend(by_itself.uses().into_iter().filter(|found| found.ply > 0));
    let mut hands: Vec<Rule> = Vec::new();
    for found in &rules {
        if !hands.contains(&found.rule) {
            hands.push(found.rule);
        }
    }
    let mut without = Vec::new();
    for rule in hands {
        if control.is_stopped() {
            break;
        }
        let mut other = settings.clone();
        if other.set(rule.name(), "off").is_err() {
            continue;
        }
        let found = alone(&other);
        // What is not finished is no verdict.
        if control.is_stopped() || found.depth == Depth::ZERO {
            break;
        }
        let change = told(position, found.score) - told(position, score);
        let depth = found.depth.plies();
        without.push(Without { rule, score: told(position, found.score), change, depth });
    }
    without.sort_by_key(|without| std::cmp::Reverse(without.change.abs()));
    Some(Why {
        asked,
        best,
        best_score: told(position, if asked == best { score } else { first.score }),
        best_line: first.line,
        score: told(position, score),
        depth: depth.plies(),
        reached: beside.reached(),
        refutation: line.get(1..).unwrap_or_default().to_vec(),
        rules,
        without,
    })
}

fn search<G: Playable>(
    engine: &mut GameEngine<G>,
    record: &Record<G>,
    limits: &Limits<G::Move>,
    control: &Control,
) -> Answer<G::Move> {
    let (position, line) = (record.position(), record.line());
    engine.search(position, line, limits, Instant::now(), control, &mut |_| {})
}

/// What happens along a line when these moves are searched; all if there are none.
fn watched<G: Playable>(
    record: &Record<G>,
    line: &[G::Move],
    terms: &Terms<'_>,
    depth: Depth,
    allowed: &[G::Move],
    control: &Control,
) -> Trail {
    let packed: Vec<u16> = line.iter().map(|m| G::pack(*m)).collect();
    let mut engine = Engine::new(G::start(), move || {
        let (evaluator, solver) = G::equip();
        (evaluator, solver, Trail::along(packed.clone()))
    });
    terms.give(&mut engine, terms.settings);
    let limits = Limits { depth: Some(depth), allowed: allowed.to_vec(), ..Limits::default() };
    let (position, line) = (record.position(), record.line());
    engine.search(position, line, &limits, Instant::now(), control, &mut |_| {});
    engine.observers().next().cloned().unwrap_or_default()
}
