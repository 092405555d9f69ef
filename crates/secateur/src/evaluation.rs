//! What the evaluation says of a position, without a search: for `secateur eval` and the `eval` of the
//! protocol.

use secateur_games::playable::Playable;
use secateur_games::told::{InPercent, chances, told};
use secateur_lab::values::{score_json, score_text};
use secateur_search::Chances;
use serde_json::{Map, Value, json};

/// The terms in a table, then their sum in its own units, as it is told, and as chances.
pub fn as_text<G: Playable>(position: &G, evaluator: &G::Evaluator) -> String {
    let table = position.explain(evaluator);
    let side = G::player_name(position.turn());
    format!(
        "{table}\n\nunits    {:+} for {side}, who is to move\nscore    {}\nchances  {}\n",
        table.value.value(),
        score_text(told(position, table.value)),
        InPercent(chances(position, table.value)),
    )
}

/// The same as an object, the totals first.
pub fn as_json<G: Playable>(position: &G, evaluator: &G::Evaluator) -> Value {
    let table = position.explain(evaluator);
    let cells = |values: &[i32]| -> Map<String, Value> {
        let column = |(column, values): (&&str, &[i32])| {
            let parts = table.parts.iter().zip(values);
            let parts: Map<_, _> =
                parts.map(|(part, value)| (part.to_string(), json!(value))).collect();
            (column.to_string(), Value::Object(parts))
        };
        table.columns.iter().zip(values.chunks(table.parts.len())).map(column).collect()
    };
    let term = |(name, values): &(&str, Vec<i32>)| {
        let mut object = Map::from_iter([("term".to_string(), json!(name))]);
        object.extend(cells(values));
        Value::Object(object)
    };
    json!({
        "units": table.value.value(),
        "score": score_json(told(position, table.value)),
        "wdl": wdl_json(chances(position, table.value)),
        "game": G::NAME,
        "position": position.write_position(),
        "turn": G::player_name(position.turn()),
        "remark": table.remark,
        "total": cells(&table.sums()),
        "terms": table.rows.iter().map(term).collect::<Vec<_>>(),
    })
}

/// `[451, 400, 149]`: won, drawn and lost in a thousand.
pub fn wdl_json(chances: Chances) -> Value {
    json!([chances.win, chances.draw, chances.loss])
}
