//! A position in 17 bytes: the discs of Black, those of White, and whose turn it is.

use secateur_search::{Game, Player};

use super::Othello;
use crate::packed::Packed;

impl Packed for Othello {
    const BYTES: usize = 17;

    fn pack_position(&self, bytes: &mut [u8]) {
        bytes[..8].copy_from_slice(&self.discs_of(Player::First).to_le_bytes());
        bytes[8..16].copy_from_slice(&self.discs_of(Player::Second).to_le_bytes());
        bytes[16] = self.turn() as u8;
    }

    fn unpack_position(bytes: &[u8]) -> Option<Othello> {
        let discs = |range: std::ops::Range<usize>| {
            Some(u64::from_le_bytes(bytes.get(range)?.try_into().ok()?))
        };
        let turn = match bytes.get(16)? {
            0 => Player::First,
            1 => Player::Second,
            _ => return None,
        };
        Othello::new(discs(0..8)?, discs(8..16)?, turn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::random::SplitMix;
    use secateur_search::testkit::reference::moves;

    #[test]
    fn every_position_of_random_games_comes_back_and_overlapping_discs_do_not() {
        let mut random = SplitMix::new(5);
        for _ in 0..50 {
            let mut position = Othello::START;
            while let legal @ [_, ..] = &moves(&position)[..] {
                let mut bytes = [0xff; Othello::BYTES];
                position.pack_position(&mut bytes);
                assert_eq!(Othello::unpack_position(&bytes), Some(position));
                position.play(legal[random.below(legal.len())]);
            }
        }
        assert_eq!(Othello::unpack_position(&[1; Othello::BYTES]), None);
        assert_eq!(Othello::unpack_position(&[]), None);
    }
}
