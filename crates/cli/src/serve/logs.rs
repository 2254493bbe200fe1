//! The log of a server: lines on standard error, as much of it as was asked for.

use std::io::{self, IsTerminal};

use anyhow::{Context, anyhow};
use tracing_subscriber::{EnvFilter, filter::LevelFilter, fmt};

/// The words for how much is logged.
const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

/// Starts logging by a filter.
pub(crate) fn start(text: &str) -> anyhow::Result<()> {
    let filter = filter(text).map_err(|message| anyhow!("log: {message}"))?;
    // What providers say when they refuse is logged by us, without secrets; this one would log it as it is.
    let quiet = "genai=off".parse().context("log: the filter for models")?;
    // What we want to know of MCP servers we log; this one would log whole messages, with all that is in them.
    let brief = "rmcp=warn".parse().context("log: the filter for MCP")?;
    let filter = filter.add_directive(quiet).add_directive(brief);
    let logs = fmt().with_env_filter(filter).with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
    // Somebody may log already, in which case their log is ours.
    let _ = logs.try_init();
    Ok(())
}

/// Reads a filter. A word without a level would silence everything but itself, so it has to be a level.
pub(crate) fn filter(text: &str) -> Result<EnvFilter, String> {
    let is_bare = |part: &&str| !part.contains(['=', '[']);
    let is_level = |part: &&str| part.parse::<LevelFilter>().is_ok();
    let parts = || text.split(',').map(str::trim).filter(|part| !part.is_empty());
    if let Some(word) = parts().find(|part| is_bare(part) && !is_level(part)) {
        return Err(format!("`{word}` is no level, {}", expected()));
    }
    if parts().next().is_none() {
        return Err(expected());
    }
    let filter = EnvFilter::builder().parse(text);
    filter.map_err(|_| format!("`{text}` is no filter, {}", expected()))
}

fn expected() -> String {
    format!("expected {}, or a filter such as `warn,forestage_runtime=debug`", LEVELS.join(", "))
}
