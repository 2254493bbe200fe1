//! The state.

use super::{Applied, Change, ThreadView};
use crate::event::{StateDelta, StateSnapshot};

impl ThreadView {
    pub(super) fn replace_state(&mut self, event: &StateSnapshot) -> Applied {
        match event.snapshot.to_value() {
            Ok(state) => {
                self.state = state;
                Change::State.into()
            }
            Err(error) => Applied::ignored("state_unreadable", format!("the state was kept: {error}")),
        }
    }

    /// Applies the whole patch or nothing of it; a patch that does not fit does not end the run.
    pub(super) fn patch_state(&mut self, event: &StateDelta) -> Applied {
        match event.delta.apply(&mut self.state) {
            Ok(()) => Change::State.into(),
            Err(error) => Applied::ignored("patch_failed", format!("Failed to apply state patch: {error}")),
        }
    }
}
