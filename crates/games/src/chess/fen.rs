//! Positions as FEN: four or six fields, castling rights as in FEN, X-FEN or Shredder-FEN.
//!
//! A text that describes no possible position is refused with the reason and the column. Rights
//! that cannot exist (castling without a rook, a capture in passing of no pawn) are common in old
//! files and harmless: they are dropped, and [`read`] says so. A halfmove clock beyond 100, which
//! games that nobody claimed a draw in can have, is counted as 100.

use cozy_chess::{
    BoardBuilder, BoardBuilderError, CastleRights, Color, File, Piece, Rank, Square, get_king_moves,
};
use secateur_search::ParseError;
use secateur_search::notation::quoted;

use super::Chess;

/// A position as read, and what had to be mended.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The position.
    pub position: Chess,
    /// One sentence for each thing that was dropped or changed.
    pub notes: Vec<String>,
}

/// How castling rights are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rights {
    /// `KQkq`, and the file of the rook only where another rook stands further out (X-FEN).
    Letters,
    /// Always the file of the rook: `HAha` (Shredder-FEN).
    Files,
}

/// The fields of a text with the column at which each begins.
fn fields(text: &str) -> Vec<(usize, &str)> {
    let mut fields = Vec::new();
    let mut column = 1;
    for part in text.split(char::is_whitespace) {
        if !part.is_empty() {
            fields.push((column, part));
        }
        column += part.chars().count() + 1;
    }
    fields
}

/// Reads a FEN of four to six fields.
pub fn read(text: &str) -> Result<Reading, ParseError> {
    let fields = fields(text);
    if !(4..=6).contains(&fields.len()) {
        let what = format!(
            "a FEN has 4 or 6 fields (board, side, castling, en passant, clocks); this has {}",
            fields.len()
        );
        return Err(ParseError::new(what));
    }
    let at = |index: usize| fields[index];
    let mut builder = BoardBuilder::empty();
    let mut notes = Vec::new();

    let (column, board) = at(0);
    read_board(board, &mut builder).map_err(|error| error.shifted_by(column - 1))?;
    builder.side_to_move = match at(1) {
        (_, "w") => Color::White,
        (_, "b") => Color::Black,
        (column, other) => {
            let what = format!("the side to move is w or b, not {}", quoted(other));
            return Err(ParseError::new(what).at_column(column));
        }
    };
    let (column, rights) = at(2);
    read_rights(rights, &mut builder, &mut notes).map_err(|error| error.shifted_by(column - 1))?;
    let (column, square) = at(3);
    let en_passant = read_en_passant(square).map_err(|error| error.at_column(column))?;
    if let Some(&(column, clock)) = fields.get(4) {
        let plies = read_number(clock, "the halfmove clock", column)?;
        if plies > 100 {
            notes.push(format!("halfmove clock {clock} is counted as 100"));
        }
        builder.halfmove_clock = plies.min(100) as u8;
    }
    if let Some(&(column, number)) = fields.get(5) {
        let read = read_number(number, "the move number", column)?;
        builder.fullmove_number = read.clamp(1, u16::MAX.into()) as u16;
        // Some programs begin at 0: nothing is lost by beginning at 1.
        if read > u16::MAX.into() {
            notes.push(format!("move number {number} is counted as {}", u16::MAX));
        }
    }

    check_pieces(&builder)?;
    builder.en_passant = en_passant;
    let board = match builder.build() {
        Err(BoardBuilderError::InvalidEnPassant) => {
            notes.push(format!(
                "en passant square {square} dropped: no double step can have led here"
            ));
            builder.en_passant = None;
            builder.build()
        }
        built => built,
    };
    let board = board.map_err(|error| match error {
        BoardBuilderError::InvalidBoard => {
            let waiting = if builder.side_to_move == Color::White { "Black" } else { "White" };
            ParseError::new(format!("{waiting} is in check, but it is not {waiting}'s turn"))
        }
        other => ParseError::new(other.to_string()),
    })?;
    let chess960 = Color::ALL.iter().any(|color| {
        let rights = board.castle_rights(*color);
        let unusual = |rook: Option<File>, usual| rook.is_some_and(|file| file != usual);
        let has_any = rights.short.is_some() || rights.long.is_some();
        (has_any && board.king(*color).file() != File::E)
            || unusual(rights.short, File::H)
            || unusual(rights.long, File::A)
    });
    Ok(Reading { position: Chess::new(board, chess960), notes })
}

fn read_board(text: &str, builder: &mut BoardBuilder) -> Result<(), ParseError> {
    let mut rank = 7;
    let mut file = 0;
    for (index, c) in text.chars().enumerate() {
        let error = |what: String| Err(ParseError::new(what).at_column(index + 1));
        match c {
            '/' => {
                if file != 8 {
                    return error(format!("rank {} has {file} squares instead of 8", rank + 1));
                }
                if rank == 0 {
                    return error("the board has more than 8 ranks".to_string());
                }
                rank -= 1;
                file = 0;
            }
            '1'..='8' => file += c as usize - '0' as usize,
            _ => {
                let Some(piece) = c.to_ascii_lowercase().try_into().ok() else {
                    return error(format!("{} is no piece", quoted(&c.to_string())));
                };
                let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
                if file < 8 {
                    let square = Square::new(File::index(file), Rank::index(rank));
                    *builder.square_mut(square) = Some((piece, color));
                }
                file += 1;
            }
        }
        if file > 8 {
            return error(format!("rank {} has more than 8 squares", rank + 1));
        }
    }
    let missing = if rank != 0 {
        format!("the board has {} ranks instead of 8", 8 - rank)
    } else if file != 8 {
        format!("rank 1 has {file} squares instead of 8")
    } else {
        return Ok(());
    };
    Err(ParseError::new(missing).at_column(text.chars().count() + 1))
}

fn read_rights(
    text: &str,
    builder: &mut BoardBuilder,
    notes: &mut Vec<String>,
) -> Result<(), ParseError> {
    if text == "-" {
        return Ok(());
    }
    for (index, c) in text.chars().enumerate() {
        let color = if c.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rank = Rank::First.relative_to(color);
        let stands = |piece, file| builder.square(Square::new(file, rank)) == Some((piece, color));
        let king = File::ALL.into_iter().find(|file| stands(Piece::King, *file));
        let mut rooks = File::ALL.into_iter().filter(|file| stands(Piece::Rook, *file));
        let rook = match c.to_ascii_lowercase() {
            'k' => king.and_then(|king| rooks.rfind(|rook| *rook > king)),
            'q' => king.and_then(|king| rooks.find(|rook| *rook < king)),
            letter @ 'a'..='h' => {
                let wanted = File::index(letter as usize - 'a' as usize);
                rooks.find(|rook| *rook == wanted && king.is_some())
            }
            _ => {
                let what = format!("{} is no castling right", quoted(&c.to_string()));
                return Err(ParseError::new(what).at_column(index + 1));
            }
        };
        match (king, rook) {
            (Some(king), Some(rook)) => {
                let rights = builder.castle_rights_mut(color);
                *(if rook > king { &mut rights.short } else { &mut rights.long }) = Some(rook);
            }
            _ => notes.push(format!("castling right {c} dropped: king or rook is elsewhere")),
        }
    }
    Ok(())
}

fn read_en_passant(text: &str) -> Result<Option<Square>, ParseError> {
    if text == "-" {
        return Ok(None);
    }
    let what = || format!("the en passant field is - or a square, not {}", quoted(text));
    text.parse().map(Some).map_err(|_| ParseError::new(what()))
}

fn read_number(text: &str, name: &str, column: usize) -> Result<u32, ParseError> {
    let what = || format!("{name} must be a number, not {}", quoted(text));
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseError::new(what()).at_column(column));
    }
    Ok(text.parse().unwrap_or(u32::MAX))
}

/// What the move generator would refuse without saying why.
fn check_pieces(builder: &BoardBuilder) -> Result<(), ParseError> {
    for (color, name) in [(Color::White, "White"), (Color::Black, "Black")] {
        let count = |piece| builder.board.iter().filter(|s| **s == Some((piece, color))).count();
        let all = builder.board.iter().flatten().filter(|(_, owner)| *owner == color).count();
        let (kings, pawns) = (count(Piece::King), count(Piece::Pawn));
        if kings != 1 {
            return Err(ParseError::new(format!("{name} has {kings} kings instead of 1")));
        }
        if pawns > 8 {
            return Err(ParseError::new(format!("{name} has {pawns} pawns, more than 8")));
        }
        if all > 16 {
            return Err(ParseError::new(format!("{name} has {all} pieces, more than 16")));
        }
    }
    for square in (Rank::First.bitboard() | Rank::Eighth.bitboard()).iter() {
        if matches!(builder.square(square), Some((Piece::Pawn, _))) {
            return Err(ParseError::new(format!("a pawn stands on {square}")));
        }
    }
    // The move generator does not see kings give check, and fails when one takes the other.
    let king = |color| {
        Square::ALL.into_iter().find(|square| builder.square(*square) == Some((Piece::King, color)))
    };
    if let (Some(white), Some(black)) = (king(Color::White), king(Color::Black))
        && get_king_moves(white).has(black)
    {
        return Err(ParseError::new("the kings stand next to each other"));
    }
    Ok(())
}

/// Writes six fields.
pub fn write(position: &Chess, rights: Rights) -> String {
    let board = position.board();
    let clocks = format!("{} {}", board.halfmove_clock(), board.fullmove_number());
    format!("{} {clocks}", write_four_fields(position, rights))
}

/// Writes board, side, castling rights and en passant square: the beginning of an EPD line.
pub fn write_four_fields(position: &Chess, rights: Rights) -> String {
    let board = position.board();
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let square = Square::new(file, rank);
            match board.piece_on(square) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        text += &empty.to_string();
                        empty = 0;
                    }
                    let letter = char::from(piece);
                    text.push(match board.color_on(square) {
                        Some(Color::White) => letter.to_ascii_uppercase(),
                        _ => letter,
                    });
                }
            }
        }
        if empty > 0 {
            text += &empty.to_string();
        }
        if rank != Rank::First {
            text.push('/');
        }
    }
    let side = if position.color() == Color::White { 'w' } else { 'b' };
    let en_passant = position.en_passant().map_or("-".to_string(), |square| square.to_string());
    format!("{text} {side} {} {en_passant}", write_rights(position, rights))
}

fn write_rights(position: &Chess, style: Rights) -> String {
    let board = position.board();
    let mut text = String::new();
    for color in Color::ALL {
        let rank = Rank::First.relative_to(color).bitboard();
        let rooks = board.colored_pieces(color, Piece::Rook) & rank;
        let CastleRights { short, long } = *board.castle_rights(color);
        let mut push = |letter: char| {
            text.push(if color == Color::White { letter.to_ascii_uppercase() } else { letter });
        };
        for (right, letter) in [(short, 'k'), (long, 'q')] {
            let Some(rook) = right else { continue };
            let outermost = rooks.iter().all(|square| match letter {
                'k' => square.file() <= rook,
                _ => square.file() >= rook,
            });
            push(if style == Rights::Letters && outermost { letter } else { rook.into() });
        }
    }
    if text.is_empty() { "-".to_string() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn what_is_read_is_written() {
        let texts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 12 57",
            "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
            "8/8/8/8/8/8/8/K1k5 b - - 100 65535",
            // A rook further out: the file must be named.
            "1rk1r2r/8/8/8/8/8/8/1RK1R2R w EQeq - 0 1",
        ];
        for text in texts {
            assert_eq!(write(&read(text).unwrap().position, Rights::Letters), text);
        }
    }

    #[test]
    fn four_fields_are_enough() {
        let reading = read("4k3/8/8/8/8/8/8/4K3 w - -").unwrap();
        let text = write(&reading.position, Rights::Letters);
        assert_eq!(text, "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert!(reading.notes.is_empty());
    }

    #[test]
    fn shredder_and_x_fen_give_the_same_rights() {
        let shredder = read("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9");
        let x_fen = read("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9");
        let (shredder, x_fen) = (shredder.unwrap().position, x_fen.unwrap().position);
        assert_eq!(shredder.board(), x_fen.board());
        assert!(shredder.is_chess960());
        assert!(write(&shredder, Rights::Files).contains(" HFhf "));
        assert!(write(&shredder, Rights::Letters).contains(" KQkq "));
    }

    #[test]
    fn the_usual_squares_are_ordinary_chess() {
        assert!(!read("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1").unwrap().position.is_chess960());
        assert!(read("r3k1r1/8/8/8/8/8/8/R3K1R1 w KQkq - 0 1").unwrap().position.is_chess960());
        assert!(!read("r3k1r1/8/8/8/8/8/8/R3K1R1 w Qq - 0 1").unwrap().position.is_chess960());
    }

    #[test]
    fn impossible_rights_are_dropped_and_said() {
        let reading = read("4k3/8/8/8/8/8/8/4K2R w KQkq e3 0 0").unwrap();
        let text = write(&reading.position, Rights::Letters);
        assert_eq!(text, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        assert_eq!(reading.notes.len(), 4, "{:?}", reading.notes);
        assert_eq!(reading.notes[0], "castling right Q dropped: king or rook is elsewhere");
        assert_eq!(
            reading.notes[3],
            "en passant square e3 dropped: no double step can have led here"
        );
    }

    #[test]
    fn large_clocks_are_capped() {
        let reading = read("4k3/8/8/8/8/8/8/4K2R w - - 4000000000 99999999999").unwrap();
        let text = write(&reading.position, Rights::Letters);
        assert!(text.ends_with(" 100 65535"), "{text}");
    }

    #[test]
    fn a_broken_fen_says_what_and_where() {
        let cases = [
            ("", "a FEN has 4 or 6 fields (board, side, castling, en passant, clocks); this has 0"),
            (
                "8/8/8/8/8/8/8/8 w",
                "a FEN has 4 or 6 fields (board, side, castling, en passant, clocks); this has 2",
            ),
            ("4k3/8/8/8/9/8/8/4K3 w - -", "column 11: '9' is no piece"),
            ("4k3/8/8/8/44p/8/8/4K3 w - -", "column 13: rank 4 has more than 8 squares"),
            ("4k3/8/8/7/8/8/8/4K3 w - -", "column 10: rank 5 has 7 squares instead of 8"),
            ("4k3/8/8/8/8/8/4K3 w - -", "column 18: the board has 7 ranks instead of 8"),
            ("4k3/8/8/8/8/8/8/8/4K3 w - -", "column 18: the board has more than 8 ranks"),
            ("4k3/8/8/8/8/8/8/4K2 w - -", "column 20: rank 1 has 7 squares instead of 8"),
            ("4k3/8/8/8/8/8/8/4K3 x - -", "column 21: the side to move is w or b, not 'x'"),
            ("4k3/8/8/8/8/8/8/4K3 w x -", "column 23: 'x' is no castling right"),
            (
                "4k3/8/8/8/8/8/8/4K3 w - e9",
                "column 25: the en passant field is - or a square, not 'e9'",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - x 1",
                "column 27: the halfmove clock must be a number, not 'x'",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - 0 -1",
                "column 29: the move number must be a number, not '-1'",
            ),
            ("8/8/8/8/8/8/8/4K3 w - -", "Black has 0 kings instead of 1"),
            ("4k3/8/8/8/8/8/8/3KK3 w - -", "White has 2 kings instead of 1"),
            ("4k2P/8/8/8/8/8/8/4K3 w - -", "a pawn stands on h8"),
            ("8/8/8/Kk6/8/8/8/8 b - -", "the kings stand next to each other"),
            ("4k3/4R3/8/8/8/8/8/4K3 w - -", "Black is in check, but it is not Black's turn"),
        ];
        for (text, message) in cases {
            assert_eq!(error(text), message, "{text}");
        }
        assert!(error("qqqqqqqq/qqqqqqqq/k7/8/8/8/8/K7 w - -").contains("17 pieces"));
        assert!(error("k7/pppppppp/p7/8/8/8/8/K7 w - -").contains("9 pawns"));
    }
}
