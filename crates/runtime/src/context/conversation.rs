//! The conversation as it stands now, for an agent that has to tell it to somebody else.

use forestage_protocol::{apply::ThreadView, event::Event, message::Message};
use forestage_store::StoreError;
use serde_json::Value;

use super::{RunContext, lock};
use crate::{
    error::Stop,
    thread::{each_page, event_of},
};

impl RunContext {
    /// The conversation with all that was said in this run so far, as whoever said it remembers it: what somebody still has
    /// to look at stands where it was said. For an invited agent: what it was asked, and what it said since.
    pub async fn conversation(&self) -> Result<Vec<Message>, Stop> {
        self.core.outbox.written().await?;
        let told = if self.scene.is_some() { &self.core.messages[..] } else { self.messages() };
        let mut view = ThreadView::new(told.to_vec(), Value::Null);
        self.fold_said(&mut view).await.map_err(|error| Stop::Store(error.to_string()))?;
        let Some(scene) = &self.scene else { return Ok(view.messages().cloned().collect()) };
        let mut names = lock(&self.core.record).names_of(&scene.scope);
        names.extend(self.tag.clone());
        let is_its = |message: &&Message| message.subagent_run_id().is_some_and(|id| names.contains(id));
        let said = view.messages().filter(is_its).cloned().map(|mut message| {
            message.set_subagent_run_id(None);
            message
        });
        Ok(scene.messages.iter().cloned().chain(said).collect())
    }

    async fn fold_said(&self, view: &mut ThreadView) -> Result<(), StoreError> {
        let store = &*self.core.store;
        let run = store.run(self.thread_id().clone(), self.run_id().clone()).await?;
        let thread = store.thread(self.thread_id().clone()).await?;
        let (Some(mut run), Some(thread)) = (run, thread) else { return Ok(()) };
        run.last = run.last.max(thread.tail);
        let mut events = Vec::new();
        each_page(store, &run, |page| events.extend(page.iter().filter_map(event_of))).await?;
        // What the run opened with is what the agent was told, perhaps in the words of somebody who looked at it.
        let begun = events.iter().position(|event| !is_opening(event)).unwrap_or(events.len());
        let opened = (events.len() as u64).saturating_sub(self.core.outbox.said());
        let mut held = lock(&self.core.draft).held().into_iter().peekable();
        for (at, event) in (0..).zip(&events) {
            while let Some((_, held)) = held.next_if(|(shown, _)| shown + opened <= at) {
                view.apply(&held);
            }
            if at >= begun as u64 {
                view.apply(event);
            }
        }
        held.for_each(|(_, event)| drop(view.apply(&event)));
        Ok(())
    }
}

fn is_opening(event: &Event) -> bool {
    matches!(event, Event::RunStarted(_) | Event::MessagesSnapshot(_) | Event::StateSnapshot(_))
}
