//! `its check`, `its schema`, `its example`.

use std::fs;

use serde_json::{Value, json};
use tempfile::tempdir;

use crate::support::{run, run_json};

fn names() -> Vec<String> {
    let (code, names) = run_json(&["its", "schema", "--list", "--json"], "");
    assert_eq!(code, 0);
    serde_json::from_value(names).unwrap()
}

#[test]
fn the_example_of_every_component_is_one() {
    let names = names();
    assert_eq!(names.len(), 13);
    let folder = tempdir().unwrap();
    for name in names {
        let (code, shown, _) = run(&["its", "example", &name], "");
        assert_eq!((code, run(&["its", "check", &name], &shown).0), (0, 0), "{name}");
        let (_, answered, _) = run(&["its", "example", &name, "--answer"], "");
        let file = folder.path().join("shown.json");
        fs::write(&file, shown).unwrap();
        let file = file.to_str().unwrap();
        let (code, finding) = run_json(&["its", "check", &name, file, "--answer", "-", "--json"], &answered);
        assert_eq!((code, &finding["ok"], &finding["of"]), (0, &json!(true), &json!("answer")), "{name}");
    }
}

#[test]
fn faults_are_told_one_by_one() {
    let broken = r#"{"quiz_id": 7, "options": [{"id": "a"}]}"#;
    let (code, finding) = run_json(&["its", "check", "quick_quiz", "--json"], broken);
    let fault =
        |code: &str, path: &str, message: &str| json!({ "code": code, "path": path, "message": message });
    let faults = json!([
        fault("missing_field", "", "`question_text` is missing"),
        fault("wrong_type", "/quiz_id", "has to be a text, not `7`"),
        fault("missing_field", "/options/0", "`text` is missing"),
    ]);
    let expected = json!({ "ok": false, "of": "arguments", "faults": faults, "warnings": [], "grade": null });
    assert_eq!((code, finding), (1, expected));
    let (code, told, _) = run(&["its", "check", "quick_quiz"], broken);
    assert_eq!(code, 1);
    assert!(
        told.contains("arguments that do not fit: 3 faults") && told.contains("wrong_type at /quiz_id"),
        "{told}"
    );
    let (code, finding) = run_json(&["its", "check", "quick_quiz", "--json"], "{");
    assert_eq!((code, &finding["faults"][0]["code"]), (1, &json!("not_json")));
}

#[test]
fn what_is_unwise_is_a_warning_and_no_fault() {
    let (code, finding) =
        run_json(&["its", "check", "learning_track_carousel", "--json"], r#"{"tracks": []}"#);
    let warning =
        json!({ "code": "too_few_items", "path": "/tracks", "message": "there is not one of the tracks" });
    let expected =
        json!({ "ok": true, "of": "arguments", "faults": [], "warnings": [warning], "grade": null });
    assert_eq!((code, finding), (0, expected));
    let (code, told, _) = run(&["its", "check", "learning_track_carousel"], r#"{"tracks": []}"#);
    assert_eq!(code, 0);
    assert!(told.contains("there is not one of the tracks") && told.contains("arguments that fit"), "{told}");
}

#[test]
fn an_answer_is_held_against_the_arguments_and_graded() {
    let folder = tempdir().unwrap();
    let file = folder.path().join("answer.json");
    let (_, shown, _) = run(&["its", "example", "quick_quiz"], "");
    let check = |answer: &str| {
        fs::write(&file, answer).unwrap();
        run_json(&["its", "check", "quick_quiz", "--answer", file.to_str().unwrap(), "--json"], &shown)
    };
    let (code, finding) = check(r#"{"selected_option_id": "option_london"}"#);
    assert_eq!((code, &finding["grade"]), (0, &json!({ "correct": false, "right": 0, "total": 1 })));
    let (code, finding) = check(r#"{"selected_option_id": "option_rome"}"#);
    assert_eq!((code, &finding["of"]), (1, &json!("answer")));
    assert_eq!(finding["faults"][0]["path"], "/selected_option_id");
}

#[test]
fn a_component_of_tomorrow_is_passed_on_with_a_warning() {
    let (code, finding) = run_json(&["its", "check", "its:render_quick_quizz", "--json"], "{}");
    assert_eq!((code, &finding["ok"]), (0, &json!(true)));
    let warning = &finding["warnings"][0];
    assert_eq!(warning["code"], "unknown_component");
    assert!(
        warning["message"].as_str().unwrap().contains("did you mean `its:render_quick_quiz`?"),
        "{warning}"
    );
    assert_eq!(run(&["its", "check", "its:render_hologram"], "[]").0, 1);
}

#[test]
fn what_is_no_component_is_a_wrong_call() {
    for args in [&["its", "check", "quiz"][..], &["its", "schema", "quiz"], &["its", "example", "quiz"]] {
        let (code, _, told) = run(args, "{}");
        assert_eq!(code, 2, "{args:?}");
        assert!(told.contains("there is no component `quiz`"), "{told}");
    }
    assert_eq!(run(&["its", "check", "quick_quiz", "-", "--answer", "-"], "{}").0, 2);
}

#[test]
fn schemas_are_printed_one_by_one_or_together() {
    let (code, all) = run_json(&["its", "schema"], "");
    assert_eq!(code, 0);
    for name in names() {
        let (_, arguments) = run_json(&["its", "schema", &name, "--json"], "");
        let (_, answer) = run_json(&["its", "schema", &name, "--answer"], "");
        let expected: &Value = &all[&name];
        assert_eq!((&arguments, &answer), (&expected["arguments"], &expected["answer"]), "{name}");
    }
    let (_, examples) = run_json(&["its", "example", "code_assessment", "--all", "--json"], "");
    assert_eq!(examples.as_array().unwrap().len(), 3, "one of each type");
}
