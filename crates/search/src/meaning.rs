//! What a score means: the chances to win, draw and lose with it against an equal opponent, and the
//! scale on which it is told.
//!
//! With a score of x for the side to move it wins with probability logistic((x - a) / b), loses
//! with logistic((-x - a) / b), and draws otherwise: an ordered logit model (McCullagh, 1980), which
//! Stockfish (2020) made the custom in chess programs. So a is the score that wins half of all games
//! and b how fast the chances turn; both are fitted to own games. They change as a game wears on, so
//! the logarithm of each is a cubic of how much of the game is left: always positive, whatever the
//! fit does.
//!
//! Reals are allowed here because nothing in the tree asks: a model is used at the root and in
//! reports only.

use std::fmt::Write;

use crate::{Band, Score};

/// The coefficients of a cubic.
pub const TERMS: usize = 4;

/// The version of the file that is written and read.
const FORMAT: i64 = 1;

/// What scores mean in one game.
#[derive(Clone, Debug, PartialEq)]
pub struct Meaning {
    /// The game.
    pub game: String,
    /// The least and the most that is left of a game; what lies beyond counts as the nearer end.
    pub range: [i32; 2],
    /// The cubic that gives the logarithm of a, in powers of what is left, scaled to -1 .. 1.
    pub half: [f64; TERMS],
    /// The same for b.
    pub width: [f64; TERMS],
    /// Where it comes from.
    pub origin: MeaningOrigin,
}

/// Where a model comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MeaningOrigin {
    /// The commands that made it, in one line.
    pub command: String,
    /// The games it was fitted to.
    pub games: u64,
    /// Their positions.
    pub positions: u64,
    /// The evaluation that played them, in hexadecimal.
    pub evaluator: String,
    /// The day, as in 2025-01-31.
    pub date: String,
}

/// A model at one moment of the game.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The score that wins half of all games.
    pub half: f64,
    /// How fast the chances turn.
    pub width: f64,
}

/// The chances of the side to move in thousandths, which add up to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chances {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

/// A model that cannot be used, in one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MeaningError {
    /// The text is not TOML.
    #[error("no model of scores: {0}")]
    Malformed(String),
    /// An entry is missing or of another kind.
    #[error("model of scores without a right entry '{0}'")]
    Entry(&'static str),
    /// For another game.
    #[error("model of scores of {found}, not of {wanted}")]
    Game {
        /// The game of the file.
        found: String,
        /// The game that is played.
        wanted: String,
    },
    /// The numbers make no model.
    #[error("model of scores whose numbers are out of all reason")]
    Unreasonable,
}

/// 1 / (1 + e^-x).
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// What is left of a game, from -1 at the end of it to 1 at its beginning, and its powers.
pub fn powers(range: [i32; 2], left: i32) -> [f64; TERMS] {
    let [least, most] = range.map(f64::from);
    let left = f64::from(left).clamp(least, most);
    let x = 2.0 * (left - least) / (most - least) - 1.0;
    [1.0, x, x * x, x * x * x]
}

impl Scale {
    /// The chances to win, draw and lose with this score.
    pub fn chances(self, score: f64) -> [f64; 3] {
        let (win, loss) = (
            logistic((score - self.half) / self.width),
            logistic((-score - self.half) / self.width),
        );
        [win, (1.0 - win - loss).max(0.0), loss]
    }
}

impl Chances {
    /// A game that is won.
    pub const WON: Chances = Chances { win: 1_000, draw: 0, loss: 0 };

    /// The same for the opponent.
    pub const fn swapped(self) -> Chances {
        Chances { win: self.loss, draw: self.draw, loss: self.win }
    }
}

impl Meaning {
    /// The model where so much is left of the game.
    pub fn at(&self, left: i32) -> Scale {
        let powers = powers(self.range, left);
        let value = |cubic: &[f64; TERMS]| -> f64 {
            cubic.iter().zip(powers).map(|(coefficient, power)| coefficient * power).sum()
        };
        Scale { half: value(&self.half).exp(), width: value(&self.width).exp() }
    }

    /// The chances with this score. What is proven is certain.
    pub fn chances(&self, score: Score, left: i32) -> Chances {
        let ahead = match score.band() {
            Band::Heuristic(value) => {
                let [win, _, loss] = self.at(left).chances(f64::from(value.abs()));
                let win = (1_000.0 * win).round() as u32;
                let loss = ((1_000.0 * loss).round() as u32).min(1_000 - win);
                Chances { win, draw: 1_000 - win - loss, loss }
            }
            _ => Chances::WON,
        };
        if score < Score::DRAW { ahead.swapped() } else { ahead }
    }

    /// The score on a scale on which 100 wins half of all games; what is proven stays as it is, and
    /// nobody's lead is rounded away.
    pub fn normalised(&self, score: Score, left: i32) -> Score {
        match score.band() {
            Band::Heuristic(value) if value != 0 => {
                let hundredths = f64::from(value.abs()) * 100.0 / self.at(left).half;
                Score::heuristic(value.signum() * hundredths.round().max(1.0) as i32)
            }
            _ => score,
        }
    }

    /// The file.
    pub fn write(&self) -> String {
        let Meaning { game, range: [least, most], half, width, origin } = self;
        let list = |cubic: &[f64; TERMS]| cubic.map(|number| format!("{number:.6}")).join(", ");
        let quoted = |text: &str| toml::Value::from(text).to_string();
        let mut text = format!(
            "# What a score means: win = logistic((x - a) / b), loss = logistic((-x - a) / b).\n\
             # a and b are e to the power of a cubic of what is left of the game, scaled from\n\
             # least .. most to -1 .. 1. Made by `secateur wdl`; not to be edited.\n\
             format = {FORMAT}\ngame = {}\nleast = {least}\nmost = {most}\na = [{}]\nb = [{}]\n",
            quoted(game),
            list(half),
            list(width),
        );
        let MeaningOrigin { command, games, positions, evaluator, date } = origin;
        // Writing into a text cannot fail.
        let _ = write!(
            text,
            "\n[origin]\ncommand = {}\ngames = {games}\npositions = {positions}\nevaluator = {}\n\
             date = {}\n",
            quoted(command),
            quoted(evaluator),
            quoted(date),
        );
        text
    }

    /// Reads the file of a game.
    pub fn read(text: &str, game: &str) -> Result<Meaning, MeaningError> {
        let malformed = |error: toml::de::Error| MeaningError::Malformed(error.message().into());
        let table: toml::Table = text.parse().map_err(malformed)?;
        let whole = |table: &toml::Table, name| {
            table.get(name).and_then(toml::Value::as_integer).ok_or(MeaningError::Entry(name))
        };
        let word = |table: &toml::Table, name| {
            let text = table.get(name).and_then(toml::Value::as_str);
            text.map(str::to_string).ok_or(MeaningError::Entry(name))
        };
        let small =
            |name| i32::try_from(whole(&table, name)?).map_err(|_| MeaningError::Entry(name));
        let cubic = |name| -> Result<[f64; TERMS], MeaningError> {
            let numbers = table.get(name).and_then(toml::Value::as_array);
            let numbers = numbers.and_then(|list| list.iter().map(toml::Value::as_float).collect());
            let numbers: Vec<f64> = numbers.ok_or(MeaningError::Entry(name))?;
            numbers.try_into().map_err(|_| MeaningError::Entry(name))
        };
        if whole(&table, "format")? != FORMAT {
            return Err(MeaningError::Entry("format"));
        }
        let found = word(&table, "game")?;
        if found != game {
            return Err(MeaningError::Game { found, wanted: game.to_string() });
        }
        let origin = table.get("origin").and_then(toml::Value::as_table);
        let origin = origin.ok_or(MeaningError::Entry("origin"))?;
        let count =
            |name| u64::try_from(whole(origin, name)?).map_err(|_| MeaningError::Entry(name));
        let meaning = Meaning {
            game: found,
            range: [small("least")?, small("most")?],
            half: cubic("a")?,
            width: cubic("b")?,
            origin: MeaningOrigin {
                command: word(origin, "command")?,
                games: count("games")?,
                positions: count("positions")?,
                evaluator: word(origin, "evaluator")?,
                date: word(origin, "date")?,
            },
        };
        if meaning.is_reasonable() { Ok(meaning) } else { Err(MeaningError::Unreasonable) }
    }

    /// Whether it can be reckoned with everywhere.
    pub fn is_reasonable(&self) -> bool {
        const SANE: std::ops::Range<f64> = 1e-3..1e5;
        let [least, most] = self.range;
        (0..most).contains(&least)
            && most <= 10_000
            && (least..=most).all(|left| {
                let Scale { half, width } = self.at(left);
                SANE.contains(&half) && SANE.contains(&width)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// a from 100 to 200 and b from 40 to 120 or so, bent a little.
    fn model() -> Meaning {
        Meaning {
            game: "toy".into(),
            range: [10, 78],
            half: [5.0, 0.3, 0.05, -0.02],
            width: [4.2, 0.5, -0.1, 0.05],
            origin: MeaningOrigin {
                command: "secateur wdl --data \"DIR\"".into(),
                games: 3,
                positions: 200,
                evaluator: "00ff".into(),
                date: "2026-11-16".into(),
            },
        }
    }

    proptest! {
        #[test]
        fn chances_add_up_are_symmetrical_and_grow_with_the_score(
            score in -3_000i32..3_000, more in 1i32..200, left in 0i32..100,
        ) {
            let chances = |score| model().chances(Score::heuristic(score), left);
            let (one, other) = (chances(score), chances(score + more));
            prop_assert_eq!(one.win + one.draw + one.loss, 1_000);
            prop_assert_eq!(one.swapped(), chances(-score));
            prop_assert!(one.win <= other.win && one.loss >= other.loss);
        }

        #[test]
        fn told_scores_keep_their_order_and_sign(
            score in -2_000i32..2_000, more in 0i32..50, left in 0i32..100,
        ) {
            let told = |score| model().normalised(Score::heuristic(score), left).value();
            prop_assert!(told(score) <= told(score + more));
            prop_assert_eq!(told(score).signum(), score.signum());
            prop_assert_eq!(told(-score), -told(score));
        }
    }

    #[test]
    fn a_told_hundred_wins_half_of_all_games_at_every_moment() {
        let model = model();
        for left in 0..=90 {
            let half = Score::heuristic(model.at(left).half.round() as i32);
            let told = model.normalised(half, left).value();
            assert!((99..=101).contains(&told), "{told}");
            let win = model.chances(half, left).win;
            assert!((497..=503).contains(&win), "{win}");
        }
    }

    #[test]
    fn beyond_its_range_a_model_stays_as_it_is_at_the_end() {
        let model = model();
        assert_eq!(model.at(0), model.at(10));
        assert_eq!(model.at(500), model.at(78));
        assert_ne!(model.at(10), model.at(11));
    }

    #[test]
    fn what_is_proven_is_certain_and_told_as_it_is() {
        let model = model();
        for score in [Score::mate_in(3), Score::tablebase_win_in(9), Score::counted(2)] {
            assert_eq!(model.chances(score, 40), Chances::WON);
            assert_eq!(model.chances(-score, 40), Chances::WON.swapped());
            assert_eq!(model.normalised(score, 40), score);
            assert_eq!(model.normalised(-score, 40), -score);
        }
        assert_eq!(model.normalised(Score::DRAW, 40), Score::DRAW);
        assert!(!model.normalised(Score::HEURISTIC_MAX, 10).is_proven());
    }

    #[test]
    fn a_file_comes_back_and_a_wrong_one_is_named() {
        let text = model().write();
        assert_eq!(Meaning::read(&text, "toy"), Ok(model()));
        let error = |text: &str| Meaning::read(text, "toy").unwrap_err().to_string();
        assert_eq!(
            Meaning::read(&text, "chess").unwrap_err().to_string(),
            "model of scores of toy, not of chess"
        );
        assert!(error("= 3").starts_with("no model of scores: "));
        let cases = [
            ("format = 1", "format = 2", "model of scores without a right entry 'format'"),
            ("a = [5.000000,", "a = [", "model of scores without a right entry 'a'"),
            ("least = 10", "", "model of scores without a right entry 'least'"),
            ("least = 10", "least = 80", "model of scores whose numbers are out of all reason"),
            ("a = [5.0", "a = [500.0", "model of scores whose numbers are out of all reason"),
            ("games = 3", "games = -3", "model of scores without a right entry 'games'"),
        ];
        for (right, wrong, message) in cases {
            assert!(text.contains(right), "{right}\n{text}");
            assert_eq!(error(&text.replacen(right, wrong, 1)), message);
        }
    }
}
