//! Runs and steps.

use crate::{
    id::{RunId, SubagentRunId, ThreadId},
    input::RunAgentInput,
    interrupt::RunOutcome,
    json::Json,
    usage::TokenUsage,
    wire::wire,
};

wire! {
    /// A run begins.
    event "RUN_STARTED" RunStarted {
        required {
            /// The conversation.
            2 thread_id: ThreadId,
            /// The run.
            3 run_id: RunId,
        }
        optional {
            /// The version the producer speaks, as `MAJOR.MINOR`.
            6 protocol_version: String,
            /// The run that spawned this one.
            4 parent_run_id: RunId,
            /// What the run was asked.
            5 input: Box<RunAgentInput>,
        }
    }
}

wire! {
    /// A run ended in order: with success, with questions, or stopped on purpose.
    event "RUN_FINISHED" RunFinished {
        required {
            /// The conversation.
            2 thread_id: ThreadId,
            /// The run.
            3 run_id: RunId,
        }
        optional {
            /// What it returned.
            4 result: Json,
            /// How it ended; success where absent.
            5 outcome: RunOutcome,
            /// What it used, one entry per provider and model.
            7 usage: Vec<TokenUsage>,
        }
    }
}

wire! {
    /// A run failed. Nothing but another run may follow.
    event "RUN_ERROR" RunError {
        required {
            /// What happened, for people.
            3 message: String,
        }
        optional {
            /// What happened, for programs.
            2 code: String,
            /// What it used until then.
            4 usage: Vec<TokenUsage>,
        }
    }
}

wire! {
    /// A step begins. Steps may overlap; each is known by its owner and name.
    event "STEP_STARTED" StepStarted {
        required {
            /// Name of the step.
            2 step_name: String,
        }
        optional {
            /// The subagent whose step it is, where it is not the parent agent's.
            3 subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// A step is over, finished by whoever started it.
    event "STEP_FINISHED" StepFinished {
        required {
            /// Name of the step.
            2 step_name: String,
        }
        optional {
            /// The subagent whose step it is, where it is not the parent agent's.
            3 subagent_run_id: SubagentRunId,
        }
    }
}
