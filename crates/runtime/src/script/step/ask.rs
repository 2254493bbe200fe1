//! Questions to a person, and what follows from the answer.

use schemars::JsonSchema;
use serde::Deserialize;

use super::Step;
use crate::script::{
    file::WhenAnswered,
    value::{Chunk, Fields, Template, Time},
    yaml::List,
};

/// A question to a person. The run ends with it, and goes on here when there is an answer.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::script) struct Ask {
    /// Why it is asked: `input_required` where absent, `tool_call` for a question about a tool.
    #[serde(default)]
    pub(in crate::script) reason: Option<Template>,
    /// The question.
    pub(in crate::script) message: Template,
    /// The shape of the answer, as a JSON Schema.
    #[serde(default)]
    pub(in crate::script) schema: Option<Fields>,
    /// When it is too late to answer.
    #[serde(default)]
    pub(in crate::script) expires: Option<Time>,
    /// The call that the question is about; `toolResult` answers it.
    #[serde(default)]
    pub(in crate::script) tool: Option<AskTool>,
    /// Facts for whoever shows the question.
    #[serde(default)]
    pub(in crate::script) metadata: Option<Fields>,
    /// What to do with the answer, which is `{{answer}}`. The first that fits is played, then the steps after the
    /// question.
    #[serde(default)]
    pub(in crate::script) answers: List<Branch>,
    /// An id of your choice, new on the thread.
    #[serde(default)]
    pub(in crate::script) id: Option<Template>,
}

/// The call that a question is about.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::script) struct AskTool {
    /// The name of the tool.
    pub(in crate::script) name: Template,
    /// Its arguments.
    #[serde(default)]
    pub(in crate::script) args: Fields,
    /// How the arguments are cut into pieces; in one piece where absent.
    #[serde(default)]
    pub(in crate::script) chunk: Option<Chunk>,
}

/// What to do with an answer.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::script) struct Branch {
    /// When it fits. Without conditions it always fits.
    #[serde(default)]
    pub(in crate::script) when: WhenAnswered,
    /// The steps to play.
    #[serde(rename = "do")]
    pub(in crate::script) steps: List<Step>,
}
