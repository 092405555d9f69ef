//! The page of counts of ranks: how likely a better move is at each number, how much of what a search
//! meets is known, and whether the chances hold in games they were not counted in.

use secateur_search::calibrate::ranks::Phase;

use super::folder::Run;
use super::html::{self, Page, Section, escape, remark};
use super::match_page::{configuration, grid};
use super::numbers::{fixed, many, percent};
use super::plot::{Axis, Chart, Mark, Tip};
use super::{COLOURS, colour};
use crate::ranks::findings::{Coverage, Curve, Findings, Promise, findings};
use crate::ranks::host::settings_of;
use crate::ranks::play::load;
use crate::ranks::{Order, Thinks};
use crate::values::grouped;

/// A number that was met less often is not drawn.
const RARELY: u64 = 100;
/// The least chance that is drawn, in percent: axes by the logarithm have no zero.
const LEAST: f64 = 0.01;

/// The page of the counts in this folder.
pub(super) fn page(run: &Run) -> anyhow::Result<Page> {
    let order = Order::read(&run.folder)?;
    let settings = order.as_counted(&settings_of(&order.each)?);
    let counted = load(&order, &run.folder, &settings)?;
    let found = findings(&order, &counted, &settings);
    let thinks = match order.thinks {
        Thinks::Nodes(nodes) => format!("{} nodes", grouped(nodes)),
        Thinks::Movetime(milliseconds) => format!("{milliseconds} ms"),
    };
    let about = format!(
        "How often a late move of {} turns out better than those before it: {} with {}, {thinks} a move, {} \
         plies deep on average.",
        order.game,
        many(found.games, "game"),
        order.host,
        fixed(found.depth, 1),
    );
    let threshold = f64::from(settings.rank_cut.threshold) / 10_000.0;
    let sections = vec![
        Section::new("number", "A better move by its number", by_number(&found, threshold)),
        Section::new("coverage", "What is known", coverage(&found, &settings, threshold)),
        Section::new("held", "What is promised and what is real", held(&found, threshold)),
        Section::new("rounds", "Rounds", rounds(&found)),
        Section::new("run", "Configuration", configuration(run)),
    ];
    let title = format!("Ranks in {}", order.game);
    Ok(Page { title, about, headline: headline(&found), notes: Vec::new(), sections })
}

fn headline(found: &Findings) -> String {
    let Coverage { met, below, .. } = found.coverage;
    let share = below as f64 / met.max(1) as f64;
    let words = match &found.cuts {
        None => "Nothing is unlikely enough to be cut".to_string(),
        Some(cuts) => format!(
            "{} of late moves would be cut. In games not counted, a better move follows {} of them, and \
             {} was promised",
            percent(share),
            percent_fine(cuts.real),
            percent_fine(cuts.promised)
        ),
    };
    format!("<div class=\"verdict open\"><p class=\"words\">{}</p></div>\n", escape(&words))
}

fn percent_fine(share: f64) -> String {
    format!("{} %", fixed(100.0 * share, 2))
}

fn by_number(found: &Findings, threshold: f64) -> String {
    let charts: Vec<String> = [(Phase::History, "History"), (Phase::Remaining, "Remaining")]
        .into_iter()
        .map(|(phase, name)| {
            let curves: Vec<&Curve> =
                found.curves.iter().filter(|curve| curve.phase == phase).collect();
            numbers(name, &curves, threshold)
        })
        .collect();
    grid(&charts)
        + &remark(
            "The chance that the move, or one after it as the settings have it, is better, over its \
             number; a curve for each depth. The line across is the threshold.",
        )
}

fn numbers(name: &str, curves: &[&Curve], threshold: f64) -> String {
    let mut chart = Chart::new(
        name,
        "The chance of a better move over the number of the move, a curve for each depth",
        Axis::linear("number of the move", 1.0, 50.0).whole(),
        Axis::log("chance, %", LEAST, 100.0),
    );
    chart.add(Mark::Level(100.0 * threshold));
    for (index, curve) in curves.iter().take(COLOURS).enumerate() {
        let class = colour(index);
        let often =
            curve.points.iter().filter(|(number, seen, _)| *seen >= RARELY && *number <= 50);
        let tips: Vec<Tip> = often
            .map(|(number, seen, chance)| Tip {
                x: f64::from(*number),
                y: (100.0 * chance).max(LEAST),
                text: format!(
                    "depth {}, move {number}: {} of {}",
                    curve.depth,
                    percent_fine(*chance),
                    grouped(*seen)
                ),
            })
            .collect();
        if tips.is_empty() {
            continue;
        }
        chart.add(Mark::Line(class, tips.iter().map(|tip| (tip.x, tip.y)).collect()));
        chart.add(Mark::Tips(tips));
        chart.explain(class, format!("depth {}", curve.depth));
    }
    chart.render()
}

fn coverage(found: &Findings, settings: &secateur_search::Settings, threshold: f64) -> String {
    let Coverage { met, often, known, below } = found.coverage;
    let share = |part: u64| part as f64 / met.max(1) as f64;
    let rows = [
        ("late moves at deep nodes".to_string(), met),
        (format!("in a state seen {} times or more", settings.rank_cut.instances), often),
        ("with a chance by the estimate in force".to_string(), known),
        (format!("with one below {}", percent_fine(threshold)), below),
    ];
    let (alone, _) = &found.counted;
    let alone = [
        ("with a chance by shares alone, as in the paper".to_string(), alone.known),
        (format!("with one below {} by shares alone", percent_fine(threshold)), alone.below),
    ];
    let rows = rows.into_iter().chain(alone).map(|(name, part)| {
        vec![html::text(name), html::count(part), html::number(share(part), percent(share(part)))]
    });
    html::table(&["what", "#met", "#share"], rows.collect())
        + &remark(&format!(
            "Weighted by how often a state is met: {} were, {} are in the table. A share is drawn towards that \
             of coarser states as by {} instances.",
            many(found.states[0], "state"),
            grouped(found.states[1] as u64),
            grouped(found.pull)
        ))
}

fn held(found: &Findings, threshold: f64) -> String {
    let mut chart = Chart::new(
        "Promised and real",
        "Chances that were promised, and the share of better moves in games they were not counted in",
        Axis::log("promised, %", LEAST, 50.0),
        Axis::log("real, %", LEAST, 50.0),
    );
    chart.add(Mark::Same);
    chart.add(Mark::Upright(100.0 * threshold));
    let at = |share: f64| (100.0 * share).max(LEAST);
    for promise in &found.promises {
        let [low, high] = promise.between;
        chart.add(Mark::Whisker("c0", at(promise.promised), at(low), at(high)));
    }
    let tip = |promise: &Promise| Tip {
        x: at(promise.promised),
        y: at(promise.real),
        text: format!(
            "{} promised, {} real, {} met",
            percent_fine(promise.promised),
            percent_fine(promise.real),
            grouped(promise.met)
        ),
    };
    chart.add(Mark::Dots("c0", found.promises.iter().map(tip).collect()));
    chart.explain("c0", "chances by their size, with the 95 % interval by games");
    let row = |promise: &Promise, name: String| {
        let [low, high] = promise.between;
        vec![
            html::text(name).by(promise.interval[0]),
            html::count(promise.met),
            html::number(promise.promised, percent_fine(promise.promised)),
            html::number(promise.real, percent_fine(promise.real)),
            html::text(format!("{} – {}", percent_fine(low), percent_fine(high))),
            html::text(if promise.holds() { "holds" } else { "does not hold" }),
        ]
    };
    let mut rows: Vec<_> = found
        .promises
        .iter()
        .map(|promise| {
            let [low, high] = promise.interval.map(|end| 100.0 * end);
            row(promise, format!("{low} – {high} %"))
        })
        .collect();
    rows.extend(found.cuts.iter().map(|cuts| row(cuts, "what is cut".to_string())));
    rows.extend(found.counted.1.iter().map(|cuts| row(cuts, "counted".to_string())));
    grid(&[chart.render()])
        + &html::table(&["chance", "#met", "#promised", "#real", "95 % interval", "verdict"], rows)
        + &remark(
            "Every game is judged by chances counted in others. The interval is a bootstrap of whole \
             games: late moves of one game are not independent.",
        )
}

fn rounds(found: &Findings) -> String {
    if found.changes.is_empty() {
        return remark("One round, played without RankCut.");
    }
    let rows = (2..).zip(&found.changes).map(|(round, change)| {
        vec![
            html::count(round),
            html::number(change.chances, percent_fine(change.chances)),
            html::number(change.decisions, percent_fine(change.decisions)),
        ]
    });
    html::table(&["#round", "#chances differ by", "#decisions that turn"], rows.collect())
        + &remark(
            "Against the round before, weighted by what is met. The first is played without RankCut.",
        )
}
