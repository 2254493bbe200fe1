//! What a client says.

use forestage_protocol::Fault;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::object::Object;

/// What a client says to an agent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ClientMessage {
    /// A person did something.
    UserAction(UserAction),
    /// Something went wrong on the client; what is in here is its own affair.
    Error(Value),
}

/// What a person did. 0.9 says the same under the name `action`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UserAction {
    /// What the component calls it.
    pub name: String,
    /// The surface.
    pub surface_id: String,
    /// The component.
    pub source_component_id: String,
    /// When, as the client wrote it.
    pub timestamp: String,
    /// What the component sends along, its paths replaced by what was there.
    pub context: Map<String, Value>,
}

impl UserAction {
    pub(crate) fn read(body: &Object<'_>) -> Result<Self, Fault> {
        Ok(Self {
            name: body.text("name")?,
            surface_id: body.text("surfaceId")?,
            source_component_id: body.text("sourceComponentId")?,
            timestamp: body.text("timestamp")?,
            context: body.object("context")?.members().clone(),
        })
    }
}

impl ClientMessage {
    /// Reads a message.
    pub fn read(value: &Value) -> Result<Self, Fault> {
        let message = Object::new("", value)?;
        match (message.get("userAction"), message.get("error")) {
            (Some(_), None) => UserAction::read(&message.object("userAction")?).map(Self::UserAction),
            (None, Some(error)) => Ok(Self::Error(error.clone())),
            _ => Err(Fault::new("unknown_message", "", "needs exactly one of `userAction`, `error`")),
        }
    }
}
