//! Calls of tools, and what goes with them.

use forestage_protocol::{id::ToolCallId, number::Count, usage::TokenUsage};
use serde_json::{Map, Value, json};

use super::{Flow, Scene, pause};
use crate::{
    AgentError, Answer, RunContext,
    script::{
        step::{Custom, Failure, Tool, Usage},
        value::{Chunk, Fields, Shape, pieces},
    },
    surface::is_drawing_tool,
    tool::ToolError,
};

impl Scene<'_> {
    /// A tool that the script declares is used as any tool of ours; one with a result of its own is only shown.
    pub(super) async fn tool(&mut self, ctx: &RunContext, tool: &Tool) -> Result<Flow, AgentError> {
        let (name, arguments) = (tool.name.text(&self.env), self.object(&tool.args, "args")?);
        if tool.result.is_none() && self.script.built.tools.get(&name).is_some() {
            return self.use_tool(ctx, tool, &name, arguments).await;
        }
        if tool.result.is_none() && tool.chunk.is_none() && is_drawing_tool(&name) && ctx.house().surfaces {
            return self.draw(ctx, tool, &name, arguments).await;
        }
        if let Err(error) = ctx.check_call(&name, &Value::Object(arguments.clone())) {
            return self.not_shown(ctx, tool, error).await;
        }
        for warning in ctx.call_warnings(&name, &Value::Object(arguments.clone())) {
            let (path, message) = (&warning.path, &warning.message);
            tracing::warn!(
                agent = ctx.agent(),
                tool = name,
                path,
                message,
                "a script shows an unwise component"
            );
        }
        let id: ToolCallId = ctx.new_id("c").into();
        call(ctx, id.clone(), &name, arguments, tool.chunk).await?;
        if let Some(result) = &tool.result {
            pause(ctx, tool.takes.0).await;
            ctx.tool_result(&id, text_of(&result.value(&self.env))).await?;
        }
        self.steps(ctx, &tool.then).await
    }

    async fn use_tool(
        &mut self,
        ctx: &RunContext,
        tool: &Tool,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<Flow, AgentError> {
        let used = ctx.use_tool(name, Value::Object(arguments)).await?;
        self.env.state = ctx.state();
        let around = self.env.answer.clone();
        let steps = match &used {
            Ok(text) => {
                self.env.answer = serde_json::from_str(text).unwrap_or_else(|_| text.as_str().into());
                &tool.then
            }
            Err(error) => {
                self.env.answer = told(error);
                &tool.failed
            }
        };
        if used.is_ok() {
            let answer = Answer::Resolved(self.env.answer.clone().into());
            if self.branch(ctx, &tool.answers, &answer).await? == Flow::Done {
                return Ok(Flow::Done);
            }
        }
        let flow = self.steps(ctx, steps).await?;
        self.env.answer = around;
        Ok(flow)
    }

    async fn draw(
        &mut self,
        ctx: &RunContext,
        tool: &Tool,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<Flow, AgentError> {
        match ctx.draw_and_tell(name, &Value::Object(arguments)).await? {
            Ok((_, content)) => {
                let around = std::mem::replace(&mut self.env.answer, content);
                let flow = self.steps(ctx, &tool.then).await?;
                self.env.answer = around;
                Ok(flow)
            }
            Err(error) => self.not_shown(ctx, tool, error).await,
        }
    }

    /// A call that cannot be shown is the script's to deal with, or the end of the run.
    async fn not_shown(
        &mut self,
        ctx: &RunContext,
        tool: &Tool,
        error: ToolError,
    ) -> Result<Flow, AgentError> {
        if tool.failed.is_empty() {
            return Err(error.into());
        }
        let around = self.env.answer.clone();
        self.env.answer = told(&error);
        let flow = self.steps(ctx, &tool.failed).await?;
        self.env.answer = around;
        Ok(flow)
    }

    pub(super) async fn tool_result(&self, ctx: &RunContext, result: &Shape) -> Result<(), AgentError> {
        if let Some(call) = &self.call {
            ctx.tool_result(call, text_of(&result.value(&self.env))).await?;
        }
        Ok(())
    }

    pub(super) async fn custom(&self, ctx: &RunContext, custom: &Custom) -> Result<(), AgentError> {
        let value = custom.value.as_ref().map(|value| value.value(&self.env)).unwrap_or_default();
        Ok(ctx.custom(&custom.name.text(&self.env), value).await?)
    }

    pub(super) fn failure(&self, failure: &Failure) -> AgentError {
        let code = failure.code.as_ref().map_or("script_error".to_owned(), |code| code.text(&self.env));
        AgentError::new(&code, failure.message.text(&self.env))
    }

    /// Fills in a mapping. A template that stands for something else is told with the name of the member.
    pub(super) fn object(&self, fields: &Fields, member: &str) -> Result<Map<String, Value>, AgentError> {
        fields.object(&self.env).map_err(|found| {
            AgentError::new("script_error", format!("`{member}` has to be a mapping, but it came to {found}"))
        })
    }
}

/// What a script is told of a call that failed.
fn told(error: &ToolError) -> Value {
    let mut told = json!({ "code": error.code, "message": error.message });
    if !error.faults.is_empty() {
        told["faults"] = serde_json::to_value(&error.faults).unwrap_or_default();
    }
    if let Some(hint) = &error.hint {
        told["hint"] = hint.as_str().into();
    }
    told
}

/// Shows a call with its arguments.
pub(super) async fn call(
    ctx: &RunContext,
    id: ToolCallId,
    name: &str,
    arguments: Map<String, Value>,
    chunk: Option<Chunk>,
) -> Result<(), AgentError> {
    let call = ctx.tool_call_as(id, name)?;
    let arguments = Value::Object(arguments).to_string();
    for piece in pieces(&arguments, chunk.unwrap_or(Chunk::All)) {
        call.push(piece).await?;
    }
    Ok(())
}

/// Reports what a model used. What was before a question was reported with it.
pub(super) fn add_usage(ctx: &RunContext, usage: &Usage) {
    if ctx.is_replaying() {
        return;
    }
    let count = |tokens: Option<u32>| tokens.and_then(|tokens| Count::new(tokens.into()));
    ctx.add_usage(TokenUsage {
        provider: usage.provider.clone(),
        model: usage.model.clone(),
        input_tokens: count(usage.input_tokens),
        output_tokens: count(usage.output_tokens),
        total_tokens: count(usage.total_tokens),
        reasoning_tokens: count(usage.reasoning_tokens),
        cached_input_tokens: count(usage.cached_input_tokens),
        ..TokenUsage::new()
    });
}

/// The result of a tool is text: a text as it is, anything else as JSON.
fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
