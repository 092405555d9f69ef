//! Points for moves, as the Strategic Test Suite gives them: `c0 "f5=10, Be5=2"`, or `c8` with
//! the points and `c9` with the moves in coordinates.

use cozy_chess::Move;
use secateur_search::ParseError;

use super::operation::Placed;
use crate::chess::{Chess, san};

/// The moves that earn points. Comments that merely stand where points could be give none, but
/// what has the form of points must be moves of this position.
pub(super) fn read(
    position: &Chess,
    operations: &[Placed],
) -> Result<Vec<(Move, u32)>, ParseError> {
    let find = |opcode: &str| operations.iter().find(|placed| placed.operation.opcode == opcode);
    if let Some(comment) = find("c0") {
        let pairs: Option<Vec<_>> = comment.words().map(|(at, word)| pair(at, word)).collect();
        if let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) {
            let read = |(at, text, points)| Ok((read_move(position, comment, at, text)?, points));
            return pairs.into_iter().map(read).collect();
        }
    }
    let (Some(points), Some(moves)) = (find("c8"), find("c9")) else { return Ok(Vec::new()) };
    let numbers: Option<Vec<u32>> = points.words().map(|(_, word)| word.parse().ok()).collect();
    let words: Vec<_> = moves.words().collect();
    let Some(numbers) = numbers else { return Ok(Vec::new()) };
    if numbers.is_empty() || words.is_empty() || !words.iter().all(|(_, w)| looks_like_a_move(w)) {
        return Ok(Vec::new());
    }
    if numbers.len() != words.len() {
        let what = format!("{} points for the {} moves of c9", numbers.len(), words.len());
        return Err(points.error(&what, None));
    }
    words
        .into_iter()
        .zip(numbers)
        .map(|((at, text), number)| Ok((read_move(position, moves, at, text)?, number)))
        .collect()
}

/// `Nf3=10` in its parts. The last `=` counts: `e8=Q=10`.
fn pair(column: Option<usize>, word: &str) -> Option<(Option<usize>, &str, u32)> {
    let (text, points) = word.rsplit_once('=')?;
    let points = points.parse().ok()?;
    looks_like_a_move(text).then_some((column, text, points))
}

/// Whether a word names a square or castles: `depth=12` is a comment, not points.
fn looks_like_a_move(word: &str) -> bool {
    let names_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
    word.starts_with("O-O")
        || word.starts_with("0-0")
        || word.as_bytes().windows(2).any(names_square)
}

fn read_move(
    position: &Chess,
    operation: &Placed,
    column: Option<usize>,
    text: &str,
) -> Result<Move, ParseError> {
    san::read(position, text).map_err(|error| operation.error(error.what(), column))
}
