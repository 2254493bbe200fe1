//! What Ollama is asked.

use serde_json::{Map, Value, json};

use crate::model::{CallResult, Options, Prompt, Said, Spoken, Turn, wire};

/// The body of a request.
pub(super) fn body(prompt: &Prompt, model: &str) -> Value {
    let mut body = json!({ "model": model, "stream": true });
    let options = options(&prompt.options);
    if !options.is_empty() {
        body["options"] = options.into();
    }
    if let Some(effort) = &prompt.options.reasoning {
        body["think"] = think(effort);
    }
    if !prompt.tools.is_empty() {
        body["tools"] = prompt.tools.iter().map(|tool| {
            let parameters = wire::schema(&tool.parameters);
            json!({ "type": "function", "function": { "name": tool.name, "description": tool.description, "parameters": parameters } })
        }).collect();
    }
    let mut messages = Vec::new();
    if !prompt.instructions.is_empty() {
        messages.push(json!({ "role": "system", "content": prompt.instructions }));
    }
    for turn in &prompt.turns {
        match turn {
            Turn::Person(said) => messages.push(person(said)),
            Turn::Model(spoken) => messages.push(model_turn(spoken)),
            Turn::Results(results) => messages.extend(results.iter().map(result)),
        }
    }
    body["messages"] = messages.into();
    body
}

fn options(wanted: &Options) -> Map<String, Value> {
    let mut options = Map::new();
    if let Some(temperature) = wanted.temperature {
        options.insert("temperature".to_owned(), temperature.into());
    }
    if let Some(most) = wanted.max_tokens {
        options.insert("num_predict".to_owned(), most.into());
    }
    options
}

/// It knows levels and yes and no, and no numbers of tokens.
fn think(effort: &str) -> Value {
    match effort {
        "none" => false.into(),
        "minimal" => "low".into(),
        "low" | "medium" | "high" => effort.into(),
        _ => true.into(),
    }
}

/// Images stand beside the text, and it fetches nothing.
fn person(said: &[Said]) -> Value {
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    for said in said {
        match said {
            Said::Text(text) => texts.push(text.clone()),
            Said::Data { mime_type, base64 } if mime_type.starts_with("image/") => {
                images.push(base64.as_str())
            }
            Said::Data { mime_type, .. } => texts.push(wire::cannot_be_shown(mime_type)),
            Said::Link { mime_type, url } => {
                texts.push(format!("{}: {url}", wire::cannot_be_shown(mime_type)));
            }
        }
    }
    let mut message = json!({ "role": "user", "content": texts.join("\n") });
    if !images.is_empty() {
        message["images"] = images.into();
    }
    message
}

fn model_turn(spoken: &[Spoken]) -> Value {
    let (mut text, mut calls) = (String::new(), Vec::new());
    let mut message = json!({ "role": "assistant" });
    for spoken in spoken {
        match spoken {
            Spoken::Sealed(sealed) if sealed.provider == super::SEAL => {
                message["thinking"] = sealed.parts.clone()
            }
            Spoken::Sealed(_) => {}
            Spoken::Text(said) => text.push_str(said),
            Spoken::Call { name, arguments, .. } => {
                let function = json!({ "index": calls.len(), "name": name, "arguments": arguments });
                calls.push(json!({ "type": "function", "function": function }));
            }
        }
    }
    message["content"] = text.into();
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

/// Results have no ids: they stand in the order of the calls and name the tool.
fn result(result: &CallResult) -> Value {
    json!({ "role": "tool", "tool_name": result.name, "content": result.text })
}
