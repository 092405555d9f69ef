//! The page of a run over suites.

use std::collections::HashMap;

use super::colour;
use super::folder::Run;
use super::html::{self, Page, Section, escape};
use super::match_page::{configuration, grid};
use super::numbers::{chance, fixed, many, milliseconds, percent, short, signed};
use super::position::{Costly, Tried};
use super::solving::{Row, Solving};
use super::suite_charts as charts;
use crate::statistics::paired::{benjamini_hochberg, mcnemar, mean_difference};
use crate::values::grouped;

/// So many positions are listed.
const LISTED: usize = 400;
/// A list of so many is shown at once.
const SHORT: usize = 40;

/// The page of the suites in this folder.
pub(super) fn page(run: &Run) -> anyhow::Result<Page> {
    let mut notes = Vec::new();
    let mut lines = run.lines::<Tried>("results.jsonl", &mut notes)?;
    let judged = learn_costs(run, &mut lines, &mut notes)?;
    let solving = Solving::new(run.engine_names(), lines, &mut notes);
    let about = format!(
        "{} in {} by {}.{judged}",
        many(solving.positions.len(), "position"),
        many(solving.suites.len(), "suite"),
        many(solving.engines.len(), "engine"),
    );
    let whole = |row: &&Row| row.tried.iter().all(Option::is_some);
    let common = solving.positions.iter().filter(whole).count();
    if common < solving.positions.len() {
        notes.push(format!(
            "{} not been tried by every engine yet; comparisons use the {} that have.",
            match solving.positions.len() - common {
                1 => "1 position has".to_string(),
                count => format!("{} positions have", grouped(count as u64)),
            },
            grouped(common as u64)
        ));
    }
    let mut sections = vec![Section::new("solved", "Solved", summary(&solving))];
    if !solving.positions.is_empty() {
        let drawn = [
            charts::solved_over_time(&solving),
            charts::nodes(&solving),
            charts::nodes_to_solution(&solving),
        ];
        sections.push(Section::new("time", "Time and nodes", grid(&drawn)));
        sections.push(Section::new("paired", "Compared on the same positions", paired(&solving)));
        sections.push(Section::new("differences", "Differences", differences(&solving)));
        sections.push(Section::new("unsolved", "Unsolved", unsolved(&solving)));
        sections.push(Section::new("faults", "Faults", faults(&solving)));
    }
    sections.push(Section::new("run", "Configuration", configuration(run)));
    Ok(Page {
        title: super::names(&solving.engines),
        about,
        headline: headline(&solving),
        notes,
        sections,
    })
}

/// Takes over what the judge of the run, if it has one, said of the moves that were not the right
/// ones; the words that explain it.
fn learn_costs(
    run: &Run,
    lines: &mut [(usize, Tried)],
    notes: &mut Vec<String>,
) -> anyhow::Result<String> {
    const FILE: &str = "judged.jsonl";
    let Some(judge) = run.judge().filter(|_| run.has(FILE)) else {
        return Ok(String::new());
    };
    let said = run.lines::<Costly>(FILE, notes)?.into_iter();
    // The last word counts: an older program of the judge may have spoken before.
    let costs: HashMap<(String, u64, String), Option<f64>> = said
        .filter(|(_, said)| said.judge == judge)
        .map(|(_, said)| ((said.suite, said.number, said.chosen), said.cost))
        .collect();
    for (_, tried) in lines.iter_mut().filter(|(_, tried)| !tried.solved) {
        if let Some(played) = &tried.played {
            let key = (tried.suite.clone(), tried.number, played.clone());
            tried.cost = costs.get(&key).copied().flatten();
        }
    }
    Ok(format!(" \"Judged\" is how much worse a wrong move is than the best, by {judge}."))
}

/// Positions that only the first, only the second, both and neither solved.
fn split(solving: &Solving, first: usize, second: usize) -> [u64; 4] {
    let mut counts = [0; 4];
    for row in &solving.positions {
        match (row.solved(first), row.solved(second)) {
            (Some(true), Some(false)) => counts[0] += 1,
            (Some(false), Some(true)) => counts[1] += 1,
            (Some(true), Some(true)) => counts[2] += 1,
            (Some(false), Some(false)) => counts[3] += 1,
            _ => {}
        }
    }
    counts
}

fn headline(solving: &Solving) -> String {
    let engines = &solving.engines;
    let (class, words) = match engines.as_slice() {
        _ if solving.positions.is_empty() => ("open", "No position has been tried yet".to_string()),
        [first, second] => {
            let [a, b, both, _] = split(solving, 0, 1);
            let p = mcnemar(a, b).mid;
            let figures = format!("{} against {}, p = {}", both + a, both + b, chance(p));
            let figures = figures.replace("= <", "<");
            match (p < 0.05, a > b) {
                (true, true) => ("first", format!("{first} solves more than {second}: {figures}")),
                (true, false) => {
                    ("second", format!("{second} solves more than {first}: {figures}"))
                }
                _ => ("open", format!("Not decided between {first} and {second}: {figures}")),
            }
        }
        _ => {
            let solved = |engine: usize| solving.of(engine, None).filter(|t| t.solved).count();
            let best =
                (0..engines.len()).max_by_key(|&engine| (solved(engine), usize::MAX - engine));
            let best = best.unwrap_or(0);
            let all = solving.of(best, None).count();
            let most = if engines.len() > 1 { "solved most" } else { "solved" };
            ("open", format!("{} {most}: {} of {all}", engines[best], solved(best)))
        }
    };
    format!("<div class=\"verdict {class}\"><p class=\"words\">{}</p></div>\n", escape(&words))
}

/// What an engine made of a suite, or of all of them.
fn summary(solving: &Solving) -> String {
    let suites = (0..solving.suites.len()).map(Some);
    let all = (solving.suites.len() > 1).then_some(None);
    let graded =
        solving.positions.iter().any(|row| row.tried.iter().flatten().any(|t| t.most.is_some()));
    let mut head = vec!["suite", "engine", "#solved", "#of", "#share", "#± (se)"];
    if graded {
        head.extend(["#points", "#of points"]);
    }
    head.extend(["#nodes", "#time", "#nodes/s", "#mean depth", "#nodes vs first"]);
    let mut rows = Vec::new();
    for suite in suites.chain(all) {
        let sum = |engine: usize, value: fn(&Tried) -> Option<f64>| -> f64 {
            solving.of(engine, suite).filter_map(value).sum()
        };
        for (engine, name) in solving.engines.iter().enumerate() {
            let tried = solving.of(engine, suite).count();
            if tried == 0 {
                continue;
            }
            let solved = solving.of(engine, suite).filter(|tried| tried.solved).count();
            let share = solved as f64 / tried as f64;
            let error = (share * (1.0 - share) / tried as f64).sqrt();
            let (nodes, time) = (sum(engine, |t| t.nodes), sum(engine, |t| t.time_ms));
            let depths: Vec<f64> = solving.of(engine, suite).filter_map(|t| t.depth).collect();
            let depth = depths.iter().sum::<f64>() / depths.len().max(1) as f64;
            let mut row = vec![
                html::text(suite.map_or("all", |suite| &solving.suites[suite])),
                html::html(format!(
                    "<span class=\"key {}\"></span>{}",
                    colour(engine),
                    escape(name)
                )),
                html::count(solved as u64),
                html::count(tried as u64),
                html::number(share, percent(share)),
                html::number(error, percent(error)),
            ];
            if graded {
                let (points, most) = (sum(engine, |t| t.points), sum(engine, |t| t.most));
                row.push(html::number(points, super::numbers::trimmed(points, 1)));
                row.push(html::number(most, super::numbers::trimmed(most, 1)));
            }
            let speed = if time > 0.0 { 1e3 * nodes / time } else { 0.0 };
            row.push(html::number(nodes, short(nodes)));
            row.push(html::number(time, milliseconds(time)));
            row.push(html::number(speed, short(speed)));
            row.push(html::number(depth, fixed(depth, 1)));
            let first = sum(0, |t| t.nodes);
            row.push(match engine > 0 && first > 0.0 && solving.of(0, suite).count() == tried {
                true => {
                    let more = 100.0 * (nodes / first - 1.0);
                    html::number(more, format!("{} %", signed(more, 1)))
                }
                false => html::text(""),
            });
            rows.push(row);
        }
    }
    if rows.is_empty() { String::new() } else { html::table(&head, rows) }
}

/// Every two engines on the positions that both tried.
fn paired(solving: &Solving) -> String {
    let count = solving.engines.len();
    let mut found = Vec::new();
    for first in 0..count {
        found.extend((first + 1..count).map(|second| (first, second)));
    }
    if found.is_empty() {
        return String::new();
    }
    let tests: Vec<_> = found
        .iter()
        .map(|&(first, second)| {
            let counts = split(solving, first, second);
            (counts, mcnemar(counts[0], counts[1]))
        })
        .collect();
    let adjusted = benjamini_hochberg(&tests.iter().map(|test| test.1.mid).collect::<Vec<_>>());
    let mut head = vec![
        "engines",
        "#both",
        "#only the first",
        "#only the second",
        "#neither",
        "#p",
        "#p exact",
    ];
    if found.len() > 1 {
        head.push("#p of many");
    }
    head.push("#points, first − second");
    let rows =
        found.iter().zip(&tests).zip(adjusted).map(|((&(first, second), test), adjusted)| {
            let ([a, b, both, neither], p) = test;
            let mut row = vec![
                html::text(format!("{} – {}", solving.engines[first], solving.engines[second])),
                html::count(*both),
                html::count(*a),
                html::count(*b),
                html::count(*neither),
                html::number(p.mid, chance(p.mid)),
                html::number(p.exact, chance(p.exact)),
            ];
            if found.len() > 1 {
                row.push(html::number(adjusted, chance(adjusted)));
            }
            let points: Vec<(f64, f64)> = solving
                .positions
                .iter()
                .filter_map(|row| {
                    let (a, b) = (row.tried[first].as_ref()?, row.tried[second].as_ref()?);
                    Some((a.points?, b.points?))
                })
                .collect();
            row.push(match mean_difference(&points) {
                Some(difference) => html::number(
                    difference.mean,
                    format!("{} ± {}", signed(difference.mean, 2), fixed(difference.error(), 2)),
                ),
                None => html::text(""),
            });
            row
        });
    let mut small =
        "McNemar's test on the positions that only one of the two solved; p is the mid-p \
                     value. Points: the mean over positions with its 95 % interval."
            .to_string();
    if found.len() > 1 {
        small += " \"Of many\" allows for the number of comparisons (Benjamini and Hochberg).";
    }
    html::table(&head, rows.collect()) + &html::remark(&small)
}

/// Positions that some solved and others did not.
fn differences(solving: &Solving) -> String {
    let differ = |row: &&Row| {
        let known =
            |wanted: bool| (0..solving.engines.len()).any(|e| row.solved(e) == Some(wanted));
        known(true) && known(false)
    };
    let rows: Vec<&Row> = solving.positions.iter().filter(differ).collect();
    positions(solving, &rows, "Every engine solved the same positions.")
}

/// Positions that nobody solved.
fn unsolved(solving: &Solving) -> String {
    let nobody =
        |row: &&Row| row.any().is_some() && row.tried.iter().flatten().all(|tried| !tried.solved);
    let rows: Vec<&Row> = solving.positions.iter().filter(nobody).collect();
    positions(solving, &rows, "Every position was solved by some engine.")
}

fn positions(solving: &Solving, rows: &[&Row], none: &str) -> String {
    if rows.is_empty() {
        return html::remark(none);
    }
    let mut head = vec!["position", "wanted"];
    let names: Vec<String> = solving.engines.iter().map(|name| html::cut(name, 30)).collect();
    head.extend(names.iter().map(String::as_str));
    head.push("board");
    let table = rows.iter().take(LISTED).filter_map(|row| {
        let any = row.any()?;
        let mut cells = vec![
            html::text(html::cut(&any.name(), 60)),
            html::text(html::cut(any.wanted.as_deref().unwrap_or(""), 60)),
        ];
        cells.extend(row.tried.iter().map(|tried| match tried {
            Some(tried) if tried.solved => {
                html::text(format!("✓ {}", html::cut(&tried.answer(), 40))).class("won")
            }
            Some(tried) => {
                html::text(format!("✗ {}", html::cut(&tried.answer(), 40))).class("lost")
            }
            None => html::text("–").class("blank"),
        }));
        cells.push(html::html(format!("<code>{}</code>", escape(&html::cut(&any.position, 120)))));
        Some(cells)
    });
    let table = html::table(&head, table.collect());
    // A list that fits a screen or two need not be asked for.
    let mut out = match rows.len() {
        0..=SHORT => table,
        count => html::folded(&format!("Show {}", many(count.min(LISTED), "position")), &table),
    };
    if rows.len() > LISTED {
        let more = many(rows.len() - LISTED, "position");
        out += &html::remark(&format!("and {more} more; all are in results.jsonl"));
    }
    out
}

fn faults(solving: &Solving) -> String {
    let all: Vec<&Tried> = solving
        .positions
        .iter()
        .flat_map(|row| row.tried.iter().flatten())
        .filter(|tried| tried.fault.is_some())
        .collect();
    if all.is_empty() {
        return String::new();
    }
    let rows = all.iter().take(LISTED).map(|tried| {
        let what = tried.fault.as_deref().unwrap_or("");
        vec![html::text(&tried.engine), html::text(tried.name()), html::text(html::cut(what, 400))]
    });
    let mut out = html::table(&["engine", "position", "fault"], rows.collect());
    if all.len() > LISTED {
        out += &html::remark(&format!("and {} more", many(all.len() - LISTED, "fault")));
    }
    out
}
