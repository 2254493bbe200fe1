//! How far a call has come, and what else it has to show, as activities.

use std::sync::Arc;

use forestage_protocol::id::{MessageId, ToolCallId};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use crate::{
    context::{Activity, RunContext},
    error::Stop,
};

/// The type of the activity.
const PROGRESS: &str = "forestage.progress";

/// Shows how far a call has come. A copy shows the same; that of a call by itself shows nothing.
#[derive(Clone, Debug, Default)]
pub struct Progress(Option<Arc<Shown>>);

#[derive(Debug)]
struct Shown {
    ctx: RunContext,
    call: ToolCallId,
    activity: Mutex<Option<Activity>>,
}

impl Shown {
    async fn begin(&self, name: &str, kind: &str, content: Map<String, Value>) -> Result<Activity, Stop> {
        let id = MessageId::from(format!("{}.{name}", self.call));
        self.ctx.activity_as(id, kind, content).await
    }
}

impl Progress {
    pub(crate) fn new(ctx: &RunContext, call: &ToolCallId) -> Self {
        Self(Some(Arc::new(Shown { ctx: ctx.clone(), call: call.clone(), activity: Mutex::default() })))
    }

    /// Makes this the content of the call's activity, which has the type `forestage.progress`; clients get the
    /// difference. Each time is an event in the log, so whoever has much to show chooses.
    pub async fn show(&self, content: Map<String, Value>) {
        let Some(shown) = &self.0 else { return };
        let mut activity = shown.activity.lock().await;
        // Where nothing can be shown any more the run is over, and it says so itself.
        let _ = match activity.as_mut() {
            Some(activity) => activity.update(content).await,
            None => shown.begin("progress", PROGRESS, content).await.map(|begun| *activity = Some(begun)),
        };
    }

    /// Shows another activity of the call, under a name that the call has once. Nothing for a call by itself, or where the
    /// run is over.
    pub async fn activity(&self, name: &str, kind: &str, content: Map<String, Value>) -> Option<Activity> {
        self.0.as_ref()?.begin(name, kind, content).await.ok()
    }
}
