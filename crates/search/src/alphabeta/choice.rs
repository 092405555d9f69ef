//! Which search decides a move: alpha-beta, or B\* where it is wanted and has what it needs.
//!
//! B\* hands a move over to alpha-beta where that is known to be better (Berliner and McConnell, 1996):
//! with little left on the board, and with too little time to compare anything. Nor does it answer
//! questions that it has no words for, as for several best lines. How often is counted.

use std::fmt;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use super::Control;
use super::clock::{ClockUse, TimeLimits};
use super::engine::{Answer, Engine, Limits, Report};
use super::prober::{Probes, Seen};
use super::table::Bound;
use crate::bstar::how::BstarSeedForm;
use crate::bstar::{self, Part};
use crate::observe::Observer;
use crate::optimism::{HopeCounts, Hopeful};
use crate::{Depth, Evaluator, Game, Line, Solver};

crate::params! {
    /// Which search decides a move.
    pub struct SearchUse in "search" {
        switch SearchForm = AlphaBeta {
            /// Alpha-beta.
            AlphaBeta = "alphabeta",
            /// B*, unless it hands over.
            Bstar = "bstar",
        }
    }
}

crate::params! {
    /// When B* hands a move over to alpha-beta.
    pub struct HandOver in "hand_over" {
        switch HandOverForm = On {
            /// Only where it cannot answer.
            Off = "off",
            /// Also where it is known to be worse.
            On = "on",
        }
        /// With no more than this to play with: in chess the weighted material of both sides, where a
        /// queen is 9, a rook 5, bishop and knight 3; in Othello empty squares.
        forces = 20, in 0..=62, step 2;
        /// With less time for the move than this, in milliseconds.
        time = 100, in 0..=10000, step 20;
        /// With fewer nodes for the move than this, in thousands.
        nodes = 100, in 0..=10000, step 20;
    }
}

/// Which search has decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decided {
    /// Alpha-beta, for nothing else was wanted.
    AlphaBeta,
    /// B\*, or at least it was at work: see [`Part::decides`].
    Bstar {
        /// Positions that it has expanded.
        expansions: u64,
        /// What it has to do with the move.
        part: Part,
    },
    /// Alpha-beta, though B\* was wanted.
    HandedOver(Reason),
}

/// Why B\* hands over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// There is little left to play with.
    Forces,
    /// There is too little time, or too few nodes.
    Short,
    /// Something is asked for that it has no answer to: several lines, some moves only, a mate.
    Question,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 3] = [Reason::Forces, Reason::Short, Reason::Question];
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Forces => "little is left",
            Reason::Short => "time is short",
            Reason::Question => "it has no answer to this",
        })
    }
}

/// Why B\* would hand this move over, if it would.
pub(super) fn reason<G: Hopeful>(
    how: &HandOver,
    clock: &ClockUse,
    position: &G,
    limits: &Limits<G::Move>,
) -> Option<Reason> {
    if limits.lines > 1 || limits.mate.is_some() || !limits.allowed.is_empty() {
        return Some(Reason::Question);
    }
    if how.form == HandOverForm::Off {
        return None;
    }
    if position.forces() <= how.forces {
        return Some(Reason::Forces);
    }
    let soft = limits.time.budget(clock).map(|budget| budget.soft.as_millis());
    let late = soft.is_some_and(|soft| soft < how.time as u128);
    let few = limits.nodes.is_some_and(|nodes| nodes < how.nodes as u64 * 1_000);
    (late || few).then_some(Reason::Short)
}

/// What B\* has thought so far in a game.
#[derive(Clone)]
pub struct Thoughts<G: Game> {
    /// The graph and the record of the last search.
    pub search: bstar::Search<G>,
    /// What came of it.
    pub answer: Option<bstar::Answer<G::Move>>,
    /// Which rules gave hopes, and how often.
    pub hopes: HopeCounts,
    /// Searches of single moves.
    pub probes: u64,
    /// Positions in the graph when thinking of this move began; 0 if there was nothing to go on with.
    pub kept: usize,
    /// Expansions made for it on the opponent's time, before he had moved.
    pub ahead: u32,
    /// The graph with other moves of the opponent than the one that was guessed, in case he plays one.
    before_guess: Option<bstar::Search<G>>,
}

/// What is to be thought about.
struct Job<'a, G: Game> {
    position: &'a G,
    line: &'a Line<G::Mark>,
    limits: &'a Limits<G::Move>,
    control: &'a Control,
    /// Whether the opponent's time is used for more than the position that is expected. Asked once: he
    /// may move at any moment.
    ahead: bool,
}

impl<'a, G: Game> Job<'a, G> {
    fn new(
        position: &'a G,
        line: &'a Line<G::Mark>,
        limits: &'a Limits<G::Move>,
        control: &'a Control,
        how: &bstar::How,
    ) -> Job<'a, G> {
        // A tree that is kept can grow in other places too. Nodes and depth are for one position.
        let ahead = control.is_pondering()
            && how.seed.form == BstarSeedForm::Off
            && limits.nodes.is_none()
            && limits.depth.is_none();
        Job { position, line, limits, control, ahead }
    }
}

/// More expansions than any time or nodes allow: these are what ends such a search.
const WITHOUT_END: u32 = 1_000_000;

/// Which search a move is for.
enum Wanted {
    AlphaBeta(Decided),
    Bstar,
}

impl<G: Hopeful, E: Evaluator<G>, S: Solver<G>, O: Observer> Engine<G, E, S, O> {
    /// Searches the position at the end of `line`. Reports come from the leading thread.
    pub fn search(
        &mut self,
        position: &G,
        line: &Line<G::Mark>,
        limits: &Limits<G::Move>,
        begun: Instant,
        control: &Control,
        report: &mut (dyn FnMut(&Report<'_, G::Move>) + Send),
    ) -> Answer<G::Move> {
        let found = match self.wanted(position, limits) {
            Wanted::AlphaBeta(decided) => Err(decided),
            Wanted::Bstar => {
                let how = self.settings.bstar();
                let job = Job::new(position, line, limits, control, &how);
                let mut thoughts = self.recall(&job, how);
                let mut watch = watching::<G, _>(limits, report);
                let think = |probes: &mut Probes<'_, G, E, S, O>| {
                    thoughts.think(probes, &job);
                    thoughts
                };
                let thoughts =
                    self.probing_watched(limits, begun, control, Some(&mut watch), think);
                drop(watch);
                self.note_history(line);
                let thoughts = thoughts.ok_or(Decided::HandedOver(Reason::Short));
                thoughts.and_then(|thoughts| self.keep(thoughts, report))
            }
        };
        found.unwrap_or_else(|decided| {
            let answer = self.search_alphabeta(position, line, limits, begun, control, report);
            Answer { decided, ..answer }
        })
    }

    /// The same on the thread of the caller and by one worker only: for many short searches, which
    /// starting threads would slow down. The caller's stack should have
    /// [`STACK_BYTES`](super::engine::STACK_BYTES).
    pub fn search_here(
        &mut self,
        position: &G,
        line: &Line<G::Mark>,
        limits: &Limits<G::Move>,
        begun: Instant,
        control: &Control,
        report: &mut dyn FnMut(&Report<'_, G::Move>),
    ) -> Answer<G::Move> {
        let found = match self.wanted(position, limits) {
            Wanted::AlphaBeta(decided) => Err(decided),
            Wanted::Bstar => {
                let how = self.settings.bstar();
                let job = Job::new(position, line, limits, control, &how);
                let mut thoughts = self.recall(&job, how);
                let mut watch = watching::<G, _>(limits, report);
                let think = |probes: &mut Probes<'_, G, E, S, O>| {
                    thoughts.think(probes, &job);
                    thoughts
                };
                let thoughts =
                    self.probing_here_watched(limits, begun, control, Some(&mut watch), think);
                drop(watch);
                self.note_history(line);
                self.keep(thoughts, report)
            }
        };
        found.unwrap_or_else(|decided| {
            let answer = self.search_alphabeta_here(position, line, limits, begun, control, report);
            Answer { decided, ..answer }
        })
    }

    /// What B\* thought in the last search; nothing if alpha-beta decided.
    pub fn thoughts(&self) -> Option<&Thoughts<G>> {
        self.thoughts.as_deref().filter(|thoughts| thoughts.answer.is_some())
    }

    fn wanted(&mut self, position: &G, limits: &Limits<G::Move>) -> Wanted {
        let settings = &self.settings;
        let wanted = match settings.search.form {
            SearchForm::AlphaBeta => Wanted::AlphaBeta(Decided::AlphaBeta),
            SearchForm::Bstar => {
                match reason(&settings.hand_over, &settings.clock, position, limits) {
                    Some(reason) => Wanted::AlphaBeta(Decided::HandedOver(reason)),
                    None if position.count_moves() == 0 => Wanted::AlphaBeta(Decided::AlphaBeta),
                    None => Wanted::Bstar,
                }
            }
        };
        if let (Wanted::AlphaBeta(_), Some(thoughts)) = (&wanted, &mut self.thoughts) {
            thoughts.answer = None;
        }
        wanted
    }

    /// What is known of a position from the searches before.
    fn recall(&mut self, job: &Job<'_, G>, how: bstar::How) -> Box<Thoughts<G>> {
        let &Job { position, line, ahead, .. } = job;
        let kept = self.thoughts.take().filter(|thoughts| *thoughts.search.how() == how);
        let search = match kept.map(|thoughts| *thoughts) {
            None => bstar::Search::new(position, line, how, self.odds_in_force()),
            Some(Thoughts { mut search, before_guess, .. }) => {
                // A guess that was wrong is taken back.
                let knows =
                    |search: &bstar::Search<G>| search.graph().find(position.key()).is_some();
                if let Some(before) = before_guess
                    && !knows(&search)
                    && knows(&before)
                {
                    search = before;
                }
                // Who thinks ahead begins where the opponent moves.
                if !ahead {
                    search.go_to(position, line);
                }
                search
            }
        };
        let hopes = HopeCounts::default();
        Box::new(Thoughts {
            search,
            answer: None,
            hopes,
            probes: 0,
            kept: 0,
            ahead: 0,
            before_guess: None,
        })
    }

    /// Iterative deepening looks at the game where a position may come for the third time.
    fn note_history(&mut self, line: &Line<G::Mark>) {
        let seeded = self.settings.bstar_seed.form == BstarSeedForm::On;
        self.history_in_table |= seeded && line.has_repeated();
    }

    /// Keeps what was thought for the next move, and reports what it came to, or that it came to nothing.
    fn keep<R: FnMut(&Report<'_, G::Move>) + ?Sized>(
        &mut self,
        thoughts: Box<Thoughts<G>>,
        report: &mut R,
    ) -> Result<Answer<G::Move>, Decided> {
        let kept = self.thoughts.insert(thoughts);
        let nothing = Decided::HandedOver(Reason::Short);
        let found = kept.answer.as_ref().filter(|answer| answer.best.is_some()).ok_or(nothing);
        let found = found.cloned().inspect_err(|_| kept.answer = None)?;
        let nodes = self.counters.iter().map(|counter| counter.load(Relaxed)).sum();
        let decided = Decided::Bstar { expansions: found.expansions.into(), part: found.part };
        let fullness = self.shared.table.fullness();
        report_of(&found, fullness, 0, report);
        Ok(Answer {
            best: found.best,
            score: found.real,
            depth: Depth::new(found.depth),
            line: found.line,
            nodes,
            decided,
        })
    }
}

impl<G: Hopeful> Thoughts<G> {
    fn think<E: Evaluator<G>, S: Solver<G>, O: Observer>(
        &mut self,
        probes: &mut Probes<'_, G, E, S, O>,
        job: &Job<'_, G>,
    ) {
        let &Job { position, line, limits, control, ahead } = job;
        if ahead {
            let saved = self.search.how().main.saved as u32;
            let search = &mut self.search;
            self.ahead = probes.ahead(saved, |probes| search.ponder(probes, position, line));
            // Whether the guess is right nobody knows yet.
            self.before_guess = control.is_pondering().then(|| self.search.clone());
            self.search.go_to(position, line);
        }
        let is_new = self.search.how().seed.form == BstarSeedForm::On
            || !self.search.graph().node(self.search.root()).is_expanded();
        self.kept = if is_new { 0 } else { self.search.graph().len() };
        let shared_out = limits.nodes.is_some() || limits.time != TimeLimits::default();
        let endless = shared_out || limits.depth.is_none();
        self.answer = Some(self.search.think(probes, endless.then_some(WITHOUT_END)));
        (self.hopes, self.probes) = (probes.counts(), probes.probes());
    }
}

/// Reports what is new after an expansion, and ends the search at the depth asked for.
fn watching<'a, G: Hopeful, R: FnMut(&Report<'_, G::Move>) + ?Sized>(
    limits: &'a Limits<G::Move>,
    report: &'a mut R,
) -> impl FnMut(&Seen<G::Move>) -> bool + use<'a, G, R> {
    let mut told = None;
    move |seen| {
        let answer = &seen.answer;
        let news = (answer.best, answer.real, answer.depth);
        if answer.best.is_some() && (told != Some(news) || answer.expansions.is_multiple_of(OFTEN))
        {
            told = Some(news);
            report_of(answer, seen.fullness, seen.table_hits, report);
        }
        limits.depth.is_none_or(|deepest| Depth::new(answer.depth) < deepest)
    }
}

fn report_of<M, R: FnMut(&Report<'_, M>) + ?Sized>(
    answer: &bstar::Answer<M>,
    fullness: usize,
    table_hits: u64,
    report: &mut R,
) {
    let depth = Depth::new(answer.depth);
    report(&Report {
        depth,
        selective_depth: answer.line.len().max(depth.plies() as usize),
        line_number: 1,
        score: answer.real,
        bound: Bound::Exact,
        line: &answer.line,
        percent: None,
        fullness,
        table_hits,
        expansions: Some(answer.expansions.into()),
    });
}

/// So many expansions without news are news.
const OFTEN: u32 = 20;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plain::Plain;
    use crate::testkit::tree::Tree;

    fn of(limits: &Limits<u16>) -> Option<Reason> {
        let position = Plain(Tree::parse("(3 5)").unwrap());
        reason(&HandOver::default(), &ClockUse::default(), &position, limits)
    }

    #[test]
    fn a_move_with_enough_of_everything_is_kept() {
        assert_eq!(of(&Limits::default()), None);
        assert_eq!(of(&Limits::move_time(2_000)), None);
        assert_eq!(of(&Limits::nodes(100_000)), None, "exactly enough");
    }

    #[test]
    fn short_limits_and_odd_questions_are_handed_over() {
        assert_eq!(of(&Limits::move_time(99)), Some(Reason::Short));
        assert_eq!(of(&Limits::nodes(99_999)), Some(Reason::Short));
        let lines = Limits { lines: 2, ..Limits::default() };
        let some = Limits { allowed: vec![0], ..Limits::default() };
        let mate = Limits { mate: Some(3), ..Limits::default() };
        assert_eq!([lines, some, mate].map(|limits| of(&limits)), [Some(Reason::Question); 3]);
    }

    #[test]
    fn off_it_hands_over_only_what_it_cannot_answer() {
        let position = Plain(Tree::parse("(3 5)").unwrap());
        let how = HandOver { form: HandOverForm::Off, ..HandOver::default() };
        let with = |limits: &Limits<u16>| reason(&how, &ClockUse::default(), &position, limits);
        assert_eq!(with(&Limits::move_time(1)), None);
        assert_eq!(with(&Limits { lines: 2, ..Limits::default() }), Some(Reason::Question));
    }
}
