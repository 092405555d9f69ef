//! The folder of a tuning: `run.toml` says what was asked for, `iterations.jsonl` has a line for
//! each finished iteration. A run goes on from its last whole line.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use super::spsa::{Proposal, Spsa};
use super::{KIND, Order};
use crate::contest::folder::lock;
use crate::run_file;

/// The file of finished iterations.
pub const ITERATIONS: &str = "iterations.jsonl";

/// A finished iteration, as a line of the file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Counted from 1.
    pub iteration: u64,
    /// Points of the first set less those of the second, in pairs.
    pub won: f64,
    /// The values after it.
    pub values: Vec<f64>,
    /// The first set; lines of old runs do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<Vec<i32>>,
    /// The second set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<Vec<i32>>,
}

/// What was tried in an iteration, and what came of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The first set.
    pub first: Vec<i32>,
    /// The second set.
    pub second: Vec<i32>,
    /// The score of the first set, less a half: from -0.5 to 0.5.
    pub lead: f64,
}

impl Order {
    /// Begins a run in a folder that is new or empty.
    pub fn begin(&self, folder: &Path) -> anyhow::Result<()> {
        run_file::begin(folder, self)
    }

    /// Writes down what is to be done, in place of what was.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        run_file::write(folder, self)
    }

    /// What a run that was begun there is to do.
    pub fn read(folder: &Path) -> anyhow::Result<Order> {
        run_file::read(folder, Order::parse)
    }

    /// The same from the text of the file.
    pub fn parse(text: &str) -> anyhow::Result<Order> {
        let order: Order = run_file::parse(text, KIND, "a tuning")?;
        if order.nodes.is_some() == order.tc.is_some() {
            bail!("a tuning has either nodes or tc");
        }
        Ok(order)
    }
}

/// What was tried, in the order of the iterations, as far as they follow one another.
pub fn trials(order: &Order, iterations: &[Iteration]) -> Vec<Trial> {
    let mut spsa = Spsa::new(order);
    let mut found = Vec::new();
    for line in iterations {
        let whole = line.iteration == spsa.done() + 1 && fits(order, line);
        if !whole {
            break;
        }
        let Proposal { first, second, .. } = spsa.propose();
        found.push(Trial {
            first: line.first.clone().unwrap_or(first),
            second: line.second.clone().unwrap_or(second),
            lead: line.won / (2 * order.pairs) as f64,
        });
        spsa.go_on_from(line.iteration, &line.values);
    }
    found
}

/// Whether the line speaks of as many values as are tuned.
fn fits(order: &Order, line: &Iteration) -> bool {
    let count = order.parameters.len();
    let as_many = |set: &Option<Vec<i32>>| set.as_ref().is_none_or(|set| set.len() == count);
    line.values.len() == count && as_many(&line.first) && as_many(&line.second)
}

/// The lines of a run that goes on; nobody else may write meanwhile.
pub struct Log {
    path: PathBuf,
    file: File,
}

impl Log {
    /// Opens the file and reads it. A torn line at the end is cut off.
    pub fn open(folder: &Path, order: &Order) -> anyhow::Result<(Log, Vec<Iteration>)> {
        let path = folder.join(ITERATIONS);
        let named = || format!("{} cannot be written", path.display());
        let file = OpenOptions::new().create(true).append(true).read(true).open(&path);
        let file = file.with_context(named)?;
        if !lock(&file) {
            bail!("{} is being written by another run", folder.display());
        }
        let (mut found, mut whole, mut reader) = (Vec::new(), 0, BufReader::new(&file));
        loop {
            let mut line = Vec::new();
            let length = reader.read_until(b'\n', &mut line).with_context(named)?;
            if !line.ends_with(b"\n") {
                break;
            }
            let number = found.len() + 1;
            let place = || format!("{}: line {number}", path.display());
            let iteration: Iteration = serde_json::from_slice(&line).with_context(place)?;
            if iteration.iteration != number as u64 {
                bail!("{} is iteration {}", place(), iteration.iteration);
            }
            if !fits(order, &iteration) {
                bail!("{} is of other parameters", place());
            }
            found.push(iteration);
            whole += length as u64;
        }
        file.set_len(whole).with_context(named)?;
        Ok((Log { path, file }, found))
    }

    /// Writes down an iteration, in one piece.
    pub fn add(&mut self, iteration: &Iteration) -> anyhow::Result<()> {
        let mut line = serde_json::to_vec(iteration)?;
        line.push(b'\n');
        let failed = || format!("{} cannot be written", self.path.display());
        self.file.write_all(&line).with_context(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::{Parameter, order_of, usual_test, usual_validation_games};
    use std::fs;

    /// As it was written before there were clocks and validations.
    const OLD_RUN: &str = "kind = \"tune\"\ngame = \"chess\"\neach = \"hash=4\"\nnodes = 3000\n\
        iterations = 5000\npairs = 4\nseed = 1\nrate = 0.05\n\n[[parameters]]\n\
        name = \"futility.base\"\nstart = 80\nmin = 0\nmax = 500\nstep = 10\n";

    fn order() -> Order {
        let parameter = |name: &str, start| Parameter {
            name: name.to_string(),
            start,
            min: 0,
            max: 200,
            step: 10,
        };
        order_of(vec![parameter("a", 20), parameter("b", 180)])
    }

    #[test]
    fn an_old_run_is_read_and_will_be_validated_as_usual() {
        let order = Order::parse(OLD_RUN).unwrap();
        assert_eq!((order.nodes, order.tc.as_deref()), (Some(3_000), None));
        assert_eq!(order.validation_games, usual_validation_games());
        assert_eq!(order.sprt, usual_test());
        let again = Order::parse(&toml::to_string(&order).unwrap()).unwrap();
        assert_eq!(again, order);
    }

    #[test]
    fn a_run_is_by_nodes_or_by_the_clock_and_not_by_both() {
        let timed = OLD_RUN.replace("nodes = 3000", "tc = \"2+0.02\"");
        assert_eq!(Order::parse(&timed).unwrap().tc.as_deref(), Some("2+0.02"));
        let refused = |text: &str| format!("{:#}", Order::parse(text).unwrap_err());
        assert!(refused(&OLD_RUN.replace("nodes = 3000\n", "")).contains("either nodes or tc"));
        let both = format!("tc = \"2+0.02\"\n{OLD_RUN}");
        assert!(refused(&both).contains("either nodes or tc"));
        assert!(refused(&OLD_RUN.replace("\"tune\"", "\"match\"")).contains("the kind 'match'"));
    }

    /// A run of this order as it would be written, each third iteration won.
    fn lines(order: &Order, count: u64) -> Vec<Iteration> {
        let mut spsa = Spsa::new(order);
        let line = |number: u64| {
            let proposal = spsa.propose();
            let won = if number.is_multiple_of(3) { 1.0 } else { -0.5 };
            spsa.learn(&proposal, won);
            Iteration {
                iteration: number,
                won,
                values: spsa.values().to_vec(),
                first: Some(proposal.first),
                second: Some(proposal.second),
            }
        };
        (1..=count).map(line).collect()
    }

    #[test]
    fn what_old_lines_do_not_say_is_proposed_again() {
        let order = order();
        let new = lines(&order, 40);
        let old = new.iter().cloned();
        let old: Vec<Iteration> =
            old.map(|line| Iteration { first: None, second: None, ..line }).collect();
        let text = serde_json::to_string(&old[0]).unwrap();
        assert!(!text.contains("first"), "{text}");
        let found = trials(&order, &old);
        assert_eq!(found.len(), 40);
        assert_eq!(found, trials(&order, &new));
        assert_eq!((found[2].lead, found[3].lead), (0.5, -0.25));
    }

    #[test]
    fn trials_end_where_lines_do_not_follow_one_another() {
        let order = order();
        let mut gap = lines(&order, 10);
        gap.remove(6);
        assert_eq!(trials(&order, &gap).len(), 6);
        let mut odd = lines(&order, 10);
        odd[3].values.pop();
        assert_eq!(trials(&order, &odd).len(), 3);
    }

    #[test]
    fn a_run_is_written_by_one_process_at_a_time_and_loses_only_a_torn_line() {
        let order = order();
        let folder = std::env::temp_dir().join(format!("secateur-log-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        order.begin(&folder).unwrap();
        let wanted = lines(&order, 3);
        let (mut log, before) = Log::open(&folder, &order).unwrap();
        assert!(before.is_empty());
        wanted.iter().for_each(|line| log.add(line).unwrap());
        let second = Log::open(&folder, &order).map(|_| ()).unwrap_err().to_string();
        assert!(second.contains("is being written by another run"), "{second}");
        drop(log);
        let path = folder.join(ITERATIONS);
        let whole = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("{whole}{{\"iteration\":4")).unwrap();
        let (_, found) = Log::open(&folder, &order).unwrap();
        // To the last bit, so that a run that was ended goes on to the same values.
        assert_eq!(found, wanted);
        assert_eq!(fs::read_to_string(&path).unwrap(), whole);
        fs::remove_dir_all(&folder).unwrap();
    }
}
