//! Changes of an activity, folded into its snapshot.

use std::collections::HashMap;

use super::{Position, content::merge_metadata, families::SharedIds, push};
use crate::{
    apply::patch_object,
    event::{ActivityDelta, ActivitySnapshot, Event},
    id::{MessageId, SubagentRunId},
};

/// Where the snapshot of each activity stands that later changes can be folded into.
#[derive(Debug)]
pub(super) struct Activities {
    snapshots: HashMap<MessageId, Position>,
    shared: SharedIds,
}

impl Activities {
    pub(super) fn new(shared: SharedIds) -> Self {
        Self { snapshots: HashMap::new(), shared }
    }

    pub(super) fn settle(&mut self) {
        self.snapshots.clear();
    }

    pub(super) fn set(&mut self, event: ActivitySnapshot, out: &mut Vec<Option<Event>>) {
        let foldable = event.base.raw_event.is_none() && !self.shared.contains(&event.message_id);
        let replaces = event.replace != Some(false);
        match self.snapshot_mut(&event.message_id, out) {
            Some(held) if foldable && !replaces => merge_metadata(&mut held.base, event.base),
            Some(held) if foldable && held.subagent_run_id == event.subagent_run_id => {
                held.content = event.content;
                held.activity_type = event.activity_type;
                merge_metadata(&mut held.base, event.base);
            }
            _ => {
                let id = event.message_id.clone();
                let at = push(out, event);
                if foldable && replaces {
                    self.snapshots.insert(id, at);
                } else {
                    self.snapshots.remove(&id);
                }
            }
        }
    }

    /// A change that cannot be applied is nothing but its metadata.
    pub(super) fn patch(&mut self, event: ActivityDelta, out: &mut Vec<Option<Event>>) {
        let foldable = event.base.raw_event.is_none();
        match self.snapshot_mut(&event.message_id, out) {
            Some(held) if foldable && agrees(&event.subagent_run_id, &held.subagent_run_id) => {
                if patch_object(&mut held.content, &event.patch).is_ok() {
                    held.activity_type = event.activity_type;
                }
                merge_metadata(&mut held.base, event.base);
            }
            _ => {
                self.snapshots.remove(&event.message_id);
                push(out, event);
            }
        }
    }

    fn snapshot_mut<'out>(
        &self,
        id: &MessageId,
        out: &'out mut [Option<Event>],
    ) -> Option<&'out mut ActivitySnapshot> {
        match out[*self.snapshots.get(id)?].as_mut() {
            Some(Event::ActivitySnapshot(snapshot)) => Some(snapshot),
            _ => None,
        }
    }
}

fn agrees(tag: &Option<SubagentRunId>, owner: &Option<SubagentRunId>) -> bool {
    tag.is_none() || tag == owner
}
