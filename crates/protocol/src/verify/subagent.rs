//! Subagents: each id names one invocation.

use super::{Rule, Violation, items::still_open};
use crate::{event::SubagentStarted, id::SubagentRunId, lookup::Lookup};

/// The invocations of the present run and whether they are still active.
#[derive(Clone, Debug, Default)]
pub(super) struct Subagents {
    active: Lookup<SubagentRunId, bool>,
}

impl Subagents {
    pub(super) fn clear(&mut self) {
        self.active.clear();
    }

    pub(super) fn start(&mut self, event: &SubagentStarted) -> Result<(), Violation> {
        let id = &event.subagent_run_id;
        match self.active.get(id) {
            Some(true) => {
                let message = format!("SUBAGENT_STARTED: subagent `{id}` is already active");
                return Err(Violation::new(Rule::SubagentActive, message));
            }
            Some(false) => {
                let message =
                    format!("SUBAGENT_STARTED: subagent `{id}` has ended; an id names one invocation");
                return Err(Violation::new(Rule::SubagentReused, message));
            }
            None => {}
        }
        if let Some(parent) = &event.parent_subagent_run_id
            && self.active.get(parent).is_none()
        {
            let message = format!("SUBAGENT_STARTED: parent subagent `{parent}` was not started in this run");
            return Err(Violation::new(Rule::SubagentParentUnknown, message));
        }
        self.active.insert(id, true);
        Ok(())
    }

    pub(super) fn end(&mut self, event: &str, id: &SubagentRunId) -> Result<(), Violation> {
        match self.active.get_mut(id) {
            Some(active) if *active => {
                *active = false;
                Ok(())
            }
            _ => {
                let message = format!("{event}: subagent `{id}` is not active");
                Err(Violation::new(Rule::SubagentNotActive, message))
            }
        }
    }

    pub(super) fn all_closed(&self) -> Result<(), Violation> {
        let mut open =
            self.active.iter().filter(|(_, active)| **active).map(|(id, _)| id.as_str()).peekable();
        match open.peek() {
            Some(_) => Err(still_open("subagent", open)),
            None => Ok(()),
        }
    }
}
