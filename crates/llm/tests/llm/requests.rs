//! What providers are asked, byte by byte.

use std::{env, fs, path::PathBuf};

use forestage_llm::model::{CallResult, Kind, Options, Prompt, Said, Sealed, Spoken, ToolSpec, Turn};
use serde_json::{Value, json};

use crate::support::{ask, model, named, server};

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
async fn gemini_is_asked_with_each_signature_where_it_was() {
    let parts = json!({ "text": "c2lnbmVk", "calls": [["weather", "Y2FsbA=="]] });
    check("gemini", Kind::Gemini, seal("gemini", parts)).await;
}

#[tokio::test]
async fn ollama_is_asked_in_its_own_words() {
    check("ollama", Kind::Ollama, seal("ollama", json!("It is a picture."))).await;
}

/// What is asked for a name and a wish to think, beside the conversation.
async fn asked(kind: Kind, name: &str, options: Options) -> Value {
    let server = server("rules: [{ do: [{ text: ok }] }]").await;
    let prompt = Prompt { options, ..crate::support::prompt("hi") };
    let (_, error) = ask(&named(&server, kind, name), &prompt).await;
    assert_eq!(error, None);
    server.requests()[0].body.clone()
}

#[tokio::test]
async fn a_name_that_ends_in_a_word_for_thinking_is_a_name() {
    for kind in [Kind::OpenAi, Kind::OpenAiResponses] {
        let body = asked(kind, "mistral-medium", Options::default()).await;
        assert_eq!(body["model"], "mistral-medium", "{kind:?}");
        assert_eq!((&body["reasoning"], &body["reasoning_effort"]), (&Value::Null, &Value::Null), "{kind:?}");
    }
}

#[tokio::test]
async fn only_who_is_to_think_is_asked_to_show_it() {
    let thinks = |body: &Value| body["generationConfig"]["thinkingConfig"].clone();
    let wish = |effort: &str| Options { reasoning: Some(effort.to_owned()), ..Options::default() };
    assert_eq!(thinks(&asked(Kind::Gemini, "gemini-2.0-flash", Options::default()).await), Value::Null);
    assert_eq!(
        thinks(&asked(Kind::Gemini, "gemini-2.5-flash", wish("none")).await),
        json!({ "thinkingBudget": 0 })
    );
    assert_eq!(
        thinks(&asked(Kind::Gemini, "gemini-3-pro", wish("none")).await),
        json!({ "thinkingLevel": "MINIMAL" })
    );
    assert_eq!(
        thinks(&asked(Kind::Gemini, "gemini-3-pro", wish("high")).await),
        json!({ "thinkingLevel": "HIGH", "includeThoughts": true })
    );
}

#[tokio::test]
async fn a_model_that_thinks_may_say_more_than_it_thinks() {
    let options =
        |most| Options { temperature: Some(0.2), max_tokens: Some(most), reasoning: Some("low".to_owned()) };
    for (most, asked_for) in [(500, 1524), (1024, 2048), (4000, 4000)] {
        let body = asked(Kind::Anthropic, "claude-sonnet-4-5", options(most)).await;
        assert_eq!((&body["max_tokens"], &body["temperature"]), (&json!(asked_for), &Value::Null));
    }
    let plain = Options { reasoning: None, ..options(500) };
    let body = asked(Kind::Anthropic, "claude-sonnet-4-5", plain).await;
    assert_eq!((&body["max_tokens"], &body["temperature"]), (&json!(500), &json!(0.2)));
}

#[tokio::test]
async fn what_a_model_cannot_read_is_named_and_links_are_passed_on() {
    let link = |mime: &str| Said::Link { mime_type: mime.to_owned(), url: "https://x.example/a".to_owned() };
    let sound = Said::Data { mime_type: "audio/mpeg".to_owned(), base64: "AAAA".to_owned() };
    let mut prompt = crate::support::prompt("hi");
    prompt.turns = vec![Turn::Person(vec![Said::Text(String::new()), link("image/png"), sound])];
    for (kind, expected) in [
        (
            Kind::Anthropic,
            json!([
                { "type": "image", "source": { "type": "url", "url": "https://x.example/a" } },
                { "type": "text", "text": "[an attachment of type audio/mpeg that this model cannot read]" },
            ]),
        ),
        (
            Kind::Ollama,
            json!(
                "\n[an attachment of type image/png that this model cannot read]: https://x.example/a\n[an attachment of type audio/mpeg that this model cannot read]"
            ),
        ),
    ] {
        let server = server("rules: [{ do: [{ text: ok }] }]").await;
        ask(&model(&server, kind), &prompt).await;
        let messages = server.requests()[0].body["messages"].clone();
        assert_eq!(messages.as_array().unwrap().last().unwrap()["content"], expected, "{kind:?}");
    }
}

#[tokio::test]
async fn a_turn_of_which_nothing_is_left_is_not_sent() {
    let mut prompt = crate::support::prompt("hi");
    let sealed = seal("openai-responses", json!([{ "ThoughtSignature": "sealed" }]));
    prompt.turns.push(Turn::Model(vec![Spoken::Sealed(sealed)]));
    prompt.turns.push(Turn::Person(vec![Said::Text("and?".to_owned())]));
    for kind in [Kind::OpenAi, Kind::Anthropic] {
        let server = server("rules: [{ do: [{ text: ok }] }]").await;
        ask(&model(&server, kind), &prompt).await;
        let messages = server.requests()[0].body["messages"].clone();
        let roles: Vec<_> = messages.as_array().unwrap().iter().map(|message| &message["role"]).collect();
        assert!(!roles.contains(&&json!("assistant")), "{kind:?}: {roles:?}");
    }
}
