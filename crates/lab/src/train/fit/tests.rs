use super::*;
use crate::train::examples::Outcome;
use secateur_search::features::{Blend, WHOLE};

const FEATURES: usize = 12;
const STAGES: usize = 3;
const SCALE: f32 = 200.0;
/// Seen once in so many positions.
const RARE: usize = 5_000;

/// From 0 to 1.
fn uniform(random: &mut SplitMix) -> f32 {
    random.below(1 << 24) as f32 / (1 << 24) as f32
}

/// Weights of a game that nobody plays.
fn truth(random: &mut SplitMix) -> Vec<f32> {
    (0..FEATURES * STAGES).map(|_| 160.0 * uniform(random) - 80.0).collect()
}

/// Positions whose results follow from the weights; the last feature is rare.
fn positions(count: usize, truth: &[f32], random: &mut SplitMix) -> Examples {
    let mut examples = Examples::new(FEATURES);
    for _ in 0..count {
        let mut counts: Vec<(usize, i32)> =
            (0..FEATURES - 1).map(|feature| (feature, random.below(5) as i32 - 2)).collect();
        if random.below(RARE) == 0 {
            counts.push((FEATURES - 1, 1));
        }
        let stage = random.below(STAGES - 1);
        let share = random.below(9) as i32;
        let blend = Blend { stages: [stage, stage + 1], shares: [share, 8 - share] };
        let keep = [[WHOLE, WHOLE], [WHOLE, 16], [16, WHOLE]][random.below(3)];
        let mut alone = Examples::new(FEATURES);
        alone.push_counts(blend, keep, counts.clone(), Outcome { score: 0, points: Some(0) });
        let wins = uniform(random) < chance(alone.value(0, truth).0 / SCALE);
        let points = if wins { 1 } else { -1 };
        examples.push_counts(blend, keep, counts, Outcome { score: 0, points: Some(points) });
    }
    examples.aim(|outcome| f32::from(1 + outcome.points.unwrap()) / 2.0);
    examples
}

fn made(count: usize, seed: u64) -> (Vec<f32>, Examples, Examples) {
    let random = &mut SplitMix::new(seed);
    let truth = truth(random);
    let training = positions(count, &truth, random);
    let validation = positions(count / 4, &truth, random);
    (truth, training, validation)
}

fn quickly(threads: usize) -> Plan {
    let threads = NonZeroUsize::new(threads).unwrap();
    Plan { epochs: 12, rate: 0.02, regularise: 10.0, threads, ..Plan::default() }
}

static NEVER: AtomicBool = AtomicBool::new(false);

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let (truth, examples, _) = made(300, 5);
    let weights: Vec<f32> = truth.iter().map(|weight| weight / SCALE + 0.02).collect();
    // Where it is nobody's lead the loss has a kink, since another part is kept.
    let numbers: Vec<u32> = (0..300)
        .filter(|number| examples.value(*number as usize, &weights).0.abs() > 0.03)
        .collect();
    let loss_with = |weights: &[f32]| {
        let mut gradients = vec![vec![0.0; weights.len()]; PARTS];
        (slopes(&examples, &numbers, weights, &mut gradients, NonZeroUsize::MIN), gradients)
    };
    let (_, gradients) = loss_with(&weights);
    let step = 1e-2;
    for index in 0..weights.len() {
        let loss_at = |change: f32| {
            let mut moved = weights.clone();
            moved[index] += change;
            loss_with(&moved).0
        };
        let measured = (loss_at(step) - loss_at(-step)) / (2.0 * f64::from(step));
        let sum: f32 = gradients.iter().map(|gradient| gradient[index]).sum();
        assert!((measured - f64::from(sum)).abs() < 0.02, "{index}: {measured} {sum}");
    }
}

fn problem<'a>(training: &'a Examples, validation: &'a Examples, start: &'a [f32]) -> Problem<'a> {
    Problem { training, validation, start, scale: SCALE, fixed: &[] }
}

#[test]
fn what_is_set_by_hand_stays_and_the_rest_is_learned_around_it() {
    let (truth, training, validation) = made(5_000, 5);
    let start = vec![0.0; truth.len()];
    let problem = Problem { fixed: &[0, FEATURES + 1], ..problem(&training, &validation, &start) };
    let fitted = fit(&problem, &quickly(1), &NEVER, &mut |_| {});
    let stayed: Vec<usize> =
        (0..truth.len()).filter(|index| fitted.weights[*index] == 0.0).collect();
    assert_eq!(stayed, [0, FEATURES + 1]);
}

#[test]
fn the_weights_that_made_the_results_are_found_again() {
    let (truth, training, validation) = made(60_000, 1);
    let start = vec![0.0; truth.len()];
    let problem = problem(&training, &validation, &start);
    let fitted = fit(&problem, &quickly(2), &NEVER, &mut |_| {});
    assert!(fitted.best > 0 && !fitted.interrupted);
    assert!(fitted.epochs[fitted.best - 1].validation < fitted.start - 0.05, "{:?}", fitted.epochs);
    for (index, (found, right)) in fitted.weights.iter().zip(&truth).enumerate() {
        if index % FEATURES < FEATURES - 1 {
            assert!((found - right).abs() < 12.0, "{index}: {found}, not {right}");
        }
    }
}

#[test]
fn what_is_hardly_ever_seen_stays_near_its_start() {
    let (truth, training, validation) = made(20_000, 2);
    let start = vec![30.0; truth.len()];
    let problem = problem(&training, &validation, &start);
    let fitted = fit(&problem, &quickly(2), &NEVER, &mut |_| {});
    for stage in 0..STAGES {
        let rare = fitted.weights[stage * FEATURES + FEATURES - 1];
        assert!((rare - 30.0).abs() < 25.0, "{rare}");
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let (truth, training, validation) = made(5_000, 3);
    let start = vec![1.0; truth.len()];
    let problem = problem(&training, &validation, &start);
    let fitted = |threads| fit(&problem, &quickly(threads), &NEVER, &mut |_| {});
    let alone = fitted(1);
    assert_eq!(alone, fitted(2));
    assert_eq!(alone, fitted(7));
    let other = fit(&problem, &Plan { seed: 2, ..quickly(1) }, &NEVER, &mut |_| {});
    assert_ne!(alone.weights, other.weights);
}

#[test]
fn it_ends_soon_after_the_best_epoch_and_keeps_that() {
    // So few positions are learned by heart.
    let (truth, training, validation) = made(200, 4);
    let start = vec![0.0; truth.len()];
    let problem = problem(&training, &validation, &start);
    let plan = Plan { epochs: 400, rate: 0.05, regularise: 0.0, batch: Some(50), ..quickly(1) };
    let fitted = fit(&problem, &plan, &NEVER, &mut |_| {});
    assert!(fitted.epochs.len() < 400);
    assert_eq!(fitted.epochs.len(), fitted.best + PATIENCE);
    let least = fitted.epochs.iter().map(|epoch| epoch.validation).fold(f64::INFINITY, f64::min);
    assert_eq!(fitted.epochs[fitted.best - 1].validation, least);
    let scaled: Vec<f32> = fitted.weights.iter().map(|weight| weight / SCALE).collect();
    let again = mean_loss(&validation, &scaled, NonZeroUsize::MIN);
    assert!((again - least).abs() < 1e-6, "{again} {least}");
}

#[test]
fn an_interrupted_fit_gives_the_best_so_far() {
    let (truth, training, validation) = made(2_000, 6);
    let start = vec![0.0; truth.len()];
    let problem = problem(&training, &validation, &start);
    let interrupt = AtomicBool::new(false);
    let mut seen = 0;
    let fitted = fit(&problem, &quickly(1), &interrupt, &mut |_| {
        seen += 1;
        interrupt.store(seen == 3, Relaxed);
    });
    assert!(fitted.interrupted);
    assert!(fitted.epochs.len() == 3 && (1..=3).contains(&fitted.best));
    let at_once = fit(&problem, &quickly(1), &AtomicBool::new(true), &mut |_| {});
    assert!(at_once.interrupted && at_once.epochs.is_empty() && at_once.weights == start);
}

#[test]
fn batches_are_of_one_length_and_not_too_few() {
    let plan = Plan::default();
    assert_eq!(batch_size(&plan, 10), 10);
    assert_eq!(batch_size(&plan, 9_000), 9_000usize.div_ceil(36));
    assert_eq!(batch_size(&plan, 2_000_000), 2_000_000usize.div_ceil(123));
    assert_eq!(batch_size(&Plan { batch: Some(1_000), ..plan }, 1_001), 501);
}
