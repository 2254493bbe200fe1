//! The page of a call, shown as an activity while the tool works, and with the result when it has.

use forestage_runtime::{
    Activity,
    apps::ACTIVITY,
    tool::{Invocation, ToolError},
};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};

use super::{
    super::server::{Connection, Shared},
    fetch,
};

/// So much of a result is shown to a page.
const MAX_RESULT: usize = 1 << 20;

/// The activity of a call.
pub(in crate::mcp) struct Show {
    activity: Option<Activity>,
    content: Map<String, Value>,
}

impl Show {
    /// Fetches the page and shows it. One that cannot be had is told in its place, and stops nothing.
    pub(in crate::mcp) async fn begin(
        server: &Shared,
        connection: &Connection,
        call: &Invocation,
        about: Told<'_>,
    ) -> Self {
        let fetched = fetch(&server.spec, &connection.peer, about.uri).await;
        let kept = match fetched {
            Ok(fetched) => fetched.page.keep(&call.notes).await.map_err(|error| error.to_string()),
            Err(error) => {
                tracing::warn!(agent = %server.agent, code = error.code(), %error, "a page is missing");
                Err(error.to_string())
            }
        };
        let mut content = about.content(server, call);
        match kept {
            Ok(page) => content.insert("page".to_owned(), page.into()),
            Err(why) => content.insert("pageError".to_owned(), why.into()),
        };
        let activity = call.progress.activity("app", ACTIVITY, content.clone()).await;
        Self { activity, content }
    }

    /// Tells the page what came of the call.
    pub(in crate::mcp) async fn end(mut self, answer: Result<&CallToolResult, &ToolError>) {
        let Some(activity) = &mut self.activity else { return };
        match answer {
            Ok(result) => self.content.insert("result".to_owned(), shown(result)),
            Err(error) => self
                .content
                .insert("error".to_owned(), json!({ "code": error.code, "message": error.message })),
        };
        // Where nothing can be shown any more the run is over, and it says so itself.
        let _ = activity.update(self.content).await;
    }
}

/// What is told of a call.
#[derive(Clone, Copy)]
pub(in crate::mcp) struct Told<'c> {
    pub(in crate::mcp) uri: &'c str,
    pub(in crate::mcp) tool: &'c str,
    pub(in crate::mcp) title: &'c str,
    pub(in crate::mcp) arguments: &'c Value,
}

impl Told<'_> {
    fn content(&self, server: &Shared, call: &Invocation) -> Map<String, Value> {
        let content = json!({
            "resourceUri": self.uri,
            "agent": server.agent,
            "serverId": server.spec.name,
            "serverHash": server.hash(),
            "tool": self.tool,
            "title": self.title,
            "toolCallId": call.tool_call_id,
            "toolInput": self.arguments,
        });
        content.as_object().cloned().unwrap_or_default()
    }
}

/// A result as a page gets it. Of one that is too large, what is no text is left out.
pub(super) fn shown(result: &CallToolResult) -> Value {
    let whole = json!(result);
    if whole.to_string().len() <= MAX_RESULT {
        return whole;
    }
    let mut result = result.clone();
    result.content.retain(|block| matches!(block, ContentBlock::Text(_)));
    json!(result)
}
