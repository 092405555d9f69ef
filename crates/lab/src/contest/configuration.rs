//! What was asked for, as `run.toml` keeps it, so that a run can go on without being told again.

use std::path::PathBuf;
use std::time::Duration;

use secateur_games::playable::Playable;
use serde::{Deserialize, Serialize};

use super::adjudicate::{DrawRule, ResignRule, Rules};
use crate::engine::{GivenLimits, LimitError, TimeControl};
use crate::statistics::sprt::{Model, Sprt, SprtError};

/// Everything that decides which games are played and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Configuration {
    /// The engines, in the words of the user.
    pub engines: Vec<String>,
    /// What every engine is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<String>,
    /// A clock for every engine that has no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<String>,
    /// Nodes for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Plies for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Milliseconds for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// A file of openings instead of the built-in ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<PathBuf>,
    /// Games of each pairing; no end without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// Only the first engine meets the others.
    #[serde(default)]
    pub gauntlet: bool,
    /// The order of the openings.
    pub seed: u64,
    /// Games at once.
    pub concurrency: usize,
    /// Milliseconds that are forgiven on each move.
    pub margin: u64,
    /// Seconds after which an engine without a clock is given up.
    pub patience: u64,
    /// Whether more threads than cores were allowed.
    #[serde(default)]
    pub force: bool,
    /// When to stop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtGiven>,
    /// When games are ended early.
    #[serde(default)]
    pub adjudication: Rules,
    /// Folders of endgame tables that end games as soon as they know the result.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tablebases: Option<String>,
}

/// A sequential test as it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SprtGiven {
    /// The lead that H0 claims.
    pub elo0: f64,
    /// The lead that H1 claims.
    pub elo1: f64,
    /// How often H1 may be accepted wrongly.
    pub alpha: f64,
    /// How often H0 may be accepted wrongly.
    pub beta: f64,
    /// In what the leads are measured.
    pub model: ModelGiven,
}

/// In what the hypotheses of a test are measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelGiven {
    /// Normalised Elo.
    #[default]
    Normalized,
    /// Elo as usual.
    Logistic,
}

impl ModelGiven {
    /// What its Elo is called.
    pub fn unit(self) -> &'static str {
        match self {
            ModelGiven::Normalized => "nElo",
            ModelGiven::Logistic => "Elo",
        }
    }
}

impl SprtGiven {
    /// Reads `elo0=0,elo1=5`, perhaps with `alpha=` and `beta=`.
    pub fn parse(text: &str, model: ModelGiven) -> Result<SprtGiven, String> {
        const FORM: &str = "a test is written elo0=0,elo1=5 and may have alpha=0.05,beta=0.05";
        let [mut elo0, mut elo1, mut alpha, mut beta] = [None; 4];
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or(FORM)?;
            let slot = match key.trim() {
                "elo0" => &mut elo0,
                "elo1" => &mut elo1,
                "alpha" => &mut alpha,
                "beta" => &mut beta,
                other => return Err(format!("'{other}' is unknown; {FORM}")),
            };
            let number = value.trim().parse::<f64>();
            let number = number.map_err(|_| format!("{key}: '{value}' is not a number"))?;
            if slot.replace(number).is_some() {
                return Err(format!("{key} is given twice"));
            }
        }
        let (Some(elo0), Some(elo1)) = (elo0, elo1) else { return Err(FORM.to_string()) };
        let (alpha, beta) = (alpha.unwrap_or(0.05), beta.unwrap_or(0.05));
        let given = SprtGiven { elo0, elo1, alpha, beta, model };
        given.test().map_err(|error| error.to_string())?;
        Ok(given)
    }

    /// The test.
    pub fn test(&self) -> Result<Sprt, SprtError> {
        let model = match self.model {
            ModelGiven::Normalized => Model::Normalized,
            ModelGiven::Logistic => Model::Logistic,
        };
        Sprt::new(self.elo0, self.elo1, self.alpha, self.beta, model)
    }
}

impl Configuration {
    /// Engines under the usual conditions of the laboratory, without a limit yet: built-in openings, one
    /// game at a time, and games ended early where nothing but the result counts.
    pub fn between<G: Playable>(engines: Vec<String>) -> Configuration {
        let adjudication = match G::COUNTS_POINTS {
            true => Rules::default(),
            false => Rules {
                draw: Some(DrawRule { after: 40, score: 10, moves: 8 }),
                resign: Some(ResignRule { score: 800, moves: 3 }),
                max_moves: Some(200),
            },
        };
        Configuration {
            engines,
            each: None,
            tc: None,
            nodes: None,
            depth: None,
            movetime: None,
            openings: None,
            games: None,
            gauntlet: false,
            seed: 1,
            concurrency: 1,
            margin: 10,
            patience: 600,
            // At fixed nodes too few processors only take longer; with a clock the run itself sees to
            // it that there are enough.
            force: true,
            sprt: None,
            adjudication,
            tablebases: None,
        }
    }

    /// The limits for every engine that has no others.
    pub fn limits(&self) -> Result<GivenLimits, LimitError> {
        let none = |number: u64| match number {
            0 => Err(LimitError::Count(number.to_string())),
            number => Ok(number),
        };
        Ok(GivenLimits {
            clock: self.tc.as_deref().map(TimeControl::parse).transpose()?,
            move_time: self.movetime.map(none).transpose()?.map(Duration::from_millis),
            nodes: self.nodes.map(none).transpose()?,
            depth: self.depth.map(|depth| none(depth.into()).map(|_| depth)).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_read_and_what_is_none_is_refused() {
        let read = |text: &str| SprtGiven::parse(text, ModelGiven::Logistic);
        let given = read("elo0=-1.5, elo1=5,beta=0.1").unwrap();
        assert_eq!((given.elo0, given.elo1, given.alpha, given.beta), (-1.5, 5.0, 0.05, 0.1));
        for odd in ["", "elo0=0", "elo0=0,elo1=x", "elo0=0,elo1=5,gamma=1", "elo0=5,elo1=0"] {
            assert!(read(odd).is_err(), "{odd}");
        }
        assert!(read("elo0=0,elo0=1,elo1=5").unwrap_err().contains("twice"));
        assert!(read("elo0=0,elo1=5,alpha=0.7").is_err());
    }
}
