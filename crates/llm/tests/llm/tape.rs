//! Traffic that is written down, and played back.

use forestage_llm::{
    model::Kind,
    model_server::{ModelServer, Recorder, Tape},
};

use crate::support::{KEY, ask, model, prompt, server, text};

const KINDS: [Kind; 5] = [Kind::OpenAi, Kind::OpenAiResponses, Kind::Anthropic, Kind::Gemini, Kind::Ollama];

#[tokio::test]
async fn what_was_recorded_is_played_back_without_its_key() {
    let folder = tempfile::tempdir().unwrap();
    let provider = server("rules: [{ do: [{ text: 'Ja, natürlich' }] }]").await;
    let recorder = Recorder::new(&provider.url(), folder.path()).unwrap();
    let recording = ModelServer::record("127.0.0.1:0", recorder).await.unwrap();
    let asked = prompt(&format!("my key is {KEY}, and yours is AIzaSy-another_one."));
    for kind in KINDS {
        let (pieces, error) = ask(&model(&recording, kind), &asked).await;
        assert_eq!((text(&pieces).as_str(), error), ("Ja, natürlich", None));
    }
    drop((recording, provider));

    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let written = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        assert!(!written.contains(KEY) && !written.contains("another_one"), "{written}");
    }
    let replaying = ModelServer::replay("127.0.0.1:0", Tape::load(folder.path()).unwrap()).await.unwrap();
    for kind in KINDS {
        for asked in [&asked, &prompt("my key is [key], and yours is [key].")] {
            let (pieces, error) = ask(&model(&replaying, kind), asked).await;
            assert_eq!((text(&pieces).as_str(), error), ("Ja, natürlich", None), "{kind:?}");
        }
    }
    let (_, error) = ask(&model(&replaying, Kind::Anthropic), &prompt("something else")).await;
    assert!(error.is_some(), "what was not recorded is not made up");
}
