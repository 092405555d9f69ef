//! Openings of chess: EPD or FEN lines, or PGN. What a text is shows in its first line.

use super::Chess;
use super::epd::{self, Epd, is_comment};
use super::pgn::{Pgn, ReadError, Reader};
use crate::opening::{WrittenOpening, WrittenOpenings};
use crate::record::Record;
use crate::source;
use secateur_search::ParseError;

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

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Notation;

    fn all(text: &str) -> Vec<Result<(Option<String>, usize, String), String>> {
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
}
