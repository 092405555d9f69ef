//! Findings for programs: one object, totals first.
//!
//! The totals at its head are those of the first engine, which is the only one unless several were
//! asked for: a sum over engines would mean nothing.

use serde_json::{Map, Value, json};

use super::compare::Comparison;
use super::findings::{Findings, Judge, SuiteFacts};
use super::folder::EngineEntry;
use super::sums::Sums;

/// The whole report.
pub fn object(findings: &Findings) -> Value {
    let first = findings.engines.first().map_or("", |engine| engine.name.as_str());
    let mut all = sums(&findings.sums(first, None));
    all.extend(costs(findings, first, None));
    all.insert("complete".into(), json!(findings.is_complete()));
    all.insert("elapsed_ms".into(), json!(findings.elapsed.as_millis() as u64));
    all.insert("game".into(), json!(findings.order.game));
    all.insert("scoring".into(), json!(findings.order.scoring));
    let engines = findings.engines.iter().map(|engine| {
        let mut object = Map::new();
        object.insert("name".into(), json!(engine.name));
        object.insert("limit".into(), json!(engine.limit));
        object.extend(found(findings, &engine.name, None));
        Value::Object(object)
    });
    all.insert("engines".into(), engines.collect());
    all.insert("suites".into(), findings.suites.iter().map(|part| suite(findings, part)).collect());
    all.insert("comparisons".into(), comparisons(findings, None));
    all.insert("results".into(), json!(findings.rows()));
    if let Some(Judge { engine, blunder, judged, failure, .. }) = &findings.judge {
        let EngineEntry { name, spec, limit, .. } = engine;
        let judge = json!({
            "name": name,
            "spec": spec,
            "limit": limit,
            "blunder": blunder,
            "complete": findings.is_judged(),
            "failure": failure,
        });
        all.insert("judge".into(), judge);
        all.insert("judged".into(), json!(judged));
    }
    Value::Object(all)
}

fn suite(findings: &Findings, suite: &SuiteFacts) -> Value {
    let engines = findings.engines.iter().map(|engine| {
        let mut object = Map::new();
        object.insert("name".into(), json!(engine.name));
        object.extend(found(findings, &engine.name, Some(&suite.name)));
        if let Some(rating) = findings.lct2(&engine.name, suite) {
            object.insert("lct2_rating".into(), json!(rating));
        }
        Value::Object(object)
    });
    json!({
        "name": suite.name,
        "positions": suite.positions,
        "engines": engines.collect::<Vec<_>>(),
        "comparisons": comparisons(findings, Some(&suite.name)),
    })
}

fn found(findings: &Findings, engine: &str, suite: Option<&str>) -> Map<String, Value> {
    let mut object = sums(&findings.sums(engine, suite));
    object.extend(costs(findings, engine, suite));
    let errors = findings.value_errors(engine, suite);
    if let Some(mean) = errors.mean() {
        object.insert("value_error".into(), json!(mean));
        object.insert("values_exact".into(), json!(errors.exact));
    }
    object
}

/// What the misses cost, if there is a judge.
fn costs(findings: &Findings, engine: &str, suite: Option<&str>) -> Map<String, Value> {
    let mut object = Map::new();
    if let Some(costs) = findings.costs(engine, suite) {
        object.insert("misses".into(), json!(costs.misses));
        object.insert("judged_misses".into(), json!(costs.judged));
        object.insert("blunders".into(), json!(costs.blunders));
        if let Some(still_won) = costs.still_won {
            object.insert("blunders_still_won".into(), json!(still_won));
        }
    }
    object
}

fn sums(sums: &Sums) -> Map<String, Value> {
    let object = json!({
        "solved": sums.solved,
        "positions": sums.positions,
        "points": sums.points,
        "nodes": sums.nodes,
        "time_ms": sums.time_ms,
        "most": sums.most,
        "standard_error": sums.standard_error(),
        "depth": sums.depth(),
        "solution_ms": sums.solution_ms(),
        "solution_depth": sums.solution_depth(),
        "solution_nodes": sums.solution_nodes(),
        "faults": sums.faults,
    });
    match object {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn comparisons(findings: &Findings, suite: Option<&str>) -> Value {
    let first = findings.engines.first().map_or("", |engine| engine.name.as_str());
    let others = findings.engines.iter().skip(1).map(|engine| {
        let found = findings.compare(&engine.name, suite);
        let Comparison { first: mine, second: theirs, .. } = &found;
        json!({
            "first": first,
            "second": engine.name,
            "positions": mine.positions,
            "solved": theirs.solved as i64 - mine.solved as i64,
            "solved_percent": Comparison::percent(mine.solved, theirs.solved),
            "nodes_percent": Comparison::percent(mine.nodes, theirs.nodes),
            "time_percent": Comparison::percent(mine.time_ms, theirs.time_ms),
            "only_first": found.only_first,
            "only_second": found.only_second,
            "p": found.test.mid,
            "p_exact": found.test.exact,
            "solved_at_equal_nodes": [found.at_equal_nodes.0, found.at_equal_nodes.1],
        })
    });
    others.collect()
}
