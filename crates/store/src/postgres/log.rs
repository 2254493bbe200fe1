//! The log: what an append does, all of it in one transaction.

use forestage_protocol::id::{RunId, ThreadId};

use super::{
    block, decide, failure::Failure, index, interrupt, pool::Db, rule, transaction::Transaction, utterance,
    wake::News,
};
use crate::{Append, AppendError, Boundary, Creation, Entry, Fence, Seq, block::signed, body::Body};

pub(super) async fn append(
    tx: &Transaction,
    append: &Append,
    body: &Body,
) -> Result<Result<Seq, AppendError>, Failure> {
    let appended = match is_plain(append) && block::go_on(tx, append, body).await? {
        true => Ok(append.tail()),
        false => place(tx, append, body).await?,
    };
    if let Ok(tail) = &appended {
        tx.tell(News::Grown(append.thread_id.clone(), *tail));
        if append.concerns_the_inbox() {
            tx.tell(News::Inbox);
        }
    }
    Ok(appended)
}

/// Whether it does nothing but go on.
fn is_plain(append: &Append) -> bool {
    append.boundaries.is_empty()
        && append.creation.is_none()
        && append.audit.is_empty()
        && append.rules.is_empty()
        && !append.release
        && !append.events.is_empty()
}

/// Finds the place of an append, or why there is none. The row of the thread is locked first, so nobody else writes to the
/// thread until this is committed, and what is read afterwards stays true.
async fn place(tx: &Transaction, append: &Append, body: &Body) -> Result<Result<Seq, AppendError>, Failure> {
    let Some(thread) = index::lock(tx, &append.thread_id).await? else {
        return match &append.creation {
            Some(creation) => create(tx, append, body, creation).await,
            None => Ok(Err(AppendError::NoThread(append.thread_id.clone()))),
        };
    };
    if append.creation.is_some() {
        return again(tx, append, &thread).await;
    }
    if thread.fence != append.fence {
        return Ok(Err(AppendError::Fenced { given: append.fence, current: thread.fence }));
    }
    if thread.tail != append.after {
        if block::has_already(tx, thread.key, append).await? {
            return Ok(Ok(append.tail()));
        }
        return Ok(Err(AppendError::Conflict { expected: append.after, found: thread.tail }));
    }
    // Everything that can be refused is refused before anything is written.
    let run_open = run_open(tx, thread.key, &append.run_id).await?;
    if let Some(refusal) = refusal(tx, run_open, append).await? {
        return Ok(Err(refusal));
    }
    write(tx, thread.key, append, body).await?;
    Ok(Ok(append.tail()))
}

/// An append with which its thread begins.
async fn create(
    tx: &Transaction,
    append: &Append,
    body: &Body,
    creation: &Creation,
) -> Result<Result<Seq, AppendError>, Failure> {
    if append.after != Seq::START || append.fence != Fence::FIRST {
        // Nothing else fits a thread that has just begun.
        return Ok(Err(AppendError::Conflict { expected: append.after, found: Seq::START }));
    }
    if let Some(refusal) = refusal(tx, None, append).await? {
        return Ok(Err(refusal));
    }
    if let Some(key) = index::create_held(tx, &creation.thread, &creation.lease()).await? {
        write(tx, key, append, body).await?;
        return Ok(Ok(append.tail()));
    }
    // Somebody else was faster, and has committed.
    match index::lock(tx, &append.thread_id).await? {
        Some(thread) => again(tx, append, &thread).await,
        None => Ok(Err(AppendError::NoThread(append.thread_id.clone()))),
    }
}

/// A thread that was to begin is there: because of the same append, or of another.
async fn again(
    tx: &Transaction,
    append: &Append,
    thread: &index::Locked,
) -> Result<Result<Seq, AppendError>, Failure> {
    let again = thread.tail != append.after && block::has_already(tx, thread.key, append).await?;
    Ok(if again { Ok(append.tail()) } else { Err(AppendError::Exists(append.thread_id.clone())) })
}

/// Whether a run has begun, and if so whether it is open.
async fn run_open(tx: &Transaction, thread: i64, run_id: &RunId) -> Result<Option<bool>, Failure> {
    let row = tx
        .first("SELECT ended IS NULL FROM run WHERE thread = $1 AND id = $2", &[&thread, &run_id.as_str()])
        .await?;
    Ok(row.map(|row| row.try_get(0)).transpose()?)
}

async fn refusal(
    tx: &Transaction,
    run_open: Option<bool>,
    append: &Append,
) -> Result<Option<AppendError>, Failure> {
    let begins = append.boundaries.iter().any(|boundary| matches!(boundary, Boundary::Started { .. }));
    let fits = if begins { run_open.is_none() } else { run_open == Some(true) };
    if !fits {
        return Ok(Some(AppendError::RunClosed(append.run_id.clone())));
    }
    for boundary in &append.boundaries {
        if let Boundary::Started { answers, .. } = boundary
            && let Some(refusal) = decide::refusal(tx, &append.thread_id, answers).await?
        {
            return Ok(Some(refusal));
        }
    }
    Ok(None)
}

async fn write(tx: &Transaction, thread: i64, append: &Append, body: &Body) -> Result<(), Failure> {
    let boundaries = async {
        for boundary in &append.boundaries {
            note(tx, thread, append, boundary).await?;
        }
        rule::put_all(tx, &append.rules).await?;
        utterance::put_all(tx, thread, &append.utterances).await
    };
    tokio::try_join!(block::insert(tx, thread, append, body), move_on(tx, thread, append), boundaries)?;
    tx.seal_all(&append.audit);
    Ok(())
}

/// Keeps the row of the thread in step with its log.
async fn move_on(tx: &Transaction, thread: i64, append: &Append) -> Result<(), Failure> {
    let (mut head, mut runs, mut at, mut messages) = (None, 0_i64, None, None);
    for boundary in &append.boundaries {
        match boundary {
            Boundary::Started { at: when, .. } => {
                (head, at) = (Some(append.run_id.as_str()), Some(*when));
                runs += 1;
            }
            Boundary::Ended { at: when, messages: count, .. } => {
                (messages, at) = (Some(count.cast_signed()), Some(*when));
            }
        }
    }
    tx.execute(
        "UPDATE thread SET tail = $2, head = coalesce($3, head), runs = runs + $4,
             updated_at = coalesce($5, updated_at), messages = coalesce($6, messages),
             holder = CASE WHEN $7 THEN NULL ELSE holder END,
             expires_at = CASE WHEN $7 THEN NULL ELSE expires_at END WHERE key = $1",
        &[&thread, &signed(append.tail()), &head, &runs, &at, &messages, &append.release],
    )
    .await?;
    Ok(())
}

/// Keeps the runs and interrupts in step with the log.
async fn note(tx: &Transaction, thread: i64, append: &Append, boundary: &Boundary) -> Result<(), Failure> {
    let run = append.run_id.as_str();
    match boundary {
        Boundary::Started { request_hash, agent, parent, at, answers } => {
            tx.execute(
                "INSERT INTO run (thread, id, agent, parent, request_hash, first, started_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7)",
                &[
                    &thread,
                    &run,
                    agent,
                    &parent.as_deref(),
                    &request_hash.cast_signed(),
                    &signed(append.after.forward(1)),
                    at,
                ],
            )
            .await?;
            for answer in answers {
                decide::carry(tx, thread, answer, *at, &append.run_id).await?;
            }
        }
        Boundary::Ended { end, at, interrupts, .. } => {
            tx.execute(
                "UPDATE run SET last = $3, ended = $4, ended_at = $5 WHERE thread = $1 AND id = $2",
                &[&thread, &run, &signed(append.tail()), end, at],
            )
            .await?;
            for new in interrupts {
                interrupt::ask(tx, thread, new, *at, &append.run_id).await?;
            }
        }
    }
    Ok(())
}

pub(super) async fn read(
    db: &Db,
    thread_id: &ThreadId,
    after: Seq,
    until: Seq,
    limit: usize,
) -> Result<Vec<Entry>, Failure> {
    block::entries(db, thread_id, after, until, limit).await
}
