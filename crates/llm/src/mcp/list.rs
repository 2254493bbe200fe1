//! The tools of a server: all pages of them, those that are wanted, each checked once.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use forestage_runtime::tool::{RegisterError, Tool as _, Tools};
use rmcp::{
    Peer, RoleClient, ServiceError,
    model::{PaginatedRequestParams, Tool},
};
use tokio::time::timeout;

use super::{
    McpError, Spec,
    app::ToolMeta,
    call::McpTool,
    server::{Shared, State},
};

/// More tools than that are nothing that a model could choose from.
const MAX_TOOLS: usize = 1000;

/// Lists the tools of a server, and makes them those that are offered from the next run on.
pub(super) async fn list(shared: &Arc<Shared>, peer: &Peer<RoleClient>) -> Result<(), McpError> {
    let Spec { name, timeout: patience, .. } = &shared.spec;
    let (server, after) = (name.clone(), *patience);
    let pages = timeout(*patience, pages(peer));
    let listed = pages.await.map_err(|_| McpError::Silent { server: server.clone(), after })?;
    let listed = listed.map_err(|error| match error {
        ServiceError::McpError(error) => McpError::Protocol { server, why: error.message.into_owned() },
        _ => McpError::Lost { server },
    })?;
    let (tools, pages, left_out) = offered(shared, listed);
    let before = shared.state.borrow().left_out.clone();
    for error in left_out.iter().filter(|error| !before.contains(error)) {
        tracing::error!(agent = %shared.agent, code = error.code(), %error, "a tool is missing");
    }
    tracing::info!(agent = %shared.agent, server = %shared.spec.name, tools = tools.iter().count(), "listed MCP tools");
    shared.state.send_modify(|state| {
        let link = std::mem::take(&mut state.link);
        *state = State { link, tools: Arc::new(tools), is_known: true, pages: Arc::new(pages), left_out };
    });
    Ok(())
}

async fn pages(peer: &Peer<RoleClient>) -> Result<Vec<Tool>, ServiceError> {
    let (mut tools, mut cursor, mut seen) = (Vec::new(), None, BTreeSet::new());
    loop {
        let page = peer.list_tools(Some(PaginatedRequestParams::default().with_cursor(cursor))).await?;
        tools.extend(page.tools);
        cursor = page.next_cursor;
        // A server that leads in a circle has said what it has.
        let goes_on = cursor.as_ref().is_some_and(|cursor| seen.insert(cursor.clone()));
        if !goes_on || tools.len() > MAX_TOOLS {
            return Ok(tools);
        }
    }
}

/// What tools say about pages, by the server's names.
type Pages = BTreeMap<String, ToolMeta>;

/// The tools that are wanted and can be used, and what became of the others.
fn offered(shared: &Arc<Shared>, listed: Vec<Tool>) -> (Tools, Pages, Vec<McpError>) {
    let spec = &shared.spec;
    let (mut tools, mut left_out, mut names) = (Tools::new(), Vec::new(), BTreeSet::new());
    let mut pages = Pages::new();
    let mut leave_out = |tool: &str, why: String| {
        left_out.push(McpError::LeftOut { server: spec.name.clone(), tool: tool.to_owned(), why });
    };
    for name in spec.tools.iter().flatten() {
        if !listed.iter().any(|tool| tool.name == *name) {
            leave_out(name, "the server has no tool of this name".to_owned());
        }
    }
    for (at, tool) in listed.iter().enumerate() {
        let is_wanted = spec.tools.as_ref().is_none_or(|wanted| wanted.iter().any(|name| tool.name == *name));
        if !is_wanted {
            continue;
        }
        if at >= MAX_TOOLS {
            leave_out(
                &tool.name,
                format!("the server has more than {MAX_TOOLS} tools; name those in `tools`"),
            );
            break;
        }
        let meta = ToolMeta::of(tool);
        // One that is for pages alone is for nobody where none are shown.
        if !(meta.for_model || meta.for_page && spec.apps) {
            continue;
        }
        let made = McpTool::new(shared, tool, &meta);
        if !names.insert(crate::agent::wire_name(&made.about().name)) {
            leave_out(&tool.name, "models would know it by the same name as another one".to_owned());
            continue;
        }
        match tools.add(Arc::new(made)) {
            Ok(()) => drop(pages.insert(tool.name.to_string(), meta)),
            Err(error) => leave_out(&tool.name, why(error)),
        }
    }
    (tools, pages, left_out)
}

fn why(error: RegisterError) -> String {
    match error {
        RegisterError::Schema { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}
