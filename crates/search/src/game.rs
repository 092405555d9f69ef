//! What a game is: its rules ([`Game`]) and the engine's view of them ([`Tactics`]).
//!
//! A game with only the rules can already be searched. The second trait adds what pruning and
//! move ordering ask for; its [`Ability`] set states which of those questions have a meaning in
//! this game, so that a technique the game cannot serve is refused at the start instead of being
//! silently inert.

use std::fmt;
use std::hash::Hash;
use std::ops::BitOr;

use crate::{Line, Score};

/// The rules of a game, as a position that can be copied and played on.
///
/// Search copies the position and plays on the copy, so there is no undo. Positions are small
/// plain values; what happened before them lives in a [`Line`] beside them.
pub trait Game: Clone + Send + Sync + 'static {
    /// A move. Drops and forced passes are moves like any other.
    type Move: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;
    /// A fact about the last move that the repetition rule needs, kept in the [`Line`]:
    /// `()` in chess, "gave check" in shogi.
    type Mark: Copy + Default + Send + Sync + 'static;

    /// Whose turn it is.
    fn turn(&self) -> Player;

    /// Plays a legal move. An illegal one may leave any position, but never breaks memory.
    fn play(&mut self, m: Self::Move);

    /// Hands every legal move to `sink`, each once, in an order that depends only on the
    /// position. A position that is over by a rule of counting (fifty moves, bare kings) still
    /// has its moves.
    fn each_move(&self, sink: impl FnMut(Self::Move));

    /// How many moves [`each_move`](Game::each_move) gives, usually without making them.
    fn count_moves(&self) -> usize;

    /// The move in 16 bits, for tables. Never 0, which stands for "no move".
    fn pack(m: Self::Move) -> u16;

    /// The move of these bits if it is legal here. Tables collide and killers come from other
    /// positions, so any bits may be asked for.
    fn unpack(&self, bits: u16) -> Option<Self::Move>;

    /// A hash of all that decides the future, except counters (the move rule) and the [`Line`].
    /// Different positions should have different keys; the bits need not be mixed.
    fn key(&self) -> u64;

    /// The fact kept in the line when `m` led from `before` to this position.
    fn mark(&self, before: &Self, m: Self::Move) -> Self::Mark;

    /// Whether no earlier position can come again once `m` is played here.
    fn irreversible(&self, m: Self::Move) -> bool;

    /// The result if the position is over by a rule that needs no move generation.
    fn ended(&self) -> Option<Outcome>;

    /// The result of a position that has no legal move; asked only then.
    fn without_moves(&self) -> Outcome;

    /// The result if this position, the last of `line`, ends the game by repetition.
    fn recurrence(&self, line: &Line<Self::Mark>) -> Option<Outcome>;

    /// The position after `m`.
    #[inline]
    fn after(&self, m: Self::Move) -> Self {
        let mut child = self.clone();
        child.play(m);
        child
    }
}

/// The engine's view of a game: what ordering and pruning ask beyond the rules.
///
/// Every method answers truthfully in every game. `in_check` is `false` in Othello because
/// nothing is ever in check there, and the [`Ability`] set says that asking is pointless.
pub trait Tactics: Game {
    /// Which of the questions below have a meaning in this game.
    const ABILITIES: Ability;
    /// History tables are indexed by [`place`](Tactics::place), which is below this.
    const PLACES: usize;
    /// [`victim`](Tactics::victim) is below this; 0 is "nothing taken".
    const VICTIMS: usize;
    /// [`stage`](Tactics::stage) is below this.
    const STAGES: usize;
    /// [`category`](Tactics::category) is below this.
    const CATEGORIES: usize;
    /// The number of [`facet_key`](Tactics::facet_key)s.
    const FACETS: usize;
    /// What is set otherwise in this game: the name of a preset, and a part of it as a TOML text.
    const TUNED: &'static [(&'static str, &'static str)] = &[];
    /// Tables of probabilistic cuts for its own evaluation, as TOML texts, each fitted to searches of
    /// another host.
    const CUTS: &'static [&'static str] = &[];
    /// What [`unrest`](Tactics::unrest) counts, by name.
    const UNREST: &'static [&'static str] = &[];
    /// A table of ranks for its own evaluation, as a TOML text; empty if none was counted.
    const RANKS: &'static str = "";
    /// A table of reductions for its own evaluation, as a TOML text; empty if none was learned.
    const REDUCTIONS: &'static str = "";
    /// A table of probabilities of B\*'s leaves for its own evaluation, as a TOML text; empty if none was
    /// fitted.
    const ODDS: &'static str = "";

    /// Hands the legal moves of one kind to `sink`. Noisy and quiet moves together are all.
    fn each(&self, which: Gen, sink: impl FnMut(Self::Move));

    /// The same, each with its [`place`](Tactics::place): a generator may know it for nothing.
    #[inline]
    fn each_placed(&self, which: Gen, mut sink: impl FnMut(Self::Move, usize)) {
        self.each(which, |m| sink(m, self.place(m)));
    }

    /// Whether the legal move `m` is among the noisy ones.
    fn is_noisy(&self, m: Self::Move) -> bool;

    /// Piece and target of a move as one number, for history tables.
    fn place(&self, m: Self::Move) -> usize;

    /// Whether the legal move `m` takes the piece whose move, the last one, had this place.
    #[inline]
    fn takes_back(&self, m: Self::Move, last: usize) -> bool {
        let _ = (m, last);
        false
    }

    /// Whether the legal move `m` brings a piece to where it can be promoted next, and none of the
    /// same kind can stop it.
    #[inline]
    fn about_to_promote(&self, m: Self::Move) -> bool {
        let _ = m;
        false
    }

    /// What kind of piece `m` takes, 0 for none.
    fn victim(&self, m: Self::Move) -> usize;

    /// Material won by `m` at once, in score units, before any reply.
    fn gain(&self, m: Self::Move) -> i32;

    /// What the side to move has on the board beyond what the other has, in score units.
    fn material(&self) -> i32;

    /// How many pieces that are neither pawns nor kings each side has, the side to move first.
    fn officers(&self) -> [usize; 2];

    /// Whether the legal move `m` meets `threat`, a move that the opponent could make if the side to
    /// move passed.
    fn meets(&self, m: Self::Move, threat: Self::Move) -> bool;

    /// Whether the side to move is in check.
    fn in_check(&self) -> bool;

    /// Whether the legal move `m` gives check.
    fn gives_check(&self, m: Self::Move) -> bool;

    /// Hands the quiet moves that give check to `sink`, each with its [`place`](Tactics::place).
    #[inline]
    fn each_quiet_check(&self, mut sink: impl FnMut(Self::Move, usize)) {
        self.each_placed(Gen::Quiet, |m, place| {
            if self.gives_check(m) {
                sink(m, place);
            }
        });
    }

    /// Whether the exchange that `m` begins on its target square wins at least `bound`, both
    /// sides taking with their least valuable piece and stopping when it pays to stop.
    fn exchange_at_least(&self, m: Self::Move, bound: i32) -> bool;

    /// The same position with the other side to move, if the rules can express that at all. This
    /// is mechanics: B*'s extra move uses it in Othello too.
    fn pass(&self) -> Option<Self>;

    /// Whether passing here is likely no better than the best move, so that the value after a
    /// pass is a bound. This is policy: null move asks it.
    fn pass_is_bound(&self) -> bool;

    /// How near the move rule is to ending the game, in 256ths; 0 where there is none.
    fn move_rule_spent(&self) -> i32;

    /// Whether a legal move is known that ends the game as a draw by recurrence at once, on the
    /// board or as [`recurrence`](Game::recurrence) counts inside a search. The search asks at
    /// every inner node, so that it sees a return one ply before it happens.
    fn can_recur(&self, line: &Line<Self::Mark>) -> bool;

    /// The stage of the game, for tables fitted by stage.
    fn stage(&self) -> usize;

    /// The category of the position, for tables fitted by kind of position.
    fn category(&self) -> usize;

    /// How much there is of something that makes values of shallow searches less to be trusted, one of
    /// [`UNREST`](Tactics::UNREST); never negative.
    #[inline]
    fn unrest(&self, which: usize) -> i32 {
        let _ = which;
        0
    }

    /// Hash of one facet of the position (its pawns, its material, ...), for corrections of the
    /// evaluation learned during the search.
    fn facet_key(&self, facet: usize) -> u64;
}

/// Which moves [`Tactics::each`] is to give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gen {
    /// Every legal move.
    All,
    /// Moves that change the balance at once: captures and queen promotions in chess.
    Noisy,
    /// The others.
    Quiet,
}

/// The two sides, in the order in which they move from the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// The side that begins: White in chess, Black in Othello.
    First,
    /// The other side.
    Second,
}

impl Player {
    /// The opponent.
    #[inline]
    pub const fn other(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

/// How a game ended, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move has lost: checkmate in chess.
    Loss,
    /// Nobody has won.
    Draw,
    /// The side to move has won.
    Win,
    /// The game is counted out, and the side to move leads by so many points.
    Margin(i16),
}

impl Outcome {
    /// The result for the other side.
    pub const fn reversed(self) -> Outcome {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
            Outcome::Margin(points) => Outcome::Margin(-points),
        }
    }

    /// The value of a game that ended like this `ply` plies below the root.
    #[inline]
    pub const fn score(self, ply: usize) -> Score {
        match self {
            Outcome::Loss => Score::mated_in(ply),
            Outcome::Draw => Score::DRAW,
            Outcome::Win => Score::mate_in(ply),
            Outcome::Margin(points) => Score::counted(points as i32),
        }
    }

    /// Who has won, if anyone, with `turn` to move at the end.
    pub const fn winner(self, turn: Player) -> Option<Player> {
        match self {
            Outcome::Draw | Outcome::Margin(0) => None,
            Outcome::Win | Outcome::Margin(1..) => Some(turn),
            Outcome::Loss | Outcome::Margin(_) => Some(turn.other()),
        }
    }
}

/// The search was told to stop. Passed up by `?`, never mistaken for a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// A set of engine questions that have a meaning in a game.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Ability(u8);

impl Ability {
    /// Only the rules.
    pub const NONE: Ability = Ability(0);
    /// [`Tactics::pass`] can give a position.
    pub const PASS: Ability = Ability(1);
    /// [`Tactics::pass_is_bound`] can be true: a free move is normally an advantage.
    pub const PASS_IS_BOUND: Ability = Ability(2);
    /// There is such a thing as check.
    pub const CHECK: Ability = Ability(4);
    /// There are exchanges on a square.
    pub const EXCHANGE: Ability = Ability(8);
    /// There are noisy moves.
    pub const NOISY: Ability = Ability(16);
    /// Pieces can be promoted by reaching a goal.
    pub const PROMOTION: Ability = Ability(32);

    /// Pieces have values, and officers and pawns are told apart.
    pub const MATERIAL: Ability = Ability(64);

    const NAMES: [&'static str; 7] =
        ["PASS", "PASS_IS_BOUND", "CHECK", "EXCHANGE", "NOISY", "PROMOTION", "MATERIAL"];

    /// Both sets together, in constants.
    pub const fn and(self, other: Ability) -> Ability {
        Ability(self.0 | other.0)
    }

    /// Whether all of `needs` are here.
    #[inline]
    pub const fn serves(self, needs: Ability) -> bool {
        self.0 & needs.0 == needs.0
    }

    /// What `needs` asks for and this set lacks.
    pub const fn lacking(self, needs: Ability) -> Ability {
        Ability(needs.0 & !self.0)
    }
}

impl BitOr for Ability {
    type Output = Ability;
    fn bitor(self, other: Ability) -> Ability {
        self.and(other)
    }
}

/// The names joined by ` | `, or `NONE`.
impl fmt::Display for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = Ability::NAMES
            .iter()
            .enumerate()
            .filter(|(bit, _)| self.0 >> bit & 1 == 1)
            .map(|(_, name)| *name);
        match names.next() {
            None => f.write_str("NONE"),
            Some(first) => {
                f.write_str(first)?;
                names.try_for_each(|name| write!(f, " | {name}"))
            }
        }
    }
}

impl fmt::Debug for Ability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abilities_name_what_is_lacking() {
        let othello = Ability::PASS;
        let null_move = Ability::PASS | Ability::PASS_IS_BOUND;
        assert!(!othello.serves(null_move));
        assert!(null_move.serves(othello));
        assert_eq!(othello.lacking(null_move).to_string(), "PASS_IS_BOUND");
        assert_eq!(null_move.to_string(), "PASS | PASS_IS_BOUND");
        assert_eq!(Ability::NONE.to_string(), "NONE");
    }

    #[test]
    fn an_outcome_names_its_winner() {
        use Player::{First, Second};
        assert_eq!(Outcome::Loss.winner(First), Some(Second));
        assert_eq!(Outcome::Win.winner(First), Some(First));
        assert_eq!(Outcome::Margin(4).winner(Second), Some(Second));
        assert_eq!(Outcome::Margin(-4).winner(Second), Some(First));
        assert_eq!(Outcome::Margin(0).winner(First), None);
        assert_eq!(Outcome::Draw.winner(First), None);
    }

    #[test]
    fn a_reversed_outcome_has_the_negated_score() {
        for outcome in [Outcome::Loss, Outcome::Draw, Outcome::Win, Outcome::Margin(-8)] {
            assert_eq!(outcome.reversed().score(3), -outcome.score(3), "{outcome:?}");
        }
    }
}
