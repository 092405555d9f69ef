//! What is in force: a preset overlaid by explicit settings.
//!
//! Choosing another preset keeps the explicit settings on top. Whoever sets a parameter by name
//! means that parameter, whichever order the settings arrive in.

use crate::params::{SetError, Spec};
use crate::preset::{PRESETS, Preset, PresetError};
use crate::{Ability, Kind, Notation, Settings, Tactics};

/// A preset and the explicit settings on top of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overlay {
    preset: &'static str,
    /// [`Tactics::TUNED`] of the game, once that is known.
    tuned: &'static [(&'static str, &'static str)],
    explicit: Vec<(&'static str, String)>,
    in_force: Settings,
}

impl Default for Overlay {
    fn default() -> Overlay {
        Overlay {
            preset: PRESETS[0].name,
            tuned: &[],
            explicit: Vec::new(),
            in_force: Settings::default(),
        }
    }
}

/// A technique that was asked for by name in a game that cannot serve it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{technique} needs {lacking}, which {game} lacks")]
pub struct Unserved {
    /// Its switch.
    pub technique: &'static str,
    /// What it needs and does not get.
    pub lacking: Ability,
    /// The game.
    pub game: &'static str,
}

impl Overlay {
    /// Everything in force in a game. What the preset switches on and the game
    /// cannot serve is off; what was switched on by name is an error.
    pub fn served_by<G: Tactics + Notation>(&self) -> Result<Settings, Unserved> {
        let here = self.in_game::<G>();
        for (technique, lacking) in here.in_force.unserved(G::ABILITIES) {
            if self.is_explicit(technique) {
                return Err(Unserved { technique, lacking, game: G::NAME });
            }
        }
        Ok(here.in_force.served_by(G::ABILITIES))
    }

    /// The same in a game, which may have values of its own below the explicit ones.
    pub fn in_game<G: Tactics>(&self) -> Overlay {
        let mut here = Overlay { tuned: G::TUNED, ..self.clone() };
        // It was chosen before, and the contract of every game reads what is tuned.
        here.choose(self.preset).expect("a known preset");
        here
    }

    /// The name of the preset below.
    pub fn preset(&self) -> &'static str {
        self.preset
    }

    /// Every parameter with its value now.
    pub fn in_force(&self) -> &Settings {
        &self.in_force
    }

    /// Whether the parameter was set by name.
    pub fn is_explicit(&self, name: &str) -> bool {
        self.explicit.iter().any(|(set, _)| *set == name)
    }

    /// Lays the explicit settings over another preset. On an error nothing changes.
    pub fn choose(&mut self, preset: &str) -> Result<(), PresetError> {
        let unknown = || PresetError::Unknown { name: preset.to_string() };
        let chosen = Preset::named(preset).ok_or_else(unknown)?;
        let (name, mut in_force) = (chosen.name, chosen.tuned(self.tuned)?);
        for (parameter, value) in &self.explicit {
            in_force.set(parameter, value)?;
        }
        (self.preset, self.in_force) = (name, in_force);
        Ok(())
    }

    /// Sets one parameter. Case does not matter. On an error nothing changes.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), SetError> {
        let spec = Settings::specs().find(|spec| spec.name.eq_ignore_ascii_case(name));
        let name = spec.map_or(name, |spec| spec.name);
        let value = spec.map_or(value, |spec| spelled_as_declared(spec, value));
        self.in_force.set(name, value)?;
        if let Some(spec) = spec {
            self.explicit.retain(|(set, _)| *set != spec.name);
            self.explicit.push((spec.name, value.to_string()));
        }
        Ok(())
    }
}

/// The form of a switch as declared if `value` differs from it only in case; else `value`.
fn spelled_as_declared<'a>(spec: &Spec, value: &'a str) -> &'a str {
    match spec.kind {
        Kind::Switch { forms, .. } => {
            forms.iter().find(|form| form.eq_ignore_ascii_case(value)).map_or(value, |form| *form)
        }
        Kind::Number { .. } => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(overlay: &Overlay, name: &str) -> String {
        overlay.in_force().get(name).unwrap().to_string()
    }

    #[test]
    fn explicit_settings_stay_on_top_of_a_later_preset() {
        let mut overlay = Overlay::default();
        overlay.set("Clock.Soft", "70").unwrap();
        overlay.choose("ORACLE").unwrap();
        assert_eq!(
            (value(&overlay, "table"), value(&overlay, "clock.soft")),
            ("equal".into(), "70".into())
        );
        overlay.set("table", "Deeper").unwrap();
        overlay.choose("oracle").unwrap();
        assert_eq!(value(&overlay, "table"), "deeper");
        assert!(overlay.is_explicit("table"));
    }

    #[test]
    fn a_refused_setting_changes_nothing() {
        let before = Overlay::default();
        let mut overlay = before.clone();
        assert!(overlay.set("clock.soft", "-3").is_err());
        assert!(overlay.set("clock.speed", "3").is_err());
        assert!(overlay.set("", "").is_err());
        assert!(overlay.choose("none").is_err());
        assert_eq!(overlay, before);
    }
}
