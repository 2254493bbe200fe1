//! The published schemas of views and actions: current, and of one mind with what reads them.

use std::{env, fs, path::PathBuf};

use forestage_a2ui::v1::{Action, SCHEMAS, View, schema};
use serde_json::{Value, json};

/// The pointer to the tree of a view.
const ROOT: &str = "/root";

fn file(kind: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../spec/schema/{kind}.json"))
}

#[test]
fn the_schemas_are_current() {
    for kind in SCHEMAS {
        let current =
            serde_json::to_string_pretty(&schema(kind).expect("it is named")).expect("prints") + "\n";
        if fs::read_to_string(file(kind)).unwrap_or_default() == current {
            continue;
        }
        if env::var_os("UPDATE").is_none() {
            panic!("{} is stale (UPDATE=1 rewrites it)", file(kind).display());
        }
        fs::write(file(kind), current).expect("writable");
    }
}

fn view() -> Value {
    json!({
        "kind": "a2ui.v1",
        "viewId": "v",
        "title": "T",
        "root": { "type": "screen", "children": [
            { "type": "text", "text": "x" },
            { "type": "section", "title": "S", "children": [{ "type": "screen", "children": [] }] },
            { "type": "form", "id": "f", "submitLabel": "Go", "fields": [
                { "type": "field.text", "name": "a", "label": "A", "required": true, "value": "x" },
                { "type": "field.number", "name": "b", "label": "B", "required": false, "value": 1.5 },
            ] },
        ] },
    })
}

fn action() -> Value {
    json!({ "kind": "a2ui.action.v1", "viewId": "v", "action": { "type": "form.submit", "formId": "f", "values": { "a": 1 } } })
}

/// Every place in a value, as JSON Pointers.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, inner)| (name.clone(), inner)).collect(),
        Value::Array(items) => items.iter().enumerate().map(|(index, it)| (index.to_string(), it)).collect(),
        _ => Vec::new(),
    };
    for (name, inner) in inner {
        let at = format!("{at}/{name}");
        places(inner, &at, found);
        found.push(at);
    }
}

/// A value without one of its members.
fn without(value: &Value, place: &str) -> Option<Value> {
    let (owner, name) = place.rsplit_once('/')?;
    let mut value = value.clone();
    value.pointer_mut(owner)?.as_object_mut()?.remove(name)?;
    Some(value)
}

/// Holds the schema against the reader: the value itself, and every change of it at every place.
fn agree(kind: &str, value: &Value, reads: fn(&Value) -> bool) {
    let validator = jsonschema::validator_for(&schema(kind).expect("it is named")).expect("a schema");
    let mut changed = vec![value.clone()];
    let mut found = Vec::new();
    places(value, "", &mut found);
    let others = [
        json!(null),
        json!(true),
        json!(7),
        json!(""),
        json!("other"),
        json!("section"),
        json!("text"),
        json!("form"),
        json!("field.number"),
        json!([]),
        json!({}),
        json!([{}]),
        json!([{ "type": "text", "text": "" }]),
        json!({ "type": "text", "text": "" }),
        json!({ "type": "form", "id": "g", "fields": [] }),
    ];
    for place in &found {
        changed.extend(without(value, place));
        for other in &others {
            let mut one = value.clone();
            *one.pointer_mut(place).expect("it was found there") = other.clone();
            changed.push(one);
        }
    }
    let (yes, no): (Vec<_>, Vec<_>) = changed.iter().partition(|it| reads(it));
    assert!(yes.len() > 5 && no.len() > 50, "{} and {}", yes.len(), no.len());
    for one in &changed {
        assert_eq!(validator.is_valid(one), reads(one), "{one:#}");
    }
}

#[test]
fn the_schema_of_views_accepts_what_is_read_and_nothing_else() {
    agree("a2ui.v1", &view(), |value| View::read(value).is_ok());
    let mut more = view();
    more["theme"] = json!("dark");
    more["root"]["children"][0]["style"] = json!({});
    let validator = jsonschema::validator_for(&schema("a2ui.v1").expect("it is named")).expect("a schema");
    assert!(validator.is_valid(&more) && View::read(&more).is_ok(), "members that nobody knows are ignored");
}

#[test]
fn the_schema_of_actions_accepts_what_is_read_and_nothing_else() {
    agree("a2ui.action.v1", &action(), |value| Action::read(value).is_ok());
}

#[test]
fn each_node_has_the_members_of_the_contract_and_needs_no_others() {
    let text = json!({ "type": "text", "text": "x" });
    let field = json!({ "type": "field.text", "name": "a", "label": "A" });
    for (least, most) in [
        (json!({ "type": "screen", "children": [] }), json!({ "type": "screen", "children": [text] })),
        (
            json!({ "type": "section", "children": [] }),
            json!({ "type": "section", "title": "S", "children": [{ "type": "section", "children": [text] }] }),
        ),
        (json!({ "type": "text", "text": "" }), json!({ "type": "text", "text": " a\n  b " })),
        (
            json!({ "type": "form", "id": "f", "fields": [] }),
            json!({ "type": "form", "id": "f", "fields": [field], "submitLabel": "Go" }),
        ),
    ] {
        for node in [&least, &most] {
            let view = json!({ "kind": "a2ui.v1", "viewId": "v", "root": node });
            let read = View::read(&view).unwrap_or_else(|faults| panic!("{node}: {faults}"));
            assert_eq!(
                serde_json::to_value(&read).expect("prints"),
                view,
                "it is read and written as it was"
            );
        }
        for name in least.as_object().expect("a node").keys() {
            let view = json!({ "kind": "a2ui.v1", "viewId": "v", "root": least });
            let without = without(&view, &format!("{ROOT}/{name}")).expect("it is there");
            assert!(View::read(&without).is_err(), "{least} needs {name}");
        }
    }
}

#[test]
fn each_field_has_the_members_of_the_contract_and_its_own_kind_of_value() {
    let form = |field: &Value| json!({ "kind": "a2ui.v1", "viewId": "v", "root": { "type": "form", "id": "f", "fields": [field] } });
    for (kind, value, other) in
        [("field.text", json!("x"), json!(1)), ("field.number", json!(-0.5), json!("x"))]
    {
        let least = json!({ "type": kind, "name": "a", "label": "A" });
        let mut most = least.clone();
        most["required"] = json!(true);
        most["value"] = value;
        for field in [&least, &most] {
            let read = View::read(&form(field)).unwrap_or_else(|faults| panic!("{field}: {faults}"));
            assert_eq!(serde_json::to_value(&read).expect("prints"), form(field));
        }
        for name in ["type", "name", "label"] {
            let without = without(&form(&least), &format!("{ROOT}/fields/0/{name}")).expect("it is there");
            assert!(View::read(&without).is_err(), "{kind} needs {name}");
        }
        most["value"] = other;
        assert!(View::read(&form(&most)).is_err(), "{most}");
    }
}
