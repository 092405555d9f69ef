//! `secateur tree`: the saved record of a B* search, at any moment of it and anywhere in its graph.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use secateur_games::playable::Playable;
use secateur_games::record::Record;
use secateur_games::told::told;
use secateur_lab::odds_file;
use secateur_lab::thoughts::{Branch, branches, name_of, tree_json};
use secateur_lab::tree_file::{TreeFile, follow};
use secateur_lab::values::{score_json, score_text};
use secateur_search::Score;
use secateur_search::bstar::graph::{Graph, Node, NodeId};
use secateur_search::bstar::history::{History, Phase};
use secateur_search::bstar::tell;
use secateur_search::bstar::values::absolute;
use serde_json::json;

use crate::games::{GameName, with_game};
use crate::options::without_numbers;

/// Arguments of `tree`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  secateur analyse \"FEN\" --search bstar --tree tree.json
  secateur tree tree.json                      the moves of the root at the end
  secateur tree tree.json --at 40              the same after 40 expansions
  secateur tree tree.json --below \"Qc4 Nd5\"    the moves after these two
  secateur tree tree.json --log --explain

Scores are those of the side to move.")]
pub(super) struct Arguments {
    /// The record, as `analyse --tree` saves it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// After so many expansions [default: all]
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// The position after these moves instead of the root
    #[arg(long, value_name = "MOVES", default_value = "")]
    below: String,
    /// Print how it searched, ten expansions a line
    #[arg(long)]
    log: bool,
    /// Say in words why the move was chosen
    #[arg(long)]
    explain: bool,
    /// The table that its probabilities came from, if it was not the game's own
    #[arg(long, value_name = "FILE")]
    odds_file: Option<String>,
    /// Print one JSON object, with everything below
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: Arguments) -> anyhow::Result<()> {
    let file = TreeFile::load(&arguments.file)?;
    let place = arguments.file.display().to_string();
    let text = with_game!(GameName::called(&file.game).context(place.clone())?, G => {
        show::<G>(&file, &arguments).context(place)?
    });
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn show<G: Playable>(file: &TreeFile, arguments: &Arguments) -> anyhow::Result<String> {
    let all = file.record.expansions.len();
    let at = arguments.at.unwrap_or(all);
    if at > all {
        bail!("--at {at}: there were {all} expansions");
    }
    let table = odds_file::load::<G>(arguments.odds_file.as_deref().unwrap_or_default())
        .context("--odds-file")?;
    let (graph, root) = file.replay::<G>(at, table)?;
    let mut record = Record::starting_at(root.clone());
    record.play_all(without_numbers(&arguments.below)).context("--below")?;
    let (path, position) =
        follow(&graph, file.record.root, &root, record.moves()).context("--below")?;
    let view = View { history: &file.record.until(at), all, graph: &graph, root, path, position };
    if arguments.json { view.as_json() } else { Ok(view.as_text(arguments)) }
}

/// What is shown.
struct View<'a, G> {
    history: &'a History,
    /// Expansions in the whole record.
    all: usize,
    graph: &'a Graph,
    root: G,
    path: Vec<NodeId>,
    position: G,
}

impl<G: Playable> View<'_, G> {
    fn as_text(&self, arguments: &Arguments) -> String {
        let mut text = self.position.draw();
        text += &format!("\n{}\n\n{}", self.headline(), self.table());
        let name = |path: &[u16]| name_of(&self.root, path);
        if arguments.log {
            let (log, profile) = (tell::log(self.history, &name), tell::profile_text(self.history));
            text += &format!("\n{log}\n{profile}\n");
        }
        if arguments.explain {
            text += &format!("\n{}\n", tell::explain(self.history, &name));
        }
        text
    }

    /// When in the search this is, and what was going on.
    fn headline(&self) -> String {
        let (done, all) = (self.history.expansions.len(), self.all);
        let mut text = match done == all {
            true => format!("at the end, after {done} expansions"),
            false => format!("after {done} of {all} expansions"),
        };
        if let Some(last) = self.history.expansions.last() {
            let chosen = self.history.kept.unwrap_or(last.best);
            let doing = match last.phase {
                Phase::Select => "SELECT looked for the best move",
                Phase::Verify => "VERIFY tried to refute it",
            };
            // As the target of the log: for the side at the root.
            let first = self.history.start[self.history.root as usize].first;
            let target = if first { last.target } else { -last.target };
            text += &format!(
                ", {} nodes: {doing}\nbest {}, target {target}, least probability {:.2}",
                last.nodes,
                name_of(&self.root, &[chosen]),
                last.min_act,
            );
        }
        text
    }

    /// The moves, the best first.
    fn table(&self) -> String {
        let mut branches = branches(self.graph, &self.path, &self.position);
        if branches.is_empty() {
            return format!("not expanded; worth {}\n", score_text(self.real()));
        }
        branches.sort_by_key(|branch| {
            std::cmp::Reverse((branch.real, branch.hope.unwrap_or(branch.real)))
        });
        let mut rows =
            vec![["move", "worth", "hope", "fear", "chance", "expansions"].map(String::from)];
        rows.extend(branches.iter().map(|branch| self.row(branch)));
        let mut text = in_columns(&rows);
        if let Some(rest) = &self.node().rest {
            let most = score_text(self.told(rest.real.relative_to_root(1)));
            let moves = rest.moves.len();
            text += &format!("and {moves} more, only asked against a bound: at most {most}\n");
        }
        text
    }

    fn row(&self, branch: &Branch<G>) -> [String; 6] {
        let score = |score: Option<Score>| score.map_or("-".to_string(), score_text);
        [
            self.position.describe_move(branch.m),
            score_text(branch.real),
            score(branch.hope),
            score(branch.fear),
            format!("{:.3}", branch.odds),
            branch.expansions.to_string(),
        ]
    }

    fn node(&self) -> &Node {
        self.graph.node(self.path[self.path.len() - 1])
    }

    /// What the position is worth.
    fn real(&self) -> Score {
        let (at, before) = self.path.split_last().expect("it begins at the root");
        self.told(self.graph.under(before, *at).real)
    }

    /// A score of the graph for the side to move, as people are told it.
    fn told(&self, score: Score) -> Score {
        told(&self.position, absolute(self.node().turn, score))
    }

    fn as_json(&self) -> anyhow::Result<String> {
        let mut path = self.path.clone();
        let name = |path: &[u16]| name_of(&self.root, path);
        let all = json!({
            "expansions": self.history.expansions.len(),
            "of": self.all,
            "game": G::NAME,
            "position": self.position.write_position(),
            "real": score_json(self.real()),
            "best": self.history.kept.or(self.history.expansions.last().map(|last| last.best))
                .map(|best| name(&[best])),
            "profile": tell::profile(self.history),
            "tree": tree_json(self.graph, &mut path, &self.position),
        });
        Ok(format!("{all:#}\n"))
    }
}

/// Rows in columns: the first to the left, numbers to the right.
fn in_columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            let width = widths[column];
            text += &match column {
                0 => format!("{cell:width$}"),
                _ => format!("  {cell:>width$}"),
            };
        }
        text.push('\n');
    }
    text
}
