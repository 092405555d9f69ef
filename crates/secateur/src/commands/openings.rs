//! `secateur openings`: makes openings for matches by our own engine, or looks at a file of them.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use secateur_games::opening::Form;
use secateur_games::playable::Playable;
use secateur_lab::openings::generate::FEWEST_NODES;
use secateur_lab::openings::{
    self, GenerateError, Generated, Leads, Opening, Recipe, Set, Survey, Wanted,
};
use secateur_lab::progress::Progress;
use secateur_lab::whole_file;

use crate::failure::CheckFailed;
use crate::games::with_game;
use crate::options::GameArguments;

/// Arguments of `openings`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur openings --count 1000 --out balanced.epd
  secateur openings --count 1000 --unbalanced 60..120 --set develop --as moves
  secateur openings --game othello --count 500 --plies 10
  secateur openings --check book.epd.zip --nodes 5000 --concurrency 2
  secateur openings --check built-in

Every move is drawn at random from those that, by a short search, give away no more than the largest
lead asked for (half of it with --unbalanced, so that no single blunder does it); a search of --nodes then decides about the position. No two positions are the same,
mirror images included, none is a check. The same seed gives the same openings with any concurrency,
as long as the engine is the same; a longer list begins with the shorter one. The sets tune, develop
and final never have a position in common. Ends early without a file if interrupted.")]
pub(super) struct Arguments {
    #[command(flatten)]
    game: GameArguments,
    /// How many openings
    #[arg(long, value_name = "N", default_value = "100")]
    count: NonZeroUsize,
    /// After how many plies from the usual start
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=60))]
    plies: u8,
    /// Either side may lead, by so many hundredths; in chess 0..40 if nothing is said, in Othello
    /// 0..400
    #[arg(long, value_name = "LOW..HIGH", conflicts_with = "unbalanced", value_parser = read_balance)]
    balance: Option<Leads>,
    /// The side that begins (White in chess, Black in Othello) leads by so many hundredths; less
    /// than nothing is a lead of the other side
    #[arg(long, value_name = "LOW..HIGH", allow_hyphen_values = true)]
    unbalanced: Option<Leads>,
    /// Search the final position with so many nodes; with --check nothing is searched by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(FEWEST_NODES..))]
    nodes: Option<u64>,
    /// Other seeds give other openings
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Only openings of one of the sets tune, develop and final
    #[arg(long, value_name = "SET")]
    set: Option<Set>,
    /// How to write them; positions in chess, moves in Othello if nothing is said
    #[arg(long = "as", value_name = "FORM", value_enum)]
    form: Option<FormName>,
    /// Searches at once
    #[arg(long, value_name = "N", default_value = "1")]
    concurrency: NonZeroUsize,
    /// Write to this file instead of the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Make none, but tell what is in this file, or in the set that is `built-in`
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["count", "plies", "balance", "unbalanced", "seed", "set", "form", "out"]
    )]
    check: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FormName {
    /// PGN without tags, or transcripts
    Moves,
    /// EPD with score and name, or boards
    Positions,
}

/// The search of a final position, unless the user says otherwise.
const NODES: u64 = 20_000;

/// The width of the bins in which scores are shown, as a share of a balanced lead.
const BINS: i32 = 2;

fn read_balance(text: &str) -> Result<Leads, String> {
    let leads: Leads = text.parse()?;
    match leads.is_negative() {
        true => Err("a lead of either side is not less than 0".to_string()),
        false => Ok(leads),
    }
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    with_game!(arguments.game.game, G => match &arguments.check {
        Some(file) => check::<G>(arguments, file),
        None => make::<G>(arguments),
    })
}

fn make<G: Playable>(arguments: &Arguments) -> anyhow::Result<()> {
    let wanted = match (arguments.balance, arguments.unbalanced) {
        (Some(leads), _) => Wanted::Balanced(leads),
        (None, Some(leads)) => Wanted::Unbalanced(leads),
        (None, None) => Wanted::Balanced(Leads::up_to(G::BALANCED_WITHIN)),
    };
    let form = match arguments.form {
        Some(FormName::Moves) => Form::Moves,
        Some(FormName::Positions) => Form::Positions,
        None => G::OPENINGS_FORM,
    };
    let recipe = Recipe {
        count: arguments.count.get(),
        plies: arguments.plies.into(),
        wanted,
        nodes: arguments.nodes.unwrap_or(NODES),
        seed: arguments.seed,
        set: arguments.set,
    };
    let progress = Progress::new(recipe.count, "openings");
    let made = openings::generate::<G>(&recipe, arguments.concurrency, &progress);
    progress.finish();
    let made = made.map_err(|error| match error {
        GenerateError::TooFew { .. } => CheckFailed(error.to_string()).into(),
        GenerateError::NoThread(error) => anyhow::Error::from(error),
    })?;
    let text = write(&recipe, form, &made)?;
    match &arguments.out {
        None => io::stdout().write_all(text.as_bytes())?,
        Some(path) => whole_file::write(path, |output| Ok(output.write_all(text.as_bytes())?))?,
    }
    Ok(())
}

fn write<G: Playable>(
    recipe: &Recipe,
    form: Form,
    made: &[Generated<G>],
) -> anyhow::Result<String> {
    let mark = form.comment_mark();
    let form_name = match form {
        Form::Moves => "moves",
        Form::Positions => "positions",
    };
    let mut text = format!(
        "{mark} Made by secateur {} with:\n{mark} {} --as {form_name}\n",
        env!("CARGO_PKG_VERSION"),
        recipe.command::<G>(),
    );
    for Generated { opening, score } in made {
        text += &G::write_opening(&opening.record, form, &opening.name, *score)?;
        text.push('\n');
    }
    Ok(text)
}

fn check<G: Playable>(arguments: &Arguments, file: &Path) -> anyhow::Result<()> {
    let openings: Vec<Opening<G>> = match file.to_str() {
        Some("built-in") => openings::built_in(),
        // The message names its cause already.
        _ => openings::read(file).map_err(|error| anyhow::anyhow!("{error}"))?,
    };
    let progress = Progress::new(openings.len(), "openings");
    let found = openings::survey(&openings, arguments.nodes, arguments.concurrency, &progress)?;
    progress.finish();
    io::stdout().write_all(report::<G>(&found).as_bytes())?;
    Ok(())
}

fn report<G: Playable>(found: &Survey) -> String {
    let share = |count: usize| 100.0 * count as f64 / found.openings.max(1) as f64;
    let first = G::player_name(secateur_search::Player::First);
    let (fewest, most) = found.plies;
    let mut text = format!("openings    {}\n", found.openings);
    let _ = writeln!(text, "duplicates  {} (mirror images count)", found.duplicates);
    let _ = match fewest == most {
        true => writeln!(text, "plies       {fewest}"),
        false => writeln!(text, "plies       {fewest} to {most}"),
    };
    let _ = writeln!(text, "to move     {first} in {:.1} %", share(found.first_to_move));
    let _ = writeln!(text, "in check    {}", found.in_check);
    let sets: Vec<String> =
        Set::ALL.iter().zip(found.sets).map(|(set, count)| format!("{set} {count}")).collect();
    let _ = writeln!(text, "sets        {}", sets.join(", "));
    if let Some(scores) = &found.scores {
        let (mean, spread) = (scores.mean / 100.0, scores.spread / 100.0);
        let _ = writeln!(text, "lead        {first} {mean:+.2} on the average, spread {spread:.2}");
        let step = G::BALANCED_WITHIN / BINS;
        for (low, count) in scores.histogram(step) {
            let (low, high) = (f64::from(low) / 100.0, f64::from(low + step) / 100.0);
            let _ = writeln!(text, "  {low:+6.2} to {high:+6.2}  {:5.1} %", share(count));
        }
        let decided = scores.leads.iter().filter(|lead| lead.is_none()).count();
        let _ = writeln!(text, "decided     {decided}");
    }
    text
}
