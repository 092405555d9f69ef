//! Everything that was found, and the table that the engine loads.

use std::fs;
use std::path::Path;

use anyhow::Context;
use secateur_games::playable::Playable;
use secateur_search::calibrate::cuts::{
    Cuts, DEEPEST, FARTHEST, FORMAT, Function, Pair, REACHES, threshold_of,
};
use secateur_search::calibrate::unrest::Unrest;
use serde::{Deserialize, Serialize};

use super::choose::{Depths, PAPER, Question, Saving, best, costs, is_candidate};
use super::curve::{Ahead, Curves};
use super::function::From;
use super::held_out::{HeldOut, PARTS, Pooled, Seen, held_out, lines, part, pooled};
use super::line::{FEWEST, Line, Point, Values, Window, line, points, reach_of, reaches};
use super::unrest::{self, Uneasy, factor};
use super::{Order, function};
use crate::{toml_text, whole_file};

/// Which pairs go into the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pairs {
    /// Those of Jiang and Buro.
    Paper,
    /// Of each deep depth the one that saves most, or two that do.
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
    /// Up to this depth the deepest pairs go on.
    #[serde(default)]
    pub beyond: i32,
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
        toml_text::parse(&text).with_context(|| format!("{}", path.display()))
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
    /// The line: of a stage of which little was seen, through what was seen of its neighbours too.
    pub line: Line,
    /// The same without the games of each part; none where one cannot be had.
    pub parts: Vec<Line>,
    /// Whether it holds elsewhere.
    pub held_out: Option<HeldOut>,
    /// What it saves.
    pub saving: Saving,
    /// Whether it is in the table.
    pub chosen: bool,
    /// Positions whose value the deep search proved and the shallow did not, and all that the shallow one
    /// did not prove.
    pub missed: [usize; 2],
    /// Positions left out of the line because their value lies beyond the window.
    pub beyond: usize,
    /// The points of the stage itself.
    pub points: Vec<Point>,
    /// Those that no line goes through, though cuts may be made there.
    pub aside: Vec<Point>,
}

/// Everything.
#[derive(Clone, Debug)]
pub struct Findings {
    /// By stage, category and pair.
    pub pairs: Vec<Found>,
    /// The function for every pair.
    pub function: Option<Function>,
    /// The same from the guess without a search.
    pub guess: Option<Function>,
    /// How often cuts are wrong by how far beyond their windows they lie, where nodes have windows.
    pub curves: Option<Curves>,
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
/// Where nodes inside searches were measured, pairs are those of nodes that have come to where a cut would be asked
/// about, and guesses those of nodes that nothing has gone by a guess at; the positions of games beside them tell
/// of the end of the game.
pub fn fit(all_positions: &[Values], recipe: &Recipe, kinds: &[String]) -> Findings {
    let kinds: &[&str] = &kinds.iter().map(String::as_str).collect::<Vec<_>>();
    let (nodes, of_games): (Vec<&Values>, Vec<&Values>) =
        all_positions.iter().partition(|position| position.beta.is_some());
    // Only of those that have come so far it is known how uneasy they are.
    let (glanced, survived): (Vec<&Values>, Vec<&Values>) =
        nodes.into_iter().partition(|node| node.unrest.is_none());
    let positions: &[&Values] = if survived.is_empty() { &of_games } else { &survived };
    let of_guesses: &[&Values] = if glanced.is_empty() { &of_games } else { &glanced };
    let mut pairs = all_pairs(positions, recipe);
    let wanted = |found: &Found| match recipe.pairs {
        Pairs::Paper => PAPER.contains(&found.depths),
        Pairs::Chosen => is_candidate(found.depths),
    };
    for found in &mut pairs {
        found.chosen = wanted(found) && found.line.a > FLATTEST;
    }
    let curves = curves_of_chosen(&pairs);
    for found in &mut pairs {
        let (_, saving) = asked(found, curves.as_ref(), recipe.threshold);
        found.saving = saving;
    }
    if recipe.pairs == Pairs::Chosen {
        let questions: Vec<(Depths, usize, Vec<Question>)> = pairs
            .iter()
            .filter(|found| found.chosen)
            .map(|found| {
                let (questions, _) = asked(found, curves.as_ref(), recipe.threshold);
                (found.depths, found.stage * MOST_CATEGORIES + found.category, questions)
            })
            .collect();
        let listed: Vec<_> =
            questions.iter().map(|(depths, slot, all)| (*depths, *slot, &all[..])).collect();
        let best = best(&listed);
        for found in &mut pairs {
            found.chosen &= best.contains(&found.depths);
        }
    }
    // Those that were not chosen have no say in how often cuts are wrong.
    let curves = curves_of_chosen(&pairs);
    judge(&mut pairs, curves.is_some());
    let mut games: Vec<u64> = positions.iter().map(|position| position.game).collect();
    games.sort_unstable();
    games.dedup();
    let chosen: Vec<&Found> = pairs.iter().filter(|found| found.chosen).collect();
    Findings {
        likelihoods: likelihoods(positions, &chosen, recipe.window, kinds),
        unrest: unrest::fit(&uneasy(&chosen, |_| true), kinds),
        function: function::fit(positions, From::Searches, recipe.window),
        guess: function::fit(of_guesses, From::Guesses, recipe.window),
        end: function::fit(&of_games, From::End, recipe.window),
        curves,
        pairs,
        costs: costs(positions),
        positions: positions.len(),
        games: games.len(),
    }
}

/// No game has more.
const MOST_CATEGORIES: usize = 1 << 16;

/// With fewer points a stage asks its neighbours, if there are many stages.
const ENOUGH: usize = 200;
/// How many on either side at most.
const NEIGHBOURS: usize = 2;
/// With no more stages than this each is a thing of its own.
const FEW_STAGES: usize = 3;

/// Every pair of depths at every stage and in every category of which there is enough.
fn all_pairs(positions: &[&Values], recipe: &Recipe) -> Vec<Found> {
    let deepest = positions.iter().map(|position| position.by_depth.len()).max().unwrap_or(0);
    let many = |of: fn(&Values) -> usize| {
        positions.iter().map(|position| of(position)).max().map_or(0, |most| most + 1)
    };
    let (stages, categories) =
        (many(|position| position.stage), many(|position| position.category));
    let neighbours = if stages > FEW_STAGES { NEIGHBOURS } else { 0 };
    let mut pairs = Vec::new();
    for stage in 0..stages {
        for category in 0..categories {
            let near = |apart: usize| -> Vec<&Values> {
                let is_near = |position: &&Values| {
                    position.category == category && position.stage.abs_diff(stage) <= apart
                };
                positions.iter().copied().filter(is_near).collect()
            };
            let here: Vec<Vec<&Values>> = (0..=neighbours).map(near).collect();
            for deep in 2..deepest {
                for shallow in 1..deep {
                    pairs.extend(pair(&here, stage, category, [shallow, deep], recipe.window));
                }
            }
        }
    }
    pairs
}

/// How far beyond their windows the values of chosen pairs are expected, by lines that have not seen a part, in all
/// other parts; of all by lines that have seen everything, if no part is named.
fn aheads(pairs: &[Found], without: Option<u64>) -> Vec<Ahead> {
    let mut all = Vec::new();
    for found in pairs.iter().filter(|found| found.chosen) {
        let line = match without {
            None => Some(&found.line),
            Some(number) => found.parts.get(number as usize),
        };
        let Some(line) = line else { continue };
        let seen = found.points.iter().chain(&found.aside);
        let seen = seen.filter(|point| Some(part(point.game)) != without);
        all.extend(seen.filter_map(|point| line.ahead(point)));
    }
    all
}

/// How often cuts of the chosen pairs are wrong.
fn curves_of_chosen(pairs: &[Found]) -> Option<Curves> {
    Curves::fit(aheads(pairs, None).into_iter())
}

/// Whether what is promised of every pair holds elsewhere.
fn judge(pairs: &mut [Found], by_curves: bool) {
    let curves: Option<Vec<Curves>> =
        (0..PARTS).map(|number| Curves::fit(aheads(pairs, Some(number)).into_iter())).collect();
    let seen = match &curves {
        Some(curves) if by_curves => Seen::Curves(curves),
        _ => Seen::Errors,
    };
    for found in pairs.iter_mut().filter(|found| !found.parts.is_empty()) {
        found.held_out = Some(held_out(&found.points, &found.aside, &found.parts, seen));
    }
}

/// What is asked with a pair, in the windows of the nodes or in those of other positions, and what that saves.
fn asked(found: &Found, curves: Option<&Curves>, threshold: f64) -> (Vec<Question>, Saving) {
    let line = &found.line;
    let reach = |above: bool| match curves {
        Some(curves) => curves.side(above).reach(threshold),
        None => reach_of(line.errors(), threshold, !above),
    };
    let reaches = [reach(true), reach(false)];
    let all: Vec<&Point> = found.points.iter().chain(&found.aside).collect();
    let count = all.len();
    let question = |(index, point): (usize, &&Point)| {
        let elsewhere = all[(index + count / 2 + 1) % count].shallow;
        let beta = point.beta.unwrap_or(elsewhere);
        Question::new(point, beta, (line.expected(point) - beta) / line.sigma, reaches)
    };
    let questions: Vec<Question> = all.iter().enumerate().map(question).collect();
    let saving = Saving::of(&[&questions]);
    (questions, saving)
}

/// The errors of pairs about their lines, where it is known how uneasy the position is, of some games.
fn uneasy(chosen: &[&Found], wanted: impl Fn(u64) -> bool) -> Vec<Uneasy> {
    let of_pair = |found: &&Found| -> Vec<Uneasy> {
        let points = found.points.iter().chain(&found.aside).filter(|point| wanted(point.game));
        let one = |point: &Point| {
            let amounts = point.unrest?;
            let line = &found.line;
            Some(Uneasy { error: line.error_of(point), ahead: line.ahead(point), amounts })
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
    // A pair with few points has no line without some of the parts.
    let judgeable = |found: &&&Found| found.parts.len() == PARTS as usize;
    let chosen: Vec<&Found> = chosen.iter().filter(judgeable).copied().collect();
    let (mut by_lines, mut by_function, mut count) = (0.0, 0.0, 0.0);
    let mut by_unrest = Some(0.0);
    for number in 0..PARTS {
        let others: Vec<&Values> =
            positions.iter().copied().filter(|position| part(position.game) != number).collect();
        let function = function::fit(&others, From::Searches, window)?;
        let elsewhere = |game: u64| part(game) != number;
        let mut seen: Vec<Uneasy> = Vec::new();
        let mut lines: Vec<&Line> = Vec::new();
        let mut judged: Vec<(usize, &Point)> = Vec::new();
        for found in &chosen {
            let [shallow, deep] = found.depths.map(|depth| depth as i32);
            let sigma = function.sigma(found.stage, shallow, deep);
            let line = &found.parts[number as usize];
            for point in found.points.iter().filter(|point| !elsewhere(point.game)) {
                by_function += density((point.deep - point.shallow) / sigma, sigma);
                judged.push((lines.len(), point));
            }
            let one = |point: &Point| {
                let (error, ahead) = (line.error_of(point), line.ahead(point));
                Some(Uneasy { error, ahead, amounts: point.unrest? })
            };
            let others = found.points.iter().filter(|point| elsewhere(point.game));
            seen.extend(others.filter_map(one));
            lines.push(line);
        }
        let fitted = unrest::fit(&seen, kinds);
        by_unrest = by_unrest.zip(fitted).and_then(|(sum, fitted)| {
            let one = |(number, point): &(usize, &Point)| {
                let (line, factor) = (lines[*number], factor(&fitted.kinds, &point.unrest?));
                Some(density(line.error_of(point) / factor, line.sigma * factor))
            };
            Some(sum + judged.iter().map(one).sum::<Option<f64>>()?)
        });
    }
    for held in chosen.iter().filter_map(|found| found.held_out.as_ref()) {
        by_lines += held.likelihood * held.n as f64;
        count += held.n as f64;
    }
    (count > 0.0).then_some(Likelihoods {
        lines: by_lines / count,
        function: by_function / count,
        unrest: by_unrest.map(|sum| sum / count),
    })
}

/// One pair. `near` are the positions of the stage itself, then those of its neighbours too, and of theirs.
fn pair(
    near: &[Vec<&Values>],
    stage: usize,
    category: usize,
    depths: Depths,
    window: Window,
) -> Option<Found> {
    let [shallow, deep] = depths;
    let seen = |here: &[&Values]| points(here.iter().copied(), shallow, deep, window);
    let own = seen(near.first()?);
    let mut pool = own.points.clone();
    for wider in &near[1..] {
        if pool.len() >= ENOUGH {
            break;
        }
        pool = seen(wider).points;
    }
    if own.points.is_empty() || pool.len() < FEWEST {
        return None;
    }
    let aside: Vec<Point> = own.aside().copied().collect();
    let parts = lines(&pool).unwrap_or_default().into_iter().zip(0..).map(|(line, number)| {
        line.with_errors_of(aside.iter().filter(|point| part(point.game) != number))
    });
    Some(Found {
        stage,
        category,
        depths,
        saving: Saving::default(),
        held_out: None,
        parts: parts.collect(),
        line: line(&pool)?.with_errors_of(aside.iter()),
        chosen: false,
        missed: [own.proven.len(), own.points.len() + aside.len()],
        beyond: own.beyond.len(),
        points: own.points,
        aside,
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
        // A proven value that was missed is an endless error: what reaches that far reaches the farthest
        // that a table may say, and there no cut is made.
        let reach = |value: f64| rounded(value.min(FARTHEST), 3);
        let listed = |values: Vec<f64>| values.into_iter().map(reach).collect();
        let by_curves = self.curves.as_ref().map(|c| c.reaches((0..REACHES).map(threshold_of)));
        let pairs = self.chosen().map(|found| {
            let line = &found.line;
            let (below, above) = by_curves.clone().unwrap_or_else(|| reaches(line.errors()));
            Pair {
                stage: found.stage,
                category: found.category,
                shallow: found.depths[0] as i32,
                deep: found.depths[1] as i32,
                a: rounded(line.a, 4),
                b: rounded(line.b, 2),
                c: rounded(line.c, 4),
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
            beyond: recipe.beyond,
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
