//! The state and the activities.

use forestage_protocol::{message::Message, patch::Patch};
use serde_json::{Map, Value};

use super::{Scene, state_error};
use crate::{
    AgentError, RunContext,
    script::{
        file::{Change, Op},
        step::Activity,
        value::{Env, Fields},
    },
};

impl Scene<'_> {
    /// Gives a thread without a state the one that the script begins with.
    pub(super) async fn begin_state(&mut self, ctx: &RunContext) -> Result<(), AgentError> {
        match &self.script.state {
            Some(state) if is_empty(&ctx.state()) => self.state(ctx, state).await,
            _ => Ok(()),
        }
    }

    pub(super) async fn state(&self, ctx: &RunContext, state: &Fields) -> Result<(), AgentError> {
        let state = self.object(state, "state")?;
        ctx.send_state(&state).await.map_err(state_error)
    }

    pub(super) async fn patch(&self, ctx: &RunContext, patch: &[Change]) -> Result<(), AgentError> {
        ctx.patch_state(filled(patch, &self.env)?).await.map_err(state_error)
    }

    pub(super) async fn activity(&mut self, ctx: &RunContext, activity: &Activity) -> Result<(), AgentError> {
        let id = activity.id.as_ref().map(|id| id.text(&self.env));
        let kind = activity.kind.as_ref().map(|kind| kind.text(&self.env));
        if let Some(content) = &activity.content {
            let content = self.object(content, "content")?;
            let id = id.unwrap_or_else(|| ctx.new_id("a"));
            let kind = kind.unwrap_or_default();
            ctx.activity_as(id.as_str().into(), &kind, content).await?;
            self.activities.insert(id, kind);
            return Ok(());
        }
        let (id, patch) = (id.unwrap_or_default(), activity.patch.as_deref().unwrap_or_default());
        let kind = kind.or_else(|| self.kind_of(ctx, &id)).ok_or_else(|| no_activity(&id))?;
        Ok(ctx.patch_activity(&id.into(), &kind, filled(patch, &self.env)?).await?)
    }

    /// The kind of an activity that was shown in this run or before.
    fn kind_of(&self, ctx: &RunContext, id: &str) -> Option<String> {
        let before = || {
            ctx.messages().iter().find_map(|message| match message {
                Message::Activity(activity) if &*activity.id == id => Some(activity.activity_type.clone()),
                _ => None,
            })
        };
        self.activities.get(id).cloned().or_else(before)
    }
}

fn no_activity(id: &str) -> AgentError {
    AgentError::new("script_error", format!("there is no activity `{id}` to change"))
}

/// Whether a thread has no state yet.
fn is_empty(state: &Value) -> bool {
    state.is_null() || state.as_object().is_some_and(Map::is_empty)
}

fn filled(patch: &[Change], env: &Env) -> Result<Patch, AgentError> {
    let operations = patch.iter().map(|change| operation(change, env)).collect();
    serde_json::from_value(operations)
        .map_err(|error| AgentError::new("script_error", format!("the patch is none: {error}")))
}

fn operation(change: &Change, env: &Env) -> Value {
    let op = match change.op {
        Op::Add => "add",
        Op::Remove => "remove",
        Op::Replace => "replace",
        Op::Move => "move",
        Op::Copy => "copy",
        Op::Test => "test",
    };
    let mut operation = Map::new();
    operation.insert("op".to_owned(), op.into());
    operation.insert("path".to_owned(), change.path.text(env).into());
    if let Some(from) = &change.from {
        operation.insert("from".to_owned(), from.text(env).into());
    }
    if let Some(value) = &change.value {
        operation.insert("value".to_owned(), value.value(env));
    }
    Value::Object(operation)
}
