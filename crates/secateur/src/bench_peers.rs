//! Our nodes per second beside those of other UCI engines: the same positions, one thread, the
//! same table, all in turn.

use std::io::{self, BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, bail};

/// What every engine gets.
const HASH: &str = "64";

/// An engine in a process of its own, ended when dropped.
struct Peer {
    name: String,
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Peer {
    fn start(command: &str) -> anyhow::Result<Peer> {
        let mut words = command.split_whitespace();
        let program = words.next().context("an engine needs a command")?;
        let mut process = Command::new(program)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .with_context(|| format!("{program} cannot be started"))?;
        let input = process.stdin.take().context("no input")?;
        let output = BufReader::new(process.stdout.take().context("no output")?);
        let mut peer = Peer { name: command.to_string(), process, input, output };
        peer.send("uci")?;
        let options = peer.until("uciok")?;
        for (option, value) in [("Hash", HASH), ("Threads", "1")] {
            if options.iter().any(|line| line.starts_with(&format!("option name {option} "))) {
                peer.send(&format!("setoption name {option} value {value}"))?;
            }
        }
        Ok(peer)
    }

    fn send(&mut self, line: &str) -> io::Result<()> {
        writeln!(self.input, "{line}")?;
        self.input.flush()
    }

    fn until(&mut self, begins: &str) -> anyhow::Result<Vec<String>> {
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

    /// Nodes and milliseconds of a search of this position.
    fn search(&mut self, fen: &str, milliseconds: u64) -> anyhow::Result<(u64, u64)> {
        self.send("ucinewgame")?;
        self.send("isready")?;
        self.until("readyok")?;
        self.send(&format!("position fen {fen}"))?;
        self.send(&format!("go movetime {milliseconds}"))?;
        let lines = self.until("bestmove")?;
        let number = |name: &str| {
            lines.iter().rev().find_map(|line| {
                let mut words = line.split_whitespace();
                words.find(|word| *word == name)?;
                words.next()?.parse::<u64>().ok()
            })
        };
        // The last line that has both: some engines end with a short one.
        let nodes = number("nodes").context("no info line has nodes")?;
        let time = number("time").context("no info line has time")?;
        Ok((nodes, time.max(1)))
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

/// Runs ourselves and each peer on every position in turn and prints the ratios of the speeds.
pub fn run(commands: &[String], positions: &[&str], milliseconds: u64) -> anyhow::Result<()> {
    let ours = std::env::current_exe()?.display().to_string();
    let mut peers = vec![Peer::start(&ours)?];
    for command in commands {
        peers.push(Peer::start(command)?);
    }
    let mut output = io::stdout();
    let mut speeds: Vec<Vec<f64>> = vec![Vec::new(); peers.len()];
    for position in positions {
        write!(output, "knps")?;
        for (peer, speeds) in peers.iter_mut().zip(&mut speeds) {
            let (nodes, time) = peer.search(position, milliseconds)?;
            let speed = nodes as f64 / time as f64;
            speeds.push(speed);
            write!(output, " {speed:>7.0}")?;
        }
        writeln!(output, "  {position}")?;
        output.flush()?;
    }
    for (peer, theirs) in peers.iter().zip(&speeds).skip(1) {
        let mut ratios: Vec<f64> = speeds[0].iter().zip(theirs).map(|(a, b)| a / b).collect();
        ratios.sort_by(f64::total_cmp);
        let mean = |speeds: &[f64]| speeds.iter().sum::<f64>() / speeds.len() as f64;
        writeln!(
            output,
            "{:.2} times the speed of {} (median of {} positions; {:.0} knps to {:.0})",
            ratios[ratios.len() / 2],
            peer.name,
            ratios.len(),
            mean(&speeds[0]),
            mean(theirs)
        )?;
    }
    Ok(())
}
