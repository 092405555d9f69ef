//! What every game must keep, checked on random games. A new game proves itself with
//! [`rules`], and with [`tactics`], [`notation`] and [`evaluator`] for whatever else it has:
//!
//! ```
//! use secateur_search::testkit::{contract, tree::Tree};
//! let start = Tree::parse("((3 5) (2 9))").unwrap();
//! contract::rules(&[start], &contract::Effort::default()).unwrap();
//! ```

use std::collections::HashSet;
use std::fmt;

use crate::bstar::OddsTable;
use crate::calibrate::cuts::Cuts;
use crate::calibrate::plan::Wanted;
use crate::calibrate::ranks::Ranks;
use crate::calibrate::reductions::Reductions;
use crate::random::SplitMix;
use crate::testkit::reference::moves;
use crate::{Ability, Evaluator, Game, Gen, Line, Notation, Outcome, Score, Settings, Tactics};

/// How long to look.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Random games from each start.
    pub games: usize,
    /// Games are broken off after so many plies.
    pub plies: usize,
    /// Another seed plays other games.
    pub seed: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { games: 20, plies: 200, seed: 1 }
    }
}

/// A broken rule, and the random game that broke it.
#[derive(Clone, Debug)]
pub struct Violation {
    rule: String,
    start: usize,
    path: Vec<u16>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (start {}, packed moves {:?})", self.rule, self.start, self.path)
    }
}

impl std::error::Error for Violation {}

/// What a check may say: the rule that is broken, as a sentence.
type Verdict = Result<(), String>;

macro_rules! demand {
    ($condition:expr, $($rule:tt)+) => {
        if !$condition {
            return Err(format!($($rule)+));
        }
    };
}

/// Plays random games and shows `check` every position with the line that led to it.
fn walk<G: Game>(
    starts: &[G],
    effort: &Effort,
    mut check: impl FnMut(&G, &Line<G::Mark>, &mut SplitMix) -> Verdict,
) -> Result<(), Violation> {
    let mut random = SplitMix::new(effort.seed);
    for (start, first) in starts.iter().enumerate() {
        for _ in 0..effort.games {
            let mut position = first.clone();
            let mut line = Line::starting_at(&position);
            let mut path = Vec::new();
            loop {
                check(&position, &line, &mut random).map_err(|rule| Violation {
                    rule,
                    start,
                    path: path.clone(),
                })?;
                let moves = moves(&position);
                if moves.is_empty() || position.ended().is_some() || path.len() == effort.plies {
                    break;
                }
                let m = moves[random.below(moves.len())];
                let after = position.after(m);
                line.play(&position, m, &after);
                path.push(G::pack(m));
                position = after;
            }
        }
    }
    Ok(())
}

/// The rules themselves: generation, packing, keys, turns, reversibility, outcomes.
pub fn rules<G: Game>(starts: &[G], effort: &Effort) -> Result<(), Violation> {
    let mut seen = 0;
    let (mut known, mut known_set) = (Vec::new(), HashSet::new());
    walk(starts, effort, |position, _, random| {
        let legal = moves(position);
        let key = position.key();
        let distinct: HashSet<G::Move> = legal.iter().copied().collect();
        demand!(distinct.len() == legal.len(), "each_move gives a move twice: {legal:?}");
        demand!(
            legal == moves(position) && legal == moves(&position.clone()),
            "each_move depends on something beside the position"
        );
        let count = position.count_moves();
        demand!(count == legal.len(), "count_moves says {count}, each_move gives {}", legal.len());

        let packed: HashSet<u16> = legal.iter().map(|m| G::pack(*m)).collect();
        demand!(packed.len() == legal.len(), "two legal moves pack to the same bits");
        demand!(!packed.contains(&0), "a move packs to 0, which means no move");
        for &m in &legal {
            let back = position.unpack(G::pack(m));
            demand!(back == Some(m), "{m:?} unpacks to {back:?}");
        }
        // All bits now and then; always some that were legal elsewhere, as killers are, and some
        // that were drawn.
        known.extend(packed.iter().filter(|bits| known_set.insert(**bits)));
        let bits: Vec<u16> = if seen % 64 == 0 {
            (0..=u16::MAX).collect()
        } else {
            let elsewhere = (0..64).map(|_| known.get(random.below(known.len())).copied());
            let elsewhere: Vec<u16> = elsewhere.flatten().collect();
            elsewhere.into_iter().chain((0..16).map(|_| random.next_u64() as u16)).collect()
        };
        for bits in bits {
            let legal = packed.contains(&bits);
            demand!(
                position.unpack(bits).is_some() == legal,
                "bits {bits:#06x} unpack to {:?}, but that is {}legal",
                position.unpack(bits),
                if legal { "" } else { "not " }
            );
        }
        seen += 1;

        for &m in &legal {
            let child = position.after(m);
            demand!(position.key() == key, "playing {m:?} on a copy changed the original");
            demand!(child.key() != key, "{m:?} leaves the key as it was");
            demand!(child.turn() == position.turn().other(), "{m:?} does not pass the turn");
        }

        let alone = Line::starting_at(position);
        demand!(
            position.recurrence(&alone).is_none(),
            "a position that never occurred before ends the game by repetition"
        );

        if let Some(outcome) = position.ended() {
            demand!(in_range(outcome), "{outcome:?} is too large");
        }
        if legal.is_empty() {
            let outcome = position.without_moves();
            demand!(in_range(outcome), "{outcome:?} is too large");
            let early = position.ended();
            demand!(
                early.is_none_or(|early| early == outcome),
                "ended says {early:?}, without_moves {outcome:?}"
            );
        }
        Ok(())
    })?;
    // The line looks only as far back as `irreversible` allows: it must miss nothing.
    let mut game_keys = Vec::new();
    walk(starts, effort, |position, line, _| {
        if line.played() == 0 {
            game_keys.clear();
        }
        let key = position.key();
        let before = game_keys.iter().filter(|earlier| **earlier == key).count();
        let found = line.occurrences();
        demand!(
            found.in_game + found.in_search == before,
            "the position came {before} times before, but the line sees {found:?}: \
             some move is wrongly called irreversible"
        );
        game_keys.push(key);
        Ok(())
    })
}

fn in_range(outcome: Outcome) -> bool {
    match outcome {
        Outcome::Margin(points) => i32::from(points).abs() <= Score::FINAL_MARGIN_MAX,
        _ => true,
    }
}

/// The engine's view: kinds of moves, indices, checks, exchanges, passes, abilities.
pub fn tactics<G: Tactics>(starts: &[G], effort: &Effort) -> Result<(), Violation> {
    let has = |ability| G::ABILITIES.serves(ability);
    // A claimed ability that never shows would be silently inert.
    let mut shown = Ability::NONE;
    walk(starts, effort, |position, line, _| {
        let list = |which| {
            let mut moves = Vec::new();
            position.each(which, |m| moves.push(m));
            moves
        };
        let (all, noisy, quiet) = (list(Gen::All), list(Gen::Noisy), list(Gen::Quiet));
        let set = |moves: &[G::Move]| moves.iter().copied().collect::<HashSet<_>>();
        demand!(set(&all) == set(&moves(position)), "Gen::All and each_move differ");
        let both: Vec<G::Move> = noisy.iter().chain(&quiet).copied().collect();
        demand!(
            both.len() == all.len() && set(&both) == set(&all),
            "noisy and quiet moves together are not all moves, each once"
        );
        demand!(noisy.is_empty() || has(Ability::NOISY), "a noisy move without NOISY");
        for (which, moves) in [(Gen::All, &all), (Gen::Noisy, &noisy), (Gen::Quiet, &quiet)] {
            let mut placed = Vec::new();
            position.each_placed(which, |m, place| placed.push((m, place)));
            let wanted = moves.iter().map(|m| (*m, position.place(*m)));
            demand!(wanted.eq(placed), "each_placed differs from each and place");
        }
        for &m in &all {
            let noise = noisy.contains(&m);
            demand!(position.is_noisy(m) == noise, "is_noisy is wrong about {m:?}");
            let (place, victim) = (position.place(m), position.victim(m));
            demand!(place < G::PLACES, "place {place} of {m:?} is not below PLACES");
            demand!(victim < G::VICTIMS, "victim {victim} of {m:?} is not below VICTIMS");
            let check = position.after(m).in_check();
            demand!(position.gives_check(m) == check, "gives_check is wrong about {m:?}");
            exchange(position, m)?;
            if noise {
                shown = shown | Ability::NOISY;
            }
            if position.about_to_promote(m) {
                demand!(has(Ability::PROMOTION), "about_to_promote without PROMOTION");
                shown = shown | Ability::PROMOTION;
            }
            if has(Ability::EXCHANGE) && position.exchange_at_least(m, 0) != (position.gain(m) >= 0)
            {
                shown = shown | Ability::EXCHANGE;
            }
        }
        demand!(position.stage() < G::STAGES, "stage {} of {}", position.stage(), G::STAGES);
        let spent = position.move_rule_spent();
        demand!((0..=256).contains(&spent), "{spent} of 256ths of the move rule are spent");
        let draws_by = |m: &G::Move| {
            let (mut line, after) = (line.clone(), position.after(*m));
            line.enter(0, position, *m, &after);
            after.recurrence(&line).is_some_and(|outcome| outcome.score(0) == Score::DRAW)
        };
        demand!(
            !position.can_recur(line) || all.iter().any(draws_by),
            "can_recur, but no move draws by recurrence"
        );
        let category = position.category();
        demand!(category < G::CATEGORIES, "category {category} of {}", G::CATEGORIES);
        for facet in 0..G::FACETS {
            let key = position.facet_key(facet);
            demand!(key == position.clone().facet_key(facet), "facet {facet} is not a function");
        }
        if position.in_check() {
            demand!(has(Ability::CHECK), "a check without CHECK");
            shown = shown | Ability::CHECK;
        }
        material(position, &all)?;
        if position.material() != 0 {
            shown = shown | Ability::MATERIAL;
        }
        let passed = position.pass();
        if let Some(passed) = &passed {
            demand!(has(Ability::PASS), "a pass without PASS");
            demand!(passed.turn() == position.turn().other(), "a pass keeps the turn");
            demand!(passed.key() != position.key(), "a pass keeps the key");
            demand!(passed.material() == -position.material(), "a pass changes material");
            let [ours, theirs] = position.officers();
            demand!(passed.officers() == [theirs, ours], "a pass changes officers");
            let threats = moves(passed);
            let met = |m: &G::Move| threats.iter().any(|threat| position.meets(*m, *threat));
            let any = all.iter().any(met);
            demand!(!any || has(Ability::PASS_IS_BOUND), "a threat is met that no pass can find");
            shown = shown | Ability::PASS;
        }
        if position.pass_is_bound() {
            demand!(has(Ability::PASS_IS_BOUND), "a bound by pass without PASS_IS_BOUND");
            demand!(passed.is_some(), "pass_is_bound where there is no pass");
            shown = shown | Ability::PASS_IS_BOUND;
        }
        Ok(())
    })?;
    for (preset, text) in G::TUNED {
        let read = Settings::preset(preset).and_then(|mut settings| settings.read(text));
        if let Err(error) = read {
            let rule = format!("what is tuned of {preset} cannot be read: {error}");
            return Err(Violation { rule, start: 0, path: Vec::new() });
        }
    }
    let divided = [G::STAGES, G::CATEGORIES];
    let fits = |cuts: Cuts| cuts.plan().check_for(divided, None, Wanted::default());
    for text in G::CUTS {
        if let Err(error) = Cuts::parse(text).and_then(fits) {
            let rule = format!("a table of cuts cannot be read: {error}");
            return Err(Violation { rule, start: 0, path: Vec::new() });
        }
    }
    if !G::RANKS.is_empty()
        && let Err(error) = Ranks::parse(G::RANKS)
    {
        let rule = format!("its table of ranks cannot be read: {error}");
        return Err(Violation { rule, start: 0, path: Vec::new() });
    }
    if !G::REDUCTIONS.is_empty()
        && let Err(error) = Reductions::parse(G::REDUCTIONS)
    {
        let rule = format!("its table of reductions cannot be read: {error}");
        return Err(Violation { rule, start: 0, path: Vec::new() });
    }
    if !G::ODDS.is_empty()
        && let Err(error) = OddsTable::parse(G::ODDS)
    {
        let rule = format!("its table of probabilities cannot be read: {error}");
        return Err(Violation { rule, start: 0, path: Vec::new() });
    }
    let missing = shown.lacking(G::ABILITIES);
    if missing != Ability::NONE {
        let rule = format!("{missing} is claimed, but never showed in {effort:?}");
        return Err(Violation { rule, start: 0, path: Vec::new() });
    }
    Ok(())
}

/// Material changes by what a move gains.
fn material<G: Tactics>(position: &G, all: &[G::Move]) -> Verdict {
    let (now, officers) = (position.material(), position.officers());
    if !G::ABILITIES.serves(Ability::MATERIAL) {
        demand!(now == 0 && officers == [0; 2], "material without MATERIAL");
        return Ok(());
    }
    for &m in all {
        let then = -position.after(m).material();
        let gain = position.gain(m);
        demand!(then == now + gain, "{m:?} gains {gain}, but material goes from {now} to {then}");
    }
    Ok(())
}

/// An exchange is a threshold test: true up to some value, false from there on.
fn exchange<G: Tactics>(position: &G, m: G::Move) -> Verdict {
    const LARGE: i32 = 15_000;
    demand!(position.exchange_at_least(m, -LARGE), "the exchange of {m:?} loses {LARGE}");
    demand!(!position.exchange_at_least(m, LARGE), "the exchange of {m:?} wins {LARGE}");
    let mut held = true;
    for bound in (-1_500..=1_500).step_by(50) {
        let holds = position.exchange_at_least(m, bound);
        demand!(held || !holds, "the exchange of {m:?} wins {bound}, but not a little less");
        held = holds;
    }
    demand!(
        !position.exchange_at_least(m, position.gain(m).max(0) + 1),
        "the exchange of {m:?} wins more than the move gains"
    );
    Ok(())
}

/// Texts: what is written is read back as the same, and nothing else is.
pub fn notation<G: Notation>(starts: &[G], effort: &Effort) -> Result<(), Violation> {
    let starts: Vec<G> = std::iter::once(G::start()).chain(starts.iter().cloned()).collect();
    walk(&starts, effort, |position, _, _| {
        let text = position.write_position();
        let back = match G::read_position(&text) {
            Ok(back) => back,
            Err(error) => return Err(format!("own text '{text}' is refused: {error}")),
        };
        demand!(
            back.key() == position.key() && back.turn() == position.turn(),
            "'{text}' is read as another position"
        );
        demand!(back.write_position() == text, "'{text}' comes back as another text");
        demand!(!position.draw().is_empty(), "'{text}' draws nothing");
        let legal = moves(position);
        demand!(moves(&back) == legal, "'{text}' is read with other moves");
        let mut texts = HashSet::new();
        for &m in &legal {
            for written in [position.write_move(m), position.describe_move(m)] {
                match position.read_move(&written) {
                    Ok(read) => demand!(read == m, "'{written}' is {m:?}, but read as {read:?}"),
                    Err(error) => return Err(format!("own move '{written}' is refused: {error}")),
                }
            }
            texts.insert(position.write_move(m));
        }
        demand!(texts.len() == legal.len(), "two moves of '{text}' are written alike");
        Ok(())
    })
}

/// An evaluator: what it updates move by move equals what it finds from scratch.
pub fn evaluator<G: Game, E: Evaluator<G>>(
    starts: &[G],
    effort: &Effort,
    make: impl Fn() -> E,
) -> Result<(), Violation> {
    let (mut updated, mut fresh) = (make(), make());
    let mut previous: Option<G> = None;
    walk(starts, effort, |position, line, random| {
        let ply = line.played() % 128;
        if ply == 0 {
            updated.start(position);
        } else if let Some(before) = &previous {
            let Some(m) =
                moves(before).into_iter().find(|m| before.after(*m).key() == position.key())
            else {
                return Err("no move leads to the position".to_string());
            };
            // A detour into a brother, as a search would make, must leave nothing behind.
            let brothers = moves(before);
            let brother = brothers[random.below(brothers.len())];
            updated.advance(ply - 1, before, brother, &before.after(brother));
            updated.advance(ply - 1, before, m, position);
        }
        fresh.start(position);
        let (a, b) = (updated.evaluate(ply, position), fresh.evaluate(0, position));
        demand!(a == b, "updated move by move it is {a}, from scratch {b}");
        demand!(!a.is_proven(), "a guess of {a} is outside the heuristic band");
        previous = Some(position.clone());
        Ok(())
    })
}
