//! The worked example of Berliner and McConnell (1996), Figures 4 to 15, as a maze and as what must
//! stand after each step.
//!
//! From the expansion of G on, the printed tables no longer back real values up to G, D, A and F;
//! here they are. The printed probability of M is 0.034 instead of 0.035, the printed hope of D in
//! Figure 7 is 16 instead of 76, and the hopes that T, U and V take over are 82, 80 and 80 instead of
//! 100. The positions expanded, their order and the decision are the paper's.

use super::maze::{Maze, Room};

/// A position after a step: its letter, what is real, what the player and the opponent hope for (none
/// if nobody asked), and the probability of the target in thousandths.
pub type Row = (char, i32, i32, Option<i32>, i32);

/// What stands after a step.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// The figure or what was done.
    pub name: &'static str,
    /// Whether it is VERIFY.
    pub verify: bool,
    /// The target.
    pub target: i32,
    /// The letters from the root to the expanded position; empty if none was.
    pub path: &'static str,
    /// The positions.
    pub rows: &'static [Row],
}

/// The positions by letter, with what probes find: real, the player's hope, the opponent's hope, and
/// the letters that follow. A hope that is never probed is 0.
const ROOMS: &[(char, i32, i32, i32, &str)] = &[
    ('-', 0, 0, 0, "ABC"),
    ('A', 20, 100, 0, "DEF"),
    ('B', 18, 40, 0, ""),
    ('C', 10, 25, 0, ""),
    ('D', 20, 0, 0, "GHI"),
    ('E', 60, 0, 40, ""),
    ('F', 80, 0, -80, "JKL"),
    ('G', 34, 76, 0, "MNP"),
    ('H', 12, 36, 0, ""),
    ('I', 16, 32, 0, ""),
    ('J', 80, 0, 0, "TUV"),
    ('K', 60, 0, 0, ""),
    ('L', 50, 0, 0, ""),
    ('M', 20, 0, 10, "QRS"),
    ('N', 30, 0, 15, ""),
    ('P', 34, 0, 20, ""),
    ('Q', 55, 0, 0, ""),
    ('R', 32, 0, 0, ""),
    ('S', 20, 0, 0, ""),
    ('T', 82, 0, 4, ""),
    ('U', 70, 0, 11, ""),
    ('V', 40, 0, 16, ""),
];

/// The example as a game. What lies behind its last positions is never looked at.
pub fn maze() -> Maze {
    let mut rooms: Vec<Room> = ROOMS
        .iter()
        .map(|&(_, real, player, opponent, ways)| Room {
            real,
            hopes: [player, opponent],
            ways: ways.chars().filter_map(room).collect(),
            ..Room::default()
        })
        .collect();
    for at in 0..rooms.len() {
        for way in rooms[at].ways.clone() {
            rooms[way].second = !rooms[at].second;
        }
    }
    for at in 0..ROOMS.len() {
        if rooms[at].ways.is_empty() {
            let behind = rooms.len();
            rooms[at].ways.push(behind);
            let (second, real) = (!rooms[at].second, rooms[at].real);
            rooms.push(Room { second, real, hopes: [real; 2], ..Room::default() });
        }
    }
    Maze::new(rooms)
}

/// The number of the room with this letter.
pub fn room(letter: char) -> Option<usize> {
    ROOMS.iter().position(|room| room.0 == letter)
}

/// The letter of a room of the example.
pub fn letter(room: usize) -> Option<char> {
    ROOMS.get(room).map(|room| room.0)
}

/// Every step.
pub const STAGES: &[Stage] = &[
    Stage {
        name: "Fig4 init",
        verify: false,
        target: 30,
        path: "",
        rows: &[('A', 20, 100, None, 875), ('B', 18, 40, None, 455), ('C', 10, 25, None, 0)],
    },
    Stage {
        name: "SELECT expand A",
        verify: false,
        target: 30,
        path: "A",
        rows: &[
            ('A', 20, 100, None, 875),
            ('B', 18, 40, None, 455),
            ('C', 10, 25, None, 0),
            ('D', 20, 100, None, 875),
            ('E', 60, 100, None, 1000),
            ('F', 80, 100, None, 1000),
        ],
    },
    Stage {
        name: "SELECT expand D",
        verify: false,
        target: 37,
        path: "AD",
        rows: &[
            ('A', 34, 76, None, 929),
            ('B', 18, 40, None, 136),
            ('C', 10, 25, None, 0),
            ('D', 34, 76, None, 929),
            ('E', 60, 100, None, 1000),
            ('F', 80, 100, None, 1000),
            ('G', 34, 76, None, 929),
            ('H', 12, 36, None, 0),
            ('I', 16, 32, None, 0),
        ],
    },
    Stage {
        name: "Fig8 VERIFY init",
        verify: true,
        target: 17,
        path: "",
        rows: &[
            ('A', 34, 76, Some(-80), 606),
            ('B', 18, 40, None, 136),
            ('C', 10, 25, None, 0),
            ('D', 34, 76, Some(0), 500),
            ('E', 60, 100, Some(40), 0),
            ('F', 80, 100, Some(-80), 606),
            ('G', 34, 76, Some(0), 500),
            ('H', 12, 36, Some(0), 1000),
            ('I', 16, 32, Some(0), 1000),
        ],
    },
    Stage {
        name: "VERIFY expand F",
        verify: true,
        target: 17,
        path: "AF",
        rows: &[
            ('A', 34, 76, Some(-80), 500),
            ('B', 18, 40, None, 136),
            ('C', 10, 25, None, 0),
            ('D', 34, 76, Some(0), 500),
            ('E', 60, 100, Some(40), 0),
            ('F', 80, 100, Some(-80), 313),
            ('G', 34, 76, Some(0), 500),
            ('H', 12, 36, Some(0), 1000),
            ('I', 16, 32, Some(0), 1000),
            ('J', 80, 100, Some(-80), 606),
            ('K', 60, 100, Some(-80), 693),
            ('L', 50, 100, Some(-80), 746),
        ],
    },
    Stage {
        name: "VERIFY expand G",
        verify: true,
        target: 17,
        path: "ADG",
        rows: &[
            ('A', 20, 76, Some(-80), 700),
            ('B', 18, 40, None, 136),
            ('C', 10, 25, None, 0),
            ('D', 20, 76, Some(10), 700),
            ('E', 60, 100, Some(40), 0),
            ('F', 80, 100, Some(-80), 313),
            ('G', 20, 76, Some(10), 700),
            ('H', 12, 36, Some(0), 1000),
            ('I', 16, 32, Some(0), 1000),
            ('J', 80, 100, Some(-80), 606),
            ('K', 60, 100, Some(-80), 693),
            ('L', 50, 100, Some(-80), 746),
            ('M', 20, 76, Some(10), 700),
            ('N', 30, 76, Some(15), 133),
            ('P', 34, 76, Some(20), 0),
        ],
    },
    Stage {
        name: "VERIFY expand M",
        verify: true,
        target: 17,
        path: "ADGM",
        rows: &[
            ('A', 30, 76, Some(-80), 313),
            ('B', 18, 40, None, 136),
            ('C', 10, 25, None, 0),
            ('D', 30, 76, Some(10), 133),
            ('E', 60, 100, Some(40), 0),
            ('F', 80, 100, Some(-80), 313),
            ('G', 30, 76, Some(10), 133),
            ('H', 12, 36, Some(0), 1000),
            ('I', 16, 32, Some(0), 1000),
            ('J', 80, 100, Some(-80), 606),
            ('K', 60, 100, Some(-80), 693),
            ('L', 50, 100, Some(-80), 746),
            ('M', 55, 76, Some(10), 35),
            ('N', 30, 76, Some(15), 133),
            ('P', 34, 76, Some(20), 0),
            ('Q', 55, 76, Some(10), 156),
            ('R', 32, 76, Some(10), 318),
            ('S', 20, 76, Some(10), 700),
        ],
    },
    Stage {
        name: "VERIFY expand J",
        verify: true,
        target: 17,
        path: "AFJ",
        rows: &[
            ('A', 30, 76, Some(4), 133),
            ('B', 18, 40, None, 136),
            ('C', 10, 25, None, 0),
            ('D', 30, 76, Some(10), 133),
            ('E', 60, 100, Some(40), 0),
            ('F', 60, 100, Some(4), 86),
            ('G', 30, 76, Some(10), 133),
            ('H', 12, 36, Some(0), 1000),
            ('I', 16, 32, Some(0), 1000),
            ('J', 40, 100, Some(4), 167),
            ('K', 60, 100, Some(-80), 693),
            ('L', 50, 100, Some(-80), 746),
            ('M', 55, 76, Some(10), 35),
            ('N', 30, 76, Some(15), 133),
            ('P', 34, 76, Some(20), 0),
            ('Q', 55, 76, Some(10), 156),
            ('R', 32, 76, Some(10), 318),
            ('S', 20, 76, Some(10), 700),
            ('T', 82, 100, Some(4), 167),
            ('U', 70, 100, Some(11), 102),
            ('V', 40, 100, Some(16), 42),
        ],
    },
];
