//! A table of ranks: how often a move that comes late in the order of a node, or one after it, turned out
//! better than those before, by what was seen at the node until then (Lim and Lee, 2006).
//!
//! It is made by `secateur calibrate rankcut` for one game and one evaluation, and kept as a TOML text, its
//! counts a line for each state. Beside the states themselves it has the counts of coarser ones, which
//! say something of a state that was rarely met. The tree goes by a
//! [`RankPlan`](super::rank_plan::RankPlan) of it.

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

/// The form of the text; another is refused.
pub const FORMAT: u32 = 1;
/// Differences of scores are told apart in so many intervals.
pub const INTERVALS: usize = 7;
/// The edges between them.
pub type Edges = [i32; INTERVALS - 1];
/// Later moves count as this one.
pub const LAST_NUMBER: usize = 63;
/// More changes of the best move count as so many.
pub const MOST_CHANGES: usize = 7;
/// Deeper nodes count as of this depth.
pub const DEEPEST: i32 = 40;

/// What a score below the alpha that its node was given counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fails {
    /// As that alpha, as in a search that fails hard: the paper's host does.
    Hard,
    /// As what it is.
    #[default]
    Soft,
}

/// In which phase of the order a late move comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Phase {
    /// A quiet move that has done well elsewhere.
    History,
    /// Whatever remains.
    Remaining,
}

/// What is known when a move is about to be searched: the seven features of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// Plies of the node.
    pub depth: i32,
    /// Whether its side is in check.
    pub in_check: bool,
    /// The number of the move, from 1.
    pub number: usize,
    /// How often the best move has changed.
    pub changes: usize,
    /// The best score so far above the alpha that the node was given.
    pub lead: i32,
    /// The score of the last move above the best: never positive.
    pub fall: i32,
    /// The phase of the order.
    pub phase: Phase,
}

/// A rank with its numbers in classes: what is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct State {
    /// Plies of the node; 0 where that does not count.
    pub depth: u8,
    /// Whether its side is in check.
    pub in_check: bool,
    /// The phase of the order.
    pub phase: Phase,
    /// The number of the move; the first of its band where bands count.
    pub number: u8,
    /// How often the best move has changed.
    pub changes: u8,
    /// The interval of the lead.
    pub lead: u8,
    /// The interval of the fall.
    pub fall: u8,
}

/// The interval in which a difference lies.
#[inline]
pub fn interval(edges: &Edges, difference: i32) -> usize {
    edges.iter().map(|edge| usize::from(difference >= *edge)).sum()
}

/// The band of a number where numbers are not told apart one by one.
pub fn band(number: usize) -> usize {
    match number {
        0..=8 => number.div_ceil(2),
        9..=12 => 5,
        13..=16 => 6,
        17..=24 => 7,
        25..=32 => 8,
        _ => 9,
    }
}

/// How many bands there are, with that of 0, which no move has.
pub const BANDS: usize = 10;

impl State {
    /// The state of a rank.
    pub fn of(rank: &Rank, lead: &Edges, fall: &Edges) -> State {
        State {
            depth: rank.depth.clamp(0, DEEPEST) as u8,
            in_check: rank.in_check,
            phase: rank.phase,
            number: rank.number.min(LAST_NUMBER) as u8,
            changes: rank.changes.min(MOST_CHANGES) as u8,
            lead: interval(lead, rank.lead) as u8,
            fall: interval(fall, rank.fall) as u8,
        }
    }

    /// Numbers in bands, whether the best move has changed at all, and no fall.
    pub fn coarse(self) -> State {
        let number = band(self.number.into()) as u8;
        State { number, changes: self.changes.min(1), fall: 0, ..self }
    }

    /// Whether it is one that [`coarse`](State::coarse) makes.
    fn is_coarse(self) -> bool {
        usize::from(self.number) < BANDS && self.changes <= 1 && self.fall == 0
    }

    /// The same, at any depth.
    pub fn coarsest(self) -> State {
        State { depth: 0, ..self.coarse() }
    }
}

/// Which bound a move must beat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The best score so far.
    Best,
    /// Alpha.
    Alpha,
    /// Alpha less a margin, which the table knows.
    Margin,
}

impl Bound {
    /// All of them, in the order in which they are counted.
    pub const ALL: [Bound; 3] = [Bound::Best, Bound::Alpha, Bound::Margin];
}

/// Whose score is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// That of the move itself.
    Each,
    /// That of the move and of all after it.
    Rest,
}

/// How often a state was met, and what came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// How often.
    pub seen: u64,
    /// The move itself was better, by [`Bound::ALL`].
    pub each: [u64; 3],
    /// It or one after it was.
    pub rest: [u64; 3],
}

impl Counts {
    /// How often it came to that.
    #[inline]
    pub fn better(&self, test: Test, bound: Bound) -> u64 {
        match test {
            Test::Each => self.each[bound as usize],
            Test::Rest => self.rest[bound as usize],
        }
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Counts) {
        self.seen += other.seen;
        for bound in 0..3 {
            self.each[bound] += other.each[bound];
            self.rest[bound] += other.rest[bound];
        }
    }

    fn is_possible(&self) -> bool {
        let events = self.each.iter().zip(&self.rest);
        self.seen > 0 && events.into_iter().all(|(each, rest)| each <= rest && *rest <= self.seen)
    }
}

/// Counts by state.
pub type Tally = BTreeMap<State, Counts>;

/// A table.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    /// What it is of.
    pub head: Head,
    /// Counts of states.
    pub states: Tally,
    /// Of [coarse](State::coarse) ones.
    pub coarse: Tally,
    /// Of the [coarsest](State::coarsest).
    pub coarsest: Tally,
}

/// What a table is of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// Games.
    pub games: u64,
    /// Nodes of less depth were not looked at.
    pub least_depth: i32,
    /// States that were met less often were left out.
    pub least_seen: u64,
    /// What [`Bound::Margin`] takes off alpha, in score units.
    pub margin: i32,
    /// Edges between intervals of the lead, in score units.
    pub lead: Edges,
    /// Edges between intervals of the fall.
    pub fall: Edges,
    /// What scores below alpha counted as.
    #[serde(default)]
    pub fails: Fails,
    /// A share is drawn towards that of coarser states as much as by so many instances.
    #[serde(default = "usual_pull")]
    pub pull: u64,
}

/// Where nothing tells how much to draw, as much as the paper wants to have seen.
pub const USUAL_PULL: u64 = 1_000;
/// No table draws more.
pub const MOST_PULL: u64 = 1_000_000;

fn usual_pull() -> u64 {
    USUAL_PULL
}

/// As it is written.
#[derive(Deserialize)]
struct Written {
    #[serde(flatten)]
    head: toml::Table,
    states: String,
    coarse: String,
    coarsest: String,
}

/// Why a table is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RanksError {
    /// It is no TOML, or not of the expected shape.
    #[error("no table of ranks: {0}")]
    Malformed(String),
    /// It is for another game.
    #[error("the table of ranks was counted in {found}, not in {wanted}")]
    OtherGame {
        /// The game that it is for.
        found: String,
        /// The game at hand.
        wanted: String,
    },
    /// There is none.
    #[error(
        "rank_cut needs a table of ranks, and there is none for this game: `secateur calibrate rankcut` makes one"
    )]
    Missing,
    /// It was counted as a search that fails hard has it, and scores below alpha are asked for.
    #[error(
        "the table of ranks does not tell scores below alpha apart: rank_cut_lead=soft needs one that was counted with it"
    )]
    FailsHard,
    /// Who fails hard cannot tell who comes near alpha from who does not.
    #[error(
        "rank_cut_bound=margin asks who comes near alpha, which rank_cut_lead=hard does not tell apart: it goes with rank_cut_lead=soft"
    )]
    MarginFailsHard,
    /// It was counted with another evaluation.
    #[error(
        "the table of ranks was counted with the evaluation {found}, and this is {wanted}: what it counts is another (`secateur calibrate rankcut` makes one that fits; rank_cut_table=any uses this all the same)"
    )]
    OtherEvaluation {
        /// What it was counted with.
        found: String,
        /// What is at hand.
        wanted: String,
    },
}

/// The line of a state, without an end.
pub fn write_line(state: &State, counts: &Counts, between: char) -> String {
    let State { depth, in_check, phase, number, changes, lead, fall } = *state;
    let check = u8::from(in_check);
    let phase = match phase {
        Phase::History => 'h',
        Phase::Remaining => 'r',
    };
    let mut line = format!("{depth}{between}{check}{between}{phase}");
    let numbers = [number, changes, lead, fall].map(u64::from);
    let all = numbers.iter().chain([&counts.seen]).chain(&counts.each).chain(&counts.rest);
    for number in all {
        // Writing into a text cannot fail.
        let _ = write!(line, "{between}{number}");
    }
    line
}

/// Reads the line of a state.
pub fn read_line(line: &str, between: char) -> Option<(State, Counts)> {
    let mut words = line.split(between);
    let depth = small(words.next()?, DEEPEST as u64)?;
    let in_check = small(words.next()?, 1)? == 1;
    let phase = match words.next()? {
        "h" => Phase::History,
        "r" => Phase::Remaining,
        _ => return None,
    };
    let number = small(words.next()?, LAST_NUMBER as u64)?;
    let changes = small(words.next()?, MOST_CHANGES as u64)?;
    let lead = small(words.next()?, INTERVALS as u64 - 1)?;
    let fall = small(words.next()?, INTERVALS as u64 - 1)?;
    let state = State { depth, in_check, phase, number, changes, lead, fall };
    let mut count = || words.next()?.parse::<u64>().ok();
    let seen = count()?;
    let each = [count()?, count()?, count()?];
    let rest = [count()?, count()?, count()?];
    let counts = Counts { seen, each, rest };
    (words.next().is_none() && counts.is_possible()).then_some((state, counts))
}

fn small(word: &str, most: u64) -> Option<u8> {
    word.parse::<u8>().ok().filter(|number| u64::from(*number) <= most)
}

fn write_tally(tally: &Tally) -> String {
    let mut text = String::from("\n");
    for (state, counts) in tally {
        text += &write_line(state, counts, ' ');
        text.push('\n');
    }
    text
}

fn read_tally(
    text: &str,
    what: &str,
    belongs: impl Fn(State) -> bool,
) -> Result<Tally, RanksError> {
    let mut tally = Tally::new();
    for (number, line) in (1..).zip(text.trim().lines()) {
        let wrong = |why: &str| RanksError::Malformed(format!("line {number} of {what} {why}"));
        let (state, counts) =
            read_line(line, ' ').ok_or_else(|| wrong("is no state with its counts"))?;
        if !belongs(state) {
            return Err(wrong("is a state that this part does not tell apart"));
        }
        if tally.insert(state, counts).is_some() {
            return Err(wrong("gives a state for the second time"));
        }
    }
    Ok(tally)
}

impl Ranks {
    /// The table of these counts. States that were met less often than the head says are left out, but
    /// count in the coarser ones.
    pub fn of(head: Head, all: &Tally) -> Ranks {
        let (mut coarse, mut coarsest) = (Tally::new(), Tally::new());
        for (state, counts) in all {
            coarse.entry(state.coarse()).or_default().add(counts);
            coarsest.entry(state.coarsest()).or_default().add(counts);
        }
        let kept = |tally: &Tally| -> Tally {
            let often = |(_, counts): &(&State, &Counts)| counts.seen >= head.least_seen;
            tally.iter().filter(often).map(|(state, counts)| (*state, *counts)).collect()
        };
        Ranks { states: kept(all), coarse: kept(&coarse), coarsest: kept(&coarsest), head }
    }

    /// What a search that fails hard would have counted. Exact where the best was not above alpha: there it
    /// knows no lead, no fall and no change. Above alpha changes and falls stay as they are.
    pub fn as_hard(&self) -> Ranks {
        let alpha = interval(&self.head.lead, 0) as u8;
        let folded = |tally: &Tally, fall: u8| {
            let mut all = Tally::new();
            for (state, counts) in tally {
                let hard = match state.lead <= alpha {
                    true => State { lead: alpha, changes: 0, fall, ..*state },
                    false => *state,
                };
                all.entry(hard).or_default().add(counts);
            }
            all
        };
        Ranks {
            head: Head { fails: Fails::Hard, ..self.head.clone() },
            states: folded(&self.states, interval(&self.head.fall, 0) as u8),
            coarse: folded(&self.coarse, 0),
            coarsest: folded(&self.coarsest, 0),
        }
    }

    /// Reads a table.
    pub fn parse(text: &str) -> Result<Ranks, RanksError> {
        let malformed = |error: toml::de::Error| {
            let before = error.span().map_or("", |span| &text[..span.start.min(text.len())]);
            let line = before.matches('\n').count() + 1;
            RanksError::Malformed(format!("line {line}: {}", error.message().trim()))
        };
        let written: Written = toml::from_str(text).map_err(malformed)?;
        let head: Head = written.head.try_into().map_err(|error: toml::de::Error| {
            RanksError::Malformed(error.message().trim().to_string())
        })?;
        head.check().map_err(RanksError::Malformed)?;
        Ok(Ranks {
            states: read_tally(&written.states, "states", |_| true)?,
            coarse: read_tally(&written.coarse, "coarse", |state| state.is_coarse())?,
            coarsest: read_tally(&written.coarsest, "coarsest", |state| {
                state.is_coarse() && state.depth == 0
            })?,
            head,
        })
    }

    /// Reads a table for this game.
    pub fn parse_for(text: &str, game: &str) -> Result<Ranks, RanksError> {
        let ranks = Ranks::parse(text)?;
        if ranks.head.game != game {
            let (found, wanted) = (ranks.head.game, game.to_string());
            return Err(RanksError::OtherGame { found, wanted });
        }
        Ok(ranks)
    }

    /// As it is kept.
    pub fn write(&self) -> String {
        // Numbers and texts alone: nothing here cannot be written.
        let mut text = toml::to_string(&self.head).unwrap_or_default();
        text += "# depth, check, phase, number, changes, lead, fall; seen; the move itself was better than the\n";
        text += "# best so far, than alpha, than alpha less the margin; it or a later one was.\n";
        let tallies =
            [("states", &self.states), ("coarse", &self.coarse), ("coarsest", &self.coarsest)];
        for (name, tally) in tallies {
            let _ = writeln!(text, "{name} = '''{}'''", write_tally(tally));
        }
        text
    }
}

impl Head {
    fn check(&self) -> Result<(), String> {
        if self.format != FORMAT {
            return Err(format!("its format is {}, and this program knows {FORMAT}", self.format));
        }
        if !(1..=DEEPEST).contains(&self.least_depth) {
            return Err(format!("the least depth is not between 1 and {DEEPEST}"));
        }
        if !(0..=10_000).contains(&self.margin) {
            return Err(format!("the margin {} is not between 0 and 10000", self.margin));
        }
        if self.pull > MOST_PULL {
            return Err(format!("the pull {} is not between 0 and {MOST_PULL}", self.pull));
        }
        for (edges, name) in [(&self.lead, "lead"), (&self.fall, "fall")] {
            if edges.windows(2).any(|two| two[0] >= two[1]) {
                return Err(format!("the edges of {name} do not rise"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) const RANK: Rank = Rank {
        depth: 8,
        in_check: false,
        number: 12,
        changes: 1,
        lead: -40,
        fall: -5,
        phase: Phase::History,
    };

    pub(crate) fn head() -> Head {
        Head {
            format: FORMAT,
            game: "chess".to_string(),
            evaluation: crate::calibrate::cuts::evaluation_name(7),
            host: "classic".to_string(),
            made_by: "by hand".to_string(),
            games: 1,
            least_depth: 7,
            least_seen: 10,
            margin: 50,
            lead: [-200, -100, -50, -20, 0, 30],
            fall: [-300, -100, -50, -20, -10, 0],
            fails: Fails::Soft,
            pull: USUAL_PULL,
        }
    }

    pub(crate) fn counts(seen: u64, each: u64, rest: u64) -> Counts {
        Counts { seen, each: [each; 3], rest: [rest; 3] }
    }

    pub(crate) fn state(rank: &Rank) -> State {
        State::of(rank, &head().lead, &head().fall)
    }

    #[test]
    fn an_interval_begins_at_its_edge() {
        let edges = head().lead;
        let found: Vec<usize> =
            [-201, -200, -199, -100, -20, 0, 29, 30, 9_999].map(|d| interval(&edges, d)).to_vec();
        assert_eq!(found, [0, 1, 1, 2, 4, 5, 5, 6, 6]);
    }

    #[test]
    fn a_state_has_the_features_of_the_paper_and_a_coarser_one_fewer() {
        let found = state(&Rank { number: 300, changes: 50, depth: 99, ..RANK });
        assert_eq!((found.number, found.changes, found.depth), (63, 7, 40));
        let state = state(&RANK);
        assert_eq!((state.lead, state.fall, state.number), (3, 5, 12));
        assert_eq!(state.coarse(), State { number: 5, changes: 1, fall: 0, ..state });
        assert_eq!(state.coarsest().depth, 0);
        assert!((1..400).all(|number| band(number) < BANDS && band(number) <= band(number + 1)));
    }

    #[test]
    fn what_is_rare_is_left_out_and_counts_in_the_coarser_states() {
        let rare = Rank { fall: -999, ..RANK };
        let all = Tally::from([(state(&RANK), counts(100, 1, 5)), (state(&rare), counts(9, 0, 1))]);
        let ranks = Ranks::of(head(), &all);
        assert_eq!(ranks.states.len(), 1);
        assert_eq!(ranks.coarse[&state(&RANK).coarse()], counts(109, 1, 6));
        assert_eq!(ranks.coarsest[&state(&RANK).coarsest()], counts(109, 1, 6));
    }

    #[test]
    fn below_alpha_a_search_that_fails_hard_knows_no_lead_no_fall_and_no_change() {
        let far = Rank { lead: -400, changes: 0, fall: -70, ..RANK };
        let above = Rank { lead: 50, fall: -30, ..RANK };
        let all =
            [(RANK, 100), (far, 40), (above, 20)].map(|(rank, n)| (state(&rank), counts(n, 1, 5)));
        let hard = Ranks::of(head(), &Tally::from(all)).as_hard();
        let at_alpha = state(&Rank { lead: 0, changes: 0, fall: 0, ..RANK });
        assert_eq!(hard.states[&at_alpha], counts(140, 2, 10));
        assert_eq!(hard.states[&state(&above)], counts(20, 1, 5), "as it was");
        assert_eq!(hard.states.len(), 2);
        assert_eq!(hard.coarse[&at_alpha.coarse()], counts(140, 2, 10));
        assert_eq!(hard.coarsest[&at_alpha.coarsest()], counts(140, 2, 10));
        assert_eq!((hard.head.fails, &hard.as_hard()), (Fails::Hard, &hard));
    }

    #[test]
    fn a_table_is_read_as_it_was_written_and_refused_where_it_is_broken() {
        let ranks = Ranks::of(head(), &Tally::from([(state(&RANK), counts(100, 1, 5))]));
        let text = ranks.write();
        assert_eq!(Ranks::parse(&text), Ok(ranks.clone()));
        // A table from before these two were written.
        let old = text.replace("fails = \"soft\"\npull = 1000\n", "");
        assert!(old.len() < text.len());
        assert_eq!(Ranks::parse(&old), Ok(ranks.clone()));
        let refused = |text: String| Ranks::parse(&text).unwrap_err().to_string();
        let othello = Ranks::parse_for(&text, "othello").unwrap_err().to_string();
        assert!(othello.contains("counted in chess"), "{othello}");
        assert!(refused(text.replace("format = 1", "format = 9")).contains("its format is 9"));
        assert!(refused(text.replace("-200", "200")).contains("edges of lead do not rise"));
        assert!(refused(text.replace("margin = 50", "margin = -1")).contains("the margin -1"));
        assert!(refused(text.replace("margin", "martin")).contains("martin"));
        assert!(refused(text.replace("pull = 1", "pull = 999999")).contains("the pull 999999"));
        assert!(refused(text.replace("\"soft\"", "\"so\"")).contains("`so`"));
        assert!(refused(text.replace(" 100 1 1 1", " 100 9 1 1")).contains("line 1 of states"));
        assert!(refused(text.replace("8 0 h 12", "8 0 x 12")).contains("line 1 of states"));
        let twice = text.replace(
            "8 0 h 12 1 3 5 100 1 1 1 5 5 5",
            "8 0 h 12 1 3 5 9 1 1 1 5 5 5\n8 0 h 12 1 3 5 100 1 1 1 5 5 5",
        );
        assert!(refused(twice).contains("second time"));
        // States of the coarser parts know no more than that part tells apart.
        let fine = ranks.write().replace("8 0 h 5 1 3 0", "8 0 h 12 1 3 5");
        assert!(refused(fine).contains("of coarse is a state that this part does not tell apart"));
        let deep = ranks.write().replace("0 0 h 5 1 3 0", "8 0 h 5 1 3 0");
        assert!(refused(deep).contains("of coarsest is a state"));
        assert!(refused("nonsense".to_string()).contains("no table of ranks: line 1"));
    }
}
