//! How a run ended, as a caller has to decide by it.

use forestage_protocol::{apply::RunEnd, id::ToolCallId, interrupt::Interrupt, json::Json};

/// How a run ended. A stream that was cut off has no outcome: it is an error.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub enum Outcome {
    /// It is done.
    Success {
        /// What it returned.
        result: Option<Json>,
    },
    /// It did what it could and waits for tools that the client offered. The next run brings their results.
    PendingToolCalls {
        /// The calls to answer, in order.
        tool_call_ids: Vec<ToolCallId>,
        /// What it returned.
        result: Option<Json>,
    },
    /// It needs answers to go on.
    Interrupted {
        /// The questions.
        interrupts: Vec<Interrupt>,
    },
    /// It was stopped on purpose.
    Cancelled,
    /// It failed.
    Failed {
        /// What happened.
        message: String,
        /// What happened, for programs.
        code: Option<String>,
    },
}

impl Outcome {
    /// Whether the run is done and nobody waits for anything.
    #[must_use]
    pub fn is_success(&self) -> bool {
        matches!(self, Self::Success { .. })
    }
}

impl From<RunEnd> for Outcome {
    fn from(end: RunEnd) -> Self {
        match end {
            RunEnd::Success { result, pending_tool_call_ids } if pending_tool_call_ids.is_empty() => {
                Self::Success { result }
            }
            RunEnd::Success { result, pending_tool_call_ids } => {
                Self::PendingToolCalls { tool_call_ids: pending_tool_call_ids, result }
            }
            RunEnd::Interrupt { interrupts } => Self::Interrupted { interrupts },
            RunEnd::Cancelled => Self::Cancelled,
            RunEnd::Error { message, code } => Self::Failed { message, code },
            // An end that a later protocol adds is none that we could call a success.
            other => Self::Failed { message: format!("unknown end: {other:?}"), code: None },
        }
    }
}
