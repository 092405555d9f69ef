//! TOML, read so that an error says the line and fits on one.

use std::ops::Range;

use anyhow::anyhow;
use serde::de::DeserializeOwned;

/// What the text says.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> anyhow::Result<T> {
    toml::from_str(text).map_err(|error| {
        let message = error.message().lines().collect::<Vec<_>>().join("; ");
        match error.span() {
            // What is missing is missing from the whole.
            Some(Range { start: 0, .. }) if message.starts_with("missing field") => {
                anyhow!("{message}")
            }
            Some(Range { start, .. }) => anyhow!("line {}: {message}", line_at(text, start)),
            None => anyhow!("{message}"),
        }
    })
}

/// The line of a place in the text, counted from 1.
fn line_at(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().get(..offset).unwrap_or_default();
    before.iter().filter(|&&byte| byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Deserialize)]
    struct Both {
        #[allow(dead_code)]
        games: u32,
        #[allow(dead_code)]
        seed: u32,
    }

    #[test]
    fn an_error_is_one_line_that_says_which() {
        for (text, said) in [
            ("games = 3\nseed = ?\n", "line 2: "),
            ("games = 3\n\n\nseed = \"x\"\n", "line 4: invalid type: string \"x\""),
            ("games = 3\nseed = 4\nseed = 5\n", "line 3: duplicate key"),
            ("games = 3\n", "missing field `seed`"),
        ] {
            let error = parse::<Both>(text).unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}
