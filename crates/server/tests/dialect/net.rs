//! Contract 004: `POST /run`.

use serde_json::{Value, json};

use crate::support::*;

async fn post(server: &Running, body: &Value) -> (u16, String) {
    let url = format!("http://{}/run", server.address);
    let response = reqwest::Client::new().post(url).json(body).send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

async fn run(server: &Running, body: &Value) -> Vec<Value> {
    let (status, text) = post(server, body).await;
    assert_eq!(status, 200, "{text}");
    let frames = text.split("\n\n").filter(|frame| !frame.is_empty());
    frames
        .map(|frame| serde_json::from_str(frame.strip_prefix("data: ").expect("a data frame")).unwrap())
        .collect()
}

fn input(run: &str, text: &str) -> Value {
    let message = json!({ "id": run, "role": "user", "content": text });
    json!({ "threadId": "t1", "runId": run, "messages": [message], "tools": [], "context": [], "state": {}, "forwardedProps": {} })
}

fn resume(run: &str, id: &Value, payload: &Value) -> Value {
    let mut body = input(run, "");
    body["messages"] = json!([]);
    body["resume"] = json!({ "interruptId": id, "payload": payload });
    body
}

#[tokio::test]
async fn a_run_ends_with_a_word_for_its_outcome() {
    let server = server().await;
    let frames = run(&server, &input("r1", "hi")).await;
    assert_eq!(frames[0]["type"], "RUN_STARTED");
    assert!(frames[0].get("protocolVersion").is_none());
    let last = frames.last().unwrap();
    assert_eq!((&last["type"], &last["outcome"]), (&json!("RUN_FINISHED"), &json!("success")));
    assert_eq!(text(&frames), "Hello there.");
}

#[tokio::test]
async fn an_approval_is_one_interrupt_and_one_answer() {
    let server = server().await;
    let frames = run(&server, &input("r1", "the report")).await;
    let last = frames.last().unwrap();
    assert_eq!(last["outcome"], "interrupt");
    let interrupt = &last["interrupt"];
    let expected =
        json!({ "functionName": "generate_final_report", "functionArguments": { "kvk": "92251854" } });
    assert_eq!(interrupt["payload"], expected);
    let (status, refused) =
        post(&server, &resume("r2", &json!("invented"), &json!({ "approved": true }))).await;
    assert_eq!(status, 422, "{refused}");
    let frames = run(&server, &resume("r2", &interrupt["id"], &json!({ "approved": true }))).await;
    assert!(text(&frames).starts_with("Here it is"), "{frames:#?}");
    assert_eq!(frames.last().unwrap()["outcome"], "success");
    assert_eq!(frames[0]["input"]["resume"]["interruptId"], interrupt["id"]);
}

#[tokio::test]
async fn words_are_asked_for_with_a_prompt() {
    let server = server().await;
    let frames = run(&server, &input("r1", "ask me")).await;
    let interrupt = &frames.last().unwrap()["interrupt"];
    assert_eq!(interrupt["payload"], json!({ "prompt": "Which company?", "inputType": "text" }));
    let frames = run(&server, &resume("r2", &interrupt["id"], &json!({ "response": "Bella Rosa" }))).await;
    assert!(text(&frames).contains("Bella Rosa"), "{}", text(&frames));
}

#[tokio::test]
async fn an_error_is_the_end() {
    let server = server().await;
    let frames = run(&server, &input("r1", "please fail")).await;
    assert_eq!(frames.last().unwrap()["type"], "RUN_ERROR");
    let (status, told) = post(&server, &json!([])).await;
    assert!(status == 400 && told.contains("invalid_input"), "{told}");
}
