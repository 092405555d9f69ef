//! What is said of one move: a paragraph, or JSON.

use secateur_games::playable::Playable;
use secateur_lab::values::{score_json, score_text};
use secateur_lab::why::Why;
use secateur_lab::why::trail::Use;
use secateur_search::alphabeta::table::Bound;
use secateur_search::observe::Rule;
use secateur_search::{Game, Score};
use serde_json::{Value, json};

use crate::lines::{coordinates, described, numbered, screen_width, wrapped};

/// A change of the verdict below this is noise of the search, in hundredths.
const NOTHING: i32 = 10;

/// What a technique did.
fn deed(found: &Use) -> &'static str {
    match found.rule {
        Rule::ReverseFutility
        | Rule::Razoring
        | Rule::NullMove
        | Rule::ProbCut
        | Rule::DraftCut
        | Rule::CaptureCut
        | Rule::MaterialCut
        | Rule::MultiCut => "ended the search of the position",
        // Deeper where it stands alone, less deep where it does not.
        Rule::Singular if found.of_moves => "changed the depth of a move",
        Rule::Singular => "ended the search of the position",
        Rule::LatePruning | Rule::Futility | Rule::FrontierFutility if !found.of_moves => {
            "left all other quiet moves out"
        }
        Rule::LatePruning
        | Rule::HistoryPruning
        | Rule::Futility
        | Rule::FrontierFutility
        | Rule::ExchangePruning
        | Rule::Plausible
        | Rule::Delta => "left moves out",
        Rule::LateMoves | Rule::RankCut => "searched moves less deep",
        Rule::InternalReduction | Rule::LimitedRazoring => "took a ply off",
        Rule::Hindsight => "changed the depth",
        Rule::InternalDeepening => "searched less deep first",
        Rule::CheckExtension
        | Rule::RecaptureExtension
        | Rule::PassedExtension
        | Rule::ForcedExtension
        | Rule::ThreatExtension
        | Rule::EvasiveExtension => "searched deeper",
        Rule::Correction => "changed the guess",
        Rule::Quiescence => "stood pat",
        Rule::Aspiration => "narrowed the window",
        Rule::Endings => "went on beyond the depth",
    }
}

/// The positions of the line, the first of them the root.
fn positions<G: Playable>(position: &G, why: &Why<G>) -> Vec<G> {
    let mut all = vec![position.clone()];
    let mut last = position.clone();
    for &m in [why.asked].iter().chain(&why.refutation) {
        last.play(m);
        all.push(last.clone());
    }
    all
}

/// The moves of a use, as people write them.
fn moves_of<G: Playable>(positions: &[G], found: &Use) -> Vec<String> {
    let Some(position) = positions.get(found.ply) else { return Vec::new() };
    let moves = found.moves.iter().filter_map(|packed| position.unpack(*packed));
    moves.map(|m| position.describe_move(m)).collect()
}

/// A paragraph.
pub fn as_text<G: Playable>(position: &G, notes: &[String], why: &Why<G>) -> String {
    let width = screen_width();
    let side = G::player_name(position.turn());
    let asked = position.describe_move(why.asked);
    let mut text = String::new();
    notes.iter().for_each(|note| text += &format!("note: {note}\n"));
    let value = valued(why.score, why.bound);
    if why.asked == why.best {
        text += &format!(
            "{asked} is the best move for {side} at depth {}: {value}{}.\n",
            why.best_depth,
            elsewhere(why.best_depth, why.depth)
        );
    } else {
        text += &format!(
            "{asked} is worth {value} for {side} at depth {}; the best move, {}, is worth {}{}.\n",
            why.depth,
            position.describe_move(why.best),
            score_text(why.best_score),
            elsewhere(why.depth, why.best_depth)
        );
    }
    let line: Vec<<G as Game>::Move> =
        [why.asked].into_iter().chain(why.refutation.iter().copied()).collect();
    let label = if why.asked == why.best { "best line  " } else { "against it " };
    text += &(label.to_string() + &wrapped(&numbered(position, &line), 11, width));
    if why.asked != why.best {
        let best = numbered(position, &why.best_line);
        text += &("best line  ".to_string() + &wrapped(&best, 11, width));
    }
    let plies = if why.reached == 1 { "ply" } else { "plies" };
    text +=
        &format!("Beside the other moves it was followed for {} {plies} at most.\n", why.reached);
    text += &rules(position, why);
    text + &without(why, &asked)
}

fn rules<G: Playable>(position: &G, why: &Why<G>) -> String {
    if why.rules.is_empty() {
        return "No technique did anything along that line.\n".to_string();
    }
    let positions = positions(position, why);
    let line: Vec<<G as Game>::Move> =
        [why.asked].into_iter().chain(why.refutation.iter().copied()).collect();
    let words = numbered(position, &line);
    let mut text = "\nAlong that line:\n".to_string();
    let mut ply = usize::MAX;
    for found in &why.rules {
        if found.ply != ply {
            ply = found.ply;
            let place = match ply.checked_sub(1).and_then(|above| words.get(above)) {
                None => "in the position".to_string(),
                Some(word) => format!("after {word}"),
            };
            text += &format!("  {place}\n");
        }
        let moves = moves_of(&positions, found);
        let shown = match moves.len() {
            0 => String::new(),
            1..=8 => format!(": {}", moves.join(" ")),
            many => format!(": {} and {} more", moves[..7].join(" "), many - 7),
        };
        let (name, deed) = (found.rule.name(), deed(found));
        text += &format!("    {name} {deed}, {} of {} times{shown}\n", found.held, found.asked);
    }
    text
}

fn without<G: Game>(why: &Why<G>, asked: &str) -> String {
    let Some(first) = why.without.first() else { return String::new() };
    if first.change.abs() < NOTHING {
        return format!("\nWithout any one of these techniques {asked} is worth much the same.\n");
    }
    let mut text = format!(
        "\nThe strongest hand in it had {}: with it off, {asked} is worth {}{}.\n",
        first.rule.name(),
        valued(first.score, first.bound),
        elsewhere(why.depth, first.depth)
    );
    for other in why.without[1..].iter().filter(|other| other.change.abs() >= NOTHING) {
        let (name, score) = (other.rule.name(), valued(other.score, other.bound));
        text += &format!("  without {name:<22}{score}{}\n", elsewhere(why.depth, other.depth));
    }
    text
}

/// What must be said where one search was not as deep as another.
fn elsewhere(here: i32, depth: i32) -> String {
    if depth == here { String::new() } else { format!(" (at depth {depth})") }
}

/// A value, or what is known of it.
fn valued(score: Score, bound: Bound) -> String {
    let text = score_text(score);
    match bound {
        Bound::Lower => format!("at least {text}"),
        Bound::Upper => format!("at most {text}"),
        Bound::Exact | Bound::None => text,
    }
}

/// The same for programs.
fn bound_name(bound: Bound) -> Option<&'static str> {
    match bound {
        Bound::Exact => Some("exact"),
        Bound::Lower => Some("lower"),
        Bound::Upper => Some("upper"),
        Bound::None => None,
    }
}

/// One object, totals first.
pub fn as_json<G: Playable>(position: &G, notes: &[String], why: &Why<G>) -> Value {
    let all = positions(position, why);
    let after = all.get(1).cloned().unwrap_or_else(|| position.clone());
    let rules: Vec<Value> = why
        .rules
        .iter()
        .map(|found| {
            json!({
                "rule": found.rule.name(),
                "ply": found.ply,
                "asked": found.asked,
                "held": found.held,
                "did": deed(found),
                "moves": moves_of(&all, found),
            })
        })
        .collect();
    let without: Vec<Value> = why
        .without
        .iter()
        .map(|other| {
            json!({
                "rule": other.rule.name(),
                "score": score_json(other.score),
                "bound": bound_name(other.bound),
                "change": other.change,
                "depth": other.depth,
            })
        })
        .collect();
    json!({
        "move": position.write_move(why.asked),
        "best": position.write_move(why.best),
        "score": score_json(why.score),
        "best_score": score_json(why.best_score),
        "bound": bound_name(why.bound),
        "depth": why.depth,
        "best_depth": why.best_depth,
        "reached": why.reached,
        "refutation": coordinates(&after, &why.refutation),
        "san": described(&after, &why.refutation),
        "best_line": coordinates(position, &why.best_line),
        "rules": rules,
        "without": without,
        "game": G::NAME,
        "position": position.write_position(),
        "notes": notes,
    })
}
