//! OBF: files of problems, one a line, with the value of each move for the side to move:
//!
//! ```text
//! % a comment line
//! --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;
//! ```

use secateur_search::notation::quoted;
use secateur_search::{Notation, ParseError};

use super::lines::filled;
use super::{Othello, OthelloMove};

/// A position and what its moves are worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The position.
    pub position: Othello,
    /// Legal moves, each once, with the final lead in discs that they give the side to move, in
    /// the order of the file. Files often leave out some of the moves, or all.
    pub scores: Vec<(OthelloMove, i32)>,
    /// What follows a `%` or `#` on the line; often empty.
    pub comment: String,
}

/// No lead in discs is larger.
const LARGEST_SCORE: i32 = 64;

/// What begins a comment. None of these occurs in the rest of a line.
const COMMENT: [char; 2] = ['%', '#'];

impl Problem {
    /// Reads one line: a position, then fields `move:score`, each behind a `;`, then perhaps a
    /// comment.
    pub fn read(line: &str) -> Result<Problem, ParseError> {
        let (data, comment) = match line.find(COMMENT) {
            Some(at) => (&line[..at], &line[at + 1..]),
            None => (line, ""),
        };
        let mut fields = data.split(';');
        let board = fields.next().unwrap_or_default();
        let position = Othello::read_position(board)?;
        let mut scores = Vec::new();
        let mut column = board.chars().count() + 2;
        for field in fields {
            if !field.trim().is_empty() {
                let indent = field.len() - field.trim_start().len();
                let place =
                    |error: ParseError| error.at_column(column + field[..indent].chars().count());
                let (m, score) = read_score(&position, field.trim()).map_err(place)?;
                if scores.iter().any(|(earlier, _)| *earlier == m) {
                    return Err(place(ParseError::new(format!("{m} has a score already"))));
                }
                scores.push((m, score));
            }
            column += field.chars().count() + 1;
        }
        Ok(Problem { position, scores, comment: one_line(comment) })
    }

    /// Reads a file. Blank lines and comment lines are skipped; a broken line gives its error, and
    /// reading goes on behind it.
    pub fn read_all(text: &str) -> Vec<Result<Problem, ParseError>> {
        filled(text)
            .map(|(number, line)| Problem::read(line).map_err(|error| error.on_line(number)))
            .collect()
    }

    /// The line that [`read`](Problem::read) reads, without an end of line.
    pub fn write(&self) -> String {
        let mut text = self.position.write_position() + ";";
        for (m, score) in &self.scores {
            let name = match m.square() {
                Some(_) => m.to_string().to_uppercase(),
                None => "PS".to_string(),
            };
            text += &format!(" {name}:{score:+};");
        }
        let comment = one_line(&self.comment);
        if !comment.is_empty() {
            text += &format!(" % {comment}");
        }
        text
    }

    /// The highest score, if there is one.
    pub fn best_score(&self) -> Option<i32> {
        self.scores.iter().map(|(_, score)| *score).max()
    }

    /// The moves with the highest score.
    pub fn best_moves(&self) -> impl Iterator<Item = OthelloMove> {
        let best = self.best_score();
        self.scores.iter().filter(move |(_, score)| Some(*score) == best).map(|(m, _)| *m)
    }
}

/// A comment must not break the line that it is on.
fn one_line(comment: &str) -> String {
    let spaced: String = comment.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    spaced.trim().to_string()
}

fn read_score(position: &Othello, field: &str) -> Result<(OthelloMove, i32), ParseError> {
    let Some((m, score)) = field.split_once(':') else {
        let what = format!("{} is no move with its score, like F5:+12", quoted(field));
        return Err(ParseError::new(what));
    };
    let m = position.read_move(m)?;
    match score.trim().parse() {
        Ok(score) if (-LARGEST_SCORE..=LARGEST_SCORE).contains(&score) => Ok((m, score)),
        _ => {
            let what = format!("{} is no score from -64 to +64", quoted(score.trim()));
            Err(ParseError::new(what))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first of the FFO endgame problems (numbered from 1), with two of its moves.
    const LINE: &str =
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;";

    #[test]
    fn a_problem_comes_back_as_it_was() {
        let problem = Problem::read(LINE).unwrap();
        assert_eq!(problem.scores.len(), 2);
        assert_eq!(problem.best_score(), Some(18));
        let best: Vec<String> = problem.best_moves().map(|m| m.to_string()).collect();
        assert_eq!(best, ["g8"]);
        assert_eq!(problem.write(), LINE);
    }

    #[test]
    fn a_problem_may_lack_moves_and_may_have_a_comment() {
        let board = &LINE[..66];
        for text in [board.to_string(), format!("{board};"), format!(" {board} ; ; \r")] {
            let problem = Problem::read(&text).unwrap();
            assert_eq!((problem.scores.len(), problem.best_score()), (0, None), "{text}");
            assert_eq!(problem.write(), format!("{board};"));
        }
        let noted = Problem::read(&format!("{board}; h1 : -4 % mine\t#1 ")).unwrap();
        assert_eq!(noted.comment, "mine #1");
        assert_eq!(noted.write(), format!("{board}; H1:-4; % mine #1"));
    }

    #[test]
    fn a_forced_pass_has_a_score_like_any_move() {
        let text = format!("OX{} X; PS:-64;", "-".repeat(62));
        let problem = Problem::read(&text).unwrap();
        assert_eq!(problem.scores, [(OthelloMove::PASS, -64)]);
        assert_eq!(problem.write(), text);
    }

    #[test]
    fn a_broken_problem_says_what_and_where() {
        let board = &LINE[..66];
        let cases = [
            (
                format!("{board}; G8+18"),
                "column 69: 'G8+18' is no move with its score, like F5:+12",
            ),
            (format!("{board}; C1:+2"), "column 69: c1 is occupied"),
            (format!("{board};A1:+2"), "column 68: a1 turns over no disc of X's opponent"),
            (format!("{board}; G8:+65"), "column 69: '+65' is no score from -64 to +64"),
            (format!("{board}; G8:"), "column 69: '' is no score from -64 to +64"),
            (format!("{board}; G8:1;  g8:2"), "column 76: g8 has a score already"),
            (LINE.replacen("X;", ";", 1), {
                "column 65: the side to move is missing: X or O after the board"
            }),
        ];
        for (text, message) in cases {
            assert_eq!(Problem::read(&text).unwrap_err().to_string(), message, "{text}");
        }
    }

    #[test]
    fn a_file_goes_on_after_a_broken_line() {
        let text = format!("% two problems\n{LINE}\n\n# next\nXO- X;\n{LINE}\n");
        let problems = Problem::read_all(&text);
        assert_eq!(problems.len(), 3);
        assert!(problems[0].is_ok() && problems[0] == problems[2]);
        assert_eq!(problems[1].as_ref().unwrap_err().line(), Some(5));
    }
}
