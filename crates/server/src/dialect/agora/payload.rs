//! The values that AGORA adds to AG-UI: requests for approval, their answers, errors.

use forestage_protocol::{
    id::{InterruptId, ThreadId},
    number::Timestamp,
};
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};

/// The name of the event that asks for approval.
pub const REQUEST: &str = "agora:tool_approval_request";
/// The name of the event with which a client answers a request for approval.
pub const RESPONSE: &str = "agora:tool_approval_response";
/// The name of the event that tells what is wrong.
pub const ERROR: &str = "agora:error";

/// How much harm a call could do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RiskLevel {
    /// None to speak of.
    Low,
    /// Some; also where nobody has said.
    #[default]
    Medium,
    /// Much.
    High,
    /// It cannot be undone.
    Critical,
}

impl RiskLevel {
    /// The level with this name.
    #[must_use]
    pub fn named(name: &Value) -> Option<Self> {
        Self::deserialize(name).ok()
    }
}

/// Asks a person whether a tool may be called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApprovalRequest {
    /// The tool.
    pub tool_name: String,
    /// What it does.
    pub tool_description: String,
    /// The arguments of the call.
    pub parameters: Map<String, Value>,
    /// Why it is asked.
    pub reasoning: String,
    /// How much harm it could do.
    pub risk_level: RiskLevel,
    /// What the answer has to name.
    pub approval_id: String,
}

/// An answer to a request for approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// The request.
    #[serde(deserialize_with = "id")]
    pub approval_id: InterruptId,
    /// The thread that waits, for clients that use one run id on several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thread_id: Option<ThreadId>,
    /// Whether the tool may be called.
    pub approved: bool,
    /// Why, in the person's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub feedback: Option<String>,
}

fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<InterruptId, D::Error> {
    String::deserialize(deserializer).map(InterruptId::from)
}

/// What is wrong, where it is not a run that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErrorPayload {
    /// A stable word.
    pub error_code: String,
    /// A sentence for people.
    pub message: String,
    /// What else is known. Others may leave it out.
    #[serde(default)]
    pub details: Map<String, Value>,
}

/// What is wrong with a payload.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Unfit {
    /// The member that is wrong or missing; nothing if it is the payload as a whole.
    pub(super) member: Option<String>,
    /// A sentence about it.
    pub(super) message: String,
}

/// Reads a payload.
pub(super) fn read<T: DeserializeOwned>(value: Value) -> Result<T, Unfit> {
    serde_path_to_error::deserialize(value).map_err(|error| {
        let message = error.inner().to_string();
        let place = error.path().to_string();
        let member = if place == "." { named(&message).map(str::to_owned) } else { Some(place) };
        Unfit { member, message }
    })
}

/// The member that an error is about, where the place is the object that should have it or should not.
fn named(message: &str) -> Option<&str> {
    let rest = message.strip_prefix("missing field `").or_else(|| message.strip_prefix("unknown field `"))?;
    rest.split('`').next()
}

/// An event of AGORA's own.
pub(super) fn custom(name: &str, value: impl Serialize, at: Option<Timestamp>) -> Value {
    stamped(json!({ "type": "CUSTOM", "name": name, "value": value }), at)
}

/// An event with its time, if it has one.
pub(super) fn stamped(mut event: Value, at: Option<Timestamp>) -> Value {
    if let Some(at) = at {
        event["timestamp"] = json!(at);
    }
    event
}
