//! Plausible folders of runs that never were, for tests and for the eye: the same seed gives the
//! same folder.
#![allow(dead_code, reason = "each test file needs a part of it")]

use std::fs;
use std::path::{Path, PathBuf};

use secateur_lab::tune::Order;
use secateur_lab::tune::folder::Iteration;
use secateur_lab::tune::spsa::Spsa;
use secateur_search::random::SplitMix;
use serde_json::{Value, json};

/// A folder that is removed with the value.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// A new folder for a test of this name.
    pub(crate) fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("secateur-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Writes a file of the folder.
    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// From 0 to 1.
fn unit(random: &mut SplitMix) -> f64 {
    random.below(1 << 30) as f64 / f64::from(1 << 30)
}

/// Roughly normal, mean 0, deviation 1.
fn bell(random: &mut SplitMix) -> f64 {
    (0..12).map(|_| unit(random)).sum::<f64>() - 6.0
}

/// `run.toml` of a match between these engines.
pub(crate) fn match_toml(engines: &[&str], more: &str) -> String {
    let engines: String = engines
        .iter()
        .map(|name| format!("\n[[engines]]\nname = {name:?}\nspec = \"secateur\"\n"))
        .collect();
    format!("version = 1\nkind = \"match\"\nseed = 7\ntc = \"2+0.02\"\n{more}{engines}")
}

/// One game; a lead in Elo of who moves first, the opening's bias included.
pub(crate) fn game(
    random: &mut SplitMix,
    number: usize,
    pair: usize,
    sides: [&str; 2],
    lead: f64,
    opening: &str,
) -> Value {
    let expected = 1.0 / (1.0 + 10_f64.powf(-lead / 400.0));
    let draws = 0.55 * expected.min(1.0 - expected) * 2.0;
    let drawn = unit(random);
    let points = if drawn < expected - draws / 2.0 {
        1.0
    } else if drawn < expected + draws / 2.0 {
        0.5
    } else {
        0.0
    };
    let plies = (70.0 + 26.0 * bell(random) + if points == 0.5 { 30.0 } else { 0.0 }) as i64;
    let plies = plies.clamp(18, 300) as usize;
    let files = ["a", "b", "c", "d", "e", "f", "g", "h"];
    let mut square = || format!("{}{}", files[random.below(8)], 1 + random.below(8));
    let moves: Vec<String> = (0..plies).map(|_| square() + &square()).collect();
    let thought = plies - 8;
    let goal = (points - 0.5) * 900.0;
    let scores: Vec<Value> = (0..thought)
        .map(|index| {
            let part = index as f64 / thought as f64;
            let value = goal * part * part + 35.0 * bell(random);
            let value = if index % 2 == 0 { value } else { -value };
            if points != 0.5 && index + 4 > thought {
                json!(format!("mate {}", if value > 0.0 { 2 } else { -2 }))
            } else {
                json!(value as i64)
            }
        })
        .collect();
    let depths: Vec<i64> =
        (0..thought).map(|index| (9.0 + index as f64 / 22.0 + 1.2 * bell(random)) as i64).collect();
    let times: Vec<f64> = (0..thought)
        .map(|index| (60.0 * (-(index as f64) / 60.0).exp() * (1.0 + 0.3 * bell(random))).max(0.5))
        .map(|ms| (ms * 10.0).round() / 10.0)
        .collect();
    let nodes: Vec<u64> = times
        .iter()
        .enumerate()
        .map(|(index, ms)| (ms * if index % 2 == 0 { 1_450.0 } else { 1_220.0 }) as u64)
        .collect();
    let (reason, termination) = match (points == 0.5, random.below(40)) {
        (true, 0..18) => ("repetition", "normal"),
        (true, 18..26) => ("fifty moves", "normal"),
        (true, _) => ("adjudicated a draw", "adjudication"),
        (false, 0) => ("loses on time", "time forfeit"),
        (false, 1..16) => ("adjudicated a win", "adjudication"),
        (false, _) => ("checkmate", "normal"),
    };
    let fault = (termination == "time forfeit").then(|| {
        let loser = if points == 1.0 { sides[1] } else { sides[0] };
        json!({
            "engine": loser,
            "what": "used 75 ms of the 40 ms it had",
            "output": ["info depth 9 score cp 31 nodes 40000", "bestmove <none>"],
            "errors": ["warning: the table is full"],
        })
    });
    let result = if points == 1.0 {
        "1-0"
    } else if points == 0.5 {
        "1/2-1/2"
    } else {
        "0-1"
    };
    json!({
        "game": number, "pair": pair, "first": sides[0], "second": sides[1], "opening": opening,
        "start": null, "moves": moves, "opening_plies": 8, "result": result,
        "points": [points, 1.0 - points], "reason": reason, "termination": termination,
        "fault": fault, "scores": scores, "depths": depths, "times_ms": times, "nodes": nodes,
        "began": 1_700_000_000.5 + number as f64,
        "seconds": (times.iter().sum::<f64>() / 10.0).round() / 100.0,
    })
}

/// The names of openings.
pub(crate) fn opening(number: usize) -> String {
    let names =
        ["Ruy Lopez", "Sicilian, Najdorf", "Caro-Kann", "Queen's Gambit", "Grünfeld", "French"];
    format!("{} {}", names[number % names.len()], number / names.len() + 1)
}

/// A match of two engines, the lines of its games.
pub(crate) fn duel(seed: u64, games: usize, names: [&str; 2], lead: f64) -> Vec<String> {
    let mut random = SplitMix::new(seed);
    let mut lines = Vec::new();
    for number in 0..games {
        let pair = number / 2;
        // What an opening gives depends on the opening alone.
        let bias = 35.0 + 90.0 * bell(&mut SplitMix::new(seed ^ (pair as u64 * 7_919)));
        let (sides, lead) = match number % 2 {
            0 => (names, lead + bias),
            _ => ([names[1], names[0]], bias - lead),
        };
        let line = game(&mut random, number, pair, sides, lead, &opening(pair));
        lines.push(line.to_string());
    }
    // Two games at once: neighbours finish in any order.
    for index in (1..lines.len()).step_by(3) {
        lines.swap(index - 1, index);
    }
    lines
}

/// Everyone against everyone; the strengths in Elo.
pub(crate) fn round_robin(seed: u64, pairs: usize, engines: &[(&str, f64)]) -> Vec<String> {
    let mut random = SplitMix::new(seed);
    let mut lines = Vec::new();
    for pair in 0..pairs {
        for first in 0..engines.len() {
            for second in first + 1..engines.len() {
                let (a, b) = (engines[first], engines[second]);
                for (one, other) in [(a, b), (b, a)] {
                    let (number, lead) = (lines.len(), one.1 - other.1 + 30.0);
                    let sides = [one.0, other.0];
                    lines.push(
                        game(&mut random, number, pair, sides, lead, &opening(pair)).to_string(),
                    );
                }
            }
        }
    }
    lines
}

/// Suites tried by engines; the skill shortens the time to a solution.
pub(crate) fn suites(seed: u64, positions: usize, engines: &[(&str, f64)]) -> Vec<String> {
    let mut random = SplitMix::new(seed);
    let mut lines = Vec::new();
    for (suite, scale) in [("wac", 2.2), ("sts & more", 3.4)] {
        for number in 1..=positions {
            let hard = 10_f64.powf(scale + 1.1 * bell(&mut random));
            for (engine, skill) in engines {
                let needed = hard / skill * 10_f64.powf(0.35 * bell(&mut random));
                let (solved, limit) = (needed < 5_000.0, 5_000.0);
                let time = if solved { (needed * 1.6).min(limit) } else { limit };
                let rate = 1_100.0 * skill;
                lines.push(
                    json!({
                        "engine": engine, "suite": suite, "number": number,
                        "id": format!("{}.{number:03}", suite.to_uppercase()),
                        "position": "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -",
                        "solved": solved, "points": if solved { 10 } else { random.below(7) }, "most": 10,
                        "move": if solved { "Qg6" } else { "Nxd7" }, "wanted": "Qg6",
                        "score": if random.below(6) == 0 { json!("mate 3") } else { json!(random.below(400)) },
                        "depth": 6 + (time.ln() as i64), "nodes": (time * rate) as u64,
                        "time_ms": time as u64,
                        "solution_ms": solved.then_some(needed as u64),
                        "solution_depth": solved.then_some(7),
                        "solution_nodes": solved.then_some((needed * rate) as u64),
                        "fault": (random.below(150) == 0).then_some("did not answer in time"),
                    })
                    .to_string(),
                );
            }
        }
    }
    lines
}

/// Lines as a file.
pub(crate) fn file(lines: &[String]) -> String {
    lines.iter().map(|line| line.clone() + "\n").collect()
}

/// What is tuned in a made-up tuning: name, untuned value, best value.
pub(crate) const TUNED: [(&str, i32, i32); 3] =
    [("futility.base", 80, 130), ("futility.slope", 100, 85), ("razoring.margin", 300, 300)];

/// `run.toml` and `iterations.jsonl` of a tuning in which the nearer set is the better one; the
/// last parameter does not matter.
pub(crate) fn tuning(seed: u64, iterations: u64) -> (String, String) {
    let mut toml = format!(
        "kind = \"tune\"\ngame = \"chess\"\neach = \"hash=4\"\nnodes = 3000\n\
         iterations = {iterations}\npairs = 4\nseed = {seed}\nrate = 0.1\n"
    );
    for (name, start, _) in TUNED {
        let step = start / 10;
        toml += &format!(
            "\n[[parameters]]\nname = {name:?}\nstart = {start}\nmin = 0\nmax = 900\nstep = {step}\n"
        );
    }
    let order = Order::parse(&toml).unwrap();
    let (mut spsa, mut random) = (Spsa::new(&order), SplitMix::new(seed));
    let height = |set: &[i32]| -> f64 {
        let far = |index: usize| f64::from(set[index] - TUNED[index].2) / 60.0;
        -100.0 * (far(0) * far(0) + far(1) * far(1))
    };
    let mut lines = String::new();
    for iteration in 1..=iterations {
        let proposal = spsa.propose();
        let elo = height(&proposal.first) - height(&proposal.second);
        let won = (0..8).map(|_| {
            let expected = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
            let drawn = unit(&mut random);
            if drawn < expected - 0.2 {
                0.5
            } else if drawn < expected + 0.2 {
                0.0
            } else {
                -0.5
            }
        });
        let won = won.sum();
        spsa.learn(&proposal, won);
        let line = Iteration {
            iteration,
            won,
            values: spsa.values().to_vec(),
            first: Some(proposal.first),
            second: Some(proposal.second),
        };
        lines += &format!("{}\n", serde_json::to_string(&line).unwrap());
    }
    (toml, lines)
}
