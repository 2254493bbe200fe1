//! Contract 002 with the agent elsewhere: a real HTTP server that answers with NDJSON and calls tools of ours.

use std::sync::{Arc, Mutex, OnceLock};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::post,
};
use forestage_llm::remote::ndjson::{Ndjson, NdjsonConfig};
use forestage_protocol::{event::Event, verify::Verifier};
use forestage_runtime::{Agent, Agents, Limits, Stage, script};
use forestage_server::{ApiKey, Http, Keys, Server, hash_key};
use serde_json::{Value, json};
use tokio::{net::TcpListener, sync::mpsc};

use crate::{
    support::*,
    trainer2::{chunks, of, run, says, shows_its_form, submit},
};

const TOOLS: &str = include_str!("../../../../examples/agents/coach.yaml");
const SECRET: &str = "coach-secret";

/// The agent elsewhere.
#[derive(Default)]
struct Elsewhere {
    /// Where our server is.
    home: OnceLock<String>,
    /// What it was sent.
    heard: Mutex<Vec<Value>>,
    /// What it was told about its calls of tools.
    told: Mutex<Vec<(u16, Value)>>,
}

type Lines = mpsc::Sender<Result<Bytes, std::convert::Infallible>>;

impl Elsewhere {
    async fn execute(&self, run: &Value, call: Value, secret: &str) -> Option<Value> {
        let mut body = call;
        body["threadId"] = run["threadId"].clone();
        body["runId"] = run["runId"].clone();
        let url = format!("http://{}/internal/tools/execute", self.home.get().unwrap());
        let response = reqwest::Client::new().post(url).bearer_auth(secret).json(&body).send().await.ok()?;
        let told = (response.status().as_u16(), response.json::<Value>().await.ok()?);
        self.told.lock().unwrap().push(told.clone());
        (told.0 == 200).then_some(told.1)
    }

    /// The coach of the contract, with a form in pieces and a confirmation as an event.
    async fn coach(&self, input: &Value, lines: &Lines) -> Option<()> {
        say(
            lines,
            json!({ "type": "TOOL_CALL_STARTED", "toolCallId": "x1", "toolName": "profile_get", "args": {} }),
        )
        .await?;
        let profile = self.execute(input, json!({ "toolName": "profile_get", "args": {} }), SECRET).await?;
        if input["message"] == "A2UI_ACTION" {
            let values = &input["context"]["ui"]["a2uiAction"]["action"]["values"];
            let call = json!({ "toolName": "profile_save", "args": { "profile": values }, "idempotencyKey": "save-1" });
            let saved = self.execute(input, call.clone(), SECRET).await?;
            assert_eq!(self.execute(input, call, SECRET).await?, saved, "the same call again");
            let said =
                if saved["ok"] == true { "Saved".to_owned() } else { saved["error"]["message"].to_string() };
            say(lines, json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": said })).await?;
            let root = json!({ "type": "text", "text": "Done." });
            let view = json!({ "kind": "a2ui.v1", "viewId": "saved", "root": root });
            return say(lines, json!({ "type": "A2UI_RENDER", "view": view })).await;
        }
        if profile["profile"].is_object() {
            return say(lines, json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": "Welcome back." })).await;
        }
        let form = json!({ "kind": "a2ui.v1", "viewId": "profile_onboarding_v1", "root": {
            "type": "form", "id": "profile_onboarding",
            "fields": [{ "type": "field.text", "name": "firstName", "label": "First name" }] } });
        let text = format!("Here is a form.\n\n```a2ui\n{form}\n```");
        for piece in text.as_bytes().chunks(5) {
            let delta = std::str::from_utf8(piece).unwrap();
            say(lines, json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": delta })).await?;
        }
        Some(())
    }

    async fn play(&self, input: &Value, lines: &Lines) -> Option<()> {
        let view = json!({ "kind": "a2ui.v1", "viewId": "v", "root": { "type": "text", "text": "x" } });
        match input["message"].as_str().unwrap() {
            "own tool" => {
                say(lines, json!({ "type": "RUN_STARTED" })).await?;
                say(lines, json!({ "type": "TOOL_CALL_STARTED", "toolCallId": "w1", "toolName": "weather", "args": { "day": 1 }, "label": "Looking out" })).await?;
                say(
                    lines,
                    json!({ "type": "TOOL_CALL_RESULT", "toolCallId": "w1", "result": { "sun": true } }),
                )
                .await?;
                say(lines, json!({ "type": "TOMORROW", "x": 1 })).await?;
                say(lines, json!({ "type": "CUSTOM", "name": "confetti", "value": 1 })).await?;
                say(lines, json!({ "type": "CUSTOM", "name": "A2UI_RENDER", "value": { "view": view } }))
                    .await?;
                say(lines, json!({ "type": "STATE_SNAPSHOT", "snapshot": { "plan": "legs" } })).await?;
                say(lines, json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "a", "delta": "One." }))
                    .await?;
                say(lines, json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "b", "delta": "Two." })).await
            }
            "bad view" => {
                say(lines, json!({ "type": "A2UI_RENDER", "view": { "kind": "a2ui.v1", "viewId": "" } }))
                    .await?;
                say(lines, json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": "Still here." })).await
            }
            "wrong secret" => {
                self.execute(input, json!({ "toolName": "profile_get" }), "guessed").await;
                say(lines, json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": "No." })).await
            }
            "wrong call" => {
                self.execute(input, json!({ "toolName": "profile_del", "args": {} }), SECRET).await;
                self.execute(input, json!({ "toolName": "profile_save", "args": { "profile": {} } }), SECRET)
                    .await;
                self.execute(input, json!({ "args": {} }), SECRET).await;
                say(lines, json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": "Tried." })).await
            }
            "draw" => {
                let broken = json!([{ "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": [] } }]);
                let draw = |messages: &Value| json!({ "toolName": "send_a2ui_json_to_client", "args": { "a2ui_json": messages } });
                for _ in 0..2 {
                    self.execute(input, draw(&broken), SECRET).await?;
                }
                let one = json!({ "surfaceId": "s", "components": [{ "id": "root", "component": "Column", "children": [] }] });
                self.execute(input, json!({ "toolName": "render_a2ui", "args": one }), SECRET).await?;
                say(lines, json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": "Drawn." })).await
            }
            "bad line" => {
                lines.send(Ok(Bytes::from_static(b"{\"type\":\"RUN_STARTED\"}\nnonsense\n"))).await.ok()
            }
            "fail" => {
                say(lines, json!({ "type": "RUN_ERROR", "message": "I am tired", "code": "tired" })).await
            }
            _ => self.coach(input, lines).await,
        }
    }
}

async fn say(lines: &Lines, event: Value) -> Option<()> {
    lines.send(Ok(format!("{event}\n").into())).await.ok()
}

async fn answer(State(elsewhere): State<Arc<Elsewhere>>, body: String) -> Response {
    let input: Value = serde_json::from_str(&body).unwrap();
    elsewhere.heard.lock().unwrap().push(input.clone());
    if input["message"] == "refuse" {
        return (StatusCode::SERVICE_UNAVAILABLE, "out of order").into_response();
    }
    let (lines, receiver) = mpsc::channel(4);
    tokio::spawn(async move {
        elsewhere.play(&input, &lines).await?;
        say(&lines, json!({ "type": "RUN_FINISHED" })).await
    });
    let stream = futures_util::stream::unfold(receiver, |mut receiver| async move {
        Some((receiver.recv().await?, receiver))
    });
    Body::from_stream(stream).into_response()
}

struct Both {
    elsewhere: Arc<Elsewhere>,
    server: Running,
}

async fn both() -> Both {
    let elsewhere = Arc::new(Elsewhere::default());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let router = Router::new().route("/run", post(answer)).with_state(elsewhere.clone());
    tokio::spawn(async move { axum::serve(listener, router).await });

    let script = script::parse("coach", TOOLS).unwrap();
    let config = NdjsonConfig { url, tools: script.tools(), ..NdjsonConfig::default() };
    let coach = Arc::new(Ndjson::new(config).unwrap()) as Arc<dyn Agent>;
    let store = forestage_store::open("memory:").await.unwrap();
    let stage = Stage::new(store, Agents::from([("coach".to_owned(), coach)]), Limits::default());
    let http = Http { listen: "127.0.0.1:0".to_owned(), ..Http::default() };
    let caller = ApiKey { user: "coach".to_owned(), hash: hash_key(SECRET), roles: Vec::new() };
    let server = Server::bind(stage.clone(), Keys::default(), http).await.unwrap();
    let server = Running::of(server.with_tool_callers(Keys::new(&[caller]).unwrap()), stage);
    elsewhere.home.set(server.address.clone()).unwrap();
    Both { elsewhere, server }
}

async fn log(server: &Running, thread: &str) -> Vec<Event> {
    let thread = server.stage.thread("local", &thread.into()).await.unwrap();
    let mut follower = server.stage.read(&thread, forestage_store::Seq::START);
    let (mut events, mut verifier) = (Vec::new(), Verifier::default());
    while let Some(batch) = follower.next().await.unwrap() {
        for entry in batch.entries() {
            let event = Event::from_json(std::str::from_utf8(&entry.json).unwrap()).unwrap();
            verifier.check(&event).unwrap_or_else(|violation| panic!("{violation}: {}", event.to_json()));
            events.push(event);
        }
    }
    events
}

fn saves(events: &[Event]) -> usize {
    let is_save =
        |event: &&Event| matches!(event, Event::ToolCallStart(call) if call.tool_call_name == "profile_save");
    events.iter().filter(is_save).count()
}

#[tokio::test]
async fn the_flow_of_the_contract_with_the_agent_elsewhere() {
    let both = both().await;
    let mut socket = Socket::open(&both.server, "/realtime").await;
    let mut hello = says("t1", "r1", "HELLO");
    hello["forwardedProps"] = json!({ "uiContext": { "page": "coach" } });
    let frames = run(&mut socket, &hello).await;
    assert_eq!(
        kinds(&frames),
        [
            "RUN_STARTED",
            "TOOL_CALL_STARTED",
            "TOOL_CALL_RESULT",
            "TEXT_MESSAGE_CHUNK",
            "CUSTOM A2UI_RENDER",
            "RUN_FINISHED"
        ]
    );
    assert_eq!(chunks(&frames), ["Here is a form."]);
    let heard = both.elsewhere.heard.lock().unwrap()[0].clone();
    assert_eq!(heard["context"], json!({ "ui": { "page": "coach" }, "state": {} }));
    assert_eq!(
        (&heard["threadId"], &heard["runId"], &heard["message"]),
        (&json!("t1"), &json!("r1"), &json!("HELLO"))
    );

    assert!(!heard["messages"].to_string().contains("forestage"), "our notes are not the agent's: {heard}");

    let frames = run(&mut socket, &submit("t1", "r2", &json!({ "firstName": "Ada" }))).await;
    assert_eq!(chunks(&frames), ["Saved"]);
    assert_eq!(of(&frames, "CUSTOM")[0]["value"]["view"]["viewId"], "saved");
    let told = both.elsewhere.told.lock().unwrap().last().unwrap().clone();
    assert_eq!(told, (200, json!({ "ok": true, "profile": { "firstName": "Ada" } })));
    assert_eq!(saves(&log(&both.server, "t1").await), 1, "asked for twice with one key, made once");
    assert_eq!(chunks(&run(&mut socket, &says("t1", "r3", "HELLO")).await), ["Welcome back."]);
}

#[tokio::test]
async fn the_same_frame_again_shows_the_same_run() {
    let both = both().await;
    let mut socket = Socket::open(&both.server, "/realtime").await;
    let first = run(&mut socket, &says("t1", "r1", "HELLO")).await;
    let again = run(&mut socket, &says("t1", "r1", "HELLO")).await;
    assert_eq!((kinds(&again), chunks(&again)), (kinds(&first), chunks(&first)));
    assert_eq!(both.elsewhere.heard.lock().unwrap().len(), 1, "the agent was asked once");
}

#[tokio::test]
async fn no_piece_of_a_block_reaches_the_log() {
    let both = both().await;
    let mut socket = Socket::open(&both.server, "/realtime").await;
    run(&mut socket, &says("t1", "r1", "HELLO")).await;
    let said: String = log(&both.server, "t1")
        .await
        .iter()
        .filter_map(|event| match event {
            Event::TextMessageContent(event) => Some(event.delta.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(said, "Here is a form.");
}

#[tokio::test]
async fn everything_that_an_agent_says_becomes_ag_ui() {
    let both = both().await;
    let mut socket = Socket::open(&both.server, "/realtime").await;
    let frames = run(&mut socket, &says("t1", "r1", "own tool")).await;
    let expected = [
        "RUN_STARTED",
        "TOOL_CALL_STARTED",
        "TOOL_CALL_RESULT",
        "CUSTOM A2UI_RENDER",
        "TEXT_MESSAGE_CHUNK",
        "TEXT_MESSAGE_CHUNK",
        "RUN_FINISHED",
    ];
    assert_eq!(kinds(&frames), expected);
    assert_eq!((&frames[1]["label"], &frames[2]["result"]), (&json!("Looking out"), &json!({ "sun": true })));
    assert_eq!(chunks(&frames), ["One.", "Two."]);
    let events = log(&both.server, "t1").await;
    let kept = |name: &str| events.iter().any(|event| event.to_json().contains(name));
    assert!(kept("TOMORROW") && kept("confetti") && kept("\"legs\""), "nothing is lost");
}

#[tokio::test]
async fn a_view_that_is_none_is_not_drawn_and_told_on_the_log() {
    let both = both().await;
    let mut socket = Socket::open(&both.server, "/realtime").await;
    let frames = run(&mut socket, &says("t1", "r1", "bad view")).await;
    assert_eq!((of(&frames, "CUSTOM").len(), chunks(&frames)), (0, vec!["Still here."]));
    let events = log(&both.server, "t1").await;
    let told =
        events.iter().find(|event| event.to_json().contains("forestage.invalid_view")).unwrap().to_json();
    assert!(told.contains("viewId") && told.contains("must not be empty"), "{told}");
}

#[tokio::test]
async fn what_goes_wrong_elsewhere_ends_the_run_with_a_code() {
    let both = both().await;
    let mut socket = Socket::open(&both.server, "/realtime").await;
    for (at, (text, code, part)) in [
        ("fail", "tired", "I am tired"),
        ("bad line", "invalid_agent_event", "line 2 of the agent: no JSON"),
        ("refuse", "agent_refused", "503 Service Unavailable"),
    ]
    .into_iter()
    .enumerate()
    {
        socket.send(&says("t1", &format!("r{at}"), text)).await;
        let error = socket.until("RUN_ERROR").await.pop().unwrap();
        assert_eq!(error["code"], code);
        assert!(error["message"].as_str().unwrap().contains(part), "{error}");
    }
}

#[tokio::test]
async fn tools_are_for_the_agent_and_its_run_alone() {
    let both = both().await;
    let mut socket = Socket::open(&both.server, "/realtime").await;
    run(&mut socket, &says("t1", "r1", "wrong secret")).await;
    let told = both.elsewhere.told.lock().unwrap().pop().unwrap();
    assert_eq!((told.0, &told.1["error"]["code"]), (401, &json!("unauthorized")));
    run(&mut socket, &says("t1", "r2", "wrong call")).await;
    let told = std::mem::take(&mut *both.elsewhere.told.lock().unwrap());
    let codes: Vec<_> =
        told.iter().map(|(status, body)| (*status, body["error"]["code"].as_str().unwrap())).collect();
    assert_eq!(codes, [(200, "unknown_tool"), (200, "invalid_arguments"), (422, "invalid_body")]);
    let over = json!({ "threadId": "t1", "runId": "r2" });
    both.elsewhere.execute(&over, json!({ "toolName": "profile_get" }), SECRET).await;
    let told = both.elsewhere.told.lock().unwrap().pop().unwrap();
    assert_eq!((told.0, &told.1["error"]["code"]), (404, &json!("unknown_run")));
}

#[tokio::test]
async fn an_agent_elsewhere_draws_and_hears_what_is_wrong_and_how_to_repair_it() {
    let both = both().await;
    let mut socket = Socket::open(&both.server, "/realtime").await;
    socket.send(&says("t1", "r1", "draw")).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!(chunks(&frames), ["Drawn."]);
    let told = both.elsewhere.told.lock().unwrap().clone();
    let errors: Vec<_> = told.iter().map(|(_, told)| told["error"]["code"].clone()).collect();
    assert_eq!(errors, [json!("invalid_a2ui"), json!("invalid_a2ui"), Value::Null]);
    let hint = |index: usize| told[index].1["error"]["hint"].as_str().unwrap();
    assert!(hint(0).contains("empty_components") && hint(0).contains("2 attempts left"), "{}", hint(0));
    assert!(hint(1).contains("last attempt"), "{}", hint(1));
    assert_eq!((&told[2].1["ok"], &told[2].1["surfaceIds"]), (&json!(true), &json!(["s"])));
}

#[tokio::test]
async fn what_was_approved_is_what_the_agent_hears_of_it_later() {
    let both = both().await;
    let mut socket = Socket::open(&both.server, "/realtime?mode=audit").await;
    let mut frame = says("t1", "r1", "wrong secret");
    frame["forwardedProps"] = json!({ "auditPolicy": { "autoApproveToolCalls": true } });
    socket.send(&frame).await;
    assert_eq!(socket.next().await["type"], "RUN_STAGED");
    let edits = json!({ "message": "bad view" });
    socket.send(&json!({ "type": "RUN_STAGE_APPROVED", "threadId": "t1", "payloadEdits": edits })).await;
    let draft = socket.until("ASSISTANT_DRAFT_PROPOSED").await.pop().unwrap();
    assert_eq!(draft["draftText"], "Still here.");
    let root = json!({ "type": "text", "text": "Approved." });
    let view = json!({ "kind": "a2ui.v1", "viewId": "approved", "root": root });
    socket.send(&json!({ "type": "ASSISTANT_FINAL_APPROVED", "threadId": "t1", "finalText": "Approved.", "finalA2ui": view })).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!((chunks(&frames), &of(&frames, "CUSTOM")[0]["value"]["view"]), (vec!["Approved."], &view));

    let mut chat = Socket::open(&both.server, "/realtime").await;
    run(&mut chat, &says("t1", "r2", "own tool")).await;
    let heard = both.elsewhere.heard.lock().unwrap().last().unwrap().clone();
    let heard: Vec<_> =
        heard["messages"].as_array().unwrap().iter().map(|message| &message["content"]).collect();
    assert_eq!(heard, ["bad view", "Approved.", "own tool"]);
    let url = format!("http://{}/v1/threads/t1/messages", both.server.address);
    let said = reqwest::get(url).await.unwrap().json::<Value>().await.unwrap();
    assert_eq!(said["messages"][0]["content"], "wrong secret", "the log keeps what was said: {said}");
}

fn audited(run: &str) -> Value {
    let mut frame = submit("t1", run, &json!({ "firstName": "Ada" }));
    frame["forwardedProps"]["auditPolicy"] =
        json!({ "autoApproveStage": true, "autoApproveAssistant": true });
    frame
}

#[tokio::test]
async fn a_call_from_elsewhere_waits_at_the_gate_and_is_made_once() {
    let both = both().await;
    shows_its_form(&both.server, "t1").await;
    let mut socket = Socket::open(&both.server, "/realtime?mode=audit").await;
    socket.send(&audited("r1")).await;
    let mut frames = socket.until("TOOL_CALL_PROPOSED").await;
    for tool in ["profile_get", "profile_save"] {
        let gate = frames.pop().unwrap();
        assert_eq!(gate["toolName"], tool);
        let approval = json!({ "type": "TOOL_CALL_APPROVED", "threadId": "t1", "runId": "r1", "toolCallId": gate["toolCallId"] });
        socket.send(&approval).await;
        frames =
            socket.until(if tool == "profile_get" { "TOOL_CALL_PROPOSED" } else { "RUN_FINISHED" }).await;
    }
    assert_eq!(chunks(&frames), ["Saved"]);
    let told = both.elsewhere.told.lock().unwrap().clone();
    assert!(
        told.iter().any(|(status, body)| *status == 409 && body["error"]["code"] == "approval_pending"),
        "{told:#?}"
    );
    assert_eq!(saves(&log(&both.server, "t1").await), 1);
}

#[tokio::test]
async fn a_call_from_elsewhere_that_is_refused_is_an_error_for_the_agent() {
    let both = both().await;
    shows_its_form(&both.server, "t1").await;
    let mut socket = Socket::open(&both.server, "/realtime?mode=audit").await;
    socket.send(&audited("r1")).await;
    let gate = socket.until("TOOL_CALL_PROPOSED").await.pop().unwrap();
    socket
        .send(&json!({ "type": "TOOL_CALL_APPROVED", "threadId": "t1", "toolCallId": gate["toolCallId"] }))
        .await;
    let gate = socket.until("TOOL_CALL_PROPOSED").await.pop().unwrap();
    socket.send(&json!({ "type": "TOOL_CALL_DENIED", "threadId": "t1", "toolCallId": gate["toolCallId"], "reason": "no" })).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert!(chunks(&frames)[0].contains("a person decided"), "{frames:#?}");
    let mut chat = Socket::open(&both.server, "/realtime").await;
    assert_eq!(
        chunks(&run(&mut chat, &says("t2", "r2", "HELLO")).await),
        ["Here is a form."],
        "nothing was saved"
    );
}

#[tokio::test]
async fn the_agent_elsewhere_is_told_the_state_of_its_thread() {
    let both = both().await;
    let mut socket = Socket::open(&both.server, "/realtime").await;
    run(&mut socket, &says("t1", "r1", "own tool")).await;
    run(&mut socket, &says("t1", "r2", "HELLO")).await;
    let heard: Vec<_> =
        both.elsewhere.heard.lock().unwrap().iter().map(|heard| heard["context"].clone()).collect();
    let context = |state: Value| json!({ "ui": {}, "state": state });
    assert_eq!(heard, [context(json!({})), context(json!({ "plan": "legs" }))]);
}

#[tokio::test]
async fn the_agent_elsewhere_is_told_all_that_the_contract_has() {
    let both = both().await;
    let mut socket = Socket::open(&both.server, "/realtime").await;
    let mut hello = says("thread-1", "run-1", "own tool");
    hello["forwardedProps"] = json!({ "uiContext": { "page": "coach" }, "more": 1 });
    run(&mut socket, &hello).await;
    run(&mut socket, &says("thread-1", "run-2", "HELLO")).await;
    let mut sent = submit("thread-1", "run-3", &json!({ "firstName": "Ada" }));
    sent["forwardedProps"]["uiContext"]["page"] = json!("profile");
    run(&mut socket, &sent).await;
    let heard = both.elsewhere.heard.lock().unwrap().clone();
    let said = |heard: &Value| {
        let messages = heard["messages"].as_array().unwrap().iter();
        messages.map(|it| json!([it["role"], it["content"]])).collect::<Vec<_>>()
    };
    let state = json!({ "plan": "legs" });
    for (at, (run_id, message, ui, state)) in [
        ("run-1", "own tool", json!({ "page": "coach" }), json!({})),
        ("run-2", "HELLO", json!({}), state.clone()),
        ("run-3", "A2UI_ACTION", sent["forwardedProps"]["uiContext"].clone(), state),
    ]
    .into_iter()
    .enumerate()
    {
        let heard = &heard[at];
        let ids = (&heard["threadId"], &heard["runId"], &heard["message"], &heard["userId"]);
        assert_eq!(ids, (&json!("thread-1"), &json!(run_id), &json!(message), &json!("local")));
        assert_eq!(heard["context"], json!({ "ui": ui, "state": state }), "{run_id}");
        assert_eq!(said(heard).last(), Some(&json!(["user", message])), "{run_id}");
    }
    let values = &heard[2]["context"]["ui"]["a2uiAction"]["action"]["values"];
    assert_eq!(*values, json!({ "firstName": "Ada" }));
    let names: Vec<_> =
        heard[0]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert!(names.contains(&json!("profile_get")) && names.contains(&json!("profile_save")), "{names:?}");
    let told: Vec<_> = both.elsewhere.told.lock().unwrap().iter().map(|(_, told)| told.clone()).collect();
    let saved = json!({ "ok": true, "profile": { "firstName": "Ada" } });
    let nothing = json!({ "ok": true, "profile": null });
    assert_eq!(told, [nothing.clone(), nothing, saved.clone(), saved], "what tools say is told to the agent");
}
