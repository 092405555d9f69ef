//! A game on the terminal against the engine, in any game.
//!
//! | file | idea |
//! |---|---|
//! | `mod` | whose turn it is, and what is said about it |
//! | `order` | what can be typed |
//! | `obey` | what is done about it |

mod obey;
mod order;

use std::io::{BufRead, Write};
use std::path::PathBuf;

use order::Order;
use secateur_games::playable::{GameEngine, Playable};
use secateur_games::record::{Record, Verdict};
use secateur_games::strength::{Candidates, Strength};
use secateur_games::told::told;
use secateur_lab::interrupt;
use secateur_lab::values::{known, score_text, time};
use secateur_search::alphabeta::engine::Limits;
use secateur_search::{Player, Score};

use crate::failure::one_line;
use crate::lines::{coordinates, numbered_move};
use crate::thinking::{Progress, Thought, think};

/// A game between a person and the engine.
pub struct Session<G: Playable, W: Write> {
    engine: GameEngine<G>,
    limits: Limits<G::Move>,
    /// How strong it plays, if it is held back, and where its draws come from.
    held_back: Option<(Strength, u64)>,
    /// What `new` goes back to.
    beginning: Record<G>,
    game: Record<G>,
    person: Player,
    /// Who has given up.
    resigned: Option<Player>,
    /// The file that this session has written, and may write again.
    saved: Option<PathBuf>,
    /// Whether the position was drawn since it last changed.
    drawn: bool,
    output: W,
    prompts: bool,
}

/// Whether to go on after an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Continue,
    Leave,
}

impl<G: Playable, W: Write> Session<G, W> {
    /// A game that goes on from the end of `game`. `prompts` says whether someone is looking.
    pub fn new(
        game: Record<G>,
        person: Player,
        engine: GameEngine<G>,
        limits: Limits<G::Move>,
        output: W,
        prompts: bool,
    ) -> Session<G, W> {
        Session {
            engine,
            limits,
            held_back: None,
            beginning: game.clone(),
            game,
            person,
            resigned: None,
            saved: None,
            drawn: false,
            output,
            prompts,
        }
    }

    /// The engine plays no stronger than this.
    pub fn hold_back(&mut self, strength: Strength, seed: u64) {
        self.held_back = Some((strength, seed));
    }

    /// Says something, in lines of its own.
    pub fn say(&mut self, text: &str) -> anyhow::Result<()> {
        writeln!(self.output, "{text}")?;
        Ok(())
    }

    /// Plays until the person leaves or the input ends.
    pub fn run(mut self, mut input: impl BufRead) -> anyhow::Result<()> {
        let side = G::player_name(self.person);
        self.say(&format!("You are {side}. Type a move, or 'help'."))?;
        loop {
            self.advance()?;
            let Some(line) = self.ask(&mut input)? else { break };
            match Order::read(&line) {
                Ok(order) => {
                    if self.obey(order)? == Next::Leave {
                        break;
                    }
                }
                Err(complaint) => self.refuse(&complaint)?,
            }
        }
        let last_words = self.last_words();
        write!(self.output, "{last_words}")?;
        self.output.flush()?;
        Ok(())
    }

    /// Plays what needs no decision of the person: the engine's moves, and passes that are forced.
    fn advance(&mut self) -> anyhow::Result<()> {
        while !self.is_over() {
            if let Some(pass) = forced_pass(self.game.position()) {
                let who = self.name_with_verb("have", "has");
                self.say(&format!("{who} no move and must pass."))?;
                self.play(pass);
            } else if self.game.position().turn() != self.person {
                self.reply()?;
            } else {
                break;
            }
        }
        if !self.drawn {
            let board = self.game.position().draw();
            self.say(&format!("\n{board}"))?;
            self.say_result()?;
            self.drawn = true;
        }
        Ok(())
    }

    fn say_result(&mut self) -> anyhow::Result<()> {
        match self.result() {
            Some(result) => {
                let (first, rest) =
                    result.split_at(result.chars().next().map_or(0, char::len_utf8));
                self.say(&format!("The game is over. {}{rest}.", first.to_uppercase()))
            }
            None => Ok(()),
        }
    }

    /// The engine moves.
    fn reply(&mut self) -> anyhow::Result<()> {
        let thought = match self.held_back {
            None => self.think()?,
            Some((strength, seed)) => self.think_weakly(strength, seed)?,
        };
        // A game that is not over has a move.
        let Some(m) = thought.answer.best else { return Ok(()) };
        let remark = self.remark(&thought);
        self.announce(m, &remark)?;
        self.play(m);
        Ok(())
    }

    fn think(&mut self) -> anyhow::Result<Thought<G::Move>> {
        self.output.flush()?;
        Ok(think(&mut self.engine, &self.game, &self.limits, &mut |_| {}))
    }

    fn think_weakly(&mut self, strength: Strength, seed: u64) -> anyhow::Result<Thought<G::Move>> {
        self.output.flush()?;
        let limits = strength.limit(&self.limits);
        let mut candidates = Candidates::default();
        let mut report = |progress: &Progress<'_, G::Move>| candidates.take(progress.report);
        let mut thought = think(&mut self.engine, &self.game, &limits, &mut report);
        if let Some((line, _)) = candidates.choose(self.game.position(), strength, seed) {
            let answer = &mut thought.answer;
            answer.best = line.moves.first().copied();
            (answer.score, answer.line) = (line.score, line.moves.clone());
        }
        Ok(thought)
    }

    /// Score, depth and time of a search of the position.
    fn remark(&self, thought: &Thought<G::Move>) -> String {
        let position = self.game.position();
        let side = G::player_name(position.turn());
        let value = |score: Score| format!("{} for {side}, ", score_text(told(position, score)));
        let score = known(thought.answer.score).map(value).unwrap_or_default();
        format!("({score}depth {}, {})", thought.answer.depth, time(thought.elapsed))
    }

    /// Says which move is about to be played by the side to move.
    fn announce(&mut self, m: G::Move, remark: &str) -> anyhow::Result<()> {
        let position = self.game.position();
        let text = numbered_move(position, m);
        let after = position.after(m);
        // Of mate the result speaks.
        let check = if after.in_check() && after.count_moves() > 0 { ", check" } else { "" };
        let who = self.name_with_verb("play", "plays");
        self.say(format!("{who} {text}{check}  {remark}").trim_end())
    }

    /// `You play` or `Secateur plays`: the side to move.
    fn name_with_verb(&self, yours: &str, its: &str) -> String {
        if self.game.position().turn() == self.person {
            format!("You {yours}")
        } else {
            format!("Secateur {its}")
        }
    }

    fn play(&mut self, m: G::Move) {
        self.game.play(m);
        self.drawn = false;
    }

    fn is_over(&self) -> bool {
        self.resigned.is_some() || self.game.ending().is_some()
    }

    /// The result and its reason, if the game is over.
    fn result(&self) -> Option<String> {
        let resigned = self.resigned.map(|loser| {
            let (winner, loser) = (G::player_name(loser.other()), G::player_name(loser));
            format!("{winner} wins: {loser} resigned")
        });
        resigned.or_else(|| self.game.describe_ending())
    }

    fn verdict(&self) -> Verdict {
        match self.resigned {
            Some(loser) => Verdict::Won(loser.other()),
            None => self.game.verdict(),
        }
    }

    /// The next line that is typed; `None` at the end of the input.
    fn ask(&mut self, input: &mut impl BufRead) -> anyhow::Result<Option<String>> {
        if self.prompts {
            let side = G::player_name(self.person);
            let prompt = if self.is_over() { "> ".into() } else { format!("{side}, your move> ") };
            write!(self.output, "{prompt}")?;
        }
        self.output.flush()?;
        interrupt::leaves(self.last_words());
        let mut bytes = Vec::new();
        let length = input.read_until(b'\n', &mut bytes);
        interrupt::ends();
        if length? == 0 {
            if self.prompts {
                // Ctrl-D leaves the cursor behind the prompt.
                writeln!(self.output)?;
            }
            return Ok(None);
        }
        Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn refuse(&mut self, complaint: &str) -> anyhow::Result<()> {
        self.say(&format!("{} (try 'moves' or 'help')", one_line(complaint)))
    }

    /// How to go on with a game that is broken off.
    fn last_words(&self) -> String {
        let moves = coordinates(self.game.start(), self.game.moves());
        if self.is_over() || moves.len() <= self.beginning.moves().len() {
            return String::new();
        }
        let mut command = format!("secateur play --game {}", G::NAME);
        let start = self.game.start().write_position();
        if start != G::start().write_position() {
            command += &format!(" --fen \"{start}\"");
        }
        let side = G::player_name(self.person).to_lowercase();
        format!("To go on: {command} --side {side} --moves \"{}\"\n", moves.join(" "))
    }
}

/// The only legal move, if it is to pass.
fn forced_pass<G: Playable>(position: &G) -> Option<G::Move> {
    if position.count_moves() != 1 {
        return None;
    }
    let mut only = None;
    position.each_move(|m| only = Some(m));
    // Passing is the move that changes nothing but the turn.
    only.filter(|m| position.pass().is_some_and(|passed| passed.key() == position.after(*m).key()))
}
