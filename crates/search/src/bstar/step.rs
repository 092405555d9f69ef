//! The changes of a graph: all of them, so that a list of steps makes the graph again.

use serde::{Deserialize, Serialize};

use super::graph::{NodeId, Rest};
use crate::Score;

/// A change. Scores are those of [`Score::to_bits`], for the side that began the game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "step")]
pub enum Step {
    /// A position was expanded.
    Expand {
        /// Which.
        node: NodeId,
        /// Its moves.
        children: Vec<Child>,
        /// The moves that were only asked against a bound.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rest: Option<RestOf>,
        /// Whether the hopes of the side to move were probed.
        hopes: bool,
    },
    /// Of the moves that were only asked against a bound some were probed.
    Widen {
        /// Which position.
        node: NodeId,
        /// Those moves.
        children: Vec<Child>,
        /// The others.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rest: Option<RestOf>,
    },
    /// The hopes of the side to move were probed, later than the values.
    Hopes {
        /// Which position.
        node: NodeId,
        /// A hope for each move.
        values: Vec<i16>,
    },
    /// A leaf was probed deeper.
    Deepen {
        /// Which.
        node: NodeId,
        /// What was found.
        real: i16,
        /// How deep.
        depth: i32,
    },
    /// A path was chosen.
    Visit {
        /// Its positions.
        path: Vec<NodeId>,
    },
    /// Something else is being tried.
    Aim {
        /// Whether the side that began the game forces.
        first: bool,
        /// The value to reach.
        target: f64,
        /// Only probabilities below this position are asked for.
        below: Option<NodeId>,
    },
    /// The game is over at a position, or not any more, for what was played before the root.
    Settle {
        /// Which.
        node: NodeId,
        /// How it ended.
        score: Option<i16>,
    },
}

/// A move and where it leads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Child {
    /// The move, packed.
    pub m: u16,
    /// The best answer that its probe found; 0 if unknown.
    pub reply: u16,
    /// The key of the position after it, written in hexadecimal.
    #[serde(with = "hexadecimal")]
    pub key: u64,
    /// How the game ended there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ending: Option<i16>,
    /// Its value, distances counted from the position after it.
    pub real: i16,
    /// What its side can hope for, if that was probed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hope: Option<i16>,
    /// Plies of the probe.
    pub depth: i32,
    /// Its kind, for fitted probabilities.
    pub kind: u8,
}

/// [`Rest`] as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RestOf {
    /// The moves, packed.
    pub moves: Vec<u16>,
    /// The bound of their values.
    pub real: i16,
    /// The bound of what can be hoped for from them.
    pub hope: Option<i16>,
}

impl From<&RestOf> for Rest {
    fn from(rest: &RestOf) -> Rest {
        Rest {
            moves: rest.moves.clone(),
            real: Score::from_bits(rest.real),
            hope: rest.hope.map(Score::from_bits),
        }
    }
}

/// Keys as texts: a number of 64 bits does not survive every reader.
pub(super) mod hexadecimal {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(in super::super) fn serialize<S: Serializer>(
        key: &u64,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{key:016x}"))
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<u64, D::Error> {
        let text = String::deserialize(deserializer)?;
        u64::from_str_radix(&text, 16).map_err(|_| D::Error::custom("a key is 16 digits, 0 to f"))
    }
}
