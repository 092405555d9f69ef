//! Numbered games on several threads, of which a run plays those that are missing: each is one piece of
//! work whose file is written when it is over, so that a run that was killed loses only games in progress.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use secateur_search::alphabeta::Control;

use crate::progress::Progress;
use crate::{in_order, interrupt};

/// Plays those of `games` that are not done until there is an interrupt. Whether there was.
pub fn run(
    games: u64,
    threads: NonZeroUsize,
    is_done: impl Fn(u64) -> bool,
    game: impl Fn(u64, &Control) -> anyhow::Result<bool> + Sync,
) -> anyhow::Result<bool> {
    let control = Arc::new(Control::default());
    interrupt::stops(&control);
    let played = play_missing(games, threads, &control, is_done, game);
    interrupt::ends();
    played?;
    Ok(control.is_stopped())
}

/// The same until somebody else stops it. `game` says whether it came to its end; one that did not, or failed,
/// is the last.
pub fn play_missing(
    games: u64,
    threads: NonZeroUsize,
    control: &Control,
    is_done: impl Fn(u64) -> bool,
    game: impl Fn(u64, &Control) -> anyhow::Result<bool> + Sync,
) -> anyhow::Result<()> {
    let open: Vec<u64> = (0..games).filter(|number| !is_done(*number)).collect();
    let progress = Progress::new(games as usize, "games");
    progress.resume(games - open.len() as u64);
    let mut outcome = Ok(());
    let played = in_order::run(
        threads,
        open.len(),
        || (),
        |_, index| game(open[index], control),
        |done| match done {
            Ok(true) => {
                progress.advance();
                ControlFlow::Continue(())
            }
            Ok(false) => ControlFlow::Break(()),
            Err(error) => {
                control.stop();
                outcome = Err(error);
                ControlFlow::Break(())
            }
        },
    );
    progress.finish();
    played?;
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    const ONE: NonZeroUsize = NonZeroUsize::MIN;

    #[test]
    fn only_games_that_are_missing_are_played() {
        let played = Mutex::new(Vec::new());
        let stopped = run(
            6,
            ONE,
            |number| number % 2 == 0,
            |number, _| {
                played.lock().unwrap().push(number);
                Ok(true)
            },
        );
        assert!(!stopped.unwrap());
        assert_eq!(*played.lock().unwrap(), [1, 3, 5]);
    }

    #[test]
    fn a_game_that_fails_ends_the_run_with_its_reason() {
        let game = |number, _: &Control| match number {
            2 => anyhow::bail!("the disk is full"),
            _ => Ok(true),
        };
        let failed = run(9, ONE, |_| false, game).unwrap_err();
        assert_eq!(failed.to_string(), "the disk is full");
    }

    #[test]
    fn a_run_that_is_stopped_says_so() {
        let game = |number, control: &Control| {
            if number == 1 {
                control.stop();
            }
            Ok(number < 1)
        };
        assert!(run(9, ONE, |_| false, game).unwrap());
    }
}
