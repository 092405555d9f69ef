//! Openings from which nothing was played before: what came out of some games is believed only if it
//! comes out of others too.
//!
//! A design and a tuning begin from every opening that comes with the program, so none of these is
//! fresh. Others are made in the same way from another seed, once for a run, and kept in its folder.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf, absolute};

use anyhow::{Context, bail};
use secateur_games::opening::Form;
use secateur_games::playable::Playable;
use secateur_search::random::SplitMix;

use crate::openings::{self, Leads, Opening, Recipe, Wanted, generate};
use crate::progress::Progress;
use crate::whole_file;

/// The file in the folder of a run.
const FILE: &str = "fresh-openings.txt";
/// Plies of each, as in the built-in ones.
const PLIES: usize = 8;
/// Nodes of the search that finds one balanced. Fewer than for the built-in ones, which are made but
/// once; either side has either colour, so what is a little out of balance harms nobody.
const NODES: u64 = 2_000;
/// One in so many more are made, in place of those that turn out to be built in.
const SPARE: usize = 4;
/// How many there are for a game that has none built in.
const USUAL: usize = 500;

/// How many fresh openings a run has: as many as come with the program.
pub fn count<G: Playable>() -> usize {
    match openings::built_in::<G>().len() {
        0 => USUAL,
        many => many,
    }
}

/// The file of fresh openings in the folder of a run, made if it is not there.
pub fn file<G: Playable>(run: &Path, seed: u64, concurrency: usize) -> anyhow::Result<PathBuf> {
    // A match remembers where its openings are, and may be gone on with from elsewhere.
    let path = absolute(run)?.join(FILE);
    if path.is_file() {
        return Ok(path);
    }
    let threads = NonZeroUsize::new(concurrency).unwrap_or(NonZeroUsize::MIN);
    let made = fresh::<G>(count::<G>(), seed, threads).context("fresh openings")?;
    let mark = Form::Moves.comment_mark();
    let mut text = format!("{mark} Not among those that come with the program\n");
    for opening in &made {
        text += &G::write_opening(&opening.record, Form::Moves, &opening.name, 0)?;
        text.push('\n');
    }
    whole_file::write(&path, |output| Ok(output.write_all(text.as_bytes())?))?;
    Ok(path)
}

/// So many openings, none of them built in.
fn fresh<G: Playable>(
    count: usize,
    seed: u64,
    threads: NonZeroUsize,
) -> anyhow::Result<Vec<Opening<G>>> {
    let recipe = Recipe {
        count: count + count.div_ceil(SPARE),
        plies: PLIES,
        wanted: Wanted::Balanced(Leads::up_to(G::BALANCED_WITHIN)),
        nodes: NODES,
        // The built-in ones have a small seed.
        seed: SplitMix::new(!seed).next_u64(),
        set: None,
    };
    let progress = Progress::new(recipe.count, "fresh openings");
    let made = generate::<G>(&recipe, threads, &progress);
    progress.finish();
    let text = |opening: &Opening<G>| opening.record.position().canonical_text();
    let known: HashSet<String> = openings::built_in::<G>().iter().map(text).collect();
    let mut fresh: Vec<Opening<G>> = made?.into_iter().map(|made| made.opening).collect();
    fresh.retain(|opening| !known.contains(&text(opening)));
    if fresh.len() < count {
        bail!("only {} of {count} are not among the built-in ones", fresh.len());
    }
    fresh.truncate(count);
    Ok(fresh)
}

#[cfg(all(test, feature = "chess", feature = "othello"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_games::othello::Othello;
    use std::fs;

    const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

    fn texts<G: Playable>(openings: &[Opening<G>]) -> HashSet<String> {
        openings.iter().map(|opening| opening.record.position().canonical_text()).collect()
    }

    fn none_is_built_in<G: Playable>() {
        let made = fresh::<G>(24, 1, TWO).unwrap();
        let found = texts(&made);
        assert_eq!((made.len(), found.len()), (24, 24), "all different");
        assert!(found.is_disjoint(&texts(&openings::built_in::<G>())));
        assert_eq!(texts(&fresh::<G>(24, 1, TWO).unwrap()), found);
        let other = texts(&fresh::<G>(24, 2, TWO).unwrap());
        assert!(found.intersection(&other).count() < 12, "another seed, other openings");
    }

    #[test]
    fn no_fresh_opening_is_one_that_comes_with_the_program() {
        none_is_built_in::<Chess>();
        none_is_built_in::<Othello>();
    }

    #[test]
    fn a_run_keeps_the_openings_it_has() {
        let folder = std::env::temp_dir().join(format!("secateur-fresh-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let kept = folder.join(FILE);
        fs::write(&kept, "1. e4 e5 *\n").unwrap();
        assert_eq!(file::<Chess>(&folder, 1, 1).unwrap(), kept);
        assert_eq!(openings::read::<Chess>(&kept).unwrap().len(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        let folder = std::env::temp_dir().join(format!("secateur-made-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = file::<Othello>(&folder, 1, 2).unwrap();
        let read = openings::read::<Othello>(&path).unwrap();
        assert_eq!(read.len(), count::<Othello>());
        assert!(texts(&read).is_disjoint(&texts(&openings::built_in::<Othello>())));
        fs::remove_dir_all(&folder).unwrap();
    }
}
