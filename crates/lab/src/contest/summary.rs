//! What is said of a run at its end, for people and as JSON.

use secateur_games::playable::Playable;
use serde_json::{Value, json};

use super::effort::Effort;
use super::entry::BstarMoves;
use super::prepare::Contest;
use super::run::{Ended, Finish};
use super::tally::{Score, Tally};
use crate::engine::Limit;
use crate::statistics::counts::{Counts, Trinomial};
use crate::statistics::elo::{self, Estimate};
use crate::statistics::papers;
use crate::statistics::rating::{self, Row};
use crate::statistics::sprt::Verdict;
use crate::values::rounded;

/// The result in a few words, while it goes on.
pub fn in_short<G: Playable>(contest: &Contest<G>, tally: &Tally) -> String {
    if contest.participants.len() > 2 {
        let table = rating::table(contest.participants.len(), &tally.meetings());
        let leader = table.ok().and_then(|rows| rows.first().copied());
        return leader.map_or(String::new(), |row| {
            let share = 100.0 * row.score.unwrap_or(0.5);
            format!("{} leads with {share:.1} %", contest.names[row.engine])
        });
    }
    let score = tally.first_score();
    let mut text = format!("{} {}", contest.names[0], score.games);
    if let Some(elo) = elo::logistic(&score.pairs) {
        text += &format!(", Elo {}", estimate(Some(elo)));
    }
    if let Some(test) = contest.test {
        let (lower, upper) = test.bounds();
        text += &format!(", LLR {:.2} ({lower:.2}, {upper:.2})", test.llr(&score.pairs));
    }
    text
}

/// Everything that is known, in the form of the result blocks of other match runners.
pub fn text<G: Playable>(contest: &Contest<G>, finish: &Finish) -> String {
    let tally = &finish.tally;
    let mut text = String::new();
    for (pairing, score) in tally.scores() {
        text += &block(contest, pairing, score);
        text.push('\n');
    }
    if contest.participants.len() > 2 {
        text += &table(contest, tally);
        text.push('\n');
    }
    for (name, effort) in contest.names.iter().zip(tally.effort()) {
        if let Some(line) = effort_line(effort) {
            text += &format!("A move of {name}: {line}\n");
        }
    }
    for (name, faults) in contest.names.iter().zip(tally.faults()) {
        if faults.total() > 0 {
            text += &format!(
                "Faults of {name}: {}, {}, {}, {}\n",
                counted(faults.crashes, "crash", "crashes"),
                counted(faults.time_losses, "loss on time", "losses on time"),
                counted(faults.illegal_moves, "illegal move", "illegal moves"),
                counted(faults.stalls, "stalled connection", "stalled connections"),
            );
        }
    }
    for (name, did) in contest.names.iter().zip(tally.bstar()) {
        if let Some(line) = bstar_line(did) {
            text += &format!("B* of {name}: {line}\n");
        }
    }
    let work = &finish.work;
    if contest.is_in_process() && work.games > 0 {
        let all = work.wall.as_secs_f64() * work.workers as f64;
        let share = |time: std::time::Duration| 100.0 * time.as_secs_f64() / all;
        text += &format!(
            "Time: {} in {:.1} s with {}; thinking {:.1} %, engines' new games {:.1} %, \
             runner {:.1} %\n",
            counted(work.games, "game", "games"),
            work.wall.as_secs_f64(),
            counted(work.workers as u64, "worker", "workers"),
            share(work.thinking),
            share(work.preparing),
            100.0 * work.overhead(),
        );
    }
    text
}

/// How deep an engine's moves were looked at, and what they took; nothing where it made none.
fn effort_line(effort: &Effort) -> Option<String> {
    let mut parts = Vec::new();
    parts.extend(effort.depth().map(|depth| format!("{depth:.1} plies")));
    parts.extend(effort.nodes_per_move().map(|nodes| format!("{nodes:.0} nodes")));
    parts.push(format!("{:.0} ms", effort.time_per_move()?));
    Some(parts.join(", ") + " on average")
}

/// What of an engine's moves B\* decided, and why not the others; nothing for an engine without it.
fn bstar_line(did: &BstarMoves) -> Option<String> {
    let mut text = format!(
        "decided {:.1} % of {}, {:.1} expansions each",
        100.0 * did.share(false)?,
        counted(did.moves(), "move", "moves"),
        did.expansions_per_move(),
    );
    if did.confirmed + did.overruled + did.unfinished + did.superseded > 0 {
        text += &format!(
            "; of iterative deepening's moves confirmed {}, overruled {}, without an end {}, changed \
             afterwards {}",
            did.confirmed, did.overruled, did.unfinished, did.superseded
        );
    }
    let other = did.handed_over - did.for_forces - did.for_clock;
    text += &format!(
        "; handed over {}: {} with little left, {} by clock, {other} else",
        did.handed_over, did.for_forces, did.for_clock
    );
    if let Some(outside) = did.share(true) {
        text += &format!("; decided {:.1} % where enough was left", 100.0 * outside);
    }
    Some(text)
}

fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The result of one pairing.
fn block<G: Playable>(
    contest: &Contest<G>,
    (first, second): (usize, usize),
    score: &Score,
) -> String {
    let [a, b] = [first, second].map(|engine| &contest.participants[engine]);
    let (games, pairs) = (score.games, score.pairs);
    let limits = match a.limit == b.limit {
        true => words(&a.limit),
        false => format!("{} against {}", words(&a.limit), words(&b.limit)),
    };
    let mut text =
        format!("Results of {} vs {} ({limits}), from the side of {}:\n", a.name, b.name, a.name);
    if games.games() == 0 {
        return text + "No game is over yet.\n";
    }
    text += &format!(
        "Elo: {}, nElo: {}\n",
        estimate(elo::logistic(&pairs)),
        estimate(elo::normalised(&pairs))
    );
    let percent = |share: Option<f64>| {
        share.map_or("unknown".to_string(), |share| format!("{:.2} %", 100.0 * share))
    };
    text += &format!(
        "LOS: {:.2} %, DrawRatio: {} of games, {} of pairs, PairsRatio: {}\n",
        100.0 * elo::superiority(&pairs),
        percent(games.draw_ratio()),
        percent(pairs.draw_ratio()),
        pairs.pairs_ratio().map_or("unknown".to_string(), |ratio| format!("{ratio:.2}")),
    );
    text += &format!(
        "Games: {}, Wins: {}, Losses: {}, Draws: {}, Points: {:.1} ({})\n",
        games.games(),
        games.wins,
        games.losses,
        games.draws,
        games.half_points() as f64 / 2.0,
        percent(games.score()),
    );
    text += &format!("Ptnml(0-2): {pairs}\n");
    if let (Some(test), Some(given)) = (contest.test, contest.configuration.sprt) {
        let llr = test.llr(&pairs);
        let (lower, upper) = test.bounds();
        let bound = if llr < 0.0 { lower.abs() } else { upper };
        let verdict = match test.verdict(llr) {
            Verdict::Continue => "not decided".to_string(),
            Verdict::AcceptH0 => {
                format!("H0 accepted: the lead is {} rather than {}", given.elo0, given.elo1)
            }
            Verdict::AcceptH1 => {
                format!("H1 accepted: the lead is {} rather than {}", given.elo1, given.elo0)
            }
        };
        text += &format!(
            "LLR: {llr:.2} ({:.1} %) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}] {}, {verdict}\n",
            100.0 * llr / bound,
            given.elo0,
            given.elo1,
            given.model.unit(),
        );
    }
    text + &papers_line(games)
}

/// The tests of the papers on forward pruning, beside our own.
fn papers_line(games: Trinomial) -> String {
    // Their matches had 64 games; of fewer they say nothing.
    if games.games() < papers::GAMES {
        return String::new();
    }
    let Some(heinz) = papers::heinz_of_match(games) else { return String::new() };
    let draws = games.draw_ratio().unwrap_or(0.0);
    format!(
        "By the papers' tests: more than 38 points of 64 (Jiang and Buro): {}, which equals reach with a \
         chance of {:.3}; lead of Heinz, real if above 0: {:+.3} (z 1.645), {:+.3} (z 1.96)\n",
        if papers::more_than_38_of_64(games) { "yes" } else { "no" },
        papers::equal_play_tail(games.games(), games.half_points(), draws),
        heinz.one_sided,
        heinz.two_sided,
    )
}

/// All engines, the strongest first.
fn table<G: Playable>(contest: &Contest<G>, tally: &Tally) -> String {
    let Ok(rows) = rating::table(contest.participants.len(), &tally.meetings()) else {
        return String::new();
    };
    let width = contest.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(4);
    let mut text =
        format!("Rank {:<width$}     Elo      +/-   Games   Score    LOS to next\n", "Name");
    for (rank, row) in rows.iter().enumerate() {
        let percent = |share: Option<f64>| {
            share.map_or(String::new(), |share| format!("{:.1} %", 100.0 * share))
        };
        let line = format!(
            "{:>4} {:<width$} {:>7.1} {:>8.1} {:>7} {:>7}   {:>7}",
            rank + 1,
            contest.names[row.engine],
            rounded(row.elo, 1),
            row.error,
            row.games,
            percent(row.score),
            percent(row.above_next),
        );
        text += line.trim_end();
        text.push('\n');
    }
    text
}

fn words(limit: &Limit) -> String {
    let text = limit.to_string();
    text.strip_prefix("tc=").map_or(text.clone(), str::to_string)
}

fn estimate(estimate: Option<Estimate>) -> String {
    let Some(Estimate { value, error }) = estimate else { return "unknown".to_string() };
    let value = rounded(value, 2);
    match error.is_finite() {
        true => format!("{value:.2} +/- {error:.2}"),
        false => format!("{value:.2} +/- unknown"),
    }
}

/// JSON knows no infinity: what is infinite or unknown is null.
fn number(value: Option<f64>) -> Value {
    value.filter(|value| value.is_finite()).map_or(Value::Null, |value| json!(value))
}

/// Everything that is known, as one object; of a match between two its result comes first.
pub fn json<G: Playable>(contest: &Contest<G>, finish: &Finish, folder: &std::path::Path) -> Value {
    let tally = &finish.tally;
    let mut all = json!({ "games": tally.games(), "planned": contest.plan.games() });
    all["ended"] = json!(match &finish.ended {
        Ended::Played => "played",
        Ended::Decided => "decided",
        Ended::Interrupted => "interrupted",
        Ended::Failed(_) => "failed",
    });
    let results: Vec<Value> =
        tally.scores().map(|(pairing, score)| pairing_json(contest, pairing, score)).collect();
    if let ([only], Value::Object(all)) = (&results[..], &mut all) {
        all.extend(only.as_object().cloned().unwrap_or_default());
    } else {
        all["pairings"] = json!(results);
        all["table"] = json!(table_json(contest, tally));
    }
    let counted =
        contest.participants.iter().zip(tally.faults()).zip(tally.bstar()).zip(tally.effort());
    let engines = counted.map(|(((engine, faults), did), effort)| {
        let bstar = did.share(false).map(|share| {
            json!({
                "decided": did.decided,
                "confirmed": did.confirmed,
                "overruled": did.overruled,
                "unfinished": did.unfinished,
                "superseded": did.superseded,
                "handed_over": did.handed_over,
                "handed_over_with_little_left": did.for_forces,
                "handed_over_by_clock": did.for_clock,
                "share": share,
                "share_with_enough_left": did.share(true),
                "expansions_per_move": did.expansions_per_move(),
            })
        });
        json!({
            "bstar": bstar,
            "name": engine.name,
            "limit": engine.limit.to_string(),
            "depth_per_move": effort.depth(),
            "nodes_per_move": effort.nodes_per_move(),
            "ms_per_move": effort.time_per_move(),
            "crashes": faults.crashes,
            "time_losses": faults.time_losses,
            "illegal_moves": faults.illegal_moves,
            "stalls": faults.stalls,
        })
    });
    all["engines"] = json!(engines.collect::<Vec<_>>());
    let work = &finish.work;
    all["time"] = json!({
        "games": work.games,
        "seconds": work.wall.as_secs_f64(),
        "workers": work.workers,
        "thinking_seconds": work.thinking.as_secs_f64(),
        "preparing_seconds": work.preparing.as_secs_f64(),
        "runner_share": contest.is_in_process().then(|| work.overhead()),
    });
    all["folder"] = json!(folder);
    all
}

fn pairing_json<G: Playable>(
    contest: &Contest<G>,
    (first, second): (usize, usize),
    score: &Score,
) -> Value {
    let (games, pairs) = (score.games, score.pairs);
    let (elo, normalised) = (elo::logistic(&pairs), elo::normalised(&pairs));
    let mut result = json!({
        "first": contest.names[first],
        "second": contest.names[second],
        "elo": number(elo.map(|estimate| estimate.value)),
        "elo_error": number(elo.map(|estimate| estimate.error)),
        "nelo": number(normalised.map(|estimate| estimate.value)),
        "nelo_error": number(normalised.map(|estimate| estimate.error)),
        "los": elo::superiority(&pairs),
        "games": games.games(),
        "wins": games.wins,
        "losses": games.losses,
        "draws": games.draws,
        "points": games.half_points() as f64 / 2.0,
        "score": number(games.score()),
        "draw_ratio": number(games.draw_ratio()),
        "pairs_ratio": number(pairs.pairs_ratio()),
        "ptnml": pairs.0,
    });
    if let (Some(test), Some(given)) = (contest.test, contest.configuration.sprt) {
        let llr = test.llr(&pairs);
        let (lower, upper) = test.bounds();
        result["llr"] = json!(llr);
        result["lower"] = json!(lower);
        result["upper"] = json!(upper);
        result["verdict"] = json!(match test.verdict(llr) {
            Verdict::Continue => "continue",
            Verdict::AcceptH0 => "accept H0",
            Verdict::AcceptH1 => "accept H1",
        });
        result["test"] = json!(given);
    }
    let heinz = papers::heinz_of_match(games);
    result["papers"] = json!({
        "more_than_38_of_64": papers::more_than_38_of_64(games),
        "heinz_one_sided": number(heinz.map(|heinz| heinz.one_sided)),
        "heinz_two_sided": number(heinz.map(|heinz| heinz.two_sided)),
    });
    result
}

fn table_json<G: Playable>(contest: &Contest<G>, tally: &Tally) -> Vec<Value> {
    let rows = rating::table(contest.participants.len(), &tally.meetings()).unwrap_or_default();
    let row = |row: &Row| {
        json!({
            "name": contest.names[row.engine],
            "elo": number(Some(row.elo)),
            "elo_error": number(Some(row.error)),
            "games": row.games,
            "score": row.score,
            "above_next": row.above_next,
        })
    };
    rows.iter().map(row).collect()
}
