//! The record of a B\* search on disk, and the graph that it makes again.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use secateur_games::playable::Playable;
use secateur_search::bstar::graph::{Graph, NodeId};
use secateur_search::bstar::history::History;
use secateur_search::bstar::odds_table::OddsTable;
use serde::{Deserialize, Serialize};

use crate::whole_file;

/// What is written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TreeFile {
    /// The game.
    pub game: String,
    /// The position at the root.
    pub position: String,
    /// What happened.
    pub record: History,
}

impl TreeFile {
    /// Of a search of this position.
    pub fn of<G: Playable>(position: &G, record: &History) -> TreeFile {
        let (game, record) = (G::NAME.to_string(), record.clone());
        TreeFile { game, position: position.write_position(), record }
    }

    /// Writes it.
    pub fn save(&self, path: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string(self)?;
        whole_file::write(path, |output| Ok(writeln!(output, "{text}")?))
    }

    /// Reads it.
    pub fn load(path: &Path) -> anyhow::Result<TreeFile> {
        let place = || path.display().to_string();
        // In its own words, since a wrong name is bad input and no failure of the machine.
        let text = fs::read_to_string(path).map_err(|error| anyhow!("{}: {error}", place()))?;
        let read = serde_json::from_str(&text);
        read.map_err(|error| anyhow!("{}: no record of a search by B*: {error}", place()))
    }

    /// The graph after so many expansions and the position at its root. Where probabilities came from a
    /// table, that is the given one, or else the game's own.
    pub fn replay<G: Playable>(
        &self,
        expansions: usize,
        table: Option<std::sync::Arc<OddsTable>>,
    ) -> anyhow::Result<(Graph, G)> {
        if self.game != G::NAME {
            bail!("it is of {}, not of {}", self.game, G::NAME);
        }
        let position = G::read_position(&self.position).context("its position")?;
        let own = || OddsTable::parse(G::ODDS).ok().map(std::sync::Arc::new);
        let graph = self.record.until(expansions).replay(table.or_else(own))?;
        let root = self.record.root;
        if (root as usize) >= graph.len() || graph.node(root).key != position.key() {
            bail!("its graph does not begin at its position");
        }
        Ok((graph, position))
    }
}

/// The path of some moves through the graph, as far as it goes, and the position at its end.
pub fn follow<G: Playable>(
    graph: &Graph,
    root: NodeId,
    position: &G,
    moves: &[G::Move],
) -> anyhow::Result<(Vec<NodeId>, G)> {
    let (mut path, mut position) = (vec![root], position.clone());
    for m in moves {
        let node = graph.node(path[path.len() - 1]);
        let Some(edge) = node.edges.iter().find(|edge| edge.m == G::pack(*m)) else {
            bail!("{} has no position of its own in the graph", position.describe_move(*m));
        };
        path.push(edge.child);
        position.play(*m);
    }
    Ok((path, position))
}
