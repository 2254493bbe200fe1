//! The walk of contract 000 with every kind of agent: in Rust, from a script, played by a model, elsewhere.
//!
//! Each of them first shows a quiz that does not fit, is told so, shows one that fits, and speaks about the answer.

use std::sync::Arc;

use axum::{Json, Router, http::header, response::IntoResponse, routing::post as posted};
use forestage_llm::{
    agent_file::{self, Setup},
    model_server::{ModelServer, Script},
    remote::agui::{AgUi, AgUiConfig},
};
use forestage_protocol::message::Message;
use forestage_runtime::{About, Agent, AgentError, RunContext, agent_fn, script};
use forestage_server::{Http, Keys};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::{support::*, wire::*};

const QUIZ: &str = "its:render_quick_quiz";

/// Arguments that fit if there is a text on the second option.
fn quiz(text: Option<&str>) -> Value {
    let mut options = json!([{ "id": "paris", "text": "Paris" }, { "id": "rome" }]);
    if let Some(text) = text {
        options[1]["text"] = json!(text);
    }
    json!({ "quiz_id": "q1", "question_text": "Capital of France?", "options": options })
}

fn in_rust() -> Arc<dyn Agent> {
    agent_fn(About::new("teaches"), |ctx: RunContext| async move {
        if let Some(Message::Tool(answer)) = ctx.messages().last() {
            let answer: Value = serde_json::from_str(&answer.content.text())?;
            ctx.text()?
                .push(format!("You chose {}.", answer["selected_option_id"].as_str().unwrap()))
                .await?;
            return Ok(());
        }
        let refused = ctx.use_client_tool(QUIZ, &quiz(None)).await?.expect_err("it does not fit");
        assert_eq!(refused.code, "invalid_arguments");
        ctx.use_client_tool(QUIZ, &quiz(Some("Rome"))).await?.map_err(AgentError::from)?;
        Ok(())
    })
}

fn from_a_script() -> Arc<dyn Agent> {
    let whole = quiz(Some("Rome"));
    let text = format!(
        r#"
rules:
  - when: {{ answers: "its:*" }}
    do: [{{ text: "You chose {{{{answer.selected_option_id}}}}." }}]
  - do:
      - tool:
          name: "{QUIZ}"
          args: {{ quiz_id: q1, question_text: Capital?, options: "{{{{user}}}}" }}
          failed: [{{ tool: {{ name: "{QUIZ}", args: {whole} }} }}]
"#
    );
    Arc::new(script::parse("teacher", &text).unwrap_or_else(|errors| panic!("{errors:?}")))
}

/// The server of the model has to outlive the agent.
async fn played_by_a_model() -> (Arc<dyn Agent>, ModelServer) {
    let (broken, whole) = (quiz(None), quiz(Some("Rome")));
    let text = format!(
        "rules:
  - {{ when: {{ says: quiz }}, do: [{{ calls: [{{ name: its_render_quick_quiz, args: {broken} }}] }}] }}
  - {{ when: {{ contains: invalid_arguments }}, do: [{{ calls: [{{ name: its_render_quick_quiz, args: {whole} }}] }}] }}
  - {{ when: {{ contains: paris }}, do: [{{ text: You chose paris. }}] }}"
    );
    let script = Script::parse("model", &text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let server = ModelServer::bind("127.0.0.1:0", script).await.unwrap();
    let setup = Setup { model_url: Some(server.url()), ..Setup::default() };
    let file = "---\nmodel: openai/test\ncomponents: [quick_quiz]\n---\nTeach.\n";
    let agent = agent_file::parse("teacher", file, &setup).unwrap_or_else(|errors| panic!("{errors:?}"));
    (Arc::new(agent), server)
}

/// What an agent elsewhere answers to an input, as an event stream.
async fn answer(Json(input): Json<Value>) -> impl IntoResponse {
    let last = input["messages"].as_array().unwrap().last().unwrap();
    let content = last["content"].as_str().unwrap_or_default();
    let call = |id: &str, arguments: &Value| {
        vec![
            json!({ "type": "TOOL_CALL_START", "toolCallId": id, "toolCallName": QUIZ }),
            json!({ "type": "TOOL_CALL_ARGS", "toolCallId": id, "delta": arguments.to_string() }),
            json!({ "type": "TOOL_CALL_END", "toolCallId": id }),
        ]
    };
    let said = match last["role"].as_str() {
        Some("tool") if content.contains("invalid_arguments") => call("c2", &quiz(Some("Rome"))),
        Some("tool") => vec![
            json!({ "type": "TEXT_MESSAGE_START", "messageId": "m1", "role": "assistant" }),
            json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": "m1", "delta": "You chose paris." }),
            json!({ "type": "TEXT_MESSAGE_END", "messageId": "m1" }),
        ],
        _ => call("c1", &quiz(None)),
    };
    let ids = |kind: &str| json!({ "type": kind, "threadId": input["threadId"], "runId": input["runId"] });
    let all = std::iter::once(ids("RUN_STARTED")).chain(said).chain([ids("RUN_FINISHED")]);
    let text: String = all.map(|event| format!("data: {event}\n\n")).collect();
    ([(header::CONTENT_TYPE, "text/event-stream")], text)
}

async fn elsewhere() -> Arc<dyn Agent> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/agent", listener.local_addr().unwrap());
    let router = Router::new().route("/agent", posted(answer));
    tokio::spawn(async move { axum::serve(listener, router).await });
    Arc::new(AgUi::new(AgUiConfig::new("teacher", &url)).unwrap())
}

#[tokio::test]
async fn every_kind_of_agent_corrects_a_quiz_that_does_not_fit_and_hears_the_answer() {
    let (model, _server) = played_by_a_model().await;
    let agents = [
        ("in Rust", in_rust()),
        ("from a script", from_a_script()),
        ("played by a model", model),
        ("elsewhere", elsewhere().await),
    ];
    for (kind, agent) in agents {
        let server = serve_agent(agent, Keys::default(), Http::default()).await;
        let body = json!({ "thread_id": "t1", "run_id": "r1", "messages": [user("m1", "a quiz")] });
        let frames = stream(&server, "/awp", &body).await;
        judge("its", &frames);
        let [start] = of(&frames, "TOOL_CALL_START")[..] else { panic!("{kind}: {frames:?}") };
        let pieces = of(&frames, "TOOL_CALL_ARGS");
        let shown: String = pieces.iter().map(|piece| piece["delta"].as_str().unwrap()).collect();
        assert_eq!(serde_json::from_str::<Value>(&shown).unwrap(), quiz(Some("Rome")), "{kind}");
        let call = &start["toolCallId"];
        assert_eq!(frames.last().unwrap()["outcome"]["pendingToolCallIds"], json!([call]), "{kind}");
        let answer = json!({ "id": "a1", "role": "tool", "tool_call_id": call, "name": QUIZ,
            "content": "{\"selected_option_id\": \"paris\"}" });
        let body = json!({ "thread_id": "t1", "run_id": "r2", "messages": [answer] });
        let frames = stream(&server, "/awp", &body).await;
        judge("its", &frames);
        assert_eq!(text(&frames), "You chose paris.", "{kind}");
    }
}
