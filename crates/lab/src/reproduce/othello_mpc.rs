//! othello-mpc: probabilistic cuts in Othello, where they come from (Buro, 1995 and 1999): how vague pairs
//! are beside the formulas of two strong programs, what each level of confidence saves and gets wrong, and
//! what it is worth in games.

use std::time::Instant;

use anyhow::{Context, bail};
use secateur_games::othello::{EndgameSolver, Guide, Othello};
use secateur_games::playable::{GameEngine, new_engine};
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::Limits;
use secateur_search::calibrate::cuts::{Cuts, Function};
use secateur_search::random::SplitMix;
use secateur_search::selective::levels::Level;
use secateur_search::{Band, Line, Overlay, Score, Stopped, Tactics};
use serde_json::json;

use super::multi_probcut::{HEAD, figure, row};
use super::outcome::{Outcome, Table};
use super::setting::Setting;
use crate::calibrate::positions::Games;
use crate::statistics::counts::Counts;
use crate::statistics::elo::{Estimate, logistic};

pub(super) fn run(setting: &Setting) -> anyhow::Result<Outcome> {
    let Some(text) = Othello::CUTS.first() else {
        bail!("no table of cuts comes with the program")
    };
    let cuts = Cuts::parse(text).context("the table of cuts")?;
    let mut outcome = Outcome::default();
    outcome.notes.push(format!("cuts go by the table of: {}", cuts.made_by));
    deviations(&mut outcome, &cuts)?;
    middle_games(setting, &mut outcome)?;
    endgames(setting, &mut outcome)?;
    games(setting, &mut outcome)?;
    Ok(outcome)
}

/// The deviation of Edax (Delorme), in discs: by empty squares, the deep depth and the shallow one.
fn edax(empties: f64, deep: f64, shallow: f64) -> f64 {
    let x = -0.10026799 * empties + 0.31027733 * deep - 0.57772603 * shallow;
    0.07585621 * x * x + 1.16492647 * x + 5.4171698
}

/// That of Egaroucid (Yamana).
fn egaroucid(empties: f64, deep: f64, shallow: f64) -> f64 {
    let x = 0.9374 * (64.0 - empties) / 64.0 - 7.3403 * shallow / 60.0 + 1.1402 * deep / 60.0;
    ((0.70057 * x + 2.66200) * x + 3.05543) * x + 2.09426
}

/// The same where the deep search reaches the end of the game.
fn egaroucid_to_end(empties: f64, shallow: f64) -> f64 {
    let x = 1.19194 * (64.0 - empties) / 64.0 + 1.96343 * shallow / 60.0;
    ((-5.30770 * x + 7.09032) * x - 5.27176) * x + 8.25739
}

/// Empty squares, shallow depth and deep depth; the end where the last two are alike.
const PAIRS: [[i32; 3]; 10] = [
    [44, 2, 6],
    [44, 4, 8],
    [36, 2, 6],
    [36, 4, 8],
    [28, 2, 6],
    [28, 4, 8],
    [20, 2, 6],
    [14, 2, 14],
    [16, 4, 16],
    [20, 4, 20],
];

fn deviations(outcome: &mut Outcome, cuts: &Cuts) -> anyhow::Result<()> {
    let mut shown = Table::new(
        "The deviation of the error of a pair, in discs",
        &["empty", "pair", "Edax", "Egaroucid", "ours"],
    );
    let any = cuts.function.as_ref().context("the table of cuts has no function")?;
    for [empties, shallow, deep] in PAIRS {
        let [e, s, d] = [empties, shallow, deep].map(f64::from);
        let to_end = empties == deep;
        let ours = |function: &Function, stage: usize| function.sigma(stage, shallow, deep) / 100.0;
        let stage = ((60 - empties) / 4) as usize;
        let ours = match to_end {
            true => cuts.end.as_ref().map(|end| ours(end, 0)),
            false => Some(ours(any, stage)),
        };
        let theirs =
            [edax(e, d, s), if to_end { egaroucid_to_end(e, s) } else { egaroucid(e, d, s) }];
        shown.add(vec![
            empties.to_string(),
            if to_end { format!("({shallow}, end)") } else { format!("({shallow}, {deep})") },
            format!("{:.2}", theirs[0]),
            format!("{:.2}", theirs[1]),
            ours.map_or(String::new(), |sigma| format!("{sigma:.2}")),
        ]);
        outcome.figures.push(json!({
            "empties": empties, "shallow": shallow, "deep": if to_end { None } else { Some(deep) },
            "edax": theirs[0], "egaroucid": theirs[1], "ours": ours,
        }));
    }
    shown.remark =
        "Their evaluations are stronger than ours, and every formula is of its own program: the \
                    shape is to be compared, not the size."
            .to_string();
    outcome.tables.push(shown);
    Ok(())
}

/// Positions of games of the engine against itself, with so many empty squares.
fn positions(count: u64, empties: std::ops::RangeInclusive<u32>) -> anyhow::Result<Vec<Othello>> {
    let games = Games::<Othello>::Played(500);
    let (mut engine, control) = (new_engine::<Othello>(), Control::default());
    let mut found = Vec::new();
    for number in 0.. {
        if found.len() as u64 >= count {
            break;
        }
        let mut random = SplitMix::new(1_000 + number as u64);
        let record = games.game(number, &mut engine, &mut random, &control);
        let record = record.context("a game was stopped")?;
        let wanted =
            empties.start() + random.below((empties.end() - empties.start() + 1) as usize) as u32;
        let at = (0..=record.moves().len())
            .map(|ply| record.after_plies(ply))
            .find(|game| game.position().empty().count_ones() == wanted);
        found.extend(at.filter(|game| game.ending().is_none()).map(|game| *game.position()));
    }
    Ok(found)
}

/// In hundredths of a disc.
fn units(score: Score) -> i32 {
    match score.band() {
        Band::Heuristic(value) => value,
        Band::Final(points) => 100 * points,
        Band::Tablebase(_) | Band::Mate { .. } => 6_400 * score.value().signum(),
    }
}

/// An engine whose cuts have this threshold; without one it makes none.
fn engine(threshold: Option<i32>) -> anyhow::Result<GameEngine<Othello>> {
    let mut overlay = Overlay::default();
    if let Some(threshold) = threshold {
        overlay.set("probcut", "multi")?;
        for name in ["probcut.threshold", "probcut.threshold_end"] {
            overlay.set(name, &threshold.to_string())?;
        }
    }
    let mut engine = new_engine::<Othello>();
    engine.set_settings(overlay.served_by::<Othello>()?);
    engine.check_cuts()?;
    Ok(engine)
}

/// Fixed depth in the middle game: nodes, and how the values differ from those without cuts.
fn middle_games(setting: &Setting, outcome: &mut Outcome) -> anyhow::Result<()> {
    let depth = if setting.scale >= 0.5 { 12 } else { 9 };
    let positions = positions(setting.scaled(200, 8), 22..=48)?;
    let search = |threshold: Option<i32>| -> anyhow::Result<(Vec<i32>, u64)> {
        let mut engine = engine(threshold)?;
        let (mut values, mut nodes) = (Vec::new(), 0);
        for position in &positions {
            setting.demand_time()?;
            engine.new_game();
            let (line, limits) = (Line::starting_at(position), Limits::depth(depth));
            let control = Control::default();
            let answer =
                engine.search(position, &line, &limits, Instant::now(), &control, &mut |_| {});
            values.push(units(answer.score));
            nodes += answer.nodes;
        }
        Ok((values, nodes))
    };
    let (exact, all_nodes) = search(None)?;
    let mut shown = Table::new(
        format!("{} positions, {depth} plies deep, against the same without cuts", positions.len()),
        &["level", "T", "nodes", "mean difference, discs", "off by 2 discs or more, %"],
    );
    let mut shares = Vec::new();
    for level in Level::all() {
        let (values, nodes) = match level.threshold() {
            Some(threshold) => search(Some(threshold))?,
            None => (exact.clone(), all_nodes),
        };
        let off: Vec<i32> = values.iter().zip(&exact).map(|(a, b)| (a - b).abs()).collect();
        let count = off.len().max(1) as f64;
        let mean = f64::from(off.iter().sum::<i32>()) / 100.0 / count;
        let wrong = off.iter().filter(|off| **off >= 200).count() as f64 / count;
        let share = nodes as f64 / all_nodes.max(1) as f64;
        shares.push(share);
        shown.add(vec![
            format!("{depth}@{}", level.percent()),
            level.threshold().map_or("-".to_string(), |t| format!("{:.1}", f64::from(t) / 100.0)),
            format!("{share:.2}"),
            format!("{mean:.2}"),
            format!("{:.0}", 100.0 * wrong),
        ]);
        outcome.figures.push(json!({
            "level": level.percent(), "depth": depth, "nodes": nodes, "share": share,
            "mean_difference": mean, "wrong": wrong,
        }));
    }
    outcome.tables.push(shown);
    outcome.check(
        "the boldest level needs fewer nodes than the safest with cuts, and that fewer than none",
        format!("{:.2}, {:.2} and 1 of the nodes", shares[0], shares[4]),
        shares[0] < shares[4] && shares[4] <= 1.02,
    );
    Ok(())
}

/// The solver through its levels: nodes until each is done, and how often its margin is wrong.
fn endgames(setting: &Setting, outcome: &mut Outcome) -> anyhow::Result<()> {
    let guide = Guide::embedded()?;
    let empties = if setting.scale >= 0.5 { 18..=20 } else { 15..=16 };
    let positions = positions(setting.scaled(100, 8), empties.clone())?;
    let levels: Vec<Level> = Level::all().collect();
    let mut found: Vec<(u64, usize)> = vec![(0, 0); levels.len()];
    let mut at_once = 0;
    let mut solver = EndgameSolver::new(64, 64 << 20);
    for position in &positions {
        setting.demand_time()?;
        let tick = &mut |_| setting.demand_time().map_err(|_| Stopped);
        solver.clear();
        let exact = solver.best(position, tick)?;
        at_once += exact.nodes;
        solver.clear();
        let last = levels[levels.len() - 1];
        solver.best_by_levels(position, &guide, last, tick, &mut |level, solution| {
            let index = levels.iter().position(|known| *known == level).unwrap_or(0);
            found[index].0 += solution.nodes;
            found[index].1 += usize::from(solution.margin != exact.margin);
        })?;
    }
    let mut shown = Table::new(
        format!(
            "{} endings with {} to {} empty squares, solved through rising levels",
            positions.len(),
            empties.start(),
            empties.end()
        ),
        &["level", "nodes until then", "of those at once", "margin wrong, %"],
    );
    for (level, (nodes, wrong)) in levels.iter().zip(&found) {
        let wrong = *wrong as f64 / positions.len().max(1) as f64;
        let share = *nodes as f64 / at_once.max(1) as f64;
        shown.add(vec![
            format!("end@{}", level.percent()),
            nodes.to_string(),
            format!("{share:.2}"),
            format!("{:.0}", 100.0 * wrong),
        ]);
        outcome.figures.push(json!({
            "level": level.percent(), "end": true, "nodes": nodes, "share": share, "wrong": wrong,
        }));
    }
    shown.remark = format!("Certain at once: {at_once} nodes.");
    outcome.tables.push(shown);
    let wrong = found[levels.len() - 1].1;
    outcome.check("the last level is exact", format!("{wrong} wrong"), wrong == 0);
    outcome.check(
        "the boldest level is cheaper than certainty",
        format!("{} of {at_once} nodes", found[0].0),
        found[0].0 < at_once,
    );
    Ok(())
}

/// The paper's host searches every move: nothing is cut or reduced but by these cuts.
const FULL_WIDTH: &str = "preset=bare probcut.filter=150";
/// What is asked of these cuts there, of all points.
const AIM: f64 = 0.65;

/// Games with cuts against games without: in a full-width host, as Buro's was, at the boldest level, and on top
/// of everything that today's engine cuts already, at every level.
fn games(setting: &Setting, outcome: &mut Outcome) -> anyhow::Result<()> {
    let control = if setting.scale >= 0.5 { "movetime=100" } else { "nodes=3000" };
    let mut shown =
        Table::new(format!("Games at {control} a move against the same without"), &HEAD);
    let mut play = |host: &str, about: &str, level: Level, games: u64| -> anyhow::Result<_> {
        let Some(threshold) = level.threshold() else { return Ok(None) };
        let with = format!(
            "secateur {host} probcut=multi probcut.threshold={threshold} probcut.threshold_end={threshold}"
        );
        let engines = [
            format!("{with} {control} name=with"),
            format!("secateur {host} {control} name=without"),
        ];
        let folder = format!("{about}-at-{}", level.percent()).replace(' ', "-");
        let played =
            setting.games::<Othello>(&folder, engines, 2 * setting.scaled(games / 2, 1))?;
        let score = played.finish.tally.first_score();
        let name =
            format!("{about}, T {:.1} ({} %)", f64::from(threshold) / 100.0, level.percent());
        shown.add(row(&name, score, ""));
        outcome.figures.push(figure(&name, score));
        Ok(Some((logistic(&score.pairs), score.pairs.score())))
    };
    let boldest = Level::all().next().context("there are no levels")?;
    let alone = play(FULL_WIDTH, "full width", boldest, 400)?;
    let mut best: Option<Estimate> = None;
    for level in Level::all() {
        if let Some((Some(lead), _)) = play("", "modern", level, 200)?
            && best.is_none_or(|best| lead.value > best.value)
        {
            best = Some(lead);
        }
    }
    outcome.tables.push(shown);
    if setting.scale >= 0.5 {
        let share = alone.and_then(|(_, share)| share).unwrap_or(0.0);
        outcome.check(
            format!("in a full-width host {:.0} % or more", 100.0 * AIM),
            format!("{:.1} %", 100.0 * share),
            share >= AIM,
        );
        let Estimate { value, error } =
            best.unwrap_or(Estimate { value: 0.0, error: f64::INFINITY });
        outcome.notes.push(format!(
            "on top of everything else {value:+.0} +- {error:.0} Elo at best, the highest of several: told, not \
             checked"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formulas_are_those_of_the_programs() {
        // Worked out by hand: x = -0.10026799 * 20 + 0.31027733 * 20 - 0.57772603 * 4 = 1.88928.
        assert!((edax(20.0, 20.0, 4.0) - 7.889).abs() < 0.01, "{}", edax(20.0, 20.0, 4.0));
        assert!((egaroucid(28.0, 8.0, 4.0) - 2.776).abs() < 0.01, "{}", egaroucid(28.0, 8.0, 4.0));
        // Vaguer the further apart, and the fewer plies are looked at.
        assert!(edax(20.0, 12.0, 2.0) > edax(20.0, 8.0, 2.0));
        assert!(egaroucid(20.0, 8.0, 2.0) > egaroucid(20.0, 8.0, 4.0));
        assert!(egaroucid_to_end(16.0, 2.0) > 0.0);
    }
}
