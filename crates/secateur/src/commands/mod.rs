//! The commands. Each is one file with its `Arguments`, the examples in its help, and `run`.
//!
//! To add one: write the file, then give it a `mod` line, a variant of `Command` and an arm of
//! `Command::run` below.

mod ablate;
mod analyse;
mod audit;
mod bench;
mod calibrate;
mod calibrate_bstar;
mod calibrate_rankcut;
mod calibrate_reductions;
mod calibration_run;
mod completions;
mod convert;
mod counters;
mod eval;
mod learn;
mod match_;
mod openings;
mod oracle;
mod params;
mod perft;
#[cfg(feature = "chess")]
mod perft_suite;
mod play;
mod report;
mod reproduce;
mod selfcheck;
mod selfplay;
mod show;
#[cfg(feature = "othello")]
mod solve;
mod sprt;
mod suite;
mod sweep;
mod train;
mod tree;
mod tune;
mod uci;
mod wdl;
mod why;

use clap::{Parser, Subcommand};

/// Selective search in two-player games.
///
/// Without a command it speaks UCI, the protocol of chess programs: name this program as the
/// engine in your board program, or type `help` at it.
#[derive(Debug, Parser)]
#[command(name = "secateur", version, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

const EXAMPLES: &str = "\
Examples:
  secateur                                  speak UCI, for a board program
  secateur analyse --moves \"e4 e5 Nf3\"      the best move and why
  secateur why --moves \"e4 e5\" Qh5           what the search thinks of a move, and why
  secateur play --game othello              a game against the engine
  secateur eval --moves \"e4 e5 Nf3\"         the terms of a position
  secateur show --moves \"e4 e5 Nf3\"         draw a position and list its moves
  secateur perft 6                          count the leaves six plies deep
  secateur perft 9 --game othello           the same in another game
  secateur solve fforum-20-39.obf           solve Othello endings exactly
  secateur convert games.pgn --to epd       turn games into positions
  secateur match --base HEAD~1 --tc 8+0.08  is this version stronger?
  secateur suite wac.epd --movetime 1000    how many known best moves are found
  secateur sprt --wdl 60,80,40               what a match result means
  secateur openings --count 1000             openings for matches
  secateur train --data games --out my.weights  learn an evaluation from selfplay
  secateur report runs/null-move             a page of a match or a suite
  secateur ablate --out ablation             what is each technique worth?
  secateur calibrate probcut --out cuts      what do shallow searches tell of deep ones?
  secateur reproduce abyss-1a --data suites  a paper's table, and ours
  secateur selfcheck                        does this laboratory tell the truth here?
  secateur params                           every switch and number there is

Exit status: 0 done, 1 a check or run failed, 2 bad input.";

/// What to do.
#[derive(Debug, Subcommand)]
enum Command {
    /// Speak UCI on standard input and output (the default)
    Uci(uci::Arguments),
    /// Think about a position: the best move, its score and the best lines
    Analyse(analyse::Arguments),
    /// Show the saved record of a B* search, at any moment of it and anywhere in its graph
    Tree(tree::Arguments),
    /// Tell what the search did with one move, and which techniques had a hand in it
    Why(why::Arguments),
    /// Show the terms of a position's evaluation, its score and the chances it stands for
    Eval(eval::Arguments),
    /// Play a game against the engine on this terminal
    Play(play::Arguments),
    /// Count the leaves of the rules' tree, or check files of known counts
    Perft(perft::Arguments),
    /// Draw a position, list its legal moves and say what is known of it
    Show(show::Arguments),
    /// Solve Othello endings exactly and compare the values with those of their files
    #[cfg(feature = "othello")]
    Solve(solve::Arguments),
    /// Convert files of positions and games from one format into another
    Convert(convert::Arguments),
    /// Do a fixed amount of searching: a checksum and a measure of speed
    Bench(bench::Arguments),
    /// Play the engine against itself and keep the positions as data to learn from
    Selfplay(selfplay::Arguments),
    /// Learn the weights of the evaluation from such games
    Train(train::Arguments),
    /// Play, train and match in rounds, and keep the better weights
    Learn(learn::Arguments),
    /// Fit what scores mean (win, draw, loss) to games of self-play, and judge the fit
    Wdl(wdl::Arguments),
    /// Count what each selective technique does in the search of a position
    Counters(counters::Arguments),
    /// Search some of what is pruned all the same: how often it was wrong, and what it saved
    Audit(audit::Arguments),
    /// Tell what an engine's choices cost, judged by a far deeper search or another engine
    Oracle(oracle::Arguments),
    /// List every switch and parameter with its value, default, range and meaning
    Params(params::Arguments),
    /// Play games between engines: a match, a tournament, or a sequential test
    Match(Box<match_::Arguments>),
    /// Solve files of positions with known best moves, with one engine or several side by side
    Suite(suite::Arguments),
    /// Say what match results mean: Elo, a sequential test, or how many games it will take
    Sprt(sprt::Arguments),
    /// Make balanced or unbalanced openings by search, or tell what a file of them is like
    Openings(openings::Arguments),
    /// Turn the folder of a match or a suite into one page for a browser
    Report(report::Arguments),
    /// Tune parameters of the search by games between slightly different settings
    Tune(tune::Arguments),
    /// Measure what each technique is worth: by play, alone and in pairs, and on positions
    Ablate(ablate::Arguments),
    /// Play one parameter at several values, and draw a curve through the scores
    Sweep(sweep::Arguments),
    /// Fit a technique to the game and the evaluation at hand
    Calibrate(calibrate::Arguments),
    /// Rerun an experiment of a paper, its table beside ours
    Reproduce(reproduce::Arguments),
    /// Check the laboratory itself: what must come out even, and what must be seen to differ
    Selfcheck(selfcheck::Arguments),
    /// Print a script that completes commands and options in your shell
    Completions(completions::Arguments),
}

impl Cli {
    /// Does what the command line asks for.
    pub fn run(self) -> anyhow::Result<()> {
        match self.command {
            None => uci::run_by_default(),
            Some(command) => command.run(),
        }
    }
}

impl Command {
    fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Uci(arguments) => uci::run(&arguments),
            Command::Analyse(arguments) => analyse::run(arguments),
            Command::Tree(arguments) => tree::run(arguments),
            Command::Why(arguments) => why::run(arguments),
            Command::Eval(arguments) => eval::run(arguments),
            Command::Play(arguments) => play::run(&arguments),
            Command::Perft(arguments) => perft::run(&arguments),
            Command::Show(arguments) => show::run(arguments),
            #[cfg(feature = "othello")]
            Command::Solve(arguments) => solve::run(&arguments),
            Command::Convert(arguments) => convert::run(&arguments),
            Command::Bench(arguments) => bench::run(&arguments),
            Command::Selfplay(arguments) => selfplay::run(&arguments),
            Command::Train(arguments) => train::run(&arguments),
            Command::Learn(arguments) => learn::run(&arguments),
            Command::Wdl(arguments) => wdl::run(&arguments),
            Command::Counters(arguments) => counters::run(arguments),
            Command::Audit(arguments) => audit::run(&arguments),
            Command::Oracle(arguments) => oracle::run(&arguments),
            Command::Params(arguments) => params::run(&arguments),
            Command::Match(arguments) => match_::run(&arguments),
            Command::Suite(arguments) => suite::run(&arguments),
            Command::Sprt(arguments) => sprt::run(&arguments),
            Command::Openings(arguments) => openings::run(&arguments),
            Command::Report(arguments) => report::run(&arguments),
            Command::Tune(arguments) => tune::run(&arguments),
            Command::Ablate(arguments) => ablate::run(&arguments),
            Command::Sweep(arguments) => sweep::run(&arguments),
            Command::Calibrate(arguments) => calibrate::run(&arguments),
            Command::Reproduce(arguments) => reproduce::run(&arguments),
            Command::Selfcheck(arguments) => selfcheck::run(&arguments),
            Command::Completions(arguments) => completions::run(&arguments),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_declared_without_contradiction() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_command_shows_examples() {
        for command in Cli::command().get_subcommands() {
            let shown = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(shown.contains("Examples:\n  secateur "), "{}", command.get_name());
        }
    }

    /// The words before the options of every command, however deep, that has both of these options.
    fn with_both(
        command: &clap::Command,
        options: [&str; 2],
        before: &[String],
    ) -> Vec<Vec<String>> {
        let has = |option| command.get_arguments().any(|argument| argument.get_id() == option);
        let mut path = before.to_vec();
        path.push(command.get_name().to_string());
        let below = command.get_subcommands().flat_map(|below| with_both(below, options, &path));
        let below: Vec<Vec<String>> = below.collect();
        let here = options.into_iter().all(has).then_some(path);
        here.into_iter().chain(below).collect()
    }

    #[test]
    fn going_on_with_a_run_names_no_game() {
        let commands = with_both(&Cli::command(), ["game", "resume"], &[]);
        assert!(commands.len() >= 12, "{commands:?}");
        for words in commands {
            let words = words.iter().map(String::as_str);
            let given =
                Cli::try_parse_from(words.clone().chain(["--resume", "x", "--game", "chess"]));
            let error = given.err().unwrap_or_else(|| panic!("{:?}", words.collect::<Vec<_>>()));
            assert_eq!(error.kind(), clap::error::ErrorKind::ArgumentConflict, "{error}");
        }
    }
}
