//! Every position put to every judge and engine; each answer is a line of a file, from which a run that
//! was ended goes on.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use secateur_games::playable::Playable;

use super::Order;
use super::ask::{Role, Said, choice, values};
use crate::engine::{EngineSettings, EngineSpec, FaultKind, GivenLimits, Opponent, apply_each};
use crate::openings::{self, Opening};
use crate::progress::Progress;
use crate::suite::contestant::Contestant;
use crate::suite::crew::{self, Reports};
use crate::suite::lines::Lines;
use crate::suite::run::is_interruption;

/// The file of answers.
pub const ANSWERS: &str = "answers.jsonl";

/// Who takes part, and in which positions.
pub struct Cast<G: Playable> {
    /// Who values moves.
    pub judges: Vec<Contestant>,
    /// Who chooses.
    pub engines: Vec<Contestant>,
    /// The positions.
    pub positions: Vec<Opening<G>>,
    /// What they are, in words.
    pub origin: String,
}

/// Checks the order before anything is written. `ours` is our own program.
pub fn prepare<G: Playable>(order: &Order, ours: &Path) -> anyhow::Result<Cast<G>> {
    let mut positions = Vec::new();
    for file in &order.files {
        positions.extend(openings::read::<G>(file)?);
    }
    if order.files.is_empty() {
        positions = openings::built_in::<G>();
    }
    // Where there is one move nobody chooses.
    positions.retain(|opening| opening.record.position().count_moves() > 1);
    if positions.is_empty() {
        bail!("there is no position with a choice");
    }
    let all = positions.len();
    let positions = spread(positions, order.positions as usize);
    let what = match order.files.is_empty() {
        true => "openings that come with the program",
        false => "positions of the files",
    };
    let origin = match positions.len() == all {
        true => format!("all {all} {what}"),
        false => format!("{} of the {all} {what}, evenly spread", positions.len()),
    };
    let mut judges = Vec::new();
    for text in &order.judges {
        let asked = || format!("--judge '{text}'");
        let spec = EngineSpec::parse(text).with_context(asked)?;
        if spec.settings.limits.complete().is_err() {
            bail!("{}: give it a limit of its own, such as depth=8", asked());
        }
        judges.push(spec);
    }
    let mut engines = Vec::new();
    for text in &order.engines {
        engines.push(EngineSpec::parse(text).with_context(|| format!("--engine '{text}'"))?);
    }
    apply_each(&mut engines, &EngineSettings::parse(&order.each).context("--each")?)?;
    let nodes = (order.nodes > 0).then_some(order.nodes);
    let limits = GivenLimits { nodes, ..GivenLimits::default() };
    apply_each(&mut engines, &EngineSettings { limits, ..EngineSettings::default() })?;
    Ok(Cast {
        judges: Contestant::line_up(&judges, ours).context("--judge")?,
        engines: Contestant::line_up(&engines, ours)?,
        positions,
        origin,
    })
}

/// No more than so many, evenly spread: files and the built-in openings are sorted, and their beginning
/// is one kind of position. 0 for all.
fn spread<T>(all: Vec<T>, most: usize) -> Vec<T> {
    let count = all.len();
    if most == 0 || most >= count {
        return all;
    }
    let mut chosen = (0..most).map(|index| index * count / most).peekable();
    let numbered = all.into_iter().enumerate();
    numbered.filter(|(index, _)| chosen.next_if_eq(index).is_some()).map(|(_, one)| one).collect()
}

/// Goes on until everything is asked or `interrupt` is raised; what was said then.
pub fn conduct<G: Playable>(
    cast: &Cast<G>,
    folder: &Path,
    concurrency: usize,
    interrupt: &Arc<AtomicBool>,
) -> anyhow::Result<Vec<Said>> {
    let (mut log, mut said) = Lines::open(&folder.join(ANSWERS), Said::key)?;
    let text_of = |position: usize| {
        cast.positions.get(position).map(|opening| opening.record.position().write_position())
    };
    if let Some(odd) = said.iter().find(|line| text_of(line.position).as_ref() != Some(&line.text))
    {
        bail!("{ANSWERS}: position {} was another when the run began", odd.position + 1);
    }
    let known: HashSet<_> = said.iter().map(Said::key).collect();
    let roles = [(Role::Judge, cast.judges.len()), (Role::Engine, cast.engines.len())];
    let questions: Vec<(Role, usize, usize)> = (0..cast.positions.len())
        .flat_map(|position| {
            roles
                .into_iter()
                .flat_map(move |(role, many)| (0..many).map(move |who| (role, who, position)))
        })
        .filter(|question| !known.contains(question))
        .collect();
    let progress = Progress::new(questions.len(), "questions");
    let work = |questions: &mut dyn Iterator<Item = &(Role, usize, usize)>,
                reports: &Reports<Said>| {
        ask_all(cast, questions, reports, interrupt);
    };
    let outcome = crew::share_out(&questions, concurrency, interrupt, work, |answer: Said| {
        log.add(&answer)?;
        said.push(answer);
        progress.advance();
        Ok(())
    });
    progress.finish();
    outcome?;
    Ok(said)
}

/// One thread of it: every judge and engine is started once and kept.
fn ask_all<G: Playable>(
    cast: &Cast<G>,
    questions: &mut dyn Iterator<Item = &(Role, usize, usize)>,
    reports: &Reports<Said>,
    interrupt: &Arc<AtomicBool>,
) {
    let mut started: Vec<(Role, usize, Box<dyn Opponent>)> = Vec::new();
    for &(role, who, position) in questions {
        if interrupt.load(Ordering::Relaxed) {
            return;
        }
        let contestant = match role {
            Role::Judge => &cast.judges[who],
            Role::Engine => &cast.engines[who],
        };
        let known = started.iter().position(|(r, w, _)| (*r, *w) == (role, who));
        let place = match known {
            Some(place) => place,
            None => match contestant.start::<G>(interrupt) {
                Ok((engine, _)) => {
                    started.push((role, who, engine));
                    started.len() - 1
                }
                Err(error) => {
                    if !is_interruption(&error) {
                        let _ = reports.send(Err(error));
                    }
                    return;
                }
            },
        };
        let engine = started[place].2.as_mut();
        let record = &cast.positions[position].record;
        let answer = match role {
            Role::Judge => values(record, contestant, engine),
            Role::Engine => choice(record, contestant, engine),
        };
        let (moves, fault) = match answer {
            Ok(moves) => (moves, None),
            Err(fault) if fault.kind == FaultKind::Interrupted => return,
            Err(fault) => {
                if !fault.kind.is_survivable() {
                    started.remove(place);
                }
                (Vec::new(), Some(fault.to_string()))
            }
        };
        let text = record.position().write_position();
        if reports.send(Ok(Said { role, who, position, text, moves, fault })).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn what_is_taken_is_spread_over_all_of_it() {
        assert_eq!(spread((0..500).collect(), 4), [0, 125, 250, 375]);
        assert_eq!(spread((0..7).collect(), 3), [0, 2, 4]);
        assert_eq!(spread((0..3).collect(), 3), [0, 1, 2]);
        assert_eq!(spread((0..3).collect(), 0), [0, 1, 2]);
    }
}
