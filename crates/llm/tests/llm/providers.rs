//! Agents of every kind of provider, from end to end, and what is particular about each.

use std::time::Duration;

use forestage_llm::model::{Key, Kind, ModelErrorKind, Piece, Provider, StopReason, Target};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

use crate::support::{KEY, ask, model, of, prompt, run, said, says, server, stage};

const PROVIDERS: [&str; 5] = ["openai", "openai-responses", "anthropic", "gemini", "ollama"];

fn agent(provider: &str) -> String {
    format!(
        "\
---
model: {{ provider: {provider}, name: test, reasoning: low }}
tools:
  - {{ name: weather, description: The weather., parameters: {{ city: string }}, result: 'fine in {{{{args.city}}}}' }}
---
Be brief.
"
    )
}

#[tokio::test]
async fn one_script_plays_an_agent_of_every_provider() {
    let script = "
rules:
  - when: { result: weather, contains: fine }
    do: [{ text: Fine in both }, { usage: { input: 30, output: 4 } }]
  - when: { says: weather, instructions: be brief, model: test }
    do:
      - reasoning: Two cities
      - seal: signed-1
      - text: 'Let me look. '
      - calls: [{ name: weather, args: { city: Paris } }, { name: weather, args: { city: Rome } }]";
    for provider in PROVIDERS {
        let server = server(script).await;
        let stage = stage(&server, &[("a", &agent(provider))]).await;
        let events = run(&stage, "a", says("r1", "How is the weather?")).await;
        assert_eq!(said(&events), "Let me look. Fine in both", "{provider}: {events:#?}");
        let thought: String = of(&events, "REASONING_MESSAGE_CONTENT")
            .iter()
            .filter_map(|event| event["delta"].as_str())
            .collect();
        assert_eq!(thought, "Two cities", "{provider}");
        let results: Vec<_> =
            of(&events, "TOOL_CALL_RESULT").iter().map(|event| event["content"].clone()).collect();
        assert_eq!(results, ["fine in Paris", "fine in Rome"], "{provider}");
        let used: u64 = events.last().unwrap()["usage"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|usage| usage["inputTokens"].as_u64())
            .sum();
        assert_eq!(used, 40, "{provider}: {}", events.last().unwrap());
        assert_eq!(server.requests().len(), 2, "{provider}");
    }
}

#[tokio::test]
async fn gemini_gets_the_signature_of_a_call_back_with_the_call() {
    let script = "
rules:
  - when: { says: weather }
    do:
      - seal: signed-call
      - calls: [{ name: weather, args: { city: Paris } }, { name: weather, args: { city: Rome } }]
  - do: [{ text: Fine }, { seal: signed-text }]";
    let server = server(script).await;
    let stage = stage(&server, &[("a", &agent("gemini"))]).await;
    run(&stage, "a", says("r1", "weather?")).await;
    run(&stage, "a", says("r2", "Thanks")).await;
    let requests = server.requests();
    let signatures = |content: &Value| {
        let parts = content["parts"].as_array().unwrap();
        parts.iter().map(|part| part["thoughtSignature"].clone()).collect::<Vec<_>>()
    };
    // In the run that made it, and in the next one, which has it from the log.
    for request in &requests[1..] {
        assert_eq!(signatures(&request.body["contents"][1]), [json!("signed-call"), Value::Null]);
    }
    assert_eq!(signatures(&requests[2].body["contents"][3]), [Value::Null, json!("signed-text")]);
}

#[tokio::test]
async fn gemini_says_that_it_does_not_want_to_and_that_it_cannot() {
    let blocked = r#"rules: [{ do: [{ raw: "data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}\r\n\r\n" }, short] }]"#;
    let server_ = server(blocked).await;
    let (pieces, error) = ask(&model(&server_, Kind::Gemini), &prompt("hi")).await;
    assert_eq!(error, None);
    assert!(matches!(&pieces[..], [Piece::End(end)] if end.stop == StopReason::Filtered), "{pieces:?}");
    let malformed = r#"rules: [{ do: [{ text: well }, { raw: "data: {\"candidates\":[{\"finishReason\":\"MALFORMED_FUNCTION_CALL\"}]}\r\n\r\n" }, short] }]"#;
    let server_ = server(malformed).await;
    let (_, error) = ask(&model(&server_, Kind::Gemini), &prompt("hi")).await;
    assert_eq!(error.unwrap().kind, ModelErrorKind::Unavailable);
}

#[tokio::test]
async fn gemini_says_in_its_own_way_that_a_key_is_none_and_how_long_to_wait() {
    let script = "rules: [{ do: [{ error: { status: 400, message: 'API key not valid. Please pass a valid API key.' } }] }]";
    let server_ = server(script).await;
    let (_, error) = ask(&model(&server_, Kind::Gemini), &prompt("hi")).await;
    assert_eq!(error.unwrap().kind, ModelErrorKind::Auth);
    let script = "rules: [{ do: [{ error: { status: 429, retryAfter: 3600 } }] }]";
    let server_ = server(script).await;
    let (_, error) = ask(&model(&server_, Kind::Gemini), &prompt("hi")).await;
    let error = error.unwrap();
    assert_eq!(
        (error.kind, server_.requests().len()),
        (ModelErrorKind::RateLimited, 1),
        "an hour is too long"
    );
}

#[tokio::test]
async fn ollama_gets_its_thoughts_back_with_its_calls_and_not_later() {
    let script = "
rules:
  - when: { says: weather }
    do: [{ reasoning: Hm }, { calls: [{ name: weather, args: { city: Paris } }, { name: weather, args: { city: Rome } }] }]
  - do: [{ reasoning: Aha }, { text: Fine }]";
    let server = server(script).await;
    let stage = stage(&server, &[("a", &agent("ollama"))]).await;
    run(&stage, "a", says("r1", "weather?")).await;
    run(&stage, "a", says("r2", "Thanks")).await;
    let requests = server.requests();
    let messages = requests[2].body["messages"].as_array().unwrap();
    assert_eq!(messages[2]["thinking"], "Hm");
    assert_eq!(
        messages[3..5],
        [
            json!({ "role": "tool", "tool_name": "weather", "content": "fine in Paris" }),
            json!({ "role": "tool", "tool_name": "weather", "content": "fine in Rome" }),
        ]
    );
    assert_eq!(messages[5], json!({ "role": "assistant", "content": "Fine" }));
}

#[tokio::test]
async fn a_key_is_shown_to_an_ollama_that_wants_one() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let heard = tokio::spawn(async move {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut bytes = vec![0; 4096];
        let length = socket.read(&mut bytes).await.unwrap();
        let answer = "{\"message\":{\"content\":\"ok\"},\"done\":true}\n";
        let head =
            format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", answer.len());
        socket.write_all((head + answer).as_bytes()).await.unwrap();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    });
    let mut target = Target::new(Kind::Ollama, "testers", "test");
    (target.url, target.key) = (Some(format!("http://{address}")), Some(Key::new(KEY)));
    target.timeout = Duration::from_secs(5);
    let (_, error) = ask(&Provider::new(target).unwrap(), &prompt("hi")).await;
    assert_eq!(error, None);
    assert!(heard.await.unwrap().contains(&format!("authorization: Bearer {KEY}")));
}
