//! An answer at once, for whoever did not ask for a stream.

use serde_json::{Value, json};

use super::{
    asked::{Asked, Dialect},
    chat::{finish, usage},
    gemini,
    messages::stop_reason,
    ollama,
    plan::{Made, Part, Plan},
};

/// The whole answer. What happens to streams does not happen here.
pub(super) fn whole(plan: &Plan, asked: &Asked) -> Value {
    let id = format!("answer_{}", plan.number);
    let text: String = plan
        .parts
        .iter()
        .filter_map(|part| if let Part::Text(text) = part { Some(text.as_str()) } else { None })
        .collect();
    let calls: Vec<&Made> = plan
        .parts
        .iter()
        .flat_map(|part| if let Part::Calls(calls) = part { calls.as_slice() } else { &[] })
        .collect();
    let tokens = plan.tokens;
    match asked.dialect {
        Dialect::Chat => {
            let mut message = json!({ "role": "assistant", "content": text });
            if !calls.is_empty() {
                message["tool_calls"] = calls.iter().map(|call| json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.pieces.concat() } })).collect();
            }
            let choice = json!({ "index": 0, "message": message, "finish_reason": finish(plan.stop) });
            json!({ "id": id, "object": "chat.completion", "created": 0, "model": asked.model, "choices": [choice], "usage": usage(tokens) })
        }
        Dialect::Messages => {
            let text = (!text.is_empty()).then(|| json!({ "type": "text", "text": text }));
            let calls = calls.iter().map(|call| {
                let input: Value = serde_json::from_str(&call.pieces.concat()).unwrap_or_default();
                json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": input })
            });
            let content: Vec<_> = text.into_iter().chain(calls).collect();
            let usage = json!({ "input_tokens": tokens.input, "output_tokens": tokens.output });
            json!({ "id": id, "type": "message", "role": "assistant", "model": asked.model, "content": content, "stop_reason": stop_reason(plan.stop), "usage": usage })
        }
        Dialect::Gemini => {
            let text = (!text.is_empty()).then(|| json!({ "text": text }));
            let parts: Vec<_> = text.into_iter().chain(calls.iter().map(|call| gemini::call(call))).collect();
            let content = json!({ "parts": parts, "role": "model" });
            let candidate =
                json!({ "content": content, "finishReason": gemini::finish_reason(plan.stop), "index": 0 });
            json!({ "candidates": [candidate], "usageMetadata": gemini::usage(tokens), "modelVersion": asked.model, "responseId": id })
        }
        Dialect::Ollama => {
            let mut message = json!({ "content": text });
            if !calls.is_empty() {
                message["tool_calls"] =
                    calls.iter().enumerate().map(|(at, call)| ollama::call(at, call)).collect();
            }
            ollama::done(&asked.model, message, plan.stop, tokens)
        }
        Dialect::Responses => {
            let content = json!([{ "type": "output_text", "text": text, "annotations": [] }]);
            let message = (!text.is_empty()).then(|| json!({ "type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content }));
            let calls = calls.iter().map(|call| json!({ "type": "function_call", "id": format!("fc_{}", call.id), "call_id": call.id, "name": call.name, "arguments": call.pieces.concat() }));
            let output: Vec<_> = message.into_iter().chain(calls).collect();
            let usage = json!({ "input_tokens": tokens.input, "output_tokens": tokens.output, "total_tokens": tokens.input + tokens.output });
            json!({ "id": id, "object": "response", "status": "completed", "model": asked.model, "output": output, "usage": usage })
        }
    }
}

/// A refusal in the words of whoever was asked.
pub(super) fn refusal(dialect: Dialect, status: u16, message: &str, retry_after: Option<f64>) -> Value {
    match dialect {
        Dialect::Gemini => gemini::error(status, message, retry_after),
        Dialect::Ollama => json!({ "error": message }),
        _ => json!({ "type": "error", "error": { "type": "scripted_error", "message": message } }),
    }
}
