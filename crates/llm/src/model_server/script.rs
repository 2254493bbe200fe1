//! The format: what a script of a model server holds.
//!
//! The documentation of these types is what editors show, by way of the schema.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use axum::http::StatusCode;
use forestage_runtime::{
    file::{List, Time, read, schema_of},
    script::ScriptError,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::asked::Asked;

/// A script: the first rule that fits a request is played.
#[derive(Clone, Debug)]
pub struct Script {
    rules: Arc<Vec<(Rule, AtomicU32)>>,
}

impl Script {
    /// Reads a script. Mistakes come all at once, in the order of the text.
    pub fn parse(file: &str, text: &str) -> Result<Self, Vec<ScriptError>> {
        let (script, errors) = read::<File>(file, text);
        match script {
            Some(script) if errors.is_empty() => {
                let rules = script.rules.0.into_iter().map(|rule| (rule, AtomicU32::new(0))).collect();
                Ok(Self { rules: Arc::new(rules) })
            }
            _ => Err(errors),
        }
    }

    /// The rule for a request. One with `times` is used up.
    pub(super) fn choose(&self, asked: &Asked) -> Option<&Rule> {
        let fits = |(rule, played): &&(Rule, AtomicU32)| {
            let left = rule.times.is_none_or(|times| played.load(Ordering::Relaxed) < times);
            left && rule.when.fits(asked)
        };
        let (rule, played) = self.rules.iter().find(fits)?;
        played.fetch_add(1, Ordering::Relaxed);
        Some(rule)
    }
}

/// The JSON Schema of a script. It is committed as `spec/schema/model-script.json`.
#[must_use]
pub fn schema() -> Value {
    schema_of::<File>()
}

/// What a model server answers.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ModelScript", title = "Script of a model server")]
struct File {
    /// What is answered when. The first rule that fits is played.
    rules: List<Rule>,
}

/// What is answered when.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ModelRule")]
pub(super) struct Rule {
    /// When the rule fits: all conditions have to hold. Without any it always fits.
    #[serde(default)]
    pub(super) when: When,
    /// How often the rule is played before it counts no more.
    #[serde(default)]
    times: Option<u32>,
    /// The time between two pieces.
    #[serde(default)]
    pub(super) pace: Option<Time>,
    /// The stream is sent in pieces of so many bytes, wherever that cuts it.
    #[serde(default)]
    pub(super) bytes: Option<usize>,
    /// What is said and done.
    #[serde(rename = "do")]
    pub(super) steps: List<Step>,
}

/// When a rule fits. Case does not matter.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ModelWhen")]
pub(super) struct When {
    /// What the person said last contains this, and nothing came after it.
    #[serde(default)]
    says: Option<String>,
    /// The last that came is the result of this tool.
    #[serde(default)]
    result: Option<String>,
    /// That result contains this.
    #[serde(default)]
    contains: Option<String>,
    /// The instructions contain this.
    #[serde(default)]
    instructions: Option<String>,
    /// The model has this name.
    #[serde(default)]
    model: Option<String>,
}

impl When {
    fn fits(&self, asked: &Asked) -> bool {
        let contains = |wanted: &Option<String>, text: Option<&str>| {
            wanted.as_ref().is_none_or(|wanted| {
                text.is_some_and(|text| text.to_lowercase().contains(&wanted.to_lowercase()))
            })
        };
        let tool =
            asked.results.iter().find(|(name, _)| self.result.as_ref().is_none_or(|wanted| wanted == name));
        let result = self.result.is_none() && self.contains.is_none()
            || tool.is_some_and(|(_, text)| contains(&self.contains, Some(text)));
        result
            && contains(&self.says, asked.said.as_deref())
            && contains(&self.instructions, Some(&asked.instructions))
            && self.model.as_ref().is_none_or(|model| *model == asked.model)
    }
}

/// One thing that is said or done.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ModelStep")]
pub(super) enum Step {
    /// Says something, word by word.
    Text(String),
    /// Thinks something.
    Reasoning(String),
    /// Seals the thought: a signature or an encrypted value, as the provider's own would be.
    Seal(String),
    /// Calls tools. Several at once are written interleaved, where the provider's stream allows it.
    Calls(List<Call>),
    /// Waits.
    Sleep(Time),
    /// Sends this as it is, in the middle of the stream.
    Raw(String),
    /// Fails: as the first step with a status, later in the words of the stream.
    Error(Failure),
    /// Breaks the connection.
    Cut,
    /// Ends the stream in order, but without what the provider ends its streams with.
    Short,
    /// Says nothing more, and does not end.
    Hang,
    /// Ends for this reason: `stop`, `length`, `tools` or `filter`.
    Stop(Stop),
    /// Tokens that were used.
    Usage(Tokens),
}

/// A call of a tool.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ModelCall")]
pub(super) struct Call {
    /// The tool.
    pub(super) name: String,
    /// Its arguments.
    #[serde(default)]
    pub(super) args: Map<String, Value>,
    /// Its arguments as text, where they are to be wrong.
    #[serde(default)]
    pub(super) text: Option<String>,
    /// In how many pieces the arguments come; 2 where absent.
    #[serde(default)]
    pub(super) pieces: Option<usize>,
}

/// A failure.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "ModelFailure")]
pub(super) struct Failure {
    /// The HTTP status; 500 where absent.
    #[serde(default)]
    status: Option<u16>,
    /// What the provider says.
    #[serde(default)]
    pub(super) message: String,
    /// How many seconds to wait before trying again.
    #[serde(default)]
    pub(super) retry_after: Option<f64>,
}

impl Failure {
    pub(super) fn status(&self) -> StatusCode {
        self.status
            .and_then(|status| StatusCode::from_u16(status).ok())
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
}

/// Why an answer ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "ModelStop")]
#[expect(clippy::enum_variant_names, reason = "a reason is named as it is written")]
pub(super) enum Stop {
    /// Everything is said.
    #[default]
    Stop,
    /// It may say no more.
    Length,
    /// It waits for tools.
    Tools,
    /// It may not be said.
    Filter,
}

/// Tokens that were used.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ModelTokens")]
pub(super) struct Tokens {
    /// Those of the prompt.
    #[serde(default)]
    pub(super) input: u64,
    /// Those of the answer.
    #[serde(default)]
    pub(super) output: u64,
}
