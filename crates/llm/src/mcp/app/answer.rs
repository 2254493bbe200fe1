//! Results as servers gave them, for runs in which a page asked: what a model reads of a result is less than that.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use forestage_protocol::id::RunId;
use rmcp::model::CallToolResult;
use serde_json::Value;

use super::show::shown;

/// Results that somebody waits for, by the run.
#[derive(Clone, Debug, Default)]
pub(in crate::mcp) struct Answers(Arc<Mutex<HashMap<RunId, Option<Value>>>>);

impl Answers {
    /// Waits for the result of the call of a run. Until this is dropped, the run is one of a page.
    pub(in crate::mcp) fn expect(&self, run_id: &RunId) -> Expected {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(run_id.clone(), None);
        Expected { run_id: run_id.clone(), answers: self.clone() }
    }

    /// Whether a page asked for what happens in a run.
    pub(in crate::mcp) fn is_expected(&self, run_id: &RunId) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains_key(run_id)
    }

    /// Gives a result to whoever waits for it.
    pub(in crate::mcp) fn give(&self, run_id: &RunId, result: &CallToolResult) {
        if let Some(place) = self.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(run_id) {
            *place = Some(shown(result));
        }
    }
}

/// A result that is waited for.
#[derive(Debug)]
pub(crate) struct Expected {
    run_id: RunId,
    answers: Answers,
}

impl Expected {
    /// The result, if the server was asked in this run.
    pub(crate) fn take(self) -> Option<Value> {
        self.answers.0.lock().unwrap_or_else(PoisonError::into_inner).get_mut(&self.run_id)?.take()
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.answers.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.run_id);
    }
}
