//! The order of moves hands out what it should, whatever is asked of it on the way.

use std::collections::HashSet;

use secateur_games::chess::Chess;
use secateur_search::alphabeta::history::History;
use secateur_search::alphabeta::list::List;
use secateur_search::alphabeta::order::{Hints, Order, Picker};
use secateur_search::random::SplitMix;
use secateur_search::testkit::reference::moves as legal;
use secateur_search::{Game, Notation, Tactics};

const STARTS: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/4k3/3N4/2B1P3/5R2/8/4K3/4R2B w - - 0 1",
];

/// What a picker is asked for after some moves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Asked {
    Nothing,
    OnlyChecks,
    OnlySharp,
}

/// The moves handed out before and after the question, with hints of quiet moves by chance.
fn handed_out(
    position: &Chess,
    asked: Asked,
    random: &mut SplitMix,
) -> (Vec<u16>, Vec<u16>, Vec<u16>) {
    let all = legal(position);
    let mut any = || if all.is_empty() { 0 } else { Chess::pack(all[random.below(all.len())]) };
    let hints = Hints {
        table: any(),
        killers: [any(), any()],
        counter: any(),
        threat: any(),
        back: [None; 3],
    };
    let refutations = vec![hints.killers[0], hints.killers[1], hints.counter];
    let order = Order::default();
    let history = History::new::<Chess>();
    let mut list = List::new(256);
    let mut picker = Picker::new(hints, &order);
    let moment = random.below(all.len() + 1);
    let (mut before, mut after) = (Vec::new(), Vec::new());
    loop {
        if before.len() == moment && after.is_empty() {
            match asked {
                Asked::Nothing => {}
                Asked::OnlyChecks => picker.only_checks(),
                // The search asks for this only before quiet moves are made.
                Asked::OnlySharp if picker.will_make_quiets() => picker.only_sharp(),
                Asked::OnlySharp => {}
            }
        }
        let Some(m) = picker.next(position, &mut list, &history, &order) else { break };
        if before.len() < moment { &mut before } else { &mut after }.push(Chess::pack(m));
    }
    (before, after, refutations)
}

fn everywhere(mut look: impl FnMut(&Chess, &mut SplitMix)) {
    let mut random = SplitMix::new(31);
    for start in STARTS {
        for _ in 0..60 {
            let mut position = Chess::read_position(start).unwrap();
            for _ in 0..40 {
                look(&position, &mut random);
                let all = legal(&position);
                let Some(&m) = all.get(random.below(all.len().max(1))) else { break };
                position.play(m);
            }
        }
    }
}

#[test]
fn every_legal_move_is_handed_out_once() {
    everywhere(|position, random| {
        let (mut out, after, _) = handed_out(position, Asked::Nothing, random);
        out.extend(after);
        let count = out.len();
        let out: HashSet<u16> = out.into_iter().collect();
        assert_eq!(out.len(), count, "{}", position.board());
        assert_eq!(out, legal(position).into_iter().map(Chess::pack).collect());
    });
}

#[test]
fn once_only_checks_are_wanted_the_checks_and_noisy_moves_that_are_left_come_and_nothing_else() {
    let mut checks = 0;
    everywhere(|position, random| {
        let (before, after, _) = handed_out(position, Asked::OnlyChecks, random);
        let mut expected: HashSet<u16> = HashSet::new();
        for m in legal(position) {
            let wanted = position.is_noisy(m) || position.gives_check(m);
            if wanted && !before.contains(&Chess::pack(m)) {
                expected.insert(Chess::pack(m));
                checks += usize::from(!position.is_noisy(m));
            }
        }
        let table_first = before.is_empty() && !after.is_empty();
        let count = after.len();
        let mut out: HashSet<u16> = after.iter().copied().collect();
        assert_eq!(out.len(), count, "none comes twice: {}", position.board());
        // The table move comes first, whatever it is.
        if table_first && !expected.contains(&after[0]) {
            out.remove(&after[0]);
        }
        assert_eq!(out, expected, "{}", position.board());
    });
    assert!(checks > 1_000, "{checks} quiet checks were due");
}

#[test]
fn once_only_sharp_moves_are_wanted_the_quiet_ones_are_refutations_and_checks() {
    let mut sharp = 0;
    everywhere(|position, random| {
        let (before, after, refutations) = handed_out(position, Asked::OnlySharp, random);
        let all = before.len() + after.len();
        if all == legal(position).len() {
            return;
        }
        for packed in &after {
            let m = position.unpack(*packed).unwrap();
            assert!(
                position.is_noisy(m) || position.gives_check(m) || refutations.contains(packed),
                "{m} in {}",
                position.board()
            );
            sharp += usize::from(!position.is_noisy(m));
        }
        for m in legal(position) {
            let packed = Chess::pack(m);
            if position.gives_check(m) || position.is_noisy(m) || refutations.contains(&packed) {
                assert!(before.contains(&packed) || after.contains(&packed));
            }
        }
    });
    assert!(sharp > 1_000, "{sharp} quiet moves came");
}
