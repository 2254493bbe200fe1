//! Contract 003 for every kind of agent: a model, a script, an agent elsewhere and a Rust function draw a form, change it,
//! hear what was never shown, and answer a click.

use std::sync::Arc;

use axum::{Router, body::Body, response::IntoResponse, routing::post};
use forestage_llm::{
    agent_file::{self, Setup},
    model_server::{ModelServer, Script},
    remote::agui::{AgUi, AgUiConfig},
};
use forestage_runtime::{About, Agent, RunContext, agent_fn, script, surface};
use forestage_server::{Http, Keys};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::{support::*, wire::*};

/// What is said before the result of a call.
const DRAWN: &str = "Result: ";

const RENDERED: &str = r#"{"status":"rendered","surfaceIds":["sign-up"]}"#;
const NOT_SHOWN: &str = r#""status":"not_shown""#;
const CLICKED: &str =
    r#"User performed action "submit" on surface "sign-up" (component: send). Context: {"userName":"Grace"}"#;

/// What each agent sends for what a person says. `half` has no `beginRendering`.
fn payload(said: &str) -> Option<Value> {
    let field = |label: &str| {
        json!({ "id": "name-field", "component": { "TextField": {
            "label": { "literalString": label }, "text": { "path": "/form/name" } } } })
    };
    let context = json!([{ "key": "userName", "value": { "path": "/form/name" } }]);
    let payload = match said {
        "form" => json!([
            { "surfaceUpdate": { "surfaceId": "sign-up", "components": [
                { "id": "card", "component": { "Card": { "child": "column" } } },
                { "id": "column", "component": { "Column": { "children": { "explicitList": ["name-field", "send"] } } } },
                field("Name"),
                { "id": "send", "component": { "Button": {
                    "child": "send-text", "action": { "name": "submit", "context": context } } } },
                { "id": "send-text", "component": { "Text": { "text": { "literalString": "Send" } } } },
            ] } },
            { "dataModelUpdate": { "surfaceId": "sign-up", "contents": [
                { "key": "form", "valueMap": [{ "key": "name", "valueString": "Ada" }] } ] } },
            { "beginRendering": { "surfaceId": "sign-up", "root": "card" } },
        ]),
        "change" => json!([
            { "surfaceUpdate": { "surfaceId": "sign-up", "components": [field("Full name")] } },
            { "dataModelUpdate": { "surfaceId": "sign-up", "contents": [{ "key": "seats", "valueNumber": 2 }] } },
        ]),
        "half" => json!([{ "surfaceUpdate": { "surfaceId": "other", "components": [
            { "id": "root", "component": { "Column": { "children": { "explicitList": [] } } } } ] } }]),
        _ => return None,
    };
    Some(json!({ "a2ui_json": payload }))
}

/// A server, and what it needs to go on.
struct Walk {
    kind: &'static str,
    server: Running,
    _model: Option<ModelServer>,
}

impl Walk {
    async fn all() -> Vec<Self> {
        vec![model().await, scripted().await, remote().await, rust().await]
    }

    async fn run(&self, run: &str, more: Value) -> Vec<Value> {
        let mut body = json!({ "protocolVersion": "1.0", "threadId": "t1", "runId": run, "messages": [] });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let frames = stream(&self.server, "/v1/agents/general-agent/runs", &body).await;
        assert_eq!(frames.last().unwrap()["type"], "RUN_FINISHED", "{}: {frames:#?}", self.kind);
        frames
    }

    async fn says(&self, run: &str, text: &str) -> Vec<Value> {
        self.run(run, json!({ "messages": [user(run, text)] })).await
    }

    /// What the agent has heard of its call: it says so at once, or when it is spoken to again.
    async fn heard(&self, frames: &[Value]) -> String {
        let said = text(frames);
        if said.is_empty() { text(&self.says("later", "And?").await) } else { said }
    }

    async fn messages(&self) -> Vec<Value> {
        let thread = self.server.stage.thread("local", &"t1".into()).await.unwrap();
        let conversation = self.server.stage.conversation(&thread, None).await.unwrap();
        conversation.messages.iter().map(|message| serde_json::to_value(message).unwrap()).collect()
    }

    /// The surfaces on the screen.
    async fn surfaces(&self) -> Value {
        let thread = self.server.stage.thread("local", &"t1".into()).await.unwrap();
        let conversation = self.server.stage.conversation(&thread, None).await.unwrap();
        serde_json::to_value(surface::shown(&conversation.messages)).unwrap()
    }
}

fn served(agent: impl Agent + 'static) -> impl Future<Output = Running> {
    serve_agent(Arc::new(agent), Keys::default(), Http::default())
}

async fn model() -> Walk {
    let draws = |said: &str| json!({ "when": { "says": said }, "do": [{ "calls": [{ "name": surface::SEND, "args": payload(said) }] }] });
    // A model's script repeats nothing, so each of these is said where it was heard.
    let heard =
        |words: &str| json!({ "when": { "contains": words }, "do": [{ "text": format!("{DRAWN}{words}") }] });
    let done = json!({ "when": { "result": surface::SEND }, "do": [{ "text": "Done." }] });
    let heard = [heard(RENDERED), heard(NOT_SHOWN), heard(CLICKED), done];
    let rules = heard.into_iter().chain(["form", "change", "half"].map(draws));
    let script = json!({ "rules": rules.collect::<Vec<_>>() });
    let script = Script::parse("model", &script.to_string()).unwrap_or_else(|errors| panic!("{errors:?}"));
    let model = ModelServer::bind("127.0.0.1:0", script).await.unwrap();
    let setup = Setup { model_url: Some(model.url()), ..Setup::default() };
    let file = "---\nmodel: openai/test\nsurfaces: true\nsurfacesVersion: '0.8'\n---\nDraw.\n";
    let agent =
        agent_file::parse("general-agent", file, &setup).unwrap_or_else(|errors| panic!("{errors:?}"));
    Walk { kind: "a model", server: served(agent).await, _model: Some(model) }
}

async fn scripted() -> Walk {
    let draws = |said: &str| {
        let call = json!({ "name": surface::SEND, "args": payload(said), "then": [{ "text": format!("{DRAWN}{{{{answer}}}}") }] });
        json!({ "when": { "says": said }, "do": [{ "tool": call }] })
    };
    let clicked =
        json!({ "when": { "action": "submit" }, "do": [{ "text": "{{answer.context.userName}}" }] });
    let rules = json!({ "rules": [clicked, draws("form"), draws("change"), draws("half")] });
    let agent =
        script::parse("general-agent", &rules.to_string()).unwrap_or_else(|errors| panic!("{errors:#?}"));
    Walk { kind: "a script", server: served(agent).await, _model: None }
}

/// What the agent elsewhere answers to an input.
fn elsewhere(input: &Value) -> Vec<Value> {
    let last = input["messages"].as_array().and_then(|messages| messages.last()).cloned().unwrap_or_default();
    let (run, content) = (input["runId"].as_str().unwrap(), last["content"].as_str().unwrap_or_default());
    let about = json!({ "threadId": input["threadId"], "runId": run });
    let said = |text: String| {
        vec![
            json!({ "type": "TEXT_MESSAGE_START", "messageId": format!("{run}-{}", last["id"]), "role": "assistant" }),
            json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": format!("{run}-{}", last["id"]), "delta": text }),
            json!({ "type": "TEXT_MESSAGE_END", "messageId": format!("{run}-{}", last["id"]) }),
        ]
    };
    let middle = match (last["role"].as_str(), payload(content)) {
        (Some("user"), Some(arguments)) => {
            let call = format!("{run}-call");
            vec![
                json!({ "type": "TOOL_CALL_START", "toolCallId": call, "toolCallName": surface::SEND }),
                json!({ "type": "TOOL_CALL_ARGS", "toolCallId": call, "delta": arguments.to_string() }),
                json!({ "type": "TOOL_CALL_END", "toolCallId": call }),
            ]
        }
        (Some("tool"), _) if content.starts_with("User performed action") => said(content.to_owned()),
        // It is not called again after a call that draws, and hears what came of it when somebody speaks.
        _ => {
            let mut messages = input["messages"].as_array().into_iter().flatten();
            let result = messages.rfind(|message| message["role"] == "tool").cloned().unwrap_or_default();
            said(format!("{DRAWN}{}", result["content"].as_str().unwrap_or_default()))
        }
    };
    let event = |kind: &str| {
        let mut event = about.clone();
        event["type"] = kind.into();
        event
    };
    [vec![event("RUN_STARTED")], middle, vec![event("RUN_FINISHED")]].concat()
}

async fn answer(body: String) -> impl IntoResponse {
    let input: Value = serde_json::from_str(&body).unwrap();
    let frames: String = elsewhere(&input).iter().map(|event| format!("data: {event}\n\n")).collect();
    ([("content-type", "text/event-stream")], Body::from(frames))
}

async fn remote() -> Walk {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/run", listener.local_addr().unwrap());
    let router = Router::new().route("/run", post(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let agent = AgUi::new(AgUiConfig::new("general-agent", &url)).unwrap();
    Walk { kind: "an agent elsewhere", server: served(agent).await, _model: None }
}

async fn rust() -> Walk {
    let agent = agent_fn(About::new("draws"), |ctx: RunContext| async move {
        let last =
            ctx.messages().last().map(|message| serde_json::to_value(message).unwrap()).unwrap_or_default();
        let said = last["content"].as_str().unwrap_or_default();
        let answer = match payload(said) {
            Some(arguments) => {
                let result = ctx.use_tool(surface::SEND, arguments).await?;
                format!("{DRAWN}{}", result.unwrap_or_else(|error| error.message))
            }
            None => said.to_owned(),
        };
        ctx.say(answer).await?;
        Ok(())
    });
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    Walk { kind: "a Rust function", server, _model: None }
}

fn drawn(frames: &[Value]) -> Vec<&Value> {
    frames
        .iter()
        .filter(|frame| frame["type"].as_str().is_some_and(|kind| kind.starts_with("ACTIVITY_")))
        .collect()
}

fn component<'s>(surfaces: &'s Value, id: &str) -> &'s Value {
    let components = surfaces[0]["components"].as_array().expect("has components");
    components.iter().find(|component| component["id"] == id).expect("has the component")
}

#[tokio::test]
async fn every_kind_of_agent_draws_changes_and_is_answered_as_003_has_it() {
    for walk in Walk::all().await {
        let kind = walk.kind;
        let frames = walk.says("r1", "form").await;
        assert_eq!(walk.heard(&frames).await, format!("{DRAWN}{RENDERED}"), "{kind}");
        assert!(
            drawn(&frames).iter().any(|frame| frame["activityType"] == "a2ui-surface"),
            "{kind}: {frames:#?}"
        );
        let surfaces = walk.surfaces().await;
        assert_eq!(surfaces.as_array().map(Vec::len), Some(1), "{kind}: {surfaces:#}");
        assert_eq!(surfaces[0]["dataModel"], json!({ "form": { "name": "Ada" } }), "{kind}");
        assert_eq!(component(&surfaces, "name-field")["label"], "Name", "{kind}: {surfaces:#}");

        walk.says("r2", "change").await;
        let surfaces = walk.surfaces().await;
        assert_eq!(surfaces[0]["dataModel"], json!({ "form": { "name": "Ada" }, "seats": 2 }), "{kind}");
        assert_eq!(component(&surfaces, "name-field")["label"], "Full name", "{kind}");
        assert_eq!(
            component(&surfaces, "send")["child"],
            "send-text",
            "{kind}: what was not sent again stays"
        );
    }
}

#[tokio::test]
async fn every_kind_of_agent_hears_what_is_never_shown() {
    for walk in Walk::all().await {
        let frames = walk.says("r1", "half").await;
        assert!(walk.heard(&frames).await.contains(NOT_SHOWN), "{}: {frames:#?}", walk.kind);
        let result = of(&frames, "TOOL_CALL_RESULT")[0]["content"].as_str().unwrap();
        assert!(result.contains("beginRendering"), "{}: {result}", walk.kind);
        assert_eq!(walk.surfaces().await, json!([]), "{}", walk.kind);
    }
}

#[tokio::test]
async fn every_kind_of_agent_answers_a_click_with_what_was_typed() {
    for walk in Walk::all().await {
        walk.says("r1", "form").await;
        let action = json!({
            "name": "submit", "surfaceId": "sign-up", "sourceComponentId": "send",
            "timestamp": "2026-11-17T10:00:00Z", "context": { "userName": "Grace" },
        });
        let click = json!({ "forwardedProps": { "a2uiAction": { "userAction": action } } });
        let frames = walk.run("r2", click).await;
        assert!(text(&frames).contains("Grace"), "{}: {frames:#?}", walk.kind);
        let messages = walk.messages().await;
        let at = messages
            .iter()
            .position(|message| message["toolCalls"][0]["function"]["name"] == "log_a2ui_event");
        let at = at.unwrap_or_else(|| panic!("{}: {messages:#?}", walk.kind));
        let [call, result] = &messages[at..at + 2] else { panic!("{}: {messages:#?}", walk.kind) };
        let arguments = call["toolCalls"][0]["function"]["arguments"].as_str().unwrap();
        assert_eq!(serde_json::from_str::<Value>(arguments).unwrap(), action, "{}", walk.kind);
        assert_eq!((&call["role"], &result["role"]), (&json!("assistant"), &json!("tool")), "{}", walk.kind);
        assert_eq!(result["toolCallId"], call["toolCalls"][0]["id"], "{}", walk.kind);
        assert_eq!(result["content"], CLICKED, "{}", walk.kind);
    }
}
