//! Subagents: others who speak in the same run, under their own name.

use std::ops::Deref;

use forestage_protocol::{
    event::{SubagentError, SubagentFinished, SubagentStarted},
    id::SubagentRunId,
};

use super::RunContext;
use crate::error::Stop;

/// A subagent at work. It is a context: what is said through it carries its name.
#[derive(Debug)]
pub struct Subagent {
    ctx: RunContext,
    id: SubagentRunId,
    failed: Option<String>,
}

impl RunContext {
    /// Lets a subagent speak until the guard is dropped.
    pub fn subagent(&self, name: &str) -> Result<Subagent, Stop> {
        self.subagent_with(|start| start, name)
    }

    /// The same with a start that says more, such as the call that led to it.
    pub fn subagent_with(
        &self,
        more: impl FnOnce(SubagentStarted) -> SubagentStarted,
        name: &str,
    ) -> Result<Subagent, Stop> {
        let id: SubagentRunId = self.new_id("s").into();
        let start =
            SubagentStarted { parent_subagent_run_id: self.tag.clone(), ..SubagentStarted::new(&id, name) };
        self.send(more(start))?;
        let ctx = self.speaking_as(Some(id.clone()));
        Ok(Subagent { ctx, id, failed: None })
    }
}

impl Subagent {
    /// It could not do what it was asked.
    pub fn fail(mut self, message: impl Into<String>) {
        self.failed = Some(message.into());
    }

    /// It is done.
    pub fn finish(self) {}
}

impl Deref for Subagent {
    type Target = RunContext;

    fn deref(&self) -> &RunContext {
        &self.ctx
    }
}

impl Drop for Subagent {
    fn drop(&mut self) {
        // Fails only when the run is over, and then the subagent was ended with it.
        let _ = match self.failed.take() {
            Some(message) => self.ctx.send(SubagentError::new(&self.id, message)),
            None => self.ctx.send(SubagentFinished::new(&self.id)),
        };
    }
}
