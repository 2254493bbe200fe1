//! Tools of servers that speak MCP: programs that are started here, and addresses (streamable HTTP).
//!
//! A server belongs to an agent and is named in its file. It is connected to in the background, its tools are listed and
//! their schemas compiled once, and they are offered as `<server>_<tool>`. One that cannot be reached stops nobody: its
//! tools are missing, which the log, the model and `agents check --connect` are told. One that dies is connected to again,
//! with growing pauses; its tools stay on offer meanwhile, and a call waits a little before it fails.
//!
//! This folder is the only place that knows the MCP library.

mod app;
mod ask;
mod call;
mod connect;
mod error;
mod file;
mod keep;
mod list;
mod pool;
mod program;
mod progress;
mod result;
mod server;

use std::{fmt, sync::Arc};

use forestage_runtime::tool::Tools;
use futures_util::future::join_all;

use self::server::Server;
pub(crate) use self::{
    ask::PageServer,
    file::{McpFile, Spec},
};
pub use self::{error::McpError, pool::Pool};

/// The MCP servers of an agent. A copy has the same.
#[derive(Clone, Default)]
pub struct McpServers(Vec<Arc<Server>>);

/// What a server has, for people who look.
#[derive(Clone, Debug)]
pub struct Found {
    /// The server.
    pub server: String,
    /// Its tools by the names that models know, or why there are none.
    pub tools: Result<Arc<Tools>, McpError>,
    /// What of it cannot be used.
    pub left_out: Vec<McpError>,
    /// The pages that its tools bring along.
    pub pages: Vec<FoundPage>,
}

/// A page of a server, for people who look.
#[derive(Clone, Debug)]
pub struct FoundPage {
    /// The tool that brings it along, by the name that models know.
    pub tool: String,
    /// The page, as the server names it.
    pub uri: String,
    /// The hosts that it asks for and may not reach, or why it cannot be shown.
    pub denied: Result<Vec<String>, McpError>,
}

impl McpServers {
    /// Waits until every server has said what it has, or is known not to.
    pub(crate) async fn ready(&self) {
        join_all(self.0.iter().map(|server| server.ready())).await;
    }

    /// These tools, and those of the servers. Names cannot clash: the file was checked.
    pub(crate) fn tools(&self, own: &Arc<Tools>) -> Arc<Tools> {
        if self.0.is_empty() {
            return own.clone();
        }
        let mut all = own.as_ref().clone();
        for server in &self.0 {
            all.merge(&server.state().tools);
        }
        Arc::new(all)
    }

    /// The servers whose tools nobody knows, and why.
    pub(crate) fn missing(&self) -> Vec<McpError> {
        self.0.iter().filter_map(|server| server.state().missing()).collect()
    }

    /// Connects, and tells what there is.
    pub async fn look(&self) -> Vec<Found> {
        self.ready().await;
        join_all(self.0.iter().map(|server| server.look())).await
    }
}

impl FromIterator<Arc<Server>> for McpServers {
    fn from_iter<I: IntoIterator<Item = Arc<Server>>>(servers: I) -> Self {
        Self(servers.into_iter().collect())
    }
}

impl fmt::Debug for McpServers {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.0.iter().map(|server| server.name())).finish()
    }
}
