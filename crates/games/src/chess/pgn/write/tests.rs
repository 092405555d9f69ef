use super::*;
use crate::chess::pgn::{GameResult, Variation, read_all};

fn again(text: &str) -> String {
    let mut games = read_all(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap().write()
}

#[test]
fn the_seven_tags_come_first_and_unknown_ones_are_marked() {
    let mut game = Pgn { result: GameResult::Draw, ..Pgn::default() };
    game.set_tag("ECO", "A00");
    game.set_tag("White", "The \"Turk\" \\");
    let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
                    [White \"The \\\"Turk\\\" \\\\\"]\n[Black \"?\"]\n[Result \"1/2-1/2\"]\n\
                    [ECO \"A00\"]\n\n1/2-1/2\n\n";
    assert_eq!(game.write(), expected);
    assert_eq!(again(expected), expected);
}

#[test]
fn numbers_follow_the_rules() {
    let text = again(
        "{intro} 1. e4 {c} e5 2. Nf3 $1 Nc6 (2... d6 3. d4 (3. Bc4)) 3. Bb5 (3. d4) ({x} 3. c3) {y} a6 *",
    );
    let moves = text.split_once("\n\n").unwrap().1;
    assert_eq!(
        moves,
        "{intro} 1. e4 {c} 1... e5 2. Nf3 $1 Nc6 (2... d6 3. d4 (3. Bc4)) 3. Bb5 (3. d4)\n\
         ({x} 3. c3) {y} 3... a6 *\n\n"
    );
    assert_eq!(again(&text), text);
    let black = again("[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 3 17\"]\n\n1. Kd7 Kd2 *");
    assert!(black.contains("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 3 17\"]"), "{black}");
    assert!(black.ends_with("\n\n17... Kd7 18. Kd2 *\n\n"), "{black}");
}

#[test]
fn lines_stay_below_eighty_characters() {
    let comment = "word ".repeat(60);
    let text =
        again(&format!("1. e4 {{{comment}}} e5 {{%x [Event \"y\"]}} ({}) *", "1... d5 2. d4 "));
    assert!(text.lines().all(|line| line.chars().count() < 80), "{text}");
    assert!(text.lines().any(|line| line.chars().count() > 74), "{text}");
    assert_eq!(again(&text), text);
}

#[test]
fn a_closing_brace_in_a_comment_is_not_its_end() {
    let text = again("1. e4 ; a } b\n(1. d4 ; c }\n) e5 *");
    assert_eq!(again(&text), text);
    assert!(text.contains("1. e4 ; a } b\n(1. d4 ; c }\n) 1... e5 *"), "{text}");
    // The bracket begins a line, however long the comment before it was.
    let text = again(&format!("1. e4 (1. d4 ; }} {}\n) e5 *", "word ".repeat(20)));
    assert!(text.contains("word\n) 1... e5 *"), "{text}");
}

#[test]
fn chess960_is_said_in_the_tags() {
    let text = again("[Variant \"fischerandom\"]\n\n1. e4 *");
    assert!(text.contains("[Variant \"fischerandom\"]") && text.contains("[FEN "), "{text}");
    assert_eq!(text.matches("Variant").count(), 1);
    let fen = "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/1RK3R1 w GBgb - 0 1";
    let text = again(&format!("[Variant \"Standard\"]\n[FEN \"{fen}\"]\n\n1. O-O *"));
    assert!(text.contains("[Variant \"Chess960\"]\n[SetUp \"1\"]"), "{text}");
    assert!(!text.contains("Standard"));
    assert_eq!(again(&text), text);
}

#[test]
fn what_cannot_be_written_as_given_is_written_safely() {
    let mut game = Pgn::default();
    game.tags.push(("odd name]".into(), "two\nlines".into()));
    game.tags.push((String::new(), "x".into()));
    game.comments.push(" \n".into());
    let e4 = cozy_chess::Move {
        from: cozy_chess::Square::E2,
        to: cozy_chess::Square::E4,
        promotion: None,
    };
    game.moves.push(PgnMove::new(e4));
    game.moves[0].comments.push("two\n\nlines".into());
    game.moves[0].variations.push(Variation::default());
    // The same move again is not legal.
    game.moves.push(PgnMove::new(e4));
    let text = game.write();
    assert!(
        text.contains("[odd_name_ \"two lines\"]\n[_ \"x\"]\n\n1. e4 {two lines} () *\n"),
        "{text}"
    );
    assert_eq!(read_all(&text)[0].as_ref().unwrap().moves.len(), 1);
}
