//! What is said of an ablation: a row for each technique, then what pairs of them are worth together.

use std::path::Path;

use secateur_games::playable::Playable;
use secateur_lab::ablate::Order;
use secateur_lab::ablate::confirm::LARGE;
use secateur_lab::ablate::costs::Cost;
use secateur_lab::ablate::effects::{Effects, LEVEL};
use secateur_lab::ablate::folder::Played;
use secateur_lab::contest::Conducted;
use secateur_lab::statistics::bootstrap::Interval;
use secateur_lab::statistics::elo::{Estimate, logistic};
use secateur_lab::suite::findings::Findings;
use secateur_lab::values::{grouped, rounded};
use serde_json::{Value, json};

/// Couples are listed if they are real, and so many at least.
const COUPLES: usize = 5;

/// Everything that is known.
pub struct Ablation<'a> {
    order: &'a Order,
    games: u64,
    effects: Effects,
    /// The match of each technique, if it has had one: games and Elo.
    confirmed: Vec<Option<(u64, Estimate)>>,
    /// What leaving each out costs on positions; empty if none were searched.
    costs: Vec<Cost>,
}

impl<'a> Ablation<'a> {
    /// Gathers it.
    pub fn new<G: Playable>(
        order: &'a Order,
        played: &[Played],
        effects: Effects,
        confirmed: &[(usize, Conducted<G>)],
        costs: Option<&Findings>,
    ) -> Ablation<'a> {
        let count = order.techniques.len();
        let confirmation = |technique: usize| {
            let (_, conducted) = confirmed.iter().find(|(other, _)| *other == technique)?;
            let pairs = conducted.finish.tally.first_score().pairs;
            Some((conducted.finish.tally.games(), logistic(&pairs)?))
        };
        Ablation {
            order,
            games: 2 * played.len() as u64,
            effects,
            confirmed: (0..count).map(confirmation).collect(),
            costs: costs.map_or(Vec::new(), |costs| Cost::of_each(order, costs)),
        }
    }

    /// The techniques, those worth the most first.
    fn by_worth(&self) -> Vec<usize> {
        let worth = |technique: &usize| {
            self.effects.alone.get(*technique).map_or(0.0, |effect| effect.elo.value)
        };
        let mut all: Vec<usize> = (0..self.order.techniques.len()).collect();
        all.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        all
    }
}

fn estimate(elo: Estimate) -> String {
    match elo.error.is_finite() {
        true => format!("{:+.1} +- {:.1}", rounded(elo.value, 1), elo.error),
        false => format!("{:+.1}", rounded(elo.value, 1)),
    }
}

fn ratio(found: Option<Interval>) -> String {
    found.map_or(String::new(), Interval::text)
}

/// As a table.
pub fn as_text(ablation: &Ablation<'_>) -> String {
    let Ablation { order, games, effects, confirmed, costs } = ablation;
    let mut text = format!(
        "{}: {} games at {} nodes a move, each technique off with a chance of {} % on either side\n\n",
        order.game,
        grouped(*games),
        grouped(order.nodes),
        order.off
    );
    let has_matches = confirmed.iter().any(Option::is_some);
    let has_costs = !costs.is_empty();
    text += &format!("{:<22}{:>16}  {:<12}", "technique", "Elo of having it", "");
    if has_matches {
        text += &format!("{:>24}", "alone, in a match");
    }
    if has_costs {
        text += &format!("{:>20}{:>20}{:>12}{:>8}", "nodes", "time", "solved", "p");
    }
    text = text.trim_end().to_string() + "\n";
    for technique in ablation.by_worth() {
        let name = &order.techniques[technique];
        let (elo, verdict) = match effects.alone.get(technique) {
            Some(effect) => (estimate(effect.elo), effect.verdict()),
            None => (String::new(), "not decided"),
        };
        text += &format!("{name:<22}{elo:>16}  {verdict:<12}");
        if has_matches {
            let shown = confirmed[technique]
                .map_or(String::new(), |(games, elo)| format!("{} ({games})", estimate(elo)));
            text += &format!("{shown:>24}");
        }
        if let Some(cost) = costs.get(technique) {
            let solved = format!("{} / {}", cost.beside.first.solved, cost.beside.second.solved);
            let (nodes, time) = (ratio(cost.nodes), ratio(cost.time));
            text += &format!("{nodes:>20}{time:>20}{solved:>12}{:>8.3}", cost.p_value);
        }
        text = text.trim_end().to_string() + "\n";
    }
    if has_matches {
        text += "\nin a match: everything against everything but it, from openings that were not in the design\n";
    }
    if has_costs {
        text += &format!(
            "\nnodes, time: without it, as a multiple of with it, at depth {}, with the 95 % interval by bootstrap\n\
             over positions; solved: with it / without, and the p-value of McNemar's test of no difference,\n\
             adjusted for being one of many (Benjamini and Hochberg)\n",
            order.depth
        );
    }
    text + &couples(ablation)
}

/// How to get what was not asked for, in a line; nothing if everything was.
pub fn not_asked_for(order: &Order, folder: &Path) -> Option<String> {
    let mut missing = Vec::new();
    let mut options = String::new();
    if order.confirm == 0 {
        missing.push(format!("a match for each technique beyond {LARGE:.0} Elo"));
        options += " --confirm 400";
    }
    if order.suites.is_empty() {
        missing.push("nodes, time and solved positions".to_string());
        options += " --suite FILE";
    }
    (!missing.is_empty()).then(|| {
        let missing = missing.join("; ");
        format!("not asked for: {missing}: secateur ablate --resume {}{options}", folder.display())
    })
}

fn couples(ablation: &Ablation<'_>) -> String {
    let Ablation { order, effects, .. } = ablation;
    if effects.together.is_empty() {
        return "\nThere are too few games for what two techniques are worth together.\n"
            .to_string();
    }
    let real = effects.together.iter().filter(|couple| couple.p_value < LEVEL).count();
    let mut text = match real {
        0 => "\nOf no two techniques is it decided what they are worth beyond each alone. The surest:\n"
            .to_string(),
        _ => "\nWorth together, beyond each alone:\n".to_string(),
    };
    for couple in effects.together.iter().take(real.max(COUPLES)) {
        let (a, b) = couple.techniques;
        let both = format!("{} + {}", order.techniques[a], order.techniques[b]);
        let verdict = if couple.p_value < LEVEL { "" } else { "  not decided" };
        text += &format!("{both:<44}{:>16}{verdict}\n", estimate(couple.elo));
    }
    text
}

/// What a technique does on positions, for programs.
fn positions(cost: &Cost) -> Value {
    let (with, without) = (&cost.beside.first, &cost.beside.second);
    let ratio = |found: Option<Interval>| {
        found.map(|found| json!({"value": found.value, "low": found.low, "high": found.high}))
    };
    json!({
        "nodes": {"with": with.nodes, "without": without.nodes, "ratio": ratio(cost.nodes)},
        "time_ms": {"with": with.time_ms, "without": without.time_ms, "ratio": ratio(cost.time)},
        "solved": {"with": with.solved, "without": without.solved},
        "p_value": cost.p_value,
        "p_value_unadjusted": cost.beside.test.mid,
    })
}

/// As JSON.
pub fn as_json(ablation: &Ablation<'_>) -> Value {
    let Ablation { order, games, effects, confirmed, costs } = ablation;
    let techniques: Vec<Value> = ablation
        .by_worth()
        .into_iter()
        .map(|technique| {
            let effect = effects.alone.get(technique);
            json!({
                "technique": order.techniques[technique],
                "elo": effect.map(|effect| effect.elo.value),
                "error": effect.map(|effect| effect.elo.error),
                "p_value": effect.map(|effect| effect.p_value),
                "verdict": effect.map_or("not decided", |effect| effect.verdict()),
                "match": confirmed[technique].map(|(games, elo)| json!({
                    "games": games, "elo": elo.value,
                    "error": elo.error.is_finite().then_some(elo.error),
                })),
                "positions": costs.get(technique).map(positions),
            })
        })
        .collect();
    let together: Vec<Value> = effects
        .together
        .iter()
        .map(|couple| {
            let (a, b) = couple.techniques;
            json!({
                "techniques": [order.techniques[a], order.techniques[b]],
                "elo": couple.elo.value,
                "error": couple.elo.error,
                "p_value": couple.p_value,
            })
        })
        .collect();
    json!({
        "games": games,
        "wanted": order.games,
        "nodes": order.nodes,
        "off_percent": order.off,
        "game": order.game,
        "each": order.each,
        "techniques": techniques,
        "together": together,
    })
}
