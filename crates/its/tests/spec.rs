//! The files in `spec/its` against the types, and the contract's own text against both, where it is at hand.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod changed;
mod contract;

use std::{env, fs, path::PathBuf};

use forestage_its::{COMPONENTS, Entry, document, find, is_component};
use serde_json::{Value, json};

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../spec/its")
}

fn spec(entry: &Entry) -> Value {
    let path = folder().join(format!("{}.json", entry.short));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A schema without what is said about it in words.
fn bare(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let is_said = |(name, value): &(&String, &Value)| *name == "description" && value.is_string();
            let kept = members.iter().filter(|member| !is_said(member));
            kept.map(|(name, value)| (name.clone(), bare(value))).collect()
        }
        Value::Array(items) => items.iter().map(bare).collect(),
        other => other.clone(),
    }
}

#[test]
fn the_table_is_the_folder() {
    let mut files: Vec<_> = fs::read_dir(folder())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let mut names: Vec<_> = COMPONENTS.iter().map(|entry| format!("{}.json", entry.short)).collect();
    names.sort();
    assert_eq!(files, names);
    for entry in &COMPONENTS {
        assert_eq!(entry.name, format!("its:render_{}", entry.short));
        assert_eq!(spec(entry)["name"], entry.name);
        assert!(is_component(entry.name) && entry.description().ends_with('.'), "{}", entry.name);
        assert!(std::ptr::eq(find(entry.short).unwrap(), find(entry.name).unwrap()));
    }
    assert!(find("its:render_hologram").is_none() && is_component("its:render_hologram"));
    assert!(!is_component("its:") && !is_component("render_quick_quiz"));
}

#[test]
fn the_schemas_of_arguments_are_those_of_the_contract() {
    for entry in &COMPONENTS {
        assert_eq!(bare(entry.arguments()), spec(entry)["arguments"], "{}", entry.name);
    }
}

#[test]
fn the_schemas_of_answers_are_those_in_the_folder() {
    for entry in &COMPONENTS {
        let mut spec = spec(entry);
        let answer = bare(entry.answer());
        if spec["answer"] != answer {
            assert!(env::var_os("UPDATE").is_some(), "{} is stale (UPDATE=1 rewrites it)", entry.short);
            spec["answer"] = answer;
            let text = serde_json::to_string_pretty(&spec).unwrap() + "\n";
            fs::write(folder().join(format!("{}.json", entry.short)), text).unwrap();
        }
    }
}

#[test]
fn the_published_schemas_are_current() {
    let path = folder().join("../schema/its.json");
    let current = serde_json::to_string_pretty(&document()).unwrap() + "\n";
    if fs::read_to_string(&path).unwrap_or_default() != current {
        assert!(env::var_os("UPDATE").is_some(), "{} is stale (UPDATE=1 rewrites it)", path.display());
        fs::write(&path, current).unwrap();
    }
}

#[test]
fn every_member_is_described() {
    fn described(schema: &Value, path: &str) {
        for (name, member) in schema["properties"].as_object().into_iter().flatten() {
            assert!(member["description"].is_string(), "{path}/{name}");
            described(member, &format!("{path}/{name}"));
            described(&member["items"], &format!("{path}/{name}/0"));
        }
    }
    for entry in &COMPONENTS {
        described(entry.arguments(), entry.short);
        described(entry.answer(), entry.short);
    }
}

#[test]
fn every_example_is_legal() {
    for entry in &COMPONENTS {
        assert!(!entry.examples().is_empty(), "{}", entry.name);
        for example in entry.examples() {
            let place = format!("{}: {}", entry.name, example.about);
            entry.check(&example.arguments).unwrap_or_else(|faults| panic!("{place}: {faults}"));
            let grade = entry.check_answer(&example.arguments, &example.answer);
            let grade = grade.unwrap_or_else(|faults| panic!("{place}: {faults}"));
            assert!(grade.is_none_or(|grade| grade.correct), "{place}");
        }
    }
}

/// What the schema allows is shown, however unwise, and nothing else is: in somebody else's reading of the schema.
#[test]
fn the_schema_alone_decides_what_is_shown() {
    for entry in &COMPONENTS {
        let schema = &spec(entry)["arguments"];
        for example in entry.examples() {
            changed::agree(entry, schema, &example.arguments);
        }
    }
}

/// Somebody else's reading of the same schemas.
#[test]
fn a_validator_agrees_about_examples() {
    for entry in &COMPONENTS {
        let arguments = jsonschema::validator_for(entry.arguments()).unwrap();
        let answer = jsonschema::validator_for(entry.answer()).unwrap();
        for example in entry.examples() {
            assert!(arguments.is_valid(&example.arguments), "{}", entry.name);
            assert!(answer.is_valid(&example.answer), "{}", entry.name);
        }
        assert!(!arguments.is_valid(&json!({})), "{}", entry.name);
    }
}
