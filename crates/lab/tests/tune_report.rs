//! The page of a tuning: right figures, whole, honest about what is not known.

mod made_up_run;
mod markup;

use std::fs;

use made_up_run::{Folder, TUNED, duel, file, match_toml, tuning};
use secateur_lab::report::{Report, report};
use serde_json::Value;

/// A page that is well-formed and asks for nothing from elsewhere.
fn page(folder: &Folder) -> Report {
    let page = report(folder.path()).unwrap();
    markup::check(&page.html);
    page
}

fn tuned(name: &str, iterations: u64) -> (Folder, String, String) {
    let folder = Folder::new(name);
    let (toml, lines) = tuning(3, iterations);
    folder.write("run.toml", &toml);
    folder.write("iterations.jsonl", &lines);
    (folder, toml, lines)
}

/// Writes a match of the tuned set against the untuned one.
fn validate(folder: &Folder, iterations: u64, games: usize, lead: f64) {
    let name = format!("validation-{iterations}");
    fs::create_dir_all(folder.path().join(&name)).unwrap();
    let sides = ["tuned", "untuned"];
    let sprt = "sprt = { elo0 = 0, elo1 = 5 }\n";
    folder.write(&format!("{name}/run.toml"), &match_toml(&sides, sprt));
    folder.write(&format!("{name}/games.jsonl"), &file(&duel(5, games, sides, lead)));
}

/// The values after the last of these lines.
fn last_values(lines: &str) -> Vec<f64> {
    let last: Value = serde_json::from_str(lines.lines().last().unwrap()).unwrap();
    last["values"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect()
}

/// The part of a page from the figure of this title to its end.
fn figure<'a>(html: &'a str, title: &str) -> &'a str {
    let begin = html.find(&format!("<figcaption>{title}</figcaption>")).expect(title);
    let end = begin + html[begin..].find("</figure>").unwrap();
    &html[begin..end]
}

#[test]
fn every_parameter_has_its_row_its_walk_and_its_landscape() {
    let (folder, _, lines) = tuned("tuning", 1_500);
    validate(&folder, 1_500, 400, 60.0);
    let Report { html, notes } = page(&folder);
    assert!(notes.is_empty(), "{notes:?}");
    for ((name, start, _), value) in TUNED.iter().zip(last_values(&lines)) {
        let rounded = value.round();
        let row = format!(
            "<td>{name}</td><td class=\"n\" data-s=\"{start}\">{start}</td>\
             <td class=\"n\" data-s=\"{rounded}\">{rounded}</td>"
        );
        assert!(html.contains(&row), "{row}");
        let walk = figure(&html, &format!("{name}: {start} → {rounded}"));
        assert!(walk.contains(&format!("tuned: {value:.1}")), "{walk}");
        assert!(walk.contains(&format!("Dashed: the untuned value {start}.")));
        let hills = figure(&html, &format!("{name}: landscape"));
        assert!(hills.contains("at ") && hills.contains("±"), "{hills}");
    }
    assert!(
        html.contains("A tuning of 3 parameters in chess: 1,500 of 1,500 iterations, 12,000 games")
    );
    assert!(html.contains("tuned is stronger than untuned: +"), "the verdict of the validation");
    assert!(html.contains("Sequential test [0, 5] nElo"));
}

#[test]
fn a_peak_is_named_where_the_games_show_one_and_nowhere_else() {
    let (folder, _, lines) = tuned("peaks", 4_000);
    let html = page(&folder).html;
    let base = figure(&html, "futility.base: landscape");
    let peak = base.split("peak at ").nth(1).expect("a peak");
    let peak: f64 = peak.split(' ').next().unwrap().parse().unwrap();
    assert!((peak - 130.0).abs() < 20.0, "{peak}");
    let idle = figure(&html, "razoring.margin: landscape");
    assert!(!idle.contains("peak at"), "what does not matter has none");
    // What does not matter may wander as far as it likes.
    let moved = TUNED.iter().zip(last_values(&lines));
    let moved = moved.map(|((name, start, _), value)| {
        let steps = (value - f64::from(*start)) / f64::from(start / 10);
        (steps.abs(), *name)
    });
    let mut moved: Vec<(f64, &str)> = moved.collect();
    moved.sort_by(|a, b| b.0.total_cmp(&a.0));
    let map = figure(&html, &format!("{} and {}", moved[0].1, moved[1].1));
    assert!(map.contains("</span>better by ") && map.contains("sets tried"));
}

#[test]
fn a_page_says_what_is_not_validated() {
    let says = |folder: &Folder, words: &str| {
        let html = page(folder).html;
        assert!(html.contains(words), "{words}");
    };
    let (folder, toml, lines) = tuned("unvalidated", 40);
    says(&folder, "Not validated: nobody knows whether these values are better");
    // One of another length of the run says nothing of this one.
    validate(&folder, 30, 40, 60.0);
    says(&folder, "Not validated");
    validate(&folder, 40, 0, 0.0);
    says(&folder, "No game of the validation is over yet");
    let part: String = lines.lines().take(25).map(|line| format!("{line}\n")).collect();
    folder.write("iterations.jsonl", &part);
    says(&folder, "Still being tuned, and not validated");
    folder.write("iterations.jsonl", "");
    says(&folder, "The values are the untuned ones: there is nothing to validate");
    folder.write("run.toml", &toml.replace("nodes = 3000", "tc = \"2+0.02\""));
    says(&folder, "0 games with the clock 2+0.02");
}

#[test]
fn old_lines_without_their_sets_make_the_same_page() {
    let (folder, _, lines) = tuned("old", 300);
    let new = page(&folder).html;
    let strip = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        let fields = line.as_object_mut().unwrap();
        assert!(fields.remove("first").is_some() && fields.remove("second").is_some());
        format!("{line}\n")
    };
    folder.write("iterations.jsonl", &lines.lines().map(strip).collect::<String>());
    assert!(page(&folder).html == new);
}

#[test]
fn lines_that_are_torn_or_do_not_follow_are_left_out_and_named() {
    let (folder, toml, lines) = tuned("torn", 30);
    let mut some: Vec<&str> = lines.lines().collect();
    some.remove(20);
    folder.write("iterations.jsonl", &format!("{}\n{{\"iter", some.join("\n")));
    let Report { html, notes } = page(&folder);
    assert!(notes[0].contains("iterations.jsonl, line 30: the last line is torn"), "{notes:?}");
    assert!(notes[1].contains("what follows iteration 20 does not belong to it"), "{notes:?}");
    assert!(html.contains("20 of 30 iterations"));
    folder.write("run.toml", &toml.replace("pairs", "spares"));
    let refused = format!("{:#}", report(folder.path()).err().unwrap());
    assert!(refused.contains("run.toml: it is not of a tuning"), "{refused}");
}

/// Pages to look at: `SECATEUR_PAGES=DIR cargo test -p secateur-lab --test tune_report -- --ignored`.
#[test]
#[ignore = "writes pages for the eye"]
fn pages_to_look_at() {
    let out = std::path::PathBuf::from(std::env::var("SECATEUR_PAGES").expect("SECATEUR_PAGES"));
    fs::create_dir_all(&out).unwrap();
    for iterations in [15, 200, 4_000] {
        let (folder, ..) = tuned(&format!("eye-{iterations}"), iterations);
        if iterations > 15 {
            validate(&folder, iterations, iterations as usize, 20.0);
        }
        fs::write(out.join(format!("tune-{iterations}.html")), page(&folder).html).unwrap();
    }
}
