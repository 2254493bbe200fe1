//! Why a request is refused before a run starts, and why a run has to stop.

use forestage_protocol::{Fault, id::RunId, verify::Violation};
use forestage_store::StoreError;

use crate::{moderation::Refused, tool::ToolError};

/// A request that cannot be carried out. Nothing was changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What kind of no it is.
    pub kind: RefusalKind,
    /// A stable name for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// The part of the request at fault, such as `messages[2].toolCallId`.
    pub path: Option<String>,
    /// What to do about it.
    pub hint: Option<String>,
    /// Everything that is wrong, where that is known one by one; paths are written as `path` is.
    pub faults: Vec<Fault>,
}

/// The kinds of no.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// There is no such thing, or it belongs to somebody else.
    NotFound,
    /// The request makes no sense as it is.
    Invalid,
    /// It is for somebody else to do.
    Forbidden,
    /// It contradicts what has happened.
    Conflict,
    /// We are shutting down, or the store is out of reach.
    Unavailable,
}

impl Refusal {
    pub(crate) fn new(kind: RefusalKind, code: &'static str, message: impl Into<String>) -> Self {
        Self { kind, code, message: message.into(), path: None, hint: None, faults: Vec::new() }
    }

    pub(crate) fn not_found(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(RefusalKind::NotFound, code, message)
    }

    pub(crate) fn invalid(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Invalid, code, message)
    }

    pub(crate) fn forbidden(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Forbidden, code, message)
    }

    pub(crate) fn conflict(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(RefusalKind::Conflict, code, message)
    }

    pub(crate) fn at(mut self, path: impl Into<String>) -> Self {
        self.path = Some(path.into());
        self
    }

    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn faults(mut self, faults: Vec<Fault>) -> Self {
        self.faults = faults;
        self
    }

    /// The thread is not there, or not this owner's: a stranger learns nothing.
    pub(crate) fn no_thread(id: &str) -> Self {
        Self::not_found("unknown_thread", format!("there is no thread `{id}`"))
    }

    pub(crate) fn no_run(id: &RunId) -> Self {
        Self::not_found("unknown_run", format!("there is no run `{id}` on this thread"))
    }

    pub(crate) fn shutting_down() -> Self {
        Self::new(RefusalKind::Unavailable, "shutting_down", "the server is shutting down")
            .hint("try again in a moment")
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::new(RefusalKind::Unavailable, "store_unavailable", format!("the store failed: {error}"))
    }
}

/// Why an agent cannot go on. It passes this up with `?`, and the engine ends the run in order.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Stop {
    /// Somebody stopped the run, or it is over already.
    #[error("the run was stopped")]
    Cancelled,
    /// The run waits for a person: it ends with the questions.
    #[error("the run waits for an answer")]
    Asked,
    /// The agent said something that AG-UI does not allow there.
    #[error("the agent broke a rule of the protocol: {0}")]
    Violation(Violation),
    /// The agent began or ended the run, which is the engine's to do.
    #[error("an agent cannot say {0}: the engine begins and ends its runs")]
    NotItsPart(&'static str),
    /// The run has grown beyond its limits.
    #[error("the run exceeds its limit of {limit} {unit}")]
    TooLarge {
        /// How much is allowed.
        limit: usize,
        /// Of what.
        unit: &'static str,
    },
    /// The store is out of reach.
    #[error("the store failed: {0}")]
    Store(String),
    /// What was said is not allowed by the rules of the house.
    #[error("{0}")]
    Refused(Refused),
    /// A tool of the client's was called with arguments that cannot be shown, and nobody took care of it.
    #[error("{0}")]
    InvalidCall(ToolError),
    /// An agent asked something else than in the run that it continues.
    #[error("the agent did not come to the question that was answered: {0}")]
    Diverged(String),
}
