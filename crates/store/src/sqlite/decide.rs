//! Decisions: recorded on their own, or carried in by a run.

use forestage_protocol::id::RunId;
use rusqlite::{Connection, params};

use super::{audit, index, interrupt, rule};
use crate::{Answer, AppendError, Decide, Decided, Decision};

pub(super) fn decide(db: &Connection, decide: &Decide) -> rusqlite::Result<Decided> {
    let Some(thread) = index::key(db, &decide.thread_id)? else { return Ok(Decided::Unknown) };
    let Some(before) = interrupt::find(db, &decide.thread_id, &decide.interrupt_id)? else {
        return Ok(Decided::Unknown);
    };
    let decided = before.decided(decide);
    match &decided {
        Decided::Unknown | Decided::Already(_) => return Ok(decided),
        Decided::Counted(_) => {}
        Decided::Decided(record) => {
            let decision = record.decision.as_ref().expect("it was just decided");
            settle(db, thread, &decide.interrupt_id, decision)?;
        }
    }
    if decide.vote {
        vote(db, thread, decide)?;
    }
    audit::add_all(db, &decide.audit)?;
    rule::put_all(db, &decide.rules)?;
    Ok(decided)
}

fn vote(db: &Connection, thread: i64, decide: &Decide) -> rusqlite::Result<()> {
    db.prepare_cached("INSERT INTO vote (thread, interrupt, made_by, at, json) VALUES (?1, ?2, ?3, ?4, ?5)")?
        .execute(params![thread, decide.interrupt_id.as_str(), decide.by, decide.at, &decide.json[..]])?;
    Ok(())
}

fn settle(db: &Connection, thread: i64, id: &str, decision: &Decision) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE interrupt SET status = ?3, answer = ?4, decided_by = ?5, decided_at = ?6, decided_run = ?7
         WHERE thread = ?1 AND id = ?2",
    )?
    .execute(params![
        thread,
        id,
        decision.status,
        &decision.json[..],
        decision.by,
        decision.at,
        decision.run_id.as_deref()
    ])?;
    Ok(())
}

/// Why an append with these answers is refused, if it is: each has to be to a pending interrupt or to be the
/// decision that waits to be carried, and to another one.
pub(super) fn refusal(
    db: &Connection,
    append: &crate::Append,
    answers: &[Answer],
) -> rusqlite::Result<Option<AppendError>> {
    for (index, answer) in answers.iter().enumerate() {
        let known = interrupt::find(db, &append.thread_id, &answer.interrupt_id)?;
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
pub(super) fn carry(
    db: &Connection,
    thread: i64,
    answer: &Answer,
    at: i64,
    run_id: &RunId,
) -> rusqlite::Result<()> {
    db.prepare_cached(
        "UPDATE interrupt SET status = ?3, answer = ?4, decided_by = ifnull(decided_by, ?5),
                              decided_at = ifnull(decided_at, ?6), decided_run = ?7
         WHERE thread = ?1 AND id = ?2",
    )?
    .execute(params![
        thread,
        answer.interrupt_id.as_str(),
        answer.status,
        &answer.json[..],
        answer.by,
        at,
        run_id.as_str()
    ])?;
    Ok(())
}
