//! Ollama in its own words: a line of JSON for every piece, the last of which says that it is done.

use serde_json::{Value, json};

use super::{
    asked::Asked,
    plan::Made,
    script::{Stop, Tokens},
    write::Writer,
};

pub(super) struct Ollama {
    model: String,
    calls: usize,
}

impl Ollama {
    pub(super) fn new(asked: &Asked) -> Self {
        Self { model: asked.model.clone(), calls: 0 }
    }

    fn line(&self, message: Value) -> String {
        line(&piece(&self.model, message, false))
    }
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}

fn piece(model: &str, mut message: Value, is_done: bool) -> Value {
    message["role"] = "assistant".into();
    json!({ "model": model, "created_at": "2026-01-01T00:00:00Z", "message": message, "done": is_done })
}

/// The last piece, or the only one.
pub(super) fn done(model: &str, message: Value, stop: Stop, tokens: Tokens) -> Value {
    let mut last = piece(model, message, true);
    last["done_reason"] = if stop == Stop::Length { "length" } else { "stop" }.into();
    last["prompt_eval_count"] = tokens.input.into();
    last["eval_count"] = tokens.output.into();
    last
}

/// A call comes whole, and without an id.
pub(super) fn call(at: usize, call: &Made) -> Value {
    json!({ "function": { "index": at, "name": call.name, "arguments": call.arguments() } })
}

impl Writer for Ollama {
    fn open(&mut self) -> String {
        String::new()
    }

    fn text(&mut self, delta: &str) -> String {
        self.line(json!({ "content": delta }))
    }

    fn reasoning(&mut self, delta: &str) -> String {
        self.line(json!({ "content": "", "thinking": delta }))
    }

    /// There is nothing sealed in this dialect.
    fn seal(&mut self, _value: &str) -> String {
        String::new()
    }

    fn calls(&mut self, calls: &[Made]) -> Vec<String> {
        let first = self.calls;
        self.calls += calls.len();
        let made = |(at, made): (usize, &Made)| {
            self.line(json!({ "content": "", "tool_calls": [call(first + at, made)] }))
        };
        calls.iter().enumerate().map(made).collect()
    }

    fn error(&mut self, message: &str) -> String {
        line(&json!({ "error": message }))
    }

    fn close(&mut self, stop: Stop, tokens: Tokens) -> String {
        line(&done(&self.model, json!({ "content": "" }), stop, tokens))
    }
}
