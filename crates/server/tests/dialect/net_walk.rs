//! Contract 004, walked over `POST /run`: its events, its interrupts, its messages, its branches.

use forestage_runtime::{About, Agents, RunContext, agent_fn};
use forestage_server::{
    Http, Keys,
    dialect::{Encode, net::Encoder},
};
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::{support::*, wire::*};

const AGENT: &str = r#"
house:
  rules: [{ tools: [delete_file], action: ask, risk: high, reason: It is gone then. }]
tools: [{ name: delete_file, result: deleted }]
rules:
  - when: { says: "*delete*" }
    do: [{ tool: { name: delete_file, args: { path: /important.txt }, then: [{ text: Gone. }], failed: [{ text: Kept. }] } }]
  - when: { says: "*secret*" }
    do: [{ ask: { message: Please enter your API key, schema: { type: string, format: password }, answers: [{ do: [{ text: Thanks. }] }] } }]
  - when: { says: "*everything*" }
    do:
      - raw: { type: REASONING_START, messageId: x }
      - raw: { type: REASONING_ENCRYPTED_VALUE, subtype: message, entityId: x, encryptedValue: sealed }
      - raw: { type: REASONING_MESSAGE_START, messageId: x, role: reasoning }
      - raw: { type: REASONING_MESSAGE_CONTENT, messageId: x, delta: Hm. }
      - raw: { type: REASONING_MESSAGE_END, messageId: x }
      - raw: { type: REASONING_END, messageId: x }
      - raw: { type: RAW, event: { anything: 1 }, source: elsewhere }
      - step: { name: look, do: [{ tool: { name: confirmAction, args: { action: go }, result: { ok: true } } }] }
      - state: { count: 0 }
      - patch: [{ op: replace, path: /count, value: 1 }]
      - activity: { type: PLAN, id: plan, content: { done: 0 } }
      - activity: { id: plan, patch: [{ op: replace, path: /done, value: 1 }] }
      - custom: { name: "meta:thumbs_up", value: { by: ada } }
      - custom: { name: confetti, value: 40 }
      - subagent: { name: helper, do: [{ text: I help. }] }
      - text: ""
      - text: Done.
      - result: { answer: 42 }
  - when: { says: "*fail*" }
    do: [{ error: { message: It broke, code: broken } }]
  - when: { says: "*wait*" }
    do: [{ sleep: 30s }]
  - do: [{ text: "You said {{user}}" }]
"#;

/// Words and a draft are asked for at once.
const TWICE: &str = r#"
house: { review: {} }
rules:
  - do: [{ text: A draft. }, { ask: { message: Which company?, answers: [{ do: [{ text: "Of {{answer}}." }] }] } }]
"#;

async fn server() -> Running {
    serve_script(AGENT, Keys::default(), Http::default()).await
}

fn input(run: &str, text: &str) -> Value {
    json!({
        "threadId": "t1", "runId": run, "messages": [user(run, text)],
        "tools": [], "context": [], "state": {}, "forwardedProps": {},
    })
}

fn resume(run: &str, id: &Value, payload: Option<Value>) -> Value {
    let mut body = input(run, "");
    body["messages"] = json!([]);
    body["resume"] = json!({ "interruptId": id });
    if let Some(payload) = payload {
        body["resume"]["payload"] = payload;
    }
    body
}

async fn run(server: &Running, body: &Value) -> Vec<Value> {
    let frames = stream(server, "/run", body).await;
    judge("net", &frames);
    frames
}

#[tokio::test]
async fn a_stream_is_frames_of_data_and_nothing_else() {
    let server = server().await;
    let (_, text) = post(&server, "/run", &input("r1", "hi")).await;
    for frame in text.split_terminator("\n\n") {
        assert!(frame.starts_with("data: {") && !frame.contains('\n'), "{frame}");
    }
    assert!(text.ends_with("\n\n"));
}

#[tokio::test]
async fn every_event_is_in_the_shape_of_the_contract() {
    let server = server().await;
    let frames = run(&server, &input("r1", "everything")).await;
    let first =
        |kind: &str| -> Value { (*of(&frames, kind).first().unwrap_or_else(|| panic!("{kind}"))).clone() };
    assert_eq!(first("REASONING_START")["encryptedContent"], "sealed");
    assert_eq!(first("REASONING_MESSAGE_START")["role"], "assistant");
    assert_eq!(first("REASONING_MESSAGE_CONTENT")["delta"], "Hm.");
    assert_eq!(
        (&first("RAW")["event"]["anything"], &first("RAW")["source"]),
        (&json!(1), &json!("elsewhere"))
    );
    assert_eq!(
        (&first("META")["metaType"], &first("META")["payload"]),
        (&json!("thumbs_up"), &json!({ "by": "ada" }))
    );
    assert_eq!(
        (&first("STEP_STARTED")["stepName"], &first("STEP_FINISHED")["stepName"]),
        (&json!("look"), &json!("look"))
    );
    assert_eq!(first("TOOL_CALL_START")["toolCallName"], "confirmAction");
    assert_eq!(first("TOOL_CALL_RESULT")["content"], r#"{"ok":true}"#);
    assert_eq!(first("STATE_SNAPSHOT")["snapshot"]["count"], 0);
    assert_eq!(first("STATE_DELTA")["delta"][0]["op"], "replace");
    assert_eq!(
        (&first("ACTIVITY_SNAPSHOT")["messageId"], &first("ACTIVITY_SNAPSHOT")["activityType"]),
        (&json!("plan"), &json!("PLAN"))
    );
    assert_eq!(first("ACTIVITY_DELTA")["patch"][0]["path"], "/done");
    let customs: Vec<_> = of(&frames, "CUSTOM").iter().map(|frame| frame["name"].clone()).collect();
    assert_eq!(customs, ["confetti", "SUBAGENT_STARTED", "SUBAGENT_FINISHED"]);
    let helper = of(&frames, "CUSTOM")[1];
    assert!(helper["value"]["subagentRunId"].is_string() && helper["value"]["name"] == "helper", "{helper}");
    assert!(of(&frames, "TEXT_MESSAGE_START").iter().all(|start| start["role"] == "assistant"));
    let last = frames.last().unwrap();
    assert_eq!((&last["outcome"], &last["result"]["answer"]), (&json!("success"), &json!(42)));
    assert!(last.get("interrupt").is_none() && last.get("usage").is_none());
}

#[tokio::test]
async fn a_run_ends_with_its_end_or_its_error() {
    let server = server().await;
    let frames = run(&server, &input("r1", "fail")).await;
    let last = frames.last().unwrap();
    assert_eq!(
        (&last["type"], &last["message"], &last["code"]),
        (&json!("RUN_ERROR"), &json!("It broke"), &json!("broken"))
    );
    assert!(of(&frames, "RUN_FINISHED").is_empty());
    let frames = run(&server, &input("r2", "hi")).await;
    let ends: Vec<_> = kinds(&frames).into_iter().filter(|kind| kind.starts_with("RUN_")).collect();
    assert_eq!(ends, ["RUN_STARTED", "RUN_FINISHED"]);
}

#[tokio::test]
async fn an_approval_pauses_the_run_and_one_answer_continues_it() {
    for (approved, said) in [(true, "Gone."), (false, "Kept.")] {
        let server = server().await;
        let frames = run(&server, &input("r1", "delete it")).await;
        let last = frames.last().unwrap();
        assert_eq!(last["outcome"], "interrupt");
        let payload =
            json!({ "functionName": "delete_file", "functionArguments": { "path": "/important.txt" } });
        assert_eq!(last["interrupt"]["payload"], payload);
        let frames =
            run(&server, &resume("r2", &last["interrupt"]["id"], Some(json!({ "approved": approved }))))
                .await;
        assert_eq!(text(&frames), said);
        assert_eq!(frames.last().unwrap()["outcome"], "success");
        let answer = json!({ "interruptId": last["interrupt"]["id"], "payload": { "approved": approved } });
        assert_eq!(frames[0]["input"]["resume"], answer);
    }
}

#[tokio::test]
async fn a_secret_is_asked_for_as_a_password_and_is_not_kept() {
    let server = server().await;
    let frames = run(&server, &input("r1", "a secret")).await;
    let interrupt = &frames.last().unwrap()["interrupt"];
    assert_eq!(
        interrupt["payload"],
        json!({ "prompt": "Please enter your API key", "inputType": "password" })
    );
    let answer = json!({ "response": "sk-secret-key-123" });
    let frames = run(&server, &resume("r2", &interrupt["id"], Some(answer))).await;
    assert_eq!(text(&frames), "Thanks.");
    assert!(!format!("{frames:?}").contains("sk-secret"), "a password is in no log");
}

#[tokio::test]
async fn an_answer_has_to_name_the_question() {
    let server = server().await;
    run(&server, &input("r1", "delete it")).await;
    for (body, expected) in [
        (resume("r2", &json!("invented"), Some(json!({ "approved": true }))), 422),
        (resume("r2", &json!(7), None), 422),
        (json!({ "threadId": "t1", "runId": "r2", "messages": [], "resume": "yes" }), 422),
        (input("r2", "never mind"), 409),
    ] {
        let (status, told) = post(&server, "/run", &body).await;
        assert_eq!(status, expected, "{told}");
        code(&told);
    }
}

#[tokio::test]
async fn an_answer_counts_once_and_only_where_something_was_asked() {
    let server = server().await;
    let (status, told) =
        post(&server, "/run", &resume("r0", &json!("i"), Some(json!({ "approved": true })))).await;
    assert!((400..500).contains(&status), "nothing waits: {told}");
    code(&told);
    let asked = run(&server, &input("r1", "delete it")).await.pop().unwrap()["interrupt"]["id"].clone();
    run(&server, &resume("r2", &asked, Some(json!({ "approved": false })))).await;
    let (status, told) =
        post(&server, "/run", &resume("r3", &asked, Some(json!({ "approved": true })))).await;
    assert!((400..500).contains(&status), "it is decided: {told}");
    code(&told);
}

#[tokio::test]
async fn two_questions_are_asked_one_after_the_other() {
    let server = serve_script(TWICE, Keys::default(), Http::default()).await;
    let frames = run(&server, &input("r1", "go")).await;
    let first = frames.last().unwrap()["interrupt"].clone();
    assert_eq!(first["payload"], json!({ "prompt": "Which company?", "inputType": "text" }));
    let frames = run(&server, &resume("r2", &first["id"], Some(json!({ "response": "Bella" })))).await;
    let second = &frames.last().unwrap()["interrupt"];
    assert_eq!(kinds(&frames), ["RUN_STARTED", "RUN_FINISHED"], "nothing happens yet but the next question");
    assert_eq!(second["payload"]["functionName"], "draft_review");
    let frames = run(&server, &resume("r3", &second["id"], Some(json!({ "approved": true })))).await;
    assert!(text(&frames).contains("A draft."), "{}", text(&frames));
}

#[tokio::test]
async fn all_questions_may_be_answered_at_once_with_a_list() {
    let server = serve_script(TWICE, Keys::default(), Http::default()).await;
    let (_, text_of) = post(&server, "/v1/agents/general-agent/runs", &input("r1", "go")).await;
    let asked = sse(&text_of).last().unwrap()["outcome"]["interrupts"].clone();
    let payload = |asked: &Value| match asked["reason"].as_str() {
        Some("draft_review") => json!({ "approved": true }),
        _ => json!("Bella"),
    };
    let answers: Vec<_> = asked
        .as_array()
        .unwrap()
        .iter()
        .map(|asked| json!({ "interruptId": asked["id"], "status": "resolved", "payload": payload(asked) }))
        .collect();
    assert_eq!(answers.len(), 2);
    let mut body = resume("r2", &json!(""), None);
    body["resume"] = json!(answers);
    let frames = run(&server, &body).await;
    assert!(text(&frames).contains("A draft."), "no answer is lost: {frames:#?}");
}

#[tokio::test]
async fn a_run_that_is_stopped_ends_with_an_error_that_says_so() {
    let server = server().await;
    let body = input("r1", "wait");
    let stopped = async {
        loop {
            if let Ok(true) = server.stage.cancel("local", &"t1".into(), &"r1".into()).await {
                return;
            }
            tokio::task::yield_now().await;
        }
    };
    let (frames, ()) = tokio::join!(run(&server, &body), stopped);
    assert_eq!(frames.last().unwrap()["code"], "cancelled");
}

#[tokio::test]
async fn binary_content_comes_in_and_goes_out_as_the_contract_has_it() {
    let server = server().await;
    let parts = json!([
        { "type": "text", "text": "look" },
        { "type": "binary", "mimeType": "image/png", "url": "http://x/y.png" },
        { "type": "binary", "mimeType": "audio/wav", "data": "AAAA", "filename": "a.wav" },
        { "type": "binary", "mimeType": "application/pdf", "id": "file-1" },
    ]);
    let mut body = input("r1", "");
    body["messages"][0]["content"] = parts.clone();
    let frames = run(&server, &body).await;
    assert_eq!(frames[0]["input"]["messages"][0]["content"], parts);
    body["runId"] = json!("r2");
    body["messages"][0] =
        json!({ "id": "r2", "role": "user", "content": [{ "type": "text", "text": "one" }] });
    let frames = run(&server, &body).await;
    assert_eq!(frames[0]["input"]["messages"][0]["content"], "one", "one text is written as text");
    body["runId"] = json!("r3");
    body["messages"][0] =
        json!({ "id": "r3", "role": "user", "content": [{ "type": "binary", "mimeType": "image/png" }] });
    let (status, told) = post(&server, "/run", &body).await;
    assert_eq!((status, code(&told).as_str()), (422, "missing_field"));
    assert!(told.contains("messages[0].content[0]"), "{told}");
}

#[tokio::test]
async fn what_is_wrong_with_binary_content_is_told_in_the_words_of_the_client() {
    let server = server().await;
    for (part, expected, path, word) in [
        (json!({ "data": "AAAA" }), "missing_field", "messages[0].content[1]", "`mimeType`"),
        (
            json!({ "data": "AAAA", "mimeType": null }),
            "missing_field",
            "messages[0].content[1]",
            "`mimeType`",
        ),
        (
            json!({ "data": "AAAA", "mimeType": 7 }),
            "wrong_type",
            "messages[0].content[1].mimeType",
            "`mimeType`",
        ),
        (
            json!({ "data": 7, "mimeType": "image/png" }),
            "wrong_type",
            "messages[0].content[1].data",
            "`data`",
        ),
        (json!({ "mimeType": "image/png", "url": null }), "missing_field", "messages[0].content[1]", "`url`"),
    ] {
        let mut body = input("r1", "");
        body["messages"][0]["content"] = json!([{ "type": "text", "text": "see" }, part]);
        body["messages"][0]["content"][1]["type"] = json!("binary");
        let (status, told) = post(&server, "/run", &body).await;
        assert_eq!((status, code(&told).as_str()), (422, expected), "{told}");
        let told: Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told["error"]["path"], path, "{told}");
        let message = told["error"]["message"].as_str().unwrap();
        assert!(message.contains(word) && !message.contains("source"), "{told}");
    }
}

#[tokio::test]
async fn all_roles_and_the_tools_of_the_front_end_are_taken() {
    let server = mirror().await;
    let call = json!({ "id": "c1", "type": "function", "function": { "name": "confirmAction", "arguments": "{\"action\":\"go\"}" } });
    let confirm = json!({
        "name": "confirmAction",
        "description": "Ask the user to confirm a specific action before proceeding",
        "parameters": {
            "type": "object",
            "properties": {
                "action": { "type": "string", "description": "The action that needs user confirmation" },
                "importance": { "type": "string", "enum": ["low", "medium", "high", "critical"] },
            },
            "required": ["action"],
        },
    });
    let mut body = input("r1", "hi");
    body["tools"] = json!([confirm]);
    body["context"] = json!([{ "description": "where", "value": "here" }]);
    body["forwardedProps"] = json!({ "theme": "dark" });
    let frames = run(&server, &body).await;
    let shown = &frames.last().unwrap()["result"];
    assert_eq!((&shown["tools"][0], &shown["context"]), (&confirm, &body["context"]));
    assert_eq!(shown["forwardedProps"]["theme"], "dark");
    let frames = run(&server, &input("r2", "without tools")).await;
    assert_eq!(frames.last().unwrap()["result"]["tools"], json!([]), "tools are those of the run");
    for message in [
        json!({ "id": "a", "role": "developer", "content": "debug", "name": "dev" }),
        json!({ "id": "b", "role": "system", "content": "be kind" }),
        json!({ "id": "c", "role": "assistant", "content": "yes", "toolCalls": [call] }),
        json!({ "id": "d", "role": "tool", "content": "ok", "toolCallId": "c1", "error": "late" }),
        json!({ "id": "e", "role": "activity", "activityType": "PLAN", "content": { "done": 1 } }),
    ] {
        let value = json!({ "threadId": "t2", "runId": "r", "messages": [message] });
        forestage_server::dialect::net::decode(&value.to_string())
            .unwrap_or_else(|told| panic!("{message}: {told:?}"));
    }
    let value = json!({ "threadId": "t2", "runId": "r", "messages": [{ "id": "f", "role": "oracle", "content": "?" }] });
    let (status, told) = post(&server, "/run", &value).await;
    assert_eq!(status, 422);
    assert!(told.contains("oracle") && code(&told) == "unknown_value", "{told}");
}

#[tokio::test]
async fn a_run_can_branch_from_any_earlier_run_of_its_thread() {
    let server = server().await;
    run(&server, &input("r1", "one")).await;
    run(&server, &input("r2", "two")).await;
    let mut branch = input("r3", "other");
    branch["tools"] =
        json!([{ "name": "locate", "description": "Where one is", "parameters": { "type": "object" } }]);
    branch["context"] = json!([{ "description": "page", "value": "cart" }]);
    branch["state"] = json!({ "step": 3 });
    let mut exact = branch.clone();
    exact["state"] = json!({});
    branch["parentRunId"] = json!("r1");
    let frames = run(&server, &branch).await;
    assert_eq!(frames[0]["parentRunId"], "r1");
    assert_eq!(frames[0]["input"], exact, "the exact input is on record");
    let brought = frames.iter().find(|frame| frame["type"] == "STATE_SNAPSHOT").unwrap();
    assert_eq!(brought["snapshot"], branch["state"], "and its state right behind it");
    let again = input("r4", "and on");
    let frames = run(&server, &again).await;
    assert_eq!(frames[0]["input"], again, "each run has its own");
    let thread = server.stage.thread("local", &"t1".into()).await.unwrap();
    let texts = |messages: &[forestage_protocol::message::Message]| messages.len();
    let at = server.stage.conversation(&thread, Some(&"r3".into())).await.unwrap();
    assert_eq!(texts(&at.messages), 4, "of r1 and of r3, and nothing of r2");
    let before = server.stage.conversation(&thread, Some(&"r2".into())).await.unwrap();
    assert_eq!(texts(&before.messages), 4, "the other branch is still there");
}

#[tokio::test]
async fn a_session_is_kept_by_its_thread_and_its_state_with_it() {
    let server = server().await;
    run(&server, &input("r1", "everything")).await;
    run(&server, &input("r2", "hi")).await;
    let thread = server.stage.thread("local", &"t1".into()).await.unwrap();
    let conversation = server.stage.conversation(&thread, None).await.unwrap();
    assert!(conversation.messages.iter().any(|message| message.role() == "activity"));
    assert!(conversation.messages.iter().filter(|message| message.role() == "user").count() == 2);
}

#[tokio::test]
async fn the_state_is_read_and_written_by_the_agent_and_by_the_front_end() {
    let agent = agent_fn(About::new("counts"), |ctx: RunContext| async move {
        let before = ctx.state();
        ctx.set_result(&before).unwrap();
        let count = before["count"].as_u64().unwrap_or(0) + 1;
        ctx.set_state(&json!({ "count": count, "notes": before["notes"] })).await?;
        Ok(())
    });
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    let result = |frames: &[Value]| frames.last().unwrap()["result"].clone();
    let without = |run: &str| json!({ "threadId": "t1", "runId": run, "messages": [user(run, "go")] });
    let frames = run(&server, &without("r1")).await;
    assert_eq!(of(&frames, "STATE_SNAPSHOT")[0]["snapshot"]["count"], 1, "it is shown while the run goes on");
    assert_eq!(result(&run(&server, &without("r2")).await)["count"], 1, "it lasts");
    let mut theirs = without("r3");
    theirs["state"] = json!({ "count": 40, "notes": ["any", { "json": null }] });
    assert_eq!(result(&run(&server, &theirs).await), theirs["state"], "the front end writes it");
    assert_eq!(result(&run(&server, &without("r4")).await)["count"], 41, "and the agent goes on from there");
}

#[tokio::test]
async fn activities_are_for_the_front_end_and_no_model_is_sent_any() {
    let agent = agent_fn(About::new("shows a plan"), |ctx: RunContext| async move {
        let roles: Vec<_> = ctx.model_messages().map(|message| message.role().to_owned()).collect();
        ctx.set_result(&roles).unwrap();
        ctx.activity("PLAN", serde_json::Map::new()).await?;
        Ok(())
    });
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    let frames = run(&server, &input("r1", "one")).await;
    assert_eq!(of(&frames, "ACTIVITY_SNAPSHOT").len(), 1);
    let frames = run(&server, &input("r2", "two")).await;
    assert_eq!(frames.last().unwrap()["result"], json!(["user", "user"]));
}

#[tokio::test]
async fn a_second_client_attaches_to_a_run_under_way_with_the_same_request() {
    let server = server().await;
    let body = input("r1", "everything");
    let (first, second) = tokio::join!(run(&server, &body), run(&server, &body));
    assert_eq!(first, second, "one run, seen twice");
}

#[tokio::test]
async fn a_body_that_is_no_input_is_told_why() {
    let server = server().await;
    for (body, expected) in [
        ("", (400, "invalid_json")),
        ("null", (400, "invalid_input")),
        ("[]", (400, "invalid_input")),
        ("{}", (422, "missing_field")),
        (
            r#"{"threadId":"t","runId":"r","messages":[{"id":"m","content":"no role"}]}"#,
            (422, "unknown_value"),
        ),
    ] {
        let (status, told) = post_as(&server, "/run", None, body).await;
        assert_eq!((status, code(&told).as_str()), expected, "{told}");
    }
}

#[tokio::test]
async fn a_call_is_told_from_its_start_to_its_result_in_order() {
    let server = server().await;
    let frames = run(&server, &input("r1", "everything")).await;
    let call: Vec<_> =
        frames.iter().filter(|frame| frame["type"].as_str().unwrap().starts_with("TOOL_CALL_")).collect();
    let id = &call[0]["toolCallId"];
    assert!(call.iter().all(|frame| frame["toolCallId"] == *id), "{call:#?}");
    let kinds: Vec<_> = call.iter().map(|frame| frame["type"].as_str().unwrap()).collect();
    assert_eq!(kinds.first(), Some(&"TOOL_CALL_START"));
    assert_eq!(kinds[kinds.len() - 2..], ["TOOL_CALL_END", "TOOL_CALL_RESULT"]);
    let pieces = &kinds[1..kinds.len() - 2];
    assert!(!pieces.is_empty() && pieces.iter().all(|kind| *kind == "TOOL_CALL_ARGS"), "{kinds:?}");
    let arguments: String =
        of(&frames, "TOOL_CALL_ARGS").iter().map(|it| it["delta"].as_str().unwrap()).collect();
    assert_eq!(serde_json::from_str::<Value>(&arguments).unwrap(), json!({ "action": "go" }));
}

#[tokio::test]
async fn every_member_of_an_input_reaches_the_agent() {
    let server = mirror().await;
    run(&server, &input("r0", "first")).await;
    let mut body = input("r1", "second");
    body["parentRunId"] = json!("r0");
    body["state"] = json!({ "any": ["json", 1] });
    body["tools"] = json!([{ "name": "n", "description": "d", "parameters": { "type": "object", "properties": {}, "required": [] } }]);
    body["context"] = json!([{ "description": "where", "value": "here" }]);
    body["forwardedProps"] = json!({ "theme": "dark" });
    let frames = run(&server, &body).await;
    let heard = &frames.last().unwrap()["result"];
    for name in ["threadId", "runId", "parentRunId", "messages", "state", "tools", "context"] {
        assert_eq!(heard[name], body[name], "{name}");
    }
    assert_eq!(heard["forwardedProps"]["theme"], "dark");
    assert_eq!(frames[0]["parentRunId"], "r0", "the stream says which run it continues");
    assert_eq!(frames[1]["snapshot"], body["state"], "and is on record");
    (body["state"], body["forwardedProps"]) = (json!({}), json!({}));
    body.as_object_mut().unwrap().remove("parentRunId");
    assert_eq!(frames[0]["input"], body, "but for what may hold credentials");
    for missing in ["threadId", "runId", "messages"] {
        let mut body = input("r2", "third");
        body.as_object_mut().unwrap().remove(missing);
        let (status, told) = post(&server, "/run", &body).await;
        assert!(status == 422 && told.contains(missing), "{missing}: {told}");
    }
}

#[tokio::test]
async fn a_session_outlives_the_server_under_the_id_of_its_thread() {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("sqlite:{}", folder.path().join("sessions.db").display());
    let counts = || {
        let agent = agent_fn(About::new("counts what was said"), |ctx: RunContext| async move {
            let said: Vec<_> = ctx.model_messages().map(|message| message.role().to_owned()).collect();
            ctx.set_result(&said).unwrap();
            ctx.say("Noted.").await?;
            Ok(())
        });
        Agents::from([("general-agent".to_owned(), agent)])
    };
    for store in ["memory:", file.as_str()] {
        let first = serve(counts(), Keys::default(), store, Http::default()).await;
        run(&first, &input("r1", "one")).await;
        let mut server = first;
        if store != "memory:" {
            server.stage.close().await;
            drop(server);
            server = serve(counts(), Keys::default(), store, Http::default()).await;
        }
        let frames = run(&server, &input("r2", "two")).await;
        assert_eq!(frames.last().unwrap()["result"], json!(["user", "assistant", "user"]), "{store}");
        let mut other = input("r3", "three");
        other["threadId"] = json!("t2");
        let frames = run(&server, &other).await;
        assert_eq!(
            frames.last().unwrap()["result"],
            json!(["user"]),
            "{store}: another thread is another session"
        );
    }
}

#[tokio::test]
async fn user_interfaces_of_every_make_pass_as_payloads_that_nobody_changes() {
    // The shapes of three other makers, and one of nobody's: as an activity, as an event, as arguments and as a result.
    let a2ui = json!({ "metadata": { "a": 1 }, "usage": 2, "messages": [{ "beginRendering": { "surfaceId": "s", "root": "r" } }] });
    let open_json_ui = json!({
        "type": "card", "metadata": { "by": "us" }, "subagentRunId": "s", "usage": "rare", "protocolVersion": "9",
        "children": [{ "type": "text", "value": "Hi", "metadata": null }],
    });
    let mcp_ui = json!({ "type": "resource", "resource": { "uri": "ui://x/1", "mimeType": "text/html", "text": "<b>Hi</b>" } });
    let own = json!({ "widget": [null, 1.50, { "a": "ä" }] });
    let events = [
        json!({ "type": "CUSTOM", "name": "a2ui", "value": a2ui }),
        json!({ "type": "ACTIVITY_SNAPSHOT", "messageId": "a", "activityType": "open-json-ui", "content": open_json_ui }),
        json!({ "type": "ACTIVITY_DELTA", "messageId": "a", "activityType": "open-json-ui",
            "patch": [{ "op": "add", "path": "/more", "value": { "metadata": 1, "usage": [] } }] }),
        json!({ "type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "render_own" }),
        json!({ "type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": own.to_string() }),
        json!({ "type": "TOOL_CALL_END", "toolCallId": "c" }),
        json!({ "type": "TOOL_CALL_RESULT", "messageId": "n", "toolCallId": "c", "content": mcp_ui.to_string() }),
    ];
    let said = events.clone();
    let agent = agent_fn(About::new("shows things"), move |ctx: RunContext| {
        let said = said.clone();
        async move {
            for event in said {
                ctx.emit(forestage_protocol::event::Event::from_json(&event.to_string()).unwrap()).await?;
            }
            Ok(())
        }
    });
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    let frames = run(&server, &input("r1", "show")).await;
    for event in &events {
        let kind = event["type"].as_str().unwrap();
        let mut shown = of(&frames, kind)[0].clone();
        shown.as_object_mut().unwrap().retain(|name, _| event.get(name).is_some());
        assert_eq!(shown, *event, "{kind}");
    }
}

#[tokio::test]
async fn either_spelling_of_a_file_is_taken_and_each_door_writes_its_own() {
    let server = mirror().await;
    let binary = json!({ "type": "binary", "mimeType": "image/png", "url": "http://x/y.png" });
    let media = json!({ "type": "image", "source": { "type": "url", "value": "http://x/y.png", "mimeType": "image/png" } });
    for (run_id, sent) in [("r1", &binary), ("r2", &media)] {
        let mut body = input(run_id, "");
        let text = json!({ "type": "text", "text": "look" });
        body["messages"][0]["content"] = json!([text, sent]);
        let frames = run(&server, &body).await;
        let shown = &frames[0]["input"]["messages"][0]["content"];
        assert_eq!(*shown, json!([text, binary]), "{run_id}: this door writes binary");
        let heard = &frames.last().unwrap()["result"]["messages"][0]["content"];
        assert_eq!(*heard, json!([text, media]), "{run_id}: the agent sees the part of its kind");
        let url = format!("http://{}/v1/threads/t1/messages", server.address);
        let told = reqwest::get(url).await.unwrap().json::<Value>().await.unwrap();
        let last =
            told["messages"].as_array().unwrap().iter().rev().find(|it| it["id"] == run_id).unwrap().clone();
        assert_eq!(last["content"], json!([text, media]), "{run_id}: and so do clients of 1.0");
    }
}

#[tokio::test]
async fn what_is_meta_here_is_a_custom_event_for_clients_of_1_0() {
    let server = server().await;
    let frames = run(&server, &input("r1", "everything")).await;
    let meta = of(&frames, "META")[0];
    assert_eq!((&meta["metaType"], &meta["payload"]), (&json!("thumbs_up"), &json!({ "by": "ada" })));
    let url = format!("http://{}/v1/threads/t1/events?after=start&protocol=1.0", server.address);
    let response =
        reqwest::Client::new().get(url).header("accept", "text/event-stream").send().await.unwrap();
    let mut text = String::new();
    let mut body = response.bytes_stream();
    while !text.contains("RUN_FINISHED") {
        text.push_str(std::str::from_utf8(&body.next().await.unwrap().unwrap()).unwrap());
    }
    assert!(text.contains(r#""name":"meta:thumbs_up""#) && !text.contains("\"META\""), "{text}");
}

#[tokio::test]
async fn reasoning_and_encrypted_content_are_written_for_the_first_message_of_a_span() {
    let events = [
        json!({ "type": "REASONING_START", "messageId": "s" }),
        json!({ "type": "REASONING_MESSAGE_START", "messageId": "m", "role": "reasoning" }),
        json!({ "type": "REASONING_ENCRYPTED_VALUE", "subtype": "message", "entityId": "m", "encryptedValue": "sealed" }),
        json!({ "type": "REASONING_MESSAGE_CONTENT", "messageId": "m", "delta": "Hm." }),
        json!({ "type": "REASONING_MESSAGE_END", "messageId": "m" }),
        json!({ "type": "REASONING_END", "messageId": "s" }),
    ];
    let events = events.map(|event| forestage_protocol::event::Event::from_json(&event.to_string()).unwrap());
    let frames = Encoder::default().encode(&events);
    let kinds: Vec<_> = frames.iter().map(|frame| frame["type"].as_str().unwrap()).collect();
    let expected = [
        "REASONING_START",
        "REASONING_MESSAGE_START",
        "REASONING_MESSAGE_CONTENT",
        "REASONING_MESSAGE_END",
        "REASONING_END",
    ];
    assert_eq!(kinds, expected);
    assert_eq!((&frames[0]["encryptedContent"], &frames[1]["role"]), (&json!("sealed"), &json!("assistant")));
}
