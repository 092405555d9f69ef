//! From a window of scores to a window of margins.
//!
//! Every margin is even. The discs of a full board make 64, so their difference is even. With
//! squares left empty the difference has the parity of the number of these squares; they count for
//! the winner, which makes it even again; and if nobody wins it is 0.
//!
//! The score of a margin grows with it, and between the scores of neighbouring margins lie others:
//! all guesses above 0 are between a draw and a win by 2. So each end of the window moves outward to
//! the nearest score that a margin has. No margin lies on the way, so the margins inside the window
//! stay the same, and what is at or beyond an end afterwards was so before.

use secateur_search::Score;

/// The largest margin.
pub(super) const MOST: i32 = 64;

/// Just outside all margins.
const BEYOND: i32 = MOST + 2;

/// The window of margins for a window of scores. Its ends are even and differ by 2 at least.
pub(super) fn margins(alpha: Score, beta: Score) -> (i32, i32) {
    let low = at_most(alpha);
    let high = -at_most(-beta);
    (low, high.max(low + 2))
}

/// The largest margin whose score is not above this one; less than all margins if there is none.
fn at_most(score: Score) -> i32 {
    let value = score.value();
    let beyond_guesses = value.abs() - Score::FINAL.value();
    if value >= 0 {
        beyond_guesses.clamp(0, MOST) & !1
    } else {
        // Away from 0 to the next even number; any guess below 0 is above a loss by 2.
        -((beyond_guesses + 1) & !1).clamp(2, BEYOND)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_lie_between_a_draw_and_the_smallest_win() {
        let heuristic = Score::heuristic;
        assert_eq!(margins(heuristic(0), heuristic(1)), (0, 2));
        assert_eq!(margins(heuristic(130), heuristic(131)), (0, 2));
        assert_eq!(margins(heuristic(-1), heuristic(0)), (-2, 0));
        assert_eq!(margins(heuristic(-1), heuristic(1)), (-2, 2));
        assert_eq!(margins(Score::HEURISTIC_MAX, Score::counted(2)), (0, 2));
        assert_eq!(margins(Score::counted(-2), -Score::HEURISTIC_MAX), (-2, 0));
    }

    #[test]
    fn odd_margins_move_outward_and_proven_values_beyond_the_board_to_its_end() {
        assert_eq!(margins(Score::counted(3), Score::counted(5)), (2, 6));
        assert_eq!(margins(Score::counted(-3), Score::counted(-1)), (-4, 0));
        assert_eq!(margins(Score::counted(1), Score::counted(1)), (0, 2));
        assert_eq!(margins(-Score::INFINITE, Score::INFINITE), (-66, 66));
        assert_eq!(margins(Score::counted(64), Score::mate_in(3)), (64, 66));
        assert_eq!(margins(-Score::tablebase_win_in(3), Score::counted(-64)), (-66, -64));
    }

    #[test]
    fn the_ends_are_the_nearest_margins_outside() {
        let scores = [0, 1, 57, 19_999].map(Score::heuristic).into_iter();
        let scores = scores.chain((1..=70).map(Score::counted)).chain([Score::INFINITE]);
        for score in scores.flat_map(|score| [score, -score]) {
            let expected = (-32..=32)
                .map(|half| 2 * half)
                .rfind(|margin| Score::counted(*margin) <= score)
                .unwrap_or(-BEYOND);
            assert_eq!(at_most(score), expected, "{score}");
        }
    }
}
