//! The rating of the LCT II test: 1900 and points for how soon each of its 35 positions is solved.

/// How many positions it has.
pub const POSITIONS: usize = 35;

/// Seconds to the solution, and what is earned up to there.
const STEPS: [(u64, u32); 6] = [(9, 30), (29, 25), (89, 20), (179, 15), (389, 10), (600, 5)];

/// Time for a position, without which late solutions cannot be seen.
pub const FULL_TIME_MS: u64 = 600_000;

/// Whether these are the names of its positions: `LCTII.POS.01`, `LCTII.CMB.12`, `LCTII.FIN.09`.
pub fn is_lct2<'a>(ids: impl Iterator<Item = &'a str>) -> bool {
    let mut count = 0;
    for id in ids {
        let Some(rest) = id.strip_prefix("LCTII.") else { return false };
        let known = matches!(rest.split_once('.'), Some(("POS" | "CMB" | "FIN", number))
            if number.parse::<u32>().is_ok());
        if !known {
            return false;
        }
        count += 1;
    }
    count == POSITIONS
}

/// The rating from the times to the solution; `None` for a position that is not solved.
pub fn rating(solutions_ms: impl IntoIterator<Item = Option<u64>>) -> u32 {
    let earned = |solution: u64| {
        let step = STEPS.iter().find(|(seconds, _)| solution <= seconds * 1_000);
        step.map_or(0, |(_, points)| *points)
    };
    1_900 + solutions_ms.into_iter().flatten().map(earned).sum::<u32>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_of_the_formula_pays_what_it_should() {
        let cases = [
            (Some(0), 30),
            (Some(9_000), 30),
            (Some(9_001), 25),
            (Some(29_000), 25),
            (Some(89_000), 20),
            (Some(179_000), 15),
            (Some(389_000), 10),
            (Some(600_000), 5),
            (Some(600_001), 0),
            (None, 0),
        ];
        for (solution, points) in cases {
            assert_eq!(rating([solution]), 1_900 + points, "{solution:?}");
        }
        assert_eq!(rating([Some(1_000); POSITIONS]), 2_950);
        // One of many ways to the 2575 that the paper gives with 28 positions solved.
        let mut times = vec![Some(1_000); 21];
        times.extend([Some(300_000), Some(300_000)]);
        times.extend([Some(500_000); 5]);
        times.extend([None; 7]);
        assert_eq!(rating(times), 1_900 + 21 * 30 + 2 * 10 + 5 * 5);
    }

    #[test]
    fn the_suite_is_known_by_its_names() {
        let names = |count: usize| -> Vec<String> {
            let kinds = [("POS", 14), ("CMB", 12), ("FIN", 9)];
            let all = kinds.iter().flat_map(|(kind, last)| {
                (1..=*last).map(move |number| format!("LCTII.{kind}.{number:02}"))
            });
            all.take(count).collect()
        };
        let known = |names: &[String]| is_lct2(names.iter().map(String::as_str));
        assert!(known(&names(35)) && !known(&names(34)) && !known(&[]));
        let mut other = names(35);
        other[3] = "WAC.001".to_string();
        assert!(!known(&other));
    }
}
