//! How long to think: a soft limit, after which no new iteration is begun, and a hard one, at
//! which the search stops wherever it is.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::Control;

crate::params! {
    /// How the time of a game is shared out.
    pub struct ClockUse in "clock" {
        /// Moves that a game without a control is taken to last on.
        horizon = 30, in 10..=80, step 2;
        /// Share of the increment that is spent at once, in percent.
        increment = 75, in 0..=100, step 5;
        /// The soft limit as a share of a move's due, in percent.
        soft = 150, in 20..=300, step 5;
        /// The hard limit as a multiple of a move's due, in percent.
        hard = 400, in 100..=900, step 25;
        /// No move may use more than this share of the time left, in percent.
        most = 75, in 20..=95, step 5;
        /// Milliseconds that are kept for when the machine is busy elsewhere. One game in 500 at
        /// 1+0.01 was lost to a pause of 50 ms before there was any.
        reserve = 100, in 0..=2000, step 20;
        /// The soft limit grows by this much when the best move has just changed, in percent.
        unstable = 60, in 0..=200, step 10;
        /// And shrinks by this much for each iteration that it has not,
        stable = 6, in 0..=20, step 1;
        /// down to this, in percent.
        calmest = 50, in 10..=100, step 5;
        /// How much the share of nodes below the best move counts: it shrinks by so many percent of what
        /// that share is above `usual_share`, and grows below it; 0 for not at all.
        share = 100, in 0..=200, step 10;
        /// The share of nodes below the best move that changes nothing, in percent.
        usual_share = 60, in 10..=95, step 5;
        /// What is left of it with one legal move, whose value and reply are nice to have, in percent.
        forced = 10, in 0..=100, step 5;
    }
}

/// What a game's clock says, in milliseconds. Nonsense (nothing left, or less) is allowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeLimits {
    /// Time left on our clock.
    pub remaining: Option<i64>,
    /// Added after each move.
    pub increment: i64,
    /// Moves to the next control, if there is one.
    pub moves_to_go: Option<u32>,
    /// Exactly so long for this move.
    pub move_time: Option<i64>,
    /// Lost on the way to and from the referee.
    pub overhead: i64,
}

/// In milliseconds; larger numbers are nonsense.
const LONGEST: i64 = 1 << 48;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Begin no new iteration after this.
    pub soft: Duration,
    /// Stop at this.
    pub hard: Duration,
    /// Whether the soft limit may be stretched and shrunk.
    pub flexible: bool,
}

impl TimeLimits {
    /// How long this move may take; `None` if there is no clock.
    pub fn budget(&self, how: &ClockUse) -> Option<Budget> {
        let span = |milliseconds: i64| Duration::from_millis(milliseconds.max(1) as u64);
        // No clock shows more than some ten thousand years; sums of such numbers are safe.
        let sane = |milliseconds: i64| milliseconds.clamp(-LONGEST, LONGEST);
        let overhead = sane(self.overhead);
        if let Some(move_time) = self.move_time {
            let time = span(sane(move_time) - overhead);
            return Some(Budget { soft: time, hard: time, flexible: false });
        }
        let remaining = sane(self.remaining?);
        let reserve = match self.moves_to_go {
            // More time comes soon.
            Some(_) => i64::from(how.reserve).min(remaining / 4).max(0),
            None => i64::from(how.reserve),
        };
        // The overhead of this move, at least; with little left nothing else matters.
        let left = (remaining - overhead - reserve).max(1);
        // Where only the reserve is left, less is spent than the increment brings back.
        let increment = sane(self.increment).max(0);
        let at_least = (increment / 2).min((remaining - overhead) / 10).max(1);
        let moves = match self.moves_to_go {
            Some(moves) => i64::from(moves.clamp(1, how.horizon as u32)),
            None => i64::from(how.horizon),
        };
        // Each of the moves before the control pays the overhead too.
        let shared = (left - overhead * (moves - 1)).max(left / 8).max(1);
        let due = shared / moves + increment * i64::from(how.increment) / 100;
        let last_of_control = self.moves_to_go == Some(1);
        let share = if last_of_control { 95 } else { i64::from(how.most) };
        let most = (left * share / 100).max(at_least);
        let hard = (due * i64::from(how.hard) / 100).min(most);
        let soft = (due * i64::from(how.soft) / 100).min(hard);
        Some(Budget { soft: span(soft), hard: span(hard), flexible: true })
    }
}

/// A running clock.
#[derive(Debug)]
pub struct Clock {
    begun: Instant,
    budget: Option<Budget>,
    /// When pondering turned into thinking.
    hit: Cell<Option<Instant>>,
}

impl Clock {
    /// A clock that was started at `begun`.
    pub fn new(begun: Instant, budget: Option<Budget>) -> Clock {
        Clock { begun, budget, hit: Cell::new(None) }
    }

    /// The same for a part of the move: its limits are this share of the whole, in ten-thousandths.
    pub fn for_share(&self, share: u32) -> Clock {
        let part = |limit: Duration| limit * share / 10_000;
        let budget = self.budget.map(|budget| Budget {
            soft: part(budget.soft),
            hard: part(budget.hard),
            flexible: budget.flexible,
        });
        Clock { begun: self.begun, budget, hit: self.hit.clone() }
    }

    /// The same for what follows when the opponent has moved: of the time since the start this share is
    /// counted, in ten-thousandths, but no more than half of the soft limit.
    pub fn after_pondering(&self, share: u32) -> Clock {
        let hit = Instant::now();
        let most = self.budget.map_or(Duration::ZERO, |budget| budget.soft / 2);
        let counted = (self.elapsed() * share / 10_000).min(most);
        let begun = hit.checked_sub(counted).unwrap_or(hit);
        Clock { begun, budget: self.budget, hit: Cell::new(Some(hit)) }
    }

    /// Whether there is a limit.
    pub fn is_limited(&self) -> bool {
        self.budget.is_some()
    }

    /// Whether what is left of the time is lost.
    pub fn is_for_one_move(&self) -> bool {
        self.budget.is_some_and(|budget| !budget.flexible)
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// Whether the hard limit is reached. While pondering it never is; afterwards it counts from
    /// the moment at which the opponent moved.
    pub fn is_late(&self, control: &Control) -> bool {
        let Some(budget) = self.budget else { return false };
        if control.is_pondering() {
            return false;
        }
        let start = match self.hit.get() {
            Some(hit) => hit,
            None if control.has_pondered() => {
                self.hit.set(Some(Instant::now()));
                return false;
            }
            None => self.begun,
        };
        start.elapsed() >= budget.hard
    }

    /// The share of the soft limit that is gone, in ten-thousandths: nothing while pondering or without a
    /// limit. What was thought while pondering counts afterwards.
    pub fn share_gone(&self, control: &Control) -> u64 {
        let Some(budget) = self.budget else { return 0 };
        if control.is_pondering() {
            return 0;
        }
        (self.elapsed().as_micros() * 10_000 / budget.soft.as_micros().max(1)) as u64
    }

    /// Whether another iteration should not be begun, with the soft limit scaled by `percent`.
    /// What was thought while pondering counts here.
    pub fn is_enough(&self, control: &Control, percent: i64) -> bool {
        let Some(budget) = self.budget else { return false };
        if control.is_pondering() {
            return false;
        }
        let percent = if budget.flexible { percent.clamp(0, 500) as u32 } else { 100 };
        self.elapsed() >= (budget.soft * percent / 100).min(budget.hard)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(remaining: i64, increment: i64, moves_to_go: Option<u32>) -> TimeLimits {
        TimeLimits {
            remaining: Some(remaining),
            increment,
            moves_to_go,
            move_time: None,
            overhead: 10,
        }
    }

    /// Plays a game on a fake clock: every third move takes the hard limit, the others the soft
    /// one, and each the latency. The time left after each move.
    fn play(mut now: TimeLimits, moves: usize, latency: i64) -> Vec<i64> {
        let control = now.moves_to_go;
        let first = now.remaining.unwrap();
        (0..moves)
            .map(|number| {
                let budget = now.budget(&ClockUse::default()).unwrap();
                let used = if number % 3 == 0 { budget.hard } else { budget.soft };
                let left = now.remaining.unwrap() - used.as_millis() as i64 - latency;
                let mut next = left + now.increment;
                if let (Some(to_go), Some(control)) = (&mut now.moves_to_go, control) {
                    *to_go -= 1;
                    if *to_go == 0 {
                        *to_go = control;
                        next += first;
                    }
                }
                now.remaining = Some(next);
                left
            })
            .collect()
    }

    #[test]
    fn no_game_is_lost_on_time() {
        for (remaining, increment, moves) in
            [(1_000, 10, 300), (8_000, 80, 300), (60_000, 0, 120), (100, 7, 300)]
        {
            let left = play(limits(remaining, increment, None), moves, 5);
            assert!(left.iter().all(|left| *left > 0), "{remaining}+{increment}: {left:?}");
        }
        for moves_to_go in [1, 2, 40] {
            let left = play(limits(10_000, 0, Some(moves_to_go)), 200, 5);
            assert!(left.iter().all(|left| *left > 0), "{moves_to_go} to go: {left:?}");
        }
    }

    #[test]
    fn of_time_pondered_a_share_counts_but_never_more_than_half_of_the_limit() {
        let second = Duration::from_secs(1);
        let budget = Budget { soft: second, hard: 3 * second, flexible: true };
        let control = Control::pondering();
        control.ponderhit();
        let gone = |pondered: Duration, share: u32| {
            let begun = Instant::now().checked_sub(pondered).unwrap();
            let clock = Clock::new(begun, Some(budget)).after_pondering(share);
            assert!(!clock.is_late(&control), "the hard limit counts from the hit");
            clock.share_gone(&control) / 100
        };
        // In hundredths, so that a moment does not matter.
        assert!((40..45).contains(&gone(second * 8 / 10, 5_000)));
        assert!((50..55).contains(&gone(10 * second, 5_000)));
        assert!(gone(10 * second, 0) < 5);
    }

    #[test]
    fn a_pause_of_the_machine_is_survived_at_any_move_of_a_fast_game() {
        for pause in [50, 90] {
            let left = play(limits(1_000, 10, None), 300, 2);
            assert!(left.iter().all(|left| *left > pause), "{pause}: {left:?}");
        }
    }

    #[test]
    fn fifty_milliseconds_of_latency_are_survived_with_the_overhead_set() {
        for start in [limits(2_000, 60, None), limits(10_000, 0, Some(40))] {
            let start = TimeLimits { overhead: 60, ..start };
            let left = play(start, 40, 50);
            assert!(left.iter().all(|left| *left > 0), "{start:?}: {left:?}");
        }
    }

    #[test]
    fn an_empty_or_negative_clock_still_gives_a_moment() {
        for remaining in [0, -1, -100_000, i64::MIN] {
            let budget = limits(remaining, 0, None).budget(&ClockUse::default()).unwrap();
            assert_eq!(budget.hard, Duration::from_millis(1), "{remaining}");
            assert!(budget.soft <= budget.hard);
        }
    }

    #[test]
    fn the_time_of_a_move_is_kept_exactly_less_the_overhead() {
        let limits = TimeLimits { move_time: Some(500), overhead: 10, ..TimeLimits::default() };
        let budget = limits.budget(&ClockUse::default()).unwrap();
        assert_eq!((budget.soft, budget.hard), (Duration::from_millis(490), budget.soft));
        assert!(!budget.flexible);
    }

    #[test]
    fn a_part_of_a_move_ends_at_its_share() {
        let budget = Budget {
            soft: Duration::from_millis(200),
            hard: Duration::from_millis(800),
            flexible: true,
        };
        let control = Control::default();
        let at = |milliseconds| {
            let begun = Instant::now() - Duration::from_millis(milliseconds);
            Clock::new(begun, Some(budget)).for_share(5_000)
        };
        assert!(!at(50).is_enough(&control, 100) && !at(50).is_late(&control));
        assert!(at(110).is_enough(&control, 100) && !at(110).is_late(&control));
        assert!(at(410).is_late(&control));
        assert!(!at(0).is_for_one_move() && at(0).is_limited());
    }

    #[test]
    fn without_a_clock_there_is_no_limit() {
        assert_eq!(TimeLimits::default().budget(&ClockUse::default()), None);
        let clock = Clock::new(Instant::now(), None);
        let control = Control::default();
        assert!(!clock.is_late(&control) && !clock.is_enough(&control, 100));
    }

    #[test]
    fn pondering_stops_the_clock_and_the_hit_starts_it() {
        let budget = Budget {
            soft: Duration::from_millis(1),
            hard: Duration::from_millis(30),
            flexible: true,
        };
        let clock = Clock::new(Instant::now() - Duration::from_secs(5), Some(budget));
        let control = Control::pondering();
        assert!(!clock.is_late(&control) && !clock.is_enough(&control, 100));
        assert_eq!(clock.share_gone(&control), 0);
        control.ponderhit();
        assert!(!clock.is_late(&control), "the hard limit counts from the hit");
        assert!(clock.share_gone(&control) > 10_000);
        assert!(clock.is_enough(&control, 100), "what was thought before counts");
        std::thread::sleep(Duration::from_millis(35));
        assert!(clock.is_late(&control));
    }
}
