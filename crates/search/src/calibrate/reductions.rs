//! A table of reductions: how many plies less a late move is searched at first, by what is known of it,
//! where the fewest nodes and errors are to be expected together.
//!
//! It is made by `secateur calibrate reductions` from moves that were searched at every reduction, for one
//! game and one evaluation, and kept as a TOML text. Beyond what RankCut goes by
//! ([`ranks`](super::ranks)) it knows the history of the move, whether it loses in the exchange, whether
//! it stands at an even ply, and what the node is expected to be. Whole numbers only; nothing in it
//! belongs to one game.

use serde::{Deserialize, Serialize};

use super::cuts::evaluation_name;

/// The form of the text; another is refused.
pub const FORMAT: u32 = 1;
/// No move is reduced by more plies: the tuned formula of `modern` takes off seven where much depth is left.
pub const MOST: usize = 9;
/// Added to a reduction: where moves may be left out, this one is not worth a search at all.
pub const OUT: u8 = 10;
const _: () = assert!(MOST < OUT as usize);
/// Nodes of other depths count as the nearest of these.
pub const DEPTHS: [i32; 2] = [2, 15];

/// What a node is expected to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Its window is open.
    Principal,
    /// Some move is too good for the opponent.
    Cut,
    /// None is.
    All,
}

/// What a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Neither of the others.
    Quiet,
    /// It gives check.
    Check,
    /// It is a noisy one.
    Noisy,
}

/// What is known of a late move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late {
    /// Plies of the node.
    pub depth: i32,
    /// The number of the move, from 1.
    pub number: usize,
    /// What the node is expected to be.
    pub kind: Kind,
    /// Whether the side to move is that of the root.
    pub even: bool,
    /// The history of the move.
    pub history: i32,
    /// What the move is.
    pub class: Class,
    /// Whether it loses in the exchange.
    pub loses: bool,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The best score so far above the alpha that the node was given.
    pub lead: i32,
    /// How often the best move has changed.
    pub changes: usize,
    /// The score of the last move above the best.
    pub fall: i32,
}

/// How many levels each feature has, in the order of [`Late`].
pub const LEVELS: [usize; 11] = [14, 8, 3, 2, 4, 3, 2, 2, 3, 2, 2];
/// The product of them.
pub const CELLS: usize = {
    let (mut product, mut index) = (1, 0);
    while index < LEVELS.len() {
        product *= LEVELS[index];
        index += 1;
    }
    product
};

/// The first numbers of bands.
const BANDS: [usize; 7] = [3, 5, 7, 10, 15, 21, 31];

/// Where the levels of numbers without a scale of their own part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parts {
    /// Of the history.
    pub history: [i32; 3],
    /// Of the lead.
    pub lead: [i32; 2],
    /// Of the fall.
    pub fall: [i32; 1],
}

#[inline]
fn level<T: PartialOrd>(edges: &[T], value: T) -> usize {
    edges.iter().map(|edge| usize::from(value >= *edge)).sum()
}

impl Late {
    /// The level of each feature.
    #[inline]
    pub fn levels(&self, parts: &Parts) -> [usize; LEVELS.len()] {
        [
            (self.depth.clamp(DEPTHS[0], DEPTHS[1]) - DEPTHS[0]) as usize,
            level(&BANDS, self.number),
            self.kind as usize,
            usize::from(self.even),
            level(&parts.history, self.history),
            self.class as usize,
            usize::from(self.loses),
            usize::from(self.in_check),
            level(&parts.lead, self.lead),
            self.changes.min(1),
            level(&parts.fall, self.fall),
        ]
    }
}

/// The levels of a cell.
pub fn levels_of(mut cell: usize) -> [usize; LEVELS.len()] {
    let mut levels = [0; LEVELS.len()];
    for (level, many) in levels.iter_mut().zip(LEVELS).rev() {
        *level = cell % many;
        cell /= many;
    }
    levels
}

/// The cell of levels.
#[inline]
pub fn cell_of(levels: [usize; LEVELS.len()]) -> usize {
    levels.iter().zip(LEVELS).fold(0, |cell, (level, many)| cell * many + level)
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// What it is of.
    pub head: Head,
    cells: Vec<u8>,
}

/// What is best for a late move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Advice {
    /// Plies less at first.
    pub less: u8,
    /// Whether it had better be left out, where that may be.
    pub out: bool,
}

impl Advice {
    #[inline]
    fn read(cell: u8) -> Advice {
        Advice { less: cell % OUT, out: cell >= OUT }
    }

    fn cell(self) -> u8 {
        self.less + if self.out { OUT } else { 0 }
    }
}

/// What a table is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// [`FORMAT`].
    pub format: u32,
    /// The game.
    pub game: String,
    /// The identity of the evaluation that was searched with.
    pub evaluation: String,
    /// The settings that were searched with.
    pub host: String,
    /// The command that made it.
    pub made_by: String,
    /// Moves that were searched at every reduction.
    pub samples: u64,
    /// Nodes that an error at the root is worth.
    pub price: u64,
    /// Where levels part.
    pub parts: Parts,
}

/// As it is written.
#[derive(Deserialize)]
struct Written {
    plies: String,
    #[serde(flatten)]
    head: toml::Table,
}

/// Why a table is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReductionsError {
    /// It is no TOML, or not of the expected shape.
    #[error("no table of reductions: {0}")]
    Malformed(String),
    /// It is for another game.
    #[error("the table of reductions was learned in {found}, not in {wanted}")]
    OtherGame {
        /// The game that it is for.
        found: String,
        /// The game at hand.
        wanted: String,
    },
    /// There is none.
    #[error(
        "learned reductions need a table, and there is none for this game: `secateur calibrate reductions` makes one"
    )]
    Missing,
    /// It was learned with another evaluation.
    #[error(
        "the table of reductions was learned with the evaluation {found}, and this is {wanted} (`secateur calibrate reductions` makes one that fits; late_moves_table=any uses this all the same)"
    )]
    OtherEvaluation {
        /// What it was learned with.
        found: String,
        /// What is at hand.
        wanted: String,
    },
}

impl Reductions {
    /// A table with what `advise` says of the levels of every cell.
    pub fn new(head: Head, mut advise: impl FnMut([usize; LEVELS.len()]) -> Advice) -> Reductions {
        Reductions { head, cells: (0..CELLS).map(|cell| advise(levels_of(cell)).cell()).collect() }
    }

    /// What is best for a move.
    #[inline]
    pub fn advice(&self, late: &Late) -> Advice {
        Advice::read(self.cells[cell_of(late.levels(&self.head.parts))])
    }

    /// Reads a table.
    pub fn parse(text: &str) -> Result<Reductions, ReductionsError> {
        let malformed = |error: toml::de::Error| {
            let before = error.span().map_or("", |span| &text[..span.start.min(text.len())]);
            let line = before.matches('\n').count() + 1;
            ReductionsError::Malformed(format!("line {line}: {}", error.message().trim()))
        };
        let written: Written = toml::from_str(text).map_err(malformed)?;
        let head: Head = written.head.try_into().map_err(|error: toml::de::Error| {
            ReductionsError::Malformed(error.message().trim().to_string())
        })?;
        let wrong = |what: String| Err(ReductionsError::Malformed(what));
        if head.format != FORMAT {
            return wrong(format!(
                "its format is {}, and this program knows {FORMAT}",
                head.format
            ));
        }
        let mut cells = Vec::with_capacity(CELLS);
        for word in written.plies.split_whitespace() {
            let pair = word.split_once('x').and_then(|(plies, many)| {
                Some((plies.parse::<u8>().ok()?, many.parse::<usize>().ok()?))
            });
            let known = |cell: u8| usize::from(cell % OUT) <= MOST && cell < 2 * OUT;
            match pair {
                Some((plies, many)) if known(plies) && cells.len() + many <= CELLS => {
                    cells.resize(cells.len() + many, plies);
                }
                _ => return wrong(format!("'{word}' is no reduction with how often it follows")),
            }
        }
        match cells.len() {
            CELLS => Ok(Reductions { head, cells }),
            many => wrong(format!("it has {many} cells, and {CELLS} are wanted")),
        }
    }

    /// Reads a table for this game.
    pub fn parse_for(text: &str, game: &str) -> Result<Reductions, ReductionsError> {
        let table = Reductions::parse(text)?;
        if table.head.game != game {
            let (found, wanted) = (table.head.game, game.to_string());
            return Err(ReductionsError::OtherGame { found, wanted });
        }
        Ok(table)
    }

    /// As it is kept: each reduction with how many cells in a row have it.
    pub fn write(&self) -> String {
        let mut runs = String::from("\n");
        let mut width = 0;
        for run in self.cells.chunk_by(|one, other| one == other) {
            let word = format!("{}x{}", run[0], run.len());
            if width + word.len() > 110 {
                runs.push('\n');
                width = 0;
            }
            width += word.len() + 1;
            runs += &word;
            runs.push(' ');
        }
        // Numbers and texts alone: nothing here cannot be written. Tables come last in TOML.
        format!("plies = '''{runs}'''\n{}", toml::to_string(&self.head).unwrap_or_default())
    }

    /// Whether it serves an evaluation; any if none is given.
    pub fn check_for(&self, evaluation: Option<u64>) -> Result<(), ReductionsError> {
        match evaluation.map(evaluation_name) {
            Some(wanted) if wanted != self.head.evaluation => {
                let found = self.head.evaluation.clone();
                Err(ReductionsError::OtherEvaluation { found, wanted })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATE: Late = Late {
        depth: 8,
        number: 12,
        kind: Kind::All,
        even: true,
        history: -50,
        class: Class::Quiet,
        loses: false,
        in_check: false,
        lead: -40,
        changes: 0,
        fall: -5,
    };

    fn head() -> Head {
        Head {
            format: FORMAT,
            game: "chess".to_string(),
            evaluation: evaluation_name(7),
            host: "modern".to_string(),
            made_by: "by hand".to_string(),
            samples: 1,
            price: 1_000,
            parts: Parts { history: [-100, 0, 100], lead: [-20, 0], fall: [0] },
        }
    }

    #[test]
    fn every_cell_has_levels_of_its_own() {
        assert_eq!(CELLS, LEVELS.iter().product::<usize>());
        for cell in (0..CELLS).step_by(97).chain([CELLS - 1]) {
            let levels = levels_of(cell);
            assert!(levels.iter().zip(LEVELS).all(|(level, many)| *level < many));
            assert_eq!(cell_of(levels), cell);
        }
        let levels = LATE.levels(&head().parts);
        assert_eq!(levels, [6, 4, 2, 1, 1, 0, 0, 0, 0, 0, 0]);
        let far = Late { depth: 99, number: 999, history: 999, lead: 9, fall: 0, ..LATE };
        assert_eq!(far.levels(&head().parts), [13, 7, 2, 1, 3, 0, 0, 0, 2, 0, 1]);
    }

    #[test]
    fn a_table_is_read_as_it_was_written_and_refused_where_it_is_broken() {
        let table = Reductions::new(head(), |levels| Advice {
            less: (levels[0] / 3) as u8,
            out: levels[0] == 0,
        });
        assert_eq!(table.advice(&LATE), Advice { less: 2, out: false });
        assert_eq!(table.advice(&Late { depth: 2, ..LATE }), Advice { less: 0, out: true });
        let text = table.write();
        assert_eq!(Reductions::parse(&text), Ok(table.clone()));
        assert_eq!((table.check_for(Some(7)), table.check_for(None)), (Ok(()), Ok(())));
        assert!(table.check_for(Some(8)).is_err());
        let refused = |text: String| Reductions::parse(&text).unwrap_err().to_string();
        assert!(refused(text.replace("10x", "20x")).contains("is no reduction"));
        assert!(refused(text.replace("10x", "10y")).contains("is no reduction"));
        assert!(refused(text.replace("10x", "0x1 10x")).contains("is no reduction"));
        assert!(refused(text.replace("format = 1", "format = 9")).contains("its format is 9"));
        assert!(refused(text.replace("price", "prize")).contains("prize"));
        let game = Reductions::parse_for(&text, "othello").unwrap_err().to_string();
        assert!(game.contains("learned in chess, not in othello"), "{game}");
    }
}
