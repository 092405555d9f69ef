//! bstar-golden, bstar-ghi: the worked example of Berliner and McConnell (1996) number for number, and
//! graphs with cycles against a search that follows every path.

use anyhow::Context;
use secateur_search::bstar::graph::Graph;
use secateur_search::bstar::history::Phase;
use secateur_search::bstar::step::Step;
use secateur_search::bstar::{How, Search};
use secateur_search::testkit::cycles::{Compared, compare, figure_17, random};
use secateur_search::testkit::maze::{Guide, Maze};
use secateur_search::testkit::worked_example::{STAGES, letter, maze, room};
use secateur_search::{Game, Line, Score};
use serde_json::json;

use super::outcome::{Outcome, Table};
use super::setting::Setting;

/// The printed probability of M after its expansion: the table's only number that arithmetic does not
/// give.
const PRINTED_M: &str = "0.034";

/// The printed real value of A after each step: from the sixth on it is no longer backed up.
const PRINTED_A: [i32; 8] = [20, 20, 34, 34, 34, 34, 34, 34];

/// The worked example.
pub(super) fn golden() -> anyhow::Result<Outcome> {
    let mut how = How::default();
    // The example has no effort spent elsewhere.
    how.main.dither = 0;
    let start = maze();
    let mut search = Search::new(&start, &Line::starting_at(&start), how, None);
    let answer = search.think(&mut Guide::default(), None);
    let history = search.history();
    let begins =
        |step: &Step| matches!(step, Step::Expand { .. } | Step::Aim { below: Some(_), .. });
    let mut ends: Vec<usize> =
        (0..history.steps.len()).filter(|at| begins(&history.steps[*at])).skip(1).collect();
    ends.push(history.steps.len());
    let mut outcome = Outcome::default();
    let mut table = Table::new(
        "Berliner and McConnell's worked example (Figures 4 to 15)",
        &[
            "step",
            "path",
            "target",
            "ours",
            "A.Real printed",
            "by the rules",
            "ours",
            "A.OptPrb",
            "ours",
            "numbers right",
        ],
    );
    let (mut right, mut all) = (0, 0);
    for ((stage, end), printed) in STAGES.iter().zip(&ends).zip(PRINTED_A) {
        let mut so_far = history.clone();
        so_far.steps.truncate(*end);
        let graph = so_far.replay(None).context("the record of the example")?;
        let rows: Vec<[i32; 4]> = stage.rows.iter().map(|row| found(&graph, row.0)).collect();
        let mut stage_right = 0;
        for (wanted, found) in stage.rows.iter().zip(&rows) {
            let wanted = [wanted.1, wanted.2, wanted.3.unwrap_or(NOBODY), wanted.4];
            stage_right += wanted.iter().zip(found).filter(|(a, b)| a == b).count();
        }
        let numbers = 4 * rows.len();
        (right, all) = (right + stage_right, all + numbers);
        let (a, ours) = (stage.rows[0], rows[0]);
        let thousandths = |odds: i32| format!("{:.3}", f64::from(odds) / 1000.0);
        table.add(vec![
            stage.name.to_string(),
            stage.path.to_string(),
            stage.target.to_string(),
            graph.aim().target.to_string(),
            printed.to_string(),
            a.1.to_string(),
            ours[0].to_string(),
            thousandths(a.4),
            thousandths(ours[3]),
            format!("{stage_right} of {numbers}"),
        ]);
        outcome.figures.push(json!({
            "step": stage.name, "target": graph.aim().target, "right": stage_right,
            "numbers": numbers,
        }));
        outcome.check(
            format!("{}: the target", stage.name),
            graph.aim().target.to_string(),
            graph.aim().target == f64::from(stage.target),
        );
    }
    table.remark = format!(
        "From the expansion of G on, the printed tables no longer back real values up to G, D, A and F, \
         and they have {PRINTED_M} for M instead of 0.035; no choice depends on either. Every other \
         number is compared with what the paper's rules give."
    );
    outcome.tables.push(table);
    outcome.check("every number of every step", format!("{right} of {all}"), right == all);
    outcome.check(
        "as many steps as the paper",
        format!("{} of {}", ends.len(), STAGES.len()),
        ends.len() == STAGES.len(),
    );
    let wanted: Vec<&str> =
        STAGES.iter().map(|stage| stage.path).filter(|path| !path.is_empty()).collect();
    let paths = paths(&search);
    outcome.check("the same positions in the same order", paths.join(" "), paths == wanted);
    let select = history.expansions.iter().filter(|one| one.phase == Phase::Select).count() - 1;
    outcome.check("SELECT ends after two expansions", select.to_string(), select == 2);
    let best = answer.best.and_then(|m| letter(start.after(m).at()));
    let seen = format!("{}: {}", best.unwrap_or('-'), answer.settled.in_words());
    outcome.check("A is played", seen, best == Some('A'));
    Ok(outcome)
}

/// A hope that nobody asked for.
const NOBODY: i32 = i32::MIN;

fn found(graph: &Graph, name: char) -> [i32; 4] {
    let key = room(name).and_then(position).map(|position| position.key());
    let Some(id) = key.and_then(|key| graph.find(key)) else { return [NOBODY; 4] };
    let values = &graph.node(id).values;
    let hope = |side: usize| values.hopes[side].map_or(NOBODY, Score::value);
    [values.real.value(), hope(0), hope(1), (values.odds * 1000.0).round() as i32]
}

/// The position of a room, reached by walking.
fn position(room: usize) -> Option<Maze> {
    let mut waiting = vec![maze()];
    while let Some(position) = waiting.pop() {
        if position.at() == room {
            return Some(position);
        }
        position.each_move(|m| waiting.push(position.after(m)));
    }
    None
}

fn paths(search: &Search<Maze>) -> Vec<String> {
    let expansions = search.history().expansions.iter().skip(1);
    expansions
        .map(|expansion| {
            let mut position = maze();
            let mut letters = String::new();
            for m in expansion.path.iter().filter_map(|bits| {
                let m = position.unpack(*bits)?;
                position.play(m);
                letter(position.at())
            }) {
                letters.push(m);
            }
            letters
        })
        .collect()
}

/// Figure 17 and random graphs with cycles.
pub(super) fn history_interaction(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let (graph, [a, b, c, d]) = figure_17();
    let mut table = Table::new(
        "Figure 17: the same position by two paths",
        &["path", "paper", "ours: Real", "OptPrb"],
    );
    for (name, path, at, paper) in [
        ("A-B-D-B", &[a, b, d][..], b, "draw by repetition"),
        ("A-C-D-B", &[a, c, d][..], b, "the result of searching B"),
    ] {
        let values = graph.under(path, at);
        table.add(vec![
            name.to_string(),
            paper.to_string(),
            values.real.value().to_string(),
            format!("{:.3}", values.odds),
        ]);
        outcome.figures.push(json!({
            "path": name, "real": values.real.value(), "odds": values.odds,
        }));
    }
    outcome.tables.push(table);
    let compared = compare(&graph);
    outcome.check(
        "Figure 17 has the values of a search along every path",
        format!("{} of {} differ", compared.wrong, compared.values),
        compared.wrong == 0,
    );
    let again = graph.under(&[a, b, d], b);
    outcome.check(
        "a position that comes again on its path is a settled draw",
        format!("{} {}", again.real, if again.open { "open" } else { "settled" }),
        again.real == Score::DRAW && !again.open && graph.under(&[a, c, d], b).open,
    );
    let count = setting.scaled(2_000, 500);
    let (mut all, mut short) = (Compared::default(), Compared::default());
    let (mut cyclic, mut oversized) = (0u64, 0);
    for seed in 0..count {
        let solved = random(seed, 24);
        let compared = compare(&solved);
        cyclic += u64::from(compared.conditional > 0);
        add(&mut all, compared);
        let unsolved = random(seed, 2);
        oversized += unsolved.oversized;
        add(&mut short, compare(&unsolved));
    }
    let mut table = Table::new(
        format!("{count} random graphs, {cyclic} with cycles: values along every path"),
        &["", "compared", "on cycles", "wrong"],
    );
    for (name, tally) in [("conditional values", all), ("draw at repetition", short)] {
        table.add(vec![
            name.to_string(),
            tally.values.to_string(),
            tally.conditional.to_string(),
            tally.wrong.to_string(),
        ]);
        outcome.figures.push(json!({
            "rule": name, "compared": tally.values, "on_cycles": tally.conditional,
            "wrong": tally.wrong,
        }));
    }
    table.remark = format!(
        "The second row is what components of more than two positions get when they are not solved \
         ({oversized} times here): the fall-back for large ones."
    );
    outcome.tables.push(table);
    outcome.check("no value is wrong", format!("{} of {}", all.wrong, all.values), all.wrong == 0);
    outcome.check("most graphs have cycles", format!("{cyclic} of {count}"), 2 * cyclic > count);
    outcome.check("the comparison can fail", format!("{} wrong", short.wrong), short.wrong > 0);
    Ok(outcome)
}

fn add(sum: &mut Compared, more: Compared) {
    sum.values += more.values;
    sum.conditional += more.conditional;
    sum.wrong += more.wrong;
}
