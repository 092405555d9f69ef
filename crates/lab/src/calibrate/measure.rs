//! Every position at every depth: positions of games as roots, nodes inside searches where they stand. A game is one
//! piece of work: its positions are drawn, searched and written together, so that a run that was killed goes on
//! where it was.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, bail};
use secateur_games::playable::{GameEngine, Playable, new_engine, use_weights};
use secateur_games::record::Record;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Limits, Report};
use secateur_search::alphabeta::table::Bound;
use secateur_search::calibrate::cuts::evaluation_name;
use secateur_search::random::SplitMix;
use secateur_search::solve::Room;
use secateur_search::{Band, Evaluator, Score, Settings, Solver, Stopped};

use super::interior::{self, Place};
use super::positions::{Games, draw};
use super::rows::{self, Kind, Row, RowFile};
use super::{Order, Source};
use crate::engine::own::{overlay, weights};
use crate::engine::{EngineSettings, EngineSpec, apply_each};
use crate::progress::Progress;
use crate::{in_order, interrupt};

/// The engine that an order asks for, and where its positions come from.
pub struct Host<G: Playable> {
    spec: EngineSpec,
    settings: Settings,
    games: Games<G>,
}

impl<G: Playable> Host<G> {
    /// Checks the order before anything is written.
    pub fn prepare(order: &Order) -> anyhow::Result<Host<G>> {
        let spec = spec(&order.each)?;
        let mut settings = overlay(&spec)?.served_by::<G>()?;
        if settings.wants_cuts().any() {
            bail!("--each: cuts are measured without cuts: leave out what goes by a table of them");
        }
        // A window that has failed is searched again less deep: the value of a depth is to be its own.
        settings.set("aspiration", "off")?;
        if order.source == Source::Interior && order.root_depth <= order.max_depth {
            let (root, deep) = (order.root_depth, order.max_depth);
            bail!("searches to depth {root} have no nodes of depth {deep} inside");
        }
        let games = Games::open(&order.files, order.play_nodes, order.seed)?;
        let host: Host<G> = Host { spec, settings, games };
        let evaluation = evaluation_name(Evaluator::<G>::identity(host.engine()?.evaluator()));
        if evaluation != order.evaluation {
            bail!(
                "the run was begun with the evaluation {}, and this is {evaluation}: values of both do \
                 not go together",
                order.evaluation
            );
        }
        Ok(host)
    }

    fn engine(&self) -> anyhow::Result<GameEngine<G>> {
        let mut engine = new_engine::<G>();
        if let Some(weights) = weights(&self.spec)? {
            use_weights(&mut engine, &weights);
        }
        engine.set_settings(self.settings.clone());
        if let Some(mebibytes) = self.spec.settings.hash {
            engine.set_table(mebibytes as usize)?;
        }
        Ok(engine)
    }
}

fn spec(each: &str) -> anyhow::Result<EngineSpec> {
    let mut specs = vec![EngineSpec::parse("secateur")?];
    apply_each(&mut specs, &EngineSettings::parse(each).context("--each")?)?;
    let spec = specs.remove(0);
    if spec.settings.cuts.is_some() {
        bail!("--each: cuts are measured without cuts: leave out cuts=");
    }
    Ok(spec)
}

/// The host of an order, and the identity of its evaluation, as `run.toml` keeps them.
pub fn described<G: Playable>(each: &str) -> anyhow::Result<(String, String)> {
    described_as::<G>(&spec(each)?)
}

/// The same of an engine's description.
pub(crate) fn described_as<G: Playable>(spec: &EngineSpec) -> anyhow::Result<(String, String)> {
    let mut host = format!("preset={}", overlay(spec)?.preset());
    for (name, value) in &spec.settings.parameters {
        host += &format!(" {name}={value}");
    }
    let weights = weights::<G>(spec)?;
    let evaluator = G::evaluator(weights.as_ref().unwrap_or(G::embedded_weights()));
    Ok((host, evaluation_name(evaluator.identity())))
}

/// Goes on until there are as many positions as wanted, there are no more games, or it is stopped.
/// Whether it was stopped.
pub fn measure<G: Playable>(
    order: &Order,
    host: &Host<G>,
    folder: &Path,
    threads: NonZeroUsize,
) -> anyhow::Result<bool> {
    if rows::is_done(folder, order.positions) {
        return Ok(false);
    }
    let (mut file, rows) = RowFile::open(folder)?;
    let count = |rows: &[Row]| rows.iter().filter(|row| row.depth == 0).count() as u64;
    let mut positions = count(&rows);
    let first = rows.last().map_or(0, |row| row.game as usize + 1);
    drop(rows);
    let many = host.games.count().map_or(usize::MAX, |count| count.saturating_sub(first));
    let progress = Progress::new(order.positions as usize, "positions");
    progress.resume(positions);
    let control = Arc::new(Control::default());
    interrupt::stops(&control);
    let more_wanted = positions < order.positions;
    let mut outcome = Ok(());
    let mut enough = false;
    let mut take = |rows: Option<anyhow::Result<Vec<Row>>>| {
        let Some(rows) = rows else { return ControlFlow::Break(()) };
        outcome = rows.and_then(|rows| {
            positions += count(&rows);
            file.add(&rows)
        });
        progress.reach(positions);
        match outcome.is_ok() && positions < order.positions {
            true => ControlFlow::Continue(()),
            false => {
                enough = true;
                // What the other threads are at is of no use any more.
                control.stop();
                ControlFlow::Break(())
            }
        }
    };
    if more_wanted {
        in_order::run(
            threads,
            many,
            || host.engine(),
            |engine, number| match engine {
                Ok(engine) => game(order, host, engine, first + number, &control).map(Ok),
                Err(error) => Some(Err(anyhow::anyhow!("{error:#}"))),
            },
            &mut take,
        )?;
    }
    interrupt::ends();
    progress.finish();
    outcome?;
    Ok(control.is_stopped() && !enough)
}

/// The rows of one game; `None` if it was stopped.
fn game<G: Playable>(
    order: &Order,
    host: &Host<G>,
    engine: &mut GameEngine<G>,
    number: usize,
    control: &Control,
) -> Option<Vec<Row>> {
    let seed = SplitMix::new(order.seed ^ (number as u64) << 20).next_u64();
    let mut random = SplitMix::new(seed);
    let record = host.games.game(number, engine, &mut random, control)?;
    let mut rows: Vec<Row> = Vec::new();
    let (_, mut solver) = G::equip();
    for root in draw(&host.games, &record, order.per_game, &mut random) {
        if order.source == Source::Interior {
            let (depths, seed) = ([1, order.max_depth], random.next_u64());
            let nodes = interior::nodes(&root, engine, order.root_depth, depths, seed, control)?;
            for node in nodes {
                let drawn = &node.drawn;
                // Of a single ply no pair can be made.
                if drawn.depth < 2 && drawn.place == Place::Survived {
                    continue;
                }
                let mut add = adding(&mut rows, number, &node.position, Some(drawn.beta));
                let many = if drawn.place == Place::Survived { order.unrest.len() } else { 0 };
                let guess = (drawn.measured.guess, 0);
                add(0, guess, &drawn.measured.unrest[..many]);
                for one in &drawn.measured.searches {
                    add(one.depth, (one.value, one.nodes), &[]);
                }
            }
        }
        let position = root.position();
        // What the solver knows is never searched.
        if engine.solver().takes(position) {
            continue;
        }
        // Beside nodes only what the solver is asked about is of use.
        let plies = solver.plies_to_end(position).filter(|plies| *plies <= order.ends);
        if order.source == Source::Interior && plies.is_none() {
            continue;
        }
        let values = values(engine, &root, order.max_depth, control)?;
        {
            let mut add = adding(&mut rows, number, position, None);
            (0..).zip(values).for_each(|(depth, value)| add(depth, value, &[]));
        }
        if let Some(plies) = plies {
            let mut nodes = 0;
            let mut tick = |made: u64| {
                nodes += made;
                if control.is_stopped() { Err(Stopped) } else { Ok(()) }
            };
            let (low, high) = (-Score::INFINITE, Score::INFINITE);
            let solved = solver.solve(position, low, high, Room::ANY, &mut tick).ok()?;
            if let (Some(value), Some(last)) = (solved, rows.last()) {
                let (value, kind) = (units(value).0, Kind::End);
                rows.push(Row { depth: plies, value, kind, nodes, ..last.clone() });
            }
        }
    }
    Some(rows)
}

/// Adds rows of one position: a depth, its value and nodes, and how uneasy it is.
fn adding<'a, G: Playable>(
    rows: &'a mut Vec<Row>,
    game: usize,
    position: &'a G,
    beta: Option<i32>,
) -> impl FnMut(i32, (Score, u64), &[i32]) + 'a {
    let place = rows.last().map_or(0, |row| row.position + 1);
    move |depth, (value, nodes), unrest| {
        let (value, kind) = units(value);
        rows.push(Row {
            game: game as u64,
            position: place,
            stage: position.stage(),
            category: position.category(),
            depth,
            value,
            kind,
            nodes,
            beta,
            unrest: unrest.to_vec(),
            text: position.write_position(),
        });
    }
}

/// The evaluation and the value of every depth, each with the nodes it took. `None` if it was stopped.
fn values<G: Playable>(
    engine: &mut GameEngine<G>,
    record: &Record<G>,
    depth: i32,
    control: &Control,
) -> Option<Vec<(Score, u64)>> {
    engine.new_game();
    let (position, line) = (record.position(), record.line());
    let mut evaluator = engine.evaluator().clone();
    evaluator.start(position);
    let mut found = vec![(evaluator.evaluate(0, position), 0)];
    let counter = Arc::clone(&engine.node_counters()[0]);
    let mut before = 0;
    let mut report = |report: &Report<'_, G::Move>| {
        let is_next = report.depth.plies() as usize == found.len();
        if report.bound == Bound::Exact && report.line_number == 1 && is_next {
            let nodes = counter.load(std::sync::atomic::Ordering::Relaxed);
            found.push((report.score, nodes - before));
            before = nodes;
        }
    };
    let limits = Limits::depth(depth);
    engine.search_here(position, line, &limits, Instant::now(), control, &mut report);
    (!control.is_stopped()).then_some(found)
}

/// A value as a row has it.
fn units(score: Score) -> (i32, Kind) {
    match score.band() {
        Band::Heuristic(value) => (value, Kind::Guess),
        Band::Final(points) => (points, Kind::Final),
        Band::Tablebase(_) | Band::Mate { .. } => (score.value().signum(), Kind::Mate),
    }
}
