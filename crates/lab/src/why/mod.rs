//! Why a move was rejected, or chosen: the best line against it, how deep that was looked at, which
//! techniques had a hand in it, and what the verdict would be without each of them.
//!
//! | file | idea |
//! |---|---|
//! | [`trail`] | what techniques did along one line of a search |
//!
//! Several searches, all with an empty table and one thread, so that the answer is the same every time:
//! the position (what is best?), the move alone (what is it worth, and by which line?), both again,
//! watched along that line, and the move alone without each technique that had a hand in it. Where the
//! move alone is worth more than what the position's search chose, that search has overlooked it: then it
//! is the position that is searched without each of them, to see which of them hid the move.

pub mod trail;

use std::sync::Arc;
use std::time::Instant;

use secateur_games::playable::{GameEngine, Playable, new_engine};
use secateur_games::record::Record;
use secateur_games::told::told;
use secateur_search::alphabeta::Control;
use secateur_search::alphabeta::engine::{Answer, Engine, Limits};
use secateur_search::alphabeta::table::Bound;
use secateur_search::bstar::OddsTable;
use secateur_search::calibrate::cuts::Cuts;
use secateur_search::calibrate::ranks::Ranks;
use secateur_search::calibrate::reductions::Reductions;
use secateur_search::observe::{Observer, Rule};
use secateur_search::{Depth, Game, Score, Settings};

use self::trail::{Trail, Use};

/// What the search made of a move.
#[derive(Clone, Debug)]
pub struct Why<G: Game> {
    /// The move.
    pub asked: G::Move,
    /// The best move.
    pub best: G::Move,
    /// What that is worth, as people are told it.
    pub best_score: Score,
    /// How deep the position was searched to find it.
    pub best_depth: i32,
    /// The line that begins with it.
    pub best_line: Vec<G::Move>,
    /// What the move is worth, as people are told it.
    pub score: Score,
    /// Whether it is worth that, or at least or at most that.
    pub bound: Bound,
    /// How deep the move was searched for that: not as deep as the position, where that takes too many
    /// nodes.
    pub depth: i32,
    /// The longest line that begins with the move and was looked at, beside all others.
    pub reached: usize,
    /// The best line after the move.
    pub refutation: Vec<G::Move>,
    /// What techniques did along it, those nearest to the root first.
    pub rules: Vec<Use>,
    /// What the verdict is without one technique, the largest change first: of the move alone, or, where
    /// it was overlooked, of the position.
    pub without: Vec<Without<G::Move>>,
    /// Whether the move alone is worth more than the one that the search of the position chose.
    pub overlooked: bool,
    /// Whether somebody ended it before everything was tried.
    pub partial: bool,
}

impl<G: Game> Why<G> {
    /// The techniques without which the search of the position finds the move that it overlooked.
    pub fn hidden_by(&self) -> impl Iterator<Item = &Without<G::Move>> {
        let asked = self.asked;
        self.without.iter().filter(move |without| self.overlooked && without.best == asked)
    }
}

/// The verdict without a technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Without<M> {
    /// The technique.
    pub rule: Rule,
    /// The move that it is about: the one that was asked about, or the best of the position.
    pub best: M,
    /// The value then, as people are told it.
    pub score: Score,
    /// Whether it is that, or at least or at most that.
    pub bound: Bound,
    /// How much higher that is.
    pub change: i32,
    /// How deep that was searched: not as deep as with it, where it saves too much.
    pub depth: i32,
}

/// Every search after the first may take so many times its nodes.
const LONGER: u64 = 4;

/// A guess that differs by less is noise of the search, in hundredths.
const NOISE: i32 = 10;

/// Whether one value is more than another, and not by noise alone.
pub fn is_more(one: Score, other: Score) -> bool {
    let least = if one.is_proven() || other.is_proven() { 1 } else { NOISE };
    one - other >= least
}

/// What the searches are made with.
pub struct Terms<'a> {
    /// Such as the game can serve.
    pub settings: &'a Settings,
    /// The table of cuts, if not the game's own.
    pub cuts: Option<Cuts>,
    /// The table of ranks, if not the game's own.
    pub ranks: Option<Arc<Ranks>>,
    /// The table of reductions, if not the game's own.
    pub reductions: Option<Arc<Reductions>>,
    /// The table of probabilities of B\*'s leaves, if not the game's own.
    pub odds: Option<Arc<OddsTable>>,
    /// Of the transposition table.
    pub mebibytes: usize,
}

impl Terms<'_> {
    /// Whether the tables are what the settings want.
    pub fn check<G: Playable>(&self) -> anyhow::Result<()> {
        let mut engine = new_engine::<G>();
        self.give(&mut engine, self.settings);
        engine.check_ranks()?;
        engine.check_reductions()?;
        engine.check_odds()?;
        Ok(engine.check_cuts()?)
    }

    fn give<G: Playable, O: Observer>(
        &self,
        engine: &mut Engine<G, G::Evaluator, G::Solver, O>,
        settings: &Settings,
    ) {
        engine.set_settings(settings.clone());
        if let Some(cuts) = &self.cuts {
            engine.set_cuts(cuts);
        }
        if let Some(ranks) = &self.ranks {
            engine.set_ranks(Arc::clone(ranks));
        }
        if let Some(reductions) = &self.reductions {
            engine.set_reductions(Arc::clone(reductions));
        }
        if let Some(odds) = &self.odds {
            engine.set_odds(Arc::clone(odds));
        }
        // A table that cannot be had leaves the usual one.
        let _ = engine.set_table(self.mebibytes);
    }
}

/// Finds out. The move must be legal in the position at the end of the record, and the settings such
/// as the game can serve. `None` if `control` stopped it before the move was valued. `tell` hears of each
/// search before it begins.
pub fn why<G: Playable>(
    record: &Record<G>,
    asked: G::Move,
    terms: &Terms<'_>,
    limits: &Limits<G::Move>,
    control: &Control,
    tell: &mut dyn FnMut(String),
) -> Option<Why<G>> {
    let (position, settings) = (record.position(), terms.settings);
    let name = position.describe_move(asked);
    tell("the position".to_string());
    let mut engine = new_engine::<G>();
    terms.give(&mut engine, settings);
    let (first, _) = search(&mut engine, record, limits, control);
    let best = first.best?;
    if first.depth == Depth::ZERO {
        return None;
    }
    let limited = |allowed: &[G::Move]| Limits {
        depth: Some(first.depth),
        nodes: Some(LONGER * first.nodes + LONGER),
        allowed: allowed.to_vec(),
        ..Limits::default()
    };
    let again = |settings: &Settings, allowed: &[G::Move]| {
        let mut engine = new_engine::<G>();
        terms.give(&mut engine, settings);
        search(&mut engine, record, &limited(allowed), control)
    };
    tell(format!("{name} alone"));
    let (only, bound) = again(settings, &[asked]);
    if control.is_stopped() || only.depth == Depth::ZERO {
        return None;
    }
    let (score, depth, line) = (told(position, only.score), only.depth, only.line);
    let best_score = if asked == best { score } else { told(position, first.score) };
    let overlooked = bound != Bound::Upper && is_more(score, best_score);
    tell(format!("what is done along the line of {name}"));
    let watch = |allowed: &[G::Move]| watched(record, &line, terms, &limited(allowed), control);
    // Beside better moves it is hardly looked at: what is done with it at the root, and how far it is
    // followed, is seen there, everything else where it stands alone.
    let (beside, by_itself) = (watch(&[]), watch(&[asked]));
    let mut rules: Vec<Use> = beside.uses().into_iter().filter(|found| found.ply == 0).collect();
    rules.extend(by_itself.uses().into_iter().filter(|found| found.ply > 0));
    let mut without = Vec::new();
    let (compared, allowed) = match overlooked {
        true => (best_score, vec![]),
        false => (score, vec![asked]),
    };
    for rule in hands(&rules) {
        let mut other = settings.clone();
        if other.set(rule.name(), "off").is_err() {
            continue;
        }
        if control.is_stopped() {
            break;
        }
        tell(format!("without {}", rule.name()));
        let (found, bound) = again(&other, &allowed);
        // What is not finished is no verdict.
        let (false, Some(best)) = (control.is_stopped(), found.best) else { break };
        if found.depth == Depth::ZERO {
            continue;
        }
        let (score, depth) = (told(position, found.score), found.depth.plies());
        without.push(Without { rule, best, score, bound, change: score - compared, depth });
    }
    without.sort_by_key(|without| std::cmp::Reverse(without.change.abs()));
    Some(Why {
        asked,
        best,
        best_score,
        best_depth: first.depth.plies(),
        best_line: first.line,
        score,
        bound,
        depth: depth.plies(),
        reached: beside.reached(),
        refutation: line.get(1..).unwrap_or_default().to_vec(),
        rules,
        without,
        overlooked,
        partial: control.is_stopped(),
    })
}

/// The techniques that did something, each once.
fn hands(uses: &[Use]) -> Vec<Rule> {
    let mut hands: Vec<Rule> = Vec::new();
    for found in uses {
        if !hands.contains(&found.rule) {
            hands.push(found.rule);
        }
    }
    hands
}

/// A search, and what its value is to a search of one move alone.
fn search<G: Playable>(
    engine: &mut GameEngine<G>,
    record: &Record<G>,
    limits: &Limits<G::Move>,
    control: &Control,
) -> (Answer<G::Move>, Bound) {
    let (position, line) = (record.position(), record.line());
    let mut finished = None;
    let answer = engine.search(position, line, limits, Instant::now(), control, &mut |report| {
        if report.bound == Bound::Exact {
            finished = Some(report.score);
        }
    });
    let bound = told_by(finished, answer.score);
    (answer, bound)
}

/// What the value of a search of one move is, by that of its last finished iteration. If the nodes end in
/// the middle of the next one, the value is still the former, unless the window has already turned out to
/// be too low or too high.
fn told_by(finished: Option<Score>, score: Score) -> Bound {
    match finished {
        None => Bound::None,
        Some(value) if score > value => Bound::Lower,
        Some(value) if score < value => Bound::Upper,
        Some(_) => Bound::Exact,
    }
}

/// What happens along a line in a search.
fn watched<G: Playable>(
    record: &Record<G>,
    line: &[G::Move],
    terms: &Terms<'_>,
    limits: &Limits<G::Move>,
    control: &Control,
) -> Trail {
    let packed: Vec<u16> = line.iter().map(|m| G::pack(*m)).collect();
    let mut engine = Engine::new(G::start(), move || {
        let (evaluator, solver) = G::equip();
        (evaluator, solver, Trail::along(packed.clone()))
    });
    terms.give(&mut engine, terms.settings);
    let (position, line) = (record.position(), record.line());
    engine.search(position, line, limits, Instant::now(), control, &mut |_| {});
    engine.observers().next().cloned().unwrap_or_default()
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_search::Notation;

    #[test]
    fn a_search_that_ends_in_a_window_too_low_has_found_a_lower_bound() {
        let score = Score::heuristic;
        assert_eq!(told_by(Some(score(10)), score(10)), Bound::Exact);
        assert_eq!(told_by(Some(score(10)), score(28)), Bound::Lower);
        assert_eq!(told_by(Some(score(10)), score(-8)), Bound::Upper);
        assert_eq!(told_by(None, score(10)), Bound::None);
    }

    /// The value of one move by ever more nodes is that of the last depth that was finished, or a bound.
    #[test]
    fn what_the_nodes_did_not_suffice_for_is_not_called_its_value() {
        let position = Chess::read_position(
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        );
        let record = Record::starting_at(position.unwrap());
        let mut settings = Settings::default();
        // The narrower the window, the more searches end beyond it.
        settings.set("aspiration.width", "4").unwrap();
        let by = |limits: &Limits<_>| {
            let mut engine = new_engine::<Chess>();
            engine.set_settings(settings.clone());
            search(&mut engine, &record, limits, &Control::default())
        };
        let mut bounds = 0;
        for (text, nodes) in
            ["Bxa6", "d6", "Nxg6"].into_iter().flat_map(|m| (1..50).map(move |n| (m, 200 * n)))
        {
            let asked = record.position().read_move(text).unwrap();
            let limits = Limits { allowed: vec![asked], ..Limits::nodes(nodes) };
            let (answer, bound) = by(&limits);
            if answer.depth == Depth::ZERO {
                continue;
            }
            let depth = Some(answer.depth);
            let (whole, exact) = by(&Limits { depth, nodes: None, ..limits });
            assert_eq!(exact, Bound::Exact);
            match bound {
                Bound::Exact => assert_eq!(answer.score, whole.score, "{text}, {nodes} nodes"),
                Bound::Lower => assert!(answer.score > whole.score, "{text}, {nodes} nodes"),
                other => panic!("{text}: {other:?} after {nodes} nodes"),
            }
            bounds += u32::from(bound != Bound::Exact);
        }
        assert!(bounds > 0, "no search was ended above its window");
    }
}
