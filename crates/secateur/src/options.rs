//! Arguments that several commands share, so that they mean the same everywhere.

use std::sync::Arc;

use anyhow::{Context, anyhow};
use clap::Args;
use clap::builder::PossibleValuesParser;
use secateur_games::playable::Playable;
use secateur_games::record::Record;
use secateur_lab::{cuts_file, odds_file, ranks_file, reductions_file};
use secateur_search::alphabeta::engine::Engine;
use secateur_search::bstar::OddsTable;
use secateur_search::calibrate::cuts::Cuts;
use secateur_search::calibrate::ranks::Ranks;
use secateur_search::calibrate::reductions::Reductions;
use secateur_search::observe::Observer;
use secateur_search::preset::PRESETS;
use secateur_search::{Evaluator, Overlay, Solver};

use crate::games::GameName;

/// The deepest count of leaves that is begun. None so deep ends in chess, but the recursion is
/// safe, and a whole game of Othello fits.
pub const DEEPEST_COUNT: u32 = 100;

/// Which game.
#[derive(Clone, Debug, Args)]
pub struct GameArguments {
    /// The game
    #[arg(long, value_enum, default_value_t, value_name = "GAME")]
    pub game: GameName,
}

/// A position of a game, and moves played from it.
#[derive(Clone, Debug, Args)]
pub struct PositionArguments {
    #[command(flatten)]
    #[allow(missing_docs)]
    pub game: GameArguments,
    /// The position instead of the usual start: a FEN in chess, a board string in Othello
    // A board of Othello may begin with an empty square, which is written as a hyphen.
    #[arg(long, visible_alias = "position", value_name = "TEXT", allow_hyphen_values = true)]
    pub fen: Option<String>,
    /// Moves to play from there, as `e4 e5 Nf3` or `e2e4 e7e5 g1f3`; move numbers are skipped
    #[arg(long, value_name = "MOVES")]
    pub moves: Option<String>,
}

/// A position as given, and what had to be mended to read it.
pub struct Given<G: Playable> {
    /// The game so far.
    pub record: Record<G>,
    /// One sentence for each thing that was dropped.
    pub notes: Vec<String>,
}

impl PositionArguments {
    /// The position that the arguments describe.
    pub fn read<G: Playable>(&self) -> anyhow::Result<Given<G>> {
        let (position, notes) = match self.fen.as_deref().map(str::trim) {
            None | Some("startpos") => (G::start(), Vec::new()),
            Some(text) => G::read_with_notes(text).context("position")?,
        };
        let mut record = Record::starting_at(position);
        let moves = self.moves.as_deref().unwrap_or_default();
        record.play_all(without_numbers(moves)).context("--moves")?;
        Ok(Given { record, notes })
    }
}

/// The words of a list of moves, without move numbers such as `12.` and `12...`.
pub(crate) fn without_numbers(moves: &str) -> impl Iterator<Item = &str> {
    moves
        .split_whitespace()
        .map(|word| {
            let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
            // Castling written with zeros begins with a digit too, but no point follows.
            if rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
        })
        .filter(|word| !word.is_empty())
}

/// What is in force.
#[derive(Clone, Debug, Args)]
pub struct SettingsArguments {
    /// The preset to begin with; `secateur params` lists what it sets
    #[arg(long, value_name = "NAME", ignore_case = true, value_parser = preset_names())]
    pub preset: Option<String>,
    /// Sets one switch or parameter on top of the preset; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Which search decides, as `--set search=` does: alphabeta or bstar
    #[arg(long, value_name = "SEARCH", ignore_case = true, value_parser = ["alphabeta", "bstar"])]
    pub search: Option<String>,
}

/// Which tables of probabilistic cuts, ranks, reductions and probabilities.
#[derive(Clone, Debug, Args)]
pub struct CutsArguments {
    /// Another table of probabilistic cuts: a file that `calibrate probcut` wrote
    #[arg(long, value_name = "FILE")]
    pub cuts_file: Option<String>,
    /// Another table of ranks: a file that `calibrate rankcut` wrote
    #[arg(long, value_name = "FILE")]
    pub ranks_file: Option<String>,
    /// Another table of reductions: a file that `calibrate reductions` wrote
    #[arg(long, value_name = "FILE")]
    pub reductions_file: Option<String>,
    /// Another table of probabilities for B*: a file that `calibrate bstar` wrote
    #[arg(long, value_name = "FILE")]
    pub odds_file: Option<String>,
}

impl CutsArguments {
    /// The table of cuts, if one is given.
    pub fn read<G: Playable>(&self) -> anyhow::Result<Option<Cuts>> {
        let path = self.cuts_file.as_deref().unwrap_or_default();
        cuts_file::load::<G>(path).context("--cuts-file")
    }

    /// The table of ranks, if one is given.
    pub fn read_ranks<G: Playable>(&self) -> anyhow::Result<Option<Arc<Ranks>>> {
        let path = self.ranks_file.as_deref().unwrap_or_default();
        ranks_file::load::<G>(path).context("--ranks-file")
    }

    /// The table of reductions, if one is given.
    pub fn read_reductions<G: Playable>(&self) -> anyhow::Result<Option<Arc<Reductions>>> {
        let path = self.reductions_file.as_deref().unwrap_or_default();
        reductions_file::load::<G>(path).context("--reductions-file")
    }

    /// The table of probabilities, if one is given.
    pub fn read_odds<G: Playable>(&self) -> anyhow::Result<Option<Arc<OddsTable>>> {
        let path = self.odds_file.as_deref().unwrap_or_default();
        odds_file::load::<G>(path).context("--odds-file")
    }

    /// Gives the engine the tables, and sees whether it has what its settings and evaluation want.
    pub fn give<G: Playable, E: Evaluator<G>, S: Solver<G>, O: Observer>(
        &self,
        engine: &mut Engine<G, E, S, O>,
    ) -> anyhow::Result<()> {
        if let Some(cuts) = self.read::<G>()? {
            engine.set_cuts(&cuts);
        }
        if let Some(ranks) = self.read_ranks::<G>()? {
            engine.set_ranks(ranks);
        }
        if let Some(reductions) = self.read_reductions::<G>()? {
            engine.set_reductions(reductions);
        }
        if let Some(odds) = self.read_odds::<G>()? {
            engine.set_odds(odds);
        }
        engine.check_odds()?;
        engine.check_reductions()?;
        engine.check_ranks()?;
        Ok(engine.check_cuts()?)
    }
}

/// Known to the argument parser, so that help lists them and shells complete them.
fn preset_names() -> PossibleValuesParser {
    PossibleValuesParser::new(PRESETS.iter().map(|preset| preset.name))
}

impl SettingsArguments {
    /// The preset overlaid by the explicit settings.
    pub fn read(&self) -> anyhow::Result<Overlay> {
        let mut overlay = Overlay::default();
        if let Some(preset) = &self.preset {
            overlay.choose(preset).context("--preset")?;
        }
        for setting in &self.set {
            let (name, value) = setting
                .split_once('=')
                .ok_or_else(|| anyhow!("--set needs name=value, not '{setting}'"))?;
            overlay.set(name.trim(), value.trim()).context("--set")?;
        }
        if let Some(search) = &self.search {
            overlay.set("search", search).context("--search")?;
        }
        Ok(overlay)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_numbers_are_skipped_and_castling_is_not() {
        let words: Vec<&str> = without_numbers("1. e4 1... e5 2.Nf3 0-0 0-0-0").collect();
        assert_eq!(words, ["e4", "e5", "Nf3", "0-0", "0-0-0"]);
    }
}
