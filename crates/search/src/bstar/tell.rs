//! A search told: the log in the shape of the paper's Figures 18 to 20, and why the move was chosen in
//! words.
//!
//! Moves are named by the caller: given the packed moves from the root, the name of the last one.

use std::fmt::Write;

use super::history::{Expansion, History, Phase, RootMove, Turn};
use super::search::{Answer, Part, Settled};
use crate::Score;

/// Expansions on a line of the log.
const ON_A_LINE: usize = 10;

/// The name of the last of some moves from the root.
pub type Name<'a> = &'a dyn Fn(&[u16]) -> String;

/// The log of a search, ten expansions a line. The move is that of the subtree at the root, in VERIFY the
/// reply; the letter is the depth of the probes, a capital in VERIFY. `*` marks a new best move,
/// `$` a new best reply, a number alone the new best value, with `^` if it rose and `v` if it fell.
pub fn log(history: &History, name: Name<'_>) -> String {
    let mut text = String::new();
    let mut before: Option<&Expansion> = None;
    for (index, expansion) in history.expansions.iter().enumerate() {
        if index % ON_A_LINE == 0 {
            let _ = write!(text, "{}{:>4}:", if index == 0 { "" } else { "\n" }, index + 1);
        }
        for token in tokens(expansion, before, name) {
            let _ = write!(text, " {token}");
        }
        before = Some(expansion);
    }
    text
}

fn tokens(expansion: &Expansion, before: Option<&Expansion>, name: Name<'_>) -> Vec<String> {
    let mut tokens = Vec::new();
    let verify = expansion.phase == Phase::Verify;
    let shown = expansion.path.len().min(if verify { 2 } else { 1 });
    let best = expansion.best;
    let new_best = before.is_none_or(|before| before.best != best);
    let known =
        |before: &Expansion| before.phase == Phase::Verify && before.reply == expansion.reply;
    let new_reply = verify && expansion.reply != 0 && !before.is_some_and(known);
    let mark = if !verify && new_best && expansion.path.first() == Some(&best) {
        "*"
    } else if verify && new_reply && expansion.path.get(1) == Some(&expansion.reply) {
        "$"
    } else {
        ""
    };
    if shown > 0 {
        let letter = letter(expansion.path.len(), verify);
        tokens.push(format!("{mark}{}{letter}", name(&expansion.path[..shown])));
    }
    if new_best && mark != "*" {
        tokens.push(format!("*{}", name(&[best])));
    }
    if new_reply && mark != "$" && !new_best {
        tokens.push(format!("${}", name(&[best, expansion.reply])));
    }
    if let Some(before) = before.filter(|before| before.real != expansion.real) {
        let way = if expansion.real > before.real { '^' } else { 'v' };
        tokens.push(format!("{}{way}", expansion.real));
    }
    tokens
}

/// `a` for depth 1; the alphabet ends at 26.
fn letter(depth: usize, verify: bool) -> char {
    let first = if verify { b'A' } else { b'a' };
    char::from(first + (depth.clamp(1, 26) - 1) as u8)
}

/// The last line of the log: seconds, expansions, nodes of the probes, and what was found. `#` is
/// before what was found inside a probe.
pub fn result<M: Copy>(answer: &Answer<M>, seconds: f64, line: &[String]) -> String {
    let mut text =
        format!("{seconds:.2} {} {} <= {}", answer.expansions, answer.nodes, answer.real.value());
    for (place, name) in line.iter().enumerate() {
        if place == answer.expanded && place > 0 {
            text += " #";
        }
        let _ = write!(text, " {name}");
        if place == 0 && line.len() > 1 {
            text += " |";
        }
    }
    text
}

/// How many positions were expanded at each depth.
pub fn profile(history: &History) -> Vec<usize> {
    let mut counts = Vec::new();
    for expansion in &history.expansions {
        let depth = expansion.path.len();
        counts.resize(counts.len().max(depth + 1), 0);
        counts[depth] += 1;
    }
    counts
}

/// The profile in two rows.
pub fn profile_text(history: &History) -> String {
    let counts = profile(history);
    let row = |name: &str, of: &dyn Fn(usize) -> usize| {
        (0..counts.len()).fold(name.to_string(), |row, depth| row + &format!(" {:>4}", of(depth)))
    };
    row("Depth", &|depth| depth) + "\n" + &row("Nodes", &|depth| counts[depth])
}

/// The first expansions in detail, as in Figure 20: every move of the root that is or was likely enough.
pub fn detail(history: &History, name: Name<'_>, expansions: usize) -> String {
    let mut text = String::new();
    let mut before: Option<&Expansion> = None;
    let first = history.start.get(history.root as usize).is_none_or(|root| root.first);
    for (index, expansion) in history.expansions.iter().take(expansions).enumerate() {
        let path: Vec<String> =
            (1..=expansion.path.len()).map(|end| name(&expansion.path[..end])).collect();
        let _ = writeln!(text, "Node {}: {}", index + 1, path.join(" "));
        if before.is_none_or(|before| before.best != expansion.best) {
            let _ = writeln!(text, "  best move {} {}", name(&[expansion.best]), expansion.real);
        } else if before.is_some_and(|before| before.real != expansion.real) {
            let _ = writeln!(text, "  best value {}", expansion.real);
        }
        if before.is_none_or(|before| before.target != expansion.target) {
            // As the values beside it: for the side at the root.
            let target = if first { expansion.target } else { -expansion.target };
            let _ = writeln!(text, "  target {target} least {:.2}", expansion.min_act);
        }
        let old = |m: u16| before.and_then(|before| before.root.iter().find(|old| old.m == m));
        let (mut shown, mut inferior) = (0, 0);
        for root in &expansion.root {
            let likely = root.odds >= expansion.min_act || root.m == expansion.best;
            if !likely {
                inferior += 1;
            } else if old(root.m).is_none_or(|old| old != root) {
                shown += 1;
                let _ = writeln!(text, "  {} {}", name(&[root.m]), interval(root));
            }
        }
        if shown > 0 && inferior > 0 {
            let _ = writeln!(text, "  and {inferior} inferior moves");
        }
        before = Some(expansion);
    }
    text
}

fn interval(root: &RootMove) -> String {
    let bound = |bound: Option<i16>| bound.map_or("-".to_string(), |bound| bound.to_string());
    format!("[{} {} {}] {:.4}", bound(root.hope), root.real, bound(root.fear), root.odds)
}

/// Why the move was chosen: what the others could at best have hoped for, what the opponent tried
/// against it, and when it was settled.
pub fn explain(history: &History, name: Name<'_>) -> String {
    let Some(last) = history.expansions.last() else {
        return "Nothing was looked at.".to_string();
    };
    let chosen = history.kept.unwrap_or(last.best);
    let named = name(&[chosen]);
    let value = |bits: i16| Score::from_bits(bits).to_string();
    let own = last.root.iter().find(|root| root.m == chosen);
    let mut text = format!(
        "{named} is worth {} after {}.",
        value(history.kept_real.or(own.map(|own| own.real)).unwrap_or(last.real)),
        times(history.expansions.len(), "expansion"),
    );
    // What the others could hope for is best known at the end of the last SELECT.
    let select = history.expansions.iter().rev().find(|one| one.phase == Phase::Select);
    let mut others: Vec<&RootMove> = select
        .map(|select| select.root.iter().filter(|root| root.m != chosen).collect())
        .unwrap_or_default();
    others.sort_by_key(|root| std::cmp::Reverse((root.hope.unwrap_or(root.real), root.real)));
    for root in others.iter().take(3) {
        let _ = write!(
            text,
            "\n{} is worth {} and could at best have hoped for {} ({:.0} % for the target).",
            name(&[root.m]),
            value(root.real),
            value(root.hope.unwrap_or(root.real)),
            100.0 * root.odds,
        );
    }
    if others.len() > 3 {
        let _ = write!(text, "\n{} promised less.", times(others.len() - 3, "other move"));
    }
    for turn in &history.turns {
        match turn {
            Turn::Chose(m, at) => {
                let _ = write!(text, "\nSELECT chose {} at expansion {at}.", name(&[*m]));
            }
            Turn::Refuted(m, at) => {
                let _ = write!(text, "\nVERIFY refuted {} at expansion {at}.", name(&[*m]));
            }
        }
    }
    text += &tried(history, chosen, name);
    match history.expansions.iter().rposition(|one| one.best != chosen) {
        None => text += "\nIt was the best move from the beginning.",
        Some(at) if last.best == chosen => {
            let _ = write!(text, "\nIt has been the best move since expansion {}.", at + 2);
        }
        // B* saw another before it, but not by enough, or a deeper search did not agree.
        Some(_) => {}
    }
    match history.part {
        Some(Part::Confirmed) => {
            text +=
                "\nIterative deepening had found it, and B* found nothing better by the margin.";
        }
        Some(Part::Overruled) => {
            text += "\nIterative deepening had found another, and a search a ply deeper agreed with B*.";
        }
        Some(Part::Unfinished) => {
            text += "\nIterative deepening had found it, and B* did not come to an end.";
        }
        Some(Part::Superseded) => {
            text += "\nB* had settled on another; iterative deepening found it with what was left.";
        }
        Some(Part::Alone) | None => {}
    }
    if let Some(settled) = history.settled {
        let _ = write!(text, "\n{}", settled.in_words());
    }
    text
}

/// What the opponent tried against a move, the most first.
fn tried(history: &History, chosen: u16, name: Name<'_>) -> String {
    let mut replies: Vec<(u16, usize)> = Vec::new();
    for expansion in &history.expansions {
        if expansion.phase != Phase::Verify || expansion.path.first() != Some(&chosen) {
            continue;
        }
        let Some(&reply) = expansion.path.get(1) else { continue };
        match replies.iter_mut().find(|(of, _)| *of == reply) {
            Some((_, count)) => *count += 1,
            None => replies.push((reply, 1)),
        }
    }
    if replies.is_empty() {
        return String::new();
    }
    replies.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let names: Vec<String> = replies
        .iter()
        .take(4)
        .map(|(reply, count)| {
            format!("{} ({})", name(&[chosen, *reply]), times(*count, "expansion"))
        })
        .collect();
    format!("\nAgainst it the opponent tried {}.", names.join(", "))
}

fn times(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

impl Settled {
    /// The reason as a sentence.
    pub fn in_words(self) -> &'static str {
        match self {
            Settled::OnlyMove => "It is the only legal move.",
            Settled::Proven => "It wins by force.",
            Settled::Separated => "No other move can reach its lower bound.",
            Settled::Withstood => "No reply was likely enough to refute it.",
            Settled::Effort => "The effort for this move was spent.",
            Settled::Exhausted => "Nothing was left to look at.",
            Settled::Full => "The memory for positions was full.",
            Settled::Stopped => "The search was stopped.",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bstar::{How, Search};
    use crate::testkit::maze::{Guide, Maze};
    use crate::testkit::worked_example::{letter, maze};
    use crate::{Game, Line};

    fn example() -> (Search<Maze>, Answer<u16>) {
        let mut how = How::default();
        how.main.dither = 0;
        let mut search = Search::new(&maze(), &Line::starting_at(&maze()), how, None);
        let answer = search.think(&mut Guide::default(), None);
        (search, answer)
    }

    fn name(path: &[u16]) -> String {
        let mut position = maze();
        path.iter().for_each(|bits| position.play(position.unpack(*bits).unwrap()));
        letter(position.at()).unwrap_or('?').to_string()
    }

    #[test]
    fn the_worked_example_reads_like_the_papers_log() {
        let (search, answer) = example();
        let history = search.history();
        assert_eq!(log(history, &name), "   1: *A Aa Ab 34^ FB $D DC 20v DD 30^ FC");
        let line: Vec<String> = ["A", "D", "G", "N"].map(str::to_string).to_vec();
        assert_eq!(result(&answer, 1.5, &line), "1.50 7 10 <= 30 A | D G N");
        assert_eq!(
            profile_text(history),
            "Depth    0    1    2    3    4\nNodes    1    1    2    2    1"
        );
        assert_eq!(profile(history).iter().sum::<usize>(), answer.expansions as usize);
    }

    #[test]
    fn the_explanation_names_rivals_replies_and_the_reason() {
        let (search, _) = example();
        let text = explain(search.history(), &name);
        let wanted = [
            "A is worth +0.30 after 7 expansions.",
            "B is worth +0.18 and could at best have hoped for +0.40 (14 % for the target).",
            "SELECT chose A at expansion 3.",
            "Against it the opponent tried F (2 expansions), D (2 expansions).",
            "It was the best move from the beginning.",
            "No reply was likely enough to refute it.",
        ];
        wanted.iter().for_each(|line| assert!(text.contains(line), "{line} in\n{text}"));
    }

    #[test]
    fn the_detail_shows_targets_and_intervals() {
        let (search, _) = example();
        let text = detail(search.history(), &name, 3);
        assert!(text.starts_with("Node 1: \n  best move A 20\n"), "{text}");
        assert!(text.contains("  target 37 least 0.15\n"), "{text}");
    }
}
