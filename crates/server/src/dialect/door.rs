//! What the doors of all dialects do: read a body, begin a run, look at what waits.

use forestage_protocol::{event::Event, id::ThreadId, input::RunAgentInput, interrupt::Interrupt};
use forestage_runtime::{Batch, Cursor, OnBusy, RefusalKind, StartRun, Started};
use forestage_store::{Entry, InterruptQuery, RunRecord, Seq, Thread};
use serde_json::{Map, Value};

use super::shape::{camel, without_nulls};
use crate::{app::App, auth::Visitor, error::ApiError, once};

/// The object that a text holds, in camelCase and without nulls.
pub(super) fn object_of(text: &str, what: &str) -> Result<Map<String, Value>, ApiError> {
    let value = once::read(text)?;
    let Value::Object(mut object) = value else {
        let code = if what == "frame" { "invalid_frame" } else { "invalid_input" };
        return Err(ApiError::bad_request(code, format!("a {what} is a JSON object")));
    };
    camel(&mut object)?;
    without_nulls(&mut object);
    Ok(object)
}

/// Begins a run of the caller's.
pub(super) async fn begin(
    app: &App,
    caller: &Visitor,
    agent: &str,
    input: RunAgentInput,
    on_busy: OnBusy,
) -> Result<Started, ApiError> {
    let decider = Some(caller.decider());
    let request = StartRun { on_busy, decider, ..StartRun::new(agent, input, &caller.user) };
    Ok(app.stage.start(request).await?)
}

/// A thread of the caller's. One of somebody else is not there.
pub(super) async fn find(
    app: &App,
    caller: &Visitor,
    thread_id: &ThreadId,
) -> Result<Option<Thread>, ApiError> {
    match app.stage.thread(&caller.user, thread_id).await {
        Err(refusal) if refusal.kind == RefusalKind::NotFound => Ok(None),
        found => Ok(Some(found?)),
    }
}

/// The questions that wait on a thread.
pub(super) async fn pending(
    app: &App,
    caller: &Visitor,
    thread_id: &ThreadId,
) -> Result<Vec<Interrupt>, ApiError> {
    let query =
        InterruptQuery { thread_id: Some(thread_id.clone()), ..InterruptQuery::of(caller.user.as_str()) };
    let records = app.stage.store().interrupts(query).await?;
    Ok(records.iter().filter_map(|record| serde_json::from_slice(&record.json).ok()).collect())
}

/// The place right before a run.
pub(super) fn before(run: &RunRecord) -> Seq {
    Seq(run.first.0.saturating_sub(1))
}

/// The events of a batch.
pub(super) fn events(batch: &Batch) -> Vec<Event> {
    batch.entries().iter().filter_map(event).collect()
}

/// The events of a batch, each with the place behind it.
pub(super) fn marked_events(batch: &Batch) -> Vec<(Event, Cursor)> {
    let entries = batch.entries().iter();
    entries.filter_map(|entry| Some((event(entry)?, batch.cursor(entry)))).collect()
}

fn event(entry: &Entry) -> Option<Event> {
    Event::from_json(std::str::from_utf8(&entry.json).ok()?).ok()
}
