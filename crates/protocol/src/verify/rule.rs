//! The rules, each with a name that never changes.

/// Declares the rules with their names and what they ask for.
macro_rules! rules {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal,)*) => {
        /// A rule of the order of events.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[doc = $doc])* $name,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Rule] = &[$(Rule::$name),*];

            /// A stable name for programs.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self {
                    $(Self::$name => $code,)*
                }
            }

            /// What the rule asks for.
            #[must_use]
            pub fn about(self) -> &'static str {
                match self {
                    $(Self::$name => concat!($($doc),*).trim_ascii_start(),)*
                }
            }
        }
    };
}

rules! {
    /// A stream begins with RUN_STARTED, or with RUN_ERROR where the run could not start.
    FirstEvent = "first_event",
    /// After RUN_ERROR nothing may follow but a new run.
    RunErrored = "run_errored",
    /// After RUN_FINISHED nothing may follow but a late RUN_ERROR or a new run.
    RunFinished = "run_finished",
    /// A run has to end before the next begins.
    RunActive = "run_active",
    /// RUN_STARTED and RUN_FINISHED of a run carry one runId.
    RunIdMismatch = "run_id_mismatch",
    /// All runs of a stream are on one thread, the input's.
    ThreadIdMismatch = "thread_id_mismatch",
    /// Everything a run opened is closed before it finishes.
    OpenAtFinish = "open_at_finish",
    /// Each interrupt of a run has an id of its own.
    InterruptIdDuplicate = "interrupt_id_duplicate",
    /// A stream ends with the terminal event of its run.
    StreamTruncated = "stream_truncated",
    /// A text message is opened once at a time.
    TextMessageOpen = "text_message_open",
    /// Content and end of a text message name one that is open.
    TextMessageNotOpen = "text_message_not_open",
    /// A tool call is opened once at a time.
    ToolCallOpen = "tool_call_open",
    /// Arguments and end of a tool call name one that is open.
    ToolCallNotOpen = "tool_call_not_open",
    /// A reasoning span is opened once at a time.
    ReasoningSpanOpen = "reasoning_span_open",
    /// The end of a reasoning span names one that is open.
    ReasoningSpanNotOpen = "reasoning_span_not_open",
    /// A reasoning message is opened once at a time.
    ReasoningMessageOpen = "reasoning_message_open",
    /// Content and end of a reasoning message name one that is open.
    ReasoningMessageNotOpen = "reasoning_message_not_open",
    /// A step is opened once at a time by the same owner.
    StepOpen = "step_open",
    /// A finished step was started.
    StepNotOpen = "step_not_open",
    /// A step is finished by whoever started it.
    StepOwner = "step_owner",
    /// Whatever continues an item carries the tag of its opener, or none.
    OwnerMismatch = "owner_mismatch",
    /// A tool call belongs to the owner of the message that carries it.
    ParentOwnerMismatch = "parent_owner_mismatch",
    /// A subagent is started once at a time.
    SubagentActive = "subagent_active",
    /// The id of a subagent that ended is not used again in the run.
    SubagentReused = "subagent_reused",
    /// The parent of a subagent was started in the same run.
    SubagentParentUnknown = "subagent_parent_unknown",
    /// A subagent that ends was started and has not ended.
    SubagentNotActive = "subagent_not_active",
    /// The first chunk of an item carries its id, and the name of the tool.
    ChunkIncomplete = "chunk_incomplete",
    /// What a later chunk repeats agrees with the first.
    ChunkConflict = "chunk_conflict",
    /// A chunk without id and tag belongs to the only stream it can belong to.
    ChunkAmbiguous = "chunk_ambiguous",
}

/// A rule that was broken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Violation {
    /// Which rule.
    pub rule: Rule,
    /// What happened, with the ids involved.
    pub message: String,
}

impl Violation {
    pub(crate) fn new(rule: Rule, message: impl Into<String>) -> Self {
        Self { rule, message: message.into() }
    }
}
