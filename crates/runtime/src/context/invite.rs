//! Inviting another agent into a run: it is asked something, plays its part as a subagent, and its answer comes back.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, Ordering},
};

use forestage_protocol::{
    event::{Event, SubagentError, SubagentFinished, SubagentStarted},
    id::SubagentRunId,
    input::RunAgentInput,
    interrupt::SubagentSuspended,
    message::{Message, UserMessage},
};
use serde_json::json;

use super::{Part, RunContext, ShownCall, lock, scene::Scene, use_tool::Used};
use crate::{
    agent::{Agent, AgentError},
    error::Stop,
    tool::ToolError,
};

/// So deep may agents ask each other.
const MAX_DEPTH: usize = 4;

impl RunContext {
    /// Asks another agent, because of a call that is shown. It hears the question and nothing else of the conversation, and
    /// plays under its own rules and with its own tools, as a subagent of whoever asks. What it said last is the answer; a
    /// failure is one of the call, not of the run.
    ///
    /// Several may be asked at the same time. One that has to ask a person ends the run when all others are done, and is
    /// asked again when that is decided; the others are not.
    pub async fn invite(
        &self,
        agent: &dyn Agent,
        name: &str,
        call: &ShownCall,
        task: &str,
    ) -> Result<Used, Stop> {
        let depth = self.scene.as_ref().map_or(0, |scene| scene.depth());
        if depth >= MAX_DEPTH {
            let text = format!("agents may ask each other {MAX_DEPTH} times over, and not more");
            return Ok(Err(ToolError::new("too_deep", text)));
        }
        if agent.house().review.is_some() {
            // Its answer would be on the log, as the result of the call, before anybody has looked at it.
            let text = format!("somebody has to look at what `{name}` says first, so it cannot be asked");
            return Ok(Err(ToolError::new("needs_review", text)));
        }
        agent.ready().await;
        let guest = self.guest(agent, name, call, task);
        let Some(scene) = guest.scene.clone() else { return Err(Stop::Cancelled) };
        if !guest.is_muted() {
            guest.bring_in(&scene)?;
        }
        let ended = agent.run(guest.clone()).await;
        guest.leave(&scene, ended)
    }

    /// The context of an agent that is invited.
    fn guest(&self, agent: &dyn Agent, name: &str, call: &ShownCall, task: &str) -> Self {
        let id: SubagentRunId = self.new_id("s").into();
        let mut start = SubagentStarted::new(&id, name);
        start.parent_subagent_run_id.clone_from(&self.tag);
        start.parent_tool_call_id = Some(call.id.clone());
        let note = json!({ "scope": call.id });
        start.base.metadata.get_or_insert_default().insert("forestage".to_owned(), note);
        let asked = Message::from(UserMessage::new(format!("{}-task", call.id), task));
        let scope = call.id.to_string();
        let is_back = lock(&self.core.record).has_answers(&scope);
        let scene = Scene {
            id: id.clone(),
            around: self.scene.clone(),
            input: RunAgentInput::new(self.thread_id(), self.run_id(), vec![asked.clone()]),
            messages: vec![asked],
            part: Mutex::new(Part { tools: agent.tools(), house: agent.house() }),
            muted: AtomicBool::new(self.is_muted() && is_back),
            start: Mutex::new(Some(start)),
            words: Mutex::default(),
            result: Mutex::default(),
            scope,
        };
        Self { core: self.core.clone(), tag: Some(id), scene: Some(Arc::new(scene)) }
    }

    /// The agent is done, or gave up.
    fn leave(&self, scene: &Scene, ended: Result<(), AgentError>) -> Result<Used, Stop> {
        let Some(id) = self.tag.as_ref() else { return Err(Stop::Cancelled) };
        match ended {
            Ok(()) if scene.muted.load(Ordering::Relaxed) => {
                Err(Stop::Diverged("a subagent ended before".to_owned()))
            }
            Ok(()) => {
                let result = lock(&scene.result).take();
                let told = result.as_ref().map(|result| result.get().to_owned());
                self.close(scene, SubagentFinished { result, ..SubagentFinished::new(id) }.into())?;
                Ok(Ok(scene.last_words().or(told).unwrap_or_default()))
            }
            Err(error) => match error.stop() {
                Some(Stop::Asked) => {
                    let outcome = Some(SubagentSuspended { interrupt_ids: Some(self.questions()) }.into());
                    self.close(scene, SubagentFinished { outcome, ..SubagentFinished::new(id) }.into())?;
                    Err(Stop::Asked)
                }
                Some(stop) if !is_its_own(stop) => Err(stop.clone()),
                _ => {
                    let (code, message) = (error.code().to_owned(), error.message());
                    let failed =
                        SubagentError { code: Some(code.clone()), ..SubagentError::new(id, &message) };
                    self.close(scene, failed.into())?;
                    Ok(Err(ToolError::new(&code, message)))
                }
            },
        }
    }

    /// Says that it is over, if anybody knows that it was there.
    fn close(&self, scene: &Scene, event: Event) -> Result<(), Stop> {
        if scene.is_announced() { self.speak(event) } else { Ok(()) }
    }

    /// What it asks.
    fn questions(&self) -> Vec<forestage_protocol::id::InterruptId> {
        let asked = lock(&self.core.asked);
        asked.iter().filter(|asked| asked.subagent_run_id == self.tag).map(|asked| asked.id.clone()).collect()
    }
}

/// Whether a stop is the failure of one agent and not the end of the run.
fn is_its_own(stop: &Stop) -> bool {
    matches!(stop, Stop::Violation(_) | Stop::NotItsPart(_) | Stop::Refused(_) | Stop::InvalidCall(_))
}
