//! A position in a fixed number of bytes, for files of millions of them.

use secateur_search::Game;

/// A game whose positions can be written in a few bytes.
pub trait Packed: Game {
    /// How many.
    const BYTES: usize;

    /// Writes the position into the first [`BYTES`](Packed::BYTES) of `bytes`. Move counters that
    /// no evaluation looks at are not kept.
    fn pack_position(&self, bytes: &mut [u8]);

    /// The position written there; `None` if there is none, whatever the bytes are.
    fn unpack_position(bytes: &[u8]) -> Option<Self>;
}
