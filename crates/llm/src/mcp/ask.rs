//! What is asked of a server beside the calls of models: by people who look, and by the pages that it brings along.

use std::sync::Arc;

use forestage_protocol::id::RunId;
use rmcp::{ServiceError, model::ReadResourceRequestParams};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{
    Found, FoundPage, McpError, McpServers,
    app::{Expected, fetch},
    server::{Server, Shared},
};

/// The largest thing that a page may read.
const MAX_BYTES: usize = 1 << 20;

/// A server, as its pages may use it.
pub(crate) struct PageServer(Arc<Shared>);

impl McpServers {
    /// The server of this name, if its pages are shown.
    pub(crate) fn for_pages(&self, name: &str) -> Option<PageServer> {
        let server = self.0.iter().find(|server| server.name() == name)?;
        Some(server.shared()).filter(|shared| shared.spec.apps).cloned().map(PageServer)
    }
}

impl PageServer {
    /// The name by which we know a tool of the server, if pages may call it.
    pub(crate) fn tool(&self, theirs: &str) -> Option<String> {
        let is_for_page = self.0.state.borrow().pages.get(theirs).is_some_and(|meta| meta.for_page);
        is_for_page.then(|| format!("{}_{theirs}", self.0.spec.name))
    }

    /// Its name.
    pub(crate) fn name(&self) -> &str {
        &self.0.spec.name
    }

    /// Takes the result of the call that a run is about to make, as the server gives it.
    pub(crate) fn expect(&self, run_id: &RunId) -> Expected {
        self.0.answers.expect(run_id)
    }

    /// Reads something of the server.
    pub(crate) async fn read(&self, uri: &str) -> Result<Value, McpError> {
        let Shared { spec, .. } = &*self.0;
        let server = || spec.name.clone();
        let connection = self.0.connection().await?;
        let read = timeout(spec.timeout, connection.peer.read_resource(ReadResourceRequestParams::new(uri)));
        let read = read.await.map_err(|_| McpError::Silent { server: server(), after: spec.timeout })?;
        let read = read.map_err(|error| match error {
            ServiceError::McpError(error) => {
                McpError::Protocol { server: server(), why: error.message.into_owned() }
            }
            _ => McpError::Lost { server: server() },
        })?;
        let read = json!(read);
        match read.to_string().len() > MAX_BYTES {
            true => {
                let why = format!("`{uri}` has more than {MAX_BYTES} bytes");
                Err(McpError::Protocol { server: server(), why })
            }
            false => Ok(read),
        }
    }
}

impl Server {
    /// What it has, its pages included.
    pub(super) async fn look(&self) -> Found {
        let state = self.state();
        let tools = state.missing().map_or(Ok(state.tools), Err);
        let mut pages = Vec::new();
        for (tool, meta) in state.pages.iter().filter(|_| self.shared().spec.apps) {
            let Some(uri) = &meta.uri else { continue };
            let tool = format!("{}_{tool}", self.name());
            pages.push(FoundPage { tool, uri: uri.clone(), denied: self.denied(uri).await });
        }
        Found { server: self.name().to_owned(), tools, left_out: state.left_out, pages }
    }

    async fn denied(&self, uri: &str) -> Result<Vec<String>, McpError> {
        let connection = self.shared().connection().await?;
        Ok(fetch(&self.shared().spec, &connection.peer, uri).await?.denied)
    }
}
