//! Whether what is pruned deserved it: an observer that has some of it searched all the same, and what
//! that says of each technique.
//!
//! Which nodes are audited is drawn from their keys, so that the same search audits the same nodes. All that
//! is pruned at a chosen node is audited, in every iteration and wherever the node comes up again; and what is
//! wrong in one position is wrong all over its tree. So audits come in clusters, and their errors are those
//! of clusters.

use std::collections::BTreeMap;
use std::io::{self, Write};

use secateur_search::observe::{Asked, Audit, Observer, Rule};

use crate::statistics::bootstrap::Interval;
use crate::statistics::share::{self, Cluster, wilson};

/// Audits one node in so many.
#[derive(Clone, Debug)]
pub struct Auditor {
    every: u64,
    seed: u64,
    /// By rule: how often it pruned.
    held: Vec<u64>,
    /// By rule: how often of these nothing of it can be audited.
    out_of_reach: Vec<u64>,
    /// By rule: how often it was asked and pruned nothing.
    in_vain: Vec<u64>,
    /// By rule: nodes of its own searches then.
    lost: Vec<u64>,
    audits: Vec<Noted>,
}

/// An audit, and where it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Noted {
    /// The number of the position that was searched, from 1; 0 while it is.
    pub position: usize,
    /// What was found.
    pub audit: Audit,
}

impl Auditor {
    /// One node in `every`, another choice for each seed.
    pub fn new(every: u64, seed: u64) -> Auditor {
        let none = || vec![0; Rule::ALL.len()];
        Auditor {
            every: every.max(1),
            seed,
            held: none(),
            out_of_reach: none(),
            in_vain: none(),
            lost: none(),
            audits: Vec::new(),
        }
    }

    /// Everything that was audited.
    pub fn audits(&self) -> &[Noted] {
        &self.audits
    }

    /// Adds what the search of the position with this number has seen.
    pub fn join(&mut self, position: usize, other: &Auditor) {
        let add = |sums: &mut [u64], more: &[u64]| {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        add(&mut self.held, &other.held);
        add(&mut self.out_of_reach, &other.out_of_reach);
        add(&mut self.in_vain, &other.in_vain);
        add(&mut self.lost, &other.lost);
        self.audits.extend(other.audits.iter().map(|noted| Noted { position, ..*noted }));
    }

    /// What is known of each technique that pruned anything, those that saved the most first.
    pub fn findings(&self) -> Vec<Finding> {
        let mut found: Vec<Finding> = Rule::ALL
            .iter()
            .map(|&rule| {
                let mut finding = Finding {
                    rule,
                    held: self.held[rule as usize],
                    out_of_reach: self.out_of_reach[rule as usize],
                    in_vain: self.in_vain[rule as usize],
                    lost: self.lost[rule as usize],
                    every: self.every,
                    ..NOTHING
                };
                let noted: Vec<&Noted> =
                    self.audits.iter().filter(|noted| noted.audit.rule == rule).collect();
                finding.effective = effective(&noted);
                for Noted { audit, .. } in noted {
                    finding.audited += 1;
                    finding.wrong += u64::from(audit.wrong);
                    finding.spent += audit.spent;
                    finding.saved += audit.saved;
                }
                finding
            })
            .filter(|finding| finding.audited > 0)
            .collect();
        found.sort_by(|a, b| b.saved_in_all().total_cmp(&a.saved_in_all()));
        found
    }

    /// Techniques that pruned and of which nothing was audited, with how often: the findings are silent about
    /// them.
    pub fn not_audited(&self) -> Vec<NotAudited> {
        let pruned = Rule::ALL.iter().filter(|rule| self.held[**rule as usize] > 0);
        pruned
            .filter(|rule| !self.audits.iter().any(|noted| noted.audit.rule == **rule))
            .map(|&rule| NotAudited {
                rule,
                held: self.held[rule as usize],
                never: self.held[rule as usize] == self.out_of_reach[rule as usize],
            })
            .collect()
    }

    /// A line for each audit, for programs that read tables.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "position,node,rule,depth,margin,wrong,spent,saved")?;
        for Noted { position, audit } in &self.audits {
            let Audit { rule, key, depth, margin, wrong, spent, saved } = audit;
            let (rule, wrong) = (rule.name(), u8::from(*wrong));
            let margin = margin.map_or(String::new(), |margin| margin.to_string());
            writeln!(out, "{position},{key:016x},{rule},{depth},{margin},{wrong},{spent},{saved}")?;
        }
        Ok(())
    }
}

impl Observer for Auditor {
    const AUDITS: bool = true;

    fn asked(&mut self, asked: &Asked) {
        let rule = asked.rule as usize;
        if prunes(asked) {
            self.held[rule] += 1;
            self.out_of_reach[rule] += u64::from(is_out_of_reach(asked));
        } else {
            self.in_vain[rule] += 1;
            if asked.nodes > 0 {
                self.lost[rule] = asked.told + asked.nodes;
            }
        }
    }

    fn nodes_told(&self, rule: Rule) -> u64 {
        self.lost[rule as usize]
    }

    fn wants_audit(&mut self, key: u64) -> bool {
        // The bits of a key need not be mixed.
        let mixed = (key ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32).is_multiple_of(self.every)
    }

    fn audited(&mut self, audit: &Audit) {
        self.audits.push(Noted { position: 0, audit: *audit });
    }
}

/// Whether an answer pruned something. What searches deeper, orders moves or mends a guess is there for that,
/// but saves nothing.
fn prunes(asked: &Asked) -> bool {
    let saves = match asked.rule {
        // A move that turns out to be singular is searched deeper.
        Rule::Singular => asked.packed_move == 0,
        // To be content with a guess is what the search beyond the horizon is; to leave out a capture is not.
        Rule::Quiescence => asked.packed_move != 0,
        Rule::CheckExtension
        | Rule::RecaptureExtension
        | Rule::PassedExtension
        | Rule::ForcedExtension
        | Rule::ThreatExtension
        | Rule::EvasiveExtension
        | Rule::InternalDeepening
        | Rule::Correction
        | Rule::Endings => false,
        _ => true,
    };
    asked.held && saves
}

/// Whether the search tells of an answer and never audits what it pruned, chosen node or not.
fn is_out_of_reach(asked: &Asked) -> bool {
    match asked.rule {
        Rule::Plausible
        | Rule::Delta
        | Rule::LimitedRazoring
        | Rule::InternalReduction
        | Rule::Hindsight
        | Rule::Quiescence => true,
        // All quiet moves of a node at once, before any is made.
        Rule::LatePruning | Rule::Futility | Rule::FrontierFutility => asked.packed_move == 0,
        // Moves of the root.
        Rule::LateMoves => asked.ply == 0,
        _ => false,
    }
}

/// How many independent audits would tell as much as these. Clusters are the positions that were searched, or
/// nodes where there is but one; where nothing was wrong, or everything, nobody knows how much clusters differ,
/// and every node counts for one.
fn effective(audits: &[&Noted]) -> f64 {
    let mut positions: BTreeMap<usize, Cluster> = BTreeMap::new();
    let mut nodes: BTreeMap<(usize, u64), Cluster> = BTreeMap::new();
    for Noted { position, audit } in audits {
        let add = |cluster: &mut Cluster| {
            cluster.whole += 1.0;
            cluster.part += f64::from(u8::from(audit.wrong));
        };
        add(positions.entry(*position).or_default());
        add(nodes.entry((*position, audit.key)).or_default());
    }
    let positions: Vec<Cluster> = positions.into_values().collect();
    let nodes: Vec<Cluster> = nodes.into_values().collect();
    let told = share::effective(&positions).or_else(|| share::effective(&nodes));
    told.unwrap_or(nodes.len() as f64)
}

/// A technique that pruned and of which nothing was audited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotAudited {
    /// The technique.
    pub rule: Rule,
    /// How often it pruned.
    pub held: u64,
    /// Whether nothing of it ever is; if not, no chosen node had it.
    pub never: bool,
}

/// What is known of a technique.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Finding {
    /// The technique.
    pub rule: Rule,
    /// How often it pruned.
    pub held: u64,
    /// How often of these it was something that is never audited.
    pub out_of_reach: u64,
    /// How often it was asked and pruned nothing.
    pub in_vain: u64,
    /// Nodes that its own searches made then: of all such questions, not only of chosen nodes.
    pub lost: u64,
    /// How often that was audited.
    pub audited: u64,
    /// How often it was wrong.
    pub wrong: u64,
    /// How many independent audits would tell as much.
    pub effective: f64,
    /// Nodes that it spent on the answers that were audited.
    pub spent: u64,
    /// Nodes of the searches that those answers saved.
    pub saved: u64,
    /// One node in so many was audited.
    pub every: u64,
}

const NOTHING: Finding = Finding {
    rule: Rule::NullMove,
    held: 0,
    out_of_reach: 0,
    in_vain: 0,
    lost: 0,
    audited: 0,
    wrong: 0,
    effective: 0.0,
    spent: 0,
    saved: 0,
    every: 1,
};

impl Finding {
    /// Wrong ones in a thousand, with the 95 % interval.
    pub fn wrong_per_thousand(&self) -> Interval {
        wilson(self.wrong as f64 / self.audited as f64, self.effective).times(1_000.0)
    }

    /// Nodes saved by one answer that pruned, what that cost taken off.
    pub fn saved_by_one(&self) -> f64 {
        (self.saved as f64 - self.spent as f64) / self.audited as f64
    }

    /// Nodes saved by all answers that can be audited, as far as those of the chosen nodes stand for them,
    /// less what the questions cost that pruned nothing; below zero if those cost more. Answers below one
    /// another save the same nodes, so the sums of techniques do not add up.
    pub fn saved_in_all(&self) -> f64 {
        (self.saved as f64 - self.spent as f64) * self.every as f64 - self.lost as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use secateur_search::Depth;

    fn audit(rule: Rule, wrong: bool, saved: u64) -> Audit {
        let key = 0x1f00 + saved;
        Audit { rule, key, depth: Depth::new(4), margin: Some(30), wrong, spent: 10, saved }
    }

    /// What the search of a position has seen.
    fn one(audits: &[Audit]) -> Auditor {
        let mut auditor = Auditor::new(1, 0);
        audits.iter().for_each(|audit| auditor.audited(audit));
        auditor
    }

    fn asked(rule: Rule, held: bool, packed_move: u16, nodes: u64) -> Asked {
        Asked { rule, held, depth: Depth::new(4), ply: 2, packed_move, nodes, told: 0 }
    }

    #[test]
    fn what_is_audited_is_drawn_from_the_key() {
        let mut auditor = Auditor::new(16, 3);
        let drawn: Vec<u64> = (0..16_000).filter(|key| auditor.wants_audit(key << 7)).collect();
        assert!((850..1_150).contains(&drawn.len()), "{}", drawn.len());
        let again: Vec<u64> = (0..16_000).filter(|key| auditor.wants_audit(key << 7)).collect();
        assert_eq!(drawn, again);
        assert!((0..100).all(|key| Auditor::new(1, 0).wants_audit(key)));
    }

    #[test]
    fn findings_are_sums_over_the_audits_of_a_rule() {
        let mut auditor = Auditor::new(1, 0);
        for _ in 0..30 {
            auditor.asked(&asked(Rule::NullMove, true, 0, 10));
        }
        let seen = [audit(Rule::NullMove, false, 110), audit(Rule::NullMove, true, 50)];
        auditor.join(3, &one(&seen));
        auditor.join(4, &one(&[audit(Rule::Futility, false, 5)]));
        let found = auditor.findings();
        assert_eq!(found.len(), 2);
        let first = found[0];
        assert_eq!(
            (first.rule, first.held, first.audited, first.wrong),
            (Rule::NullMove, 30, 2, 1)
        );
        assert_eq!((first.saved_by_one(), first.saved_in_all()), (70.0, 140.0));
        // Of two nodes nothing is known but that one was wrong; for 0 of 1 Wilson has from 0 to 79 %.
        let Interval { value, low, high } = first.wrong_per_thousand();
        assert!(value == 500.0 && low < 95.0 && high > 905.0, "{low} to {high}");
        let Interval { value, low, high } = found[1].wrong_per_thousand();
        assert_eq!((value, low.round(), high.round()), (0.0, 0.0, 793.0));
        let mut text = Vec::new();
        auditor.write_csv(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("\n3,0000000000001f32,null_move,4,30,1,10,50\n"), "{text}");
    }

    /// The interval of the wrong ones of one rule.
    fn interval(auditor: &Auditor) -> Interval {
        auditor.findings()[0].wrong_per_thousand()
    }

    fn width(auditor: &Auditor) -> f64 {
        interval(auditor).high - interval(auditor).low
    }

    #[test]
    fn what_is_pruned_at_one_node_again_and_again_is_one_case() {
        let at = |key: u64| Audit { key, ..audit(Rule::NullMove, key.is_multiple_of(8), 0) };
        let joined = |audits: Vec<Audit>| {
            let mut all = Auditor::new(1, 0);
            all.join(1, &one(&audits));
            all
        };
        let once = joined((0..400).map(at).collect());
        let tenfold = joined((0..4_000).map(|number| at(number / 10)).collect());
        let distinct = joined((0..4_000).map(at).collect());
        assert!((width(&tenfold) / width(&once) - 1.0).abs() < 1e-6);
        assert!(width(&distinct) < 0.4 * width(&tenfold));
        // So where nothing is wrong.
        let right = |key: u64| Audit { wrong: false, ..at(key) };
        let (once, again) = (joined(vec![right(1)]), joined(vec![right(1); 100]));
        assert_eq!(interval(&once), interval(&again));
    }

    #[test]
    fn what_is_wrong_in_one_position_says_little_of_others() {
        let joined = |positions: u64, wrong: &dyn Fn(u64, u64) -> bool| {
            let mut all = Auditor::new(1, 0);
            for position in 0..positions {
                let at = |key: u64| Audit {
                    key: 1_000 * position + key,
                    ..audit(Rule::NullMove, wrong(position, key), 0)
                };
                all.join(position as usize + 1, &one(&(0..100).map(at).collect::<Vec<_>>()));
            }
            all
        };
        // One in ten everywhere, or all of one position in ten.
        let even = joined(40, &|_, key| key.is_multiple_of(10));
        let uneven = joined(40, &|position, _| position.is_multiple_of(10));
        assert_eq!(interval(&even).value, interval(&uneven).value);
        assert!(width(&uneven) > 5.0 * width(&even), "{:?}", interval(&uneven));
        let by_chance = width(&even) / 1_000.0;
        assert!((by_chance - 2.0 * 1.96 * (0.09_f64 / 4_000.0).sqrt()).abs() < 1e-3, "{by_chance}");
    }

    #[test]
    fn what_cannot_be_audited_is_counted_apart() {
        let mut auditor = Auditor::new(1, 0);
        auditor.asked(&asked(Rule::Futility, true, 7, 0));
        auditor.asked(&asked(Rule::Futility, true, 0, 0));
        auditor.asked(&asked(Rule::Futility, true, 0, 0));
        auditor.audited(&audit(Rule::Futility, false, 5));
        auditor.asked(&asked(Rule::Delta, true, 9, 0));
        auditor.asked(&asked(Rule::NullMove, true, 0, 0));
        // These prune nothing.
        auditor.asked(&asked(Rule::CheckExtension, true, 9, 0));
        auditor.asked(&asked(Rule::Quiescence, true, 0, 0));
        let found = auditor.findings();
        assert_eq!((found.len(), found[0].held, found[0].out_of_reach), (1, 3, 2));
        let not_audited = auditor.not_audited();
        assert_eq!(
            not_audited,
            [
                NotAudited { rule: Rule::NullMove, held: 1, never: false },
                NotAudited { rule: Rule::Delta, held: 1, never: true },
            ]
        );
    }

    #[test]
    fn questions_in_vain_are_taken_off_what_is_saved() {
        let mut auditor = Auditor::new(4, 0);
        auditor.asked(&asked(Rule::NullMove, true, 0, 10));
        auditor.audited(&audit(Rule::NullMove, false, 110));
        let saved = |auditor: &Auditor| auditor.findings()[0].saved_in_all();
        assert_eq!(saved(&auditor), 400.0, "one in four stands for four");
        let mut other = Auditor::new(4, 0);
        other.asked(&asked(Rule::NullMove, false, 0, 150));
        let told = other.nodes_told(Rule::NullMove);
        other.asked(&Asked { told, ..asked(Rule::NullMove, false, 0, 300) });
        auditor.join(1, &other);
        let found = auditor.findings()[0];
        assert_eq!((found.held, found.in_vain, found.lost), (1, 2, 450));
        assert_eq!((found.saved_in_all(), found.saved_by_one()), (-50.0, 100.0));
    }

    #[test]
    fn a_question_within_the_search_of_another_is_lost_once() {
        let mut auditor = Auditor::new(1, 0);
        auditor.audited(&audit(Rule::NullMove, false, 110));
        // The outer one began before the inner one was told of, and ended after it.
        auditor.asked(&asked(Rule::NullMove, false, 0, 150));
        auditor.asked(&asked(Rule::NullMove, false, 0, 300));
        assert_eq!(auditor.findings()[0].lost, 300);
    }

    #[test]
    fn a_move_searched_deeper_is_nothing_pruned() {
        let mut auditor = Auditor::new(1, 0);
        auditor.asked(&asked(Rule::Singular, true, 0, 10));
        auditor.audited(&audit(Rule::Singular, false, 110));
        auditor.asked(&asked(Rule::Singular, true, 77, 30));
        let told = auditor.nodes_told(Rule::Singular);
        auditor.asked(&Asked { told, ..asked(Rule::Singular, false, 0, 5) });
        let found = auditor.findings()[0];
        assert_eq!((found.held, found.in_vain, found.lost), (1, 2, 35));
        assert_eq!(found.saved_in_all(), 65.0);
        // What leaves moves out, or reduces them, names them too.
        auditor.asked(&asked(Rule::LateMoves, true, 77, 8));
        assert_eq!(auditor.held[Rule::LateMoves as usize], 1);
    }
}
