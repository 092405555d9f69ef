//! The page of an ablation: what each technique is worth, with its error, and what two are worth
//! together.

use anyhow::Context;

use super::folder::Run;
use super::game::Game;
use super::html::{self, Page, Section, escape, remark};
use super::match_page::{configuration, grid};
use super::numbers::{chance, fixed, many, signed};
use super::plot::{Axis, Chart, Mark, Tip};
use super::tally::Match;
use crate::ablate::effects::{Effect, Effects, LEVEL, effects};
use crate::ablate::folder::{PAIRS, Played};
use crate::ablate::{Order, confirm, costs};
use crate::statistics::counts::Counts;
use crate::statistics::elo::{Estimate, logistic};
use crate::values::grouped;

/// More couples than this are no table but a list of chances.
const COUPLES: usize = 40;

/// The page of the ablation in this folder.
pub(super) fn page(run: &Run) -> anyhow::Result<Page> {
    let mut notes = Vec::new();
    let path = run.folder.join("run.toml");
    let order = Order::parse(&run.text).with_context(|| format!("{}", path.display()))?;
    let lines = run.lines::<Played>(PAIRS, &mut notes)?;
    let played: Vec<Played> =
        lines.into_iter().map(|(_, line)| line).filter(|line| line.belongs(&order)).collect();
    let found = effects(&order, &played);
    let about = format!(
        "An ablation of {} in {}: {} of {} games at {} nodes a move, each off with a chance of {} %.",
        many(order.techniques.len(), "technique"),
        order.game,
        grouped(2 * played.len() as u64),
        grouped(order.games),
        grouped(order.nodes),
        order.off,
    );
    let mut ranked: Vec<&Effect> = found.alone.iter().collect();
    ranked.sort_by(|a, b| b.elo.value.total_cmp(&a.elo.value));
    let matches = matches(run, &order, &mut notes);
    let sections = vec![
        Section::new("worth", "What each is worth", worth(&order, &ranked, &matches)),
        Section::new("together", "What two are worth together", together(&order, &found)),
        Section::new("positions", "On positions", positions(run)),
        Section::new("run", "Configuration", configuration(run)),
    ];
    let headline = headline(&order, &ranked);
    Ok(Page { title: format!("Ablation in {}", order.game), about, headline, notes, sections })
}

fn headline(order: &Order, ranked: &[&Effect]) -> String {
    let named = |verdict: &str| {
        let names = ranked.iter().filter(|effect| effect.verdict() == verdict);
        let names: Vec<&str> =
            names.map(|effect| order.techniques[effect.technique].as_str()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    };
    let words: Vec<String> =
        [("helps", "Worth having"), ("costs", "Costs strength"), ("not decided", "Not decided")]
            .into_iter()
            .filter_map(|(verdict, words)| Some(format!("{words}: {}", named(verdict)?)))
            .collect();
    let words = if words.is_empty() {
        "Too few games to tell anything".to_string()
    } else {
        words.join(". ")
    };
    format!("<div class=\"verdict open\"><p class=\"words\">{}</p></div>\n", escape(&words))
}

/// The one-off match of each technique, if it has had one: games and Elo.
fn matches(run: &Run, order: &Order, notes: &mut Vec<String>) -> Vec<Option<(u64, Estimate)>> {
    let one = |technique: &String| {
        let path = confirm::folder(&run.folder, technique);
        let played = path.join("run.toml").exists().then(|| Run::read(&path).ok()).flatten()?;
        let lines = played.lines::<Game>("games.jsonl", notes).ok()?;
        let games = Match::new(played.engine_names(), lines, notes);
        let duel = games.duel()?;
        Some((duel.games.games(), logistic(&duel.pairs)?))
    };
    order.techniques.iter().map(one).collect()
}

fn worth(order: &Order, ranked: &[&Effect], matches: &[Option<(u64, Estimate)>]) -> String {
    if ranked.is_empty() {
        return String::new();
    }
    let head = [
        "technique",
        "#Elo of having it",
        "#±",
        "verdict",
        "#p, adjusted",
        "#Elo in a match",
        "#±",
        "#games",
    ];
    let rows = ranked.iter().map(|effect| {
        let mut row = vec![
            html::text(&order.techniques[effect.technique]),
            html::number(effect.elo.value, signed(effect.elo.value, 1)),
            html::number(effect.elo.error, fixed(effect.elo.error, 1)),
            html::text(effect.verdict()),
            html::number(effect.p_value, chance(effect.p_value)),
        ];
        row.extend(match matches[effect.technique] {
            Some((games, elo)) => [
                html::number(elo.value, signed(elo.value, 1)),
                html::number(elo.error, fixed(elo.error, 1)),
                html::count(games),
            ],
            None => [html::text(""), html::text(""), html::text("")],
        });
        row
    });
    let table = html::table(&head, rows.collect());
    grid(&[chart(order, ranked)]) + &table + &remark(WORTH)
}

const WORTH: &str = "In each pair of games every technique was off on either side by chance. The worth \
    is what having it adds, the others being off as often as in the design (of one that does nothing without \
    another: where that is on); the whisker is its 95 % interval. A match of its own plays everything against everything but the one, from openings that were \
    not in the design.";

/// Every technique with its interval, the best at the top.
fn chart(order: &Order, ranked: &[&Effect]) -> String {
    let reach = |effect: &Effect| effect.elo.value.abs() + effect.elo.error;
    let widest = ranked.iter().map(|effect| reach(effect)).fold(1.0, f64::max);
    let least = ranked.iter().map(|effect| effect.elo.value - effect.elo.error).fold(0.0, f64::min);
    let count = ranked.len() as f64;
    let names = ranked.iter().enumerate().map(|(place, effect)| {
        (count - 1.0 - place as f64, order.techniques[effect.technique].clone())
    });
    let mut chart = Chart::new(
        "What each technique is worth",
        "A dot for each technique at its worth in Elo, with the 95 % interval",
        Axis::linear("Elo of having it", least * 1.05, widest * 1.05),
        Axis::linear("", -0.7, count - 0.3).ticks(names.collect()),
    );
    chart.shape(60.0 + 22.0 * count, 150.0);
    chart.add(Mark::Upright(0.0));
    let mut dots = Vec::new();
    for (place, effect) in ranked.iter().enumerate() {
        let y = count - 1.0 - place as f64;
        let Estimate { value, error } = effect.elo;
        chart.add(Mark::Reach("c0", y, value - error, value + error));
        let name = &order.techniques[effect.technique];
        let text =
            format!("{name}: {} ± {} Elo, {}", signed(value, 1), fixed(error, 1), effect.verdict());
        dots.push(Tip { x: value, y, text });
    }
    chart.add(Mark::Dots("c0", dots));
    chart.render()
}

fn together(order: &Order, found: &Effects) -> String {
    if found.together.is_empty() {
        return remark("There are too few games for what two techniques are worth together.");
    }
    let real = found.together.iter().filter(|couple| couple.p_value < LEVEL).count();
    let head = ["technique", "and", "#Elo beyond each alone", "#±", "#p, adjusted"];
    let rows = found.together.iter().take(real.clamp(10, COUPLES)).map(|couple| {
        let (a, b) = couple.techniques;
        vec![
            html::text(&order.techniques[a]),
            html::text(&order.techniques[b]),
            html::number(couple.elo.value, signed(couple.elo.value, 1)),
            html::number(couple.elo.error, fixed(couple.elo.error, 1)),
            html::number(couple.p_value, chance(couple.p_value)),
        ]
    });
    let words = match real {
        0 => "Of no two is it decided that they are worth more or less together than each alone.",
        _ => {
            "Below zero: they do the same work, and either makes up for much of the other. Above: each \
             makes the other better."
        }
    };
    html::table(&head, rows.collect()) + &remark(words)
}

/// Where to look for what was found on positions.
fn positions(run: &Run) -> String {
    let path = costs::folder(&run.folder);
    if !path.join("run.toml").exists() {
        return String::new();
    }
    remark(
        "Nodes, time and solved positions with everything and without each technique: secateur report costs in the folder of the run.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ablate::order_of;

    /// The whiskers of a chart: from, height and to, and the width and height of its frame.
    fn whiskers(svg: &str) -> (Vec<[f64; 3]>, [f64; 2]) {
        let frame = svg.split("<svg x=").nth(1).expect("a frame");
        let size = |name: &str| {
            let text = frame.split(&format!("{name}=\"")).nth(1).unwrap();
            text.split('"').next().unwrap().parse().unwrap()
        };
        let found = svg.split("class=\"whisker").skip(1).map(|text| {
            let path = text.split("d=\"M").nth(1).unwrap().split('"').next().unwrap();
            let numbers = path.split([' ', 'H']).map(|number| number.parse::<f64>().unwrap());
            numbers.collect::<Vec<_>>().try_into().unwrap()
        });
        (found.collect(), [size("width"), size("height")])
    }

    #[test]
    fn every_technique_has_a_whisker_and_all_lie_inside_the_frame() {
        let order = order_of(&["null_move", "late_moves", "futility"]);
        let effect = |technique: usize, value: f64| {
            let elo = Estimate { value, error: 12.0 };
            Effect { technique, elo, p_value: 0.5 }
        };
        for values in [[40.0, 3.0, -7.0], [-5.0, -20.0, -90.0]] {
            let effects: Vec<Effect> =
                values.iter().enumerate().map(|(index, value)| effect(index, *value)).collect();
            let svg = chart(&order, &effects.iter().collect::<Vec<_>>());
            let (found, [width, height]) = whiskers(&svg);
            assert_eq!(found.len(), 3, "{svg}");
            for [from, at, to] in found {
                assert!(0.0 <= from && from < to && to <= width, "{from} to {to} of {width}");
                assert!(0.0 < at && at < height, "{at} of {height}");
            }
        }
    }
}
