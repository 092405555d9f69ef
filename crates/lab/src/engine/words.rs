//! A line becomes words, with quotes as in a shell.
//!
//! A backslash is an ordinary character, so that `C:\engines\one.exe` needs no care; only before
//! a quote or a blank it takes the meaning away from that. In `'...'` everything is literal.

use super::spec::SpecError;

/// A word and where it begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    /// From 1, in characters.
    pub(super) column: usize,
}

/// The words of a line.
pub(super) fn split(line: &str) -> Result<Vec<Word>, SpecError> {
    let mut words: Vec<Word> = Vec::new();
    let mut open: Option<Word> = None;
    let mut quote: Option<(char, usize)> = None;
    let mut characters = line.chars().enumerate().peekable();
    while let Some((index, character)) = characters.next() {
        let column = index + 1;
        if character.is_control() && character != '\t' {
            return Err(SpecError::at(column, "a line break or another control character"));
        }
        if quote.is_none() && character.is_whitespace() {
            words.extend(open.take());
            continue;
        }
        let word = open.get_or_insert_with(|| Word { text: String::new(), column });
        match (quote, character) {
            (Some((mark, _)), _) if character == mark => quote = None,
            (Some(('\'', _)), _) => word.text.push(character),
            (None, '\'' | '"') => quote = Some((character, column)),
            (_, '\\') => {
                let escaped = |next: char| match quote {
                    Some(_) => next == '"',
                    None => matches!(next, '\'' | '"' | ' '),
                };
                let next = characters.next_if(|(_, next)| escaped(*next));
                word.text.push(next.map_or('\\', |(_, next)| next));
            }
            _ => word.text.push(character),
        }
    }
    if let Some((mark, column)) = quote {
        return Err(SpecError::at(column, format!("a {mark} that is not closed")));
    }
    words.extend(open);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        split(line).unwrap().into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn quotes_hold_blanks_together_wherever_they_stand() {
        assert_eq!(texts("  a  b\tc "), ["a", "b", "c"]);
        assert_eq!(texts("'a b' \"c d\" e'f g'h"), ["a b", "c d", "ef gh"]);
        assert_eq!(texts("option.'Move Overhead'=1"), ["option.Move Overhead=1"]);
        assert_eq!(texts("'it is \"so\"' \"it's\" '' x"), ["it is \"so\"", "it's", "", "x"]);
        assert_eq!(texts(""), [""; 0]);
    }

    #[test]
    fn a_backslash_is_ordinary_except_before_a_quote_or_a_blank() {
        assert_eq!(texts(r"C:\engines\one.exe \\host\x"), [r"C:\engines\one.exe", r"\\host\x"]);
        assert_eq!(texts(r#"a\ b \' "say \"x\" \n" '\'"#), ["a b", "'", r#"say "x" \n"#, r"\"]);
        assert_eq!(texts(r"end\"), [r"end\"]);
    }

    #[test]
    fn columns_count_characters_from_one() {
        let words = split("é 'b c' d").unwrap();
        assert_eq!(words.iter().map(|word| word.column).collect::<Vec<_>>(), [1, 3, 9]);
    }

    #[test]
    fn what_cannot_be_split_is_placed() {
        let error = |line: &str| split(line).unwrap_err().to_string();
        assert_eq!(error("a 'b"), "column 3: a ' that is not closed");
        assert_eq!(error("a\nquit"), "column 2: a line break or another control character");
    }
}
