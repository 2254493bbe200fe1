//! What a tool is, and what it is told about a call.

use forestage_protocol::id::{RunId, ThreadId, ToolCallId};
use serde_json::{Map, Value};

use super::{Notes, Progress};
use crate::policy::Risk;

/// What a tool is, for models and for people.
#[derive(Clone, Debug, PartialEq)]
pub struct ToolAbout {
    /// The name that models call it by.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The JSON Schema of its arguments, which are always an object.
    pub parameters: Map<String, Value>,
    /// Whether it may be executed again with the same key when it is unknown whether it ran.
    pub repeatable: bool,
    /// How much harm a call can do, where no rule of the house knows better. It is told to whoever decides, and never
    /// makes less of what the rules say.
    pub risk: Risk,
    /// Whether a model may call it. What is not for models is for the pages of [apps](crate::apps).
    pub for_model: bool,
}

impl ToolAbout {
    /// A tool that takes any object and must not run twice.
    #[must_use]
    pub fn new(name: &str, description: &str) -> Self {
        Self {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters: Map::new(),
            repeatable: false,
            risk: Risk::Low,
            for_model: true,
        }
    }

    /// The same with arguments of this JSON Schema.
    #[must_use]
    pub fn parameters(self, parameters: Map<String, Value>) -> Self {
        Self { parameters, ..self }
    }

    /// The same, and it may be executed again with the same key.
    #[must_use]
    pub fn repeatable(self) -> Self {
        Self { repeatable: true, ..self }
    }

    /// The same, and so much harm can it do.
    #[must_use]
    pub fn risk(self, risk: Risk) -> Self {
        Self { risk, ..self }
    }

    /// The same, and no model is told of it.
    #[must_use]
    pub fn not_for_model(self) -> Self {
        Self { for_model: false, ..self }
    }
}

/// One call of a tool.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The same whenever this call is repeated, and never that of another call. Whoever reaches out to the world hands
    /// it on as the idempotency key.
    pub key: String,
    /// The thread of the run.
    pub thread_id: ThreadId,
    /// The run that makes the call.
    pub run_id: RunId,
    /// The call, as clients see it.
    pub tool_call_id: ToolCallId,
    /// Whose thread it is.
    pub owner: String,
    /// What tools remember of them.
    pub notes: Notes,
    /// Shows people how far the call has come.
    pub progress: Progress,
}
