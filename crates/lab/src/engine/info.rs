//! What an engine says while it thinks, and what it thought in the end.

use std::fmt;
use std::time::Duration;

use secateur_search::alphabeta::choice::{Decided, Reason};
use secateur_search::bstar::Part;
use secateur_search::{Band, Score};

/// The value of a position as its engine sees it, from the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineScore {
    /// How much.
    pub value: ScoreValue,
    /// Whether it is only a bound.
    pub bound: Bound,
}

/// How much a position is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate; negative, and also 0, if it is the side to move that is mated.
    Mate(i32),
}

/// A tablebase win, which is neither a guess nor a mate, is told as this less its plies: far
/// beyond any guess that looks natural, and never as a mate, which promises a mating line.
const TABLEBASE_CENTIPAWNS: i32 = 20_000;

impl ScoreValue {
    /// A score of ours, as the protocol tells it.
    pub fn of(score: Score) -> ScoreValue {
        use ScoreValue::{Centipawns, Mate};
        match score.band() {
            Band::Heuristic(value) => Centipawns(value),
            Band::Final(points) => Centipawns(points * 100),
            // The sign comes from the score: a win in 0 plies has no sign of its own.
            Band::Tablebase(plies) => {
                Centipawns(score.value().signum() * (TABLEBASE_CENTIPAWNS - plies.abs()))
            }
            // The mating side makes the last ply, so it has one move more than there are pairs.
            Band::Mate { plies, wins: true } => Mate((plies + 1) / 2),
            Band::Mate { plies, wins: false } => Mate(-(plies / 2)),
        }
    }
}

/// `cp 35`, `mate 3`, `mate -2`.
impl fmt::Display for ScoreValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoreValue::Centipawns(value) => write!(f, "cp {value}"),
            ScoreValue::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// What a score says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is that.
    Exact,
    /// It is that or more.
    Lower,
    /// It is that or less.
    Upper,
}

/// One `info` line. What it does not mention, or not in the form of the protocol, is `None`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// Plies.
    pub depth: Option<u32>,
    /// Plies of the longest line.
    pub selective_depth: Option<u32>,
    /// Which of several lines, from 1; the best is 1.
    pub multi_pv: Option<u32>,
    /// The value of its line.
    pub score: Option<EngineScore>,
    /// Nodes so far.
    pub nodes: Option<u64>,
    /// Milliseconds so far, by the engine's own clock.
    pub time: Option<u64>,
    /// Nodes per second.
    pub speed: Option<u64>,
    /// Tablebase hits so far.
    pub table_hits: Option<u64>,
    /// Thousandths of the table in use.
    pub hash_full: Option<u32>,
    /// The line it expects.
    pub line: Vec<String>,
    /// Free text.
    pub text: Option<String>,
}

/// Words that begin an entry of an `info` line, and so end a list of moves.
const ENTRIES: [&str; 17] = [
    "depth",
    "seldepth",
    "multipv",
    "score",
    "nodes",
    "time",
    "nps",
    "tbhits",
    "hashfull",
    "pv",
    "string",
    "currmove",
    "currmovenumber",
    "cpuload",
    "refutation",
    "currline",
    "wdl",
];

impl Info {
    /// Reads what follows `info`. Nothing in it is an error: engines say all sorts of things.
    pub fn parse(text: &str) -> Info {
        let mut info = Info::default();
        let mut rest = text;
        while let Some((word, after)) = next_word(rest) {
            rest = after;
            match word {
                "depth" => info.depth = number(&mut rest),
                "seldepth" => info.selective_depth = number(&mut rest),
                "multipv" => info.multi_pv = number(&mut rest),
                "nodes" => info.nodes = number(&mut rest),
                "time" => info.time = number(&mut rest),
                "nps" => info.speed = number(&mut rest),
                "tbhits" => info.table_hits = number(&mut rest),
                "hashfull" => info.hash_full = number(&mut rest),
                "score" => info.score = score(&mut rest),
                "pv" => info.line = moves(&mut rest),
                // Moves that are not the expected line.
                "refutation" | "currline" => drop(moves(&mut rest)),
                "string" => {
                    info.text = Some(rest.trim().to_string());
                    break;
                }
                _ => {}
            }
        }
        info
    }

    /// Whether it is about the best line: not the second or third of several, and not merely
    /// about a move that is being looked at.
    fn is_of_best_line(&self) -> bool {
        self.multi_pv.is_none_or(|rank| rank <= 1)
            && (self.score.is_some() || !self.line.is_empty())
    }
}

fn next_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// The number that comes next; another word stays where it is.
fn number<T: std::str::FromStr>(rest: &mut &str) -> Option<T> {
    let (word, after) = next_word(rest)?;
    let number = word.parse().ok()?;
    *rest = after;
    Some(number)
}

fn moves(rest: &mut &str) -> Vec<String> {
    let mut moves = Vec::new();
    while let Some((word, after)) = next_word(rest)
        && !ENTRIES.contains(&word)
    {
        moves.push(word.to_string());
        *rest = after;
    }
    moves
}

fn score(rest: &mut &str) -> Option<EngineScore> {
    let mut value = None;
    let mut bound = Bound::Exact;
    while let Some((word, after)) = next_word(rest) {
        let mut next = after;
        match word {
            "cp" => value = Some(ScoreValue::Centipawns(number(&mut next)?)),
            "mate" => value = Some(ScoreValue::Mate(number(&mut next)?)),
            "lowerbound" => bound = Bound::Lower,
            "upperbound" => bound = Bound::Upper,
            _ => break,
        }
        *rest = next;
    }
    value.map(|value| EngineScore { value, bound })
}

/// The answer to a `go`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Thought {
    /// The move, as the engine wrote it; nobody has looked yet whether it is one.
    pub best_move: String,
    /// The reply it expects.
    pub ponder: Option<String>,
    /// The last exact value of its best line, or the last bound if there was nothing better.
    pub score: Option<EngineScore>,
    /// The depth of that value.
    pub depth: Option<u32>,
    /// The selective depth of that value.
    pub selective_depth: Option<u32>,
    /// The line of that value.
    pub line: Vec<String>,
    /// Nodes, as last told.
    pub nodes: Option<u64>,
    /// Nodes per second, as last told.
    pub speed: Option<u64>,
    /// Tablebase hits, as last told.
    pub table_hits: Option<u64>,
    /// Thousandths of the table in use, as last told.
    pub hash_full: Option<u32>,
    /// Milliseconds by the engine's own clock, as last told.
    pub own_time: Option<u64>,
    /// From `go` to `bestmove`, measured by us. This is what a clock counts.
    pub time_spent: Duration,
    /// The text after the last `info string pgncomment`, which an engine may ask to be recorded.
    pub comment: Option<String>,
    /// Of ours, if B\* was to decide: whether it did.
    pub bstar: Option<BstarMove>,
}

/// What became of a move that B\* was to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BstarMove {
    /// It was at work.
    Searched {
        /// Positions that it has expanded.
        expansions: u64,
        /// What it has to do with the move.
        part: Part,
    },
    /// Alpha-beta decided.
    HandedOver(Reason),
}

const EXPANSIONS: &str = "bstar expansions ";
const HANDS_OVER: &str = "bstar hands over: ";

/// What ours says of who has decided, as the text of an `info string`; nothing if B\* was not wanted.
pub fn decided_text(decided: Decided) -> Option<String> {
    match decided {
        Decided::AlphaBeta => None,
        Decided::Bstar { expansions, part: Part::Alone } => {
            Some(format!("{EXPANSIONS}{expansions}"))
        }
        Decided::Bstar { expansions, part } => {
            Some(format!("{EXPANSIONS}{expansions}, {}", part.name()))
        }
        Decided::HandedOver(reason) => Some(format!("{HANDS_OVER}{reason}")),
    }
}

impl BstarMove {
    /// As the engine itself says it.
    pub fn of(decided: Decided) -> Option<BstarMove> {
        match decided {
            Decided::AlphaBeta => None,
            Decided::Bstar { expansions, part } => Some(BstarMove::Searched { expansions, part }),
            Decided::HandedOver(reason) => Some(BstarMove::HandedOver(reason)),
        }
    }

    /// As the protocol tells it.
    fn read(text: &str) -> Option<BstarMove> {
        if let Some(why) = text.strip_prefix(HANDS_OVER) {
            let reason = Reason::ALL.into_iter().find(|reason| reason.to_string() == why.trim());
            return reason.map(BstarMove::HandedOver);
        }
        let told = text.strip_prefix(EXPANSIONS)?;
        let (count, part) = match told.split_once(", ") {
            None => (told, Part::Alone),
            Some((count, name)) => {
                (count, Part::ALL.into_iter().find(|part| part.name() == name.trim())?)
            }
        };
        Some(BstarMove::Searched { expansions: count.trim().parse().ok()?, part })
    }
}

impl Thought {
    /// Takes from a line what is newer than what is known.
    pub(super) fn learn(&mut self, info: &Info) {
        fn renew<T: Copy>(known: &mut Option<T>, new: Option<T>) {
            *known = new.or(*known);
        }
        renew(&mut self.nodes, info.nodes);
        renew(&mut self.speed, info.speed);
        renew(&mut self.table_hits, info.table_hits);
        renew(&mut self.hash_full, info.hash_full);
        renew(&mut self.own_time, info.time);
        if let Some(comment) =
            info.text.as_deref().and_then(|text| text.strip_prefix("pgncomment "))
        {
            self.comment = Some(comment.trim().to_string());
        }
        renew(&mut self.bstar, info.text.as_deref().and_then(BstarMove::read));
        let exact =
            |score: Option<EngineScore>| score.is_some_and(|score| score.bound == Bound::Exact);
        if !info.is_of_best_line() || (exact(self.score) && !exact(info.score)) {
            return;
        }
        renew(&mut self.score, info.score);
        renew(&mut self.depth, info.depth);
        renew(&mut self.selective_depth, info.selective_depth);
        if !info.line.is_empty() {
            self.line.clone_from(&info.line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Outcome;

    fn centipawns(value: i32, bound: Bound) -> Option<EngineScore> {
        Some(EngineScore { value: ScoreValue::Centipawns(value), bound })
    }

    fn thought(lines: &[&str]) -> Thought {
        let mut thought = Thought::default();
        lines.iter().for_each(|line| thought.learn(&Info::parse(line)));
        thought
    }

    #[test]
    fn a_whole_line_is_understood() {
        let info = Info::parse(
            "depth 12 seldepth 20 multipv 1 score cp -31 upperbound wdl 1 2 3 nodes 100 nps 200 \
             hashfull 5 tbhits 6 time 7 pv e2e4 e7e5",
        );
        let expected = Info {
            depth: Some(12),
            selective_depth: Some(20),
            multi_pv: Some(1),
            score: centipawns(-31, Bound::Upper),
            nodes: Some(100),
            time: Some(7),
            speed: Some(200),
            table_hits: Some(6),
            hash_full: Some(5),
            line: vec!["e2e4".to_string(), "e7e5".to_string()],
            text: None,
        };
        assert_eq!(info, expected);
    }

    #[test]
    fn odd_lines_do_no_harm() {
        assert_eq!(Info::parse(""), Info::default());
        assert_eq!(Info::parse("depth x nodes 3").nodes, Some(3));
        assert_eq!(Info::parse("depth").depth, None);
        assert_eq!(Info::parse("score nodes 3"), Info { nodes: Some(3), ..Info::default() });
        assert_eq!(Info::parse("score cp pv e2e4").line, ["e2e4"]);
        assert_eq!(Info::parse("time 1.5 nodes 99999999999999999999999").nodes, None);
        let text = Info::parse("string depth 3 pv a");
        assert_eq!((text.text.as_deref(), text.depth), (Some("depth 3 pv a"), None));
        let mate = Info::parse("pv e2e4 score mate -3").score.unwrap();
        assert_eq!(mate.value, ScoreValue::Mate(-3));
        assert_eq!(Info::parse("score lowerbound cp 4").score, centipawns(4, Bound::Lower));
    }

    #[test]
    fn the_second_line_of_several_is_not_taken_for_the_best() {
        let thought = thought(&[
            "depth 9 multipv 1 score cp 50 nodes 10 pv e2e4",
            "depth 9 multipv 2 score cp 20 nodes 12 pv d2d4",
        ]);
        assert_eq!(thought.score, centipawns(50, Bound::Exact));
        assert_eq!((thought.line, thought.nodes), (vec!["e2e4".to_string()], Some(12)));
    }

    #[test]
    fn a_bound_counts_only_until_something_exact_is_known() {
        assert_eq!(thought(&["score cp 9 lowerbound"]).score, centipawns(9, Bound::Lower));
        let thought = thought(&["depth 3 score cp 5 pv a", "depth 4 score cp 9 lowerbound pv b"]);
        assert_eq!((thought.score, thought.depth), (centipawns(5, Bound::Exact), Some(3)));
        assert_eq!(thought.line, ["a"]);
    }

    #[test]
    fn a_depth_that_was_only_begun_does_not_count() {
        let thought = thought(&[
            "depth 8 seldepth 9 score cp 0 time 44 nodes 35078 pv b1c3",
            "depth 9",
            "depth 9 currmove e2e4 currmovenumber 1",
            "time 112 nodes 90000 nps 0",
            "string pgncomment book move",
        ]);
        assert_eq!(
            (thought.depth, thought.nodes, thought.own_time),
            (Some(8), Some(90_000), Some(112))
        );
        assert_eq!(thought.comment.as_deref(), Some("book move"));
    }

    #[test]
    fn who_has_decided_is_read_as_it_is_told() {
        let told = |decided| decided_text(decided).map(|text| format!("string {text}"));
        let parts = Part::ALL.map(|part| Decided::Bstar { expansions: 85, part });
        for decided in parts.into_iter().chain(Reason::ALL.map(Decided::HandedOver)) {
            let line = told(decided).unwrap();
            assert_eq!(thought(&[&line, "depth 3"]).bstar, BstarMove::of(decided), "{line}");
        }
        assert_eq!(told(Decided::AlphaBeta), None);
        for nonsense in ["expansions many", "expansions 3, bored", "hands over: tired"] {
            assert_eq!(thought(&[&format!("string bstar {nonsense}")]).bstar, None);
        }
    }

    fn written(score: Score) -> String {
        ScoreValue::of(score).to_string()
    }

    #[test]
    fn mates_are_counted_in_moves_of_the_mating_side() {
        assert_eq!(written(Score::mate_in(1)), "mate 1");
        assert_eq!(written(Score::mate_in(3)), "mate 2");
        assert_eq!(written(Score::mated_in(2)), "mate -1");
        assert_eq!(written(Score::mated_in(4)), "mate -2");
        assert_eq!(written(Outcome::Loss.score(0)), "mate 0");
    }

    #[test]
    fn everything_else_is_in_hundredths() {
        assert_eq!(written(Score::heuristic(-35)), "cp -35");
        assert_eq!(written(Outcome::Draw.score(0)), "cp 0");
        assert_eq!(written(Outcome::Margin(-12).score(0)), "cp -1200");
        assert_eq!(written(Score::tablebase_win_in(5)), "cp 19995");
        assert_eq!(written(-Score::tablebase_win_in(5)), "cp -19995");
        assert_eq!(written(-Score::tablebase_win_in(0)), "cp -20000");
    }
}
