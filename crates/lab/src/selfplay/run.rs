//! Many games, written in the order of their numbers.
//!
//! The folder holds `run.toml`, which says how the games are made, and `rows.bin`. Because games
//! are appended in order, a run that was killed goes on after the last whole one, and the file is
//! the same as if nothing had happened, whatever the concurrency.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use secateur_games::packed::Packed;
use secateur_games::playable::{Playable, new_engine, use_weights};
use secateur_search::alphabeta::Control;
use secateur_search::{Evaluator, Overlay, Settings, Weights};
use serde::{Deserialize, Serialize};

use super::rows::{GameRows, Reader, append, header};
use super::{Recipe, game};
use crate::contest::folder::lock;
use crate::progress::Progress;
use crate::{in_order, interrupt, run_file, whole_file};

/// What `run.toml` calls these runs.
const KIND: &str = "selfplay";

/// A small table is cleared fast, and is large enough for so few nodes.
const TABLE_MEBIBYTES: usize = 1;

/// What `run.toml` says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunFile {
    /// Of this file.
    pub format: u32,
    /// `selfplay`.
    pub kind: String,
    /// Of the program.
    pub version: String,
    /// The game.
    pub game: String,
    /// The evaluation that plays, in hexadecimal.
    pub evaluator: String,
    /// Where its weights came from, if not from within the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub eval_file: Option<String>,
    /// The preset of the search.
    pub preset: String,
    /// Explicit settings on top of it.
    pub settings: Vec<String>,
    /// Games wanted in all, if that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u32>,
    /// How games are made.
    pub recipe: Recipe,
}

/// What to do.
pub struct Job<G> {
    /// Where.
    pub folder: PathBuf,
    /// Games wanted in all.
    pub games: u32,
    /// Games at once.
    pub concurrency: NonZeroUsize,
    /// What the engine is set to.
    pub overlay: Overlay,
    /// What it evaluates with.
    pub weights: Weights<G>,
}

/// What a folder holds after a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Games in the file.
    pub games: u32,
    /// Their rows.
    pub positions: u64,
    /// Rows that were left out because the position had come before.
    pub duplicates: u64,
    /// Won, drawn and lost by the side that began.
    pub results: [u32; 3],
    /// Games that this run has added.
    pub new_games: u32,
    /// Rows that this run has added.
    pub new_positions: u64,
}

impl Totals {
    fn count<G>(&mut self, game: &GameRows<G>) {
        self.games += 1;
        self.positions += game.rows.len() as u64;
        self.results[(1 - game.points.signum()) as usize] += 1;
    }
}

/// The file of games in a folder.
pub fn rows_file(folder: &Path) -> PathBuf {
    folder.join("rows.bin")
}

/// What that says.
pub fn read_run(folder: &Path) -> anyhow::Result<RunFile> {
    run_file::read(folder, |text| run_file::parse(text, KIND, "selfplay"))
}

/// Describes a run of this program.
pub fn describe<G: Playable>(
    overlay: &Overlay,
    recipe: &Recipe,
    weights: &Weights<G>,
    eval_file: Option<String>,
) -> RunFile {
    let settings = Settings::specs()
        .filter(|spec| overlay.is_explicit(spec.name))
        .filter_map(|spec| Some(format!("{}={}", spec.name, overlay.in_force().get(spec.name)?)))
        .collect();
    RunFile {
        format: 1,
        kind: KIND.to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        game: G::NAME.to_string(),
        evaluator: format!("{:016x}", G::evaluator(weights).identity()),
        eval_file,
        preset: overlay.preset().to_string(),
        settings,
        games: None,
        recipe: recipe.clone(),
    }
}

/// Begins a run in an empty folder.
pub fn begin<G: Playable + Packed>(folder: &Path, run: &RunFile) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    if run_file::is_begun(folder) {
        bail!("{} holds a run already; go on with --resume", folder.display());
    }
    let rows = rows_file(folder);
    whole_file::write(&rows, |output| Ok(output.write_all(header::<G>().as_bytes())?))?;
    run_file::write(folder, run)
}

/// Plays what is missing.
pub fn go_on<G: Playable + Packed>(job: &Job<G>) -> anyhow::Result<Totals> {
    let run = read_run(&job.folder)?;
    let ours = describe::<G>(&job.overlay, &run.recipe, &job.weights, run.eval_file.clone());
    if (&run.kind, &run.game) != (&ours.kind, &ours.game) {
        bail!("{} is a run of {} {}", job.folder.display(), run.game, run.kind);
    }
    if (&run.evaluator, &run.preset, &run.settings)
        != (&ours.evaluator, &ours.preset, &ours.settings)
    {
        bail!("{} was begun with another evaluation or setting", job.folder.display());
    }
    let (mut totals, mut seen, mut output) = open::<G>(&rows_file(&job.folder))?;
    if run.games != Some(job.games) {
        run_file::write(&job.folder, &RunFile { games: Some(job.games), ..run.clone() })?;
    }
    let done = totals.games;
    if done >= job.games {
        return Ok(totals);
    }
    let control = Arc::new(Control::default());
    interrupt::stops(&control);
    let progress = Progress::new((job.games - done) as usize, "games");
    let settings = job.overlay.served_by::<G>()?;
    let equip = || {
        let mut engine = new_engine::<G>();
        engine.set_settings(settings.clone());
        use_weights(&mut engine, &job.weights);
        let _ = engine.set_table(TABLE_MEBIBYTES);
        engine
    };
    equip().check_cuts()?;
    equip().check_ranks()?;
    equip().check_reductions()?;
    equip().check_odds()?;
    let recipe = &run.recipe;
    let mut failed = None;
    in_order::run(
        job.concurrency,
        (job.games - done) as usize,
        equip,
        |engine, index| game::play::<G>(engine, recipe, done + index as u32, &control),
        |played: Option<GameRows<G>>| {
            let Some(mut game) = played else { return ControlFlow::Break(()) };
            let before = game.rows.len();
            game.rows.retain(|row| seen.insert(row.position.key()));
            totals.duplicates += (before - game.rows.len()) as u64;
            if let Err(error) = append(&mut output, &game) {
                failed = Some(error);
                return ControlFlow::Break(());
            }
            totals.count(&game);
            totals.new_games += 1;
            totals.new_positions += game.rows.len() as u64;
            progress.advance();
            ControlFlow::Continue(())
        },
    )?;
    progress.finish();
    interrupt::ends();
    match failed {
        Some(error) => Err(error).with_context(|| format!("{}", rows_file(&job.folder).display())),
        None => Ok(totals),
    }
}

/// What the file holds, the keys of its positions, and the file ready to be appended to. A torn
/// record at its end is cut off.
fn open<G: Playable + Packed>(path: &Path) -> anyhow::Result<(Totals, HashSet<u64>, File)> {
    let named = || format!("{}", path.display());
    let mut output = OpenOptions::new().append(true).open(path).with_context(named)?;
    if !lock(&output) {
        bail!("{} is being written by another run", path.display());
    }
    let file = File::open(path).with_context(named)?;
    let mut reader = Reader::<G, _>::new(BufReader::new(file)).with_context(named)?;
    let (mut totals, mut seen) = (Totals::default(), HashSet::new());
    for game in reader.by_ref() {
        let game = game.with_context(named)?;
        totals.count(&game);
        seen.extend(game.rows.iter().map(|row| row.position.key()));
    }
    if reader.is_torn() {
        output.set_len(reader.whole()).with_context(named)?;
    }
    output.flush().with_context(named)?;
    Ok((totals, seen, output))
}

/// All games of a folder.
pub fn read_games<G: Playable + Packed>(folder: &Path) -> anyhow::Result<Vec<GameRows<G>>> {
    let path = rows_file(folder);
    let named = || format!("{}", path.display());
    let file = File::open(&path).with_context(named)?;
    let reader = Reader::<G, _>::new(BufReader::new(file)).with_context(named)?;
    reader.map(|game| game.with_context(named)).collect()
}
