//! Moves as people write them: standard algebraic notation.
//!
//! Written in the standard form. Read generously: superfluous or missing `x`, `=`, `+`, `#`,
//! marks like `!?`, zeros for castling, long forms (`Ng1-f3`), captures in passing marked `e.p.`.

use cozy_chess::{BitBoard, File, Move, Piece, Rank, Square};
use secateur_search::notation::quoted;
use secateur_search::{Game, ParseError, Tactics};

use super::{Chess, moves};

/// The move in standard algebraic notation, check and mate marked.
pub fn write(position: &Chess, m: Move) -> String {
    let board = position.board();
    let mut text = match moves::castling(board, m) {
        Some(castling) if castling.short => "O-O".to_string(),
        Some(_) => "O-O-O".to_string(),
        None => write_plain(position, m),
    };
    if position.gives_check(m) {
        text.push(if position.after(m).count_moves() == 0 { '#' } else { '+' });
    }
    text
}

fn write_plain(position: &Chess, m: Move) -> String {
    let board = position.board();
    let takes = if moves::victim(board, m).is_some() { "x" } else { "" };
    match board.piece_on(m.from) {
        None | Some(Piece::Pawn) => {
            let from = if takes.is_empty() { String::new() } else { m.from.file().to_string() };
            let promotion =
                m.promotion.map_or(String::new(), |piece| format!("={}", letter(piece)));
            format!("{from}{takes}{}{promotion}", m.to)
        }
        Some(piece) => {
            let rivals = sources(position, piece, m.to, None) - m.from.bitboard();
            let same_file = !(rivals & m.from.file().bitboard()).is_empty();
            let same_rank = !(rivals & m.from.rank().bitboard()).is_empty();
            // The file tells most rivals apart and is preferred; else the rank; else both.
            let from = match (rivals.is_empty(), same_file, same_rank) {
                (true, ..) => String::new(),
                (_, false, _) => m.from.file().to_string(),
                (_, true, false) => m.from.rank().to_string(),
                (_, true, true) => m.from.to_string(),
            };
            format!("{}{from}{takes}{}", letter(piece), m.to)
        }
    }
}

fn letter(piece: Piece) -> char {
    char::from(piece).to_ascii_uppercase()
}

/// From where a piece of this kind can legally go to `to`; castling is left out.
fn sources(position: &Chess, piece: Piece, to: Square, promotion: Option<Piece>) -> BitBoard {
    let board = position.board();
    let ours = board.colors(position.color());
    if ours.has(to) {
        return BitBoard::EMPTY;
    }
    let can_go = |from: &Square| board.is_legal(Move { from: *from, to, promotion });
    (ours & board.pieces(piece)).iter().filter(can_go).collect()
}

/// Reads a legal move in algebraic notation, or in coordinates (`e2e4`, `e7e8q`).
pub fn read(position: &Chess, text: &str) -> Result<Move, ParseError> {
    let refuse = |why: &str| ParseError::new(format!("{} {why}", quoted(text)));
    let marks = ['+', '#', '!', '?', ' '];
    let bare = text.trim().trim_end_matches(marks);
    let bare = bare.strip_suffix("e.p.").unwrap_or(bare).trim_end_matches(marks);
    if let Some(m) = read_coordinates(position, bare) {
        return Ok(m);
    }
    if let Some(short) = castling_side(bare) {
        return castle(position, short).ok_or_else(|| refuse("is not possible here"));
    }
    let parts = Parts::split(bare).ok_or_else(|| refuse("is no move"))?;
    let sources = sources(position, parts.piece, parts.to, parts.promotion) & parts.from;
    match (sources.len(), sources.next_square()) {
        (1, Some(from)) => Ok(Move { from, to: parts.to, promotion: parts.promotion }),
        (0, _) if parts.lacks_promotion(position) => {
            Err(refuse("does not say what it promotes to"))
        }
        (0, _) => Err(refuse("is not legal here")),
        _ => Err(refuse("is ambiguous here")),
    }
}

/// `e2e4`, `e2-e4`, `e7e8q`; castling as the king's two steps or as king takes rook.
fn read_coordinates(position: &Chess, text: &str) -> Option<Move> {
    let squares: String = text.chars().filter(|c| *c != '-').collect();
    let from = squares.get(0..2)?.parse().ok()?;
    let to: Square = squares.get(2..4)?.parse().ok()?;
    let promotion = match squares.get(4..)?.trim_start_matches('=') {
        "" => None,
        letter => Some(promotion_piece(letter)?),
    };
    let board = position.board();
    let m = Move { from, to, promotion };
    if board.is_legal(m) {
        return Some(m);
    }
    let king_steps = from == board.king(position.color())
        && from.file() == File::E
        && from.rank() == to.rank()
        && matches!(to.file(), File::C | File::G)
        && promotion.is_none();
    if king_steps { castle(position, to.file() == File::G) } else { None }
}

fn castling_side(text: &str) -> Option<bool> {
    match text {
        "O-O" | "0-0" | "o-o" | "OO" => Some(true),
        "O-O-O" | "0-0-0" | "o-o-o" | "OOO" => Some(false),
        _ => None,
    }
}

fn castle(position: &Chess, short: bool) -> Option<Move> {
    let board = position.board();
    let us = position.color();
    let rights = board.castle_rights(us);
    let rook = if short { rights.short } else { rights.long }?;
    let to = Square::new(rook, Rank::First.relative_to(us));
    let m = Move { from: board.king(us), to, promotion: None };
    board.is_legal(m).then_some(m)
}

fn promotion_piece(letter: &str) -> Option<Piece> {
    match letter {
        "Q" | "q" => Some(Piece::Queen),
        "R" | "r" => Some(Piece::Rook),
        "B" | "b" => Some(Piece::Bishop),
        "N" | "n" => Some(Piece::Knight),
        _ => None,
    }
}

/// A move in algebraic notation, taken apart.
struct Parts {
    piece: Piece,
    /// The squares it may come from.
    from: BitBoard,
    to: Square,
    promotion: Option<Piece>,
}

impl Parts {
    fn split(text: &str) -> Option<Parts> {
        if !text.is_ascii() {
            return None;
        }
        let (piece, rest) = match text.chars().next()? {
            'K' => (Piece::King, &text[1..]),
            'Q' => (Piece::Queen, &text[1..]),
            'R' => (Piece::Rook, &text[1..]),
            'B' => (Piece::Bishop, &text[1..]),
            'N' => (Piece::Knight, &text[1..]),
            'P' => (Piece::Pawn, &text[1..]),
            _ => (Piece::Pawn, text),
        };
        let (rest, promotion) = match rest.char_indices().next_back()? {
            (index, 'Q' | 'R' | 'B' | 'N' | 'q' | 'r' | 'n') if piece == Piece::Pawn => {
                (rest[..index].trim_end_matches('='), promotion_piece(&rest[index..]))
            }
            // A small b alone is the file.
            (index, 'b') if rest[..index].ends_with('=') => {
                (rest[..index].trim_end_matches('='), Some(Piece::Bishop))
            }
            _ => (rest, None),
        };
        let split = rest.len().checked_sub(2)?;
        let to = rest[split..].parse().ok()?;
        let mut from = BitBoard::FULL;
        for c in rest[..split].chars() {
            match c {
                'a'..='h' => from &= File::index(c as usize - 'a' as usize).bitboard(),
                '1'..='8' => from &= Rank::index(c as usize - '1' as usize).bitboard(),
                'x' | ':' | '-' => {}
                _ => return None,
            }
        }
        Some(Parts { piece, from, to, promotion })
    }

    fn lacks_promotion(&self, position: &Chess) -> bool {
        self.piece == Piece::Pawn
            && self.promotion.is_none()
            && self.to.rank() == Rank::Eighth.relative_to(position.color())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Notation;

    fn written(fen: &str, coordinates: &str) -> String {
        let position = Chess::read_position(fen).unwrap();
        let m = read_coordinates(&position, coordinates).expect(coordinates);
        write(&position, m)
    }

    #[test]
    fn moves_are_told_apart_by_file_then_rank_then_square() {
        assert_eq!(written("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", "g1e2"), "Ne2");
        assert_eq!(written("4k3/8/8/8/8/8/3K4/1N3N2 w - - 0 1", "f1e3"), "Ne3");
        assert_eq!(written("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2"), "Nbd2");
        assert_eq!(written("4k3/8/8/1N6/8/8/8/1N2K3 w - - 0 1", "b5c3"), "N5c3");
        assert_eq!(written("6k1/8/8/8/Q7/8/8/Q3K3 w - - 0 1", "a1a3"), "Q1a3");
        assert_eq!(written("6k1/8/8/8/Q2Q4/8/8/Q3K3 w - - 0 1", "a4d1"), "Qa4d1");
        assert_eq!(written("6k1/2Q5/8/Q3Q3/8/8/8/4K3 w - - 0 1", "e5c3"), "Qec3");
        assert_eq!(written("6k1/8/8/Q3Q3/8/8/8/Q3K3 w - - 0 1", "a5c3"), "Qa5c3");
    }

    #[test]
    fn a_pinned_rival_is_no_rival() {
        assert_eq!(written("4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "g1e2"), "Ne2");
    }

    #[test]
    fn captures_promotions_castling_and_checks_are_written_out() {
        assert_eq!(written("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q"), "axb8=Q+");
        assert_eq!(written("8/8/8/3pP3/8/8/8/k3K3 w - d6 0 1", "e5d6"), "exd6");
        assert_eq!(written("7k/6pp/8/8/8/8/8/K6R w - - 0 1", "h1h7"), "Rxh7+");
        assert_eq!(written("7k/6pp/8/8/8/8/8/KR6 w - - 0 1", "b1b8"), "Rb8#");
        assert_eq!(written("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1"), "O-O-O");
        assert_eq!(written("5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1"), "O-O+");
    }

    #[test]
    fn many_spellings_are_one_move() {
        let position =
            Chess::read_position("r3k2r/1P6/8/2pP4/8/5N2/8/R3K2R w KQkq c6 0 1").unwrap();
        let spellings = [
            ("g1", vec!["O-O", "0-0", "o-o", "e1g1", "e1h1", "O-O!?", "OO"]),
            ("c1", vec!["O-O-O", "0-0-0", "e1c1", "e1a1", "0-0-0+"]),
            (
                "c6",
                vec![
                    "dxc6",
                    "dc6",
                    "d5xc6",
                    "d5c6",
                    "d5-c6",
                    "dxc6e.p.",
                    "dxc6 e.p.",
                    "dxc6+ e.p.!",
                    "Pdxc6",
                ],
            ),
            ("a8", vec!["bxa8=Q", "bxa8Q+", "ba8q", "b7a8q", "b7xa8=Q#", "b7a8=Q"]),
            ("a8", vec!["bxa8=B", "bxa8=b", "b7a8b", "bxa8B"]),
            ("e5", vec!["Ne5", "Nf3e5", "Nf3-e5", "Nfe5", "N3e5", "f3e5", "Ne5!!"]),
        ];
        for (to, texts) in spellings {
            let moves: Vec<Move> =
                texts.iter().map(|text| read(&position, text).expect(text)).collect();
            assert!(moves.iter().all(|m| *m == moves[0]), "{texts:?} {moves:?}");
            let lands = moves::castling(position.board(), moves[0]).map_or(moves[0].to, |c| c.king);
            assert_eq!(lands.to_string(), to);
        }
    }

    #[test]
    fn a_bishop_and_a_pawn_of_the_b_file_are_told_apart_by_case() {
        let position = Chess::read_position("4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1").unwrap();
        assert_eq!(read(&position, "bxc4").unwrap().from, Square::B3);
        assert_eq!(read(&position, "Bxc4").unwrap().from, Square::D3);
    }

    #[test]
    fn a_refused_move_says_why() {
        let position = Chess::read_position("4k3/P7/8/8/8/8/8/1N2KN2 w - - 0 1").unwrap();
        let cases = [
            ("Nd2", "'Nd2' is ambiguous here"),
            ("Nd5", "'Nd5' is not legal here"),
            ("a8", "'a8' does not say what it promotes to"),
            ("O-O", "'O-O' is not possible here"),
            ("e1g1", "'e1g1' is not legal here"),
            ("hello", "'hello' is no move"),
            ("", "'' is no move"),
            ("Nü2", "'Nü2' is no move"),
        ];
        for (text, message) in cases {
            assert_eq!(read(&position, text).unwrap_err().to_string(), message);
        }
    }
}
