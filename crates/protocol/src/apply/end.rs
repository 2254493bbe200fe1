//! How a run ended.

use serde::Serialize;

use crate::{id::ToolCallId, interrupt::Interrupt, json::Json};

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum RunEnd {
    /// With success.
    Success {
        /// What it returned.
        #[serde(skip_serializing_if = "Option::is_none")]
        result: Option<Json>,
        /// Calls of client tools that wait for an answer: those the producer named, else all unanswered ones.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        pending_tool_call_ids: Vec<ToolCallId>,
    },
    /// With questions.
    Interrupt {
        /// The questions.
        interrupts: Vec<Interrupt>,
    },
    /// Stopped on purpose.
    Cancelled,
    /// With an error.
    Error {
        /// What happened.
        message: String,
        /// What happened, for programs.
        #[serde(skip_serializing_if = "Option::is_none")]
        code: Option<String>,
    },
}
