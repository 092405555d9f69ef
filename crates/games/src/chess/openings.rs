//! Openings of chess: EPD or FEN lines, or PGN. Which of them a text is shows in its first line.

use super::epd::{self, Epd, is_comment};
use super::fen::{self, Rights};
use super::pgn::{Pgn, ReadError, Reader};
use super::{Chess, san};
use crate::opening::{WrittenOpening, WrittenOpenings};
use crate::playable::Unwritable;
use crate::record::Record;
use crate::source;
use secateur_search::{Game, Notation, ParseError};

/// The tags that may name an opening, best first. Some programs write `Eco`.
const NAMES: [&str; 3] = ["Opening", "ECO", "Event"];

pub(super) fn read(text: &str) -> WrittenOpenings<'_, Chess> {
    let holds_positions = source::lines(text)
        .find(|(_, line)| !is_comment(line))
        .is_none_or(|(_, line)| begins_with_board(line));
    match holds_positions {
        true => Box::new(epd::read_all(text).map(|epd| epd.map(position))),
        false => Box::new(Reader::new(text.as_bytes()).map(|pgn| pgn.map(game).map_err(broken))),
    }
}

/// Whether the first word has the seven slashes between eight ranks, or looks like a failed try.
fn begins_with_board(line: &str) -> bool {
    let word = line.split_whitespace().next().unwrap_or_default();
    !word.starts_with(['[', '{', '(']) && word.matches('/').count() >= 4
}

fn position(epd: Epd) -> WrittenOpening<Chess> {
    WrittenOpening {
        name: epd.id().filter(|id| !id.is_empty()),
        line: epd.line,
        record: Record::starting_at(epd.position),
    }
}

fn game(pgn: Pgn) -> WrittenOpening<Chess> {
    let tag = |wanted: &&str| {
        let known = |(name, value): &&(String, String)| {
            name.eq_ignore_ascii_case(wanted) && !matches!(value.as_str(), "" | "?" | "-")
        };
        pgn.tags.iter().find(known).map(|(_, value)| value.clone())
    };
    let name = NAMES.iter().find_map(tag);
    let mut record = Record::starting_at(pgn.start);
    pgn.moves.iter().for_each(|played| record.play(played.m));
    WrittenOpening { name, line: None, record }
}

fn broken(error: ReadError) -> ParseError {
    match error {
        ReadError::Broken(error) => error,
        ReadError::Io { line, source } => ParseError::new(source.to_string()).on_line(line),
    }
}

/// The moves as a game of PGN without tags, on one line.
pub(super) fn write_moves(game: &Record<Chess>) -> Result<String, Unwritable> {
    let mut position = Chess::start();
    if game.start().key() != position.key() {
        return Err(Unwritable("moves alone begin at the usual start, and this game did not"));
    }
    let mut text = String::new();
    for (ply, m) in game.moves().iter().enumerate() {
        if ply.is_multiple_of(2) {
            text += &format!("{}. ", ply / 2 + 1);
        }
        text += &san::write(&position, *m);
        text.push(' ');
        position.play(*m);
    }
    Ok(text + "*")
}

/// The position with its score (`ce`) and name (`id`).
pub(super) fn write_position(position: &Chess, name: &str, score: i32) -> String {
    let mut epd = Epd::new(position.clone());
    // A number and a plain text: there is nothing to refuse.
    let _ = epd.set("ce", &[&score.to_string()]);
    let _ = epd.set("id", &[name]);
    epd.write()
}

/// Four fields of FEN, of the position or of the same with the colours exchanged, whichever comes
/// first.
pub(super) fn canonical_text(position: &Chess) -> String {
    let text = fen::write_four_fields(position, Rights::Files);
    let mirrored = with_colours_exchanged(&text);
    text.min(mirrored)
}

fn with_colours_exchanged(four_fields: &str) -> String {
    let exchanged = |c: char| match c.is_ascii_uppercase() {
        true => c.to_ascii_lowercase(),
        false => c.to_ascii_uppercase(),
    };
    let mut fields = four_fields.split(' ');
    let mut next = || fields.next().unwrap_or_default();
    let ranks: Vec<&str> = next().rsplit('/').collect();
    let board: String = ranks.join("/").chars().map(exchanged).collect();
    let turn = if next() == "w" { "b" } else { "w" };
    let rights: String = next().chars().map(exchanged).collect();
    // White's rights are written first.
    let (white, black): (String, String) = rights.chars().partition(char::is_ascii_uppercase);
    let en_passant: String = next()
        .chars()
        .map(|c| match c {
            '3' => '6',
            '6' => '3',
            other => other,
        })
        .collect();
    format!("{board} {turn} {white}{black} {en_passant}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playable::Playable;

    /// Name, number of moves, and position.
    type Told = (Option<String>, usize, String);

    fn all(text: &str) -> Vec<Result<Told, String>> {
        read(text)
            .map(|opening| {
                let WrittenOpening { name, record, .. } = opening.map_err(|e| e.to_string())?;
                Ok((name, record.moves().len(), record.position().write_position()))
            })
            .collect()
    }

    #[test]
    fn positions_have_four_fields_or_six_and_perhaps_a_name() {
        let text = "# a book\n\
                    4k3/8/8/8/8/8/8/4K2R w K - id \"rook\"; ce 500;\n\
                    \n\
                    4k3/8/8/8/8/8/8/4K2R b - - 3 40\n";
        let found: Vec<_> = all(text).into_iter().map(Result::unwrap).collect();
        let first = (Some("rook".into()), 0, "4k3/8/8/8/8/8/8/4K2R w K - 0 1".to_string());
        assert_eq!(found, [first, (None, 0, "4k3/8/8/8/8/8/8/4K2R b - - 3 40".into())]);
        assert_eq!(read(text).map(|o| o.unwrap().line).collect::<Vec<_>>(), [Some(2), Some(4)]);
    }

    #[test]
    fn the_main_line_of_a_game_is_the_opening_and_a_tag_its_name() {
        let text = "[Event \"Test\"]\n[Eco \"C20\"]\n\n1. e4 (1. d4 d5) e5 2. Nf3 *\n\n\
                    [Event \"Book\"]\n[ECO \"?\"]\n\n1. d4 *\n\n\
                    [Event \"?\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n";
        let found = all(text);
        let named: Vec<_> = found
            .iter()
            .map(|opening| opening.as_ref().map(|(name, plies, _)| (name.as_deref(), *plies)))
            .collect();
        assert_eq!(named, [Ok((Some("C20"), 3)), Ok((Some("Book"), 1)), Ok((None, 1))]);
        assert_eq!(found[2].as_ref().unwrap().2, "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }

    #[test]
    fn games_without_tags_may_stand_one_on_a_line() {
        let plies: Vec<_> = all("; moves only\n1. e4 e5 *\n1. d4 *\nc4 e5 g3 *\n")
            .into_iter()
            .map(|opening| opening.unwrap().1)
            .collect();
        assert_eq!(plies, [2, 1, 3]);
    }

    #[test]
    fn a_broken_entry_names_its_line() {
        let found = all("4k3/8/8/8/8/8/8/4K2R w K -\n4k3/8/8/8/8/8/8/4K2R\n");
        assert!(found[1].as_ref().unwrap_err().starts_with("line 2"), "{found:?}");
        let found = all("1. e4 *\n\n1. e5 *\n");
        assert!(found[1].as_ref().unwrap_err().starts_with("line 3, column 4"), "{found:?}");
    }

    #[test]
    fn what_is_written_is_read_again() {
        let mut record = Record::starting_at(Chess::start());
        record.play_all(["e4", "e5", "Nf3"]).unwrap();
        assert_eq!(write_moves(&record).unwrap(), "1. e4 e5 2. Nf3 *");
        let line = write_position(record.position(), "first", -20);
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -";
        assert_eq!(line, format!("{fen} ce -20; id \"first\"; hmvc 1; fmvn 2;"));
        for text in [write_moves(&record).unwrap(), line] {
            let again = read(&text).next().unwrap().unwrap();
            assert_eq!(
                again.record.position().write_position(),
                record.position().write_position()
            );
        }
        let elsewhere = Chess::read_position("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        assert!(write_moves(&Record::starting_at(elsewhere)).is_err());
    }

    #[test]
    fn a_position_and_its_colour_mirror_have_one_canonical_text() {
        let pairs = [
            ("4k3/8/8/8/3pP3/8/8/4K2R b K e3 0 1", "4k2r/8/8/3Pp3/8/8/8/4K3 w k e6 9 7"),
            ("r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1", "r3k2r/8/8/8/8/8/8/R3K3 b Qkq - 0 1"),
        ];
        for (one, other) in pairs {
            let text = |fen| Chess::read_position(fen).unwrap().canonical_text();
            assert_eq!(text(one), text(other));
        }
        let start = Chess::start();
        let passed = start.null_move().unwrap();
        assert_eq!(start.canonical_text(), passed.canonical_text(), "colours exchanged");
        let mut moved = start.clone();
        moved.play(start.read_move("e4").unwrap());
        assert_ne!(moved.canonical_text(), start.canonical_text());
        assert_ne!(moved.canonical_text(), moved.null_move().unwrap().canonical_text());
    }
}
