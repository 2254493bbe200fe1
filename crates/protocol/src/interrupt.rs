//! How runs end, the questions they may end on, and the answers.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use crate::{
    id::{InterruptId, SubagentRunId, ToolCallId},
    json::{Json, Metadata, Object},
    wire::{Shape, Wire, names, union, wire},
};

union! {
    /// How a run ended in order. Absent means success.
    enum RunOutcome by "type" {
        /// It did what it could; calls of client tools may be waiting.
        Success(SuccessOutcome),
        /// It needs answers to go on.
        Interrupt(InterruptOutcome),
        /// It was stopped on purpose.
        Cancelled(CancelledOutcome),
    }
}

wire! {
    /// The run did what it could.
    tagged "type" "success" SuccessOutcome {
        required {}
        optional {
            /// Calls of client tools that the client has to answer, in order.
            pending_tool_call_ids: Vec<ToolCallId>,
        }
    }
}

wire! {
    /// The run needs answers to go on.
    tagged "type" "interrupt" InterruptOutcome {
        required {
            /// The questions, at least one, each with an id of its own.
            interrupts: OneOrMore<Interrupt>,
        }
        optional {}
    }
}

wire! {
    /// The run was stopped on purpose.
    tagged "type" "cancelled" CancelledOutcome {
        required {}
        optional {}
    }
}

union! {
    /// How a subagent ended. Absent means success.
    enum SubagentOutcome by "type" {
        /// It is done.
        Success(SubagentSuccess),
        /// It waits for answers.
        Suspended(SubagentSuspended),
    }
}

wire! {
    /// The subagent is done.
    tagged "type" "success" SubagentSuccess {
        required {}
        optional {}
    }
}

wire! {
    /// The subagent waits for answers.
    tagged "type" "suspended" SubagentSuspended {
        required {}
        optional {
            /// The questions it waits for.
            interrupt_ids: Vec<InterruptId>,
        }
    }
}

wire! {
    /// A question to a person.
    plain Interrupt {
        required {
            /// The question.
            id: InterruptId,
            /// Why it is asked; an open vocabulary.
            reason: String,
        }
        optional {
            /// What to show.
            message: String,
            /// The tool call it is about.
            tool_call_id: ToolCallId,
            /// JSON Schema of the answer.
            response_schema: Object,
            /// When it is too late to answer, as a date and time.
            expires_at: String,
            /// Facts about the question.
            metadata: Metadata,
            /// The subagent that asks, where it is not the parent agent.
            subagent_run_id: SubagentRunId,
        }
    }
}

names! {
    /// What became of a question.
    enum ResumeStatus {
        /// It was answered.
        Resolved = "resolved",
        /// It was refused or withdrawn.
        Cancelled = "cancelled",
    }
}

wire! {
    /// The answer to one question.
    plain ResumeEntry {
        required {
            /// The question.
            1 interrupt_id: InterruptId,
            /// What became of it.
            2 status: ResumeStatus,
        }
        optional {
            /// The answer.
            3 payload: Json,
            /// Facts about the answer.
            4 metadata: Metadata,
        }
    }
}

/// A list with at least one item.
#[derive(Clone, Debug, PartialEq)]
pub struct OneOrMore<T>(Vec<T>);

impl<T> OneOrMore<T> {
    /// The list, if it has an item.
    #[must_use]
    pub fn new(items: Vec<T>) -> Option<Self> {
        (!items.is_empty()).then_some(Self(items))
    }

    /// The items.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// The items, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> From<T> for OneOrMore<T> {
    fn from(item: T) -> Self {
        Self(vec![item])
    }
}

impl<T: Wire> Wire for OneOrMore<T> {
    const SHAPE: Shape = Shape::List { item: &T::SHAPE, min: 1 };
}

impl<T: Serialize> Serialize for OneOrMore<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMore<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(Vec::deserialize(deserializer)?).ok_or_else(|| D::Error::custom("an empty list"))
    }
}
