//! `forestage serve`: the server, configured and started. `forestage demo` starts it the same way.

mod agents;
mod logs;
mod remotes;

use std::{io::ErrorKind, io::Write, path::PathBuf};

use anyhow::{Context, anyhow};
use clap::Args;
use forestage::{Forestage, StartError};
use forestage_runtime::script::LoadError;
use forestage_server::{BindError, Http, Identity, Keys};
use forestage_store::shown;

pub(crate) use self::{logs::filter as log_filter, remotes::agent as remote_agent};
use crate::{
    config::{self, Config, Given},
    exit::{Answer, Verdict},
    output::{
        self, counted,
        style::{BOLD, DIM, ID},
    },
};

/// Serve agents over HTTP, server-sent events and WebSocket
///
/// Settings come from `forestage.toml`, then from the environment (`FORESTAGE_` and the name of the setting in capitals,
/// such as FORESTAGE_LISTEN), then from flags. Ctrl-C or SIGTERM shuts down in order: runs get a moment to end, and
/// clients can come back to them; a second one ends at once.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Serve {
    /// The configuration file [default: forestage.toml, if it is there]
    #[arg(long, value_name = "FILE", env = "FORESTAGE_CONFIG")]
    config: Option<PathBuf>,
    /// The address to listen on; port 0 selects a free port
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<String>,
    /// Where threads are stored: `sqlite:<file>`, `postgres://<host>/<database>` or `memory:`
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// The folder with the agents: scripts and agent files
    #[arg(long, value_name = "FOLDER")]
    agents: Option<String>,
    /// A server that answers for all models, such as `forestage model-server`
    #[arg(long, value_name = "URL")]
    model_url: Option<String>,
    /// What is logged: off, error, warn, info, debug, trace, or a filter
    #[arg(long, value_name = "LEVEL")]
    log: Option<String>,
    /// Print the configuration that would be used, as a file with comments, and stop
    #[arg(long)]
    print_config: bool,
    /// Print one JSON object on one line: url, store, agents, pid
    #[arg(long)]
    json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  forestage serve
  forestage serve --listen 127.0.0.1:0 --store memory: --agents my-agents
  forestage serve --print-config > forestage.toml";

impl Serve {
    pub(crate) fn run(&self) -> Answer {
        let config = Config::load(&self.given())?;
        if self.print_config {
            let mut out = output::plain();
            out.write_all(config::print(&config).as_bytes())?;
            out.flush()?;
            return Ok(Verdict::Yes);
        }
        let json = self.json;
        serve(&config, Agents::Folder, |served| if json { served.print_json() } else { served.print() })
    }

    fn given(&self) -> Given {
        let flags = [
            ("listen", &self.listen),
            ("store", &self.store),
            ("agents", &self.agents),
            ("model_url", &self.model_url),
            ("log", &self.log),
        ];
        let settings = flags.into_iter().filter_map(|(name, value)| Some((name, value.clone()?)));
        Given { file: self.config.clone(), settings: settings.collect() }
    }
}

/// Which agents are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Agents {
    /// Those of the configured folder.
    Folder,
    /// Those that come along, for the demo.
    BuiltIn,
}

/// What is served, for whoever announces it.
pub(crate) struct Served<'c> {
    /// The address for clients.
    pub(crate) url: String,
    /// The agents by name.
    names: Vec<String>,
    /// Where they are from.
    origin: String,
    config: &'c Config,
}

/// Serves until it is told to stop.
pub(crate) fn serve(
    config: &Config,
    agents: Agents,
    announce: impl FnOnce(&Served<'_>) -> anyhow::Result<()>,
) -> Answer {
    logs::start(&config.log)?;
    let variables = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    for told in config::unread(variables) {
        tracing::warn!("{told}");
    }
    let runtime = tokio::runtime::Runtime::new().context("cannot start the runtime")?;
    runtime.block_on(start(config, agents, announce))
}

async fn start(
    config: &Config,
    agents: Agents,
    announce: impl FnOnce(&Served<'_>) -> anyhow::Result<()>,
) -> Answer {
    let http = Http { demo: agents == Agents::BuiltIn, ..config.http() };
    let builder = Forestage::builder()
        .store(&config.store)
        .http(http)
        .keys(Keys::new(&config.keys)?)
        .limits(config.limits())
        .demo_people(demo_people(agents))
        .tool_callers(remotes::callers(&config.remotes)?);
    let (builder, origin) = agents::add(builder, config, agents)?;
    let bound = builder.bind().await.map_err(|error| explain(error, config))?;
    let names: Vec<_> = bound.stage().agents().keys().cloned().collect();
    config.check_agents(&names)?;
    let served = Served { url: bound.url(), names, origin, config };
    // Before anything is announced: whoever reads the announcement may stop us at once.
    let running = bound.until_signalled().context("cannot listen for signals")?;
    announce(&served)?;
    running.await;
    say_goodbye();
    Ok(Verdict::Yes)
}

/// The demo has a second person, so that what needs two of them can be tried without keys. No other server has any.
fn demo_people(agents: Agents) -> Vec<Identity> {
    match agents {
        Agents::BuiltIn => vec![Identity::local(), second_person()],
        Agents::Folder => Vec::new(),
    }
}

/// She has the role that the rules of the built-in agents ask for. An inbox lists what is asked of the roles that one has.
fn second_person() -> Identity {
    Identity { user: "grace".to_owned(), roles: vec!["manager".to_owned()] }
}

fn say_goodbye() {
    // Standard error may be gone, as the terminal is.
    let _ = writeln!(std::io::stderr(), "forestage: stopped");
}

/// What is wrong with a setting is told with where it was given, and an address that is taken gets a way out.
fn explain(error: StartError, config: &Config) -> anyhow::Error {
    let setting = match &error {
        StartError::Bind(BindError::Listen { source, .. }) if source.kind() == ErrorKind::AddrInUse => {
            return anyhow!("{error}\n{}", taken(&config.listen));
        }
        StartError::Bind(_) => "listen",
        StartError::Store { .. } => "store",
        StartError::Agents { source: LoadError::Io { .. }, .. } => "agents",
        _ => return error.into(),
    };
    match config.place(setting) {
        Some(place) => anyhow::Error::from(error).context(place.to_owned()),
        None => error.into(),
    }
}

/// What to do where another program, such as a demo, has the port.
fn taken(address: &str) -> String {
    let other = address.rsplit_once(':').and_then(|(host, port)| {
        let port: u16 = port.parse().ok()?;
        let mut ports = (port..port.saturating_add(20)).skip(1);
        // Only somebody who tries knows whether a port is free.
        let free = ports.find(|port| std::net::TcpListener::bind(format!("{host}:{port}")).is_ok())?;
        Some(format!("{host}:{free}"))
    });
    let other = other.unwrap_or_else(|| "127.0.0.1:0".to_owned());
    format!(
        "Another program uses this port; a `forestage demo` or `serve` may still be running. \
         Stop it, or use another port: `--listen {other}`."
    )
}

impl Served<'_> {
    /// The names of the agents.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// The store.
    pub(crate) fn store(&self) -> &str {
        &self.config.store
    }

    fn print_json(&self) -> anyhow::Result<()> {
        output::print_json(&serde_json::json!({
            "url": self.url,
            "store": shown(&self.config.store),
            "agents": self.names,
            "pid": std::process::id(),
        }))
    }

    /// Says where it listens and what it serves.
    pub(crate) fn print(&self) -> anyhow::Result<()> {
        let mut out = output::screen();
        writeln!(out, "{BOLD}forestage {}{BOLD:#}", env!("CARGO_PKG_VERSION"))?;
        writeln!(out, "  listening on {ID}{}{ID:#}", self.url)?;
        writeln!(out, "  store        {}", shown(&self.config.store))?;
        let names = if self.names().is_empty() { "none".to_owned() } else { self.names().join(", ") };
        writeln!(out, "  agents       {names} {DIM}({}){DIM:#}", self.origin)?;
        let keys = match self.config.keys.len() {
            0 => "none: only this machine can connect".to_owned(),
            count => counted(count, "key"),
        };
        writeln!(out, "  keys         {keys}")?;
        Ok(out.flush()?)
    }
}
