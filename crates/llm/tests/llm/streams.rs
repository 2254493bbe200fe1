//! Streams of providers, the awkward ones above all.

use std::time::Duration;

use forestage_llm::model::{End, Kind, Model, ModelErrorKind, Piece, StopReason, Usage};
use futures_util::StreamExt;
use serde_json::{Value, json};

use crate::support::{KEY, ask, model, prompt, server, text};

const KINDS: [Kind; 5] = [Kind::OpenAi, Kind::OpenAiResponses, Kind::Anthropic, Kind::Gemini, Kind::Ollama];

/// Those who send calls whole.
const WHOLE: [Kind; 2] = [Kind::Gemini, Kind::Ollama];

fn end(pieces: &[Piece]) -> &End {
    match pieces.last() {
        Some(Piece::End(end)) => end,
        other => panic!("{other:?}"),
    }
}

/// The arguments of the calls, by tool, put together from their pieces.
fn calls(pieces: &[Piece]) -> Vec<(String, Value)> {
    let mut calls: Vec<(String, String, String)> = Vec::new();
    for piece in pieces {
        match piece {
            Piece::CallStarted { id, name } => calls.push((id.clone(), name.clone(), String::new())),
            Piece::CallArguments { id, delta } => {
                calls.iter_mut().find(|(known, ..)| known == id).unwrap().2.push_str(delta);
            }
            _ => {}
        }
    }
    calls.into_iter().map(|(_, name, text)| (name, serde_json::from_str(&text).unwrap())).collect()
}

#[tokio::test]
async fn text_comes_word_by_word_with_usage_and_end() {
    let script = "rules: [{ do: [{ text: Good morning to you }, { usage: { input: 12, output: 7 } }] }]";
    for kind in KINDS {
        let server = server(script).await;
        let (pieces, error) = ask(&model(&server, kind), &prompt("hi")).await;
        assert_eq!(error, None);
        let words: Vec<_> = pieces.iter().filter(|piece| matches!(piece, Piece::Text(_))).collect();
        assert_eq!((words.len(), text(&pieces).as_str()), (4, "Good morning to you"), "{kind:?}");
        let usage = Usage { input: 12, output: 7, ..Usage::default() };
        assert_eq!(end(&pieces), &End { stop: StopReason::Done, usage, sealed: None }, "{kind:?}");
    }
}

#[tokio::test]
async fn characters_that_are_cut_between_bytes_arrive_whole() {
    let script = "rules: [{ bytes: 3, do: [{ text: 'Grüße 👋🏽 日本' }, { calls: [{ name: say, args: { what: 'naïve 日本' } }] }] }]";
    for kind in KINDS {
        let server = server(script).await;
        let (pieces, error) = ask(&model(&server, kind), &prompt("hi")).await;
        assert_eq!(error, None, "{kind:?}");
        assert_eq!(text(&pieces), "Grüße 👋🏽 日本", "{kind:?}");
        assert_eq!(calls(&pieces), [("say".to_owned(), json!({ "what": "naïve 日本" }))], "{kind:?}");
    }
}

#[tokio::test]
async fn parallel_calls_keep_their_own_arguments() {
    let script = "
rules:
  - do:
      - calls:
          - { name: weather, args: { city: Paris }, pieces: 5 }
          - { name: weather, args: { city: Rome }, pieces: 3 }
          - { name: now, args: {} }";
    for kind in KINDS {
        let server = server(script).await;
        let (pieces, error) = ask(&model(&server, kind), &prompt("hi")).await;
        assert_eq!(error, None);
        let expected = [
            ("weather", json!({ "city": "Paris" })),
            ("weather", json!({ "city": "Rome" })),
            ("now", json!({})),
        ];
        let expected: Vec<_> = expected.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        assert_eq!(calls(&pieces), expected, "{kind:?}");
        let count = |is: fn(&Piece) -> bool| pieces.iter().filter(|piece| is(piece)).count();
        assert_eq!(count(|piece| matches!(piece, Piece::CallEnded { .. })), 3, "{kind:?}");
        let least = if WHOLE.contains(&kind) { 3 } else { 9 };
        assert!(
            count(|piece| matches!(piece, Piece::CallArguments { .. })) >= least,
            "{kind:?}: pieces are passed on"
        );
        assert_eq!(end(&pieces).stop, StopReason::Tools, "{kind:?}");
    }
}

#[tokio::test]
async fn chat_completions_interleave_calls() {
    let script = "rules: [{ do: [{ calls: [{ name: a, args: { x: 11 }, pieces: 3 }, { name: b, args: { y: 22 }, pieces: 3 }] }] }]";
    let server = server(script).await;
    let (pieces, _) = ask(&model(&server, Kind::OpenAi), &prompt("hi")).await;
    let order: Vec<_> = pieces
        .iter()
        .filter_map(
            |piece| if let Piece::CallArguments { id, .. } = piece { Some(id.as_str()) } else { None },
        )
        .collect();
    assert_eq!(order, ["call_1_1", "call_1_2", "call_1_1", "call_1_2", "call_1_1", "call_1_2"]);
}

#[tokio::test]
async fn thoughts_come_with_their_seal() {
    let script = "rules: [{ do: [{ reasoning: Let me think }, { seal: signed-xyz }, { text: Yes }] }]";
    for kind in [Kind::OpenAiResponses, Kind::Anthropic, Kind::Gemini] {
        let server = server(script).await;
        let mut prompt = prompt("hi");
        prompt.options.reasoning = Some("low".to_owned());
        let (pieces, error) = ask(&model(&server, kind), &prompt).await;
        assert_eq!(error, None);
        let thought: String = pieces
            .iter()
            .filter_map(|piece| if let Piece::Reasoning(text) = piece { Some(text.as_str()) } else { None })
            .collect();
        assert_eq!(thought, "Let me think", "{kind:?}");
        let sealed = end(&pieces).sealed.clone().unwrap();
        assert!(sealed.to_text().contains("signed-xyz"), "{kind:?}: {sealed:?}");
    }
}

#[tokio::test]
async fn empty_pieces_and_comments_say_nothing() {
    let script = r#"
rules:
  - do:
      - text: "a "
      - raw: ": keep-alive\n\n"
      - raw: "data: {\"choices\":[{\"index\":0,\"delta\":{}}]}\n\n"
      - raw: "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"}}]}\n\n"
      - raw: ":\n\n\n\n"
      - text: b"#;
    nothing_between(Kind::OpenAi, script).await;
    nothing_between(
        Kind::Gemini,
        r#"
rules:
  - do:
      - text: "a "
      - raw: ": keep-alive\n\n"
      - raw: "data: {\"candidates\":[{\"content\":{\"role\":\"model\"},\"index\":0}]}\r\n\r\n"
      - raw: "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"\"}]}}]}\r\n\r\n"
      - raw: "data: {\"usageMetadata\":{\"promptTokenCount\":1}}\r\n\r\n"
      - text: b"#,
    )
    .await;
    nothing_between(
        Kind::Ollama,
        r#"
rules:
  - do:
      - text: "a "
      - raw: "\n\n"
      - raw: "{\"model\":\"m\",\"message\":{\"role\":\"assistant\",\"content\":\"\"},\"done\":false}\n"
      - raw: "{\"model\":\"m\",\"done\":false}\n"
      - text: b"#,
    )
    .await;
}

async fn nothing_between(kind: Kind, script: &str) {
    let server = server(script).await;
    let (pieces, error) = ask(&model(&server, kind), &prompt("hi")).await;
    assert_eq!((text(&pieces).as_str(), error), ("a b", None), "{kind:?}");
    assert_eq!(pieces.iter().filter(|piece| matches!(piece, Piece::Text(_))).count(), 2, "{kind:?}");
}

#[tokio::test]
async fn an_answer_that_is_too_long_says_so() {
    for kind in KINDS {
        let server = server("rules: [{ do: [{ text: and so on }, { stop: length }] }]").await;
        let (pieces, error) = ask(&model(&server, kind), &prompt("hi")).await;
        assert_eq!((end(&pieces).stop, error), (StopReason::Length, None), "{kind:?}");
    }
}

#[tokio::test]
async fn a_busy_provider_is_asked_again_before_the_first_word() {
    for status in [429, 500, 503, 529] {
        let script = format!(
            "rules: [{{ times: 2, do: [{{ error: {{ status: {status}, retryAfter: 0.01 }} }}] }}, {{ do: [{{ text: at last }}] }}]"
        );
        for kind in KINDS {
            let server = server(&script).await;
            let (pieces, error) = ask(&model(&server, kind), &prompt("hi")).await;
            assert_eq!((text(&pieces).as_str(), error), ("at last", None), "{kind:?} {status}");
            assert_eq!(server.requests().len(), 3, "{kind:?} {status}");
        }
    }
}

#[tokio::test]
async fn a_provider_that_stays_busy_is_given_up() {
    let server = server("rules: [{ do: [{ error: { status: 429 } }] }]").await;
    let (_, error) = ask(&model(&server, Kind::Anthropic), &prompt("hi")).await;
    assert_eq!(error.unwrap().kind, ModelErrorKind::RateLimited);
    assert_eq!(server.requests().len(), 4);
}

#[tokio::test]
async fn nothing_is_asked_again_after_the_first_word() {
    for kind in KINDS {
        let server = server("rules: [{ do: [{ text: half a }, { error: { message: boom } }] }]").await;
        let (pieces, error) = ask(&model(&server, kind), &prompt("hi")).await;
        assert_eq!((text(&pieces).as_str(), server.requests().len()), ("half a", 1), "{kind:?}");
        assert_eq!(error.unwrap().kind, ModelErrorKind::Unavailable, "{kind:?}");
    }
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_no_answer() {
    for kind in KINDS {
        let server = server("rules: [{ do: [{ text: half a }, { sleep: 20ms }, cut] }]").await;
        let (pieces, error) = ask(&model(&server, kind), &prompt("hi")).await;
        assert_eq!(text(&pieces), "half a", "{kind:?}");
        assert_eq!(error.unwrap().kind, ModelErrorKind::BrokeOff, "{kind:?}");
    }
}

#[tokio::test]
async fn a_stream_that_ends_without_its_end_is_no_answer() {
    for kind in KINDS {
        let server = server("rules: [{ do: [{ text: half a }, short] }]").await;
        let (pieces, error) = ask(&model(&server, kind), &prompt("hi")).await;
        assert_eq!(text(&pieces), "half a", "{kind:?}");
        assert_eq!(error.unwrap().kind, ModelErrorKind::BrokeOff, "{kind:?}");
    }
}

#[tokio::test]
async fn a_silent_provider_is_not_waited_for_for_ever() {
    for script in ["rules: [{ do: [hang] }]", "rules: [{ do: [{ text: well }, hang] }]"] {
        for kind in KINDS {
            let server = server(script).await;
            let (_, error) = ask(&model(&server, kind), &prompt("hi")).await;
            assert_eq!(error.unwrap().kind, ModelErrorKind::Timeout, "{kind:?}");
        }
    }
}

#[tokio::test]
async fn whoever_stops_listening_hangs_up() {
    for kind in KINDS {
        let server = server("rules: [{ do: [{ text: well }, hang] }]").await;
        let model = model(&server, kind);
        let mut pieces = model.ask(&prompt("hi")).await.unwrap();
        assert!(matches!(pieces.next().await, Some(Ok(Piece::Text(_)))), "{kind:?}");
        drop(pieces);
        let gone = server.wait_until(|requests| requests.iter().all(|request| request.hung_up));
        tokio::time::timeout(Duration::from_secs(5), gone).await.unwrap_or_else(|_| panic!("{kind:?}"));
    }
}

#[tokio::test]
async fn refusals_have_kinds_and_keep_secrets() {
    for (status, message, kind) in [
        (401, format!("Incorrect API key provided: {KEY}"), ModelErrorKind::Auth),
        (404, "nothing by that name".to_owned(), ModelErrorKind::NotFound),
        (400, "maximum context length is 8 tokens".to_owned(), ModelErrorKind::TooLong),
        (400, "bad".to_owned(), ModelErrorKind::Request),
    ] {
        let script =
            format!("rules: [{{ do: [{{ error: {{ status: {status}, message: \"{message}\" }} }}] }}]");
        for speaks in KINDS {
            let server = server(&script).await;
            let (_, error) = ask(&model(&server, speaks), &prompt("hi")).await;
            let error = error.unwrap();
            assert_eq!(error.kind, kind, "{speaks:?} {status}");
            assert!(!error.to_string().contains("sk-") && !error.to_string().contains(&message), "{error}");
            assert_eq!(server.requests().len(), 1, "{speaks:?}: {status} is not asked again");
        }
    }
}

#[tokio::test]
async fn nobody_at_the_address_is_told_as_such() {
    for kind in KINDS {
        let gone = server("rules: []").await;
        let model = model(&gone, kind);
        drop(gone);
        let (_, error) = ask(&model, &prompt("hi")).await;
        assert_eq!(error.unwrap().kind, ModelErrorKind::Unreachable, "{kind:?}");
    }
}
