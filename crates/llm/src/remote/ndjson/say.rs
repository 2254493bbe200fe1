//! What a remote agent says, said on the stage.

use std::collections::HashMap;

use forestage_a2ui::{Piece, Scanner};
use forestage_protocol::{
    event::{ToolCallArgs, ToolCallEnd, ToolCallStart},
    id::ToolCallId,
};
use forestage_runtime::{AgentError, RunContext, Stop, Text, tool::ToolError};
use serde_json::Value;

use super::event::Line;
use crate::remote::refused::RefusedCall;

/// The part of a remote agent in one run.
pub(super) struct Part<'c> {
    ctx: &'c RunContext,
    open: Option<Open>,
    /// The calls that the agent has told, by its ids. Those of its own tools have an id here; ours are on the log anyway.
    calls: HashMap<String, Option<ToolCallId>>,
    /// Components that are not shown, since the agent was called.
    refused: Vec<RefusedCall>,
}

/// A message that is being said.
struct Open {
    message_id: Option<String>,
    /// Opened with the first word.
    text: Option<Text>,
    scanner: Scanner,
    /// What is shown behind it.
    views: Vec<Value>,
}

impl<'c> Part<'c> {
    pub(super) fn new(ctx: &'c RunContext) -> Self {
        Self { ctx, open: None, calls: HashMap::new(), refused: Vec::new() }
    }

    /// Says a line. Whether it was the last one.
    pub(super) async fn line(&mut self, line: Line) -> Result<bool, AgentError> {
        if !matches!(line, Line::Text { .. }) {
            self.end_text().await?;
        }
        match line {
            Line::Text { message_id, delta } => self.text(message_id, &delta).await?,
            Line::CallStarted { id, name, arguments, label } => {
                self.call(id, &name, &arguments, label).await?
            }
            Line::CallResult { id, result } => self.result(&id, &result).await?,
            Line::Render(view) => self.ctx.show_view(view).await?,
            Line::Custom { name, .. } if name.starts_with("forestage.") => {
                let text = format!("`{name}` is a name of the stage's own");
                return Err(AgentError::new("invalid_agent_event", text));
            }
            Line::Custom { name, value } => self.ctx.custom(&name, value).await?,
            Line::State(state) => self.ctx.set_state(&state).await?,
            Line::Started => {}
            Line::Finished => return Ok(true),
            Line::Failed { code, message } => {
                return Err(AgentError::new(code.as_deref().unwrap_or("agent_error"), message));
            }
            Line::Other(event) => self.ctx.raw("ndjson", event).await?,
        }
        Ok(false)
    }

    /// The components that are not shown, for the agent to correct. None while others wait for the person.
    pub(super) fn take_refused(&mut self) -> Vec<RefusedCall> {
        let refused = std::mem::take(&mut self.refused);
        let waits = self.calls.values().any(Option::is_some);
        self.calls.clear();
        if waits { Vec::new() } else { refused }
    }

    /// Says what was held back, and ends the message that is open.
    pub(super) async fn end_text(&mut self) -> Result<(), AgentError> {
        let Some(mut open) = self.open.take() else { return Ok(()) };
        let pieces = open.scanner.finish();
        open.say(self.ctx, pieces).await?;
        drop(open.text);
        for view in open.views {
            self.ctx.show_view(view).await?;
        }
        Ok(())
    }

    async fn text(&mut self, message_id: Option<String>, delta: &str) -> Result<(), AgentError> {
        let is_another = |open: &Open| message_id.is_some() && open.message_id != message_id;
        if self.open.as_ref().is_some_and(is_another) {
            self.end_text().await?;
        }
        let open = self.open.get_or_insert_with(|| Open::new(message_id));
        let pieces = open.scanner.push(delta);
        open.say(self.ctx, pieces).await
    }

    /// A call of one of our tools is on the log by its execution.
    async fn call(
        &mut self,
        id: String,
        name: &str,
        arguments: &Value,
        label: Option<String>,
    ) -> Result<(), AgentError> {
        if self.ctx.tools().get(name).is_some() {
            self.calls.insert(id, None);
            return Ok(());
        }
        // One that an earlier run of the turn has shown keeps its id, so that the result answers it.
        if let Some(shown) = self.ctx.open_call(name, arguments) {
            self.calls.insert(id, Some(shown));
            return Ok(());
        }
        let here = ToolCallId::from(self.ctx.new_id("c"));
        let mut start = ToolCallStart::new(&here, name);
        if let Some(label) = label {
            start.base.metadata.get_or_insert_default().insert("label".to_owned(), label.into());
        }
        self.ctx.emit(start).await?;
        self.ctx.emit(ToolCallArgs::new(&here, arguments.to_string())).await?;
        match self.ctx.emit(ToolCallEnd::new(&here)).await {
            Err(Stop::InvalidCall(error)) => {
                self.refuse(id, here, name, arguments, &error);
                Ok(())
            }
            other => {
                self.calls.insert(id, Some(here));
                Ok(other?)
            }
        }
    }

    /// A component that cannot be shown: the agent is told when it is called again. What it says itself came of the call
    /// goes nowhere.
    fn refuse(&mut self, id: String, here: ToolCallId, name: &str, arguments: &Value, error: &ToolError) {
        tracing::info!(run = %self.ctx.run_id(), %error, "a component of a remote agent is not shown");
        self.refused.push(RefusedCall::new(here, name, &arguments.to_string(), error));
        self.calls.insert(id, None);
    }

    async fn result(&mut self, id: &str, result: &Value) -> Result<(), AgentError> {
        let Some(call) = self.calls.remove(id) else {
            let text =
                format!("there is no call `{id}` without a result, so TOOL_CALL_RESULT answers nothing");
            return Err(AgentError::new("invalid_agent_event", text));
        };
        let Some(here) = call else { return Ok(()) };
        let text = result.as_str().map_or_else(|| result.to_string(), str::to_owned);
        Ok(self.ctx.tool_result(&here, text.as_str()).await?)
    }
}

impl Open {
    fn new(message_id: Option<String>) -> Self {
        Self { message_id, text: None, scanner: Scanner::default(), views: Vec::new() }
    }

    /// Says the text of some pieces, and keeps their views.
    async fn say(&mut self, ctx: &RunContext, pieces: Vec<Piece>) -> Result<(), AgentError> {
        for piece in pieces {
            match piece {
                Piece::Text(piece) => {
                    let text = match self.text.take() {
                        Some(text) => text,
                        None => ctx.text()?,
                    };
                    self.text.insert(text).push(piece).await?;
                }
                Piece::View(view) => self.views.push(view),
            }
        }
        Ok(())
    }
}
