//! Steps of subagents, for lines that know a step by its name alone.

use forestage_protocol::{event::Event, id::SubagentRunId};

/// The steps that are open.
#[derive(Debug, Default)]
pub(super) struct Steps(Vec<Step>);

#[derive(Debug)]
struct Step {
    name: String,
    owner: Option<SubagentRunId>,
    /// What the client knows it by.
    shown: String,
}

impl Steps {
    /// The name by which the client knows the step, where it is another: a second one of the same name has its owner's
    /// name behind it.
    pub(super) fn rename(&mut self, event: &Event) -> Option<String> {
        match event {
            Event::StepStarted(step) => self.open(&step.step_name, step.subagent_run_id.clone()),
            Event::StepFinished(step) => self.close(&step.step_name, step.subagent_run_id.as_ref()),
            _ => None,
        }
    }

    fn open(&mut self, name: &str, owner: Option<SubagentRunId>) -> Option<String> {
        let is_taken = |shown: &str| self.0.iter().any(|step| step.shown == shown);
        let mut shown = name.to_owned();
        if is_taken(&shown) {
            let owner = owner.as_ref().map_or("agent", SubagentRunId::as_str);
            shown = format!("{name} ({owner})");
        }
        self.0.push(Step { name: name.to_owned(), owner, shown: shown.clone() });
        (shown != name).then_some(shown)
    }

    fn close(&mut self, name: &str, owner: Option<&SubagentRunId>) -> Option<String> {
        let at = self.0.iter().position(|step| step.name == name && step.owner.as_ref() == owner)?;
        let shown = self.0.swap_remove(at).shown;
        (shown != name).then_some(shown)
    }
}
