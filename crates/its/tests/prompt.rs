//! Every example in what models are told is one.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

use forestage_its::{COMPONENTS, find, instructions};
use serde_json::Value;

/// The JSON blocks of a text.
fn blocks(text: &str) -> Vec<Value> {
    let blocks = text.split("```json\n").skip(1);
    blocks.map(|block| serde_json::from_str(block.split("\n```").next().unwrap()).unwrap()).collect()
}

#[test]
fn every_example_in_the_prompt_fits_its_component_and_its_answer_fits_it() {
    let told = instructions(&COMPONENTS.iter().collect::<Vec<_>>());
    let sections: Vec<_> = told.split("\n### `").skip(1).collect();
    assert_eq!(sections.len(), COMPONENTS.len());
    for section in sections {
        let entry = find(section.split('`').next().unwrap()).unwrap();
        let [arguments, answer] = &blocks(section)[..] else { panic!("two blocks: {section}") };
        entry.check(arguments).unwrap_or_else(|faults| panic!("{}: {faults}", entry.name));
        entry.check_answer(arguments, answer).unwrap_or_else(|faults| panic!("{}: {faults}", entry.name));
        assert!(section.contains(entry.description()), "{section}");
    }
}

#[test]
fn the_schemas_in_the_prompt_are_those_of_the_components() {
    let told = instructions(&[find("quick_quiz").unwrap()]);
    let schema = |word: &str| -> Value {
        let from = told.split(&format!("\n{word}: `")).nth(1).unwrap();
        serde_json::from_str(from.split("`\n").next().unwrap()).unwrap()
    };
    let entry = find("quick_quiz").unwrap();
    assert_eq!((&schema("Arguments"), &schema("Answer")), (entry.arguments(), entry.answer()));
    assert!(!told.contains("its:render_skill_slider"), "only what was asked for");
}
