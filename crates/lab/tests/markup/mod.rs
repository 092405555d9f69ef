//! Is a page well-formed? A small parser of the strict kind: every tag closed in order, every
//! attribute quoted, every entity known, nothing loaded from elsewhere.

const ENTITIES: [&str; 5] = ["amp", "lt", "gt", "quot", "#39"];

/// Panics with what is wrong and where.
pub(crate) fn check(page: &str) {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").expect("a page of HTML");
    let mut open: Vec<&str> = Vec::new();
    let mut ids: Vec<&str> = Vec::new();
    loop {
        let Some(at) = rest.find('<') else {
            assert!(rest.trim().is_empty() && open.is_empty(), "left open: {open:?}");
            break;
        };
        entities(&rest[..at]);
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("a tag that ends");
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed in the wrong order before: {}", near(rest));
            continue;
        }
        let bare = tag.strip_suffix('/').unwrap_or(tag);
        let (name, attributes) = bare.split_once(char::is_whitespace).unwrap_or((bare, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "the tag {tag:?}");
        check_attributes(attributes, &mut ids);
        if tag.ends_with('/') {
            continue;
        }
        if name == "script" || name == "style" {
            let close = format!("</{name}>");
            let end = rest.find(&close).expect("the end of a script or style");
            assert!(!rest[..end].contains("http") && !rest[..end].contains("url("));
            rest = &rest[end + close.len()..];
            continue;
        }
        open.push(name);
    }
}

fn near(text: &str) -> String {
    text.chars().take(80).collect()
}

fn entities(text: &str) {
    for after in text.split('&').skip(1) {
        let name = after.split(';').next().unwrap_or("");
        assert!(ENTITIES.contains(&name), "an ampersand before {:?}", near(after));
    }
    assert!(!text.contains('>'), "a lone > in {:?}", near(text));
    let control = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    assert!(!text.contains(control), "a control character in {:?}", near(text));
}

fn check_attributes<'a>(mut text: &'a str, ids: &mut Vec<&'a str>) {
    let mut names: Vec<&str> = Vec::new();
    loop {
        text = text.trim_start();
        if text.is_empty() {
            break;
        }
        let (name, rest) = text.split_once("=\"").unwrap_or_else(|| panic!("attribute {text:?}"));
        let (value, rest) = rest.split_once('"').expect("the end of an attribute");
        assert!(
            name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == ':'),
            "{name:?}"
        );
        assert!(!names.contains(&name), "{name} twice");
        assert!(!name.starts_with("on") && name != "src", "{name} runs or loads something");
        assert!(name != "href" || value.starts_with('#'), "a link to elsewhere: {value}");
        entities(value);
        if name == "id" {
            assert!(!ids.contains(&value), "the id {value} twice");
            ids.push(value);
        }
        names.push(name);
        text = rest;
    }
}

#[test]
#[should_panic(expected = "wrong order")]
fn tags_that_cross_are_found() {
    check("<!DOCTYPE html><p><b></p></b>");
}

#[test]
#[should_panic(expected = "an ampersand")]
fn a_bare_ampersand_is_found() {
    check("<!DOCTYPE html><p>a & b</p>");
}

#[test]
#[should_panic(expected = "runs or loads")]
fn a_handler_is_found() {
    check("<!DOCTYPE html><p onclick=\"x()\"></p>");
}

#[test]
fn a_right_page_passes() {
    check(
        "<!DOCTYPE html>\n<html><p id=\"a\">a &lt; b<br/></p><script>1 < 2 && 3</script></html>\n",
    );
}
