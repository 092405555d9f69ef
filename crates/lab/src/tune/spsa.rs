//! Simultaneous perturbation: all parameters are moved at once, each up or down by its step, and
//! down or up for the opponent; the result of their games says in which direction to go.
//!
//! In the k-th iteration Spall (1998) perturbs by `c_k = c / k^gamma`, takes the difference of the two results
//! over twice the perturbation for the slope, and goes `a_k = a / (A + k)^alpha` times as far. So one
//! won pair moves a parameter by a number that falls as `a_k / c_k`: where two sets lie further apart, the same
//! result says less of the slope between them.

use secateur_search::random::SplitMix;

use super::{Order, Parameter};

/// How gains and perturbations fall.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// The gains begin as if so much of all iterations had passed.
const STABILITY: f64 = 0.1;

/// The state of a tuning.
#[derive(Clone, Debug)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    iterations: f64,
    rate: f64,
    seed: u64,
    values: Vec<f64>,
    done: u64,
}

/// Two sets of values to be played against each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// Whether each parameter goes up in the first set.
    signs: Vec<f64>,
    /// The first set.
    pub first: Vec<i32>,
    /// The second set.
    pub second: Vec<i32>,
}

impl Spsa {
    /// Before the first iteration.
    pub fn new(order: &Order) -> Spsa {
        Spsa {
            parameters: order.parameters.clone(),
            iterations: order.iterations as f64,
            rate: order.rate,
            seed: order.seed,
            values: order.parameters.iter().map(|parameter| parameter.start.into()).collect(),
            done: 0,
        }
    }

    /// As it was after so many iterations, with these values.
    pub fn go_on_from(&mut self, done: u64, values: &[f64]) {
        self.done = done;
        self.values = values.to_vec();
    }

    /// Iterations learned from.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The values now.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The values now, as whole numbers.
    pub fn rounded(&self) -> Vec<i32> {
        self.values.iter().map(|value| value.round() as i32).collect()
    }

    /// How far a parameter is perturbed in the next iteration.
    fn perturbation(&self, parameter: &Parameter) -> f64 {
        let now = (self.done + 1) as f64;
        f64::from(parameter.step) * (self.iterations / now).powf(GAMMA)
    }

    /// How far it moves by one won pair: `rate` times the step in the last iteration, where the perturbation is
    /// the step.
    fn gain(&self, parameter: &Parameter) -> f64 {
        let offset = STABILITY * self.iterations;
        let now = offset + (self.done + 1) as f64;
        let step = f64::from(parameter.step);
        let falling = ((offset + self.iterations) / now).powf(ALPHA);
        self.rate * step * falling * step / self.perturbation(parameter)
    }

    /// What to play next; the same for the same seed and history.
    pub fn propose(&self) -> Proposal {
        let mut random = SplitMix::new(self.seed ^ (self.done + 1).wrapping_mul(0x9e37_79b9));
        let mut proposal = Proposal { signs: vec![], first: vec![], second: vec![] };
        for (parameter, value) in self.parameters.iter().zip(&self.values) {
            let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
            let away = sign * self.perturbation(parameter);
            // Up or down by chance, so that a step below one is not lost.
            let chance = random.below(1 << 20) as f64 / f64::from(1 << 20);
            let whole = |value: f64| {
                let value = value.clamp(parameter.min.into(), parameter.max.into());
                (value.floor() + f64::from(u8::from(value - value.floor() > chance))) as i32
            };
            proposal.signs.push(sign);
            proposal.first.push(whole(value + away));
            proposal.second.push(whole(value - away));
        }
        proposal
    }

    /// Learns from a proposal: `won` is the pairs that its first set won less those it lost.
    pub fn learn(&mut self, proposal: &Proposal, won: f64) {
        let gains: Vec<f64> = self.parameters.iter().map(|p| self.gain(p)).collect();
        let moves = self.values.iter_mut().zip(&self.parameters).zip(gains).zip(&proposal.signs);
        for (((value, parameter), gain), sign) in moves {
            *value += gain * won * sign;
            *value = value.clamp(parameter.min.into(), parameter.max.into());
        }
        self.done += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::order_of;

    fn order(rate: f64) -> Order {
        let parameter = |name: &str, start| Parameter {
            name: name.to_string(),
            start,
            min: 0,
            max: 200,
            step: 10,
        };
        let parameters = vec![parameter("a", 20), parameter("b", 180), parameter("c", 90)];
        Order { rate, ..order_of(parameters) }
    }

    /// The side that is nearer to 100, 60 and anything wins, with noise.
    fn tuned(order: &Order) -> Vec<i32> {
        let mut spsa = Spsa::new(order);
        let mut random = SplitMix::new(3);
        let far = |values: &[i32]| (values[0] - 100).pow(2) + (values[1] - 60).pow(2);
        for _ in 0..order.iterations {
            let proposal = spsa.propose();
            let lead = far(&proposal.second) - far(&proposal.first);
            let noise = random.below(4_001) as i32 - 2_000;
            spsa.learn(&proposal, f64::from((lead + noise).signum()));
        }
        spsa.rounded()
    }

    #[test]
    fn it_finds_what_wins_and_stays_in_range() {
        let found = tuned(&order(0.05));
        assert!((found[0] - 100).abs() <= 12 && (found[1] - 60).abs() <= 12, "{found:?}");
        assert!((0..=200).contains(&found[2]), "{found:?}");
    }

    #[test]
    fn a_won_pair_moves_a_parameter_as_in_spalls_recursion() {
        let order = order(0.05);
        let (parameter, last) = (&order.parameters[2], order.iterations as f64);
        // His constants, so that the perturbation ends at the step and the move at `rate` of it.
        let (step, offset) = (f64::from(parameter.step), STABILITY * last);
        let c = step * last.powf(GAMMA);
        let a = 2.0 * order.rate * step * step * (offset + last).powf(ALPHA);
        for done in [0, 1, 99, 1_499, order.iterations - 1] {
            let mut spsa = Spsa::new(&order);
            spsa.go_on_from(done, &[100.0, 100.0, 100.0]);
            let proposal = spsa.propose();
            spsa.learn(&proposal, 1.0);
            let k = (done + 1) as f64;
            let (a_k, c_k) = (a / (offset + k).powf(ALPHA), c / k.powf(GAMMA));
            let slope = 1.0 / (2.0 * c_k * proposal.signs[2]);
            let moved = spsa.values()[2] - 100.0;
            assert!((moved - a_k * slope).abs() < 1e-9, "{k}: {moved}, not {}", a_k * slope);
        }
        let mut spsa = Spsa::new(&order);
        spsa.go_on_from(order.iterations - 1, &[100.0, 100.0, 100.0]);
        spsa.learn(&spsa.propose(), 1.0);
        assert!(
            ((spsa.values()[2] - 100.0).abs() - order.rate * step).abs() < 1e-9,
            "what `rate` says"
        );
    }

    #[test]
    fn without_a_rate_nothing_moves_and_the_same_seed_proposes_the_same() {
        assert_eq!(tuned(&order(0.0)), [20, 180, 90]);
        let spsa = Spsa::new(&order(0.05));
        assert_eq!(spsa.propose(), spsa.propose());
        let Proposal { first, second, .. } = spsa.propose();
        assert!(first.iter().zip(&second).all(|(a, b)| a != b), "{first:?} {second:?}");
    }

    #[test]
    fn values_below_nothing_are_rounded_up_as_often_as_they_should() {
        let parameter =
            Parameter { name: "a".to_string(), start: -50, min: -100, max: 100, step: 1 };
        let mut spsa = Spsa::new(&order_of(vec![parameter]));
        let mut sum = 0;
        for done in 0..4_000 {
            spsa.go_on_from(done, &[-50.25]);
            let Proposal { first, second, .. } = spsa.propose();
            sum += first[0] + second[0];
        }
        let mean = f64::from(sum) / 8_000.0;
        assert!((mean + 50.25).abs() < 0.05, "{mean}");
    }
}
