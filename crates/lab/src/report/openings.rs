//! What the openings did: which were won twice, which decided the game whoever played them.

use std::collections::HashMap;

use super::html::{self, escape};
use super::numbers::{fixed, many, percent};
use super::tally::{Match, Pairing};
use crate::statistics::counts::{Counts, Trinomial};

/// So many squares are still a picture; more are a carpet.
const MOST_SQUARES: usize = 2_000;
/// So many openings are listed at either end.
const LISTED: usize = 15;

/// How a pair went, from the best for the first engine to the worst.
const KINDS: [(&str, &str); 6] = [
    ("w2", "won both"),
    ("w1", "won and drew"),
    ("d", "drew both"),
    ("x", "a win each"),
    ("l1", "lost and drew"),
    ("l2", "lost both"),
];

/// The openings of a match of two engines.
pub(super) fn of_duel(played: &Match, duel: &Pairing) -> String {
    if played.pairs.is_empty() {
        return String::new();
    }
    let first = html::cut(played.name(duel.engines[0]), 30);
    let mut pairs: Vec<(usize, String, u64)> = played
        .pairs
        .iter()
        .map(|pair| {
            let kind = match (pair.half_points(), pair.split()) {
                (2, true) => 3,
                (2, false) => 2,
                (points, _) => [5, 4, 2, 1, 0][points],
            };
            let game = &played.games[pair.games[0]];
            (kind, opening_name(game), game.pair.unwrap_or(0))
        })
        .collect();
    pairs.sort();
    let mut out = String::from("<ul class=\"legend\">");
    for (index, (class, name)) in KINDS.iter().enumerate() {
        let count = pairs.iter().filter(|pair| pair.0 == index).count();
        out += &format!("<li><span class=\"key {class}\"></span>{name}: {count}</li>");
    }
    out += "</ul>";
    if pairs.len() <= MOST_SQUARES {
        out += "<div class=\"strip\">";
        for (kind, opening, pair) in &pairs {
            let (class, words) = KINDS[*kind];
            out += &format!(
                "<i class=\"{class}\" title=\"{} (pair {pair}): {words}\"></i>",
                escape(&html::cut(opening, 60))
            );
        }
        out += "</div>";
    } else {
        let parts: Vec<(f64, &str, String)> = KINDS
            .iter()
            .enumerate()
            .map(|(index, (class, words))| {
                let count = pairs.iter().filter(|pair| pair.0 == index).count();
                (count as f64, *class, format!("{words}: {}", many(count, "pair")))
            })
            .collect();
        out += &html::shares(&parts);
    }
    out += &html::remark(&format!(
        "One square is one opening with both colours, from the side of {first}; point at it for its \
         name. \"A win each\" means that the same side won twice: the opening decided."
    ));
    out += "<div class=\"grid\">";
    out += &listed(&format!("Best for {first}"), &pairs, 0);
    out += &listed(&format!("Worst for {first}"), &pairs, 5);
    out + "</div>"
}

fn opening_name(game: &super::game::Game) -> String {
    match (game.opening.as_str(), &game.start) {
        ("", Some(start)) => start.clone(),
        ("", None) => "unnamed".to_string(),
        (name, _) => name.to_string(),
    }
}

/// The openings of one kind, by how often that happened.
fn listed(title: &str, pairs: &[(usize, String, u64)], kind: usize) -> String {
    let mut times: HashMap<&str, (usize, usize)> = HashMap::new();
    for (found, opening, _) in pairs {
        let entry = times.entry(opening).or_default();
        entry.0 += usize::from(*found == kind);
        entry.1 += 1;
    }
    let mut rows: Vec<(&str, (usize, usize))> =
        times.into_iter().filter(|(_, (found, _))| *found > 0).collect();
    rows.sort_by(|a, b| b.1.0.cmp(&a.1.0).then(a.1.1.cmp(&b.1.1)).then(natural(a.0, b.0)));
    let left = rows.len().saturating_sub(LISTED);
    let table = rows.iter().take(LISTED).map(|(opening, (found, all))| {
        vec![
            html::text(html::cut(opening, 80)),
            html::count(*found as u64),
            html::count(*all as u64),
        ]
    });
    let words = KINDS[kind].1;
    let mut out = format!("<div><h3>{}</h3>", escape(title));
    if rows.is_empty() {
        out += &html::remark(&format!("None: {words}."));
    } else {
        out += &html::table(&["opening", &format!("#{words}"), "#of pairs"], table.collect());
    }
    if left > 0 {
        out += &html::remark(&format!("and {} more", many(left, "opening")));
    }
    out + "</div>"
}

/// Numbers by their size, the rest by the alphabet.
fn natural(a: &str, b: &str) -> std::cmp::Ordering {
    match (a.parse::<u64>(), b.parse::<u64>()) {
        (Ok(a), Ok(b)) => a.cmp(&b),
        _ => a.cmp(b),
    }
}

/// The openings of a tournament: what they gave to the side that moves first.
pub(super) fn of_tournament(played: &Match) -> String {
    let mut found: HashMap<String, Trinomial> = HashMap::new();
    for game in &played.games {
        found.entry(opening_name(game)).or_default().add(game.result);
    }
    let mut openings: Vec<(String, Trinomial, f64)> = found
        .into_iter()
        .filter_map(|(name, games)| games.score().map(|score| (name, games, score)))
        .collect();
    openings.sort_by(|a, b| b.2.total_cmp(&a.2).then(natural(&a.0, &b.0)));
    if openings.len() < 2 {
        return String::new();
    }
    let mut out = String::new();
    if openings.len() <= MOST_SQUARES {
        out += "<div class=\"strip\">";
        for (name, games, score) in &openings {
            let class = KINDS_BY_SCORE[((1.0 - score) * 4.999) as usize];
            out += &format!(
                "<i class=\"{class}\" title=\"{}: {games}, first mover {}\"></i>",
                escape(&html::cut(name, 60)),
                percent(*score)
            );
        }
        out += "</div>";
    }
    out += &html::remark(
        "One square is one opening, by the share of the points that whoever moved first made with it.",
    );
    let rows = |openings: &mut dyn Iterator<Item = &(String, Trinomial, f64)>| {
        let rows = openings.take(LISTED).map(|(name, games, score)| {
            vec![
                html::text(html::cut(name, 80)),
                html::count(games.games()),
                html::number(*score, fixed(100.0 * score, 0) + " %"),
            ]
        });
        html::table(&["opening", "#games", "#first mover"], rows.collect())
    };
    out += &format!(
        "<div class=\"grid\"><div><h3>Best for the first mover</h3>{}</div>\
         <div><h3>Worst for the first mover</h3>{}</div></div>",
        rows(&mut openings.iter()),
        rows(&mut openings.iter().rev())
    );
    out
}

const KINDS_BY_SCORE: [&str; 5] = ["w2", "w1", "d", "l1", "l2"];
