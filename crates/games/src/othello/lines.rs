//! The lines of a text file that hold something.

use crate::source;

/// The lines that are neither blank nor comments, each with its number from 1. A comment line
/// begins with `#` or `%`.
pub(super) fn filled(text: &str) -> impl Iterator<Item = (usize, &str)> {
    source::lines(text).filter(|(_, line)| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with(['#', '%'])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_and_comments_are_skipped_but_counted() {
        let text = "\u{feff}# title\r\n\nfirst\r  \n  % note\nsecond # not a comment line";
        let lines: Vec<_> = filled(text).collect();
        assert_eq!(lines, [(3, "first"), (6, "second # not a comment line")]);
    }
}
