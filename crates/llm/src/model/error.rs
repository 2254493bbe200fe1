//! Why a model did not answer.

use std::time::Duration;

use forestage_runtime::AgentError;

/// Why a model did not answer, in words that anybody may read. What the provider said is in the log, without secrets.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct ModelError {
    /// What kind of failure it is.
    pub kind: ModelErrorKind,
    /// A sentence for people.
    pub message: String,
    /// How long the provider wants us to wait.
    pub retry_after: Option<Duration>,
}

/// The kinds of failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelErrorKind {
    /// There is no key, or it is not taken.
    Auth,
    /// There is no such model.
    NotFound,
    /// The provider cannot do anything with the request.
    Request,
    /// The conversation is longer than the model can read.
    TooLong,
    /// Too many requests.
    RateLimited,
    /// The provider has a problem of its own.
    Unavailable,
    /// Nobody answers at its address.
    Unreachable,
    /// It took too long.
    Timeout,
    /// The answer broke off.
    BrokeOff,
    /// The answer makes no sense.
    Protocol,
}

impl ModelErrorKind {
    /// The code of the `RUN_ERROR`.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Auth => "model_auth",
            Self::NotFound => "model_not_found",
            Self::Request => "model_bad_request",
            Self::TooLong => "model_context_too_long",
            Self::RateLimited => "model_rate_limited",
            Self::Unavailable => "model_unavailable",
            Self::Unreachable => "model_unreachable",
            Self::Timeout => "model_timeout",
            Self::BrokeOff => "model_broke_off",
            Self::Protocol => "model_protocol",
        }
    }
}

impl ModelError {
    /// A failure.
    pub fn new(kind: ModelErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), retry_after: None }
    }

    /// Whether it may help to ask again, as long as nothing was said.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        use ModelErrorKind::{RateLimited, Unavailable, Unreachable};
        matches!(self.kind, RateLimited | Unavailable | Unreachable)
    }
}

impl ModelError {
    /// The end of a run.
    #[must_use]
    pub fn into_agent_error(self) -> AgentError {
        AgentError::new(self.kind.code(), self.message)
    }
}
