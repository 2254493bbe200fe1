//! `docs/tutoring.md` says what the components say. `UPDATE=1` rewrites its second half.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

use std::{env, fmt::Write, fs, path::Path};

use forestage_its::{COMPONENTS, Entry};
use serde_json::Value;

const MARK: &str = "<!-- From here on generated from the components:";

#[test]
fn the_page_about_components_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutoring.md");
    let found = fs::read_to_string(&path).unwrap();
    let (head, _) = found.split_once(MARK).expect("the page has the mark");
    let line = found[head.len()..].lines().next().unwrap();
    let components: String = COMPONENTS.iter().map(section).collect();
    let page = format!("{head}{line}\n\n## The components\n{components}");
    if env::var_os("UPDATE").is_some() {
        fs::write(&path, &page).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap();
    assert!(found == page, "docs/tutoring.md is stale: UPDATE=1 cargo test -p forestage-its --test page");
}

fn section(entry: &Entry) -> String {
    let mut out = format!("\n### `{}`\n\n{}\n", entry.name, entry.description());
    for (title, schema) in [("argument", entry.arguments()), ("answer", entry.answer())] {
        write!(out, "\n| {title} | | |\n|---|---|---|\n").unwrap();
        rows(schema, "", &mut out);
    }
    for example in entry.examples() {
        let pretty = |value: &Value| serde_json::to_string_pretty(value).unwrap();
        write!(out, "\nExample, {}:\n\n```json\n{}\n```\n", example.about, pretty(&example.arguments))
            .unwrap();
        write!(out, "\nanswered with `{}`\n", example.answer).unwrap();
    }
    out
}

fn rows(schema: &Value, path: &str, out: &mut String) {
    let required =
        |name: &str| schema["required"].as_array().is_some_and(|all| all.iter().any(|one| one == name));
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let need = if required(name) { ", required" } else { "" };
        let about = member["description"].as_str().unwrap_or_default();
        writeln!(out, "| `{path}{name}` | {}{need} | {about} |", kind(member)).unwrap();
        rows(member, &format!("{path}{name}."), out);
        rows(&member["items"], &format!("{path}{name}[]."), out);
    }
}

/// What a member is, in a few words.
fn kind(schema: &Value) -> String {
    let name = |schema: &Value| schema["type"].as_str().unwrap_or_default().to_owned();
    let mut text = match schema["enum"].as_array() {
        Some(values) => {
            values.iter().map(|value| format!("`{}`", value.as_str().unwrap())).collect::<Vec<_>>().join(" ")
        }
        None if schema["type"] == "array" => format!("array of {}", name(&schema["items"])),
        None => name(schema),
    };
    if let Some(format) = schema["format"].as_str() {
        write!(text, " ({format})").unwrap();
    }
    if let Some(default) = schema.get("default") {
        write!(text, ", default `{default}`").unwrap();
    }
    text
}
