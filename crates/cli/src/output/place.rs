//! A place in a JSON document, shown with its surroundings and an arrow.

use std::io::{self, Write};

use forestage_protocol::patch::Pointer;
use serde_json::{Map, Value};

use super::{
    style::{DIM, ERROR},
    text::{excerpt_of, safe},
};

/// How many lines are shown before and after.
const AROUND: usize = 4;
/// How much of a long text is shown.
const WIDTH: usize = 90;

/// Writes the lines around the value at a pointer, with a sentence under it.
pub(crate) fn write_place(
    document: &Value,
    path: &str,
    message: &str,
    out: &mut impl Write,
) -> io::Result<()> {
    let tokens: Vec<String> = match Pointer::parse(path) {
        Ok(pointer) => pointer.tokens().map(|token| token.into_owned()).collect(),
        Err(_) => Vec::new(),
    };
    let page = Page::of(document, &tokens);
    let first = page.hit.saturating_sub(AROUND);
    let last = page.lines.len().min(page.hit + AROUND + 1);
    write_cut(first > 0, out)?;
    for (number, line) in page.lines.iter().enumerate().take(last).skip(first) {
        if number == page.hit {
            writeln!(out, "   {ERROR}→{ERROR:#} {DIM}│{DIM:#} {line}")?;
            write_arrow(line, message, out)?;
        } else {
            writeln!(out, "     {DIM}│ {line}{DIM:#}")?;
        }
    }
    write_cut(last < page.lines.len(), out)
}

fn write_cut(cut: bool, out: &mut impl Write) -> io::Result<()> {
    if cut { writeln!(out, "     {DIM}┆{DIM:#}") } else { Ok(()) }
}

fn write_arrow(line: &str, message: &str, out: &mut impl Write) -> io::Result<()> {
    let indent = line.len() - line.trim_start().len();
    let carets = "^".repeat(line.trim().trim_end_matches(',').chars().count().max(1));
    writeln!(out, "     {DIM}│{DIM:#} {:indent$}{ERROR}{carets} {}{ERROR:#}", "", safe(message))
}

/// A pretty-printed document that knows on which line a value begins.
#[derive(Default)]
struct Page {
    lines: Vec<String>,
    hit: usize,
}

impl Page {
    fn of(document: &Value, tokens: &[String]) -> Self {
        let mut page = Self::default();
        page.write(document, String::new(), 0, Some(tokens), "");
        page
    }

    /// Writes a value. `way` is what is left of the way to the place, where the value is on it.
    fn write(&mut self, value: &Value, label: String, depth: usize, way: Option<&[String]>, end: &str) {
        // Where the way leads past the document, its last known part is the place.
        if way.is_some() {
            self.hit = self.lines.len();
        }
        match value {
            Value::Object(members) if !members.is_empty() => {
                self.push(depth, &format!("{label}{{"));
                self.write_members(members, depth + 1, way);
                self.push(depth, &format!("}}{end}"));
            }
            Value::Array(items) if !items.is_empty() => {
                self.push(depth, &format!("{label}["));
                self.write_items(items, depth + 1, way);
                self.push(depth, &format!("]{end}"));
            }
            other => {
                let text = excerpt_of(&other.to_string(), WIDTH);
                self.push(depth, &format!("{label}{text}{end}"));
            }
        }
    }

    fn write_members(&mut self, members: &Map<String, Value>, depth: usize, way: Option<&[String]>) {
        for (position, (name, value)) in members.iter().enumerate() {
            let label = format!("{}: ", Value::from(excerpt_of(name, WIDTH)));
            self.write(value, label, depth, step(way, name), comma(position, members.len()));
        }
    }

    fn write_items(&mut self, items: &[Value], depth: usize, way: Option<&[String]>) {
        for (position, value) in items.iter().enumerate() {
            let way = step(way, &position.to_string());
            self.write(value, String::new(), depth, way, comma(position, items.len()));
        }
    }

    fn push(&mut self, depth: usize, text: &str) {
        self.lines.push(format!("{:1$}{text}", "", depth * 2));
    }
}

/// What is left of the way behind a member, if the way leads there.
fn step<'w>(way: Option<&'w [String]>, name: &str) -> Option<&'w [String]> {
    let (first, rest) = way?.split_first()?;
    (first == name).then_some(rest)
}

fn comma(position: usize, count: usize) -> &'static str {
    if position + 1 < count { "," } else { "" }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(document: &Value, path: &str) -> String {
        let mut out = anstream::StripStream::new(Vec::new());
        write_place(document, path, "here", &mut out).unwrap();
        String::from_utf8(out.into_inner()).unwrap()
    }

    #[test]
    fn the_arrow_stands_under_the_value() {
        let text = shown(&json!({"a": [1, {"b/c": "x"}], "d": {}}), "/a/1/b~1c");
        let expected = "     ┆\n     │   \"a\": [\n     │     1,\n     │     {\n";
        assert!(text.contains("   → │       \"b/c\": \"x\"\n     │       ^^^^^^^^^^ here\n"), "{text}");
        assert!(!text.contains(expected) && text.starts_with("     │ {\n"), "{text}");
    }

    #[test]
    fn a_way_that_leads_nowhere_ends_at_its_last_known_part() {
        let text = shown(&json!({"a": {"b": 1}}), "/a/missing");
        assert!(text.contains("   → │   \"a\": {\n"), "{text}");
    }

    #[test]
    fn long_documents_are_cut_around_the_place() {
        let items: Vec<u32> = (0..100).collect();
        let text = shown(&json!(items), "/50");
        assert!(text.starts_with("     ┆\n") && text.ends_with("     ┆\n"), "{text}");
        assert_eq!(text.lines().count(), 2 * AROUND + 4);
    }
}
