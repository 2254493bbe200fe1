//! Contract 000, as far as it is about messages and events: the components themselves are not judged here.

use forestage_protocol::event::Event;
use forestage_server::{Http, Keys};
use serde_json::{Value, json};

use crate::{support::*, wire::*};

const TUTOR: &str = r#"
rules:
  - when: { answers: "its:*" }
    do: [{ text: "You chose {{answer.selected_option_id}}." }]
  - when: { says: "*quiz*" }
    do:
      - text: Here is a question.
      - tool:
          name: "its:render_quick_quiz"
          args:
            quiz_id: quiz_capital_france_001
            question_text: What is the capital of France?
            options: [{ id: option_paris, text: Paris }, { id: option_london, text: London }]
            quiz_type: single-select-mcq
          chunk: 5
  - when: { says: "*new component*" }
    do: [{ tool: { name: "its:render_hologram", args: { beam: 1 } } }]
  - when: { says: "*state*" }
    do: [{ state: { topic: capitals, score: 0 } }, { patch: [{ op: replace, path: /score, value: 1 }] }]
  - when: { says: "*fail*" }
    do: [{ error: { message: No lesson today, code: closed } }]
  - do: [{ text: "Hello {{user}}" }]
"#;

async fn tutor() -> Running {
    serve_script(TUTOR, Keys::default(), Http::default()).await
}

fn says(thread: &str, run: &str, text: &str) -> Value {
    json!({ "thread_id": thread, "run_id": run, "messages": [user(run, text)], "tools": [], "context": [], "state": {} })
}

fn answer(role: &str, call: &Value) -> Value {
    json!({
        "id": "msg-tool-resp-002",
        "role": role,
        "tool_call_id": call,
        "name": "its:render_quick_quiz",
        "content": "{\"selected_option_id\": \"option_paris\"}",
    })
}

async fn quiz(server: &Running) -> (Vec<Value>, Value) {
    let frames = stream(server, "/awp", &says("t1", "r1", "quiz me")).await;
    let call = of(&frames, "TOOL_CALL_START")[0]["toolCallId"].clone();
    (frames, call)
}

#[tokio::test]
async fn typed_text_is_answered_with_standard_events_as_an_event_stream() {
    let server = tutor().await;
    let response = reqwest::Client::new()
        .post(format!("http://{}/awp", server.address))
        .json(&json!({ "thread_id": "t1", "messages": [user("msg-user-text-001", "Paris?")] }))
        .send()
        .await
        .unwrap();
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let frames = sse(&response.text().await.unwrap());
    judge("its", &frames);
    let mut kinds = kinds(&frames);
    kinds.dedup();
    assert_eq!(
        kinds,
        ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"]
    );
    assert_eq!(text(&frames), "Hello Paris?");
}

/// Every event as AG-UI has it, without anything more, and with ids that belong together.
#[tokio::test]
async fn events_have_the_payloads_of_ag_ui_and_belong_together() {
    let server = tutor().await;
    let mut frames = stream(&server, "/awp", &says("t1", "r1", "quiz me")).await;
    let start = of(&frames, "TEXT_MESSAGE_START")[0].clone();
    // An agent's message need not say so.
    assert!(start.get("role").is_none_or(|role| role == "assistant"), "{start}");
    for kind in ["TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END"] {
        assert!(of(&frames, kind).iter().all(|frame| frame["messageId"] == start["messageId"]), "{kind}");
    }
    let call = of(&frames, "TOOL_CALL_START")[0]["toolCallId"].clone();
    for kind in ["TOOL_CALL_ARGS", "TOOL_CALL_END"] {
        let found = of(&frames, kind);
        assert!(!found.is_empty() && found.iter().all(|frame| frame["toolCallId"] == call), "{kind}");
    }
    for kind in ["RUN_STARTED", "RUN_FINISHED"] {
        let [frame] = of(&frames, kind)[..] else { panic!("one {kind}") };
        assert_eq!((&frame["threadId"], &frame["runId"]), (&json!("t1"), &json!("r1")), "{kind}");
    }
    frames.extend(stream(&server, "/awp", &says("t2", "r2", "state")).await);
    let patch = json!([{ "op": "replace", "path": "/score", "value": 1 }]);
    assert_eq!(of(&frames, "STATE_DELTA")[0]["delta"], patch);
    frames.extend(stream(&server, "/awp", &says("t3", "r3", "fail")).await);
    assert_eq!(of(&frames, "RUN_ERROR")[0]["message"], "No lesson today");
    for frame in &frames {
        let event = Event::from_json(&frame.to_string()).unwrap_or_else(|fault| panic!("{fault:?}: {frame}"));
        let written: Value = serde_json::from_str(&event.to_json()).unwrap();
        assert_eq!(written, *frame, "nothing that AG-UI does not know");
    }
}

#[tokio::test]
async fn every_component_has_an_id_of_its_own() {
    let server = tutor().await;
    let mut ids = std::collections::BTreeSet::new();
    for (thread, run) in [("t1", "r1"), ("t1", "r2"), ("t2", "r3")] {
        let frames = stream(&server, "/awp", &says(thread, run, "quiz me")).await;
        assert!(ids.insert(of(&frames, "TOOL_CALL_START")[0]["toolCallId"].to_string()), "{ids:?}");
    }
}

#[tokio::test]
async fn states_and_errors_are_the_standard_events() {
    let server = tutor().await;
    let frames = stream(&server, "/awp", &says("t1", "r1", "state")).await;
    judge("its", &frames);
    assert_eq!(of(&frames, "STATE_SNAPSHOT")[0]["snapshot"], json!({ "topic": "capitals", "score": 0 }));
    assert_eq!(of(&frames, "STATE_DELTA")[0]["delta"][0]["path"], "/score");
    let frames = stream(&server, "/awp", &says("t1", "r2", "fail")).await;
    judge("its", &frames);
    let last = frames.last().unwrap();
    assert_eq!((&last["type"], &last["code"]), (&json!("RUN_ERROR"), &json!("closed")));
}

#[tokio::test]
async fn a_component_is_a_call_whose_pieces_make_one_object() {
    let server = tutor().await;
    let (frames, call) = quiz(&server).await;
    judge("its", &frames);
    let start = of(&frames, "TOOL_CALL_START")[0];
    assert_eq!(start["toolCallName"], "its:render_quick_quiz", "a colon is fine in a name");
    let pieces = of(&frames, "TOOL_CALL_ARGS");
    assert!(pieces.len() > 10, "pieces may be cut anywhere");
    let arguments: String = pieces.iter().map(|piece| piece["delta"].as_str().unwrap()).collect();
    let arguments: Value = serde_json::from_str(&arguments).unwrap();
    let expected = json!({
        "quiz_id": "quiz_capital_france_001",
        "question_text": "What is the capital of France?",
        "options": [{ "id": "option_paris", "text": "Paris" }, { "id": "option_london", "text": "London" }],
        "quiz_type": "single-select-mcq",
    });
    assert_eq!(arguments, expected);
    let kinds: Vec<_> =
        frames.iter().filter(|frame| frame["toolCallId"] == call).map(|frame| &frame["type"]).collect();
    assert_eq!((kinds[0], kinds.last()), (&json!("TOOL_CALL_START"), Some(&&json!("TOOL_CALL_END"))));
    assert_eq!(kinds.len(), pieces.len() + 2, "every piece is of this call, and none comes after its end");
    assert!(of(&frames, "TOOL_CALL_RESULT").is_empty(), "the person answers");
    assert_eq!(frames.last().unwrap()["outcome"]["pendingToolCallIds"], json!([call]));
}

#[tokio::test]
async fn an_interaction_starts_a_run_as_tool_or_as_user() {
    for role in ["tool", "user"] {
        let server = tutor().await;
        let (_, call) = quiz(&server).await;
        let body = json!({ "thread_id": "t1", "run_id": "r2", "messages": [answer(role, &call)] });
        let frames = stream(&server, "/awp", &body).await;
        judge("its", &frames);
        assert_eq!(text(&frames), "You chose option_paris.");
        let thread = server.stage.thread("local", &"t1".into()).await.unwrap();
        let conversation = server.stage.conversation(&thread, None).await.unwrap();
        let kept = conversation.messages.iter().find(|message| message.role() == "tool").unwrap();
        let kept = serde_json::to_value(kept).unwrap();
        assert_eq!(kept["metadata"]["its"]["name"], "its:render_quick_quiz", "the name is kept");
        assert_eq!(kept["content"], "{\"selected_option_id\": \"option_paris\"}");
        // AG-UI has no name on answers, so its clients see none.
        assert!(kept.get("name").is_none(), "{kept}");
    }
}

#[tokio::test]
async fn the_whole_history_may_come_along_in_snake_case() {
    let server = tutor().await;
    let (_, call) = quiz(&server).await;
    let thread = server.stage.thread("local", &"t1".into()).await.unwrap();
    let conversation = server.stage.conversation(&thread, None).await.unwrap();
    let mut messages = serde_json::to_value(&conversation.messages).unwrap();
    let messages = messages.as_array_mut().unwrap();
    for message in messages.iter_mut().filter_map(Value::as_object_mut) {
        if let Some(calls) = message.remove("toolCalls") {
            message.insert("tool_calls".to_owned(), calls);
        }
    }
    messages.push(answer("tool", &call));
    let body = json!({ "thread_id": "t1", "run_id": "r2", "messages": messages });
    assert_eq!(text(&stream(&server, "/awp", &body).await), "You chose option_paris.");
}

#[tokio::test]
async fn an_answer_that_names_another_component_or_an_unknown_call_is_refused() {
    let server = tutor().await;
    let (_, call) = quiz(&server).await;
    for name in ["its:render_skill_slider", "look_up", ""] {
        let mut other = answer("tool", &call);
        other["name"] = json!(name);
        let (status, told) = post(&server, "/awp", &json!({ "thread_id": "t1", "messages": [other] })).await;
        assert_eq!((status, code(&told).as_str()), (422, "wrong_tool_name"), "{name}");
    }
    let unknown = answer("user", &json!("made_up"));
    let (status, told) = post(&server, "/awp", &json!({ "thread_id": "t1", "messages": [unknown] })).await;
    assert_eq!((status, code(&told).as_str()), (422, "forged_message"), "{told}");
}

#[tokio::test]
async fn an_answer_need_not_name_the_component() {
    let server = tutor().await;
    let (_, call) = quiz(&server).await;
    let mut unnamed = answer("tool", &call);
    unnamed.as_object_mut().unwrap().remove("name");
    let body = json!({ "thread_id": "t1", "run_id": "r2", "messages": [unnamed] });
    assert_eq!(text(&stream(&server, "/awp", &body).await), "You chose option_paris.");
}

/// The examples of the contract have comments, for readers alone.
#[tokio::test]
async fn an_answer_with_a_comment_in_it_is_no_json() {
    let server = tutor().await;
    let (_, call) = quiz(&server).await;
    let mut commented = answer("tool", &call);
    commented["content"] = json!("{\"selected_option_id\": \"option_paris\" // or another\n}");
    let (status, told) = post(&server, "/awp", &json!({ "thread_id": "t1", "messages": [commented] })).await;
    assert_eq!((status, code(&told).as_str()), (422, "invalid_answer"));
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["error"]["faults"][0]["code"], "not_json");
}

/// The page of the web app answers there, with the name.
#[tokio::test]
async fn the_name_on_an_answer_is_kept_and_checked_on_the_door_of_ag_ui_as_well() {
    let server = tutor().await;
    let (_, call) = quiz(&server).await;
    let answer = |run: &str, name: &str| {
        let content = "{\"selected_option_id\": \"option_paris\"}";
        let message =
            json!({ "id": "a", "role": "tool", "toolCallId": call, "name": name, "content": content });
        json!({ "threadId": "t1", "runId": run, "messages": [message] })
    };
    let door = "/v1/agents/general-agent/runs";
    let (status, told) = post(&server, door, &answer("r2", "its:render_skill_slider")).await;
    assert_eq!((status, code(&told).as_str()), (422, "wrong_tool_name"));
    assert_eq!(serde_json::from_str::<Value>(&told).unwrap()["error"]["path"], "messages[0].name");
    let frames = stream(&server, door, &answer("r3", "its:render_quick_quiz")).await;
    assert_eq!(text(&frames), "You chose option_paris.");
    let thread = server.stage.thread("local", &"t1".into()).await.unwrap();
    let conversation = server.stage.conversation(&thread, None).await.unwrap();
    let kept = conversation.messages.iter().find(|message| message.role() == "tool").unwrap();
    let kept = serde_json::to_value(kept).unwrap();
    assert_eq!((&kept["metadata"]["its"]["name"], kept.get("name")), (&json!("its:render_quick_quiz"), None));
}

/// Front ends of other makers have their own idea of a name.
#[tokio::test]
async fn the_name_on_an_answer_to_any_other_tool_decides_nothing() {
    let script =
        "rules: [{ when: { answers: pick }, do: [{ text: Picked }] }, { do: [{ tool: { name: pick } }] }]";
    let server = serve_script(script, Keys::default(), Http::default()).await;
    let frames = stream(&server, "/awp", &says("t1", "r1", "go")).await;
    let call = &of(&frames, "TOOL_CALL_START")[0]["toolCallId"];
    let message = json!({ "id": "a", "role": "tool", "toolCallId": call, "name": "Ada", "content": "red" });
    let body = json!({ "threadId": "t1", "runId": "r2", "messages": [message] });
    assert_eq!(text(&stream(&server, "/v1/agents/general-agent/runs", &body).await), "Picked");
}

#[tokio::test]
async fn a_component_is_answered_once() {
    let server = tutor().await;
    let (_, call) = quiz(&server).await;
    stream(
        &server,
        "/awp",
        &json!({ "thread_id": "t1", "run_id": "r2", "messages": [answer("tool", &call)] }),
    )
    .await;
    let mut again = answer("tool", &call);
    again["id"] = json!("another");
    again["content"] = json!("{\"selected_option_id\":\"option_london\"}");
    let (status, told) =
        post(&server, "/awp", &json!({ "thread_id": "t1", "run_id": "r3", "messages": [again] })).await;
    assert_eq!((status, code(&told).as_str()), (422, "already_answered"), "{told}");
}

#[tokio::test]
async fn the_context_of_the_contract_reaches_the_agent() {
    let server = mirror().await;
    let context = json!([
        { "description": "current_learning_topic", "value": "european_capitals" },
        { "description": "user_skill_level_geography", "value": "beginner" },
        { "description": "user_timezone", "value": "Europe/Paris" },
    ]);
    let mut body = says("t1", "r1", "hi");
    body["context"] = context.clone();
    let frames = stream(&server, "/awp", &body).await;
    assert_eq!(frames.last().unwrap()["result"]["context"], context);
    body["run_id"] = json!("r2");
    body["messages"][0]["id"] = json!("m2");
    body["context"] = json!([{ "description": "user_timezone", "value": 7 }]);
    let (status, told) = post(&server, "/awp", &body).await;
    assert_eq!(status, 422, "a value is text: {told}");
}

#[tokio::test]
async fn a_kind_of_context_that_nobody_knows_yet_reaches_the_agent_beside_the_others() {
    let server = mirror().await;
    let mut body = says("t1", "r1", "hi");
    body["context"] = json!([
        { "description": "user_timezone", "value": "Europe/Paris" },
        { "description": "mood_of_tomorrow", "value": "{\"level\": 3}" },
    ]);
    let frames = stream(&server, "/awp", &body).await;
    assert_eq!(frames.last().unwrap()["result"]["context"], body["context"]);
}

#[tokio::test]
async fn tools_and_state_come_as_in_ag_ui_in_either_spelling() {
    let server = mirror().await;
    let tool = json!({ "name": "its:render_quick_quiz", "description": "A quiz", "parameters": { "type": "object" } });
    for (run, [thread_id, run_id, parent, props]) in [
        ("r1", ["threadId", "runId", "parentRunId", "forwardedProps"]),
        ("r2", ["thread_id", "run_id", "parent_run_id", "forwarded_props"]),
    ] {
        let body = json!({
            thread_id: "t1", run_id: run, parent: null, "messages": [user(run, "hi")],
            "tools": [tool], "state": { "level": 2 }, props: { "theme": "dark" },
        });
        let frames = stream(&server, "/awp", &body).await;
        let input = &frames.last().unwrap()["result"];
        assert_eq!((&input["threadId"], &input["runId"]), (&json!("t1"), &json!(run)));
        assert_eq!((&input["tools"][0], &input["state"]["level"]), (&tool, &json!(2)));
        assert_eq!(input["forwardedProps"]["theme"], "dark");
    }
}

#[tokio::test]
async fn times_may_be_iso_texts_on_the_way_in_and_are_numbers_on_the_way_out() {
    let server = tutor().await;
    let mut message = user("m1", "hi");
    message["timestamp"] = json!("2024-07-30T10:30:00Z");
    let frames = stream(&server, "/awp", &json!({ "thread_id": "t1", "messages": [message] })).await;
    assert!(frames.iter().all(|frame| frame["timestamp"].is_i64()));
    let thread = server.stage.thread("local", &"t1".into()).await.unwrap();
    let conversation = server.stage.conversation(&thread, None).await.unwrap();
    let kept = serde_json::to_value(&conversation.messages[0]).unwrap();
    assert_eq!(kept["metadata"]["its"]["timestamp"], "2024-07-30T10:30:00Z");
}

#[tokio::test]
async fn components_that_nobody_knows_yet_pass_through() {
    let server = tutor().await;
    let frames = stream(&server, "/awp", &says("t1", "r1", "a new component")).await;
    judge("its", &frames);
    assert_eq!(of(&frames, "TOOL_CALL_START")[0]["toolCallName"], "its:render_hologram");
}

#[tokio::test]
async fn a_thread_belongs_to_whoever_began_it() {
    let server = server_for(TUTOR, &["ada", "bob"]).await;
    let body = says("t1", "r1", "hi").to_string();
    assert_eq!(post_as(&server, "/awp", Some("key-ada"), &body).await.0, 200);
    let next = says("t1", "r2", "and me?").to_string();
    let (status, told) = post_as(&server, "/awp", Some("key-bob"), &next).await;
    assert_eq!(status, 404, "{told}");
    code(&told);
    let (status, told) = post_as(&server, "/awp", None, &next).await;
    assert_eq!((status, code(&told).as_str()), (401, "unauthorized"));
}
