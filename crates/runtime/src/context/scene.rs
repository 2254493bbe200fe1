//! What an agent has for itself while it plays a part in somebody else's run.
//!
//! Whoever is invited hears what it is asked and nothing else, has its own tools and rules, and is silent for itself while
//! it comes back to where it asked. The thread, its state and its log are everybody's.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use forestage_protocol::{
    event::{Event, SubagentStarted},
    id::{MessageId, SubagentRunId},
    input::RunAgentInput,
    json::Json,
    message::Message,
};

use super::{Part, RunContext, lock};
use crate::error::Stop;

/// What an invited agent has for itself.
pub(crate) struct Scene {
    /// The call that invited it: the same in every run of the turn.
    pub(super) scope: String,
    /// The name under which it speaks in this run.
    pub(super) id: SubagentRunId,
    pub(super) around: Option<Arc<Scene>>,
    pub(super) input: RunAgentInput,
    pub(super) messages: Vec<Message>,
    pub(super) part: Mutex<Part>,
    pub(super) muted: AtomicBool,
    /// How it is announced, until it is.
    pub(super) start: Mutex<Option<SubagentStarted>>,
    /// What it said: messages and their texts.
    pub(super) words: Mutex<Vec<(MessageId, String)>>,
    pub(super) result: Mutex<Option<Json>>,
}

impl Scene {
    /// How many stand around it.
    pub(super) fn depth(&self) -> usize {
        self.around.as_ref().map_or(1, |around| around.depth() + 1)
    }

    pub(super) fn is_announced(&self) -> bool {
        lock(&self.start).is_none()
    }

    /// Keeps what is said by the agent itself, heard or not.
    pub(super) fn note(&self, event: &Event) {
        let mut words = lock(&self.words);
        match event {
            Event::TextMessageStart(start) if start.subagent_run_id.as_ref() == Some(&self.id) => {
                words.push((start.message_id.clone(), String::new()));
            }
            Event::TextMessageContent(piece) => {
                let said = words.iter_mut().rfind(|(id, _)| *id == piece.message_id);
                said.into_iter().for_each(|(_, text)| text.push_str(&piece.delta));
            }
            _ => {}
        }
    }

    /// What it said last.
    pub(super) fn last_words(&self) -> Option<String> {
        let words = lock(&self.words);
        words.iter().rev().map(|(_, text)| text.trim()).find(|text| !text.is_empty()).map(str::to_owned)
    }
}

impl RunContext {
    /// Announces an invited agent, and first whoever stands around it.
    pub(super) fn bring_in(&self, scene: &Scene) -> Result<(), Stop> {
        if let Some(around) = &scene.around {
            self.bring_in(around)?;
        }
        let start = lock(&scene.start).take();
        start.map_or(Ok(()), |start| self.speak(start.into()))
    }

    /// Whoever speaks is back where it asked: what it says from now on is new. Those around it may have to wait for others.
    pub(super) fn be_heard(&self) -> Result<(), Stop> {
        if let Some(state) = lock(&self.core.state_when_heard).take() {
            *lock(&self.core.state) = state;
        }
        if let Some(scene) = &self.scene {
            self.bring_in(scene)?;
        }
        let mut scene = self.scene.clone();
        while let Some(heard) = scene {
            if !lock(&self.core.record).has_answers(&heard.scope) {
                heard.muted.store(false, Ordering::Relaxed);
            }
            scene = heard.around.clone();
        }
        if !lock(&self.core.record).has_any_answers() {
            self.core.muted.store(false, Ordering::Relaxed);
        }
        Ok(())
    }
}
