//! A game as people exchange it: PGN in chess, with what the engines said as comments in the form
//! that other match runners use, `{+0.31/12 0.500s}`.

use std::collections::HashMap;

use secateur_games::playable::{Playable, ScoreSheet, Unwritable};
use secateur_games::record::{Record, Verdict};
use secateur_search::Player;

use super::date;
use super::entry::{Entry, ScoreEntry};
use crate::engine::Limit;
use crate::statistics::counts::GameResult;

/// The text of a game. `record` is the same game played through.
pub fn write<G: Playable>(
    entry: &Entry,
    record: &Record<G>,
    limits: &HashMap<String, Limit>,
) -> Result<String, Unwritable> {
    let verdict = match entry.outcome() {
        Some(GameResult::Win) => Verdict::Won(Player::First),
        Some(GameResult::Loss) => Verdict::Won(Player::Second),
        Some(GameResult::Draw) => Verdict::Draw,
        None => Verdict::Open,
    };
    let began = date::moment(entry.began);
    let ended = date::moment(entry.began + entry.seconds);
    let round = format!("{}.{}", entry.pair + 1, (entry.game + 1) % 2 + 1);
    let mut tags = vec![
        ("Event", "Secateur match".to_string()),
        ("Date", began.date('.')),
        ("Round", round),
        ("Opening", entry.opening.clone()),
        ("GameStartTime", began.stamp()),
        ("GameEndTime", ended.stamp()),
        ("PlyCount", entry.moves.len().to_string()),
        ("Termination", entry.termination.clone()),
    ];
    let control = |name: &str| limits.get(name).map(time_control).unwrap_or("?".to_string());
    let (first, second) = (control(&entry.first), control(&entry.second));
    if first == second {
        tags.push(("TimeControl", first));
    } else {
        tags.extend([("WhiteTimeControl", first), ("BlackTimeControl", second)]);
    }
    let comments = comments(entry);
    let players = [entry.first.as_str(), entry.second.as_str()];
    G::write_game(&ScoreSheet { game: record, players, verdict, tags, comments: &comments })
}

/// PGN has words for clocks; for the rest, `-` and the words of a description.
fn time_control(limit: &Limit) -> String {
    match limit.clock() {
        Some(clock) => clock.to_string(),
        None => format!("- ({limit})"),
    }
}

/// What is said about each move; why the game ended stands at the last.
fn comments(entry: &Entry) -> Vec<String> {
    let mut comments: Vec<String> = vec!["book".to_string(); entry.opening_plies];
    for (index, score) in entry.scores.iter().enumerate() {
        let mut comment = String::new();
        if let Some(score) = score {
            comment += &score_text(score);
            if let Some(Some(depth)) = entry.depths.get(index) {
                comment += &format!("/{depth}");
            }
            comment.push(' ');
        }
        let time = entry.times_ms.get(index).copied().unwrap_or(0);
        comment += &format!("{}.{:03}s", time / 1_000, time % 1_000);
        comments.push(comment);
    }
    if let Some(last) = comments.last_mut() {
        *last += ", ";
        *last += &entry.reason;
    }
    comments
}

/// `+0.31`, `-1.20`, `+M3`, `-M2`.
fn score_text(score: &ScoreEntry) -> String {
    match score {
        ScoreEntry::Centipawns(value) => {
            let sign = if *value < 0 { '-' } else { '+' };
            let value = value.unsigned_abs();
            format!("{sign}{}.{:02}", value / 100, value % 100)
        }
        ScoreEntry::Mate(text) => {
            let moves = text.trim_start_matches("mate ");
            match moves.strip_prefix('-') {
                Some(moves) => format!("-M{moves}"),
                None if moves == "0" => "-M0".to_string(),
                None => format!("+M{moves}"),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_have_the_form_that_other_runners_use() {
        let texts = [31, -120, 0, -5].map(|value| score_text(&ScoreEntry::Centipawns(value)));
        assert_eq!(texts, ["+0.31", "-1.20", "+0.00", "-0.05"]);
        let mates = ["mate 3", "mate -2", "mate 0"];
        let texts = mates.map(|text| score_text(&ScoreEntry::Mate(text.to_string())));
        assert_eq!(texts, ["+M3", "-M2", "-M0"]);
    }
}
