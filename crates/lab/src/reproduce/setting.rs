//! Where suites are looked for, how much of them is used, and how engines are asked.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use secateur_games::playable::Playable;
use secateur_games::problem::ProblemFiles;
use secateur_games::source;
use serde::{Deserialize, Serialize};

use crate::contest::{Conducted, Configuration, conduct as conduct_match};
use crate::run_file;
use crate::suite::conduct::{Circumstances, conduct as conduct_suite};
use crate::suite::findings::Findings;
use crate::suite::folder::Order;

/// Folders in which suites are looked for below the one given.
const BELOW: [&str; 4] = ["", "chess/suites", "suites", "chess"];

/// Tactical positions that come with the program, for experiments whose public suite is not at hand.
const BUILT_IN: &str = include_str!("../../suites/tactics.epd");

/// What their file is called.
const BUILT_IN_NAME: &str = "built-in";

/// What a folder holds; `run.toml` keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Begun {
    /// `reproduce`.
    pub kind: String,
    /// The experiment.
    pub id: String,
    /// The game.
    pub game: String,
    /// How much of it.
    pub scale: f64,
    /// Where suites were looked for.
    pub data: PathBuf,
}

/// What `run.toml` calls these runs.
pub const KIND: &str = "reproduce";

impl Begun {
    /// Writes it down in a folder that is new or empty.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        run_file::begin(folder, self)
    }

    /// What a run that was begun there is.
    pub fn read(folder: &Path) -> anyhow::Result<Begun> {
        run_file::read(folder, |text| run_file::parse(text, KIND, "an experiment"))
    }
}

/// A part of a suite.
pub struct Sample {
    /// The file, in the folder of the run.
    pub file: PathBuf,
    /// What it is a part of, in a sentence.
    pub origin: String,
}

/// Everything that an experiment does not decide itself.
pub struct Setting {
    /// 1 for the size of the experiment, less for less of it.
    pub scale: f64,
    /// Where suites are.
    pub data: PathBuf,
    /// The folder of the run.
    pub folder: PathBuf,
    /// Our own program.
    pub ours: PathBuf,
    /// Positions or games at once.
    pub concurrency: usize,
    /// Once it is raised the run ends soon.
    pub interrupt: Arc<AtomicBool>,
}

impl Setting {
    /// So many, scaled, but not fewer than `least`.
    pub fn scaled(&self, many: u64, least: u64) -> u64 {
        ((many as f64 * self.scale).round() as u64).max(least)
    }

    /// The file of a suite; if it is nowhere, where it was looked for.
    pub fn find(&self, name: &str) -> anyhow::Result<PathBuf> {
        let places: Vec<PathBuf> =
            BELOW.iter().map(|below| self.data.join(below).join(name)).collect();
        match places.iter().find(|place| place.is_file()) {
            Some(place) => Ok(place.clone()),
            None => {
                let looked: Vec<String> =
                    places.iter().map(|place| place.display().to_string()).collect();
                bail!(
                    "the public suite {name} is not at hand; looked for {}; --data says where suites \
                     are",
                    looked.join(", ")
                )
            }
        }
    }

    /// A file that is there or is not, in this folder below the one of the data or in that itself.
    pub fn find_below(&self, folder: &str, name: &str) -> Option<PathBuf> {
        let places = [self.data.join(folder).join(name), self.data.join(name)];
        places.into_iter().find(|place| place.is_file())
    }

    /// Somebody has ended it.
    pub fn raise(&self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// A part of a suite, evenly spread, or of the positions that come with the program if it is
    /// nowhere: a file of its own in the folder of the run, so that a run which goes on asks the same.
    pub fn sample(&self, name: &str, many: u64) -> anyhow::Result<Sample> {
        let (text, stem, origin) = match self.find(name) {
            Ok(path) => {
                let stem = Path::new(name).file_stem().unwrap_or_default().to_string_lossy();
                (source::read_text(&path)?, stem.to_string(), name.to_string())
            }
            Err(missing) => {
                let origin = format!("that come with the program ({missing})");
                (BUILT_IN.to_string(), BUILT_IN_NAME.to_string(), origin)
            }
        };
        let built_in = stem == BUILT_IN_NAME;
        let lines: Vec<&str> = text
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
            .collect();
        let many = (many as usize).min(lines.len());
        if many == 0 {
            bail!("there is no position in {origin}");
        }
        let origin = match built_in {
            true => format!("{many} of the {} positions {origin}", lines.len()),
            false => format!("{many} of the {} positions of {origin}", lines.len()),
        };
        let file = self.folder.join(format!("{stem}-{many}.epd"));
        if !file.is_file() {
            let chosen: Vec<&str> =
                (0..many).map(|index| lines[index * lines.len() / many]).collect();
            fs::write(&file, chosen.join("\n") + "\n")
                .with_context(|| format!("{} cannot be written", file.display()))?;
        }
        Ok(Sample { file, origin })
    }

    /// Engines on positions to a depth; `name` is the folder.
    pub fn to_depth<G: ProblemFiles>(
        &self,
        name: &str,
        file: &Path,
        engines: &[String],
        depth: u32,
    ) -> anyhow::Result<Findings> {
        let order = Order { depth: Some(depth), ..self.order::<G>(file, engines) };
        self.suite::<G>(name, &order)
    }

    /// What engines are asked on the positions of a file, without a limit.
    pub fn order<G: ProblemFiles>(&self, file: &Path, engines: &[String]) -> Order {
        Order {
            game: G::NAME.to_string(),
            files: vec![file.to_path_buf()],
            engines: engines.to_vec(),
            skip_broken: true,
            ..Order::default()
        }
    }

    /// A suite in the folder of the run.
    pub fn suite<G: ProblemFiles>(&self, name: &str, order: &Order) -> anyhow::Result<Findings> {
        self.demand_time()?;
        let path = self.folder.join(name);
        let begun = path.join("run.toml").is_file();
        let how = Circumstances {
            concurrency: self.concurrency,
            force: true,
            ours: self.ours.clone(),
            out: (!begun).then(|| path.clone()),
            resume: begun.then_some(path),
            interrupt: Arc::clone(&self.interrupt),
        };
        let findings = conduct_suite::<G>(order, &how, &mut |_| {})?;
        self.demand_time()?;
        Ok(findings)
    }

    /// A match at so many nodes a move in the folder of the run.
    pub fn games<G: Playable>(
        &self,
        name: &str,
        engines: [String; 2],
        games: u64,
    ) -> anyhow::Result<Conducted<G>> {
        self.games_from(name, engines, games, None)
    }

    /// The same from the openings of a file.
    pub fn games_from<G: Playable>(
        &self,
        name: &str,
        engines: [String; 2],
        games: u64,
        openings: Option<&Path>,
    ) -> anyhow::Result<Conducted<G>> {
        self.demand_time()?;
        let configuration = Configuration {
            games: Some(games),
            concurrency: self.concurrency,
            openings: openings.map(Path::to_path_buf),
            ..Configuration::between::<G>(engines.to_vec())
        };
        let played =
            conduct_match::<G>(&self.folder.join(name), configuration, &self.ours, &self.interrupt);
        self.demand_time()?;
        played
    }

    /// An error if somebody has ended it.
    pub fn demand_time(&self) -> anyhow::Result<()> {
        match self.interrupt.load(Ordering::Relaxed) {
            true => bail!("interrupted"),
            false => Ok(()),
        }
    }
}
