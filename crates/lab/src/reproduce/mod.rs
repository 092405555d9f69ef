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
    /// The public suite that it is about, by the name of its file.
    pub suite: Option<&'static str>,
    /// Whether other positions would do.
    pub any_will_do: bool,
}

/// Every experiment there is.
pub const EXPERIMENTS: &[Experiment] = &[
    Experiment {
        id: "ab-equiv",
        about: "every shape of alpha-beta has the value of minimax",
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "abyss-1a",
        about: "time and nodes without null move and with extensions (Table 1A)",
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "abyss-1b",
        about: "positions solved by the same (Table 1B)",
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "abyss-2",
        about: "games with singular extensions against without (Table 2)",
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "null-variants",
        about: "fixed, adaptive and verified null move: nodes, solved, zugzwang",
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "ael",
        about: "adaptive null move, extended futility, limited razoring: nodes and solved",
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "multicut",
        about: "multi-cut with several M, C and R: nodes, solved, games",
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "lct2",
        about: "the LCT II rating of the papers' host and of today's engine",
        suite: Some("lct2.epd"),
        any_will_do: false,
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
