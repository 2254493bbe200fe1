//! The examples of contract 003, word for word in meaning: A2UI 0.8 as models were taught it.

use forestage_a2ui::{Messages, Version, catalog::Catalogs, check::Checker, surface::Surfaces};
use serde_json::{Value, json};

fn button() -> Value {
    json!([
        { "surfaceUpdate": { "surfaceId": "my-surface", "components": [
            { "id": "root", "component": { "Button": { "child": "btn-text", "action": { "name": "button_clicked" } } } },
            { "id": "btn-text", "component": { "Text": { "text": { "literalString": "Click Me" } } } },
        ] } },
        { "beginRendering": { "surfaceId": "my-surface", "root": "root" } },
    ])
}

fn form() -> Value {
    json!([
        { "surfaceUpdate": { "surfaceId": "my-form", "components": [
            { "id": "root", "component": { "Card": { "child": "form-col" } } },
            { "id": "form-col", "component": { "Column": { "children": { "explicitList": ["name-field", "submit-btn"] } } } },
            { "id": "name-field", "component": { "TextField": {
                "label": { "literalString": "Name" }, "text": { "path": "/form/name" },
            } } },
            { "id": "submit-btn", "component": { "Button": { "child": "btn-text", "action": {
                "name": "submit", "context": [{ "key": "userName", "value": { "path": "/form/name" } }],
            } } } },
            { "id": "btn-text", "component": { "Text": { "text": { "literalString": "Submit" } } } },
        ] } },
        { "dataModelUpdate": { "surfaceId": "my-form", "contents": [
            { "key": "form", "valueMap": [{ "key": "name", "valueString": "" }] },
        ] } },
        { "beginRendering": { "surfaceId": "my-form", "root": "root" } },
    ])
}

fn fold(surfaces: &mut Surfaces, payload: &Value) {
    let messages = Messages::from_value(payload).expect("reads");
    assert_eq!(
        messages.to_values(),
        *payload.as_array().expect("is a list"),
        "what is read is written as it was"
    );
    surfaces.fold(&messages).expect("folds");
}

#[track_caller]
fn codes(payload: &Value) -> (Vec<&'static str>, Vec<&'static str>) {
    let report = Checker::new(&Catalogs::basic()).check(&payload.to_string());
    assert_eq!(report.version, Some(Version::V0_8));
    let warnings = report.warnings.iter().map(|warning| warning.code).collect();
    (report.faults.iter().map(|fault| fault.code).collect(), warnings)
}

#[test]
fn the_examples_are_accepted() {
    assert_eq!(codes(&button()), (vec![], vec!["leaf_root"]), "rule 8 advises against a Button as the root");
    assert_eq!(codes(&form()), (vec![], vec![]));
}

#[test]
fn a_form_becomes_a_surface() {
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &form());
    let surface = surfaces.get("my-form").expect("is there");
    assert!(surface.is_shown());
    assert_eq!(surface.model.value(), &json!({ "form": { "name": "" } }));
    let component = |id: &str| serde_json::to_value(surface.component(id)).expect("prints");
    let expected = json!({ "id": "name-field", "component": "TextField", "label": "Name", "value": { "path": "/form/name" } });
    assert_eq!(component("name-field"), expected);
    let action =
        json!({ "event": { "name": "submit", "context": { "userName": { "path": "/form/name" } } } });
    assert_eq!(component("submit-btn")["action"], action);
}

#[test]
fn updates_need_no_second_begin_rendering_and_keep_what_they_do_not_name() {
    let mut surfaces = Surfaces::new();
    fold(&mut surfaces, &form());
    let text = json!({ "Text": { "text": { "literalString": "Updated status!" } } });
    fold(
        &mut surfaces,
        &json!([
            { "surfaceUpdate": { "surfaceId": "my-form", "components": [{ "id": "btn-text", "component": text }] } },
            { "dataModelUpdate": { "surfaceId": "my-form", "contents": [{ "key": "status", "valueString": "Complete" }] } },
        ]),
    );
    let surface = surfaces.get("my-form").expect("is there");
    assert_eq!(surface.component("btn-text").expect("is there").properties["text"], json!("Updated status!"));
    assert_eq!(surface.model.value(), &json!({ "form": { "name": "" }, "status": "Complete" }));
    assert!(surface.is_shown() && surface.components().len() == 5);
    let all = json!([{ "dataModelUpdate": { "surfaceId": "my-form", "path": "/", "contents": [{ "key": "form", "valueMap": [] }] } }]);
    fold(&mut surfaces, &all);
    let surface = surfaces.get("my-form").expect("is there");
    assert_eq!(surface.model.value(), &json!({ "form": {} }), "who names the root means all of it");
    fold(&mut surfaces, &json!([{ "deleteSurface": { "surfaceId": "my-form" } }]));
    assert!(surfaces.is_empty());
}

#[test]
fn what_is_never_shown_is_said() {
    let payload = json!([button()[0].clone()]);
    assert_eq!(codes(&payload), (vec![], vec!["not_rendered"]));
    let turned = json!([button()[1].clone(), button()[0].clone()]);
    assert_eq!(codes(&turned), (vec![], vec!["leaf_root", "order"]));
    let rootless =
        json!([button()[0].clone(), { "beginRendering": { "surfaceId": "my-surface", "root": "main" } }]);
    assert_eq!(codes(&rootless).0, ["no_root"]);
}

#[test]
fn mistakes_are_told_with_their_place() {
    for (component, code) in [
        (json!({ "Text": { "text": "bare" } }), "invalid_prop"),
        (json!({ "Text": {} }), "missing_required_prop"),
        (json!({ "Text": { "text": { "literalString": "x" } }, "Icon": {} }), "several_component_types"),
        (json!({}), "missing_component_type"),
        (json!({ "Chart": {} }), "unknown_component"),
        (json!({ "Column": { "children": ["a"] } }), "invalid_prop"),
        (json!({ "Column": { "children": { "explicitList": ["gone"] } } }), "unresolved_child"),
        (json!({ "Row": { "children": { "template": { "componentId": "root" } } } }), "invalid_prop"),
    ] {
        let payload = json!([
            { "surfaceUpdate": { "surfaceId": "s", "components": [
                { "id": "root", "component": { "Card": { "child": "it" } } }, { "id": "it", "component": component },
            ] } },
            { "beginRendering": { "surfaceId": "s", "root": "root" } },
        ]);
        assert_eq!(codes(&payload).0, [code], "{payload}");
    }
    let entry =
        json!([{ "dataModelUpdate": { "surfaceId": "s", "contents": [{ "key": "a", "valueText": "x" }] } }]);
    assert_eq!(codes(&entry).0, ["invalid_value"]);
}

#[test]
fn a_literal_with_a_path_is_put_there() {
    let mut surfaces = Surfaces::new();
    let text = json!({ "Text": { "text": { "literalString": "x", "path": "/a/b" } } });
    let update =
        json!({ "surfaceUpdate": { "surfaceId": "s", "components": [{ "id": "r", "component": text }] } });
    assert_eq!(codes(&json!([update])).0, Vec::<&str>::new());
    fold(&mut surfaces, &json!([update]));
    let surface = surfaces.get("s").expect("is there");
    assert_eq!(surface.model.value(), &json!({ "a": { "b": "x" } }));
    assert_eq!(surface.component("r").expect("is there").properties["text"], json!({ "path": "/a/b" }));
}
