//! Runs whose process died, or whose end could not be written: closed in order, so that no thread is stuck.

use forestage_protocol::{
    event::{Event, RunError},
    message::Message,
};
use forestage_store::{Append, AppendError, Boundary, Lease, RunRecord, Seq, StoreError, Thread};

use super::outbox::Pen;
use crate::{
    Stage, clock,
    log::live::Failure,
    surface::{given_up, is_unfinished},
    thread::{Folded, fold_run, load, utterance},
};

/// Ends what a lost run left open, then the run, with the code `run_lost`, or `store_unavailable` where a run of this process
/// could not be written to its end. What it finished stays.
pub(crate) async fn close_lost(
    stage: &Stage,
    thread: &Thread,
    run: &RunRecord,
    lease: &Lease,
) -> Result<(), StoreError> {
    let store = &*stage.store;
    let failure = stage.lives.failure(&thread.id).filter(|failure| failure.run_id == run.run_id);
    let mut folded = load(store, thread, run.parent.as_ref()).await?.unwrap_or_default();
    let run = RunRecord { last: thread.tail.max(run.last), ..run.clone() };
    fold_run(store, &run, &mut folded).await?;
    let events = closing(&mut folded, failure.as_deref());
    let messages = folded.view.messages().count() as u64;
    let ended =
        Boundary::Ended { end: "error".to_owned(), at: clock::now(), messages, interrupts: Vec::new() };
    let append = Append::new(&thread.id, &run.run_id, lease.fence, tail(thread), events).with_boundary(ended);
    let append = Append { utterances: utterance::of_turn(&folded), ..append };
    match store.append(append).await {
        Ok(_) => {
            stage.lives.closed(&thread.id);
            tracing::info!(thread = %thread.id, run = %run.run_id, "closed a run that was lost");
        }
        // It is tried again when the store can be written.
        Err(AppendError::Store(error)) => return Err(error),
        // Somebody else was faster, or the thread is gone: then it is not ours to close.
        Err(error) => {
            tracing::info!(thread = %thread.id, run = %run.run_id, %error, "a lost run was not closed")
        }
    }
    Ok(())
}

fn closing(folded: &mut Folded, failure: Option<&Failure>) -> Vec<bytes::Bytes> {
    let (code, message) = match failure {
        Some(_) => ("store_unavailable", "the store could not be written; what was said until then is kept"),
        None => ("run_lost", "the server process that ran this was lost; what was said until then is kept"),
    };
    let lost = RunError { code: Some(code.to_owned()), ..RunError::new(message) };
    let mut events = folded.open.closing();
    events.extend(folded.view.messages().filter_map(|message| match message {
        Message::Activity(it) if is_unfinished(&it.activity_type, &it.content) => {
            Some(given_up(&it.id, &it.content))
        }
        _ => None,
    }));
    events.push(Event::from(lost));
    events.iter().for_each(|event| folded.apply(event));
    let mut pen = Pen::default();
    events.iter_mut().for_each(|event| {
        pen.write(event);
    });
    pen.take()
}

fn tail(thread: &Thread) -> Seq {
    thread.tail
}
