//! A table of ranks by hand.

use std::sync::Arc;

use crate::calibrate::cuts::evaluation_name;
use crate::calibrate::ranks::{
    BANDS, Counts, FORMAT, Fails, Head, INTERVALS, Phase, Ranks, State, Tally, USUAL_PULL,
};

/// A table by which a better move follows any late one so many times in a thousand, from depth 2 on.
pub fn the_same_everywhere(game: &str, better: u64) -> Arc<Ranks> {
    let edges = [-100, -50, -1, 0, 1, 50];
    let head = Head {
        format: FORMAT,
        game: game.to_string(),
        evaluation: evaluation_name(0),
        host: String::new(),
        made_by: String::new(),
        games: 1,
        least_depth: 2,
        least_seen: 1,
        margin: 50,
        lead: edges,
        fall: edges,
        fails: Fails::Hard,
        pull: USUAL_PULL,
    };
    let mut coarsest = Tally::new();
    for number in 0..BANDS as u8 {
        for lead in 0..INTERVALS as u8 {
            for (in_check, changes) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
                for phase in [Phase::History, Phase::Remaining] {
                    let (depth, fall) = (0, 0);
                    let state = State { depth, in_check, phase, number, changes, lead, fall };
                    let counts = Counts { seen: 1_000, each: [better; 3], rest: [better; 3] };
                    coarsest.insert(state, counts);
                }
            }
        }
    }
    let coarse = coarsest.iter().map(|(state, counts)| (State { depth: 4, ..*state }, *counts));
    Arc::new(Ranks { head, states: Tally::new(), coarse: coarse.collect(), coarsest })
}
