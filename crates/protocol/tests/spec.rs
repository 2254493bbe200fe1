//! The cases in `spec/streams`: events in; verdict, conversation and compacted log out. `UPDATE=1` writes what
//! comes out, to be read before it is committed.

use std::{env, fs, path::PathBuf};

use forestage_protocol::{
    apply::ThreadView,
    compact::compact,
    event::Event,
    pipeline::{Fold, Reader},
    schema,
};
use serde::Serialize;
use serde_json::{Map, Value, json};

#[test]
fn streams_come_out_as_written_down() {
    let cases = files("spec/streams");
    assert!(cases.len() > 15, "only {} cases found", cases.len());
    for path in cases {
        let text = fs::read_to_string(&path).expect("a readable case");
        let case: Value = serde_json::from_str(&text).expect("a case is JSON");
        let current = render(&case, &run(case["stream"].as_array().expect("a stream")));
        expect(&path, &text, &current);
    }
}

#[test]
fn the_schema_is_current() {
    let path = root().join("spec/schema/agui.json");
    let current = serde_json::to_string_pretty(&schema::document()).expect("prints") + "\n";
    expect(&path, &fs::read_to_string(&path).unwrap_or_default(), &current);
}

fn expect(path: &PathBuf, written: &str, current: &str) {
    if written == current {
        return;
    }
    if env::var_os("UPDATE").is_some() {
        fs::write(path, current).expect("writable");
        return;
    }
    panic!("{} is not what comes out now (UPDATE=1 rewrites it):\n{current}", path.display());
}

fn run(stream: &[Value]) -> Value {
    let mut fold = Fold::new(Reader::default(), ThreadView::default());
    let mut delivered = Vec::new();
    let mut result =
        stream.iter().try_for_each(|event| fold.read_json(&event.to_string(), |event| delivered.push(event)));
    if result.is_ok() {
        result = fold.finish();
    }
    let mut expected = Map::new();
    let mut set = |name: &str, value: Value| expected.insert(name.to_owned(), value);
    set("error", result.err().map_or(Value::Null, |error| json!({"index": error.index, "code": error.code})));
    let warnings = fold.take_warnings();
    set("warnings", warnings.iter().map(|warning| json!([warning.index, warning.code])).collect());
    set("messages", fold.view().messages().map(to_value).collect());
    set("state", fold.view().state().clone());
    set("end", to_value(fold.view().end()));
    set("compacted", compacted(delivered));
    Value::Object(expected)
}

fn compacted(delivered: Vec<Event>) -> Value {
    compact(delivered).expect("expanded already").iter().map(to_value).collect()
}

fn to_value(value: impl Serialize) -> Value {
    serde_json::to_value(value).expect("prints")
}

/// The case with one line per event and per message, so that a difference is easy to see.
fn render(case: &Value, expected: &Value) -> String {
    let list = |items: &Value, indent: &str| {
        let lines: Vec<String> =
            items.as_array().into_iter().flatten().map(|item| format!("{indent}  {}", line(item))).collect();
        if lines.is_empty() { "[]".to_owned() } else { format!("[\n{}\n{indent}]", lines.join(",\n")) }
    };
    format!(
        "{{\n  \"about\": {},\n  \"stream\": {},\n  \"expect\": {{\n    \"error\": {},\n    \"warnings\": {},\n    \
         \"messages\": {},\n    \"state\": {},\n    \"end\": {},\n    \"compacted\": {}\n  }}\n}}\n",
        line(&case["about"]),
        list(&case["stream"], "  "),
        line(&expected["error"]),
        line(&expected["warnings"]),
        list(&expected["messages"], "    "),
        line(&expected["state"]),
        line(&expected["end"]),
        list(&expected["compacted"], "    "),
    )
}

fn line(value: &Value) -> String {
    serde_json::to_string(value).expect("prints")
}

fn files(folder: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = fs::read_dir(root().join(folder))
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}
