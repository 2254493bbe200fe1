//! The format: what stands in front of the instructions.
//!
//! The documentation of these types is what editors show, by way of the schema.

use forestage_runtime::file::{DeclaredTools, HouseMember, List, Placed, Time};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::model::ModelMember;
use crate::{http_tool::HttpToolFile, mcp::McpFile};

/// An agent that a model plays. The text below the settings is what the model is told.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "Agent", title = "Agent file")]
pub(super) struct Front {
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
    /// The model: `openai/gpt-5-mini`, or its settings.
    pub(super) model: ModelMember,
    /// The tools of the agent, with a schema for their arguments and what they return.
    #[serde(default)]
    pub(super) tools: DeclaredTools,
    /// The tools of the server that it may use, by name: those that the program around it brings.
    #[serde(default)]
    pub(super) uses: List<Placed<String>>,
    /// Tools that are HTTP requests.
    #[serde(default)]
    pub(super) http: List<HttpToolFile>,
    /// MCP servers by name. Their tools are called `<server>_<tool>`.
    #[serde(default)]
    pub(super) mcp: McpFile,
    /// Whether the model may call the tools that clients bring; it may where absent.
    #[serde(default)]
    pub(super) client_tools: Option<bool>,
    /// The tutoring components that the model may show, by name, such as `quick_quiz`; `all` for all of them.
    #[serde(default)]
    pub(super) components: List<Placed<String>>,
    /// Whether the model may draw surfaces (A2UI).
    #[serde(default)]
    pub(super) surfaces: bool,
    /// The version of A2UI that the model draws in; where absent, the one that the client draws.
    #[serde(default)]
    pub(super) surfaces_version: Option<SurfacesVersion>,
    /// The state that the agent shares with clients. The model reads and changes it with two tools.
    #[serde(default)]
    pub(super) state: Option<Placed<StateFile>>,
    /// The agents of the same server that it may hand over to.
    #[serde(default)]
    pub(super) handoffs: List<Placed<String>>,
    /// The agents of the same server that the model may ask. Each is a tool `ask_…`; several work at the same time.
    #[serde(default)]
    pub(super) subagents: List<Placed<String>>,
    /// What the agent may do and say, and who looks at it first: the rules, or the path of a file with them.
    #[serde(default)]
    pub(super) house: Option<HouseMember>,
    /// What somebody looks at before it counts, whatever the rules of the house say.
    #[serde(default)]
    pub(super) audit: List<Placed<Audit>>,
    /// How far it may go before a person speaks again.
    #[serde(default)]
    pub(super) limits: Option<LimitsFile>,
    /// Who owns the history of its threads.
    #[serde(default)]
    pub(super) history: History,
}

/// A version of A2UI that models draw in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
pub(super) enum SurfacesVersion {
    /// 0.8, as contract 003 has it.
    #[serde(rename = "0.8")]
    V0_8,
    /// 0.9.
    #[serde(rename = "0.9")]
    V0_9,
}

/// What somebody looks at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Audit {
    /// Every call of a tool.
    Tools,
    /// Every answer.
    Answers,
}

/// The state that an agent shares with clients.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "State")]
pub(super) struct StateFile {
    /// The state of a thread that has none yet.
    #[serde(default)]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub(super) initial: Option<Placed<Map<String, Value>>>,
    /// The JSON Schema that it always fits; any object fits where absent.
    #[serde(default)]
    #[schemars(with = "Option<Map<String, Value>>")]
    pub(super) schema: Option<Placed<Map<String, Value>>>,
}

/// How far an agent may go before a person speaks again.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Limits")]
pub(super) struct LimitsFile {
    /// How often the model is asked; 20 times where absent.
    #[serde(default)]
    #[schemars(with = "Option<std::num::NonZeroU32>")]
    pub(super) steps: Option<Placed<u32>>,
    /// How many tokens it may use.
    #[serde(default)]
    pub(super) tokens: Option<u64>,
    /// How long it may take.
    #[serde(default)]
    pub(super) time: Option<Placed<Time>>,
    /// How long a conversation may be, in tokens, before its beginning is summarised.
    #[serde(default)]
    pub(super) context: Option<u64>,
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
