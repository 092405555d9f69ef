//! How the games went: who had which colour, how long they took, how they ended.

use std::collections::BTreeMap;

use super::html;
use super::numbers::{many, percent};
use super::plot::{Axis, Chart, Mark};
use super::tally::{Match, Pairing};
use crate::statistics::counts::{Counts, GameResult, Trinomial};
use crate::values::median;

/// Each engine by whether it moved first.
pub(super) fn by_colour(played: &Match) -> String {
    let mut counts = vec![[Trinomial::default(); 2]; played.engines.len()];
    let mut all = Trinomial::default();
    for (game, side) in played.games.iter().zip(&played.sides) {
        counts[side[0]][0].add(game.result);
        counts[side[1]][1].add(game.result.swapped());
        all.add(game.result);
    }
    let mut rows = Vec::new();
    let mut row = |name: &str, moved: &str, games: Trinomial| {
        let Some(score) = games.score() else { return };
        let parts = [
            (games.wins as f64, "w2", format!("won {}", games.wins)),
            (games.draws as f64, "d", format!("drawn {}", games.draws)),
            (games.losses as f64, "l2", format!("lost {}", games.losses)),
        ];
        rows.push(vec![
            html::text(name),
            html::text(moved),
            html::count(games.wins),
            html::count(games.draws),
            html::count(games.losses),
            html::number(score, percent(score)),
            html::html(html::shares(&parts)).class("wide").by(score),
        ]);
    };
    for (engine, [first, second]) in counts.into_iter().enumerate() {
        row(played.name(engine), "first", first);
        row(played.name(engine), "second", second);
    }
    row("everyone", "first", all);
    let head = ["engine", "moved", "#won", "#drawn", "#lost", "#score", "shares"];
    html::table(&head, rows)
}

/// Who a result is counted for: the engines of a duel, or first and second mover.
struct Sides<'a> {
    played: &'a Match,
    duel: Option<&'a Pairing>,
}

impl Sides<'_> {
    /// 0 the first, 1 nobody, 2 the second.
    fn winner(&self, index: usize) -> usize {
        let result = self.played.games[index].result;
        let turned = self.duel.is_some_and(|duel| self.played.sides[index][0] != duel.engines[0]);
        match if turned { result.swapped() } else { result } {
            GameResult::Win => 0,
            GameResult::Draw => 1,
            GameResult::Loss => 2,
        }
    }

    fn names(&self) -> [String; 3] {
        match self.duel {
            Some(duel) => {
                let [a, b] = duel.engines.map(|engine| html::cut(self.played.name(engine), 24));
                [format!("{a} won"), "drawn".to_string(), format!("{b} won")]
            }
            None => ["first mover won", "drawn", "second mover won"].map(String::from),
        }
    }
}

const CLASSES: [&str; 3] = ["w2", "d", "l2"];

/// Lengths of the games by result.
pub(super) fn lengths(played: &Match, duel: Option<&Pairing>) -> String {
    let sides = Sides { played, duel };
    let plies: Vec<f64> = played.games.iter().map(|game| game.moves.len() as f64).collect();
    let longest = plies.iter().copied().fold(0.0, f64::max);
    if longest == 0.0 {
        return String::new();
    }
    let step = [2.0, 4.0, 10.0, 20.0, 40.0, 100.0, 200.0, 400.0, 1_000.0]
        .into_iter()
        .find(|step| longest / step <= 32.0)
        .unwrap_or(longest / 32.0);
    let bins = (longest / step).floor() as usize + 1;
    let mut counts = vec![[0_u64; 3]; bins];
    for (index, length) in plies.iter().enumerate() {
        counts[(length / step) as usize][sides.winner(index)] += 1;
    }
    let most = counts.iter().map(|bin| bin.iter().sum::<u64>()).max().unwrap_or(1);
    let middle = median(&plies);
    let mut chart = Chart::new(
        "Lengths of the games",
        format!("Bars: games by their number of plies and result; the median is {middle} plies"),
        Axis::linear("plies", 0.0, bins as f64 * step),
        Axis::linear("games", 0.0, 1.08 * most as f64).whole(),
    );
    let names = sides.names();
    for (bin, parts) in counts.iter().enumerate() {
        let (left, mut height) = (bin as f64 * step, 0.0);
        for (part, &count) in parts.iter().enumerate().filter(|part| *part.1 > 0) {
            let text = format!(
                "{left} to {} plies, {}: {}",
                left + step - 1.0,
                names[part],
                many(count as usize, "game")
            );
            let from = (left + 0.06 * step, height);
            height += count as f64;
            chart.add(Mark::Box(CLASSES[part], from, (left + 0.94 * step, height), text));
        }
    }
    chart.add(Mark::Upright(middle));
    for (class, name) in CLASSES.iter().zip(names) {
        chart.explain(class, name);
    }
    chart.remark(format!("Half of the games were longer than {middle} plies (the dashed line)."));
    chart.render()
}

/// How the games ended.
pub(super) fn reasons(played: &Match, duel: Option<&Pairing>) -> String {
    let sides = Sides { played, duel };
    let mut found: BTreeMap<String, [u64; 3]> = BTreeMap::new();
    for (index, game) in played.games.iter().enumerate() {
        found.entry(html::cut(&game.ending(), 80)).or_default()[sides.winner(index)] += 1;
    }
    let mut rows: Vec<(String, [u64; 3])> = found.into_iter().collect();
    rows.sort_by_key(|(_, parts)| std::cmp::Reverse(parts.iter().sum::<u64>()));
    let names = sides.names();
    let (total, left) = (played.games.len() as f64, rows.len().saturating_sub(40));
    let table = rows.into_iter().take(40).map(|(ending, parts)| {
        let count: u64 = parts.iter().sum();
        let bar: Vec<(f64, &str, String)> = (0..3)
            .map(|part| {
                (parts[part] as f64, CLASSES[part], format!("{}: {}", names[part], parts[part]))
            })
            .collect();
        vec![
            html::text(ending),
            html::count(count),
            html::number(count as f64 / total, percent(count as f64 / total)),
            html::html(html::shares(&bar)).class("wide").by(parts[0] as f64 / count as f64),
        ]
    });
    let mut out = html::table(&["ending", "#games", "#share", "who won"], table.collect());
    if left > 0 {
        out += &html::remark(&format!("and {} more", many(left, "kind of ending")));
    }
    out
}
