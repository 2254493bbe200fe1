use forestage_protocol::event::Event;
use serde_json::{Value, json};

use super::*;
use crate::dialect::{Rules, agui0::Judge};

const LINES: [Line; 8] = [
    Line::stated(36),
    Line::stated(40),
    Line::stated(44),
    Line::stated(45),
    Line::UNSTATED,
    Line::stated(53),
    Line::stated(58),
    Line::stated(59),
];

fn events(values: &[Value]) -> Vec<Event> {
    values.iter().map(|value| Event::from_json(&value.to_string()).expect("an event")).collect()
}

fn encoded(line: Line, values: &[Value]) -> Vec<Value> {
    Encoder::new(line).encode(&events(values))
}

fn types(values: &[Value]) -> Vec<&str> {
    values.iter().filter_map(|value| value["type"].as_str()).collect()
}

fn started() -> Value {
    json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.0" })
}

fn finished(outcome: Option<Value>) -> Value {
    let mut value = json!({ "type": "RUN_FINISHED", "threadId": "t", "runId": "r" });
    if let Some(outcome) = outcome {
        value["outcome"] = outcome;
    }
    value
}

fn text(id: &str) -> [Value; 3] {
    [
        json!({ "type": "TEXT_MESSAGE_START", "messageId": id }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": "Hello" }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": id }),
    ]
}

/// Nearly every event there is, with two subagents that think at once and a state that changes within a text.
fn everything() -> Vec<Value> {
    let parts = json!([{ "type": "text", "text": "a" }, { "type": "image", "source": { "type": "url", "value": "u" } }]);
    let messages = json!([
        { "id": "u", "role": "user", "content": parts },
        { "id": "t", "role": "tool", "toolCallId": "c", "content": parts },
        { "id": "th", "role": "reasoning", "content": "hm" },
        { "id": "ac", "role": "activity", "activityType": "PLAN", "content": { "steps": [] } },
    ]);
    let thought = |kind: &str, id: &str, owner: Option<&str>, more: Value| {
        let mut value = json!({ "type": format!("REASONING_{kind}"), "messageId": id });
        if let Some(owner) = owner {
            value["subagentRunId"] = owner.into();
        }
        value.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        value
    };
    let role = || json!({ "role": "reasoning" });
    let delta = |text: &str| json!({ "delta": text });
    let step = |kind: &str, owner: Option<&str>| {
        let mut value = json!({ "type": kind, "stepName": "look" });
        if let Some(owner) = owner {
            value["subagentRunId"] = owner.into();
        }
        value
    };
    let none = || json!({});
    vec![
        json!({ "type": "RUN_STARTED", "threadId": "t", "runId": "r", "protocolVersion": "1.0",
            "input": { "threadId": "t", "runId": "r", "messages": messages.clone() } }),
        json!({ "type": "STATE_SNAPSHOT", "snapshot": null }),
        json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages }),
        step("STEP_STARTED", None),
        json!({ "type": "SUBAGENT_STARTED", "subagentRunId": "s1", "name": "one" }),
        json!({ "type": "SUBAGENT_STARTED", "subagentRunId": "s2", "name": "two" }),
        step("STEP_STARTED", Some("s1")),
        thought("START", "sp1", Some("s1"), none()),
        thought("START", "sp2", Some("s2"), none()),
        thought("MESSAGE_START", "m1", Some("s1"), role()),
        thought("MESSAGE_START", "m2", Some("s2"), role()),
        thought("MESSAGE_CONTENT", "m2", Some("s2"), delta("two")),
        thought("MESSAGE_CONTENT", "m1", Some("s1"), delta("one")),
        thought("MESSAGE_CONTENT", "m1", Some("s1"), delta("")),
        thought("MESSAGE_END", "m2", Some("s2"), none()),
        thought("MESSAGE_END", "m1", Some("s1"), none()),
        thought("END", "sp2", Some("s2"), none()),
        thought("END", "sp1", Some("s1"), none()),
        json!({ "type": "SUBAGENT_FINISHED", "subagentRunId": "s2" }),
        step("STEP_FINISHED", Some("s1")),
        json!({ "type": "SUBAGENT_FINISHED", "subagentRunId": "s1" }),
        json!({ "type": "TEXT_MESSAGE_START", "messageId": "a" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "a", "delta": "Hello" }),
        json!({ "type": "STATE_DELTA", "delta": [{ "op": "add", "path": "/n", "value": 1 }] }),
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c2", "toolCallName": "f", "parentMessageId": "a" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "a", "delta": "" }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c2", "delta": "{}" }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": "a" }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": "c2" }),
        json!({ "type": "TOOL_CALL_RESULT", "messageId": "res", "toolCallId": "c2", "content": [{ "type": "text", "text": "done" }] }),
        json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "ac2", "activityType": "PLAN", "content": { "n": 1 } }),
        json!({ "type": "ACTIVITY_DELTA", "messageId": "ac2", "activityType": "PLAN", "patch": [{ "op": "replace", "path": "/n", "value": 2 }] }),
        json!({ "type": "ACTIVITY_DELTA", "messageId": "ac2", "activityType": "PLAN", "patch": [{ "op": "add", "path": "/m", "value": 3 }] }),
        json!({ "type": "CUSTOM", "name": "forestage.record", "value": 1 }),
        step("STEP_FINISHED", None),
        finished(Some(json!({ "type": "success", "pendingToolCallIds": ["c2"] }))),
    ]
}

#[test]
fn whatever_is_written_for_a_line_is_legal_there() {
    let failed = [text("b")[0].clone(), json!({ "type": "RUN_ERROR", "message": "broken" })];
    let cases = [everything(), [vec![started()], failed.to_vec()].concat()];
    for line in LINES {
        for case in &cases {
            let mut judge = Judge::new(line);
            for (at, value) in encoded(line, case).into_iter().enumerate() {
                if let Err(fault) = judge.check(value.clone()) {
                    panic!("{line:?}, event {at}: {fault:?} in {value}");
                }
            }
        }
    }
}

#[test]
fn what_is_left_as_it_is_is_refused_by_every_line() {
    for line in LINES {
        let mut judge = Judge::new(line);
        assert!(everything().into_iter().any(|value| judge.check(value).is_err()), "{line:?}");
    }
}

#[test]
fn an_input_has_every_member_that_a_client_insists_on() {
    let out = encoded(Line::UNSTATED, &everything());
    let input = &out[0]["input"];
    assert_eq!((&input["tools"], &input["context"]), (&json!([]), &json!([])));
    assert_eq!((&input["state"], &input["forwardedProps"]), (&json!({}), &json!({})));
    assert!(out[0].get("protocolVersion").is_none());
    assert!(encoded(Line::stated(36), &everything())[0].get("input").is_none());
}

#[test]
fn ends_other_than_questions_have_no_outcome() {
    for outcome in [json!({ "type": "success" }), json!({ "type": "cancelled" })] {
        for line in LINES {
            let out = encoded(line, &[started(), finished(Some(outcome.clone()))]);
            assert_eq!(out[1], finished(None), "{line:?}");
        }
    }
}

#[test]
fn a_question_comes_in_every_form_that_somebody_may_look_for() {
    let schema = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    let asked = json!({ "id": "q", "reason": "tool_call", "message": "May I?", "responseSchema": schema });
    let stream = [started(), finished(Some(json!({ "type": "interrupt", "interrupts": [asked] })))];
    let out = encoded(Line::UNSTATED, &stream);
    assert_eq!(types(&out), ["RUN_STARTED", "CUSTOM", "RUN_FINISHED"]);
    assert_eq!(out[1]["name"], "on_interrupt");
    let sent: Value = serde_json::from_str(out[1]["value"].as_str().expect("a text")).expect("JSON");
    assert_eq!(sent, out[2]["outcome"]["interrupts"][0]);
    assert!(sent["responseSchema"].get("additionalProperties").is_none());

    let out = encoded(Line::stated(53), &stream);
    let expected = [
        "RUN_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "CUSTOM",
        "RUN_FINISHED",
    ];
    assert_eq!(types(&out), expected);
    assert_eq!(out[2]["delta"], "May I?");
    assert!(out[5].get("outcome").is_none());
}

#[test]
fn reasoning_of_two_agents_comes_one_after_the_other_where_it_has_no_ids() {
    let out = encoded(Line::stated(44), &everything());
    let thoughts: Vec<_> = out
        .iter()
        .filter(|value| {
            types(&out).contains(&"THINKING_START")
                && value["type"].as_str().is_some_and(|kind| kind.starts_with("THINKING_"))
        })
        .collect();
    let said: Vec<_> = thoughts.iter().filter_map(|value| value["delta"].as_str()).collect();
    assert_eq!(said, ["one", "two"]);
    let kinds: Vec<_> = thoughts.iter().filter_map(|value| value["type"].as_str()).collect();
    let span = [
        "THINKING_START",
        "THINKING_TEXT_MESSAGE_START",
        "THINKING_TEXT_MESSAGE_CONTENT",
        "THINKING_TEXT_MESSAGE_END",
        "THINKING_END",
    ];
    assert_eq!(kinds, [span, span].concat());
}

#[test]
fn reasoning_that_is_open_ends_before_its_run() {
    let open = [
        started(),
        json!({ "type": "REASONING_START", "messageId": "s" }),
        json!({ "type": "REASONING_MESSAGE_START", "messageId": "m", "role": "reasoning" }),
        json!({ "type": "RUN_ERROR", "message": "broken" }),
    ];
    let out = encoded(Line::stated(44), &open);
    let ends = ["THINKING_TEXT_MESSAGE_END", "THINKING_END", "RUN_ERROR"];
    assert_eq!(types(&out)[3..], ends);
}

#[test]
fn nothing_comes_between_the_pieces_of_a_text_where_only_one_thing_is_open() {
    let out = encoded(Line::stated(36), &everything());
    let kinds = types(&out);
    let begin = kinds.iter().position(|kind| *kind == "TEXT_MESSAGE_START").expect("it begins");
    assert_eq!(
        kinds[begin..begin + 4],
        ["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "STATE_DELTA"]
    );
    assert_eq!(kinds[begin + 4..begin + 7], ["TOOL_CALL_START", "TOOL_CALL_ARGS", "TOOL_CALL_END"]);
}

#[test]
fn a_failure_ends_what_is_open_and_what_waited() {
    let stream = [
        started(),
        text("a")[0].clone(),
        text("b")[0].clone(),
        text("b")[1].clone(),
        json!({ "type": "RUN_ERROR", "message": "broken" }),
    ];
    let out = encoded(Line::stated(36), &stream);
    let ids: Vec<_> = out
        .iter()
        .map(|value| (value["type"].as_str().unwrap_or_default(), value["messageId"].as_str()))
        .collect();
    assert_eq!(
        ids,
        [
            ("RUN_STARTED", None),
            ("TEXT_MESSAGE_START", Some("a")),
            ("TEXT_MESSAGE_END", Some("a")),
            ("TEXT_MESSAGE_START", Some("b")),
            ("TEXT_MESSAGE_CONTENT", Some("b")),
            ("TEXT_MESSAGE_END", Some("b")),
            ("RUN_ERROR", None),
        ]
    );
}

#[test]
fn changes_of_an_activity_come_as_one_snapshot_of_it() {
    let mut encoder = Encoder::new(Line::UNSTATED);
    let mut texts = Vec::new();
    for event in events(&everything()) {
        encoder.take(&event, &event.to_json().into(), &mut texts);
    }
    let out: Vec<Value> = texts.iter().map(|text| serde_json::from_slice(text).expect("JSON")).collect();
    let drawn: Vec<_> = out.iter().filter(|value| value["type"] == "ACTIVITY_SNAPSHOT").collect();
    assert_eq!(drawn.len(), 2);
    assert_eq!(drawn[1]["content"], json!({ "n": 2, "m": 3 }));
    assert!(!types(&out).contains(&"ACTIVITY_DELTA"));
}

#[test]
fn a_change_of_an_activity_that_is_not_known_stays_a_change() {
    let delta = json!({ "type": "ACTIVITY_DELTA", "messageId": "x", "activityType": "PLAN", "patch": [] });
    assert_eq!(encoded(Line::UNSTATED, std::slice::from_ref(&delta)), [delta]);
}

#[test]
fn what_a_line_cannot_show_comes_whole_for_those_who_look_for_it() {
    let subagent = json!({ "type": "SUBAGENT_STARTED", "subagentRunId": "s", "name": "one" });
    let out = encoded(Line::UNSTATED, std::slice::from_ref(&subagent));
    assert_eq!(out, [json!({ "type": "RAW", "source": "ag-ui/1.0", "event": subagent })]);
    assert_eq!(encoded(Line::stated(59), std::slice::from_ref(&subagent)), [subagent]);
}

#[test]
fn a_snapshot_that_repeats_what_the_client_has_is_left_out() {
    let history = json!({ "id": "u", "role": "user", "content": "Hi" });
    let said = json!({ "id": "a", "role": "assistant", "content": "Hello" });
    let snapshot = |messages: Value| json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages });
    let stream = |messages: Value| [vec![started()], text("a").to_vec(), vec![snapshot(messages)]].concat();
    let seen = |known: Option<Value>, messages: Value| {
        let known = known.map(|message| vec![serde_json::from_value(message).expect("a message")]);
        let out = Encoder::after(Line::UNSTATED, known).encode(&events(&stream(messages)));
        types(&out).contains(&"MESSAGES_SNAPSHOT")
    };
    let both = json!([history.clone(), said.clone()]);
    assert!(!seen(Some(history.clone()), both.clone()), "it says nothing new");
    assert!(seen(None, both), "it may say something new");
    assert!(seen(Some(history), json!([said])), "it takes something away");
}

#[test]
fn a_question_shown_as_text_is_in_every_snapshot_behind_the_message_that_it_followed() {
    let message = |id: &str| json!({ "id": id, "role": "user", "content": "Hi" });
    let asked = |id: &str| json!({ "id": id, "reason": "confirmation", "message": "Really?" });
    let snapshot = |messages: Value| json!({ "type": "MESSAGES_SNAPSHOT", "messages": messages });
    let stream = [
        started(),
        snapshot(json!([message("u1"), message("u2")])),
        finished(Some(json!({ "type": "interrupt", "interrupts": [asked("a"), asked("b")] }))),
        started(),
        snapshot(json!([message("u1"), message("u2"), message("u3")])),
        snapshot(json!([message("u1")])),
        finished(None),
    ];
    let ids = |line: Line| -> Vec<Vec<String>> {
        let out = encoded(line, &stream);
        let snapshots = out.iter().filter(|value| value["type"] == "MESSAGES_SNAPSHOT");
        let id = |message: &Value| message["id"].as_str().unwrap_or_default().to_owned();
        snapshots
            .map(|value| value["messages"].as_array().expect("a list").iter().map(id).collect())
            .collect()
    };
    let (a, b) = ("forestage-question-a", "forestage-question-b");
    let expected = [vec!["u1", "u2"], vec!["u1", "u2", a, b, "u3"], vec!["u1"]];
    assert_eq!(ids(Line::stated(53)), expected);
    assert_eq!(ids(Line::stated(54))[1], ["u1", "u2", "u3"], "who reads outcomes is shown no text");
}

#[test]
fn a_question_without_a_message_before_it_is_in_the_prelude() {
    let finished = |id: &str| {
        let asked = json!({ "id": id, "reason": "confirmation", "message": "Really?" });
        events(&[finished(Some(json!({ "type": "interrupt", "interrupts": [asked] })))])
    };
    let mut finder = Finder::default();
    events(&[started()]).iter().chain(&finished("a")).for_each(|event| finder.take(event));
    let mut encoder = Encoder::new(Line::stated(53)).with_questions(finder.into_questions());
    let prelude = events(&[started(), json!({ "type": "MESSAGES_SNAPSHOT", "messages": [] })]);
    let prelude: Vec<_> = prelude.into_iter().chain(finished("a")).collect();
    let out: Vec<Value> =
        encoder.prelude(&prelude).iter().map(|text| serde_json::from_slice(text).expect("JSON")).collect();
    assert_eq!(types(&out), ["RUN_STARTED", "MESSAGES_SNAPSHOT", "CUSTOM", "RUN_FINISHED"]);
    assert_eq!(out[1]["messages"][0]["content"], "Really?");
}
