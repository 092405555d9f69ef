//! A judge at work: what the moves cost that were not the right ones, several positions at once.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use secateur_games::problem::{Problem, ProblemFiles};
use secateur_games::record::Record;

use super::ask::is_over;
use super::contestant::Contestant;
use super::cost::{Judged, Key, before_the_move, is_miss, worth};
use super::crew::{self, Reports};
use super::files::Suite;
use super::row::{Row, Told};
use super::run::is_interruption;
use crate::engine::{
    Evidence, Fault, FaultKind, Info, Opponent, PositionText, ScoreValue, Thought,
};

/// What is to be judged, and by whom.
pub struct Appraisal<'a, G: ProblemFiles> {
    /// The problems.
    pub suites: &'a [Suite<G>],
    /// Who judges.
    pub judge: &'a Contestant,
    /// Positions at once.
    pub concurrency: usize,
    /// Once this is set the judge ends soon.
    pub interrupt: Arc<AtomicBool>,
}

/// A position and the wrong moves that were chosen in it, each once whoever chose it.
pub struct Case<'a, G: ProblemFiles> {
    suite: &'a Suite<G>,
    index: usize,
    moves: Vec<(String, G::Move)>,
}

/// A line of `judged.jsonl`; if the judge had a fault, with what it said before.
pub type Report = (Box<Judged>, Option<Box<Evidence>>);

impl<'a, G: ProblemFiles> Case<'a, G> {
    fn problem(&self) -> &'a Problem<G> {
        &self.suite.problems[self.index]
    }

    /// How many moves are to be judged.
    pub fn misses(&self) -> usize {
        self.moves.len()
    }
}

impl<'a, G: ProblemFiles> Appraisal<'a, G> {
    /// Whether this judge has said it, and not another or an older program.
    pub fn is_by_this_judge(&self, judged: &Judged) -> bool {
        (&judged.judge, &judged.hash) == (&self.judge.spec.text, &self.judge.hash)
    }

    /// What is left to be judged of these rows, which lie in the order of the suites.
    pub fn cases(&self, rows: &[Row], known: &HashSet<Key>) -> Vec<Case<'a, G>> {
        let mut cases: Vec<Case<G>> = Vec::new();
        for row in rows.iter().filter(|row| is_miss(row)) {
            let Some(suite) = self.suites.iter().find(|suite| suite.name == row.suite) else {
                continue;
            };
            let index = row.number - 1;
            let same = |case: &Case<G>| case.suite.name == suite.name && case.index == index;
            if !cases.last().is_some_and(same) {
                cases.push(Case { suite, index, moves: Vec::new() });
            }
            let Some(case) = cases.last_mut() else { continue };
            let asked = case.moves.iter().any(|(text, _)| *text == row.chosen)
                || known.contains(&self.unjudged(case, &row.chosen).key());
            // A text that is no move can only come from a file that somebody changed.
            if let (false, Ok(m)) = (asked, case.problem().position.read_move(&row.chosen)) {
                case.moves.push((row.chosen.clone(), m));
            }
        }
        cases.retain(|case| !case.moves.is_empty());
        cases
    }

    /// Has all of them judged and hands each result to `each` on this thread. An error of `each`, or
    /// a judge that cannot be started, ends it.
    pub fn run(
        &self,
        cases: &[Case<'_, G>],
        each: impl FnMut(Report) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let work = |cases: &mut dyn Iterator<Item = _>, reports: &Reports<Report>| {
            self.work(cases, reports);
        };
        crew::share_out(cases, self.concurrency, &self.interrupt, work, each)
    }

    fn work<'c>(&self, cases: &mut dyn Iterator<Item = &'c Case<'c, G>>, reports: &Reports<Report>)
    where
        G: 'c,
    {
        let mut judge: Option<Box<dyn Opponent>> = None;
        for case in cases {
            let mut best = None;
            for (text, m) in &case.moves {
                if self.interrupt.load(Ordering::Relaxed) {
                    return;
                }
                let engine = match &mut judge {
                    Some(engine) => engine,
                    none => match self.judge.start::<G>(&self.interrupt) {
                        Ok((engine, _)) => none.insert(engine),
                        Err(error) => {
                            if !is_interruption(&error) {
                                let _ = reports.send(Err(error));
                            }
                            return;
                        }
                    },
                };
                let unjudged = self.unjudged(case, text);
                let report = match self.judge(case, *m, &mut best, engine.as_mut()) {
                    Ok(values) => (Box::new(values.of(unjudged)), None),
                    Err(Fault { kind: FaultKind::Interrupted, .. }) => return,
                    Err(fault) => {
                        if !fault.kind.is_survivable() {
                            judge = None;
                        }
                        let judged = Judged { fault: Some(fault.to_string()), ..unjudged };
                        (Box::new(judged), Some(fault.evidence))
                    }
                };
                if reports.send(Ok(report)).is_err() {
                    return;
                }
            }
        }
    }

    fn unjudged(&self, case: &Case<'_, G>, chosen: &str) -> Judged {
        Judged {
            judge: self.judge.spec.text.clone(),
            hash: self.judge.hash.clone(),
            suite: case.suite.name.clone(),
            number: case.index + 1,
            id: case.suite.id(case.index),
            chosen: chosen.to_string(),
            best_move: None,
            best: None,
            value: None,
            cost: None,
            fault: None,
        }
    }

    /// The values of the position, unless they are known from another move in it, and of the move.
    fn judge(
        &self,
        case: &Case<'_, G>,
        m: G::Move,
        best: &mut Option<(String, ScoreValue)>,
        engine: &mut dyn Opponent,
    ) -> Result<Values, Fault> {
        let Problem { position, chess960, .. } = case.problem();
        let mut text = PositionText { start: Some(position.write_position()), moves: Vec::new() };
        let (best_move, best) = match best {
            Some(known) => known.clone(),
            none => {
                let (thought, value) = self.think(engine, &text, *chess960)?;
                // A move that the rules do not allow is a fault of the judge, like any engine's.
                let name = match position.read_move(&thought.best_move) {
                    Ok(m) => position.describe_move(m),
                    Err(_) => return Err(engine.blame(FaultKind::IllegalMove(thought.best_move))),
                };
                none.insert((name, value)).clone()
            }
        };
        let mut game = Record::starting_at(position.clone());
        game.play(m);
        let after = match game.ending() {
            // No engine need be asked, and most would not answer.
            Some(ending) => ScoreValue::of(ending.outcome.score(0)),
            None => {
                text.moves.push(position.write_move(m));
                self.think(engine, &text, *chess960)?.1
            }
        };
        Ok(Values { best_move, best, value: before_the_move(after) })
    }

    /// Each position by itself: what the judge thought before has no part in it, so that no move is
    /// looked at more closely than another.
    fn think(
        &self,
        engine: &mut dyn Opponent,
        position: &PositionText,
        chess960: bool,
    ) -> Result<(Thought, ScoreValue), Fault> {
        engine.new_game(chess960)?;
        let go = self.judge.go();
        let stop_late = &mut |info: &Info, _: Duration| match is_over(&go, info) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let thought = engine.think(position, &go, stop_late)?;
        match thought.score {
            Some(score) => Ok((thought, score.value)),
            None => Err(engine.blame(FaultKind::NoValue)),
        }
    }
}

/// What a judge said.
struct Values {
    best_move: String,
    best: ScoreValue,
    value: ScoreValue,
}

impl Values {
    fn of(self, unjudged: Judged) -> Judged {
        Judged {
            best_move: Some(self.best_move),
            best: Some(Told::from(self.best)),
            value: Some(Told::from(self.value)),
            cost: Some(worth(self.best) - worth(self.value)),
            ..unjudged
        }
    }
}
