//! The large worths again, one at a time: with everything against without one technique, in a match of
//! its own within the folder of the run, from openings that the design has not seen.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use secateur_games::playable::Playable;

use super::effects::Effects;
use super::{Order, fresh};
use crate::contest::{Conducted, Configuration, conduct};

/// A worth is large beyond this, in Elo, whichever its sign.
pub const LARGE: f64 = 10.0;

/// Where the match of a technique is kept.
pub fn folder(run: &Path, technique: &str) -> PathBuf {
    run.join(format!("confirm-{technique}"))
}

/// The techniques that are worth a match of their own, the largest first.
pub fn large(effects: &Effects) -> Vec<usize> {
    let mut found: Vec<_> =
        effects.alone.iter().filter(|effect| effect.elo.value.abs() > LARGE).collect();
    found.sort_by(|a, b| b.elo.value.abs().total_cmp(&a.elo.value.abs()));
    found.into_iter().map(|effect| effect.technique).collect()
}

/// Games of such a match. The same opening is the same game again, so there are no more than openings.
pub fn games<G: Playable>(order: &Order) -> u64 {
    order.confirm.min(2 * fresh::count::<G>() as u64)
}

/// Plays the matches that are not played yet, until `interrupt` is raised.
pub fn confirm<G: Playable>(
    order: &Order,
    run: &Path,
    effects: &Effects,
    concurrency: usize,
    ours: &Path,
    interrupt: &Arc<AtomicBool>,
) -> anyhow::Result<Vec<(usize, Conducted<G>)>> {
    let mut done = Vec::new();
    let large = large(effects);
    if order.confirm == 0 || large.is_empty() {
        return Ok(done);
    }
    let openings = fresh::file::<G>(run, order.seed, concurrency)?;
    for technique in large {
        let engines = [order.spec("with", []), order.spec("without", [technique])];
        let configuration = Configuration {
            openings: Some(openings.clone()),
            ..order.configuration::<G>(engines, games::<G>(order), concurrency)
        };
        let path = folder(run, &order.techniques[technique]);
        match conduct::<G>(&path, configuration, ours, interrupt) {
            Ok(conducted) => done.push((technique, conducted)),
            Err(_) if interrupt.load(Ordering::Relaxed) => break,
            Err(error) => return Err(error.context(path.display().to_string())),
        }
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(done)
}

#[cfg(all(test, feature = "othello"))]
mod tests {
    use super::super::effects::Effect;
    use super::super::order_of;
    use super::*;
    use crate::openings::{self, Opening};
    use crate::statistics::elo::Estimate;
    use secateur_games::othello::Othello;
    use std::collections::HashSet;
    use std::fs;

    fn effect(technique: usize, worth: f64) -> Effect {
        Effect { technique, elo: Estimate { value: worth, error: 5.0 }, p_value: 0.5 }
    }

    #[test]
    fn the_large_ones_play_from_openings_that_the_design_has_not_seen() {
        let run = std::env::temp_dir().join(format!("secateur-confirm-{}", std::process::id()));
        let _ = fs::remove_dir_all(&run);
        fs::create_dir_all(&run).unwrap();
        let names = ["late_moves", "futility", "reverse_futility"];
        let order =
            Order { game: "othello".to_string(), nodes: 60, confirm: 4, ..order_of(&names) };
        let alone = vec![effect(0, 10.5), effect(1, 9.5), effect(2, -30.0)];
        let effects = Effects { alone, together: Vec::new() };
        let never = Arc::new(AtomicBool::new(false));
        // At fixed nodes it is not started, but its file is noted.
        let ours = std::env::current_exe().unwrap();
        let confirm =
            |order: &Order| confirm::<Othello>(order, &run, &effects, 2, &ours, &never).unwrap();
        assert!(confirm(&Order { confirm: 0, ..order.clone() }).is_empty(), "not asked for");
        let played = confirm(&order);
        let which: Vec<usize> = played.iter().map(|(technique, _)| *technique).collect();
        assert_eq!(which, [2, 0], "those beyond ten, the largest first, whichever their sign");
        let texts = |openings: &[Opening<Othello>]| -> HashSet<String> {
            let text = |opening: &Opening<Othello>| opening.record.position().canonical_text();
            openings.iter().map(text).collect()
        };
        let seen = texts(&openings::built_in::<Othello>());
        for (technique, conducted) in &played {
            let path = folder(&run, names[*technique]);
            assert!(path.join("games.jsonl").is_file(), "{}", path.display());
            assert_eq!(conducted.finish.tally.games(), 4);
            assert!(texts(&conducted.contest.openings).is_disjoint(&seen));
            let engines: Vec<&str> =
                conducted.contest.configuration.engines.iter().map(String::as_str).collect();
            let without = format!("secateur name=without {}=off", names[*technique]);
            assert_eq!(engines, ["secateur name=with", without.as_str()]);
        }
        // What was played is not played again.
        let lines = |name: &str| fs::read(folder(&run, name).join("games.jsonl")).unwrap();
        let before = lines("late_moves");
        assert_eq!(confirm(&order).len(), 2);
        assert_eq!(lines("late_moves"), before);
        assert!(!folder(&run, "futility").exists());
        fs::remove_dir_all(&run).unwrap();
    }
}
