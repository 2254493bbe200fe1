//! The terms of a question, as they stand in its metadata: everybody who sees it may know them.

use forestage_protocol::interrupt::Interrupt;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a question says about itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Terms {
    /// `low`, `medium`, `high` or `critical`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) risk: Option<String>,
    /// The tool it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tool: Option<String>,
    /// What it is to be called with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) arguments: Option<Value>,
    /// The schema of the arguments, where the response schema does not have it because nobody may change them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parameters: Option<Value>,
    /// The rule of the house that asks for a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) rule: Option<String>,
    /// Who may decide; without it the owner of the thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<String>,
    /// How many people have to agree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) people: Option<u32>,
    /// What happens when nobody has decided in time: `reject`, `approve` or `cancel`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) on_expiry: Option<String>,
    /// For how long an approval may be remembered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) remember: Vec<String>,
}

impl Terms {
    /// The terms of a question. Metadata that is meant otherwise has none.
    pub(crate) fn of(question: &Interrupt) -> Self {
        let metadata = question.metadata.as_ref().map(|metadata| (**metadata).clone());
        let value = Value::Object(metadata.unwrap_or_default());
        serde_json::from_value(value).unwrap_or_default()
    }

    /// As metadata.
    pub(crate) fn into_metadata(self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }

    /// How many people have to agree, at least one.
    pub(crate) fn needs(&self) -> u32 {
        self.people.unwrap_or(1).max(1)
    }
}
