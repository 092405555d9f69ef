//! What a side can hope for from a move: the upper end of the range that B\* searches in.
//!
//! The rule for every game: let the side that has just moved move again, and see what that is worth
//! (Palay, 1985). What another move achieves is what the first one threatens. This is wrong where the
//! first move leaves no room for a second, as a check does, or where the second only undoes what was
//! risky about the first; a game says so by [`Hopeful`], and the constants are here (Berliner and
//! McConnell, 1996, name the rules and give no number).
//!
//! | what the move is | what is hoped for |
//! |---|---|
//! | proven by its search | that |
//! | forcing: there is no extra move | the real value and more, the fewer replies the more |
//! | a threat to win at once | the real value and more than for a forcing move with three replies |
//! | a capture whose piece runs away, or a piece that moves twice instead of being taken | a part of the extra move |
//! | anything else | the extra move, or the real value if that is better |
//!
//! Where the extra move is worse than the real value, having the move is a burden: [`Why::Worse`]
//! counts how often, which says whether the rule suits a game.

use std::fmt;
use std::ops::AddAssign;

use crate::bstar::{Hope, Why};
use crate::{Score, Stopped, Tactics};

crate::params! {
    /// What a side can hope for from a move, beyond what a search of it shows.
    pub struct Optimism in "optimism" {
        switch OptimismForm = Rules {
            /// What an extra move is worth, and nothing else.
            Extra = "extra",
            /// The same, with what the game knows of checks, threats and illusions.
            Rules = "rules",
        }
        /// More than the real value for a check, in hundredths.
        check = 250, in 0..=4000, step 50;
        /// More if no piece that gives it can be taken without loss.
        check_safe = 250, in 0..=4000, step 50;
        /// More if the king must move.
        check_king = 150, in 0..=4000, step 50;
        /// More if there are two replies.
        check_two = 600, in 0..=4000, step 50;
        /// More if there is one.
        check_one = 1600, in 0..=6000, step 50;
        /// More than the real value for a threat to win at once; checks with three replies have less.
        mate_threat = 1200, in 0..=6000, step 50;
        /// What each ply from the root takes off all of these, in thousandths.
        far = 40, in 0..=200, step 10;
        /// What is left of them at least, in thousandths.
        least = 300, in 0..=1000, step 50;
        /// What is believed of an extra move that only saves the piece, in percent.
        credit = 15, in 0..=100, step 5;
        /// For each step that a king in danger has gone out, to the side that hunts it.
        exposed = 8, in 0..=100, step 2;
        /// For each pinned officer, to the side that pins it.
        pin = 12, in 0..=100, step 2;
    }
}

/// What a game knows of hope. Every answer is true in every game: in Othello nothing is forcing.
pub trait Hopeful: Tactics {
    /// How forcing the legal move `m` is, if it leaves no room for an extra move; `after` is the
    /// position that it leads to.
    fn forcing(&self, m: Self::Move, after: &Self) -> Option<Forcing>;

    /// Whether what `m` promises is an illusion: `extra` is the line of the extra move, which begins
    /// with the same side again, and `real` that of the search, which begins with the reply.
    fn illusion(
        &self,
        m: Self::Move,
        extra: &[Self::Move],
        real: &[Self::Move],
    ) -> Option<Illusion>;

    /// What on the board gives hope to the side that has just moved, whatever a search says.
    fn prospects(&self) -> Prospects;

    /// How much there is to play with, on a scale of the game's own: below a limit alpha-beta takes over
    /// from B\*.
    fn forces(&self) -> i32;
}

/// A move that must be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forcing {
    /// How many replies there are.
    pub replies: usize,
    /// Whether none of them takes what gives the check, or not without loss.
    pub safe: bool,
    /// Whether the king must move.
    pub king_moves: bool,
}

/// Why an extra move promises more than it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illusion {
    /// It takes and runs away, and would have been taken.
    HitAndRun,
    /// It would have been taken, and moves again instead.
    TwiceMoved,
}

/// What on the board gives hope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prospects {
    /// Steps that the opponent's king has gone out into danger.
    pub exposed: i32,
    /// Officers of the opponent that are pinned.
    pub pins: i32,
}

/// What the rules are called, in the order of [`Why`].
const RULES: [(Why, &str); 8] = [
    (Why::ExtraMove, "extra move"),
    (Why::Worse, "worse"),
    (Why::Check, "check"),
    (Why::MateThreat, "mate threat"),
    (Why::HitAndRun, "hit and run"),
    (Why::TwiceMoved, "twice moved"),
    (Why::NoPass, "no pass"),
    (Why::Proven, "proven"),
];

/// How often each rule has given a hope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HopeCounts([u64; RULES.len()]);

impl HopeCounts {
    /// Counts one more.
    pub fn count(&mut self, why: Why) {
        self.0[why as usize] += 1;
    }

    /// How often this rule has given one.
    pub fn of(&self, why: Why) -> u64 {
        self.0[why as usize]
    }

    /// How many there were.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl AddAssign for HopeCounts {
    fn add_assign(&mut self, other: HopeCounts) {
        self.0.iter_mut().zip(other.0).for_each(|(ours, theirs)| *ours += theirs);
    }
}

/// `extra move 120, check 8, worse 3`: the rules that were used, the commonest first.
impl fmt::Display for HopeCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut used = RULES.to_vec();
        used.retain(|(why, _)| self.of(*why) > 0);
        used.sort_by_key(|(why, _)| std::cmp::Reverse(self.of(*why)));
        for (place, (why, name)) in used.into_iter().enumerate() {
            let comma = if place == 0 { "" } else { ", " };
            write!(f, "{comma}{name} {}", self.of(why))?;
        }
        Ok(())
    }
}

/// A move that was searched.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a, M> {
    /// The move.
    pub m: M,
    /// Its value for its side.
    pub real: Score,
    /// What follows it.
    pub line: &'a [M],
    /// Plies from the root to the position in which it is made.
    pub from_root: usize,
}

/// What `searched.m`, which leads from `position` to `after`, lets its side hope for. `extra` searches
/// the extra move and gives its value and line; `None` if the rules have no pass.
pub fn hope<G: Hopeful>(
    how: &Optimism,
    position: &G,
    after: &G,
    searched: Searched<'_, G::Move>,
    extra: impl FnOnce() -> Result<Option<(Score, Vec<G::Move>)>, Stopped>,
) -> Result<Hope, Stopped> {
    let Searched { m, real, line, from_root } = searched;
    let rules = how.form == OptimismForm::Rules;
    if real.is_proven() {
        return Ok(Hope { value: real, why: Why::Proven });
    }
    if rules && let Some(forcing) = position.forcing(m, after) {
        let more = near(how, how.of_forcing(forcing), from_root) + how.of_prospects(after);
        return Ok(Hope { value: Score::heuristic(real.value() + more), why: Why::Check });
    }
    let Some((value, extra_line)) = extra()? else {
        return Ok(Hope { value: real, why: Why::NoPass });
    };
    let (more, why) = match value {
        value if value <= real => (0, Why::Worse),
        // Its number is a distance or a count of points, and no guess.
        value if value.is_proven() => (near(how, how.mate_threat, from_root), Why::MateThreat),
        value => {
            let illusion = position.illusion(m, &extra_line, line).filter(|_| rules);
            let why = match illusion {
                None => Why::ExtraMove,
                Some(Illusion::HitAndRun) => Why::HitAndRun,
                Some(Illusion::TwiceMoved) => Why::TwiceMoved,
            };
            let believed = if illusion.is_some() { how.credit } else { 100 };
            ((value - real) * believed / 100, why)
        }
    };
    let more = more + if rules { how.of_prospects(after) } else { 0 };
    Ok(Hope { value: Score::heuristic(real.value() + more), why })
}

/// How far above its real value a move can be hoped for at most, without searching it: for who asks a
/// question with a bound. `None` if only an extra move could tell.
pub fn without_search<G: Hopeful>(
    how: &Optimism,
    position: &G,
    after: &G,
    m: G::Move,
    from_root: usize,
) -> Option<i32> {
    let forcing = position.forcing(m, after).filter(|_| how.form == OptimismForm::Rules)?;
    Some(near(how, how.of_forcing(forcing), from_root) + how.of_prospects(after))
}

impl Optimism {
    /// What a check is worth beyond its real value, next to the root.
    fn of_forcing(&self, forcing: Forcing) -> i32 {
        let Forcing { replies, safe, king_moves } = forcing;
        let mut more = self.check;
        more += if safe { self.check_safe } else { 0 };
        more += if king_moves { self.check_king } else { 0 };
        match replies {
            0 | 1 => more + self.check_one,
            2 => more + self.check_two,
            // A threat of mate is more, whatever the constants.
            _ => more.min((self.mate_threat - 1).max(0)),
        }
    }

    fn of_prospects<G: Hopeful>(&self, after: &G) -> i32 {
        let Prospects { exposed, pins } = after.prospects();
        self.exposed * exposed + self.pin * pins
    }
}

/// What is left of a hope so far from the root, so that the nearer one is looked into first.
fn near(how: &Optimism, more: i32, from_root: usize) -> i32 {
    let left = (1_000 - how.far.saturating_mul(from_root.min(1_000) as i32)).max(how.least);
    more * left / 1_000
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::Plain;
    use crate::testkit::tree::Tree;

    const HOW: Optimism = Optimism {
        form: OptimismForm::Rules,
        check: 100,
        check_safe: 200,
        check_king: 50,
        check_two: 300,
        check_one: 700,
        mate_threat: 320,
        far: 100,
        least: 250,
        credit: 20,
        exposed: 8,
        pin: 12,
    };

    /// The hope of a move worth 10, with this value of the extra move.
    fn with_extra(real: Score, extra: Option<Score>) -> Hope {
        let position = Plain(Tree::parse("((3 5) (2 9))").unwrap());
        let after = crate::Game::after(&position, 0);
        let searched = Searched { m: 0, real, line: &[], from_root: 0 };
        let extra = || Ok(extra.map(|value| (value, Vec::new())));
        hope(&HOW, &position, &after, searched, extra).unwrap()
    }

    #[test]
    fn the_extra_move_is_hoped_for_unless_it_is_worse() {
        let real = Score::heuristic(10);
        let better = with_extra(real, Some(Score::heuristic(11)));
        assert_eq!(better, Hope { value: Score::heuristic(11), why: Why::ExtraMove });
        for worse in [10, 9, -500] {
            let worse = with_extra(real, Some(Score::heuristic(worse)));
            assert_eq!(worse, Hope { value: real, why: Why::Worse });
        }
        assert_eq!(with_extra(real, None), Hope { value: real, why: Why::NoPass });
    }

    #[test]
    fn what_is_proven_leaves_nothing_to_hope_for() {
        for proven in [Score::mate_in(3), Score::mated_in(4), Score::counted(-2)] {
            let hope = with_extra(proven, Some(Score::heuristic(99)));
            assert_eq!(hope, Hope { value: proven, why: Why::Proven });
        }
    }

    #[test]
    fn a_threat_to_win_is_worth_the_same_however_far_the_win_is() {
        let real = Score::heuristic(-30);
        for won in [Score::mate_in(3), Score::mate_in(9), Score::counted(2)] {
            let hope = with_extra(real, Some(won));
            assert_eq!(hope, Hope { value: Score::heuristic(290), why: Why::MateThreat });
        }
    }

    #[test]
    fn checks_with_fewer_replies_promise_more_and_threats_of_mate_lie_between() {
        let of = |replies, safe, king_moves| HOW.of_forcing(Forcing { replies, safe, king_moves });
        assert_eq!([of(5, false, false), of(5, true, false)], [100, 300]);
        assert_eq!(of(3, true, true), 319, "less than a threat of mate, whatever the sum");
        assert_eq!([of(2, true, true), of(1, true, true), of(1, false, false)], [650, 1_050, 800]);
    }

    #[test]
    fn what_is_far_from_the_root_promises_less_down_to_a_floor() {
        assert_eq!(
            [0, 1, 7, 8, 500].map(|plies| near(&HOW, 1_000, plies)),
            [1_000, 900, 300, 250, 250]
        );
    }

    #[test]
    fn every_rule_stands_at_its_place() {
        assert!(RULES.iter().enumerate().all(|(place, (why, _))| *why as usize == place));
    }

    #[test]
    fn counts_name_the_rules_that_were_used() {
        let mut counts = HopeCounts::default();
        [Why::Check, Why::Worse, Why::Worse].into_iter().for_each(|why| counts.count(why));
        let mut sum = counts;
        sum += counts;
        assert_eq!((sum.of(Why::Worse), sum.total()), (4, 6));
        assert_eq!(counts.to_string(), "worse 2, check 1");
    }
}
