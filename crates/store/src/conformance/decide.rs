//! Decisions that are recorded before a run carries them in.

use std::sync::Arc;

use bytes::Bytes;

use super::{
    append,
    audit::{about, trail},
    begin, ended,
    interrupt::{answer, answering, ask, asking},
    rule::rule,
    thread,
};
use crate::{
    Answer, AppendError, Boundary, Decide, Decided, Decision, InterruptRecord, Lease, NewInterrupt, Store,
    ThreadStatus,
};

/// A decision about `i` on thread `t`, with the words of [`answer`].
pub(super) fn decide(by: &str, at: i64) -> Decide {
    Decide {
        thread_id: "t".into(),
        interrupt_id: "i".into(),
        status: "resolved".into(),
        json: "\"yes\"".into(),
        by: by.into(),
        at,
        vote: false,
        audit: vec![about("decided", "t")],
        rules: vec![rule("always", at)],
    }
}

fn vote(by: &str, at: i64) -> Decide {
    Decide { vote: true, json: Bytes::from(format!("\"{by}\"")), ..decide(by, at) }
}

/// A thread whose run `r1` asks one question.
pub(super) async fn asked(store: &Arc<dyn Store>, new: NewInterrupt) -> Lease {
    let lease = thread(store, "t").await;
    let end = Boundary::Ended { end: "interrupt".into(), at: 40, messages: 1, interrupts: vec![new] };
    let append = append(&lease, "r1", 0, &["?"]).with_boundary(begin(40, Vec::new())).with_boundary(end);
    store.append(append).await.expect("room");
    lease
}

async fn record(store: &Arc<dyn Store>) -> InterruptRecord {
    store.interrupt("i".into(), "ann".into()).await.expect("readable").expect("there")
}

/// What was recorded with decisions: entries of the audit trail, and rules.
async fn noted(store: &Arc<dyn Store>) -> (usize, usize) {
    (trail(store).await.len(), store.rules("ann".into()).await.expect("readable").len())
}

fn decided(decided: Decided) -> InterruptRecord {
    match decided {
        Decided::Decided(record) => record,
        other => panic!("not decided: {other:?}"),
    }
}

fn already(decided: Decided) -> InterruptRecord {
    match decided {
        Decided::Already(record) => record,
        other => panic!("not refused: {other:?}"),
    }
}

fn counted(decided: Decided) -> InterruptRecord {
    match decided {
        Decided::Counted(record) => record,
        other => panic!("not counted: {other:?}"),
    }
}

pub(super) async fn a_question_is_kept_with_its_terms(store: Arc<dyn Store>) {
    let terms = NewInterrupt { role: Some("boss".into()), needs: 3, private: "draft".into(), ..ask("i") };
    asked(&store, terms).await;
    let record = record(&store).await;
    assert_eq!((record.role.as_deref(), record.needs, &record.private[..]), (Some("boss"), 3, &b"draft"[..]));
    assert_eq!((record.agent.as_str(), record.votes, record.decision), ("hello", vec![], None));
}

pub(super) async fn a_decision_waits_until_a_run_carries_it_in(store: Arc<dyn Store>) {
    let lease = asked(&store, ask("i")).await;
    let given = decided(store.decide(decide("bob", 45)).await.expect("writable"));
    let decision = Decision {
        status: "resolved".into(),
        json: "\"yes\"".into(),
        by: "bob".into(),
        at: 45,
        run_id: None,
    };
    assert_eq!(given.decision, Some(decision.clone()));
    assert_eq!(record(&store).await, given);
    let entry = store.thread("t".into()).await.expect("readable").expect("there");
    assert_eq!((entry.pending, entry.status), (0, ThreadStatus::Waiting));
    store.append(answering(&lease, "r2", 1, vec![answer("i", "ann")])).await.expect("the recorded answer");
    let carried = Decision { run_id: Some("r2".into()), ..decision };
    assert_eq!(record(&store).await.decision, Some(carried), "who decided stays, and when");
    let entry = store.thread("t".into()).await.expect("readable").expect("there");
    assert_ne!(entry.status, ThreadStatus::Waiting, "a run has it now");
}

pub(super) async fn a_decision_is_carried_once_and_as_it_was_recorded(store: Arc<dyn Store>) {
    let lease = asked(&store, ask("i")).await;
    decided(store.decide(decide("bob", 45)).await.expect("writable"));
    let given = answer("i", "eve");
    let other_status = Answer { status: "cancelled".into(), ..given.clone() };
    let other_words = Answer { json: "\"no\"".into(), ..given.clone() };
    for other in [other_status, other_words] {
        let refused = store.append(answering(&lease, "r2", 1, vec![other])).await;
        assert!(is_bobs(&refused), "{refused:?}");
    }
    assert_eq!(record(&store).await.decision.expect("decided").run_id, None);
    let carries = ended(answering(&lease, "r2", 1, vec![given.clone()]), "success");
    store.append(carries).await.expect("the recorded answer");
    let again = store.append(answering(&lease, "r3", 2, vec![given])).await;
    assert!(is_bobs(&again), "{again:?}");
}

fn is_bobs(refused: &Result<crate::Seq, AppendError>) -> bool {
    matches!(refused, Err(AppendError::NotPending { decided_by: Some(who), .. }) if who == "bob")
}

pub(super) async fn the_first_decision_wins_whatever_the_door(store: Arc<dyn Store>) {
    let lease = asked(&store, ask("i")).await;
    let first = decided(store.decide(decide("bob", 45)).await.expect("writable"));
    for late in [decide("eve", 46), vote("eve", 47), decide("bob", 45)] {
        assert_eq!(already(store.decide(late).await.expect("writable")), first);
    }
    assert_eq!(noted(&store).await, (1, 1), "only the first has left something");
    store.append(ended(answering(&lease, "r2", 1, vec![answer("i", "ann")]), "success")).await.expect("room");
    store.append(asking(&lease, "r3", 2, 60, &["i"])).await.expect("room");
    store.append(answering(&lease, "r4", 3, vec![answer("i", "ann")])).await.expect("room");
    let late = already(store.decide(decide("eve", 70)).await.expect("writable"));
    assert_eq!(late.decision.expect("decided").by, "ann");
    assert_eq!(noted(&store).await, (1, 1));
}

pub(super) async fn as_many_people_agree_as_are_needed(store: Arc<dyn Store>) {
    asked(&store, NewInterrupt { needs: 2, ..ask("i") }).await;
    let first = counted(store.decide(vote("bob", 45)).await.expect("writable"));
    assert_eq!((first.votes.len(), &first.decision), (1, &None));
    assert_eq!(record(&store).await, first);
    let again = Decide { json: "\"really\"".into(), ..vote("bob", 46) };
    assert_eq!(already(store.decide(again).await.expect("writable")), first, "nobody counts twice");
    assert_eq!(noted(&store).await, (1, 1));
    let second = decided(store.decide(vote("ann", 44)).await.expect("writable"));
    let voters: Vec<_> =
        second.votes.iter().map(|vote| (vote.by.as_str(), vote.at, &vote.json[..])).collect();
    assert_eq!(voters, [("bob", 45, &b"\"bob\""[..]), ("ann", 44, &b"\"ann\""[..])]);
    let decision = second.decision.as_ref().expect("decided");
    assert_eq!((decision.by.as_str(), &decision.json[..], decision.at), ("ann", &b"\"ann\""[..], 44));
    assert_eq!(record(&store).await, second);
    assert_eq!(noted(&store).await.0, 2);
}

pub(super) async fn what_is_no_vote_decides_at_once(store: Arc<dyn Store>) {
    asked(&store, NewInterrupt { needs: 3, ..ask("i") }).await;
    counted(store.decide(vote("bob", 45)).await.expect("writable"));
    let no = Decide { status: "cancelled".into(), ..decide("bob", 46) };
    let record = decided(store.decide(no).await.expect("writable"));
    assert_eq!(record.decision.expect("decided").status, "cancelled");
    assert_eq!(record.votes.len(), 1, "it is no vote");
}

pub(super) async fn asking_again_begins_without_votes(store: Arc<dyn Store>) {
    let lease = asked(&store, NewInterrupt { needs: 2, ..ask("i") }).await;
    counted(store.decide(vote("bob", 45)).await.expect("writable"));
    store.append(asking(&lease, "r2", 1, 60, &["i"])).await.expect("room");
    let anew = record(&store).await;
    assert_eq!((anew.votes.len(), anew.needs, anew.opened_at), (0, 1, 60));
    assert_eq!(decided(store.decide(vote("bob", 65)).await.expect("writable")).votes.len(), 1);
}

pub(super) async fn what_was_not_asked_cannot_be_decided(store: Arc<dyn Store>) {
    assert_eq!(store.decide(decide("bob", 45)).await.expect("writable"), Decided::Unknown);
    asked(&store, ask("i")).await;
    thread(&store, "other").await;
    let elsewhere = Decide { thread_id: "other".into(), ..decide("bob", 45) };
    let unasked = Decide { interrupt_id: "j".into(), ..decide("bob", 45) };
    for unknown in [elsewhere, unasked] {
        assert_eq!(store.decide(unknown).await.expect("writable"), Decided::Unknown);
    }
    assert_eq!(noted(&store).await, (0, 0));
}

pub(super) async fn of_many_decisions_at_once_one_counts(store: Arc<dyn Store>) {
    asked(&store, ask("i")).await;
    let answers = all_at_once(&store, |at| decide(&format!("p{at}"), at)).await;
    let winners: Vec<_> =
        answers.iter().filter(|answer| matches!(answer, Decided::Decided(_))).cloned().collect();
    assert_eq!(winners.len(), 1);
    let winner = decided(winners[0].clone());
    for late in answers.into_iter().filter(|answer| *answer != winners[0]) {
        assert_eq!(already(late), winner);
    }
    assert_eq!((record(&store).await, noted(&store).await), (winner, (1, 1)));
}

pub(super) async fn of_many_votes_at_once_as_many_count_as_are_needed(store: Arc<dyn Store>) {
    asked(&store, NewInterrupt { needs: 3, ..ask("i") }).await;
    let answers = all_at_once(&store, |at| vote(&format!("p{at}"), at)).await;
    let count = |wanted: fn(&Decided) -> bool| answers.iter().filter(|answer| wanted(answer)).count();
    assert_eq!(count(|answer| matches!(answer, Decided::Counted(_))), 2);
    assert_eq!(count(|answer| matches!(answer, Decided::Decided(_))), 1);
    assert_eq!(count(|answer| matches!(answer, Decided::Already(_))), 5);
    assert_eq!((record(&store).await.votes.len(), noted(&store).await.0), (3, 3));
}

/// Eight decisions from tasks of their own.
async fn all_at_once(store: &Arc<dyn Store>, make: impl Fn(i64) -> Decide) -> Vec<Decided> {
    let tasks: Vec<_> = (0..8)
        .map(|at| {
            let (store, decide) = (store.clone(), make(at));
            tokio::spawn(async move { store.decide(decide).await.expect("writable") })
        })
        .collect();
    let mut answers = Vec::new();
    for task in tasks {
        answers.push(task.await.expect("a task"));
    }
    answers
}
