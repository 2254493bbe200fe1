//! Text of others on our screen.

use serde_json::Value;

/// How much of a long text an excerpt shows, in characters.
const EXCERPT: usize = 60;

/// The text without control characters, which could move the cursor or hide what stands there. Line breaks and
/// tabs become what they look like in JSON.
pub(crate) fn safe(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if is_unsafe(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// A piece of a text that goes on: line breaks and tabs stay, everything else that is unsafe is shown.
pub(crate) fn safe_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' => {}
            c if is_unsafe(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// The lines of a text, each made safe.
pub(crate) fn safe_lines(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(safe)
}

/// Control characters, and those that turn the direction of the text around them.
fn is_unsafe(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The beginning of a text, made safe.
pub(crate) fn excerpt(text: &str) -> String {
    excerpt_of(text, EXCERPT)
}

/// At most this many characters of a text, made safe.
pub(crate) fn excerpt_of(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", safe(&text[..end])),
        None => safe(text),
    }
}

/// A value in a few words: patches as what they do, everything else as JSON.
pub(crate) fn brief(value: &Value) -> String {
    match value {
        Value::Array(items) if !items.is_empty() && items.iter().all(is_operation) => {
            let operations: Vec<String> = items.iter().map(operation).collect();
            excerpt(&operations.join(", "))
        }
        Value::Array(items) => counted(items.len(), "item"),
        other => excerpt(&other.to_string()),
    }
}

/// A number of things, with the noun in the right form.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    match count {
        0 => format!("no {noun}s"),
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
}

fn is_operation(value: &Value) -> bool {
    value.get("op").is_some() && value.get("path").is_some()
}

fn operation(value: &Value) -> String {
    let text = |name: &str| value.get(name).and_then(Value::as_str).unwrap_or_default();
    format!("{} {}", text("op"), text("path"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn control_characters_are_shown_and_not_obeyed() {
        assert_eq!(safe("a\u{1b}[2Jb\n\u{202e}c"), "a\\u{1b}[2Jb\\n\\u{202e}c");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(excerpt_of("äöüß", 3), "äöü…");
        assert_eq!(excerpt_of("äöü", 3), "äöü");
    }

    #[test]
    fn values_are_told_in_a_few_words() {
        assert_eq!(brief(&json!("hi")), "\"hi\"");
        assert_eq!(brief(&json!([{"op": "add", "path": "/a", "value": 1}])), "add /a");
        assert_eq!(brief(&json!([1, 2])), "2 items");
        assert_eq!(brief(&json!({"a": 1})), "{\"a\":1}");
    }
}
