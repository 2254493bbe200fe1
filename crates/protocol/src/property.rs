//! The names of members on the wire, as constants: for code that reads or builds JSON without the types.
//!
//! ```
//! use forestage_protocol::property;
//! use serde_json::json;
//!
//! let event = json!({ property::TYPE: "STEP_STARTED", property::STEP_NAME: "look it up" });
//! assert_eq!(event["stepName"], "look it up");
//! ```
//!
//! A test compares them with the declarations of the types, AGUI.Protocol's own included
//! ([`compat::net`](crate::compat::net)).

/// Declares the constants, and the list of all of them.
macro_rules! properties {
    ($($constant:ident = $name:literal;)*) => {
        $(
            #[doc = concat!("The member `", $name, "`.")]
            pub const $constant: &str = $name;
        )*

        /// Every name, in alphabetical order.
        pub const ALL: &[&str] = &[$($constant),*];
    };
}

properties! {
    ACTIVITY_TYPE = "activityType";
    APPROVALS = "approvals";
    APPROVE_WITH_EDITS = "approveWithEdits";
    ARGUMENTS = "arguments";
    AUDIO = "audio";
    CACHE_WRITE_INPUT_TOKENS = "cacheWriteInputTokens";
    CACHED_INPUT_TOKENS = "cachedInputTokens";
    CLIENT_PROVIDED = "clientProvided";
    CODE = "code";
    CODE_EXECUTION = "codeExecution";
    CONTENT = "content";
    CONTEXT = "context";
    CUSTOM = "custom";
    DATA = "data";
    DELEGATION = "delegation";
    DELTA = "delta";
    DELTAS = "deltas";
    DESCRIPTION = "description";
    DOCUMENTATION_URL = "documentationUrl";
    ENCRYPTED = "encrypted";
    ENCRYPTED_CONTENT = "encryptedContent";
    ENCRYPTED_VALUE = "encryptedValue";
    ENCRYPTED_VALUE_TYPE = "encryptedValueType";
    ENTITY_ID = "entityId";
    ERROR = "error";
    EVENT = "event";
    EXECUTION = "execution";
    EXPIRES_AT = "expiresAt";
    FEEDBACK = "feedback";
    FILE = "file";
    FILENAME = "filename";
    FORWARDED_PROPS = "forwardedProps";
    FROM = "from";
    FUNCTION = "function";
    FUNCTION_ARGUMENTS = "functionArguments";
    FUNCTION_NAME = "functionName";
    HANDOFFS = "handoffs";
    HTTP_BINARY = "httpBinary";
    HUMAN_IN_THE_LOOP = "humanInTheLoop";
    ID = "id";
    IDENTITY = "identity";
    IMAGE = "image";
    INPUT = "input";
    INPUT_TOKENS = "inputTokens";
    INPUT_TYPE = "inputType";
    INTERRUPT = "interrupt";
    INTERRUPT_ID = "interruptId";
    INTERRUPT_IDS = "interruptIds";
    INTERRUPTS = "interrupts";
    INTERVENTIONS = "interventions";
    ITEMS = "items";
    MAX_EXECUTION_TIME = "maxExecutionTime";
    MAX_ITERATIONS = "maxIterations";
    MEMORY = "memory";
    MESSAGE = "message";
    MESSAGE_ID = "messageId";
    MESSAGES = "messages";
    META_TYPE = "metaType";
    METADATA = "metadata";
    MIME_TYPE = "mimeType";
    MODEL = "model";
    MULTI_AGENT = "multiAgent";
    MULTIMODAL = "multimodal";
    NAME = "name";
    OP = "op";
    OUTCOME = "outcome";
    OUTPUT = "output";
    OUTPUT_TOKENS = "outputTokens";
    PARALLEL_CALLS = "parallelCalls";
    PARAMETERS = "parameters";
    PARENT_MESSAGE_ID = "parentMessageId";
    PARENT_RUN_ID = "parentRunId";
    PARENT_SUBAGENT_RUN_ID = "parentSubagentRunId";
    PARENT_TOOL_CALL_ID = "parentToolCallId";
    PATCH = "patch";
    PATH = "path";
    PAYLOAD = "payload";
    PDF = "pdf";
    PENDING_TOOL_CALL_IDS = "pendingToolCallIds";
    PERSISTENT_STATE = "persistentState";
    PROMPT = "prompt";
    PROTOCOL_VERSION = "protocolVersion";
    PROVIDER = "provider";
    PUSH_NOTIFICATIONS = "pushNotifications";
    RAW_EVENT = "rawEvent";
    REASON = "reason";
    REASONING = "reasoning";
    REASONING_TOKENS = "reasoningTokens";
    REPLACE = "replace";
    RESPONSE_SCHEMA = "responseSchema";
    RESULT = "result";
    RESUMABLE = "resumable";
    RESUME = "resume";
    ROLE = "role";
    RUN_ID = "runId";
    SANDBOXED = "sandboxed";
    SNAPSHOT = "snapshot";
    SNAPSHOTS = "snapshots";
    SOURCE = "source";
    STATE = "state";
    STATUS = "status";
    STEP_NAME = "stepName";
    STREAMING = "streaming";
    STRUCTURED_OUTPUT = "structuredOutput";
    SUBAGENT_RUN_ID = "subagentRunId";
    SUBAGENTS = "subagents";
    SUBTYPE = "subtype";
    SUPPORTED = "supported";
    SUPPORTED_MIME_TYPES = "supportedMimeTypes";
    TEXT = "text";
    THREAD_ID = "threadId";
    TIMESTAMP = "timestamp";
    TOOL_CALL_ID = "toolCallId";
    TOOL_CALL_NAME = "toolCallName";
    TOOL_CALLS = "toolCalls";
    TOOLS = "tools";
    TOTAL_TOKENS = "totalTokens";
    TRANSPORT = "transport";
    TYPE = "type";
    URL = "url";
    USAGE = "usage";
    VALUE = "value";
    VERSION = "version";
    VIDEO = "video";
    WEBSOCKET = "websocket";
}
