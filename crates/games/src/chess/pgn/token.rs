//! Lines become tokens. Only comments in braces reach over the end of a line.

use std::collections::VecDeque;

use secateur_search::ParseError;
use secateur_search::notation::quoted;

use super::{GameResult, is_space, tidy};

/// A comment that is longer was not closed where it should have been.
const LONGEST_COMMENT: usize = 16 << 20;

/// The smallest piece with a meaning.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    Tag {
        name: String,
        value: String,
        value_column: usize,
    },
    Comment(String),
    Nag(u8),
    Open,
    Close,
    Result(GameResult),
    /// A move as it was written, without number and marks.
    Word(String),
    /// What is none of these, and what is wrong with it.
    Bad(String),
    /// A tag that cannot be read: still a tag when it comes to where games begin.
    BadTag(String),
}

/// A token and where it begins.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Placed {
    /// An error here.
    pub(super) fn error(&self, what: impl Into<String>) -> ParseError {
        ParseError::new(what).on_line(self.line).at_column(self.column)
    }
}

/// A comment whose end is yet to come.
struct OpenComment {
    text: String,
    line: usize,
    column: usize,
}

/// What has to be remembered from line to line.
#[derive(Default)]
pub(super) struct Lexer {
    comment: Option<OpenComment>,
    after_blank_line: bool,
}

/// What is left of a line.
struct Cursor<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    fn skip(&mut self, bytes: usize) -> &'a str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.column += passed.chars().count();
        self.rest = rest;
        passed
    }

    fn skip_space(&mut self) {
        self.skip(self.rest.len() - self.rest.trim_start_matches(is_space).len());
    }

    fn skip_rest(&mut self) -> &'a str {
        self.skip(self.rest.len())
    }

    /// Up to the first character that `ends` accepts.
    fn take_until(&mut self, ends: impl Fn(char) -> bool) -> &'a str {
        self.skip(self.rest.find(ends).unwrap_or(self.rest.len()))
    }
}

impl Lexer {
    /// The tokens of the next line.
    pub(super) fn read_line(&mut self, line: &str, number: usize, found: &mut VecDeque<Placed>) {
        let after_blank_line = self.after_blank_line;
        self.after_blank_line = line.trim().is_empty();
        let mut cursor = Cursor { rest: line, line: number, column: 1 };
        // A forgotten brace must not swallow the games after it.
        if after_blank_line && line.starts_with("[Event \"") {
            self.finish(found);
        }
        if self.comment.is_some() {
            self.go_on_with_comment(&mut cursor, found);
        } else if line.starts_with('%') {
            return;
        }
        let mut only_tags = cursor.column == 1;
        loop {
            cursor.skip_space();
            let Some(c) = cursor.rest.chars().next() else { return };
            let (line, column) = (cursor.line, cursor.column);
            let token = match c {
                '[' if only_tags => read_tag(&mut cursor),
                '{' => {
                    cursor.skip(1);
                    self.comment = Some(OpenComment { text: String::new(), line, column });
                    self.go_on_with_comment(&mut cursor, found);
                    only_tags = false;
                    continue;
                }
                ';' => Token::Comment(tidy(&cursor.skip_rest()[1..])),
                '(' => one(&mut cursor, Token::Open),
                ')' => one(&mut cursor, Token::Close),
                '*' => one(&mut cursor, Token::Result(GameResult::Unknown)),
                '$' => read_nag(&mut cursor),
                '}' | ']' | '[' => {
                    // One complaint a line is enough.
                    cursor.skip_rest();
                    Token::Bad(format!("{} has no place here", quoted(&c.to_string())))
                }
                _ => {
                    let word = cursor.take_until(|c| is_space(c) || "{}()[];$*".contains(c));
                    only_tags = false;
                    read_word(word, line, column, found);
                    continue;
                }
            };
            only_tags &= matches!(token, Token::Tag { .. });
            found.push_back(Placed { token, line, column });
        }
    }

    /// A comment that was open at the end of the file stays without end.
    pub(super) fn finish(&mut self, found: &mut VecDeque<Placed>) {
        if let Some(OpenComment { line, column, .. }) = self.comment.take() {
            let token = Token::Bad("the comment that begins here has no end".to_string());
            found.push_back(Placed { token, line, column });
        }
    }

    fn go_on_with_comment(&mut self, cursor: &mut Cursor<'_>, found: &mut VecDeque<Placed>) {
        let Some(open) = &mut self.comment else { return };
        open.text += cursor.take_until(|c| c == '}');
        if cursor.rest.is_empty() {
            open.text.push('\n');
            if open.text.len() > LONGEST_COMMENT {
                self.finish(found);
            }
            return;
        }
        cursor.skip(1);
        let (line, column) = (open.line, open.column);
        let token = Token::Comment(tidy(&open.text));
        found.push_back(Placed { token, line, column });
        self.comment = None;
    }
}

fn one(cursor: &mut Cursor<'_>, token: Token) -> Token {
    cursor.skip(1);
    token
}

/// `$12`
fn read_nag(cursor: &mut Cursor<'_>) -> Token {
    cursor.skip(1);
    let digits = cursor.take_until(|c| !c.is_ascii_digit());
    match digits.parse() {
        Ok(number) => Token::Nag(number),
        Err(_) => Token::Bad(format!("${digits} is no annotation: they go from $0 to $255")),
    }
}

/// `[Name "value"]`. A quote inside the value should be `\"`; one that is not is still no end of
/// the value unless the bracket closes after it.
fn read_tag(cursor: &mut Cursor<'_>) -> Token {
    cursor.skip(1);
    cursor.skip_space();
    let name = cursor.take_until(|c| is_space(c) || !is_tag_name(c)).to_string();
    cursor.skip_space();
    if name.is_empty() || !cursor.rest.starts_with('"') {
        cursor.skip_rest();
        return Token::BadTag("a tag is a name and a text in quotes: [Name \"text\"]".to_string());
    }
    cursor.skip(1);
    let value_column = cursor.column;
    let mut value = String::new();
    let mut characters = cursor.rest.char_indices().peekable();
    while let Some((index, c)) = characters.next() {
        match c {
            '\\' => {
                let escaped = characters.next_if(|(_, c)| matches!(c, '"' | '\\'));
                value.push(escaped.map_or('\\', |(_, c)| c));
            }
            '"' => {
                let after = cursor.rest[index + 1..].trim_start_matches(is_space);
                if after.starts_with(']') {
                    cursor.skip(cursor.rest.len() - after.len() + 1);
                    return Token::Tag { name, value, value_column };
                }
                value.push('"');
            }
            c if is_space(c) => value.push(' '),
            c => value.push(c),
        }
    }
    cursor.skip_rest();
    Token::BadTag(format!("the tag {} has no closing quote and bracket", quoted(&name)))
}

/// What a tag's name may consist of.
pub(super) fn is_tag_name(c: char) -> bool {
    !is_space(c) && !matches!(c, '"' | '[' | ']')
}

/// A move with its number and marks (`12...Nf3!?`), a part of that, or a result.
fn read_word(word: &str, line: usize, column: usize, found: &mut VecDeque<Placed>) {
    let without_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = without_digits.is_empty() || without_digits.starts_with(['.', '…']);
    let word = if is_number { without_digits.trim_start_matches(['.', '…']) } else { word };
    let mut push = |token| found.push_back(Placed { token, line, column });
    if let Some(result) = GameResult::read(word) {
        return push(Token::Result(result));
    }
    let bare = word.trim_end_matches(['+', '#', '!', '?']);
    let marks: String = word[bare.len()..].chars().filter(|c| matches!(c, '!' | '?')).collect();
    let only_marks = bare.is_empty() && !marks.is_empty();
    if !only_marks && !matches!(bare, "e.p." | "e.p" | "ep") && !word.is_empty() {
        push(Token::Word(if bare.is_empty() { word } else { bare }.to_string()));
    }
    if !marks.is_empty() {
        push(Token::Nag(mark_number(&marks)));
    }
}

/// The annotation that a mark stands for. People also write `!!!`.
fn mark_number(marks: &str) -> u8 {
    match marks {
        "!" => 1,
        "?" => 2,
        "!?" => 5,
        "?!" => 6,
        marks if marks.starts_with("!!") => 3,
        marks if marks.starts_with("??") => 4,
        marks if marks.starts_with('!') => 5,
        _ => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token> {
        let mut found = VecDeque::new();
        let mut lexer = Lexer::default();
        for (index, line) in text.lines().enumerate() {
            lexer.read_line(line, index + 1, &mut found);
        }
        lexer.finish(&mut found);
        found.into_iter().map(|placed| placed.token).collect()
    }

    fn words(text: &str) -> Vec<String> {
        let tell = |token| match token {
            Token::Word(word) => word,
            Token::Nag(number) => format!("${number}"),
            other => format!("{other:?}"),
        };
        tokens(text).into_iter().map(tell).collect()
    }

    #[test]
    fn numbers_in_every_spelling_vanish() {
        let text = "1.e4 e5 2. Nf3 2... Nc6 3 Bb5 3. ... a6 4...Ba4 12.O-O 13.0-0 ...Nf6 1…d5";
        let expected = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "O-O", "0-0", "Nf6", "d5"];
        assert_eq!(words(text), expected);
    }

    #[test]
    fn marks_become_annotations() {
        let text = "e4! e5? Nf3!! a6?? b6!? c6?! Qh5+! d4 ! g4!!! exd6 e.p. $140 Qxf7#";
        let expected = [
            "e4", "$1", "e5", "$2", "Nf3", "$3", "a6", "$4", "b6", "$5", "c6", "$6", "Qh5", "$1",
            "d4", "$1", "g4", "$3", "exd6", "$140", "Qxf7",
        ];
        assert_eq!(words(text), expected);
    }

    #[test]
    fn comments_may_hold_anything_and_span_lines() {
        let text = "e4 {a [Event \"x\"]\n[Event \"y\"] ( ; }e5;rest {\n% escaped {\nNf3{}*";
        let comment = |text: &str| Token::Comment(text.to_string());
        let word = |text: &str| Token::Word(text.to_string());
        let expected = [
            word("e4"),
            comment("a [Event \"x\"] [Event \"y\"] ( ;"),
            word("e5"),
            comment("rest {"),
            word("Nf3"),
            comment(""),
            Token::Result(GameResult::Unknown),
        ];
        assert_eq!(tokens(text), expected);
    }

    #[test]
    fn tags_are_unescaped_and_stray_quotes_kept() {
        let value = |line: &str| match tokens(line).remove(0) {
            Token::Tag { value, .. } => value,
            other => format!("{other:?}"),
        };
        assert_eq!(value(r#"[Event "a \"b\" \\ c:\d"]"#), r#"a "b" \ c:\d"#);
        assert_eq!(value(r#"[Event "The "Big" one" ]"#), r#"The "Big" one"#);
        assert_eq!(tokens(r#"[A "x"] [B "y"] e4"#).len(), 3);
        assert!(value(r#"[Event "open]"#).contains("no closing quote"));
        assert!(value(r#"[Event]"#).contains("a tag is a name"));
        assert!(matches!(tokens("e4 [A \"x\"]").as_slice(), [_, Token::Bad(_)]));
    }

    #[test]
    fn a_forgotten_brace_ends_before_the_next_game() {
        let found = tokens("e4 {open\n\n[Event \"x\"]\n\nd4 *");
        assert_eq!(found[1], Token::Bad("the comment that begins here has no end".to_string()));
        assert!(matches!(found[2], Token::Tag { .. }));
        assert_eq!(found.len(), 5);
    }
}
