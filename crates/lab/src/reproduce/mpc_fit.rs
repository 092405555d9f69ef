//! mpc-fit: how shallow values tell deep ones in the papers' host (Jiang and Buro, 2003, Table 1).

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::bail;
use secateur_games::playable::Playable;
use serde_json::{Value, json};

use super::outcome::{Outcome, Table};
use super::setting::Setting;
use crate::calibrate::line::{Line, Values, Window, gather, line, points};
use crate::calibrate::measure::{Host, described, measure};
use crate::calibrate::table::{Pairs, Recipe, fit};
use crate::calibrate::{KIND, Order, Source, rows};
use crate::whole_file;

/// What the paper gives of a pair: stage, depths, a, b, sigma, r.
struct Row {
    stage: usize,
    depths: [usize; 2],
    a: f64,
    b: f64,
    sigma: f64,
    r: f64,
}

/// Table 1.
const PAPER: [Row; 4] = [
    Row { stage: 0, depths: [3, 5], a: 0.998, b: -7.0, sigma: 55.8, r: 0.90 },
    Row { stage: 1, depths: [3, 5], a: 1.026, b: -4.1, sigma: 51.8, r: 0.94 },
    Row { stage: 0, depths: [4, 8], a: 1.02, b: 2.36, sigma: 82.0, r: 0.82 },
    Row { stage: 1, depths: [4, 8], a: 1.11, b: 1.75, sigma: 75.0, r: 0.90 },
];

/// The pairs of the paper's Multi-ProbCut, for which it prints no numbers.
const MORE: [[usize; 2]; 4] = [[2, 6], [3, 7], [3, 9], [4, 10]];

/// Values beyond this are left out in Table 1.
const WIDEST: f64 = 300.0;
/// The same for the other window whose effect the paper tells, by the shallow value.
const WIDER: f64 = 1_000.0;

/// Games of masters, if they are at hand: the paper took positions of tournaments.
const GAMES: [&str; 5] =
    ["Anand.pgn", "Capablanca.pgn", "Carlsen.pgn", "Karpov.pgn", "Kasparov.pgn"];

/// The papers' host.
const HOST: &str = "preset=classic";

pub(super) fn run<G: Playable>(setting: &Setting) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::default();
    let Measured { order, positions, .. } = measured::<G>(setting)?;
    outcome.notes.push(match order.files.len() {
        0 => "positions of games of the engine against itself".to_string(),
        many => format!("positions of the games of {many} files"),
    });
    let (count, depth) = (positions.len(), order.max_depth);
    outcome.notes.push(format!("{count} positions, searched {depth} plies deep"));
    tables(&mut outcome, &positions);
    Ok(outcome)
}

/// The table of the papers' pairs, fitted to what was measured, for experiments that cut by it.
pub(super) fn fitted_table<G: Playable>(setting: &Setting) -> anyhow::Result<PathBuf> {
    let Measured { order, recipe, positions, folder } = measured::<G>(setting)?;
    let findings = fit(&positions, &recipe, &order.unrest);
    if findings.chosen().next().is_none() {
        bail!("too few positions for a table of cuts: a larger --scale");
    }
    let text = findings.table::<G>(&order, &recipe, "secateur reproduce").write();
    let path = folder.join("cuts.toml");
    whole_file::write(&path, |out| Ok(out.write_all(text.as_bytes())?))?;
    Ok(path)
}

/// What was measured, and where it is kept.
struct Measured {
    order: Order,
    recipe: Recipe,
    positions: Vec<Values>,
    folder: PathBuf,
}

/// Every position at every depth, in the folder of the run.
fn measured<G: Playable>(setting: &Setting) -> anyhow::Result<Measured> {
    if G::STAGES != 2 {
        bail!("the paper is about a game of two stages, and {} has {}", G::NAME, G::STAGES);
    }
    let files: Vec<PathBuf> =
        GAMES.iter().filter_map(|name| setting.find_below("chess/games", name)).collect();
    // The deepest pair takes most of the time.
    let max_depth = if setting.scale >= 1.0 { 10 } else { 8 };
    let (host, evaluation) = described::<G>(HOST)?;
    let order = Order {
        kind: KIND.to_string(),
        game: G::NAME.to_string(),
        source: Source::Paper,
        files,
        positions: setting.scaled(2_700, 100),
        per_game: 4,
        max_depth,
        each: HOST.to_string(),
        host,
        evaluation,
        play_nodes: 2_000,
        root_depth: max_depth + 3,
        unrest: Vec::new(),
        ends: 0,
        seed: 1,
    };
    let host = Host::<G>::prepare(&order)?;
    let folder = setting.folder.join("fit");
    if !folder.join("run.toml").is_file() {
        order.begin(&folder)?;
    } else if Order::read(&folder)? != order {
        bail!(
            "{} was begun otherwise: other files are at hand, or another program",
            folder.display()
        );
    }
    let window = Window::Shallow(WIDER);
    let recipe = Recipe { pairs: Pairs::Paper, window, threshold: 1.0, beyond: 0 };
    recipe.write(&folder)?;
    let threads = NonZeroUsize::new(setting.concurrency).unwrap_or(NonZeroUsize::MIN);
    if measure(&order, &host, &folder, threads)? {
        setting.raise();
    }
    setting.demand_time()?;
    let positions = gather(&rows::load(&folder)?);
    Ok(Measured { order, recipe, positions, folder })
}

fn fitted(positions: &[Values], stage: usize, depths: [usize; 2], window: Window) -> Option<Line> {
    let here = positions.iter().filter(|position| position.stage == stage);
    line(&points(here, depths[0], depths[1], window).points)
}

fn tables(outcome: &mut Outcome, positions: &[Values]) {
    let mut table = Table::new(
        "Table 1: the deep value from the shallow one, in hundredths of a pawn; |v| up to 300",
        &["pair", "stage", "paper: a", "b", "sigma", "r", "ours: a", "b", "sigma", "r", "n"],
    );
    let figure = |depths: [usize; 2], stage: usize, line: Option<&Line>, window: &str| {
        let number = |of: fn(&Line) -> f64| line.map(of);
        json!({
            "pair": depths, "stage": stage, "a": number(|line| line.a), "b": number(|line| line.b),
            "sigma": number(|line| line.sigma), "r": number(|line| line.r),
            "n": line.map(|line| line.n), "window": window,
        })
    };
    let (mut paper, mut ours): (Vec<Value>, Vec<Value>) = (Vec::new(), Vec::new());
    let cells = |line: Option<&Line>| match line {
        Some(line) => [
            format!("{:.3} +- {:.3}", line.a, 1.96 * line.a_error),
            format!("{:+.1}", line.b),
            format!("{:.1}", line.sigma),
            format!("{:.2}", line.r),
            line.n.to_string(),
        ],
        None => std::array::from_fn(|_| String::new()),
    };
    let name = |stage: usize| if stage == 0 { "middle" } else { "end" };
    for Row { stage, depths, a, b, sigma, r } in PAPER {
        let line = fitted(positions, stage, depths, Window::Deep(WIDEST));
        let mut row = vec![
            format!("({}, {})", depths[0], depths[1]),
            name(stage).to_string(),
            a.to_string(),
            format!("{b:+}"),
            sigma.to_string(),
            format!("{r:.2}"),
        ];
        row.extend(cells(line.as_ref()));
        table.add(row);
        paper.push(json!({
            "pair": depths, "stage": stage, "a": a, "b": b, "sigma": sigma, "r": r,
            "n": Value::Null,
        }));
        ours.push(figure(depths, stage, line.as_ref(), "deep 300"));
    }
    outcome.tables.push(table);

    let mut table = Table::new(
        "Every pair of the paper's Multi-ProbCut, |v'| up to 1000",
        &["pair", "stage", "a", "b", "sigma", "r", "n"],
    );
    for depths in [[3, 5], [4, 8]].into_iter().chain(MORE) {
        for stage in 0..2 {
            let line = fitted(positions, stage, depths, Window::Shallow(WIDER));
            if line.is_none() {
                continue;
            }
            let pair = format!("({}, {})", depths[0], depths[1]);
            let mut row = vec![pair, name(stage).to_string()];
            row.extend(cells(line.as_ref()));
            table.add(row);
            if MORE.contains(&depths) {
                ours.push(figure(depths, stage, line.as_ref(), "shallow 1000"));
            }
        }
    }
    table.remark =
        "The paper tells of (4, 8) that the wider window makes the slope 1.13 instead of 1.07 \
                    and sigma 103 instead of 83, both stages together."
            .to_string();
    outcome.tables.push(table);
    checks(outcome, positions);
    outcome.keys.push(("paper", paper.into()));
    outcome.keys.push(("ours", ours.into()));
}

/// With fewer positions chance decides.
const ENOUGH: usize = 500;

fn checks(outcome: &mut Outcome, positions: &[Values]) {
    if positions.len() < ENOUGH {
        outcome.notes.push(format!("nothing is checked by fewer than {ENOUGH} positions"));
        return;
    }
    let own = |stage, depths| fitted(positions, stage, depths, Window::Deep(WIDEST));
    for stage in 0..2 {
        let (Some(near), Some(far)) = (own(stage, [3, 5]), own(stage, [4, 8])) else {
            outcome.notes.push(format!("too few positions of stage {stage} for its checks"));
            continue;
        };
        outcome.check(
            format!("the further pair is the vaguer one, stage {stage}"),
            format!("sigma {:.1} of (3, 5), {:.1} of (4, 8)", near.sigma, far.sigma),
            far.sigma > near.sigma,
        );
        outcome.check(
            format!("shallow values tell deep ones, stage {stage}"),
            format!("r {:.2} and {:.2}", near.r, far.r),
            near.r > 0.7 && far.r > 0.7,
        );
    }
    let all = |window| line(&points(positions.iter(), 4, 8, window).points);
    if let (Some(narrow), Some(wide)) = (all(Window::Deep(WIDEST)), all(Window::Shallow(WIDER))) {
        outcome.check(
            "the wider window makes the slope steeper and the errors larger, (4, 8)",
            format!(
                "slope {:.2} and {:.2}, sigma {:.0} and {:.0}",
                narrow.a, wide.a, narrow.sigma, wide.sigma
            ),
            wide.a > narrow.a && wide.sigma > narrow.sigma,
        );
    }
}
