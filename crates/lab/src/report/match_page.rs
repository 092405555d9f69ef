//! The page of a match: which parts it has, and in which order.

use super::folder::Run;
use super::game::Game;
use super::html::{Page, Section, folded};
use super::numbers::many;
use super::tally::Match;
use super::{calibration, course, effort, endings, games, openings, tournament, verdict};
use crate::values::time;

/// The page of the match in this folder.
pub(super) fn page(run: &Run) -> anyhow::Result<Page> {
    let mut notes = Vec::new();
    let lines = run.lines::<Game>("games.jsonl", &mut notes)?;
    let played = Match::new(run.engine_names(), lines, &mut notes);
    let names = super::names(&played.engines);
    let seconds: f64 = played.games.iter().filter_map(|game| game.seconds).sum();
    let about = format!(
        "A match of {}: {}, {} of play.",
        many(played.engines.len(), "engine"),
        many(played.games.len(), "game"),
        time(std::time::Duration::from_secs_f64(seconds.clamp(0.0, 1e12)))
    );
    let duel = played.duel();
    let mut sections = Vec::new();
    let headline = match duel {
        Some(duel) => {
            let charts = [course::chart(&played, duel), verdict::pairs_chart(&played, duel)];
            sections.push(Section::new("result", "Result", grid(&charts)));
            verdict::headline(&played, duel, run.sprt().as_ref())
        }
        None if played.engines.len() > 2 => {
            let rows = tournament::ratings(&played);
            sections.push(Section::new(
                "ratings",
                "Ratings",
                tournament::standings(&played, &rows),
            ));
            let cross = tournament::cross_table(&played, &rows);
            sections.push(Section::new("cross", "Everyone against everyone", cross));
            sections.push(Section::new("pairings", "Pairings", tournament::pairings(&played)));
            tournament::headline(&played, &rows)
        }
        None => "<div class=\"verdict open\"><p class=\"words\">No finished game yet</p></div>\n"
            .to_string(),
    };
    if !played.games.is_empty() {
        let openings = match duel {
            Some(duel) => openings::of_duel(&played, duel),
            None => openings::of_tournament(&played),
        };
        sections.push(Section::new("faults", "Faults", games::faults(&played)));
        sections.push(Section::new("openings", "Openings", openings));
        sections.push(Section::new("colours", "Who moved first", endings::by_colour(&played)));
        let lengths = endings::lengths(&played, duel);
        let reasons = endings::reasons(&played, duel);
        sections.push(Section::new("endings", "Lengths and endings", grid(&[lengths, reasons])));
        let charts = [
            effort::by_move(&played, effort::What::Time),
            effort::by_move(&played, effort::What::Depth),
        ];
        let speeds = effort::speeds(&played);
        sections.push(Section::new("effort", "Time, depth, speed", grid(&charts) + &speeds));
        sections.push(Section::new("scores", "Scores", grid(&[calibration::chart(&played)])));
        sections.push(Section::new("games", "Games", games::list(&played)));
    }
    sections.push(Section::new("run", "Configuration", configuration(run)));
    Ok(Page { title: names, about, headline, notes, sections })
}

/// `run.toml`, as it is.
pub(super) fn configuration(run: &Run) -> String {
    let text = super::html::escape(&super::html::cut(&run.text, 100_000));
    folded("run.toml", &format!("<pre>{text}</pre>"))
}

/// The charts that there are, side by side where there is room.
pub(super) fn grid(charts: &[String]) -> String {
    let charts: String = charts.iter().filter(|chart| !chart.is_empty()).cloned().fold(
        String::new(),
        |all, chart| {
            if chart.starts_with("<figure") {
                all + &chart
            } else {
                all + "<div>" + &chart + "</div>"
            }
        },
    );
    if charts.is_empty() { charts } else { format!("<div class=\"grid\">{charts}</div>\n") }
}
