//! Everything that is known at the end of a run, however it ended.

use std::time::Duration;

use secateur_games::problem::ProblemFiles;

use super::compare::Comparison;
use super::cost::{Costs, Judged, is_miss};
use super::files::Suite;
use super::folder::{EngineEntry, Order, Scoring};
use super::lct2;
use super::row::{Row, Told};
use super::sums::{Sums, ValueErrors};
use crate::statistics::bootstrap::{self, Interval};

/// A suite, without its problems.
#[derive(Clone, Debug)]
pub struct SuiteFacts {
    /// What it is called.
    pub name: String,
    /// How many problems it has.
    pub positions: usize,
    /// Whether it is the LCT II test, which has a rating.
    pub is_lct2: bool,
    /// Whether the file gives points for moves.
    pub has_points: bool,
    /// The exact values of its problems, where the game's files have such.
    values: Vec<Option<i32>>,
}

impl SuiteFacts {
    /// Of a suite that was read.
    pub fn of<G: ProblemFiles>(suite: &Suite<G>) -> SuiteFacts {
        let ids: Vec<&str> =
            suite.problems.iter().map(|problem| problem.id.as_deref().unwrap_or("")).collect();
        let value = |exact: Option<i32>| exact.filter(|_| G::JUDGEMENT.exact);
        SuiteFacts {
            name: suite.name.clone(),
            positions: suite.problems.len(),
            is_lct2: lct2::is_lct2(ids.into_iter()),
            has_points: suite.problems.iter().any(|problem| !problem.points.is_empty()),
            values: suite.problems.iter().map(|problem| value(problem.value)).collect(),
        }
    }
}

/// A judge, and what it has said of the moves that were not the right ones.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Who it is.
    pub engine: EngineEntry,
    /// A cost from which on it is much, in hundredths.
    pub blunder: u32,
    /// A value from which on it wins, in hundredths, where there is such a thing.
    pub decided: Option<i32>,
    /// What it said, by suite and position.
    pub judged: Vec<Judged>,
    /// Why it could not go on.
    pub failure: Option<String>,
}

/// What a run has found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// What was asked for.
    pub order: Order,
    /// Who took part; the first is the one that others are compared with.
    pub engines: Vec<EngineEntry>,
    /// What was asked.
    pub suites: Vec<SuiteFacts>,
    /// What a hundred of a value are called.
    pub unit: &'static str,
    /// How long this part of the run took.
    pub elapsed: Duration,
    /// Who says what wrong moves cost.
    pub judge: Option<Judge>,
    rows: Vec<Row>,
}

impl Findings {
    /// Puts rows of any order in that of the suites.
    pub fn new<G: ProblemFiles>(
        order: Order,
        engines: Vec<EngineEntry>,
        suites: &[Suite<G>],
        mut rows: Vec<Row>,
        elapsed: Duration,
    ) -> Findings {
        let suite_of = |row: &Row| suites.iter().position(|suite| suite.name == row.suite);
        let engine_of = |row: &Row| engines.iter().position(|engine| engine.name == row.engine);
        rows.retain(|row| suite_of(row).is_some() && engine_of(row).is_some());
        rows.sort_by_key(|row| (suite_of(row), row.number, engine_of(row)));
        let suites = suites.iter().map(SuiteFacts::of).collect();
        Findings { order, engines, suites, unit: G::JUDGEMENT.unit, elapsed, judge: None, rows }
    }

    /// Every row, by suite, position and engine.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// How many rows there are when all is done.
    pub fn expected(&self) -> usize {
        let positions: usize = self.suites.iter().map(|suite| suite.positions).sum();
        positions * self.engines.len()
    }

    /// Whether everything was asked.
    pub fn is_complete(&self) -> bool {
        self.rows.len() == self.expected()
    }

    /// Whether points say more than the number solved.
    pub fn has_points(&self) -> bool {
        self.order.scoring == Scoring::Graded || self.suites.iter().any(|suite| suite.has_points)
    }

    /// The rows of an engine in one suite, or in all.
    pub fn rows_of<'a>(
        &'a self,
        engine: &'a str,
        suite: Option<&'a str>,
    ) -> impl Iterator<Item = &'a Row> {
        self.rows
            .iter()
            .filter(move |row| row.engine == engine && suite.is_none_or(|suite| row.suite == suite))
    }

    /// Totals of an engine in one suite, or in all.
    pub fn sums(&self, engine: &str, suite: Option<&str>) -> Sums {
        Sums::of(self.rows_of(engine, suite))
    }

    /// Another engine beside the first, in one suite or in all.
    pub fn compare(&self, other: &str, suite: Option<&str>) -> Comparison {
        let first = self.engines.first().map_or("", |engine| engine.name.as_str());
        let mut mine = self.rows_of(first, suite).peekable();
        let place =
            |row: &Row| (self.suites.iter().position(|suite| suite.name == row.suite), row.number);
        let mut pairs = Vec::new();
        for theirs in self.rows_of(other, suite) {
            while mine.next_if(|row| place(row) < place(theirs)).is_some() {}
            if let Some(mine) = mine.next_if(|row| place(row) == place(theirs)) {
                pairs.push((mine, theirs));
            }
        }
        Comparison::of(&pairs)
    }

    /// What `measure` gives of one engine's rows over what it gives of the other's, on the positions that
    /// both have answered.
    pub fn ratio(
        &self,
        engine: &str,
        base: &str,
        measure: impl Fn(&Row) -> f64,
    ) -> Option<Interval> {
        let base: Vec<&Row> = self.rows_of(base, None).collect();
        let pairs: Vec<(f64, f64)> = self
            .rows_of(engine, None)
            .filter_map(|row| {
                let same = |other: &&&Row| (&other.suite, other.number) == (&row.suite, row.number);
                Some((measure(row), measure(base.iter().find(same)?)))
            })
            .collect();
        bootstrap::ratio(&pairs)
    }

    /// How far an engine's values are from the exact ones.
    pub fn value_errors(&self, engine: &str, suite: Option<&str>) -> ValueErrors {
        ValueErrors::of(self.rows_of(engine, suite).filter_map(|row| {
            let suite = self.suites.iter().find(|suite| suite.name == row.suite)?;
            let known = suite.values.get(row.number.checked_sub(1)?).copied().flatten()?;
            Some((row.score.as_ref().map(Told::hundredths)?, known))
        }))
    }

    /// What the judge has said of a row, if it was asked.
    pub fn judged(&self, row: &Row) -> Option<&Judged> {
        let judged = &self.judge.as_ref()?.judged;
        judged.iter().find(|judged| is_miss(row) && judged.is_about(row))
    }

    /// What the misses of an engine cost, in one suite or in all, if there is a judge.
    pub fn costs(&self, engine: &str, suite: Option<&str>) -> Option<Costs> {
        let judge = self.judge.as_ref()?;
        let misses = self.rows_of(engine, suite).filter(|row| is_miss(row));
        Some(Costs::of(misses.map(|row| self.judged(row)), judge.blunder, judge.decided))
    }

    /// Whether the judge, if there is one, has been asked about every miss.
    pub fn is_judged(&self) -> bool {
        let mut misses = self.rows.iter().filter(|row| is_miss(row));
        self.judge.is_none() || misses.all(|row| self.judged(row).is_some())
    }

    /// An engine's rating in a suite that has one, once all of it was asked.
    pub fn lct2(&self, engine: &str, suite: &SuiteFacts) -> Option<u32> {
        let times: Vec<Option<u64>> =
            self.rows_of(engine, Some(&suite.name)).map(|row| row.solution_ms).collect();
        (suite.is_lct2 && times.len() == suite.positions).then(|| lct2::rating(times))
    }
}
