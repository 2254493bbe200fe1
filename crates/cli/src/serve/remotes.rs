//! Agents that run elsewhere, and the secrets with which they call tools.

use std::{env, fs, sync::Arc, time::Duration};

use anyhow::{Context, anyhow};
use forestage_llm::remote::{
    agui::{AgUi, AgUiConfig, Told},
    ndjson::{Ndjson, NdjsonConfig},
};
use forestage_protocol::compat::PeerVersion;
use forestage_runtime::{Agent, Agents, HistoryOwner, file::text_of, script};
use forestage_server::Keys;

use crate::config::{AG_UI, Config, Remote};

/// The agents of a configuration, by name.
pub(crate) fn agents(config: &Config) -> anyhow::Result<Agents> {
    let agent = |remote: &Remote| {
        let place = config.place(&format!("remotes.{}", remote.name)).unwrap_or("remotes");
        Ok((remote.name.clone(), agent(remote).with_context(|| place.to_owned())?))
    };
    config.remotes.iter().map(agent).collect()
}

/// Who may call tools: each agent with a secret of its own.
pub(super) fn callers(remotes: &[Remote]) -> anyhow::Result<Keys> {
    let with_secret = remotes.iter().filter(|remote| !remote.hash.is_empty());
    let keys: Vec<_> = with_secret.map(Remote::secret).collect();
    Keys::new(&keys).context("the secrets of remote agents cannot be used")
}

/// One of them.
pub(crate) fn agent(remote: &Remote) -> anyhow::Result<Arc<dyn Agent>> {
    let made = match remote.kind.as_str() {
        AG_UI => agui(remote),
        _ => ndjson(remote),
    };
    made.with_context(|| format!("the remote agent `{}` cannot be used", remote.name))
}

fn ndjson(remote: &Remote) -> anyhow::Result<Arc<dyn Agent>> {
    let mut config =
        NdjsonConfig { url: remote.url.clone(), token: token(remote)?, ..NdjsonConfig::default() };
    if let Some(script) = script(remote)? {
        let description = script.about().description;
        config = NdjsonConfig { description, tools: script.tools(), house: script.house(), ..config };
    }
    Ok(Arc::new(Ndjson::new(config)?))
}

fn agui(remote: &Remote) -> anyhow::Result<Arc<dyn Agent>> {
    let mut config = AgUiConfig::new(&remote.name, &remote.url);
    if let Some(script) = script(remote)? {
        (config.tools, config.house) = (script.tools(), script.house());
        config.description = script.about().description;
    }
    if !remote.description.is_empty() {
        config.description = remote.description.clone();
    }
    config.headers = remote.headers.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    if !remote.token_env.is_empty() {
        config.headers.push(("authorization".to_owned(), format!("Bearer ${{{}}}", remote.token_env)));
    }
    config.user_header = Some(remote.user_header.clone()).filter(|name| !name.is_empty());
    config.connect_timeout = Duration::from_secs(remote.connect_seconds);
    config.idle_timeout = Duration::from_secs(remote.idle_seconds);
    config.retries = u32::try_from(remote.attempts.saturating_sub(1)).unwrap_or(u32::MAX);
    config.max_event_bytes = remote.max_event_bytes;
    config.told = if remote.messages == "new" { Told::New } else { Told::All };
    config.history = if remote.history == "client" { HistoryOwner::Client } else { HistoryOwner::Server };
    config.raw = remote.raw == "keep";
    config.peer = PeerVersion::parse(&remote.protocol);
    Ok(Arc::new(AgUi::new(config)?))
}

/// The script whose tools and rules an agent has.
fn script(remote: &Remote) -> anyhow::Result<Option<script::ScriptAgent>> {
    if remote.script.is_empty() {
        return Ok(None);
    }
    let bytes = fs::read(&remote.script).with_context(|| remote.script.clone())?;
    let script = script::parse(&remote.script, &text_of(&remote.script, bytes)?);
    script.map(Some).map_err(|errors| anyhow!("{}", script::LoadError::Scripts(errors)))
}

fn token(remote: &Remote) -> anyhow::Result<Option<String>> {
    if remote.token_env.is_empty() {
        return Ok(None);
    }
    let token = env::var(&remote.token_env);
    Ok(Some(token.with_context(|| format!("token_env `{}`", remote.token_env))?))
}
