//! Questions whose time is over, and decisions that a dead process left behind.

use std::{sync::Arc, time::Duration};

use forestage_protocol::{
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::Json,
};
use forestage_store::{Decide, Decided, InterruptRecord, StoreError};
use serde_json::json;

use super::{Decider, Terms, decided, question};
use crate::{Stage, clock};

/// So often it looks.
const EVERY: Duration = Duration::from_secs(1);

/// So many at once.
const AT_ONCE: usize = 64;

/// Begins to look after questions. It ends with the stage.
pub(crate) fn start(stage: &Arc<Stage>) {
    let (weak, closing) = (Arc::downgrade(stage), stage.closing.clone());
    tokio::spawn(async move {
        loop {
            let Some(patience) = weak.upgrade().map(|stage| stage.patience.clone()) else { return };
            tokio::select! {
                () = closing.cancelled() => return,
                () = patience.hurried() => {}
                () = tokio::time::sleep(EVERY) => {}
            }
            let Some(stage) = weak.upgrade() else { return };
            if let Err(error) = look_after(&stage).await {
                tracing::warn!(%error, "questions could not be looked after; it is tried again");
            }
        }
    });
}

async fn look_after(stage: &Arc<Stage>) -> Result<(), StoreError> {
    for record in stage.store.due_interrupts(clock::now(), AT_ONCE).await? {
        expire(stage, &record).await?;
    }
    // Those that wait for something else must not keep others from their turn.
    let known = stage.patience.len();
    for thread_id in stage.store.resumable(AT_ONCE + known).await? {
        if !stage.patience.holds(&thread_id) {
            stage.carry(&thread_id).await;
        }
    }
    for thread_id in stage.patience.due() {
        stage.carry_again(&thread_id).await?;
    }
    Ok(())
}

/// Decides a question as its terms say.
async fn expire(stage: &Arc<Stage>, record: &InterruptRecord) -> Result<(), StoreError> {
    let Ok(question) = question(record) else { return Ok(()) };
    let entry = default_answer(&question);
    let who = Decider::server("expiry");
    let at = clock::now();
    let mut on_record = decided(&who, record, &question, &entry, at);
    "expired".clone_into(&mut on_record.kind);
    let decide = Decide {
        thread_id: record.thread_id.clone(),
        interrupt_id: record.id.clone(),
        status: "expired".to_owned(),
        json: serde_json::to_vec(&entry).unwrap_or_default().into(),
        by: who.user,
        at,
        vote: false,
        audit: vec![on_record],
        rules: Vec::new(),
    };
    if let Decided::Decided(record) = stage.store.decide(decide).await? {
        stage.carry(&record.thread_id).await;
    }
    Ok(())
}

/// What silence means. Unless a question says otherwise, that it is withdrawn.
fn default_answer(question: &Interrupt) -> ResumeEntry {
    let says =
        |approved| Some(Json::from(json!({ "approved": approved, "reason": "nobody decided in time" })));
    let (status, payload) = match Terms::of(question).on_expiry.as_deref() {
        Some("approve") => (ResumeStatus::Resolved, says(true)),
        Some("reject") => (ResumeStatus::Resolved, says(false)),
        _ => (ResumeStatus::Cancelled, None),
    };
    ResumeEntry { payload, ..ResumeEntry::new(question.id.clone(), status) }
}
