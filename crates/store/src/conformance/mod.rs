//! One suite for every store: the contract of [`Store`], sentence by sentence.
//!
//! A store's tests call [`check_all`] with a function that makes an empty store. A failed sentence panics with
//! what was expected.

mod log;
mod index;
mod status;
mod run;
mod interrupt;
mod decide;
mod inbox;
mod audit;
mod rule;
mod note;
mod annotation;
mod share;
mod utterance;
mod lease;
mod wake;

pub mod faulty;
#[cfg(all(unix, feature = "postgres"))]
pub mod postgres;

use std::{pin::Pin, sync::Arc, time::Duration};

use bytes::Bytes;

use crate::{Answer, Append, Boundary, Entry, Fence, Lease, NewThread, Seq, Store, Watch};

/// Checks every sentence of the contract, each on a store of its own.
pub async fn check_all<F>(make: impl Fn() -> F)
where
    F: Future<Output = Arc<dyn Store>>,
{
    macro_rules! check {
        ($($module:ident::$sentence:ident),* $(,)?) => {$(
            check(&make, $module::$sentence).await;
        )*};
    }
    check!(
        index::an_id_is_used_once,
        index::a_thread_can_be_created_and_claimed_at_once,
        index::a_thread_can_begin_with_an_append,
        index::an_append_can_give_the_lease_back,
        index::threads_are_listed_by_owner_newest_first,
        index::pages_follow_each_other_without_overlap,
        index::titles_can_be_searched,
        index::archived_threads_are_listed_on_request,
        index::a_thread_remembers_that_its_answers_are_to_be_looked_at,
        index::a_deleted_thread_is_gone_with_all_it_had,
        log::entries_are_numbered_from_one_without_gaps,
        log::reading_goes_on_from_any_place,
        log::a_read_stops_where_it_is_told,
        log::bytes_come_back_as_they_went_in,
        log::a_writer_with_the_wrong_end_is_refused,
        log::the_same_append_again_changes_nothing,
        log::a_long_append_is_like_a_short_one,
        log::many_short_appends_are_like_a_long_one,
        log::runs_that_take_turns_on_a_thread_keep_their_order,
        log::a_thread_that_does_not_exist_takes_nothing,
        log::runs_are_recorded_with_their_boundaries,
        log::a_run_that_has_ended_takes_nothing_more,
        log::a_run_that_has_not_begun_takes_nothing_beside_one_that_is_open,
        log::threads_do_not_mix,
        status::a_thread_says_what_it_is_doing,
        status::boundaries_move_the_entry_and_events_do_not,
        status::the_head_is_the_run_that_began_last_or_was_chosen,
        status::threads_can_be_listed_by_agent,
        run::a_run_is_recorded_whole,
        run::an_open_run_can_be_asked_to_stop,
        run::a_run_that_is_not_open_cannot_be_stopped,
        run::compacted_entries_take_the_place_of_a_run,
        run::long_compacted_runs_are_read_in_pieces,
        run::compaction_leaves_no_hole,
        run::compaction_swallows_nothing_of_another_run,
        run::ended_runs_are_found_for_compaction_oldest_first,
        run::a_snapshot_is_kept_for_a_run,
        interrupt::an_interrupt_is_pending_until_it_is_answered,
        interrupt::the_first_answer_wins,
        interrupt::only_pending_interrupts_of_the_thread_can_be_answered,
        interrupt::interrupts_are_listed_by_owner_oldest_first,
        interrupt::an_interrupt_is_found_by_its_owner_only,
        interrupt::asking_again_under_an_id_opens_it_anew,
        decide::a_question_is_kept_with_its_terms,
        decide::a_decision_waits_until_a_run_carries_it_in,
        decide::a_decision_is_carried_once_and_as_it_was_recorded,
        decide::the_first_decision_wins_whatever_the_door,
        decide::as_many_people_agree_as_are_needed,
        decide::what_is_no_vote_decides_at_once,
        decide::asking_again_begins_without_votes,
        decide::what_was_not_asked_cannot_be_decided,
        decide::of_many_decisions_at_once_one_counts,
        decide::of_many_votes_at_once_as_many_count_as_are_needed,
        inbox::who_has_the_role_sees_what_names_it,
        inbox::interrupts_are_listed_in_pages,
        inbox::what_is_pending_counts_on_the_branch_that_is_shown,
        inbox::what_is_due_comes_oldest_first,
        inbox::a_thread_can_go_on_when_all_is_decided,
        inbox::what_can_go_on_is_the_head,
        inbox::what_was_decided_first_goes_on_first,
        inbox::who_watches_the_inbox_hears_of_every_change,
        inbox::who_watches_the_inbox_sleeps_while_agents_talk,
        audit::the_audit_trail_is_one_sealed_row,
        audit::the_audit_trail_is_read_by_what_it_is_about,
        audit::what_an_append_tells_the_audit_trail_is_there_exactly_if_it_is,
        audit::the_audit_trail_outlives_its_threads,
        audit::many_writers_make_one_audit_trail,
        rule::rules_come_in_the_order_of_their_times,
        rule::the_same_rule_again_replaces_it,
        rule::rules_are_removed_by_their_owner,
        rule::rules_of_a_thread_go_with_it,
        rule::rules_come_with_an_append_exactly_if_it_is_kept,
        rule::rules_come_with_a_decision,
        note::notes_belong_to_their_owner,
        note::a_note_that_was_written_since_is_not_overwritten,
        annotation::annotations_come_in_the_order_of_their_times,
        annotation::the_same_annotation_again_replaces_it,
        annotation::annotations_can_be_removed,
        annotation::nothing_is_annotated_that_does_not_exist,
        share::shares_come_in_the_order_of_their_times,
        share::a_share_is_found_by_what_opens_it,
        share::a_share_that_was_taken_back_opens_nothing,
        share::shares_go_with_their_thread,
        utterance::messages_are_found_by_all_their_words,
        utterance::a_message_that_is_written_again_is_found_as_it_is_now,
        utterance::only_the_owner_finds_what_is_on_a_thread,
        utterance::what_is_archived_is_found_on_request_and_what_is_deleted_never,
        lease::one_holder_at_a_time,
        lease::fences_grow_with_every_claim,
        lease::an_older_fence_is_refused_at_once,
        lease::a_lease_that_is_renewed_lasts,
        lease::a_lost_lease_cannot_be_renewed,
        lease::releasing_an_old_lease_harms_nobody,
        lease::a_lease_goes_back_with_an_append_that_says_so,
        lease::runs_without_a_holder_are_found,
        wake::a_follower_hears_of_every_last_append,
        wake::followers_of_other_threads_sleep_on,
        wake::many_writers_and_a_follower_see_one_order,
    );
}

/// Checks one sentence. All of them in one future would be more than a thread has room for on its stack.
fn check<'m, F, C>(
    make: &'m impl Fn() -> F,
    sentence: impl FnOnce(Arc<dyn Store>) -> C + 'm,
) -> Pin<Box<dyn Future<Output = ()> + 'm>>
where
    F: Future<Output = Arc<dyn Store>> + 'm,
    C: Future<Output = ()> + 'm,
{
    Box::pin(async move { sentence(make().await).await })
}

/// A thread with a lease on it.
async fn thread(store: &Arc<dyn Store>, id: &str) -> Lease {
    store.create_thread(NewThread::new(id, "ann", "hello", 1)).await.expect("a new thread");
    claim(store, id, 0).await
}

async fn claim(store: &Arc<dyn Store>, id: &str, now: i64) -> Lease {
    store.claim(id.into(), "tester".into(), now, 1000).await.expect("nobody holds it")
}

fn append(lease: &Lease, run: &str, after: u64, texts: &[&str]) -> Append {
    let events = texts.iter().map(|text| Bytes::from((*text).to_owned())).collect();
    Append::new(&lease.thread_id, run, lease.fence, Seq(after), events)
}

fn started(lease: &Lease, run: &str, after: u64, texts: &[&str]) -> Append {
    append(lease, run, after, texts).with_boundary(begin(10, Vec::new()))
}

/// The end of a run that leaves one message behind.
fn ended(append: Append, end: &str) -> Append {
    append.with_boundary(Boundary::Ended { end: end.into(), at: 20, messages: 1, interrupts: Vec::new() })
}

fn begin(at: i64, answers: Vec<Answer>) -> Boundary {
    Boundary::Started { request_hash: u64::MAX, agent: "hello".into(), parent: None, at, answers }
}

fn with_fence(append: Append, fence: u64) -> Append {
    Append { fence: Fence(fence), ..append }
}

async fn texts(store: &Arc<dyn Store>, id: &str, after: u64) -> Vec<(u64, String)> {
    let entries = store.read(id.into(), Seq(after), Seq::END, usize::MAX).await.expect("readable");
    entries.iter().map(shown).collect()
}

fn shown(entry: &Entry) -> (u64, String) {
    (entry.seq.0, String::from_utf8_lossy(&entry.json).into_owned())
}

/// Long enough for any store; only a failure waits for it.
const PATIENCE: Duration = Duration::from_secs(20);

async fn wakes(watch: &mut Watch) -> bool {
    tokio::time::timeout(PATIENCE, watch.changed()).await.unwrap_or(false)
}
