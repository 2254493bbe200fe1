//! What providers are asked, byte by byte.

use std::{env, fs, path::PathBuf};

use forestage_llm::model::{CallResult, Kind, Options, Prompt, Said, Sealed, Spoken, ToolSpec, Turn};
use serde_json::{Value, json};

use crate::support::{ask, model, server};

/// Everything that a prompt can have.
fn prompt(seal: Sealed) -> Prompt {
    let parameters =
        json!({ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] });
    let call = |id: &str, city: &str| Spoken::Call {
        id: id.to_owned(),
        name: "weather".to_owned(),
        arguments: json!({ "city": city }),
    };
    let result = |id: &str, text: &str| CallResult {
        id: id.to_owned(),
        name: "weather".to_owned(),
        text: text.to_owned(),
    };
    Prompt {
        instructions: "Be brief.".to_owned(),
        turns: vec![
            Turn::Person(vec![
                Said::Text("Grüße! What is this?".to_owned()),
                Said::Data { mime_type: "image/png".to_owned(), base64: "iVBORw0KGgo=".to_owned() },
            ]),
            Turn::Model(vec![
                Spoken::Sealed(seal),
                Spoken::Text("I look.".to_owned()),
                call("call_1", "Paris"),
                call("call_2", "Rome"),
            ]),
            Turn::Results(vec![result("call_1", "sunny"), result("call_2", "rain")]),
        ],
        tools: vec![ToolSpec {
            name: "weather".to_owned(),
            description: "The weather of a city.".to_owned(),
            parameters: parameters.as_object().cloned().unwrap(),
        }],
        options: Options { temperature: Some(0.5), max_tokens: Some(500), reasoning: Some("low".to_owned()) },
    }
}

fn seal(provider: &str, parts: Value) -> Sealed {
    Sealed { provider: provider.to_owned(), parts }
}

async fn check(name: &str, kind: Kind, sealed: Sealed) {
    let server = server("rules: [{ do: [{ text: ok }] }]").await;
    ask(&model(&server, kind), &prompt(sealed)).await;
    let requests = server.requests();
    let [request] = &requests[..] else { panic!("{requests:?}") };
    let told = json!({ "path": request.path, "body": request.body });
    let current = serde_json::to_string_pretty(&told).unwrap() + "\n";
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/llm/expected/{name}.json"));
    if fs::read_to_string(&path).unwrap_or_default() == current {
        return;
    }
    assert!(env::var_os("UPDATE").is_some(), "{} differs (UPDATE=1 rewrites it):\n{current}", path.display());
    fs::write(&path, current).unwrap();
}

#[tokio::test]
async fn chat_completions_are_asked_as_expected() {
    check("chat", Kind::OpenAi, seal("anthropic", json!([{ "ThoughtSignature": "not-for-openai" }]))).await;
}

#[tokio::test]
async fn responses_are_asked_with_what_they_sealed() {
    check(
        "responses",
        Kind::OpenAiResponses,
        seal("openai-responses", json!([{ "ThoughtSignature": "sealed-1" }])),
    )
    .await;
}

#[tokio::test]
async fn messages_are_asked_with_signed_thoughts() {
    let parts = json!([{ "ThoughtSignature": "signed-1" }, { "ReasoningContent": "It is a picture." }]);
    check("messages", Kind::Anthropic, seal("anthropic", parts)).await;
}

#[tokio::test]
async fn gemini_is_asked_with_its_signature() {
    check("gemini", Kind::Gemini, seal("gemini", json!([{ "ThoughtSignature": "c2lnbmVk" }]))).await;
}

#[tokio::test]
async fn ollama_is_asked_in_its_own_words() {
    check("ollama", Kind::Ollama, seal("gemini", json!([{ "ThoughtSignature": "not-for-ollama" }]))).await;
}
