//! `secateur params`: every switch and number, as declared once in the library.

use std::io::{self, Write};

use anyhow::bail;
use clap::Args;
use secateur_games::playable::Playable;
use secateur_search::calibrate::cuts::{Cuts, evaluation_name};
use secateur_search::params::{Spec, Value};
use secateur_search::preset::PRESETS;
use secateur_search::{Ability, Evaluator, Kind, Notation, Overlay, Settings, Tactics};
use serde_json::{Map, json};

use crate::games::with_game;
use crate::options::{GameArguments, SettingsArguments};

/// Arguments of `params`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur params
  secateur params null_move late_moves            only these techniques
  secateur params --preset oracle --set clock.soft=70
  secateur params --game othello
  secateur params --json")]
pub(super) struct Arguments {
    /// Only parameters whose names begin so, as `null_move` or `clock.soft` [default: all]
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    settings: SettingsArguments,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let overlay = arguments.settings.read()?;
    let shown = with_game!(arguments.game.game, G => {
        let overlay = overlay.in_game::<G>();
        let unserved = overlay.in_force().unserved(G::ABILITIES);
        let (specs, tables) = (chosen(&arguments.names)?, tables::<G>());
        Shown { specs, overlay, game: G::NAME, unserved, tables }
    });
    let text = if arguments.json { as_json(&shown) } else { as_text(&shown) };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// What is told.
struct Shown {
    specs: Vec<&'static Spec>,
    overlay: Overlay,
    game: &'static str,
    /// What is on but off in this game, with what it lacks.
    unserved: Vec<(&'static str, Ability)>,
    tables: Vec<Table>,
}

impl Shown {
    fn lacking(&self, spec: &Spec) -> Option<Ability> {
        self.unserved.iter().find(|(name, _)| *name == spec.name).map(|(_, lacking)| *lacking)
    }
}

/// The parameters whose names begin with one of these.
fn chosen(names: &[String]) -> anyhow::Result<Vec<&'static Spec>> {
    let begins = |spec: &Spec, name: &String| {
        spec.name.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name))
    };
    if let Some(name) = names.iter().find(|name| !Settings::specs().any(|spec| begins(spec, name)))
    {
        bail!("no parameter begins with '{name}'; `secateur params` lists them all");
    }
    let wanted = |spec: &&Spec| names.is_empty() || names.iter().any(|name| begins(spec, name));
    Ok(Settings::specs().filter(wanted).collect())
}

/// A table of cuts that comes with the program.
struct Table {
    cuts: Cuts,
    /// Whether it was fitted to the weights that come with it.
    fits: bool,
}

fn tables<G: Playable>() -> Vec<Table> {
    let evaluation = evaluation_name(G::evaluator(G::embedded_weights()).identity());
    let read = G::CUTS.iter().filter_map(|text| Cuts::parse(text).ok());
    read.map(|cuts| Table { fits: cuts.evaluation == evaluation, cuts }).collect()
}

impl Table {
    /// What it has, in words.
    fn parts(&self) -> String {
        let cuts = &self.cuts;
        let parts = [
            (!cuts.pairs.is_empty()).then(|| format!("{} pairs", cuts.pairs.len())),
            cuts.function.as_ref().map(|_| "a function of all pairs".to_string()),
            cuts.guess.as_ref().map(|_| "guesses".to_string()),
            cuts.unrest.as_ref().map(|_| "unrest".to_string()),
            cuts.end.as_ref().map(|_| "the end of the game".to_string()),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

fn as_text(shown: &Shown) -> String {
    let overlay = &shown.overlay;
    let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let mut text = format!("preset {} (of {})\n", overlay.preset(), presets.join(", "));
    // Who asks for some knows the rest.
    let all = shown.specs.len() == Settings::specs().count();
    PRESETS
        .iter()
        .filter(|_| all)
        .for_each(|preset| text += &format!("    {:<14}{}\n", preset.name, preset.doc));
    let tables: &[Table] = if all { &shown.tables } else { &[] };
    if !tables.is_empty() {
        text += "\ntables of cuts that come with the program (probcut_host says which is used)\n";
    }
    for table in tables {
        let mark =
            if table.fits { "" } else { " (for other weights than those that come with it)" };
        text += &format!("    {:<14}{}{mark}\n", table.cuts.preset(), table.parts());
        text += &format!("    {:<14}{}\n", "", table.cuts.made_by);
    }
    for spec in &shown.specs {
        let mut mark = if overlay.is_explicit(spec.name) { " (set)" } else { "" }.to_string();
        if let Some(lacking) = shown.lacking(spec) {
            mark += &format!(" (off here: it needs {lacking}, which {} lacks)", shown.game);
        }
        text += &format!("\n{} = {}{mark}\n", spec.name, value(overlay, spec));
        text += &format!("    {}\n", spec.doc.trim());
        text += &match spec.kind {
            Kind::Switch { default, forms } => {
                format!("    one of {}; default {default}\n", forms.join(", "))
            }
            Kind::Number { default, min, max, step } => {
                format!("    {min} to {max}, step {step}; default {default}\n")
            }
        };
    }
    text
}

fn as_json(shown: &Shown) -> String {
    let overlay = &shown.overlay;
    let number_or_form = |value: Value| match value {
        Value::Form(form) => json!(form),
        Value::Number(number) => json!(number),
    };
    let parameters: Vec<_> = shown
        .specs
        .iter()
        .map(|spec| {
            let mut object = Map::new();
            object.insert("name".into(), json!(spec.name));
            object.insert("value".into(), number_or_form(value(overlay, spec)));
            object.insert("explicit".into(), json!(overlay.is_explicit(spec.name)));
            if let Some(lacking) = shown.lacking(spec) {
                object.insert("lacking".into(), json!(lacking.to_string()));
            }
            object.insert("default".into(), number_or_form(spec.kind.default()));
            match spec.kind {
                Kind::Switch { forms, .. } => {
                    object.insert("forms".into(), json!(forms));
                }
                Kind::Number { min, max, step, .. } => {
                    object.insert("min".into(), json!(min));
                    object.insert("max".into(), json!(max));
                    object.insert("step".into(), json!(step));
                }
            }
            object.insert("doc".into(), json!(spec.doc.trim()));
            object
        })
        .collect();
    let tables: Vec<_> = shown
        .tables
        .iter()
        .map(|Table { cuts, fits }| {
            json!({
                "preset": cuts.preset(),
                "evaluation": cuts.evaluation,
                "fits": fits,
                "pairs": cuts.pairs.len(),
                "made_by": cuts.made_by,
            })
        })
        .collect();
    let all = json!({
        "count": parameters.len(),
        "preset": overlay.preset(),
        "presets": PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>(),
        "cuts": tables,
        "parameters": parameters,
    });
    format!("{all:#}\n")
}

fn value(overlay: &Overlay, spec: &Spec) -> Value {
    overlay.in_force().get(spec.name).unwrap_or(spec.kind.default())
}
