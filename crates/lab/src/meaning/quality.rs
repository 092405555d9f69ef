//! How true forecasts are: Brier score (1950), log loss, and the calibration curve, on games that
//! the model has not seen.
//!
//! The positions of one game share one result, so an error is reckoned by game: the positions of a
//! game count as one draw.

use anyhow::ensure;
use secateur_search::Meaning;

use super::{Games, Sample};

/// So many equal bins for a chance.
const BINS: usize = 20;

/// How true the forecasts of a model are.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// Games that were kept back.
    pub games: usize,
    /// Their positions.
    pub positions: usize,
    /// Mean squared error, summed over win, draw and loss: 0 is perfect, 2 the worst.
    pub brier: f64,
    /// The same of a forecast that is always the share of the games fitted to.
    pub brier_constant: f64,
    /// Mean of minus the logarithm of the chance that was given to what happened.
    pub log_loss: f64,
    /// The same of the constant forecast.
    pub log_loss_constant: f64,
    /// What came of chances to win.
    pub wins: Vec<Bin>,
    /// What came of chances to draw.
    pub draws: Vec<Bin>,
}

/// Forecasts that are much the same, and what came of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bin {
    /// Chances from here, up to the next bin.
    pub from: f64,
    /// How many.
    pub positions: usize,
    /// Their mean.
    pub predicted: f64,
    /// How often it happened.
    pub observed: f64,
    /// The standard error of the difference, by game.
    pub error: f64,
}

/// Judges the model by games that were kept back, beside the shares of those it was fitted to.
pub fn judge(meaning: &Meaning, train: &Games, held_out: &Games) -> anyhow::Result<Quality> {
    let positions = held_out.iter().map(Vec::len).sum();
    ensure!(positions > 0, "no game is kept back to judge the model by");
    let constant = shares(train);
    let forecast = |sample: &Sample| meaning.at(sample.left).chances(sample.score.into());
    let mean = |loss: &dyn Fn(&Sample) -> f64| {
        held_out.iter().flatten().map(loss).sum::<f64>() / positions as f64
    };
    Ok(Quality {
        games: held_out.len(),
        positions,
        brier: mean(&|sample| brier(forecast(sample), sample.result)),
        brier_constant: mean(&|sample| brier(constant, sample.result)),
        log_loss: mean(&|sample| log_loss(forecast(sample), sample.result)),
        log_loss_constant: mean(&|sample| log_loss(constant, sample.result)),
        wins: curve(held_out, 0, forecast),
        draws: curve(held_out, 1, forecast),
    })
}

fn shares(games: &Games) -> [f64; 3] {
    let mut counts = [0.0; 3];
    games.iter().flatten().for_each(|sample| counts[sample.result] += 1.0);
    let all: f64 = counts.iter().sum();
    counts.map(|count| count / all)
}

fn brier(chances: [f64; 3], result: usize) -> f64 {
    let happened = |kind| f64::from(u8::from(kind == result));
    (0..3).map(|kind| (chances[kind] - happened(kind)).powi(2)).sum()
}

fn log_loss(chances: [f64; 3], result: usize) -> f64 {
    -chances[result].max(1e-9).ln()
}

/// The bins in which there is something.
fn curve(games: &Games, kind: usize, forecast: impl Fn(&Sample) -> [f64; 3]) -> Vec<Bin> {
    let mut bins = [Bin::default(); BINS];
    for game in games {
        let mut surprise = [0.0; BINS];
        for sample in game {
            let chance = forecast(sample)[kind];
            let index = ((chance * BINS as f64) as usize).min(BINS - 1);
            let happened = f64::from(u8::from(sample.result == kind));
            bins[index].positions += 1;
            bins[index].predicted += chance;
            bins[index].observed += happened;
            surprise[index] += happened - chance;
        }
        bins.iter_mut().zip(surprise).for_each(|(bin, surprise)| bin.error += surprise * surprise);
    }
    let filled = bins.iter().enumerate().filter(|(_, bin)| bin.positions > 0);
    filled
        .map(|(index, bin)| {
            let count = bin.positions as f64;
            Bin {
                from: index as f64 / BINS as f64,
                positions: bin.positions,
                predicted: bin.predicted / count,
                observed: bin.observed / count,
                error: bin.error.sqrt() / count,
            }
        })
        .collect()
}

/// The end of a bin that begins there.
pub fn bin_end(from: f64) -> f64 {
    from + 1.0 / BINS as f64
}

#[cfg(test)]
mod tests {
    use super::super::fit::tests::{made_up, model};
    use super::*;

    #[test]
    fn a_true_model_is_calibrated_and_beats_a_constant_forecast() {
        let truth = model([4.6, 0.2, 0.0, 0.0], [4.2, 0.1, 0.0, 0.0]);
        let (train, held_out) = (made_up(&truth, 3_000, 1), made_up(&truth, 3_000, 2));
        let quality = judge(&truth, &train, &held_out).unwrap();
        assert_eq!((quality.games, quality.positions), (3_000, 30_000));
        assert!(quality.brier < 0.8 * quality.brier_constant, "{quality:?}");
        assert!(quality.log_loss < 0.8 * quality.log_loss_constant, "{quality:?}");
        let counted: usize = quality.wins.iter().map(|bin| bin.positions).sum();
        assert_eq!(counted, 30_000);
        for bin in quality.wins.iter().chain(&quality.draws).filter(|bin| bin.positions > 50) {
            let off = (bin.observed - bin.predicted).abs();
            assert!(off < 4.0 * bin.error, "{bin:?}");
            assert!((bin.from..bin_end(bin.from)).contains(&bin.predicted), "{bin:?}");
        }
        let wrong = model([4.6, 0.2, 0.0, 0.0], [3.2, 0.1, 0.0, 0.0]);
        let worse = judge(&wrong, &train, &held_out).unwrap();
        assert!(worse.brier > quality.brier && worse.log_loss > quality.log_loss);
        let off = |bin: &Bin| (bin.observed - bin.predicted).abs() > 4.0 * bin.error;
        assert!(worse.wins.iter().any(off), "{worse:?}");
    }

    #[test]
    fn losses_are_those_of_the_books() {
        assert_eq!(brier([1.0, 0.0, 0.0], 0), 0.0);
        assert_eq!(brier([1.0, 0.0, 0.0], 2), 2.0);
        assert_eq!(brier([0.5, 0.5, 0.0], 1), 0.5);
        assert!((log_loss([0.25, 0.5, 0.25], 1) - std::f64::consts::LN_2).abs() < 1e-12);
        let nothing = model([4.6, 0.0, 0.0, 0.0], [4.2, 0.0, 0.0, 0.0]);
        assert!(judge(&nothing, &Vec::new(), &Vec::new()).is_err());
    }

    #[test]
    fn positions_of_one_game_are_one_draw() {
        let sample = Sample { left: 40, score: 100, result: 0 };
        let apart: Games = (0..100).map(|_| vec![sample]).collect();
        let together: Games = vec![vec![sample; 100]];
        let half = |_: &Sample| [0.5, 0.5, 0.0];
        let (apart, together) = (curve(&apart, 0, half), curve(&together, 0, half));
        assert!((apart[0].error - 0.05).abs() < 1e-12 && (together[0].error - 0.5).abs() < 1e-12);
    }
}
