//! The contract's own text, which is not ours to ship: `FORESTAGE_CONTRACTS` names the folder that has it.

mod text;

use forestage_its::{COMPONENTS, find};
use serde_json::Value;

use self::text::blocks;
use super::{bare, changed};

#[test]
#[ignore = "needs FORESTAGE_CONTRACTS; `cargo xtask test conformance` runs it"]
fn the_schemas_are_those_of_its_text() {
    let blocks = blocks();
    assert!(blocks.keys().map(String::as_str).eq({
        let mut names: Vec<_> = COMPONENTS.iter().map(|entry| entry.name).collect();
        names.sort_unstable();
        names
    }));
    for (name, blocks) in blocks {
        assert_eq!(bare(find(&name).unwrap().arguments()), bare(&blocks[0]), "{name}");
    }
}

#[test]
#[ignore = "needs FORESTAGE_CONTRACTS; `cargo xtask test conformance` runs it"]
fn its_examples_of_arguments_and_answers_are_legal() {
    let blocks = blocks();
    for (name, blocks) in blocks {
        let entry = find(&name).unwrap();
        let mut arguments = blocks[1].clone();
        entry.check(&arguments).unwrap_or_else(|faults| panic!("{name}: {faults}"));
        for answer in &blocks[2..] {
            match name.as_str() {
                // The text has arguments for one of three types, and shows a click on a diagram that takes none.
                "its:render_code_assessment" => arguments = code_assessment(answer, &blocks[1]),
                "its:render_diagram_viewer" => arguments["interactive"] = true.into(),
                _ => {}
            }
            entry
                .check_answer(&arguments, answer)
                .unwrap_or_else(|faults| panic!("{name}: {faults}\n{answer}"));
        }
    }
}

/// Arguments for an answer, of the type that it belongs to.
fn code_assessment(answer: &Value, arguments: &Value) -> Value {
    let examples = find("code_assessment").unwrap().examples();
    let id = &answer["assessment_id"];
    match examples.into_iter().find(|example| example.arguments["assessment_id"] == *id) {
        Some(example) if example.arguments["assessment_type"] != "mcq" => example.arguments,
        _ => arguments.clone(),
    }
}

#[test]
#[ignore = "needs FORESTAGE_CONTRACTS; `cargo xtask test conformance` runs it"]
fn its_schemas_alone_decide_what_is_shown() {
    for (name, blocks) in blocks() {
        let entry = find(&name).unwrap();
        changed::agree(entry, &blocks[0], &blocks[1]);
        assert!(entry.warnings(&blocks[1]).is_empty(), "{name}: its own example is wise");
    }
}
