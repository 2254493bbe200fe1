//! What somebody decides, and what became of it.

use forestage_protocol::{
    id::{RunId, ThreadId},
    interrupt::ResumeStatus,
    json::Json,
};
use serde::{Deserialize, Serialize};

use crate::{error::ClientError, record::InterruptRecord};

/// What somebody decides about a question.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verdict {
    #[serde(skip)]
    thread_id: Option<ThreadId>,
    status: ResumeStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<Json>,
}

impl Verdict {
    /// An answer.
    pub fn resolved(payload: impl Into<Json>) -> Self {
        Self { thread_id: None, status: ResumeStatus::Resolved, payload: Some(payload.into()) }
    }

    /// No answer: the question is withdrawn.
    #[must_use]
    pub fn cancelled() -> Self {
        Self { thread_id: None, status: ResumeStatus::Cancelled, payload: None }
    }

    /// The same about the question on this thread: ids are unique on a thread only.
    #[must_use]
    pub fn on_thread(self, thread_id: impl Into<ThreadId>) -> Self {
        Self { thread_id: Some(thread_id.into()), ..self }
    }

    pub(super) fn thread_id(&self) -> Option<&ThreadId> {
        self.thread_id.as_ref()
    }
}

/// A yes or a no to something that an agent wants to do.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Approval {
    /// Which of them.
    pub approved: bool,
    /// In place of the arguments that were asked about, all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edited_args: Option<Json>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether to ask again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remember: Option<Remember>,
}

/// Where a yes holds from now on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Remember {
    /// On this thread.
    Thread,
    /// On all threads of its owner.
    Always,
}

impl From<Approval> for Verdict {
    fn from(approval: Approval) -> Self {
        let payload = serde_json::value::to_raw_value(&approval).expect("an approval is JSON");
        Self::resolved(payload)
    }
}

/// What became of a decision.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct Ruling {
    /// What it did.
    pub effect: Effect,
    /// The question as it is now.
    pub interrupt: InterruptRecord,
    /// The run that goes on with the answers, if this was the last one.
    pub run: Option<GoesOn>,
}

/// The run that goes on with the answers.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct GoesOn {
    /// Its thread.
    pub thread_id: ThreadId,
    /// The run.
    pub run_id: RunId,
}

/// What a decision did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Effect {
    /// The question is decided.
    Decided,
    /// It counts, and more people have to agree.
    Counted,
    /// The same person has decided the same before.
    Repeated,
}

/// Why a decision does not count.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct DecideError {
    /// What kind of no it is.
    pub kind: DecideErrorKind,
    /// What the server said, or what kept us from asking it.
    #[source]
    pub error: ClientError,
}

/// The kinds of no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecideErrorKind {
    /// There is no such question, or it is not the caller's to see.
    Unknown,
    /// The same id is on several threads; one has to be named.
    Ambiguous,
    /// It is for somebody with another role.
    RoleRequired,
    /// It was decided before, otherwise or by somebody else.
    AlreadyDecided,
    /// The caller has agreed before; another person has to.
    AlreadyVoted,
    /// The time is over.
    Expired,
    /// The answer is not what was asked for; the question still waits.
    Invalid,
    /// The thread has gone on without an answer.
    Abandoned,
    /// The answer may not be kept, so it has to come with all others.
    Together,
    /// Something else, such as a connection that broke.
    Other,
}

impl From<ClientError> for DecideError {
    fn from(error: ClientError) -> Self {
        use DecideErrorKind as Kind;
        let kind = match error.code() {
            Some("unknown_interrupt") => Kind::Unknown,
            Some("ambiguous_interrupt") => Kind::Ambiguous,
            Some("role_required") => Kind::RoleRequired,
            Some("already_decided") => Kind::AlreadyDecided,
            Some("already_voted") => Kind::AlreadyVoted,
            Some("interrupt_expired") => Kind::Expired,
            Some("invalid_answer" | "not_rememberable" | "json_limits" | "invalid_body") => Kind::Invalid,
            Some("abandoned_interrupt") => Kind::Abandoned,
            Some("answer_together") => Kind::Together,
            _ => Kind::Other,
        };
        Self { kind, error }
    }
}
