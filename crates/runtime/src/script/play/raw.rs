//! Events as they are written.

use forestage_protocol::event::{Event, RunFinished};
use serde_json::Value;

use super::Scene;
use crate::{AgentError, RunContext, Stop, script::value::Fields};

impl Scene<'_> {
    pub(super) async fn raw(&mut self, ctx: &RunContext, event: &Fields) -> Result<(), AgentError> {
        let text = Value::Object(self.object(event, "raw")?).to_string();
        let event = Event::from_json(&text)
            .map_err(|fault| AgentError::new("invalid_event", format!("`raw` is no AG-UI event: {fault}")))?;
        if is_boundary(&event) {
            let kind = event.event_type().as_str();
            let message = format!("`raw` cannot send {kind}: runs begin and end by themselves");
            return Err(AgentError::new("invalid_event", message));
        }
        self.expand(ctx, event).await
    }

    async fn expand(&mut self, ctx: &RunContext, event: Event) -> Result<(), AgentError> {
        let mut events = Vec::new();
        self.expander.expand(event, &mut events).map_err(Stop::Violation)?;
        for event in events {
            ctx.emit(event).await?;
        }
        Ok(())
    }

    /// Ends what chunks have opened. The end of a run is what makes the expander do so.
    pub(super) async fn end_chunks(&mut self, ctx: &RunContext) -> Result<(), AgentError> {
        let end = Event::from(RunFinished::new(ctx.thread_id(), ctx.run_id()));
        if self.expander.passes(&end) {
            return Ok(());
        }
        let mut events = Vec::new();
        self.expander.expand(end, &mut events).map_err(Stop::Violation)?;
        for event in events.into_iter().filter(|event| !is_boundary(event)) {
            ctx.emit(event).await?;
        }
        Ok(())
    }
}

fn is_boundary(event: &Event) -> bool {
    matches!(event, Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_))
}
