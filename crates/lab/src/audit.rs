//! Whether what is pruned deserved it: an observer that has some of it searched all the same, and what
//! that says of each technique.
//!
//! Which nodes are audited is drawn from their keys, so that the same search audits the same nodes.

use std::io::{self, Write};

use secateur_search::observe::{Asked, Audit, Observer, Rule};

use crate::statistics::normal::Z95;

/// Audits one node in so many.
#[derive(Clone, Debug)]
pub struct Auditor {
    every: u64,
    seed: u64,
    /// By rule: how often it pruned.
    held: Vec<u64>,
    /// By rule: how often it was asked and pruned nothing.
    in_vain: Vec<u64>,
    /// By rule: nodes of its own searches then.
    lost: Vec<u64>,
    audits: Vec<Audit>,
}

impl Auditor {
    /// One node in `every`, another choice for each seed.
    pub fn new(every: u64, seed: u64) -> Auditor {
        let none = vec![0; Rule::ALL.len()];
        let (held, in_vain, lost) = (none.clone(), none.clone(), none);
        Auditor { every: every.max(1), seed, held, in_vain, lost, audits: Vec::new() }
    }

    /// Everything that was audited.
    pub fn audits(&self) -> &[Audit] {
        &self.audits
    }

    /// Adds what another thread or another search has seen.
    pub fn join(&mut self, other: &Auditor) {
        let add = |sums: &mut [u64], more: &[u64]| {
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        };
        add(&mut self.held, &other.held);
        add(&mut self.in_vain, &other.in_vain);
        add(&mut self.lost, &other.lost);
        self.audits.extend_from_slice(&other.audits);
    }

    /// What is known of each technique that pruned anything, those that saved the most first.
    pub fn findings(&self) -> Vec<Finding> {
        let mut found: Vec<Finding> = Rule::ALL
            .iter()
            .map(|&rule| {
                let mut finding = Finding {
                    rule,
                    held: self.held[rule as usize],
                    in_vain: self.in_vain[rule as usize],
                    lost: self.lost[rule as usize],
                    every: self.every,
                    ..NOTHING
                };
                for audit in self.audits.iter().filter(|audit| audit.rule == rule) {
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

    /// A line for each audit, for programs that read tables.
    pub fn write_csv(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "rule,depth,margin,wrong,spent,saved")?;
        for audit in &self.audits {
            let margin = audit.margin.map_or(String::new(), |margin| margin.to_string());
            let Audit { rule, depth, wrong, spent, saved, .. } = audit;
            let wrong = u8::from(*wrong);
            writeln!(out, "{},{depth},{margin},{wrong},{spent},{saved}", rule.name())?;
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
        self.audits.push(*audit);
    }
}

/// Whether an answer pruned something. A move that turns out to be singular is searched deeper: that is
/// what the technique is there for, but it saves nothing.
fn prunes(asked: &Asked) -> bool {
    let extends = asked.rule == Rule::Singular && asked.packed_move != 0;
    asked.held && !extends
}

/// What is known of a technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The technique.
    pub rule: Rule,
    /// How often it pruned.
    pub held: u64,
    /// How often it was asked and pruned nothing.
    pub in_vain: u64,
    /// Nodes that its own searches made then: of all such questions, not only of chosen nodes.
    pub lost: u64,
    /// How often that was audited.
    pub audited: u64,
    /// How often it was wrong.
    pub wrong: u64,
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
    in_vain: 0,
    lost: 0,
    audited: 0,
    wrong: 0,
    spent: 0,
    saved: 0,
    every: 1,
};

impl Finding {
    /// Wrong ones in a thousand, with the ends of the 95 % interval (Wilson's, 1927, which holds for rare
    /// events too).
    pub fn wrong_per_thousand(&self) -> (f64, f64, f64) {
        let (n, wrong) = (self.audited as f64, self.wrong as f64);
        let z = Z95 * Z95;
        let share = wrong / n;
        let middle = (share + z / (2.0 * n)) / (1.0 + z / n);
        let reach = Z95 * (share * (1.0 - share) / n + z / (4.0 * n * n)).sqrt() / (1.0 + z / n);
        (1_000.0 * share, 1_000.0 * (middle - reach).max(0.0), 1_000.0 * (middle + reach))
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
        Audit { rule, depth: Depth::new(4), margin: Some(30), wrong, spent: 10, saved }
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
        auditor.audited(&audit(Rule::NullMove, false, 110));
        auditor.audited(&audit(Rule::NullMove, true, 50));
        let mut other = Auditor::new(1, 0);
        other.audited(&audit(Rule::Futility, false, 5));
        auditor.join(&other);
        let found = auditor.findings();
        assert_eq!(found.len(), 2);
        let first = found[0];
        assert_eq!(
            (first.rule, first.held, first.audited, first.wrong),
            (Rule::NullMove, 30, 2, 1)
        );
        assert_eq!((first.saved_by_one(), first.saved_in_all()), (70.0, 140.0));
        // Wilson's interval for 1 of 2, and for 0 of 1: from 0 to 79 %.
        let (wrong, low, high) = first.wrong_per_thousand();
        assert_eq!((wrong, low.round(), high.round()), (500.0, 95.0, 905.0));
        let (wrong, low, high) = found[1].wrong_per_thousand();
        assert_eq!((wrong, low.round(), high.round()), (0.0, 0.0, 793.0));
        let mut text = Vec::new();
        auditor.write_csv(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(text.contains("\nnull_move,4,30,1,10,50\n"), "{text}");
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
        other.asked(&asked(Rule::NullMove, false, 0, 300));
        auditor.join(&other);
        let found = auditor.findings()[0];
        assert_eq!((found.held, found.in_vain, found.lost), (1, 2, 450));
        assert_eq!((found.saved_in_all(), found.saved_by_one()), (-50.0, 100.0));
    }

    #[test]
    fn a_move_searched_deeper_is_nothing_pruned() {
        let mut auditor = Auditor::new(1, 0);
        auditor.asked(&asked(Rule::Singular, true, 0, 10));
        auditor.audited(&audit(Rule::Singular, false, 110));
        auditor.asked(&asked(Rule::Singular, true, 77, 30));
        auditor.asked(&asked(Rule::Singular, false, 0, 5));
        let found = auditor.findings()[0];
        assert_eq!((found.held, found.in_vain, found.lost), (1, 2, 35));
        assert_eq!(found.saved_in_all(), 65.0);
        // What leaves moves out, or reduces them, names them too.
        auditor.asked(&asked(Rule::LateMoves, true, 77, 8));
        assert_eq!(auditor.held[Rule::LateMoves as usize], 1);
    }
}
