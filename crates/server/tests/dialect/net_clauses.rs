//! Contract 004, clause by clause over `POST /run`: whole frames, several of a kind, and what the agent hears.

use forestage_protocol::message::Message;
use forestage_runtime::{About, Agents, RunContext, agent_fn};
use forestage_server::{Http, Keys};
use serde_json::{Value, json};

use crate::{support::*, wire::*};

const AGENT: &str = r#"
rules:
  - when: { says: "*whole*" }
    do:
      - step: { name: outer, do: [{ step: { name: inner, do: [{ tool: { name: look, args: { day: 1 }, result: { sun: true } } }] } }] }
      - tool: { name: write, args: { page: [2, null] }, result: Written }
      - state: { count: 0, list: [1] }
      - patch: [{ op: replace, path: /count, value: 5 }, { op: add, path: /list/-, value: 2 }]
      - activity: { type: PLAN, id: plan, content: { done: 0 } }
      - activity: { id: plan, patch: [{ op: replace, path: /done, value: 1 }] }
      - custom: { name: confetti, value: [40] }
      - custom: { name: "meta:tag", value: { by: ada } }
      - raw: { type: RAW, event: { anything: 1 }, source: elsewhere }
      - raw: { type: REASONING_START, messageId: span }
      - raw: { type: REASONING_MESSAGE_START, messageId: thought, role: reasoning }
      - raw: { type: REASONING_ENCRYPTED_VALUE, subtype: message, entityId: thought, encryptedValue: sealed }
      - raw: { type: REASONING_MESSAGE_CONTENT, messageId: thought, delta: Hm. }
      - raw: { type: REASONING_MESSAGE_END, messageId: thought }
      - raw: { type: REASONING_END, messageId: span }
      - text: { text: "Done.", chunk: all }
      - result: { answer: 42 }
  - when: { says: "*number*" }
    do: [{ ask: { message: "How many?", schema: { type: number }, answers: [{ do: [{ text: "Counted {{answer}}." }] }] } }]
  - when: { says: "*name*" }
    do: [{ ask: { message: "Which name?", schema: { type: string }, answers: [{ do: [{ text: "Called {{answer}}." }] }] } }]
  - when: { says: "*address*" }
    do:
      - ask:
          message: "Where?"
          schema: { type: object, properties: { response: { type: string } }, required: [response] }
          answers: [{ do: [{ text: "At {{answer.response}}." }] }]
  - do: [{ text: "You said {{user}}." }]
"#;

fn input(thread: &str, run: &str, text: &str) -> Value {
    json!({ "threadId": thread, "runId": run, "messages": [user(&format!("{thread}-{run}"), text)] })
}

async fn run(server: &Running, body: &Value) -> Vec<Value> {
    let frames = stream(server, "/run", body).await;
    judge("net", &frames);
    frames
}

async fn server() -> Running {
    serve_script(AGENT, Keys::default(), Http::default()).await
}

/// Frames without the times, which every one of them has.
fn timeless(frames: &[Value]) -> Vec<Value> {
    let without = |frame: &Value| {
        let mut frame = frame.clone();
        let at = frame.as_object_mut().unwrap().remove("timestamp");
        assert!(at.is_some_and(|at| at.as_u64().is_some_and(|at| at > 1_600_000_000_000)), "{frame}");
        frame
    };
    frames.iter().map(without).collect()
}

#[tokio::test]
async fn a_run_is_frame_for_frame_what_the_contract_has() {
    let server = server().await;
    let frames = compacted(&timeless(&run(&server, &input("thread-1", "run-1", "the whole")).await));
    let id = |kind: &str, at: usize, name: &str| of(&frames, kind)[at][name].clone();
    let (look, write) = (id("TOOL_CALL_START", 0, "toolCallId"), id("TOOL_CALL_START", 1, "toolCallId"));
    let results = (id("TOOL_CALL_RESULT", 0, "messageId"), id("TOOL_CALL_RESULT", 1, "messageId"));
    let said = id("TEXT_MESSAGE_START", 0, "messageId");
    let ids = [&look, &write, &results.0, &results.1, &said];
    assert!(ids.iter().all(|id| id.as_str().is_some_and(|id| !id.is_empty())), "{ids:?}");
    assert!((1..ids.len()).all(|at| !ids[..at].contains(&ids[at])), "each has an id of its own: {ids:?}");
    let call = |id: &Value, name: &str, arguments: &str, result: &Value, content: &str| {
        [
            json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": name }),
            json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": arguments }),
            json!({ "type": "TOOL_CALL_END", "toolCallId": id }),
            json!({ "type": "TOOL_CALL_RESULT", "messageId": result, "toolCallId": id, "content": content }),
        ]
    };
    let started = json!({
        "threadId": "thread-1", "runId": "run-1", "messages": [user("thread-1-run-1", "the whole")],
        "tools": [], "context": [], "state": {}, "forwardedProps": {},
    });
    let step = |kind: &str, name: &str| json!({ "type": kind, "stepName": name });
    let mut expected =
        vec![json!({ "type": "RUN_STARTED", "threadId": "thread-1", "runId": "run-1", "input": started })];
    expected.extend([step("STEP_STARTED", "outer"), step("STEP_STARTED", "inner")]);
    expected.extend(call(&look, "look", r#"{"day":1}"#, &results.0, r#"{"sun":true}"#));
    expected.extend([step("STEP_FINISHED", "inner"), step("STEP_FINISHED", "outer")]);
    expected.extend(call(&write, "write", r#"{"page":[2,null]}"#, &results.1, "Written"));
    let patch = json!([{ "op": "replace", "path": "/count", "value": 5 }, { "op": "add", "path": "/list/-", "value": 2 }]);
    let done = json!([{ "op": "replace", "path": "/done", "value": 1 }]);
    expected.extend([
        json!({ "type": "STATE_SNAPSHOT", "snapshot": { "count": 0, "list": [1] } }),
        json!({ "type": "STATE_DELTA", "delta": patch }),
        json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "plan", "activityType": "PLAN", "content": { "done": 0 } }),
        json!({ "type": "ACTIVITY_DELTA", "messageId": "plan", "activityType": "PLAN", "patch": done }),
        json!({ "type": "CUSTOM", "name": "confetti", "value": [40] }),
        json!({ "type": "META", "metaType": "tag", "payload": { "by": "ada" } }),
        json!({ "type": "RAW", "event": { "anything": 1 }, "source": "elsewhere" }),
        json!({ "type": "REASONING_START", "messageId": "span", "encryptedContent": "sealed" }),
        json!({ "type": "REASONING_MESSAGE_START", "messageId": "thought", "role": "assistant" }),
        json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "thought", "delta": "Hm." }),
        json!({ "type": "REASONING_MESSAGE_END", "messageId": "thought" }),
        json!({ "type": "REASONING_END", "messageId": "span" }),
        json!({ "type": "TEXT_MESSAGE_START", "messageId": said, "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": said, "delta": "Done." }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": said }),
        json!({ "type": "RUN_FINISHED", "threadId": "thread-1", "runId": "run-1", "result": { "answer": 42 }, "outcome": "success" }),
    ]);
    assert_eq!(frames, expected, "{frames:#?}");
}

#[tokio::test]
async fn a_response_reaches_the_agent_as_the_value_that_was_asked_for() {
    let server = server().await;
    for (at, (asked, kind, prompt, response, said)) in [
        ("a number", "number", "How many?", json!(7.5), "Counted 7.5."),
        ("a name", "text", "Which name?", json!("Bella"), "Called Bella."),
        ("an address", "text", "Where?", json!("Rue 7"), "At Rue 7."),
    ]
    .into_iter()
    .enumerate()
    {
        let thread = format!("thread-{at}");
        let last = run(&server, &input(&thread, "run-1", asked)).await.pop().unwrap();
        let payload = json!({ "prompt": prompt, "inputType": kind });
        let expected = json!({
            "type": "RUN_FINISHED", "threadId": thread, "runId": "run-1", "timestamp": last["timestamp"],
            "outcome": "interrupt", "interrupt": { "id": last["interrupt"]["id"], "payload": payload },
        });
        assert_eq!(last, expected);
        let mut body = input(&thread, "run-2", "");
        body["messages"] = json!([]);
        body["resume"] =
            json!({ "interruptId": last["interrupt"]["id"], "payload": { "response": response } });
        let frames = run(&server, &body).await;
        assert_eq!(text(&frames), said);
        let end = frames.last().unwrap();
        assert_eq!(
            (&end["runId"], &end["outcome"], end.get("interrupt")),
            (&json!("run-2"), &json!("success"), None)
        );
    }
}

/// Words and a draft are asked for at once.
const TWICE: &str = r#"
house: { review: {} }
rules:
  - do: [{ text: A draft. }, { ask: { message: Which company?, answers: [{ do: [{ text: "Of {{answer}}." }] }] } }]
"#;

#[tokio::test]
async fn the_second_of_two_questions_is_asked_in_a_run_of_its_own() {
    let server = serve_script(TWICE, Keys::default(), Http::default()).await;
    let first = run(&server, &input("thread-1", "run-1", "go")).await.pop().unwrap()["interrupt"].clone();
    let answer = |run_id: &str, id: &Value, payload: Value| {
        let resume = json!({ "interruptId": id, "payload": payload });
        json!({ "threadId": "thread-1", "runId": run_id, "messages": [], "resume": resume })
    };
    let frames = run(&server, &answer("run-2", &first["id"], json!({ "response": "Bella" }))).await;
    let second = frames[1]["interrupt"]["id"].clone();
    assert_ne!(second, first["id"]);
    let payload = json!({ "functionName": "draft_review", "functionArguments": {} });
    let expected = [
        json!({ "type": "RUN_STARTED", "threadId": "thread-1", "runId": "run-2" }),
        json!({
            "type": "RUN_FINISHED", "threadId": "thread-1", "runId": "run-2", "outcome": "interrupt",
            "interrupt": { "id": second, "payload": payload },
        }),
    ];
    assert_eq!(frames, expected);
    let frames = run(&server, &answer("run-3", &second, json!({ "approved": true }))).await;
    assert_eq!(text(&frames), "A draft.");
    let third = frames.last().unwrap()["interrupt"]["id"].clone();
    assert_ne!(third, second, "what is said with the answer is looked at, too");
    let frames = run(&server, &answer("run-4", &third, json!({ "approved": true }))).await;
    assert_eq!(text(&frames), "Of Bella.", "both answers count");
}

#[tokio::test]
async fn the_answer_to_a_request_is_an_event_stream() {
    let server = server().await;
    let address = format!("http://{}/run", server.address);
    let response =
        reqwest::Client::new().post(address).json(&input("thread-1", "run-1", "hi")).send().await.unwrap();
    assert_eq!(response.status(), 200);
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let text = response.text().await.unwrap();
    let frames: Vec<_> = text.split("\n\n").filter(|frame| !frame.is_empty()).collect();
    assert_eq!(frames.len(), sse(&text).len(), "one event in each frame");
    for (frame, event) in frames.iter().zip(sse(&text)) {
        let data: Value = serde_json::from_str(frame.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(data, event);
    }
}

/// An agent that returns what it hears: who said what, in their order.
fn listener() -> Agents {
    let agent = agent_fn(About::new("listens"), |ctx: RunContext| async move {
        let heard = |message: &Message| {
            let message = serde_json::to_value(message).unwrap();
            json!([message["role"], message["content"]])
        };
        let heard: Vec<_> = ctx.model_messages().map(heard).collect();
        ctx.set_result(&json!({ "heard": heard, "state": ctx.state() })).unwrap();
        let said = ctx.last_user_text().unwrap_or_default();
        ctx.set_state(&json!({ "last": said })).await?;
        ctx.say(format!("You said {said}.")).await?;
        Ok(())
    });
    Agents::from([("general-agent".to_owned(), agent)])
}

fn said(text: &str) -> [Value; 2] {
    [json!(["user", text]), json!(["assistant", format!("You said {text}.")])]
}

#[tokio::test]
async fn a_branch_goes_on_from_the_run_that_it_names_and_every_branch_stays() {
    let server = serve(listener(), Keys::default(), "memory:", Http::default()).await;
    for (run_id, text) in [("run-1", "one"), ("run-2", "two"), ("run-3", "three")] {
        run(&server, &input("thread-1", run_id, text)).await;
    }
    let branch = async |run_id: &str, parent: &str, text: &str| {
        let mut body = input("thread-1", run_id, text);
        body["parentRunId"] = json!(parent);
        let frames = run(&server, &body).await;
        assert_eq!(frames[0]["parentRunId"], parent);
        frames.last().unwrap()["result"]["heard"].clone()
    };
    let heard = |before: &[&str], last: &str| {
        let mut heard: Vec<Value> = before.iter().flat_map(|text| said(text)).collect();
        heard.push(json!(["user", last]));
        json!(heard)
    };
    assert_eq!(branch("run-4", "run-1", "four").await, heard(&["one"], "four"));
    assert_eq!(
        branch("run-5", "run-2", "five").await,
        heard(&["one", "two"], "five"),
        "not from the first alone"
    );
    assert_eq!(branch("run-6", "run-4", "six").await, heard(&["one", "four"], "six"), "a branch of a branch");
    assert_eq!(branch("run-7", "run-3", "seven").await, heard(&["one", "two", "three"], "seven"));
    let plain = run(&server, &input("thread-1", "run-8", "eight")).await;
    assert_eq!(
        plain.last().unwrap()["result"]["heard"],
        heard(&["one", "two", "three", "seven"], "eight"),
        "the last one"
    );
    let thread = server.stage.thread("local", &"thread-1".into()).await.unwrap();
    for (run_id, last) in [("run-1", "one"), ("run-4", "four"), ("run-5", "five"), ("run-6", "six")] {
        let at = server.stage.conversation(&thread, Some(&run_id.into())).await.unwrap();
        assert_eq!(at.state, json!({ "last": last }), "the state is that of the branch");
        let words = serde_json::to_value(at.messages.last().unwrap()).unwrap();
        assert_eq!(words["content"], format!("You said {last}."));
    }
}

#[tokio::test]
async fn a_session_goes_on_with_what_was_said_and_with_its_state() {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("sqlite:{}", folder.path().join("sessions.db").display());
    for store in ["memory:", file.as_str()] {
        let mut server = serve(listener(), Keys::default(), store, Http::default()).await;
        for thread in ["thread-1", "thread-2"] {
            run(&server, &input(thread, "run-1", &format!("one on {thread}"))).await;
            run(&server, &input(thread, "run-2", &format!("two on {thread}"))).await;
        }
        if store != "memory:" {
            server.stage.close().await;
            drop(server);
            server = serve(listener(), Keys::default(), store, Http::default()).await;
        }
        for thread in ["thread-1", "thread-2"] {
            let frames = run(&server, &input(thread, "run-3", "three")).await;
            let mut heard: Vec<Value> = said(&format!("one on {thread}")).into();
            heard.extend(said(&format!("two on {thread}")));
            heard.push(json!(["user", "three"]));
            let expected = json!({ "heard": heard, "state": { "last": format!("two on {thread}") } });
            assert_eq!(frames.last().unwrap()["result"], expected, "{store}");
            assert_eq!(of(&frames, "STATE_SNAPSHOT")[0]["snapshot"], json!({ "last": "three" }), "{store}");
        }
    }
}

#[tokio::test]
async fn everything_in_an_input_is_heard_as_it_was_sent() {
    let server = mirror().await;
    run(&server, &input("thread-1", "run-0", "before")).await;
    let tool = |name: &str| {
        let city = json!({ "type": "string", "description": "Where", "enum": ["Ulm", "Bonn"] });
        let schema = json!({ "type": "object", "properties": { "city": city, "days": { "type": "number" } }, "required": ["city"] });
        json!({ "name": name, "description": format!("Gets the {name}"), "parameters": schema })
    };
    let parts = json!([{ "type": "text", "text": "look" }, { "type": "text", "text": "there" }]);
    let body = json!({
        "threadId": "thread-1", "runId": "run-1", "parentRunId": "run-0",
        "messages": [
            { "id": "m1", "role": "user", "content": "first", "name": "ada" },
            { "id": "m2", "role": "user", "content": parts },
        ],
        "state": { "any": ["json", 1, null], "nested": { "a": false } },
        "tools": [tool("weather"), tool("traffic")],
        "context": [{ "description": "where", "value": "here" }, { "description": "when", "value": "" }, { "description": "", "value": "why" }],
        "forwardedProps": { "theme": "dark", "list": [1, { "a": null }] },
    });
    let frames = run(&server, &body).await;
    let mut heard = frames.last().unwrap()["result"].clone();
    heard.as_object_mut().unwrap().retain(|name, _| body.get(name).is_some());
    assert_eq!(heard, body);
    let bare = run(&server, &input("thread-1", "run-2", "again")).await;
    let heard = &bare.last().unwrap()["result"];
    for name in ["tools", "context"] {
        assert!(heard[name].is_null() || heard[name] == json!([]), "{name} is that of the run: {heard}");
    }
    assert_eq!(heard["messages"], json!([user("thread-1-run-2", "again")]));
}

#[tokio::test]
async fn messages_of_every_role_are_a_history_that_the_agent_hears() {
    let server = mirror().await;
    let call = json!({ "id": "call-1", "type": "function", "function": { "name": "look", "arguments": "{\"a\":1}" } });
    let messages = json!([
        { "id": "m1", "role": "system", "content": "be kind" },
        { "id": "m2", "role": "developer", "content": "debug", "name": "dev" },
        { "id": "m3", "role": "user", "content": "hi", "name": "ada" },
        { "id": "m4", "role": "assistant", "content": "one moment", "toolCalls": [call] },
        { "id": "m5", "role": "tool", "content": "found", "toolCallId": "call-1" },
        { "id": "m6", "role": "activity", "activityType": "PLAN", "content": { "done": 1 } },
        { "id": "m7", "role": "user", "content": "and now?" },
    ]);
    let mut body = input("thread-1", "run-1", "");
    body["messages"] = messages.clone();
    let frames = run(&server, &body).await;
    let mut heard = frames.last().unwrap()["result"]["messages"].clone();
    for message in heard.as_array_mut().unwrap() {
        // What nobody here has said is marked.
        message.as_object_mut().unwrap().remove("metadata");
    }
    assert_eq!(heard, messages);
}
