//! A game of which only the rules are known, made fit for the search.
//!
//! ```
//! use secateur_search::alphabeta::engine::Limits;
//! use secateur_search::testkit::tree::{Statics, Tree};
//! use secateur_search::{Score, plain};
//!
//! let position = Tree::parse("((3 5) (2 9) (4 4))").unwrap();
//! let answer = plain::search(&position, Statics, &Limits::depth(2));
//! assert_eq!((answer.best, answer.score), (Some(2), Score::counted(4)));
//! ```

use std::time::Instant;

use crate::alphabeta::Control;
use crate::alphabeta::engine::{Answer, Engine, Limits};
use crate::observe::Silent;
use crate::optimism::{Forcing, Hopeful, Illusion, Prospects};
use crate::solve::NoSolver;
use crate::{Ability, Evaluator, Game, Gen, Line, Outcome, Player, Score, Tactics};

/// Any game, without abilities: every move is quiet, nothing is in check, nobody can pass.
#[derive(Clone, Debug)]
pub struct Plain<G>(pub G);

/// An evaluator of the game itself, used on its [`Plain`] form.
#[derive(Clone, Copy, Debug)]
pub struct OnPlain<E>(pub E);

/// Searches one position, with one thread and nothing remembered from before. Whoever searches
/// often keeps an [`Engine`] instead.
pub fn search<G, E>(position: &G, evaluator: E, limits: &Limits<G::Move>) -> Answer<G::Move>
where
    G: Game,
    E: Evaluator<G> + Clone + 'static,
{
    let root = Plain(position.clone());
    let mut engine =
        Engine::new(root.clone(), move || (OnPlain(evaluator.clone()), NoSolver, Silent));
    let line = Line::starting_at(&root);
    engine.search(&root, &line, limits, Instant::now(), &Control::default(), &mut |_| {})
}

impl<G: Game> Game for Plain<G> {
    type Move = G::Move;
    type Mark = G::Mark;

    #[inline]
    fn turn(&self) -> Player {
        self.0.turn()
    }
    #[inline]
    fn play(&mut self, m: G::Move) {
        self.0.play(m);
    }
    #[inline]
    fn each_move(&self, sink: impl FnMut(G::Move)) {
        self.0.each_move(sink);
    }
    #[inline]
    fn count_moves(&self) -> usize {
        self.0.count_moves()
    }
    #[inline]
    fn pack(m: G::Move) -> u16 {
        G::pack(m)
    }
    #[inline]
    fn unpack(&self, bits: u16) -> Option<G::Move> {
        self.0.unpack(bits)
    }
    #[inline]
    fn key(&self) -> u64 {
        self.0.key()
    }
    #[inline]
    fn mark(&self, before: &Self, m: G::Move) -> G::Mark {
        self.0.mark(&before.0, m)
    }
    #[inline]
    fn irreversible(&self, m: G::Move) -> bool {
        self.0.irreversible(m)
    }
    #[inline]
    fn ended(&self) -> Option<Outcome> {
        self.0.ended()
    }
    #[inline]
    fn without_moves(&self) -> Outcome {
        self.0.without_moves()
    }
    #[inline]
    fn recurrence(&self, line: &Line<G::Mark>) -> Option<Outcome> {
        self.0.recurrence(line)
    }
}

impl<G: Game> Tactics for Plain<G> {
    const ABILITIES: Ability = Ability::NONE;
    /// The low bits of a packed move: moves that share them share their history.
    const PLACES: usize = 256;
    const VICTIMS: usize = 1;
    const STAGES: usize = 1;
    const CATEGORIES: usize = 1;
    const FACETS: usize = 0;

    #[inline]
    fn each(&self, which: Gen, sink: impl FnMut(G::Move)) {
        if which != Gen::Noisy {
            self.0.each_move(sink);
        }
    }
    #[inline]
    fn is_noisy(&self, _m: G::Move) -> bool {
        false
    }
    #[inline]
    fn place(&self, m: G::Move) -> usize {
        usize::from(G::pack(m)) % Self::PLACES
    }
    #[inline]
    fn victim(&self, _m: G::Move) -> usize {
        0
    }
    #[inline]
    fn gain(&self, _m: G::Move) -> i32 {
        0
    }
    #[inline]
    fn material(&self) -> i32 {
        0
    }
    #[inline]
    fn officers(&self) -> [usize; 2] {
        [0; 2]
    }
    #[inline]
    fn meets(&self, _m: G::Move, _threat: G::Move) -> bool {
        false
    }
    #[inline]
    fn in_check(&self) -> bool {
        false
    }
    #[inline]
    fn gives_check(&self, _m: G::Move) -> bool {
        false
    }
    #[inline]
    fn exchange_at_least(&self, _m: G::Move, bound: i32) -> bool {
        bound <= 0
    }
    #[inline]
    fn pass(&self) -> Option<Self> {
        None
    }
    #[inline]
    fn pass_is_bound(&self) -> bool {
        false
    }
    #[inline]
    fn move_rule_spent(&self) -> i32 {
        0
    }
    #[inline]
    fn can_recur(&self, _line: &Line<G::Mark>) -> bool {
        false
    }
    #[inline]
    fn stage(&self) -> usize {
        0
    }
    #[inline]
    fn category(&self) -> usize {
        0
    }
    #[inline]
    fn facet_key(&self, _facet: usize) -> u64 {
        0
    }
}

impl<G: Game> Hopeful for Plain<G> {
    fn forcing(&self, _m: G::Move, _after: &Self) -> Option<Forcing> {
        None
    }
    fn illusion(&self, _m: G::Move, _extra: &[G::Move], _real: &[G::Move]) -> Option<Illusion> {
        None
    }
    fn prospects(&self) -> Prospects {
        Prospects::default()
    }
    /// Nobody knows, so that there is always enough.
    fn forces(&self) -> i32 {
        i32::MAX
    }
}

impl<G: Game, E: Evaluator<G>> Evaluator<Plain<G>> for OnPlain<E> {
    #[inline]
    fn start(&mut self, root: &Plain<G>) {
        self.0.start(&root.0);
    }
    #[inline]
    fn advance(&mut self, ply: usize, before: &Plain<G>, m: G::Move, after: &Plain<G>) {
        self.0.advance(ply, &before.0, m, &after.0);
    }
    #[inline]
    fn advance_pass(&mut self, ply: usize, after: &Plain<G>) {
        self.0.advance_pass(ply, &after.0);
    }
    #[inline]
    fn evaluate(&mut self, ply: usize, position: &Plain<G>) -> Score {
        self.0.evaluate(ply, &position.0)
    }
    #[inline]
    fn identity(&self) -> u64 {
        self.0.identity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::contract::{self, Effort};
    use crate::testkit::tree::{Shape, Statics, Tree};

    #[test]
    fn a_plain_game_keeps_the_contract_of_the_game_it_holds() {
        let shape = Shape { depth: 6, branching: 4, spread: 50, endings: 9 };
        let starts: Vec<_> = (0..10).map(|seed| Plain(Tree::random(seed, shape))).collect();
        contract::rules(&starts, &Effort::default()).unwrap();
        contract::tactics(&starts, &Effort::default()).unwrap();
        contract::evaluator(&starts, &Effort::default(), || OnPlain(Statics)).unwrap();
    }
}
