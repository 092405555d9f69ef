//! What a match of two engines says: in words, in numbers, by pairs.

use super::html::{self, escape};
use super::numbers::{estimate, fixed, percent, signed};
use super::plot::{Axis, Chart, Mark};
use super::tally::{Match, Pairing};
use crate::statistics::counts::{Counts, Results};
use crate::statistics::elo;
use crate::statistics::paired::mcnemar;
use crate::statistics::sprt::{Sprt, Verdict};
use crate::values::grouped;

/// Below so many samples the normal interval means little, and the pairs (or games) that were won
/// are compared with those that were lost instead.
const FEW: u64 = 10;

/// Which engine is stronger, if that can be said: the first (`Some(true)`), the second, or not
/// decided. By the 95 % interval of the score.
pub(super) fn stronger(results: &Results) -> Option<bool> {
    let cells = results.cells();
    let samples = results.samples();
    if samples < FEW {
        let half = cells.len() / 2;
        let lost: u64 = cells[..half].iter().sum();
        let won: u64 = cells[half + 1..].iter().sum();
        return (mcnemar(won, lost).exact < 0.05).then_some(won > lost);
    }
    let superiority = elo::superiority(results);
    if superiority > 0.975 {
        Some(true)
    } else if superiority < 0.025 {
        Some(false)
    } else {
        None
    }
}

/// "A is stronger than B: +23.4 ± 12.1 Elo (95 %)", or that it is not decided.
pub(super) fn sentence(first: &str, second: &str, results: &Results) -> String {
    let Some(lead) = elo::logistic(results) else {
        return "No finished game yet".to_string();
    };
    let figures = |value: f64| {
        let side = estimate(elo::Estimate { value, error: lead.error });
        match (value.is_finite(), lead.error.is_finite()) {
            (false, _) => "all games were won".to_string(),
            (true, false) => format!("{} Elo, error unknown", signed(value, 1)),
            (true, true) => format!("{side} Elo (95 %)"),
        }
    };
    match stronger(results) {
        Some(true) => format!("{first} is stronger than {second}: {}", figures(lead.value)),
        Some(false) => format!("{second} is stronger than {first}: {}", figures(-lead.value)),
        None if lead.value.is_finite() => {
            format!("Not decided: {first} against {second} {}", figures(lead.value))
        }
        None => format!("Not decided: {first} against {second}, too few games"),
    }
}

/// The verdict with its figures, for the head of the page.
pub(super) fn headline(played: &Match, duel: &Pairing, sprt: Option<&(Sprt, String)>) -> String {
    let results = duel.results();
    let [first, second] = duel.engines.map(|engine| played.name(engine));
    let class = match stronger(&results) {
        Some(true) => "first",
        Some(false) => "second",
        None => "open",
    };
    let mut out = format!(
        "<div class=\"verdict {class}\"><p class=\"words\">{}</p>",
        escape(&sentence(first, second, &results))
    );
    if let Some((test, words)) = sprt {
        out += &format!("<p>{}</p>", escape(&test_words(test, words, &results)));
    }
    out += "</div>\n<dl class=\"figures\">";
    let mut figure = |name: &str, value: String, about: String| {
        out += &format!(
            "<div><dt>{}</dt><dd>{}</dd><dd class=\"small\">{}</dd></div>",
            escape(name),
            escape(&value),
            escape(&about)
        );
    };
    let side = format!("from the side of {}", html::cut(first, 24));
    if let Some(lead) = elo::logistic(&results) {
        figure("Elo", estimate(lead), side);
    }
    if let Some(lead) = elo::normalised(&results) {
        figure("nElo", estimate(lead), "whatever draws and openings".to_string());
    }
    let superiority = elo::superiority(&results);
    let about = format!("that {} is the stronger", html::cut(first, 24));
    figure("LOS", percent(superiority), about);
    let games = duel.games;
    let score = games.score().unwrap_or(0.5);
    let points = fixed(games.half_points() as f64 / 2.0, 1);
    let about = format!("{points} of {} points", grouped(games.games()));
    figure("Score", percent(score), about);
    figure(
        "Won, drawn, lost",
        format!("{} · {} · {}", grouped(games.wins), grouped(games.draws), grouped(games.losses)),
        format!("{} drawn", percent(games.draw_ratio().unwrap_or(0.0))),
    );
    let ratio = duel.pairs.pairs_ratio();
    let ratio = ratio.map_or("∞".to_string(), |ratio| fixed(ratio, 2));
    if duel.pairs.samples() > 0 {
        let cells = duel.pairs.0.map(|count| count.to_string()).join(" · ");
        figure("Pairs LL LD = WD WW", cells, format!("won to lost {ratio}"));
    }
    if let Some((test, _)) = sprt {
        let (lower, upper) = test.bounds();
        let bounds = format!("between {} and {}: play on", fixed(lower, 2), fixed(upper, 2));
        let about = match test.verdict(test.llr(&results)) {
            Verdict::Continue => bounds,
            Verdict::AcceptH0 => format!("at or below {}: H0", fixed(lower, 2)),
            Verdict::AcceptH1 => format!("at or above {}: H1", fixed(upper, 2)),
        };
        figure("LLR", fixed(test.llr(&results), 2), about);
    }
    out += "</dl>\n";
    out
}

fn test_words(test: &Sprt, words: &str, results: &Results) -> String {
    let standing = test.standing(results);
    let verdict = match standing.verdict {
        Verdict::AcceptH1 => "H1 is accepted".to_string(),
        Verdict::AcceptH0 => "H0 is accepted".to_string(),
        Verdict::Continue => match standing.outlook {
            // A guess from a handful of games would only mislead.
            Some(outlook) if outlook.games.is_finite() && results.samples() >= FEW => format!(
                "not decided; if it goes on like this, about {} games more and H1 with a chance of {} %",
                grouped(outlook.games as u64),
                fixed((100.0 * outlook.accept_h1).clamp(1.0, 99.0), 0)
            ),
            _ => "not decided".to_string(),
        },
    };
    let caution = match standing.verdict {
        Verdict::Continue => "",
        _ => " A test that stops when it is sure overstates the Elo a little.",
    };
    format!("Sequential test {words}: {verdict}.{caution}")
}

/// The pairs by points, as bars.
pub(super) fn pairs_chart(played: &Match, duel: &Pairing) -> String {
    let total = duel.pairs.samples();
    if total == 0 {
        return String::new();
    }
    let first = html::cut(played.name(duel.engines[0]), 24);
    let names = ["0", "½", "1", "1½", "2"];
    let counts = duel.pairs.0;
    let most = counts.iter().copied().max().unwrap_or(0);
    let ticks = names.iter().enumerate().map(|(at, name)| (at as f64, name.to_string())).collect();
    let mut chart = Chart::new(
        "Pairs by points",
        format!(
            "Bars: pairs in which {first} made 0, a half, 1, one and a half, 2 points: {}",
            duel.pairs
        ),
        Axis::linear(format!("points of {first} from an opening"), -0.6, 4.6).ticks(ticks),
        Axis::linear("pairs", 0.0, 1.08 * most as f64).whole(),
    );
    let classes = ["l2", "l1", "d", "w1", "w2"];
    for (cell, count) in counts.into_iter().enumerate().filter(|cell| cell.1 > 0) {
        let (at, share) = (cell as f64, percent(count as f64 / total as f64));
        let (left, right) = (at - 0.38, at + 0.38);
        let text = format!("{} points: {} pairs, {share}", names[cell], grouped(count));
        if cell != 2 {
            chart.add(Mark::Box(classes[cell], (left, 0.0), (right, count as f64), text));
            continue;
        }
        let drawn = count - duel.split;
        let text = format!("two draws: {} pairs", grouped(drawn));
        chart.add(Mark::Box("d", (left, 0.0), (right, drawn as f64), text));
        let text = format!("a win each: {} pairs", grouped(duel.split));
        chart.add(Mark::Box("x", (left, drawn as f64), (right, count as f64), text));
    }
    chart.explain("w2", format!("{first} won both"));
    chart.explain("w1", "won and drawn");
    chart.explain("d", "two draws");
    chart.explain("x", "a win each");
    chart.explain("l1", "lost and drawn");
    chart.explain("l2", "lost both");
    if duel.unpaired() > 0 {
        chart.remark(match duel.unpaired() {
            1 => "1 game is in no complete pair yet.".to_string(),
            count => format!("{} games are in no complete pair yet.", grouped(count)),
        });
    }
    chart.render()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::counts::{Pentanomial, Trinomial};

    fn says(cells: [u64; 5]) -> String {
        sentence("A", "B", &Results::Pairs(Pentanomial(cells)))
    }

    #[test]
    fn the_verdict_is_that_of_the_interval() {
        assert_eq!(says([10, 40, 120, 45, 12]), "Not decided: A against B +6.9 ± 19.7 Elo (95 %)");
        assert!(says([2, 10, 60, 45, 12]).starts_with("A is stronger than B: +"));
        assert!(says([12, 45, 60, 10, 2]).starts_with("B is stronger than A: +"));
    }

    #[test]
    fn a_few_games_decide_only_if_they_are_all_alike() {
        // The normal interval of two pairs excludes a half here; nobody would believe it.
        assert!(says([0, 0, 0, 1, 1]).starts_with("Not decided: A against B +"));
        assert_eq!(says([0, 0, 0, 0, 1]), "Not decided: A against B, too few games");
        assert_eq!(says([0, 0, 0, 0, 8]), "A is stronger than B: all games were won");
        assert_eq!(says([0, 0, 0, 0, 80]), "A is stronger than B: all games were won");
        assert_eq!(says([0; 5]), "No finished game yet");
        let draw = Results::Games(Trinomial { wins: 0, draws: 1, losses: 0 });
        assert_eq!(sentence("A", "B", &draw), "Not decided: A against B 0.0 Elo, error unknown");
    }
}
