//! Contract 001 for agents that know nothing of it: what a model, a script, an agent elsewhere and a Rust function do not
//! say of steps and states is supplied, so that each of them walks the flows of the contract.

use std::sync::Arc;

use forestage_llm::{
    agent_file::{self, Setup},
    model_server::{ModelServer, Script},
    remote::agui::{AgUi, AgUiConfig},
};
use forestage_runtime::{
    About, Agent, AgentError, Agents, RunContext, agent_fn,
    house::HouseRules,
    script,
    tool::{Invocation, Tools, tool_fn},
    with_house,
};
use forestage_server::{Http, Keys};
use serde_json::{Value, json};

use crate::{agora_walk::*, support::*, wire::*};

const SEARCH: &str = "Based on the regulations it is fine.";
const FOUND: &str = "Found 5 relevant regulations";

/// A script that names no step.
const PLAIN: &str = r#"
house:
  rules: [{ tools: [generate_final_report], action: ask, risk: high, reason: A report leaves the house. }]
tools:
  - { name: generate_final_report, description: Generates a report, result: ready }
  - { name: search_regulations, result: Found 5 relevant regulations }
rules:
  - when: { says: "*search*" }
    do:
      - tool: { name: search_regulations, args: { query: food safety } }
      - text: Based on the regulations it is fine.
  - when: { says: "*report*" }
    do:
      - tool:
          name: generate_final_report
          args: { inspectionId: INS-1 }
          then: [{ text: The report is ready. }]
          failed: [{ text: "There is no report: {{answer.message}}" }]
  - when: { says: "*form*" }
    do: [{ text: "Fill this in.\n```a2ui\n{\"kind\":\"a2ui.v1\",\"viewId\":\"v\",\"root\":{\"type\":\"form\",\"id\":\"f\",\"fields\":[{\"type\":\"field.text\",\"name\":\"a\",\"label\":\"A\"}] } }\n```" }]
  - when: { says: "*fail*" }
    do: [{ error: { message: It broke, code: processing_error } }]
  - do: [{ text: Hello there. }]
"#;

/// A model agent, and what its model says.
const FILE: &str = r#"---
description: Inspects
model: openai/gpt-5-mini
handoffs: [reporting-agent]
tools:
  - { name: generate_final_report, description: Generates a report, result: ready }
  - { name: search_regulations, description: Searches, result: Found 5 relevant regulations }
house:
  rules: [{ tools: [generate_final_report], action: ask, risk: high, reason: A report leaves the house. }]
---
You inspect kitchens.
"#;

const MODEL: &str = r#"
rules:
  - when: { result: search_regulations }
    do: [{ text: Based on the regulations it is fine. }]
  - when: { result: generate_final_report, contains: ready }
    do: [{ text: The report is ready. }]
  - when: { result: generate_final_report }
    do: [{ text: "There is no report: too early" }]
  - when: { says: search }
    do: [{ calls: [{ name: search_regulations, args: { query: food safety } }] }]
  - when: { says: report }
    do: [{ calls: [{ name: generate_final_report, args: { inspectionId: INS-1 } }] }]
  - when: { says: hand over }
    do: [{ calls: [{ name: transfer_to_reporting-agent }] }]
  - when: { says: form }
    do: [{ text: "Fill this in.\n```a2ui\n{\"kind\":\"a2ui.v1\",\"viewId\":\"v\",\"root\":{\"type\":\"form\",\"id\":\"f\",\"fields\":[{\"type\":\"field.text\",\"name\":\"a\",\"label\":\"A\"}] } }\n```" }]
  - when: { says: fail }
    do: [{ error: { status: 400, message: It broke } }]
  - do: [{ text: Hello there. }]
"#;

/// A view that each of them draws when it is asked for a form.
pub(crate) fn form() -> Value {
    let field = json!({ "type": "field.text", "name": "a", "label": "A" });
    json!({ "kind": "a2ui.v1", "viewId": "v", "root": { "type": "form", "id": "f", "fields": [field] } })
}

/// A server, and what it needs to go on.
pub(crate) struct Walk {
    pub(crate) kind: &'static str,
    pub(crate) server: Running,
    _model: Option<ModelServer>,
    _far: Option<Running>,
}

impl Walk {
    pub(crate) async fn all() -> Vec<Self> {
        vec![model().await, plain().await, remote().await, rust().await]
    }

    async fn run(&self, thread: &str, text: &str) -> Vec<Value> {
        let mut socket = Socket::open(&self.server, "/ws?agent=general-agent").await;
        socket.send(&says(thread, text)).await;
        socket.until("RUN_FINISHED").await
    }
}

fn parsed(script: &str) -> Arc<dyn Agent> {
    Arc::new(script::parse("general-agent", script).unwrap_or_else(|errors| panic!("{errors:#?}")))
}

async fn model() -> Walk {
    let script = Script::parse("model", MODEL).unwrap_or_else(|errors| panic!("{errors:?}"));
    let model = ModelServer::bind("127.0.0.1:0", script).await.unwrap();
    let reporting = parsed("rules: [{ do: [{ text: Which report? }] }]");
    let found = reporting.clone();
    let setup = Setup {
        model_url: Some(model.url()),
        others: ["reporting-agent".to_owned()].into(),
        find: Arc::new(move |name| (name == "reporting-agent").then(|| found.clone())),
        ..Setup::default()
    };
    let agent =
        agent_file::parse("general-agent", FILE, &setup).unwrap_or_else(|errors| panic!("{errors:?}"));
    let agents = Agents::from([
        ("general-agent".to_owned(), Arc::new(agent) as Arc<dyn Agent>),
        ("reporting-agent".to_owned(), reporting),
    ]);
    let server = serve(agents, Keys::default(), "memory:", Http::default()).await;
    Walk { kind: "a model", server, _model: Some(model), _far: None }
}

async fn plain() -> Walk {
    let server = serve_script(PLAIN, Keys::default(), Http::default()).await;
    Walk { kind: "a script", server, _model: None, _far: None }
}

async fn remote() -> Walk {
    let far = serve_script(PLAIN, Keys::default(), Http::default()).await;
    let url = format!("http://{}/v1/agents/general-agent/runs", far.address);
    let agent = Arc::new(AgUi::new(AgUiConfig::new("general-agent", &url)).unwrap());
    let server = serve_agent(agent, Keys::default(), Http::default()).await;
    Walk { kind: "an agent elsewhere", server, _model: None, _far: Some(far) }
}

async fn rust() -> Walk {
    let tools = Tools::new()
        .with(tool_fn("search_regulations", |_: Invocation, _: Value| async { Ok(FOUND) }))
        .unwrap()
        .with(tool_fn("generate_final_report", |_: Invocation, _: Value| async { Ok("ready") }))
        .unwrap();
    let house = "rules: [{ tools: [generate_final_report], action: ask, risk: high, reason: A report. }]";
    let house = HouseRules::parse("house", house).unwrap_or_else(|errors| panic!("{errors:?}"));
    let agent = agent_fn(About::new("inspects"), |ctx: RunContext| async move {
        let said = ctx.last_user_text().unwrap_or_default();
        if said.contains("search") {
            let _ = ctx.use_tool("search_regulations", json!({ "query": "food safety" })).await?;
            ctx.say(SEARCH).await?;
        } else if said.contains("report") {
            match ctx.use_tool("generate_final_report", json!({ "inspectionId": "INS-1" })).await? {
                Ok(_) => ctx.say("The report is ready.").await?,
                Err(error) => ctx.say(format!("There is no report: {}", error.message)).await?,
            };
        } else if said.contains("form") {
            ctx.say(format!("Fill this in.\n```a2ui\n{}\n```", form())).await?;
        } else if said.contains("fail") {
            return Err(AgentError::new("processing_error", "It broke"));
        } else {
            ctx.say("Hello there.").await?;
        }
        Ok(())
    });
    let server = serve_agent(with_house(agent, tools, house), Keys::default(), Http::default()).await;
    Walk { kind: "a Rust function", server, _model: None, _far: None }
}

#[tokio::test]
async fn every_kind_of_agent_walks_flow_1() {
    for walk in Walk::all().await {
        let frames = walk.run("t1", "hello").await;
        judge("agora", &frames);
        assert_eq!(shape(&frames), FLOW_1, "{}", walk.kind);
        for snapshot in of(&frames, "STATE_SNAPSHOT") {
            assert_eq!(snapshot["snapshot"]["currentAgent"], "general-agent", "{}", walk.kind);
            assert_eq!(snapshot["snapshot"]["threadId"], "t1", "{}", walk.kind);
        }
        assert_eq!(text(&frames), "Hello there.", "{}", walk.kind);
    }
}

#[tokio::test]
async fn every_kind_of_agent_walks_flow_2() {
    for walk in Walk::all().await {
        let frames = walk.run("t1", "search").await;
        judge("agora", &frames);
        assert_eq!(shape(&frames), FLOW_2, "{}", walk.kind);
        assert_eq!(of(&frames, "TOOL_CALL_RESULT")[0]["content"], FOUND, "{}", walk.kind);
        assert_eq!(text(&frames), SEARCH, "{}", walk.kind);
    }
}

#[tokio::test]
async fn every_kind_of_agent_walks_flow_3() {
    for walk in Walk::all().await {
        let frames = walk.run("t1", "fail").await;
        judge("agora", &frames);
        assert_eq!(kinds(&frames), FLOW_3, "{}", walk.kind);
        assert!(frames[3]["code"].as_str().is_some_and(|code| !code.is_empty()), "{}", walk.kind);
        assert!(frames[3]["message"].as_str().is_some_and(|text| !text.is_empty()), "{}", walk.kind);
    }
}

#[tokio::test]
async fn every_kind_of_agent_asks_within_its_step_and_shows_the_call_after_a_yes_alone() {
    for walk in Walk::all().await {
        for (approved, shape_of_rest) in [(true, AFTER_YES), (false, AFTER_NO)] {
            let thread = format!("t-{approved}");
            let mut socket = Socket::open(&walk.server, "/ws?agent=general-agent").await;
            socket.send(&says(&thread, "report")).await;
            let before = socket.until("agora:tool_approval_request").await;
            assert_eq!(shape(&before), BEFORE_APPROVAL, "{}", walk.kind);
            let request = before.last().unwrap();
            assert_eq!(request["value"]["toolName"], "generate_final_report", "{}", walk.kind);
            assert_eq!(request["value"]["parameters"], json!({ "inspectionId": "INS-1" }), "{}", walk.kind);
            socket.send(&decision(request, approved, "too early")).await;
            let after = socket.until("RUN_FINISHED").await;
            assert_eq!(shape(&after), shape_of_rest, "{}", walk.kind);
            let said = if approved { "The report is ready." } else { "There is no report: " };
            assert!(text(&after).starts_with(said), "{}: {}", walk.kind, text(&after));
            judge("agora", &[before, after].concat());
        }
    }
}

#[tokio::test]
async fn whoever_comes_back_to_any_kind_of_agent_sees_the_same() {
    for walk in Walk::all().await {
        let mut socket = Socket::open(&walk.server, "/ws?agent=general-agent&cursors=true").await;
        socket.send(&says("t1", "search")).await;
        let whole = socket.until("RUN_FINISHED").await;
        let marked: Vec<_> = (0..whole.len() - 1).filter(|at| whole[*at]["cursor"].is_string()).collect();
        assert!(marked.len() > 3, "{}: {whole:#?}", walk.kind);
        for at in marked {
            let mut socket = Socket::open(&walk.server, "/ws?agent=general-agent&cursors=true").await;
            socket.send(&follow("t1", Some(&whole[at]["cursor"]))).await;
            let rest = socket.until("RUN_FINISHED").await;
            assert_eq!(compacted(&rest), compacted(&whole[at + 1..]), "{}: {}", walk.kind, whole[at]);
        }
    }
}

#[tokio::test]
async fn a_model_that_hands_over_is_followed_by_a_snapshot_with_the_new_agent() {
    let walk = model().await;
    let frames = walk.run("t1", "hand over").await;
    judge("agora", &frames);
    let snapshots = of(&frames, "STATE_SNAPSHOT");
    let spoken: Vec<_> = snapshots
        .iter()
        .map(|frame| {
            (
                frame["snapshot"]["currentAgent"].as_str().unwrap(),
                frame["snapshot"]["status"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        spoken,
        [
            ("general-agent", "processing"),
            ("reporting-agent", "processing"),
            ("reporting-agent", "completed")
        ]
    );
    assert_eq!(text(&frames), "Which report?");
}

#[tokio::test]
async fn a_run_of_another_agent_is_shown_under_its_own_name() {
    let walk = model().await;
    let mut socket = Socket::open(&walk.server, "/ws?agent=reporting-agent&cursors=true").await;
    socket.send(&says("t1", "hello")).await;
    let seen = socket.until("RUN_FINISHED").await;
    let mut other = Socket::open(&walk.server, "/ws?agent=general-agent&cursors=true").await;
    other.send(&follow("t1", Some(&seen[1]["cursor"]))).await;
    assert_eq!(other.until("RUN_FINISHED").await, seen[2..]);
    assert_eq!(seen[1]["snapshot"]["currentAgent"], "reporting-agent");
}
