//! What is done about an order.

use std::io::Write;
use std::path::Path;

use secateur_games::playable::{Playable, ScoreSheet};
use secateur_lab::whole_file;

use super::order::{Order, help};
use super::{Next, Session, forced_pass};
use crate::failure::one_line;
use crate::lines::{numbered, numbered_move, screen_width, wrapped};
use crate::thinking::seed;

/// What the person is called in saved games.
const PERSON: &str = "Player";

impl<G: Playable, W: Write> Session<G, W> {
    pub(super) fn obey(&mut self, order: Order) -> anyhow::Result<Next> {
        match order {
            Order::Nothing => {}
            Order::Quit => return Ok(Next::Leave),
            Order::Move(text) => self.take_move(&text)?,
            Order::Help => self.say(&help(self.game.position()))?,
            Order::Hint => self.hint()?,
            Order::Undo => self.undo()?,
            Order::Moves => self.list_moves()?,
            // Drawn before the next question.
            Order::Board => self.drawn = false,
            Order::Position => self.say(&self.game.position().write_position())?,
            Order::Switch => self.switch()?,
            Order::Save(name) => self.save(Path::new(&name))?,
            Order::New => {
                self.game = self.beginning.clone();
                self.engine.new_game();
                (self.resigned, self.saved, self.drawn) = (None, None, false);
                if let Some((_, draws)) = &mut self.held_back {
                    *draws = seed();
                }
            }
            Order::Resign if self.is_over() => self.say("The game is over already.")?,
            Order::Resign => {
                self.resigned = Some(self.person);
                self.say_result()?;
            }
        }
        Ok(Next::Continue)
    }

    fn take_move(&mut self, text: &str) -> anyhow::Result<()> {
        if self.is_over() {
            return self.say("The game is over: 'undo', 'new', 'save FILE' or 'quit'.");
        }
        match self.game.position().read_move(text) {
            Ok(m) => {
                self.announce(m, "")?;
                self.play(m);
                Ok(())
            }
            Err(error) => self.refuse(&error.to_string()),
        }
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        if self.is_over() {
            return self.say("The game is over.");
        }
        let thought = self.think()?;
        let Some(m) = thought.answer.best else { return Ok(()) };
        let position = self.game.position();
        let line = wrapped(&numbered(position, &thought.answer.line), 2, screen_width());
        let best = numbered_move(position, m);
        let remark = self.remark(&thought);
        self.say(format!("Hint: {best}  {remark}\n  {line}").trim_end())
    }

    /// Back to the last position in which the person had a choice.
    fn undo(&mut self) -> anyhow::Result<()> {
        let played = self.game.moves().len();
        // Whoever takes back a resignation has not moved since.
        let latest = played + usize::from(self.resigned.is_some());
        let turn = (0..latest).rev().map(|plies| self.game.after_plies(plies)).find(|game| {
            game.position().turn() == self.person && forced_pass(game.position()).is_none()
        });
        match turn {
            None => self.say("There is nothing to take back."),
            Some(game) => {
                let plies = played - game.moves().len();
                self.game = game;
                (self.resigned, self.drawn) = (None, false);
                match plies {
                    0 => self.say("You play on."),
                    1 => self.say("Took back 1 move."),
                    _ => self.say(&format!("Took back {plies} moves.")),
                }
            }
        }
    }

    fn list_moves(&mut self) -> anyhow::Result<()> {
        let position = self.game.position();
        let mut moves = Vec::new();
        position.each_move(|m| moves.push(position.describe_move(m)));
        moves.sort();
        match moves.is_empty() {
            true => self.say("There are no legal moves."),
            false => self.say(&format!("  {}", wrapped(&moves, 2, screen_width()).trim_end())),
        }
    }

    fn switch(&mut self) -> anyhow::Result<()> {
        if self.is_over() {
            return self.say("The game is over.");
        }
        self.person = self.person.other();
        self.say(&format!("You are {} now.", G::player_name(self.person)))
    }

    fn save(&mut self, path: &Path) -> anyhow::Result<()> {
        let engine = format!("Secateur {}", env!("CARGO_PKG_VERSION"));
        let first = self.person == secateur_search::Player::First;
        let players = if first { [PERSON, &engine] } else { [&engine, PERSON] };
        let sheet = ScoreSheet {
            game: &self.game,
            players,
            verdict: self.verdict(),
            tags: vec![("Event", "Casual game".to_string())],
            comments: &[],
        };
        let saved = G::write_game(&sheet).map_err(Into::into).and_then(|text| {
            // Only what this session has written may be replaced without a question.
            if path.exists() && self.saved.as_deref() != Some(path) {
                anyhow::bail!("{} exists already", path.display());
            }
            whole_file::write(path, |output| Ok(output.write_all(text.as_bytes())?))
        });
        let said = match saved {
            Ok(()) => {
                self.saved = Some(path.to_path_buf());
                format!("Saved to {}.", path.display())
            }
            // The game goes on: nothing is lost but the file.
            Err(error) => format!("Not saved: {error:#}."),
        };
        self.say(&one_line(&said))
    }
}
