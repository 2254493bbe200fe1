//! What can go wrong with MCP servers.

use std::time::Duration;

use forestage_runtime::tool::ToolError;

/// Why a server, a tool of it, or a call did not do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum McpError {
    /// Its program cannot be started, or ended before it said anything sensible.
    #[error("the MCP server `{server}` cannot be started: {why}")]
    Start {
        /// The server.
        server: String,
        /// Why.
        why: String,
    },
    /// Nobody answers at its address, or not in the words of MCP.
    #[error("the MCP server `{server}` cannot be reached: {why}")]
    Unreachable {
        /// The server.
        server: String,
        /// Why.
        why: String,
    },
    /// It is silent.
    #[error("the MCP server `{server}` did not answer within {after:?}")]
    Silent {
        /// The server.
        server: String,
        /// How long that was.
        after: Duration,
    },
    /// It was there, and is gone.
    #[error("the connection to the MCP server `{server}` was lost")]
    Lost {
        /// The server.
        server: String,
    },
    /// A variable that it needs is not set.
    #[error("the MCP server `{server}` cannot be used: {why}")]
    Secret {
        /// The server.
        server: String,
        /// Which.
        why: String,
    },
    /// It answered something else than it was asked for.
    #[error("the MCP server `{server}` answered with an error: {why}")]
    Protocol {
        /// The server.
        server: String,
        /// What it said.
        why: String,
    },
    /// One of its tools cannot be used.
    #[error("the tool `{tool}` of the MCP server `{server}` is left out: {why}")]
    LeftOut {
        /// The server.
        server: String,
        /// The tool, as the server names it.
        tool: String,
        /// Why.
        why: String,
    },
    /// A page that comes with its tools cannot be shown.
    #[error("the page `{uri}` of the MCP server `{server}` cannot be shown: {why}")]
    Page {
        /// The server.
        server: String,
        /// The page, as the server names it.
        uri: String,
        /// Why.
        why: String,
    },
}

impl McpError {
    /// A stable word for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Start { .. } => "mcp_not_started",
            Self::Unreachable { .. } => "mcp_unreachable",
            Self::Silent { .. } => "mcp_timeout",
            Self::Lost { .. } => "mcp_connection_lost",
            Self::Secret { .. } => "secret_missing",
            Self::Protocol { .. } => "mcp_protocol",
            Self::LeftOut { .. } => "mcp_tool_left_out",
            Self::Page { .. } => "mcp_page_unusable",
        }
    }

    /// The server that it is about.
    #[must_use]
    pub fn server(&self) -> &str {
        match self {
            Self::Start { server, .. }
            | Self::Unreachable { server, .. }
            | Self::Silent { server, .. }
            | Self::Lost { server }
            | Self::Secret { server, .. }
            | Self::Protocol { server, .. }
            | Self::LeftOut { server, .. }
            | Self::Page { server, .. } => server,
        }
    }

    /// What a model is told that called a tool.
    pub(super) fn into_tool_error(self) -> ToolError {
        ToolError::new(self.code(), self.to_string())
    }
}
