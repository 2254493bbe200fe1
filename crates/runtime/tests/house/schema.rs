//! The schema for editors is the one that is committed, and what the guide shows can be read.

use std::{env, fs, path::PathBuf};

use forestage_runtime::house;

#[test]
fn the_schema_is_current() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../spec/schema/policy.json");
    let current = serde_json::to_string_pretty(&house::schema()).unwrap() + "\n";
    if fs::read_to_string(&path).unwrap_or_default() == current {
        return;
    }
    assert!(
        env::var_os("UPDATE").is_some(),
        "{} is stale (UPDATE=1 rewrites it):\n{current}",
        path.display()
    );
    fs::write(&path, current).unwrap();
}

#[test]
fn the_schema_makes_the_same_difference_as_the_reader() {
    let schema = house::schema();
    let fits = |text: &str| jsonschema::is_valid(&schema, &serde_json::from_str(text).unwrap());
    for (text, is_good) in [
        (r#"{ "rules": [{ "tools": ["*"], "action": "ask", "when": { "x": { "above": 1 } } }] }"#, true),
        (r#"{ "rules": [{ "tools": ["*"], "action": "ask", "by": { "people": 0 } }] }"#, false),
        (r#"{ "rules": [{ "action": "ask" }] }"#, false),
        (r#"{ "rules": [{ "tools": ["*"], "action": "ask", "when": { "x": { "over": 1 } } }] }"#, false),
        (r#"{ "moderation": { "input": { "patterns": [{ "pattern": "x" }] } }, "review": {} }"#, true),
        (r#"{ "review": { "on_expiry": "later" } }"#, false),
    ] {
        assert_eq!(fits(text), is_good, "{text}");
        assert_eq!(house::HouseRules::parse("it", text).is_ok(), is_good, "{text}");
    }
}

#[test]
fn every_example_of_the_guide_is_good() {
    let guide = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/house-rules.md");
    let guide = fs::read_to_string(guide).unwrap();
    let blocks: Vec<_> =
        guide.split("```yaml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!blocks.is_empty());
    blocks.into_iter().for_each(|block| drop(crate::house(block)));
}
