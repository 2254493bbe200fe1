//! The examples of contract 000 in its own JSON, over a socket. The text is not ours to ship: `FORESTAGE_CONTRACTS` names the
//! folder that has it.

#[path = "../../../its/tests/contract/text.rs"]
mod text;

use forestage_its::find;
use serde_json::{Value, json};

use self::text::{blocks, input_blocks};
use crate::{
    its_components::{answering, call_of, room, show},
    wire::{mirror, stream},
};

/// Arguments to which an answer of the text belongs: it has arguments for one of three types of assessment, and shows a
/// click on a diagram that takes none.
fn arguments_for(name: &str, example: &Value, answer: &Value) -> Value {
    let mut arguments = example.clone();
    match name {
        "its:render_diagram_viewer" => arguments["interactive"] = json!(true),
        "its:render_code_assessment" => {
            let examples = find(name).unwrap().examples().into_iter().map(|example| example.arguments);
            let is_its = |arguments: &Value| arguments["assessment_id"] == answer["assessment_id"];
            let is_other = |arguments: &Value| arguments["assessment_type"] != "mcq";
            arguments = examples.into_iter().find(|it| is_its(it) && is_other(it)).unwrap_or(arguments);
        }
        _ => {}
    }
    arguments
}

#[tokio::test]
#[ignore = "needs FORESTAGE_CONTRACTS; `cargo xtask test conformance` runs it"]
async fn its_examples_are_shown_as_they_stand_and_its_answers_are_taken() {
    let server = room().await;
    let mut answered = 0;
    for (name, blocks) in blocks() {
        let [_schema, example, answers @ ..] = &blocks[..] else { panic!("{name}") };
        let thread = format!("shown-{name}");
        let frames = show(&server, &thread, "r1", &json!({ "name": name, "arguments": example })).await;
        let (shown, call, arguments) = call_of(&frames);
        assert_eq!((&shown, &arguments), (&name, example), "to the letter");
        assert_eq!(frames.last().unwrap()["outcome"]["pendingToolCallIds"], json!([call]));
        for (at, answer) in answers.iter().enumerate() {
            let (thread, run) = (format!("{name}-{at}"), format!("r{at}"));
            let wish = json!({ "name": name, "arguments": arguments_for(&name, example, answer) });
            let (_, call, _) = call_of(&show(&server, &thread, &run, &wish).await);
            let frames = stream(&server, "/awp", &answering(&thread, &name, &call, answer)).await;
            assert_eq!(frames.last().unwrap()["result"]["answer"], answer.to_string(), "{name}");
            answered += 1;
        }
    }
    assert_eq!(answered, 15, "one for each component, and two more kinds of assessment");
}

#[tokio::test]
#[ignore = "needs FORESTAGE_CONTRACTS; `cargo xtask test conformance` runs it"]
async fn its_messages_and_its_context_are_accepted_as_they_stand() {
    let [typed, answer, context] = &input_blocks()[..] else { panic!("three blocks") };
    let server = mirror().await;
    let body = json!({ "thread_id": "t1", "run_id": "r1", "messages": typed, "context": context });
    let frames = stream(&server, "/awp", &body).await;
    let input = &frames.last().unwrap()["result"];
    assert_eq!((&input["messages"], &input["context"]), (typed, context), "they reach the agent");

    // The call that the answer names is not in the text; the arguments of a quiz are.
    let function =
        json!({ "name": answer[0]["name"], "arguments": blocks()["its:render_quick_quiz"][1].to_string() });
    let call = json!({ "id": answer[0]["tool_call_id"], "type": "function", "function": function });
    for (thread, role) in [("t2", "tool"), ("t3", "user")] {
        let mut answer = answer[0].clone();
        answer["role"] = json!(role);
        let shown = json!({ "id": "a1", "role": "assistant", "tool_calls": [call] });
        let body = json!({ "thread_id": thread, "run_id": "r1", "messages": [shown, answer] });
        stream(&server, "/awp", &body).await;
        let thread = server.stage.thread("local", &thread.into()).await.unwrap();
        let conversation = server.stage.conversation(&thread, None).await.unwrap();
        let told = serde_json::to_value(&conversation.messages[1]).unwrap();
        assert_eq!((&told["role"], &told["id"]), (&json!("tool"), &answer["id"]));
        assert_eq!((&told["toolCallId"], &told["content"]), (&answer["tool_call_id"], &answer["content"]));
        assert_eq!(told["metadata"]["its"]["name"], answer["name"]);
        assert_eq!(told["metadata"]["forestage"]["check"]["correct"], json!(true), "{told}");
    }
}
