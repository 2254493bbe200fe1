//! Google's Gemini, streamed: every frame is a piece of the candidate, and the last one says why it ended.

use serde_json::{Value, json};

use super::{
    asked::{Asked, Dialect, text_of},
    plan::Made,
    script::{Stop, Tokens},
    write::Writer,
};

/// What the path says: which model, and whether it is to be streamed.
pub(super) fn route(path: &str) -> Option<(&str, bool)> {
    let (model, method) = path.rsplit_once("/models/")?.1.split_once(':')?;
    match method {
        "generateContent" => Some((model, false)),
        "streamGenerateContent" => Some((model, true)),
        _ => None,
    }
}

pub(super) fn read(path: &str, body: &Value) -> Asked {
    let (model, stream) = route(path).unwrap_or_default();
    let contents = body["contents"].as_array().map(Vec::as_slice).unwrap_or_default();
    let last = contents.last().filter(|content| content["role"] == "user");
    let parts = || last.into_iter().flat_map(|content| content["parts"].as_array().into_iter().flatten());
    let results: Vec<_> = parts().map(|part| &part["functionResponse"]).filter_map(result).collect();
    Asked {
        dialect: Dialect::Gemini,
        model: model.to_owned(),
        stream,
        wants_usage: true,
        instructions: text_of(&body["systemInstruction"]["parts"]),
        said: last.filter(|_| results.is_empty()).map(|content| text_of(&content["parts"])),
        results,
    }
}

/// A response is an object; what a tool said is one member of it, by whichever name.
fn result(response: &Value) -> Option<(String, String)> {
    let members = response["response"].as_object()?;
    let told = ["result", "output", "content", "error"].iter().find_map(|name| members.get(*name)?.as_str());
    let told = told.map_or_else(|| response["response"].to_string(), str::to_owned);
    Some((response["name"].as_str()?.to_owned(), told))
}

pub(super) struct Gemini {
    id: String,
    model: String,
    /// Signs the next call, or the end.
    signature: Option<String>,
}

impl Gemini {
    pub(super) fn new(id: String, asked: &Asked) -> Self {
        Self { id, model: asked.model.clone(), signature: None }
    }

    fn chunk(&self, part: Value) -> String {
        self.frame(json!({ "content": { "parts": [part], "role": "model" }, "index": 0 }), None)
    }

    fn frame(&self, candidate: Value, tokens: Option<Tokens>) -> String {
        let mut data =
            json!({ "candidates": [candidate], "modelVersion": self.model, "responseId": self.id });
        data["usageMetadata"] = usage(tokens.unwrap_or_default());
        // Lines end like this where the real one is.
        format!("data: {data}\r\n\r\n")
    }
}

pub(super) fn usage(tokens: Tokens) -> Value {
    json!({ "promptTokenCount": tokens.input, "candidatesTokenCount": tokens.output, "totalTokenCount": tokens.input + tokens.output })
}

pub(super) fn finish_reason(stop: Stop) -> &'static str {
    match stop {
        Stop::Stop | Stop::Tools => "STOP",
        Stop::Length => "MAX_TOKENS",
        Stop::Filter => "SAFETY",
    }
}

/// A call comes whole, and without an id.
pub(super) fn call(call: &Made) -> Value {
    json!({ "functionCall": { "name": call.name, "args": call.arguments() } })
}

/// A refusal. How long to wait is told in it, and not in a header.
pub(super) fn error(status: u16, message: &str, retry_after: Option<f64>) -> Value {
    let word = match status {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        429 => "RESOURCE_EXHAUSTED",
        503 => "UNAVAILABLE",
        _ => "INTERNAL",
    };
    let mut error = json!({ "code": status, "message": message, "status": word });
    if let Some(seconds) = retry_after {
        let kind = "type.googleapis.com/google.rpc.RetryInfo";
        error["details"] = json!([{ "@type": kind, "retryDelay": format!("{seconds}s") }]);
    }
    json!({ "error": error })
}

impl Writer for Gemini {
    fn open(&mut self) -> String {
        String::new()
    }

    fn text(&mut self, delta: &str) -> String {
        self.chunk(json!({ "text": delta }))
    }

    fn reasoning(&mut self, delta: &str) -> String {
        self.chunk(json!({ "text": delta, "thought": true }))
    }

    /// It stands with what comes next.
    fn seal(&mut self, value: &str) -> String {
        self.signature = Some(value.to_owned());
        String::new()
    }

    fn calls(&mut self, calls: &[Made]) -> Vec<String> {
        let mut pieces = Vec::new();
        for made in calls {
            let mut part = call(made);
            if let Some(signature) = self.signature.take() {
                part["thoughtSignature"] = signature.into();
            }
            pieces.push(self.chunk(part));
        }
        pieces
    }

    fn error(&mut self, message: &str) -> String {
        format!("data: {}\r\n\r\n", error(503, message, None))
    }

    fn close(&mut self, stop: Stop, tokens: Tokens) -> String {
        let mut part = json!({ "text": "" });
        if let Some(signature) = self.signature.take() {
            part["thoughtSignature"] = signature.into();
        }
        let content = json!({ "parts": [part], "role": "model" });
        let candidate = json!({ "content": content, "finishReason": finish_reason(stop), "index": 0 });
        self.frame(candidate, Some(tokens))
    }
}
