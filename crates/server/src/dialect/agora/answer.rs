//! Answers to requests for approval.

use axum::http::StatusCode;
use forestage_protocol::id::{InterruptId, ThreadId};
use forestage_runtime::{Ruling, Started, Verdict};
use forestage_store::{InterruptQuery, InterruptRecord};
use serde_json::{Value, json};

use super::{
    asked::{Place, qualified},
    desk::Desk,
    payload::Approval,
};
use crate::error::ApiError;

impl Desk {
    /// Decides as a client says.
    pub(super) async fn approve(&self, approval: Approval) -> Result<(), ApiError> {
        let Approval { approval_id, thread_id, approved, feedback } = approval;
        let mut payload = json!({ "approved": approved });
        if let Some(feedback) = feedback {
            payload["reason"] = feedback.into();
        }
        let shown = self.asked.find(&approval_id);
        let shown = shown.filter(|(shown, _)| thread_id.as_ref().is_none_or(|thread| thread == shown));
        let (thread, id) = match shown {
            Some((thread, id)) => (Some(thread), id),
            None => self.place_of(thread_id, approval_id).await?,
        };
        self.decide(&id, thread.as_ref(), payload).await
    }

    /// Decides. Whoever shows the run shows what follows; if that is nobody, we do.
    pub(super) async fn decide(
        &self,
        id: &InterruptId,
        thread: Option<&ThreadId>,
        payload: Value,
    ) -> Result<(), ApiError> {
        let (who, verdict, stage) = (self.caller.decider(), Verdict::resolved(payload), &self.app.stage);
        let ruling: Ruling = match thread {
            Some(thread) => stage.decide_on(&who, thread, id, verdict).await?,
            None => stage.decide(&who, id, verdict).await?,
        };
        match ruling.run {
            Some(Started { thread_id, run_id, .. }) if !self.shown.holds(&thread_id).await => {
                self.show_run(&thread_id, &run_id).await
            }
            _ => Ok(()),
        }
    }

    /// Where a request waits that was shown on an earlier socket or elsewhere. Of several threads, it is the one that is
    /// shown here.
    async fn place_of(
        &self,
        thread: Option<ThreadId>,
        id: InterruptId,
    ) -> Result<(Option<ThreadId>, InterruptId), ApiError> {
        let query = InterruptQuery { limit: 10_000, ..InterruptQuery::of(self.caller.viewer()) };
        let records = self.app.stage.store().interrupts(query).await?;
        let is_meant = |record: &InterruptRecord| {
            let is_it = record.id == id || qualified(&record.thread_id, &record.id) == *id;
            is_it && thread.as_ref().is_none_or(|thread| *thread == record.thread_id)
        };
        let meant = records.into_iter().filter(is_meant).map(|record| (record.thread_id, record.id));
        let mut waiting: Vec<_> = meant.collect();
        if waiting.len() > 1 {
            waiting = self.shown_of(waiting).await;
            if waiting.len() != 1 {
                return Err(ambiguous(&id));
            }
        }
        // What waits nowhere is refused by the stage, which knows whether it was decided.
        Ok(waiting.pop().map_or((thread, id), |(thread, id)| (Some(thread), id)))
    }

    async fn shown_of(&self, places: Vec<Place>) -> Vec<Place> {
        let mut shown = Vec::new();
        for place in places {
            if self.shown.holds(&place.0).await {
                shown.push(place);
            }
        }
        shown
    }
}

fn ambiguous(id: &InterruptId) -> ApiError {
    let text = format!("several threads wait for an answer to `{id}`");
    ApiError::new(StatusCode::CONFLICT, "ambiguous_interrupt", text)
        .at("value.approvalId")
        .hint("name the thread as `threadId` in the value, or answer in the inbox")
}
