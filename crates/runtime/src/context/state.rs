//! The state that agent and client share.

use forestage_protocol::{
    event::{StateDelta, StateSnapshot},
    patch::{Patch, PatchError, diff},
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::{RunContext, lock};
use crate::error::Stop;

/// Why the state was not changed.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The value cannot be written as JSON.
    #[error("the state cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The patch does not fit the state.
    #[error("the patch does not fit the state: {0}")]
    Patch(#[from] PatchError),
    /// The run is over.
    #[error(transparent)]
    Stop(#[from] Stop),
}

impl RunContext {
    /// The state as it stands.
    #[must_use]
    pub fn state(&self) -> Value {
        lock(&self.core.state).clone()
    }

    /// The state as a type of yours.
    pub fn state_as<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_value(self.state())
    }

    /// Makes this the state. Clients get the difference, or the whole where that is shorter.
    pub async fn set_state(&self, state: &impl Serialize) -> Result<(), StateError> {
        let after = serde_json::to_value(state)?;
        let before = std::mem::replace(&mut *lock(&self.core.state), after.clone());
        let patch = diff(&before, &after);
        if patch.0.is_empty() {
            return Ok(());
        }
        if is_longer(&patch, &after) {
            self.send_snapshot(&after)?
        } else {
            self.send_delta(patch)?
        }
        self.core.outbox.room().await;
        Ok(())
    }

    /// Changes the state by a function. Clients get the difference.
    pub async fn update_state(&self, change: impl FnOnce(&mut Value)) -> Result<(), StateError> {
        let mut state = self.state();
        change(&mut state);
        self.set_state(&state).await
    }

    /// Makes this the state and sends the whole of it.
    pub async fn send_state(&self, state: &impl Serialize) -> Result<(), StateError> {
        let state = serde_json::to_value(state)?;
        *lock(&self.core.state) = state.clone();
        self.send_snapshot(&state)?;
        self.core.outbox.room().await;
        Ok(())
    }

    /// Changes the state by a JSON Patch and sends just that.
    pub async fn patch_state(&self, patch: Patch) -> Result<(), StateError> {
        let mut state = self.state();
        patch.apply(&mut state)?;
        *lock(&self.core.state) = state;
        self.send_delta(patch)?;
        self.core.outbox.room().await;
        Ok(())
    }

    fn send_snapshot(&self, state: &Value) -> Result<(), Stop> {
        self.send(StateSnapshot { subagent_run_id: self.tag.clone(), ..StateSnapshot::new(state) })
    }

    fn send_delta(&self, patch: Patch) -> Result<(), Stop> {
        self.send(StateDelta { subagent_run_id: self.tag.clone(), ..StateDelta::new(patch) })
    }
}

fn is_longer(patch: &Patch, state: &Value) -> bool {
    let length = |text: Result<String, serde_json::Error>| text.map_or(usize::MAX, |text| text.len());
    length(serde_json::to_string(patch)) > length(serde_json::to_string(state))
}
