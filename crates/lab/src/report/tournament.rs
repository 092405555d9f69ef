//! More than two engines: ratings with their errors, everyone against everyone.

use super::html::{self, escape};
use super::numbers::{chance, estimate, fixed, percent, signed};
use super::plot::{Axis, Chart, Mark, Tip};
use super::tally::{Match, Pairing};
use super::verdict::{sentence, stronger};
use crate::statistics::counts::Counts;
use crate::statistics::elo;
use crate::statistics::rating::{self, Row};

/// The table of ratings, the strongest first.
pub(super) fn ratings(played: &Match) -> Vec<Row> {
    let meetings: Vec<_> = played.pairings.iter().map(Pairing::meeting).collect();
    // The numbers are our own, so there is always a table.
    rating::table(played.engines.len(), &meetings).unwrap_or_default()
}

/// The verdict in words for the head of the page.
pub(super) fn headline(played: &Match, rows: &[Row]) -> String {
    let words = match rows {
        [best, next, ..] if best.games > 0 => {
            let sure = best.above_next.unwrap_or(0.5);
            let lead = format!(
                "{}, {} ± {} Elo above the mean of all (95 %)",
                played.name(best.engine),
                signed(best.elo, 1),
                fixed(best.error, 1)
            );
            if sure > 0.975 {
                format!("The strongest is {lead}")
            } else {
                format!(
                    "Not decided who is the strongest. First is {lead}; it is stronger than {} with \
                     a likelihood of {}",
                    played.name(next.engine),
                    percent(sure)
                )
            }
        }
        _ => "No finished game yet".to_string(),
    };
    format!("<div class=\"verdict open\"><p class=\"words\">{}</p></div>\n", escape(&words))
}

/// The ratings as a table and a chart.
pub(super) fn standings(played: &Match, rows: &[Row]) -> String {
    let head = ["#", "engine", "#Elo", "#±", "#games", "#score", "#LOS over the next"];
    let table = html::table(
        &head,
        rows.iter()
            .enumerate()
            .map(|(rank, row)| {
                let score = row.score.unwrap_or(0.5);
                let above = row.above_next;
                vec![
                    html::count(rank as u64 + 1),
                    html::text(played.name(row.engine)),
                    html::number(row.elo, signed(row.elo, 1)),
                    html::number(row.error, fixed(row.error, 1)),
                    html::count(row.games),
                    html::number(score, percent(score)),
                    html::number(above.unwrap_or(0.0), above.map_or(String::new(), percent)),
                ]
            })
            .collect(),
    );
    format!(
        "<div class=\"grid\">{}<div>{table}{}</div></div>",
        reaches(played, rows),
        html::remark(
            "Elo above the mean of all; the likeliest ratings under all results (Bradley and Terry), \
         with errors from the measured scatter of pairs.",
        )
    )
}

fn reaches(played: &Match, rows: &[Row]) -> String {
    let low = rows.iter().map(|row| row.elo - row.error).fold(0.0, f64::min);
    let high = rows.iter().map(|row| row.elo + row.error).fold(0.0, f64::max);
    let room = 0.06 * (high - low).max(1.0);
    let count = rows.len() as f64;
    let names = rows.iter().enumerate();
    let names = names.map(|(at, row)| (count - at as f64, html::cut(played.name(row.engine), 18)));
    let mut chart = Chart::new(
        "Ratings",
        "Points with reaches: the Elo of each engine and its 95 % interval",
        Axis::linear("Elo above the mean, with the 95 % interval", low - room, high + room)
            .written(|at| signed(at, 0)),
        Axis::linear("", 0.4, count + 0.6).ticks(names.collect()),
    );
    chart.shape(110.0 + 30.0 * count.min(24.0), 150.0);
    chart.add(Mark::Upright(0.0));
    for (at, row) in rows.iter().enumerate() {
        let y = count - at as f64;
        let text = format!(
            "{}: {} ± {} Elo, {} games",
            played.name(row.engine),
            signed(row.elo, 1),
            fixed(row.error, 1),
            row.games
        );
        chart.add(Mark::Reach("c0", y, row.elo - row.error, row.elo + row.error));
        chart.add(Mark::Dots("c0", vec![Tip { x: row.elo, y, text }]));
    }
    chart.render()
}

/// Everyone against everyone, in the order of the ratings.
pub(super) fn cross_table(played: &Match, rows: &[Row]) -> String {
    let mut head = vec!["engine".to_string()];
    head.extend((1..=rows.len()).map(|rank| format!("#{rank}")));
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let meeting = |a: usize, b: usize| {
        let mut all = played.pairings.iter();
        all.find(|pairing| pairing.engines == [a.min(b), a.max(b)])
    };
    let table = rows.iter().enumerate().map(|(rank, row)| {
        let mut cells = vec![html::text(format!("{}. {}", rank + 1, played.name(row.engine)))];
        cells.extend(rows.iter().map(|other| {
            let Some(pairing) = meeting(row.engine, other.engine) else {
                return html::text(if row.engine == other.engine { "" } else { "–" })
                    .class("n blank");
            };
            let turned = pairing.engines[0] != row.engine;
            let games = if turned { pairing.games.swapped() } else { pairing.games };
            let score = games.score().unwrap_or(0.5);
            let lead = stronger(&pairing.results()).map(|first| first != turned);
            let class = match lead {
                Some(true) => "n won",
                Some(false) => "n lost",
                None => "n",
            };
            let title = format!(
                "{} against {}: {games} of {}",
                played.name(row.engine),
                played.name(other.engine),
                games.games()
            );
            html::html(format!(
                "<span title=\"{}\">{}<br/><small>{games}</small></span>",
                escape(&title),
                percent(score)
            ))
            .by(score)
            .class(class)
        }));
        cells
    });
    html::table(&head, table.collect())
        + &html::remark(
            "Score of the row against the column, with wins, draws and losses. Coloured where the \
             95 % interval excludes 50 %.",
        )
}

/// Each two engines with all figures.
pub(super) fn pairings(played: &Match) -> String {
    let head =
        ["engines", "#games", "won drawn lost", "pairs LL LD = WD WW", "#Elo", "#nElo", "#LOS"];
    let rows = played.pairings.iter().map(|pairing| {
        let [first, second] = pairing.engines.map(|engine| played.name(engine));
        let results = pairing.results();
        let figure = |lead: Option<elo::Estimate>| {
            lead.map_or(html::text(""), |lead| html::number(lead.value, estimate(lead)))
        };
        let superiority = elo::superiority(&results);
        vec![
            html::text(format!("{first} – {second}")),
            html::count(pairing.games.games()),
            html::text(pairing.games.to_string()),
            html::text(pairing.pairs.0.map(|count| count.to_string()).join(" · ")),
            figure(elo::logistic(&results)),
            figure(elo::normalised(&results)),
            html::number(superiority, percent(superiority)),
        ]
    });
    let mut out = html::table(&head, rows.collect());
    let mut said = String::new();
    for pairing in &played.pairings {
        let [first, second] = pairing.engines.map(|engine| played.name(engine));
        let words = sentence(first, second, &pairing.results());
        said += &format!("<li>{}</li>", escape(&words));
    }
    out += &html::folded("In words", &format!("<ul>{said}</ul>"));
    let tests = played.pairings.len();
    if tests > 1 {
        let expected = chance(1.0 - 0.95_f64.powi(tests as i32));
        out += &html::remark(&format!(
            "{tests} comparisons: if all engines were equal, at least one would seem decided with a \
             chance of about {expected}."
        ));
    }
    out
}
