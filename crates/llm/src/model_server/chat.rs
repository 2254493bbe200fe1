//! OpenAI's chat completions, streamed.

use serde_json::{Value, json};

use super::{
    asked::Asked,
    plan::Made,
    script::{Stop, Tokens},
    write::{Writer, frame, in_turn},
};

pub(super) struct Chat {
    id: String,
    model: String,
    wants_usage: bool,
    calls: usize,
}

impl Chat {
    pub(super) fn new(id: String, asked: &Asked) -> Self {
        Self { id, model: asked.model.clone(), wants_usage: asked.wants_usage, calls: 0 }
    }

    fn chunk(&self, delta: Value, finish: Option<&str>) -> String {
        let choices = json!([{ "index": 0, "delta": delta, "finish_reason": finish }]);
        frame(&self.object(choices, None))
    }

    fn object(&self, choices: Value, usage: Option<Value>) -> Value {
        let (id, model) = (&self.id, &self.model);
        let mut object = json!({ "id": id, "object": "chat.completion.chunk", "created": 0, "model": model, "choices": choices });
        if let Some(usage) = usage {
            object["usage"] = usage;
        }
        object
    }
}

pub(super) fn finish(stop: Stop) -> &'static str {
    match stop {
        Stop::Stop => "stop",
        Stop::Length => "length",
        Stop::Tools => "tool_calls",
        Stop::Filter => "content_filter",
    }
}

pub(super) fn usage(tokens: Tokens) -> Value {
    json!({ "prompt_tokens": tokens.input, "completion_tokens": tokens.output, "total_tokens": tokens.input + tokens.output })
}

impl Writer for Chat {
    fn open(&mut self) -> String {
        self.chunk(json!({ "role": "assistant", "content": "" }), None)
    }

    fn text(&mut self, delta: &str) -> String {
        self.chunk(json!({ "content": delta }), None)
    }

    fn reasoning(&mut self, delta: &str) -> String {
        self.chunk(json!({ "reasoning_content": delta }), None)
    }

    /// There is nothing sealed in this dialect.
    fn seal(&mut self, _value: &str) -> String {
        ": nothing is sealed here\n\n".to_owned()
    }

    fn calls(&mut self, calls: &[Made]) -> Vec<String> {
        let first = self.calls;
        self.calls += calls.len();
        let start = |(at, call): (usize, &Made)| {
            let function = json!({ "name": call.name, "arguments": "" });
            let call =
                json!({ "index": first + at, "id": call.id, "type": "function", "function": function });
            self.chunk(json!({ "tool_calls": [call] }), None)
        };
        let mut chunks: Vec<_> = calls.iter().enumerate().map(start).collect();
        chunks.extend(in_turn(calls).into_iter().map(|(at, piece)| {
            let call = json!({ "index": first + at, "function": { "arguments": piece } });
            self.chunk(json!({ "tool_calls": [call] }), None)
        }));
        chunks
    }

    fn error(&mut self, message: &str) -> String {
        frame(&json!({ "error": { "message": message, "type": "server_error" } }))
    }

    fn close(&mut self, stop: Stop, tokens: Tokens) -> String {
        let mut text = self.chunk(json!({}), Some(finish(stop)));
        if self.wants_usage {
            text += &frame(&self.object(json!([]), Some(usage(tokens))));
        }
        text + "data: [DONE]\n\n"
    }
}
