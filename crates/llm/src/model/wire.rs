//! A prompt in the words of the crate that talks to providers.

use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ContentPart, MessageContent, ReasoningEffort, Tool, ToolCall,
    ToolResponse,
};
use serde_json::{Value, json};

use super::{Kind, Prompt, Said, Spoken, Target, Turn, prompt};

/// The request for a prompt.
pub(super) fn request(prompt: &Prompt, kind: Kind) -> ChatRequest {
    let messages = prompt.turns.iter().map(|turn| message(turn, kind)).collect();
    let mut request = ChatRequest::new(messages);
    if !prompt.instructions.is_empty() {
        request = request.with_system(&prompt.instructions);
    }
    if prompt.tools.is_empty() {
        return request;
    }
    request.with_tools(prompt.tools.iter().map(|tool| {
        Tool::new(&tool.name).with_description(&tool.description).with_schema(schema(&tool.parameters))
    }))
}

/// Providers want an object even where any object will do.
fn schema(parameters: &serde_json::Map<String, Value>) -> Value {
    let mut schema = parameters.clone();
    schema.remove("$schema");
    schema.entry("type").or_insert_with(|| json!("object"));
    schema.entry("properties").or_insert_with(|| json!({}));
    Value::Object(schema)
}

fn message(turn: &Turn, kind: Kind) -> ChatMessage {
    match turn {
        Turn::Person(said) => {
            ChatMessage::user(MessageContent::from_parts(said.iter().map(person).collect::<Vec<_>>()))
        }
        Turn::Model(spoken) => {
            let parts: Vec<_> = spoken.iter().flat_map(|spoken| model(spoken, kind)).collect();
            ChatMessage::assistant(MessageContent::from_parts(parts))
        }
        Turn::Results(results) => {
            let parts: Vec<_> =
                results.iter().map(|result| ContentPart::ToolResponse(response(result))).collect();
            ChatMessage::tool(MessageContent::from_parts(parts))
        }
    }
}

fn person(said: &Said) -> ContentPart {
    match said {
        Said::Text(text) => ContentPart::from_text(text),
        Said::Data { mime_type, base64 } => ContentPart::from_binary_base64(mime_type, base64.as_str(), None),
        Said::Link { mime_type, url } => ContentPart::from_binary_url(mime_type, url, None),
    }
}

fn model(spoken: &Spoken, kind: Kind) -> Vec<ContentPart> {
    match spoken {
        // What another provider has sealed says nothing to this one.
        Spoken::Sealed(sealed) if sealed.provider == seal_of(kind) => {
            serde_json::from_value(sealed.parts.clone()).unwrap_or_default()
        }
        Spoken::Sealed(_) => Vec::new(),
        Spoken::Text(text) => vec![ContentPart::from_text(text)],
        Spoken::Call { id, name, arguments } => vec![ContentPart::ToolCall(ToolCall {
            call_id: id.clone(),
            fn_name: name.clone(),
            fn_arguments: arguments.clone(),
            thought_signatures: None,
        })],
    }
}

fn response(result: &prompt::Result) -> ToolResponse {
    ToolResponse::new(&result.id, &result.text).with_fn_name(&result.name)
}

/// Under whose name something is sealed: what one model of a provider has sealed, another can open.
pub(super) fn seal_of(kind: Kind) -> &'static str {
    match kind {
        Kind::OpenAi => "openai",
        Kind::OpenAiResponses => "openai-responses",
        Kind::Anthropic => "anthropic",
        Kind::Gemini => "gemini",
        Kind::Ollama => "ollama",
    }
}

/// How it is to be answered. Arguments are captured, because only then do their pieces carry the ids of their calls.
pub(super) fn options(prompt: &Prompt, target: &Target) -> ChatOptions {
    let wanted = &prompt.options;
    // OpenAI's responses take the wish to see reasoning as an option of models that reason, and others refuse it.
    let reasons = target.kind != Kind::OpenAiResponses || wanted.reasoning.is_some();
    let mut options = ChatOptions::default()
        .with_capture_usage(true)
        .with_capture_tool_calls(true)
        .with_capture_reasoning_content(reasons)
        .with_stream_header_timeout(target.timeout)
        .with_stream_read_timeout(target.timeout);
    options.temperature = wanted.temperature;
    options.max_tokens = wanted.max_tokens;
    if let Some(effort) =
        wanted.reasoning.as_deref().and_then(|effort| effort.parse::<ReasoningEffort>().ok())
    {
        options = options.with_reasoning_effort(effort);
    }
    options
}
