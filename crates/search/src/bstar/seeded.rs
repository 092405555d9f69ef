//! A start from iterative deepening. Its move, with its depth, is what B\* has to beat: B\* examines it, and
//! plays another only after a search as deep agrees.
//!
//! | what B\* finds | what decides |
//! |---|---|
//! | VERIFY leaves the move standing | it is confirmed |
//! | another move is better by the margin, and VERIFY leaves that one standing | a closed window a ply deeper than the move was searched: the other must hold the value and the margin there |
//! | VERIFY refutes the move, or its value has fallen on the way | a closed window a ply deeper; if that agrees, iterative deepening goes on with the best of the others before it |
//!
//! What B\* does not spend goes back to iterative deepening, where it would be lost otherwise; that begins with
//! the move that B\* would play, and may change its mind once more. The graph is
//! begun anew for each move: its values must all be of one depth to be compared with the move's, and what
//! was probed before is in the prober's table.

use super::effort::Effort;
use super::modern::Bar;
use super::prober::{Deepened, Deepening, Prober, Question};
use super::search::{Part, Rival, Search, Settled};
use super::select::SelectEnd;
use super::step::Step;
use super::values::{absolute, gain};
use super::verify::Verdict;
use crate::{Depth, Game, Score, Stopped};

/// Of what the seed leaves, so much is kept for the searches that must agree, in ten-thousandths.
const KEPT: u32 = 2_000;

/// Everything.
const ALL: u32 = 10_000;

impl<G: Game> Search<G> {
    pub(super) fn run_seeded(
        &mut self,
        prober: &mut impl Prober<G>,
        total: u32,
    ) -> Result<Settled, Stopped> {
        let Some(seed) = self.deepen(prober, self.how.seed.share as u32, None) else {
            return Err(Stopped);
        };
        self.prefer(seed.clone(), Part::Unfinished);
        let gone = prober.spent();
        if gone >= ALL {
            return Err(Stopped);
        }
        let end = ALL - (ALL - gone) * KEPT / ALL;
        self.effort = Effort::new(&self.how.main, total, 0).between(gone, end);
        self.expand_root(prober, &seed)?;
        let seed = self.settled_by_the_game(seed);
        let settled = self.examine(prober, &seed)?;
        if settled != Settled::Proven && prober.spends_all() {
            self.go_on(prober, seed.m());
        }
        Ok(settled)
    }

    /// Iterative deepening with what B\* has left, from its move on. It may change its mind.
    pub(super) fn go_on(&mut self, prober: &mut impl Prober<G>, seed: G::Move) {
        let part = self.history.part.unwrap_or(Part::Confirmed);
        let kept = self.history.kept.unwrap_or(G::pack(seed));
        let first = self.position(self.root).unpack(kept).filter(|m| *m != seed);
        let Some(found) = self.deepen(prober, ALL, first) else { return };
        let m = G::pack(found.m());
        let part = match part {
            _ if m == kept => part,
            // Its doubts about the first move are dispelled.
            Part::Overruled if m == G::pack(seed) => Part::Confirmed,
            Part::Unfinished => Part::Unfinished,
            _ => Part::Superseded,
        };
        self.prefer(found, part);
    }

    /// The root, deeper and deeper, until such a share of everything is gone.
    fn deepen(
        &self,
        prober: &mut impl Prober<G>,
        share: u32,
        first: Option<G::Move>,
    ) -> Option<Deepened<G::Move>> {
        let depth = self.depth() + 1 + self.how.seed.deeper;
        let (position, line) = (self.position(self.root), &self.line);
        prober.deepen(&Deepening { position, line, share, depth, first })
    }

    /// Plays this move, unless something better is found.
    fn prefer(&mut self, seed: Deepened<G::Move>, part: Part) {
        self.history.kept = Some(G::pack(seed.m()));
        self.history.kept_real = Some(seed.real.to_bits());
        self.history.part = Some(part);
        self.seed = Some(seed);
    }

    /// Where the game so far ends it after the move, that is what the move is worth.
    fn settled_by_the_game(&mut self, mut seed: Deepened<G::Move>) -> Deepened<G::Move> {
        let m = G::pack(seed.m());
        let own = self.rivals().into_iter().find(|rival| rival.m == m);
        if let Some(score) = own.and_then(|own| self.graph.node(own.child).ending) {
            seed.real = absolute(self.player(), score).relative_to_root(1);
            self.history.kept_real = Some(seed.real.to_bits());
            self.seed = Some(seed.clone());
        }
        seed
    }

    /// The seed's move with its value; of the others, all at the same depth, only whether they come near
    /// it or are hoped to be better.
    fn expand_root(
        &mut self,
        prober: &mut impl Prober<G>,
        seed: &Deepened<G::Move>,
    ) -> Result<(), Stopped> {
        self.aim_at(self.player(), 0.0, None);
        let position = self.position(self.root).clone();
        let depth = self.depth().max(Depth::new(seed.depth - 1 - self.how.seed.less));
        let first = seed.m();
        let mut probed = prober.probe_some(&position, &[first], 0, depth, true)?;
        let real = probed[0].real;
        let margin = self.how.expand.margin;
        let bar = Bar { near: real - margin, hope: Some(real + margin) };
        let mut others = Vec::new();
        position.each_move(|m| others.push(m));
        others.retain(|m| *m != first);
        let ask = Question { position, from_root: 0, depth, hopes: true };
        let sifted = self.sift(prober, &ask, Some(first), &others, bar)?;
        let position = ask.position;
        if !sifted.passed.is_empty() {
            probed.extend(prober.probe_some(&position, &sifted.passed, 0, depth, true)?);
        }
        let children = self.children(prober, &position, &probed, depth);
        let (node, rest) = (self.root, sifted.rest);
        self.apply(Step::Expand { node, children, rest, hopes: true });
        self.remember(node, &position, &probed);
        self.record(prober, vec![node]);
        Ok(())
    }

    /// SELECT and VERIFY, until the seed's move is confirmed or another is proven better.
    fn examine(
        &mut self,
        prober: &mut impl Prober<G>,
        seed: &Deepened<G::Move>,
    ) -> Result<Settled, Stopped> {
        let (side, margin, m) = (self.player(), self.how.seed.margin, G::pack(seed.m()));
        loop {
            self.open_root(prober, true)?;
            let (best, end) = self.select(prober)?;
            if end == SelectEnd::Full {
                return Ok(Settled::Full);
            }
            let own = self.rivals().into_iter().find(|rival| rival.m == m);
            let own = own.expect("the root was expanded with it");
            let wins =
                best.values.real.is_proven() && gain(side, best.values.real, Score::DRAW) > 0;
            // What is better by less than the margin would not be played.
            let lead = gain(side, best.values.real, own.values.real);
            let rival = best.m != m && (lead >= margin.max(1) || (wins && lead > 0));
            let chosen = if rival { best } else { own };
            self.history.chose(chosen.m);
            if wins && chosen.values.real.is_proven() {
                if rival {
                    self.overrule(chosen.m);
                } else {
                    self.history.part = Some(Part::Confirmed);
                }
                return Ok(Settled::Proven);
            }
            if !rival {
                return self.examine_own(prober, &chosen, seed);
            }
            let before = self.done;
            match self.verify(prober, &chosen, None)? {
                Verdict::Refuted if self.effort.share() < 1.0 && self.done > before => {
                    self.history.refuted(chosen.m);
                }
                Verdict::Withstood if self.is_proven_better(prober, &chosen, seed)? => {
                    self.overrule(chosen.m);
                    return Ok(Settled::Withstood);
                }
                Verdict::Full => return Ok(Settled::Full),
                verdict => {
                    let own = self.rivals().into_iter().find(|rival| rival.m == m);
                    let own = own.expect("the root was expanded with it");
                    // Not that the other is good but that the move is bad may have been found.
                    let first = self.graph.node(own.child).own.real;
                    if gain(side, first, own.values.real) >= margin.max(1) {
                        return self.doubt(prober, seed);
                    }
                    if verdict == Verdict::Withstood {
                        self.history.part = Some(Part::Confirmed);
                        return Ok(Settled::Withstood);
                    }
                    // Without a verdict on the other, the seed's own move is examined.
                    self.history.chose(m);
                    return self.examine_own(prober, &own, seed);
                }
            }
        }
    }

    /// VERIFY of the seed's own move.
    fn examine_own(
        &mut self,
        prober: &mut impl Prober<G>,
        own: &Rival,
        seed: &Deepened<G::Move>,
    ) -> Result<Settled, Stopped> {
        match self.verify(prober, own, Some(self.how.seed.margin))? {
            Verdict::Full => Ok(Settled::Full),
            Verdict::Refuted => {
                self.history.refuted(own.m);
                self.doubt(prober, seed)
            }
            verdict => {
                self.history.part = Some(Part::Confirmed);
                Ok(match verdict {
                    Verdict::Withstood => Settled::Withstood,
                    Verdict::Exhausted => Settled::Exhausted,
                    _ => Settled::Effort,
                })
            }
        }
    }

    /// The graph has refuted the seed's move. A search a ply deeper than the seed's must agree; then
    /// iterative deepening goes on with the best of the others before it.
    fn doubt(
        &mut self,
        prober: &mut impl Prober<G>,
        seed: &Deepened<G::Move>,
    ) -> Result<Settled, Stopped> {
        let margin = self.how.seed.margin;
        let position = self.position(self.root).clone();
        let bound = seed.real - margin;
        let deeper = Depth::new(seed.depth.max(1));
        let found = prober.at_least(&position, seed.m(), bound, deeper)?;
        if found >= bound {
            self.history.part = Some(Part::Confirmed);
            return Ok(Settled::Withstood);
        }
        let (side, m) = (self.player(), G::pack(seed.m()));
        let others = self.rivals().into_iter().filter(|rival| rival.m != m);
        let better = |a: &Rival, b: &Rival| gain(side, a.values.real, b.values.real).cmp(&0);
        let other = others.max_by(better).map(|rival| rival.m);
        let mut first = other.and_then(|m| position.unpack(m));
        position.each_move(|m| first = first.or((m != seed.m()).then_some(m)));
        let again = self.deepen(prober, ALL, first);
        // An iteration without an end may not have come to the move again: another must be better
        // than that is at most.
        match again.filter(|again| again.m() != seed.m() && again.real > found) {
            Some(again) => self.prefer(again, Part::Overruled),
            None => self.history.part = Some(Part::Confirmed),
        }
        Ok(Settled::Effort)
    }

    /// Whether a search a ply deeper than the seed's own agrees that another move is better by the margin. As
    /// deep as that the seed's search has said no already.
    fn is_proven_better(
        &self,
        prober: &mut impl Prober<G>,
        rival: &Rival,
        seed: &Deepened<G::Move>,
    ) -> Result<bool, Stopped> {
        let position = self.position(self.root).clone();
        let Some(m) = position.unpack(rival.m) else { return Ok(false) };
        let bound = seed.real + self.how.seed.margin.max(1);
        // Where the game is over the graph knows better than any search.
        let over = |m: G::Move| {
            let child = self.graph.find(position.after(m).key());
            let score = child.and_then(|child| self.graph.node(child).ending)?;
            Some(absolute(self.player(), score).relative_to_root(1))
        };
        let depth = Depth::new(seed.depth.max(1));
        let goes_on = prober.spends_all();
        let mut worth = |m: G::Move| match over(m) {
            Some(score) => Ok(score),
            None => prober.at_least(&position, m, bound, depth),
        };
        // Iterative deepening that goes on sees whether the move itself has become better too.
        Ok(worth(m)? >= bound && (goes_on || worth(seed.m())? < bound))
    }

    fn overrule(&mut self, m: u16) {
        (self.history.kept, self.history.kept_real) = (Some(m), None);
        self.history.part = Some(Part::Overruled);
    }
}
