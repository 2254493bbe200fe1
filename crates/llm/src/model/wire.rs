//! A prompt in the words of the crate that talks to providers.

use genai::chat::{
    ChatMessage, ChatOptions, ChatRequest, ContentPart, MessageContent, ReasoningEffort, Tool, ToolCall,
    ToolResponse,
};
use serde_json::{Value, json};

use super::{Kind, Prompt, Said, Spoken, Target, Turn, gemini, prompt};

/// The request for a prompt.
pub(super) fn request(prompt: &Prompt, kind: Kind) -> ChatRequest {
    let messages = prompt.turns.iter().filter_map(|turn| message(turn, kind)).collect();
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
pub(super) fn schema(parameters: &serde_json::Map<String, Value>) -> Value {
    let mut schema = parameters.clone();
    schema.remove("$schema");
    schema.entry("type").or_insert_with(|| json!("object"));
    schema.entry("properties").or_insert_with(|| json!({}));
    Value::Object(schema)
}

/// Providers refuse a message with nothing in it, such as a thought that another one has sealed.
fn message(turn: &Turn, kind: Kind) -> Option<ChatMessage> {
    let (parts, say): (Vec<_>, fn(MessageContent) -> ChatMessage) = match turn {
        Turn::Person(said) => {
            (said.iter().filter_map(|said| person(said, kind)).collect(), |parts| ChatMessage::user(parts))
        }
        Turn::Model(spoken) if kind == Kind::Gemini => {
            (gemini::turn(spoken), |parts| ChatMessage::assistant(parts))
        }
        Turn::Model(spoken) => (spoken.iter().flat_map(|spoken| model(spoken, kind)).collect(), |parts| {
            ChatMessage::assistant(parts)
        }),
        Turn::Results(results) => {
            let parts = results.iter().map(|result| ContentPart::ToolResponse(response(result)));
            (parts.collect(), |parts| ChatMessage::tool(parts))
        }
    };
    (!parts.is_empty()).then(|| say(MessageContent::from_parts(parts)))
}

fn person(said: &Said, kind: Kind) -> Option<ContentPart> {
    let is_readable = |mime: &str| {
        kind != Kind::Anthropic || mime.starts_with("image/") || matches!(mime, "application/pdf")
    };
    Some(match said {
        Said::Text(text) if text.is_empty() => return None,
        Said::Text(text) => ContentPart::from_text(text),
        Said::Data { mime_type, .. } | Said::Link { mime_type, .. } if !is_readable(mime_type) => {
            ContentPart::from_text(cannot_be_shown(mime_type))
        }
        Said::Data { mime_type, base64 } => ContentPart::from_binary_base64(mime_type, base64.as_str(), None),
        // The crate leaves these out, though they are taken.
        Said::Link { mime_type, url } if kind == Kind::Anthropic && mime_type.starts_with("image/") => {
            let image = json!({ "type": "image", "source": { "type": "url", "url": url } });
            ContentPart::from_custom(image, None)
        }
        Said::Link { mime_type, url } => ContentPart::from_binary_url(mime_type, url, None),
    })
}

/// Said in place of what a model cannot see or hear.
pub(super) fn cannot_be_shown(mime_type: &str) -> String {
    format!("[an attachment of type {mime_type} that this model cannot read]")
}

fn model(spoken: &Spoken, kind: Kind) -> Vec<ContentPart> {
    match spoken {
        // What another provider has sealed says nothing to this one.
        Spoken::Sealed(sealed) if sealed.provider == seal_of(kind) => {
            serde_json::from_value(sealed.parts.clone()).unwrap_or_default()
        }
        other => plain(other).into_iter().collect(),
    }
}

/// What was said for everybody to read.
pub(super) fn plain(spoken: &Spoken) -> Option<ContentPart> {
    match spoken {
        Spoken::Sealed(_) => None,
        Spoken::Text(text) => Some(ContentPart::from_text(text)),
        Spoken::Call { id, name, arguments } => Some(ContentPart::ToolCall(ToolCall {
            call_id: id.clone(),
            fn_name: name.clone(),
            fn_arguments: arguments.clone(),
            thought_signatures: None,
        })),
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
    let effort = effort(wanted.reasoning.as_deref(), target);
    let thinks = wanted.reasoning.as_deref().is_some_and(|effort| effort != "none");
    // These take the wish to see reasoning as an option of models that reason, and others refuse it.
    let asks_to_see = matches!(target.kind, Kind::OpenAiResponses | Kind::Gemini);
    let mut options = ChatOptions::default()
        .with_capture_usage(true)
        .with_capture_tool_calls(true)
        .with_capture_reasoning_content(thinks || !asks_to_see)
        .with_stream_header_timeout(target.timeout)
        .with_stream_read_timeout(target.timeout);
    options.temperature = wanted.temperature;
    options.max_tokens = wanted.max_tokens;
    if target.kind == Kind::Anthropic && thinks {
        // It refuses a temperature beside thoughts, and thoughts that are longer than all it may say.
        options.temperature = None;
        let thoughts = effort.as_ref().map_or(0, budget);
        options.max_tokens =
            wanted.max_tokens.map(|most| if most > thoughts { most } else { most + thoughts });
    }
    match effort {
        Some(effort) => options.with_reasoning_effort(effort),
        None => options,
    }
}

fn effort(wanted: Option<&str>, target: &Target) -> Option<ReasoningEffort> {
    let takes_levels = target.model.contains("gemini-3");
    match (target.kind, wanted) {
        // Where the crate says nothing, Gemini thinks as much as it likes.
        (Kind::Gemini, Some("none")) if takes_levels => Some(ReasoningEffort::Minimal),
        (Kind::Gemini, Some("none")) => Some(ReasoningEffort::Budget(0)),
        // A name that ends in a word such as `-max` is a name. Where a level is wanted the crate leaves it alone, and
        // a number is a level that it does not send.
        (Kind::OpenAi | Kind::OpenAiResponses, None) => {
            ReasoningEffort::from_model_name(&target.model).0.map(|_| ReasoningEffort::Budget(0))
        }
        (_, wanted) => wanted.and_then(|effort| effort.parse().ok()),
    }
}

/// How long thoughts may be at Anthropic's older models, which are told so in tokens.
fn budget(effort: &ReasoningEffort) -> u32 {
    match effort {
        ReasoningEffort::Zero => 0,
        ReasoningEffort::Minimal | ReasoningEffort::Low => 1024,
        ReasoningEffort::Medium => 8000,
        ReasoningEffort::Budget(tokens) => *tokens,
        _ => 24_000,
    }
}
