//! Every engine on every position, several at once, whatever an engine does.
//!
//! All engines think about one position before the next is begun: a machine that grows slower
//! does so for all of them, and a run that is ended early has compared what it has.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use secateur_games::problem::ProblemFiles;

use super::ask::Question;
use super::contestant::Contestant;
use super::crew::{self, Reports};
use super::files::Suite;
use super::folder::Scoring;
use super::row::{Key, Row};
use crate::engine::{Evidence, Fault, FaultKind, Opponent};

/// What is to be run.
pub struct Run<'a, G: ProblemFiles> {
    /// The problems.
    pub suites: &'a [Suite<G>],
    /// Who is asked.
    pub contestants: &'a [Contestant],
    /// How points are given.
    pub scoring: Scoring,
    /// A search ends when its answer has been right for so many plies.
    pub stop_when_solved: Option<u32>,
    /// Positions at once.
    pub concurrency: usize,
    /// Once this is set the run ends soon.
    pub interrupt: Arc<AtomicBool>,
}

/// What happens in a run.
pub enum Event {
    /// A position is done; if the engine had a fault, with what it said before.
    Done(Box<Row>, Option<Box<Evidence>>),
    /// An engine cannot have what was asked for, and plays without it.
    Warning(String),
}

impl<G: ProblemFiles> Run<'_, G> {
    /// Asks everything that is not known already and hands each result to `each` on this thread.
    /// An error of `each`, or an engine that cannot be started, ends the run.
    pub fn run(
        &self,
        known: &HashSet<Key>,
        each: impl FnMut(Event) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let questions: Vec<Question<G>> = self.questions(known);
        let work = |questions: &mut dyn Iterator<Item = _>, reports: &Reports<Event>| {
            self.work(questions, reports);
        };
        crew::share_out(&questions, self.concurrency, &self.interrupt, work, each)
    }

    fn questions(&self, known: &HashSet<Key>) -> Vec<Question<'_, G>> {
        let mut questions = Vec::new();
        for suite in self.suites {
            for index in 0..suite.problems.len() {
                for contestant in self.contestants {
                    let key = (contestant.name.clone(), suite.name.clone(), index + 1);
                    if !known.contains(&key) {
                        let Run { scoring, stop_when_solved, .. } = *self;
                        let question =
                            Question { suite, index, contestant, scoring, stop_when_solved };
                        questions.push(question);
                    }
                }
            }
        }
        questions
    }

    fn work<'q>(
        &self,
        questions: &mut dyn Iterator<Item = &'q Question<'q, G>>,
        reports: &Reports<Event>,
    ) where
        G: 'q,
    {
        let mut engines: Vec<(&str, Box<dyn Opponent>)> = Vec::new();
        for question in questions {
            let name = question.contestant.name.as_str();
            if !engines.iter().any(|(known, _)| *known == name) {
                match question.contestant.start::<G>(&self.interrupt) {
                    Ok((engine, warnings)) => {
                        for warning in warnings {
                            let _ = reports.send(Ok(Event::Warning(warning)));
                        }
                        engines.push((name, engine));
                    }
                    Err(error) => {
                        if !is_interruption(&error) {
                            let _ = reports.send(Err(error));
                        }
                        return;
                    }
                }
            }
            let Some((_, engine)) = engines.iter_mut().find(|(known, _)| *known == name) else {
                return;
            };
            let event = match question.ask(engine.as_mut()) {
                Ok(row) => Event::Done(Box::new(row), None),
                Err(Fault { kind: FaultKind::Interrupted, .. }) => return,
                Err(fault) => {
                    if !fault.kind.is_survivable() {
                        engines.retain(|(known, _)| *known != name);
                    }
                    let row = question.failed(fault.to_string());
                    Event::Done(Box::new(row), Some(fault.evidence))
                }
            };
            if reports.send(Ok(event)).is_err() {
                return;
            }
        }
    }
}

pub(crate) fn is_interruption(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(Fault { kind: FaultKind::Interrupted, .. }))
}
