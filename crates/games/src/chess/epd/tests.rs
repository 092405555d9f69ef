use super::*;
use secateur_search::Notation;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn read(operations: &str) -> Epd {
    Epd::read(&format!("{START} {operations}")).unwrap()
}

fn error(operations: &str) -> String {
    Epd::read(&format!("{START} {operations}")).unwrap_err().to_string()
}

fn san(epd: &Epd, moves: &[Move]) -> String {
    let written: Vec<String> = moves.iter().map(|m| epd.position.describe_move(*m)).collect();
    written.join(" ")
}

#[test]
fn a_line_of_a_test_suite_is_understood() {
    let epd = read(
        r#"bm e2e4, Nf3; am a4 h4; id "test; no. 1"; dm 4; acd 21; ce -37; c0 "a comment"; pv e4 e5; odd;"#,
    );
    assert_eq!(san(&epd, epd.best_moves()), "e4 Nf3");
    assert_eq!(san(&epd, epd.avoid_moves()), "a4 h4");
    assert_eq!(epd.id().as_deref(), Some("test; no. 1"));
    assert_eq!((epd.mate_in(), epd.depth(), epd.evaluation()), (Some(4), Some(21), Some(-37)));
    assert_eq!((epd.comment(0).as_deref(), epd.comment(1)), (Some("a comment"), None));
    assert_eq!(epd.operations().len(), 9);
    assert!(epd.points().is_empty());
}

#[test]
fn what_is_written_reads_back() {
    let epd = read(r#"bm e2e4,g1f3; hmvc 12; id unquoted; x "a b" c; fmvn 40; D1 20;"#);
    let written = epd.write();
    assert_eq!(
        written,
        format!(r#"{START} bm e4 Nf3; hmvc 12; id "unquoted"; x "a b" c; fmvn 40; D1 20;"#)
    );
    assert_eq!(Epd::read(&written).unwrap().operations(), epd.operations());
}

#[test]
fn clocks_come_from_the_fields_or_from_operations() {
    let clocks = |line: &str| {
        let epd = Epd::read(line).unwrap();
        assert_eq!(Epd::read(&epd.write()).unwrap().write(), epd.write());
        (epd.position.board().halfmove_clock(), epd.position.board().fullmove_number())
    };
    let fields = "8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - -";
    assert_eq!(clocks(&format!("{fields} bm Rf1; id \"zugzwang.001\";")), (0, 1));
    assert_eq!(clocks(&format!("{fields} 3 17 bm Rf1;")), (3, 17));
    assert_eq!(clocks(&format!("{fields} 3 bm Rf1;")), (3, 1));
    assert_eq!(clocks(&format!("{fields} 3 17")), (3, 17));
    assert_eq!(clocks(&format!("{fields} hmvc 5; fmvn 6")), (5, 6));
    assert_eq!(clocks(&format!("{fields} 3 17 hmvc 5;")), (5, 17));
    assert_eq!(clocks(&format!("{fields} hmvc 999999; fmvn 0;")), (100, 1));
}

#[test]
fn points_are_read_in_both_forms() {
    let named = |epd: &Epd| -> Vec<String> {
        let text =
            |(m, points): &(Move, u32)| format!("{}={points}", epd.position.describe_move(*m));
        epd.points().iter().map(text).collect()
    };
    assert_eq!(named(&read(r#"c0 "e4=10, Nf3=5, a4=2";"#)), ["e4=10", "Nf3=5", "a4=2"]);
    let numbers = read(r#"c7 "e4 Nf3"; c8 "10 5"; c9 "e2e4 g1f3";"#);
    assert_eq!(named(&numbers), ["e4=10", "Nf3=5"]);
    let promotion = Epd::read(r#"8/4P3/8/8/8/8/k7/4K3 w - - c0 "e8=Q=10, e8=N=1";"#).unwrap();
    assert_eq!(named(&promotion), ["e8=Q=10", "e8=N=1"]);
    for comment in ["depth=12", "e4=10 is best", "", "e4=good"] {
        assert!(read(&format!("c0 \"{comment}\"; c8 \"10\"; c9 \"best\";")).points().is_empty());
    }
}

#[test]
fn every_perft_spelling_gives_the_counts() {
    for line in ["0 1 ;D1 20 ;D2 400", "0 1; D1 20; D2 400 ", "; D1 20; D2 400;", "D1 20; D2 400"] {
        assert_eq!(read(line).perft(), [(1, 20), (2, 400)], "{line}");
    }
}

#[test]
fn a_wrong_operation_names_opcode_move_and_column() {
    let cases = [
        ("bm Nf3 e5;", "column 61: bm: 'e5' is not legal here"),
        ("am Ke2;", "column 57: am: 'Ke2' is not legal here"),
        ("bm ;", "bm: names no move"),
        (r#"c0 "e4=10, Nf6=5";"#, "column 65: c0: 'Nf6' is not legal here"),
        (r#"c8 "10 5"; c9 "e2e4";"#, "column 58: c8: 2 points for the 1 moves of c9"),
        ("D1 20 21;", "column 57: D1: one number is expected, not '20 21'"),
        ("hmvc x;", "column 59: hmvc: one number is expected, not 'x'"),
        ("1x bm e4;", "column 54: the halfmove clock must be a number, not '1x'"),
        ("id \"open", "column 57: the text that begins here has no closing quote"),
    ];
    for (operations, message) in cases {
        assert_eq!(error(operations), message);
    }
    let wrong = Epd::read("  4k3/8/8/8/8/8/8/4K3 x - - bm e4;").unwrap_err();
    assert_eq!(wrong.to_string(), "column 23: the side to move is w or b, not 'x'");
}

#[test]
fn a_file_is_read_past_its_broken_lines() {
    let text = format!("# suite\r\n{START} bm e4;\r\n\r\n% x\r; y\n{START} bm e5;\n{START} bm d4;");
    let found: Vec<_> = read_all(&text).collect();
    assert_eq!(found.len(), 3);
    assert_eq!(found[0].as_ref().unwrap().line, Some(2));
    let message = found[1].as_ref().unwrap_err().to_string();
    assert_eq!(message, "line 6, column 57: bm: 'e5' is not legal here");
    assert_eq!(found[2].as_ref().unwrap().line, Some(7));
}

#[test]
fn an_impossible_castling_right_is_dropped_with_a_note() {
    let epd = Epd::read("4k3/8/8/8/8/8/8/4K2R w Kq - bm O-O;").unwrap();
    assert_eq!(epd.notes, ["castling right q dropped: king or rook is elsewhere"]);
}

#[test]
fn operations_can_be_set_and_are_checked() {
    let mut epd = Epd::new(Chess::start());
    epd.set("bm", &["e2e4"]).unwrap();
    epd.set("id", &["my position"]).unwrap();
    epd.set("bm", &["d4", "c4"]).unwrap();
    assert_eq!(epd.write(), format!("{START} bm d4 c4; id \"my position\";"));
    assert_eq!(san(&epd, epd.best_moves()), "d4 c4");
    assert_eq!(epd.set("bm", &["e5"]).unwrap_err().to_string(), "bm: 'e5' is not legal here");
    assert!(epd.set("no way", &[]).is_err());
    assert_eq!(epd.write(), format!("{START} bm d4 c4; id \"my position\";"));
}
