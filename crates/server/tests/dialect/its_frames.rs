//! Contract 000, frame by frame and message by message: each as a whole, with ids, texts and times of which no two are the
//! same.

use std::sync::Arc;

use forestage_protocol::event::Event;
use forestage_runtime::{About, Agent, RunContext, agent_fn};
use forestage_server::{
    Http, Keys,
    dialect::{agora, its},
};
use serde_json::{Value, json};

use crate::{support::*, wire::*};

/// One of each event that the contract lists, as an agent says them.
const SPOKEN: [&str; 12] = [
    r#"{"type":"TEXT_MESSAGE_START","messageId":"m-1","role":"assistant"}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m-1","delta":"One, "}"#,
    r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m-1","delta":"two."}"#,
    r#"{"type":"TEXT_MESSAGE_END","messageId":"m-1"}"#,
    r#"{"type":"STATE_SNAPSHOT","snapshot":{"topic":"capitals","score":0}}"#,
    r#"{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/score","value":1},{"op":"add","path":"/mood","value":"calm"}]}"#,
    r#"{"type":"TOOL_CALL_START","toolCallId":"c-1","toolCallName":"its:render_hologram","parentMessageId":"m-1"}"#,
    r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c-1","delta":"{\"beam\":"}"#,
    r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c-1","delta":"[1,"}"#,
    r#"{"type":"TOOL_CALL_ARGS","toolCallId":"c-1","delta":"2]}"}"#,
    r#"{"type":"TOOL_CALL_END","toolCallId":"c-1"}"#,
    r#"{"type":"CUSTOM","name":"applause","value":{"hands":2}}"#,
];

fn speaker() -> Arc<dyn Agent> {
    agent_fn(About::new("says one of each"), |ctx: RunContext| async move {
        if ctx.last_user_text().unwrap_or_default() == "fail" {
            return Err(forestage_runtime::AgentError::new("closed", "No lesson today"));
        }
        for line in SPOKEN {
            ctx.emit(Event::from_json(line)?).await?;
        }
        Ok(())
    })
}

/// Frames without their times, which are whole milliseconds of now and go forward.
fn untimed(frames: &[Value]) -> Vec<Value> {
    let times: Vec<_> = frames.iter().map(|frame| frame["timestamp"].as_i64().unwrap()).collect();
    assert!(times.is_sorted() && times[0] > 1_700_000_000_000, "{times:?}");
    let mut frames = frames.to_vec();
    frames.iter_mut().for_each(|frame| drop(frame.as_object_mut().unwrap().remove("timestamp")));
    frames
}

#[tokio::test]
async fn every_event_is_one_whole_frame_in_the_order_in_which_it_was_said() {
    let server = serve_agent(speaker(), Keys::default(), Http::default()).await;
    let body = json!({ "thread_id": "t-1", "run_id": "r-1", "messages": [user("u-1", "go")] });
    let frames = stream(&server, "/awp", &body).await;
    judge("its", &frames);
    let mut frames = untimed(&frames);
    let end = frames.pop().unwrap();
    let outcome = json!({ "type": "success", "pendingToolCallIds": ["c-1"] });
    assert_eq!(end, json!({ "type": "RUN_FINISHED", "threadId": "t-1", "runId": "r-1", "outcome": outcome }));
    let start = frames.remove(0);
    let named = json!({ "type": "RUN_STARTED", "threadId": "t-1", "runId": "r-1" });
    for (name, value) in named.as_object().unwrap() {
        assert_eq!(start[name], *value, "{start}");
    }
    assert_eq!(start["input"]["messages"], json!([user("u-1", "go")]), "{start}");
    let expected: Vec<Value> = SPOKEN.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(frames, expected);
    let body = json!({ "thread_id": "t-2", "run_id": "r-2", "messages": [user("u-2", "fail")] });
    let frames = untimed(&stream(&server, "/awp", &body).await);
    let error = json!({ "type": "RUN_ERROR", "message": "No lesson today", "code": "closed" });
    assert_eq!((frames.len(), &frames[0]["type"], &frames[1]), (2, &json!("RUN_STARTED"), &error));
}

#[tokio::test]
async fn every_member_of_an_input_reaches_the_agent_in_either_spelling() {
    let tools = json!([
        { "name": "its:render_quick_quiz", "description": "A quiz", "parameters": { "type": "object", "required": ["quiz_id"] } },
        { "name": "locate", "description": "Where?", "parameters": { "type": "object" } },
    ]);
    let context = json!([{ "description": "user_timezone", "value": "Europe/Paris" }, { "description": "user_timezone", "value": "UTC" }]);
    for [thread_id, run_id, parent, props] in [
        ["threadId", "runId", "parentRunId", "forwardedProps"],
        ["thread_id", "run_id", "parent_run_id", "forwarded_props"],
    ] {
        let server = mirror().await;
        let first = json!({ thread_id: "t-1", run_id: "r-1", "messages": [user("u-1", "hi")] });
        stream(&server, "/awp", &first).await;
        let body = json!({
            thread_id: "t-1",
            run_id: "r-2",
            parent: "r-1",
            "messages": [user("u-2", "and on")],
            "tools": tools,
            "context": context,
            "state": { "my_level": 2, "deep": { "run_id": "mine" } },
            props: { "my_theme": "dark" },
        });
        let frames = stream(&server, "/awp", &body).await;
        let input = &frames.last().unwrap()["result"];
        let expected = json!({
            "threadId": "t-1",
            "runId": "r-2",
            "parentRunId": "r-1",
            "tools": tools,
            "context": context,
            "state": { "my_level": 2, "deep": { "run_id": "mine" } },
            "forwardedProps": { "my_theme": "dark" },
        });
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(input[name], *value, "{name} in {input}");
        }
        assert_eq!(input["messages"].as_array().unwrap().last(), Some(&user("u-2", "and on")));
        let snake: Vec<_> = input.as_object().unwrap().keys().filter(|name| name.contains('_')).collect();
        assert!(snake.is_empty(), "{snake:?}");
    }
}

/// Frames of a stream are lines of data with a blank line behind each, and nothing else is in them but comments and places.
#[tokio::test]
async fn a_stream_is_frames_of_data_with_a_blank_line_behind_each() {
    let server = serve_agent(speaker(), Keys::default(), Http::default()).await;
    let body = json!({ "thread_id": "t-1", "run_id": "r-1", "messages": [user("u-1", "go")] });
    let (status, text) = post(&server, "/awp", &body).await;
    assert_eq!(status, 200);
    assert!(text.ends_with("\n\n"), "{text:?}");
    let mut kinds = Vec::new();
    for frame in text.split("\n\n").filter(|frame| !frame.is_empty() && !frame.starts_with(':')) {
        let lines: Vec<_> = frame.lines().filter(|line| !line.starts_with("id: ")).collect();
        let [line] = lines[..] else { panic!("one line of data: {frame:?}") };
        let event: Value = serde_json::from_str(line.strip_prefix("data: ").unwrap()).unwrap();
        kinds.push(event["type"].as_str().unwrap().to_owned());
    }
    let spoken = SPOKEN
        .iter()
        .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].as_str().unwrap().to_owned());
    let expected: Vec<_> =
        ["RUN_STARTED".to_owned()].into_iter().chain(spoken).chain(["RUN_FINISHED".to_owned()]).collect();
    assert_eq!(kinds, expected);
}

#[tokio::test]
async fn events_come_while_the_run_goes_on() {
    let go = Arc::new(tokio::sync::Notify::new());
    let waits = go.clone();
    let agent = agent_fn(About::new("takes its time"), move |ctx: RunContext| {
        let waits = waits.clone();
        async move {
            let text = ctx.text()?;
            text.push("One ").await?;
            waits.notified().await;
            text.push("two.").await?;
            Ok(())
        }
    });
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    let body = json!({ "thread_id": "t-1", "run_id": "r-1", "messages": [user("u-1", "go")] });
    let request = reqwest::Client::new().post(format!("http://{}/awp", server.address)).json(&body);
    let mut response = request.send().await.unwrap();
    let mut seen = String::new();
    while text(&sse(&seen)).is_empty() {
        let piece = tokio::time::timeout(PATIENCE, response.chunk()).await.expect("a piece in time").unwrap();
        seen.push_str(std::str::from_utf8(&piece.expect("it goes on")).unwrap());
    }
    assert_eq!(text(&sse(&seen)), "One ", "the rest has not been said");
    go.notify_one();
    while let Some(piece) =
        tokio::time::timeout(PATIENCE, response.chunk()).await.expect("a piece in time").unwrap()
    {
        seen.push_str(std::str::from_utf8(&piece).unwrap());
    }
    let frames = sse(&seen);
    assert_eq!(
        (text(&frames).as_str(), &frames.last().unwrap()["type"]),
        ("One two.", &json!("RUN_FINISHED"))
    );
}

/// The same input in both spellings, with everything that an input can have.
fn spellings() -> [Value; 2] {
    let camel = json!({
        "threadId": "t-1",
        "runId": "r-2",
        "parentRunId": "r-1",
        "forwardedProps": { "my_theme": 1 },
        "context": [{ "description": "my_key", "value": "my_value" }],
        "state": { "my_level": 2 },
        "messages": [
            { "id": "m-1", "role": "user", "content": "my_words" },
            { "id": "m-2", "role": "assistant", "toolCalls": [{ "id": "c-1", "type": "function", "function": { "name": "look_up", "arguments": "{\"my_arg\":1}" }, "encryptedValue": "s-1" }] },
            { "id": "m-3", "role": "tool", "toolCallId": "c-1", "content": "my_result" },
            { "id": "m-4", "role": "activity", "activityType": "MY_PLAN", "content": { "my_step": 1 } },
            { "id": "m-5", "role": "reasoning", "content": "hm", "encryptedValue": "s-2" },
        ],
        "resume": [{ "interruptId": "i-1", "status": "resolved", "payload": { "my_answer": true } }],
    });
    let names = [
        ("threadId", "thread_id"),
        ("runId", "run_id"),
        ("parentRunId", "parent_run_id"),
        ("forwardedProps", "forwarded_props"),
        ("toolCalls", "tool_calls"),
        ("toolCallId", "tool_call_id"),
        ("activityType", "activity_type"),
        ("encryptedValue", "encrypted_value"),
        ("interruptId", "interrupt_id"),
    ];
    let text = names.iter().fold(camel.to_string(), |text, (camel, snake)| {
        let changed = text.replace(&format!("\"{camel}\":"), &format!("\"{snake}\":"));
        assert_ne!(changed, text, "{camel} is there");
        changed
    });
    [camel, serde_json::from_str(&text).unwrap()]
}

#[test]
fn an_input_in_snake_case_says_the_same_as_one_in_camel_case_wherever_a_member_stands() {
    let [camel, snake] = spellings();
    let read = |input: &Value| serde_json::to_value(its::decode(&input.to_string()).unwrap()).unwrap();
    assert_eq!(read(&camel), camel, "nothing is lost");
    assert_eq!(read(&snake), camel);
    for (input, expected) in [(&camel, &camel), (&snake, &camel)] {
        let Ok(agora::Frame::Run(input)) = agora::decode(&input.to_string()) else { panic!("{input}") };
        assert_eq!(serde_json::to_value(&*input).unwrap(), *expected, "AGORA reads both, too");
    }
}

/// Shows two components at once, and tells what came back as the messages that it was given.
fn two() -> Arc<dyn Agent> {
    agent_fn(About::new("shows two components"), |ctx: RunContext| async move {
        let messages = serde_json::to_value(ctx.messages()).unwrap_or_default();
        let answers: Vec<_> =
            messages.as_array().into_iter().flatten().filter(|it| it["role"] == "tool").cloned().collect();
        if !answers.is_empty() {
            ctx.set_result(&answers)?;
            return Ok(());
        }
        let quiz = json!({
            "quiz_id": "q-1", "question_text": "Which?", "correct_answer_id_for_fe_feedback": "b",
            "options": [{ "id": "a", "text": "A" }, { "id": "b", "text": "B" }],
        });
        let slider = json!({ "skill_id": "s-1", "skill_name": "S", "prompt_text": "How?", "min_value": 1, "max_value": 5 });
        ctx.call_client_tool("its:render_quick_quiz", &quiz).await?;
        ctx.call_client_tool("its:render_skill_slider", &slider).await?;
        Ok(())
    })
}

async fn shown(server: &Running, thread: &str) -> [Value; 2] {
    let body =
        json!({ "thread_id": thread, "run_id": format!("{thread}-r1"), "messages": [user("u-1", "go")] });
    let frames = stream(server, "/awp", &body).await;
    judge("its", &frames);
    let calls: Vec<_> =
        of(&frames, "TOOL_CALL_START").iter().map(|frame| frame["toolCallId"].clone()).collect();
    let names: Vec<_> =
        of(&frames, "TOOL_CALL_START").iter().map(|frame| frame["toolCallName"].clone()).collect();
    assert_eq!(names, ["its:render_quick_quiz", "its:render_skill_slider"]);
    assert_eq!(frames.last().unwrap()["outcome"]["pendingToolCallIds"], json!(calls), "in their order");
    for call in &calls {
        let own = |frame: &&Value| frame["toolCallId"] == *call;
        let kinds: Vec<_> = frames.iter().filter(own).map(|frame| frame["type"].as_str().unwrap()).collect();
        assert_eq!((kinds[0], *kinds.last().unwrap()), ("TOOL_CALL_START", "TOOL_CALL_END"));
        assert!(kinds[1..kinds.len() - 1].iter().all(|kind| *kind == "TOOL_CALL_ARGS") && kinds.len() > 2);
    }
    assert_ne!(calls[0], calls[1]);
    calls.try_into().unwrap()
}

fn answer(id: &str, role: &str, call: &Value, name: &str, content: &str) -> Value {
    json!({ "id": id, "role": role, "tool_call_id": call, "name": name, "content": content })
}

#[tokio::test]
async fn each_of_two_components_is_answered_by_the_message_that_names_its_call() {
    for role in ["tool", "user"] {
        let server = serve_agent(two(), Keys::default(), Http::default()).await;
        let [quiz, slider] = shown(&server, "t-1").await;
        let chosen = "{\"selected_option_id\":  \"a\"}";
        let rated = "{\"skill_id\": \"s-1\", \"selected_value\": 4}";
        let messages = [
            answer("a-2", role, &slider, "its:render_skill_slider", rated),
            answer("a-1", role, &quiz, "its:render_quick_quiz", chosen),
        ];
        let body = json!({ "thread_id": "t-1", "run_id": "t-1-r2", "messages": messages });
        let frames = stream(&server, "/awp", &body).await;
        judge("its", &frames);
        let mut told = frames.last().unwrap()["result"].take_array();
        told.sort_by_key(|message| message["id"].to_string());
        let kept = |id: &str, call: &Value, content: &str, metadata: Value| json!({ "id": id, "role": "tool", "toolCallId": call, "content": content, "metadata": metadata });
        let check = json!({ "check": { "correct": false, "right": 0, "total": 1 } });
        let expected = [
            kept(
                "a-1",
                &quiz,
                chosen,
                json!({ "its": { "name": "its:render_quick_quiz" }, "forestage": check }),
            ),
            kept("a-2", &slider, rated, json!({ "its": { "name": "its:render_skill_slider" } })),
        ];
        assert_eq!(told, expected, "{role}");
    }
}

#[tokio::test]
async fn an_answer_is_held_against_the_call_that_it_names_and_no_other() {
    let server = serve_agent(two(), Keys::default(), Http::default()).await;
    let [quiz, slider] = shown(&server, "t-1").await;
    let chosen = "{\"selected_option_id\":\"b\"}";
    let rated = "{\"skill_id\":\"s-1\",\"selected_value\":4}";
    for (message, code, path) in [
        (
            answer("a", "tool", &slider, "its:render_quick_quiz", chosen),
            "wrong_tool_name",
            "messages[0].name",
        ),
        (answer("a", "user", &quiz, "its:render_skill_slider", rated), "wrong_tool_name", "messages[0].name"),
        (
            answer("a", "tool", &slider, "its:render_skill_slider", chosen),
            "invalid_answer",
            "messages[0].content",
        ),
        (answer("a", "user", &quiz, "its:render_quick_quiz", rated), "invalid_answer", "messages[0].content"),
        (
            answer("a", "tool", &json!("c-9"), "its:render_quick_quiz", chosen),
            "forged_message",
            "messages[0].toolCallId",
        ),
        (
            answer("a", "user", &json!("c-9"), "its:render_quick_quiz", chosen),
            "forged_message",
            "messages[0].toolCallId",
        ),
    ] {
        let body = json!({ "thread_id": "t-1", "messages": [message] });
        let (status, told) = post(&server, "/awp", &body).await;
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!(
            (status, &told["error"]["code"], &told["error"]["path"]),
            (422, &json!(code), &json!(path)),
            "{body}"
        );
    }
    let both = [
        answer("a", "tool", &quiz, "its:render_quick_quiz", chosen),
        answer("b", "tool", &slider, "its:render_quick_quiz", rated),
    ];
    let (_, told) = post(&server, "/awp", &json!({ "thread_id": "t-1", "messages": both })).await;
    let told: Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["error"]["path"], "messages[1].name", "each of several answers is checked: {told}");
    // Whoever answers one of them can answer the other one later, and no answer is lost.
    let [quiz, slider] = shown(&server, "t-2").await;
    let first = answer("a-1", "tool", &slider, "its:render_skill_slider", rated);
    let frames = stream(&server, "/awp", &json!({ "thread_id": "t-2", "messages": [first] })).await;
    let told = frames.last().unwrap()["result"].take_array();
    assert_eq!(told.iter().map(|it| &it["toolCallId"]).collect::<Vec<_>>(), [&slider], "{told:?}");
    let second = answer("a-2", "tool", &quiz, "its:render_quick_quiz", chosen);
    let frames = stream(&server, "/awp", &json!({ "thread_id": "t-2", "messages": [second] })).await;
    let told = frames.last().unwrap()["result"].take_array();
    assert_eq!(told.iter().map(|it| &it["toolCallId"]).collect::<Vec<_>>(), [&slider, &quiz], "{told:?}");
}

trait TakeArray {
    fn take_array(&self) -> Vec<Value>;
}

impl TakeArray for Value {
    fn take_array(&self) -> Vec<Value> {
        self.as_array().unwrap_or_else(|| panic!("a list: {self}")).clone()
    }
}

#[tokio::test]
async fn a_time_on_a_message_is_kept_as_it_was_written_whoever_sends_it() {
    let server = serve_agent(two(), Keys::default(), Http::default()).await;
    let [quiz, _] = shown(&server, "t-1").await;
    for (at, time) in ["2024-07-30T10:30:00Z", "2024-07-30T12:30:00.250+02:00"].into_iter().enumerate() {
        let thread = format!("typed-{at}");
        let mut message = user("u-1", "hi");
        message["timestamp"] = json!(time);
        stream(&server, "/awp", &json!({ "thread_id": thread, "messages": [message] })).await;
        let thread = server.stage.thread("local", &thread.as_str().into()).await.unwrap();
        let kept = server.stage.conversation(&thread, None).await.unwrap().messages;
        let kept = serde_json::to_value(&kept[0]).unwrap();
        let expected = json!({ "id": "u-1", "role": "user", "content": "hi", "metadata": { "its": { "timestamp": time } } });
        assert_eq!(kept, expected);
    }
    let time = "2024-07-30T10:31:00Z";
    let mut message = answer("a-1", "user", &quiz, "its:render_quick_quiz", "{\"selected_option_id\":\"b\"}");
    message["timestamp"] = json!(time);
    let frames = stream(&server, "/awp", &json!({ "thread_id": "t-1", "messages": [message] })).await;
    assert!(frames.iter().all(|frame| frame["timestamp"].is_i64()), "events have numbers");
    let told = &frames.last().unwrap()["result"][0]["metadata"]["its"];
    assert_eq!(*told, json!({ "name": "its:render_quick_quiz", "timestamp": time }));
}

#[tokio::test]
async fn a_thread_is_nobody_elses_whatever_they_do_with_its_id() {
    let script = "rules: [{ do: [{ text: \"Hello {{user}}\" }] }]";
    let server = server_for(script, &["ada", "bob"]).await;
    let body = |thread: &str, run: &str, text: &str| {
        json!({ "thread_id": thread, "run_id": run, "messages": [user(run, text)] }).to_string()
    };
    let said = |thread: &'static str, who: &'static str| {
        let stage = server.stage.clone();
        async move {
            let thread = stage.thread(who, &thread.into()).await.ok()?;
            let messages =
                serde_json::to_value(&stage.conversation(&thread, None).await.ok()?.messages).ok()?;
            Some(messages.as_array()?.iter().map(|it| it["content"].clone()).collect::<Vec<_>>())
        }
    };
    for (who, thread, run, text, status) in [
        (Some("key-ada"), "ada-1", "r1", "one", 200),
        (Some("key-bob"), "ada-1", "r2", "two", 404),
        (Some("key-bob"), "ada-1", "r1", "one", 404),
        (Some("key-bob"), "bob-1", "r1", "three", 200),
        (Some("key-ada"), "bob-1", "r4", "four", 404),
        (Some("key-eve"), "ada-1", "r5", "five", 401),
        (None, "ada-1", "r6", "six", 401),
        (None, "new", "r7", "seven", 401),
        (Some("key-ada"), "ada-1", "r8", "eight", 200),
    ] {
        assert_eq!(post_as(&server, "/awp", who, &body(thread, run, text)).await.0, status, "{who:?} {text}");
    }
    let ada = ["one", "Hello one", "eight", "Hello eight"].map(|text| json!(text));
    assert_eq!(said("ada-1", "ada").await, Some(ada.to_vec()));
    assert_eq!(said("bob-1", "bob").await, Some(vec![json!("three"), json!("Hello three")]));
    assert_eq!((said("ada-1", "bob").await, said("new", "ada").await), (None, None));
}
