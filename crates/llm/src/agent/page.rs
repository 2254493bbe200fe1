//! Runs that a page asked for: what it wants is done under the same rules as what a model wants, and no model is asked.
//!
//! A page is a stranger's, and so is what it asks for. It may ask only while the conversation shows a page of its server,
//! only for tools of that server that are meant for pages, and people decide about calls as they do about any other. What
//! it calls stands in the log under its own name, as a subagent's, so that no model takes it for something it did itself.

use forestage_protocol::{
    event::{SubagentFinished, SubagentStarted},
    id::SubagentRunId,
    interrupt::SubagentSuspended,
};
use forestage_runtime::{
    AgentError, RunContext, Stop, Used,
    apps::{Page, PageRequest},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::ModelAgent;
use crate::mcp::PageServer;

/// What is recorded, so that a run that goes on after a decision knows what it was about.
const STEP: &str = "page";

/// What a page asked for, and the name under which it acts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    request: PageRequest,
    page: SubagentRunId,
}

impl ModelAgent {
    /// What a page asks for with this run, if it does.
    pub(super) async fn asked_by_page(&self, ctx: &RunContext) -> Result<Option<Asked>, AgentError> {
        let recorded = ctx.recorded_step(STEP);
        let Some(request) = PageRequest::of(ctx.input()) else {
            return Ok(recorded.map(serde_json::from_value).transpose()?);
        };
        let request =
            request.map_err(|error| refused(format!("what the page asks for cannot be read: {error}")))?;
        let asked = Asked { request, page: ctx.new_id("s").into() };
        ctx.record_step(STEP, &serde_json::to_value(&asked)?).await?;
        Ok(Some(asked))
    }

    /// Does what a page asks for. What comes of it is the result of the run.
    pub(super) async fn serve_page(&self, ctx: &RunContext, asked: &Asked) -> Result<(), AgentError> {
        let PageRequest { method, params, .. } = &asked.request;
        let server = self.server_of(ctx, &asked.request)?;
        let text = |name: &str| params.get(name).and_then(Value::as_str).unwrap_or_default();
        let result = match method.as_str() {
            "ping" => json!({}),
            "tools/call" => {
                let arguments = params.get("arguments").cloned().unwrap_or_else(|| json!({}));
                call(ctx, &server, asked, text("name"), arguments).await?
            }
            "resources/read" => read(ctx, &server, &asked.request, text("uri")).await?,
            other => return Err(refused(format!("a page cannot ask for `{other}`"))),
        };
        Ok(ctx.set_result(&result)?)
    }

    /// The server whose page asks, if the conversation shows one of its pages.
    fn server_of(&self, ctx: &RunContext, request: &PageRequest) -> Result<PageServer, AgentError> {
        let shown = request.shown(ctx.messages());
        let is_ours = |content: &&_| member(content, "agent") == self.part.name;
        let name = shown.filter(is_ours).map(|content| member(content, "serverId"));
        let server = name.and_then(|name| self.part.mcp.for_pages(name));
        let unknown = || {
            let text = "no page of this server is shown on this thread, or its pages are not shown any more";
            AgentError::new("unknown_page", text)
        };
        server.ok_or_else(unknown)
    }
}

fn member<'c>(content: &'c forestage_protocol::json::Object, name: &str) -> &'c str {
    content.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// Calls a tool for a page, in its name.
async fn call(
    ctx: &RunContext,
    server: &PageServer,
    asked: &Asked,
    tool: &str,
    arguments: Value,
) -> Result<Value, AgentError> {
    let Some(name) = server.tool(tool) else {
        return Err(refused(format!("the server has no tool `{tool}` that its pages may call")));
    };
    // A run that comes back to where it asked has begun before.
    let is_back = ctx.is_replaying();
    if !is_back {
        ctx.emit(SubagentStarted::new(&asked.page, server.name())).await?;
    }
    let expected = server.expect(ctx.run_id());
    let used = ctx.speaking_as(Some(asked.page.clone())).use_tool(&name, arguments).await;
    if !is_back {
        let outcome = matches!(used, Err(Stop::Asked)).then(|| SubagentSuspended::new().into());
        ctx.emit(SubagentFinished { outcome, ..SubagentFinished::new(&asked.page) }).await?;
    }
    let used = used?;
    Ok(expected.take().unwrap_or_else(|| result_of(&used)))
}

/// A result in the words of MCP, where the server was not asked now: it was before, or somebody said no.
fn result_of(used: &Used) -> Value {
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    match used {
        Ok(said) => match serde_json::from_str::<Value>(said) {
            Ok(structured @ Value::Object(_)) => {
                json!({ "content": text(said), "structuredContent": structured })
            }
            _ => json!({ "content": text(said) }),
        },
        Err(error) => {
            json!({ "content": text(&error.message), "isError": true, "_meta": { "code": error.code } })
        }
    }
}

/// Reads for a page: itself, as it is kept, or something else of its server.
async fn read(
    ctx: &RunContext,
    server: &PageServer,
    request: &PageRequest,
    uri: &str,
) -> Result<Value, AgentError> {
    if let Some(id) = request.page(ctx.messages(), uri)
        && let Some(page) = Page::kept(&ctx.notes(), id).await?
    {
        return Ok(page.as_resource());
    }
    let read = server.read(uri).await;
    read.map_err(|error| AgentError::new(error.code(), error.to_string()))
}

fn refused(text: String) -> AgentError {
    AgentError::new("page_refused", text)
}
