//! A tool of an MCP server, called.

use std::sync::{Arc, Weak};

use forestage_runtime::{
    BoxFuture,
    policy::Risk,
    tool::{Invocation, Tool, ToolAbout, ToolError},
};
use rmcp::{
    Peer, RoleClient, ServiceError,
    model::{
        self, CallToolRequestParams, CallToolResult, CancelledNotificationParam, ClientRequest, Request,
        RequestId, ServerResult, ToolAnnotations,
    },
    service::{PeerRequestOptions, RequestHandle},
};
use serde_json::Value;

use super::{
    McpError,
    app::{Show, Told, ToolMeta},
    progress::Teller,
    result,
    server::{Connection, Shared},
};

/// A tool of an MCP server.
pub(super) struct McpTool {
    about: ToolAbout,
    /// What its server calls it.
    theirs: String,
    /// What people call it.
    title: String,
    /// The page that it brings along, where pages are shown.
    page: Option<String>,
    server: Weak<Shared>,
}

impl McpTool {
    pub(super) fn new(server: &Arc<Shared>, tool: &model::Tool, meta: &ToolMeta) -> Self {
        let name = format!("{}_{}", server.spec.name, tool.name);
        let hints = tool.annotations.clone().unwrap_or_default();
        let description = tool.description.as_deref().or(tool.title.as_deref()).unwrap_or_default();
        let mut about = ToolAbout::new(&name, description)
            .parameters(tool.input_schema.as_ref().clone())
            .risk(risk(&hints));
        about.repeatable = hints.read_only_hint == Some(true) || hints.idempotent_hint == Some(true);
        about.for_model = meta.for_model;
        let title = tool.title.clone().or(hints.title).unwrap_or_else(|| tool.name.to_string());
        let page = meta.uri.clone().filter(|_| server.spec.apps);
        Self { about, theirs: tool.name.to_string(), title, page, server: Arc::downgrade(server) }
    }

    async fn ask(&self, call: Invocation, arguments: Value) -> Result<Value, ToolError> {
        let gone = || ToolError::new("mcp_connection_lost", "the server of the tool was ended");
        let server = self.server.upgrade().ok_or_else(gone)?;
        let connection = server.connection().await.map_err(McpError::into_tool_error)?;
        let mut params = CallToolRequestParams::new(self.theirs.clone());
        params.arguments = arguments.as_object().cloned();
        let request = ClientRequest::CallToolRequest(Request::new(params));
        // What a page asks for is for that page, and brings no other one along.
        let is_for_page = server.answers.is_expected(&call.run_id);
        let page = self.page.as_deref().filter(|_| !is_for_page);
        let (answer, shown) = tokio::join!(
            self.send(&server, &connection, &call, request),
            self.show(&server, &connection, &call, page, &arguments),
        );
        if let Ok(result) = &answer {
            server.answers.give(&call.run_id, result);
        }
        if let Some(shown) = shown {
            shown.end(answer.as_ref()).await;
        }
        answer.and_then(result::value_of)
    }

    /// Asks the server, and tells how far it is.
    async fn send(
        &self,
        server: &Shared,
        connection: &Connection,
        call: &Invocation,
        request: ClientRequest,
    ) -> Result<CallToolResult, ToolError> {
        let options = PeerRequestOptions::with_timeout(server.spec.timeout).reset_timeout_on_progress();
        let mut teller = Teller::new(call, &self.about.name, connection);
        let sent = connection.peer.send_request_with_option(request, options).await;
        let answer = match sent {
            Ok(handle) => hear(connection, handle, &mut teller).await,
            Err(error) => Err(error),
        };
        let result = match answer {
            Ok(ServerResult::CallToolResult(result)) => Ok(result),
            Ok(_) => Err(ToolError::new(
                "mcp_protocol",
                "the server wants more than a call, which is not spoken here",
            )),
            Err(error) => Err(self.failure(&server.spec.name, connection, error)),
        };
        teller.end(result.as_ref().is_ok_and(|result| result.is_error != Some(true))).await;
        result
    }

    /// Shows the page of the call, if it has one.
    async fn show(
        &self,
        server: &Shared,
        connection: &Connection,
        call: &Invocation,
        page: Option<&str>,
        arguments: &Value,
    ) -> Option<Show> {
        let about = Told { uri: page?, tool: &self.theirs, title: &self.title, arguments };
        Some(Show::begin(server, connection, call, about).await)
    }

    fn failure(&self, server: &str, connection: &Connection, error: ServiceError) -> ToolError {
        let name = server.to_owned();
        match error {
            ServiceError::McpError(error) => {
                McpError::Protocol { server: name, why: error.message.into_owned() }.into_tool_error()
            }
            ServiceError::Timeout { timeout } => {
                McpError::Silent { server: name, after: timeout }.into_tool_error()
            }
            _ => {
                connection.broken.notify_one();
                let text = format!(
                    "the connection to the MCP server `{server}` broke while `{}` was under way; it may have been executed",
                    self.theirs
                );
                ToolError::new("mcp_connection_lost", text)
            }
        }
    }
}

/// Waits for an answer, and tells how far the call is. Whoever stops waiting has the server told.
async fn hear(
    connection: &Connection,
    handle: RequestHandle<RoleClient>,
    teller: &mut Teller,
) -> Result<ServerResult, ServiceError> {
    let mut abandoned = Abandoned(Some((connection.peer.clone(), handle.id.clone())));
    let token = handle.progress_token.clone();
    let mut answer = std::pin::pin!(handle.await_response());
    let answer = loop {
        tokio::select! {
            biased;
            answer = &mut answer => break answer,
            () = teller.hear(&token) => {}
        }
    };
    abandoned.0 = None;
    answer
}

/// Tells the server that nobody waits any more.
struct Abandoned(Option<(Peer<RoleClient>, RequestId)>);

impl Drop for Abandoned {
    fn drop(&mut self) {
        let Some((peer, id)) = self.0.take() else { return };
        let told = CancelledNotificationParam::new(Some(id), Some("the run was stopped".to_owned()));
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { peer.notify_cancelled(told).await });
        }
    }
}

impl Tool for McpTool {
    fn about(&self) -> &ToolAbout {
        &self.about
    }

    fn call(&self, call: Invocation, arguments: Value) -> BoxFuture<'_, Result<Value, ToolError>> {
        Box::pin(self.ask(call, arguments))
    }
}

/// What the server says about harm is a hint: it is shown to whoever decides, and the rules of the house go before it.
fn risk(hints: &ToolAnnotations) -> Risk {
    match (hints.read_only_hint, hints.destructive_hint) {
        (Some(true), _) | (None, None) => Risk::Low,
        (_, Some(true)) => Risk::High,
        _ => Risk::Medium,
    }
}
