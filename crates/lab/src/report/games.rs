//! The games themselves, and the faults of engines with their evidence.

use std::collections::BTreeMap;

use super::game::{Fault, Game};
use super::html::{self, escape};
use super::numbers::{coordinate, fixed, many};
use super::tally::Match;

/// A page must stay a page: so many games, and so many bytes of them, are listed.
const MOST_GAMES: usize = 1_000;
const MOST_BYTES: usize = 1_200_000;
/// So many faults with their evidence, and so much of it.
const MOST_FAULTS: usize = 60;
const FEW_FAULTS: usize = 6;
const EVIDENCE_LINES: usize = 40;
const EVIDENCE_WIDTH: usize = 400;

/// The list of the games, foldable moves and all.
pub(super) fn list(played: &Match) -> String {
    let mut order: Vec<usize> = (0..played.games.len()).collect();
    order.sort_by_key(|&index| played.games[index].number);
    let (mut rows, mut bytes) = (Vec::new(), 0);
    for &index in order.iter().take(MOST_GAMES) {
        let game = &played.games[index];
        let moves = moves(game);
        bytes += moves.len() + 300;
        if bytes > MOST_BYTES {
            break;
        }
        rows.push(vec![
            html::count(game.number),
            html::text(html::cut(&game.opening, 40)),
            html::text(html::cut(&game.engines[0], 30)),
            html::text(html::cut(&game.engines[1], 30)),
            html::text(game.result_text()).class("c"),
            html::text(html::cut(&game.ending(), 60)),
            html::count(game.moves.len() as u64),
            html::number(
                game.seconds.unwrap_or(0.0),
                game.seconds.map_or("–".to_string(), |seconds| fixed(seconds, 1)),
            ),
            html::html(moves),
        ]);
    }
    if rows.is_empty() {
        return String::new();
    }
    let (shown, all) = (rows.len(), played.games.len());
    let head =
        ["#game", "opening", "first", "second", "result", "ending", "#plies", "#seconds", "moves"];
    let table = html::table(&head, rows);
    let mut out = html::folded(&format!("Show {}", many(shown, "game")), &table);
    if shown < all {
        out += &html::remark(&format!(
            "The first {} of {} are listed; all are in games.jsonl.",
            many(shown, "game"),
            many(all, "game")
        ));
    }
    out
}

fn moves(game: &Game) -> String {
    if game.moves.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    if let Some(start) = &game.start {
        text += &format!("<code>{}</code> ", escape(&html::cut(start, 200)));
    }
    for (ply, played) in game.moves.iter().enumerate() {
        if ply == 0 && game.opening_plies > 0 {
            text += "<span class=\"book\">";
        }
        if ply % 2 == 0 {
            text += &format!("{}. ", ply / 2 + 1);
        }
        text += &escape(&html::cut(played, 20));
        if ply + 1 == game.opening_plies
            || (ply + 1 == game.moves.len() && ply < game.opening_plies)
        {
            text += "</span>";
        }
        text.push(' ');
    }
    let text = format!("{}<p class=\"moves\">{text}{}</p>", course(game), game.result_text());
    html::folded("moves", &text)
}

/// The scores of both engines through the game, from the side of the first, as a little curve.
fn course(game: &Game) -> String {
    const WIDTH: f64 = 240.0;
    const HEIGHT: f64 = 40.0;
    const MOST: f64 = 600.0;
    let scores: Vec<(usize, usize, f64)> = game
        .plies(&game.scores)
        .filter_map(|(ply, mover, score)| match score {
            super::game::Score::Value(value) => Some((ply, mover, *value)),
            _ => None,
        })
        .collect();
    if scores.len() < 4 {
        return String::new();
    }
    let last = game.moves.len().max(1) as f64;
    let every = scores.len().div_ceil(60) | 1;
    let mut paths = [String::new(), String::new()];
    for (ply, mover, value) in scores.iter().step_by(every) {
        let value = if *mover == 0 { *value } else { -value };
        let x = coordinate(WIDTH * *ply as f64 / last);
        let y = coordinate(HEIGHT / 2.0 * (1.0 - value.clamp(-MOST, MOST) / MOST));
        let letter = if paths[*mover].is_empty() { 'M' } else { 'L' };
        paths[*mover] += &format!("{letter}{x} {y}");
    }
    format!(
        "<svg class=\"spark\" viewBox=\"0 0 240 40\" role=\"img\" aria-label=\"scores of both engines, \
         from the side of {name}, from -6 to +6\"><path class=\"rule\" d=\"M0 20h240\"/>\
         <path class=\"line c0\" d=\"{}\"/><path class=\"line c1\" d=\"{}\"/></svg>",
        paths[0],
        paths[1],
        name = escape(&html::cut(&game.engines[0], 40)),
    )
}

/// What engines did wrong, with the last they said.
pub(super) fn faults(played: &Match) -> String {
    let mut guilty: Vec<(&Game, &Fault)> =
        played.games.iter().filter_map(|game| Some((game, game.fault.as_ref()?))).collect();
    if guilty.is_empty() {
        return String::new();
    }
    guilty.sort_by_key(|(game, _)| game.number);
    let mut counts: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for (game, fault) in &guilty {
        *counts.entry((&fault.engine, &game.termination)).or_default() += 1;
    }
    let rows = counts.into_iter().map(|((engine, termination), count)| {
        vec![html::text(engine), html::text(termination), html::count(count)]
    });
    let mut out = html::table(&["engine", "fault", "#games"], rows.collect());
    let mut cases = String::new();
    for (game, fault) in guilty.iter().take(MOST_FAULTS) {
        let evidence = [("said", &fault.output), ("on the standard error", &fault.errors)]
            .into_iter()
            .filter(|(_, lines)| !lines.is_empty())
            .map(|(title, lines)| format!("<p>{title}</p><pre>{}</pre>", last_lines(lines)))
            .collect::<String>();
        let title =
            format!("Game {}: {}: {}", game.number, fault.engine, html::cut(&fault.what, 200));
        if evidence.is_empty() {
            cases += &format!("<p class=\"plain\">{}</p>", escape(&title));
        } else {
            cases += &html::folded(&title, &evidence);
        }
    }
    // Few are shown at once; many would hide the rest of the page.
    out += &match guilty.len() {
        0..=FEW_FAULTS => cases,
        _ => html::folded("Show each with its evidence", &cases),
    };
    if guilty.len() > MOST_FAULTS {
        let more = guilty.len() - MOST_FAULTS;
        out += &html::remark(&format!("and {} more; all are in games.jsonl", many(more, "fault")));
    }
    out
}

fn last_lines(lines: &[String]) -> String {
    let from = lines.len().saturating_sub(EVIDENCE_LINES);
    let mut out = String::new();
    if from > 0 {
        out += &format!("… {} before\n", many(from, "line"));
    }
    for line in &lines[from..] {
        out += &escape(&html::cut(line, EVIDENCE_WIDTH));
        out.push('\n');
    }
    out
}
