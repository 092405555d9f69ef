//! Test suites of Othello: OBF lines with the values of their moves.

use secateur_search::ParseError;

use super::lines::filled;
use super::{Othello, obf};
use crate::problem::{Judgement, Problem, ProblemFiles};

impl ProblemFiles for Othello {
    const ENDINGS: &'static [&'static str] = &["obf"];
    /// Final leads are even numbers, so this is one step.
    const JUDGEMENT: Judgement =
        Judgement { unit: "discs", tolerance: 200, decided: None, exact: true };

    fn read_problems(text: &str) -> Vec<Result<Problem<Othello>, ParseError>> {
        let read = |(number, line): (usize, &str)| {
            obf::Problem::read(line)
                .map_err(|error| error.on_line(number))
                .and_then(|found| problem(&found, number))
        };
        filled(text).map(read).collect()
    }
}

fn problem(found: &obf::Problem, line: usize) -> Result<Problem<Othello>, ParseError> {
    let mut problem = Problem::new(found.position, line);
    problem.id = Some(found.comment.clone()).filter(|comment| !comment.is_empty());
    problem.best = found.best_moves().collect();
    problem.value = found.best_score().map(|discs| discs * 100);
    problem.demand_a_question("nothing to be found: no move has a score")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_moves_with_the_highest_score_are_to_be_found() {
        let board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
        let text = format!("% FFO\n{board}; G8:+12; H1:+12; H7:+6; % mine\n{board};\n");
        let problems = Othello::read_problems(&text);
        let first = problems[0].as_ref().unwrap();
        let best: Vec<String> = first.best.iter().map(ToString::to_string).collect();
        assert_eq!(best, ["g8", "h1"]);
        assert_eq!((first.value, first.line, first.id.as_deref()), (Some(1_200), 2, Some("mine")));
        let error = problems[1].as_ref().unwrap_err().to_string();
        assert_eq!(error, "line 3: nothing to be found: no move has a score");
    }
}
