//! The page of a tuning: what became of the values, whether they are better, how they walked.

use anyhow::Context;

use super::folder::Run;
use super::game::Game;
use super::html::{self, Page, Section, escape, remark};
use super::match_page::{configuration, grid};
use super::numbers::{fixed, many, signed};
use super::tally::Match;
use super::tune_charts::{self as charts, Tuning};
use super::{course, verdict};
use crate::tune::folder::{ITERATIONS, Iteration, trials};
use crate::tune::spsa::Spsa;
use crate::tune::{Order, validate};
use crate::values::grouped;

/// The page of the tuning in this folder.
pub(super) fn page(run: &Run) -> anyhow::Result<Page> {
    let mut notes = Vec::new();
    let tuning = read(run, &mut notes)?;
    let Tuning { order, trials, .. } = &tuning;
    let done = trials.len() as u64;
    let (headline, validation) = validation(run, &tuning, &mut notes)?;
    let limit = match (&order.tc, order.nodes) {
        (Some(clock), _) => format!("with the clock {clock}"),
        (None, Some(nodes)) => format!("at {} nodes a move", grouped(nodes)),
        (None, None) => "without a limit".to_string(),
    };
    let about = format!(
        "A tuning of {} in {}: {} of {} iterations, {} {limit}.",
        many(order.parameters.len(), "parameter"),
        order.game,
        grouped(done),
        grouped(order.iterations),
        many((2 * order.pairs * done) as usize, "game"),
    );
    let mut sections = vec![
        Section::new("values", "Values", values(&tuning)),
        Section::new("validation", "Validation", validation),
    ];
    if done > 0 {
        let drawn = (0..order.parameters.len())
            .flat_map(|index| [charts::walk(&tuning, index), charts::hills(&tuning, index)]);
        let drawn: Vec<String> = drawn.collect();
        sections.push(Section::new(
            "walks",
            "Walks and landscapes",
            remark(LANDSCAPES) + &grid(&drawn),
        ));
        let map = charts::map(&tuning);
        let map = if map.is_empty() { map } else { grid(&[map, remark(MAP)]) };
        sections.push(Section::new("map", "The two that moved the most", map));
    }
    sections.push(Section::new("run", "Configuration", configuration(run)));
    let names: Vec<&str> = order.parameters.iter().map(|p| p.name.as_str()).collect();
    let title = match names.as_slice() {
        [one] => format!("Tuning of {one}"),
        [one, other] => format!("Tuning of {one} and {other}"),
        [one, other, rest @ ..] => format!("Tuning of {one}, {other} and {} more", rest.len()),
        [] => "Tuning of nothing".to_string(),
    };
    Ok(Page { title, about, headline, notes, sections })
}

const LANDSCAPES: &str = "On the left the value after each iteration, on the right what the games \
    say of it. An iteration plays a higher value against a lower one, so it measures a slope; the \
    landscape is the line of straight pieces that fits all these slopes best. All other parameters \
    were moved up and down by chance at the same time, which makes the intervals wide. The walk \
    follows its own luck, so level ground looks a little like a hill; a parabola is drawn only where \
    that cannot be the reason. A walk that looks decided may be chance: only the validation tells.";

const MAP: &str = "A bent surface, fitted to the same games as the landscapes: the lead over the \
    untuned set. Grey is where it may be none; where no set was tried nothing is drawn.";

fn read(run: &Run, notes: &mut Vec<String>) -> anyhow::Result<Tuning> {
    let path = run.folder.join("run.toml");
    let order = Order::parse(&run.text).with_context(|| format!("{}", path.display()))?;
    let lines = run.lines::<Iteration>(ITERATIONS, notes)?;
    let mut iterations: Vec<Iteration> = lines.into_iter().map(|(_, line)| line).collect();
    let trials = trials(&order, &iterations);
    if trials.len() < iterations.len() {
        notes.push(format!(
            "{ITERATIONS}: what follows iteration {} does not belong to it and is left out",
            trials.len()
        ));
        iterations.truncate(trials.len());
    }
    let mut spsa = Spsa::new(&order);
    if let Some(last) = iterations.last() {
        spsa.go_on_from(last.iteration, &last.values);
    }
    Ok(Tuning { order, iterations, trials, spsa })
}

/// The values before and after.
fn values(tuning: &Tuning) -> String {
    let Tuning { order, spsa, .. } = tuning;
    let head = [
        "parameter",
        "#untuned",
        "#tuned",
        "#not rounded",
        "#moved, in steps",
        "#step",
        "#least",
        "#greatest",
    ];
    let tuned = spsa.values().iter().zip(spsa.rounded());
    let rows = order.parameters.iter().zip(tuned).map(|(parameter, (value, tuned))| {
        let moved = (value - f64::from(parameter.start)) / f64::from(parameter.step.max(1));
        let whole = |value: i32| html::number(value.into(), fixed(value.into(), 0));
        vec![
            html::text(&parameter.name),
            whole(parameter.start),
            whole(tuned),
            html::number(*value, fixed(*value, 1)),
            html::number(moved, signed(moved, 1)),
            whole(parameter.step),
            whole(parameter.min),
            whole(parameter.max),
        ]
    });
    html::table(&head, rows.collect())
}

/// Whether the tuned set is better: the head of the page, and its charts.
fn validation(
    run: &Run,
    tuning: &Tuning,
    notes: &mut Vec<String>,
) -> anyhow::Result<(String, String)> {
    let Tuning { order, spsa, .. } = tuning;
    let open = |words: &str| {
        let words = escape(words);
        (
            format!("<div class=\"verdict open\"><p class=\"words\">{words}</p></div>\n"),
            String::new(),
        )
    };
    if spsa.rounded() == order.start() {
        return Ok(open("The values are the untuned ones: there is nothing to validate"));
    }
    let path = validate::folder(&run.folder, spsa.done());
    if !path.join("run.toml").exists() {
        return Ok(open(match spsa.done() < order.iterations {
            true => "Still being tuned, and not validated",
            false => "Not validated: nobody knows whether these values are better",
        }));
    }
    let played = Run::read(&path)?;
    let lines = played.lines::<Game>("games.jsonl", notes)?;
    let games = Match::new(played.engine_names(), lines, notes);
    let Some(duel) = games.duel() else { return Ok(open("No game of the validation is over yet")) };
    let headline = verdict::headline(&games, duel, played.sprt().as_ref());
    let charts = grid(&[course::chart(&games, duel), verdict::pairs_chart(&games, duel)]);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let more = format!(
        "The tuned set against the untuned one, at the limits of the tuning. All of \
                        it: secateur report {name} in the folder of the run."
    );
    Ok((headline, charts + &remark(&more)))
}
