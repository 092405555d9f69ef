//! Everything that was found, and the table that the engine loads.

use std::fs;
use std::path::Path;

use anyhow::Context;
use secateur_games::playable::Playable;
use secateur_search::calibrate::cuts::{Cuts, DEEPEST, FORMAT, Function, Pair};
use secateur_search::calibrate::unrest::Unrest;
use serde::{Deserialize, Serialize};

use super::choose::{Depths, PAPER, Saving, best, costs, saving};
use super::function::From;
use super::held_out::{HeldOut, PARTS, Pooled, held_out, part, pooled};
use super::line::{Line, Point, Values, Window, line, points};
use super::unrest::{self, Uneasy, factor};
use super::{Order, function};
use crate::whole_file;

/// Which pairs go into the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pairs {
    /// Those of Jiang and Buro.
    Paper,
    /// Of each deep depth the one that saves most.
    Chosen,
}

/// How the table is made of what was measured; `fit.toml` keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Which pairs go into it.
    pub pairs: Pairs,
    /// Which values are left out.
    pub window: Window,
    /// How many deviations beyond the window.
    pub threshold: f64,
}

const RECIPE: &str = "fit.toml";

impl Recipe {
    /// Writes down how the table of a run was made.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let text = toml::to_string(self).context(RECIPE)?;
        whole_file::write(&folder.join(RECIPE), |out| Ok(out.write_all(text.as_bytes())?))
    }

    /// Whether a run in this folder has written it down.
    pub fn is_kept(folder: &Path) -> bool {
        folder.join(RECIPE).is_file()
    }

    /// How that of the run in this folder was made.
    pub fn read(folder: &Path) -> anyhow::Result<Recipe> {
        let path = folder.join(RECIPE);
        let text = fs::read_to_string(&path).with_context(|| format!("{}", path.display()))?;
        toml::from_str(&text).with_context(|| format!("{}", path.display()))
    }
}

/// What was found of one pair at one stage and category.
#[derive(Clone, Debug)]
pub struct Found {
    /// The stage.
    pub stage: usize,
    /// The category.
    pub category: usize,
    /// The pair.
    pub depths: Depths,
    /// The line.
    pub line: Line,
    /// Whether it holds elsewhere.
    pub held_out: Option<HeldOut>,
    /// What it saves.
    pub saving: Saving,
    /// Whether it is in the table.
    pub chosen: bool,
    /// Positions whose value the deep search proved and the shallow did not, and all that the shallow one
    /// did not prove.
    pub missed: [usize; 2],
    /// Positions left out because their value lies beyond the window.
    pub beyond: usize,
    /// The points.
    pub points: Vec<Point>,
}

/// Everything.
#[derive(Clone, Debug)]
pub struct Findings {
    /// By stage, category and pair.
    pub pairs: Vec<Found>,
    /// The function for every pair.
    pub function: Option<Function>,
    /// The same from the evaluation without a search. Nodes inside searches are what cuts by it have
    /// left over, so there it is not fitted.
    pub guess: Option<Function>,
    /// The deviation of the value at the end of the game, where that was solved.
    pub end: Option<Function>,
    /// What unrest does to the deviation of the pairs.
    pub unrest: Option<Unrest>,
    /// How likely the truth is by each of these.
    pub likelihoods: Option<Likelihoods>,
    /// Mean nodes of a search to each depth.
    pub costs: Vec<f64>,
    /// Positions.
    pub positions: usize,
    /// Games.
    pub games: usize,
}

/// The mean logarithm of the density of the truth over the pairs of the table, by what was fitted to other
/// games.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Likelihoods {
    /// By their lines.
    pub lines: f64,
    /// By one function of all pairs, about the shallow value.
    pub function: f64,
    /// By their lines, with the deviation that unrest makes of theirs.
    pub unrest: Option<f64>,
}

/// Fits everything that there is enough of. `kinds` are the kinds of unrest.
///
/// Where nodes inside searches were measured, pairs are theirs; the positions of games beside them tell how
/// far guesses are to be trusted, which nodes that cuts by guesses have left over do not.
pub fn fit(all_positions: &[Values], recipe: &Recipe, kinds: &[String]) -> Findings {
    let kinds: &[&str] = &kinds.iter().map(String::as_str).collect::<Vec<_>>();
    let (nodes, of_games): (Vec<&Values>, Vec<&Values>) =
        all_positions.iter().partition(|position| position.beta.is_some());
    let positions: &[&Values] = if nodes.is_empty() { &of_games } else { &nodes };
    let deepest = positions.iter().map(|position| position.by_depth.len()).max().unwrap_or(0);
    let mut pairs = Vec::new();
    let many = |of: fn(&Values) -> usize| {
        positions.iter().map(|position| of(position)).max().map_or(0, |most| most + 1)
    };
    for stage in 0..many(|position| position.stage) {
        for category in 0..many(|position| position.category) {
            let is_here =
                |position: &&Values| (position.stage, position.category) == (stage, category);
            let here: Vec<&Values> = positions.iter().copied().filter(is_here).collect();
            let costs = costs(&here);
            let mut found = Vec::new();
            for deep in 2..deepest {
                for shallow in 1..deep {
                    let depths = [shallow, deep];
                    found.extend(pair(&here, stage, category, depths, &costs, recipe));
                }
            }
            let savings: Vec<Saving> = found
                .iter()
                .filter(|found: &&Found| found.line.a > FLATTEST)
                .map(|found| found.saving)
                .collect();
            let wanted = match recipe.pairs {
                Pairs::Paper => PAPER.to_vec(),
                Pairs::Chosen => best(&savings),
            };
            for found in &mut found {
                found.chosen = wanted.contains(&found.depths) && found.line.a > FLATTEST;
            }
            pairs.extend(found);
        }
    }
    let mut games: Vec<u64> = positions.iter().map(|position| position.game).collect();
    games.sort_unstable();
    games.dedup();
    let chosen: Vec<&Found> = pairs.iter().filter(|found| found.chosen).collect();
    Findings {
        likelihoods: likelihoods(positions, &chosen, recipe.window, kinds),
        unrest: unrest::fit(&uneasy(&chosen, |_| true), kinds),
        function: function::fit(positions, From::Searches, recipe.window),
        guess: function::fit(&of_games, From::Guesses, recipe.window),
        end: function::fit(&of_games, From::End, recipe.window),
        pairs,
        costs: costs(positions),
        positions: positions.len(),
        games: games.len(),
    }
}

/// The errors of pairs about their lines, where it is known how uneasy the position is, of some games.
fn uneasy(chosen: &[&Found], wanted: impl Fn(u64) -> bool) -> Vec<Uneasy> {
    let of_pair = |found: &&Found| -> Vec<Uneasy> {
        let points = found.points.iter().filter(|point| wanted(point.game));
        let one = |point: &Point| {
            let amounts = point.unrest?;
            let line = &found.line;
            Some(Uneasy { error: line.error_of(point), above: line.is_above(point), amounts })
        };
        points.filter_map(one).collect()
    };
    chosen.iter().flat_map(of_pair).collect()
}

/// The logarithm of the density of an error in deviations.
fn density(error: f64, deviation: f64) -> f64 {
    -0.5 * error * error - deviation.ln() - 0.5 * std::f64::consts::TAU.ln()
}

/// A line that is flatter tells nothing.
const FLATTEST: f64 = 0.05;

/// How likely the truth is by the lines of these pairs, by a function and by unrest, on the same points,
/// each judged by what was fitted to other games.
fn likelihoods(
    positions: &[&Values],
    chosen: &[&Found],
    window: Window,
    kinds: &[&str],
) -> Option<Likelihoods> {
    let (mut by_lines, mut by_function, mut count) = (0.0, 0.0, 0.0);
    let mut by_unrest = Some(0.0);
    for number in 0..PARTS {
        let others: Vec<&Values> =
            positions.iter().copied().filter(|position| part(position.game) != number).collect();
        let function = function::fit(&others, From::Searches, window)?;
        let elsewhere = |game: u64| part(game) != number;
        let mut seen: Vec<Uneasy> = Vec::new();
        let mut lines: Vec<Line> = Vec::new();
        let mut judged: Vec<(usize, &Point)> = Vec::new();
        for found in chosen {
            let [shallow, deep] = found.depths.map(|depth| depth as i32);
            let sigma = function.sigma(found.stage, shallow, deep);
            let (others, own): (Vec<Point>, Vec<Point>) =
                found.points.iter().copied().partition(|point| elsewhere(point.game));
            for point in &own {
                by_function += density((point.deep - point.shallow) / sigma, sigma);
            }
            let line = line(&others)?;
            let one = |point: &Point| {
                let (error, above) = (line.error_of(point), line.is_above(point));
                Some(Uneasy { error, above, amounts: point.unrest? })
            };
            seen.extend(others.iter().filter_map(one));
            let here = found.points.iter().filter(|point| !elsewhere(point.game));
            judged.extend(here.map(|point| (lines.len(), point)));
            lines.push(line);
        }
        let fitted = unrest::fit(&seen, kinds);
        by_unrest = by_unrest.zip(fitted).and_then(|(sum, fitted)| {
            let one = |(number, point): &(usize, &Point)| {
                let (line, factor) = (&lines[*number], factor(&fitted.kinds, &point.unrest?));
                Some(density(line.error_of(point) / factor, line.sigma * factor))
            };
            Some(sum + judged.iter().map(one).sum::<Option<f64>>()?)
        });
    }
    for found in chosen {
        let held = found.held_out.as_ref()?;
        by_lines += held.likelihood * held.n as f64;
        count += held.n as f64;
    }
    (count > 0.0).then_some(Likelihoods {
        lines: by_lines / count,
        function: by_function / count,
        unrest: by_unrest.map(|sum| sum / count),
    })
}

fn pair(
    here: &[&Values],
    stage: usize,
    category: usize,
    depths: Depths,
    costs: &[f64],
    recipe: &Recipe,
) -> Option<Found> {
    let [shallow, deep] = depths;
    let found = points(here.iter().copied(), shallow, deep, recipe.window);
    let fitted = line(&found.points)?;
    let all = found.points.len() + found.beyond + found.proven.len();
    Some(Found {
        stage,
        category,
        depths,
        saving: saving(depths, &fitted, &found.points, costs, recipe.threshold),
        held_out: held_out(&found.points, &found.proven),
        line: fitted,
        chosen: false,
        missed: [found.proven.len(), all],
        beyond: found.beyond,
        points: found.points,
    })
}

impl Findings {
    /// The pairs that go into the table.
    pub fn chosen(&self) -> impl Iterator<Item = &Found> + Clone {
        self.pairs.iter().filter(|found| found.chosen)
    }

    /// Whether what was seen of the errors holds elsewhere, all pairs of the table together.
    pub fn pooled(&self) -> Vec<Pooled> {
        pooled(self.chosen().filter_map(|found| found.held_out.as_ref()))
    }

    /// What the engine loads. `made_by` is the command.
    pub fn table<G: Playable>(&self, order: &Order, recipe: &Recipe, made_by: &str) -> Cuts {
        let rounded = |value: f64, digits: i32| {
            let scale = 10f64.powi(digits);
            (value * scale).round() / scale
        };
        let listed = |values: Vec<f64>| values.into_iter().map(|value| rounded(value, 3)).collect();
        let pairs = self.chosen().map(|found| {
            let line = &found.line;
            let (below, above) = line.reaches();
            Pair {
                stage: found.stage,
                category: found.category,
                shallow: found.depths[0] as i32,
                deep: found.depths[1] as i32,
                a: rounded(line.a, 4),
                b: rounded(line.b, 2),
                sigma: rounded(line.sigma, 2),
                r: rounded(line.r, 4),
                n: line.n as u64,
                below: listed(below),
                above: listed(above),
            }
        });
        let pairs: Vec<Pair> = pairs.filter(|pair| pair.deep <= DEEPEST).collect();
        let written = |function: Function| Function {
            stage: rounded(function.stage, 5),
            deep: rounded(function.deep, 5),
            shallow: rounded(function.shallow, 5),
            parabola: function.parabola.map(|value| rounded(value, 7)),
            least: rounded(function.least, 3),
            below: listed(function.below),
            above: listed(function.above),
            ..function
        };
        let most = match recipe.window {
            Window::Deep(most) | Window::Shallow(most) => most,
        };
        Cuts {
            format: FORMAT,
            game: G::NAME.to_string(),
            evaluation: order.evaluation.clone(),
            host: order.host.clone(),
            made_by: made_by.to_string(),
            stages: G::STAGES,
            categories: G::CATEGORIES,
            thresholds: vec![recipe.threshold; G::STAGES],
            window: most as i32,
            function: self.function.clone().map(written),
            guess: self.guess.clone().map(written),
            end: self.end.clone().map(written),
            unrest: self.unrest.clone().map(|unrest| Unrest {
                below: listed(unrest.below),
                above: listed(unrest.above),
                kinds: unrest.kinds,
            }),
            pairs,
        }
    }
}
