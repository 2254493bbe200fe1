//! OpenAI's responses, streamed.

use serde_json::{Value, json};

use super::{
    asked::Asked,
    plan::Made,
    script::{Stop, Tokens},
    write::{Writer, event, in_turn},
};

pub(super) struct Responses {
    id: String,
    model: String,
    /// Items that are complete.
    output: Vec<Value>,
    /// The item that is open, with its text so far.
    open: Option<(&'static str, String)>,
}

impl Responses {
    pub(super) fn new(id: String, asked: &Asked) -> Self {
        Self { id, model: asked.model.clone(), output: Vec::new(), open: None }
    }

    fn item(&mut self, kind: &'static str, item: Value) -> String {
        if self.open.as_ref().is_some_and(|(open, _)| *open == kind) {
            return String::new();
        }
        let closed = self.end(None);
        self.open = Some((kind, String::new()));
        let at = self.output.len();
        closed + &event(&json!({ "type": "response.output_item.added", "output_index": at, "item": item }))
    }

    fn end(&mut self, sealed: Option<&str>) -> String {
        let Some((kind, text)) = self.open.take() else { return String::new() };
        let item = match kind {
            "reasoning" => {
                let summary = json!([{ "type": "summary_text", "text": text }]);
                json!({ "type": "reasoning", "id": "rs_1", "summary": summary, "encrypted_content": sealed })
            }
            _ => {
                let content = json!([{ "type": "output_text", "text": text, "annotations": [] }]);
                json!({ "type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content })
            }
        };
        self.done(item)
    }

    fn done(&mut self, item: Value) -> String {
        let at = self.output.len();
        self.output.push(item.clone());
        event(&json!({ "type": "response.output_item.done", "output_index": at, "item": item }))
    }

    fn grow(&mut self, delta: &str) {
        if let Some((_, text)) = &mut self.open {
            text.push_str(delta);
        }
    }

    fn response(&self, status: &str, tokens: Tokens) -> Value {
        let usage = json!({ "input_tokens": tokens.input, "output_tokens": tokens.output, "total_tokens": tokens.input + tokens.output });
        json!({ "id": self.id, "object": "response", "status": status, "model": self.model, "output": self.output, "usage": usage })
    }
}

impl Writer for Responses {
    fn open(&mut self) -> String {
        let response = json!({ "id": self.id, "object": "response", "status": "in_progress", "model": self.model, "output": [] });
        event(&json!({ "type": "response.created", "response": response }))
    }

    fn text(&mut self, delta: &str) -> String {
        let opened = self
            .item("message", json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": [] }));
        self.grow(delta);
        let at = self.output.len();
        opened
            + &event(
                &json!({ "type": "response.output_text.delta", "output_index": at, "content_index": 0, "delta": delta }),
            )
    }

    fn reasoning(&mut self, delta: &str) -> String {
        let opened = self.item("reasoning", json!({ "type": "reasoning", "id": "rs_1", "summary": [] }));
        self.grow(delta);
        let at = self.output.len();
        opened
            + &event(
                &json!({ "type": "response.reasoning_summary_text.delta", "output_index": at, "summary_index": 0, "delta": delta }),
            )
    }

    fn seal(&mut self, value: &str) -> String {
        let opened = self.item("reasoning", json!({ "type": "reasoning", "id": "rs_1", "summary": [] }));
        opened + &self.end(Some(value))
    }

    fn calls(&mut self, calls: &[Made]) -> Vec<String> {
        let mut pieces = vec![self.end(None)];
        let first = self.output.len();
        let item = |call: &Made, arguments: &str| json!({ "type": "function_call", "id": format!("fc_{}", call.id), "call_id": call.id, "name": call.name, "arguments": arguments });
        for (at, call) in calls.iter().enumerate() {
            let item = item(call, "");
            pieces.push(event(
                &json!({ "type": "response.output_item.added", "output_index": first + at, "item": item }),
            ));
        }
        for (at, piece) in in_turn(calls) {
            let delta = json!({ "type": "response.function_call_arguments.delta", "output_index": first + at, "delta": piece });
            pieces.push(event(&delta));
        }
        for call in calls {
            let done = self.done(item(call, &call.pieces.concat()));
            pieces.push(done);
        }
        pieces
    }

    fn error(&mut self, message: &str) -> String {
        event(&json!({ "type": "error", "code": "server_error", "message": message }))
    }

    fn close(&mut self, stop: Stop, tokens: Tokens) -> String {
        let closed = self.end(None);
        let (kind, status) = match stop {
            Stop::Length => ("response.incomplete", "incomplete"),
            _ => ("response.completed", "completed"),
        };
        closed + &event(&json!({ "type": kind, "response": self.response(status, tokens) }))
    }
}
