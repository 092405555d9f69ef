//! An option that an engine offers, and whether a value fits it.

/// One `option` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The engine's spelling.
    pub name: String,
    /// What it can be set to.
    pub kind: OfferKind,
    /// What it is if nobody sets it, as the engine wrote it.
    pub default: Option<String>,
}

/// What an option can be set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OfferKind {
    /// `true` or `false`.
    Check,
    /// A whole number within limits, where the engine gives them.
    Spin {
        /// The least.
        min: Option<i64>,
        /// The most.
        max: Option<i64>,
    },
    /// One of these.
    Combo(Vec<String>),
    /// Nothing: it is pressed.
    Button,
    /// Any text.
    Text,
}

impl Offer {
    /// Reads what follows `option`. `None` if it has no name or no known type.
    pub fn parse(text: &str) -> Option<Offer> {
        // Names and values may hold blanks: an entry ends where the next keyword begins.
        const KEYWORDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];
        let mut entries: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in text.split_whitespace() {
            // Before its type an option's name may well hold the word `min` or `default`.
            let named = entries.iter().any(|(key, _)| *key == "type");
            let keyword = KEYWORDS.contains(&word)
                && (named || word == "type" || entries.is_empty())
                && !(named && matches!(word, "name" | "type"));
            match entries.last_mut() {
                Some((_, words)) if !keyword => words.push(word),
                None if !keyword => return None,
                _ => entries.push((word, Vec::new())),
            }
        }
        let entry = |key: &str| {
            entries.iter().find(|(word, _)| *word == key).map(|(_, words)| words.join(" "))
        };
        let number = |key: &str| entry(key).and_then(|text| text.parse().ok());
        let name = entry("name").filter(|name| !name.is_empty())?;
        let kind = match entry("type")?.as_str() {
            "check" => OfferKind::Check,
            "spin" => OfferKind::Spin { min: number("min"), max: number("max") },
            "combo" => {
                let choices = entries.iter().filter(|(key, _)| *key == "var");
                OfferKind::Combo(choices.map(|(_, words)| words.join(" ")).collect())
            }
            "button" => OfferKind::Button,
            "string" => OfferKind::Text,
            _ => return None,
        };
        Some(Offer { name, kind, default: entry("default") })
    }

    /// The command that sets it, or what is wrong with the value.
    pub fn command(&self, value: &str) -> Result<String, String> {
        let name = &self.name;
        if value.chars().any(char::is_control) {
            return Err(format!("{name} cannot hold a control character"));
        }
        let value = match &self.kind {
            OfferKind::Check => match value.to_ascii_lowercase().as_str() {
                "true" | "on" => "true",
                "false" | "off" => "false",
                _ => return Err(format!("{name} is true or false, not '{value}'")),
            },
            OfferKind::Spin { min, max } => {
                let (least, most) = (min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX));
                match value.parse::<i64>() {
                    Ok(number) if (least..=most).contains(&number) => value,
                    _ => {
                        let from = min.map(|min| format!(" from {min}")).unwrap_or_default();
                        let to = max.map(|max| format!(" to {max}")).unwrap_or_default();
                        return Err(format!("{name} is a whole number{from}{to}, not '{value}'"));
                    }
                }
            }
            OfferKind::Combo(choices) => {
                let meant = choices.iter().find(|choice| choice.eq_ignore_ascii_case(value));
                meant.ok_or_else(|| {
                    format!("{name} is one of {}, not '{value}'", choices.join(", "))
                })?
            }
            OfferKind::Button if value.is_empty() => {
                return Ok(format!("setoption name {name}"));
            }
            OfferKind::Button => return Err(format!("{name} is pressed and takes no value")),
            OfferKind::Text if value.is_empty() => "<empty>",
            OfferKind::Text => value,
        };
        Ok(format!("setoption name {name} value {value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(text: &str) -> Offer {
        Offer::parse(text).unwrap()
    }

    #[test]
    fn every_type_is_understood() {
        let spin = offer("name Move Overhead type spin default 10 min 0 max 5000");
        assert_eq!(spin.name, "Move Overhead");
        assert_eq!(spin.kind, OfferKind::Spin { min: Some(0), max: Some(5_000) });
        assert_eq!(spin.default.as_deref(), Some("10"));
        let combo = offer("name Style type combo default Very Solid var Very Solid var Wild");
        assert_eq!(combo.kind, OfferKind::Combo(vec!["Very Solid".into(), "Wild".into()]));
        let log = offer("name Debug Log File type string default ");
        assert_eq!((log.kind, log.default.as_deref()), (OfferKind::Text, Some("")));
        assert_eq!(offer("name Clear Hash type button").kind, OfferKind::Button);
        assert_eq!(offer("name Ponder type check default false").kind, OfferKind::Check);
    }

    #[test]
    fn a_name_may_hold_any_word() {
        assert_eq!(offer("name King min name type spin").name, "King min name");
        let brackets = offer("name Check Extension (PV nodes) type spin default 2 min 0 max 2");
        assert_eq!(brackets.name, "Check Extension (PV nodes)");
    }

    #[test]
    fn lines_without_a_name_or_a_type_offer_nothing() {
        for text in ["", "name", "x", "type spin", "name a", "name a type", "name a type dial"] {
            assert_eq!(Offer::parse(text), None, "{text}");
        }
    }

    #[test]
    fn values_are_held_against_the_offer() {
        let spin = offer("name Hash type spin default 16 min 1 max 64");
        assert_eq!(spin.command("64").unwrap(), "setoption name Hash value 64");
        assert_eq!(
            spin.command("65").unwrap_err(),
            "Hash is a whole number from 1 to 64, not '65'"
        );
        assert_eq!(spin.command("x").unwrap_err(), "Hash is a whole number from 1 to 64, not 'x'");
        let check = offer("name A type check");
        assert_eq!(check.command("TRUE").unwrap(), "setoption name A value true");
        assert_eq!(check.command("2").unwrap_err(), "A is true or false, not '2'");
        let combo = offer("name C type combo var One var Two");
        assert_eq!(combo.command("one").unwrap(), "setoption name C value One");
        assert_eq!(combo.command("3").unwrap_err(), "C is one of One, Two, not '3'");
        let button = offer("name B type button");
        assert_eq!(button.command("").unwrap(), "setoption name B");
        assert!(button.command("1").is_err());
        let text = offer("name T type string");
        assert_eq!(text.command("").unwrap(), "setoption name T value <empty>");
        assert!(text.command("a\nquit").is_err());
    }
}
