//! Probes for B\*: searches of single moves by the engine's own alpha-beta, on one thread or several.
//!
//! A probe plays a move and searches so many plies after it, with quiescence and extensions as settings
//! have them; what the mover hopes for is the same after a pass of the opponent ([`crate::optimism`]).
//!
//! What a probe says must be a fact about its position alone, since the graph joins paths. So its line
//! begins at the position, and only repetitions inside the probe are seen. Probes share the transposition
//! table, which pays because those of a position search again what those of its parent have searched:
//!
//! * All are made by the same settings, so that every entry of theirs is as sure as another asks for
//!   ([`Entry::confidence`](super::table::Entry)).
//! * A position after a pass has the other side to move and so a key of its own: what is found there is
//!   kept as what it is and never as the value of the position before the pass.
//! * A search of a game with moves behind it may have kept draws that only its own past explains. The
//!   first probe after such a search finds the table empty.
//!
//! Each move is a job of its own: threads that were started for the search take the next one that is
//! left. The tree allocates nothing; a probe allocates the line that it hands out. With one thread the
//! same probes always find the same.

mod bench;
mod pool;
mod start;

use std::cell::{Cell, RefCell};
use std::sync::atomic::Ordering::Relaxed;

use self::bench::{Bench, Job, OPEN, against};
use self::pool::Pool;
use super::clock::Clock;
use super::engine::{Limits, Report};
use super::node::Expected;
use super::root::{AspirationForm, RootMove};
use super::searcher::RootFacts;
use super::table::Bound;
use crate::bstar::odds_table::KINDS;
use crate::bstar::prober::{Deepened, Deepening, Question};
use crate::bstar::{self, Hope, Probed, Prober, Why};
use crate::observe::Observer;
use crate::optimism::{self, HopeCounts, Hopeful, Searched};
use crate::testkit::reference::moves as legal_moves;
use crate::{Depth, Evaluator, Game, Line, Score, Solver, Stopped};

/// What is spent is counted up to this, in ten-thousandths of what should be.
const MOST_SPENT: u64 = 1_000_000;

/// A window that has been widened by more than this is opened.
const WIDE: i32 = 1_000;

/// The probes of one B\* search: see [`Engine::probing`](super::engine::Engine::probing).
pub struct Probes<'a, G: Hopeful, E, S, O> {
    bench: Bench<'a, G, E, S, O>,
    /// The other threads, if there are any.
    pool: Option<&'a Pool<G>>,
    counts: HopeCounts,
    probes: u64,
    watch: Option<RefCell<&'a mut Watch<'a, G>>>,
    /// Whether who watches has said that it is enough.
    ended: Cell<bool>,
    /// Where iterative deepening of a position has come to.
    root: Option<Root<G::Move>>,
}

/// Where iterative deepening has come to.
struct Root<M> {
    key: u64,
    moves: Vec<RootMove<M>>,
    depth: Depth,
    facts: RootFacts,
}

/// What stands after an expansion.
pub(super) struct Seen<M> {
    /// What the search would play.
    pub(super) answer: bstar::Answer<M>,
    /// How full the table is, in thousandths.
    pub(super) fullness: usize,
    /// Positions found in tables of the solver so far.
    pub(super) table_hits: u64,
}

/// The same for a search on a thread of its own.
pub(super) type SentWatch<'a, G> = dyn FnMut(&Seen<<G as Game>::Move>) -> bool + Send + 'a;

/// Is told what stands after each expansion, and says whether to go on.
pub(super) type Watch<'a, G> = dyn FnMut(&Seen<<G as Game>::Move>) -> bool + 'a;

impl<'a, G: Hopeful, E: Evaluator<G>, S: Solver<G>, O: Observer> Probes<'a, G, E, S, O> {
    fn new(
        bench: Bench<'a, G, E, S, O>,
        pool: Option<&'a Pool<G>>,
        watch: Option<&'a mut Watch<'a, G>>,
    ) -> Probes<'a, G, E, S, O> {
        Probes {
            bench,
            pool,
            counts: HopeCounts::default(),
            probes: 0,
            watch: watch.map(RefCell::new),
            ended: Cell::new(false),
            root: None,
        }
    }

    /// Which rules have given hopes, and how often.
    pub fn counts(&self) -> HopeCounts {
        self.counts
    }

    /// How many searches were made.
    pub fn probes(&self) -> u64 {
        self.probes
    }

    /// Lets `work` think on the opponent's time: its probes end with [`Stopped`] once he has moved. Then the
    /// own clock runs, on which this share of the time is gone already, in ten-thousandths.
    pub(super) fn ahead<R>(&mut self, share: u32, work: impl FnOnce(&mut Self) -> R) -> R {
        let desk = self.bench.desk;
        desk.ahead.store(true, Relaxed);
        let found = work(self);
        desk.ahead.store(false, Relaxed);
        if !desk.control.is_pondering() {
            self.bench.clock = self.bench.clock.take().map(|clock| clock.after_pondering(share));
        }
        found
    }

    /// Tells who watches, and hears whether to go on.
    fn tell(&self, answer: bstar::Answer<G::Move>) -> bool {
        let Some(watch) = &self.watch else { return true };
        let shared = self.bench.desk.shared;
        let (fullness, table_hits) =
            (shared.table.fullness(), self.bench.worker.solver.table_hits());
        watch.borrow_mut()(&Seen { answer, fullness, table_hits })
    }

    /// Takes the jobs together with the other threads, if there are any.
    fn probe_jobs(&mut self, jobs: Vec<Job<G>>) -> Result<Vec<Probed<G::Move>>, Stopped> {
        let found: Vec<Probed<G::Move>> = match self.pool {
            None => jobs.iter().map(|job| self.bench.probe(job)).collect::<Result<_, _>>()?,
            Some(pool) => {
                pool.offer(jobs);
                while let Some((index, job)) = pool.take() {
                    pool.answer(index, self.bench.probe(&job));
                }
                pool.collect()?
            }
        };
        found.iter().for_each(|probed| self.count(probed.hope));
        Ok(found)
    }

    /// The root as it was left, or before its first iteration; `None` if there is no move.
    fn root_of(&mut self, position: &G, line: &Line<G::Mark>) -> Option<Root<G::Move>> {
        let key = position.key();
        if let Some(root) = self.root.take().filter(|root| root.key == key) {
            return Some(root);
        }
        let moves = legal_moves(position);
        if moves.is_empty() {
            return None;
        }
        let solver = &mut self.bench.worker.solver;
        let hits_before = solver.table_hits();
        let verdict = solver.at_root(position, line, &moves);
        let facts = RootFacts {
            value: verdict.as_ref().map(|verdict| verdict.value),
            ask_below: verdict.as_ref().is_none_or(|verdict| !verdict.settled),
            hits_before,
        };
        let known: Vec<(G::Move, Option<Score>)> = match verdict {
            Some(verdict) => verdict.moves,
            None => moves.into_iter().map(|m| (m, None)).collect(),
        };
        let moves = known.into_iter().map(|(m, known)| RootMove::new(m, known)).collect();
        Some(Root { key, moves, depth: Depth::ZERO, facts })
    }

    /// Whether the limits of the move itself are reached, and not those of a part of it.
    fn is_over(&self) -> bool {
        let desk = self.bench.desk;
        self.ended.get()
            || desk.control.is_stopped()
            || desk.nodes.is_some_and(|nodes| desk.spent() >= nodes)
            || self.bench.clock.as_ref().is_some_and(|clock| clock.is_late(desk.control))
    }

    fn count(&mut self, hope: Option<Hope>) {
        self.probes += 1;
        if let Some(hope) = hope {
            self.counts.count(hope.why);
            let searched = !matches!(hope.why, Why::Proven | Why::Check | Why::NoPass);
            self.probes += u64::from(searched);
        }
    }
}

impl<G: Hopeful, E: Evaluator<G>, S: Solver<G>, O: Observer> Prober<G> for Probes<'_, G, E, S, O> {
    fn probe_some(
        &mut self,
        position: &G,
        moves: &[G::Move],
        from_root: usize,
        depth: Depth,
        hopes: bool,
    ) -> Result<Vec<Probed<G::Move>>, Stopped> {
        let job =
            |m: &G::Move| Job { position: position.clone(), m: *m, from_root, depth, hope: hopes };
        self.probe_jobs(moves.iter().map(job).collect())
    }

    fn probe_several(
        &mut self,
        questions: &[Question<G>],
    ) -> Result<Vec<Vec<Probed<G::Move>>>, Stopped> {
        let (mut jobs, mut counts) = (Vec::new(), Vec::new());
        for Question { position, from_root, depth, hopes } in questions {
            let before = jobs.len();
            let (from_root, depth, hope) = (*from_root, *depth, *hopes);
            let job = |m| Job { position: position.clone(), m, from_root, depth, hope };
            jobs.extend(legal_moves(position).into_iter().map(job));
            counts.push(jobs.len() - before);
        }
        let mut found = self.probe_jobs(jobs)?.into_iter();
        Ok(counts.into_iter().map(|count| found.by_ref().take(count).collect()).collect())
    }

    fn hope(
        &mut self,
        position: &G,
        probed: &Probed<G::Move>,
        from_root: usize,
        depth: Depth,
    ) -> Result<Hope, Stopped> {
        let Probed { m, real, line, .. } = probed;
        let searched = Searched { m: *m, real: *real, line, from_root };
        let hope = self.bench.hope(position, searched, depth)?;
        self.count(Some(hope));
        // The move itself was probed before.
        self.probes -= 1;
        Ok(hope)
    }

    fn best(&mut self, position: &G, depth: Depth) -> Result<(Score, Vec<G::Move>), Stopped> {
        self.probes += 1;
        let mut searcher = self.bench.searcher(position, depth, 0)?;
        let how = &searcher.settings.aspiration;
        let deepest = depth.plies().max(1);
        // What was searched before need not be deepened once more, and what it was worth is where the
        // next iteration looks first.
        let known = searcher.shared.table.probe(position.key());
        let known = known.filter(|entry| entry.packed_move != 0);
        let mut middle = known.map(|entry| entry.value);
        let first = known.map_or(1, |entry| (entry.draft.plies() + 1).min(deepest));
        for plies in first..=deepest {
            let depth = Depth::new(plies);
            // A first iteration would not look at the clock.
            searcher.iteration = depth.max(Depth::new(2));
            let around =
                middle.filter(|value| how.form == AspirationForm::On && !value.is_proven());
            let around = around.filter(|_| plies >= how.depth);
            let (mut below, mut above) = (how.width, how.width);
            let (mut alpha, mut beta) =
                around.map_or(OPEN, |middle| (middle - below, middle + above));
            let found = loop {
                let found = searcher.node::<true>(position, alpha, beta, depth, 0, Expected::Cut);
                let Ok(value) = found else { break found };
                if value <= alpha && alpha > OPEN.0 {
                    below += below * how.growth / 100 + 1;
                    alpha = if below > WIDE { OPEN.0 } else { value - below };
                } else if value >= beta && beta < OPEN.1 {
                    above += above * how.growth / 100 + 1;
                    beta = if above > WIDE { OPEN.1 } else { value + above };
                } else {
                    break found;
                }
            };
            searcher.worker.publish_nodes();
            middle = Some(found?);
        }
        let value = middle.expect("there is an iteration");
        Ok((value, self.bench.worker.principal(0).to_vec()))
    }

    fn deepen(&mut self, ask: &Deepening<'_, G>) -> Option<Deepened<G::Move>> {
        let &Deepening { position, line, share, depth, first } = ask;
        self.probes += 1;
        let mut root = self.root_of(position, line)?;
        if let Some(at) = first.and_then(|m| root.moves.iter().position(|root| root.m == m)) {
            root.moves[..=at].rotate_right(1);
        }
        let desk = self.bench.desk;
        let clock = self.bench.clock.as_ref().map(|clock| clock.for_share(share));
        let is_limited = desk.nodes.is_some() || clock.as_ref().is_some_and(Clock::is_limited);
        let limits = Limits { depth: (!is_limited).then_some(depth), ..Limits::default() };
        let part = |nodes: u64| (u128::from(nodes) * u128::from(share) / 10_000) as u64;
        let left = desk.nodes.map_or(u64::MAX, |all| part(all).saturating_sub(desk.spent()));
        let (watch, ended, nodes) = (&self.watch, &self.ended, || desk.spent());
        if let Ok(mut searcher) = self.bench.searcher(position, Depth::new(1), 1)
            && left > 0
        {
            // What was played before matters only where a position may come for the third time: else
            // what is found is a fact about the position alone, as the table keeps it.
            if line.has_repeated() {
                searcher.worker.line.clone_from(line);
            }
            searcher.node_limit = searcher.worker.nodes.saturating_add(left);
            searcher.clock = clock.as_ref();
            searcher.root = root.facts;
            searcher.yields = false;
            let mut report = |found: &Report<'_, G::Move>| {
                let Some(watch) = watch.as_ref().filter(|_| found.bound == Bound::Exact) else {
                    return;
                };
                let seen = Seen {
                    answer: bstar::Answer {
                        best: found.line.first().copied(),
                        real: found.score,
                        line: found.line.to_vec(),
                        expanded: 0,
                        settled: bstar::Settled::Stopped,
                        expansions: 0,
                        nodes: nodes(),
                        depth: found.depth.plies(),
                        part: bstar::Part::Unfinished,
                    },
                    fullness: found.fullness,
                    table_hits: found.table_hits,
                };
                if !watch.borrow_mut()(&seen) {
                    ended.set(true);
                    desk.shared.stop_all();
                }
            };
            let moves = std::mem::take(&mut root.moves);
            let found = searcher.iterate(position, moves, &limits, root.depth, &mut report);
            searcher.worker.publish_nodes();
            (root.moves, root.depth) = (found.moves, found.depth);
        }
        if !self.is_over() {
            desk.shared.go_on();
        }
        let best = &root.moves[0];
        let known = best.score > -Score::INFINITE || best.known.is_some();
        let found = known.then(|| Deepened {
            line: best.line.clone(),
            real: best.shown(root.facts.value),
            depth: root.depth.plies(),
        });
        self.root = Some(root);
        found
    }

    fn spends_all(&self) -> bool {
        self.bench.desk.nodes.is_some()
            || self.bench.clock.as_ref().is_some_and(Clock::is_for_one_move)
    }

    fn others_at_least(
        &mut self,
        position: &G,
        first: G::Move,
        bound: Score,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        self.probes += 1;
        let (alpha, beta) = against(bound);
        let mut searcher = self.bench.searcher(position, depth, 0)?;
        searcher.worker.stack[0].excluded = G::pack(first);
        let value = searcher.node::<false>(position, alpha, beta, depth, 0, Expected::All);
        searcher.worker.stack[0].excluded = 0;
        searcher.worker.publish_nodes();
        value
    }

    fn at_least(
        &mut self,
        position: &G,
        m: G::Move,
        bound: Score,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        self.probes += 1;
        Ok(self.bench.real::<false>(position, m, against(bound), depth)?.0)
    }

    /// Who asks knows already that the move itself is not worth the bound. Illusions are not looked
    /// for: they are seen by comparing lines, which a closed window does not have.
    fn hope_at_least(
        &mut self,
        position: &G,
        m: G::Move,
        bound: Score,
        from_root: usize,
        depth: Depth,
    ) -> Result<Score, Stopped> {
        self.probes += 1;
        let how = &self.bench.desk.settings.optimism;
        let after = position.after(m);
        if let Some(more) = optimism::without_search(how, position, &after, m, from_root) {
            let real = self.at_least(position, m, bound - more, depth)?;
            return Ok(if real.is_proven() { real } else { real + more });
        }
        match self.bench.extra::<false>(position, m, against(bound), depth)? {
            Some((value, _)) => Ok(value),
            None => self.at_least(position, m, bound, depth),
        }
    }

    fn nodes(&self) -> u64 {
        self.bench.desk.spent()
    }

    /// The larger share of the nodes and of the soft limit of time; on the opponent's time none is gone.
    fn spent(&self) -> u32 {
        let desk = self.bench.desk;
        let nodes = desk.nodes.map_or(0, |limit| desk.spent() * 10_000 / limit.max(1));
        let time = match &self.bench.clock {
            Some(clock) => clock.share_gone(desk.control),
            None => 0,
        };
        // Who is late must see that time passes: beyond the soft limit it goes on counting.
        nodes.max(time).min(MOST_SPENT) as u32
    }

    /// What is found on the way ahead is about other positions.
    fn expanded(&self, answer: &dyn Fn() -> bstar::Answer<G::Move>) {
        let desk = self.bench.desk;
        if self.watch.is_some() && !desk.ahead.load(Relaxed) && !self.tell(answer()) {
            self.ended.set(true);
            desk.shared.stop_all();
        }
    }

    fn prepared(&self, answer: &bstar::Answer<G::Move>) {
        // Nothing that could end it is limited on the opponent's time.
        let _ = self.tell(answer.clone());
    }

    fn kind(&self, position: &G, m: G::Move) -> u8 {
        // Games with many stages share the kinds among them.
        let stages = G::STAGES.max(KINDS / 2);
        let stage = position.stage() * (KINDS / 2) / stages;
        let loud = position.is_noisy(m) || position.gives_check(m);
        (2 * stage + usize::from(loud)) as u8
    }
}
