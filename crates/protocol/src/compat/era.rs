//! Peers that speak an older version at most: what we send them, and what we read of theirs.

use serde_json::{Map, Value};

use super::binary;
use crate::{event::Event, interrupt::RunOutcome, message::Message, notice::Warning};

/// The newest version a peer speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PeerVersion([u32; 3]);

impl PeerVersion {
    /// The version that this crate implements.
    pub const CURRENT: PeerVersion = PeerVersion([1, 0, 0]);

    /// Reads `MAJOR.MINOR` or `MAJOR.MINOR.PATCH`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.').map(|part| part.parse().ok());
        let version = [parts.next()??, parts.next()??, parts.next().unwrap_or(Some(0))?];
        parts.next().is_none().then_some(Self(version))
    }

    /// Up to 0.0.39 content was text only.
    fn predates_parts(self) -> bool {
        self <= Self([0, 0, 39])
    }

    /// Up to 0.0.57 there were no subagents.
    #[must_use]
    pub fn predates_subagents(self) -> bool {
        self <= Self([0, 0, 57])
    }
}

/// Removes what a peer of before subagents cannot have meant. Returns whether the event stays. Chunks are
/// expanded before, because the tags tell their lanes apart.
pub(crate) fn without_subagents(event: &mut Event, warnings: &mut Vec<Warning>) -> bool {
    event.attribute(None);
    match event {
        Event::SubagentStarted(_) | Event::SubagentFinished(_) | Event::SubagentError(_) => {
            warnings.push(no_subagents(event.event_type().as_str()));
            return false;
        }
        Event::MessagesSnapshot(event) => untag(&mut event.messages),
        Event::RunStarted(event) => {
            event.input.iter_mut().for_each(|input| untag(&mut input.messages));
        }
        Event::RunFinished(event) => {
            if let Some(RunOutcome::Interrupt(outcome)) = &mut event.outcome {
                let interrupts = outcome.interrupts.as_mut_slice();
                interrupts.iter_mut().for_each(|interrupt| interrupt.subagent_run_id = None);
            }
        }
        _ => {}
    }
    true
}

/// What is said about an event of a kind that the peer's version does not have.
pub(crate) fn no_subagents(name: &str) -> Warning {
    Warning::new("peer_predates", format!("dropping {name}: the peer's version has no subagents"))
}

fn untag(messages: &mut [Message]) {
    messages.iter_mut().for_each(|message| message.set_subagent_run_id(None));
}

/// Brings an input up to date before it is sent: binary parts upgraded, activities left out.
pub fn refresh_input(input: &mut Value) {
    let Some(Value::Array(messages)) = input.get_mut("messages") else {
        return;
    };
    messages.retain(|message| message.get("role").and_then(Value::as_str) != Some("activity"));
    for message in messages {
        binary::upgrade_message(message);
    }
}

/// Rewrites an input for an older peer, with a warning for everything that peer cannot receive.
pub fn downgrade_input(input: &mut Value, peer: PeerVersion, warnings: &mut Vec<Warning>) {
    let Some(object) = input.as_object_mut() else {
        return;
    };
    if peer < PeerVersion::CURRENT {
        object.shift_remove("protocolVersion");
    }
    if peer.predates_parts() {
        object.shift_remove("parentRunId");
    }
    let Some(Value::Array(messages)) = object.get_mut("messages") else {
        return;
    };
    for message in messages.iter_mut().filter_map(Value::as_object_mut) {
        if peer.predates_subagents() {
            message.shift_remove("subagentRunId");
        }
        if peer.predates_parts() {
            flatten(message, warnings);
        }
    }
}

/// Parts become the text among them. A text part without text is a defect that is not ours to repair.
fn flatten(message: &mut Map<String, Value>, warnings: &mut Vec<Warning>) {
    let Some(Value::Array(parts)) = message.get("content") else {
        message.entry("content").or_insert_with(|| "".into());
        return;
    };
    let kind = |part: &Value| part.get("type").and_then(Value::as_str).unwrap_or("unknown").to_owned();
    let dropped: Vec<String> = parts.iter().map(kind).filter(|kind| kind != "text").collect();
    let texts = parts.iter().filter(|part| kind(part) == "text");
    let Some(text) = texts.map(|part| part.get("text").and_then(Value::as_str)).collect::<Option<String>>()
    else {
        warnings.push(Warning::new("peer_predates", "left content with a text part without text as it is"));
        return;
    };
    if !dropped.is_empty() {
        let kinds = dropped.join(", ");
        let message = format!("flattening content for an older peer DROPS non-text parts ({kinds})");
        warnings.push(Warning::new("peer_predates", message));
    }
    message.insert("content".to_owned(), text.into());
}
