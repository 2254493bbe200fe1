//! How much a text may hold.

use axum::http::StatusCode;
use forestage_protocol::scan::{self, Count, Excess, Limits, MAX_DEPTH, MAX_EVENT_DEPTH};

use crate::{config::Http, error::ApiError};

/// Beside [`Http::max_values`], a request may have one value for so many of its bytes. A value is several hundred bytes in
/// memory by the time a run begins: it is in the state of the run, of the thread and of the agent.
const BYTES_PER_VALUE: usize = 48;

/// The same for recordings, whose events are kept as text for the most part.
const RECORDED_BYTES_PER_VALUE: usize = 12;

/// The values of the shortest message: the object, its id, its role and its content.
const VALUES_OF_MESSAGE: usize = 4;

/// What may still come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    /// What all texts together may hold.
    limits: Limits,
    /// What those before have held.
    spent: Count,
}

impl Allowance {
    /// For a body or a frame of this length.
    pub(crate) fn of_request(length: usize, http: &Http) -> Self {
        let values = http.max_values.saturating_add(length / BYTES_PER_VALUE);
        Self::new(Limits { depth: MAX_DEPTH, values, messages: http.max_messages })
    }

    /// For all events of a recording of this length.
    pub(crate) fn of_recording(length: usize, http: &Http) -> Self {
        let values = http.max_values.saturating_add(length / RECORDED_BYTES_PER_VALUE);
        Self::new(Limits { depth: MAX_EVENT_DEPTH, values, messages: usize::MAX })
    }

    fn new(limits: Limits) -> Self {
        Self { limits, spent: Count::default() }
    }

    /// Counts a text, and takes what it holds off what may still come.
    pub(crate) fn spend(&mut self, text: &str) -> Result<Count, ApiError> {
        let left = Limits {
            values: self.limits.values - self.spent.values,
            messages: self.limits.messages - self.spent.messages,
            ..self.limits
        };
        let count = scan::count(text, &left).map_err(|excess| self.refuse(excess, text))?;
        self.spent.values += count.values;
        self.spent.messages += count.messages;
        Ok(count)
    }

    /// Reports what there is too much of, in numbers of the whole body.
    fn refuse(&self, excess: Excess, text: &str) -> ApiError {
        let Limits { depth, values, messages } = self.limits;
        match excess {
            Excess::Depth { at, .. } if depth > MAX_DEPTH => {
                let around = depth - MAX_DEPTH;
                let told = format!(
                    "the event is nested deeper than {depth} levels, at byte {at}: {MAX_DEPTH} for the values in it, and {around} for the event around them"
                );
                refused(excess, told)
            }
            Excess::Depth { .. } => refused(excess, excess.to_string()),
            Excess::Messages { .. } => {
                refused(excess, format!("the request has more than {messages} messages"))
            }
            // Whoever sends a long history thinks of its messages, not of the values in them.
            Excess::Values { .. } => match long_history(text, &self.limits) {
                Some(count) => refused(
                    Excess::Messages { limit: messages },
                    format!("the {count} messages of the request have more than {values} values"),
                ),
                None => refused(excess, format!("the JSON has more than {values} values")),
            },
        }
    }
}

/// Returns how many messages a text with too many values has, if they are the most of it.
fn long_history(text: &str, limits: &Limits) -> Option<usize> {
    let all = Limits { values: usize::MAX, messages: usize::MAX, ..*limits };
    let count = scan::count(text, &all).ok()?;
    let is_most = count.messages.saturating_mul(VALUES_OF_MESSAGE) > count.values / 2;
    (limits.messages != usize::MAX && is_most).then_some(count.messages)
}

/// Why a text is too much.
fn refused(excess: Excess, message: String) -> ApiError {
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
            "send only what is new: the server has the rest; `max_messages` and `max_values` in the configuration say how much there may be",
        ),
    };
    ApiError::new(status, excess.code(), message).hint(hint)
}
