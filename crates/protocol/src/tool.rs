//! Tools that an agent may call, and the calls it made.

use crate::{
    id::ToolCallId,
    json::{Json, Metadata},
    wire::{names, wire},
};

wire! {
    /// A tool that the client offers.
    plain Tool {
        required {
            /// Its name.
            1 name: String,
            /// What it does, for the model.
            2 description: String,
        }
        optional {
            /// JSON Schema of its arguments.
            3 parameters: Json,
            /// Facts about the tool.
            4 metadata: Metadata,
        }
    }
}

names! {
    /// The kind of a tool call.
    enum ToolCallType {
        /// The only one.
        Function = "function",
    }
}

wire! {
    /// A call that an assistant message carries.
    plain ToolCall {
        required {
            /// The call.
            1 id: ToolCallId,
            /// Always `function`.
            2 r#type: ToolCallType,
            /// What is called.
            3 function: FunctionCall,
        }
        optional {
            /// A sealed value of the provider's.
            5 encrypted_value: String,
            /// What kind of sealed value. Comes with protocol 1.1.
            6 encrypted_value_type: String,
            /// Facts about the call.
            4 metadata: Metadata,
        }
    }
}

wire! {
    /// The function of a tool call.
    plain FunctionCall {
        required {
            /// Its name.
            1 name: String,
            /// The arguments as text, valid JSON or not.
            2 arguments: String,
        }
        optional {}
    }
}
