//! What is drawn in a run: what is on the screen, what is still being written, and how often it went wrong.

use std::collections::HashMap;

use forestage_a2ui::Tagged;
use forestage_protocol::{
    Fault,
    event::Event,
    id::{MessageId, SubagentRunId, ToolCallId},
};

use serde_json::Value;

use crate::{
    surface::{self, ACTIVITY, Client, Drawn, MAX_ATTEMPTS, Screen, Underway},
    tool::ToolError,
};

/// What is drawn in a run.
#[derive(Debug, Default)]
pub(crate) struct Easel {
    /// What is on the screen, once somebody draws.
    pub(super) ready: Option<(Screen, Client)>,
    /// Calls whose arguments still come in.
    pub(super) calls: HashMap<ToolCallId, Open>,
    /// Messages in which something may be drawn.
    pub(super) texts: HashMap<MessageId, Text>,
    /// Results of calls that the agent may give itself, and otherwise has from us.
    pub(super) owed: Vec<Event>,
    /// What came of the last call.
    pub(super) told: Option<Told>,
    /// What would be on the screen of an agent that comes back to where it asked.
    pub(super) sketch: Option<(Screen, Client)>,
    /// Attempts that failed since something was drawn, and where people see that.
    pub(super) attempts: u32,
    failure: Option<MessageId>,
}

/// A call that draws.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) tool: String,
    pub(super) arguments: String,
    pub(super) tag: Option<SubagentRunId>,
    /// How many pieces have come.
    pub(super) pieces: usize,
    /// What is painted of it before it is complete.
    pub(super) underway: Underway,
}

/// A message in which something may be drawn.
#[derive(Debug, Default)]
pub(super) struct Text {
    pub(super) tagged: Tagged,
    pub(super) payloads: Vec<String>,
}

/// The names of the surfaces that were drawn, or what is wrong.
pub(super) type Outcome = Result<Vec<String>, ToolError>;

/// The same with what the agent hears of it.
pub(super) type Told = Result<(Vec<String>, Value), ToolError>;

impl Open {
    /// Takes a piece. Returns what of the arguments is news to those who watch: what comes in one piece is there at once,
    /// and nothing is said of it before.
    pub(super) fn take<'d>(&mut self, delta: &'d str) -> Option<std::borrow::Cow<'d, str>> {
        self.arguments.push_str(delta);
        self.pieces += 1;
        match self.pieces {
            1 => None,
            2 => Some(self.arguments.clone().into()),
            _ => Some(delta.into()),
        }
    }

    /// Whether people were told that it is being built.
    pub(super) fn is_announced(&self) -> bool {
        self.pieces > 1
    }
}

impl Easel {
    /// Whether it went wrong too often in a row to try again.
    pub(super) fn is_exhausted(&self) -> bool {
        self.attempts >= MAX_ATTEMPTS
    }

    /// What people see of what was drawn. Whatever was said of failures before does not count any more.
    pub(super) fn has_drawn(&mut self, drawn: &mut Drawn) -> Vec<Event> {
        self.attempts = 0;
        let mut events = std::mem::take(&mut drawn.events);
        if let Some(id) = self.failure.take() {
            events.push(surface::withdrawn(&id, None));
        }
        events
    }

    /// People see all attempts in one place.
    pub(super) fn has_failed(&mut self, first: &MessageId, faults: &[Fault]) -> Event {
        self.attempts += 1;
        let id = self.failure.get_or_insert_with(|| first.clone());
        surface::failed(id, self.attempts, faults)
    }
}

/// The activity that a call or a message draws first.
pub(super) fn first(id: impl std::fmt::Display) -> MessageId {
    format!("{ACTIVITY}-{id}").into()
}

/// The activity that an event is about.
pub(super) fn activity_of(event: &Event) -> Option<&MessageId> {
    match event {
        Event::ActivitySnapshot(event) => Some(&event.message_id),
        Event::ActivityDelta(event) => Some(&event.message_id),
        _ => None,
    }
}
