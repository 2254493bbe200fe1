//! Activities: structured things that are shown beside the messages.

use forestage_protocol::{
    event::{ActivityDelta, ActivitySnapshot},
    id::MessageId,
    json::Object,
    patch::{Patch, diff},
};
use serde_json::{Map, Value};

use super::RunContext;
use crate::error::Stop;

/// An activity that can be changed.
#[derive(Debug)]
pub struct Activity {
    ctx: RunContext,
    id: MessageId,
    kind: String,
    content: Value,
}

impl RunContext {
    /// Shows an activity.
    pub async fn activity(&self, kind: &str, content: Map<String, Value>) -> Result<Activity, Stop> {
        self.activity_as(self.new_id("a").into(), kind, content).await
    }

    /// Shows an activity under an id of your choice; one with this id is replaced.
    pub async fn activity_as(
        &self,
        id: MessageId,
        kind: &str,
        content: Map<String, Value>,
    ) -> Result<Activity, Stop> {
        let event = ActivitySnapshot::new(&id, kind, Object::from(content.clone()));
        self.emit(ActivitySnapshot { subagent_run_id: self.tag.clone(), ..event }).await?;
        Ok(Activity { ctx: self.clone(), id, kind: kind.to_owned(), content: Value::Object(content) })
    }

    /// Changes an activity by a JSON Patch.
    pub async fn patch_activity(&self, id: &MessageId, kind: &str, patch: Patch) -> Result<(), Stop> {
        let event = ActivityDelta::new(id, kind, patch);
        self.emit(ActivityDelta { subagent_run_id: self.tag.clone(), ..event }).await
    }
}

impl Activity {
    /// The message that shows it.
    #[must_use]
    pub fn id(&self) -> &MessageId {
        &self.id
    }

    /// Makes this its content. Clients get the difference.
    pub async fn update(&mut self, content: Map<String, Value>) -> Result<(), Stop> {
        let content = Value::Object(content);
        let patch = diff(&self.content, &content);
        if patch.0.is_empty() {
            return Ok(());
        }
        self.content = content;
        self.ctx.patch_activity(&self.id, &self.kind, patch).await
    }
}
