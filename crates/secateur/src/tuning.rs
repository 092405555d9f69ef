//! What is said of a tuning: its values, whether they are better, and what to do next.

use std::path::Path;

use secateur_games::playable::Playable;
use secateur_lab::contest::run::Ended;
use secateur_lab::contest::{Conducted, summary};
use secateur_lab::statistics::sprt::Verdict;
use secateur_lab::tune::Order;
use secateur_lab::tune::spsa::Spsa;
use secateur_lab::tune::validate::{self, Validation, most_games};
use secateur_lab::values::grouped;
use serde_json::{Value, json};

/// The values before and after.
pub fn table(order: &Order, spsa: &Spsa) -> String {
    let mut text = format!("{:<32}{:>10}{:>10}\n", "parameter", "before", "after");
    for (parameter, value) in order.parameters.iter().zip(spsa.values()) {
        text += &format!("{:<32}{:>10}{value:>10.1}\n", parameter.name, parameter.start);
    }
    text
}

/// What is about to be played; nothing if nothing is.
pub fn announcement<G: Playable>(order: &Order, spsa: &Spsa, folder: &Path) -> String {
    if order.validation_games == 0 || spsa.rounded() == order.start() {
        return String::new();
    }
    let test = &order.sprt;
    format!(
        "\nvalidation: the tuned set against the untuned one, {} games at most, until [{}, {}] {} \
         is decided\n(Ctrl-C ends it; secateur tune --resume {} goes on)\n\n",
        grouped(most_games::<G>(order)),
        test.elo0,
        test.elo1,
        test.model.unit(),
        folder.display(),
    )
}

/// What became of the validation.
pub fn validation_text<G: Playable>(
    order: &Order,
    spsa: &Spsa,
    folder: &Path,
    validation: &Validation<G>,
) -> String {
    match validation {
        Validation::Off => {
            format!("\nnot validated; to see whether it is better:\n{}", by_hand(order, spsa))
        }
        Validation::Nothing => {
            "\nthe tuned values, rounded, are the untuned ones: there is nothing to validate\n"
                .to_string()
        }
        Validation::Interrupted => String::new(),
        Validation::Played(played) => {
            let Conducted { contest, finish } = &**played;
            let mut text = summary::text(contest, finish);
            if finish.ended != Ended::Interrupted {
                let so_far = text.trim_end();
                text = format!("{so_far}\n\n{}\n", verdict(order, spsa, folder, played));
            }
            text
        }
    }
}

/// The verdict in a sentence, and what to do about it.
fn verdict<G: Playable>(
    order: &Order,
    spsa: &Spsa,
    folder: &Path,
    Conducted { contest, finish }: &Conducted<G>,
) -> String {
    let pairs = finish.tally.first_score().pairs;
    let verdict = contest.test.map(|test| test.verdict(test.llr(&pairs)));
    match verdict {
        Some(Verdict::AcceptH1) => "The tuned values are better.".to_string(),
        Some(Verdict::AcceptH0) => {
            "The tuned values are not better: keep the untuned ones.".to_string()
        }
        _ if most_games::<G>(order) < order.validation_games => format!(
            "Not decided, and every opening has been played: at fixed nodes more games would be the \
             same ones again. With other openings:\n{}    --openings FILE",
            by_hand(order, spsa).trim_end().to_string() + " \\\n"
        ),
        _ => format!(
            "Not decided in {} games. With more of them: secateur tune --resume {} \
             --validation-games {}",
            grouped(finish.tally.games()),
            folder.display(),
            4 * order.validation_games,
        ),
    }
}

/// The match that tells whether it is better, as a person would type it.
fn by_hand(order: &Order, spsa: &Spsa) -> String {
    let limit = match (&order.tc, order.nodes) {
        (Some(clock), _) => format!("--tc {clock}"),
        (None, nodes) => format!("--nodes {}", nodes.unwrap_or_default()),
    };
    let each = match order.each.as_str() {
        "" => String::new(),
        each => format!("--each \"{each}\" "),
    };
    format!(
        "  secateur match --game {} {limit} {each}--sprt elo0={},elo1={} \\\n    --engine \"{}\" \
         \\\n    --engine \"{}\"\n",
        order.game,
        order.sprt.elo0,
        order.sprt.elo1,
        order.spec("tuned", &spsa.rounded()),
        order.spec("untuned", &order.start()),
    )
}

/// Everything that is known, as one object.
pub fn as_json<G: Playable>(
    order: &Order,
    spsa: &Spsa,
    folder: &Path,
    validation: Option<&Validation<G>>,
) -> Value {
    let parameters = order.parameters.iter().zip(spsa.values().iter().zip(spsa.rounded()));
    let parameters = parameters.map(|(parameter, (value, rounded))| {
        json!({
            "name": parameter.name,
            "before": parameter.start,
            "after": rounded,
            "value": value,
        })
    });
    let ended = |how: &str| json!({ "ended": how });
    json!({
        "iterations": spsa.done(),
        "planned": order.iterations,
        "games": 2 * order.pairs * spsa.done(),
        "nodes": order.nodes,
        "tc": order.tc,
        "parameters": parameters.collect::<Vec<_>>(),
        "validation": match validation {
            None => ended("not begun"),
            Some(Validation::Off) => ended("off"),
            Some(Validation::Nothing) => ended("nothing to validate"),
            Some(Validation::Interrupted) => ended("interrupted"),
            Some(Validation::Played(played)) => {
                let path = validate::folder(folder, spsa.done());
                summary::json(&played.contest, &played.finish, &path)
            }
        },
    })
}
