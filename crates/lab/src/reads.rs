//! Whether a search reads a parameter at all: a match between two values of one that it does not read is a
//! match between equals, and nobody would know.

use secateur_search::params::Value;
use secateur_search::{Ability, Kind, Notation, Settings, Tactics};

use crate::ablate::ONLY_WITH;

/// Numbers that only some forms of their technique read.
const FORMS: &[(&str, &[&str])] = &[
    ("null_move.far", &["adaptive"]),
    ("null_move.far_ending", &["adaptive"]),
    ("null_move.divisor", &["scaled"]),
    ("null_move.lead", &["scaled"]),
    ("null_move.lead_most", &["scaled"]),
    ("null_move.verify", &["scaled"]),
    ("singular.draft", &["on"]),
    ("singular.margin", &["on"]),
    ("singular.double", &["on"]),
    ("singular.triple", &["on"]),
    ("singular.less", &["on"]),
    ("singular.principal_margin", &["principal", "brothers"]),
    ("singular.fail_high_margin", &["fail_high", "brothers"]),
    ("singular.brothers", &["fail_high", "brothers"]),
    ("plausible.full", &["staged"]),
    ("quiescence.wide", &["tapered"]),
    ("quiescence.narrow", &["tapered"]),
    ("quiescence.passes", &["beal"]),
    ("frontier_futility.extended", &["extended"]),
    ("razoring.base", &["on"]),
    ("razoring.slope", &["on"]),
    ("razoring.threshold", &["fitted"]),
    ("reverse_futility.margin", &["on"]),
    ("reverse_futility.improving", &["on"]),
    ("reverse_futility.threshold", &["fitted"]),
    ("bstar_expand.margin", &["narrow"]),
    ("bstar_step.ply_cost", &["value"]),
    ("bstar_step.deepest", &["value"]),
];

/// What only some forms of another switch read.
const BESIDE: &[(&str, &str, &[&str])] = &[
    ("probcut.threshold", "levels", &["off"]),
    ("probcut.threshold_end", "levels", &["off"]),
    ("draft_cut.threshold", "levels", &["off"]),
    ("probcut.less", "probcut_below", &["reduce"]),
    ("probcut.less", "probcut_side", &["both", "expected", "below"]),
    ("probcut_below", "probcut_side", &["both", "expected", "below"]),
];

/// Techniques of several groups.
const PARTS: [&str; 3] = ["probcut", "rank_cut", "late_moves"];

/// Groups that only B* reads, beside those named after it.
const OF_BSTAR: [&str; 2] = ["hand_over", "optimism"];

/// Why no search under these settings, in this game, reads the parameter; `None` as far as is known. `timed`
/// if the game is played by a clock.
pub fn why_unread<G: Tactics + Notation>(
    settings: &Settings,
    name: &str,
    timed: bool,
) -> Option<String> {
    let (group, _) = name.split_once('.').unwrap_or((name, ""));
    let form = |switch: &str| match settings.get(switch) {
        Some(Value::Form(form)) => Some(form),
        _ => None,
    };
    let lacking = Settings::lacking(group, G::ABILITIES);
    if lacking != Ability::NONE {
        return Some(format!("{group} needs {lacking}, which {} lacks", G::NAME));
    }
    let for_bstar = group.starts_with("bstar") || OF_BSTAR.contains(&group);
    if for_bstar && form("search") != Some("bstar") {
        return Some(format!("only B* reads {group}: switch it on with search=bstar"));
    }
    if form(group) == Some("off") {
        let forms = forms(group).into_iter().filter(|form| *form != "off");
        let forms: Vec<&str> = forms.collect();
        return Some(format!("{group} is off: switch it on with {group}={}", forms.join("|")));
    }
    match group {
        "clock" if !timed => {
            return Some("nobody looks at a clock: give one with --tc".to_string());
        }
        "endings" => return Some("only searches to a depth read endings".to_string()),
        _ => {}
    }
    let needed = ONLY_WITH.iter().filter(|(this, _)| *this == group).map(|(_, other)| *other);
    // What is named after a technique is a part of it.
    let whole = PARTS.into_iter().filter(|whole| group.starts_with(&format!("{whole}_")));
    if let Some(other) = needed.chain(whole).find(|other| form(other) == Some("off")) {
        return Some(format!("{group} is read only with {other}, which is off"));
    }
    let beside = BESIDE.iter().filter(|(known, _, _)| *known == name);
    for (_, other, read_by) in beside {
        if let Some(chosen) = form(other).filter(|form| !read_by.contains(form)) {
            let wanted = read_by.join("|");
            return Some(format!("{other}={chosen} does not read {name}: {other}={wanted} does"));
        }
    }
    let (_, read_by) = FORMS.iter().find(|(known, _)| *known == name)?;
    let chosen = form(group).filter(|form| !read_by.contains(form))?;
    Some(format!("{group}={chosen} does not read {name}: {group}={} does", read_by.join("|")))
}

/// The forms of a switch.
fn forms(switch: &str) -> Vec<&'static str> {
    let spec = Settings::specs().find(|spec| spec.name == switch);
    match spec.map(|spec| spec.kind) {
        Some(Kind::Switch { forms, .. }) => forms.to_vec(),
        _ => Vec::new(),
    }
}

#[cfg(all(test, feature = "chess"))]
mod tests {
    use super::*;
    use secateur_games::chess::Chess;
    use secateur_games::playable::{Playable, new_engine};
    use secateur_search::Line;
    use secateur_search::alphabeta::Control;
    use secateur_search::alphabeta::engine::Limits;
    use std::time::Instant;

    fn nodes(settings: &Settings) -> Vec<u64> {
        let one = |text: &&str| {
            let position = Chess::read_position(text).unwrap();
            let mut engine = new_engine::<Chess>();
            engine.set_settings(settings.clone());
            let (line, control) = (Line::starting_at(&position), Control::default());
            let limits = Limits::depth(6);
            engine.search(&position, &line, &limits, Instant::now(), &control, &mut |_| {}).nodes
        };
        Chess::BENCH_POSITIONS.iter().take(2).map(one).collect()
    }

    #[test]
    fn a_number_that_a_form_does_not_read_changes_none_of_its_searches() {
        for (name, read_by) in FORMS.iter().filter(|(name, _)| !name.starts_with("bstar")) {
            let (group, _) = name.split_once('.').unwrap();
            let spec = Settings::specs().find(|spec| spec.name == *name).expect(name);
            let Kind::Number { min, max, .. } = spec.kind else { panic!("{name} is no number") };
            for form in forms(group).iter().filter(|form| !read_by.contains(form)) {
                let found = [min, max].map(|value| {
                    let mut settings = Settings::default();
                    settings.set(group, form).unwrap();
                    settings.set(name, &value.to_string()).unwrap();
                    nodes(&settings)
                });
                assert_eq!(found[0], found[1], "{group}={form} reads {name}");
            }
            assert!(read_by.iter().all(|form| forms(group).contains(form)), "{name}");
        }
    }

    #[test]
    fn what_nobody_reads_is_told_with_what_would_read_it() {
        let why = |changes: &[(&str, &str)], name: &str| {
            let mut settings = Settings::default();
            changes.iter().for_each(|(name, value)| settings.set(name, value).unwrap());
            why_unread::<Chess>(&settings, name, false)
        };
        assert_eq!(why(&[], "late_moves.base"), None);
        assert_eq!(why(&[("null_move", "adaptive")], "null_move.far"), None);
        for (changes, name, words) in [
            (&[("late_moves", "off")][..], "late_moves.base", "late_moves is off: switch it on"),
            (&[("null_move", "scaled")][..], "null_move.far", "null_move=scaled does not read"),
            (&[][..], "clock.soft", "--tc"),
            (&[][..], "bstar.probe", "search=bstar"),
            (&[("probcut", "off"), ("levels", "on")][..], "levels", "only with probcut"),
        ] {
            let told = why(changes, name).unwrap_or_default();
            assert!(told.contains(words), "{name}: {told}");
        }
    }
}
