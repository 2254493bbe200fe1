//! How far a call has come, shown as an activity.

use std::sync::Arc;

use forestage_protocol::id::{MessageId, ToolCallId};
use serde_json::{Map, Value};
use tokio::sync::Mutex;

use crate::context::{Activity, RunContext};

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
            None => {
                let id = MessageId::from(format!("{}.progress", shown.call));
                let begun = shown.ctx.activity_as(id, PROGRESS, content).await;
                begun.map(|begun| *activity = Some(begun))
            }
        };
    }
}
