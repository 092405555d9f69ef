//! Which men are on the board, whatever their squares and whichever side is White.

use cozy_chess::{Board, Color, Piece};

/// The men of one side but its king, and how they are written, the strongest first.
const KINDS: [(Piece, char); 5] = [
    (Piece::Queen, 'Q'),
    (Piece::Rook, 'R'),
    (Piece::Bishop, 'B'),
    (Piece::Knight, 'N'),
    (Piece::Pawn, 'P'),
];
const PAWN: usize = 4;

/// The largest tables there are.
pub const MOST_MEN: u32 = 7;

/// How many of each of [`KINDS`] one side has.
type Side = [u8; 5];

/// The men of both sides; the same for a position and its mirror image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    sides: [Side; 2],
}

impl Material {
    fn new(one: Side, other: Side) -> Material {
        // Any order will do that both colours agree on.
        Material { sides: if one >= other { [one, other] } else { [other, one] } }
    }

    /// The men on a board.
    pub fn of(board: &Board) -> Material {
        let side = |color| KINDS.map(|(kind, _)| board.colored_pieces(color, kind).len() as u8);
        Material::new(side(Color::White), side(Color::Black))
    }

    /// The men that a file is named after: `KQvKR`. `None` for anything but a table's name.
    pub fn read(name: &str) -> Option<Material> {
        let (one, other) = name.split_once('v')?;
        let material = Material::new(read_side(one)?, read_side(other)?);
        (3..=MOST_MEN).contains(&material.men()).then_some(material)
    }

    /// How many they are, kings included.
    pub fn men(self) -> u32 {
        2 + self.sides.iter().flatten().map(|&count| u32::from(count)).sum::<u32>()
    }

    /// Whether the kings are alone.
    pub fn is_bare(self) -> bool {
        self.men() == 2
    }

    /// What can be left after a capture.
    pub fn after_captures(self) -> Vec<Material> {
        let mut left = Vec::new();
        for taker in 0..2 {
            let (own, theirs) = (self.sides[taker], self.sides[1 - taker]);
            for kind in (0..KINDS.len()).filter(|&kind| theirs[kind] > 0) {
                let fewer = with(theirs, kind, -1);
                left.push(Material::new(own, fewer));
                // A pawn is never taken where pawns are promoted.
                if kind != PAWN && own[PAWN] > 0 {
                    left.extend(promoted(own).map(|own| Material::new(own, fewer)));
                }
            }
        }
        left
    }

    /// What can be there after a promotion that takes nothing.
    pub fn after_promotions(self) -> Vec<Material> {
        let mut after = Vec::new();
        for side in (0..2).filter(|&side| self.sides[side][PAWN] > 0) {
            let other = self.sides[1 - side];
            after.extend(promoted(self.sides[side]).map(|own| Material::new(own, other)));
        }
        after
    }
}

fn read_side(text: &str) -> Option<Side> {
    let mut side = Side::default();
    let mut last = 0;
    for letter in text.strip_prefix('K')?.chars() {
        let kind = KINDS.iter().position(|(_, known)| *known == letter)?;
        if kind < last || side[kind] == MOST_MEN as u8 {
            return None;
        }
        last = kind;
        side[kind] += 1;
    }
    Some(side)
}

fn with(mut side: Side, kind: usize, change: i8) -> Side {
    side[kind] = side[kind].saturating_add_signed(change);
    side
}

fn promoted(side: Side) -> impl Iterator<Item = Side> {
    (0..PAWN).map(move |kind| with(with(side, PAWN, -1), kind, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str) -> Material {
        Material::read(name).expect(name)
    }

    #[test]
    fn a_name_is_read_and_any_other_text_is_none() {
        assert_eq!(read("KQvKR").men(), 4);
        assert_eq!(read("KQvKR"), read("KRvKQ"));
        assert_ne!(read("KQRvK"), read("KQvKR"));
        for name in ["", "K", "KvK", "QvK", "KQv", "KQvQ", "KRQvK", "KQQQQQQvK", "kqvk", "KXvK"] {
            assert_eq!(Material::read(name), None, "{name}");
        }
    }

    #[test]
    fn a_board_and_its_mirror_image_have_the_same_material() {
        let board = |fen: &str| Material::of(&fen.parse().unwrap());
        assert_eq!(board("8/8/8/4k3/8/8/3PK3/7r w - - 0 1"), read("KRvKP"));
        assert_eq!(board("7R/3pk3/8/8/4K3/8/8/8 w - - 0 1"), read("KRvKP"));
    }

    #[test]
    fn captures_and_promotions_lead_to_what_can_be_left() {
        let sorted = |mut all: Vec<Material>| {
            all.sort();
            all.dedup();
            all
        };
        let names = |names: &[&str]| sorted(names.iter().map(|name| read(name)).collect());
        // The rook may be taken by the pawn as it is promoted.
        let expected = names(&["KPvK", "KRvK", "KQvK", "KBvK", "KNvK"]);
        assert_eq!(sorted(read("KPvKR").after_captures()), expected);
        assert!(read("KQvK").after_captures().iter().all(|left| left.is_bare()));
        let expected = names(&["KQvKR", "KRvKR", "KRvKB", "KRvKN"]);
        assert_eq!(sorted(read("KPvKR").after_promotions()), expected);
        assert_eq!(read("KQvKR").after_promotions(), []);
    }
}
