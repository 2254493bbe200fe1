//! Tools, and work that is done once.

use forestage_protocol::{
    Fault,
    content::Content,
    event::ToolCallResult,
    id::{MessageId, ToolCallId},
    message::Message,
    tool as agui,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::{RunContext, ToolCall, lock, record::STEP_RESULT};
use crate::{
    agent::AgentError,
    error::Stop,
    tool::{ClientTools, ToolError, sentence},
};

/// A call that was shown although something about it is unwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarnedCall {
    /// The call.
    pub id: ToolCallId,
    /// The tool.
    pub name: String,
    /// What is unwise, in a sentence.
    pub message: String,
}

impl RunContext {
    /// Opens a call of a tool; its arguments follow piece by piece.
    pub fn tool_call(&self, name: &str) -> Result<ToolCall, Stop> {
        ToolCall::open(self, self.new_call_id(), name)
    }

    /// The same under an id of your choice.
    pub fn tool_call_as(&self, id: ToolCallId, name: &str) -> Result<ToolCall, Stop> {
        ToolCall::open(self, id, name)
    }

    /// The same as a part of a message, which it begins if there is none by that id: calls that are made together stand
    /// in one message, and what came of them behind it.
    pub fn tool_call_in(&self, message: &MessageId, name: &str) -> Result<ToolCall, Stop> {
        ToolCall::open_in(self, Some(message.clone()), self.new_call_id(), name)
    }

    /// The id of a call that an earlier run of this turn has shown and nobody has answered: the one that a
    /// question was about has to keep its id, or its result would answer nothing.
    #[must_use]
    pub fn open_call(&self, name: &str, arguments: &Value) -> Option<ToolCallId> {
        let calls = self.core.messages.iter().flat_map(Message::tool_calls);
        let is_shown = |id: &ToolCallId| calls.clone().any(|call| call.id == *id);
        lock(&self.core.record).take_open_call(name, arguments, is_shown)
    }

    /// Tells what a tool answered.
    pub async fn tool_result(&self, id: &ToolCallId, content: impl Into<Content>) -> Result<(), Stop> {
        let event = ToolCallResult::new(self.new_id("r"), id, content.into());
        self.emit(ToolCallResult { subagent_run_id: self.tag.clone(), ..event }).await
    }

    /// Calls a tool of ours: the call is shown, `execute` does the work, the result is shown and recorded. When
    /// the run is continued after a question, or repeated because its process died, a recorded result is taken
    /// and nothing is executed again.
    pub async fn call_tool<R>(
        &self,
        name: &str,
        arguments: &Value,
        execute: impl AsyncFnOnce(&Value) -> R,
    ) -> Result<String, Stop>
    where
        R: Into<String>,
    {
        let call = self.tool_call(name)?;
        call.push(arguments.to_string()).await?;
        let id = call.end();
        let recorded = lock(&self.core.record).tool_result(name, arguments);
        let result = match recorded {
            Some(result) => result.text(),
            None => execute(arguments).await.into(),
        };
        self.tool_result(&id, result.as_str()).await?;
        Ok(result)
    }

    /// Checks a call of a tool of the client's as far as anything is known of it. Whoever calls without asking ends the
    /// run with an error where this says no.
    pub fn check_call(&self, name: &str, arguments: &Value) -> Result<(), ToolError> {
        self.core.checks.check_call(name, arguments)
    }

    /// Finds what is unwise about a call of a tool of the client's that passes [`check_call`](Self::check_call): a component
    /// that nobody can answer, such as a list without anything in it, is shown and does not help the learner.
    ///
    /// Models are told of it with the result of the call, agents elsewhere in the context of their next run.
    #[must_use]
    pub fn call_warnings(&self, name: &str, arguments: &Value) -> Vec<Fault> {
        self.core.checks.warnings(name, arguments)
    }

    /// The calls in a conversation that have [warnings](Self::call_warnings), each with a sentence: for agents that cannot
    /// ask when they make the call.
    #[must_use]
    pub fn warned_calls(&self, conversation: &[Message]) -> Vec<WarnedCall> {
        let calls = conversation.iter().flat_map(Message::tool_calls);
        let warned = |call: &agui::ToolCall| {
            let arguments = serde_json::from_str(&call.function.arguments).ok()?;
            let faults = self.call_warnings(&call.function.name, &arguments);
            let (id, name) = (call.id.clone(), call.function.name.clone());
            (!faults.is_empty()).then(|| WarnedCall { id, name, message: sentence(&faults) })
        };
        calls.filter_map(warned).collect()
    }

    /// Calls a tool of the client's. Its answer comes with a later run. Arguments that do not pass
    /// [`check_call`](Self::check_call) end the run; [`use_client_tool`](Self::use_client_tool) tells instead.
    pub async fn call_client_tool(&self, name: &str, arguments: &Value) -> Result<ToolCallId, Stop> {
        self.check_call(name, arguments).map_err(Stop::InvalidCall)?;
        let call = self.tool_call(name)?;
        call.push(arguments.to_string()).await?;
        Ok(call.end())
    }

    /// The same with arguments that fit the schema which the client sent along, and pass
    /// [`check_call`](Self::check_call). A tool that nobody knows, or arguments that do not fit, are an error for the agent
    /// with everything that is wrong, and nothing is shown. A client need not offer a tool that is checked here.
    pub async fn use_client_tool(
        &self,
        name: &str,
        arguments: &Value,
    ) -> Result<Result<ToolCallId, ToolError>, Stop> {
        let offered = self.input().tools.as_deref().unwrap_or_default();
        let offered = ClientTools::new(offered);
        let is_known = offered.get(name).is_none() && self.core.checks.knows(name);
        let fits = if is_known { Ok(()) } else { offered.check(name, arguments) };
        match fits.and_then(|()| self.check_call(name, arguments)) {
            Ok(()) => Ok(Ok(self.call_client_tool(name, arguments).await?)),
            Err(error) => Ok(Err(error)),
        }
    }

    /// Does a piece of work once. Its result is recorded, and taken from the record when the run is continued
    /// after a question or repeated because its process died.
    pub async fn once<T, E>(
        &self,
        name: &str,
        work: impl AsyncFnOnce() -> Result<T, E>,
    ) -> Result<T, AgentError>
    where
        T: Serialize + DeserializeOwned,
        AgentError: From<E>,
    {
        if let Some(result) = self.recorded_step(name) {
            return Ok(serde_json::from_value(result)?);
        }
        let result = work().await?;
        self.record_step(name, &serde_json::to_value(&result)?).await?;
        Ok(result)
    }

    /// The two halves of [`once`](Self::once), for work that is heard while it is done: what an earlier run recorded under
    /// this name, each time once.
    #[must_use]
    pub fn recorded_step(&self, name: &str) -> Option<Value> {
        lock(&self.core.record).step_result(&self.scoped(name))
    }

    /// Records what came of a piece of work. It is on the disk before anything that is said later.
    pub async fn record_step(&self, name: &str, result: &Value) -> Result<(), Stop> {
        self.custom(STEP_RESULT, json!({ "name": self.scoped(name), "result": result })).await
    }

    /// The name of a step, which invited agents have for themselves.
    fn scoped(&self, name: &str) -> String {
        match self.scope() {
            "" => name.to_owned(),
            scope => format!("{scope}/{name}"),
        }
    }
}
