//! `secateur calibrate bstar`: from games to a table that B* goes by.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;

fn secateur(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("secateur").unwrap().args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("secateur-odds-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

/// A few quick games of small searches.
const QUICK: [&str; 12] = [
    "calibrate",
    "bstar",
    "--games",
    "4",
    "--nodes",
    "5000",
    "--each",
    "search=bstar bstar.probe=2 bstar_expand=narrow",
    "--deeper",
    "2",
    "--leaves",
    "8",
];

fn fitted(out: &Path, more: &[&str]) -> (i32, String, String) {
    secateur(&[&QUICK[..], &["--out", out.to_str().unwrap()], more].concat())
}

/// What B* does with a position by a table.
fn analysed(more: &[&str]) -> (i32, String, String) {
    let fen = "r1bqkb1r/pppp1ppp/2N2n2/8/4P3/8/PPP2PPP/RNBQKB1R b KQkq - 0 5";
    let usual = ["analyse", fen, "--search", "bstar", "--nodes", "150000", "--explain", "--json"];
    secateur(&[&usual[..], more].concat())
}

#[test]
fn games_become_a_table_that_b_star_goes_by() {
    let out = folder("table");
    let (status, text, err) = fitted(&out, &["--json"]);
    assert_eq!(status, 0, "{err}");
    let found: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(found["games"], 4);
    let losses = &found["losses"];
    assert!(losses["leaves"].as_u64().unwrap() > 300, "{found}");
    let rows: usize = (1..=4)
        .map(|game| fs::read_to_string(out.join(format!("games/game-000{game}.csv"))).unwrap())
        .map(|text| text.lines().count() - 2)
        .sum();
    assert_eq!(losses["leaves"].as_u64().unwrap() as usize, rows);
    let table = out.join("odds.toml");
    let written = fs::read_to_string(&table).unwrap();
    assert!(written.contains("secateur calibrate bstar --game chess --games 4"), "{written}");
    let better = losses["learned"].as_f64().unwrap() < losses["linear"].as_f64().unwrap()
        && found["difference_between"][1].as_f64().unwrap() < 0.0;
    assert_eq!(found["better"], better);
    assert!(written.contains(&format!("better = {better}\n")), "{written}");

    // It changes what B* does; where nothing asks for it, it does not.
    let file = ["--odds-file", table.to_str().unwrap()];
    let any = ["--set", "bstar_odds=learned", "--set", "bstar_odds_table=any"];
    let tree = |more: &[&str]| -> Value {
        let (status, text, err) = analysed(more);
        assert_eq!(status, 0, "{err}");
        let found: Value = serde_json::from_str(&text).unwrap();
        found["tree"].clone()
    };
    let plain = tree(&[]);
    assert_eq!(plain, tree(&file), "a table that nothing goes by");
    assert_ne!(plain, tree(&[&file[..], &any].concat()));

    // What is there is not played again, and what is missing is.
    fs::remove_file(out.join("games/game-0003.csv")).unwrap();
    let resume = ["calibrate", "bstar", "--resume", out.to_str().unwrap(), "--json"];
    let (status, again, err) = secateur(&resume);
    assert_eq!(status, 0, "{err}");
    assert_eq!(again, text);
    let (status, text, err) = secateur(&resume[..4]);
    assert_eq!(status, 0, "{err}");
    assert!(text.contains("the straight line promised") && text.contains("SELECT"), "{text}");
    assert_eq!(text.contains("does NOT tell more"), !better);
    fs::remove_dir_all(&out).unwrap();
}

#[test]
fn a_run_that_is_killed_goes_on_and_comes_to_the_same() {
    let [whole, killed] = ["whole", "killed"].map(folder);
    assert_eq!(fitted(&whole, &["--concurrency", "1"]).0, 0);
    let path = killed.to_str().unwrap();
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_secateur"))
        .args([&QUICK[..], &["--concurrency", "1", "--out", path]].concat())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !killed.join("games/game-0001.csv").is_file() {
        assert!(begun.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(5));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let (status, _, err) = secateur(&["calibrate", "bstar", "--resume", path]);
    assert_eq!(status, 0, "{err}");
    let table = |folder: &Path| fs::read_to_string(folder.join("odds.toml")).unwrap();
    assert_eq!(table(&whole), table(&killed));
    fs::remove_dir_all(&whole).unwrap();
    fs::remove_dir_all(&killed).unwrap();
}

#[test]
fn a_table_that_does_not_fit_is_refused_in_one_line() {
    let out = folder("refused");
    fs::create_dir_all(&out).unwrap();
    let file = out.join("odds.toml");
    let path = file.to_str().unwrap();
    let table = |game: &str, evaluation: &str, better: bool| {
        let text = format!(
            "odds = '''\n5000 100\n'''\nversion = 2\ngame = \"{game}\"\nevaluation = \"{evaluation}\"\n\
             host = \"\"\nmade_by = \"\"\ngames = 2\nsamples = 9\ndeeper = 4\nlosses = [0.5, 0.6]\n\
             better = {better}\n[classes]\nhopes = []\ntargets = [50]\ndepths = []\nkinds = 1\n"
        );
        fs::write(&file, text).unwrap();
    };
    let learned = ["--set", "bstar_odds=learned", "--odds-file", path];
    let refused = |more: &[&str], why: &str| {
        let (status, _, err) = analysed(&[&learned[..], more].concat());
        assert_eq!(status, 2, "{err}");
        assert!(err.contains(why) && err.trim().lines().count() == 1, "{err}");
    };
    table("othello", "0", true);
    refused(&[], "fitted in othello, not in chess");
    table("chess", "00000000000000aa", true);
    refused(&[], "the evaluation 00000000000000aa");
    assert_eq!(analysed(&[&learned[..], &["--set", "bstar_odds_table=any"]].concat()).0, 0);
    // The evaluation at hand, as a refusal names it.
    let (_, _, err) = analysed(&learned);
    let own = err.split("this is ").nth(1).unwrap()[..16].to_string();
    table("chess", &own, true);
    assert_eq!(analysed(&learned).0, 0, "{own}");
    refused(&["--set", "bstar=palay"], "is for bstar=target");
    table("chess", &own, false);
    refused(&[], "tells no more than bstar_odds=linear");
    assert_eq!(analysed(&[&learned[..], &["--set", "bstar_odds_table=any"]].concat()).0, 0);
    fs::write(&file, "version = 1\nodds = \"\"\n").unwrap();
    refused(&[], "version 1 instead of 2");

    let (status, _, err) = secateur(&["calibrate", "bstar", "--each", "", "--out", path]);
    assert!(status == 2 && err.contains("only B* with a target"), "{status} {err}");
    let (status, _, err) = secateur(&["calibrate", "bstar", "--resume", out.to_str().unwrap()]);
    assert!(status != 0 && err.contains("run.toml"), "{status} {err}");
    fs::remove_dir_all(&out).unwrap();
}
