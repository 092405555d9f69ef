//! What leaves of B* came to, as text and as JSON.

use std::path::Path;

use secateur_lab::odds::Order;
use secateur_lab::odds::findings::{Findings, Losses};
use secateur_lab::ranks::findings::Promise;
use secateur_lab::values::grouped;
use serde_json::{Value, json};

/// For people.
pub fn as_text(order: &Order, findings: &Findings, path: &Path) -> String {
    let Findings { games, moves, losses, between, .. } = findings;
    let mut text = format!(
        "{} leaves of {} searches in {games} games of {}, each searched {} plies deeper than its probe\n",
        grouped(losses.leaves as u64),
        grouped(*moves),
        order.game,
        order.deeper
    );
    text += &format!(
        "the straight line promised {:.1} % on average, and {:.1} % reached the target\n\n",
        100.0 * losses.promised,
        100.0 * losses.reached
    );
    text += "Logarithmic loss, each game judged by a table of the others; less is better:\n";
    text += &format!("{:<12} {:>9} {:>9} {:>9}\n", "leaves", "number", "learned", "linear");
    let mut line = |name: String, of: &Losses| {
        let Losses { leaves, learned, linear, .. } = of;
        let leaves = grouped(*leaves as u64);
        text += &format!("{name:<12} {leaves:>9} {learned:>9.4} {linear:>9.4}\n");
    };
    line("all".to_string(), losses);
    for (phase, of) in ["SELECT", "VERIFY"].into_iter().zip(&findings.by_phase) {
        line(phase.to_string(), of);
    }
    for (depth, of) in &findings.by_depth {
        line(format!("{depth} plies"), of);
    }
    let [low, high] = between;
    text += &format!(
        "learned less linear: {:.4}, 95 % interval by games {low:.4} to {high:.4}\n",
        losses.learned - losses.linear
    );
    text += &promised("learned, of games not fitted to", &findings.learned);
    text += &promised("the straight line", &findings.linear);
    text += "! marks what does not hold.\n";
    text += match findings.is_better() {
        true => "\nThe table tells more than the straight line: bstar_odds=learned may use it.\n",
        false => {
            "\nThe table does NOT tell more than the straight line: it is marked so, and refused unless \
             bstar_odds_table=any.\n"
        }
    };
    text + &format!("The table is {}.\n", path.display())
}

/// What must hold: within the interval, or within a point of what came true.
fn holds(promise: &Promise) -> bool {
    let [low, high] = promise.between;
    (low..=high).contains(&promise.promised) || (promise.promised - promise.real).abs() <= 0.01
}

fn promised(name: &str, promises: &[Promise]) -> String {
    let mut text = format!("\nPromised by {name}, and real (percent; 95 % interval by games):\n");
    text += &format!(
        "{:>10} {:>9} {:>9} {:>9} {:>15}\n",
        "odds", "leaves", "promised", "real", "between"
    );
    for promise in promises {
        let [from, to] = promise.interval.map(|end| 100.0 * end);
        let [low, high] = promise.between.map(|end| 100.0 * end);
        let line = format!(
            "{:>10} {:>9} {:>9.1} {:>9.1} {:>15} {}",
            format!("{from:.0} - {to:.0}"),
            grouped(promise.met),
            100.0 * promise.promised,
            100.0 * promise.real,
            format!("{low:.1} - {high:.1}"),
            if holds(promise) { "" } else { "!" }
        );
        text += line.trim_end();
        text += "\n";
    }
    text
}

/// For programs, the totals first.
pub fn as_json(order: &Order, findings: &Findings) -> Value {
    let losses = |of: &Losses| {
        json!({
            "leaves": of.leaves, "learned": of.learned, "linear": of.linear,
            "reached": of.reached, "promised_by_linear": of.promised,
        })
    };
    let promise = |promise: &Promise| {
        json!({
            "odds": promise.interval, "leaves": promise.met, "promised": promise.promised,
            "real": promise.real, "between": promise.between, "holds": holds(promise),
        })
    };
    let promises = |of: &[Promise]| of.iter().map(promise).collect::<Vec<_>>();
    let by_depth = |(depth, of): &(i32, Losses)| json!({"depth": depth, "losses": losses(of)});
    json!({
        "games": findings.games,
        "moves": findings.moves,
        "better": findings.is_better(),
        "losses": losses(&findings.losses),
        "difference_between": findings.between,
        "select": losses(&findings.by_phase[0]),
        "verify": losses(&findings.by_phase[1]),
        "by_depth": findings.by_depth.iter().map(by_depth).collect::<Vec<_>>(),
        "game": order.game,
        "host": order.host,
        "evaluation": order.evaluation,
        "deeper": order.deeper,
        "learned": promises(&findings.learned),
        "linear": promises(&findings.linear),
    })
}
