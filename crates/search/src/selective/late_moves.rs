//! Late-move reductions (Romstad, 2006, after Levy, 1989): the later a move comes in a good order,
//! the less deep it is searched at first; if it turns out better than expected, it is searched
//! again.
//!
//! Claims that the order is good. What is lost where it is not is mended by the next iteration.

crate::params! {
    /// Searches late moves less deep at first.
    pub struct LateMoves in "late_moves" {
        switch LateMovesForm = On {
            /// Never.
            Off = "off",
            /// By depth and number, then by what is known of the move and the node.
            On = "on",
            /// By a table of reductions, learned from moves that were searched at every one.
            Learned = "learned",
        }
        /// From this depth on.
        depth = 2, in 2..=6, step 1;
        /// Moves searched in full; one more in open windows.
        after = 2, in 1..=8, step 1;
        /// The reduction, in 1024ths of a ply.
        base = 1236, in 0..=2048, step 64;
        /// What the product of the logarithms of depth and number counts, in percent.
        scale = 48, in 10..=120, step 2;
        /// Less in open windows.
        principal = 240, in 0..=3072, step 128;
        /// Less where the table has seen a principal variation.
        was_principal = 290, in 0..=3072, step 128;
        /// More where a cut is expected.
        cut = 1700, in 0..=4096, step 128;
        /// More where the guess does not improve.
        worsening = 560, in 0..=2048, step 128;
        /// More where the table move is a noisy one.
        noisy_best = 1020, in 0..=2048, step 128;
        /// Less for killers and counter moves.
        refutation = 1024, in 0..=3072, step 128;
        /// Less for checks.
        check = 1024, in 0..=3072, step 128;
        /// What noisy moves are reduced, of what quiet ones are, in percent.
        noisy = 78, in 0..=100, step 5;
        /// A ply less for so much history.
        history = 7840, in 2000..=40000, step 500;
        /// A ply more for a move that was so much better at less depth, in hundredths.
        deeper = 50, in 0..=300, step 5;
        /// A ply less for one that was better by less than this.
        shallower = 8, in 0..=60, step 2;
        /// How many plies a table may differ from the formula.
        trust = 1, in 1..=9, step 1;
    }
}

crate::params! {
    /// Which tables of reductions are used.
    pub struct LateMovesTable in "late_moves_table" {
        switch LateMovesTableForm = Fitted {
            /// Only one that was learned with the evaluation at hand.
            Fitted = "fitted",
            /// Any for the game.
            Any = "any",
        }
    }
}

/// What is known of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveFacts {
    /// Plies of the node.
    pub depth: i32,
    /// Its number among the moves searched, from 1.
    pub number: usize,
    /// Whether the window is open.
    pub principal: bool,
    /// Whether the position once was on a principal variation.
    pub was_principal: bool,
    /// Whether the node is expected to cut.
    pub expected_cut: bool,
    /// Whether the guess is better than it was.
    pub improving: bool,
    /// Whether the table move is a noisy one.
    pub noisy_best: bool,
    /// Whether the move is.
    pub noisy: bool,
    /// Whether it is a killer or the counter move.
    pub refutation: bool,
    /// Whether it gives check.
    pub checks: bool,
    /// Its history.
    pub history: i32,
}

/// The reduction in 1024ths of a ply, before rounding; may be negative.
#[inline]
pub fn reduction(how: &LateMoves, facts: &MoveFacts) -> i32 {
    let mut less = by_order(how, facts);
    let mut add = |condition: bool, amount: i32| less += if condition { amount } else { 0 };
    add(facts.principal, -how.principal);
    add(facts.was_principal, -how.was_principal);
    add(facts.expected_cut, how.cut);
    add(facts.noisy_best && !facts.noisy, how.noisy_best);
    add(facts.refutation, -how.refutation);
    add(facts.checks, -how.check);
    less
}

/// The reduction by a table that advises `plies`, in 1024ths of a ply. The table was learned from searches that
/// reduce by the formula everywhere: far from it, where everything below is reduced otherwise too, it knows
/// nothing.
#[inline]
pub fn learned(how: &LateMoves, facts: &MoveFacts, plies: u8) -> i32 {
    let usual = if applies_at_root(how, facts) { reduction(how, facts).max(0) } else { 0 };
    let most = 1024 * how.trust;
    (1024 * i32::from(plies)).clamp((usual - most).max(0), usual + most)
}

/// The part of it that the place and the history of the move account for. What leaves moves out
/// goes by this depth: a reduced move is searched again when it surprises, one left out is not.
#[inline]
pub fn by_order(how: &LateMoves, facts: &MoveFacts) -> i32 {
    // What is not searched less deep is not left out as if it were.
    if how.form == LateMovesForm::Off {
        return 0;
    }
    let logarithms = ln(facts.depth as usize) * ln(facts.number) / 1024;
    let mut less = how.base + logarithms * how.scale / 100;
    if facts.noisy {
        less = less * how.noisy / 100;
    }
    if !facts.improving {
        less += how.worsening;
    }
    less - facts.history * 1024 / how.history
}

/// Whether a move is searched less deep at first.
#[inline]
pub fn applies(how: &LateMoves, facts: &MoveFacts) -> bool {
    match how.form {
        // The table knows which of the others are worth it.
        LateMovesForm::Learned => facts.depth >= how.depth && facts.number > 1,
        LateMovesForm::Off | LateMovesForm::On => applies_at_root(how, facts),
    }
}

/// The same at the root, where no table is asked: what it was learned from were moves below.
#[inline]
pub fn applies_at_root(how: &LateMoves, facts: &MoveFacts) -> bool {
    let first = how.after as usize + usize::from(facts.principal);
    how.form != LateMovesForm::Off && facts.depth >= how.depth && facts.number > first
}

/// How much deeper than planned a move is searched again that was `better` than alpha by so much.
#[inline]
pub fn again(how: &LateMoves, better: i32) -> i32 {
    i32::from(better > how.deeper) - i32::from(better < how.shallower)
}

/// The natural logarithm in 1024ths; whole numbers, so that it is the same everywhere.
#[inline]
pub fn ln(n: usize) -> i32 {
    LN[n.min(LN.len() - 1)]
}

static LN: [i32; 256] = {
    let mut table = [0; 256];
    let mut n = 2;
    while n < table.len() {
        table[n] = (log2(n as u64) * 710 / 1024) as i32;
        n += 1;
    }
    table
};

/// The logarithm to the base 2 in 1024ths: the whole part by counting, then bit by bit of the
/// fraction by squaring.
const fn log2(n: u64) -> u64 {
    let whole = n.ilog2() as u64;
    let mut rest = (n << 31) >> whole;
    let mut log = whole;
    let mut bit = 0;
    while bit < 10 {
        rest = (rest * rest) >> 31;
        log <<= 1;
        if rest >= 1 << 32 {
            rest >>= 1;
            log |= 1;
        }
        bit += 1;
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_right_to_three_digits() {
        for n in 1..256 {
            let exact = (n as f64).ln() * 1024.0;
            assert!((f64::from(ln(n)) - exact).abs() < 6.0, "{n}: {} {exact}", ln(n));
        }
        assert_eq!(ln(10_000), ln(255));
    }

    const PLAIN: MoveFacts = MoveFacts {
        depth: 8,
        number: 10,
        principal: false,
        was_principal: false,
        expected_cut: false,
        improving: true,
        noisy_best: false,
        noisy: false,
        refutation: false,
        checks: false,
        history: 0,
    };

    #[test]
    fn later_and_deeper_means_less_and_good_signs_take_it_back() {
        let how = LateMoves::default();
        let plain = reduction(&how, &PLAIN);
        assert!(reduction(&how, &MoveFacts { number: 20, ..PLAIN }) > plain);
        assert!(reduction(&how, &MoveFacts { depth: 16, ..PLAIN }) > plain);
        for more in [
            MoveFacts { expected_cut: true, ..PLAIN },
            MoveFacts { improving: false, ..PLAIN },
            MoveFacts { noisy_best: true, ..PLAIN },
            MoveFacts { history: -9_000, ..PLAIN },
        ] {
            assert!(reduction(&how, &more) > plain, "{more:?}");
        }
        for less in [
            MoveFacts { principal: true, ..PLAIN },
            MoveFacts { was_principal: true, ..PLAIN },
            MoveFacts { refutation: true, ..PLAIN },
            MoveFacts { checks: true, ..PLAIN },
            MoveFacts { noisy: true, ..PLAIN },
            MoveFacts { history: 9_000, ..PLAIN },
        ] {
            assert!(reduction(&how, &less) < plain, "{less:?}");
        }
    }

    #[test]
    fn the_first_moves_are_searched_in_full() {
        let how = LateMoves::default();
        assert!(!applies(&how, &MoveFacts { number: 2, ..PLAIN }));
        assert!(applies(&how, &MoveFacts { number: 3, ..PLAIN }));
        assert!(!applies(&how, &MoveFacts { number: 3, principal: true, ..PLAIN }));
    }

    #[test]
    fn the_table_is_asked_from_the_second_move_on() {
        let how = LateMoves { form: LateMovesForm::Learned, ..LateMoves::default() };
        assert!(!applies(&how, &MoveFacts { number: 1, ..PLAIN }));
        assert!(applies(&how, &MoveFacts { number: 2, ..PLAIN }));
        assert!(!applies(&how, &MoveFacts { depth: 1, ..PLAIN }));
    }

    #[test]
    fn a_table_is_trusted_so_far_from_the_formula_and_no_farther() {
        let how = LateMoves { form: LateMovesForm::Learned, trust: 2, ..LateMoves::default() };
        let usual = reduction(&how, &PLAIN);
        assert!((2 * 1024..4 * 1024).contains(&usual), "{usual}");
        assert_eq!(learned(&how, &PLAIN, 3), 3 * 1024);
        assert_eq!(learned(&how, &PLAIN, 9), usual + 2 * 1024);
        assert_eq!(learned(&how, &PLAIN, 0), usual - 2 * 1024);
        // The formula leaves the second move alone.
        let second = MoveFacts { number: 2, ..PLAIN };
        assert_eq!(learned(&how, &second, 9), 2 * 1024);
        assert_eq!(learned(&how, &second, 0), 0);
    }

    #[test]
    fn at_the_root_no_form_changes_which_moves_are_searched_in_full() {
        let by = |form, number| {
            let facts = MoveFacts { number, principal: true, ..PLAIN };
            applies_at_root(&LateMoves { form, ..LateMoves::default() }, &facts)
        };
        for number in 1..8 {
            assert_eq!(by(LateMovesForm::Learned, number), by(LateMovesForm::On, number));
            assert!(!by(LateMovesForm::Off, number));
        }
        assert!(!by(LateMovesForm::On, 3) && by(LateMovesForm::On, 4));
    }

    #[test]
    fn a_surprise_is_searched_deeper_and_a_narrow_one_less() {
        let how = LateMoves::default();
        assert_eq!(
            (again(&how, 51), again(&how, 50), again(&how, 8), again(&how, 7)),
            (1, 0, 0, -1)
        );
    }
}
