//! Calls of tools that an agent elsewhere proposes or makes.

use forestage_protocol::{
    event::{ToolCallArgs, ToolCallEnd, ToolCallResult, ToolCallStart},
    id::ToolCallId,
    tool::ToolCall,
};
use forestage_runtime::{AgentError, ShownCall, Stop, tool::ToolError};
use serde_json::{Value, json};

use super::{hear::Hearing, names::Kind};
use crate::remote::refused::RefusedCall;

/// The calls since the agent was called, in order.
#[derive(Debug, Default)]
pub(super) struct Calls(Vec<Call>);

#[derive(Debug)]
struct Call {
    theirs: String,
    ours: ToolCallId,
    name: String,
    arguments: String,
    /// Whether the conversation has it from before.
    is_old: bool,
    result: Option<String>,
    /// Why it is not shown.
    refused: Option<ToolError>,
}

impl Calls {
    /// What a call is called here.
    pub(super) fn ours(&self, theirs: &str) -> ToolCallId {
        self.find(theirs).map_or_else(|| theirs.into(), |call| call.ours.clone())
    }

    /// The tool and the arguments of a call.
    pub(super) fn made(&self, theirs: &str) -> Option<(String, Value)> {
        self.find(theirs).map(|call| (call.name.clone(), read(&call.arguments)))
    }

    pub(super) fn knows(&self, theirs: &str) -> bool {
        self.find(theirs).is_some()
    }

    /// Calls that nobody has answered.
    pub(super) fn open(&self) -> impl Iterator<Item = ShownCall> + '_ {
        let is_open = |call: &&Call| call.result.is_none() && call.refused.is_none();
        self.0.iter().filter(is_open).map(|call| ShownCall {
            id: call.ours.clone(),
            name: call.name.clone(),
            arguments: read(&call.arguments),
        })
    }

    /// Calls that are not shown, because their arguments do not fit.
    pub(super) fn refused(&self) -> Vec<RefusedCall> {
        let refused = |call: &Call| {
            let error = call.refused.as_ref()?;
            Some(RefusedCall::new(call.ours.clone(), &call.name, &call.arguments, error))
        };
        self.0.iter().filter_map(refused).collect()
    }

    pub(super) fn is_refused(&self, theirs: &str) -> bool {
        self.find(theirs).is_some_and(|call| call.refused.is_some())
    }

    fn find(&self, theirs: &str) -> Option<&Call> {
        self.0.iter().rfind(|call| call.theirs == theirs)
    }

    fn find_mut(&mut self, theirs: &str) -> Option<&mut Call> {
        self.0.iter_mut().rfind(|call| call.theirs == theirs)
    }
}

impl Hearing<'_> {
    /// A call that waits for its result may be told again, and is not shown twice. Any other is a new one, also where its
    /// id was used before.
    pub(super) async fn start_call(&mut self, mut start: ToolCallStart) -> Result<(), AgentError> {
        let (theirs, name) = (start.tool_call_id.to_string(), start.tool_call_name.clone());
        let is_old = self.known.open_call(&theirs).is_some_and(|call| call.function.name == name);
        let ours = if is_old { theirs.clone() } else { self.name(Kind::Call, &theirs) };
        let ours = ToolCallId::from(ours);
        let (arguments, result, refused) = (String::new(), None, None);
        // One that was opened again goes on.
        if !self.calls.knows(&theirs) {
            self.calls.0.push(Call { theirs, ours: ours.clone(), name, arguments, is_old, result, refused });
        }
        if is_old {
            return Ok(());
        }
        start.tool_call_id = ours;
        start.parent_message_id = match start.parent_message_id {
            // A message from before gets no more calls.
            Some(parent) if self.known.message(&parent).is_none() => {
                Some(self.name(Kind::Message, &parent).into())
            }
            _ => None,
        };
        self.emit(start).await
    }

    pub(super) async fn continue_call(&mut self, mut piece: ToolCallArgs) -> Result<(), AgentError> {
        let Some(call) = self.calls.find_mut(&piece.tool_call_id) else { return Ok(()) };
        call.arguments.push_str(&piece.delta);
        if call.is_old {
            return Ok(());
        }
        piece.tool_call_id = call.ours.clone();
        self.emit(piece).await
    }

    pub(super) async fn end_call(&mut self, mut end: ToolCallEnd) -> Result<(), AgentError> {
        let Some(call) = self.calls.find_mut(&end.tool_call_id) else { return Ok(()) };
        if !call.is_old {
            end.tool_call_id = call.ours.clone();
            return match self.ctx.emit(end).await {
                // A component that cannot be shown: the agent is told when it is called again.
                Err(Stop::InvalidCall(error)) => {
                    call.refused = Some(error);
                    Ok(())
                }
                other => Ok(other?),
            };
        }
        let shown = self.known.call(&call.theirs).map(|known| read(&known.function.arguments));
        if shown.is_some_and(|shown| shown == read(&call.arguments)) {
            return Ok(());
        }
        let text =
            format!("call `{}` is told again with other arguments; those that were shown stand", call.theirs);
        self.warn("history", text).await
    }

    /// A result answers a call that waits for it.
    pub(super) async fn answer_call(&mut self, mut result: ToolCallResult) -> Result<(), AgentError> {
        let (theirs, text) = (result.tool_call_id.to_string(), result.content.text().into_owned());
        // What the agent says itself came of a call that is not shown: the error stands for it.
        if self.calls.is_refused(&theirs) {
            self.muted.insert(result.message_id);
            return Ok(());
        }
        let told = match self.calls.find(&theirs) {
            Some(call) => call.result.clone(),
            None => self.known.result(&theirs),
        };
        match told {
            Some(told) if told == text => return Ok(()),
            // Both say that nothing came of it.
            Some(_) if self.known.is_withdrawn(&theirs) => {
                self.muted.insert(result.message_id);
                return Ok(());
            }
            Some(_) => {
                let text = format!("call `{theirs}` has its result already; another one is left out");
                return self.warn("history", text).await;
            }
            None if !self.calls.knows(&theirs) && self.known.open_call(&theirs).is_none() => {
                let text = format!("there is no call `{theirs}`, so its result answers nothing");
                return self.warn("unknown_call", text).await;
            }
            None => {}
        }
        match self.calls.find_mut(&theirs) {
            Some(call) => call.result = Some(text),
            None => self.note_old(&theirs, text),
        }
        result.tool_call_id = self.calls.ours(&theirs);
        result.message_id = self.name(Kind::Result, &result.message_id).into();
        self.emit(result).await
    }

    /// A call from before that was not told again has its result now.
    fn note_old(&mut self, theirs: &str, result: String) {
        let ours = ToolCallId::from(theirs);
        let (name, arguments) = (String::new(), String::new());
        let (theirs, is_old) = (theirs.to_owned(), true);
        self.calls.0.push(Call {
            theirs,
            ours,
            name,
            arguments,
            is_old,
            result: Some(result),
            refused: None,
        });
    }
}

/// What a call from before is about.
pub(super) fn made_before(call: &ToolCall) -> (String, Value) {
    (call.function.name.clone(), read(&call.function.arguments))
}

/// The arguments as a value; a text that is no JSON as it stands, so that it fits no schema of an object.
fn read(arguments: &str) -> Value {
    match arguments.trim() {
        "" => json!({}),
        text => serde_json::from_str(text).unwrap_or_else(|_| arguments.into()),
    }
}
