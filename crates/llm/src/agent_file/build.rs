//! An agent, made of its file.

use forestage_its::{COMPONENTS, Entry, find};
use forestage_runtime::HistoryOwner;

use super::{
    Setup,
    check::{ALL, rules},
    file::AgentFile,
    front::History,
};
use crate::agent::{ModelAgent, Part, TurnLimits};

impl AgentFile {
    /// The agent. Mistakes were told before; what has any is left out.
    pub(super) fn build(&self, setup: &Setup) -> ModelAgent {
        let front = &self.front;
        let part = Part {
            name: self.name.clone(),
            description: front.description.clone(),
            instructions: self.instructions.clone(),
            model: front.model.0.build(self.folder.as_deref(), setup.model_url.as_deref()),
            options: front.model.0.options(),
            tools: self.tools.clone(),
            house: self.house.clone(),
            client_tools: front.client_tools.unwrap_or(true),
            components: self.components(),
            surfaces: front.surfaces,
            state: rules(self).ok().flatten(),
            handoffs: front.handoffs.iter().map(|name| name.value.clone()).collect(),
            limits: self.limits(),
            history: match front.history {
                History::Server => HistoryOwner::Server,
                History::Client => HistoryOwner::Client,
            },
        };
        ModelAgent::among(part, setup.find.clone())
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
