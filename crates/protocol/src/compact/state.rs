//! States of one owner in a row, folded into one snapshot.
//!
//! Nothing else reads the state, so the snapshot may stand anywhere in its run; it stands where the last of
//! the row stood, so that a reader never sees a state before it was complete.

use serde_json::Value;

use super::{Position, content::merge_metadata, push};
use crate::{
    event::{Event, StateDelta, StateSnapshot},
    json::Json,
};

/// The row under way, if it began with a snapshot that can be read.
#[derive(Debug, Default)]
pub(super) struct State {
    row: Option<Row>,
}

#[derive(Debug)]
struct Row {
    at: Position,
    value: Value,
    patched: bool,
}

impl State {
    pub(super) fn replace(&mut self, event: StateSnapshot, out: &mut Vec<Option<Event>>) {
        let has_origin = event.base.raw_event.is_some();
        let before = self.settle(out);
        // A state that cannot be read is not applied either, so it replaces nothing.
        let Ok(value) = event.snapshot.to_value() else {
            push(out, event);
            return;
        };
        let at = match before.and_then(|at| take_if(out, at, &event.subagent_run_id)) {
            Some(replaced) if !has_origin => {
                let mut base = replaced.base;
                merge_metadata(&mut base, event.base);
                push(out, StateSnapshot { base, ..event })
            }
            Some(replaced) => {
                // What carries a provider's event stays apart, and so does what stood before it.
                push(out, replaced);
                push(out, event)
            }
            None => push(out, event),
        };
        self.row = (!has_origin).then_some(Row { at, value, patched: false });
    }

    pub(super) fn patch(&mut self, event: StateDelta, out: &mut Vec<Option<Event>>) {
        let fits = self.row.as_ref().is_some_and(|row| {
            event.base.raw_event.is_none() && owner_at(out, row.at) == Some(&event.subagent_run_id)
        });
        let Some(row) = self.row.as_mut().filter(|_| fits) else {
            self.settle(out);
            push(out, event);
            return;
        };
        if event.delta.apply(&mut row.value).is_err() {
            return;
        }
        row.patched = true;
        if let Some(Event::StateSnapshot(mut snapshot)) = out[row.at].take() {
            merge_metadata(&mut snapshot.base, event.base);
            row.at = push(out, snapshot);
        }
    }

    /// Ends the row and writes its state. Returns where it stands.
    pub(super) fn settle(&mut self, out: &mut [Option<Event>]) -> Option<Position> {
        let row = self.row.take()?;
        if row.patched
            && let Some(Event::StateSnapshot(snapshot)) = &mut out[row.at]
        {
            snapshot.snapshot = Json::from(row.value);
        }
        Some(row.at)
    }
}

fn owner_at(out: &[Option<Event>], at: Position) -> Option<&Option<crate::id::SubagentRunId>> {
    match &out[at] {
        Some(Event::StateSnapshot(snapshot)) => Some(&snapshot.subagent_run_id),
        _ => None,
    }
}

/// Takes the snapshot out of the output if it has this owner.
fn take_if(
    out: &mut [Option<Event>],
    at: Position,
    owner: &Option<crate::id::SubagentRunId>,
) -> Option<StateSnapshot> {
    if owner_at(out, at) != Some(owner) {
        return None;
    }
    match out[at].take() {
        Some(Event::StateSnapshot(snapshot)) => Some(snapshot),
        _ => None,
    }
}
