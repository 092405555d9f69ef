//! Suites as they are read.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use secateur_games::problem::{Problem, ProblemFiles};
use secateur_games::source;

use crate::binary_hash;

/// A file of problems.
#[derive(Clone, Debug)]
pub struct Suite<G: ProblemFiles> {
    /// What it is called: the file's name without its endings, told apart from the others.
    pub name: String,
    /// The file.
    pub file: PathBuf,
    /// The hash of its text, so that a run is not gone on with on another.
    pub hash: String,
    /// In the order of the file.
    pub problems: Vec<Problem<G>>,
}

impl<G: ProblemFiles> Suite<G> {
    /// What the problem is called, with a name made up if the file has none.
    pub fn id(&self, index: usize) -> String {
        let known = self.problems[index].id.clone();
        known.unwrap_or_else(|| format!("{}:{}", self.name, index + 1))
    }
}

/// Reads every file. A broken line is an error that names file and line, or is left out with a
/// note if `skip_broken`. `note` is told what else is worth knowing.
pub fn read<G: ProblemFiles>(
    files: &[PathBuf],
    skip_broken: bool,
    note: &mut dyn FnMut(String),
) -> anyhow::Result<Vec<Suite<G>>> {
    let mut suites: Vec<Suite<G>> = Vec::new();
    for file in files {
        // The message of a source error names its cause already.
        let text = source::read_text(file).map_err(|error| anyhow!("{error}"))?;
        let (mut problems, mut broken) = (Vec::new(), Vec::new());
        for read in G::read_problems(&text) {
            match read {
                Ok(problem) => problems.push(problem),
                Err(error) if skip_broken => broken.push(error),
                Err(error) => bail!("{}: {error}", file.display()),
            }
        }
        if let Some(first) = broken.first() {
            let lines = if broken.len() == 1 { "line" } else { "lines" };
            let path = file.display();
            note(format!("{path}: {} broken {lines} left out; {first}", broken.len()));
        }
        if problems.is_empty() {
            bail!("{} holds no problem", file.display());
        }
        for problem in &problems {
            for mended in &problem.notes {
                note(format!("{}: line {}: {mended}", file.display(), problem.line));
            }
        }
        let taken: Vec<&str> = suites.iter().map(|suite| suite.name.as_str()).collect();
        let name = distinct(stem(file), &taken);
        let hash = binary_hash::of_bytes(text.as_bytes());
        suites.push(Suite { name, file: file.clone(), hash, problems });
    }
    Ok(suites)
}

/// `wac` for `wac.epd` and for `wac.epd.zip`.
fn stem(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
    let cut = |name: &str| name.rsplit_once('.').map(|(stem, _)| stem.to_string());
    let unzipped = name.strip_suffix(".zip").unwrap_or(&name);
    cut(unzipped).filter(|stem| !stem.is_empty()).unwrap_or_else(|| unzipped.to_string())
}

fn distinct(name: String, taken: &[&str]) -> String {
    let free = |name: &String| !taken.contains(&name.as_str());
    let mut names = std::iter::once(name.clone()).chain((2..).map(|n| format!("{name}#{n}")));
    names.find(free).unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_is_called_after_its_file() {
        let names = ["a/wac.epd", "wac.epd.zip", "wac.zip", "noend", ".hidden", "lct.2.epd"];
        let stems = names.map(|name| stem(Path::new(name)));
        assert_eq!(stems, ["wac", "wac", "wac", "noend", ".hidden", "lct.2"]);
        assert_eq!(distinct("wac".into(), &["wac", "wac#2"]), "wac#3");
    }
}
