//! Agents that a model plays.

use forestage_llm::model_server::{ModelServer, Request};
use forestage_protocol::{
    input::RunAgentInput,
    message::{Message, ToolMessage},
    tool::Tool,
};
use forestage_runtime::Agents;
use serde_json::{Value, json};

use crate::support::{kinds, of, run, said, says, server, stage, stage_on};

const PLAIN: &str = "---\nmodel: openai/test\n---\nBe brief.\n";

fn messages(request: &Request) -> &Vec<Value> {
    request.body["messages"].as_array().unwrap()
}

#[tokio::test]
async fn text_is_streamed_and_usage_reported() {
    let server = server("rules: [{ do: [{ text: Hello there }, { usage: { input: 3, output: 2 } }] }]").await;
    let stage = stage(&server, &[("a", PLAIN)]).await;
    let events = run(&stage, "a", says("r1", "hi")).await;
    assert_eq!(
        kinds(&events),
        ["RUN_STARTED", "TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT", "TEXT_MESSAGE_END", "RUN_FINISHED"]
    );
    assert_eq!(said(&events), "Hello there");
    let usage = &events.last().unwrap()["usage"][0];
    assert_eq!((usage["inputTokens"].as_i64(), usage["model"].as_str()), (Some(3), Some("test")));
}

#[tokio::test]
async fn a_failure_of_the_provider_ends_the_run_with_its_code() {
    let server = server("rules: [{ do: [{ text: half a }, { sleep: 20ms }, cut] }]").await;
    let stage = stage(&server, &[("a", PLAIN)]).await;
    let events = run(&stage, "a", says("r1", "hi")).await;
    assert_eq!(said(&events), "half a", "what was said stays");
    assert_eq!(events.last().unwrap()["code"], "model_broke_off");
}

#[tokio::test]
async fn tools_are_checked_used_and_told_to_the_model() {
    let file = "\
---
model: openai/test
tools:
  - name: add
    parameters: { type: object, properties: { n: { type: integer } }, required: [n] }
    result: { sum: '{{args.n}}' }
---
Be brief.
";
    let script = "
rules:
  - when: { says: add }
    do:
      - calls: [{ name: add, args: { n: 1 } }, { name: add, args: { n: one } }, { name: ad, args: {} }, { name: add, text: '{\"n\":' }]
  - do: [{ text: Done }]";
    let server = server(script).await;
    let stage = stage(&server, &[("a", file)]).await;
    let events = run(&stage, "a", says("r1", "add things")).await;
    assert_eq!(said(&events), "Done");
    assert_eq!(of(&events, "TOOL_CALL_START").len(), 3, "a tool that nobody knows is not shown");
    assert_eq!(of(&events, "TOOL_CALL_RESULT").len(), 3);
    let requests = server.requests();
    let told: Vec<_> = messages(&requests[1]).iter().filter(|message| message["role"] == "tool").collect();
    let told: Vec<_> = told.iter().map(|message| message["content"].as_str().unwrap()).collect();
    assert_eq!(told.len(), 4);
    assert_eq!(told[0], r#"{"sum":1}"#);
    for (told, code) in told[1..].iter().zip(["invalid_arguments", "unknown_tool", "invalid_arguments"]) {
        assert!(told.contains(code), "{told}");
    }
}

#[tokio::test]
async fn tools_of_the_client_end_the_run_and_their_answers_go_on() {
    let script = "
rules:
  - { when: { result: pick_colour }, do: [{ text: A fine colour }] }
  - { do: [{ calls: [{ name: pick_colour, args: { of: [red] } }] }] }";
    let server = server(script).await;
    let stage = stage(&server, &[("a", PLAIN)]).await;
    let schema = json!({ "type": "object", "properties": { "of": { "type": "array" } } });
    let tool = Tool { parameters: Some(schema.into()), ..Tool::new("pick_colour", "Lets the person pick") };
    let mut input = says("r1", "hi");
    input.tools = Some(vec![tool.clone()]);
    let events = run(&stage, "a", input).await;
    let call = of(&events, "TOOL_CALL_START")[0]["toolCallId"].as_str().unwrap().to_owned();
    assert_eq!(events.last().unwrap()["outcome"]["pendingToolCallIds"], json!([call]));
    let answer = Message::from(ToolMessage::new("answer", "red", call.as_str()));
    let mut input = RunAgentInput::new("t", "r2", vec![answer]);
    input.tools = Some(vec![tool]);
    assert_eq!(said(&run(&stage, "a", input).await), "A fine colour");
    assert_eq!(messages(&server.requests()[1]).last().unwrap()["content"], "red");
}

#[tokio::test]
async fn components_are_offered_under_a_name_that_providers_take_and_judged_before_they_are_shown() {
    let file = "---\nmodel: openai/test\ncomponents: [quick_quiz]\n---\nTeach.\n";
    let quiz = forestage_its::find("quick_quiz").unwrap().examples()[0].arguments.to_string();
    let script = format!(
        "rules: [{{ when: {{ says: quiz }}, do: [{{ calls: [{{ name: its_render_quick_quiz, args: {{ quiz_id: q }} }}] }}] }},
                 {{ do: [{{ calls: [{{ name: its_render_quick_quiz, args: {quiz} }}] }}] }}]"
    );
    let server = server(&script).await;
    let stage = stage(&server, &[("a", file)]).await;
    let events = run(&stage, "a", says("r1", "quiz me")).await;
    let shown: Vec<_> =
        of(&events, "TOOL_CALL_START").iter().map(|event| event["toolCallName"].clone()).collect();
    assert_eq!(shown, ["its:render_quick_quiz"], "the one that does not fit is told to the model alone");
    assert_eq!(server.requests()[0].body["tools"][0]["function"]["name"], "its_render_quick_quiz");
    assert!(
        messages(&server.requests()[1]).last().unwrap()["content"]
            .as_str()
            .unwrap()
            .contains("invalid_arguments")
    );
}

#[tokio::test]
async fn the_state_is_changed_by_a_typed_tool_and_stays_what_it_has_to_be() {
    let file = "\
---
model: openai/test
state:
  initial: { count: 0, name: Ada }
  schema: { type: object, properties: { count: { type: integer }, name: { type: string } }, required: [count] }
---
Count.
";
    let script = "
rules:
  - when: { says: count }
    do:
      - calls: [{ name: update_state, args: { changes: { count: 1 } } }, { name: update_state, args: { changes: { count: many } } }, { name: get_state }]
  - do: [{ text: Counted }]";
    let server = server(script).await;
    let stage = stage(&server, &[("a", file)]).await;
    let events = run(&stage, "a", says("r1", "count")).await;
    let delta = of(&events, "STATE_DELTA");
    assert_eq!(delta.len(), 1, "{events:#?}");
    assert_eq!(delta[0]["delta"], json!([{ "op": "replace", "path": "/count", "value": 1 }]));
    let requests = server.requests();
    let told: Vec<_> = messages(&requests[1])
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert!(told[1].contains("invalid_arguments") && told[1].contains("count"), "{}", told[1]);
    assert_eq!(told[2], r#"{"count":1,"name":"Ada"}"#);
}

#[tokio::test]
async fn surfaces_are_drawn_and_mistakes_go_back_to_the_model() {
    let file = "---\nmodel: openai/test\nsurfaces: true\n---\nDraw.\n";
    let script = r#"
rules:
  - when: { says: draw }
    do: [{ calls: [{ name: send_a2ui_json_to_client, args: { a2ui_json: [{ version: v0.9, updateComponents: { surfaceId: s, components: [{ id: root, component: Txt }] } }] } }] }]
  - when: { contains: error }
    do: [{ calls: [{ name: send_a2ui_json_to_client, args: { a2ui_json: [{ version: v0.9, createSurface: { surfaceId: s, catalogId: "https://a2ui.org/specification/v0_9/basic_catalog.json" } }, { version: v0.9, updateComponents: { surfaceId: s, components: [{ id: root, component: Text, text: Hello }] } }] } }] }]
  - do: [{ text: Drawn }]"#;
    let server = server(script).await;
    let stage = stage(&server, &[("a", file)]).await;
    let events = run(&stage, "a", says("r1", "draw")).await;
    assert_eq!(said(&events), "Drawn", "{events:#?}");
    assert_eq!(server.requests().len(), 3);
    let results: Vec<_> =
        of(&events, "TOOL_CALL_RESULT").iter().map(|event| event["content"].as_str().unwrap()).collect();
    assert!(
        results.len() == 2 && results[0].contains("error") && results[1].contains("rendered"),
        "{results:?}"
    );
}

#[tokio::test]
async fn facts_of_the_client_are_in_the_instructions() {
    let server = server("rules: [{ when: { instructions: 'page: checkout' }, do: [{ text: I see }] }]").await;
    let stage = stage(&server, &[("a", PLAIN)]).await;
    let mut input = says("r1", "hi");
    input.context =
        Some(serde_json::from_value(json!([{ "description": "page", "value": "checkout" }])).unwrap());
    assert_eq!(said(&run(&stage, "a", input).await), "I see");
}

#[tokio::test]
async fn limits_end_a_run_that_does_not_end() {
    let tool = "tools: [{ name: again, result: more, repeatable: true }]";
    for (limits, code) in [
        ("{ steps: 3 }", "limit_steps"),
        ("{ tokens: 20 }", "limit_tokens"),
        ("{ time: 50ms }", "limit_time"),
    ] {
        let file = format!("---\nmodel: openai/test\n{tool}\nlimits: {limits}\n---\nGo on.\n");
        let server = server("rules: [{ pace: 10ms, do: [{ calls: [{ name: again }] }] }]").await;
        let stage = stage(&server, &[("a", &file)]).await;
        let events = run(&stage, "a", says("r1", "hi")).await;
        assert_eq!(events.last().unwrap()["code"], code);
    }
}

#[tokio::test]
async fn sealed_thoughts_go_back_to_the_provider_in_later_turns() {
    let file = "---\nmodel: { provider: anthropic, name: test, reasoning: low }\n---\nThink.\n";
    let server = server("rules: [{ do: [{ reasoning: Hm }, { seal: signed-xyz }, { text: Yes }] }]").await;
    let stage = stage(&server, &[("a", file)]).await;
    let events = run(&stage, "a", says("r1", "hi")).await;
    assert_eq!(of(&events, "REASONING_ENCRYPTED_VALUE").len(), 1);
    run(&stage, "a", says("r2", "and now?")).await;
    let requests = server.requests();
    let thought = &requests[1].body["messages"][1]["content"][0];
    assert_eq!(
        (thought["thinking"].as_str(), thought["signature"].as_str()),
        (Some("Hm"), Some("signed-xyz"))
    );
}

/// How often a model was asked for a summary.
fn summaries(server: &ModelServer) -> usize {
    let is_asked =
        |request: &Request| messages(request)[0]["content"].as_str().unwrap().starts_with("Summarise");
    server.requests().iter().filter(|request| is_asked(request)).count()
}

#[tokio::test]
async fn a_long_conversation_is_summarised_once_and_goes_on_after_a_restart() {
    let file = "---\nmodel: openai/test\nlimits: { context: 700 }\n---\nBe brief.\n";
    let long = "blah ".repeat(100);
    let script = format!(
        "rules: [{{ when: {{ instructions: Summarise }}, do: [{{ text: They said blah }}, {{ usage: {{ input: 1000, output: 7 }} }}] }}, {{ do: [{{ text: '{long}' }}] }}]"
    );
    let server = server(&script).await;
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("log.db").display());
    let first = stage_on(&store, &server, &[("a", file)], Agents::new()).await;
    let mut at = 0;
    let mut events = Vec::new();
    while summaries(&server) == 0 {
        at += 1;
        events = run(&first, "a", says(&format!("r{at}"), &format!("question {at}."))).await;
    }
    assert_eq!(events.last().unwrap()["usage"][0]["inputTokens"], 1010, "what a summary uses counts");
    first.close().await;
    let second = stage_on(&store, &server, &[("a", file)], Agents::new()).await;
    run(&second, "a", says("after", "and now?")).await;
    assert_eq!(summaries(&server), 1, "nobody is asked for the same summary again");
    let told = |request: &Request| request.body["messages"].to_string();
    let requests = server.requests();
    let text = told(requests.last().unwrap());
    assert!(
        text.contains("They said blah") && text.contains("and now?") && !text.contains("question 1."),
        "{text}"
    );
    // One that grows on is summarised with what was summarised before, and that counts from then on.
    while summaries(&server) == 1 {
        at += 1;
        run(&second, "a", says(&format!("r{at}"), &format!("question {at}."))).await;
    }
    let requests = server.requests();
    let asked = requests.iter().rfind(|request| told(request).contains("Summarise")).unwrap();
    assert!(told(asked).contains("in short: They said blah"), "{}", told(asked));
    run(&second, "a", says("last", "and then?")).await;
    assert_eq!(summaries(&server), 2);
}

#[tokio::test]
async fn a_branch_remembers_what_was_remembered_before_it_begins() {
    let file = "---\nmodel: openai/test\nlimits: { context: 60 }\n---\nBe brief.\n";
    let long = "blah ".repeat(60);
    let script = format!(
        "rules: [{{ when: {{ instructions: Summarise }}, do: [{{ text: They said blah }}] }}, {{ do: [{{ text: '{long}' }}] }}]"
    );
    let server = server(&script).await;
    let stage = stage(&server, &[("a", file)]).await;
    for number in 1..=2 {
        run(&stage, "a", says(&format!("r{number}"), &format!("question {number}"))).await;
    }
    assert_eq!(summaries(&server), 1);
    let from = |run: &str, parent: &str| RunAgentInput {
        parent_run_id: Some(parent.into()),
        ..says(run, "something else")
    };
    run(&stage, "a", from("r3", "r1")).await;
    assert_eq!(summaries(&server), 2, "it was remembered after the first run");
    run(&stage, "a", from("r4", "r3")).await;
    let asked = summaries(&server);
    run(&stage, "a", from("r5", "r3")).await;
    assert_eq!(summaries(&server), asked + 1, "each branch has its own");
}

#[tokio::test]
async fn another_agent_takes_over_and_stays() {
    let first = "---\nmodel: openai/first\nhandoffs: [second]\n---\nRoute.\n";
    let second = "---\nmodel: openai/second\n---\nKnow.\n";
    let script = "
rules:
  - { when: { model: first }, do: [{ calls: [{ name: transfer_to_second }] }] }
  - { when: { model: second }, do: [{ text: Second here }] }";
    let server = server(script).await;
    let stage = stage(&server, &[("first", first), ("second", second)]).await;
    let events = run(&stage, "first", says("r1", "hi")).await;
    assert_eq!(said(&events), "Second here");
    assert!(
        of(&events, "STATE_SNAPSHOT").iter().any(|event| event["snapshot"]["currentAgent"] == "second")
            || of(&events, "STATE_DELTA").len() == 1
    );
    run(&stage, "first", says("r2", "again")).await;
    let models: Vec<_> =
        server.requests().iter().map(|request| request.body["model"].as_str().unwrap().to_owned()).collect();
    assert_eq!(models, ["first", "second", "second"]);
}
