//! Tutoring calls: from the text of the arguments to a value that was checked.

use std::hint::black_box;

use forestage_its::COMPONENTS;
use serde_json::Value;

use crate::race::{Contender, Task};

pub(super) const SCHEMA: &str = "serde_json, jsonschema compiled";

pub(super) fn task() -> Task<'static> {
    let examples =
        || COMPONENTS.iter().flat_map(|entry| entry.examples().into_iter().map(move |it| (entry, it)));
    let texts: Vec<_> = examples().map(|(entry, example)| (entry, example.arguments.to_string())).collect();
    let compiled: Vec<_> = texts
        .iter()
        .map(|(entry, text)| {
            (jsonschema::validator_for(entry.arguments()).expect("is a schema"), text.clone())
        })
        .collect();
    let count = texts.len();
    Task {
        key: "its",
        title: "check the arguments of tutoring calls",
        contenders: vec![
            Contender::new("ours: schema, meaning, typed", count, move || {
                for (entry, text) in &texts {
                    black_box(entry.check_text(black_box(text))).expect("fits");
                }
            }),
            Contender::new(SCHEMA, count, move || {
                for (validator, text) in &compiled {
                    let value: Value = serde_json::from_str(black_box(text)).expect("is JSON");
                    assert!(validator.is_valid(black_box(&value)));
                }
            }),
        ],
    }
}
