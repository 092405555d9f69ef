//! The page of a calibration: shallow values against deep ones, the errors, and whether what they
//! promise holds.

use anyhow::Context;

use super::folder::Run;
use super::html::{self, Page, Section, escape, remark};
use super::match_page::{configuration, grid};
use super::numbers::{fixed, many, percent, signed};
use super::plot::{Axis, Chart, Mark, Tip};
use super::{COLOURS, colour};
use crate::calibrate::line::gather;
use crate::calibrate::table::{Findings, Found, Recipe, fit};
use crate::calibrate::{Order, Source, rows};
use crate::values::grouped;

/// A cloud of more dots is no clearer.
const DOTS: usize = 800;
/// Bars of a histogram, from -4 to 4 deviations.
const BARS: usize = 32;

/// The page of the calibration in this folder.
pub(super) fn page(run: &Run) -> anyhow::Result<Page> {
    let order = Order::read(&run.folder)?;
    let recipe = Recipe::read(&run.folder)?;
    let (rows, mut notes) = rows::readable(&run.folder).context("there is nothing to show yet")?;
    let measured = rows.iter().filter(|row| row.depth == 0).count() as u64;
    if measured < order.positions {
        notes.push(format!(
            "Measured so far: {} of {}.",
            grouped(measured),
            grouped(order.positions)
        ));
    }
    let findings = fit(&gather(&rows), &recipe, &order.unrest);
    let what = match order.source {
        Source::Paper => "position",
        Source::Interior => "node",
    };
    let about = format!(
        "What shallow searches tell of deep ones in {}: {} of {}, searched {} plies deep with {}.",
        order.game,
        many(findings.positions, what),
        many(findings.games, "game"),
        order.max_depth,
        order.host,
    );
    let chosen: Vec<&Found> = findings.chosen().collect();
    let sections = vec![
        Section::new("pairs", "The table", pairs(&chosen)),
        Section::new("clouds", "Deep against shallow", clouds(&chosen, &recipe)),
        Section::new("errors", "The errors", errors(&chosen)),
        Section::new("sigma", "How vague each pair is", deviations(&findings)),
        Section::new("held", "What is promised and what is real", held(&chosen)),
        Section::new("run", "Configuration", configuration(run)),
    ];
    let headline = headline(&findings);
    let title = format!("Calibration in {}", order.game);
    Ok(Page { title, about, headline, notes, sections })
}

fn headline(findings: &Findings) -> String {
    let pooled = findings.pooled();
    let held = pooled.iter().filter(|one| one.holds()).count();
    let pairs = findings.chosen().count();
    let words = match pairs {
        0 => "No pair was measured often enough, or saves anything".to_string(),
        _ => format!(
            "{} in the table. In games that a line has not seen, all pairs together, the errors that were \
             measured hold at {held} of {} thresholds",
            many(pairs, "pair"),
            pooled.len()
        ),
    };
    format!("<div class=\"verdict open\"><p class=\"words\">{}</p></div>\n", escape(&words))
}

fn name(found: &Found) -> String {
    let [shallow, deep] = found.depths;
    format!("({shallow}, {deep}), stage {}", found.stage)
}

fn pairs(chosen: &[&Found]) -> String {
    let head = [
        "pair",
        "#stage",
        "#a",
        "#±",
        "#b",
        "#±",
        "#c",
        "#sigma",
        "#r",
        "#n",
        "#skew",
        "#excess",
        "#missed in 1000",
        "#saving",
    ];
    let rows = chosen.iter().map(|found| {
        let line = &found.line;
        let [shallow, deep] = found.depths;
        let [missed, all] = found.missed;
        let missed = 1_000.0 * missed as f64 / all.max(1) as f64;
        let cell = |value: f64, digits: usize| html::number(value, fixed(value, digits));
        let saving = found.saving.share();
        vec![
            html::text(format!("({shallow}, {deep})")).by((100 * deep + shallow) as f64),
            html::count(found.stage as u64),
            cell(line.a, 3),
            cell(1.96 * line.a_error, 3),
            html::number(line.b, signed(line.b, 1)),
            cell(1.96 * line.b_error, 1),
            cell(line.c, 2),
            cell(line.sigma, 1),
            cell(line.r, 3),
            html::count(line.n as u64),
            html::number(line.skew, signed(line.skew, 2)),
            html::number(line.excess, signed(line.excess, 2)),
            cell(missed, 1),
            html::number(saving, percent(saving)),
        ]
    });
    html::table(&head, rows.collect())
        + &remark(
            "v = a v' + b + e: the deep value from the shallow one, in score units, with errors of the \
             deviation sigma; at nodes inside searches their window adds c beta. Saving: of the nodes of the deep searches, what the pair promises to save, \
             its own cost taken off. Missed: proven by the deep search and not by the shallow one, such as \
             mates.",
        )
}

/// Shallow against deep, with the line and the band of the threshold.
fn clouds(chosen: &[&Found], recipe: &Recipe) -> String {
    let charts: Vec<String> = chosen.iter().map(|found| cloud(found, recipe.threshold)).collect();
    grid(&charts)
}

fn cloud(found: &Found, threshold: f64) -> String {
    let line = &found.line;
    let size = |of: fn(&crate::calibrate::line::Point) -> f64| {
        let mut all: Vec<f64> = found.points.iter().map(|point| of(point).abs()).collect();
        all.sort_by(f64::total_cmp);
        // A few far away would press all others together.
        all.get(all.len() * 99 / 100).copied().unwrap_or(1.0).max(1.0)
    };
    let widest = size(|point| point.shallow).max(size(|point| point.deep)) * 1.05;
    let [shallow, deep] = found.depths;
    let mut chart = Chart::new(
        name(found),
        format!("A dot for each position: its value {shallow} plies deep and {deep} plies deep"),
        Axis::linear(format!("value at depth {shallow}"), -widest, widest),
        Axis::linear(format!("value at depth {deep}"), -widest, widest),
    );
    let reach = threshold * line.sigma;
    let at = |x: f64| line.a * x + line.b;
    let ends = [-widest, widest];
    chart.add(Mark::Band("c1", ends.map(|x| (x, at(x) - reach, at(x) + reach)).to_vec()));
    let every = found.points.len().div_ceil(DOTS).max(1);
    let inside = |value: f64| value.abs() <= widest;
    let dots = found.points.iter().step_by(every).filter(|p| inside(p.shallow) && inside(p.deep));
    let tip = |point: &crate::calibrate::line::Point| Tip {
        x: point.shallow,
        y: point.deep,
        text: format!("{} → {}", fixed(point.shallow, 0), fixed(point.deep, 0)),
    };
    chart.add(Mark::Dots("c0", dots.map(tip).collect()));
    chart.add(Mark::Line("c1", ends.map(|x| (x, at(x))).to_vec()));
    chart.explain("c0", format!("{} positions", grouped(found.points.len() as u64)));
    chart.explain(
        "c1",
        format!(
            "v = {} v' {}{} ± {} · {}",
            fixed(line.a, 3),
            signed(line.b, 1),
            // What the window adds differs from node to node.
            if line.c == 0.0 { "" } else { ", window at 0," },
            fixed(threshold, 1),
            fixed(line.sigma, 1)
        ),
    );
    chart.render()
}

/// How errors are spread, with the normal curve.
fn errors(chosen: &[&Found]) -> String {
    let charts: Vec<String> = chosen.iter().map(|found| histogram(found)).collect();
    grid(&charts)
        + &remark(
            "Errors in deviations. The curve is the normal distribution of the same deviation: higher in \
             the middle and longer at the ends is what games look like.",
        )
}

fn histogram(found: &Found) -> String {
    let errors = found.line.errors();
    let width = 8.0 / BARS as f64;
    let mut bars = [0usize; BARS];
    for error in errors {
        let place = ((error + 4.0) / width).floor();
        if (0.0..BARS as f64).contains(&place) {
            bars[place as usize] += 1;
        }
    }
    let density = |count: usize| count as f64 / errors.len().max(1) as f64 / width;
    let highest = bars.iter().map(|count| density(*count)).fold(0.42, f64::max);
    let mut chart = Chart::new(
        name(found),
        "How many errors lie at each distance from the line, and the normal curve",
        Axis::linear("error, in deviations", -4.0, 4.0),
        Axis::linear("share", 0.0, highest * 1.05),
    );
    for (index, count) in bars.iter().enumerate() {
        let left = -4.0 + width * index as f64;
        let text = format!("{} to {}: {count}", fixed(left, 2), fixed(left + width, 2));
        chart.add(Mark::Box("c0", (left, 0.0), (left + width, density(*count)), text));
    }
    let curve = (-80..=80).map(|step| {
        let x = f64::from(step) / 20.0;
        (x, (-0.5 * x * x).exp() / std::f64::consts::TAU.sqrt())
    });
    chart.add(Mark::Line("c1", curve.collect()));
    chart.explain("c0", "errors");
    chart.explain("c1", "normal distribution");
    chart.render()
}

/// The deviation of every pair that was measured, by its deep depth, a curve for each shallow one; and
/// what the function makes of it.
fn deviations(findings: &Findings) -> String {
    let mut stages: Vec<usize> = findings.pairs.iter().map(|found| found.stage).collect();
    stages.dedup();
    let charts: Vec<String> = stages.iter().map(|stage| deviation(findings, *stage)).collect();
    grid(&charts)
}

fn deviation(findings: &Findings, stage: usize) -> String {
    let here: Vec<&Found> = findings.pairs.iter().filter(|found| found.stage == stage).collect();
    let by_function = |found: &&Found| {
        let [shallow, deep] = found.depths.map(|depth| depth as i32);
        findings.function.as_ref().map_or(0.0, |function| function.sigma(stage, shallow, deep))
    };
    let sigma = |found: &&Found| found.line.sigma.max(by_function(found));
    let highest = here.iter().map(sigma).fold(1.0, f64::max);
    let deepest = here.iter().map(|found| found.depths[1]).max().unwrap_or(2) as f64;
    let mut chart = Chart::new(
        format!("Stage {stage}"),
        "The deviation of the errors of every pair by its deep depth",
        Axis::linear("deep depth", 1.5, deepest + 0.5).whole(),
        Axis::linear("sigma", 0.0, highest * 1.05),
    );
    let shallows: std::collections::BTreeSet<usize> =
        here.iter().map(|found| found.depths[0]).collect();
    for (index, shallow) in shallows.into_iter().take(COLOURS).enumerate() {
        let class = colour(index);
        let own = || here.iter().filter(move |found| found.depths[0] == shallow);
        let tips = own().map(|found| Tip {
            x: found.depths[1] as f64,
            y: found.line.sigma,
            text: format!("{}: {}", name(found), fixed(found.line.sigma, 1)),
        });
        chart.add(Mark::Dots(class, tips.collect()));
        if let Some(function) = &findings.function {
            let at = |found: &&Found| {
                let deep = found.depths[1];
                (deep as f64, function.sigma(stage, shallow as i32, deep as i32))
            };
            chart.add(Mark::Line(class, own().map(at).collect()));
        }
        chart.explain(class, format!("from depth {shallow}"));
    }
    chart.remark(
        "Dots: about the line of each pair. Curves: the function of all pairs, about the shallow value.",
    );
    chart.render()
}

fn held(chosen: &[&Found]) -> String {
    let mut chart = Chart::new(
        "Promised and real",
        "A dot for each pair, threshold and side: the share of errors beyond it that was promised, and \
         the share in games that the line has not seen",
        Axis::linear("promised, %", 0.0, 25.0),
        Axis::linear("real, %", 0.0, 25.0),
    );
    chart.add(Mark::Same);
    let dots = |empirical: bool| -> Vec<Tip> {
        let mut tips = Vec::new();
        for found in chosen {
            let Some(held) = &found.held_out else { continue };
            for coverage in if empirical { &held.empirical } else { &held.normal } {
                let sides = [("below", coverage.below), ("above", coverage.above)];
                for (side, share) in sides.into_iter().filter(|(_, share)| share.n > 0) {
                    let (promised, real) = (100.0 * coverage.promised, 100.0 * share.value);
                    let text = format!(
                        "{}, T {} {side}: {} promised, {} ± {} real",
                        name(found),
                        fixed(coverage.threshold, 1),
                        fixed(promised, 1),
                        fixed(real, 1),
                        fixed(196.0 * share.error, 1)
                    );
                    tips.push(Tip { x: promised, y: real, text });
                }
            }
        }
        tips
    };
    chart.add(Mark::Dots("c1", dots(false)));
    chart.add(Mark::Dots("c0", dots(true)));
    chart.explain("c0", "by the errors that were measured");
    chart.explain("c1", "by the normal distribution");
    let head = ["pair", "#T", "#cuts", "#promised wrong", "#wrong", "#±", "model"];
    let mut rows = Vec::new();
    for found in chosen {
        let Some(held) = &found.held_out else { continue };
        for (model, cuts) in [("measured", &held.empirical_cuts), ("normal", &held.normal_cuts)] {
            for cut in cuts {
                rows.push(vec![
                    html::text(name(found)),
                    html::number(cut.threshold, fixed(cut.threshold, 1)),
                    html::count(cut.wrong.n as u64),
                    html::number(cut.promised, percent(cut.promised)),
                    html::number(cut.wrong.value, percent(cut.wrong.value)),
                    html::number(cut.wrong.error, percent(1.96 * cut.wrong.error)),
                    html::text(model),
                ]);
            }
        }
    }
    grid(&[chart.render()])
        + &remark(
            "Every game is judged by a line through the others. A threshold promises a share of errors \
             beyond it only exactly at the bound; real cuts lie further out, so that fewer are wrong: the \
             table has the cuts that would be made, in the windows of the nodes or, where positions are \
             of games, in those of other positions.",
        )
        + &html::folded("Cuts that would be made", &html::table(&head, rows))
}
