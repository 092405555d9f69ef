//! Damaged texts and files: never a panic, an error is one line, and whatever is accepted is
//! written so that it is read back as the same.

#![cfg(feature = "othello")]

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use secateur_games::othello::{Othello, Problem, Transcript, WthorFile, WthorGame, WthorHeader};
use secateur_search::{Game, Notation, ParseError};

const POSITIONS: [&str; 4] = [
    "---------------------------OX------XO--------------------------- X",
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
    "________________.._______BW____*wB______________________________b",
    "OX-------------------------------------------------------------- O",
];

const GAMES: [&str; 4] = [
    "f5d6c3d3c4f4f6f3e6e7",
    "F5 D6 C4 D3 C2 B3 B4 B5",
    // The shortest game: nothing may follow.
    "e6f4e3f6g5d6e7f5c5",
    // Black has to pass after White's h6.
    "f5f6d3g5h5h4f7h6c5",
];

const PROBLEMS: [&str; 4] = [
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; H7:+6;",
    "---------------------------OX------XO--------------------------- X; f5:0; % the start",
    "OX-------------------------------------------------------------- X; PS:-64;",
    "---O-XOX----XXOX---XXOOXO-XXOXOXXXXOOXOX-XOOXXXXXOOOXX-XOOOOOOO- O; B3:+30; C2:+26 # note",
];

/// One change to a list of symbols.
#[derive(Clone, Debug)]
enum Edit<T> {
    Replace(Index, T),
    Insert(Index, T),
    Remove(Index),
    Swap(Index, Index),
    Cut(Index),
    Double(Index, Index),
}

fn edits<T: Clone + std::fmt::Debug + 'static>(
    symbol: impl Strategy<Value = T> + Clone + 'static,
) -> impl Strategy<Value = Vec<Edit<T>>> {
    let at = any::<Index>;
    let edit = prop_oneof![
        4 => (at(), symbol.clone()).prop_map(|(at, symbol)| Edit::Replace(at, symbol)),
        2 => (at(), symbol).prop_map(|(at, symbol)| Edit::Insert(at, symbol)),
        2 => at().prop_map(Edit::Remove),
        2 => (at(), at()).prop_map(|(one, two)| Edit::Swap(one, two)),
        1 => at().prop_map(Edit::Cut),
        1 => (at(), at()).prop_map(|(one, two)| Edit::Double(one, two)),
    ];
    vec(edit, 0..5)
}

fn damage<T: Clone>(mut symbols: Vec<T>, edits: &[Edit<T>]) -> Vec<T> {
    for edit in edits {
        let length = symbols.len();
        match edit {
            Edit::Insert(at, symbol) => symbols.insert(at.index(length + 1), symbol.clone()),
            _ if length == 0 => {}
            Edit::Replace(at, symbol) => symbols[at.index(length)] = symbol.clone(),
            Edit::Remove(at) => drop(symbols.remove(at.index(length))),
            Edit::Swap(one, two) => symbols.swap(one.index(length), two.index(length)),
            Edit::Cut(at) => symbols.truncate(at.index(length)),
            Edit::Double(one, two) => {
                let (one, two) = (one.index(length), two.index(length));
                let piece = symbols[one.min(two)..one.max(two)].to_vec();
                symbols.extend(piece);
            }
        }
    }
    symbols
}

/// One of the good texts with a few characters changed, mostly into others that occur.
fn damaged(texts: &'static [&'static str]) -> impl Strategy<Value = String> {
    let usual: Vec<char> = "XxOo*BbWw-._ ;:+%#@0123456789abcdefghpsPSA\t\n\r".chars().collect();
    let symbol = prop_oneof![9 => select(usual), 1 => any::<char>()];
    (select(texts), edits(symbol.boxed()))
        .prop_map(|(text, edits)| damage(text.chars().collect(), &edits).into_iter().collect())
}

fn one_line(error: &ParseError) -> Result<(), TestCaseError> {
    let text = error.to_string();
    prop_assert!(!text.is_empty() && text.lines().count() == 1, "{:?}", text);
    prop_assert!(!text.chars().any(char::is_control), "{:?}", text);
    prop_assert!(text.chars().count() < 200, "{:?}", text);
    Ok(())
}

/// Three games, one of them broken off at once.
fn wthor_bytes() -> Vec<u8> {
    let games = ["f5d6c3d3c4f4f6f3e6e7", "e6f4e3f6g5d6e7f5c5", ""].map(|text| {
        let mut game = WthorGame::from_transcript(&Transcript::read(text).unwrap()).unwrap();
        (game.tournament, game.black, game.white) = (7, 300, 2);
        game
    });
    WthorFile::write(&WthorHeader::for_year(2004), &games)
}

fn config() -> ProptestConfig {
    // Five properties: together more than 100,000 damaged inputs.
    ProptestConfig { cases: 25_000, failure_persistence: None, ..ProptestConfig::default() }
}

#[test]
fn the_undamaged_texts_are_accepted() {
    POSITIONS.iter().for_each(|text| assert!(Othello::read_position(text).is_ok(), "{text}"));
    PROBLEMS.iter().for_each(|text| assert!(Problem::read(text).is_ok(), "{text}"));
    for text in GAMES {
        Transcript::read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    assert!(WthorFile::read(&wthor_bytes()).unwrap().games.iter().all(Result::is_ok));
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_damaged_position_is_refused_or_comes_back(text in damaged(&POSITIONS)) {
        match Othello::read_position(&text) {
            Err(error) => one_line(&error)?,
            Ok(position) => {
                let written = position.write_position();
                prop_assert_eq!(Othello::read_position(&written), Ok(position));
                prop_assert!(!position.draw().is_empty() && !position.facts().is_empty());
                prop_assert!(position.margin().abs() <= 64);
                position.each_move(|m| assert!(position.after(m).count_moves() <= 64));
            }
        }
    }

    #[test]
    fn a_damaged_game_is_refused_or_comes_back(text in damaged(&GAMES)) {
        match Transcript::read(&text) {
            Err(error) => one_line(&error)?,
            Ok(game) => prop_assert_eq!(Transcript::read(&game.write()), Ok(game)),
        }
        for error in Transcript::read_all(&text).into_iter().filter_map(Result::err) {
            one_line(&error)?;
            prop_assert!(error.line().is_some() && error.column().is_some(), "{}", error);
        }
    }

    #[test]
    fn a_damaged_problem_is_refused_or_comes_back(text in damaged(&PROBLEMS)) {
        match Problem::read(&text) {
            Err(error) => one_line(&error)?,
            Ok(problem) => {
                let written = problem.write();
                prop_assert_eq!(written.lines().count(), 1);
                prop_assert_eq!(Problem::read(&written), Ok(problem));
            }
        }
        for error in Problem::read_all(&text).into_iter().filter_map(Result::err) {
            one_line(&error)?;
            prop_assert!(error.line().is_some(), "{}", error);
        }
    }

    #[test]
    fn a_damaged_move_is_refused_or_comes_back(text in damaged(&["f5", "D3", "pass", "--"])) {
        for position in [Othello::START, Othello::read_position(POSITIONS[3]).unwrap()] {
            match position.read_move(&text) {
                Err(error) => one_line(&error)?,
                Ok(m) => prop_assert_eq!(position.read_move(&position.write_move(m)), Ok(m)),
            }
        }
    }

    #[test]
    fn a_damaged_wthor_file_keeps_its_good_games(edits in edits(any::<u8>().boxed())) {
        let bytes = damage(wthor_bytes(), &edits);
        match WthorFile::read(&bytes) {
            Err(error) => one_line(&error)?,
            Ok(file) => {
                file.games.iter().filter_map(|game| game.as_ref().err()).try_for_each(one_line)?;
                let whole = file.games.iter().all(Result::is_ok);
                let games: Vec<WthorGame> = file.games.into_iter().flatten().collect();
                let written = WthorFile::write(&file.header, &games);
                if whole {
                    prop_assert_eq!(&written, &bytes);
                }
                let back = WthorFile::read(&written).unwrap();
                prop_assert_eq!(back.header, file.header);
                prop_assert_eq!(back.games, games.into_iter().map(Ok).collect::<Vec<_>>());
            }
        }
    }
}
