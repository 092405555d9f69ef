//! The papers' experiments, rerun: their tables beside ours, with errors, and what must come out the
//! same way.
//!
//! | file | idea |
//! |---|---|
//! | [`setting`] | where suites are looked for, how much of them is used, and how engines are asked |
//! | [`outcome`] | tables and checks, as text and JSON |
//! | `equivalence` | ab-equiv: every shape of the search has the same value |
//! | `abyss` | abyss-1a, abyss-1b, abyss-2: Marsland and Bjornsson (2000) |
//! | `null_move` | null-variants: fixed, adaptive, verified |
//! | `futility` | ael: adaptive null move, extended futility, limited razoring |
//! | `multi_cut` | multicut: a grid of M, C and R |
//! | `lct2` | lct2: a rating by the time to a solution |

mod abyss;
mod equivalence;
mod futility;
mod lct2;
mod multi_cut;
mod null_move;
pub mod outcome;
pub mod setting;

use secateur_games::problem::ProblemFiles;

pub use outcome::Outcome;
pub use setting::Setting;

/// An experiment of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Experiment {
    /// What users call it.
    pub id: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Public suites that it needs, by the names of their files.
    pub needs: &'static [&'static str],
}

/// Every experiment there is.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "ab-equiv",
        about: "every shape of alpha-beta has the value of minimax",
        needs: &[],
    },
    Experiment {
        id: "abyss-1a",
        about: "time and nodes without null move and with extensions (Table 1A)",
        needs: &["wac.epd"],
    },
    Experiment {
        id: "abyss-1b",
        about: "positions solved by the same (Table 1B)",
        needs: &["wac.epd"],
    },
    Experiment {
        id: "abyss-2",
        about: "games with singular extensions against without (Table 2)",
        needs: &[],
    },
    Experiment {
        id: "null-variants",
        about: "fixed, adaptive and verified null move: nodes, solved, zugzwang",
        needs: &["wac.epd"],
    },
    Experiment {
        id: "ael",
        about: "adaptive null move, extended futility, limited razoring: nodes and solved",
        needs: &["wac.epd"],
    },
    Experiment {
        id: "multicut",
        about: "multi-cut with several M, C and R: nodes, solved, games",
        needs: &["wac.epd"],
    },
    Experiment {
        id: "lct2",
        about: "the LCT II rating of the papers' host and of today's engine",
        needs: &["lct2.epd"],
    },
];

/// The experiment of this name.
pub fn find(id: &str) -> Option<&'static Experiment> {
    EXPERIMENTS.iter().find(|experiment| experiment.id == id)
}

/// Reruns an experiment.
pub fn run<G: ProblemFiles>(experiment: &Experiment, setting: &Setting) -> anyhow::Result<Outcome> {
    match experiment.id {
        "ab-equiv" => equivalence::run::<G>(setting),
        "abyss-1a" => abyss::costs::<G>(setting),
        "abyss-1b" => abyss::solved::<G>(setting),
        "abyss-2" => abyss::games::<G>(setting),
        "null-variants" => null_move::run::<G>(setting),
        "ael" => futility::run::<G>(setting),
        "multicut" => multi_cut::run::<G>(setting),
        "lct2" => lct2::run::<G>(setting),
        other => anyhow::bail!("{other} is listed, but nobody runs it"),
    }
}
