use crate::bstar::history::{Phase, Turn};
use crate::bstar::step::Step;
use crate::bstar::{How, Search, Settled};
use crate::testkit::maze::{Guide, Maze};
use crate::testkit::worked_example::{STAGES, letter, maze, room};
use crate::{Game, Line, Score};

fn how() -> How {
    let mut how = How::default();
    how.main.dither = 0;
    how
}

fn searched() -> Search<Maze> {
    let start = maze();
    let mut search = Search::new(&start, &Line::starting_at(&start), how(), None);
    let answer = search.think(&mut Guide::default(), None);
    assert_eq!((answer.best, answer.settled), (Some(0), Settled::Withstood));
    assert_eq!((answer.expansions, answer.real), (8 - 1, Score::heuristic(30)));
    search
}

#[test]
fn the_worked_example_comes_out_number_for_number() {
    let search = searched();
    let history = search.history();
    // A stage ends where the next position is expanded or the phase changes.
    let begins =
        |step: &Step| matches!(step, Step::Expand { .. } | Step::Aim { below: Some(_), .. });
    let mut ends: Vec<usize> =
        (0..history.steps.len()).filter(|at| begins(&history.steps[*at])).skip(1).collect();
    ends.push(history.steps.len());
    assert_eq!(ends.len(), STAGES.len());
    for (stage, end) in STAGES.iter().zip(ends) {
        let mut so_far = history.clone();
        so_far.steps.truncate(end);
        let graph = so_far.replay(None).unwrap();
        assert_eq!(graph.aim().target, f64::from(stage.target), "{}", stage.name);
        let mut rooms = 0;
        for &(name, real, player, opponent, odds) in stage.rows {
            let position = at(room(name).unwrap());
            let values = &graph.node(graph.find(position.key()).unwrap()).values;
            let found = (
                values.real.value(),
                values.hopes[0].map(Score::value),
                values.hopes[1].map(Score::value),
                (values.odds * 1000.0).round() as i32,
            );
            assert_eq!(found, (real, Some(player), opponent, odds), "{name} at {}", stage.name);
            rooms += 1;
        }
        assert_eq!(graph.len(), rooms + 1, "{}", stage.name);
    }
}

/// The position of a room, reached by walking.
fn at(room: usize) -> Maze {
    let mut waiting = vec![maze()];
    while let Some(position) = waiting.pop() {
        if position.at() == room {
            return position;
        }
        position.each_move(|m| waiting.push(position.after(m)));
    }
    panic!("no way leads to room {room}");
}

#[test]
fn the_same_positions_are_expanded_in_the_same_order() {
    let search = searched();
    let paths: Vec<(String, bool)> = search
        .history()
        .expansions
        .iter()
        .skip(1)
        .map(|expansion| {
            let mut position = maze();
            let letters = expansion.path.iter().map(|bits| {
                position.play(position.unpack(*bits).unwrap());
                letter(position.at()).unwrap()
            });
            (letters.collect(), expansion.phase == Phase::Verify)
        })
        .collect();
    let wanted: Vec<(String, bool)> = STAGES
        .iter()
        .filter(|stage| !stage.path.is_empty())
        .map(|stage| (stage.path.to_string(), stage.verify))
        .collect();
    assert_eq!(paths, wanted);
    assert_eq!(search.history().turns, [Turn::Chose(1, 3)]);
}
