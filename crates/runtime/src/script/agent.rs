//! A script as an agent.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use forestage_protocol::capabilities::AgentCapabilities;

use super::{
    check::check,
    error::ScriptError,
    file::{self, File, History},
    play,
};
use crate::{
    About, Agent, AgentError, Agents, BoxFuture, HistoryOwner, RunContext, house::HouseRules, tool::Tools,
};

/// Scripts that can hand over to each other, by name.
pub(super) type Cast = BTreeMap<String, Arc<File>>;

/// An agent that plays from a script.
#[derive(Clone, Debug)]
pub struct ScriptAgent {
    name: String,
    script: Arc<File>,
    cast: Arc<Cast>,
}

/// Reads a script that stands alone. Mistakes come all at once, in the order of the text.
pub fn parse(name: &str, text: &str) -> Result<ScriptAgent, Vec<ScriptError>> {
    let (file, mut errors) = file::read(name, text, None);
    let Some(file) = file else { return Err(errors) };
    errors.extend(check(name, &file, &BTreeSet::from([name_of(&file, name)]), &errors));
    let name = name_of(&file, name);
    if !errors.is_empty() {
        errors.sort();
        return Err(errors);
    }
    let script = Arc::new(file);
    let cast = Arc::new(Cast::from([(name.clone(), script.clone())]));
    Ok(ScriptAgent { name, script, cast })
}

/// The name of a script: its own, or that of its file.
pub(super) fn name_of(file: &File, stem: &str) -> String {
    file.name.as_ref().map_or(stem, |name| &name.value).to_owned()
}

/// Makes agents of scripts.
pub(super) fn agents(cast: Cast) -> Agents {
    let cast = Arc::new(cast);
    let agent = |(name, script): (&String, &Arc<File>)| {
        let agent = ScriptAgent { name: name.clone(), script: script.clone(), cast: cast.clone() };
        (name.clone(), Arc::new(agent) as Arc<dyn Agent>)
    };
    cast.iter().map(agent).collect()
}

impl ScriptAgent {
    /// The name it has in its file, or the one it was read under.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Agent for ScriptAgent {
    fn about(&self) -> About {
        let history = match self.script.history {
            History::Server => HistoryOwner::Server,
            History::Client => HistoryOwner::Client,
        };
        let capabilities = self.script.capabilities.clone().unwrap_or_else(AgentCapabilities::new);
        let listing = self.script.listing();
        About { capabilities, history, listing, ..About::new(&self.script.description) }
    }

    fn tools(&self) -> Arc<Tools> {
        self.script.built.tools.clone()
    }

    fn house(&self) -> Arc<HouseRules> {
        self.script.built.house.clone().unwrap_or_default()
    }

    fn run(&self, ctx: RunContext) -> BoxFuture<'_, Result<(), AgentError>> {
        Box::pin(async move { play::play(&ctx, &self.name, &self.cast).await })
    }
}
