//! What can go wrong with an agent elsewhere. Nothing of this names its address or repeats its words: people on the other
//! side read it.

use std::time::Duration;

use forestage_protocol::{codec::FrameError, pipeline::StreamError};
use forestage_runtime::AgentError;

use crate::remote::innermost;

/// Why a call of an agent failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Trouble {
    /// Nobody is there, or nobody can be found.
    #[error("the agent cannot be reached: {0}")]
    Unreachable(String),
    /// It is there, and does not want to.
    #[error("the agent answered {status}{}", if *.is_elsewhere { "; it is somewhere else, so its address has to be set anew" } else { "" })]
    Refused {
        status: u16,
        is_elsewhere: bool,
        /// How long it asks us to wait.
        wait: Option<Duration>,
    },
    /// It answers with something else than events.
    #[error("the agent answered with {0} in place of a stream of events")]
    NotAStream(String),
    /// Its answer just stops.
    #[error("the agent broke off: {0}")]
    BrokeOff(String),
    /// It says nothing any more.
    #[error("the agent said nothing for {} seconds", .0.as_secs_f32())]
    Silent(Duration),
    /// One event is larger than we take.
    #[error("the agent sent an event of more than {0} bytes")]
    TooLarge(usize),
    /// Something in its answer is no event, or stands where none may.
    #[error("event {index} of the agent: {message}")]
    Invalid { index: usize, message: String },
}

impl Trouble {
    /// A stable name for programs.
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "agent_unreachable",
            Self::Refused { .. } => "agent_refused",
            Self::NotAStream(_) => "agent_not_a_stream",
            Self::BrokeOff(_) => "agent_broke_off",
            Self::Silent(_) => "agent_silent",
            Self::TooLarge(_) => "agent_event_too_large",
            Self::Invalid { .. } => "invalid_agent_event",
        }
    }

    /// The connection was lost.
    pub(super) fn broke_off(error: &reqwest::Error) -> Self {
        Self::BrokeOff(reason(error))
    }

    /// Whether it makes sense to call again: the agent has not heard us, or says that it had no time.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Unreachable(_) => true,
            Self::Refused { status, .. } => matches!(status, 429 | 502 | 503),
            _ => false,
        }
    }

    /// How long the agent asks us to wait before that.
    pub(super) fn wait(&self) -> Option<Duration> {
        if let Self::Refused { wait, .. } = self { *wait } else { None }
    }
}

impl From<&reqwest::Error> for Trouble {
    fn from(error: &reqwest::Error) -> Self {
        match error.is_connect() {
            true => Self::Unreachable(reason(error)),
            // It may have heard us, so this is not the same as not being there.
            false => Self::broke_off(error),
        }
    }
}

impl From<FrameError> for Trouble {
    fn from(error: FrameError) -> Self {
        match error {
            FrameError::TooLarge { limit, .. } => Self::TooLarge(limit),
            other => Self::BrokeOff(other.to_string()),
        }
    }
}

impl From<StreamError> for Trouble {
    fn from(error: StreamError) -> Self {
        match error.code {
            "stream_truncated" => Self::BrokeOff(error.message),
            _ => Self::Invalid { index: error.index, message: error.message },
        }
    }
}

impl Trouble {
    /// As the end of a run.
    pub(super) fn into_agent_error(self) -> AgentError {
        AgentError::new(self.code(), self.to_string())
    }
}

/// What is behind an error of a request. The error itself would say the address.
fn reason(error: &reqwest::Error) -> String {
    if error.is_timeout() {
        return "it took too long".to_owned();
    }
    innermost(error)
}
