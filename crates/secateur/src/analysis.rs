//! What is known of a position, collected from the reports of a search, and how it is shown.

use std::time::Duration;

use secateur_games::playable::Playable;
use secateur_games::record::Record;
use secateur_games::told::{InPercent, chances, told};
use secateur_lab::values::{grouped, known, per_second, score_json, score_text, short, time};
use secateur_search::alphabeta::choice::Decided;
use secateur_search::alphabeta::table::Bound;
use secateur_search::bstar::Part;
use secateur_search::{Depth, Game, Score};
use serde_json::{Map, Value, json};

use crate::evaluation::wdl_json;
use crate::lines::{coordinates, described, numbered, wrapped};
use crate::thinking::{Progress, Thought};

/// One of the best lines, and how far the search was when it found it.
#[derive(Clone, Debug)]
pub struct BestLine<M> {
    /// The iteration.
    pub depth: Depth,
    /// How sure its cuts are, in percent, if it goes through levels.
    pub percent: Option<u32>,
    /// Its value for the side to move in the units of the search, unless that was stopped before
    /// there was one.
    pub score: Option<Score>,
    /// The moves, at least one.
    pub moves: Vec<M>,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub elapsed: Duration,
}

impl<M: PartialEq> BestLine<M> {
    fn says_the_same_as(&self, other: &BestLine<M>) -> bool {
        self.score == other.score && self.moves == other.moves && self.percent == other.percent
    }
}

/// What is known of a position.
#[derive(Clone, Debug)]
pub struct Analysis<M> {
    /// The best lines of the deepest finished iteration, the best first.
    pub lines: Vec<BestLine<M>>,
    /// The value of the position for the side to move in the units of the search, if known.
    pub score: Option<Score>,
    /// The deepest finished iteration.
    pub depth: Depth,
    /// Nodes in all.
    pub nodes: u64,
    /// Time in all.
    pub elapsed: Duration,
    /// Whether the search was stopped from outside.
    pub stopped: bool,
    /// Which search has decided.
    pub decided: Decided,
    wanted: usize,
    coming: Vec<BestLine<M>>,
}

impl<M: Copy + PartialEq> Analysis<M> {
    /// Nothing is known yet but the end of the game, if this is it.
    pub fn new<G: Playable<Move = M>>(record: &Record<G>, wanted: usize) -> Analysis<M> {
        Analysis {
            lines: Vec::new(),
            score: record.ending().map(|ending| ending.outcome.score(0)),
            depth: Depth::ZERO,
            nodes: 0,
            elapsed: Duration::ZERO,
            stopped: false,
            decided: Decided::AlphaBeta,
            wanted: wanted.min(record.position().count_moves()),
            coming: Vec::new(),
        }
    }

    /// Takes in a report. Whether an iteration is complete and says something new: in a position
    /// that is solved, a hundred iterations say the same within a moment.
    pub fn take(&mut self, progress: &Progress<'_, M>) -> bool {
        let report = progress.report;
        if report.bound != Bound::Exact || report.line.is_empty() {
            return false;
        }
        if report.line_number == 1 {
            self.coming.clear();
        }
        self.coming.push(BestLine {
            depth: report.depth,
            percent: report.percent,
            score: known(report.score),
            moves: report.line.to_vec(),
            nodes: progress.nodes,
            elapsed: progress.elapsed,
        });
        if self.coming.len() < self.wanted {
            return false;
        }
        let before = std::mem::replace(&mut self.lines, std::mem::take(&mut self.coming));
        let mut pairs = before.iter().zip(&self.lines);
        before.len() != self.lines.len() || !pairs.all(|(old, new)| old.says_the_same_as(new))
    }

    /// Takes in the answer. It may be wiser than the last whole iteration: the search was in the
    /// middle of the next one, or another thread had the better move.
    pub fn finish(&mut self, thought: Thought<M>) {
        let answer = thought.answer;
        (self.depth, self.nodes) = (answer.depth, answer.nodes);
        (self.elapsed, self.stopped) = (thought.elapsed, thought.stopped);
        (self.score, self.decided) = (known(answer.score), answer.decided);
        if answer.line.is_empty() {
            return;
        }
        let percent = self.lines.first().and_then(|line| line.percent);
        self.lines.retain(|line| line.moves[0] != answer.line[0]);
        self.lines.insert(
            0,
            BestLine {
                depth: answer.depth,
                percent,
                score: self.score,
                moves: answer.line,
                nodes: answer.nodes,
                elapsed: thought.elapsed,
            },
        );
        self.lines.truncate(self.wanted);
    }
}

/// The columns before the line.
const MARGIN: usize = 41;

/// What stands above the rows; it says whose scores they are.
pub fn header<G: Playable>(position: &G) -> String {
    let side = G::player_name(position.turn());
    format!(
        "Scores are for {side}, who is to move.\n\
         depth  score      nodes  nodes/s     time  line\n"
    )
}

/// The iteration of a line: `12`, or `12@73` where its cuts are right in 73 of 100.
fn depth_of<M>(line: &BestLine<M>) -> String {
    match line.percent {
        Some(percent) => format!("{}@{percent}", line.depth),
        None => line.depth.to_string(),
    }
}

/// One of the best lines in a row, or in as many as it needs.
pub fn row<G: Playable>(position: &G, line: &BestLine<<G as Game>::Move>, width: usize) -> String {
    let cells = format!(
        "{:>5}  {:<9} {:>6}  {:>7}  {:>7}  ",
        depth_of(line),
        score_or_nothing(position, line.score),
        short(line.nodes),
        short(per_second(line.nodes, line.elapsed)),
        time(line.elapsed),
    );
    let moves = numbered(position, &line.moves);
    let margin = cells.chars().count().max(MARGIN);
    // On a narrow screen the line has its own rows.
    if width < MARGIN + 30 {
        return format!("{}\n    {}", cells.trim_end(), wrapped(&moves, 4, width));
    }
    cells + &wrapped(&moves, margin, width)
}

fn score_or_nothing<G: Playable>(position: &G, score: Option<Score>) -> String {
    score.map_or_else(|| "?".to_string(), |score| score_text(told(position, score)))
}

/// The summary.
pub fn as_text<G: Playable>(
    position: &G,
    analysis: &Analysis<<G as Game>::Move>,
    width: usize,
) -> String {
    let Some(best) = analysis.lines.first() else { return String::new() };
    let m = best.moves[0];
    let (person, program) = (position.describe_move(m), position.write_move(m));
    let mut text = format!("\nbest move  {person}");
    if person != program {
        text += &format!(" ({program})");
    }
    let side = G::player_name(position.turn());
    let stopped = if analysis.stopped { ", stopped" } else { "" };
    text += &format!("\nscore      {} for {side}", score_or_nothing(position, analysis.score));
    if let Some(score) = analysis.score.filter(|score| !score.is_proven()) {
        text += &format!("\nchances    {}", InPercent(chances(position, score)));
    }
    let percent = best.percent.map_or(String::new(), |percent| format!("@{percent}"));
    text += &format!("\ndepth      {}{percent}{stopped}", analysis.depth);
    text += &format!(
        "\nnodes      {} in {}, {} a second\n",
        grouped(analysis.nodes),
        time(analysis.elapsed),
        short(per_second(analysis.nodes, analysis.elapsed)),
    );
    match analysis.decided {
        Decided::AlphaBeta => {}
        Decided::Bstar { expansions, part } => {
            let after = match part {
                Part::Alone => "",
                Part::Confirmed => ", which confirm the move of iterative deepening",
                Part::Overruled => ", which overrule the move of iterative deepening",
                Part::Unfinished => ", which came to no end: by iterative deepening",
                Part::Superseded => ", but iterative deepening then found another move",
            };
            text += &format!("decided    by B* after {expansions} expansions{after}\n");
        }
        Decided::HandedOver(reason) => {
            text += &format!("decided    by alpha-beta: B* hands over, for {reason}\n");
        }
    }
    if analysis.lines.len() == 1 {
        text += "line       ";
        return text + &wrapped(&numbered(position, &best.moves), 11, width);
    }
    for (index, line) in analysis.lines.iter().enumerate() {
        let cells =
            format!("line {:<5} {:<9}  ", index + 1, score_or_nothing(position, line.score));
        let margin = cells.chars().count();
        text += &cells;
        text += &wrapped(&numbered(position, &line.moves), margin, width);
    }
    text
}

/// One object, totals first.
pub fn as_json<G: Playable>(
    record: &Record<G>,
    notes: &[String],
    analysis: &Analysis<<G as Game>::Move>,
    more: Vec<(&'static str, Value)>,
) -> String {
    let position = record.position();
    let best = analysis.lines.first().map_or(&[][..], |line| &line.moves);
    let mut all = values(
        position,
        &BestLine {
            depth: analysis.depth,
            percent: analysis.lines.first().and_then(|line| line.percent),
            score: analysis.score,
            moves: best.to_vec(),
            nodes: analysis.nodes,
            elapsed: analysis.elapsed,
        },
    );
    if let Decided::Bstar { expansions, part } = analysis.decided {
        all.insert("expansions".into(), json!(expansions));
        all.insert("bstar".into(), json!(part.name()));
    }
    if let Decided::HandedOver(reason) = analysis.decided {
        all.insert("handed_over".into(), json!(reason.to_string()));
    }
    all.extend(more.into_iter().map(|(name, value)| (name.to_string(), value)));
    let lines: Vec<Value> =
        analysis.lines.iter().map(|line| Value::Object(values(position, line))).collect();
    all.insert("lines".into(), json!(lines));
    all.insert("game".into(), json!(G::NAME));
    all.insert("position".into(), json!(position.write_position()));
    all.insert("turn".into(), json!(G::player_name(position.turn())));
    all.insert("over".into(), json!(record.describe_ending()));
    all.insert("stopped".into(), json!(analysis.stopped));
    all.insert("notes".into(), json!(notes));
    format!("{:#}\n", Value::Object(all))
}

/// What the whole and each of its lines have in common.
fn values<G: Playable>(position: &G, line: &BestLine<<G as Game>::Move>) -> Map<String, Value> {
    let mut object = Map::new();
    let best = line.moves.first().map(|m| position.write_move(*m));
    object.insert("bestmove".into(), json!(best));
    let score = |score| score_json(told(position, score));
    object.insert("score".into(), line.score.map_or(Value::Null, score));
    let wdl = |score| wdl_json(chances(position, score));
    object.insert("wdl".into(), line.score.map_or(Value::Null, wdl));
    object.insert("depth".into(), json!(line.depth.plies()));
    if let Some(percent) = line.percent {
        object.insert("percent".into(), json!(percent));
    }
    object.insert("nodes".into(), json!(line.nodes));
    object.insert("pv".into(), json!(coordinates(position, &line.moves)));
    object.insert("san".into(), json!(described(position, &line.moves)));
    object.insert("time_ms".into(), json!(line.elapsed.as_millis() as u64));
    object.insert("nps".into(), json!(per_second(line.nodes, line.elapsed)));
    object
}
