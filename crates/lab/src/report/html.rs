//! The little HTML that the pages need. Every tag is closed, so that the page is XML as well and a
//! small parser can check it.

/// The text with nothing in it that HTML or XML would take for more than text. Characters that XML
/// does not know are shown as the replacement character.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            // Marks that turn the direction of writing could make a name read as another.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

/// The text, cut where it becomes too long to be read.
pub(super) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

/// What stands in a table.
pub(super) struct Cell {
    html: String,
    /// What it is sorted by, where the text does not tell.
    sort: Option<f64>,
    class: &'static str,
}

/// A cell with a text.
pub(super) fn text(text: impl AsRef<str>) -> Cell {
    html(escape(text.as_ref()))
}

/// A cell with a number.
pub(super) fn number(value: f64, text: impl AsRef<str>) -> Cell {
    Cell { html: escape(text.as_ref()), sort: Some(value), class: "n" }
}

/// A cell with a count.
pub(super) fn count(value: u64) -> Cell {
    number(value as f64, crate::values::grouped(value))
}

/// A cell with HTML.
pub(super) fn html(html: impl Into<String>) -> Cell {
    Cell { html: html.into(), sort: None, class: "" }
}

impl Cell {
    /// The same cell in another class.
    pub(super) fn class(self, class: &'static str) -> Cell {
        Cell { class, ..self }
    }

    /// The same cell, sorted by this.
    pub(super) fn by(self, value: f64) -> Cell {
        Cell { sort: Some(value), ..self }
    }
}

/// A table with a head; a column whose title begins with `#` holds numbers.
pub(super) fn table(head: &[&str], rows: Vec<Vec<Cell>>) -> String {
    let mut out = String::from("<div class=\"scroll\"><table class=\"sortable\"><thead><tr>");
    for title in head {
        match title.strip_prefix('#') {
            Some(title) => out += &format!("<th class=\"n\" scope=\"col\">{}</th>", escape(title)),
            None => out += &format!("<th scope=\"col\">{}</th>", escape(title)),
        }
    }
    out += "</tr></thead><tbody>";
    for row in rows {
        out += "<tr>";
        for cell in row {
            out += "<td";
            if !cell.class.is_empty() {
                out += &format!(" class=\"{}\"", cell.class);
            }
            if let Some(value) = cell.sort.filter(|value| value.is_finite()) {
                out += &format!(" data-s=\"{value}\"");
            }
            out += &format!(">{}</td>", cell.html);
        }
        out += "</tr>\n";
    }
    out + "</tbody></table></div>"
}

/// A bar of shares with their tooltips; each share has a class of its own.
pub(super) fn shares(parts: &[(f64, &str, String)]) -> String {
    let total: f64 = parts.iter().map(|part| part.0).sum();
    let mut out = String::from("<span class=\"shares\">");
    for (share, class, title) in parts.iter().filter(|part| part.0 > 0.0) {
        out += &format!(
            "<span class=\"{class}\" style=\"width:{:.2}%\" title=\"{}\"></span>",
            100.0 * share / total,
            escape(title)
        );
    }
    out + "</span>"
}

/// What is hidden until it is asked for; the summary is text, the rest HTML.
pub(super) fn folded(summary: &str, html: &str) -> String {
    format!("<details><summary>{}</summary>{html}</details>", escape(summary))
}

/// A paragraph of small print; text.
pub(super) fn remark(text: &str) -> String {
    format!("<p class=\"remark\">{}</p>", escape(text))
}

/// A part of the page.
pub(super) struct Section {
    id: &'static str,
    title: String,
    html: String,
}

impl Section {
    /// A part with a name for links, a title and its HTML.
    pub(super) fn new(id: &'static str, title: impl Into<String>, html: String) -> Section {
        Section { id, title: title.into(), html }
    }
}

/// A whole page.
pub(super) struct Page {
    /// What the browser's tab says.
    pub(super) title: String,
    /// Under the title, in small print: what this is a report of.
    pub(super) about: String,
    /// The verdict and its figures, as HTML.
    pub(super) headline: String,
    /// What the reader must know about the data.
    pub(super) notes: Vec<String>,
    /// The parts; those without content are left out.
    pub(super) sections: Vec<Section>,
}

impl Page {
    /// The page as one file that needs no other.
    pub(super) fn render(&self) -> String {
        let shown: Vec<&Section> =
            self.sections.iter().filter(|section| !section.html.is_empty()).collect();
        let mut body = format!(
            "<header><h1>{}</h1><p class=\"about\">{}</p></header>\n",
            escape(&self.title),
            escape(&self.about)
        );
        if !self.notes.is_empty() {
            body += "<div class=\"notes\" role=\"note\"><strong>Note</strong><ul>";
            for note in &self.notes {
                body += &format!("<li>{}</li>", escape(note));
            }
            body += "</ul></div>\n";
        }
        body += &self.headline;
        body += "<nav aria-label=\"Parts of this page\"><ul>";
        for section in &shown {
            body += &format!("<li><a href=\"#{}\">{}</a></li>", section.id, escape(&section.title));
        }
        body += "</ul></nav>\n";
        for section in &shown {
            body += &format!(
                "<section id=\"{}\"><h2>{}</h2>\n{}</section>\n",
                section.id,
                escape(&section.title),
                section.html
            );
        }
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
             <meta name=\"color-scheme\" content=\"light dark\"/>\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'\"/>\n\
             <title>{}</title>\n<style>{}</style></head>\n<body>\n<main>\n{body}</main>\n\
             <footer>Written by Secateur {}. This page needs no network and no other file.</footer>\n\
             <script>{}</script>\n</body></html>\n",
            escape(&self.title),
            include_str!("page.css"),
            env!("CARGO_PKG_VERSION"),
            include_str!("sort.js"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        assert_eq!(
            escape("<a b='c'>&\"\0\u{202e}"),
            "&lt;a b=&#39;c&#39;&gt;&amp;&quot;\u{fffd}\u{fffd}"
        );
        assert_eq!([cut("abcdef", 4), cut("äöüß", 4)], ["abc…", "äöüß"]);
    }

    #[test]
    fn cells_tell_what_they_are_sorted_by() {
        let table = table(&["name", "#games"], vec![vec![text("<x>"), count(1_200)]]);
        assert!(table.contains("<th class=\"n\" scope=\"col\">games</th>"), "{table}");
        assert!(
            table.contains("<td>&lt;x&gt;</td><td class=\"n\" data-s=\"1200\">1,200</td>"),
            "{table}"
        );
    }
}
