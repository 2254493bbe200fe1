//! Calls of tools whose arguments are judged before anybody sees them.
//!
//! Arguments may come piece by piece, and only the whole can be judged. So the call is held back until it is complete, and
//! is then shown as it came, or not at all.

use std::collections::HashMap;

use forestage_protocol::{event::Event, id::ToolCallId};

use crate::{
    error::Stop,
    tool::{Checks, ToolError},
};

/// So many bytes may be held back.
const MAX_BYTES: usize = 4 << 20;

/// Calls that are not complete.
#[derive(Debug, Default)]
pub(crate) struct HeldCalls {
    calls: HashMap<ToolCallId, Held>,
    bytes: usize,
    /// Why a call was not shown whose maker could not be told.
    untold: Option<ToolError>,
}

#[derive(Debug)]
struct Held {
    name: String,
    arguments: String,
    events: Vec<Event>,
}

impl HeldCalls {
    /// Keeps an event that belongs to a call of a judged tool, and gives it back with the rest of the call when that is
    /// complete and good. An event that belongs to none is given back at once.
    pub(super) fn pass(&mut self, event: Event, checks: &Checks) -> Result<Vec<Event>, Stop> {
        match &event {
            Event::ToolCallStart(start) if checks.knows(&start.tool_call_name) => {
                let (id, name) = (start.tool_call_id.clone(), start.tool_call_name.clone());
                self.calls.insert(id, Held { name, arguments: String::new(), events: vec![event] });
                Ok(Vec::new())
            }
            Event::ToolCallArgs(piece) => match self.calls.get_mut(&piece.tool_call_id) {
                Some(held) => {
                    self.bytes += piece.delta.len();
                    if self.bytes > MAX_BYTES {
                        return Err(Stop::TooLarge { limit: MAX_BYTES, unit: "bytes of arguments" });
                    }
                    held.arguments.push_str(&piece.delta);
                    held.events.push(event);
                    Ok(Vec::new())
                }
                None => Ok(vec![event]),
            },
            Event::ToolCallEnd(end) => match self.calls.remove(&end.tool_call_id) {
                Some(held) => self.release(held, checks, Some(event)),
                None => Ok(vec![event]),
            },
            _ => Ok(vec![event]),
        }
    }

    fn release(&mut self, mut held: Held, checks: &Checks, end: Option<Event>) -> Result<Vec<Event>, Stop> {
        self.bytes -= held.arguments.len();
        judge(&held, checks).map_err(Stop::InvalidCall)?;
        held.events.extend(end);
        Ok(held.events)
    }

    /// Remembers why a call was not shown, so that it is told at the latest with the end of the run.
    pub(super) fn keep(&mut self, error: ToolError) {
        self.untold.get_or_insert(error);
    }

    /// The run ends: what was left open is shown, to be closed with the rest, or is the reason why the run failed.
    pub(crate) fn close(&mut self, checks: &Checks) -> Result<Vec<Event>, Stop> {
        if let Some(error) = self.untold.take() {
            return Err(Stop::InvalidCall(error));
        }
        let mut events = Vec::new();
        for held in std::mem::take(&mut self.calls).into_values() {
            events.extend(self.release(held, checks, None)?);
        }
        Ok(events)
    }
}

fn judge(held: &Held, checks: &Checks) -> Result<(), ToolError> {
    let name = &held.name;
    // A tool without arguments may be called with none.
    let text = if held.arguments.is_empty() { "{}" } else { &held.arguments };
    let arguments = serde_json::from_str(text).map_err(|error| {
        ToolError::new("invalid_arguments", format!("the arguments of `{name}` are no JSON: {error}"))
            .at("arguments")
    })?;
    checks.check_call(name, &arguments)
}
