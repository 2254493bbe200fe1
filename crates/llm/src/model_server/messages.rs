//! Anthropic's messages, streamed.

use serde_json::{Value, json};

use super::{
    asked::Asked,
    plan::Made,
    script::{Stop, Tokens},
    write::{Writer, event},
};

pub(super) struct Messages {
    id: String,
    model: String,
    index: usize,
    /// The kind of block that is open.
    open: Option<&'static str>,
}

impl Messages {
    pub(super) fn new(id: String, asked: &Asked) -> Self {
        Self { id, model: asked.model.clone(), index: 0, open: None }
    }

    /// Opens a block unless one of this kind is open.
    fn block(&mut self, kind: &'static str, content: Value) -> String {
        if self.open == Some(kind) {
            return String::new();
        }
        let closed = self.end();
        self.open = Some(kind);
        closed
            + &event(&json!({ "type": "content_block_start", "index": self.index, "content_block": content }))
    }

    fn delta(&self, delta: Value) -> String {
        event(&json!({ "type": "content_block_delta", "index": self.index, "delta": delta }))
    }

    fn end(&mut self) -> String {
        if self.open.take().is_none() {
            return String::new();
        }
        let text = event(&json!({ "type": "content_block_stop", "index": self.index }));
        self.index += 1;
        text
    }
}

pub(super) fn stop_reason(stop: Stop) -> &'static str {
    match stop {
        Stop::Stop => "end_turn",
        Stop::Length => "max_tokens",
        Stop::Tools => "tool_use",
        Stop::Filter => "refusal",
    }
}

impl Writer for Messages {
    fn open(&mut self) -> String {
        let usage = json!({ "input_tokens": 10, "output_tokens": 1 });
        let message = json!({ "id": self.id, "type": "message", "role": "assistant", "content": [], "model": self.model, "stop_reason": null, "usage": usage });
        event(&json!({ "type": "message_start", "message": message })) + &event(&json!({ "type": "ping" }))
    }

    fn text(&mut self, delta: &str) -> String {
        self.block("text", json!({ "type": "text", "text": "" }))
            + &self.delta(json!({ "type": "text_delta", "text": delta }))
    }

    fn reasoning(&mut self, delta: &str) -> String {
        self.block("thinking", json!({ "type": "thinking", "thinking": "", "signature": "" }))
            + &self.delta(json!({ "type": "thinking_delta", "thinking": delta }))
    }

    fn seal(&mut self, value: &str) -> String {
        self.block("thinking", json!({ "type": "thinking", "thinking": "", "signature": "" }))
            + &self.delta(json!({ "type": "signature_delta", "signature": value }))
            + &self.end()
    }

    /// Blocks come one after the other here.
    fn calls(&mut self, calls: &[Made]) -> Vec<String> {
        let mut pieces = Vec::new();
        for call in calls {
            let closed = self.end();
            let block = json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": {} });
            pieces.push(closed + &self.block("tool_use", block));
            for piece in &call.pieces {
                pieces.push(self.delta(json!({ "type": "input_json_delta", "partial_json": piece })));
            }
            let closed = self.end();
            pieces.push(closed);
        }
        pieces
    }

    fn error(&mut self, message: &str) -> String {
        event(&json!({ "type": "error", "error": { "type": "overloaded_error", "message": message } }))
    }

    fn close(&mut self, stop: Stop, tokens: Tokens) -> String {
        let delta = json!({ "stop_reason": stop_reason(stop), "stop_sequence": null });
        let usage = json!({ "input_tokens": tokens.input, "output_tokens": tokens.output });
        self.end()
            + &event(&json!({ "type": "message_delta", "delta": delta, "usage": usage }))
            + &event(&json!({ "type": "message_stop" }))
    }
}
