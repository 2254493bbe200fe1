//! Calls of tools, as the contract tells them: begun once, with all their arguments and a label.

use std::{collections::HashSet, sync::Arc};

use forestage_protocol::{
    event::{Event, ToolCallResult},
    id::ToolCallId,
    interrupt::Interrupt,
};
use forestage_runtime::tool::Tools;
use serde_json::{Map, Value, json};

use crate::dialect::calls::{self, Call, as_object};

/// The calls of a run.
#[derive(Debug)]
pub(super) struct Calls {
    tools: Arc<Tools>,
    calls: calls::Calls,
    begun: HashSet<ToolCallId>,
    /// Whether nobody knows whose tools these are, as in a recording. Then a call may still be asked about.
    unknown: bool,
    /// Calls that are whole and have not begun, if it is not known whose they are.
    held: Vec<ToolCallId>,
}

impl Calls {
    pub(super) fn new(tools: Arc<Tools>) -> Self {
        let (calls, begun) = (calls::Calls::default(), HashSet::new());
        Self { tools, calls, begun, unknown: false, held: Vec::new() }
    }

    /// Calls of a recording.
    pub(super) fn recorded() -> Self {
        Self { unknown: true, ..Self::new(Arc::default()) }
    }

    /// The same of the next turn.
    pub(super) fn anew(&self) -> Self {
        Self { unknown: self.unknown, ..Self::new(self.tools.clone()) }
    }

    /// Takes what an event says of a call. One that is not of our tools begins when its arguments are there; ours begin
    /// when they are executed.
    pub(super) fn note(&mut self, event: &Event) -> Option<Map<String, Value>> {
        self.calls.note(event);
        match event {
            Event::ToolCallStart(event) => {
                self.begun.remove(&event.tool_call_id);
                None
            }
            Event::ToolCallEnd(event) if self.unknown => {
                self.held.push(event.tool_call_id.clone());
                None
            }
            Event::ToolCallEnd(event) => {
                let name = &self.calls.get(&event.tool_call_id)?.name;
                if self.tools.get(name).is_some() { None } else { self.begin(&event.tool_call_id) }
            }
            _ => None,
        }
    }

    /// That a call has begun, if that is news.
    pub(super) fn begin(&mut self, id: &ToolCallId) -> Option<Map<String, Value>> {
        let begun = self.about("TOOL_CALL_STARTED", id)?;
        self.begun.insert(id.clone()).then_some(begun)
    }

    /// Begins what was held back and is not asked about.
    pub(super) fn begin_held(&mut self, asked: &[Interrupt]) -> Vec<Map<String, Value>> {
        let is_asked =
            |id: &ToolCallId| asked.iter().any(|question| question.tool_call_id.as_ref() == Some(id));
        let held = std::mem::take(&mut self.held).into_iter();
        held.filter(|id| !is_asked(id)).filter_map(|id| self.begin(&id)).collect()
    }

    /// What a call is about.
    pub(super) fn about(&self, kind: &str, id: &ToolCallId) -> Option<Map<String, Value>> {
        let call = self.calls.get(id)?;
        let arguments = call.arguments().map(as_object).unwrap_or_default();
        Some(Map::from_iter([
            ("type".to_owned(), json!(kind)),
            ("toolCallId".to_owned(), json!(id)),
            ("toolName".to_owned(), json!(call.name)),
            ("label".to_owned(), json!(self.label(call))),
            ("args".to_owned(), Value::Object(arguments)),
        ]))
    }

    /// What came of a call: as the contract has it, and as AG-UI has it.
    pub(super) fn result(&self, event: &ToolCallResult) -> Map<String, Value> {
        let content = event.content.text().into_owned();
        let result: Value = serde_json::from_str(&content).unwrap_or_else(|_| content.as_str().into());
        let mut told = self.about("TOOL_CALL_RESULT", &event.tool_call_id).unwrap_or_default();
        told.remove("args");
        told.extend([
            ("type".to_owned(), json!("TOOL_CALL_RESULT")),
            ("toolCallId".to_owned(), json!(event.tool_call_id)),
            ("result".to_owned(), result),
            ("content".to_owned(), json!(content)),
            ("messageId".to_owned(), json!(event.message_id)),
        ]);
        told
    }

    fn label(&self, call: &Call) -> String {
        let described = self.tools.get(&call.name).map(|tool| tool.about().description.clone());
        let described = described.and_then(|text| text.lines().next().map(str::to_owned));
        let label = call.label.clone().or(described).filter(|label| !label.is_empty());
        label.unwrap_or_else(|| call.name.replace(['_', '-'], " "))
    }
}
