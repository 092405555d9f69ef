//! An engine that speaks UCI, in a process of its own. Every wait has a deadline.

use std::time::{Duration, Instant};

use super::fault::{Fault, FaultKind, printable};
use super::inbox::{Heard, Line};
use super::info::{Info, Thought};
use super::launch::{HASH, Launch, THREADS};
use super::offer::{Offer, OfferKind};
use super::process::{NotReading, Process};
use super::{GoLimit, OnInfo, Opponent, PositionText};

const CHESS960: &str = "UCI_Chess960";
const VARIANT: &str = "UCI_Variant";
/// The game of engines that do not say which.
const CHESS: &str = "chess";
/// How soon an interrupt is noticed.
const GLANCE: Duration = Duration::from_millis(50);
/// How long the system may take to tell how a program ended whose output has ended.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// Who never ends must end some day: a deadline too far away to be expressed.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// A running engine. Dropping it ends it.
#[derive(Debug)]
pub struct UciEngine {
    launch: Launch,
    process: Process,
    title: Option<String>,
    author: Option<String>,
    offers: Vec<Offer>,
    warnings: Vec<String>,
    chess960: bool,
}

impl UciEngine {
    /// Starts an engine, greets it and sets its options.
    pub fn start(launch: Launch) -> Result<UciEngine, Fault> {
        let process = spawn(&launch)?;
        let mut engine = UciEngine {
            launch,
            process,
            title: None,
            author: None,
            offers: Vec::new(),
            warnings: Vec::new(),
            chess960: false,
        };
        engine.greet()?;
        Ok(engine)
    }

    /// What the engine calls itself.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Who wrote it.
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// The options it offers.
    pub fn offers(&self) -> &[Offer] {
        &self.offers
    }

    /// What was asked for and could not be had, though the engine can play without it.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The number of its process.
    pub fn process_number(&self) -> u32 {
        self.process.number()
    }

    /// Ends it; sooner than by dropping it if it has no reason to linger.
    pub fn quit(mut self) {
        self.process.quit(self.launch.patience.quit);
    }

    fn greet(&mut self) -> Result<(), Fault> {
        let begin = Instant::now();
        let patience = self.launch.patience.start;
        for line in self.launch.prelude.clone() {
            self.send(&line)?;
        }
        self.send("uci")?;
        loop {
            let line = self.hear(begin + patience, "uciok")?;
            let late = is_late(&line, begin + patience);
            let text = line.map(|line| line.text).unwrap_or_default();
            let (word, rest) = first_word(&text);
            match word {
                "uciok" => break,
                "option" => self.offers.extend(Offer::parse(rest)),
                "id" => match first_word(rest) {
                    ("name", name) => self.title = Some(name.to_string()),
                    ("author", author) => self.author = Some(author.to_string()),
                    _ => {}
                },
                _ => {}
            }
            if late {
                return Err(self.fault(FaultKind::NoHandshake { waited: patience }));
            }
        }
        let launch = self.launch.clone();
        if let Some(game) = launch.game {
            self.agree_on(game)?;
        }
        if let Some(threads) = launch.threads {
            // Who does not offer threads has one.
            if threads > 1 || self.offer(THREADS).is_some() {
                self.set_option(THREADS, &threads.to_string())?;
            }
        }
        if let Some(hash) = launch.hash {
            match self.offer(HASH) {
                Some(_) => self.set_option(HASH, &hash.to_string())?,
                None => self.warnings.push(format!("{} offers no {HASH}", launch.name)),
            }
        }
        for (name, value) in &launch.options {
            self.set_option(name, value)?;
        }
        self.ready()
    }

    /// Refuses an engine that would take the positions of this game for those of another, and tells one that
    /// plays several which it is.
    fn agree_on(&mut self, game: &'static str) -> Result<(), Fault> {
        let known = self.offer(VARIANT).map(|offer| match &offer.kind {
            OfferKind::Combo(games) => games.iter().any(|known| known.eq_ignore_ascii_case(game)),
            _ => false,
        });
        let default = self.offer(VARIANT).and_then(|offer| offer.default.clone());
        match known {
            Some(true) if default.as_deref() != Some(game) => self.set_option(VARIANT, game),
            Some(true) => Ok(()),
            // Who offers none plays chess. Ours did not always tell, but is started for the game.
            None if game == CHESS || self.is_ours() => Ok(()),
            _ => Err(self.fault(FaultKind::OtherGame { game: game.to_string() })),
        }
    }

    fn is_ours(&self) -> bool {
        self.title.as_deref().is_some_and(|title| title.starts_with("Secateur "))
    }

    fn offer(&self, name: &str) -> Option<&Offer> {
        self.offers.iter().find(|offer| offer.name.eq_ignore_ascii_case(name))
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), Fault> {
        let command = match self.offer(name) {
            Some(offer) => offer.command(value),
            None => Err(format!("there is no option '{}'", printable(name))),
        };
        match command {
            Ok(command) => self.send(&command),
            Err(what) => Err(self.fault(FaultKind::BadOption(what))),
        }
    }

    fn ready(&mut self) -> Result<(), Fault> {
        let waited = self.launch.patience.ready;
        let deadline = Instant::now() + waited;
        self.send("isready")?;
        loop {
            let line = self.hear(deadline, "readyok")?;
            if line.as_ref().is_some_and(|line| first_word(&line.text).0 == "readyok") {
                return Ok(());
            }
            if is_late(&line, deadline) {
                return Err(self.fault(FaultKind::Hung { awaited: "readyok", waited }));
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<(), Fault> {
        let sent = self.process.send(line);
        sent.map_err(|NotReading| self.fault(FaultKind::NotReading))
    }

    /// The next line; `None` if there is none before the deadline. One that came too late is
    /// handed out all the same: it may be what is waited for.
    fn hear(&mut self, deadline: Instant, awaited: &'static str) -> Result<Option<Line>, Fault> {
        let mut over = false;
        loop {
            if self.launch.is_interrupted() {
                return Err(self.fault(FaultKind::Interrupted));
            }
            match self.process.hear(deadline.min(Instant::now() + GLANCE)) {
                Heard::Line(line) => return Ok(Some(line)),
                Heard::Silence if Instant::now() >= deadline => return Ok(None),
                // What it started may hold its output open. Now nothing does, so look again.
                Heard::Silence if !over => over = self.process.is_over(),
                Heard::Flooded => return Err(self.fault(FaultKind::Flooded)),
                Heard::Silence | Heard::Ended => {
                    let status = match self.process.ended(LAST_WORDS) {
                        Some(status) => status.to_string(),
                        None => "its output is closed".to_string(),
                    };
                    return Err(self.fault(FaultKind::Crashed { status, awaited }));
                }
            }
        }
    }

    /// A fault with its evidence. A process that cannot be used any more is ended.
    fn fault(&mut self, kind: FaultKind) -> Fault {
        if !kind.is_survivable() {
            self.process.kill();
        }
        self.blame(kind)
    }
}

impl Opponent for UciEngine {
    fn name(&self) -> &str {
        &self.launch.name
    }

    fn new_game(&mut self, chess960: bool) -> Result<(), Fault> {
        if chess960 != self.chess960 {
            self.set_option(CHESS960, &chess960.to_string())?;
            self.chess960 = chess960;
        }
        self.send("ucinewgame")?;
        self.ready()
    }

    fn think(
        &mut self,
        position: &PositionText,
        limit: &GoLimit,
        on_info: &mut OnInfo<'_>,
    ) -> Result<Thought, Fault> {
        self.send(&position_command(position))?;
        // What comes before `readyok` belongs to the past; and an engine that hangs over a
        // position is not charged for it.
        self.ready()?;
        self.process.forget();
        let patience = self.launch.patience;
        let begin = self.process.send_timed(&go_command(limit), patience.ready);
        let begin = begin.map_err(|NotReading| self.fault(FaultKind::NotReading))?;
        let mut deadline = begin + limit.deadline.min(FOREVER);
        let mut stopped = false;
        let mut thought = Thought::default();
        loop {
            let line = self.hear(deadline, "bestmove")?;
            let late = is_late(&line, deadline);
            let mut stop = late;
            if let Some(line) = line {
                let elapsed = line.at.saturating_duration_since(begin);
                match first_word(&line.text) {
                    ("info", rest) => {
                        let info = Info::parse(rest);
                        thought.learn(&info);
                        stop |= on_info(&info, elapsed).is_break();
                    }
                    ("bestmove", rest) => {
                        let mut words = rest.split_whitespace();
                        let Some(best_move) = words.next() else {
                            return Err(self.fault(FaultKind::IllegalOutput(line.text)));
                        };
                        thought.best_move = best_move.to_string();
                        let reply = words.next().filter(|word| *word == "ponder");
                        thought.ponder = reply.and_then(|_| words.next()).map(String::from);
                        thought.time_spent = elapsed;
                        return Ok(thought);
                    }
                    _ => {}
                }
            }
            if late && stopped {
                let waited = begin.elapsed();
                return Err(self.fault(FaultKind::Hung { awaited: "bestmove", waited }));
            }
            if stop && !stopped {
                self.send("stop")?;
                stopped = true;
                deadline = Instant::now() + patience.stop;
            }
        }
    }

    fn restart(&mut self) -> Result<(), Fault> {
        self.process.quit(self.launch.patience.quit);
        *self = UciEngine::start(self.launch.clone())?;
        Ok(())
    }

    fn blame(&self, kind: FaultKind) -> Fault {
        let evidence = Box::new(self.process.evidence());
        Fault { engine: self.launch.name.clone(), kind, evidence }
    }
}

fn spawn(launch: &Launch) -> Result<Process, Fault> {
    let essential = |line: &str| {
        matches!(first_word(line).0, "bestmove" | "readyok" | "uciok" | "option" | "id")
    };
    Process::start(&mut launch.command(), launch.patience.quit, essential).map_err(|error| {
        let what = format!("{}: {error}", launch.program.display());
        let engine = launch.name.clone();
        Fault { engine, kind: FaultKind::DidNotStart(what), evidence: Box::default() }
    })
}

/// Whether nothing came in time. The arrival of a line counts, not when we came to read it.
fn is_late(line: &Option<Line>, deadline: Instant) -> bool {
    line.as_ref().is_none_or(|line| line.at > deadline)
}

fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

fn position_command(position: &PositionText) -> String {
    let mut command = match &position.start {
        None => "position startpos".to_string(),
        Some(start) => format!("position fen {start}"),
    };
    if !position.moves.is_empty() {
        command.push_str(" moves ");
        command.push_str(&position.moves.join(" "));
    }
    command
}

fn go_command(limit: &GoLimit) -> String {
    // Some engines take 0 for no clock at all.
    let time = |time: Option<Duration>| time.map(|time| time.as_millis().max(1).to_string());
    let increment = |time: Option<Duration>| time.map(|time| time.as_millis().to_string());
    let words = [
        ("wtime", time(limit.white_time)),
        ("btime", time(limit.black_time)),
        ("winc", increment(limit.white_increment)),
        ("binc", increment(limit.black_increment)),
        ("movestogo", limit.moves_to_go.map(|moves| moves.to_string())),
        ("movetime", time(limit.move_time)),
        ("nodes", limit.nodes.map(|nodes| nodes.to_string())),
        ("depth", limit.depth.map(|depth| depth.to_string())),
    ];
    let mut command = "go".to_string();
    for (word, value) in words {
        if let Some(value) = value {
            command.push_str(&format!(" {word} {value}"));
        }
    }
    if command == "go" {
        command.push_str(" infinite");
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_become_the_words_of_the_protocol() {
        let ms = |milliseconds| Some(Duration::from_millis(milliseconds));
        let nothing = GoLimit::until(Duration::ZERO);
        assert_eq!(go_command(&nothing), "go infinite");
        let clocks = GoLimit {
            white_time: ms(1_500),
            black_time: ms(0),
            white_increment: ms(80),
            black_increment: ms(0),
            moves_to_go: Some(3),
            ..nothing.clone()
        };
        assert_eq!(go_command(&clocks), "go wtime 1500 btime 1 winc 80 binc 0 movestogo 3");
        let fixed = GoLimit { move_time: ms(5), nodes: Some(6), depth: Some(7), ..nothing };
        assert_eq!(go_command(&fixed), "go movetime 5 nodes 6 depth 7");
    }

    #[test]
    fn a_position_is_its_start_and_its_moves() {
        assert_eq!(position_command(&PositionText::default()), "position startpos");
        let moves = vec!["e2e4".to_string(), "e7e5".to_string()];
        let line = PositionText { start: None, moves: moves.clone() };
        assert_eq!(position_command(&line), "position startpos moves e2e4 e7e5");
        let line = PositionText { start: Some("8/8 w - -".to_string()), moves };
        assert_eq!(position_command(&line), "position fen 8/8 w - - moves e2e4 e7e5");
    }
}
