//! In which kind of step an event happens.

use forestage_protocol::{event::Event, number::Timestamp};

/// What an event is to the steps of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scene {
    /// The agent itself begins to speak or to reason.
    Speech(Option<Timestamp>),
    /// It belongs to a step, whichever is open.
    Any(Option<Timestamp>),
    /// It goes on with something, or is about no work of the agent's.
    None,
}

/// What an event is to the steps of a run. What a subagent says happens in the step of the call because of which it speaks.
pub(super) fn scene(event: &Event) -> Scene {
    match event {
        Event::TextMessageStart(event) if event.subagent_run_id.is_none() => {
            Scene::Speech(event.base.timestamp)
        }
        Event::ReasoningStart(event) if event.subagent_run_id.is_none() => {
            Scene::Speech(event.base.timestamp)
        }
        Event::TextMessageStart(event) => Scene::Any(event.base.timestamp),
        Event::ReasoningStart(event) => Scene::Any(event.base.timestamp),
        Event::ReasoningMessageStart(event) => Scene::Any(event.base.timestamp),
        Event::ActivitySnapshot(event) => Scene::Any(event.base.timestamp),
        Event::ActivityDelta(event) => Scene::Any(event.base.timestamp),
        Event::SubagentStarted(event) => Scene::Any(event.base.timestamp),
        _ => Scene::None,
    }
}
