//! Tutoring components of models: what a model is told of those that are not shown, and of those that are unwise.

use forestage_its::COMPONENTS;
use forestage_protocol::{
    input::RunAgentInput,
    message::{Message, ToolMessage},
};
use serde_json::{Value, json};

use crate::support::*;

/// The results of tools in a request to a provider.
fn results(body: &Value) -> Vec<String> {
    let messages = body["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "tool");
    messages.map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn every_component_without_something_required_is_told_to_the_model_and_not_shown() {
    for entry in &COMPONENTS {
        let example = entry.examples().remove(0).arguments;
        let required = entry.arguments()["required"][0].as_str().unwrap();
        let mut broken = example.clone();
        broken.as_object_mut().unwrap().remove(required);
        let (short, wire) = (entry.short, entry.name.replace(':', "_"));
        let file = format!("---\nmodel: openai/test\ncomponents: [{short}]\n---\nTeach.\n");
        let script = format!(
            "rules: [{{ when: {{ says: go }}, do: [{{ calls: [{{ name: {wire}, args: {broken} }}] }}] }},
                     {{ do: [{{ calls: [{{ name: {wire}, args: {example} }}] }}] }}]"
        );
        let server = server(&script).await;
        let stage = stage(&server, &[("a", &file)]).await;
        let events = run(&stage, "a", says("r1", "go")).await;
        let shown: Vec<_> =
            of(&events, "TOOL_CALL_ARGS").iter().map(|piece| piece["delta"].as_str().unwrap()).collect();
        assert_eq!(serde_json::from_str::<Value>(&shown.concat()).unwrap(), example, "{short}");
        assert_eq!(of(&events, "TOOL_CALL_START").len(), 1, "{short}");
        let told = results(&server.requests()[1].body);
        let error: Value = serde_json::from_str(&told[0]).unwrap();
        assert_eq!(error["error"]["code"], "invalid_arguments", "{short}");
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("`{required}` is missing")), "{message}");
    }
}

#[tokio::test]
async fn a_model_is_told_what_is_unwise_about_a_component_with_its_answer_or_without_one() {
    let file = "---\nmodel: openai/test\ncomponents: [goal_selector]\n---\nTeach.\n";
    let script = "
rules:
  - { when: { says: goals }, do: [{ calls: [{ name: its_render_goal_selector, args: { prompt_text: Which?, goals: [] } }] }] }
  - { do: [{ text: I see }] }";
    let warning =
        "[warning about the arguments of this call: arguments.goals: there is not one of the goals]";
    let server = server(script).await;
    let stage = stage(&server, &[("a", file)]).await;
    let events = run(&stage, "a", says("r1", "goals")).await;
    let call = of(&events, "TOOL_CALL_START")[0]["toolCallId"].as_str().unwrap().to_owned();
    let answer = json!({ "selected_goal_ids": [] }).to_string();
    let message = Message::from(ToolMessage::new("answer", answer.as_str(), call.as_str()));
    run(&stage, "a", RunAgentInput::new("t", "r2", vec![message])).await;
    assert_eq!(results(&server.requests()[1].body), [format!("{answer}\n{warning}")]);

    let mut other = says("r3", "goals");
    other.thread_id = "t2".into();
    run(&stage, "a", other).await;
    let mut next = says("r4", "and now?");
    next.thread_id = "t2".into();
    run(&stage, "a", next).await;
    let told = results(&server.requests()[3].body);
    assert_eq!(told, [format!("nobody answered this call\n{warning}")]);
}

#[tokio::test]
async fn a_model_is_told_how_the_server_graded_an_answer() {
    let file = "---\nmodel: openai/test\ncomponents: [quick_quiz]\n---\nTeach.\n";
    let quiz = forestage_its::find("quick_quiz").unwrap().examples().remove(0).arguments;
    let script = format!(
        "rules: [{{ when: {{ says: quiz }}, do: [{{ calls: [{{ name: its_render_quick_quiz, args: {quiz} }}] }}] }},
                 {{ do: [{{ text: I see }}] }}]"
    );
    let server = server(&script).await;
    let stage = stage(&server, &[("a", file)]).await;
    for (thread, option, grade) in [
        ("t1", "option_london", "[graded by the server: not right, 0 of 1]"),
        ("t2", "option_paris", "[graded by the server: right, 1 of 1]"),
    ] {
        let mut asks = says(&format!("{thread}-r1"), "quiz");
        asks.thread_id = thread.into();
        let events = run(&stage, "a", asks).await;
        let call = of(&events, "TOOL_CALL_START")[0]["toolCallId"].as_str().unwrap().to_owned();
        let answer = json!({ "selected_option_id": option }).to_string();
        let message = Message::from(ToolMessage::new(format!("{thread}-a"), answer.as_str(), call.as_str()));
        run(&stage, "a", RunAgentInput::new(thread, format!("{thread}-r2"), vec![message])).await;
        let told = results(&server.requests().last().unwrap().body);
        assert_eq!(told, [format!("{answer}\n{grade}")]);
    }
}
