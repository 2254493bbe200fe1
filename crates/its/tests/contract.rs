//! The types against the contract's own text, which is not ours to ship: `FORESTAGE_CONTRACTS` names the folder that has
//! it. Without it these tests are ignored, and counted as that.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod schema;

use std::{collections::BTreeMap, env, fs, path::PathBuf, process::ExitCode};

use forestage_its::{COMPONENTS, find};
use libtest_mimic::{Arguments, Trial};
use serde_json::Value;

use self::schema::bare;

fn main() -> ExitCode {
    let is_missing = env::var_os("FORESTAGE_CONTRACTS").is_none_or(|folder| folder.is_empty());
    let test = |name: &str, run: fn()| {
        let run = move || {
            run();
            Ok(())
        };
        Trial::test(name, run).with_ignored_flag(is_missing)
    };
    let tests = vec![
        test("the_schemas_are_those_of_its_text", the_schemas_are_those_of_its_text),
        test(
            "its_examples_of_arguments_and_answers_are_legal",
            its_examples_of_arguments_and_answers_are_legal,
        ),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

/// The JSON blocks of each component, by the name of its tool.
fn blocks() -> BTreeMap<String, Vec<Value>> {
    let folder =
        env::var_os("FORESTAGE_CONTRACTS").map(PathBuf::from).expect("FORESTAGE_CONTRACTS names a folder");
    let files = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let is_it =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("000-"));
    let path = files.into_iter().find(is_it).unwrap_or_else(|| panic!("{} has no 000-*", folder.display()));
    let text = fs::read_to_string(path).unwrap();
    let sections = text.split("- **Tool Call Name:** `").skip(1);
    sections.map(|section| (section.split('`').next().unwrap().to_owned(), json_blocks(section))).collect()
}

fn json_blocks(section: &str) -> Vec<Value> {
    let section = section.split("\n---").next().unwrap();
    let blocks = section.split("```json\n").skip(1).map(|block| block.split("```").next().unwrap());
    blocks
        .map(|block| {
            serde_json::from_str(&without_comments(block)).unwrap_or_else(|error| panic!("{error}: {block}"))
        })
        .collect()
}

/// Its examples have comments, which are no JSON. Addresses have two slashes as well, but no blank before them.
fn without_comments(block: &str) -> String {
    let line = |line: &str| line.split(" //").next().unwrap().to_owned() + "\n";
    block.lines().map(line).collect()
}

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
