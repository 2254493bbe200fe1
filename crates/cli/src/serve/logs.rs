//! The log of a server: lines on standard error, as much of it as was asked for.

use std::io::{self, IsTerminal};

use anyhow::Context;
use tracing_subscriber::{EnvFilter, fmt};

/// Starts logging by a filter.
pub(crate) fn start(filter: &str) -> anyhow::Result<()> {
    let filter = EnvFilter::builder().parse(filter);
    let filter = filter.context("log: expected error, warn, info, debug, trace, or a filter of targets")?;
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
