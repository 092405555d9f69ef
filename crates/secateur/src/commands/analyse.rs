//! `secateur analyse`: what the engine thinks of a position, as it comes and in the end.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use secateur_games::playable::{GameEngine, Playable};
use secateur_lab::thoughts::{explanation, log_text, tree_json};
use secateur_lab::tree_file::TreeFile;
use secateur_search::alphabeta::choice::SearchForm;
use serde_json::{Value, json};

use crate::analysis::{Analysis, as_json, as_text, header, row};
use crate::games::with_game;
use crate::lines::screen_width;
use crate::options::PositionArguments;
use crate::thinking::{EngineArguments, LimitArguments, Progress, think};

/// Milliseconds, where no limit is given.
const DEFAULT_TIME: i64 = 5_000;

/// Arguments of `analyse`.
#[derive(Debug, Args)]
#[command(mut_arg("movetime", |limit| limit.help("Think for so many milliseconds [default without another limit: 5000]")))]
#[command(after_help = "\
Examples:
  secateur analyse --moves \"1. e4 e5 2. Nf3\"
  secateur analyse \"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\" --depth 8
  secateur analyse \"FEN\" --movetime 2000 --threads 2 --multipv 3 --json
  secateur analyse --game othello --moves \"f5 d6 c3\" --infinite
  secateur analyse \"FEN\" --search bstar --log --explain --tree tree.json

Scores are those of the side to move. Ctrl-C ends the search and shows what is known.")]
pub(super) struct Arguments {
    #[command(flatten)]
    position: PositionArguments,
    /// The position, as an alternative to --fen; quotes are not needed
    #[arg(value_name = "POSITION", conflicts_with = "fen")]
    words: Vec<String>,
    #[command(flatten)]
    limits: LimitArguments,
    /// Think until Ctrl-C
    #[arg(long, conflicts_with_all = ["depth", "nodes", "movetime"])]
    infinite: bool,
    /// How many best lines to show
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: u32,
    #[command(flatten)]
    engine: EngineArguments,
    /// With B*: print how it searched, ten expansions a line
    #[arg(long)]
    log: bool,
    /// With B*: say in words why the move was chosen
    #[arg(long)]
    explain: bool,
    /// With B*: save the record of the search, which `secateur tree` shows
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Something that only B* can give, if it is asked for.
    fn asks_bstar(&self) -> Option<&'static str> {
        let asked =
            [(self.log, "--log"), (self.explain, "--explain"), (self.tree.is_some(), "--tree")];
        asked.into_iter().find_map(|(given, name)| given.then_some(name))
    }
}

pub(super) fn run(mut arguments: Arguments) -> anyhow::Result<()> {
    if !arguments.words.is_empty() {
        arguments.position.fen = Some(arguments.words.join(" "));
    }
    with_game!(arguments.position.game.game, G => analyse::<G>(&arguments))
}

fn analyse<G: Playable>(arguments: &Arguments) -> anyhow::Result<()> {
    let given = arguments.position.read::<G>()?;
    let mut engine = arguments.engine.build::<G>()?;
    if let Some(name) = arguments.asks_bstar()
        && engine.settings().search.form != SearchForm::Bstar
    {
        anyhow::bail!("{name} tells of B*, which --search bstar switches on");
    }
    let default_time = (!arguments.infinite).then_some(DEFAULT_TIME);
    let mut limits = arguments.limits.read(default_time);
    limits.lines = arguments.multipv as usize;
    let (record, position) = (&given.record, given.record.position());
    let width = screen_width();

    if !arguments.json {
        let mut text = position.draw();
        given.notes.iter().for_each(|note| text += &format!("note: {note}\n"));
        text += &match record.describe_ending() {
            Some(ending) => format!("\nover: {ending}\n"),
            None => format!("\n{}", header(position)),
        };
        io::stdout().write_all(text.as_bytes())?;
    }
    let mut analysis = Analysis::new(record, limits.lines);
    if record.ending().is_none() {
        let mut unheard = Ok(());
        let mut report = |progress: &Progress<'_, G::Move>| {
            let news = analysis.take(progress);
            if news && !arguments.json && unheard.is_ok() {
                let text: String =
                    analysis.lines.iter().map(|line| row(position, line, width)).collect();
                unheard = progress.live.around(|| io::stdout().write_all(text.as_bytes()));
                if unheard.is_err() {
                    // The reader went away: nobody waits for the answer.
                    progress.control.stop();
                }
            }
        };
        let thought = think(&mut engine, record, &limits, &mut report);
        unheard?;
        analysis.finish(thought);
    }
    if let (Some(path), Some(thoughts)) = (&arguments.tree, engine.thoughts()) {
        TreeFile::of(position, thoughts.search.history()).save(path)?;
    }
    let text = match arguments.json {
        true => {
            as_json(record, &given.notes, &analysis, told_by_bstar(arguments, position, &engine))
        }
        false if record.ending().is_some() => String::new(),
        false => {
            let mut text = as_text(position, &analysis, width);
            text += &about_bstar(arguments, position, &engine, analysis.elapsed.as_secs_f64());
            text
        }
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// What only B* has to say, for the eye.
fn about_bstar<G: Playable>(
    arguments: &Arguments,
    position: &G,
    engine: &GameEngine<G>,
    seconds: f64,
) -> String {
    let Some(thoughts) = engine.thoughts() else {
        return match arguments.asks_bstar() {
            Some(name) => format!("\nB* did not decide, so {name} has nothing to tell.\n"),
            None => String::new(),
        };
    };
    let mut text = String::new();
    if arguments.log {
        text += &format!("\n{}", log_text(position, thoughts, seconds));
    }
    if arguments.explain {
        text += &format!("\n{}\n", explanation(position, thoughts));
    }
    text
}

/// The same for programs; nothing where alpha-beta decided.
fn told_by_bstar<G: Playable>(
    arguments: &Arguments,
    position: &G,
    engine: &GameEngine<G>,
) -> Vec<(&'static str, Value)> {
    let mut told = Vec::new();
    let Some(thoughts) = engine.thoughts() else { return told };
    if arguments.log {
        told.push(("log", json!(log_text(position, thoughts, 0.0))));
    }
    if arguments.explain {
        told.push(("explanation", json!(explanation(position, thoughts))));
        let (graph, mut path) = (thoughts.search.graph(), vec![thoughts.search.root()]);
        told.push(("tree", tree_json(graph, &mut path, position)));
    }
    told
}
