//! Messages: the seven roles of a conversation.

mod access;

use crate::{
    content::Content,
    id::{MessageId, SubagentRunId, ToolCallId},
    json::{Metadata, Object},
    tool::ToolCall,
    wire::{union, wire},
};

union! {
    /// A message of a conversation.
    enum Message by "role" {
        /// Instructions of the developer.
        Developer(DeveloperMessage),
        /// Instructions of the system.
        System(SystemMessage),
        /// What the agent said and which tools it called.
        Assistant(AssistantMessage),
        /// What the person said.
        User(UserMessage),
        /// What a tool answered.
        Tool(ToolMessage),
        /// Something structured that is shown and never sent to an agent.
        Activity(ActivityMessage),
        /// What the agent thought.
        Reasoning(ReasoningMessage),
    }
}

wire! {
    /// Instructions of the developer.
    tagged "role" "developer" DeveloperMessage {
        required {
            /// The message.
            id: MessageId,
            /// The text.
            content: String,
        }
        optional {
            /// Name of the participant.
            name: String,
            /// A sealed value of the provider's.
            encrypted_value: String,
            /// What kind of sealed value. Comes with protocol 1.1.
            encrypted_value_type: String,
            /// Facts about the message.
            metadata: Metadata,
            /// The subagent it is from.
            subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// Instructions of the system.
    tagged "role" "system" SystemMessage {
        required {
            /// The message.
            id: MessageId,
            /// The text.
            content: String,
        }
        optional {
            /// Name of the participant.
            name: String,
            /// A sealed value of the provider's.
            encrypted_value: String,
            /// What kind of sealed value. Comes with protocol 1.1.
            encrypted_value_type: String,
            /// Facts about the message.
            metadata: Metadata,
            /// The subagent it is from.
            subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// What the agent said and which tools it called.
    tagged "role" "assistant" AssistantMessage {
        required {
            /// The message.
            id: MessageId,
        }
        optional {
            /// The text.
            content: String,
            /// The calls it made, in order.
            tool_calls: Vec<ToolCall>,
            /// Name of the participant.
            name: String,
            /// A sealed value of the provider's.
            encrypted_value: String,
            /// What kind of sealed value. Comes with protocol 1.1.
            encrypted_value_type: String,
            /// Facts about the message.
            metadata: Metadata,
            /// The subagent it is from.
            subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// What the person said.
    tagged "role" "user" UserMessage {
        required {
            /// The message.
            id: MessageId,
            /// Text or parts.
            content: Content,
        }
        optional {
            /// Name of the participant.
            name: String,
            /// A sealed value of the provider's.
            encrypted_value: String,
            /// What kind of sealed value. Comes with protocol 1.1.
            encrypted_value_type: String,
            /// Facts about the message.
            metadata: Metadata,
            /// The subagent it is from.
            subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// What a tool answered.
    tagged "role" "tool" ToolMessage {
        required {
            /// The message.
            id: MessageId,
            /// Text or parts.
            content: Content,
            /// The call that is answered.
            tool_call_id: ToolCallId,
        }
        optional {
            /// What went wrong, if it did.
            error: String,
            /// A sealed value of the provider's.
            encrypted_value: String,
            /// What kind of sealed value. Comes with protocol 1.1.
            encrypted_value_type: String,
            /// Facts about the message.
            metadata: Metadata,
            /// The subagent it is from.
            subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// Something structured that is shown and never sent to an agent.
    tagged "role" "activity" ActivityMessage {
        required {
            /// The message.
            id: MessageId,
            /// What kind of activity.
            activity_type: String,
            /// The content, an open object.
            content: Object,
        }
        optional {
            /// Facts about the message.
            metadata: Metadata,
            /// The subagent it is from.
            subagent_run_id: SubagentRunId,
        }
    }
}

wire! {
    /// What the agent thought.
    tagged "role" "reasoning" ReasoningMessage {
        required {
            /// The message.
            id: MessageId,
            /// The text.
            content: String,
        }
        optional {
            /// A sealed value of the provider's.
            encrypted_value: String,
            /// What kind of sealed value. Comes with protocol 1.1.
            encrypted_value_type: String,
            /// Facts about the message.
            metadata: Metadata,
            /// The subagent it is from.
            subagent_run_id: SubagentRunId,
        }
    }
}
