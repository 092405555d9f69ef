//! The operations of an EPD line: `opcode operand operand ...;`, strings in double quotes.

use secateur_search::ParseError;
use secateur_search::notation::quoted;

/// One operation, known or unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// What the operands mean: `bm`, `id`, `acd`, ...
    pub opcode: String,
    /// The operands without their quotes. Moves of `bm` and `am` are in standard notation,
    /// however they were written.
    pub operands: Vec<String>,
}

impl Operation {
    /// The operands as one text.
    pub fn text(&self) -> String {
        self.operands.join(" ")
    }

    /// As written in a line, with its semicolon.
    pub(super) fn write(&self) -> String {
        let mut text = self.opcode.clone();
        for operand in &self.operands {
            text.push(' ');
            if is_text(&self.opcode) || needs_quotes(operand) {
                text.push('"');
                for c in operand.chars() {
                    if matches!(c, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(c);
                }
                text.push('"');
            } else {
                text += operand;
            }
        }
        text.push(';');
        text
    }
}

/// Opcodes whose operand is quoted by custom, needed or not: names, comments, variation names.
fn is_text(opcode: &str) -> bool {
    opcode == "id" || matches!(opcode.as_bytes(), [b'c' | b'v', b'0'..=b'9'])
}

fn needs_quotes(operand: &str) -> bool {
    operand.is_empty() || operand.contains(|c: char| c.is_whitespace() || matches!(c, '"' | ';'))
}

/// An operation, and the columns at which its operands begin (without their quotes).
pub(super) struct Placed {
    pub(super) operation: Operation,
    pub(super) columns: Vec<usize>,
}

impl Placed {
    /// The words of all operands, separated by spaces or commas, each with its column if known.
    pub(super) fn words(&self) -> impl Iterator<Item = (Option<usize>, &str)> {
        self.operation.operands.iter().enumerate().flat_map(|(index, operand)| {
            let first = self.columns.get(index).copied();
            let mut passed = 0;
            operand.split(|c: char| c == ',' || c.is_whitespace()).filter_map(move |word| {
                let column = first.map(|first| first + passed);
                passed += word.chars().count() + 1;
                (!word.is_empty()).then_some((column, word))
            })
        })
    }

    /// An error in this operation, at one of its words if the column is known.
    pub(super) fn error(&self, what: &str, column: Option<usize>) -> ParseError {
        let error = ParseError::new(format!("{}: {what}", self.operation.opcode));
        match column.or(self.columns.first().copied()) {
            Some(column) => error.at_column(column),
            None => error,
        }
    }
}

/// Reads the operations in `text`, which begins at `column` of its line. Empty ones are skipped,
/// and the last one may lack its semicolon.
pub(super) fn read(text: &str, column: usize) -> Result<Vec<Placed>, ParseError> {
    let mut found = Vec::new();
    let mut open: Option<Placed> = None;
    let mut characters = (column..).zip(text.chars()).peekable();
    while let Some((column, c)) = characters.next() {
        let word = match c {
            ';' => {
                found.extend(open.take());
                continue;
            }
            c if c.is_whitespace() => continue,
            '"' => {
                let mut word = String::new();
                loop {
                    match characters.next() {
                        None => {
                            let what = "the text that begins here has no closing quote";
                            return Err(ParseError::new(what).at_column(column));
                        }
                        Some((_, '"')) => break,
                        Some((_, '\\')) => {
                            let escaped = characters.next_if(|(_, c)| matches!(c, '"' | '\\'));
                            word.push(escaped.map_or('\\', |(_, c)| c));
                        }
                        Some((_, c)) => word.push(visible(c)),
                    }
                }
                if open.is_none() {
                    let what = format!("{} stands where an opcode is expected", quoted(&word));
                    return Err(ParseError::new(what).at_column(column));
                }
                (column + 1, word)
            }
            first => {
                let mut word = String::from(visible(first));
                while let Some((_, c)) =
                    characters.next_if(|(_, c)| *c != ';' && !c.is_whitespace())
                {
                    word.push(visible(c));
                }
                (column, word)
            }
        };
        match &mut open {
            Some(operation) => {
                operation.columns.push(word.0);
                operation.operation.operands.push(word.1);
            }
            None => {
                let opcode = check_opcode(word.1).map_err(|error| error.at_column(column))?;
                let operation = Operation { opcode, operands: Vec::new() };
                open = Some(Placed { operation, columns: Vec::new() });
            }
        }
    }
    found.extend(open);
    Ok(found)
}

/// An operation is part of one line, so nothing in it may break lines.
pub(super) fn visible(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// A letter, then letters, digits, `_` and `-`.
pub(super) fn check_opcode(word: String) -> Result<String, ParseError> {
    let fits = word.starts_with(|c: char| c.is_ascii_alphabetic())
        && word.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    match fits {
        true => Ok(word),
        false => Err(ParseError::new(format!("{} is no opcode", quoted(&word)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn operations(text: &str) -> Vec<Operation> {
        read(text, 1).unwrap().into_iter().map(|placed| placed.operation).collect()
    }

    #[test]
    fn strings_may_hold_semicolons_and_quotes() {
        let found = operations(r#"id "a; \"b\" \\ c:\d";;bm Nf3 e4 ; x"#);
        assert_eq!(found.len(), 3);
        assert_eq!(found[0].operands, [r#"a; "b" \ c:\d"#]);
        assert_eq!(found[0].write(), r#"id "a; \"b\" \\ c:\\d";"#);
        assert_eq!(found[1].write(), "bm Nf3 e4;");
        assert_eq!(found[2].write(), "x;");
    }

    #[test]
    fn only_what_needs_quotes_gets_them() {
        let found = operations(r#"pv e4 e5; x "" "two words" a"b plain; c0 word; c1 "\";";"#);
        let written: Vec<String> = found.iter().map(Operation::write).collect();
        let expected =
            ["pv e4 e5;", r#"x "" "two words" "a\"b" plain;"#, r#"c0 "word";"#, r#"c1 "\";";"#];
        assert_eq!(written, expected);
        assert_eq!(operations(&written.join(" ")), found);
    }

    #[test]
    fn words_know_their_columns() {
        let placed = read(r#"bm Nf3, "e4 ä,d4";"#, 11).unwrap();
        let words: Vec<_> = placed[0].words().collect();
        let columns = [(Some(14), "Nf3"), (Some(20), "e4"), (Some(23), "ä"), (Some(25), "d4")];
        assert_eq!(words, columns);
    }

    #[test]
    fn a_broken_operation_is_reported_by_its_column() {
        let cases = [
            ("bm e4; id \"x", "column 11: the text that begins here has no closing quote"),
            ("bm e4; \"x\" y;", "column 8: 'x' stands where an opcode is expected"),
            ("bm e4; 7up;", "column 8: '7up' is no opcode"),
        ];
        for (text, message) in cases {
            let error = read(text, 1).err().expect(text);
            assert_eq!(error.to_string(), message);
        }
    }
}
