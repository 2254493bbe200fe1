//! What is said about payloads.

use forestage_a2ui::{
    Messages, Version,
    catalog::{BASIC_0_9, BASIC_0_9_COPILOTKIT, Catalog, Catalogs, MINIMAL_0_9},
    check::{Checker, MAX_DEPTH, Report},
    surface::Surfaces,
};
use serde_json::{Value, json};

fn check(payload: &Value) -> Report {
    Checker::new(&Catalogs::basic()).check(&payload.to_string())
}

/// The codes and places of the faults.
fn faults(payload: &Value) -> Vec<(&'static str, String)> {
    check(payload).faults.into_iter().map(|fault| (fault.code, fault.path)).collect()
}

fn warnings(payload: &Value) -> Vec<&'static str> {
    check(payload).warnings.into_iter().map(|warning| warning.code).collect()
}

/// A surface of 0.9 with these components.
fn surface(components: Value) -> Value {
    json!([
        { "version": "v0.9", "createSurface": { "surfaceId": "s", "catalogId": BASIC_0_9 } },
        { "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": components } },
    ])
}

/// A surface of 0.9 that shows one component in a column.
fn showing(component: Value) -> Value {
    let mut component = component;
    component["id"] = json!("it");
    surface(json!([{ "id": "root", "component": "Column", "children": ["it"] }, component]))
}

#[test]
fn a_payload_may_come_in_many_shapes() {
    let list = surface(json!([{ "id": "root", "component": "Column", "children": [] }]));
    let quoted = Value::String(list.to_string());
    for payload in [
        json!({ "messages": list, "name": "an example" }),
        json!({ "a2ui_operations": list }),
        json!({ "a2ui_json": quoted }),
        quoted,
        list[0].clone(),
        list,
    ] {
        let report = check(&payload);
        assert!(report.is_ok() && report.version == Some(Version::V0_9), "{payload}: {report:?}");
        assert!(Messages::from_value(&payload).is_ok(), "{payload}");
    }
}

#[test]
fn what_is_no_payload_is_told() {
    for (payload, code) in [
        (json!(1), "wrong_type"),
        (json!([]), "no_messages"),
        (json!({}), "unknown_message"),
        (json!([1]), "wrong_type"),
        (json!({ "userAction": {} }), "wrong_direction"),
        (json!({ "createSurface": {}, "deleteSurface": {} }), "several_messages"),
        (json!({ "version": "v7", "createSurface": { "surfaceId": "s" } }), "unknown_version"),
        (json!({ "version": "v0.9", "createSurface": { "catalogId": BASIC_0_9 } }), "missing_field"),
        (json!({ "version": "v0.9", "createSurface": { "surfaceId": "s" } }), "missing_field"),
        (
            json!({ "version": "v0.9", "createSurface": { "surfaceId": "s", "catalogId": "acme" } }),
            "unknown_catalog",
        ),
        (json!({ "version": "v0.9", "updateComponents": { "surfaceId": "s" } }), "empty_components"),
        (
            json!({ "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": [] } }),
            "empty_components",
        ),
        (json!({ "version": "v0.9", "updateDataModel": { "surfaceId": "s", "path": 1 } }), "wrong_type"),
    ] {
        assert_eq!(faults(&payload).first().map(|(code, _)| *code), Some(code), "{payload}");
    }
    let report = Checker::new(&Catalogs::basic()).check("[\n {\"a\" 1}]");
    assert_eq!(report.faults[0].message, "not JSON: expected `:` at line 2, column 7");
}

#[test]
fn versions_are_not_mixed() {
    let mixed = json!([
        { "version": "v0.9", "createSurface": { "surfaceId": "s", "catalogId": BASIC_0_9 } },
        { "beginRendering": { "surfaceId": "t", "root": "r" } },
    ]);
    assert_eq!(faults(&mixed), [("mixed_versions", "/1".to_owned())]);
    assert_eq!(Messages::from_value(&mixed).expect_err("is mixed").code, "mixed_versions");
}

#[test]
fn every_fault_of_a_component_is_told_with_its_place() {
    let payload = surface(json!([
        { "id": "root", "component": "Column", "children": ["a", "b", "c", "gone"] },
        { "id": "a", "component": "Text" },
        { "id": "b", "component": "Chart" },
        { "id": "c", "component": "Text", "text": 1, "variant": "title", "colour": "red" },
        { "id": "c", "component": "Divider" },
        { "component": "Text", "text": "x" },
        { "id": "d" },
    ]));
    let at = |rest: &str| format!("/1/updateComponents/components/{rest}");
    let expected = [
        ("missing_required_prop", at("1")),
        ("unknown_component", at("2/component")),
        ("invalid_prop", at("3/text")),
        ("invalid_prop", at("3/variant")),
        ("unknown_prop", at("3/colour")),
        ("duplicate_id", at("4")),
        ("missing_id", at("5")),
        ("missing_component_type", at("6")),
        ("unresolved_child", at("0/children/3")),
    ];
    assert_eq!(faults(&payload), expected);
}

#[test]
fn sentences_say_what_to_do() {
    let said = |component| check(&showing(component)).faults.remove(0).message;
    assert_eq!(
        said(json!({ "component": "Text" })),
        "Text `it` needs `text`: a text, {\"path\": \"/…\"} or {\"call\": …, \"args\": …}"
    );
    assert_eq!(
        said(json!({ "component": "Divider", "axis": "up" })),
        "Divider.axis takes one of `horizontal`, `vertical`, not `up`"
    );
    assert_eq!(
        said(json!({ "component": "Card", "children": ["a"] })),
        "Card takes no `children`; it takes `child`"
    );
}

#[test]
fn the_tree_has_a_root_and_no_circle_and_ends() {
    let text = |id: &str| json!({ "id": id, "component": "Text", "text": "x" });
    let card = |id: &str, child: &str| json!({ "id": id, "component": "Card", "child": child });
    assert_eq!(faults(&surface(json!([text("a")]))), [("no_root", "/0/createSurface".to_owned())]);
    let circle = surface(json!([card("root", "a"), card("a", "b"), card("b", "a")]));
    assert_eq!(faults(&circle), [("child_cycle", "/1/updateComponents/components/2/child".to_owned())]);
    let itself = surface(json!([card("root", "root")]));
    assert_eq!(faults(&itself)[0].0, "child_cycle");
    let chain = |length: usize| {
        let id = |at: usize| if at == 0 { "root".to_owned() } else { at.to_string() };
        let mut cards: Vec<_> = (0..length - 1).map(|at| card(&id(at), &id(at + 1))).collect();
        cards.push(text(&id(length - 1)));
        surface(Value::Array(cards))
    };
    assert!(faults(&chain(MAX_DEPTH)).is_empty());
    assert_eq!(faults(&chain(MAX_DEPTH + 1))[0].0, "too_deep");
    assert_eq!(faults(&chain(40_000))[0].0, "too_deep");
}

#[test]
fn what_is_shown_has_a_value_where_values_are_sent() {
    let shown = |path: &str| showing(json!({ "component": "Text", "text": { "path": path } }));
    let with = |mut payload: Value, path: &str, value: Value| {
        let write = json!({ "version": "v0.9", "updateDataModel": { "surfaceId": "s", "path": path, "value": value } });
        payload.as_array_mut().expect("is a list").push(write);
        faults(&payload).first().map(|(code, _)| *code)
    };
    assert!(faults(&shown("/a/b")).is_empty(), "the data may come later");
    for (shown_path, path, value, expected) in [
        ("/a/b", "/", json!({ "a": { "b": 1 } }), None),
        ("/a/b", "/a", json!({ "b": null }), None),
        ("/a/0/b", "/a", json!([{ "b": 1 }]), None),
        ("/a", "/a/b/c", json!(1), None),
        ("/a/b", "/", json!({ "a": {} }), Some("unresolved_binding")),
        ("/a/1", "/a", json!([1]), Some("unresolved_binding")),
        ("/b", "/a", json!(1), Some("unresolved_binding")),
        ("b", "/a", json!(1), None),
    ] {
        assert_eq!(
            with(shown(shown_path), path, value.clone()),
            expected,
            "{shown_path} of {path} = {value}"
        );
    }
    let field = showing(json!({ "component": "TextField", "label": "Name", "value": { "path": "/name" } }));
    assert_eq!(with(field, "/a", json!(1)), None, "a person writes it");
}

#[test]
fn calls_and_actions_and_checks_are_looked_into() {
    let text = |call: Value| showing(json!({ "component": "Text", "text": call }));
    let field = |checks: Value| showing(json!({ "component": "TextField", "label": "x", "checks": checks }));
    let button = |action: Value| showing(json!({ "component": "Button", "child": "root", "action": action }));
    let nested =
        |depth| (1..depth).fold(json!(true), |inner, _| json!({ "call": "not", "args": { "value": inner } }));
    for (payload, code) in [
        (text(json!({ "call": "formatString", "args": { "value": "${/a}" } })), None),
        (text(json!({ "call": "shout", "args": {} })), Some("unknown_function")),
        (text(json!({ "call": "formatDate", "args": { "value": "x" } })), Some("invalid_call")),
        (text(json!({ "call": "email", "args": { "value": "x", "of": 1 } })), Some("invalid_call")),
        (text(json!({ "call": "email", "args": [] })), Some("invalid_call")),
        (text(json!({ "path": "/a", "literal": 1 })), Some("invalid_prop")),
        (
            field(json!([{ "condition": { "call": "required", "args": { "value": 1 } }, "message": "m" }])),
            None,
        ),
        (
            field(json!([{ "condition": { "call": "length", "args": { "value": "" } }, "message": "m" }])),
            Some("invalid_call"),
        ),
        (field(json!([{ "condition": true }])), Some("invalid_prop")),
        (field(json!([{ "condition": nested(6), "message": "m" }])), None),
        (field(json!([{ "condition": nested(7), "message": "m" }])), Some("call_too_deep")),
        (
            button(json!({ "event": { "name": "go", "context": { "a": { "path": "/a" } } } })),
            Some("child_cycle"),
        ),
        (button(json!({ "name": "go" })), Some("invalid_prop")),
    ] {
        assert_eq!(faults(&payload).first().map(|(code, _)| *code), code, "{payload}");
    }
    let flat = field(json!([{ "call": "required", "args": { "value": { "path": "/a" } }, "message": "m" }]));
    assert_eq!((faults(&flat).len(), warnings(&flat)), (0, vec!["flat_check"]));
}

#[test]
fn a_catalog_decides_and_the_basic_one_has_many_names() {
    let mut payload = showing(json!({ "component": "Card", "child": "it" }));
    payload[1]["updateComponents"]["components"][1] = json!({ "id": "it", "component": "Divider" });
    for id in [BASIC_0_9, BASIC_0_9_COPILOTKIT] {
        payload[0]["createSurface"]["catalogId"] = json!(id);
        assert!(faults(&payload).is_empty(), "{id}");
    }
    payload[0]["createSurface"]["catalogId"] = json!(MINIMAL_0_9);
    assert_eq!(faults(&payload)[0].0, "unknown_component");
    let own = json!({ "catalogId": "acme", "components": { "Divider": { "properties": { "axis": { "type": "string" } }, "required": ["axis"] } } });
    let catalogs = Catalogs::none().with(Catalog::from_schema(&own, Version::V0_9).expect("is a catalog"));
    payload[0]["createSurface"]["catalogId"] = json!("acme");
    let report = Checker::new(&catalogs).check(&payload.to_string());
    let codes: Vec<_> = report.faults.iter().map(|fault| fault.code).collect();
    assert_eq!(codes, ["unknown_component", "missing_required_prop"]);
}

#[test]
fn an_update_is_held_against_what_is_on_the_screen() {
    let mut surfaces = Surfaces::new();
    let first = surface(json!([{ "id": "root", "component": "Column", "children": [] }]));
    surfaces.fold(&Messages::from_value(&first).expect("reads")).expect("folds");
    let update = |surface: &str, children: Value| {
        let components = json!([{ "id": "root", "component": "Column", "children": children }]);
        json!({ "version": "v0.9", "updateComponents": { "surfaceId": surface, "components": components } })
    };
    let catalogs = Catalogs::basic();
    let known = Checker::new(&catalogs).with_surfaces(&surfaces);
    let code = |payload: &Value| known.check(&payload.to_string()).faults.first().map(|fault| fault.code);
    assert_eq!(code(&update("s", json!([]))), None);
    assert_eq!(code(&update("s", json!(["gone"]))), Some("unresolved_child"));
    assert_eq!(code(&update("t", json!([]))), Some("unknown_surface"));
    assert_eq!(code(&first), Some("surface_exists"));
    assert!(
        faults(&update("t", json!(["gone"]))).is_empty(),
        "where nothing is known, the rest is taken for granted"
    );
}

#[test]
fn what_looks_like_a_mistake_is_a_warning() {
    let leaf = surface(json!([{ "id": "root", "component": "Text", "text": "x" }]));
    assert_eq!((faults(&leaf).len(), warnings(&leaf)), (0, vec!["leaf_root"]));
    let picture = showing(json!({ "component": "Image", "url": "https://example.com/image.jpg" }));
    assert_eq!(warnings(&picture), ["placeholder_image"]);
}

#[test]
fn the_candidate_of_1_0_is_read() {
    let payload = json!({ "version": "v1.0", "createSurface": {
        "surfaceId": "s",
        "components": [
            { "id": "root", "component": "Column", "children": ["t"] },
            { "id": "t", "component": "Text", "text": { "@path": "/a" }, "metadata": { "extensions": {} } },
        ],
        "dataModel": { "a": "x" },
    } });
    assert!(check(&payload).is_ok(), "{:?}", check(&payload));
    let mut surfaces = Surfaces::new();
    surfaces.fold(&Messages::from_value(&payload).expect("reads")).expect("folds");
    let text = surfaces.get("s").and_then(|surface| surface.component("t")).expect("is there");
    assert_eq!(text.properties["text"], json!({ "path": "/a" }));
    let delete =
        json!({ "version": "v1.0", "updateDataModel": { "surfaceId": "s", "path": "/a", "value": null } });
    surfaces.fold(&Messages::from_value(&delete).expect("reads")).expect("folds");
    assert!(!surfaces.get("s").expect("is there").has("/a"));
    let wrong = json!({ "version": "v1.0", "createSurface": {
        "surfaceId": "t", "components": [{ "id": "root", "component": "Text", "text": { "@what": 1 } }],
    } });
    assert!(!check(&wrong).is_ok() && Messages::from_value(&wrong).is_err());
}
