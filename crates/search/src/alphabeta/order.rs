//! The order in which moves are tried: the likeliest refutations first, each made only when the
//! ones before it have failed.

use super::history::{Back, History};
use super::list::List;
use crate::calibrate::ranks::Phase;
use crate::{Ability, Gen, Tactics};

crate::params! {
    /// How moves are ordered and what they learn from success.
    pub struct Order in "order" {
        /// Noisy moves that lose more than this in the exchange come last.
        bad_exchange = 0, in 0..=200, step 10;
        /// What a unit of material gained counts against noisy history, in halves.
        gain_weight = 62, in 1..=256, step 4;
        /// Bonus for a move that cut, for each ply of depth.
        bonus_slope = 313, in 10..=600, step 20;
        /// Taken off the bonus.
        bonus_offset = 80, in 0..=600, step 20;
        /// The bonus grows no further.
        bonus_most = 1600, in 200..=6000, step 100;
        /// Bonus for quiet moves that meet the threat which a pass that failed has shown; 0 for none.
        /// Only null move finds one.
        threat = 0, in 0..=20000, step 500;
    }
}

impl Order {
    /// What a move gains for a cut at this depth.
    pub fn bonus(&self, depth: i32) -> i32 {
        (self.bonus_slope * depth - self.bonus_offset).clamp(0, self.bonus_most)
    }
}

/// What is known at a node before any move is made.
#[derive(Clone, Copy, Debug)]
pub struct Hints {
    /// From the transposition table, packed; 0 for none.
    pub table: u16,
    /// Quiet moves that cut at this ply, packed.
    pub killers: [u16; 2],
    /// The quiet move that refuted the opponent's last, packed.
    pub counter: u16,
    /// What the opponent would do after a pass, packed for the position then; 0 if not known.
    pub threat: u16,
    /// The moves before, for continuation history.
    pub back: [Back; 3],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    MakeNoisy,
    Noisy,
    Refutations,
    MakeQuiet,
    LeaveChecks,
    Quiet,
    BadNoisy,
}

/// Which quiet moves are wanted, the fewer the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
enum Quiets {
    All,
    /// Killers, the counter move and checks.
    Sharp,
    Checks,
    None,
}

/// Hands out the moves of a node one by one.
pub struct Picker {
    stage: Stage,
    hints: Hints,
    /// How many refutations have been looked at, then how many bad noisy moves.
    next: usize,
    quiets: Quiets,
    exchange_bound: i32,
    /// What the history says of the quiet move handed out last, if that has ordered it.
    known_history: Option<i32>,
}

impl Picker {
    /// All moves.
    pub fn new(hints: Hints, order: &Order) -> Picker {
        let exchange_bound = -order.bad_exchange;
        Picker {
            stage: Stage::Table,
            hints,
            next: 0,
            quiets: Quiets::All,
            exchange_bound,
            known_history: None,
        }
    }

    /// Noisy moves only, and none that wins less than this in the exchange.
    pub fn noisy(table: u16, exchange_bound: i32, order: &Order) -> Picker {
        let hints = Hints { table, killers: [0; 2], counter: 0, threat: 0, back: [None; 3] };
        Picker { quiets: Quiets::None, exchange_bound, ..Picker::new(hints, order) }
    }

    /// No more quiet moves but checks.
    pub fn only_checks(&mut self) {
        self.quiets = Quiets::Checks;
        if self.stage == Stage::Quiet {
            self.stage = Stage::LeaveChecks;
        }
    }

    /// No more quiet moves but killers, the counter move and checks; the others are not even made.
    pub fn only_sharp(&mut self) {
        self.quiets = Quiets::Sharp;
    }

    /// Whether quiet moves are wanted and may be made next.
    #[inline]
    pub fn will_make_quiets(&self) -> bool {
        matches!(self.stage, Stage::Noisy | Stage::Refutations) && self.quiets == Quiets::All
    }

    /// Killers and the counter move, packed.
    #[inline]
    fn refutations(&self) -> [u16; 3] {
        let Hints { killers: [first, second], counter, .. } = self.hints;
        [first, second, counter]
    }

    /// Whether the packed move is a killer or the counter move.
    #[inline]
    pub fn is_refutation(&self, packed: u16) -> bool {
        self.refutations().contains(&packed)
    }

    /// The history of the move handed out last, if it is a quiet one that came by its history.
    #[inline]
    pub fn known_history(&self) -> Option<i32> {
        self.known_history
    }

    /// The phase in which the move handed out last came, if that is one of the last: a quiet move with a
    /// good history, or whatever remains.
    #[inline]
    pub fn phase(&self) -> Option<Phase> {
        match self.known_history {
            Some(history) if history > 0 => Some(Phase::History),
            Some(_) => Some(Phase::Remaining),
            None => (self.stage == Stage::BadNoisy).then_some(Phase::Remaining),
        }
    }

    /// The moves before, for the history of a move.
    #[inline]
    pub fn back(&self) -> &[Back; 3] {
        &self.hints.back
    }

    /// The next move; `list` is the ply's own and holds what the picker has made.
    #[inline]
    pub fn next<G: Tactics>(
        &mut self,
        position: &G,
        list: &mut List<G::Move>,
        history: &History,
        order: &Order,
    ) -> Option<G::Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeNoisy;
                    if let Some(m) = position.unpack(self.hints.table)
                        && (self.quiets != Quiets::None || position.is_noisy(m))
                    {
                        return Some(m);
                    }
                    self.hints.table = 0;
                }
                Stage::MakeNoisy => {
                    list.clear();
                    if G::ABILITIES.serves(Ability::NOISY) {
                        make_noisy(position, list, history, order);
                    }
                    self.stage = Stage::Noisy;
                }
                Stage::Noisy => {
                    while let Some((m, _)) = list.take_best() {
                        if G::pack(m) == self.hints.table {
                            continue;
                        }
                        if position.exchange_at_least(m, self.exchange_bound) {
                            return Some(m);
                        }
                        if self.quiets != Quiets::None {
                            list.put_aside(m);
                        }
                    }
                    if self.quiets == Quiets::None {
                        return None;
                    }
                    self.stage = Stage::Refutations;
                }
                Stage::Refutations => {
                    let refutations = self.refutations();
                    while self.quiets <= Quiets::Sharp
                        && let Some(&packed) = refutations.get(self.next)
                    {
                        let earlier = &refutations[..self.next];
                        self.next += 1;
                        if packed != self.hints.table
                            && !earlier.contains(&packed)
                            && let Some(m) = position.unpack(packed)
                            && !position.is_noisy(m)
                        {
                            return Some(m);
                        }
                    }
                    self.stage = Stage::MakeQuiet;
                }
                Stage::MakeQuiet => {
                    let all = self.quiets == Quiets::All;
                    make_quiet(position, list, history, &self.hints, order, all);
                    self.stage = Stage::Quiet;
                }
                Stage::LeaveChecks => {
                    list.keep(|keep| {
                        if G::ABILITIES.serves(Ability::CHECK) {
                            position.each_quiet_check(|m, _| keep.keep(m));
                        }
                    });
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    while let Some((m, history)) = list.take_best() {
                        let packed = G::pack(m);
                        // Those that have been handed out: not all, if checks alone were wanted.
                        let tried = &self.refutations()[..self.next];
                        if packed != self.hints.table && !tried.contains(&packed) {
                            self.known_history = Some(history);
                            return Some(m);
                        }
                    }
                    self.next = 0;
                    self.known_history = None;
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => {
                    let m = list.aside(self.next)?;
                    self.next += 1;
                    return Some(m);
                }
            }
        }
    }
}

fn make_noisy<G: Tactics>(
    position: &G,
    list: &mut List<G::Move>,
    history: &History,
    order: &Order,
) {
    list.refill(|list| {
        position.each_placed(Gen::Noisy, |m, place| {
            let history = history.noisy(place, position.victim(m));
            list.push(m, position.gain(m) * order.gain_weight / 2 + history);
        });
    });
}

/// All quiet moves, or those that give check.
fn make_quiet<G: Tactics>(
    position: &G,
    list: &mut List<G::Move>,
    history: &History,
    hints: &Hints,
    order: &Order,
    all: bool,
) {
    let quiets = history.quiets(position.turn(), &hints.back);
    let threat = if hints.threat == 0 {
        None
    } else {
        position.pass().and_then(|after| after.unpack(hints.threat))
    };
    list.refill(|list| {
        if !all {
            if G::ABILITIES.serves(Ability::CHECK) {
                position.each_quiet_check(|m, place| list.push(m, quiets.get(place)));
            }
        } else if let Some(threat) = threat {
            position.each_placed(Gen::Quiet, |m, place| {
                let bonus = if position.meets(m, threat) { order.threat } else { 0 };
                list.push(m, quiets.get(place) + bonus);
            });
        } else {
            position.each_placed(Gen::Quiet, |m, place| list.push(m, quiets.get(place)));
        }
    });
}
