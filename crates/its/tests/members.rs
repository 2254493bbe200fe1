//! Every member of every component, one by one: whether it has to be there, what it has to be, what it is where nothing is
//! said, and at which place a fault of it is told. The schemas in `spec/its` are those of the contract.

#![expect(clippy::unwrap_used, reason = "a test that unwraps fails where it should")]

use std::{fs, path::PathBuf};

use forestage_its::{
    COMPONENTS, CodeAssessment, Component, DiagramViewer, DndExercise, Entry, GoalSelector,
    InteractiveCodeEditor, LearningTrackCarousel, PreferenceCards, ProgressVisualizer, QuickQuiz,
    SkillMapper, SkillSlider, TimeSelector, TopicButtons, find,
};
use serde_json::{Map, Value, json};

fn schema(entry: &Entry) -> Value {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../spec/its");
    let text = fs::read_to_string(folder.join(format!("{}.json", entry.short))).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["arguments"].take()
}

/// A value with everything that a schema names, two of it where it is a list. No two texts and numbers are the same.
fn full(schema: &Value, name: &str, seed: &mut i64) -> Value {
    *seed += 1;
    match schema["type"].as_str().unwrap() {
        "object" => match schema["properties"].as_object() {
            Some(members) => {
                let member = |(name, schema): (&String, &Value)| (name.clone(), full(schema, name, seed));
                members.iter().map(member).collect::<Map<_, _>>().into()
            }
            None => json!({ "free": { "form": [*seed] } }),
        },
        "array" => [(), ()].map(|()| full(&schema["items"], name, seed)).to_vec().into(),
        "string" => match (schema["enum"].as_array(), schema["format"].as_str()) {
            (Some(values), _) => values.last().unwrap().clone(),
            (_, Some("uri")) => format!("https://example.com/{seed}.png").into(),
            (_, Some("date-time")) => format!("2024-09-{seed:02}T10:00:00Z").into(),
            _ => format!("{name} {seed}").into(),
        },
        "integer" => json!(*seed),
        "number" => json!(f64::from(i32::try_from(*seed).unwrap()) + 0.5),
        // The opposite of what holds where nothing is said.
        "boolean" => json!(schema["default"] != true),
        other => panic!("{other}"),
    }
}

/// A value with what a schema asks for, and nothing else.
fn least(schema: &Value, whole: &Value) -> Value {
    let names = schema["required"].as_array().into_iter().flatten().map(|name| name.as_str().unwrap());
    match whole {
        Value::Object(members) if schema["properties"].is_object() => {
            let kept =
                names.map(|name| (name.to_owned(), least(&schema["properties"][name], &members[name])));
            kept.collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.iter().map(|item| least(&schema["items"], item)).collect(),
        other => other.clone(),
    }
}

/// The same with what a schema says of members that are not there.
fn with_defaults(schema: &Value, value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut all = members.clone();
            for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
                match (all.get(name), schema.get("default")) {
                    (Some(member), _) => drop(all.insert(name.clone(), with_defaults(schema, member))),
                    (None, Some(default)) => drop(all.insert(name.clone(), default.clone())),
                    (None, None) => {}
                }
            }
            all.into()
        }
        Value::Array(items) => items.iter().map(|item| with_defaults(&schema["items"], item)).collect(),
        other => other.clone(),
    }
}

/// A member, or an item of a list.
struct Place {
    /// Where it stands, and in what.
    path: String,
    parent: String,
    schema: Value,
    /// Whether it has to be there; an item of a list can go.
    is_required: bool,
}

fn places(schema: &Value, path: &str, out: &mut Vec<Place>) {
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        add(member, format!("{path}/{name}"), path, required.contains(&json!(name)), out);
    }
    if schema["items"].is_object() {
        for at in 0..2 {
            add(&schema["items"], format!("{path}/{at}"), path, false, out);
        }
    }
}

fn add(schema: &Value, path: String, parent: &str, is_required: bool, out: &mut Vec<Place>) {
    places(schema, &path, out);
    out.push(Place { path, parent: parent.to_owned(), schema: schema.clone(), is_required });
}

fn put(whole: &Value, path: &str, value: Value) -> Value {
    let mut changed = whole.clone();
    *changed.pointer_mut(path).unwrap() = value;
    changed
}

fn without(whole: &Value, path: &str) -> Value {
    let (parent, name) = path.rsplit_once('/').unwrap();
    let mut changed = whole.clone();
    match changed.pointer_mut(parent).unwrap() {
        Value::Object(members) => drop(members.remove(name).unwrap()),
        Value::Array(items) => drop(items.remove(name.parse().unwrap())),
        other => panic!("{other}"),
    }
    changed
}

/// These arguments have exactly these faults, as a value and as a text.
#[track_caller]
fn told(entry: &Entry, arguments: &Value, expected: &[(&str, &str)]) {
    for result in [entry.check(arguments), entry.check_text(&arguments.to_string())] {
        let faults = result.err().map(|faults| faults.to_vec()).unwrap_or_default();
        let found: Vec<_> = faults.iter().map(|fault| (fault.code, fault.path.as_str())).collect();
        assert_eq!(found, expected, "{}: {arguments}", entry.name);
    }
}

/// Values that are not of a type.
fn strangers(kind: &str) -> Vec<Value> {
    let of = |value: &Value| match value {
        Value::Object(_) => &["object"][..],
        Value::Array(_) => &["array"],
        Value::String(_) => &["string"],
        Value::Bool(_) => &["boolean"],
        Value::Number(number) if number.is_f64() => &["number"],
        Value::Number(_) => &["integer", "number"],
        Value::Null => &[],
    };
    let all = [json!(null), json!(true), json!(7), json!(1.5), json!("7"), json!(["x"]), json!({ "x": 1 })];
    all.into_iter().filter(|value| !of(value).contains(&kind)).collect()
}

#[test]
fn every_member_is_there_if_it_has_to_be_and_is_of_its_type_wherever_it_stands() {
    for entry in &COMPONENTS {
        let schema = schema(entry);
        let whole = full(&schema, "", &mut 0);
        told(entry, &whole, &[]);
        let mut all = Vec::new();
        places(&schema, "", &mut all);
        for Place { path, parent, schema, is_required } in all {
            let missing = [("missing_field", parent.as_str())];
            told(entry, &without(&whole, &path), if is_required { &missing } else { &[] });
            for value in strangers(schema["type"].as_str().unwrap()) {
                told(entry, &put(&whole, &path, value), &[("wrong_type", &path)]);
            }
        }
    }
}

#[test]
fn a_member_has_one_of_its_values_and_any_of_them() {
    let mut seen = 0;
    for entry in &COMPONENTS {
        let schema = schema(entry);
        let whole = full(&schema, "", &mut 0);
        let mut all = Vec::new();
        places(&schema, "", &mut all);
        for Place { path, schema, .. } in all {
            for value in schema["enum"].as_array().into_iter().flatten() {
                seen += 1;
                told(entry, &put(&whole, &path, value.clone()), &[]);
                let word = value.as_str().unwrap();
                for other in [word.to_uppercase(), format!("{word} "), word[1..].to_owned(), String::new()] {
                    told(entry, &put(&whole, &path, other.into()), &[("unknown_value", &path)]);
                }
            }
        }
    }
    assert_eq!(seen, 3 + 5 + 5 + 3 + 3 + 2, "every value of the contract");
}

#[test]
fn an_address_has_a_scheme_and_a_moment_has_a_day_a_time_and_a_time_zone() {
    let mut seen = Vec::new();
    for entry in &COMPONENTS {
        let schema = schema(entry);
        let whole = full(&schema, "", &mut 0);
        let mut all = Vec::new();
        places(&schema, "", &mut all);
        for Place { path, schema, .. } in all {
            let (code, good, bad): (_, &[&str], &[&str]) = match schema["format"].as_str() {
                Some("uri") => ("invalid_uri", &ADDRESSES, &NO_ADDRESSES),
                Some("date-time") => ("invalid_datetime", &MOMENTS, &NO_MOMENTS),
                _ => continue,
            };
            good.iter().for_each(|text| told(entry, &put(&whole, &path, json!(text)), &[]));
            bad.iter().for_each(|text| told(entry, &put(&whole, &path, json!(text)), &[(code, &path)]));
            seen.push(path);
        }
    }
    let addresses = ["/tracks/0/image_url", "/tracks/1/image_url"];
    let cards = ["/cards/0/image_url", "/cards/1/image_url"];
    assert_eq!(seen, [&addresses[..], &["/min_datetime", "/max_datetime"], &cards].concat());
}

const ADDRESSES: [&str; 4] =
    ["https://example.com/a.png?b=c#d", "http://x", "data:image/png;base64,AA==", "urn:isbn:0451450523"];
const NO_ADDRESSES: [&str; 9] = [
    "",
    "picture.png",
    "/picture.png",
    "https",
    "://x",
    "1a:b",
    "https://a b",
    "javascript:alert(1)",
    "VBScript:x",
];
const MOMENTS: [&str; 6] = [
    "2024-09-01T00:00:00Z",
    "2024-09-07T23:59:59.999Z",
    "2024-02-29T12:00:00+05:30",
    "2024-12-31T12:00:00.5-11:00",
    "2024-04-30t12:00:00z",
    "2000-02-29T00:00:00+00:00",
];
const NO_MOMENTS: [&str; 12] = [
    "",
    "tomorrow",
    "2024-09-01",
    "10:00:00Z",
    "2024-09-01T10:00Z",
    "2024-09-01T10:00:00",
    "2024-09-31T10:00:00Z",
    "2023-02-29T10:00:00Z",
    "2024-13-01T10:00:00Z",
    "2024-09-01T24:00:00Z",
    "2024-09-01T10:60:00Z",
    "2024-09-01T10:00:00+25:00",
];

/// Arguments as their type has them.
fn typed<C: Component>() {
    let entry = find(C::NAME).unwrap();
    let schema = schema(entry);
    let whole = full(&schema, "", &mut 0);
    let read: C = serde_json::from_value(whole.clone()).unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), whole, "nothing is lost, and nothing changes its place");
    let least = least(&schema, &whole);
    told(entry, &least, &[]);
    let read: C = serde_json::from_value(least.clone()).unwrap();
    assert_eq!(
        serde_json::to_value(&read).unwrap(),
        with_defaults(&schema, &least),
        "what holds if nothing is said"
    );
}

#[test]
fn a_type_holds_every_member_and_what_holds_where_one_is_left_out() {
    typed::<LearningTrackCarousel>();
    typed::<SkillSlider>();
    typed::<TopicButtons>();
    typed::<GoalSelector>();
    typed::<CodeAssessment>();
    typed::<SkillMapper>();
    typed::<TimeSelector>();
    typed::<PreferenceCards>();
    typed::<InteractiveCodeEditor>();
    typed::<DiagramViewer>();
    typed::<DndExercise>();
    typed::<ProgressVisualizer>();
    typed::<QuickQuiz>();
    let editor = json!({ "editor_id": "e", "language": "css", "config": {} });
    let read: InteractiveCodeEditor = serde_json::from_value(editor).unwrap();
    let config = serde_json::to_value(read.config).unwrap();
    assert_eq!(config, json!({ "read_only": false, "show_run_button": true }), "one that says nothing");
}
