//! What the MCP servers of a file really have.

use std::path::Path;

use forestage_runtime::{file::Place, script::ScriptError};

use super::{Setup, file::AgentFile};
use crate::mcp::{Found, McpError};

/// Connects to the MCP servers of a file and tells what they have, with what is wrong as mistakes at their place. What
/// cannot be read of the file is left out: [`mistakes`](super::mistakes) tells that.
pub async fn connect(
    name: &str,
    text: &str,
    folder: Option<&Path>,
    setup: &Setup,
) -> (Vec<Found>, Vec<ScriptError>) {
    let Some(file) = AgentFile::read(name, text, folder).0 else { return (Vec::new(), Vec::new()) };
    let found = file.servers(setup).look().await;
    setup.mcp.close().await;
    let told = |error: &McpError| {
        let place =
            file.mcp.iter().find(|(_, spec)| spec.name == error.server()).map(|(place, _)| place.clone());
        let first = || Place { line: 1, column: 1, path: String::new() };
        ScriptError::new(name, place.unwrap_or_else(first), format!("{} ({})", error, error.code()))
    };
    let failed = found.iter().flat_map(|found| {
        let pages = found.pages.iter().filter_map(|page| page.denied.as_ref().err());
        found.tools.as_ref().err().into_iter().chain(&found.left_out).chain(pages)
    });
    let errors = failed.map(told).collect();
    (found, errors)
}
