//! What an agent declares about itself. Informative: no stream is refused because of it.

use crate::{
    json::{Metadata, Object},
    number::Count,
    tool::Tool,
    wire::wire,
};

wire! {
    /// What an agent says it can do. Left out means undeclared, not unsupported.
    plain AgentCapabilities {
        required {}
        optional {
            /// Who it is.
            identity: IdentityCapabilities,
            /// How it can be reached.
            transport: TransportCapabilities,
            /// What it does with tools.
            tools: ToolsCapabilities,
            /// What it puts out.
            output: OutputCapabilities,
            /// What it does with state.
            state: StateCapabilities,
            /// How it works with others.
            multi_agent: MultiAgentCapabilities,
            /// How it shows reasoning.
            reasoning: ReasoningCapabilities,
            /// Media in and out.
            multimodal: MultimodalCapabilities,
            /// How it executes.
            execution: ExecutionCapabilities,
            /// How people take part.
            human_in_the_loop: HumanInTheLoopCapabilities,
            /// Anything else, open by key.
            custom: Object,
        }
    }
}

wire! {
    /// Who the agent is.
    plain IdentityCapabilities {
        required {}
        optional {
            /// Name.
            name: String,
            /// Kind of agent, in its maker's words.
            r#type: String,
            /// What it does.
            description: String,
            /// Its version.
            version: String,
            /// Who makes it.
            provider: String,
            /// Where to read about it.
            documentation_url: String,
            /// More about it.
            metadata: Metadata,
        }
    }
}

wire! {
    /// How it can be reached.
    plain TransportCapabilities {
        required {}
        optional {
            /// Streams events.
            streaming: bool,
            /// Speaks WebSocket.
            websocket: bool,
            /// Speaks the protobuf binding.
            http_binary: bool,
            /// Can notify.
            push_notifications: bool,
            /// A stream can be taken up again.
            resumable: bool,
        }
    }
}

wire! {
    /// What it does with tools.
    plain ToolsCapabilities {
        required {}
        optional {
            /// Calls tools.
            supported: bool,
            /// Tools of its own.
            items: Vec<Tool>,
            /// Makes several calls at once.
            parallel_calls: bool,
            /// Takes tools from the client.
            client_provided: bool,
        }
    }
}

wire! {
    /// What it puts out.
    plain OutputCapabilities {
        required {}
        optional {
            /// Output by a schema.
            structured_output: bool,
            /// Media types it can put out.
            supported_mime_types: Vec<String>,
        }
    }
}

wire! {
    /// What it does with state.
    plain StateCapabilities {
        required {}
        optional {
            /// Sends snapshots.
            snapshots: bool,
            /// Sends deltas.
            deltas: bool,
            /// Remembers across threads.
            memory: bool,
            /// Keeps state across runs.
            persistent_state: bool,
        }
    }
}

wire! {
    /// How it works with others.
    plain MultiAgentCapabilities {
        required {}
        optional {
            /// Works with other agents.
            supported: bool,
            /// Delegates.
            delegation: bool,
            /// Hands over.
            handoffs: bool,
            /// The subagents it has.
            subagents: Vec<SubagentInfo>,
        }
    }
}

wire! {
    /// How it shows reasoning.
    plain ReasoningCapabilities {
        required {}
        optional {
            /// Shows reasoning.
            supported: bool,
            /// Streams it.
            streaming: bool,
            /// Sends sealed values.
            encrypted: bool,
        }
    }
}

wire! {
    /// Which media it reads.
    plain MultimodalInputCapabilities {
        required {}
        optional {
            /// Images.
            image: bool,
            /// Sound.
            audio: bool,
            /// Moving pictures.
            video: bool,
            /// PDF documents.
            pdf: bool,
            /// Other files.
            file: bool,
        }
    }
}

wire! {
    /// Which media it makes.
    plain MultimodalOutputCapabilities {
        required {}
        optional {
            /// Images.
            image: bool,
            /// Sound.
            audio: bool,
        }
    }
}

wire! {
    /// Media in and out.
    plain MultimodalCapabilities {
        required {}
        optional {
            /// What it reads.
            input: MultimodalInputCapabilities,
            /// What it makes.
            output: MultimodalOutputCapabilities,
        }
    }
}

wire! {
    /// How it executes.
    plain ExecutionCapabilities {
        required {}
        optional {
            /// Runs code.
            code_execution: bool,
            /// Runs it in a sandbox.
            sandboxed: bool,
            /// Most rounds of a run.
            max_iterations: Count,
            /// Longest run.
            max_execution_time: Count,
        }
    }
}

wire! {
    /// How people take part.
    plain HumanInTheLoopCapabilities {
        required {}
        optional {
            /// People can take part.
            supported: bool,
            /// Asks for approval.
            approvals: bool,
            /// Can be steered while it runs.
            interventions: bool,
            /// Takes feedback.
            feedback: bool,
            /// Ends runs on questions.
            interrupts: bool,
            /// Takes edited arguments.
            approve_with_edits: bool,
        }
    }
}

wire! {
    /// A subagent an agent has.
    plain SubagentInfo {
        required {
            /// Its name.
            name: String,
        }
        optional {
            /// What it does.
            description: String,
        }
    }
}
