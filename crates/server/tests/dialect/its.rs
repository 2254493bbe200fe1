//! Contract 000: `POST /awp`, components as calls, interactions as answers.

use serde_json::{Value, json};

use crate::support::*;

async fn post(server: &Running, body: &Value) -> (u16, String) {
    let url = format!("http://{}/awp", server.address);
    let response = reqwest::Client::new().post(url).json(body).send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

async fn run(server: &Running, body: &Value) -> Vec<Value> {
    let (status, text) = post(server, body).await;
    assert_eq!(status, 200, "{text}");
    let data = text.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap()).collect()
}

fn interaction(role: &str, call: &Value, name: &str) -> Value {
    json!({
        "id": format!("answer-{role}"),
        "role": role,
        "tool_call_id": call,
        "name": name,
        "content": "{\"selected_option_id\":\"option_paris\"}",
    })
}

#[tokio::test]
async fn a_component_is_shown_and_its_answer_continues_the_lesson() {
    for role in ["tool", "user"] {
        let server = server().await;
        let message = json!({ "id": "m1", "role": "user", "content": "quiz me" });
        let context = json!([{ "description": "user_timezone", "value": "Europe/Amsterdam" }]);
        let frames = run(
            &server,
            &json!({ "thread_id": "t1", "run_id": "r1", "messages": [message], "context": context }),
        )
        .await;
        let start = frames.iter().find(|frame| frame["type"] == "TOOL_CALL_START").unwrap();
        assert_eq!(start["toolCallName"], "its:render_quick_quiz");
        let arguments: String = frames
            .iter()
            .filter(|frame| frame["type"] == "TOOL_CALL_ARGS")
            .map(|frame| frame["delta"].as_str().unwrap())
            .collect();
        assert_eq!(serde_json::from_str::<Value>(&arguments).unwrap()["quiz_id"], "q1");
        let last = frames.last().unwrap();
        assert_eq!(last["outcome"]["pendingToolCallIds"][0], start["toolCallId"]);

        let call = &start["toolCallId"];
        let wrong = interaction(role, call, "its:render_slider");
        let (status, refused) = post(&server, &json!({ "thread_id": "t1", "messages": [wrong] })).await;
        assert!(status == 422 && refused.contains("wrong_tool_name"), "{refused}");
        let invented = interaction(role, &json!("made-up"), "its:render_quick_quiz");
        let (status, refused) = post(&server, &json!({ "thread_id": "t1", "messages": [invented] })).await;
        assert!(status >= 400, "{refused}");

        let answer = interaction(role, call, "its:render_quick_quiz");
        let frames = run(&server, &json!({ "thread_id": "t1", "run_id": "r2", "messages": [answer] })).await;
        assert_eq!(text(&frames), "You chose option_paris.");
        assert_eq!(frames.last().unwrap()["type"], "RUN_FINISHED");
    }
}

#[tokio::test]
async fn a_thread_of_somebody_else_does_not_exist() {
    let server = server_with_key("secret").await;
    let message = json!({ "id": "m1", "role": "user", "content": "hi" });
    let (status, text) = post(&server, &json!({ "thread_id": "t1", "messages": [message] })).await;
    assert!(status == 401 && text.contains("unauthorized"), "{text}");
}
