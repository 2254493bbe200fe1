//! Answers that count: those that come with a run, and those that were recorded before it.

use forestage_protocol::interrupt::{Interrupt, ResumeEntry, ResumeStatus};
use forestage_store::{Answer, Decision, InterruptRecord, NewAudit, Rule};
use serde_json::json;

use super::resume::Asked;
use crate::{
    clock,
    decide::{self, Decider},
    error::Refusal,
};

/// The answers with which a run goes on.
#[derive(Default)]
pub(super) struct Settled {
    /// As the agent gets them.
    pub(super) said: Vec<ResumeEntry>,
    /// As everybody may read them in the log.
    pub(super) logged: Vec<ResumeEntry>,
    /// For the index.
    pub(super) answers: Vec<Answer>,
    /// What goes on record with them.
    pub(super) audit: Vec<NewAudit>,
    /// What nobody needs to be asked about again.
    pub(super) rules: Vec<Rule>,
}

impl Settled {
    /// An answer that was recorded before. One that no run has carried yet is carried by this one.
    /// `said` is what the agent gets: the same, unless it could not be kept.
    fn take_recorded(&mut self, entry: &ResumeEntry, said: &ResumeEntry, decision: &Decision) {
        if decision.run_id.is_none() {
            self.answers.push(Answer {
                interrupt_id: entry.interrupt_id.clone(),
                status: decision.status.clone(),
                json: decision.json.clone(),
                by: decision.by.clone(),
            });
        }
        self.logged.push(signed(entry, &decision.by, decision.at));
        self.said.push(signed(said, &decision.by, decision.at));
    }

    /// An answer that counts from now on.
    fn take_fresh(
        &mut self,
        record: &InterruptRecord,
        question: &Interrupt,
        entry: &ResumeEntry,
        who: &Decider,
    ) {
        let at = clock::now();
        let kept = decide::redacted(question, entry);
        self.answers.push(Answer {
            interrupt_id: entry.interrupt_id.clone(),
            status: entry.status.as_str().to_owned(),
            json: serde_json::to_vec(&kept).unwrap_or_default().into(),
            by: who.user.clone(),
        });
        self.audit.push(decide::decided(who, record, question, entry, at));
        if let Some(rule) = decide::rule(who, record, question, entry, at) {
            self.audit.push(decide::rule_added(who, record, &rule));
            self.rules.push(rule);
        }
        self.logged.push(signed(&kept, &who.user, at));
        self.said.push(signed(entry, &who.user, at));
    }
}

/// An answer with the name of whoever gave it.
fn signed(entry: &ResumeEntry, by: &str, at: i64) -> ResumeEntry {
    let mut entry = entry.clone();
    let signature = json!({ "by": by, "at": clock::iso(at) });
    entry.metadata.get_or_insert_default().insert("forestage".to_owned(), signature);
    entry
}

/// Puts together what was answered now and before. Every question that waits has to be answered.
pub(super) fn settle(
    asked: &Asked<'_>,
    given: &[ResumeEntry],
    records: &[InterruptRecord],
    who: &Decider,
) -> Result<Settled, Refusal> {
    let (mut settled, mut missing, mut waiting) = (Settled::default(), Vec::new(), false);
    for question in asked.pending {
        let entry = given.iter().find(|entry| entry.interrupt_id == question.id);
        let record = records.iter().find(|record| record.id == question.id);
        let decision = record.and_then(|record| record.decision.as_ref());
        let recorded =
            decision.and_then(|decided| Some((decided, serde_json::from_slice(&decided.json).ok()?)));
        match (entry, record, recorded) {
            (Some(entry), _, Some((decided, _)))
                if entry.status == ResumeStatus::Cancelled
                    && decided.run_id.is_some()
                    && !decide::is_same(entry, decided) =>
            {
                settled.logged.push(signed(entry, &who.user, clock::now()));
                settled.said.push(entry.clone());
            }
            (None, _, Some((_, recorded))) if !given.is_empty() && decide::is_cut(question, &recorded) => {
                missing.push(question.id.as_str());
            }
            (entry, _, Some((decided, recorded))) => {
                waiting |= decided.run_id.is_none();
                let said = entry.filter(|_| decide::is_cut(question, &recorded)).unwrap_or(&recorded);
                settled.take_recorded(&recorded, said, decided);
            }
            (Some(entry), Some(record), None) => settled.take_fresh(record, question, entry, who),
            // A question that came with a recording is history.
            (None, None, None) => {}
            _ => missing.push(question.id.as_str()),
        }
    }
    match missing.as_slice() {
        [] if given.is_empty() && waiting => Err(goes_on()),
        [] => Ok(settled),
        missing => Err(not_covered(missing, records, who)),
    }
}

/// Everything is decided, and the run that goes on with it is about to begin.
fn goes_on() -> Refusal {
    Refusal::conflict("thread_busy", "all questions are decided, and the thread is about to go on")
        .hint("wait for the run that goes on, or ask to queue")
}

fn not_covered(missing: &[&str], records: &[InterruptRecord], who: &Decider) -> Refusal {
    let text = format!("the thread waits for answers to: {}", missing.join(", "));
    let waiting = records.iter().filter(|record| missing.contains(&record.id.as_str()));
    let others: Vec<_> = waiting
        .filter(|record| !record.may_decide(&who.viewer()))
        .map(|record| format!("`{}` is for {}", record.id, whom(record)))
        .collect();
    let hint = match others.is_empty() {
        true => "answer or cancel every question in `resume`, or branch from an earlier message".to_owned(),
        false => format!(
            "you cannot decide all of it: {}; the thread goes on when it is decided, and until then you can cancel the \
             run that asks, or branch from an earlier message",
            others.join(", ")
        ),
    };
    Refusal::conflict("interrupts_pending", text).at("resume").hint(hint)
}

/// Who may decide a question.
fn whom(record: &InterruptRecord) -> String {
    match (&record.role, record.needs) {
        (Some(role), 2..) => format!("{} people with the role `{role}`", record.needs),
        (Some(role), _) => format!("somebody with the role `{role}`"),
        (None, _) => "the owner of the thread".to_owned(),
    }
}
