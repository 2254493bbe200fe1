//! Steps: known by owner and name, since a subagent may run a step of the same name as its parent.

use std::collections::HashMap;

use super::{
    Rule, Violation,
    items::still_open,
    owner::{self, Owner},
};
use crate::event::{StepFinished, StepStarted};

/// The open steps: by name, whose they are.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    open: HashMap<String, Vec<Owner>>,
}

impl Steps {
    pub(super) fn clear(&mut self) {
        self.open.clear();
    }

    pub(super) fn start(&mut self, event: &StepStarted) -> Result<(), Violation> {
        let owners = self.open.entry(event.step_name.clone()).or_default();
        if owners.contains(&event.subagent_run_id) {
            let whose = owner::name(event.subagent_run_id.as_ref());
            let message = format!("STEP_STARTED: step `{}` of {whose} is already open", event.step_name);
            return Err(Violation::new(Rule::StepOpen, message));
        }
        owners.push(event.subagent_run_id.clone());
        Ok(())
    }

    pub(super) fn finish(&mut self, event: &StepFinished) -> Result<(), Violation> {
        let (name, owner) = (&event.step_name, &event.subagent_run_id);
        let owners = self.open.get_mut(name).filter(|owners| !owners.is_empty());
        let Some(owners) = owners else {
            let message = format!("STEP_FINISHED: step `{name}` was not started");
            return Err(Violation::new(Rule::StepNotOpen, message));
        };
        let Some(at) = owners.iter().position(|open| open == owner) else {
            let message = format!(
                "STEP_FINISHED: step `{name}` is open under {}, not under {}",
                owner::name(owners[0].as_ref()),
                owner::name(owner.as_ref())
            );
            return Err(Violation::new(Rule::StepOwner, message));
        };
        owners.swap_remove(at);
        Ok(())
    }

    pub(super) fn all_closed(&self) -> Result<(), Violation> {
        let mut open: Vec<&str> = self
            .open
            .iter()
            .filter(|(_, owners)| !owners.is_empty())
            .map(|(name, _)| name.as_str())
            .collect();
        if open.is_empty() {
            return Ok(());
        }
        open.sort_unstable();
        Err(still_open("step", open.into_iter()))
    }
}
