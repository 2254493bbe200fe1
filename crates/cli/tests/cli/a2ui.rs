//! `a2ui check`, `fold`, `lower`, `extract` and `prompt`.

use serde_json::{Value, json};

use crate::support::{file, run, run_json, values};

const BASIC: &str = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";

fn surface(components: Value) -> Value {
    json!([
        { "version": "v0.9", "createSurface": { "surfaceId": "s", "catalogId": BASIC } },
        { "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": components } },
    ])
}

fn good() -> Value {
    surface(json!([
        { "id": "root", "component": "Column", "children": ["text"] },
        { "id": "text", "component": "Text", "text": "Hi" },
    ]))
}

/// The example of contract 003.
fn old() -> Value {
    json!([
        { "surfaceUpdate": { "surfaceId": "s", "components": [
            { "id": "col", "component": { "Column": { "children": { "explicitList": ["text"] } } } },
            { "id": "text", "component": { "Text": { "text": { "literalString": "Hi" } } } } ] } },
        { "beginRendering": { "surfaceId": "s", "root": "col" } },
    ])
}

/// What a client would refuse in a payload: the codes.
fn refusals(client: &str, payload: &Value) -> (i32, Vec<String>) {
    let (code, found) = run_json(&["a2ui", "check", "--for", client, "--json"], payload.to_string());
    let refusals = found["refusals"].as_array().unwrap().iter();
    (code, refusals.map(|it| it["code"].as_str().unwrap().to_owned()).collect())
}

#[test]
fn a_payload_is_checked_and_faults_are_explained_at_their_place() {
    let (code, told, _) = run(&["a2ui", "check"], good().to_string());
    assert_eq!((code, told.trim()), (0, "ok  can be drawn: 2 messages with 2 components"));
    let broken = surface(json!([{ "id": "root", "component": "Tex", "text": "Hi" }]));
    let (code, told, _) = run(&["a2ui", "check"], broken.to_string());
    assert_eq!(code, 1);
    for words in [
        "cannot be drawn: 1 fault",
        "unknown_component at /1/updateComponents/components/0/component",
        "use one of",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    let (code, found) = run_json(&["a2ui", "check", "--json"], "[");
    assert_eq!((code, &found["faults"][0]["code"]), (1, &json!("not_json")));
}

#[test]
fn what_each_renderer_would_refuse_is_told_with_the_reason() {
    for client in ["web_core", "lit"] {
        assert_eq!(refusals(client, &good()), (0, vec![]), "{client}");
    }
    assert_eq!(refusals("copilotkit", &good()), (1, vec!["catalog_name".to_owned()]));
    for client in ["copilotkit", "lit", "web_core"] {
        assert_eq!(refusals(client, &old()), (1, vec!["version_not_spoken".to_owned()]), "{client}");
    }
    assert_eq!(refusals("web_core_0_8", &old()), (0, vec![]));
    assert_eq!(refusals("python", &old()), (1, vec!["not_begun".to_owned()]));
    let mut turned = good();
    turned.as_array_mut().unwrap().reverse();
    assert_eq!(refusals("web_core", &turned), (1, vec!["not_begun".to_owned()]));
    let extra = surface(json!([{ "id": "root", "component": "Text", "text": "Hi", "colour": "red" }]));
    assert_eq!(refusals("lit", &extra), (1, vec!["unknown_prop".to_owned()]));
    let orphan =
        surface(json!([{ "id": "root", "component": "Divider" }, { "id": "x", "component": "Divider" }]));
    assert_eq!(
        (refusals("web_core", &orphan).0, refusals("python", &orphan).1),
        (0, vec!["unreachable".to_owned()])
    );
    let (code, told, _) = run(&["a2ui", "check", "--for", "copilotkit"], good().to_string());
    assert_eq!(code, 1);
    assert!(
        told.contains("can be drawn, but not by this client")
            && told.contains("copilotkit knows this catalog only as"),
        "{told}"
    );
}

#[test]
fn a_catalog_of_ones_own_counts() {
    let catalog = json!({ "catalogId": "acme", "components": { "Chart": { "properties": { "kind": { "enum": ["bar"] } }, "required": ["kind"] } } });
    let path = file("a2ui-charts.json", catalog.to_string());
    let payload = json!([
        { "version": "v0.9", "createSurface": { "surfaceId": "s", "catalogId": "acme" } },
        { "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": [{ "id": "root", "component": "Chart", "kind": "pie" }] } },
    ]);
    let arguments = ["a2ui", "check", "--catalog", path.to_str().unwrap(), "--json"];
    let (code, found) = run_json(&arguments, payload.to_string());
    assert_eq!((code, &found["faults"][0]["code"]), (1, &json!("invalid_prop")));
    let (code, _, _) = run(&arguments, payload.to_string().replace("pie", "bar"));
    assert_eq!(code, 0);
    let (code, told, _) = run(&["a2ui", "prompt", "--catalog", path.to_str().unwrap()], "");
    assert!(
        code == 0 && told.contains("- `Chart`: `kind`* one of `bar`") && !told.contains("ChoicePicker`:"),
        "{told}"
    );
}

#[test]
fn messages_are_folded_lowered_and_brought_back() {
    let (code, found) = run_json(&["a2ui", "fold", "--json"], old().to_string());
    assert_eq!(
        (code, &found["surfaces"][0]["root"], &found["surfaces"][0]["isShown"]),
        (0, &json!("col"), &json!(true))
    );
    let (code, told, _) = run(&["a2ui", "fold"], old().to_string());
    assert!(code == 0 && told.contains("Column col") && told.contains("Text text"), "{told}");
    let (code, lowered) = run_json(&["a2ui", "lower", "--for", "copilotkit", "--json"], old().to_string());
    assert_eq!((code, &lowered["version"]), (0, &json!("v0.9")));
    assert_eq!(refusals("copilotkit", &lowered["messages"]), (0, vec![]));
    let (code, back, _) = run(&["a2ui", "lower", "--to", "0.8"], lowered["messages"].to_string());
    let back: Value = serde_json::from_str(&back).unwrap();
    assert_eq!((code, refusals("web_core_0_8", &back)), (0, (0, vec![])));
    let (code, _, told) = run(&["a2ui", "lower", "--to", "0.8", "--for", "copilotkit"], old().to_string());
    assert!(code == 2 && told.contains("copilotkit does not speak"), "{told}");
}

#[test]
fn many_payloads_are_answered_line_by_line() {
    let lines = format!("{}\n\n{}\nnothing\n", good(), surface(json!([])));
    let (code, told, _) = run(&["a2ui", "check", "--batch"], &lines);
    let ok: Vec<_> = values(&told).iter().map(|it| it["ok"].clone()).collect();
    assert_eq!((code, ok), (0, vec![json!(true), json!(false), json!(false)]));
    let (code, told, _) = run(&["a2ui", "fold", "--batch"], &lines);
    assert_eq!((code, values(&told).len()), (0, 3));
    let (code, told, _) = run(&["a2ui", "lower", "--to", "0.8", "--batch"], &lines);
    assert_eq!(
        (code, &values(&told)[0]["version"], &values(&told)[2]["ok"]),
        (0, &json!("v0.8"), &json!(false))
    );
}

#[test]
fn a_view_and_messages_between_tags_are_found_in_a_text() {
    let said = "Look:\n```a2ui\n{\"kind\":\"a2ui.v1\"}\n```\nand <a2ui-json>[{\"a\": 1}]</a2ui-json> there.";
    let (code, found) = run_json(&["a2ui", "extract", "--json"], said);
    let expected = json!({ "ok": true, "text": "Look:\n\nand  there.", "view": { "kind": "a2ui.v1" }, "payloads": ["[{\"a\": 1}]"] });
    assert_eq!((code, found), (0, expected));
    let (code, found) = run_json(&["a2ui", "extract", "--json"], "Nothing here.");
    assert_eq!((code, &found["payloads"]), (1, &json!([])));
}

#[test]
fn prompts_are_printed_for_both_versions_and_as_data() {
    for (version, word) in [("0.8", "beginRendering"), ("0.9", "createSurface")] {
        let (code, told, _) = run(&["a2ui", "prompt", "--version", version], "");
        assert!(
            code == 0 && told.contains(word) && told.contains("---BEGIN A2UI JSON SCHEMA---"),
            "{version}"
        );
    }
    let (code, found) = run_json(&["a2ui", "prompt", "--json"], "");
    assert_eq!((code, &found["catalogId"]), (0, &json!(BASIC)));
    for example in found["examples"].as_array().unwrap().iter().take(2) {
        assert_eq!(run(&["a2ui", "check"], example["payload"].to_string()).0, 0, "{example}");
    }
    let (code, schema) = run_json(&["a2ui", "prompt", "--schema"], "");
    assert_eq!((code, &schema), (0, &found["schema"]));
    let (code, told, _) = run(&["its", "prompt", "quick_quiz"], "");
    assert!(
        code == 0 && told.contains("`its:render_quick_quiz`") && !told.contains("skill_slider`"),
        "{told}"
    );
}

#[test]
fn data_of_0_8_is_taken_strictly_where_that_is_asked_for() {
    let data = |key: &str| json!({ "dataModelUpdate": { "surfaceId": "s", "contents": [{ "key": key, "valueString": "x" }] } });
    let shown = json!({ "id": "col", "component": { "Text": { "text": { "path": "/a" } } } });
    let payload = json!([
        { "surfaceUpdate": { "surfaceId": "s", "components": [shown] } },
        data("a"),
        data("b"),
        { "beginRendering": { "surfaceId": "s", "root": "col" } },
    ]);
    for (flags, model, code) in
        [(&[][..], json!({ "a": "x", "b": "x" }), 0), (&["--strict-0.8"], json!({ "b": "x" }), 1)]
    {
        let fold = [&["a2ui", "fold", "--json"][..], flags].concat();
        let (folded, found) = run_json(&fold, payload.to_string());
        assert_eq!((folded, &found["surfaces"][0]["dataModel"]), (0, &model), "{flags:?}");
        let fold = [&["a2ui", "fold", "--batch"][..], flags].concat();
        assert_eq!(values(&run(&fold, payload.to_string()).1)[0]["surfaces"][0]["dataModel"], model);
        let check = [&["a2ui", "check", "--json"][..], flags].concat();
        let (checked, found) = run_json(&check, payload.to_string());
        assert_eq!(checked, code, "{found}");
        assert_eq!(found["faults"] == json!([]), code == 0, "what is shown is gone: {found}");
    }
}

#[test]
fn a_view_is_no_message_and_can_be_written_as_messages_of_either_version() {
    let field = json!({ "type": "field.text", "name": "name", "label": "Name" });
    let form = json!({ "type": "form", "id": "profile", "fields": [field] });
    let section = json!({ "type": "section", "children": [{ "type": "text", "text": "Hello" }, form] });
    let root = json!({ "type": "screen", "children": [section] });
    let view = json!({ "kind": "a2ui.v1", "viewId": "v", "root": root });
    let (code, found) = run_json(&["a2ui", "check", "--json"], view.to_string());
    assert_eq!((code, &found["faults"][0]["code"]), (1, &json!("unknown_message")));
    for (version, client) in [("0.8", "web_core_0_8"), ("0.9", "web_core")] {
        let (code, lowered) = run_json(&["a2ui", "lower", "--to", version, "--json"], view.to_string());
        assert_eq!((code, &lowered["version"]), (0, &json!(format!("v{version}"))));
        assert_eq!(refusals(client, &lowered["messages"]), (0, vec![]));
        let written = lowered["messages"].to_string();
        for kind in ["Column", "Card", "TextField", "Button", "Hello"] {
            assert!(written.contains(kind), "{kind}: {written}");
        }
    }
}
