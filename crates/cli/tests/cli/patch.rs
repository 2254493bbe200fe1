//! `patch`.

use serde_json::{Value, json};

use crate::support::{file, run, run_json};

fn before() -> String {
    file("patch-before.json", r#"{"step":1,"notes":["draft"]}"#).to_str().unwrap().to_owned()
}

#[test]
fn the_document_after_the_patch_is_printed() {
    let patch =
        r#"[{"op":"replace","path":"/step","value":2},{"op":"add","path":"/notes/-","value":"final"}]"#;
    let expected = json!({"step": 2, "notes": ["draft", "final"]});
    let (code, stdout, _) = run(&["patch", &before(), "-"], patch);
    assert_eq!((code, serde_json::from_str::<Value>(&stdout).unwrap()), (0, expected.clone()));
    assert!(stdout.lines().count() > 1, "people read several lines");
    let (code, result) = run_json(&["patch", &before(), "-", "--json"], patch);
    assert_eq!((code, result), (0, json!({"ok": true, "error": null, "document": expected})));
}

#[test]
fn a_patch_that_does_not_fit_is_a_no_with_the_operation() {
    let patch = r#"[{"op":"remove","path":"/notes"},{"op":"remove","path":"/absent"}]"#;
    let (code, result) = run_json(&["patch", &before(), "-", "--json"], patch);
    let message = "operation 1 (remove /absent): the path does not exist";
    let error = json!({"index": 1, "code": "path_missing", "path": "/absent", "message": message});
    assert_eq!((code, result), (1, json!({"ok": false, "error": error, "document": null})));
    let (code, stdout, stderr) = run(&["patch", &before(), "-"], patch);
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert_eq!(stderr, format!("error[path_missing]: {message}\n"));
}

#[test]
fn a_patch_that_is_none_is_a_no_with_the_operation() {
    let patch = r#"[{"op":"remove","path":"/notes"},{"op":"add","path":"/a"}]"#;
    let (code, result) = run_json(&["patch", &before(), "-", "--json"], patch);
    assert_eq!((code, &result["error"]["index"]), (1, &json!(1)));
    assert_eq!(result["error"]["code"], "missing_field");
    let (code, result) = run_json(&["patch", &before(), "-", "--json"], "{}");
    assert_eq!((code, &result["error"]["code"]), (1, &json!("wrong_type")));
}

#[test]
fn a_patch_can_be_made_and_leads_there() {
    let (code, patch, _) = run(&["patch", "--diff", &before(), "-"], r#"{"step":3}"#);
    assert_eq!(code, 0);
    let (_, stdout, _) = run(&["patch", &before(), "-"], patch);
    assert_eq!(serde_json::from_str::<Value>(&stdout).unwrap(), json!({"step": 3}));
    let (_, result) = run_json(&["patch", "--diff", "--json", &before(), &before()], "");
    assert_eq!(result, json!({"ok": true, "error": null, "patch": []}));
}

#[test]
fn documents_that_cannot_be_read_are_a_wrong_call() {
    assert_eq!(run(&["patch", &before(), "-"], "hello").0, 2);
    assert_eq!(run(&["patch", "-", "-"], "{}").0, 2);
    assert_eq!(run(&["patch", "no-such-file.json", "-"], "[]").0, 2);
    assert_eq!(run(&["patch", &before()], "[]").0, 2);
}
