//! Openings that come with the program, made by it. The head of each file is the command.

use secateur_games::playable::Playable;

use super::Opening;
use super::read::read_text;

/// Games and their openings.
const FILES: [(&str, &str); 2] = [
    ("chess", include_str!("../../openings/chess.pgn")),
    ("othello", include_str!("../../openings/othello.txt")),
];

/// The balanced openings that come with the program; none for a game that has no file of its own.
pub fn built_in<G: Playable>() -> Vec<Opening<G>> {
    let file = FILES.iter().find(|(game, _)| *game == G::NAME);
    // A test reads every file, so there is no error to be expected.
    file.and_then(|(_, text)| read_text(text).ok()).unwrap_or_default()
}

#[cfg(all(test, feature = "chess", feature = "othello"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_games::othello::Othello;
    use std::collections::HashSet;
    use std::num::NonZeroUsize;

    use crate::openings::generate::{Leads, Recipe, Wanted};
    use crate::openings::{Set, survey};
    use crate::progress::Progress;

    const TWO: NonZeroUsize = NonZeroUsize::new(2).unwrap();

    fn text<G: Playable>() -> &'static str {
        FILES.iter().find(|(game, _)| *game == G::NAME).unwrap().1
    }

    fn recipe<G: Playable>() -> Recipe {
        let (count, nodes) = if G::NAME == "chess" { (1_000, 20_000) } else { (500, 100_000) };
        let leads = Leads::new(0, G::BALANCED_WITHIN).unwrap();
        let wanted = Wanted::Balanced(leads);
        Recipe { count, plies: 8, wanted, nodes, seed: 1, set: None }
    }

    fn all_as_the_head_says<G: Playable>() {
        let recipe = recipe::<G>();
        let head: Vec<&str> =
            text::<G>().lines().take_while(|line| line.starts_with('%')).collect();
        assert!(head.concat().contains(&recipe.command::<G>()), "{head:?}");
        assert!(text::<G>().len() < 60_000);

        let openings = read_text::<G>(text::<G>()).unwrap();
        assert_eq!((openings.len(), built_in::<G>().len()), (recipe.count, recipe.count));
        let mut seen = HashSet::new();
        for opening in &openings {
            let position = opening.record.position();
            assert_eq!(opening.record.moves().len(), recipe.plies, "{}", opening.name);
            assert!(seen.insert(position.canonical_text()), "{} is there twice", opening.name);
            assert!(!position.in_check(), "{} begins with a check", opening.name);
        }
        for set in Set::ALL {
            let share = openings.iter().filter(|o| Set::of(o.record.position()) == set).count();
            assert!(share > openings.len() / 8, "{share} are in {set}");
        }
    }

    #[test]
    fn the_openings_are_legal_and_different_and_as_their_command_says() {
        all_as_the_head_says::<Chess>();
        all_as_the_head_says::<Othello>();
    }

    /// Later engines think otherwise of some, but not of all.
    #[test]
    fn the_openings_are_still_balanced_on_the_average() {
        fn check<G: Playable>() {
            let mut openings = built_in::<G>();
            openings.truncate(60);
            let progress = Progress::new(openings.len(), "openings");
            let survey = survey(&openings, Some(5_000), TWO, &progress).unwrap();
            let scores = survey.scores.unwrap();
            let within = G::BALANCED_WITHIN;
            assert!(scores.mean.abs() < f64::from(within), "{scores:?}");
            let level = |lead: &Option<i32>| lead.is_some_and(|lead| lead.abs() <= 2 * within);
            let share = scores.leads.iter().filter(|lead| level(lead)).count();
            assert!(share * 5 >= scores.leads.len() * 4, "{share} are level: {scores:?}");
        }
        check::<Chess>();
        check::<Othello>();
    }
}
