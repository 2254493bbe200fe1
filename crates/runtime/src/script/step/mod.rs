//! The steps of a script, one type each.
//!
//! The documentation of these types is what editors show, by way of the schema.

mod ask;
mod form;

use schemars::JsonSchema;
use serde::Deserialize;

pub(super) use self::{
    ask::{Ask, AskTool, Branch},
    form::{Say, Think},
};
use super::{
    file::Change,
    value::{Chunk, Fields, Shape, Template, Time},
    yaml::{List, Placed},
};

/// One thing to do.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[expect(clippy::enum_variant_names, reason = "a variant is named as the step is written")]
pub(super) enum Step {
    /// Says a message.
    Text(Say),
    /// Thinks aloud.
    Reasoning(Think),
    /// Does several things under one name.
    Step(Named),
    /// Calls a tool. Without a result it is the client's, and the call waits for its answer.
    Tool(Tool),
    /// Answers the call that the question around it was about.
    ToolResult(Placed<Shape>),
    /// Makes this the state, and sends the whole.
    State(Fields),
    /// Changes the state by a JSON Patch.
    Patch(List<Change>),
    /// Shows something structured beside the messages, or changes it.
    Activity(Placed<Activity>),
    /// Sends an event of the application's own.
    Custom(Custom),
    /// Waits.
    Sleep(Time),
    /// Lets a subagent speak.
    Subagent(Sub),
    /// Goes on with the rules of another script of the folder, now and in later turns.
    Handoff(Placed<String>),
    /// Asks a person, and goes on when there is an answer.
    Ask(Box<Ask>),
    /// Does something several times; `{{n}}` counts from 1.
    Repeat(Repeat),
    /// Ends the run with an error.
    Error(Failure),
    /// What the run returns.
    Result(Shape),
    /// Tells what a model used.
    Usage(Usage),
    /// Emits an AG-UI event as it is. One that breaks a rule ends the run.
    Raw(Placed<Fields>),
}

/// Several things under one name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Named {
    /// The name of the step.
    pub(super) name: Template,
    /// The steps to play.
    #[serde(rename = "do", default)]
    pub(super) steps: List<Step>,
}

/// A call of a tool.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Tool {
    /// The name of the tool.
    pub(super) name: Template,
    /// Its arguments.
    #[serde(default)]
    pub(super) args: Fields,
    /// What it returns. Without one it is a tool that the script declares, or one of the client's.
    #[serde(default)]
    pub(super) result: Option<Shape>,
    /// What follows when it has returned; `{{answer}}` is its result.
    #[serde(default)]
    pub(super) then: List<Step>,
    /// What follows from what it has returned, which is `{{answer}}`: the first that fits is played, before `then`.
    #[serde(default)]
    pub(super) answers: List<Branch>,
    /// What follows when it failed, or was not allowed; `{{answer.code}}` and `{{answer.message}}` say why.
    #[serde(default)]
    pub(super) failed: List<Step>,
    /// How long it works.
    #[serde(default)]
    pub(super) takes: Time,
    /// How the arguments are cut into pieces; in one piece where absent.
    #[serde(default)]
    pub(super) chunk: Option<Chunk>,
}

/// Something structured beside the messages: `type` and `content` show it, `patch` changes it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Activity {
    /// What kind of activity; may be left out for one that was shown before.
    #[serde(default, rename = "type")]
    pub(super) kind: Option<Template>,
    /// Its id, by which it is changed later.
    #[serde(default)]
    pub(super) id: Option<Template>,
    /// What it shows.
    #[serde(default)]
    pub(super) content: Option<Fields>,
    /// How it changes.
    #[serde(default)]
    pub(super) patch: Option<List<Change>>,
}

/// An event of the application's own.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Custom {
    /// The name of the event.
    pub(super) name: Template,
    /// What it carries.
    #[serde(default)]
    pub(super) value: Option<Shape>,
}

/// A subagent that speaks.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Sub {
    /// Its name.
    pub(super) name: Template,
    /// The steps it plays.
    #[serde(rename = "do", default)]
    pub(super) steps: List<Step>,
    /// Why it fails, if it does.
    #[serde(default)]
    pub(super) fails: Option<Template>,
}

/// Something that is done several times.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Repeat {
    /// How often.
    pub(super) times: u64,
    /// The steps to play each time.
    #[serde(rename = "do")]
    pub(super) steps: List<Step>,
}

/// An error that ends the run.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Failure {
    /// The code for programs.
    #[serde(default)]
    pub(super) code: Option<Template>,
    /// The sentence for people.
    pub(super) message: Template,
}

/// What a model used.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Usage {
    /// Who runs the model.
    #[serde(default)]
    pub(super) provider: Option<String>,
    /// The model.
    #[serde(default)]
    pub(super) model: Option<String>,
    /// All tokens that went in.
    #[serde(default)]
    pub(super) input_tokens: Option<u32>,
    /// All tokens that came out.
    #[serde(default)]
    pub(super) output_tokens: Option<u32>,
    /// Both together.
    #[serde(default)]
    pub(super) total_tokens: Option<u32>,
    /// Tokens of the output that were reasoning.
    #[serde(default)]
    pub(super) reasoning_tokens: Option<u32>,
    /// Tokens of the input that came from a cache.
    #[serde(default)]
    pub(super) cached_input_tokens: Option<u32>,
}
