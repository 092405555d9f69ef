//! bstar-match: 24 games of B\* against alpha-beta from openings of three kinds (Berliner and McConnell,
//! 1996, Table 3), with their rule for games that B\* hands over.

use std::fs;

use anyhow::{Context, bail};
use secateur_games::problem::ProblemFiles;
use serde_json::json;

use super::outcome::{Outcome, Table};
use super::setting::Setting;
use crate::contest::entry::{Entry, ScoreEntry};
use crate::contest::folder;
use crate::statistics::elo::logistic;

/// Four of each kind, by the state of the centre pawns: locked, gone on one side, gone on both.
const OPENINGS: &str = include_str!("../../suites/bstar-openings.pgn");
/// The kinds, with the paper's points of B\* and of alpha-beta of 8 each, the move at which B\* stopped
/// and the move at which games ended. Its 3.0 for alpha-beta in the second cannot be: 8 games have 8.
const KINDS: [(&str, [f64; 2], [f64; 2]); 3] = [
    ("closed", [2.5, 5.5], [35.5, 54.1]),
    ("semi-open", [4.0, 4.0], [29.4, 36.4]),
    ("open", [3.5, 4.5], [30.0, 41.4]),
];
/// A draw where both see no more than an eighth of a pawn, a win where both see two.
const DRAWN: i32 = 12;
const WON: i32 = 200;
/// Nodes a move.
const NODES: u64 = 2_000_000;

/// What became of a game by the paper's rule.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Judged {
    /// Both saw a draw when B\* stopped.
    Draw,
    /// Both saw the same side far ahead: the points of B\*.
    Win(f64),
    /// It was played on: its result.
    PlayedOn(f64),
}

impl Judged {
    fn points(self) -> f64 {
        match self {
            Judged::Draw => 0.5,
            Judged::Win(points) | Judged::PlayedOn(points) => points,
        }
    }
}

/// Which of the two had B\*, and what became of the game for it.
fn judged(entry: &Entry) -> Option<(usize, Judged)> {
    let side = entry.bstar.iter().position(Option::is_some)?;
    let played = Judged::PlayedOn(entry.points[side]);
    let Some(stopped) = entry.bstar[side].and_then(|did| did.stopped) else {
        return Some((side, played));
    };
    // The values of the two moves from where it stopped, from the side of B*: one of each.
    let first = (2 * (stopped as usize - 1)).saturating_sub(entry.opening_plies);
    let value = |index: usize| match entry.scores.get(index)? {
        Some(ScoreEntry::Centipawns(value)) => {
            let own = (entry.opening_plies + index) % 2 == side;
            Some(if own { *value } else { -*value })
        }
        _ => None,
    };
    Some((
        side,
        match (value(first), value(first + 1)) {
            (Some(a), Some(b)) if a.abs() <= DRAWN && b.abs() <= DRAWN => Judged::Draw,
            (Some(a), Some(b)) if a >= WON && b >= WON => Judged::Win(1.0),
            (Some(a), Some(b)) if a <= -WON && b <= -WON => Judged::Win(0.0),
            _ => played,
        },
    ))
}

pub(super) fn run<G: ProblemFiles>(setting: &Setting) -> anyhow::Result<Outcome> {
    if G::NAME != "chess" {
        bail!("the openings of this experiment are of chess, not of {}", G::NAME);
    }
    let openings = setting.folder.join("openings.pgn");
    fs::write(&openings, OPENINGS)
        .with_context(|| format!("{} cannot be written", openings.display()))?;
    let nodes = setting.scaled(NODES, 120_000);
    let host = format!("secateur preset=classic nodes={nodes}");
    let engines = [format!("{host} search=bstar name=B*"), format!("{host} name=alpha-beta")];
    let games = 2 * setting.scaled(12, 2).min(12);
    let played = setting.games_from::<G>("games", engines, games, Some(&openings))?;
    let entries = folder::games(&setting.folder.join("games"), &played.contest)?;
    let mut outcome = Outcome::default();
    let mut table = Table::new(
        format!(
            "B* against alpha-beta at {nodes} nodes a move, by the kind of opening; ours / paper"
        ),
        &["", "games", "points", "B* stopped", "game ended", "drawn, won, played on"],
    );
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let show = |values: &[f64]| match values.is_empty() {
        true => "-".to_string(),
        false => format!("{:.1}", mean(values)),
    };
    let mut all = (0.0, 0, Vec::new(), Vec::new());
    for (kind, [points, _], [stopped, ended]) in KINDS {
        let of_kind: Vec<&Entry> =
            entries.iter().filter(|entry| entry.opening.split(':').next() == Some(kind)).collect();
        let judged: Vec<(usize, Judged)> =
            of_kind.iter().filter_map(|entry| judged(entry)).collect();
        let ours = judged.iter().fold(0.0, |sum, (_, judged)| sum + judged.points());
        let stops: Vec<f64> = of_kind
            .iter()
            .flat_map(|entry| entry.bstar)
            .filter_map(|did| Some(did?.stopped? as f64))
            .collect();
        let ends: Vec<f64> =
            of_kind.iter().map(|entry| entry.moves.len().div_ceil(2) as f64).collect();
        let how =
            |which: fn(&Judged) -> bool| judged.iter().filter(|(_, judged)| which(judged)).count();
        table.add(vec![
            kind.to_string(),
            judged.len().to_string(),
            format!("{ours:.1} of {} / {points:.1} of 8", judged.len()),
            format!("{} / {stopped:.1}", show(&stops)),
            format!("{} / {ended:.1}", show(&ends)),
            format!(
                "{}, {}, {}",
                how(|judged| *judged == Judged::Draw),
                how(|judged| matches!(judged, Judged::Win(_))),
                how(|judged| matches!(judged, Judged::PlayedOn(_))),
            ),
        ]);
        outcome.figures.push(json!({
            "kind": kind, "games": judged.len(), "points": ours,
            "stopped": (!stops.is_empty()).then(|| mean(&stops)),
            "ended": (!ends.is_empty()).then(|| mean(&ends)),
            "paper": {"points": points, "games": 8, "stopped": stopped, "ended": ended},
        }));
        all.0 += ours;
        all.1 += judged.len();
        all.2.extend(stops);
        all.3.extend(ends);
    }
    let percent = 100.0 * all.0 / all.1.max(1) as f64;
    table.add(vec![
        "all".to_string(),
        all.1.to_string(),
        format!("{:.1} ({percent:.1} %) / 10.0 (41.7 %)", all.0),
        format!("{} / 32.6", show(&all.2)),
        format!("{} / 47.3", show(&all.3)),
        String::new(),
    ]);
    table.remark = "Where B* stopped for good, a game that both then saw within an eighth of a pawn counts \
        as drawn and one that both saw two pawns apart as won, as in the paper; the others count as they \
        were played on."
        .to_string();
    outcome.tables.push(table);
    let score = played.finish.tally.first_score();
    if let Some(elo) = logistic(&score.pairs) {
        outcome.notes.push(format!(
            "played out, {:+.0} +- {:.0} Elo; the paper puts B* 58 below alpha-beta by these games",
            elo.value, elo.error
        ));
    }
    let did = played.finish.tally.bstar()[0];
    outcome.check(
        "every game was played to its end, and B* decided moves of each",
        format!(
            "{} of {games} games, {} moves decided, {} handed over",
            all.1, did.decided, did.handed_over
        ),
        all.1 == games as usize
            && entries.iter().all(|game| game.bstar.iter().flatten().any(|did| did.decided > 0)),
    );
    Ok(outcome)
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use crate::contest::entry::BstarMoves;
    use crate::openings::read::read_text;
    use secateur_games::chess::Chess;

    #[test]
    fn there_are_four_openings_of_each_kind() {
        let openings = read_text::<Chess>(OPENINGS).unwrap();
        for (kind, ..) in KINDS {
            let of_kind = openings.iter().filter(|one| one.name.split(':').next() == Some(kind));
            assert_eq!(of_kind.count(), 4, "{kind}");
        }
    }

    /// A game in which B\* has the second side and stopped at move 3, after an opening of two plies.
    fn game(scores: [i32; 6]) -> Entry {
        let text = json!({
            "game": 1, "pair": 0, "first": "a", "second": "b", "opening": "open: x", "start": null,
            "moves": [], "opening_plies": 2, "result": "1-0", "points": [1.0, 0.0], "reason": "",
            "termination": "normal", "fault": null, "scores": scores, "depths": [], "times_ms": [],
            "nodes": [], "began": 0.0, "seconds": 0.0,
        });
        let mut entry: Entry = serde_json::from_value(text).unwrap();
        let did = BstarMoves {
            decided: 1,
            handed_over: 2,
            expansions: 9,
            stopped: Some(3),
            ..BstarMoves::default()
        };
        entry.bstar = [None, Some(did)];
        entry
    }

    #[test]
    fn a_game_is_judged_by_what_both_saw_when_b_star_stopped() {
        // The moves are 2, 2, 3, 3, 4, 4; those of move 3 count, each told from its own side.
        assert_eq!(judged(&game([0, 0, -250, 210, 0, 0])), Some((1, Judged::Win(1.0))));
        assert_eq!(judged(&game([0, 0, 250, -210, 0, 0])), Some((1, Judged::Win(0.0))));
        assert_eq!(judged(&game([900, -900, 12, -12, 900, -900])), Some((1, Judged::Draw)));
        assert_eq!(judged(&game([0, 0, 13, -12, 0, 0])), Some((1, Judged::PlayedOn(0.0))));
        let mut plain = game([0; 6]);
        plain.bstar = [None, None];
        assert_eq!(judged(&plain), None);
    }
}
