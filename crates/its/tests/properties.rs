//! Laws: what is made to be legal passes, and whatever is broken is refused where it is broken.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

mod make;

use forestage_its::{COMPONENTS, Entry, Faults, find};
use proptest::prelude::*;
use serde_json::{Value, json};

use self::make::{Made, made};

/// Every place in a value with its schema.
fn places<'s>(schema: &'s Value, value: &Value, path: &str, out: &mut Vec<(String, &'s Value)>) {
    out.push((path.to_owned(), schema));
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if let Some(schema) = schema["properties"].get(name) {
                    places(schema, member, &format!("{path}/{name}"), out);
                }
            }
        }
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                places(&schema["items"], item, &format!("{path}/{at}"), out);
            }
        }
        _ => {}
    }
}

/// A value of another type than the one that is asked for.
fn other_type(schema: &Value) -> Value {
    if schema["type"] == "string" { json!(true) } else { json!("a text") }
}

fn has(faults: &Faults, code: &str, path: &str) -> bool {
    faults.iter().any(|fault| fault.code == code && fault.path == path && !fault.message.is_empty())
}

/// Breaks a value in every way that its schema forbids, and looks whether each is told at its place.
fn broken_is_refused(schema: &Value, value: &Value, check: impl Fn(&Value) -> Option<Faults>) {
    let mut all = Vec::new();
    places(schema, value, "", &mut all);
    for (path, schema) in all {
        let refused = |value: &Value, code: &str| {
            let faults = check(value).unwrap_or_else(|| panic!("{code} {path}: {value}"));
            assert!(has(&faults, code, &path), "{code} {path}: {faults}");
        };
        let mut broken = value.clone();
        *broken.pointer_mut(&path).unwrap() = other_type(schema);
        refused(&broken, "wrong_type");
        *broken.pointer_mut(&path).unwrap() = Value::Null;
        refused(&broken, "wrong_type");
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            let mut broken = value.clone();
            broken.pointer_mut(&path).unwrap().as_object_mut().unwrap().remove(name);
            refused(&broken, "missing_field");
        }
        if schema.get("enum").is_some() {
            let mut broken = value.clone();
            *broken.pointer_mut(&path).unwrap() = json!("none of them");
            refused(&broken, "unknown_value");
        }
    }
}

fn laws_hold(entry: &Entry, arguments: &Value, answer: &Value) {
    entry.check(arguments).unwrap_or_else(|faults| panic!("{}: {faults}\n{arguments}", entry.name));
    let answered = entry.check_answer(arguments, answer);
    answered.unwrap_or_else(|faults| panic!("{}: {faults}\n{arguments}\n{answer}", entry.name));
    broken_is_refused(entry.arguments(), arguments, |value| entry.check(value).err());
    broken_is_refused(entry.answer(), answer, |value| entry.check_answer(arguments, value).err());
}

#[test]
fn the_laws_hold_for_every_example() {
    for entry in &COMPONENTS {
        for example in entry.examples() {
            laws_hold(entry, &example.arguments, &example.answer);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn the_laws_hold_for_whatever_is_legal(seed in any::<u64>(), which in 0..COMPONENTS.len()) {
        let entry = &COMPONENTS[which];
        let Made { arguments, answer, .. } = made(entry.short, seed);
        laws_hold(entry, &arguments, &answer);
    }

    #[test]
    fn an_answer_that_was_not_on_offer_is_refused_where_it_stands(seed in any::<u64>(), which in 0..COMPONENTS.len()) {
        let entry = &COMPONENTS[which];
        let Made { arguments, answer, spoils } = made(entry.short, seed);
        for (path, spoiled) in spoils {
            let mut answer = answer.clone();
            *answer.pointer_mut(&path).expect("the place is there") = spoiled;
            let faults = entry.check_answer(&arguments, &answer).err();
            let faults = faults.unwrap_or_else(|| panic!("{} {path}: {arguments}\n{answer}", entry.name));
            prop_assert!(faults.iter().any(|fault| fault.path == path), "{path}: {faults}");
        }
    }

    #[test]
    fn no_value_whatever_makes_a_check_panic(text in any::<String>(), which in 0..COMPONENTS.len(), seed in any::<u64>()) {
        let entry = &COMPONENTS[which];
        let Made { arguments, answer, .. } = made(entry.short, seed);
        let mut all = Vec::new();
        places(entry.answer(), &answer, "", &mut all);
        for (path, _) in all {
            for other in [json!(text), json!([text]), json!({ &text: text }), json!(1e300), json!(i64::MIN), json!([])] {
                let mut answer = answer.clone();
                *answer.pointer_mut(&path).unwrap() = other;
                let _ = entry.check_answer(&arguments, &answer);
                let _ = entry.check(&answer);
            }
        }
        prop_assert!(find(&text).is_none());
    }
}
