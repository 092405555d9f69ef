use super::*;
use crate::chess::pgn::{GameResult, PgnMove, Variation};
use crate::chess::{Chess, san};
use secateur_search::{Game, Notation};

/// The game in a compact form of its own, so that these tests do not lean on the writer.
fn outline(game: &Pgn) -> String {
    let mut text = note(&game.comments);
    text += &moves(&game.start, &game.moves);
    text + &game.result.to_string()
}

fn note(comments: &[String]) -> String {
    comments.iter().map(|text| format!("<{text}> ")).collect()
}

fn moves(start: &Chess, list: &[PgnMove]) -> String {
    let mut position = start.clone();
    let mut text = String::new();
    for played in list {
        text += &san::write(&position, played.m);
        text += &played.nags.iter().map(|nag| format!("${nag}")).collect::<String>();
        text += &format!(" {}", note(&played.comments));
        for Variation { before, moves: list, after } in &played.variations {
            text +=
                &format!("({}{}) {}", note(before), moves(&position, list).trim_end(), note(after));
        }
        position.play(played.m);
    }
    text
}

fn one(text: &str) -> String {
    let mut games = read_all(text);
    assert_eq!(games.len(), 1, "{text}");
    match games.remove(0) {
        Ok(game) => outline(&game),
        Err(error) => error.to_string(),
    }
}

#[test]
fn everything_said_about_a_move_stays_with_it() {
    let text = "{intro} 1. e4! $14 {good} ({instead} 1. d4 d5 (1... Nf6 2. c4) 2. c4 {QG}) {back}\n\
                (1. c4) 1... e5 ; rest of line ) {\n2.Nf3 (2. f4 exf4 1-0) 1-0 {resigned}";
    assert_eq!(
        one(text),
        "<intro> e4$1$14 <good> (<instead> d4 d5 (Nf6 c4) c4 <QG>) <back> (c4) \
         e5 <rest of line ) {> Nf3 (f4 exf4) <resigned> 1-0"
    );
}

#[test]
fn a_mark_before_the_first_move_is_for_that_move() {
    assert_eq!(one("$3 1. e4 (! 1. d4) (?) e5 *"), "e4$3 (d4$1) e5 *");
}

#[test]
fn odd_spellings_are_read() {
    let text =
        "1.e2-e4 1... e5 2 Ng1f3 2. ... Nb8-c6 3.Bb5 a6 4.Ba4 Nf6 5.0-0 b5 6.Bb3 6...Bb7!? 1/2";
    assert_eq!(one(text), "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O b5 Bb3 Bb7$5 1/2-1/2");
    let passing = "[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\"]\n\n1. exd6 e.p. Kd8 *";
    assert_eq!(one(passing), "exd6 Kd8 *");
    assert_eq!(one("1. exd6e.p.").split(' ').next(), Some("line"));
}

#[test]
fn games_begin_with_their_tags_or_after_a_result() {
    let text = "; a file\n[Event \"1\"]\n; note\n[Site \"x\"]\n\n1. e4 {\n[Event \"no\"]\n} *\n{after}\n\n\
                [Event \"2\"]\n[Event \"3\"]\n\n1. d4\n\n[White \"4\"]\n1. c4 * 1. a4 1-0\n1. b4 0-1\n\n";
    let games: Vec<Pgn> = read_all(text).into_iter().map(Result::unwrap).collect();
    let told: Vec<String> = games.iter().map(outline).collect();
    let expected =
        ["<a file> <note> e4 <[Event \"no\"]> <after> *", "*", "d4 *", "c4 *", "a4 1-0", "b4 0-1"];
    assert_eq!(told, expected);
    assert_eq!(games[0].tag("Site"), Some("x"));
    assert_eq!((games[2].tag("Event"), games[3].tag("White")), (Some("3"), Some("4")));
    assert!(read_all("").is_empty());
    assert!(read_all("\n; nothing {\n\n% at all\n{here}").is_empty());
}

#[test]
fn a_broken_game_is_reported_by_its_line_and_the_next_is_read() {
    let good = "[Event \"good\"]\n\n1. e4 *\n\n";
    let cases = [
        ("1. e4 e5 2. Ke3 d6 *", "line 7, column 13: 'Ke3' is not legal here"),
        ("1. e4 -- 2. d4 *", "line 7, column 7: null moves are not supported"),
        ("1. e4 (1. d4 *", "line 7, column 7: the variation that begins here has no end"),
        ("1. e4) *", "line 7, column 6: a closing bracket without an opening one"),
        ("(1. e4) *", "line 7, column 1: a variation before the first move"),
        ("1. e4 {open *\n", "line 7, column 7: the comment that begins here has no end"),
        ("1. e4 $256 *", "line 7, column 7: $256 is no annotation: they go from $0 to $255"),
        ("1. e4 } *", "line 7, column 7: '}' has no place here"),
        ("1. e4 [x] *", "line 7, column 7: '[' has no place here"),
        ("1. e4\nhello *", "line 8, column 1: 'hello' is no move"),
        (
            "[White \"x]\n[Black \"y\"]\n\n1. e4 *",
            "line 7, column 1: the tag 'White' has no closing quote and bracket",
        ),
        (
            "[FEN \"4k3/8/8/8/8/8/8/4K3 x - -\"]\n[Black \"y\"]\n1. Kd2 *",
            "line 7, column 27: the side to move is w or b, not 'x'",
        ),
        ("[Variant \"Atomic\"]\n1. e4 *", "line 7, column 1: the variant 'Atomic' is not chess"),
    ];
    for (broken, message) in cases {
        let text = format!("{good}[Event \"broken\"]\n\n{broken}\n\n{good}");
        let games = read_all(&text);
        assert_eq!(games.len(), 3, "{broken}");
        assert_eq!(games[1].as_ref().unwrap_err().to_string(), message);
        for index in [0, 2] {
            assert_eq!(games[index].as_ref().unwrap().tag("Event"), Some("good"), "{broken}");
        }
    }
}

#[test]
fn variations_are_kept_to_a_hundred_deep_and_no_more() {
    let nested = |depth: usize| {
        let opened = "(1. d4 ".repeat(depth);
        format!("1. e4 {opened}{} *", ")".repeat(depth))
    };
    assert!(read_all(&nested(100))[0].is_ok());
    let error = read_all(&nested(101))[0].as_ref().unwrap_err().to_string();
    assert_eq!(error, "line 1, column 707: variations are nested more than 100 deep");
    assert!(read_all(&nested(100_000))[0].is_err());
}

#[test]
fn the_result_after_the_moves_counts_before_the_tag() {
    let result = |text: &str| read_all(text).remove(0).unwrap().result;
    assert_eq!(result("[Result \"1-0\"]\n\n1. e4 0-1"), GameResult::BlackWins);
    assert_eq!(result("[Result \"1-0\"]\n\n1. e4 *"), GameResult::WhiteWins);
    assert_eq!(result("[Result \"1-0\"]\n\n1. e4"), GameResult::WhiteWins);
    assert_eq!(result("1. e4 1-0 0-1"), GameResult::WhiteWins, "the first one");
    assert_eq!(result("[Result \"?\"]\n\n1. e4"), GameResult::Unknown);
}

#[test]
fn the_start_comes_from_the_tags() {
    let start = |text: &str| read_all(text).remove(0).unwrap().start;
    let fen = "bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1";
    let shuffled = start(&format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. e4 *"));
    assert!(shuffled.is_chess960());
    assert!(!start("1. e4 *").is_chess960());
    assert!(start("[Variant \"Fischerandom\"]\n\n*").is_chess960());
    assert!(!start("[Variant \"Standard\"]\n[FEN \"\"]\n\n*").is_chess960());
    assert_eq!(start("*").key(), Chess::start().key());
}

#[test]
fn old_encodings_and_line_ends_are_read() {
    let bytes =
        b"\xef\xbb\xbf[White \"M\xfcller\"]\r\r1. e4 *\r\n[White \"M\xc3\xbcller\"]\n\n1. d4 *";
    let games: Vec<Pgn> = Reader::new(bytes.as_slice()).map(Result::unwrap).collect();
    let names: Vec<_> = games.iter().map(|game| game.tag("White")).collect();
    assert_eq!(names, [Some("Müller"), Some("Müller")]);
}

#[test]
fn a_failing_stream_is_no_end_of_file() {
    struct Failing;
    impl io::Read for Failing {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let input =
        io::Read::chain(b"1. e4 *\n\n1. d4 *\n\n1. c4".as_slice(), io::BufReader::new(Failing));
    let told: Vec<String> = Reader::new(input)
        .map(|game| game.map_or_else(|error| error.to_string(), |game| outline(&game)))
        .collect();
    assert_eq!(told, ["e4 *", "d4 *", "line 5: cannot read on: unplugged"]);
}
