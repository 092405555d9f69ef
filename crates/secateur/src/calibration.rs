//! What a calibration has found, as text and as JSON.

use std::path::Path;

use secateur_games::playable::Playable;
use secateur_lab::calibrate::held_out::{Coverage, CutError, HeldOut, Pooled, Share};
use secateur_lab::calibrate::table::{Findings, Found, Likelihoods, Recipe};
use secateur_lab::calibrate::{Order, Source};
use secateur_lab::values::grouped;
use secateur_search::calibrate::cuts::Function;
use secateur_search::calibrate::unrest::Unrest;
use serde_json::{Value, json};

/// The thresholds of the short table.
const SHOWN: [f64; 2] = [1.0, 1.5];

fn at(all: &[Coverage], threshold: f64) -> Option<&Coverage> {
    all.iter().find(|coverage| coverage.threshold == threshold)
}

/// For people.
pub fn as_text<G: Playable>(
    order: &Order,
    findings: &Findings,
    recipe: &Recipe,
    path: &Path,
) -> String {
    let what = match order.source {
        Source::Paper => "positions",
        Source::Interior => "nodes",
    };
    let (positions, games) = (findings.positions as u64, findings.games as u64);
    let mut text =
        format!("{} {what} of {} games, {}\n", grouped(positions), grouped(games), order.game);
    if order.source == Source::Interior {
        let all = grouped(order.positions);
        text += &format!(
            "(of some {all} that were looked at, those that came to where a cut would be asked about)\n"
        );
    }
    text += "\n";
    if findings.chosen().next().is_none() {
        return text
            + "no pair was measured often enough, or saves anything, so there is no table: more \
               positions, or deeper\n";
    }
    text += &format!(
        "{:>5} {:>8} {:>15} {:>14} {:>6} {:>7} {:>6} {:>7} {:>6} {:>7} {:>12} {:>8}\n",
        "stage", "pair", "a", "b", "c", "sigma", "r", "n", "skew", "excess", "missed", "saving"
    );
    for found in findings.chosen() {
        let line = &found.line;
        let [shallow, deep] = found.depths;
        let [missed, all] = found.missed;
        let missed = 1_000.0 * missed as f64 / all.max(1) as f64;
        text += &format!(
            "{:>5} {:>8} {:>15} {:>14} {:>6.2} {:>7.1} {:>6.3} {:>7} {:>6.2} {:>7.2} {:>12} {:>6.0} %\n",
            found.stage,
            format!("({shallow}, {deep})"),
            format!("{:.3} +- {:.3}", line.a, 1.96 * line.a_error),
            format!("{:.1} +- {:.1}", line.b, 1.96 * line.b_error),
            line.c,
            line.sigma,
            line.r,
            line.n,
            line.skew,
            line.excess,
            format!("{missed:.1} in 1000"),
            100.0 * found.saving.share(),
        );
    }
    text += "\nErrors beyond the threshold in games that the line has not seen, in percent (below / above):\n";
    text += &format!("{:>5} {:>8}", "stage", "pair");
    for threshold in SHOWN {
        text += &format!(" {:>28} {:>22}", format!("T {threshold}: promised, normal"), "empirical");
    }
    text += "\n";
    for found in findings.chosen() {
        let Some(held) = &found.held_out else { continue };
        let [shallow, deep] = found.depths;
        text += &format!("{:>5} {:>8}", found.stage, format!("({shallow}, {deep})"));
        for threshold in SHOWN {
            let (Some(normal), Some(empirical)) =
                (at(&held.normal, threshold), at(&held.empirical, threshold))
            else {
                continue;
            };
            let sides = |coverage: &Coverage| {
                let side = |share: &Share| match share.n {
                    0 => "-".to_string(),
                    _ if share.holds(coverage.promised) => format!("{:.1}", 100.0 * share.value),
                    _ => format!("{:.1}!", 100.0 * share.value),
                };
                format!("{} / {}", side(&coverage.below), side(&coverage.above))
            };
            text += &format!(
                " {:>28} {:>22}",
                format!("{:.1}, {}", 100.0 * normal.promised, sides(normal)),
                sides(empirical)
            );
        }
        text += "\n";
    }
    text += &cuts(findings, recipe);
    text += &all_together(&findings.pooled());
    let functions = [
        (&findings.function, "any pair"),
        (&findings.guess, "a guess"),
        (&findings.end, "the end of the game (deep: plies to it)"),
    ];
    for (function, what) in functions {
        let Some(function) = function else { continue };
        text += &format!(
            "\nsigma of {what}: x = {:.3} stage {:+.3} deep {:+.3} shallow; {:.2} + x {:+.5} x^2",
            function.stage,
            function.deep,
            function.shallow,
            function.parabola[0],
            function.parabola[2]
        );
    }
    text += &findings.unrest.as_ref().map_or(String::new(), uneasy);
    if let Some(Likelihoods { lines, function, unrest }) = findings.likelihoods {
        let unrest = unrest.map_or(String::new(), |unrest| format!(", {unrest:.3} with unrest"));
        text += &format!(
            "\nmean log likelihood of the pairs of the table in games that were not seen: {lines:.3} by \
             their lines, {function:.3} by the function{unrest}\n"
        );
    }
    let beyond: usize = findings.chosen().map(|found| found.beyond).max().unwrap_or(0);
    let seen: Vec<usize> = findings.chosen().map(|found| found.stage).collect();
    let missing: Vec<String> = (0..G::STAGES)
        .filter(|stage| !seen.contains(stage))
        .map(|stage| stage.to_string())
        .collect();
    if beyond > 0 {
        text += &format!("\nleft out beyond the window: up to {beyond} positions of a pair");
    }
    if !missing.is_empty() {
        text += &format!("\nstages without a pair: {}", missing.join(", "));
    }
    text += "\nmissed: proven by the deep search and not by the shallow one, such as mates\n";
    if findings.curves.is_some() {
        text += "v = a v' + c beta + b; empirical: errors at nodes about as far beyond their windows as the bound\n";
    }
    if recipe.beyond > order.max_depth {
        text += &format!("the deepest pairs go on to depth {}\n", recipe.beyond);
    }
    text += &format!(
        "\n! marks what does not hold within two standard errors or a point.\nThe table is {}.\n",
        path.display()
    );
    text
}

/// What each kind of unrest multiplies sigma by.
fn uneasy(unrest: &Unrest) -> String {
    let mut text = "\n\nUnrest, and what it multiplies sigma by:\n".to_string();
    for kind in &unrest.kinds {
        let mut steps = vec![format!("{:.2}", kind.factors[0])];
        for (edge, factor) in kind.edges.iter().zip(&kind.factors[1..]) {
            steps.push(format!("from {edge} on {factor:.2}"));
        }
        text += &format!("{:>14}: {}\n", kind.name, steps.join(", "));
    }
    text
}

/// What the errors that were seen promise and what came of it, all pairs of the table together.
fn all_together(pooled: &[Pooled]) -> String {
    let rows = pooled.first().map_or(0, |one| one.coverage.below.n as u64);
    let mut text = format!(
        "\nAll pairs together, {} values that their lines have not seen, by the errors that were measured \
         (percent):\n{:>5} {:>10} {:>16} {:>16} {:>24} {:>16}\n",
        grouped(rows),
        "T",
        "promised",
        "below",
        "above",
        "cuts promised to be wrong",
        "wrong"
    );
    for Pooled { coverage, cuts } in pooled {
        let share = |share: &Share, promised: f64| {
            if share.n == 0 {
                return "-".to_string();
            }
            let mark = if share.holds(promised) { ' ' } else { '!' };
            format!("{:.1} +- {:.1}{mark}", 100.0 * share.value, 196.0 * share.error)
        };
        text += &format!(
            "{:>5} {:>10.1} {:>16} {:>16} {:>24.1} {:>16}\n",
            coverage.threshold,
            100.0 * coverage.promised,
            share(&coverage.below, coverage.promised),
            share(&coverage.above, coverage.promised),
            100.0 * cuts.promised,
            share(&cuts.wrong, cuts.promised),
        );
    }
    text
}

/// Of cuts that would be made, what they promise and what is wrong.
fn cuts(findings: &Findings, recipe: &Recipe) -> String {
    let near = |all: &[CutError]| -> Option<CutError> {
        let far = |cut: &&CutError| ((cut.threshold - recipe.threshold).abs() * 1_000.0) as i64;
        all.iter().min_by_key(far).copied()
    };
    let mut text = String::new();
    for found in findings.chosen() {
        let Some(held) = &found.held_out else { continue };
        let Some((normal, empirical)) = near(&held.normal_cuts).zip(near(&held.empirical_cuts))
        else {
            continue;
        };
        if text.is_empty() {
            text += &format!(
                "\nCuts in games that the line has not seen, T {}: made, promised to be wrong, wrong (percent)\n",
                normal.threshold
            );
            text += &format!("{:>5} {:>8} {:>30} {:>30}\n", "stage", "pair", "normal", "empirical");
        }
        let words = |cut: &CutError| {
            if cut.wrong.n == 0 {
                return "none".to_string();
            }
            let mark = if cut.holds() { ' ' } else { '!' };
            let made = 100.0 * cut.wrong.n as f64 / cut.asked.max(1) as f64;
            let (promised, wrong) = (100.0 * cut.promised, 100.0 * cut.wrong.value);
            format!("{made:.0}, {promised:.1}, {wrong:.1} +- {:.1}{mark}", 196.0 * cut.wrong.error)
        };
        let [shallow, deep] = found.depths;
        text += &format!(
            "{:>5} {:>8} {:>30} {:>30}\n",
            found.stage,
            format!("({shallow}, {deep})"),
            words(&normal),
            words(&empirical)
        );
    }
    text
}

/// For programs, the totals first.
pub fn as_json(order: &Order, findings: &Findings, recipe: &Recipe) -> Value {
    let share = |share: &Share| json!({"share": share.value, "error": share.error, "n": share.n});
    let coverage = |all: &[Coverage]| -> Vec<Value> {
        let one = |coverage: &Coverage| {
            json!({
                "threshold": coverage.threshold,
                "promised": coverage.promised,
                "below": share(&coverage.below),
                "above": share(&coverage.above),
                "holds": coverage.is_known().then(|| coverage.holds()),
            })
        };
        all.iter().map(one).collect()
    };
    let cuts = |all: &[CutError]| -> Vec<Value> {
        let one = |cut: &CutError| {
            json!({
                "threshold": cut.threshold,
                "asked": cut.asked,
                "promised": cut.promised,
                "wrong": share(&cut.wrong),
                "holds": cut.is_known().then(|| cut.holds()),
            })
        };
        all.iter().map(one).collect()
    };
    let held_out = |held: &HeldOut| {
        json!({
            "n": held.n,
            "log_likelihood": held.likelihood,
            "normal": coverage(&held.normal),
            "empirical": coverage(&held.empirical),
            "normal_cuts": cuts(&held.normal_cuts),
            "empirical_cuts": cuts(&held.empirical_cuts),
        })
    };
    let pair = |found: &Found| {
        let line = &found.line;
        json!({
            "pair": found.depths,
            "stage": found.stage,
            "category": found.category,
            "a": line.a,
            "a_error": line.a_error,
            "b": line.b,
            "b_error": line.b_error,
            "c": line.c,
            "sigma": line.sigma,
            "r": line.r,
            "n": line.n,
            "skew": line.skew,
            "excess": line.excess,
            "missed": found.missed[0],
            "of": found.missed[1],
            "beyond_window": found.beyond,
            "saving": found.saving.share(),
            "in_table": found.chosen,
            "held_out": found.held_out.as_ref().map(held_out),
        })
    };
    let function = |function: &Function| {
        json!({
            "stage": function.stage,
            "deep": function.deep,
            "shallow": function.shallow,
            "parabola": function.parabola,
            "least": function.least,
            "deepest": function.deepest,
        })
    };
    let pooled: Vec<Value> = findings
        .pooled()
        .iter()
        .map(|one| {
            json!({
                "threshold": one.coverage.threshold,
                "promised": one.coverage.promised,
                "below": share(&one.coverage.below),
                "above": share(&one.coverage.above),
                "cuts_promised": one.cuts.promised,
                "cuts_wrong": share(&one.cuts.wrong),
                "holds": one.is_known().then(|| one.holds()),
            })
        })
        .collect();
    json!({
        "positions": findings.positions,
        "games": findings.games,
        "game": order.game,
        "host": order.host,
        "evaluation": order.evaluation,
        "threshold": recipe.threshold,
        "held_out": pooled,
        "nodes_to_depth": findings.costs,
        "function": findings.function.as_ref().map(function),
        "guess": findings.guess.as_ref().map(function),
        "end": findings.end.as_ref().map(function),
        "unrest": findings.unrest.as_ref().map(|unrest| json!(unrest.kinds)),
        "log_likelihood_by_lines": findings.likelihoods.map(|all| all.lines),
        "log_likelihood_by_function": findings.likelihoods.map(|all| all.function),
        "log_likelihood_by_unrest": findings.likelihoods.and_then(|all| all.unrest),
        "pairs": findings.pairs.iter().map(pair).collect::<Vec<_>>(),
    })
}
