//! What can go wrong between a client and a server, each kind with the facts a caller decides by.

use std::time::Duration;

use forestage_protocol::{
    codec::FrameError,
    id::{InterruptId, ThreadId},
    pipeline::StreamError,
};

/// Why something did not work.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The address, a header or an id cannot be used in a request. Nothing was sent.
    #[error("`{what}` cannot be used: {reason}")]
    Unusable {
        /// The address, header or id.
        what: String,
        /// Why not.
        reason: String,
    },

    /// No connection could be made. Nothing was sent.
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),

    /// The connection broke while something was under way.
    #[error("the connection broke: {0}")]
    Broken(String),

    /// Not a byte came for too long, not even a sign of life.
    #[error("the server was silent for {} s", .0.as_secs_f32())]
    Silent(Duration),

    /// The server said no.
    #[error("the server refused with {status}: {message}")]
    Refused {
        /// The HTTP status; 0 where it was said on a socket, which has none.
        status: u16,
        /// A stable name for programs, where the server gives one.
        code: Option<String>,
        /// A sentence for people.
        message: String,
        /// Where in the request.
        path: Option<String>,
        /// What may help.
        hint: Option<String>,
    },

    /// The server said yes and then sent something that is not a stream of events.
    #[error("the answer is not a stream of events but {}: {beginning:?}", .content_type.as_deref().unwrap_or("untyped"))]
    NotAStream {
        /// The type it claims to have.
        content_type: Option<String>,
        /// How it begins.
        beginning: String,
    },

    /// The stream ended before its run did, and there is no way to continue it.
    #[error("the stream was cut off after {events} events: {reason}")]
    Truncated {
        /// How many events had arrived.
        events: usize,
        /// How it ended.
        reason: String,
    },

    /// An event is malformed, or it came when it must not. What was delivered before stays delivered.
    #[error("the stream is not legal: {0}")]
    Stream(#[from] StreamError),

    /// The bytes could not be cut into events.
    #[error("the stream cannot be read: {0}")]
    Framing(#[from] FrameError),

    /// The connection broke and did not come back.
    #[error("gave up after {attempts} attempts: {last}")]
    GaveUp {
        /// How often it was tried.
        attempts: u32,
        /// What the last attempt failed on.
        last: Box<ClientError>,
    },

    /// An answer is not what this kind of request is answered with.
    #[error("the answer cannot be understood: {0}")]
    Unreadable(String),

    /// A thread waits for more answers than were given, or for none of those. Nothing was sent.
    #[error("the answers do not fit the open questions: {}", list(.missing, .unknown))]
    Answers {
        /// Questions that wait and were not answered.
        missing: Vec<InterruptId>,
        /// Answers to questions that do not wait.
        unknown: Vec<InterruptId>,
    },

    /// Only a Forestage server can do this; AG-UI itself has no way to ask for it.
    #[error("AG-UI has no way to {0}; only a Forestage server can")]
    Unsupported(&'static str),

    /// Something went wrong on one thread of a socket; the others go on.
    #[error("thread `{thread_id}`: {error}")]
    OnThread {
        /// The thread, which is not followed any more.
        thread_id: ThreadId,
        /// What went wrong.
        error: Box<ClientError>,
    },
}

impl ClientError {
    /// Whether the same request may succeed if it is sent once more, a little later.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Unreachable(_) | Self::Broken(_) | Self::Silent(_) => true,
            Self::Refused { status, .. } => matches!(status, 408 | 429 | 502 | 503 | 504),
            _ => false,
        }
    }

    /// The server's name for the reason, if it gave one.
    #[must_use]
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Refused { code, .. } => code.as_deref(),
            Self::Stream(error) => Some(error.code),
            Self::Framing(error) => Some(error.code()),
            Self::GaveUp { last: error, .. } | Self::OnThread { error, .. } => error.code(),
            _ => None,
        }
    }

    pub(crate) fn unusable(what: impl Into<String>, reason: impl ToString) -> Self {
        Self::Unusable { what: what.into(), reason: reason.to_string() }
    }

    pub(crate) fn on_thread(self, thread_id: &ThreadId) -> Self {
        Self::OnThread { thread_id: thread_id.clone(), error: Box::new(self) }
    }
}

impl From<reqwest::Error> for ClientError {
    fn from(error: reqwest::Error) -> Self {
        let reason = innermost(&error);
        if error.is_connect() {
            return Self::Unreachable(reason);
        }
        if error.is_builder() {
            return Self::unusable(error.url().map_or("", |url| url.as_str()), reason);
        }
        Self::Broken(reason)
    }
}

/// The cause that says most: the outer layers only say that something failed.
pub(crate) fn innermost(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

fn list(missing: &[InterruptId], unknown: &[InterruptId]) -> String {
    let named = |what: &str, ids: &[InterruptId]| {
        let names: Vec<_> = ids.iter().map(|id| format!("`{id}`")).collect();
        (!ids.is_empty()).then(|| format!("{what} {}", names.join(", ")))
    };
    let parts = [named("missing", missing), named("not asked", unknown)];
    parts.into_iter().flatten().collect::<Vec<_>>().join("; ")
}
