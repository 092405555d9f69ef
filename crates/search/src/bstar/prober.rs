//! What the search asks of the game: values of moves, found by somebody else.
//!
//! B\* itself looks at no position. It knows a shallow search only as a source of two numbers a
//! move: what it is really worth and what its side can hope for (Berliner and McConnell, 1996).

use super::search::Answer;
use crate::{Depth, Game, Line, Score, Stopped};

/// What the probe of one move found. All values are for the side that makes the move, with
/// distances counted from the position in which it is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probed<M> {
    /// The move.
    pub m: M,
    /// The value of a search of the given depth after it.
    pub real: Score,
    /// What follows the move, the best reply first.
    pub line: Vec<M>,
    /// The mover's optimism, if it was asked for.
    pub hope: Option<Hope>,
}

/// What a side can hope for from a move: its value if the opponent let one reply go by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hope {
    /// Never below the real value.
    pub value: Score,
    /// Where it comes from.
    pub why: Why,
}

/// Where a [`Hope`] comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Why {
    /// Another move of the same side, discounted by what it is.
    ExtraMove,
    /// The extra move was worse than the real value, which stands.
    Worse,
    /// The extra move gives check.
    Check,
    /// The extra move mates, or threatens to.
    MateThreat,
    /// The moved piece takes and goes away.
    HitAndRun,
    /// The same piece moves twice.
    TwiceMoved,
    /// The rules know no pass here.
    NoPass,
    /// The real value is proven; nothing more can be hoped for.
    Proven,
}

/// What [`Prober::probe_all`] is asked.
#[derive(Clone, Debug)]
pub struct Question<G> {
    /// The position.
    pub position: G,
    /// Plies from the root.
    pub from_root: usize,
    /// Depth of the probes.
    pub depth: Depth,
    /// Whether the hopes of the side to move are wanted too.
    pub hopes: bool,
}

/// What [`Prober::deepen`] is asked.
pub struct Deepening<'a, G: Game> {
    /// The root.
    pub position: &'a G,
    /// The game so far, which ends there.
    pub line: &'a Line<G::Mark>,
    /// Of what this move may cost, so much may be gone in the end, in ten-thousandths.
    pub share: u32,
    /// How deep it goes where neither time nor nodes are limited.
    pub depth: Depth,
    /// A move that comes before all others: it must be searched before it can be found.
    pub first: Option<G::Move>,
}

/// What iterative deepening has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deepened<M> {
    /// The best line; never empty.
    pub line: Vec<M>,
    /// Its value for the side to move.
    pub real: Score,
    /// The deepest iteration that was finished; the line may be of the one after it.
    pub depth: i32,
}

impl<M: Copy> Deepened<M> {
    /// The move.
    pub fn m(&self) -> M {
        self.line[0]
    }
}

/// Values of moves by a search that sees no path: the positions before the probed one are not
/// given, so that a value is a fact about the position alone.
pub trait Prober<G: Game> {
    /// Probes these moves of `position`, which stands `from_root` plies below the root.
    fn probe_some(
        &mut self,
        position: &G,
        moves: &[G::Move],
        from_root: usize,
        depth: Depth,
        hopes: bool,
    ) -> Result<Vec<Probed<G::Move>>, Stopped>;

    /// Probes every legal move.
    fn probe_all(
        &mut self,
        position: &G,
        from_root: usize,
        depth: Depth,
        hopes: bool,
    ) -> Result<Vec<Probed<G::Move>>, Stopped> {
        let mut moves = Vec::new();
        position.each_move(|m| moves.push(m));
        self.probe_some(position, &moves, from_root, depth, hopes)
    }

    /// The same of several positions at once, for probers with many hands.
    fn probe_several(
        &mut self,
        questions: &[Question<G>],
    ) -> Result<Vec<Vec<Probed<G::Move>>>, Stopped> {
        questions
            .iter()
            .map(|ask| self.probe_all(&ask.position, ask.from_root, ask.depth, ask.hopes))
            .collect()
    }

    /// The mover's optimism of one move that was probed before.
    fn hope(
        &mut self,
        position: &G,
        probed: &Probed<G::Move>,
        from_root: usize,
        depth: Depth,
    ) -> Result<Hope, Stopped>;

    /// The value of the position for the side to move, and its best line.
    fn best(&mut self, position: &G, depth: Depth) -> Result<(Score, Vec<G::Move>), Stopped>;

    /// Whether `m` is worth `bound` to its mover: below it if the answer is below it. The answer
    /// is itself a bound.
    fn at_least(
        &mut self,
        position: &G,
        m: G::Move,
        bound: Score,
        depth: Depth,
    ) -> Result<Score, Stopped>;

    /// Whether any move but `first` is worth `bound`, by a search of `depth` plies from the position
    /// itself: none is if the answer is below it.
    fn others_at_least(
        &mut self,
        position: &G,
        first: G::Move,
        bound: Score,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        let mut moves = Vec::new();
        position.each_move(|m| moves.push(m));
        let mut best = -Score::INFINITE;
        for m in moves.into_iter().filter(|m| *m != first) {
            best = best.max(self.at_least(position, m, bound, depth - 1)?);
        }
        Ok(best)
    }

    /// The same as [`at_least`](Prober::at_least) of what the mover can hope for, `from_root` plies below
    /// the root.
    fn hope_at_least(
        &mut self,
        position: &G,
        m: G::Move,
        bound: Score,
        from_root: usize,
        depth: Depth,
    ) -> Result<Score, Stopped>;

    /// Searches the root deeper and deeper, and goes on where the last such search ended. What an
    /// unfinished iteration has found counts. `None` if nothing was found. A prober for which nothing
    /// is limited but expansions may go to the depth at once.
    fn deepen(&mut self, ask: &Deepening<'_, G>) -> Option<Deepened<G::Move>> {
        let (real, line) = self.best(ask.position, ask.depth).ok()?;
        (!line.is_empty()).then_some(Deepened { line, real, depth: ask.depth.plies() })
    }

    /// Whether what is not spent on this move is lost: nodes, or a time for this move alone. On a clock
    /// it is saved.
    fn spends_all(&self) -> bool {
        false
    }

    /// Nodes spent so far by all probes.
    fn nodes(&self) -> u64;

    /// The share of time or nodes for this move that is gone, in ten-thousandths, and more than all of them
    /// where a soft limit is past; 0 where only expansions are counted.
    fn spent(&self) -> u32 {
        0
    }

    /// An expansion was made; `answer` tells what the search would play now.
    fn expanded(&self, answer: &dyn Fn() -> Answer<G::Move>) {
        let _ = answer;
    }

    /// On the opponent's time something was prepared: this is what would be played if he does what is
    /// expected.
    fn prepared(&self, answer: &Answer<G::Move>) {
        let _ = answer;
    }

    /// What kind of position and move `m` is, for fitted probabilities: twice the stage of the game,
    /// one more for a check or a capture. Below [`KINDS`](super::odds_table::KINDS).
    fn kind(&self, position: &G, m: G::Move) -> u8 {
        let _ = (position, m);
        0
    }
}
