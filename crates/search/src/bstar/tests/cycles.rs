use crate::Score;
use crate::bstar::graph::NodeId;
use crate::testkit::cycles::{Compared, compare, figure_17, followed, random};

#[test]
fn figure_17_has_two_values_for_one_position() {
    let (graph, [a, b, c, d]) = figure_17();
    let (by_b, by_c) = (graph.under(&[a, b], d), graph.under(&[a, c], d));
    assert_eq!((by_b.real, by_b.odds), (Score::DRAW, 1.0));
    assert_eq!(by_c.real, Score::heuristic(-70));
    // What leads to B from there inherits what A hoped for: (0 + 20) / (0 + 90).
    assert!((by_c.odds - 2.0 / 9.0).abs() < 1e-12, "{by_c:?}");
    assert_eq!(graph.under(&[a, c, d], b).real, Score::heuristic(-90));
    let compared = compare(&graph);
    assert!(compared.wrong == 0 && compared.conditional >= 4, "{compared:?}");
    assert!(graph.node(b).ring.as_ref().is_some_and(|ring| ring.size() == 2));
    assert!(graph.node(a).ring.is_none() && graph.node(c).ring.is_none());
}

#[test]
fn random_cyclic_graphs_have_the_values_of_a_search_along_every_path() {
    let (mut all, mut cyclic) = (Compared::default(), 0);
    for seed in 0..800 {
        let graph = random(seed, 24);
        cyclic += usize::from((0..graph.len()).any(|id| graph.node(id as NodeId).ring.is_some()));
        let compared = compare(&graph);
        assert_eq!(compared.wrong, 0, "{seed}");
        all.values += compared.values;
        all.conditional += compared.conditional;
        assert_eq!(graph.oversized, 0);
    }
    assert!(cyclic >= 500 && all.conditional > 10_000, "{cyclic} cyclic, {all:?}");
}

#[test]
fn a_component_that_is_too_large_is_counted_and_still_has_values() {
    let (mut oversized, mut wrong) = (0, 0);
    for seed in 0..200 {
        let graph = random(seed, 2);
        oversized += graph.oversized;
        wrong += usize::from(graph.under(&[], 0).real != followed(&graph, &[], 0).real);
        assert!((0..graph.len()).all(|id| graph.node(id as NodeId).values.odds.is_finite()));
    }
    assert!(oversized > 0 && wrong > 0, "the shortcut must be able to err, or it is none");
}

#[test]
fn values_backed_up_on_cycles_are_those_of_a_recomputation() {
    for seed in 0..100 {
        let graph = random(seed, 24);
        let mut again = graph.clone();
        again.recompute(None);
        for id in 0..graph.len() as NodeId {
            assert_eq!(graph.node(id).values, again.node(id).values, "{seed} {id}");
        }
    }
}
