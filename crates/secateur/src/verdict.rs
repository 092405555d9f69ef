//! What is said of one move: a paragraph, or JSON.

use secateur_games::playable::Playable;
use secateur_lab::values::{score_json, score_text};
use secateur_lab::why::trail::Use;
use secateur_lab::why::{Why, Without, is_more};
use secateur_search::alphabeta::table::Bound;
use secateur_search::observe::Rule;
use secateur_search::{Game, Score};
use serde_json::{Value, json};

use crate::lines::{coordinates, described, numbered, screen_width, wrapped};

/// So many things are listed of each kind, unless all are asked for.
const HANDFUL: usize = 5;

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

/// What it comes to, then a paragraph. Without `all` only a handful of what techniques did is listed.
pub fn as_text<G: Playable>(position: &G, notes: &[String], why: &Why<G>, all: bool) -> String {
    let width = screen_width();
    let mut text = String::new();
    notes.iter().for_each(|note| text += &format!("note: {note}\n"));
    text += &first_sentence(position, why);
    text += &match why.overlooked {
        true => hidden_by(position, why),
        false => without(why, &position.describe_move(why.asked), all),
    };
    text += "\n";
    let line: Vec<<G as Game>::Move> =
        [why.asked].into_iter().chain(why.refutation.iter().copied()).collect();
    let label = match why.asked == why.best {
        true => "best line  ",
        false if is_more(why.best_score, why.score) => "against it ",
        false => "its line   ",
    };
    text += &(label.to_string() + &wrapped(&numbered(position, &line), 11, width));
    if why.asked != why.best {
        let label = if why.overlooked { "chosen line" } else { "best line  " };
        text += &(label.to_string() + &wrapped(&numbered(position, &why.best_line), 11, width));
    }
    let plies = if why.reached == 1 { "ply" } else { "plies" };
    text +=
        &format!("Beside the other moves it was followed for {} {plies} at most.\n", why.reached);
    text + &rules(position, why, all)
}

/// What the move is worth, beside the best.
fn first_sentence<G: Playable>(position: &G, why: &Why<G>) -> String {
    let side = G::player_name(position.turn());
    let asked = position.describe_move(why.asked);
    let value = valued(why.score, why.bound);
    if why.asked == why.best {
        return format!(
            "{asked} is the best move for {side} at depth {}: {value}{}.\n",
            why.best_depth,
            elsewhere(why.best_depth, why.depth)
        );
    }
    let (best, depth) = (position.describe_move(why.best), elsewhere(why.depth, why.best_depth));
    let chosen = score_text(why.best_score);
    let alone = format!("{asked} is worth {value} for {side} at depth {}", why.depth);
    if why.overlooked {
        format!(
            "{alone} when it is searched alone. The search of the whole position overlooked it: it \
             chose {best} for {chosen}{depth}.\n"
        )
    } else if is_more(why.best_score, why.score) {
        format!("{alone}; the best move, {best}, is worth {chosen}{depth}.\n")
    } else {
        format!("{alone}, much the same as {best}, which was chosen for {chosen}{depth}.\n")
    }
}

/// The techniques without which the search of the position finds the move.
fn hidden_by<G: Playable>(position: &G, why: &Why<G>) -> String {
    let found: Vec<String> = why
        .hidden_by()
        .map(|other| {
            let (name, score) = (other.rule.name(), valued(other.score, other.bound));
            format!("{name} ({score}{})", elsewhere(why.depth, other.depth))
        })
        .collect();
    let asked = position.describe_move(why.asked);
    match found.is_empty() {
        false => format!("It finds {asked} without {}.\n", found.join(", or without ")),
        true if why.without.is_empty() => String::new(),
        true => format!(
            "It does not find {asked} without any one of {}, within the same limits.\n",
            why.without.iter().map(|other| other.rule.name()).collect::<Vec<_>>().join(", ")
        ),
    }
}

fn rules<G: Playable>(position: &G, why: &Why<G>, all: bool) -> String {
    if why.rules.is_empty() {
        return "No technique did anything along that line.\n".to_string();
    }
    let positions = positions(position, why);
    let line: Vec<<G as Game>::Move> =
        [why.asked].into_iter().chain(why.refutation.iter().copied()).collect();
    let words = numbered(position, &line);
    let mut text = "\nAlong that line:\n".to_string();
    let mut ply = usize::MAX;
    let shown = if all { why.rules.len() } else { why.rules.len().min(HANDFUL) };
    for found in &why.rules[..shown] {
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
    if shown < why.rules.len() {
        text +=
            &format!("  and {} more further along: --all lists them\n", why.rules.len() - shown);
    }
    text
}

/// What the move is worth without each technique: nothing to be said of one that changes nothing.
fn without<G: Game>(why: &Why<G>, asked: &str, all: bool) -> String {
    let changes = |other: &&Without<G::Move>| {
        is_more(other.score, why.score) || is_more(why.score, other.score)
    };
    let mut changed = why.without.iter().filter(changes);
    let Some(first) = changed.next() else {
        return match why.without.is_empty() {
            true => String::new(),
            false => format!(
                "Without any one of the techniques that had a hand in it {asked} is worth much the same.\n"
            ),
        };
    };
    let mut text = format!(
        "The strongest hand in it had {}: with it off, {asked} is worth {}{}.\n",
        first.rule.name(),
        valued(first.score, first.bound),
        elsewhere(why.depth, first.depth)
    );
    let others: Vec<&Without<G::Move>> = changed.collect();
    let shown = if all { others.len() } else { others.len().min(HANDFUL) };
    for other in &others[..shown] {
        let (name, score) = (other.rule.name(), valued(other.score, other.bound));
        text += &format!("  without {name:<22}{score}{}\n", elsewhere(why.depth, other.depth));
    }
    if shown < others.len() {
        text += &format!("  and {} more that change it less\n", others.len() - shown);
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
                "best": position.write_move(other.best),
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
        "overlooked": why.overlooked,
        "hidden_by": why.hidden_by().map(|other| other.rule.name()).collect::<Vec<_>>(),
        "partial": why.partial,
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
