//! What is asked, in whichever dialect.

use serde_json::Value;

use super::gemini;

/// How a request is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Chat,
    Responses,
    Messages,
    Gemini,
    Ollama,
}

impl Dialect {
    pub(super) fn of(path: &str) -> Option<Self> {
        if gemini::route(path).is_some() {
            return Some(Self::Gemini);
        }
        if path.ends_with("/api/chat") {
            return Some(Self::Ollama);
        }
        match path.trim_end_matches('/').rsplit_once("/v1/").map_or(path, |(_, route)| route) {
            "chat/completions" => Some(Self::Chat),
            "responses" => Some(Self::Responses),
            "messages" => Some(Self::Messages),
            _ => None,
        }
    }

    /// How its streams are announced.
    pub(super) fn content_type(self) -> &'static str {
        match self {
            Self::Ollama => "application/x-ndjson",
            _ => "text/event-stream",
        }
    }
}

/// What matters of a request.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    pub(super) dialect: Dialect,
    pub(super) model: String,
    pub(super) stream: bool,
    pub(super) wants_usage: bool,
    pub(super) instructions: String,
    /// What the person said last, if nothing came after it.
    pub(super) said: Option<String>,
    /// The results that came last, by tool.
    pub(super) results: Vec<(String, String)>,
}

impl Asked {
    pub(super) fn read(dialect: Dialect, path: &str, body: &Value) -> Self {
        if dialect == Dialect::Gemini {
            return gemini::read(path, body);
        }
        let items = match dialect {
            Dialect::Responses => &body["input"],
            _ => &body["messages"],
        };
        let mut items = items.as_array().map(Vec::as_slice).unwrap_or_default();
        let mut instructions = text_of(&body["system"]) + &text_of(&body["instructions"]);
        while let [first, rest @ ..] = items
            && matches!(first["role"].as_str(), Some("system" | "developer"))
        {
            instructions.push_str(&text_of(&first["content"]));
            items = rest;
        }
        let last: Vec<_> = items.iter().rev().take_while(|item| is_result(item)).collect();
        let results = last.into_iter().rev().flat_map(|item| results(item, items)).collect::<Vec<_>>();
        let person = items.last().filter(|item| item["role"] == "user" && results.is_empty());
        Self {
            dialect,
            model: body["model"].as_str().unwrap_or_default().to_owned(),
            // Ollama streams unless it is told not to.
            stream: body["stream"].as_bool().unwrap_or(dialect == Dialect::Ollama),
            wants_usage: body["stream_options"]["include_usage"] == true,
            instructions,
            said: person.map(|item| text_of(&item["content"])),
            results,
        }
    }
}

fn is_result(item: &Value) -> bool {
    let parts = item["content"].as_array().into_iter().flatten();
    item["role"] == "tool"
        || item["type"] == "function_call_output"
        || parts.into_iter().any(|part| part["type"] == "tool_result")
}

/// The results in an item, each with the name of its tool.
fn results(item: &Value, items: &[Value]) -> Vec<(String, String)> {
    let named = |id: &Value, text: &Value| (name_of(id, items), text_of(text));
    if let Some(name) = item["tool_name"].as_str() {
        return vec![(name.to_owned(), text_of(&item["content"]))];
    }
    if item["role"] == "tool" {
        return vec![named(&item["tool_call_id"], &item["content"])];
    }
    if item["type"] == "function_call_output" {
        return vec![named(&item["call_id"], &item["output"])];
    }
    let parts = item["content"].as_array().into_iter().flatten();
    let parts = parts.filter(|part| part["type"] == "tool_result");
    parts.map(|part| named(&part["tool_use_id"], &part["content"])).collect()
}

/// The tool that a call was of.
fn name_of(id: &Value, items: &[Value]) -> String {
    let name = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    for item in items {
        if item["type"] == "function_call" && item["call_id"] == *id {
            return name(&item["name"]);
        }
        if let Some(call) = item["tool_calls"].as_array().into_iter().flatten().find(|call| call["id"] == *id)
        {
            return name(&call["function"]["name"]);
        }
        let mut parts = item["content"].as_array().into_iter().flatten();
        if let Some(part) = parts.find(|part| part["type"] == "tool_use" && part["id"] == *id) {
            return name(&part["name"]);
        }
    }
    String::new()
}

pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}
