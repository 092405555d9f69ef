//! A hundred thousand broken lines through the parser and a session, in one process.
#![cfg(all(feature = "chess", feature = "othello"))]

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use secateur::uci::Session;
use secateur::uci::command::{Command, parse};
use secateur::uci::options::Options;
use secateur::uci::output::Output;
use secateur_games::playable::Playable;
use secateur_games::{chess::Chess, othello::Othello};
use secateur_search::Overlay;
use secateur_search::random::SplitMix;

const LINES: usize = 60_000;

/// Output kept in memory.
#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<u8>>>);

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Kept {
    fn take(&self) -> String {
        String::from_utf8(std::mem::take(&mut *self.0.lock().unwrap())).expect("only text is said")
    }
}

const CHESS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "debug on",
    "debug off",
    "d",
    "eval",
    "help",
    "# comment",
    "setoption name clock.soft value 70",
    "setoption name Preset value oracle",
    "setoption name Hash value 2",
    "setoption name Threads value 2",
    "setoption name MultiPV value 3",
    "setoption name Clear Hash",
    "setoption name Move Overhead value 5",
    "setoption name UCI_Chess960 value true",
    "setoption name ShowParams value true",
    "setoption name Ponder value true",
    "setoption name EvalFile value <embedded>",
    "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1",
    "position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9 moves g1h1",
    "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1 moves e2e4 f4e3",
    "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "go",
    "go infinite",
    "go ponder wtime 1000 btime 1000 winc 10 binc 10 movestogo 40",
    "go depth 3 nodes 100 movetime 50 mate 2",
    "go searchmoves e2e4 d2d4 depth 2",
    "go perft 2",
];

const OTHELLO: &[&str] = &[
    "isready",
    "uci",
    "d",
    "eval",
    "stop",
    "position startpos moves f5 d6 c3 d3 c4 f4",
    "position fen ---------------------------OX------XO--------------------------- X moves c4 c3",
    "position fen OX-------------------------------------------------------------- X moves pass",
    "go wtime 100 btime 100",
    "go infinite",
    "go ponder",
    "go searchmoves f5 pass",
    "go perft 4",
    "setoption name aspiration value off",
];

/// A line with up to four faults: characters and words changed, doubled, lost or borrowed.
fn mutated(random: &mut SplitMix, lines: &[&str]) -> String {
    let pick = |random: &mut SplitMix| lines[random.below(lines.len())].to_string();
    let mut line = pick(random);
    for _ in 0..random.below(5) {
        let mut characters: Vec<char> = line.chars().collect();
        let at = random.below(characters.len() + 1);
        let to = (at + random.below(6)).min(characters.len());
        match random.below(8) {
            0 => drop(characters.drain(at..to)),
            1 => {
                let copy: Vec<char> = characters[at..to].to_vec();
                characters.splice(at..at, copy);
            }
            2 => {
                let odd = [
                    '\0', 'ä', '\t', ' ', '-', '9', '/', '\u{1b}', '😀', '\u{feff}', 'K', '\u{a0}',
                ];
                characters.insert(at, odd[random.below(odd.len())]);
            }
            3 => characters.insert(at, (b' ' + random.below(95) as u8) as char),
            4 => characters.truncate(at),
            5 => {
                let other = pick(random);
                let words: Vec<&str> = other.split(' ').collect();
                let word = format!(" {} ", words[random.below(words.len())]);
                characters.splice(at..at, word.chars());
            }
            6 => {
                let numbers =
                    ["-1", "0", "99999999999999999999", "-9223372036854775808", "1e9", "NaN"];
                let number = format!(" {} ", numbers[random.below(numbers.len())]);
                characters.splice(at..to, number.chars());
            }
            _ => {
                characters.push(' ');
                characters.extend(pick(random).chars());
            }
        }
        line = characters.into_iter().collect();
    }
    line
}

/// What must be said sooner or later.
#[derive(Default, Debug, PartialEq, Eq)]
struct Answers {
    best: usize,
    counts: usize,
    ready: usize,
    hello: usize,
}

impl Answers {
    /// What this line obliges the engine to say.
    fn owe(&mut self, line: &str) {
        match parse(line) {
            Ok(Some(Command::Go(go))) if go.perft.is_some_and(|depth| depth <= 100) => {
                self.counts += 1
            }
            Ok(Some(Command::Go(_))) | Err(secateur::uci::command::CommandError::Go(_)) => {
                self.best += 1
            }
            Ok(Some(Command::IsReady)) => self.ready += 1,
            Ok(Some(Command::Uci)) => self.hello += 1,
            _ => {}
        }
    }

    fn said(&mut self, text: &str) {
        for line in text.lines() {
            assert!(!line.chars().any(char::is_control), "{line:?}");
            self.best += usize::from(line.starts_with("bestmove "));
            self.counts += usize::from(
                line.starts_with("Nodes searched: ")
                    || line.starts_with("info string perft stopped"),
            );
            self.ready += usize::from(line == "readyok");
            self.hello += usize::from(line == "uciok");
        }
    }
}

fn torment<G: Playable>(lines: &[&str], seed: u64) {
    let mut random = SplitMix::new(seed);
    let kept = Kept::default();
    let mut session =
        Session::<G>::new(Output::new(kept.clone()), Options::new(Overlay::default()));
    // Emptying a small table takes no time.
    let _ = session.handle("setoption name Hash value 1");
    let (mut owed, mut said) = (Answers::default(), Answers::default());
    for number in 0..LINES {
        let line = mutated(&mut random, lines);
        owed.owe(&line);
        if matches!(parse(&line), Ok(Some(Command::Quit))) {
            continue;
        }
        let before = session.record().position().write_position();
        let refused_or_other =
            !matches!(parse(&line), Ok(Some(Command::Position { .. } | Command::NewGame)));
        assert_eq!(session.handle(&line), ControlFlow::Continue(()), "{line:?}");
        let position = session.record().position();
        let text = position.write_position();
        assert!(!refused_or_other || text == before, "{line:?} changed {before} to {text}");
        let again =
            G::read_position(&text).unwrap_or_else(|error| panic!("{line:?} {text}: {error}"));
        assert_eq!(again.count_moves(), position.count_moves(), "{line:?} {text}");
        if number % 1000 == 0 {
            said.said(&kept.take());
        }
    }
    owed.owe("isready");
    assert_eq!(session.handle("isready"), ControlFlow::Continue(()));
    assert_eq!(session.handle("quit"), ControlFlow::Break(()));
    said.said(&kept.take());
    assert_eq!(said, owed, "every question has one answer");
    assert!(owed.best > LINES / 20 && owed.counts > 100, "{owed:?}: the lines ask too little");
}

#[test]
fn broken_lines_never_end_a_game_of_chess() {
    torment::<Chess>(CHESS, 1);
}

#[test]
fn broken_lines_never_end_a_game_of_othello() {
    torment::<Othello>(OTHELLO, 2);
}
