//! What a client says.

use forestage_protocol::Fault;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::{object::Object, v0_8::UserAction};

/// What a client says to an agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ClientMessage {
    /// A person did something.
    Action(UserAction),
    /// Something went wrong on the client.
    Error(ClientError),
}

/// What went wrong on a client.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClientError {
    /// `VALIDATION_FAILED`, or a name of the client's own.
    pub code: String,
    /// The surface.
    pub surface_id: String,
    /// A sentence for people.
    pub message: String,
    /// Where it went wrong, and what else the client says.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl ClientMessage {
    /// Reads a message; `userAction` is taken for `action`, because clients of AG-UI send it.
    pub fn read(value: &Value) -> Result<Self, Fault> {
        let message = Object::new("", value)?;
        let action = ["action", "userAction"].into_iter().find(|name| message.get(name).is_some());
        match (action, message.get("error")) {
            (Some(name), None) => UserAction::read(&message.object(name)?).map(Self::Action),
            (None, Some(_)) => ClientError::read(&message.object("error")?).map(Self::Error),
            _ => Err(Fault::new("unknown_message", "", "needs exactly one of `action`, `error`")),
        }
    }

    /// It as JSON that says `v0.9`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut written = Map::from_iter([("version".to_owned(), Value::from("v0.9"))]);
        if let Ok(Value::Object(body)) = serde_json::to_value(self) {
            written.extend(body);
        }
        Value::Object(written)
    }
}

impl ClientError {
    fn read(body: &Object<'_>) -> Result<Self, Fault> {
        let own = ["code", "surfaceId", "message"];
        let other = body.members().iter().filter(|(name, _)| !own.contains(&name.as_str()));
        Ok(Self {
            code: body.text("code")?,
            surface_id: body.text("surfaceId")?,
            message: body.text("message")?,
            other: other.map(|(name, value)| (name.clone(), value.clone())).collect(),
        })
    }
}
