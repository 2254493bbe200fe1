//! What a model is told about drawing: one text for all of them, as its provider receives it.

use forestage_a2ui::{
    Version,
    catalog::{BASIC_0_8, BASIC_0_9, BASIC_0_9_COPILOTKIT, Catalog},
    prompt::instructions,
};
use forestage_llm::model_server::Request;
use forestage_protocol::{
    input::{Context, RunAgentInput},
    tool::Tool,
};
use serde_json::{Value, json};

use crate::support::{of, run, said, says, server, stage};

const DRAWS: &str = "---\nmodel: openai/test\nsurfaces: true\n---\nDraw.\n";

/// What the model is told before anybody speaks.
fn told(request: &Request) -> &str {
    request.body["messages"][0]["content"].as_str().expect("is a text")
}

fn tools(request: &Request) -> Vec<&str> {
    let tools = request.body["tools"].as_array().into_iter().flatten();
    tools.filter_map(|tool| tool["function"]["name"].as_str()).collect()
}

/// The request that an agent of this file makes for an input.
async fn request(file: &str, input: RunAgentInput) -> Request {
    let server = server("rules: [{ do: [{ text: Yes }] }]").await;
    let stage = stage(&server, &[("a", file)]).await;
    assert_eq!(said(&run(&stage, "a", input).await), "Yes");
    server.requests().remove(0)
}

fn with_context(entries: &[(&str, String)]) -> RunAgentInput {
    let entries = entries.iter().map(|(about, value)| Context::new(*about, value.clone()));
    RunAgentInput { context: Some(entries.collect()), ..says("r1", "hi") }
}

fn with_properties(properties: Value) -> RunAgentInput {
    RunAgentInput { forwarded_props: Some(properties.into()), ..says("r1", "hi") }
}

fn charts() -> Value {
    json!({ "catalogId": "acme.com:charts", "components": {
        "Column": { "properties": { "children": { "$ref": "c.json#/$defs/ChildList" } }, "required": ["children"] },
        "Chart": { "properties": { "kind": { "enum": ["bar", "line"] } }, "required": ["kind"] } } })
}

#[tokio::test]
async fn a_model_that_may_draw_is_told_everything_that_the_prompt_says() {
    let request = request(DRAWS, says("r1", "hi")).await;
    let chapter = instructions(&Catalog::basic_0_9());
    assert_eq!(told(&request), format!("Draw.\n\n{}", chapter.trim_end()));
    for words in [
        "Send everything in ONE call, in this order",
        "Every surface has an id of its own",
        "The outermost component is a layout",
        "No placeholder images",
        "not a `Modal`",
        "without another `createSurface`",
        "Give every field a value to begin with",
        "`log_a2ui_event`",
        "Do not describe which buttons there are",
        "---BEGIN A2UI JSON SCHEMA---",
    ] {
        assert!(told(&request).contains(words), "{words}");
    }
    assert_eq!(tools(&request), ["send_a2ui_json_to_client", "render_a2ui"]);
}

#[tokio::test]
async fn a_model_that_may_not_draw_is_told_nothing_of_it() {
    for file in [
        "---\nmodel: openai/test\n---\nTalk.\n",
        "---\nmodel: openai/test\nsurfaces: true\nhouse: { surfaces: false }\n---\nTalk.\n",
    ] {
        let request = request(file, says("r1", "hi")).await;
        assert_eq!((told(&request), tools(&request)), ("Talk.", vec![]), "{file}");
    }
}

#[tokio::test]
async fn the_version_of_the_agent_file_is_the_one_that_the_model_is_told() {
    let file = |version: &str| {
        format!("---\nmodel: openai/test\nsurfaces: true\nsurfacesVersion: '{version}'\n---\nDraw.\n")
    };
    let old = request(&file("0.8"), says("r1", "hi")).await;
    assert!(told(&old).contains(instructions(&Catalog::basic_0_8()).trim_end()));
    assert!(!told(&old).contains("createSurface") && told(&old).contains("beginRendering"));
    assert_eq!(tools(&old), ["send_a2ui_json_to_client"], "one surface alone is drawn in 0.9");
    let capabilities = json!({ "a2uiClientCapabilities": { "supportedCatalogIds": [BASIC_0_8] } });
    let new = request(&file("0.9"), with_properties(capabilities)).await;
    assert!(told(&new).contains(instructions(&Catalog::basic_0_9()).trim_end()), "whatever the client draws");
}

#[tokio::test]
async fn the_client_decides_which_version_and_which_catalog_it_is() {
    let capable = |capabilities: Value| with_properties(json!({ "a2uiClientCapabilities": capabilities }));
    let own = Catalog::from_schema(&charts(), Version::V0_9).expect("is a catalog");
    let old = Catalog::from_schema(&charts(), Version::V0_8).expect("is a catalog");
    let cases = [
        (capable(json!({ "supportedCatalogIds": [BASIC_0_8] })), Catalog::basic_0_8()),
        (capable(json!({ "v0.8": { "supportedCatalogIds": [BASIC_0_8] } })), Catalog::basic_0_8()),
        (capable(json!({ "inlineCatalogs": [charts()] })), old),
        (capable(json!({ "v0.9": { "supportedCatalogIds": [BASIC_0_9] } })), Catalog::basic_0_9()),
        (
            capable(json!({ "v0.9": { "supportedCatalogIds": [BASIC_0_9_COPILOTKIT] } })),
            Catalog::basic_0_9().named(BASIC_0_9_COPILOTKIT),
        ),
        (capable(json!({ "v0.9": { "inlineCatalogs": [charts()] }, "v0.8": {} })), own.clone()),
        (with_context(&[("A2UI Component Schema — available components", charts().to_string())]), own),
    ];
    for (input, catalog) in cases {
        let about = format!("{:?} {:?}", input.context, input.forwarded_props);
        let request = request(DRAWS, input).await;
        assert!(told(&request).contains(instructions(&catalog).trim_end()), "{about}");
    }
}

#[tokio::test]
async fn what_the_client_says_of_its_catalog_is_told_once() {
    let schema = "A2UI Component Schema — available components for generating UI surfaces.";
    let list = "A2UI catalog capabilities: available catalog IDs and custom component definitions.";
    let entries =
        [(schema, charts().to_string()), (list, "acme.com:charts".into()), ("page", "sales".into())];
    let request = request(DRAWS, with_context(&entries)).await;
    assert!(told(&request).contains("- page: sales"));
    assert!(!told(&request).contains("A2UI Component Schema"), "the chapter is made of it");
    assert!(!told(&request).contains("A2UI catalog capabilities"));
    assert_eq!(told(&request).matches("- `Chart`: ").count(), 1);
}

#[tokio::test]
async fn a_client_that_brings_the_tool_has_the_model_told_how_to_use_it() {
    let parameters = json!({ "type": "object" });
    let tool = Tool { parameters: Some(parameters.into()), ..Tool::new("render_a2ui", "Draws") };
    let input = RunAgentInput { tools: Some(vec![tool]), ..says("r1", "hi") };
    let request = request("---\nmodel: openai/test\n---\nTalk.\n", input).await;
    assert_eq!(tools(&request), ["render_a2ui"]);
    assert!(told(&request).contains(instructions(&Catalog::basic_0_9()).trim_end()));
}

/// The examples that the model was told are what it draws, and a click comes back as the chapter says.
#[tokio::test]
async fn a_click_reaches_the_model_as_the_chapter_says() {
    let form = forestage_a2ui::prompt::examples(&Catalog::basic_0_8())[1].payload.clone();
    let script = json!({ "rules": [
        { "when": { "says": "form" }, "do": [{ "calls": [{ "name": "send_a2ui_json_to_client", "args": { "a2ui_json": form } }] }] },
        { "when": { "contains": "User performed action" }, "do": [{ "text": "Welcome, Alice." }] },
        { "do": [{ "text": "Here it is." }] },
    ] });
    let server = server(&script.to_string()).await;
    let file = "---\nmodel: openai/test\nsurfaces: true\nsurfacesVersion: '0.8'\n---\nDraw.\n";
    let stage = stage(&server, &[("a", file)]).await;
    let drawn = run(&stage, "a", says("r1", "a form, please")).await;
    let result = of(&drawn, "TOOL_CALL_RESULT")[0]["content"].as_str().expect("is a text");
    assert_eq!(result, r#"{"status":"rendered","surfaceIds":["sign-up"]}"#);
    let action = json!({ "name": "submit", "surfaceId": "sign-up", "sourceComponentId": "send",
        "timestamp": "2026-11-17T10:00:00Z", "context": { "userName": "Alice" } });
    let click = RunAgentInput {
        messages: vec![],
        forwarded_props: Some(json!({ "a2uiAction": { "userAction": action } }).into()),
        ..says("r2", "")
    };
    assert_eq!(said(&run(&stage, "a", click).await), "Welcome, Alice.", "the agent answers at once");
    let requests = server.requests();
    let last = requests.last().expect("was asked");
    let chapter = instructions(&Catalog::basic_0_8());
    assert_eq!(told(last), format!("Draw.\n\n{}", chapter.trim_end()), "the rules come with the click");
    let messages = last.body["messages"].as_array().expect("is a list");
    let [.., call, result] = &messages[..] else { panic!("{messages:?}") };
    let function = &call["tool_calls"][0]["function"];
    assert_eq!((&call["role"], &function["name"]), (&json!("assistant"), &json!("log_a2ui_event")));
    let arguments: Value =
        serde_json::from_str(function["arguments"].as_str().expect("is a text")).expect("is JSON");
    assert_eq!(arguments, action, "the name of the action, where it was done, and what was sent along");
    assert_eq!((&result["role"], &result["tool_call_id"]), (&json!("tool"), &call["tool_calls"][0]["id"]));
    let expected = "User performed action \"submit\" on surface \"sign-up\" (component: send). Context: {\"userName\":\"Alice\"}";
    assert_eq!(result["content"], expected);
}

#[tokio::test]
async fn a_model_is_told_why_its_view_is_not_shown_and_tries_again() {
    let good = r#"{"kind":"a2ui.v1","viewId":"v","root":{"type":"text","text":"Hi"}}"#;
    let block = |view: &str| format!("Look:\n```a2ui\n{view}\n```");
    let script = json!({ "rules": [
        { "when": { "says": "the view is not shown" }, "do": [{ "text": block(good) }] },
        { "do": [{ "text": block(&good.replace("\"v\"", "\"\"")) }] },
    ] });
    let server = server(&script.to_string()).await;
    let stage =
        stage(&server, &[("a", "---\nmodel: openai/test\nhouse: { views: true }\n---\nShow.\n")]).await;
    let events = run(&stage, "a", says("r1", "hi")).await;
    let shown: Vec<_> = of(&events, "CUSTOM").iter().map(|event| event["name"].as_str().unwrap()).collect();
    assert_eq!(
        shown.iter().filter(|name| !name.starts_with("forestage.step")).collect::<Vec<_>>(),
        [&"forestage.invalid_view", &"A2UI_RENDER"]
    );
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    let last = requests[1].body["messages"].as_array().unwrap().last().unwrap();
    let told = last["content"].as_str().unwrap();
    assert!(
        told.contains("viewId: must not be empty") && told.contains("show the whole view again"),
        "{told}"
    );
}

#[tokio::test]
async fn a_model_that_shows_no_view_again_and_again_comes_to_an_end() {
    let server = server(r#"rules: [{ do: [{ text: "```a2ui\n{\"kind\":\"a2ui.v1\"}\n```" }] }]"#).await;
    let stage =
        stage(&server, &[("a", "---\nmodel: openai/test\nhouse: { views: true }\n---\nShow.\n")]).await;
    let events = run(&stage, "a", says("r1", "hi")).await;
    assert_eq!(events.last().unwrap()["type"], "RUN_FINISHED");
    assert_eq!(server.requests().len(), 3);
}
