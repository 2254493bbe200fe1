//! Agents that a model plays: it speaks, calls tools, sees what came of them, and goes on until it is done.
//!
//! ```text
//! history ──> prompt ──> a turn of the model ──> record ──> its calls ──> results ──┐
//!                 ^                                                                  │
//!                 └──────────────────────────────────────────────────────────────────┘
//! ```
//!
//! A turn is recorded when it is complete. A run that goes on after somebody has decided, or that repeats one whose
//! process died, takes recorded turns as they were and asks the model for none of them again.

mod answer;
mod ask;
mod budget;
mod call;
mod handoff;
mod history;
mod instructions;
mod offer;
mod page;
mod play;
mod settle;
mod state;

use std::{fmt, sync::Arc, time::Duration};

use forestage_a2ui::Version;
use forestage_its::Entry;
use forestage_runtime::{
    About, Agent, AgentError, Agents, BoxFuture, HistoryOwner, Listing, RunContext, house::HouseRules,
    tool::Tools,
};

pub use self::state::{StateRules, StateRulesError};
pub(crate) use self::{call::error_text, offer::wire_name};
use crate::{
    mcp::McpServers,
    model::{Model, Options},
};

/// What a model agent is made of.
#[derive(Clone)]
pub struct Part {
    /// The name it goes by.
    pub name: String,
    /// What it does, for people.
    pub description: String,
    /// How lists of agents show it.
    pub listing: Listing,
    /// What the model is told before anybody speaks.
    pub instructions: String,
    /// Who answers.
    pub model: Arc<dyn Model>,
    /// How it is to answer.
    pub options: Options,
    /// The tools of ours that it may call.
    pub tools: Arc<Tools>,
    /// The MCP servers whose tools it may call, too.
    pub mcp: McpServers,
    /// What it may do and say.
    pub house: Arc<HouseRules>,
    /// Whether it may call the tools that clients bring.
    pub client_tools: bool,
    /// The tutoring components that it may show.
    pub components: Vec<&'static Entry>,
    /// Whether it may draw surfaces.
    pub surfaces: bool,
    /// The version of A2UI that it draws in; where absent, the one that the client draws.
    pub surfaces_version: Option<Version>,
    /// The state that it shares with clients.
    pub state: Option<StateRules>,
    /// The agents that it may hand over to.
    pub handoffs: Vec<String>,
    /// The agents that it may ask.
    pub subagents: Vec<String>,
    /// How far it may go.
    pub limits: TurnLimits,
    /// Who owns the history of its threads.
    pub history: HistoryOwner,
}

/// How far an agent may go before a person speaks again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnLimits {
    /// How often the model is asked.
    pub steps: u32,
    /// How many tokens it may use.
    pub tokens: Option<u64>,
    /// How long it may take.
    pub time: Option<Duration>,
    /// How long a conversation may be, in tokens, before its beginning is summarised.
    pub context: Option<u64>,
}

impl Default for TurnLimits {
    fn default() -> Self {
        Self { steps: 20, tokens: None, time: None, context: None }
    }
}

/// Finds another agent by name.
pub type Find = Arc<dyn Fn(&str) -> Option<Arc<dyn Agent>> + Send + Sync>;

/// An agent that a model plays.
pub struct ModelAgent {
    part: Part,
    find: Find,
}

impl ModelAgent {
    /// An agent that knows nobody else.
    #[must_use]
    pub fn new(part: Part) -> Self {
        Self::among(part, Arc::new(|_| None))
    }

    /// An agent that can hand over to others.
    #[must_use]
    pub fn among(part: Part, find: Find) -> Self {
        Self { part, find }
    }
}

impl Agent for ModelAgent {
    fn about(&self) -> About {
        let Part { history, listing, description, .. } = &self.part;
        About { history: *history, listing: listing.clone(), ..About::new(description) }
    }

    fn tools(&self) -> Arc<Tools> {
        self.part.mcp.tools(&self.part.tools)
    }

    fn ready(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.part.mcp.ready())
    }

    fn house(&self) -> Arc<HouseRules> {
        self.part.house.clone()
    }

    fn run(&self, ctx: RunContext) -> BoxFuture<'_, Result<(), AgentError>> {
        Box::pin(self.perform(ctx))
    }
}

impl fmt::Debug for ModelAgent {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ModelAgent").field("name", &self.part.name).finish_non_exhaustive()
    }
}

/// A lookup in agents that do not change.
#[must_use]
pub fn find_in(agents: Agents) -> Find {
    Arc::new(move |name| agents.get(name).cloned())
}
