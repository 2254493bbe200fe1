//! A thread that begins with a history of the client's: it cannot be checked, but it has to hang together.

use forestage_server::{Http, Keys};
use serde_json::{Value, json};

use crate::{
    support::*,
    wire::{post, serve_script, stream, user},
};

const TUTOR: &str = r#"
rules:
  - when: { answers: "its:render_quick_quiz", check: { correct: true } }
    do: [{ text: Right. }]
  - when: { answers: "its:render_quick_quiz" }
    do: [{ text: Wrong. }]
  - do: [{ text: Hello. }]
"#;

async fn tutor() -> Running {
    serve_script(TUTOR, Keys::default(), Http::default()).await
}

/// What was shown elsewhere.
fn shown() -> Value {
    let options = json!([{ "id": "paris", "text": "Paris" }, { "id": "rome", "text": "Rome" }]);
    let arguments = json!({
        "quiz_id": "q1", "question_text": "Capital of France?", "options": options, "correct_answer_id_for_fe_feedback": "paris",
    });
    let function = json!({ "name": "its:render_quick_quiz", "arguments": arguments.to_string() });
    json!({ "id": "a1", "role": "assistant", "tool_calls": [{ "id": "q", "type": "function", "function": function }] })
}

fn answer(id: &str, option: &str) -> Value {
    let content = json!({ "selected_option_id": option }).to_string();
    json!({ "id": id, "role": "tool", "tool_call_id": "q", "name": "its:render_quick_quiz", "content": content })
}

fn body(thread: &str, messages: &[Value]) -> Value {
    json!({ "thread_id": thread, "run_id": "r1", "messages": messages })
}

#[tokio::test]
async fn an_answer_is_graded_against_the_call_that_came_with_it() {
    let server = tutor().await;
    for (option, said) in [("paris", "Right."), ("rome", "Wrong.")] {
        let messages = [user("u1", "a quiz"), shown(), answer("t1", option)];
        let frames = stream(&server, "/awp", &body(option, &messages)).await;
        assert_eq!(text(&frames), said);
    }
}

#[tokio::test]
async fn the_example_of_the_contract_is_taken_to_the_letter_and_a_wrong_quiz_is_not() {
    let server = tutor().await;
    let mut shown = shown();
    shown["tool_calls"][0]["id"] = json!("quiz_capital_france");
    shown["tool_calls"][0]["function"]["arguments"] = json!(
        shown["tool_calls"][0]["function"]["arguments"].as_str().unwrap().replace("paris", "option_paris")
    );
    let example = json!({
        "id": "msg-tool-resp-002",
        "role": "tool",
        "tool_call_id": "quiz_capital_france",
        "name": "its:render_quick_quiz",
        "content": "{\"selected_option_id\":\"option_paris\"}",
    });
    let frames = stream(&server, "/awp", &body("t1", &[shown.clone(), example.clone()])).await;
    assert_eq!(text(&frames), "Right.");
    for (thread, quiz, status) in [("t2", "q1", 200), ("t3", "another", 422)] {
        let mut answer = example.clone();
        let content = json!({ "quiz_id": quiz, "selected_option_id": "option_paris" });
        answer["content"] = json!(content.to_string());
        assert_eq!(post(&server, "/awp", &body(thread, &[shown.clone(), answer])).await.0, status, "{quiz}");
    }
}

#[tokio::test]
async fn a_history_that_does_not_hang_together_is_refused_with_the_place() {
    let server = tutor().await;
    let mut misnamed = answer("t1", "paris");
    misnamed["name"] = json!("its:render_skill_slider");
    for (messages, code, path) in [
        (vec![answer("t1", "paris")], "forged_message", "messages[0].toolCallId"),
        (vec![user("u1", "hi"), answer("t1", "paris")], "forged_message", "messages[1].toolCallId"),
        (vec![answer("t1", "paris"), shown()], "forged_message", "messages[0].toolCallId"),
        (
            vec![shown(), answer("t1", "paris"), answer("t2", "paris")],
            "already_answered",
            "messages[2].toolCallId",
        ),
        (vec![shown(), answer("t1", "madrid")], "invalid_answer", "messages[1].content.selected_option_id"),
        (vec![shown(), misnamed], "wrong_tool_name", "messages[1].name"),
    ] {
        for door in ["/awp", "/v1/agents/general-agent/runs"] {
            if code == "wrong_tool_name" && door != "/awp" {
                continue;
            }
            let mut body = body("t1", &messages);
            if door != "/awp" {
                body = as_ag_ui(body);
            }
            let (status, told) = post(&server, door, &body).await;
            let told: Value = serde_json::from_str(&told).unwrap();
            assert_eq!(
                (status, &told["error"]["code"], &told["error"]["path"]),
                (422, &json!(code), &json!(path)),
                "{door}: {messages:?}"
            );
        }
    }
    let threads: Value =
        reqwest::get(format!("http://{}/v1/threads", server.address)).await.unwrap().json().await.unwrap();
    assert_eq!(threads["threads"], json!([]), "nothing is left of it");
}

/// The same in the spelling of AG-UI 1.0.
fn as_ag_ui(body: Value) -> Value {
    let text =
        body.to_string().replace("tool_call_id", "toolCallId").replace("\"tool_calls\"", "\"toolCalls\"");
    let mut body: Value =
        serde_json::from_str(&text.replace("thread_id", "threadId").replace("run_id", "runId")).unwrap();
    for message in body["messages"].as_array_mut().unwrap() {
        message.as_object_mut().unwrap().remove("name");
    }
    body
}
