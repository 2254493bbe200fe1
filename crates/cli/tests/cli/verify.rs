//! `stream verify`.

use serde_json::json;

use crate::support::{HELLO, jsonl, run, run_json, run_of};

const ORPHAN: &str = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"lost"}"#;

#[test]
fn a_legal_stream_is_a_yes() {
    let (code, verdict) = run_json(&["stream", "verify", "--json"], jsonl(&HELLO));
    assert_eq!((code, verdict), (0, json!({"ok": true, "error": null, "warnings": []})));
}

#[test]
fn an_illegal_stream_is_a_no_with_the_place() {
    let (code, verdict) = run_json(&["stream", "verify", "--json"], run_of(&[ORPHAN]));
    assert_eq!(code, 1);
    assert_eq!(verdict["ok"], false);
    assert_eq!(verdict["error"]["index"], 1);
    assert_eq!(verdict["error"]["code"], "text_message_not_open");
    assert_eq!(verdict["error"].get("path"), None, "the order has no place within an event");
}

#[test]
fn a_malformed_event_has_a_path() {
    let event = r#"{"type":"TEXT_MESSAGE_END","messageId":7}"#;
    let (code, verdict) = run_json(&["stream", "verify", "--json"], run_of(&[event]));
    assert_eq!((code, &verdict["error"]["path"]), (1, &"/messageId".into()));
}

#[test]
fn warnings_do_not_make_a_no() {
    let (code, verdict) = run_json(&["stream", "verify", "--json"], run_of(&[r#"{"type":"FUTURE"}"#]));
    assert_eq!((code, &verdict["ok"]), (0, &true.into()));
    assert_eq!(verdict["warnings"][0]["code"], "unknown_event_type");
    assert_eq!(verdict["warnings"][0]["index"], 1);
}

#[test]
fn people_see_one_line_per_event_and_a_summary() {
    let (code, stdout, stderr) = run(&["stream", "verify"], jsonl(&HELLO));
    assert_eq!((code, stderr.as_str()), (0, ""));
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), HELLO.len() + 2, "{stdout}");
    assert!(lines[2].contains("TEXT_MESSAGE_CONTENT") && lines[2].contains("m \"Hello\""), "{stdout}");
    assert!(lines[6].contains("ok") && lines[6].contains("5 events, 1 run, no warnings"), "{stdout}");
}

#[test]
fn the_fault_stands_under_its_event_with_the_rule() {
    let (code, stdout, _) = run(&["stream", "verify"], run_of(&[ORPHAN]));
    assert_eq!(code, 1);
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[1].contains("TEXT_MESSAGE_CONTENT"), "{stdout}");
    assert!(lines[2].trim_start().starts_with("error[text_message_not_open]: "), "{stdout}");
    assert!(lines[3].trim_start().starts_with("rule: "), "{stdout}");
    assert!(!stdout.contains("RUN_FINISHED"), "nothing is read after a fault: {stdout}");
}

#[test]
fn a_malformed_member_is_pointed_at() {
    let event = r#"{"type":"TEXT_MESSAGE_END","messageId":7}"#;
    let (_, stdout, _) = run(&["stream", "verify"], run_of(&[event]));
    assert!(stdout.contains("   → │   \"messageId\": 7\n     │   ^^^^^^^^^^^^^^ wrong_type\n"), "{stdout}");
}

#[test]
fn warnings_stand_under_their_event() {
    let (_, stdout, _) = run(&["stream", "verify"], run_of(&[r#"{"type":"FUTURE"}"#]));
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[1].contains("FUTURE"), "{stdout}");
    assert!(lines[2].trim_start().starts_with("warning[unknown_event_type]: "), "{stdout}");
}

#[test]
fn a_missing_end_is_shown_after_the_last_event() {
    let (code, stdout, _) = run(&["stream", "verify"], jsonl(&HELLO[..4]));
    assert_eq!(code, 1);
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[4].trim_start().starts_with("4  (end"), "{stdout}");
    assert!(lines[5].contains("error[stream_truncated]"), "{stdout}");
    assert!(stdout.contains("if the run is still going on"), "{stdout}");
}

#[test]
fn the_owner_of_an_event_is_tagged() {
    let event = r#"{"type":"CUSTOM","name":"x","value":null,"subagentRunId":"researcher"}"#;
    let (_, stdout, _) = run(&["stream", "verify"], run_of(&[event]));
    assert!(stdout.contains("@researcher"), "{stdout}");
}

#[test]
fn quiet_prints_the_verdict_only() {
    let (code, stdout, _) = run(&["stream", "verify", "--quiet"], jsonl(&HELLO));
    assert_eq!((code, stdout.lines().count()), (0, 1), "{stdout}");
    let (code, stdout, _) = run(&["stream", "verify", "-q"], run_of(&[ORPHAN]));
    assert_eq!((code, stdout.lines().count()), (1, 1), "{stdout}");
    assert!(stdout.contains("event 1: text_message_not_open"), "{stdout}");
}

#[test]
fn escape_sequences_of_a_stream_do_not_reach_the_terminal() {
    let event = r#"{"type":"CUSTOM","name":"\u001b[2J","value":"\u001b]0;title\u0007"}"#;
    let (_, stdout, _) = run(&["stream", "verify", "--color", "never"], run_of(&[event]));
    assert!(!stdout.contains('\u{1b}') && !stdout.contains('\u{7}'), "{stdout:?}");
    let (_, stdout, _) = run(&["stream", "verify", "--color", "always"], run_of(&[event]));
    assert!(!stdout.contains("\u{1b}[2J") && !stdout.contains('\u{7}'), "{stdout:?}");
}

#[test]
fn the_profile_is_known_or_the_call_is_wrong() {
    assert_eq!(run(&["stream", "verify", "--profile", "agui"], jsonl(&HELLO)).0, 0);
    assert_eq!(run(&["stream", "verify", "--profile", "nothing"], jsonl(&HELLO)).0, 2);
}
