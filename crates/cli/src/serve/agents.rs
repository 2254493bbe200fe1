//! Which agents a server has.

use forestage::Builder;
use forestage_runtime::script;

use super::{Agents, remotes};
use crate::config::Config;

/// Adds the agents, and says where they are from.
pub(super) fn add(builder: Builder, config: &Config, which: Agents) -> anyhow::Result<(Builder, String)> {
    let folder = &config.agents;
    if which == Agents::BuiltIn {
        return Ok((builder.agents(script::builtin()), "built in".to_owned()));
    }
    let elsewhere = remotes::agents(config)?;
    // Somebody who has written nothing yet should still meet an agent; a folder that was named has to be there.
    if config.agents_are_built_in() {
        let builder = builder.agents(script::builtin()).agents(elsewhere);
        return Ok((builder, format!("built in; there is no folder `{folder}`")));
    }
    let builder = builder.agents_dir(folder).agents(elsewhere).model_url(&config.model_url);
    Ok((builder, format!("from `{folder}`, watched")))
}
