//! The model of an agent file: in short, or with all its settings.

use std::{borrow::Cow, fmt, path::Path, str::FromStr, sync::Arc};

use forestage_runtime::{
    BoxFuture,
    file::{Placed, Time},
    script::ScriptError,
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::model::{
    Key, Kind, Model, ModelError, ModelErrorKind, Options, Patience, Pieces, Prompt, Provider, Target,
};

/// Who runs a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Provider")]
pub(super) enum ProviderName {
    /// OpenAI, by chat completions. The key is in `OPENAI_API_KEY`.
    Openai,
    /// OpenAI, by responses. The key is in `OPENAI_API_KEY`.
    OpenaiResponses,
    /// Anthropic. The key is in `ANTHROPIC_API_KEY`.
    Anthropic,
    /// Google. The key is in `GEMINI_API_KEY`.
    Gemini,
    /// Ollama on this machine, without a key.
    Ollama,
    /// Anybody who speaks like OpenAI's chat completions. Needs `url`.
    OpenaiCompatible,
}

impl ProviderName {
    const ALL: [(&'static str, Self); 6] = [
        ("openai", Self::Openai),
        ("openai-responses", Self::OpenaiResponses),
        ("anthropic", Self::Anthropic),
        ("gemini", Self::Gemini),
        ("ollama", Self::Ollama),
        ("openai-compatible", Self::OpenaiCompatible),
    ];

    fn kind(self) -> Kind {
        match self {
            Self::Openai | Self::OpenaiCompatible => Kind::OpenAi,
            Self::OpenaiResponses => Kind::OpenAiResponses,
            Self::Anthropic => Kind::Anthropic,
            Self::Gemini => Kind::Gemini,
            Self::Ollama => Kind::Ollama,
        }
    }

    fn text(self) -> &'static str {
        Self::ALL.iter().find(|(_, name)| *name == self).map_or("", |(text, _)| text)
    }
}

/// A model and how it is asked.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Model")]
pub(super) struct ModelFile {
    /// Who runs it.
    provider: ProviderName,
    /// Its name at the provider.
    name: String,
    /// Where it is, without the route, such as `http://localhost:8000/v1`; the provider's own address where absent.
    #[serde(default)]
    url: Option<Placed<String>>,
    /// The variable of the environment that holds the key, where it is not the usual one.
    #[serde(default)]
    key_env: Option<Placed<String>>,
    /// The file that holds the key, as seen from here.
    #[serde(default)]
    key_file: Option<Placed<String>>,
    /// How freely it chooses its words.
    #[serde(default)]
    temperature: Option<f64>,
    /// How long an answer may be, in tokens.
    #[serde(default)]
    max_tokens: Option<u32>,
    /// How much it thinks first.
    #[serde(default)]
    reasoning: Option<Effort>,
    /// How long silence lasts before we give up; 2 minutes where absent.
    #[serde(default)]
    timeout: Option<Time>,
    /// How often it is asked again when the provider is busy, as long as nothing was said; 3 times where absent.
    #[serde(default)]
    retries: Option<u32>,
}

/// How much a model thinks before it speaks.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Effort {
    /// Not at all.
    None,
    /// As little as it can.
    Minimal,
    /// A little.
    Low,
    /// Some.
    Medium,
    /// A lot.
    High,
}

impl Effort {
    fn text(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Minimal => "minimal",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// `openai/gpt-5-mini`, or all settings.
#[derive(Clone, Debug)]
pub(super) struct ModelMember(pub(super) ModelFile);

impl<'de> Deserialize<'de> for ModelMember {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Forms)
    }
}

/// A model in short, such as `openai/gpt-5-mini`.
#[derive(Clone, Debug)]
pub struct ModelName(pub(super) ModelFile);

/// Why a text names no model.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ModelNameError(String);

impl FromStr for ModelName {
    type Err = ModelNameError;

    fn from_str(text: &str) -> Result<Self, ModelNameError> {
        let model = Forms.visit_str::<serde::de::value::Error>(text);
        let ModelMember(model) = model.map_err(|error| ModelNameError(error.to_string()))?;
        if model.needs_url() {
            return Err(ModelNameError("`openai-compatible` needs a `url`; write it in the file".to_owned()));
        }
        Ok(Self(model))
    }
}

struct Forms;

impl<'de> Visitor<'de> for Forms {
    type Value = ModelMember;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a model such as openai/gpt-5-mini, or its settings")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<ModelMember, E> {
        let known: Vec<_> = ProviderName::ALL.iter().map(|(name, _)| *name).collect();
        let known = known.join(", ");
        let Some((provider, name)) = text.split_once('/').filter(|(_, name)| !name.is_empty()) else {
            let message = format!("`{text}` is not a model; write provider/model, with one of: {known}");
            return Err(E::custom(message));
        };
        let Some((_, provider)) = ProviderName::ALL.iter().find(|(text, _)| *text == provider) else {
            return Err(E::custom(format!("there is no provider `{provider}`, expected one of: {known}")));
        };
        Ok(ModelMember(ModelFile {
            provider: *provider,
            name: name.to_owned(),
            url: None,
            key_env: None,
            key_file: None,
            temperature: None,
            max_tokens: None,
            reasoning: None,
            timeout: None,
            retries: None,
        }))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<ModelMember, A::Error> {
        ModelFile::deserialize(MapAccessDeserializer::new(members)).map(ModelMember)
    }
}

impl JsonSchema for ModelMember {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "ModelMember".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let settings = generator.subschema_for::<ModelFile>();
        let names: Vec<_> = ProviderName::ALL.iter().map(|(name, _)| *name).collect();
        let pattern = format!("^({})/.+$", names.join("|"));
        json_schema!({ "anyOf": [settings, { "type": "string", "pattern": pattern, "description": "Provider and model, such as openai/gpt-5-mini." }] })
    }
}

impl ModelFile {
    /// What is wrong with the settings.
    pub(super) fn check(&self, file: &str, errors: &mut Vec<ScriptError>) {
        if let Some(url) = &self.url
            && !(url.value.starts_with("http://") || url.value.starts_with("https://"))
        {
            let text = format!("`{}` is not an address; it begins with http:// or https://", url.value);
            errors.push(ScriptError::new(file, url.place.clone(), text));
        }
        if let (Some(_), Some(second)) = (&self.key_env, &self.key_file) {
            errors.push(ScriptError::new(
                file,
                second.place.clone(),
                "one of `keyEnv` and `keyFile` is enough",
            ));
        }
    }

    /// Whether it can be found without an address of its own.
    pub(super) fn needs_url(&self) -> bool {
        self.provider == ProviderName::OpenaiCompatible && self.url.is_none()
    }

    pub(super) fn options(&self) -> Options {
        Options {
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            reasoning: self.reasoning.map(|effort| effort.text().to_owned()),
        }
    }

    /// The model, or one that says why it cannot be asked: a server with one key missing serves its other agents.
    pub(super) fn build(&self, folder: Option<&Path>, model_url: Option<&str>) -> Arc<dyn Model> {
        let kind = self.provider.kind();
        let mut target = Target::new(kind, self.provider.text(), &self.name);
        target.url = self.url.as_ref().map(|url| url.value.clone());
        target.timeout = self.timeout.map_or(Target::TIMEOUT, |time| time.0);
        target.patience.retries = self.retries.unwrap_or(Patience::default().retries);
        match model_url {
            Some(url) => target.url = Some(format!("{}/{}", url.trim_end_matches('/'), kind.path())),
            None => match self.key(folder) {
                Ok(key) => target.key = key,
                Err(error) => return self.silent(ModelError::new(ModelErrorKind::Auth, error)),
            },
        }
        match Provider::new(target) {
            Ok(provider) => Arc::new(provider),
            Err(error) => self.silent(error),
        }
    }

    fn key(&self, folder: Option<&Path>) -> Result<Option<Key>, String> {
        let key = match (&self.key_file, &self.key_env) {
            (Some(path), _) => Key::from_file(&folder.unwrap_or(Path::new("")).join(&path.value)),
            (None, Some(name)) => Key::from_env(&name.value),
            (None, None) if self.provider == ProviderName::OpenaiCompatible => return Ok(None),
            (None, None) => match self.provider.kind().key_variable() {
                Some(name) => Key::from_env(name),
                None => return Ok(None),
            },
        };
        key.map(Some).map_err(|error| error.to_string())
    }

    fn silent(&self, error: ModelError) -> Arc<dyn Model> {
        tracing::warn!(model = %self.name, %error, "a model cannot be asked");
        Arc::new(Silent { provider: self.provider.text(), name: self.name.clone(), error })
    }
}

/// A model that cannot be asked.
struct Silent {
    provider: &'static str,
    name: String,
    error: ModelError,
}

impl Model for Silent {
    fn name(&self) -> (&str, &str) {
        (self.provider, &self.name)
    }

    fn ask<'a>(&'a self, _prompt: &'a Prompt) -> BoxFuture<'a, Result<Pieces, ModelError>> {
        Box::pin(async { Err(self.error.clone()) })
    }
}
