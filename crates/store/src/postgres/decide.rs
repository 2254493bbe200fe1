//! Decisions: recorded on their own, or carried in by a run.

use forestage_protocol::id::{RunId, ThreadId};

use super::{failure::Failure, index, interrupt, rule, transaction::Transaction, wake::News};
use crate::{Answer, AppendError, Decide, Decided, Decision};

/// The thread is locked, so of several people who decide at once one comes first.
pub(super) async fn decide(tx: &Transaction, decide: &Decide) -> Result<Decided, Failure> {
    let Some(thread) = index::lock(tx, &decide.thread_id).await? else { return Ok(Decided::Unknown) };
    let Some(before) = interrupt::find(tx, &decide.thread_id, &decide.interrupt_id).await? else {
        return Ok(Decided::Unknown);
    };
    let decided = before.decided(decide);
    match &decided {
        Decided::Unknown | Decided::Already(_) => return Ok(decided),
        Decided::Counted(_) => {}
        Decided::Decided(record) => {
            let decision = record.decision.as_ref().expect("it was just decided");
            settle(tx, thread.key, &decide.interrupt_id, decision).await?;
        }
    }
    if decide.vote {
        vote(tx, thread.key, decide).await?;
    }
    rule::put_all(tx, &decide.rules).await?;
    tx.seal_all(&decide.audit);
    tx.tell(News::Inbox);
    Ok(decided)
}

async fn vote(tx: &Transaction, thread: i64, decide: &Decide) -> Result<(), Failure> {
    tx.execute(
        "INSERT INTO vote (thread, interrupt, made_by, at, json) VALUES ($1, $2, $3, $4, $5)",
        &[&thread, &decide.interrupt_id.as_str(), &decide.by, &decide.at, &&decide.json[..]],
    )
    .await?;
    Ok(())
}

async fn settle(tx: &Transaction, thread: i64, id: &str, decision: &Decision) -> Result<(), Failure> {
    tx.execute(
        "UPDATE interrupt SET status = $3, answer = $4, decided_by = $5, decided_at = $6, decided_run = $7
         WHERE thread = $1 AND id = $2",
        &[
            &thread,
            &id,
            &decision.status,
            &&decision.json[..],
            &decision.by,
            &decision.at,
            &decision.run_id.as_deref(),
        ],
    )
    .await?;
    Ok(())
}

/// Why an append with these answers is refused, if it is: each has to be to a pending interrupt or to be the
/// decision that waits to be carried, and to another one.
pub(super) async fn refusal(
    tx: &Transaction,
    thread_id: &ThreadId,
    answers: &[Answer],
) -> Result<Option<AppendError>, Failure> {
    for (index, answer) in answers.iter().enumerate() {
        let known = interrupt::find(tx, thread_id, &answer.interrupt_id).await?;
        let earlier = answers[..index].iter().find(|other| other.interrupt_id == answer.interrupt_id);
        let decision = known.as_ref().and_then(|known| known.decision.as_ref());
        let fits = known.is_some() && decision.is_none_or(|decision| decision.waits_for(answer));
        if !fits || earlier.is_some() {
            let by = decision.map(|decision| &decision.by).or(earlier.map(|other| &other.by));
            let interrupt_id = answer.interrupt_id.clone();
            return Ok(Some(AppendError::NotPending { interrupt_id, decided_by: by.cloned() }));
        }
    }
    Ok(None)
}

/// Notes the run that carries an answer in, which decides what was pending.
pub(super) async fn carry(
    tx: &Transaction,
    thread: i64,
    answer: &Answer,
    at: i64,
    run_id: &RunId,
) -> Result<(), Failure> {
    tx.execute(
        "UPDATE interrupt SET status = $3, answer = $4, decided_by = coalesce(decided_by, $5),
                              decided_at = coalesce(decided_at, $6), decided_run = $7
         WHERE thread = $1 AND id = $2",
        &[
            &thread,
            &answer.interrupt_id.as_str(),
            &answer.status,
            &&answer.json[..],
            &answer.by,
            &at,
            &run_id.as_str(),
        ],
    )
    .await?;
    Ok(())
}
