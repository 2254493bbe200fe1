//! What each step says.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::Instant;

use crate::support::*;

/// The events of one rule between the boundaries of the run, which starts with the words `hello there`.
async fn check(steps: &str, expected: &[Value]) {
    let events = said(steps).await;
    assert_eq!(events[1..events.len() - 1], *expected, "{:#?}", events.last());
}

async fn said(steps: &str) -> Vec<Value> {
    say(&stage_doing(steps).await, "r1", "hello there").await
}

#[tokio::test]
async fn text_is_said_in_pieces() {
    check(
        "- text: 'You said: {{user}}'",
        &[
            json!({"type": "TEXT_MESSAGE_START", "messageId": "r1-m1"}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "r1-m1", "delta": "You "}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "r1-m1", "delta": "said: "}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "r1-m1", "delta": "hello "}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "r1-m1", "delta": "there"}),
            json!({"type": "TEXT_MESSAGE_END", "messageId": "r1-m1"}),
        ],
    )
    .await;
    check(
        "- text: { text: abcde, chunk: 3, role: system }",
        &[
            json!({"type": "TEXT_MESSAGE_START", "messageId": "r1-m1", "role": "system"}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "r1-m1", "delta": "abc"}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "r1-m1", "delta": "de"}),
            json!({"type": "TEXT_MESSAGE_END", "messageId": "r1-m1"}),
        ],
    )
    .await;
}

#[tokio::test(start_paused = true)]
async fn pace_sleep_and_takes_are_waited_for() {
    let began = Instant::now();
    said("- text: { text: a b, pace: 20ms }\n- sleep: 1m\n- tool: { name: x, result: 1, takes: 30s }").await;
    let expected = Duration::from_millis(2 * 20 + 60_000 + 30_000);
    assert!(
        (expected..expected + Duration::from_secs(5)).contains(&began.elapsed()),
        "{:?}",
        began.elapsed()
    );
}

#[tokio::test]
async fn steps_hold_steps() {
    let events =
        said("- step: { name: 'look {{user}}', do: [{ reasoning: hm }, { step: { name: in } }] }").await;
    assert_eq!(
        types(&events),
        [
            "RUN_STARTED",
            "STEP_STARTED",
            "REASONING_START",
            "REASONING_MESSAGE_START",
            "REASONING_MESSAGE_CONTENT",
            "REASONING_MESSAGE_END",
            "REASONING_END",
            "STEP_STARTED",
            "STEP_FINISHED",
            "STEP_FINISHED",
            "RUN_FINISHED",
        ]
    );
    assert_eq!(events[1]["stepName"], "look hello there");
}

#[tokio::test]
async fn tools_are_called_and_answer() {
    check(
        "- tool: { name: find, args: { day: '{{user}}' }, result: { table: 7 }, chunk: 12 }",
        &[
            json!({"type": "TOOL_CALL_START", "toolCallId": "r1-c1", "toolCallName": "find"}),
            json!({"type": "TOOL_CALL_ARGS", "toolCallId": "r1-c1", "delta": "{\"day\":\"hell"}),
            json!({"type": "TOOL_CALL_ARGS", "toolCallId": "r1-c1", "delta": "o there\"}"}),
            json!({"type": "TOOL_CALL_END", "toolCallId": "r1-c1"}),
            json!({"type": "TOOL_CALL_RESULT", "messageId": "r1-r2", "toolCallId": "r1-c1", "content": "{\"table\":7}"}),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_tool_without_a_result_waits_for_the_client() {
    let events = said("- tool: { name: pick }").await;
    let end = events.last().unwrap();
    assert_eq!(end["outcome"], json!({"type": "success", "pendingToolCallIds": ["r1-c1"]}));
    let events = said("- tool: { name: pick, result: null }").await;
    assert_eq!(find(&events, "TOOL_CALL_RESULT")["content"], "null", "null is a result");
}

#[tokio::test]
async fn state_is_begun_set_and_patched() {
    let stage = stage(
        "
state: { bookings: [] }
rules:
  - when: { says: set }
    do: [{ state: { name: '{{user}}', bookings: '{{state.bookings}}' } }]
  - do: [{ patch: [{ op: add, path: /bookings/-, value: { said: '{{user}}', old: '{{state.bookings}}' } }] }]
",
    )
    .await;
    let first = say(&stage, "r1", "hello").await;
    assert_eq!(types(&first), ["RUN_STARTED", "STATE_SNAPSHOT", "STATE_DELTA", "RUN_FINISHED"]);
    let second = say(&stage, "r2", "set").await;
    assert_eq!(types(&second), ["RUN_STARTED", "STATE_SNAPSHOT", "RUN_FINISHED"], "the state is begun once");
    assert_eq!(state(&stage).await, json!({"name": "set", "bookings": [{"said": "hello", "old": []}]}));
}

#[tokio::test]
async fn a_patch_that_does_not_fit_ends_the_run() {
    let events = said("- patch: [{ op: remove, path: /nothing }]").await;
    assert_eq!(error(&events).0, "state_error");
}

#[tokio::test]
async fn activities_are_shown_and_changed_in_this_run_and_later() {
    let stage = stage(
        "
rules:
  - when: { says: later }
    do: [{ activity: { id: plan, patch: [{ op: replace, path: /done, value: 2 }] } }]
  - when: { says: lost }
    do: [{ activity: { id: nobody, patch: [] } }]
  - do:
      - activity: { type: PLAN, id: plan, content: { done: 0 } }
      - activity: { id: plan, patch: [{ op: replace, path: /done, value: 1 }] }
",
    )
    .await;
    let first = say(&stage, "r1", "now").await;
    assert_eq!(types(&first)[1..3], ["ACTIVITY_SNAPSHOT", "ACTIVITY_DELTA"]);
    let later = say(&stage, "r2", "later").await;
    assert_eq!(later[1]["activityType"], "PLAN");
    let lost = say(&stage, "r3", "lost").await;
    assert_eq!(
        error(&lost),
        ("script_error".to_owned(), "there is no activity `nobody` to change".to_owned())
    );
    let shown = conversation(&stage).await;
    assert!(shown.contains(&json!(["activity", {"done": 2}])), "{shown:?}");
}

#[tokio::test]
async fn subagents_speak_under_their_own_name() {
    let events = said(
        "- subagent: { name: helper, do: [{ text: { text: I try, chunk: all } }, { tool: { name: x, result: 1 } }] }\n\
         - subagent: { name: other, fails: 'no {{user}}' }",
    )
    .await;
    let start = find(&events, "SUBAGENT_STARTED");
    let id = &start["subagentRunId"];
    let theirs = ["TEXT_MESSAGE_CONTENT", "TOOL_CALL_START", "TOOL_CALL_RESULT", "SUBAGENT_FINISHED"];
    assert!(theirs.iter().all(|kind| find(&events, kind)["subagentRunId"] == *id), "{events:#?}");
    assert_eq!(find(&events, "SUBAGENT_ERROR")["message"], "no hello there");
}

#[tokio::test]
async fn repetitions_count_from_one() {
    let events = said(
        "- repeat: { times: 3, do: [{ text: '{{n}} ' }, { repeat: { times: 2, do: [{ text: '{{n}}' }] } }] }",
    )
    .await;
    assert_eq!(text(&events), "1 122 123 12");
}

#[tokio::test]
async fn custom_events_results_and_usage_are_sent() {
    let events = said(
        "- custom: { name: x, value: ['{{user}}'] }\n- custom: { name: y }\n- result: { ok: true }\n\
         - usage: { model: m, inputTokens: 12, outputTokens: 34 }",
    )
    .await;
    assert_eq!(events[1], json!({"type": "CUSTOM", "name": "x", "value": ["hello there"]}));
    assert_eq!(events[2], json!({"type": "CUSTOM", "name": "y", "value": null}));
    assert_eq!(events[3]["result"], json!({"ok": true}));
    assert_eq!(events[3]["usage"], json!([{"model": "m", "inputTokens": 12, "outputTokens": 34}]));
}

#[tokio::test]
async fn an_error_ends_the_run_and_what_is_open() {
    let events =
        said("- step: { name: s, do: [{ error: { code: bad, message: 'no {{user}}' } }] }\n- text: never")
            .await;
    assert_eq!(types(&events), ["RUN_STARTED", "STEP_STARTED", "STEP_FINISHED", "RUN_ERROR"]);
    assert_eq!(error(&events), ("bad".to_owned(), "no hello there".to_owned()));
}

#[tokio::test]
async fn raw_events_are_sent_as_they_are_and_chunks_are_expanded() {
    let events = said(
        "- raw: { type: TEXT_MESSAGE_CHUNK, messageId: m1, delta: 'a' }\n\
         - raw: { type: TEXT_MESSAGE_CHUNK, delta: '{{user}}' }\n\
         - custom: { name: x }\n\
         - step: { name: s, do: [{ raw: { type: TEXT_MESSAGE_CHUNK, messageId: m2, delta: c } }] }",
    )
    .await;
    assert_eq!(
        types(&events)[1..],
        [
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END",
            "CUSTOM",
            "STEP_STARTED",
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END",
            "STEP_FINISHED",
            "RUN_FINISHED",
        ]
    );
    assert_eq!(text(&events), "ahello therec");
}

#[tokio::test]
async fn raw_events_that_break_a_rule_end_the_run() {
    let cases = [
        ("{ type: TEXT_MESSAGE_CONTENT, messageId: nobody, delta: x }", "text_message_not_open"),
        ("{ type: TEXT_MESSAGE_CHUNK, delta: x }", "chunk_incomplete"),
        ("{ type: TEXT_MESSAGE_CONTENT }", "invalid_event"),
        ("{ type: NO_SUCH_EVENT }", "invalid_event"),
        ("{ type: RUN_FINISHED, threadId: t1, runId: r1 }", "invalid_event"),
    ];
    for (event, code) in cases {
        let events = said(&format!("- raw: {event}")).await;
        assert_eq!(error(&events).0, code, "{event}");
        assert_eq!(types(&events), ["RUN_STARTED", "RUN_ERROR"]);
    }
}

#[tokio::test]
async fn a_template_that_is_no_mapping_where_one_is_needed_is_told() {
    let events = said("- tool: { name: x, args: '{{user}}' }").await;
    let told = "`args` has to be a mapping, but it came to \"hello there\"";
    assert_eq!(error(&events), ("script_error".to_owned(), told.to_owned()));
}
