//! How much a text may hold.

use axum::http::StatusCode;
use forestage_protocol::scan::{self, Count, Excess, Limits, MAX_DEPTH, MAX_EVENT_DEPTH};

use crate::{config::Http, error::ApiError};

/// Beside [`Http::max_values`], a request may have one value for so many of its bytes. A value is several hundred bytes in
/// memory by the time a run begins: it is in the state of the run, of the thread and of the agent.
const BYTES_PER_VALUE: usize = 48;

/// The same for recordings, whose events are kept as text for the most part.
const RECORDED_BYTES_PER_VALUE: usize = 12;

/// What may still come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance(Limits);

impl Allowance {
    /// For a body or a frame of this length.
    pub(crate) fn of_request(length: usize, http: &Http) -> Self {
        Self(Limits {
            depth: MAX_DEPTH,
            values: http.max_values.saturating_add(length / BYTES_PER_VALUE),
            messages: http.max_messages,
        })
    }

    /// For all events of a recording of this length.
    pub(crate) fn of_recording(length: usize, http: &Http) -> Self {
        Self(Limits {
            depth: MAX_EVENT_DEPTH,
            values: http.max_values.saturating_add(length / RECORDED_BYTES_PER_VALUE),
            messages: usize::MAX,
        })
    }

    /// Counts a text, and takes what it holds off what may still come.
    pub(crate) fn spend(&mut self, text: &str) -> Result<Count, ApiError> {
        let count = scan::count(text, &self.0).map_err(refused)?;
        self.0.values -= count.values;
        self.0.messages -= count.messages;
        Ok(count)
    }
}

/// Why a text is too much.
pub(crate) fn refused(excess: Excess) -> ApiError {
    let (status, hint) = match excess {
        Excess::Depth { .. } => {
            (StatusCode::UNPROCESSABLE_ENTITY, "send it flatter, or send what is inside as text")
        }
        Excess::Values { .. } => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "send fewer and longer values; `max_values` in the configuration says how many there may be",
        ),
        Excess::Messages { .. } => (
            StatusCode::PAYLOAD_TOO_LARGE,
            "send only what is new: the server has the rest; `max_messages` in the configuration says how many there may be",
        ),
    };
    ApiError::new(status, excess.code(), excess.to_string()).hint(hint)
}
