//! The papers' experiments, rerun: their tables beside ours, with errors, and what must come out the
//! same way.
//!
//! | file | idea |
//! |---|---|
//! | [`setting`] | where suites are looked for, how much of them is used, and how engines are asked |
//! | `side_by_side` | two engines on the same positions at several depths |
//! | [`outcome`] | tables and checks, as text and JSON |
//! | `equivalence` | ab-equiv: every shape of the search has the same value |
//! | `abyss` | abyss-1a, abyss-1b, abyss-2: Marsland and Bjornsson (2000) |
//! | `null_move` | null-variants: fixed, adaptive, verified |
//! | `futility` | ael: adaptive null move, extended futility, limited razoring |
//! | `multi_cut` | multicut: a grid of M, C and R |
//! | `mpc_fit` | mpc-fit: what shallow values tell of deep ones |
//! | `multi_probcut` | probcut-speed, probcut-match, mpc-tend, mpc-tmid, mpc-third: Jiang and Buro (2003) |
//! | `othello_mpc` | othello-mpc: the same in Othello, level by level |
//! | `rankcut` | rankcut-gather, rankcut-suite, rankcut-match, rankcut-v-mpc: Lim and Lee (2006) |
//! | `bstar` | bstar-golden, bstar-ghi: Berliner and McConnell (1996) |
//! | `bstar_ahead` | bstar-ahead: what several expansions at once waste, and how fast they are |
//! | `bstar_figure` | bstar-fig18: their Figure 18 |
//! | `bstar_suite` | bstar-suite: their Table 2 |
//! | `bstar_games` | bstar-match: their Table 3 |
//! | `lct2` | lct2: a rating by the time to a solution |

mod abyss;
mod bstar;
mod bstar_ahead;
mod bstar_figure;
mod bstar_games;
mod bstar_suite;
mod equivalence;
mod futility;
mod lct2;
mod mpc_fit;
mod multi_cut;
mod multi_probcut;
mod null_move;
#[cfg(feature = "othello")]
mod othello_mpc;
pub mod outcome;
mod rankcut;
pub mod setting;
mod side_by_side;

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
    /// The game that it is an experiment in; `None` if any will do.
    pub game: Option<&'static str>,
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
        game: None,
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "abyss-1a",
        about: "time and nodes without null move and with extensions (Table 1A)",
        game: Some("chess"),
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "abyss-1b",
        about: "positions solved by the same (Table 1B)",
        game: Some("chess"),
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "abyss-2",
        about: "games with singular extensions against without (Table 2)",
        game: Some("chess"),
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "null-variants",
        about: "fixed, adaptive and verified null move: nodes, solved, zugzwang",
        game: Some("chess"),
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "ael",
        about: "adaptive null move, extended futility, limited razoring: nodes and solved",
        game: Some("chess"),
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "multicut",
        about: "multi-cut with several M, C and R: nodes, solved, games",
        game: Some("chess"),
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "mpc-fit",
        about: "how shallow values tell deep ones (Jiang and Buro's Table 1)",
        game: Some("chess"),
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "probcut-speed",
        about: "mean depth in a fixed time: plain, ProbCut, Multi-ProbCut",
        game: Some("chess"),
        suite: Some("ecm879.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "probcut-match",
        about: "games of ProbCut and Multi-ProbCut against the host, with and without null move",
        game: Some("chess"),
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "mpc-tend",
        about: "the threshold of the endgame swept (Jiang and Buro's Table 2)",
        game: Some("chess"),
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "mpc-tmid",
        about: "the threshold of the middle game swept (Table 3)",
        game: Some("chess"),
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "mpc-third",
        about: "Multi-ProbCut against an engine of somebody else (Table 4)",
        game: Some("chess"),
        suite: None,
        any_will_do: true,
    },
    #[cfg(feature = "othello")]
    Experiment {
        id: "othello-mpc",
        about: "Multi-ProbCut in Othello: deviations, levels of confidence, endings, games",
        game: Some("othello"),
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "rankcut-gather",
        about: "how often a late move is better, counted in games (Lim and Lee's table of chances)",
        game: Some("chess"),
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "rankcut-suite",
        about: "nodes and solved with RankCut and without at depths 8, 10, 12 (Lim and Lee's Table 1)",
        game: Some("chess"),
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "rankcut-match",
        about: "games of RankCut against the host, and of both against another engine",
        game: Some("chess"),
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "rankcut-v-mpc",
        about: "RankCut and Multi-ProbCut in one engine: games and nodes of either and of both",
        game: Some("chess"),
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "bstar-golden",
        about: "Berliner and McConnell's worked example, number for number",
        game: None,
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "bstar-ghi",
        about: "values that depend on the path, against a search along every path (Figure 17)",
        game: None,
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "bstar-fig18",
        about: "B* takes back in no more expansions than the paper's (Figure 18)",
        game: Some("chess"),
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "bstar-ahead",
        about: "what several expansions ahead waste; expansions a second on one thread and two",
        game: Some("chess"),
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "bstar-suite",
        about: "B* and alpha-beta on positions to be solved (Berliner and McConnell's Table 2)",
        game: Some("chess"),
        suite: Some("wac.epd"),
        any_will_do: true,
    },
    Experiment {
        id: "bstar-match",
        about: "24 games of B* against alpha-beta by the kind of opening (Table 3)",
        game: Some("chess"),
        suite: None,
        any_will_do: true,
    },
    Experiment {
        id: "lct2",
        about: "the LCT II rating of the papers' host, with RankCut, and of today's engine",
        game: Some("chess"),
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
        "mpc-fit" => mpc_fit::run::<G>(setting),
        "probcut-speed" => multi_probcut::speed::<G>(setting),
        "probcut-match" => multi_probcut::games::<G>(setting),
        "mpc-tend" => multi_probcut::thresholds::<G>(setting, "probcut.threshold_end"),
        "mpc-tmid" => multi_probcut::thresholds::<G>(setting, "probcut.threshold"),
        "mpc-third" => multi_probcut::third::<G>(setting),
        "bstar-golden" => bstar::golden(),
        "bstar-ghi" => bstar::history_interaction(setting),
        #[cfg(feature = "othello")]
        "othello-mpc" => othello_mpc::run(setting),
        "rankcut-gather" => rankcut::gather::<G>(setting),
        "rankcut-suite" => rankcut::suite::<G>(setting),
        "rankcut-match" => rankcut::games::<G>(setting),
        "rankcut-v-mpc" => rankcut::against_mpc::<G>(setting),
        "bstar-fig18" => bstar_figure::run::<G>(setting),
        "bstar-ahead" => bstar_ahead::run::<G>(setting),
        "bstar-suite" => bstar_suite::run::<G>(setting),
        "bstar-match" => bstar_games::run::<G>(setting),
        "lct2" => lct2::run::<G>(setting),
        other => anyhow::bail!("{other} is listed, but nobody runs it"),
    }
}
