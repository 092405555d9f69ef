//! `secateur params`: every switch and number, as declared once in the library.

use std::io::{self, Write};

use clap::Args;
use secateur_search::Overlay;
use secateur_search::params::{Spec, Value};
use secateur_search::preset::PRESETS;
use secateur_search::{Kind, Settings};
use serde_json::{Map, json};

use crate::games::with_game;
use crate::options::{GameArguments, SettingsArguments};

/// Arguments of `params`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur params
  secateur params --preset oracle --set clock.soft=70
  secateur params --game othello
  secateur params --json")]
pub(super) struct Arguments {
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
    let overlay = with_game!(arguments.game.game, G => overlay.in_game::<G>());
    let text = if arguments.json { as_json(&overlay) } else { as_text(&overlay) };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn as_text(overlay: &Overlay) -> String {
    let presets: Vec<&str> = PRESETS.iter().map(|preset| preset.name).collect();
    let mut text = format!("preset {} (of {})\n", overlay.preset(), presets.join(", "));
    PRESETS.iter().for_each(|preset| text += &format!("    {:<14}{}\n", preset.name, preset.doc));
    for spec in Settings::specs() {
        let mark = if overlay.is_explicit(spec.name) { " (set)" } else { "" };
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

fn as_json(overlay: &Overlay) -> String {
    let number_or_form = |value: Value| match value {
        Value::Form(form) => json!(form),
        Value::Number(number) => json!(number),
    };
    let parameters: Vec<_> = Settings::specs()
        .map(|spec| {
            let mut object = Map::new();
            object.insert("name".into(), json!(spec.name));
            object.insert("value".into(), number_or_form(value(overlay, spec)));
            object.insert("explicit".into(), json!(overlay.is_explicit(spec.name)));
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
    let all = json!({
        "count": parameters.len(),
        "preset": overlay.preset(),
        "presets": PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>(),
        "parameters": parameters,
    });
    format!("{all:#}\n")
}

fn value(overlay: &Overlay, spec: &Spec) -> Value {
    overlay.in_force().get(spec.name).unwrap_or(spec.kind.default())
}
