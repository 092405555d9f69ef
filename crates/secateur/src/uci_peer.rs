//! A UCI engine in a process of its own, to be measured: another program, or this one again.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::options::SettingsArguments;

/// What every engine is given, where it has the option.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// Mebibytes of the transposition table.
    pub hash: usize,
    /// Search threads.
    pub threads: usize,
}

/// An engine in a process of its own, ended when dropped.
pub struct Peer {
    name: String,
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// How far a search came.
#[derive(Clone, Debug)]
pub struct Found {
    /// Nodes, by the last `info` line that has both numbers.
    pub nodes: u64,
    /// When that line was written, in milliseconds from `go` on by the engine's own clock.
    pub milliseconds: u64,
    /// The deepest iteration that was told.
    pub depth: u64,
    /// From `go` to `bestmove` by ours.
    pub elapsed: Duration,
    /// Iterations that were told, with the nodes up to then.
    iterations: Vec<(u64, u64)>,
}

/// Growth is told from this depth on: below it iterations are hardly searches.
const EARLIEST: u64 = 8;

impl Found {
    /// Thousands of nodes in a second. The last line may be older than the answer, so the number
    /// of nodes alone would say when an iteration ended.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.milliseconds.max(1) as f64
    }

    /// By how much a ply multiplies the nodes, from depth 8 to the last: the effective branching
    /// factor. `None` if it did not get far beyond that.
    pub fn growth(&self) -> Option<f64> {
        let first = self.iterations.iter().find(|(depth, _)| *depth == EARLIEST)?;
        let last = self.iterations.last()?;
        let plies = last.0.checked_sub(EARLIEST).filter(|plies| *plies > 0)?;
        Some((last.1 as f64 / first.1.max(1) as f64).powf(1.0 / plies as f64))
    }
}

impl Peer {
    /// Starts a command as typed in a shell, without quoting.
    pub fn of_command(command: &str, resources: Resources) -> anyhow::Result<Peer> {
        let mut words = command.split_whitespace();
        let program = words.next().context("an engine needs a command")?;
        Peer::start(command, Path::new(program), words, resources)
    }

    /// Starts this program for `game` with these settings.
    pub fn ourselves(
        game: &str,
        settings: &SettingsArguments,
        resources: Resources,
    ) -> anyhow::Result<Peer> {
        let mut arguments = vec!["uci", "--game", game];
        if let Some(preset) = &settings.preset {
            arguments.extend(["--preset", preset]);
        }
        for set in &settings.set {
            arguments.extend(["--set", set]);
        }
        Peer::start("secateur", &std::env::current_exe()?, arguments, resources)
    }

    fn start<'a>(
        name: &str,
        program: &Path,
        arguments: impl IntoIterator<Item = &'a str>,
        resources: Resources,
    ) -> anyhow::Result<Peer> {
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{} cannot be started", program.display()))?;
        let input = process.stdin.take().context("no input")?;
        let output = BufReader::new(process.stdout.take().context("no output")?);
        let mut peer = Peer { name: name.to_string(), process, input, output };
        peer.send("uci")?;
        let options = peer.until("uciok")?;
        for (option, value) in [("Hash", resources.hash), ("Threads", resources.threads)] {
            if options.iter().any(|line| line.starts_with(&format!("option name {option} "))) {
                peer.send(&format!("setoption name {option} value {value}"))?;
            }
        }
        Ok(peer)
    }

    /// What it was started as.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) -> anyhow::Result<()> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        match sent {
            // Not to be taken for a reader of ours that went away.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                bail!("{} has gone away", self.name)
            }
            sent => Ok(sent?),
        }
    }

    /// The lines up to and including the first that begins so.
    pub fn until(&mut self, begins: &str) -> anyhow::Result<Vec<String>> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                bail!("{} has gone away", self.name);
            }
            let done = line.starts_with(begins);
            lines.push(line.trim_end().to_string());
            if done {
                return Ok(lines);
            }
        }
    }

    /// A new game at this position, with everything learned before forgotten.
    pub fn prepare(&mut self, position: &str) -> anyhow::Result<()> {
        self.send("ucinewgame")?;
        self.send(&format!("position fen {position}"))?;
        self.send("isready")?;
        self.until("readyok")?;
        Ok(())
    }

    /// Begins a search of the prepared position.
    pub fn go(&mut self, limits: &str) -> anyhow::Result<Search<'_>> {
        let begun = Instant::now();
        self.send(&format!("go {limits}"))?;
        Ok(Search { peer: self, begun })
    }
}

/// A search that goes on.
pub struct Search<'a> {
    peer: &'a mut Peer,
    begun: Instant,
}

impl Search<'_> {
    /// Waits for its end.
    pub fn finish(self) -> anyhow::Result<Found> {
        let lines = self.peer.until("bestmove")?;
        let elapsed = self.begun.elapsed();
        let number = |line: &str, name: &str| {
            let mut words = line.split_whitespace();
            words.find(|word| *word == name)?;
            words.next()?.parse::<u64>().ok()
        };
        // Some engines end with a short line.
        let last = lines
            .iter()
            .rev()
            .find_map(|line| Some((number(line, "nodes")?, number(line, "time")?)));
        let depth = lines.iter().filter_map(|line| number(line, "depth")).max().unwrap_or(0);
        let mut iterations: Vec<(u64, u64)> = Vec::new();
        for line in &lines {
            let bound = line.contains(" lowerbound") || line.contains(" upperbound");
            let whole = line.contains(" pv ") && !bound;
            let (true, Some(depth), Some(nodes)) =
                (whole, number(line, "depth"), number(line, "nodes"))
            else {
                continue;
            };
            match iterations.last_mut() {
                Some(last) if last.0 == depth => last.1 = nodes,
                Some(last) if last.0 > depth => {}
                _ => iterations.push((depth, nodes)),
            }
        }
        let (nodes, milliseconds) =
            last.with_context(|| format!("{}: no info line has nodes and time", self.peer.name))?;
        Ok(Found { nodes, milliseconds, depth, elapsed, iterations })
    }

    /// Says `stop`; how long the answer took.
    pub fn stop(self) -> anyhow::Result<Duration> {
        let begun = Instant::now();
        self.peer.send("stop")?;
        self.peer.until("bestmove")?;
        Ok(begun.elapsed())
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        // Some engines hang on quit, so nobody waits for one.
        let _ = self.send("quit");
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
