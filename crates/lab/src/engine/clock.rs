//! The clocks of the two sides of a game. Pure: it is told how long a move took.

use std::time::Duration;

use super::GoLimit;
use super::limit::Limit;

/// Who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Who began the game in its usual start: `wtime` is this side's.
    White,
    /// The other.
    Black,
}

/// The time that a side has left, and what it may do with it.
#[derive(Clone, Copy, Debug)]
struct Hand {
    limit: Limit,
    /// Meaningless without a clock.
    left: Duration,
    /// Moves to the next refill, if there is one.
    moves_to_go: Option<u32>,
}

/// Both clocks of a game.
#[derive(Clone, Debug)]
pub struct Clock {
    hands: [Hand; 2],
    margin: Duration,
    patience: Duration,
}

impl Clock {
    /// Clocks before the first move. A side is forgiven `margin` on each move; a side that no
    /// clock binds is given up as hung after `patience`.
    pub fn new(white: Limit, black: Limit, margin: Duration, patience: Duration) -> Clock {
        let hand = |limit: Limit| Hand {
            limit,
            left: limit.clock().map(|clock| clock.base()).unwrap_or_default(),
            moves_to_go: limit.clock().and_then(|clock| clock.moves()),
        };
        Clock { hands: [hand(white), hand(black)], margin, patience }
    }

    /// What this side has left, if it has a clock.
    pub fn left(&self, side: Side) -> Option<Duration> {
        let hand = &self.hands[side as usize];
        hand.limit.clock().map(|_| hand.left)
    }

    /// What this side, which is to move, is told.
    pub fn start(&self, side: Side) -> GoLimit {
        let [white, black] = self.hands;
        let hand = self.hands[side as usize];
        // An engine without a clock must not be led to obey the other's.
        let clocked = hand.limit.clock().is_some();
        let time = |hand: Hand| hand.limit.clock().filter(|_| clocked).map(|_| hand.left);
        let increment =
            |hand: Hand| hand.limit.clock().filter(|_| clocked).map(|clock| clock.increment());
        let soonest = [clocked.then_some(hand.left), hand.limit.move_time()];
        let soonest = soonest.into_iter().flatten().min();
        GoLimit {
            white_time: time(white),
            black_time: time(black),
            white_increment: increment(white),
            black_increment: increment(black),
            moves_to_go: hand.moves_to_go,
            move_time: hand.limit.move_time(),
            nodes: hand.limit.nodes(),
            depth: hand.limit.depth(),
            deadline: soonest.map_or(self.patience, |time| time + self.margin),
        }
    }

    /// This side has moved after so long. By how much it is over its time, if by more than the
    /// margin: then the clock stands still.
    pub fn finish(&mut self, side: Side, spent: Duration) -> Result<(), Duration> {
        let margin = self.margin;
        let hand = &mut self.hands[side as usize];
        let clock = hand.limit.clock();
        let allowed = [clock.map(|_| hand.left), hand.limit.move_time()];
        if let Some(allowed) = allowed.into_iter().flatten().min() {
            let by = spent.saturating_sub(allowed);
            if by > margin {
                return Err(by);
            }
        }
        if let Some(clock) = clock {
            hand.left = hand.left.saturating_sub(spent) + clock.increment();
            if let Some(moves) = &mut hand.moves_to_go {
                *moves -= 1;
                if *moves == 0 {
                    hand.moves_to_go = clock.moves();
                    hand.left += clock.base();
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::limit::{GivenLimits, TimeControl};
    use super::*;

    const fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn timed(text: &str) -> Limit {
        let clock = Some(TimeControl::parse(text).unwrap());
        GivenLimits { clock, ..GivenLimits::default() }.complete().unwrap()
    }

    fn nodes(nodes: u64) -> Limit {
        GivenLimits { nodes: Some(nodes), ..GivenLimits::default() }.complete().unwrap()
    }

    #[test]
    fn a_move_costs_its_time_and_gains_the_increment() {
        let mut clock = Clock::new(timed("8+0.08"), timed("1"), ms(0), ms(9));
        assert_eq!(clock.finish(Side::White, ms(500)), Ok(()));
        assert_eq!(clock.finish(Side::Black, ms(400)), Ok(()));
        assert_eq!(clock.left(Side::White), Some(ms(7_580)));
        assert_eq!(clock.left(Side::Black), Some(ms(600)));
    }

    #[test]
    fn nothing_is_rounded_away() {
        let mut clock = Clock::new(timed("1"), timed("1"), ms(0), ms(9));
        for _ in 0..1_000 {
            clock.finish(Side::White, Duration::from_micros(900)).unwrap();
        }
        assert_eq!(clock.left(Side::White), Some(ms(100)));
    }

    #[test]
    fn the_time_is_given_again_after_the_last_move_of_a_period() {
        let mut clock = Clock::new(timed("3/10+1"), timed("1"), ms(0), ms(9));
        for (to_go, left) in [(3, 10_000), (2, 9_000), (1, 8_000), (3, 17_000), (2, 16_000)] {
            let go = clock.start(Side::White);
            assert_eq!((go.moves_to_go, go.white_time), (Some(to_go), Some(ms(left))));
            clock.finish(Side::White, ms(2_000)).unwrap();
        }
    }

    #[test]
    fn the_flag_falls_past_the_margin_and_not_at_it() {
        let clock = Clock::new(timed("1+0.1"), timed("1"), ms(20), ms(9));
        assert_eq!(clock.clone().finish(Side::White, ms(1_021)), Err(ms(21)));
        let mut saved = clock.clone();
        assert_eq!(saved.finish(Side::White, ms(1_020)), Ok(()));
        // The margin is forgiven, not lent: only the increment is left.
        assert_eq!(saved.left(Side::White), Some(ms(100)));
        assert_eq!(clock.start(Side::White).deadline, ms(1_020));
    }

    #[test]
    fn a_time_for_each_move_is_kept_as_strictly_as_a_clock() {
        let given = GivenLimits { move_time: Some(ms(100)), ..GivenLimits::default() };
        let mut clock = Clock::new(given.complete().unwrap(), timed("1"), ms(5), ms(9));
        assert_eq!(clock.finish(Side::White, ms(105)), Ok(()));
        assert_eq!(clock.finish(Side::White, ms(106)), Err(ms(6)));
        assert_eq!(clock.start(Side::White).deadline, ms(105));
        assert_eq!(clock.left(Side::White), None);
    }

    #[test]
    fn who_has_no_clock_is_not_told_the_others() {
        let mut clock = Clock::new(nodes(1_000), timed("1+0.5"), ms(0), ms(9));
        let white = clock.start(Side::White);
        assert_eq!((white.white_time, white.black_time, white.nodes), (None, None, Some(1_000)));
        assert_eq!((white.deadline, white.black_increment), (ms(9), None));
        let black = clock.start(Side::Black);
        assert_eq!(
            (black.white_time, black.black_time, black.nodes),
            (None, Some(ms(1_000)), None)
        );
        assert_eq!(clock.finish(Side::White, ms(100_000)), Ok(()));
    }
}
