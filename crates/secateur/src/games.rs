//! Which games are compiled in, and the one dispatch from a game's name to its type.
//!
//! A game is a cargo feature, a variant of [`GameName`] and an arm of `with_game!`; the rest it
//! says of itself, by [`Playable`](secateur_games::playable::Playable).

use anyhow::anyhow;
use clap::ValueEnum;

#[cfg(not(any(feature = "chess", feature = "othello")))]
compile_error!("switch on at least one game: --features chess or othello");

/// The games that this program was built with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lower")]
pub enum GameName {
    /// Chess and Chess960
    #[cfg(feature = "chess")]
    #[default]
    Chess,
    /// Othello (Reversi)
    #[cfg(feature = "othello")]
    #[cfg_attr(not(feature = "chess"), default)]
    Othello,
}

impl GameName {
    /// The game of this name, as the file of a run says it.
    pub(crate) fn called(name: &str) -> anyhow::Result<GameName> {
        GameName::from_str(name, false).map_err(|_| anyhow!("no game is called {name}"))
    }
}

/// Evaluates `$body` with `$Game` standing for the type of the game called `$name`.
macro_rules! with_game {
    ($name:expr, $Game:ident => $body:expr) => {
        match $name {
            #[cfg(feature = "chess")]
            $crate::games::GameName::Chess => {
                type $Game = secateur_games::chess::Chess;
                $body
            }
            #[cfg(feature = "othello")]
            $crate::games::GameName::Othello => {
                type $Game = secateur_games::othello::Othello;
                $body
            }
        }
    };
}

pub(crate) use with_game;

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Notation;

    #[test]
    fn a_name_on_the_command_line_is_the_name_of_the_game() {
        for name in GameName::value_variants() {
            let typed = name.to_possible_value().unwrap().get_name().to_string();
            assert_eq!(typed, with_game!(*name, G => <G as Notation>::NAME));
            assert_eq!(GameName::called(&typed).unwrap(), *name);
        }
        let error = GameName::called("ludo").unwrap_err().to_string();
        assert_eq!(error, "no game is called ludo");
    }
}
