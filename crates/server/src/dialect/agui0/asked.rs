//! The questions that a thread has asked so far, for clients that are shown them as text.

use forestage_protocol::{event::Event, id::ThreadId};
use forestage_store::{RunRecord, Seq, Thread};

use super::{
    encode::{Finder, Questions},
    version::Protocol,
};
use crate::{app::App, error::ApiError};

/// Reads the questions up to a place. The log is read only for a line that shows questions as text, on a thread that has
/// asked any.
pub(crate) async fn questions_before(
    app: &App,
    protocol: Protocol,
    thread_id: &ThreadId,
    until: Seq,
) -> Result<Questions, ApiError> {
    let is_told = protocol.line().is_some_and(|line| line.shows_questions_as_text());
    if !is_told || !has_asked(app, thread_id, until).await? {
        return Ok(Questions::default());
    }
    match app.stage.store().thread(thread_id.clone()).await? {
        Some(thread) => find(app, &Thread { tail: until, ..thread }).await,
        None => Ok(Questions::default()),
    }
}

async fn has_asked(app: &App, thread_id: &ThreadId, until: Seq) -> Result<bool, ApiError> {
    let runs = app.stage.store().runs(thread_id.clone()).await?;
    let has_asked = |run: &RunRecord| run.last <= until && run.end.as_deref() == Some("interrupt");
    Ok(runs.iter().any(has_asked))
}

/// Reads a thread from its beginning to its tail.
async fn find(app: &App, thread: &Thread) -> Result<Questions, ApiError> {
    let mut finder = Finder::default();
    let mut follower = app.stage.read(thread, Seq::START);
    while let Some(batch) = follower.next().await? {
        let texts = batch.entries().iter().filter_map(|entry| std::str::from_utf8(&entry.json).ok());
        for event in texts.filter_map(|text| Event::from_json(text).ok()) {
            finder.take(&event);
        }
    }
    Ok(finder.into_questions())
}
