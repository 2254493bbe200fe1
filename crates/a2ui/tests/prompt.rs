//! What models are told is true: every example in every prompt can be drawn, and the schema takes what the checker takes.

use std::{env, fs, path::PathBuf};

use forestage_a2ui::{
    Fault, Messages, Version,
    catalog::{Catalog, Catalogs},
    check::Checker,
    prompt::{SCHEMA_BEGINS, SCHEMA_ENDS, examples, instructions, repair, schema},
    surface::Surfaces,
};
use serde_json::{Value, json};

fn charts() -> Catalog {
    let document = json!({
        "catalogId": "acme.com:charts",
        "components": {
            "Column": { "properties": { "children": { "$ref": "c.json#/$defs/ChildList" } }, "required": ["children"] },
            "Text": { "properties": { "text": { "$ref": "c.json#/$defs/DynamicString" } }, "required": ["text"] },
            "Button": { "properties": { "child": { "$ref": "c.json#/$defs/ComponentId" }, "action": { "$ref": "c.json#/$defs/Action" } },
                "required": ["child", "action"], "additionalProperties": false },
            "Chart": { "properties": { "kind": { "enum": ["bar", "line"] } }, "required": ["kind"] },
        },
    });
    Catalog::from_schema(&document, Version::V0_9).expect("is a catalog")
}

fn catalogs() -> Vec<Catalog> {
    vec![Catalog::basic_0_8(), Catalog::basic_0_9(), Catalog::minimal_0_9(), charts()]
}

/// The JSON blocks of a text.
fn blocks(text: &str) -> Vec<Value> {
    let blocks = text.split("```json\n").skip(1);
    let read = |block: &str| serde_json::from_str(block.split("\n```").next().unwrap_or_default());
    blocks.map(|block| read(block).expect("is JSON")).collect()
}

#[test]
fn every_example_in_every_prompt_can_be_drawn() {
    for (catalog, expected) in catalogs().into_iter().zip([4, 5, 4, 1]) {
        let shown = blocks(&instructions(&catalog));
        assert_eq!(shown.len(), expected, "{}", catalog.id);
        let known = Catalogs::none().with(catalog.clone());
        let mut surfaces = Surfaces::new();
        for payload in shown {
            let report = Checker::new(&known).with_surfaces(&surfaces).check(&payload.to_string());
            assert_eq!(report.faults, [], "{}: {payload}", catalog.id);
            assert!(report.warnings.is_empty(), "{}: {:?}", catalog.id, report.warnings);
            surfaces.fold(&Messages::from_value(&payload).expect("reads")).expect("folds");
        }
        assert!(surfaces.iter().all(|surface| surface.is_shown()), "what is drawn is seen");
    }
}

#[test]
fn a_prompt_names_everything_that_the_catalog_has_and_nothing_else() {
    for catalog in catalogs() {
        let told = instructions(&catalog);
        for name in catalog.component_names() {
            let component = catalog.component(name).expect("is in it");
            let line =
                told.lines().find(|line| line.starts_with(&format!("- `{name}`: "))).expect("has a line");
            for property in &component.properties {
                let star = if property.is_required { "*" } else { "" };
                assert!(
                    line.contains(&format!("`{}`{star} ", property.name)),
                    "{name}.{}: {line}",
                    property.name
                );
            }
        }
        for name in catalog.function_names() {
            assert!(told.contains(&format!("\n- `{name}`: ")), "{name}");
        }
    }
    assert!(
        !instructions(&charts()).contains("ChoicePicker`:"),
        "what the client cannot draw is not offered"
    );
    assert!(instructions(&charts()).contains("`kind`* one of `bar`, `line`"));
}

#[test]
fn the_rules_of_contract_003_are_in_the_prompts_of_both_versions() {
    let both = [
        "In ONE call",
        "send_a2ui_json_to_client",
        "a2ui_json",
        "Every surface has an id of its own",
        "flat list",
        "Text stands apart",
        "shown to real people",
        "No placeholder images",
        "use an `Icon`",
        "is a layout such as",
        "not a `Modal`",
        "without another",
        "replaces the old one",
        "Send only what changed",
        "writes what is typed to that path",
        "a value to begin with",
        "Context: {\"userName\": \"Alice\"}",
        "log_a2ui_event",
        "You did not make that call",
        "has JUST done",
        "Acknowledge it and respond",
        "name of the action",
        "Take the next step",
        "Do not describe which buttons",
    ];
    for catalog in [Catalog::basic_0_8(), Catalog::basic_0_9()] {
        let told = instructions(&catalog).replace("in ONE call", "In ONE call");
        for words in both {
            assert!(told.contains(words), "{}: {words}", catalog.id);
        }
    }
    let old = instructions(&Catalog::basic_0_8());
    for words in [
        "1. `surfaceUpdate`",
        "2. `dataModelUpdate`",
        "3. `beginRendering`",
        "NEVER shown",
        "same list of the same call",
        "Always send `beginRendering`",
        "`root` of `beginRendering` is the id of a component",
        "`entryPointChild`",
    ] {
        assert!(old.contains(words), "{words}");
    }
}

#[test]
fn the_schema_stands_between_its_marks_and_takes_every_example() {
    for catalog in catalogs() {
        let told = instructions(&catalog);
        let between = told.split(SCHEMA_BEGINS).nth(1).and_then(|rest| rest.split(SCHEMA_ENDS).next());
        let written: Value = serde_json::from_str(between.expect("is there")).expect("is JSON");
        assert_eq!(written, schema(&catalog));
        let validator = jsonschema::validator_for(&written).expect("is a schema");
        for example in examples(&catalog) {
            assert!(validator.is_valid(&example.payload), "{}: {}", catalog.id, example.about);
        }
    }
}

#[test]
fn the_schema_refuses_what_the_catalog_refuses() {
    for (catalog, component) in [
        (Catalog::basic_0_9(), json!({ "id": "root", "component": "Text" })),
        (Catalog::basic_0_9(), json!({ "id": "root", "component": "Text", "text": 1 })),
        (Catalog::basic_0_9(), json!({ "id": "root", "component": "Text", "text": "x", "colour": "red" })),
        (Catalog::basic_0_9(), json!({ "id": "root", "component": "Chart", "kind": "bar" })),
        (Catalog::basic_0_9(), json!({ "id": "root", "component": "Tabs", "tabs": [] })),
        (charts(), json!({ "id": "root", "component": "Chart", "kind": "pie" })),
        (Catalog::basic_0_8(), json!({ "id": "root", "component": { "Text": { "text": "bare" } } })),
        (Catalog::basic_0_8(), json!({ "id": "root", "component": { "Column": { "children": ["a"] } } })),
    ] {
        let payload = match catalog.version {
            Version::V0_8 => json!([{ "surfaceUpdate": { "surfaceId": "s", "components": [component] } }]),
            _ => {
                json!([{ "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": [component] } }])
            }
        };
        let validator = jsonschema::validator_for(&schema(&catalog)).expect("is a schema");
        let known = Catalogs::none().with(catalog);
        assert!(!validator.is_valid(&payload), "{payload}");
        assert!(!Checker::new(&known).check(&payload.to_string()).is_ok(), "{payload}");
    }
}

#[test]
fn a_repair_names_every_fault_and_how_often_it_may_be_tried() {
    let fault = |code, path: &str| Fault::new(code, path, "do this");
    let told = repair(&[fault("no_root", "/0"), fault("not_json", "")], 2);
    assert!(told.contains("2 faults") && told.contains("1. no_root at /0: do this"), "{told}");
    assert!(told.contains("2. not_json: do this") && told.contains("2 attempts left"), "{told}");
    assert!(repair(&[fault("no_root", "/0")], 1).contains("last attempt"));
    assert!(repair(&[fault("no_root", "/0")], 0).contains("Do not try again"));
    let many = vec![fault("no_root", "/0"); 30];
    assert!(repair(&many, 1).contains("and 10 more"));
}

/// Every prompt of a model that may draw carries the chapter, so its size is documented and kept.
#[test]
fn a_prompt_is_not_longer_than_documented() {
    for (catalog, most) in [(Catalog::basic_0_8(), 20_000), (Catalog::basic_0_9(), 26_000)] {
        let length = instructions(&catalog).len();
        assert!(length <= most, "{}: {length} bytes", catalog.id);
        assert!(length > most - 6_000, "{}: the documentation says more than {length}", catalog.id);
    }
}

#[test]
fn the_schema_takes_every_member_that_messages_have() {
    let catalog = Catalog::basic_0_8();
    let validator = jsonschema::validator_for(&schema(&catalog)).expect("is a schema");
    let contents = json!([
        { "key": "t", "valueString": "x" }, { "key": "n", "valueNumber": 1 }, { "key": "f", "valueBoolean": true },
        { "key": "m", "valueMap": [{ "key": "t", "valueString": "x" }] },
    ]);
    let text = json!({ "Text": { "text": { "path": "/form/t" } } });
    let payload = json!([
        { "surfaceUpdate": { "surfaceId": "s", "components": [
            { "id": "root", "component": { "Column": { "children": { "explicitList": ["a"] } } } },
            { "id": "a", "weight": 2, "component": text } ] } },
        { "dataModelUpdate": { "surfaceId": "s", "path": "/form", "contents": contents } },
        { "beginRendering": { "surfaceId": "s", "root": "root", "catalogId": catalog.id, "styles": { "font": "Roboto" } } },
        { "deleteSurface": { "surfaceId": "s" } },
    ]);
    let known = Catalogs::none().with(catalog);
    assert_eq!(Checker::new(&known).check(&payload.to_string()).faults, [], "all of it is legal");
    for message in payload.as_array().expect("is a list") {
        assert!(validator.is_valid(&json!([message])), "{message}");
    }
}

/// Every word that a model is told, to be read before it changes. `UPDATE=1` writes what is told now.
#[test]
fn models_are_told_word_for_word_what_is_written_down() {
    for (name, catalog) in [("0.8", Catalog::basic_0_8()), ("0.9", Catalog::basic_0_9())] {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/prompts/{name}.txt"));
        let told = instructions(&catalog);
        if fs::read_to_string(&file).unwrap_or_default() == told {
            continue;
        }
        assert!(env::var_os("UPDATE").is_some(), "{} is not what models are told now", file.display());
        fs::write(&file, told).expect("writable");
    }
}
