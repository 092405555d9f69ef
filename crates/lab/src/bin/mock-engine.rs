//! An engine that misbehaves on demand, for tests of whatever talks to engines.
//!
//! `mock-engine [BEHAVIOUR [NUMBER]]... [plans M,M...] [scores 'S,S...'] [moves M...]`: it knows no rules and plays the
//! script that it is given, the move whose place in it is the number of moves already played, so that
//! two of them with one script play one game; its scores (`cp 25`, `mate -2`) go by the same number.
//! Before each move it says its plans, one a ply, some time apart. Built with the feature `mock` only.

use std::io::{self, BufRead, Write};
use std::process::{Command, ExitCode, exit};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, thread};

/// What can be asked for; those with a number after them.
const PLAIN: [&str; 16] = [
    "well",
    "flood",
    "flood-forever-without-newline",
    "flood-errors",
    "dies-at-start",
    "never-uciok",
    "ignores-quit",
    "ignores-stop",
    "does-not-read-stdin",
    "prints-stderr",
    "bestmove-without-info",
    "bestmove-without-move",
    "spawns-a-child-that-survives",
    "chatters",
    "only-waits",
    "plays-othello",
];
const NUMBERED: [&str; 4] = ["crash-at-move", "hang-at-move", "illegal-move-at", "sleep"];

/// From one plan to the next.
const PLAN: Duration = Duration::from_millis(40);

/// Without a script, a game that both sides can play for long.
const SHUFFLE: [&str; 4] = ["g1f3", "g8f6", "f3g1", "f6g8"];

#[derive(Default)]
struct Mock {
    behaviours: Vec<(String, u64)>,
    script: Vec<String>,
    /// What it thinks best at each depth before it moves.
    plans: Vec<String>,
    /// What it says of the position, by the number of moves already played.
    scores: Vec<String>,
    /// Moves already played in the position.
    played: usize,
    /// Searches begun since the start, from 1.
    searches: u64,
    /// Options that were set, as a line.
    options: String,
    /// What an answer waits for.
    stop: Arc<AtomicBool>,
}

impl Mock {
    fn parse(words: impl Iterator<Item = String>) -> Result<Mock, String> {
        let mut mock = Mock::default();
        let mut words = words;
        while let Some(word) = words.next() {
            if word == "moves" {
                mock.script = words.by_ref().collect();
            } else if word == "plans" {
                let plans = words.next().ok_or("plans needs moves")?;
                mock.plans = plans.split(',').map(String::from).collect();
            } else if word == "scores" {
                let scores = words.next().ok_or("scores needs values")?;
                mock.scores = scores.split(',').map(String::from).collect();
            } else if PLAIN.contains(&word.as_str()) {
                mock.behaviours.push((word, 0));
            } else if NUMBERED.contains(&word.as_str()) {
                let number = words.next().and_then(|number| number.parse().ok());
                let number = number.ok_or(format!("{word} needs a number"))?;
                mock.behaviours.push((word, number));
            } else {
                let known = [&PLAIN[..], &NUMBERED[..]].concat().join(", ");
                return Err(format!("no behaviour is called '{word}'; there are {known}"));
            }
        }
        if mock.script.is_empty() {
            mock.script = SHUFFLE.repeat(100).into_iter().map(String::from).collect();
        }
        Ok(mock)
    }

    fn number(&self, behaviour: &str) -> Option<u64> {
        self.behaviours.iter().find(|(name, _)| name == behaviour).map(|(_, number)| *number)
    }

    fn has(&self, behaviour: &str) -> bool {
        self.number(behaviour).is_some()
    }

    fn obey(&mut self, line: &str) {
        let mut words = line.split_whitespace();
        match words.next().unwrap_or_default() {
            "uci" if !self.has("never-uciok") => {
                if self.has("plays-othello") {
                    say("option name UCI_Variant type combo default chess var chess var othello");
                }
                say("id name Mock 1.0\nid author nobody\n\
                     option name Hash type spin default 16 min 1 max 64\n\
                     option name Threads type spin default 2 min 1 max 4\n\
                     option name Style type combo default Very Solid var Very Solid var Wild\n\
                     option name Clear Hash type button\n\
                     option name Log File type string default <empty>\n\
                     option name UCI_Chess960 type check default false\nuciok");
            }
            "isready" => say("readyok"),
            "setoption" => {
                let (name, value) = line.split_once(" value ").unwrap_or((line, ""));
                let name = name.trim_start_matches("setoption name ");
                self.options.push_str(&format!(" [{name}={value}]"));
            }
            "position" => {
                let moves = line.split_once(" moves ").map_or("", |(_, moves)| moves);
                self.played = moves.split_whitespace().count();
            }
            "go" => self.go(line),
            "stop" if !self.has("ignores-stop") => self.stop.store(true, Ordering::Relaxed),
            "quit" if !self.has("ignores-quit") => exit(0),
            _ => {}
        }
    }

    fn go(&mut self, line: &str) {
        self.searches += 1;
        if self.number("crash-at-move") == Some(self.searches) {
            eprintln!("thread panicked at move {}", self.searches);
            exit(3);
        }
        if self.number("hang-at-move") == Some(self.searches) {
            return;
        }
        while self.has("flood") {
            say("info depth 1 score cp 1 pv a1a1");
        }
        while self.has("flood-forever-without-newline") {
            let _ = io::stdout().write_all(&[b'x'; 4096]);
        }
        while self.has("flood-errors") {
            eprintln!("warning: nobody reads this");
        }
        let mut best_move = self.script.get(self.played).map_or("0000", String::as_str).to_string();
        if self.number("illegal-move-at") == Some(self.searches) {
            best_move = "e1e9".to_string();
        }
        let answer = match self.has("bestmove-without-move") {
            true => "bestmove".to_string(),
            false => format!("bestmove {best_move} ponder a7a6"),
        };
        let chatters = self.has("chatters");
        let quiet = self.has("bestmove-without-info");
        let score = self.scores.get(self.played).map_or("cp 25", String::as_str);
        let infos = format!(
            "info string told:{line}\ninfo string options:{}\n\
             info depth 3 seldepth 5 multipv 1 score {score} nodes 300 nps 3000 time 100 pv {best_move}\n\
             info depth 3 multipv 2 score cp 10 nodes 310 time 101 pv a2a3\n\
             info depth 4 currmove {best_move} currmovenumber 1",
            self.options
        );
        let plans = self.plans.clone();
        let sleep = Duration::from_millis(self.number("sleep").unwrap_or(0));
        let endless = line.contains("infinite") || self.has("ignores-stop");
        self.stop = Arc::default();
        let stop = Arc::clone(&self.stop);
        thread::spawn(move || {
            if !quiet && plans.is_empty() {
                say(&infos);
            }
            for (depth, plan) in (1..).zip(&plans) {
                thread::sleep(PLAN);
                let nodes = 100 * depth;
                say(&format!("info depth {depth} multipv 1 score cp 25 nodes {nodes} pv {plan}"));
            }
            let begin = Instant::now();
            while (endless || begin.elapsed() < sleep) && !stop.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(1));
                if chatters {
                    say("info nodes 320");
                }
            }
            say(&answer);
        });
    }
}

/// Whole lines, whichever thread says them.
fn say(lines: &str) {
    let mut output = io::stdout().lock();
    if writeln!(output, "{lines}").and_then(|()| output.flush()).is_err() {
        exit(0);
    }
}

/// Longer than any test, but not for ever: a forgotten mock ends.
fn only_wait() {
    thread::sleep(Duration::from_secs(120));
}

fn main() -> ExitCode {
    let mut mock = match Mock::parse(env::args().skip(1)) {
        Ok(mock) => mock,
        Err(what) => {
            eprintln!("{what}");
            return ExitCode::from(2);
        }
    };
    if mock.has("dies-at-start") {
        eprintln!("cannot load the network");
        return ExitCode::from(7);
    }
    if mock.has("only-waits") {
        only_wait();
    }
    if mock.has("prints-stderr") {
        (1..=100).for_each(|number| eprintln!("complaint {number}"));
    }
    if mock.has("spawns-a-child-that-survives")
        && let Ok(program) = env::current_exe()
        && let Ok(child) = Command::new(program).arg("only-waits").spawn()
    {
        mock.options.push_str(&format!(" [child={}]", child.id()));
    }
    if mock.has("does-not-read-stdin") {
        say("id name Mock 1.0\nuciok\nreadyok");
        only_wait();
    }
    for line in io::stdin().lock().lines().map_while(Result::ok) {
        mock.obey(&line);
    }
    if mock.has("ignores-quit") {
        only_wait();
    }
    ExitCode::SUCCESS
}
