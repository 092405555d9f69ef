//! All rounds of a run, those that are done and those to come.

use secateur_games::packed::Packed;
use secateur_games::playable::Playable;

use super::folder::{Folder, Order, Round};
use super::round::{Circumstances, conduct};

/// What became of a run.
pub struct Course {
    /// The rounds that are over.
    pub rounds: Vec<Round>,
    /// Whether somebody ended it.
    pub interrupted: bool,
}

/// Goes on with a run, up to the rounds that are asked for. `watch` is told of each round that is
/// over, and whether that was so before.
pub fn go_on<G: Playable + Packed>(
    folder: &Folder,
    order: &Order,
    how: &Circumstances,
    watch: &mut dyn FnMut(&Round, bool) -> anyhow::Result<()>,
) -> anyhow::Result<Course> {
    let mut best = folder.start();
    let mut course = Course { rounds: Vec::new(), interrupted: false };
    for number in 1..=order.rounds {
        let before = folder.read_round(number)?;
        let was_over = before.is_some();
        let round = match before {
            Some(round) => Some(round),
            None => conduct::<G>(folder, order, how, number, &best)?,
        };
        let Some(round) = round else {
            course.interrupted = true;
            break;
        };
        watch(&round, was_over)?;
        if round.kept {
            best = folder.new_weights(number);
        }
        course.rounds.push(round);
    }
    Ok(course)
}
