//! An agent, made of its file.

use std::sync::Arc;

use forestage_a2ui::Version;
use forestage_its::{COMPONENTS, Entry, find};
use forestage_runtime::{HistoryOwner, Listing, tool::Tools};

use super::{
    Setup,
    check::{ALL, rules},
    file::AgentFile,
    front::{History, SurfacesVersion},
};
use crate::{
    agent::{ModelAgent, Part, TurnLimits},
    mcp::McpServers,
};

impl AgentFile {
    /// The agent. Mistakes were told before; what has any is left out.
    pub(super) fn build(&self, setup: &Setup) -> ModelAgent {
        let front = &self.front;
        let model = setup.model.as_ref().map_or(&front.model.0, |model| &model.0);
        let part = Part {
            name: self.name.clone(),
            description: front.description.clone(),
            listing: self.listing(),
            instructions: self.instructions.clone(),
            model: model.build(self.folder.as_deref(), setup.model_url.as_deref()),
            options: model.options(),
            tools: self.all_tools(setup),
            mcp: self.servers(setup),
            house: self.house.clone(),
            client_tools: front.client_tools.unwrap_or(true),
            components: self.components(),
            surfaces: front.surfaces,
            surfaces_version: front.surfaces_version.map(|version| match version {
                SurfacesVersion::V0_8 => Version::V0_8,
                SurfacesVersion::V0_9 => Version::V0_9,
            }),
            state: rules(self).ok().flatten(),
            handoffs: front.handoffs.iter().map(|name| name.value.clone()).collect(),
            subagents: front.subagents.iter().map(|name| name.value.clone()).collect(),
            limits: self.limits(),
            history: match front.history {
                History::Server => HistoryOwner::Server,
                History::Client => HistoryOwner::Client,
            },
        };
        ModelAgent::among(part, setup.find.clone())
    }

    /// How lists of agents show it.
    fn listing(&self) -> Listing {
        let front = &self.front;
        Listing {
            title: front.title.clone(),
            icon: front.icon.clone(),
            order: front.order,
            group: front.group.clone(),
        }
    }

    /// Its own, and those of the server that it names.
    fn all_tools(&self, setup: &Setup) -> Arc<Tools> {
        let mut tools = self.tools.clone();
        let of_server = setup
            .tools
            .iter()
            .flat_map(|tools| self.front.uses.iter().filter_map(|name| tools.get(&name.value).cloned()));
        for tool in of_server {
            // One that cannot be added is a mistake, and mistakes were told before.
            let _ = Arc::make_mut(&mut tools).add(tool);
        }
        tools
    }

    /// The MCP servers, which begin to be connected to.
    pub(super) fn servers(&self, setup: &Setup) -> McpServers {
        setup.mcp.servers(&self.name, self.mcp.iter().map(|(_, spec)| spec))
    }

    fn components(&self) -> Vec<&'static Entry> {
        let named = self.front.components.iter().map(|name| name.value.as_str());
        if named.clone().any(|name| name == ALL) {
            return COMPONENTS.iter().collect();
        }
        named.filter_map(find).collect()
    }

    fn limits(&self) -> TurnLimits {
        let Some(limits) = &self.front.limits else { return TurnLimits::default() };
        TurnLimits {
            steps: limits.steps.as_ref().map_or(TurnLimits::default().steps, |steps| steps.value),
            tokens: limits.tokens,
            time: limits.time.as_ref().map(|time| time.value.0),
            context: limits.context,
        }
    }
}
