//! The page of a run: right figures, whole, safe, small, whatever the folder holds.

mod made_up_run;
mod markup;

use std::fs;
use std::time::{Duration, Instant};

use made_up_run::{Folder, duel, file, match_toml, round_robin, suites};
use secateur_lab::report::{Report, report};
use secateur_lab::statistics::counts::{Counts, GameResult, Pentanomial, Results};
use secateur_lab::statistics::elo;
use secateur_lab::statistics::paired::mcnemar;
use secateur_lab::statistics::sprt::{Model, Sprt};
use serde_json::{Value, json};

/// A page that is well-formed and asks for nothing from elsewhere.
fn page(folder: &Folder) -> Report {
    let page = report(folder.path()).unwrap();
    markup::check(&page.html);
    page
}

fn match_folder(name: &str, toml: &str, games: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("run.toml", toml);
    folder.write("games.jsonl", games);
    folder
}

/// The pentanomial counts of the first engine, counted another way: by pair number, from JSON.
fn pairs_of(lines: &[String], first: &str) -> Pentanomial {
    let games: Vec<Value> = lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut counts = Pentanomial::default();
    for pair in 0..games.len() as u64 {
        let of_pair: Vec<&Value> = games.iter().filter(|game| game["pair"] == pair).collect();
        let [one, other] = of_pair.as_slice() else { continue };
        let result = |game: &Value| {
            let side = usize::from(game["first"] != first);
            match game["points"][side].as_f64().unwrap() {
                1.0 => GameResult::Win,
                0.5 => GameResult::Draw,
                _ => GameResult::Loss,
            }
        };
        counts.add_pair(result(one), result(other));
    }
    counts
}

#[test]
fn the_figures_of_a_match_are_those_of_the_statistics() {
    let lines = duel(11, 400, ["Alder", "Birch"], 40.0);
    let sprt = "sprt = { elo0 = 0, elo1 = 10, model = \"logistic\" }\n";
    let folder = match_folder("figures", &match_toml(&["Alder", "Birch"], sprt), &file(&lines));
    let Report { html, notes } = page(&folder);
    assert!(notes.is_empty(), "{notes:?}");
    let pairs = pairs_of(&lines, "Alder");
    assert_eq!(pairs.samples(), 200);
    let results = Results::Pairs(pairs);
    let lead = elo::logistic(&results).unwrap();
    let words = format!("{:+.1} ± {:.1} Elo (95 %)", lead.value, lead.error);
    assert!(html.contains(&format!("Alder is stronger than Birch: {words}")), "{words}");
    let normalised = elo::normalised(&results).unwrap();
    assert!(html.contains(&format!("{:+.1} ± {:.1}", normalised.value, normalised.error)));
    assert!(html.contains(&format!("<dd>{:.1} %</dd>", 100.0 * elo::superiority(&results))));
    assert!(html.contains(&pairs.0.map(|count| count.to_string()).join(" · ")));
    let made: Vec<f64> = lines
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|game| game["points"][usize::from(game["first"] != "Alder")].as_f64().unwrap())
        .collect();
    let count = |points: f64| made.iter().filter(|made| **made == points).count();
    let counts = [1.0, 0.5, 0.0].map(|points| count(points).to_string()).join(" · ");
    assert!(html.contains(&format!("<dd>{counts}</dd>")), "{counts}");
    let test = Sprt::new(0.0, 10.0, 0.05, 0.05, Model::Logistic).unwrap();
    assert!(html.contains(&format!("<dd>{:.2}</dd>", test.llr(&results))));
}

#[test]
fn the_other_engine_first_turns_the_verdict_and_not_the_truth() {
    let lines = duel(11, 400, ["Alder", "Birch"], 40.0);
    let folder = match_folder("turned", &match_toml(&["Birch", "Alder"], ""), &file(&lines));
    let html = page(&folder).html;
    let lead = elo::logistic(&pairs_of(&lines, "Alder")).unwrap();
    let words = format!("Alder is stronger than Birch: {:+.1} ± {:.1} Elo", lead.value, lead.error);
    assert!(html.contains(&words), "{words}");
    assert!(html.contains(&pairs_of(&lines, "Birch").0.map(|count| count.to_string()).join(" · ")));
}

#[test]
fn every_part_of_a_match_is_there() {
    let lines = duel(3, 400, ["Alder", "Birch"], 10.0);
    let folder = match_folder("parts", &match_toml(&["Alder", "Birch"], ""), &file(&lines));
    let html = page(&folder).html;
    for id in
        ["result", "faults", "openings", "colours", "endings", "effort", "scores", "games", "run"]
    {
        assert!(html.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    for words in [
        "Score while the match went on",
        "Pairs by points",
        "Lengths of the games",
        "Time by move",
        "Depth by move",
        "What a score was worth",
        "used 75 ms of the 40 ms it had",
        "info depth 9 score cp 31",
        "warning: the table is full",
    ] {
        assert!(html.contains(words), "{words}");
    }
    for wrong in ["NaN", ">inf<", "\"inf", " inf "] {
        assert!(!html.contains(wrong), "{wrong}");
    }
}

#[test]
fn a_tournament_has_ratings_and_a_cross_table() {
    let engines = [("Alder", 60.0), ("Birch", 0.0), ("Cedar", -20.0), ("Dogwood", -80.0)];
    let lines = round_robin(5, 30, &engines);
    let folder = match_folder("tournament", &match_toml(&[], ""), &file(&lines));
    let html = page(&folder).html;
    assert!(html.contains("Alder, Birch, Cedar, Dogwood"));
    for id in ["ratings", "cross", "pairings", "openings"] {
        assert!(html.contains(&format!("<section id=\"{id}\">")), "{id}");
    }
    // The same pair number in every pairing: 30 pairs each, none mixed up.
    let pairings = html.split("<section id=\"").find(|part| part.starts_with("pairings")).unwrap();
    assert_eq!(pairings.matches("<td class=\"n\" data-s=\"60\">60</td>").count(), 6);
    let sum = |row: &str| row.split(" · ").map(|count| count.parse::<u64>().unwrap()).sum::<u64>();
    let cells = pairings.split("<td>").filter_map(|cell| cell.split_once("</td>"));
    let counts: Vec<u64> =
        cells.filter(|cell| cell.0.contains(" · ")).map(|cell| sum(cell.0)).collect();
    assert_eq!(counts, [30; 6]);
}

#[test]
fn names_and_openings_cannot_break_out_of_the_page() {
    let nasty = "<script>alert('x')</script>";
    let mut lines = duel(3, 60, [nasty, "B\"><img src=x onerror=y>"], 10.0);
    for line in &mut lines {
        *line = line.replace("Ruy Lopez", "</title><svg onload=z>&amp;");
    }
    let toml = match_toml(&[nasty], "note = \"</pre><script>\"\n");
    let folder = match_folder("nasty", &toml, &file(&lines));
    let html = page(&folder).html;
    assert_eq!(html.matches("<script>").count(), 1, "only our own");
    assert!(html.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"));
    for tag in ["<img", "<svg onload", "</title><svg", "</pre><script>"] {
        assert!(!html.contains(tag), "{tag}");
    }
    let engines = [(nasty, 1.0), ("\"><b>", 1.2)];
    let suite = Folder::new("nasty-suite");
    suite.write("run.toml", "kind = \"suite\"\n");
    suite.write("results.jsonl", &file(&suites(1, 20, &engines)).replace("Qg6", "<i>&\\u0000"));
    let html = page(&suite).html;
    assert_eq!(html.matches("<script>").count(), 1);
    assert!(!html.contains("<b>") && !html.contains("<i>") && html.contains("sts &amp; more"));
}

#[test]
fn a_torn_last_line_is_left_out_and_said() {
    let lines = duel(3, 40, ["A", "B"], 0.0);
    let text = file(&lines);
    let torn = format!("{text}{}", &lines[0][..lines[0].len() / 2]);
    let folder = match_folder("torn", &match_toml(&["A", "B"], ""), &torn);
    let Report { html, notes } = page(&folder);
    assert_eq!(notes.len(), 1);
    assert!(notes[0].starts_with("games.jsonl, line 41: the last line is torn"), "{notes:?}");
    assert!(
        html.contains("games.jsonl, line 41") && html.contains("A match of 2 engines: 40 games,")
    );
    // Whole, and only its end of line is missing: it counts.
    folder.write("games.jsonl", text.trim_end());
    assert!(page(&folder).notes.is_empty());
}

#[test]
fn a_broken_line_in_the_middle_is_left_out_and_said() {
    let mut lines = duel(3, 40, ["A", "B"], 0.0);
    lines[16] = "{\"game\":16,\"first\":\"A\"".to_string();
    lines[20] = "{\"game\":20,\"first\":\"A\",\"second\":\"B\",\"result\":\"2-0\"}".to_string();
    lines.push(lines[5].clone());
    let folder = match_folder("broken", &match_toml(&["A", "B"], ""), &file(&lines));
    let Report { html, notes } = page(&folder);
    assert_eq!(notes.len(), 3, "{notes:?}");
    assert!(notes[0].starts_with("games.jsonl, line 17: broken and left out: EOF"), "{notes:?}");
    assert!(notes[1].ends_with("line 21: broken and left out: \"2-0\" is no result"), "{notes:?}");
    assert!(
        notes[2].starts_with("games.jsonl, line 41: a game that was there before"),
        "{notes:?}"
    );
    assert!(
        html.contains("A match of 2 engines: 38 games,") && html.contains("in no complete pair")
    );
}

#[test]
fn a_run_without_games_or_with_one_has_a_page() {
    let folder = Folder::new("empty");
    folder.write("run.toml", &match_toml(&["A", "B"], ""));
    let Report { html, notes } = page(&folder);
    assert!(html.contains("No finished game yet"));
    assert_eq!(notes, ["games.jsonl is not there yet: nothing is finished"]);
    folder.write("games.jsonl", "");
    assert!(page(&folder).html.contains("No finished game yet"));
    for game in duel(9, 12, ["A", "B"], 0.0) {
        folder.write("games.jsonl", &(game + "\n"));
        let html = page(&folder).html;
        assert!(html.contains("Not decided: A against B") && !html.contains("NaN"));
    }
    folder
        .write("games.jsonl", "{\"game\":1,\"first\":\"A\",\"second\":\"B\",\"result\":\"1-0\"}\n");
    assert!(page(&folder).html.contains("Not decided: A against B, too few games"));
    folder.write("run.toml", "kind = \"match\"\n");
    assert!(page(&folder).html.contains("Not decided"));
    folder.write("run.toml", "kind = \"suite\"\n");
    assert!(page(&folder).html.contains("No position has been tried yet"));
}

#[test]
fn a_suite_is_compared_on_the_same_positions() {
    let lines = suites(2, 150, &[("Alder", 1.0), ("Birch", 2.5)]);
    let folder = Folder::new("suite");
    folder.write("run.toml", "kind = \"suite\"\n[[engines]]\nname = \"Alder\"\n");
    folder.write("results.jsonl", &file(&lines));
    let Report { html, notes } = page(&folder);
    assert!(notes.is_empty(), "{notes:?}");
    let solved = |line: &String| serde_json::from_str::<Value>(line).unwrap()["solved"] == true;
    let both: Vec<(bool, bool)> =
        lines.chunks(2).map(|pair| (solved(&pair[0]), solved(&pair[1]))).collect();
    let count = |wanted| both.iter().filter(|pair| **pair == wanted).count() as u64;
    let (a, b) = (count((true, false)), count((false, true)));
    let p = mcnemar(a, b);
    assert!(p.mid < 0.05 && b > a, "{a} {b}");
    let all = count((true, true));
    assert!(html.contains(&format!(
        "Birch solves more than Alder: {} against {}",
        all + a,
        all + b
    )));
    let cell = |count: u64| format!("<td class=\"n\" data-s=\"{count}\">{count}</td>");
    let row = [all, a, b, count((false, false))].map(cell).concat();
    assert!(html.contains(&row), "{row}");
    for words in ["Solved over time", "Nodes for each position", "Nodes to the solution"] {
        assert!(html.contains(words), "{words}");
    }
    // Still going on: the last position was tried by one engine only.
    folder.write("results.jsonl", &file(&lines[..lines.len() - 1]));
    let notes = page(&folder).notes;
    assert!(notes[0].starts_with("1 position has not been tried by every engine yet"), "{notes:?}");
    folder.write("results.jsonl", &file(&suites(2, 30, &[("A", 1.0), ("B", 2.0), ("C", 3.0)])));
    assert!(page(&folder).html.contains("p of many"));
}

#[test]
fn what_a_judge_said_stands_beside_the_move() {
    let folder = Folder::new("judged");
    folder.write("run.toml", "kind = \"suite\"\n[order]\njudge = \"Owl depth=9\"\n");
    let tried = |number: u32, solved: bool| {
        format!(
            "{{\"engine\":\"A\",\"suite\":\"s\",\"number\":{number},\"solved\":{solved},\"move\":\"Nh5\",\"score\":35}}\n"
        )
    };
    folder.write("results.jsonl", &[tried(1, false), tried(2, true), tried(3, false)].concat());
    let said = |judge: &str, number: u32, cost: &str| {
        format!(
            "{{\"judge\":\"{judge}\",\"suite\":\"s\",\"number\":{number},\"move\":\"Nh5\",\"cost\":{cost}}}\n"
        )
    };
    let lines = [
        said("Owl depth=9", 1, "312"),
        said("Owl depth=1", 1, "5"),
        said("Owl depth=9", 2, "4"),
        said("Owl depth=9", 3, "null"),
    ];
    folder.write("judged.jsonl", &(lines.concat() + "{\"torn"));
    let Report { html, notes } = page(&folder);
    assert!(html.contains("✗ Nh5 (+0.35), judged −3.12"), "not beside the move");
    assert_eq!(html.matches(", judged ").count(), 1, "only of this judge, and only misses");
    assert!(html.contains("by Owl depth=9."));
    assert!(notes.len() == 1 && notes[0].contains("judged.jsonl, line 5: the last line is torn"));
}

#[test]
fn what_is_no_run_is_refused_in_one_line() {
    let refused = |folder: &Folder| format!("{:#}", report(folder.path()).err().unwrap());
    let folder = Folder::new("refused");
    assert!(
        refused(&folder)
            .ends_with("run.toml: there is no such file, so this is not the folder of a run")
    );
    let cases = [
        ("a = 1\nkind = \"dance\"\n", "line 2: the kind of run is \"dance\", which is none of"),
        ("a = 1\n", "the kind of run is not given"),
        ("a = 1\nb = = 2\n", "run.toml: line 2: "),
    ];
    for (text, complaint) in cases {
        folder.write("run.toml", text);
        let said = refused(&folder);
        assert!(said.contains(complaint) && !said.contains('\n'), "{said}");
    }
    let missing = report(&folder.path().join("nowhere")).err().unwrap().to_string();
    assert!(missing.contains("nowhere: there is no such folder"), "{missing}");
}

#[test]
fn twenty_thousand_games_are_a_small_page_soon() {
    let lines = duel(1, 20_000, ["Alder", "Birch"], 3.0);
    let folder = match_folder("large", &match_toml(&["Alder", "Birch"], ""), &file(&lines));
    let begun = Instant::now();
    let html = page(&folder).html;
    let taken = begun.elapsed();
    assert!(html.len() < 3_000_000, "{} bytes", html.len());
    assert!(taken < Duration::from_secs(30), "{taken:?}");
    assert!(html.contains("all are in games.jsonl"));
    println!("{} bytes in {taken:?}", html.len());
}

#[test]
fn long_games_do_not_make_a_long_page() {
    let moves = vec!["e2e4"; 1_500];
    let line = |number: usize| json!({"game": number, "first": "A", "second": "B", "result": "1-0", "moves": moves});
    let lines: Vec<String> = (0..800).map(|number| line(number).to_string()).collect();
    let folder = match_folder("long", &match_toml(&["A", "B"], ""), &file(&lines));
    let html = page(&folder).html;
    assert!(html.len() < 3_000_000, "{} bytes", html.len());
    assert!(html.contains("of 800 games are listed; all are in games.jsonl"));
}

/// Pages to look at: `SECATEUR_PAGES=DIR cargo test -p secateur-lab --test report -- --ignored`.
#[test]
#[ignore = "writes pages for the eye"]
fn pages_for_the_eye() {
    let out = std::path::PathBuf::from(std::env::var("SECATEUR_PAGES").expect("SECATEUR_PAGES"));
    let save = |folder: &Folder, name: &str| {
        fs::write(out.join(name), page(folder).html).unwrap();
    };
    let sprt = "sprt = { elo0 = 0, elo1 = 10, model = \"normalized\" }\n";
    let names = ["Secateur null-move", "Secateur base"];
    let lines = duel(11, 400, names, 25.0);
    let folder = match_folder("eye-duel", &match_toml(&names, sprt), &file(&lines));
    save(&folder, "duel.html");
    folder.write("games.jsonl", &(file(&lines[..7]) + "{\"game\""));
    save(&folder, "small.html");
    folder.write("games.jsonl", &file(&duel(1, 20_000, names, 3.0)));
    save(&folder, "large.html");
    let engines = [
        ("Secateur", 60.0),
        ("Glaurung 2.2", 20.0),
        ("Toga II 3.0", 0.0),
        ("GNU Chess 6.2.9", -70.0),
    ];
    let folder =
        match_folder("eye-four", &match_toml(&[], ""), &file(&round_robin(5, 60, &engines)));
    save(&folder, "four.html");
    let folder = Folder::new("eye-suite");
    folder.write("run.toml", "kind = \"suite\"\nmovetime = 5000\n");
    folder.write("results.jsonl", &file(&suites(2, 150, &[("Secateur", 1.4), ("GNU Chess", 1.0)])));
    save(&folder, "suite.html");
    let three = suites(2, 80, &[("Secateur", 1.4), ("GNU Chess", 1.0), ("Toga II", 2.0)]);
    folder.write("results.jsonl", &file(&three));
    save(&folder, "suite3.html");
}
