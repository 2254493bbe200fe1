//! The stream of a provider as pieces.

use genai::chat::{ChatStreamEvent, ContentPart, StopReason as Theirs, StreamEnd, ToolCall};
use serde_json::Value;

use super::{
    End, Kind, ModelError, Piece, Sealed, StopReason, Usage, explain, gemini::Signatures, wire::seal_of,
};

/// Reads the events of one answer.
#[derive(Debug)]
pub(super) struct Reader {
    kind: Kind,
    provider: String,
    calls: Vec<Open>,
    signatures: Signatures,
}

/// A call whose arguments come in.
#[derive(Debug)]
struct Open {
    id: String,
    /// How much of the arguments has been passed on.
    sent: usize,
}

impl Reader {
    pub(super) fn new(kind: Kind, provider: &str) -> Self {
        Self { kind, provider: provider.to_owned(), calls: Vec::new(), signatures: Signatures::default() }
    }

    /// What an event says.
    pub(super) fn read(&mut self, event: ChatStreamEvent) -> Result<Vec<Piece>, ModelError> {
        Ok(match event {
            ChatStreamEvent::Chunk(chunk) if !chunk.content.is_empty() => vec![Piece::Text(chunk.content)],
            ChatStreamEvent::ReasoningChunk(chunk) if !chunk.content.is_empty() => {
                vec![Piece::Reasoning(chunk.content)]
            }
            ChatStreamEvent::ThoughtSignatureChunk(chunk) => {
                self.signatures.take(chunk.content);
                Vec::new()
            }
            ChatStreamEvent::ToolCallChunk(chunk) if self.kind == Kind::Gemini => {
                self.whole_call(chunk.tool_call)
            }
            ChatStreamEvent::ToolCallChunk(chunk) => self.call(&chunk.tool_call),
            ChatStreamEvent::End(end) => self.end(end)?,
            _ => Vec::new(),
        })
    }

    /// Gemini's calls come whole and mostly without ids; those that the crate makes up are the same in every frame.
    fn whole_call(&mut self, mut call: ToolCall) -> Vec<Piece> {
        self.signatures.take_call(&call);
        call.call_id = format!("call_{}", self.calls.len() + 1);
        self.call(&call)
    }

    /// Arguments come as everything so far, or whole where the provider sends them whole.
    fn call(&mut self, call: &ToolCall) -> Vec<Piece> {
        let so_far = match &call.fn_arguments {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            whole => whole.to_string(),
        };
        // A call without a name is the beginning of one that will be told again.
        if call.fn_name.is_empty() && !self.calls.iter().any(|open| open.id == call.call_id) {
            return Vec::new();
        }
        let mut pieces = Vec::new();
        let at = match self.calls.iter().position(|open| open.id == call.call_id) {
            Some(at) => at,
            None => {
                let id = call.call_id.clone();
                pieces.push(Piece::CallStarted { id: id.clone(), name: call.fn_name.clone() });
                self.calls.push(Open { id, sent: 0 });
                self.calls.len() - 1
            }
        };
        let open = &mut self.calls[at];
        if let Some(delta) = so_far.get(open.sent..).filter(|delta| !delta.is_empty()) {
            open.sent = so_far.len();
            pieces.push(Piece::CallArguments { id: open.id.clone(), delta: delta.to_owned() });
        }
        pieces
    }

    fn end(&mut self, end: StreamEnd) -> Result<Vec<Piece>, ModelError> {
        if self.is_made_up(&end) {
            return Ok(Vec::new());
        }
        let mut pieces = Vec::new();
        let content: Vec<_> = end.captured_content.map(|content| content.into_parts()).unwrap_or_default();
        let mut sealed = Vec::new();
        for part in content {
            match part {
                ContentPart::ToolCall(_) if self.kind == Kind::Gemini => {}
                // What was not told piece by piece is told now.
                ContentPart::ToolCall(call) => {
                    let known = self.calls.iter().find(|open| open.id == call.call_id);
                    if known.is_none_or(|open| open.sent == 0) {
                        pieces.extend(self.call(&call));
                    }
                }
                ContentPart::Text(_) => {}
                other => sealed.push(other),
            }
        }
        let stop = match end.captured_stop_reason {
            Some(Theirs::MaxTokens(_)) => StopReason::Length,
            Some(Theirs::ContentFilter(_)) => StopReason::Filtered,
            Some(Theirs::ToolCall(_)) => StopReason::Tools,
            // Gemini's words for answers that went wrong, such as a call that it could not write down.
            Some(Theirs::Other(_)) if self.kind == Kind::Gemini => {
                return Err(explain::failed(&self.provider));
            }
            _ if self.calls.is_empty() => StopReason::Done,
            _ => StopReason::Tools,
        };
        pieces.extend(self.calls.drain(..).map(|open| Piece::CallEnded { id: open.id }));
        let usage = end.captured_usage.map(usage).unwrap_or_default();
        pieces.push(Piece::End(End { stop, usage, sealed: self.sealed(&sealed) }));
        Ok(pieces)
    }

    /// The crate makes up an end where a stream just stops. A real one names its response, or says why it ended.
    fn is_made_up(&self, end: &StreamEnd) -> bool {
        match self.kind {
            Kind::OpenAiResponses => end.captured_response_id.is_none(),
            Kind::Gemini => end.captured_stop_reason.is_none(),
            _ => false,
        }
    }

    /// Thoughts are sealed where there is something that only the provider can read; words alone need no seal.
    fn sealed(&mut self, parts: &[ContentPart]) -> Option<Sealed> {
        if self.kind == Kind::Gemini {
            return std::mem::take(&mut self.signatures).seal();
        }
        let is_opaque =
            |part: &ContentPart| matches!(part, ContentPart::ThoughtSignature(_) | ContentPart::Custom(_));
        if !parts.iter().any(is_opaque) {
            return None;
        }
        let parts = serde_json::to_value(parts).ok()?;
        Some(Sealed { provider: seal_of(self.kind).to_owned(), parts })
    }
}

fn usage(theirs: genai::chat::Usage) -> Usage {
    let count = |number: Option<i32>| number.and_then(|number| u64::try_from(number).ok()).unwrap_or(0);
    let prompt = theirs.prompt_tokens_details.unwrap_or_default();
    Usage {
        input: count(theirs.prompt_tokens),
        output: count(theirs.completion_tokens),
        reasoning: count(theirs.completion_tokens_details.and_then(|details| details.reasoning_tokens)),
        cached: count(prompt.cached_tokens),
        cache_written: count(prompt.cache_creation_tokens),
    }
}
