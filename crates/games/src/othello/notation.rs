//! Positions and moves of Othello as text, and the drawn board.

use secateur_search::notation::quoted;
use secateur_search::{Game, Notation, ParseError, Player, Tactics};

use super::{Othello, OthelloMove};

/// What a character says about a square: `Some(Some(player))` a disc, `Some(None)` empty.
fn read_square(symbol: char) -> Option<Option<Player>> {
    match symbol {
        '-' | '.' | '_' => Some(None),
        _ => read_player(symbol).map(Some),
    }
}

/// Programs write Black as `X`, `*` or `B` and White as `O` or `W`. A zero or a plus sign means
/// Black to some and White to others, so neither is read.
fn read_player(symbol: char) -> Option<Player> {
    match symbol {
        'X' | 'x' | '*' | 'B' | 'b' => Some(Player::First),
        'O' | 'o' | 'W' | 'w' => Some(Player::Second),
        _ => None,
    }
}

/// `X` for Black, `O` for White.
pub(super) const fn symbol(player: Player) -> char {
    match player {
        Player::First => 'X',
        Player::Second => 'O',
    }
}

impl Othello {
    /// The move if it is legal here, or else why it is not.
    pub(super) fn demand_legal(&self, m: OthelloMove) -> Result<OthelloMove, ParseError> {
        if self.unpack(Othello::pack(m)).is_some() {
            return Ok(m);
        }
        let side = symbol(self.turn());
        Err(ParseError::new(match m.square() {
            _ if self.is_over() => format!("{m} comes after the end of the game"),
            None => format!("{side} may not pass: it has a move"),
            Some(square) if self.empty() >> square & 1 == 0 => format!("{m} is occupied"),
            Some(_) if self.placements() == 0 => format!("{side} has no move and must pass"),
            Some(_) => format!("{m} turns over no disc of {side}'s opponent"),
        }))
    }

    /// How the game stands, in a line under the drawn board.
    fn status(&self) -> String {
        let side = match self.turn() {
            Player::First => "Black (X)",
            Player::Second => "White (O)",
        };
        match (self.placements().count_ones(), self.is_over(), self.margin()) {
            (_, true, 0) => "the game is over: a draw".to_string(),
            (_, true, margin) => {
                let winner = if margin > 0 { self.turn() } else { self.turn().other() };
                format!("the game is over: {} wins by {}", symbol(winner), margin.abs())
            }
            (0, ..) => format!("{side} to move must pass"),
            (1, ..) => format!("{side} to move, on the one square marked +"),
            (count, ..) => format!("{side} to move, on one of {count} squares marked +"),
        }
    }
}

/// A position is 64 squares row by row from a1, then the side to move: the form that OBF files
/// use. The squares are read as
///
/// * `X`, `x`, `*`, `B` or `b`: a black disc;
/// * `O`, `o`, `W` or `w`: a white disc (the letter O, not a zero);
/// * `-`, `.` or `_`: empty.
///
/// The side has the same letters; white space before it may be left out. Written are `X`, `O`, `-`
/// and one space.
///
/// A move is `f5`, a pass `pass`; read are also capitals, and `pa`, `ps`, `--`, `@@` for a pass.
impl Notation for Othello {
    const NAME: &'static str = "othello";
    const FINISHED_GAMES_ARE_LEAVES: bool = true;

    fn start() -> Othello {
        Othello::START
    }

    fn read_position(text: &str) -> Result<Othello, ParseError> {
        let trimmed = text.trim();
        let indent = text[..text.len() - text.trim_start().len()].chars().count();
        read_trimmed(trimmed).map_err(|error| error.shifted_by(indent))
    }

    fn write_position(&self) -> String {
        let square = |square| match self.disc_on(square) {
            Some(player) => symbol(player),
            None => '-',
        };
        let mut text: String = (0..64).map(square).collect();
        text.push(' ');
        text.push(symbol(self.turn()));
        text
    }

    fn read_move(&self, text: &str) -> Result<OthelloMove, ParseError> {
        let trimmed = text.trim();
        let m = OthelloMove::read(trimmed).ok_or_else(|| {
            ParseError::new(format!("{} is no move: a1 to h8, or pass", quoted(trimmed)))
        })?;
        self.demand_legal(m)
    }

    fn write_move(&self, m: OthelloMove) -> String {
        m.to_string()
    }

    fn describe_move(&self, m: OthelloMove) -> String {
        m.to_string()
    }

    /// Black is `X`, White `O`; `+` marks the squares where the side to move may play.
    fn draw(&self) -> String {
        let mut text = String::from("    a b c d e f g h\n");
        for row in 0..8 {
            text += &format!("  {}", row + 1);
            for square in row * 8..row * 8 + 8 {
                text.push(' ');
                text.push(match self.disc_on(square) {
                    Some(player) => symbol(player),
                    None if self.placements() >> square & 1 == 1 => '+',
                    None => '.',
                });
            }
            text.push('\n');
        }
        let count = |player| self.discs_of(player).count_ones();
        let (black, white) = (count(Player::First), count(Player::Second));
        text + &format!("  X {black}, O {white}; {}\n", self.status())
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let mobility = |squares: u64| squares.count_ones().to_string();
        vec![
            ("key", format!("{:016x}", self.key())),
            ("discs", self.discs().to_string()),
            ("empties", self.empty().count_ones().to_string()),
            ("stage", self.stage().to_string()),
            ("mobility", mobility(self.placements())),
            ("mobility of the opponent", mobility(self.placements_of_other())),
        ]
    }
}

fn read_trimmed(text: &str) -> Result<Othello, ParseError> {
    const SQUARES: usize = 64;
    const SQUARE: &str = "a square is X (black), O (white) or - (empty)";
    let board = text.split(char::is_whitespace).next().unwrap_or_default();
    let length = board.chars().count();
    // With the side glued to the board, the first word is one longer.
    let glued = length == SQUARES + 1 && board.len() == text.len();

    let (mut black, mut white) = (0, 0);
    for (square, c) in board.chars().enumerate().take(SQUARES) {
        match read_square(c) {
            Some(Some(Player::First)) => black |= 1 << square,
            Some(Some(Player::Second)) => white |= 1 << square,
            Some(None) => {}
            None => {
                let what = format!("{} is no square: {SQUARE}", quoted(&c.to_string()));
                return Err(ParseError::new(what).at_column(square + 1));
            }
        }
    }
    if length != SQUARES && !glued {
        let what = format!("the board has {length} squares, not {SQUARES}: {SQUARE}");
        return Err(ParseError::new(what));
    }
    let rest: String = text.chars().skip(SQUARES).collect();
    let side = rest.trim_start();
    let column = 1 + SQUARES + rest.chars().count() - side.chars().count();
    let mut words = side.split_whitespace();
    let Some(word) = words.next() else {
        let what = "the side to move is missing: X or O after the board";
        return Err(ParseError::new(what).at_column(SQUARES + 1));
    };
    let mut symbols = word.chars();
    let turn = match (symbols.next().and_then(read_player), symbols.next()) {
        (Some(player), None) => player,
        _ => {
            let what = format!("{} is no side to move: X or O", quoted(word));
            return Err(ParseError::new(what).at_column(column));
        }
    };
    let after = side[word.len()..].trim();
    if !after.is_empty() {
        let what = format!("{} after the side to move", quoted(after));
        let end = text.chars().count() - after.chars().count();
        return Err(ParseError::new(what).at_column(end + 1));
    }
    Othello::new(black, white, turn).ok_or_else(|| ParseError::new("two discs on one square"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    fn error(text: &str) -> String {
        Othello::read_position(text).unwrap_err().to_string()
    }

    #[test]
    fn the_start_is_written_as_in_problem_files() {
        assert_eq!(Othello::START.write_position(), START);
        assert_eq!(Othello::read_position(START), Ok(Othello::START));
    }

    #[test]
    fn every_way_to_write_a_disc_is_read() {
        let same = START.replacen('X', "*", 1).replacen('O', "w", 1).replacen('-', ".", 9);
        for text in [
            same.as_str(),
            &START.to_lowercase(),
            &START.replace('X', "B").replace('O', "W"),
            &START.replace('-', "_"),
            &START.replace(' ', ""),
            &format!("  {START}\t\n"),
            &START.replace(' ', "   "),
        ] {
            assert_eq!(Othello::read_position(text), Ok(Othello::START), "{text}");
        }
    }

    #[test]
    fn a_broken_position_says_what_and_where() {
        let squares = "a square is X (black), O (white) or - (empty)";
        let board = &START[..64];
        let missing = "column 65: the side to move is missing: X or O after the board";
        let cases = [
            ("".to_string(), format!("the board has 0 squares, not 64: {squares}")),
            (START[1..].to_string(), format!("the board has 63 squares, not 64: {squares}")),
            (format!("-{START}"), format!("the board has 65 squares, not 64: {squares}")),
            (START.replacen("OX", "O0", 1), format!("column 29: '0' is no square: {squares}")),
            (format!(" {}", START.replacen("OX", "é0", 1)), {
                format!("column 29: 'é' is no square: {squares}")
            }),
            (board.to_string(), missing.to_string()),
            (format!("{board} ?"), "column 66: '?' is no side to move: X or O".to_string()),
            (format!("{board}  XO"), "column 67: 'XO' is no side to move: X or O".to_string()),
            (format!("{board}-"), "column 65: '-' is no side to move: X or O".to_string()),
            (format!("{START} d3 c4"), "column 68: 'd3 c4' after the side to move".to_string()),
            ("startpos".to_string(), format!("column 1: 's' is no square: {squares}")),
        ];
        for (text, message) in cases {
            assert_eq!(error(&text), message, "{text}");
        }
    }

    #[test]
    fn a_move_is_refused_with_the_reason() {
        let start = Othello::START;
        let must_pass = format!("OX{} X", "-".repeat(62));
        let over = format!("X-O{} X", "-".repeat(61));
        let [must_pass, over] =
            [must_pass, over].map(|text| Othello::read_position(&text).unwrap());
        let cases = [
            (start, "z9", "'z9' is no move: a1 to h8, or pass"),
            (start, "", "'' is no move: a1 to h8, or pass"),
            (start, "d4", "d4 is occupied"),
            (start, "a1", "a1 turns over no disc of X's opponent"),
            (start, "pass", "X may not pass: it has a move"),
            (must_pass, "c1", "X has no move and must pass"),
            (must_pass, "a1", "a1 is occupied"),
            (over, "b1", "b1 comes after the end of the game"),
            (over, "pass", "pass comes after the end of the game"),
        ];
        for (position, text, message) in cases {
            assert_eq!(position.read_move(text).unwrap_err().to_string(), message, "{text}");
        }
        assert_eq!(start.read_move(" F5 ").unwrap().to_string(), "f5");
        for pass in ["pass", "PA", "ps", "--", "@@"] {
            assert_eq!(must_pass.read_move(pass), Ok(OthelloMove::PASS), "{pass}");
        }
    }

    #[test]
    fn the_drawn_board_shows_discs_moves_and_the_turn() {
        let drawn = Othello::START.draw();
        let expected = "    a b c d e f g h
  1 . . . . . . . .
  2 . . . . . . . .
  3 . . . + . . . .
  4 . . + O X . . .
  5 . . . X O + . .
  6 . . . . + . . .
  7 . . . . . . . .
  8 . . . . . . . .
  X 2, O 2; Black (X) to move, on one of 4 squares marked +
";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn the_last_line_says_how_the_game_stands() {
        let last = |text: &str| {
            let position = Othello::read_position(text).unwrap();
            position.draw().lines().last().unwrap().trim().to_string()
        };
        let empty = |count| "-".repeat(count);
        let must_pass = last(&format!("OX{} X", empty(62)));
        assert_eq!(must_pass, "X 1, O 1; Black (X) to move must pass");
        let forced = last(&format!("OX{} O", empty(62)));
        assert_eq!(forced, "X 1, O 1; White (O) to move, on the one square marked +");
        let won = last(&format!("XXX{} O", empty(61)));
        assert_eq!(won, "X 3, O 0; the game is over: X wins by 64");
        let drawn = last(&format!("X-O{} O", empty(61)));
        assert_eq!(drawn, "X 1, O 1; the game is over: a draw");
    }

    #[test]
    fn the_facts_count_both_sides() {
        let position = Othello::START.after(OthelloMove::on(37));
        let facts = position.facts();
        let value = |name| &facts.iter().find(|(fact, _)| *fact == name).unwrap().1;
        assert_eq!((value("discs").as_str(), value("empties").as_str()), ("5", "59"));
        assert_eq!(value("mobility"), "3");
        assert_eq!(value("key").len(), 16);
    }
}
