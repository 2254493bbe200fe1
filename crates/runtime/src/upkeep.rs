//! What has to be done beside the runs: keep leases, close lost runs, shorten finished ones.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use forestage_protocol::message::Message;
use forestage_store::{ClaimError, LeaseLost, RunRecord, StoreError, Thread, ThreadChange};

use crate::{
    Stage, clock,
    log::Shortener,
    run::{StopReason, close_lost},
    thread::{Folded, each_page},
};

/// So many finished runs are shortened at once.
const RUNS_AT_ONCE: usize = 64;

/// A thread with no more events than this is folded quickly, whatever they say.
const FEW_EVENTS: u64 = 500;

/// For so long after the beginning, runs that somebody else has are looked at often.
const BEGINNING: Duration = Duration::from_secs(3);

/// How often that is.
const OFTEN: Duration = Duration::from_millis(200);

/// So many characters of what was said first are the title of a thread.
const TITLE_LENGTH: usize = 60;

/// While runs are under way, compaction rests so many times as long as it works.
const RESTS_PER_WORK: u32 = 19;

/// Begins the upkeep of a stage. It ends with the stage.
pub(crate) fn start(stage: &Arc<Stage>) {
    let every = stage.limits.lease / 3;
    let weak = Arc::downgrade(stage);
    let closing = stage.closing.clone();
    tokio::spawn(async move {
        let begin = Instant::now();
        while let Some(stage) = weak.upgrade() {
            keep_leases(&stage).await;
            let held = close_lost_runs(&stage).await;
            drop(stage);
            let until_free = held.unwrap_or_else(|error| {
                tracing::warn!(%error, "closing lost runs failed and is tried again later");
                None
            });
            // Leases are kept while runs come to their end, too.
            tokio::time::sleep(pause(every, until_free, begin.elapsed())).await;
        }
    });
    let (weak, soon) = (Arc::downgrade(stage), stage.upkeep_soon.clone());
    tokio::spawn(async move {
        if let Some(stage) = weak.upgrade() {
            report("going on after stopped runs", stage.carry_all_stopped().await);
        }
        while let Some(stage) = weak.upgrade() {
            report("compacting finished runs", compact_finished(&stage).await);
            drop(stage);
            tokio::select! {
                () = closing.cancelled() => return,
                () = soon.notified() => {}
                () = tokio::time::sleep(Duration::from_secs(30)) => {}
            }
            // A moment for more to finish: this is no haste.
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    });
}

/// How long until it is looked again: until the first lease of somebody else is over, but no longer than usual. Who has
/// just begun looks often, since the process before it may take a moment to die.
fn pause(usual: Duration, until_free: Option<Duration>, since_begin: Duration) -> Duration {
    match until_free {
        Some(_) if since_begin < BEGINNING => OFTEN.min(usual),
        Some(until_free) => until_free.max(OFTEN).min(usual),
        None => usual,
    }
}

fn report(what: &str, result: Result<(), StoreError>) {
    if let Err(error) = result {
        tracing::warn!(%error, "{what} failed and is tried again later");
    }
}

/// Prolongs the leases of our runs, and hears whether somebody elsewhere wants one stopped.
async fn keep_leases(stage: &Stage) {
    for (thread_id, active) in stage.actives.all() {
        let Some(lease) = active.lease().filter(|_| !active.is_ended()) else { continue };
        match stage.store.renew(lease, clock::now(), stage.lease_ms()).await {
            Ok(lease) => {
                if lease.cancel_requested {
                    active.stop(StopReason::Cancel);
                }
                active.set_lease(lease);
            }
            // Another process has closed the run, or the thread is gone. A silent agent would not notice.
            Err(LeaseLost::Lost(_)) if active.is_ended() => {}
            Err(LeaseLost::Lost(_)) => active.stop(StopReason::Lost),
            Err(error) => tracing::warn!(thread = %thread_id, %error, "a lease was not prolonged"),
        }
    }
}

/// Closes runs whose process has ended. Says when the first of those might be free that somebody else has.
async fn close_lost_runs(stage: &Arc<Stage>) -> Result<Option<Duration>, StoreError> {
    let mut until_free: Option<i64> = None;
    // Those of processes that have ended on this machine, too, whose leases are not over yet.
    for run in stage.store.abandoned_runs(i64::MAX).await? {
        if stage.actives.get(&run.thread_id).is_some() {
            continue;
        }
        // Whoever has the thread closes the run itself.
        let failure = stage.lives.failure(&run.thread_id);
        let lease = match stage.claim(&run.thread_id).await {
            Ok(lease) => lease,
            // It is ours: it could not be given back when the run could not be written.
            Err(ClaimError::Held { holder, .. })
                if holder == stage.holder
                    && let Some(lease) = failure.and_then(|failure| failure.lease.clone()) =>
            {
                lease
            }
            Err(ClaimError::Held { expires_at, .. }) => {
                until_free = Some(until_free.map_or(expires_at, |earlier| earlier.min(expires_at)));
                continue;
            }
            Err(_) => continue,
        };
        if let Some(thread) = stage.store.thread(run.thread_id.clone()).await? {
            close_lost(stage, &thread, &run, &lease).await?;
        }
        stage.store.release(lease).await?;
        // Leases are prolonged meanwhile.
        let keeper = stage.clone();
        stage.tasks.spawn(async move { report("going on after a lost run", keeper.carry_lost(&run).await) });
    }
    Ok(until_free.map(|at| Duration::from_millis(u64::try_from(at - clock::now() + 1).unwrap_or(0))))
}

async fn compact_finished(stage: &Arc<Stage>) -> Result<(), StoreError> {
    loop {
        let (at_once, mut done) = (RUNS_AT_ONCE + stage.patience.len(), 0);
        let runs = stage.store.uncompacted_runs(at_once).await?;
        for run in &runs {
            if stage.is_to_be_carried(run).await? {
                continue;
            }
            let begin = Instant::now();
            compact(stage, run).await?;
            done += 1;
            rest(stage, begin.elapsed()).await;
        }
        if runs.len() < at_once || done == 0 {
            return Ok(());
        }
    }
}

/// Compaction saves space and can wait; runs cannot. While there are any, it gets a small part of the time.
async fn rest(stage: &Stage, worked: Duration) {
    if !stage.actives.is_empty() {
        tokio::time::sleep(worked * RESTS_PER_WORK).await;
    }
}

async fn compact(stage: &Stage, run: &RunRecord) -> Result<(), StoreError> {
    let mut shortener = Shortener::default();
    each_page(&*stage.store, run, |page| page.iter().for_each(|entry| shortener.add(entry))).await?;
    stage.store.compact(run.thread_id.clone(), run.run_id.clone(), shortener.finish()).await?;
    let Some(thread) = stage.store.thread(run.thread_id.clone()).await? else {
        return Ok(());
    };
    if thread.title.is_none() && run.parent.is_none() {
        name_after_first_words(stage, &thread).await?;
    }
    keep(stage, &thread, run).await
}

/// Keeps a conversation as a whole if folding it again would take long. Where the thread has gone on, whoever shortens the
/// next run does it.
async fn keep(stage: &Stage, thread: &Thread, run: &RunRecord) -> Result<(), StoreError> {
    if thread.head.as_ref() != Some(&run.run_id) || thread.tail.0 <= FEW_EVENTS {
        return Ok(());
    }
    let Some(mut folded) = stage.take_up(thread, &run.run_id).await? else { return Ok(()) };
    let snapshot = folded.is_worth_keeping().then(|| folded.keep());
    stage.put_back(thread, &run.run_id, folded);
    if let Some(snapshot) = snapshot {
        stage.store.put_snapshot(thread.id.clone(), run.run_id.clone(), snapshot).await?;
    }
    Ok(())
}

/// A thread that nobody has named is called by what was said first.
async fn name_after_first_words(stage: &Stage, thread: &Thread) -> Result<(), StoreError> {
    let Some(head) = &thread.head else { return Ok(()) };
    let Some(folded) = stage.take_up(thread, head).await? else { return Ok(()) };
    let title = first_words(&folded);
    stage.put_back(thread, head, folded);
    if let Some(title) = title {
        let change =
            ThreadChange { title: Some(Some(title)), now: thread.updated_at, ..ThreadChange::default() };
        stage.store.update_thread(thread.id.clone(), change).await?;
    }
    Ok(())
}

fn first_words(folded: &Folded) -> Option<String> {
    let text = folded.view.messages().find_map(|message| match message {
        Message::User(message) => Some(message.content.text().into_owned()),
        _ => None,
    })?;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = match line.char_indices().nth(TITLE_LENGTH) {
        Some((end, _)) => format!("{}…", line[..end].trim_end()),
        None => line,
    };
    Some(title).filter(|title| !title.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leases_of_others_are_looked_at_when_they_end_and_often_at_the_beginning() {
        let seconds = Duration::from_secs;
        let later = BEGINNING + seconds(1);
        for (until_free, since_begin, expected) in [
            (None, seconds(0), seconds(5)),
            (Some(seconds(15)), seconds(0), OFTEN),
            (Some(seconds(15)), later, seconds(5)),
            (Some(seconds(2)), later, seconds(2)),
            (Some(seconds(0)), later, OFTEN),
        ] {
            assert_eq!(pause(seconds(5), until_free, since_begin), expected, "{until_free:?}");
        }
        let hasty = Duration::from_millis(100);
        assert_eq!(pause(hasty, Some(seconds(1)), later), hasty, "our own leases are kept in any case");
    }
}
