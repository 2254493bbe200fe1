//! `schema` and `schema check`.

use serde_json::{Value, json};

use crate::support::{HELLO, run, run_json};

#[test]
fn the_whole_document_or_one_definition() {
    let (code, document) = run_json(&["schema"], "");
    assert_eq!((code, document["$defs"]["Interrupt"]["type"].as_str()), (0, Some("object")));
    let (code, definition) = run_json(&["schema", "Interrupt", "--json"], "");
    assert_eq!((code, &definition["$ref"]), (0, &json!("#/$defs/Interrupt")));
}

#[test]
fn names_are_listed() {
    let (code, stdout, _) = run(&["schema", "--list"], "");
    assert_eq!(code, 0);
    let names: Vec<&str> = stdout.lines().collect();
    for name in ["RunAgentInput", "Interrupt", "ResumeEntry", "Tool", "AgentCapabilities", "RunStartedEvent"]
    {
        assert!(names.contains(&name), "{name}");
    }
    assert_eq!(run_json(&["schema", "--list", "--json"], "").1, json!(names));
}

#[test]
fn a_value_is_held_against_a_definition() {
    let entry = r#"{"interruptId":"i","status":"resolved"}"#;
    let normalized: Value = serde_json::from_str(entry).unwrap();
    let expected = json!({"ok": true, "error": null, "warnings": [], "normalized": normalized});
    assert_eq!(run_json(&["schema", "check", "ResumeEntry", "--json"], entry), (0, expected));
    let (code, finding) = run_json(&["schema", "check", "ResumeEntry", "--json"], r#"{"interruptId":"i"}"#);
    assert_eq!((code, &finding["error"]["code"]), (1, &json!("missing_field")));
    assert_eq!(run(&["schema", "check", "RunStartedEvent"], HELLO[0]).0, 0);
    assert_eq!(run(&["schema", "check", "RunFinishedEvent"], HELLO[0]).0, 1);
}

#[test]
fn an_unknown_name_is_a_wrong_call() {
    for args in [&["schema", "Nothing"][..], &["schema", "check", "Nothing"]] {
        let (code, stdout, stderr) = run(args, "{}");
        assert_eq!((code, stdout.as_str()), (2, ""));
        assert!(stderr.contains("`Nothing`"), "{stderr}");
    }
}

#[test]
fn views_and_actions_have_schemas_and_are_held_against_them() {
    let (code, schema) = run_json(&["schema", "a2ui.v1"], "");
    assert_eq!((code, &schema["properties"]["kind"]["const"]), (0, &json!("a2ui.v1")));
    let published = include_str!("../../../../spec/schema/a2ui.v1.json");
    assert_eq!(run(&["schema", "a2ui.v1"], "").1, published);
    assert_eq!(run_json(&["schema", "a2ui.action.v1"], "").1["title"], "a2ui.action.v1");
    let listed = run(&["schema", "--list"], "").1;
    assert!(listed.lines().any(|name| name == "a2ui.v1"), "{listed}");
    let view =
        r#"{"kind":"a2ui.v1","viewId":"v","root":{"type":"screen","children":[{"type":"text","text":"x"}]}}"#;
    assert_eq!(run(&["schema", "check", "a2ui.v1"], view).0, 0);
    let (code, finding) =
        run_json(&["schema", "check", "a2ui.v1", "--json"], view.replace(r#""text":"x""#, r#""text":7"#));
    let place = ["", "root", "children", "0", "text"].join("/");
    assert_eq!((code, &finding["error"]["path"]), (1, &json!(place)));
}
