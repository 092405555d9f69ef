//! From folders of games to examples, split by game: positions of one game never stand on both
//! sides.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::bail;
use secateur_games::packed::Packed;
use secateur_games::playable::Playable;
use secateur_search::Player;
use secateur_search::random::SplitMix;

use super::examples::{Examples, Outcome};
use super::parallel;
use crate::binary_hash;
use crate::progress::Progress;
use crate::selfplay::rows::GameRows;
use crate::selfplay::run::{RunFile, read_games, read_run};

/// One game in so many is kept back.
const KEPT_BACK: u64 = 10;
/// Games that one thread takes at once.
const STRETCH: usize = 64;

/// Positions to learn from and positions to judge by.
pub struct Dataset<G> {
    /// To learn from.
    pub training: Examples,
    /// To judge by.
    pub validation: Examples,
    /// The positions of `validation`, as they are.
    pub kept_back: Vec<G>,
    /// Games of both.
    pub games: u64,
}

impl<G: Playable> Dataset<G> {
    fn empty() -> Dataset<G> {
        let none = Examples::new(G::feature_count());
        Dataset { training: none.clone(), validation: none, kept_back: Vec::new(), games: 0 }
    }

    fn append(&mut self, more: Dataset<G>) {
        self.training.append(more.training);
        self.validation.append(more.validation);
        self.kept_back.extend(more.kept_back);
        self.games += more.games;
    }

    fn take(&mut self, game: GameRows<G>, keep_back: bool) {
        self.games += 1;
        for row in game.rows {
            let began = row.position.turn() == Player::First;
            let points = if began { game.points } else { -game.points };
            let outcome = Outcome { score: row.score, points: (!row.astray).then_some(points) };
            match keep_back {
                false => self.training.push(&row.position, outcome),
                true => {
                    self.validation.push(&row.position, outcome);
                    self.kept_back.push(row.position);
                }
            }
        }
    }
}

/// Reads the games of these folders.
pub fn read<G: Playable + Packed>(
    folders: &[PathBuf],
    threads: NonZeroUsize,
) -> anyhow::Result<Dataset<G>> {
    let mut all = Dataset::empty();
    let mut known: HashMap<u64, &Path> = HashMap::new();
    for folder in folders {
        let key = key_of::<G>(folder)?;
        if let Some(other) = known.insert(key, folder) {
            bail!("{} holds the same games as {}", folder.display(), other.display());
        }
        all.append(extract(read_games::<G>(folder)?, key, threads));
    }
    if all.training.is_empty() || all.validation.is_empty() {
        let named: Vec<String> =
            folders.iter().map(|folder| folder.display().to_string()).collect();
        bail!(
            "{}: {} games are too few, since some must be kept back to judge by",
            named.join(", "),
            all.games
        );
    }
    Ok(all)
}

/// What tells the games of a folder from all others, wherever the folder is.
fn key_of<G: Playable>(folder: &Path) -> anyhow::Result<u64> {
    let run = read_run(folder)?;
    if run.game != G::NAME {
        bail!("{} holds games of {}, not of {}", folder.display(), run.game, G::NAME);
    }
    // More games may be wanted later; those that are there stay what they are.
    let text = toml::to_string(&RunFile { games: None, ..run })?;
    let hash = binary_hash::of_bytes(text.as_bytes());
    Ok(u64::from_str_radix(&hash[..16], 16)?)
}

/// Whether a game is kept back: always the same ones, however many there are.
fn is_kept_back(key: u64, number: u32) -> bool {
    SplitMix::new(key ^ u64::from(number)).next_u64().is_multiple_of(KEPT_BACK)
}

/// The positions of these games, in their order.
fn extract<G: Playable>(games: Vec<GameRows<G>>, key: u64, threads: NonZeroUsize) -> Dataset<G> {
    let progress = Progress::new(games.len(), "games read");
    let mut games = games.into_iter().peekable();
    let mut stretches = Vec::new();
    while games.peek().is_some() {
        stretches.push((games.by_ref().take(STRETCH).collect::<Vec<_>>(), Dataset::empty()));
    }
    parallel::for_each(threads, &mut stretches, |(games, dataset)| {
        for game in games.drain(..) {
            let keep_back = is_kept_back(key, game.number);
            dataset.take(game, keep_back);
            progress.advance();
        }
    });
    progress.finish();
    let mut all = Dataset::empty();
    stretches.into_iter().for_each(|(_, dataset)| all.append(dataset));
    all
}

#[cfg(all(test, feature = "othello"))]
mod tests {
    use super::*;
    use crate::selfplay::rows::Row;
    use secateur_games::othello::Othello;
    use secateur_search::testkit::reference::moves;
    use secateur_search::{Game, Notation};

    /// Games with as many rows as their number, and that as their points.
    fn games(count: u32) -> Vec<GameRows<Othello>> {
        let start = Othello::start();
        let next = start.after(moves(&start)[0]);
        let rows = |number: u32| {
            let position = |ply: u32| if ply.is_multiple_of(2) { &start } else { &next };
            (0..number)
                .map(|ply| Row {
                    position: *position(ply),
                    score: 7,
                    ply: ply as u16,
                    astray: false,
                })
                .collect()
        };
        (0..count)
            .map(|number| GameRows { number, points: number as i16, rows: rows(number) })
            .collect()
    }

    fn margins(examples: &Examples) -> Vec<i16> {
        let mut margins: Vec<i16> =
            examples.outcomes().map(|outcome| outcome.points.unwrap().abs()).collect();
        margins.dedup();
        margins
    }

    #[test]
    fn a_game_is_on_one_side_only_and_always_on_the_same() {
        let threads = NonZeroUsize::new(3).unwrap();
        let some = extract(games(200), 5, threads);
        assert_eq!(some.games, 200);
        assert_eq!(some.training.len() + some.validation.len(), (0..200).sum::<usize>());
        assert_eq!(some.kept_back.len(), some.validation.len());
        let (learned, kept) = (margins(&some.training), margins(&some.validation));
        assert!(learned.iter().all(|margin| !kept.contains(margin)));
        assert!((8..40).contains(&kept.len()), "{kept:?}");
        let more = extract(games(300), 5, NonZeroUsize::MIN);
        assert!(margins(&more.validation).starts_with(&kept));
        assert_ne!(margins(&extract(games(200), 6, threads).validation), kept);
    }

    #[test]
    fn points_are_those_of_the_side_to_move() {
        let all = extract(games(3), 5, NonZeroUsize::MIN);
        let mut outcomes: Vec<i16> =
            all.training.outcomes().map(|outcome| outcome.points.unwrap()).collect();
        outcomes.extend(all.validation.outcomes().map(|outcome| outcome.points.unwrap()));
        outcomes.sort_unstable();
        assert_eq!(outcomes, [-2, 1, 2]);
    }

    #[test]
    fn the_result_says_nothing_of_a_position_beside_the_game() {
        let mut games = games(3);
        games[2].rows[1].astray = true;
        let all = extract(games, 5, NonZeroUsize::MIN);
        let outcomes = all.training.outcomes().chain(all.validation.outcomes());
        assert_eq!(outcomes.filter(|outcome| outcome.points.is_none()).count(), 1);
    }

    #[test]
    fn a_folder_without_games_is_named() {
        let missing = PathBuf::from("/no/such/folder");
        let error = read::<Othello>(&[missing], NonZeroUsize::MIN).err().unwrap();
        assert_eq!(format!("{error:#}"), "/no/such/folder: there is no such folder");
    }
}
