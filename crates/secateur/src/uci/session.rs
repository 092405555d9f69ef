//! What each command does.
//!
//! Two promises: a refused command changes nothing, and every `go` gets exactly one `bestmove`
//! (`go perft` its count instead), in the order of asking. So a `go` that comes while another is
//! running first makes that one answer.

use std::fmt::Display;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use secateur_games::playable::{GameEngine, Playable, new_engine, use_weights};
use secateur_games::record::Record;
use secateur_lab::{cuts_file, odds_file, ranks_file, reductions_file, weights_file};
use secateur_search::Depth;
use secateur_search::alphabeta::engine::Limits;

use super::command::{self, Command, CommandError};
use super::count::count;
use super::go::Go;
use super::options::{Change, Options};
use super::output::Output;
use super::task::{Running, Task};
use crate::evaluation;
use crate::options::DEEPEST_COUNT;
use crate::thinking::seed;

/// A conversation with a board program.
pub struct Session<G: Playable> {
    output: Output,
    options: Options,
    engine: Arc<Mutex<GameEngine<G>>>,
    record: Record<G>,
    running: Option<Running>,
    /// Where the draws of an engine that is held back come from; another with each game.
    seed: u64,
    debug: bool,
}

const HELP: &str = "\
uci                                      who we are and what can be set
setoption name NAME [value VALUE]        set an option, a switch or a parameter
ucinewgame                               begin another game
isready                                  answered by readyok
position startpos|fen TEXT [moves M ...] set up a position and play moves
go [searchmoves M ...] [depth N] [nodes N] [movetime MS] [mate N] [infinite] [ponder]
   [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N]
                                         think, then answer by bestmove
go perft N                               count the leaves N plies deep
stop                                     answer now
ponderhit                                the expected move was played
d                                        draw the position
eval                                     the terms of its evaluation
debug on|off                             show how each command was understood
quit                                     end
";

impl<G: Playable> Session<G> {
    /// A conversation that begins at the usual first position.
    pub fn new(output: Output, options: Options) -> Session<G> {
        let record = Record::starting_at(G::start());
        let engine = Arc::new(Mutex::new(new_engine::<G>()));
        Session { output, options, engine, record, running: None, seed: seed(), debug: false }
    }

    /// The game as set up.
    pub fn record(&self) -> &Record<G> {
        &self.record
    }

    /// What is set.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Obeys one line. Breaks when the conversation is over.
    pub fn handle(&mut self, line: &str) -> ControlFlow<()> {
        match command::parse(line) {
            Ok(None) => {}
            Ok(Some(command)) => {
                if self.debug {
                    self.output.info(format_args!("debug: {command:?}"));
                }
                self.obey(command)?;
            }
            Err(unknown @ CommandError::Unknown(_)) => self.output.info(unknown),
            Err(error @ CommandError::Go(_)) => self.refuse_go(error),
            Err(error) => self.error(error),
        }
        self.go_on()
    }

    /// Says that input could not be used at all.
    pub fn complain(&self, what: &str) -> ControlFlow<()> {
        self.error(what);
        self.go_on()
    }

    /// The input has ended. What was asked for is still answered.
    pub fn finish(&mut self) {
        if let Some(running) = self.running.take() {
            running.finish();
        }
    }

    fn go_on(&self) -> ControlFlow<()> {
        if self.output.is_closed() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn obey(&mut self, command: Command) -> ControlFlow<()> {
        match command {
            Command::Uci => self.introduce(),
            Command::IsReady => self.output.line("readyok"),
            Command::NewGame => {
                self.running = None;
                self.engine().new_game();
                self.record = Record::starting_at(G::start());
                self.seed = seed();
            }
            Command::SetOption { name, value } => {
                let before = self.options.clone();
                let done = match self.options.set::<G>(&name, value.as_deref()) {
                    Ok(change) => self.change(change),
                    Err(error) => Err(error.into()),
                };
                if let Err(error) = done {
                    self.options = before;
                    self.error(format_args!("{error:#}"));
                }
            }
            Command::Position { start, moves } => {
                match read_record::<G>(start.as_deref(), &moves) {
                    Ok((record, notes)) => {
                        self.record = record;
                        notes
                            .iter()
                            .for_each(|note| self.output.info(format_args!("note: {note}")));
                    }
                    Err(error) => self.error(format_args!("position: {error}")),
                }
            }
            Command::Go(go) => {
                // The former one answers first.
                self.running = None;
                match self.begin(go) {
                    Ok(running) => self.running = Some(running),
                    Err(error) => self.refuse_go(format_args!("go: {error}")),
                }
            }
            Command::Stop => {
                if let Some(running) = &self.running {
                    running.signals().stop();
                }
            }
            Command::PonderHit => {
                if let Some(running) = &self.running {
                    running.signals().ponderhit();
                }
            }
            Command::Quit => {
                self.running = None;
                return ControlFlow::Break(());
            }
            Command::Debug(on) => self.debug = on,
            Command::Draw => self.draw(),
            Command::Eval => self.explain(),
            Command::Help => self.output.lines(HELP),
        }
        ControlFlow::Continue(())
    }

    /// The engine; nothing may be running.
    fn engine(&self) -> MutexGuard<'_, GameEngine<G>> {
        // A thread that died while thinking has left nothing that the next search trusts.
        self.engine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells the engine of an option. A search that is running answers first.
    fn change(&mut self, change: Change) -> anyhow::Result<()> {
        if change == Change::None {
            return Ok(());
        }
        self.running = None;
        let mut engine = self.engine();
        match change {
            Change::Table(mebibytes) => engine.set_table(mebibytes)?,
            Change::Threads(threads) => engine.set_threads(threads),
            Change::ClearTable => engine.new_game(),
            Change::Tablebases => {
                if let Some(note) = G::open_tables(&mut engine, self.options.tables())? {
                    self.output.info(note);
                }
                // What was found with other tables may no longer be so.
                engine.new_game();
            }
            Change::Weights => {
                let weights = weights_file::load::<G>(self.options.eval_file())?;
                use_weights(&mut engine, &weights);
            }
            Change::Cuts => match cuts_file::load::<G>(self.options.cuts_file())? {
                Some(cuts) => engine.set_cuts(&cuts),
                None => engine.forget_cuts(),
            },
            Change::Ranks => match ranks_file::load::<G>(self.options.ranks_file())? {
                Some(ranks) => engine.set_ranks(ranks),
                None => engine.forget_ranks(),
            },
            Change::Reductions => {
                match reductions_file::load::<G>(self.options.reductions_file())? {
                    Some(reductions) => engine.set_reductions(reductions),
                    None => engine.forget_reductions(),
                }
            }
            Change::Odds => match odds_file::load::<G>(self.options.odds_file())? {
                Some(odds) => engine.set_odds(odds),
                None => engine.forget_odds(),
            },
            Change::None => {}
        }
        Ok(())
    }

    fn introduce(&self) {
        let mut text = format!("id name Secateur {}\n", env!("CARGO_PKG_VERSION"));
        text += "id author the Secateur developers\n";
        for line in self.options.list::<G>() {
            text += &line;
            text.push('\n');
        }
        self.output.lines(&(text + "uciok"));
    }

    fn begin(&self, go: Go) -> anyhow::Result<Running> {
        let begun = Instant::now();
        let position = self.record.position().clone().writing_chess960(self.options.chess960());
        let output = self.output.clone();
        if let Some(depth) = go.perft {
            anyhow::ensure!(
                depth <= DEEPEST_COUNT,
                "perft goes at most {DEEPEST_COUNT} plies deep"
            );
            return Ok(Running::start(false, false, move |signals| {
                count(&position, depth, signals, &output)
            })?);
        }
        let mut allowed = Vec::new();
        for text in &go.search_moves {
            match position.read_move(text) {
                Ok(m) => allowed.push(m),
                Err(error) => anyhow::bail!("searchmoves: {error}"),
            }
        }
        let mut settings = self.options.settings().clone();
        {
            let mut engine = self.engine();
            engine.set_settings(settings.clone());
            if let Err(error) = engine.check_cuts() {
                self.error(format_args!(
                    "probcut and what else goes by such a table is off: {error}"
                ));
                settings = settings.without_cuts();
            }
            if let Err(error) = engine.check_ranks() {
                self.error(format_args!("rank_cut is off: {error}"));
                settings = settings.without_ranks();
            }
            if let Err(error) = engine.check_reductions() {
                self.error(format_args!("late moves go by the formula: {error}"));
                settings = settings.without_reductions();
            }
            if let Err(error) = engine.check_odds() {
                self.error(format_args!("bstar_odds is linear: {error}"));
                settings = settings.without_odds();
            }
        }
        let task = Task {
            engine: Arc::clone(&self.engine),
            limits: Limits {
                depth: go.depth.map(|depth| Depth::new(depth.clamp(1, 1_000) as i32)),
                nodes: go.nodes.map(|nodes| nodes.max(1)),
                mate: go.mate,
                time: go.time_limits(position.turn(), self.options.move_overhead()),
                allowed,
                lines: self.options.multi_pv(),
            },
            infinite: go.is_infinite(),
            record: self.record.clone().with_position(position),
            settings,
            name_reply: self.options.ponder(),
            show_wdl: self.options.show_wdl(),
            held_back: self.options.strength::<G>().map(|strength| (strength, self.seed)),
            begun,
        };
        let infinite = task.infinite;
        Ok(Running::start(go.ponder, infinite, move |signals| task.run(signals, &output))?)
    }

    fn draw(&self) {
        let position = self.record.position();
        let mut text = position.draw();
        text += &format!("{}: {}\n", G::POSITION_LABEL, position.write_position());
        for (name, value) in position.facts() {
            text += &format!("{name}: {value}\n");
        }
        if let Some(ending) = self.record.describe_ending() {
            text += &format!("over: {ending}\n");
        }
        self.output.lines(&text);
    }

    /// The terms of the evaluation. A search that is running answers first.
    fn explain(&mut self) {
        self.running = None;
        let text = evaluation::as_text(self.record.position(), self.engine().evaluator());
        self.output.lines(&text);
    }

    fn error(&self, what: impl Display) {
        self.output.info(format_args!("error: {what}"));
    }

    /// Somebody waits for an answer, so one is given even to nonsense.
    fn refuse_go(&mut self, what: impl Display) {
        self.running = None;
        self.error(what);
        self.output.line("bestmove (none)");
    }
}

/// The game that a `position` command describes, and what had to be mended.
fn read_record<G: Playable>(
    start: Option<&str>,
    moves: &[String],
) -> anyhow::Result<(Record<G>, Vec<String>)> {
    let (position, notes) = match start {
        None => (G::start(), Vec::new()),
        Some(text) => G::read_with_notes(text)?,
    };
    let mut record = Record::starting_at(position);
    record.play_all(moves.iter().map(String::as_str))?;
    Ok((record, notes))
}
