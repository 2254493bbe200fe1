//! Agents that run elsewhere, and the secrets with which they call tools.

use std::{env, fs, sync::Arc};

use anyhow::{Context, anyhow};
use forestage_llm::remote::ndjson::{Ndjson, NdjsonConfig};
use forestage_runtime::{Agent, Agents, script};
use forestage_server::{ApiKey, Keys};

use crate::config::Remote;

/// The agents of a configuration, by name.
pub(super) fn agents(remotes: &[Remote]) -> anyhow::Result<Agents> {
    let agent = |remote: &Remote| Ok((remote.name.clone(), agent(remote)?));
    remotes.iter().map(agent).collect()
}

/// Who may call tools: each agent with a secret of its own.
pub(super) fn callers(remotes: &[Remote]) -> anyhow::Result<Keys> {
    let with_secret = remotes.iter().filter(|remote| !remote.hash.is_empty());
    let key =
        |remote: &Remote| ApiKey { user: remote.name.clone(), hash: remote.hash.clone(), roles: Vec::new() };
    let keys: Vec<_> = with_secret.map(key).collect();
    Keys::new(&keys).context("the secrets of remote agents cannot be used")
}

fn agent(remote: &Remote) -> anyhow::Result<Arc<dyn Agent>> {
    let named = || format!("the remote agent `{}` cannot be used", remote.name);
    let mut config = NdjsonConfig { url: remote.url.clone(), ..NdjsonConfig::default() };
    if !remote.script.is_empty() {
        let text =
            fs::read_to_string(&remote.script).with_context(|| remote.script.clone()).with_context(named)?;
        let script = script::parse(&remote.script, &text)
            .map_err(|errors| anyhow!("{}", script::LoadError::Scripts(errors)))
            .with_context(named)?;
        let description = script.about().description;
        config = NdjsonConfig { description, tools: script.tools(), house: script.house(), ..config };
    }
    if !remote.token_env.is_empty() {
        let token = env::var(&remote.token_env);
        config.token =
            Some(token.with_context(|| format!("token_env `{}`", remote.token_env)).with_context(named)?);
    }
    Ok(Arc::new(Ndjson::new(config).with_context(named)?))
}
