//! A game as text: the seven tags that every game has, the others, and the moves in lines of
//! fewer than 80 characters.

use secateur_search::{Game, Notation};

use super::token::is_tag_name;
use super::{Pgn, PgnMove, is_space, names_chess960, tidy};
use crate::chess::fen::{self, Rights};
use crate::chess::{Chess, san};

/// The seven tag roster, with what stands for an unknown value.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The standard asks for fewer than 80 characters a line.
const WIDTH: usize = 79;

impl Pgn {
    /// The game as text, with an empty line at the end: texts one after the other are a file.
    ///
    /// `Result`, `SetUp` and `FEN`, and whether `Variant` says Chess960, follow from the game, not
    /// from its tags. A line of moves ends before the first illegal one.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for (name, value) in self.written_tags() {
            let name: String = name.chars().map(|c| if is_tag_name(c) { c } else { '_' }).collect();
            let name = if name.is_empty() { "_" } else { &name };
            text += &format!("[{name} \"");
            for c in value.chars() {
                match c {
                    '"' | '\\' => text.extend(['\\', c]),
                    c if is_space(c) => text.push(' '),
                    c => text.push(c),
                }
            }
            text += "\"]\n";
        }
        text.push('\n');
        let mut words = Words::default();
        words.comments(&self.comments);
        words.line(&self.start, &self.moves);
        words.push(self.result.to_string());
        words.wrap(&mut text);
        text.push_str("\n\n");
        text
    }

    fn written_tags(&self) -> Vec<(&str, String)> {
        let mut tags = Vec::new();
        for (name, unknown) in ROSTER {
            let value = match name {
                "Result" => self.result.to_string(),
                _ => self.tag(name).unwrap_or(unknown).to_string(),
            };
            tags.push((name, value));
        }
        let chess960 = self.start.is_chess960();
        let start = fen::write(&self.start, Rights::Letters);
        match self.tag("Variant").filter(|value| names_chess960(value) == Some(chess960)) {
            Some(value) => tags.push(("Variant", value.to_string())),
            None if chess960 => tags.push(("Variant", "Chess960".to_string())),
            None => {}
        }
        if chess960 || start != fen::write(&Chess::start(), Rights::Letters) {
            tags.push(("SetUp", "1".to_string()));
            tags.push(("FEN", start));
        }
        for (name, value) in &self.tags {
            let is_written = matches!(name.as_str(), "Variant" | "SetUp" | "FEN")
                || ROSTER.iter().any(|(known, _)| known == name);
            if !is_written {
                tags.push((name, value.clone()));
            }
        }
        tags
    }
}

/// The text of the moves in pieces between which a line may end.
#[derive(Default)]
struct Words {
    words: Vec<String>,
    /// Brackets to be put in front of the next word.
    opening: String,
}

impl Words {
    fn push(&mut self, word: impl AsRef<str>) {
        let word = std::mem::take(&mut self.opening) + word.as_ref();
        self.words.push(word);
    }

    fn close_bracket(&mut self) {
        match self.words.last_mut() {
            // After a comment that needs its line end, the bracket begins the next line.
            Some(last) if self.opening.is_empty() && !last.ends_with('\n') => last.push(')'),
            _ => self.push(")"),
        }
    }

    /// The moves from a position on. Black's first move gets a number, and so does any move that
    /// comes after a comment or a variation.
    fn line(&mut self, start: &Chess, moves: &[PgnMove]) {
        let mut position = start.clone();
        let mut needs_number = true;
        for played in moves {
            if !position.board().is_legal(played.m) {
                break;
            }
            let number = position.board().fullmove_number();
            if position.color() == cozy_chess::Color::White {
                self.push(format!("{number}."));
            } else if needs_number {
                self.push(format!("{number}..."));
            }
            self.push(san::write(&position, played.m));
            for nag in &played.nags {
                self.push(format!("${nag}"));
            }
            self.comments(&played.comments);
            for variation in &played.variations {
                self.opening.push('(');
                self.comments(&variation.before);
                self.line(&position, &variation.moves);
                self.close_bracket();
                self.comments(&variation.after);
            }
            needs_number = !played.comments.is_empty() || !played.variations.is_empty();
            position.play(played.m);
        }
    }

    fn comments(&mut self, comments: &[String]) {
        for text in comments.iter().map(|text| tidy(text)).filter(|text| !text.is_empty()) {
            if text.contains('}') {
                // Braces cannot be escaped; the other kind of comment ends with its line.
                self.push(format!("; {text}\n"));
                continue;
            }
            let mut words = text.split(' ').peekable();
            self.opening.push('{');
            while let Some(word) = words.next() {
                match words.peek() {
                    Some(_) => self.push(word),
                    None => self.push(format!("{word}}}")),
                }
            }
        }
    }

    fn wrap(self, text: &mut String) {
        let mut column = 0;
        for word in self.words {
            let length = word.trim_end().chars().count();
            if column > 0 {
                let fits = column + 1 + length <= WIDTH;
                text.push(if fits { ' ' } else { '\n' });
                column = if fits { column + 1 } else { 0 };
            }
            *text += &word;
            column = if word.ends_with('\n') { 0 } else { column + length };
        }
    }
}

#[cfg(test)]
mod tests;
