//! The format: what a script file holds.
//!
//! The documentation of these types is what editors show, by way of the schema.

use std::{path::Path, sync::Arc};

use forestage_protocol::capabilities::AgentCapabilities;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error};

use super::{
    error::ScriptError,
    house::HouseMember,
    step::Step,
    tool::DeclaredTools,
    value::{Chunk, Fields, Glob, Regex, Shape, Template, Time},
    yaml::{self, List, Placed},
};
use crate::{Listing, house::HouseRules, tool::Tools};

/// An agent that plays from a script: the first rule that fits what was said is played.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Script", title = "Script agent")]
pub(super) struct File {
    /// The name of the agent, where it is not the name of the file.
    #[serde(default)]
    pub(super) name: Option<Placed<String>>,
    /// What the agent does, for people.
    #[serde(default)]
    pub(super) description: String,
    /// What people call the agent, where that is not its name.
    #[serde(default)]
    pub(super) title: Option<String>,
    /// The icon beside the agent: the name of an icon of the web app, such as `shield`, or an emoji.
    #[serde(default)]
    pub(super) icon: Option<String>,
    /// The place of the agent in lists, lowest first. Agents without one follow those that have one.
    #[serde(default)]
    pub(super) order: Option<i32>,
    /// The heading that the agent is listed under. Lists fold the group `developer` away.
    #[serde(default)]
    pub(super) group: Option<String>,
    /// Who owns the history of its threads.
    #[serde(default)]
    pub(super) history: History,
    /// What the agent can do, for clients: AG-UI's `AgentCapabilities`.
    #[serde(default, deserialize_with = "capabilities")]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub(super) capabilities: Option<AgentCapabilities>,
    /// The state of a thread that has none yet; sent as a snapshot.
    #[serde(default)]
    pub(super) state: Option<Fields>,
    /// The time between two pieces of a text, where the text says nothing else.
    #[serde(default)]
    pub(super) pace: Time,
    /// How texts are cut into pieces, where the text says nothing else.
    #[serde(default)]
    pub(super) chunk: Chunk,
    /// What the agent may do and say, and who looks at it first: the rules, or the path of a file with them.
    #[serde(default)]
    pub(super) house: Option<HouseMember>,
    /// The tools of the agent. Calls of them whose arguments are known are checked before anything is played.
    #[serde(default)]
    pub(super) tools: DeclaredTools,
    /// What to do when. The first rule that fits is played.
    pub(super) rules: List<Rule>,
    /// What was made of the rest.
    #[serde(skip)]
    pub(super) built: Built,
}

/// What is made of a file once it is read.
#[derive(Clone, Debug, Default)]
pub(super) struct Built {
    pub(super) house: Option<Arc<HouseRules>>,
    pub(super) tools: Arc<Tools>,
}

/// Reads a script, as much of it as is good. `folder` is where it lies, for the files it names.
pub(super) fn read(file_name: &str, text: &str, folder: Option<&Path>) -> (Option<File>, Vec<ScriptError>) {
    let (mut file, mut errors) = yaml::read_part::<File>(file_name, text);
    if let Some(file) = &mut file {
        let house = file.house.as_ref();
        let house = house.and_then(|house| house.build(file_name, folder, &mut errors));
        let tools = file.tools.build(file_name, &mut errors);
        file.built = Built { house: house.map(Arc::new), tools: Arc::new(tools) };
    }
    (file, errors)
}

impl File {
    /// How lists of agents show it.
    pub(super) fn listing(&self) -> Listing {
        Listing {
            title: self.title.clone(),
            icon: self.icon.clone(),
            order: self.order,
            group: self.group.clone(),
        }
    }

    /// The file with its house rules, if they are not here.
    pub(super) fn house_path(&self) -> Option<&str> {
        self.house.as_ref()?.path()
    }
}

/// Who says what was said before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) enum History {
    /// The server keeps it, and clients cannot change it.
    #[default]
    Server,
    /// The client sends it with every run.
    Client,
}

/// What to do when.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Rule {
    /// When the rule fits: all conditions have to hold. Without any it always fits.
    #[serde(default)]
    pub(super) when: When,
    /// The steps to play.
    #[serde(rename = "do")]
    pub(super) steps: List<Step>,
}

/// When a rule fits. All conditions have to hold.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct When {
    /// What the person says, as a pattern for all of it.
    #[serde(default)]
    pub(super) says: Option<Placed<Glob>>,
    /// What the person says, as a regular expression.
    #[serde(default)]
    pub(super) matches: Option<Placed<Regex>>,
    /// What the person says somewhere; case does not matter.
    #[serde(default)]
    pub(super) contains: Option<Placed<String>>,
    /// The client answers a call of a tool with this name. The answer is `{{answer}}`.
    #[serde(default)]
    pub(super) answers: Option<Glob>,
    /// The person does what a surface calls by this name, such as a click. It is `{{answer}}`, with what was sent along in
    /// `{{answer.context}}`.
    #[serde(default)]
    pub(super) action: Option<Glob>,
    /// Parts of what was found out about the answer, such as `correct: true` of a quiz.
    #[serde(default)]
    pub(super) check: Option<Fields>,
    /// Whether the agent has not said anything on this thread yet.
    #[serde(default)]
    pub(super) first: Option<bool>,
    /// Parts of the state.
    #[serde(default)]
    pub(super) state: Option<Fields>,
}

/// When an answer fits. All conditions have to hold.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WhenAnswered {
    /// Parts of the answer.
    #[serde(default)]
    pub(super) value: Option<Shape>,
    /// Whether the question was refused or withdrawn.
    #[serde(default)]
    pub(super) cancelled: Option<bool>,
    /// The answer is a text that fits this pattern.
    #[serde(default)]
    pub(super) says: Option<Placed<Glob>>,
    /// The answer is a text in which this regular expression is found.
    #[serde(default)]
    pub(super) matches: Option<Placed<Regex>>,
    /// The answer is a text that contains this; case does not matter.
    #[serde(default)]
    pub(super) contains: Option<Placed<String>>,
}

/// One operation of a JSON Patch.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Change {
    /// What to do.
    pub(super) op: Op,
    /// Where, as a JSON Pointer such as `/bookings/-`.
    pub(super) path: Template,
    /// From where, for `move` and `copy`.
    #[serde(default)]
    pub(super) from: Option<Template>,
    /// The value, for `add`, `replace` and `test`.
    #[serde(default)]
    pub(super) value: Option<Shape>,
}

/// What an operation of a JSON Patch does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Op {
    /// Adds a member or an element.
    Add,
    /// Removes one.
    Remove,
    /// Replaces one.
    Replace,
    /// Moves one.
    Move,
    /// Copies one.
    Copy,
    /// Fails unless one has this value.
    Test,
}

fn capabilities<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<AgentCapabilities>, D::Error> {
    let members = serde_json::Map::deserialize(deserializer)?;
    serde_json::from_value(members.into()).map(Some).map_err(|error| D::Error::custom(error.to_string()))
}
