//! How long an engine may think: clock, time for a move, nodes, depth.

use std::fmt;
use std::time::Duration;

/// Time on a clock: all of it for `moves` moves (or for the game), and more with each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeControl {
    moves: Option<u32>,
    base: u64,
    increment: u64,
}

/// Why a text is no limit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LimitError {
    /// The form is wrong.
    #[error(
        "a time control is seconds+increment (8+0.08), moves/seconds (40/60), both, or inf, not '{0}'"
    )]
    Form(String),
    /// It would be lost before the first move.
    #[error("a clock that begins at zero has run out")]
    NoTime,
    /// A number of moves, nodes, plies or milliseconds that is none.
    #[error("'{0}' is not a whole number from 1")]
    Count(String),
    /// A number that is larger than any that has a meaning.
    #[error("{0} is too large")]
    Large(String),
    /// Nothing would end a search.
    #[error("no limit is given: tc, movetime, nodes or depth")]
    Nothing,
}

/// A century in milliseconds: sums stay far from overflow.
const LONGEST: u64 = 100 * 365 * 24 * 3_600_000;

impl TimeControl {
    /// A clock that begins with `base` milliseconds. `None` if a part has no meaning: no time, or
    /// no moves.
    pub fn new(moves: Option<u32>, base: u64, increment: u64) -> Option<TimeControl> {
        let sound = (1..=LONGEST).contains(&base) && increment <= LONGEST && moves != Some(0);
        sound.then_some(TimeControl { moves, base, increment })
    }

    /// Reads `8+0.08`, `40/60`, `40/60+0.6`, minutes as in `1:30+1`; `None` is `inf`, no clock.
    pub fn parse(text: &str) -> Result<Option<TimeControl>, LimitError> {
        if text == "inf" || text == "infinite" {
            return Ok(None);
        }
        let form = || LimitError::Form(text.to_string());
        let (moves, times) = match text.split_once('/') {
            None => (None, text),
            Some((moves, times)) => (Some(count(moves).map_err(|_| form())?), times),
        };
        let moves = moves.map(u32::try_from).transpose().map_err(|_| form())?;
        let (base, increment) = times.split_once('+').unwrap_or((times, "0"));
        let (minutes, seconds) = match base.split_once(':') {
            None => (0, base),
            Some((minutes, seconds)) => (count(minutes).map_err(|_| form())?, seconds),
        };
        let seconds = milliseconds(seconds).ok_or_else(form)?;
        let base = minutes.checked_mul(60_000).and_then(|time| time.checked_add(seconds));
        let base = base.ok_or_else(form)?;
        let increment = milliseconds(increment).ok_or_else(form)?;
        if base == 0 {
            return Err(LimitError::NoTime);
        }
        TimeControl::new(moves, base, increment).map(Some).ok_or_else(form)
    }

    /// After so many moves the base is given again.
    pub fn moves(&self) -> Option<u32> {
        self.moves
    }

    /// What the clock begins with.
    pub fn base(&self) -> Duration {
        Duration::from_millis(self.base)
    }

    /// What each move adds.
    pub fn increment(&self) -> Duration {
        Duration::from_millis(self.increment)
    }
}

/// In the form that `parse` reads and that a PGN's `TimeControl` wants.
impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", Seconds(self.base))?;
        if self.increment > 0 {
            write!(f, "+{}", Seconds(self.increment))?;
        }
        Ok(())
    }
}

/// Milliseconds shown as seconds with no more digits than needed.
struct Seconds(u64);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fraction = format!("{:03}", self.0 % 1_000);
        write!(f, "{}", self.0 / 1_000)?;
        match fraction.trim_end_matches('0') {
            "" => Ok(()),
            digits => write!(f, ".{digits}"),
        }
    }
}

/// Seconds with up to three decimals, as milliseconds. By digits, so that nothing is rounded.
fn milliseconds(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole)
        || !digits(fraction)
        || fraction.len() > 3
        || whole.len() + fraction.len() == 0
    {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let fraction: u64 = format!("{fraction:0<3}").parse().ok()?;
    whole.checked_mul(1_000)?.checked_add(fraction)
}

/// A whole number from 1.
pub(super) fn count(text: &str) -> Result<u64, LimitError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse() {
        Ok(number) if digits && number > 0 => Ok(number),
        Err(_) if digits => Err(LimitError::Large(text.to_string())),
        _ => Err(LimitError::Count(text.to_string())),
    }
}

/// The limits that somebody gave, perhaps none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenLimits {
    /// The clock; `Some(None)` is `tc=inf`, which takes a clock given below away.
    pub clock: Option<Option<TimeControl>>,
    /// For each move.
    pub move_time: Option<Duration>,
    /// For each move.
    pub nodes: Option<u64>,
    /// For each move.
    pub depth: Option<u32>,
}

impl GivenLimits {
    /// These, and what they leave open from below.
    pub fn over(self, below: GivenLimits) -> GivenLimits {
        GivenLimits {
            clock: self.clock.or(below.clock),
            move_time: self.move_time.or(below.move_time),
            nodes: self.nodes.or(below.nodes),
            depth: self.depth.or(below.depth),
        }
    }

    /// As a limit, if it is one.
    pub fn complete(self) -> Result<Limit, LimitError> {
        let GivenLimits { clock, move_time, nodes, depth } = self;
        let limit = Limit { clock: clock.flatten(), move_time, nodes, depth };
        let limited = limit.clock.is_some()
            || move_time.is_some_and(|time| !time.is_zero())
            || nodes.is_some()
            || depth.is_some();
        if limited { Ok(limit) } else { Err(LimitError::Nothing) }
    }
}

/// What ends a search: at least one of these. What is reached first counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limit {
    clock: Option<TimeControl>,
    move_time: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl Limit {
    /// The clock of the game.
    pub fn clock(&self) -> Option<TimeControl> {
        self.clock
    }

    /// Time for each move.
    pub fn move_time(&self) -> Option<Duration> {
        self.move_time
    }

    /// Nodes for each move.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// Depth of each search.
    pub fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// Whether the same engine gives the same answer again: no time is involved.
    pub fn is_timeless(&self) -> bool {
        self.clock.is_none() && self.move_time.is_none()
    }
}

/// As the words of an engine's description.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [
            self.clock.map(|clock| format!("tc={clock}")),
            self.move_time.map(|time| format!("movetime={}", time.as_millis())),
            self.nodes.map(|nodes| format!("nodes={nodes}")),
            self.depth.map(|depth| format!("depth={depth}")),
        ];
        write!(f, "{}", words.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(moves: Option<u32>, base: u64, increment: u64) -> Option<TimeControl> {
        Some(TimeControl::new(moves, base, increment).unwrap())
    }

    #[test]
    fn the_usual_forms_are_read_to_the_millisecond() {
        assert_eq!(TimeControl::parse("8+0.08"), Ok(control(None, 8_000, 80)));
        assert_eq!(TimeControl::parse("40/60"), Ok(control(Some(40), 60_000, 0)));
        assert_eq!(TimeControl::parse("40/60+0.6"), Ok(control(Some(40), 60_000, 600)));
        assert_eq!(TimeControl::parse("1:30+.001"), Ok(control(None, 90_000, 1)));
        assert_eq!(TimeControl::parse("0.1"), Ok(control(None, 100, 0)));
        assert_eq!(TimeControl::parse("inf"), Ok(None));
    }

    #[test]
    fn what_is_written_is_read_back() {
        for text in ["8+0.08", "40/60", "40/60+0.6", "0.001", "10.5+1"] {
            assert_eq!(TimeControl::parse(text).unwrap().unwrap().to_string(), text);
        }
    }

    #[test]
    fn other_forms_are_refused_and_none_panics() {
        let odd = [
            "",
            "+",
            "/",
            "8+",
            "+1",
            "8+-1",
            "-8",
            "8,5",
            "8+0.0001",
            "0/60",
            "40/",
            "a",
            "1e3",
            "8+0.08+1",
            "99999999999999999999",
            "99999999999999999+1",
            "4294967296/1",
            ":",
            "1:",
            "999999999999999999:1",
        ];
        for text in odd {
            assert!(matches!(TimeControl::parse(text), Err(LimitError::Form(_))), "{text}");
        }
        assert_eq!(TimeControl::parse("0+1"), Err(LimitError::NoTime));
    }

    #[test]
    fn each_engine_has_its_own_limits_over_those_of_all() {
        let all = GivenLimits {
            clock: Some(control(None, 8_000, 80)),
            nodes: Some(5),
            ..GivenLimits::default()
        };
        let own = GivenLimits { nodes: Some(7), ..GivenLimits::default() };
        assert_eq!(own.over(all).complete().unwrap().to_string(), "tc=8+0.08 nodes=7");
        let unclocked = GivenLimits { clock: Some(None), ..own };
        assert_eq!(unclocked.over(all).complete().unwrap().to_string(), "nodes=7");
        assert!(unclocked.over(all).complete().unwrap().is_timeless());
        let nothing = GivenLimits { clock: Some(None), ..GivenLimits::default() };
        assert_eq!(nothing.complete(), Err(LimitError::Nothing));
    }
}
