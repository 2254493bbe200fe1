//! Where a model is, and how it is spoken to.

use std::time::Duration;

use genai::adapter::AdapterKind;

use super::{Key, Patience};

/// How a provider is spoken to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// OpenAI's chat completions, and everybody who speaks like them.
    OpenAi,
    /// OpenAI's responses.
    OpenAiResponses,
    /// Anthropic's messages.
    Anthropic,
    /// Google's Gemini.
    Gemini,
    /// Ollama, in its own words.
    Ollama,
}

impl Kind {
    /// Where it is, if nobody says otherwise. Ends with a slash.
    #[must_use]
    pub fn url(self) -> &'static str {
        match self {
            Self::OpenAi | Self::OpenAiResponses => "https://api.openai.com/v1/",
            Self::Anthropic => "https://api.anthropic.com/v1/",
            Self::Gemini => "https://generativelanguage.googleapis.com/v1beta/",
            Self::Ollama => "http://localhost:11434/",
        }
    }

    /// The variable that usually holds the key; Ollama needs none.
    #[must_use]
    pub fn key_variable(self) -> Option<&'static str> {
        match self {
            Self::OpenAi | Self::OpenAiResponses => Some("OPENAI_API_KEY"),
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
            Self::Gemini => Some("GEMINI_API_KEY"),
            Self::Ollama => None,
        }
    }

    /// What comes before the first name of a route at a server that speaks for several providers.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::OpenAi | Self::OpenAiResponses | Self::Anthropic => "v1/",
            Self::Gemini => "v1beta/",
            Self::Ollama => "",
        }
    }

    pub(super) fn adapter(self) -> AdapterKind {
        match self {
            Self::OpenAi => AdapterKind::OpenAI,
            Self::OpenAiResponses => AdapterKind::OpenAIResp,
            Self::Anthropic => AdapterKind::Anthropic,
            Self::Gemini => AdapterKind::Gemini,
            Self::Ollama => AdapterKind::Ollama,
        }
    }
}

/// A model at a provider.
#[derive(Clone, Debug)]
pub struct Target {
    /// How it is spoken to.
    pub kind: Kind,
    /// Who runs it, for the record.
    pub provider: String,
    /// Its name.
    pub model: String,
    /// Where it is; the provider's own address where absent.
    pub url: Option<String>,
    /// What we show to get in.
    pub key: Option<Key>,
    /// How long silence lasts before we give up: until the answer begins, and between two pieces of it.
    pub timeout: Duration,
    /// When to ask again.
    pub patience: Patience,
}

impl Target {
    /// How long silence lasts where nobody says otherwise.
    pub const TIMEOUT: Duration = Duration::from_secs(120);

    /// A model without a key, at the usual place.
    #[must_use]
    pub fn new(kind: Kind, provider: &str, model: &str) -> Self {
        Self {
            kind,
            provider: provider.to_owned(),
            model: model.to_owned(),
            url: None,
            key: None,
            timeout: Self::TIMEOUT,
            patience: Patience::default(),
        }
    }

    /// The address that routes are added to.
    pub(super) fn base(&self) -> String {
        let url = self.url.as_deref().unwrap_or(self.kind.url());
        if url.ends_with('/') { url.to_owned() } else { format!("{url}/") }
    }
}
