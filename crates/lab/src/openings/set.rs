//! Three sets of positions that never meet: one to tune on, one to develop on, and one that is
//! kept for the final claim.
//!
//! A position belongs to a set by a hash of its text, so no list has to be kept, any two runs and
//! any two books agree, and mirror images fall together.

use std::fmt;
use std::str::FromStr;

use secateur_games::playable::Playable;
use secateur_search::random::SplitMix;

/// What a position may be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Set {
    /// Fitting numbers: four tenths of all positions.
    Tune,
    /// Deciding what to keep: four tenths.
    Develop,
    /// The claim at the end, used once: two tenths.
    Final,
}

impl Set {
    /// Every set.
    pub const ALL: [Set; 3] = [Set::Tune, Set::Develop, Set::Final];

    /// The set of a position.
    pub fn of<G: Playable>(position: &G) -> Set {
        match hash(&position.canonical_text()) % 10 {
            0..4 => Set::Tune,
            4..8 => Set::Develop,
            _ => Set::Final,
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Set::Tune => "tune",
            Set::Develop => "develop",
            Set::Final => "final",
        })
    }
}

impl FromStr for Set {
    type Err = String;

    fn from_str(text: &str) -> Result<Set, String> {
        let named = |set: &Set| set.to_string() == text;
        Set::ALL.into_iter().find(named).ok_or("it is tune, develop or final".to_string())
    }
}

/// FNV-1a, and a last mix because its low bits are weak. It must never change.
pub(super) fn hash(text: &str) -> u64 {
    let fnv = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    SplitMix::new(fnv).next_u64()
}

#[cfg(all(test, feature = "chess", feature = "othello"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_games::othello::Othello;
    use secateur_search::testkit::reference::moves;
    use secateur_search::{Game, Notation};

    fn counts<G: Playable>(plies: usize) -> [usize; 3] {
        let mut level = vec![G::start()];
        for _ in 0..plies {
            level = level.iter().flat_map(|p| moves(p).into_iter().map(|m| p.after(m))).collect();
        }
        let mut texts: Vec<String> = level.iter().map(Playable::canonical_text).collect();
        level.sort_by_cached_key(Playable::canonical_text);
        level.dedup_by_key(|position| position.canonical_text());
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), level.len());
        Set::ALL.map(|set| level.iter().filter(|position| Set::of(*position) == set).count())
    }

    #[test]
    fn the_shares_are_four_four_and_two_tenths() {
        for counts in [counts::<Chess>(3), counts::<Othello>(6)] {
            let all = counts.iter().sum::<usize>() as f64;
            for (count, share) in counts.into_iter().zip([0.4, 0.4, 0.2]) {
                let error = 4.0 * (share * (1.0 - share) / all).sqrt();
                assert!((count as f64 / all - share).abs() < error, "{counts:?}");
            }
        }
    }

    #[test]
    fn a_position_stays_in_its_set_for_ever() {
        assert_eq!(hash(""), SplitMix::new(0xcbf2_9ce4_8422_2325).next_u64());
        let after = |moves: &[&str]| {
            let mut position = Chess::start();
            for text in moves {
                position.play(position.read_move(text).unwrap());
            }
            Set::of(&position)
        };
        let sets = [after(&[]), after(&["e4"]), after(&["d4"]), after(&["c4", "e5"])];
        assert_eq!(sets, [Set::Develop, Set::Tune, Set::Final, Set::Develop]);
        assert_eq!("final".parse(), Ok(Set::Final));
        assert!("test".parse::<Set>().is_err());
    }
}
