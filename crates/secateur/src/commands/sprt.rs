//! `secateur sprt`: what counts of results mean, or how many games a test will take.

use std::io::{self, Write};

use clap::{ArgGroup, Args, ValueEnum};
use secateur_lab::statistics::counts::{Counts, Pentanomial, Results, Trinomial};
use secateur_lab::statistics::elo::{self, Estimate};
use secateur_lab::statistics::sprt::{Model, Outlook, Sprt, Standing, Verdict};
use secateur_lab::values::{grouped, rounded};
use serde_json::{Value, json};

/// Arguments of `sprt`.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("what").required(true).args(["ptnml", "wdl", "elo"]),
    after_help = "\
Examples:
  secateur sprt --ptnml 10,40,120,45,12 --elo0 0 --elo1 5
  secateur sprt --wdl 880,1863,759 --model logistic --json
  secateur sprt --elo 4 --draw-ratio 0.5         how many games will it take?

All results are those of the first engine: a positive Elo is its lead. In the model `normalized`
elo0 and elo1 are normalised Elo (nElo), in `logistic` they are Elo. H0 says that the lead is elo0,
H1 that it is elo1."
)]
pub(super) struct Arguments {
    /// Pairs of games, the same opening with either colour, by the first engine's points
    #[arg(long, value_name = "LL,LD,DD+WL,WD,WW")]
    ptnml: Option<Pentanomial>,
    /// Single games: wins, draws and losses of the first engine
    #[arg(long, value_name = "WINS,DRAWS,LOSSES")]
    wdl: Option<Trinomial>,
    /// No counts, but the true Elo to plan for: tells the expected length of the test
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo: Option<f64>,
    /// The share of drawn games to plan for
    #[arg(long, value_name = "SHARE", default_value_t = 0.35, conflicts_with_all = ["ptnml", "wdl"])]
    draw_ratio: f64,
    /// The lead that H0 claims
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_negative_numbers = true)]
    elo0: f64,
    /// The lead that H1 claims
    #[arg(long, value_name = "ELO", default_value_t = 5.0, allow_negative_numbers = true)]
    elo1: f64,
    /// How often H1 may be accepted although H0 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    alpha: f64,
    /// How often H0 may be accepted although H1 is true
    #[arg(long, value_name = "RATE", default_value_t = 0.05)]
    beta: f64,
    /// In what elo0 and elo1 are measured
    #[arg(long, value_enum, default_value_t = ModelName::Normalized)]
    model: ModelName,
    /// Print one JSON object, totals first
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ModelName {
    /// Normalised Elo: the length of a test does not depend on draws and openings
    Normalized,
    /// Elo as usual
    Logistic,
}

impl ModelName {
    fn model(self) -> Model {
        match self {
            ModelName::Normalized => Model::Normalized,
            ModelName::Logistic => Model::Logistic,
        }
    }

    fn unit(self) -> &'static str {
        match self {
            ModelName::Normalized => "nElo",
            ModelName::Logistic => "Elo",
        }
    }
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { elo0, elo1, alpha, beta, model, .. } = *arguments;
    let test = Sprt::new(elo0, elo1, alpha, beta, model.model())?;
    let pairs = arguments.ptnml.map(Results::Pairs);
    let results = pairs.or(arguments.wdl.map(Results::Games));
    let text = match (results, arguments.elo) {
        (Some(results), _) => {
            let standing = test.standing(&results);
            if arguments.json {
                format!("{:#}\n", results_json(arguments, &test, &results, &standing))
            } else {
                results_text(arguments, &test, &results, &standing)
            }
        }
        (None, Some(elo)) => {
            let plan = test.plan(elo, arguments.draw_ratio)?;
            if arguments.json {
                format!("{:#}\n", plan_json(arguments, &test, elo, &plan))
            } else {
                plan_text(arguments, &test, elo, &plan)
            }
        }
        (None, None) => anyhow::bail!("give --ptnml, --wdl or --elo"),
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

fn results_text(
    arguments: &Arguments,
    test: &Sprt,
    results: &Results,
    standing: &Standing,
) -> String {
    let mut text = match results {
        Results::Pairs(pairs) => format!(
            "Results of the first engine: {} games in pairs {pairs} (LL, LD, DD+WL, WD, WW)\n",
            grouped(results.games()),
        ),
        Results::Games(games) => {
            format!("Results of the first engine: {} games, {games}\n", grouped(results.games()))
        }
    };
    text += &format!("Elo    {}\n", estimate_text(elo::logistic(results)));
    text += &format!("nElo   {}\n", estimate_text(elo::normalised(results)));
    text += &format!("LOS    {:.2} %\n", 100.0 * elo::superiority(results));
    let level = if matches!(results, Results::Pairs(_)) { "level pairs" } else { "draws" };
    if let (Some(score), Some(draws)) = (results.score(), results.draw_ratio()) {
        text += &format!("score  {:.2} %, {level} {:.2} %\n", 100.0 * score, 100.0 * draws);
    }
    let (lower, upper) = test.bounds();
    let verdict = match standing.verdict {
        Verdict::Continue => "not decided".to_string(),
        Verdict::AcceptH0 => {
            format!("H0 accepted: {}", hypothesis(arguments, arguments.elo0, arguments.elo1))
        }
        Verdict::AcceptH1 => {
            format!("H1 accepted: {}", hypothesis(arguments, arguments.elo1, arguments.elo0))
        }
    };
    text += &format!("LLR    {:.2} ({lower:.2}, {upper:.2}), {verdict}\n", standing.llr);
    text += &test_text(arguments);
    if let (Verdict::Continue, Some(outlook)) = (standing.verdict, standing.outlook) {
        // Not the chance of H1: with the lead taken as certain it would sound like a verdict.
        text += &format!("left   {} if it goes on like this\n", games_text(outlook.games));
    }
    text
}

fn plan_text(arguments: &Arguments, test: &Sprt, elo: f64, plan: &Outlook) -> String {
    let (lower, upper) = test.bounds();
    format!(
        "Plan for a true lead of the first engine of {elo} Elo and {:.0} % draws\n{}\
         bounds ({lower:.2}, {upper:.2})\n\
         length {} on the average; with pairs of unbalanced openings fewer\n\
         H1 accepted with {:.1} %\n",
        100.0 * arguments.draw_ratio,
        test_text(arguments),
        games_text(plan.games),
        100.0 * plan.accept_h1,
    )
}

fn test_text(arguments: &Arguments) -> String {
    let Arguments { elo0, elo1, alpha, beta, model, .. } = arguments;
    format!("test   [{elo0}, {elo1}] {}, alpha {alpha}, beta {beta}\n", model.unit())
}

fn hypothesis(arguments: &Arguments, elo: f64, other: f64) -> String {
    format!("the lead is {elo} {} rather than {other}", arguments.model.unit())
}

fn estimate_text(estimate: Option<Estimate>) -> String {
    let Some(Estimate { value, error }) = estimate else { return "unknown".to_string() };
    let value = rounded(value, 2);
    match error.is_finite() {
        true => format!("{value:.2} +- {error:.2}"),
        false => format!("{value:.2}, error unknown"),
    }
}

/// So many games nobody waits for.
const NO_END: f64 = 1e15;

fn games_text(games: f64) -> String {
    if games < NO_END {
        format!("{} games", grouped(games as u64))
    } else {
        "no end of games".into()
    }
}

/// JSON knows no infinity: what is infinite or unknown is null.
fn number(value: Option<f64>) -> Value {
    value.filter(|value| value.is_finite()).map_or(Value::Null, |value| json!(value))
}

fn whole(games: Option<f64>) -> Value {
    games.filter(|&games| games < NO_END).map_or(Value::Null, |games| json!(games as u64))
}

fn results_json(
    arguments: &Arguments,
    test: &Sprt,
    results: &Results,
    standing: &Standing,
) -> Value {
    let (elo, normalised) = (elo::logistic(results), elo::normalised(results));
    let (lower, upper) = test.bounds();
    let verdict = match standing.verdict {
        Verdict::Continue => "continue",
        Verdict::AcceptH0 => "accept H0",
        Verdict::AcceptH1 => "accept H1",
    };
    let left = match standing.verdict {
        Verdict::Continue => standing.outlook.map(|outlook| outlook.games),
        _ => Some(0.0),
    };
    json!({
        "elo": number(elo.map(|estimate| estimate.value)),
        "elo_error": number(elo.map(|estimate| estimate.error)),
        "nelo": number(normalised.map(|estimate| estimate.value)),
        "nelo_error": number(normalised.map(|estimate| estimate.error)),
        "los": elo::superiority(results),
        "llr": standing.llr,
        "lower": lower,
        "upper": upper,
        "verdict": verdict,
        "games": results.games(),
        "score": number(results.score()),
        "draw_ratio": number(results.draw_ratio()),
        "games_left": whole(left),
        "test": test_json(arguments),
    })
}

fn plan_json(arguments: &Arguments, test: &Sprt, elo: f64, plan: &Outlook) -> Value {
    let (lower, upper) = test.bounds();
    json!({
        "games": whole(Some(plan.games)),
        "accept_h1": plan.accept_h1,
        "elo": elo,
        "draw_ratio": arguments.draw_ratio,
        "lower": lower,
        "upper": upper,
        "test": test_json(arguments),
    })
}

fn test_json(arguments: &Arguments) -> Value {
    let Arguments { elo0, elo1, alpha, beta, model, .. } = arguments;
    let model = match model {
        ModelName::Normalized => "normalized",
        ModelName::Logistic => "logistic",
    };
    json!({ "elo0": elo0, "elo1": elo1, "alpha": alpha, "beta": beta, "model": model })
}
