//! Contract 002, frame by frame: everything that a client gets and sends, with all its members.

use std::{collections::HashMap, sync::Arc};

use forestage_protocol::event::Event;
use forestage_runtime::tool::Tools;
use forestage_server::{
    Http, Keys,
    dialect::trainer2::{Decision, Encoder, Frame, Gate, decode},
};
use serde_json::{Value, json};

use crate::{
    support::*,
    trainer2::{agents, coach, run, says, submit},
};

/// The onboarding form of the contract.
fn form() -> Value {
    let field = |name: &str, label: &str| json!({ "type": "field.text", "name": name, "label": label });
    let mut first = field("firstName", "First name");
    first["required"] = json!(true);
    let fields =
        [first, field("lastName", "Last name"), field("goals", "Goals"), field("experience", "Experience")];
    let words = "Tell me a bit about you. You can edit before saving.";
    json!({
        "kind": "a2ui.v1",
        "viewId": "profile_onboarding_v1",
        "title": "New member onboarding",
        "root": { "type": "screen", "children": [
            { "type": "text", "text": words },
            { "type": "form", "id": "profile_onboarding", "submitLabel": "Save profile", "fields": fields },
        ] },
    })
}

/// What is shown when a profile is saved.
fn saved(name: &str) -> Value {
    let words = format!("Your profile is saved, {name}.");
    let root = json!({ "type": "screen", "children": [{ "type": "text", "text": words }] });
    json!({ "kind": "a2ui.v1", "viewId": "profile_saved_v1", "title": "Welcome", "root": root })
}

/// The frames of one run.
struct Of<'r>(&'r str, &'r str);

impl Of<'_> {
    fn frame(&self, kind: &str, more: Value) -> Value {
        let mut frame = json!({ "type": kind, "threadId": self.0, "runId": self.1 });
        frame.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        frame
    }

    fn plain(&self, kind: &str) -> Value {
        self.frame(kind, json!({}))
    }

    fn shows(&self, view: &Value) -> Value {
        self.frame("CUSTOM", json!({ "name": "A2UI_RENDER", "value": { "view": view } }))
    }

    /// What is said, with the id that it was said under.
    fn says(&self, frame: &Value, delta: &str) -> Value {
        assert!(frame["messageId"].as_str().is_some_and(|id| !id.is_empty()), "{frame}");
        self.frame("TEXT_MESSAGE_CHUNK", json!({ "messageId": frame["messageId"], "delta": delta }))
    }

    /// A call from its beginning to its end, with the ids of these frames.
    fn call(
        &self,
        frames: &[Value],
        (name, label): (&str, &str),
        args: &Value,
        result: &Value,
    ) -> [Value; 2] {
        let (id, message) = (&frames[0]["toolCallId"], &frames[1]["messageId"]);
        assert!([id, message].iter().all(|id| id.as_str().is_some_and(|id| !id.is_empty())) && id != message);
        let about = json!({ "toolCallId": id, "toolName": name, "label": label });
        let mut begun = self.frame("TOOL_CALL_STARTED", about.clone());
        begun["args"] = args.clone();
        let mut ended = self.frame("TOOL_CALL_RESULT", about);
        ended["result"] = result.clone();
        ended["content"] = json!(result.to_string());
        ended["messageId"] = message.clone();
        [begun, ended]
    }
}

const GET: (&str, &str) = ("profile_get", "Looking at the profile");
const SAVE: (&str, &str) = ("profile_save", "Saving the profile");

#[tokio::test]
async fn every_frame_of_the_onboarding_is_as_the_contract_has_it() {
    let server = coach().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    let (frames, of) = (run(&mut socket, &says("thread-1", "run-1", "HELLO")).await, Of("thread-1", "run-1"));
    let mut expected = vec![of.plain("RUN_STARTED")];
    expected.extend(of.call(&frames[1..], GET, &json!({}), &json!({ "profile": null })));
    expected.push(of.says(&frames[3], "Nice to meet you. Here is a form."));
    expected.extend([of.shows(&form()), of.plain("RUN_FINISHED")]);
    assert_eq!(frames, expected, "{frames:#?}");

    let values =
        json!({ "firstName": "Ada", "lastName": "Lovelace", "goals": "run far", "experience": "none" });
    let (frames, of) =
        (run(&mut socket, &submit("thread-1", "run-2", &values)).await, Of("thread-1", "run-2"));
    let mut expected = vec![of.plain("RUN_STARTED")];
    expected.extend(of.call(&frames[1..], GET, &json!({}), &json!({ "profile": null })));
    let told = json!({ "ok": true, "profile": values });
    expected.extend(of.call(&frames[3..], SAVE, &json!({ "profile": values }), &told));
    expected.push(of.says(&frames[5], "Saved"));
    expected.extend([of.shows(&saved("Ada")), of.plain("RUN_FINISHED")]);
    assert_eq!(frames, expected, "{frames:#?}");

    for (thread, run_id) in [("thread-1", "run-3"), ("thread-2", "run-4")] {
        let (frames, of) = (run(&mut socket, &says(thread, run_id, "HELLO")).await, Of(thread, run_id));
        let mut expected = vec![of.plain("RUN_STARTED")];
        expected.extend(of.call(&frames[1..], GET, &json!({}), &json!({ "profile": values })));
        expected.push(of.says(&frames[3], "Welcome back, Ada. What shall we train today?"));
        expected.push(of.plain("RUN_FINISHED"));
        assert_eq!(frames, expected, "{frames:#?}");
    }
}

fn answer(kind: &str, gate: &Value) -> Value {
    let mut answer = json!({ "type": kind, "threadId": gate["threadId"], "runId": gate["runId"] });
    if let Some(id) = gate.get("toolCallId") {
        answer["toolCallId"] = id.clone();
    }
    answer
}

/// The next frame.
async fn next(socket: &mut Socket) -> Value {
    socket.next().await
}

#[tokio::test]
async fn every_frame_at_the_gates_is_as_the_contract_has_it() {
    let server = coach().await;
    let mut chat = Socket::open(&server, "/realtime").await;
    run(&mut chat, &says("thread-1", "run-0", "HELLO")).await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    let of = Of("thread-1", "run-1");
    let values = json!({ "firstName": "Ada", "goals": "run" });
    let mut sent = submit("thread-1", "run-1", &values);
    sent["forwardedProps"]["uiContext"]["page"] = json!("coach");
    socket.send(&sent).await;
    let staged = next(&mut socket).await;
    let ui = &sent["forwardedProps"]["uiContext"];
    let payload = json!({ "message": "A2UI_ACTION", "context": { "ui": ui, "state": {} } });
    assert_eq!(staged, of.frame("RUN_STAGED", json!({ "payload": payload })));
    socket.send(&answer("RUN_STAGE_APPROVED", &staged)).await;
    assert_eq!(next(&mut socket).await, of.plain("RUN_STAGE_APPROVED"));
    assert_eq!(next(&mut socket).await, of.plain("RUN_STARTED"));
    let results = [json!({ "profile": null }), json!({ "ok": true, "profile": values })];
    for (tool, args, result) in
        [(GET, json!({}), &results[0]), (SAVE, json!({ "profile": values }), &results[1])]
    {
        let proposed = next(&mut socket).await;
        let id = &proposed["toolCallId"];
        let about = json!({ "toolCallId": id, "toolName": tool.0, "label": tool.1, "args": args });
        assert_eq!(proposed, of.frame("TOOL_CALL_PROPOSED", about));
        socket.send(&answer("TOOL_CALL_APPROVED", &proposed)).await;
        assert_eq!(next(&mut socket).await, of.frame("TOOL_CALL_APPROVED", json!({ "toolCallId": id })));
        let call = [next(&mut socket).await, next(&mut socket).await];
        assert_eq!(call[0]["toolCallId"], *id, "it is the call that was let pass");
        assert_eq!(call, of.call(&call, tool, &args, result));
    }
    let draft = next(&mut socket).await;
    let view = saved("Ada");
    let about = json!({ "draftText": "Saved", "draftA2ui": view });
    assert_eq!(
        draft,
        of.frame("ASSISTANT_DRAFT_PROPOSED", about),
        "the view of an event is in the draft, too"
    );
    socket.send(&answer("ASSISTANT_FINAL_APPROVED", &draft)).await;
    let frames = socket.until("RUN_FINISHED").await;
    let about = json!({ "finalText": "Saved", "finalA2ui": view });
    let expected = [
        of.says(&frames[0], "Saved"),
        of.shows(&view),
        of.frame("ASSISTANT_FINAL_APPROVED", about),
        of.plain("RUN_FINISHED"),
    ];
    assert_eq!(frames, expected, "{frames:#?}");
}

#[tokio::test]
async fn every_frame_of_what_is_refused_or_changed_is_as_the_contract_has_it() {
    let server = coach().await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    let mut sent = says("thread-1", "run-1", "HELLO");
    socket.send(&sent).await;
    let of = Of("thread-1", "run-1");
    let refusal = |kind: &str, gate: &Value, reason: &str| {
        let mut refusal = answer(kind, gate);
        refusal["reason"] = json!(reason);
        refusal
    };
    let staged = next(&mut socket).await;
    socket.send(&refusal("RUN_STAGE_DENIED", &staged, "not today")).await;
    let frames = socket.until("RUN_FINISHED").await;
    let denied = of.frame("RUN_STAGE_DENIED", json!({ "reason": "not today" }));
    assert_eq!(frames, [denied, of.plain("RUN_FINISHED")]);

    sent["runId"] = json!("run-2");
    sent["forwardedProps"] = json!({ "auditPolicy": { "autoApproveStage": true } });
    socket.send(&sent).await;
    let of = Of("thread-1", "run-2");
    let proposed = socket.until("TOOL_CALL_PROPOSED").await.pop().unwrap();
    socket.send(&refusal("TOOL_CALL_DENIED", &proposed, "too early")).await;
    let denied = next(&mut socket).await;
    let about = json!({ "toolCallId": proposed["toolCallId"], "reason": "too early" });
    assert_eq!(denied, of.frame("TOOL_CALL_DENIED", about));
    let result = next(&mut socket).await;
    let content = result["content"].as_str().unwrap();
    let about = json!({
        "toolCallId": proposed["toolCallId"], "toolName": GET.0, "label": GET.1, "messageId": result["messageId"],
        "content": content, "result": serde_json::from_str::<Value>(content).unwrap(),
    });
    assert_eq!(result, of.frame("TOOL_CALL_RESULT", about));
    assert_eq!(result["result"]["error"]["code"], "rejected");
    assert_eq!(next(&mut socket).await, of.plain("RUN_FINISHED"));

    sent["runId"] = json!("run-4");
    sent["forwardedProps"]["auditPolicy"]["autoApproveToolCalls"] = json!(true);
    socket.send(&sent).await;
    let of = Of("thread-1", "run-4");
    let draft = socket.until("ASSISTANT_DRAFT_PROPOSED").await.pop().unwrap();
    socket.send(&refusal("ASSISTANT_FINAL_DENIED", &draft, "not so")).await;
    let frames = socket.until("RUN_FINISHED").await;
    let denied = of.frame("ASSISTANT_FINAL_DENIED", json!({ "reason": "not so" }));
    assert_eq!(frames, [denied, of.plain("RUN_FINISHED")], "nothing of it is shown");

    sent["runId"] = json!("run-3");
    socket.send(&sent).await;
    let of = Of("thread-1", "run-3");
    let draft = socket.until("ASSISTANT_DRAFT_PROPOSED").await.pop().unwrap();
    let mut edited = answer("ASSISTANT_FINAL_APPROVED", &draft);
    edited["finalText"] = json!("Otherwise.");
    edited["finalA2ui"] = view("instead", "x");
    socket.send(&edited).await;
    let frames = socket.until("RUN_FINISHED").await;
    let about = json!({ "finalText": "Otherwise.", "finalA2ui": view("instead", "x") });
    let expected = [
        of.says(&frames[0], "Otherwise."),
        of.shows(&view("instead", "x")),
        of.frame("ASSISTANT_FINAL_APPROVED", about),
        of.plain("RUN_FINISHED"),
    ];
    assert_eq!(frames, expected, "{frames:#?}");
}

/// Words without a view, several messages with views, and events that are nearly the one of the contract.
const SHOWS: &str = r#"
house: { views: true }
rules:
  - when: { says: "*words*" }
    do: [{ text: "Just words." }]
  - when: { says: "*views*" }
    do:
      - custom: { name: A2UI_RENDERED, value: { view: { kind: a2ui.v1 } } }
      - custom: { name: a2ui_render, value: { view: null } }
      - custom: { name: A2UI_ACTION, value: { view: null } }
      - text: "First.\n```a2ui\n{\"kind\":\"a2ui.v1\",\"viewId\":\"one\",\"root\":{\"type\":\"text\",\"text\":\"1\"}}\n```\nBehind."
      - custom: { name: A2UI_RENDER, value: { view: { kind: a2ui.v1, viewId: two, root: { type: text, text: "2" } } } }
      - text: "Second."
      - custom: { name: A2UI_RENDER, value: { view: null, more: [1] } }
      - text: "```a2ui\n{\"kind\":\"a2ui.v1\",\"viewId\":\"three\",\"root\":{\"type\":\"text\",\"text\":\"3\"}}\n```"
"#;

fn view(id: &str, words: &str) -> Value {
    json!({ "kind": "a2ui.v1", "viewId": id, "root": { "type": "text", "text": words } })
}

#[tokio::test]
async fn each_view_is_shown_where_it_stands_and_no_other_event_is_forwarded() {
    let server = serve(agents(&[("coach", SHOWS)]), Keys::default(), "memory:", Http::default()).await;
    let mut socket = Socket::open(&server, "/realtime").await;
    let (frames, of) =
        (run(&mut socket, &says("thread-1", "run-1", "the views")).await, Of("thread-1", "run-1"));
    let expected = [
        of.plain("RUN_STARTED"),
        of.says(&frames[1], "First.\n\nBehind."),
        of.shows(&view("one", "1")),
        of.shows(&view("two", "2")),
        of.says(&frames[4], "Second."),
        of.frame("CUSTOM", json!({ "name": "A2UI_RENDER", "value": { "view": null, "more": [1] } })),
        of.shows(&view("three", "3")),
        of.plain("RUN_FINISHED"),
    ];
    assert_eq!(frames, expected, "{frames:#?}");
    assert_ne!(frames[1]["messageId"], frames[4]["messageId"]);
}

#[tokio::test]
async fn a_draft_has_the_view_that_is_shown_last_and_none_where_there_is_none() {
    let server = serve(agents(&[("coach", SHOWS)]), Keys::default(), "memory:", Http::default()).await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    let policy = json!({ "auditPolicy": { "autoApproveStage": true, "autoApproveToolCalls": true } });
    let mut sent = says("thread-1", "run-1", "words");
    sent["forwardedProps"] = policy;
    socket.send(&sent).await;
    let of = Of("thread-1", "run-1");
    let draft = socket.until("ASSISTANT_DRAFT_PROPOSED").await.pop().unwrap();
    assert_eq!(draft, of.frame("ASSISTANT_DRAFT_PROPOSED", json!({ "draftText": "Just words." })));
    socket.send(&answer("ASSISTANT_FINAL_APPROVED", &draft)).await;
    let frames = socket.until("RUN_FINISHED").await;
    let expected = [
        of.says(&frames[0], "Just words."),
        of.frame("ASSISTANT_FINAL_APPROVED", json!({ "finalText": "Just words." })),
        of.plain("RUN_FINISHED"),
    ];
    assert_eq!(frames, expected);

    (sent["runId"], sent["message"]) = (json!("run-2"), json!("the views"));
    socket.send(&sent).await;
    let of = Of("thread-1", "run-2");
    let draft = socket.until("ASSISTANT_DRAFT_PROPOSED").await.pop().unwrap();
    let (words, last) = ("First.\n\nBehind.\n\nSecond.", view("three", "3"));
    let about = json!({ "draftText": words, "draftA2ui": last });
    assert_eq!(draft, of.frame("ASSISTANT_DRAFT_PROPOSED", about));
    socket.send(&answer("ASSISTANT_FINAL_APPROVED", &draft)).await;
    let frames = socket.until("RUN_FINISHED").await;
    let expected = [
        of.says(&frames[0], "First.\n\nBehind."),
        of.shows(&view("one", "1")),
        of.shows(&view("two", "2")),
        of.says(&frames[3], "Second."),
        of.frame("CUSTOM", json!({ "name": "A2UI_RENDER", "value": { "view": null, "more": [1] } })),
        of.shows(&last),
        of.frame("ASSISTANT_FINAL_APPROVED", json!({ "finalText": words, "finalA2ui": last })),
        of.plain("RUN_FINISHED"),
    ];
    assert_eq!(frames, expected, "{frames:#?}");
}

/// What an agent may say, one behind the other and side by side.
#[test]
fn every_event_of_a_run_is_forwarded_whole_or_not_at_all() {
    let start =
        |id: &str, name: &str| json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name });
    let args = |id: &str, delta: &str| json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": delta });
    let ends = |id: &str| json!({ "type": "TOOL_CALL_END", "toolCallId": id });
    let result = |message: &str, id: &str, content: &str| json!({ "type": "TOOL_CALL_RESULT", "messageId": message, "toolCallId": id, "content": content });
    let begins =
        |id: &str, role: &str| json!({ "type": "TEXT_MESSAGE_START", "messageId": id, "role": role });
    let piece =
        |id: &str, delta: &str| json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": id, "delta": delta });
    let said = |id: &str| json!({ "type": "TEXT_MESSAGE_END", "messageId": id });
    let mut labelled = start("call-2", "write_down");
    labelled["metadata"] = json!({ "label": "Writing it down" });
    let shown = view("one", "1");
    let events = [
        json!({ "type": "RUN_STARTED", "threadId": "thread-1", "runId": "run-1" }),
        json!({ "type": "STEP_STARTED", "stepName": "look" }),
        start("call-1", "look_up"),
        labelled,
        args("call-1", "{\"day\""),
        args("call-2", "{\"page\":"),
        args("call-1", ":1}"),
        args("call-2", "[2]}"),
        ends("call-2"),
        ends("call-1"),
        result("msg-2", "call-2", "Written"),
        result("msg-1", "call-1", "{\"sun\":true}"),
        json!({ "type": "STATE_SNAPSHOT", "snapshot": { "a": 1 } }),
        begins("msg-3", "assistant"),
        begins("msg-4", "assistant"),
        begins("msg-5", "user"),
        piece("msg-3", "Hel"),
        piece("msg-4", "Good"),
        piece("msg-5", "not theirs"),
        piece("msg-3", "lo."),
        said("msg-5"),
        piece("msg-4", "bye."),
        said("msg-4"),
        said("msg-3"),
        json!({ "type": "CUSTOM", "name": "A2UI_RENDER", "value": { "view": shown } }),
        json!({ "type": "CUSTOM", "name": "A2UI_RENDER", "value": {} }),
        json!({ "type": "CUSTOM", "name": "confetti", "value": { "view": shown } }),
        json!({ "type": "RAW", "event": 1 }),
        json!({ "type": "STEP_FINISHED", "stepName": "look" }),
        json!({ "type": "RUN_FINISHED", "threadId": "thread-1", "runId": "run-1", "result": 7 }),
        begins("msg-6", "assistant"),
    ];
    let events = events.map(|event| Event::from_json(&event.to_string()).unwrap());
    let of = Of("thread-1", "run-1");
    let begun = |id: &str, name: &str, label: &str, args: Value| {
        of.frame(
            "TOOL_CALL_STARTED",
            json!({ "toolCallId": id, "toolName": name, "label": label, "args": args }),
        )
    };
    let ended = |id: &str, name: &str, label: &str, more: Value| {
        let mut ended =
            of.frame("TOOL_CALL_RESULT", json!({ "toolCallId": id, "toolName": name, "label": label }));
        ended.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        ended
    };
    let chunk =
        |id: &str, delta: &str| of.frame("TEXT_MESSAGE_CHUNK", json!({ "messageId": id, "delta": delta }));
    let expected = [
        of.plain("RUN_STARTED"),
        begun("call-2", "write_down", "Writing it down", json!({ "page": [2] })),
        begun("call-1", "look_up", "look up", json!({ "day": 1 })),
        ended(
            "call-2",
            "write_down",
            "Writing it down",
            json!({ "result": "Written", "content": "Written", "messageId": "msg-2" }),
        ),
        ended(
            "call-1",
            "look_up",
            "look up",
            json!({ "result": { "sun": true }, "content": "{\"sun\":true}", "messageId": "msg-1" }),
        ),
        chunk("msg-4", "Goodbye."),
        chunk("msg-3", "Hello."),
        of.shows(&shown),
        of.plain("RUN_FINISHED"),
    ];
    let mut encoder = Encoder::new(Arc::new(Tools::new()));
    assert_eq!(encoder.encode(&events, &HashMap::new()), expected);
    assert!(encoder.is_over(), "nothing follows the end");
}

#[test]
fn every_answer_at_a_gate_is_read_with_all_that_it_says() {
    let shown = view("instead", "x");
    for (kind, gate, more, approved, edits) in [
        (
            "RUN_STAGE_APPROVED",
            Gate::Stage,
            json!({ "payloadEdits": { "message": "HELLO", "context": { "ui": { "a": 1 } } } }),
            true,
            Some(json!({ "message": "HELLO", "context": { "ui": { "a": 1 } } })),
        ),
        ("RUN_STAGE_DENIED", Gate::Stage, json!({}), false, None),
        (
            "TOOL_CALL_APPROVED",
            Gate::Tool("call-1".into()),
            json!({ "toolCallId": "call-1", "argsOverride": { "day": 2 } }),
            true,
            Some(json!({ "day": 2 })),
        ),
        ("TOOL_CALL_DENIED", Gate::Tool("call-2".into()), json!({ "toolCallId": "call-2" }), false, None),
        (
            "ASSISTANT_FINAL_APPROVED",
            Gate::Draft,
            json!({ "finalText": "Otherwise", "finalA2ui": shown }),
            true,
            Some(json!({ "text": "Otherwise", "view": shown })),
        ),
        ("ASSISTANT_FINAL_DENIED", Gate::Draft, json!({}), false, None),
    ] {
        let mut frame = json!({ "type": kind, "threadId": "thread-1", "runId": "run-1", "reason": "so" });
        frame.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap());
        let decision = Decision {
            thread_id: "thread-1".into(),
            run_id: Some("run-1".into()),
            gate,
            approved,
            edits,
            reason: Some("so".to_owned()),
        };
        assert_eq!(decode(&frame.to_string(), false).unwrap(), Frame::Decision(decision), "{kind}");
    }
}
