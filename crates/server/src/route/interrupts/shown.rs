//! An interrupt as clients see it. What is JSON in the store leaves it as it is, digit by digit.

use forestage_protocol::id::{InterruptId, RunId, ThreadId};
use forestage_store::{Decision, InterruptRecord, Viewer, Vote};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// A page of interrupts.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ShownPage<'r> {
    pub(super) interrupts: Vec<Shown<'r>>,
    pub(super) next_cursor: Option<String>,
}

/// An interrupt as one viewer sees it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Shown<'r> {
    id: &'r InterruptId,
    thread_id: &'r ThreadId,
    run_id: &'r RunId,
    agent: &'r str,
    owner: &'r str,
    role: Option<&'r str>,
    needs: u32,
    risk: Option<String>,
    interrupt: Option<&'r RawValue>,
    /// Only for those who may decide.
    #[serde(skip_serializing_if = "Option::is_none")]
    private: Option<&'r RawValue>,
    may_decide: bool,
    votes: Vec<ShownVote<'r>>,
    opened_at: i64,
    expires_at: Option<i64>,
    decision: Option<ShownDecision<'r>>,
}

#[derive(Serialize)]
struct ShownVote<'r> {
    by: &'r str,
    at: i64,
    answer: Option<&'r RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownDecision<'r> {
    status: &'r str,
    answer: Option<&'r RawValue>,
    by: &'r str,
    at: i64,
    run_id: Option<&'r RunId>,
}

impl<'r> Shown<'r> {
    pub(super) fn new(record: &'r InterruptRecord, viewer: &Viewer) -> Self {
        let may_decide = record.may_decide(viewer);
        Self {
            id: &record.id,
            thread_id: &record.thread_id,
            run_id: &record.run_id,
            agent: &record.agent,
            owner: &record.owner,
            role: record.role.as_deref(),
            needs: record.needs,
            risk: risk_of(record),
            interrupt: raw(&record.json),
            private: raw(&record.private).filter(|_| may_decide),
            may_decide: may_decide && record.decision.is_none(),
            votes: record.votes.iter().map(ShownVote::new).collect(),
            opened_at: record.opened_at,
            expires_at: record.expires_at,
            decision: record.decision.as_ref().map(ShownDecision::new),
        }
    }
}

impl<'r> ShownVote<'r> {
    fn new(vote: &'r Vote) -> Self {
        Self { by: &vote.by, at: vote.at, answer: raw(&vote.json) }
    }
}

impl<'r> ShownDecision<'r> {
    fn new(decision: &'r Decision) -> Self {
        Self {
            status: &decision.status,
            answer: raw(&decision.json),
            by: &decision.by,
            at: decision.at,
            run_id: decision.run_id.as_ref(),
        }
    }
}

fn raw(json: &[u8]) -> Option<&RawValue> {
    serde_json::from_slice(json).ok()
}

/// The risk that the asker sees in it.
pub(super) fn risk_of(record: &InterruptRecord) -> Option<String> {
    #[derive(Deserialize)]
    struct Terms {
        metadata: Option<Facts>,
    }
    #[derive(Deserialize)]
    struct Facts {
        risk: Option<String>,
    }
    serde_json::from_slice::<Terms>(&record.json).ok()?.metadata?.risk
}
