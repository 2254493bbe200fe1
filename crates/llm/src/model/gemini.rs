//! What is particular about Gemini: which part of an answer is signed, and frames without an answer in them.
//!
//! A signature belongs to the part that it came with, and has to go back with it: Gemini 3 refuses a call whose signature
//! is gone. Streams sign calls, or an empty text at the end of everything.

use std::sync::{Arc, Mutex, PoisonError};

use genai::chat::{ChatFrameSink, ContentPart, FrameCtx, RawFrameRef, ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{End, Piece, Sealed, Spoken, StopReason, wire};

/// The name under which it seals.
const SEAL: &str = "gemini";

/// What was signed in a turn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Signatures {
    /// The signature of what it said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    /// Those of its calls, each with the name of the tool.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<(String, String)>,
}

impl Signatures {
    /// A signature came, with whatever comes next.
    pub(super) fn take(&mut self, signature: String) {
        self.text = Some(signature);
    }

    /// A call came. Its signature was told before, as if it were one of text.
    pub(super) fn take_call(&mut self, call: &ToolCall) {
        for signature in call.thought_signatures.iter().flatten() {
            self.text.take_if(|text| text == signature);
            self.calls.push((call.fn_name.clone(), signature.clone()));
        }
    }

    pub(super) fn seal(self) -> Option<Sealed> {
        if self == Self::default() {
            return None;
        }
        Some(Sealed { provider: SEAL.to_owned(), parts: serde_json::to_value(self).ok()? })
    }

    fn of(spoken: &[Spoken]) -> Self {
        let sealed = spoken.iter().find_map(|spoken| match spoken {
            Spoken::Sealed(sealed) if sealed.provider == SEAL => Some(sealed),
            _ => None,
        });
        sealed.and_then(|sealed| serde_json::from_value(sealed.parts.clone()).ok()).unwrap_or_default()
    }

    fn of_call(&mut self, name: &str) -> Option<Vec<String>> {
        let at = self.calls.iter().position(|(signed, _)| signed == name)?;
        Some(vec![self.calls.remove(at).1])
    }
}

/// A turn of the model, with each signature where it was.
pub(super) fn turn(spoken: &[Spoken]) -> Vec<ContentPart> {
    let mut signatures = Signatures::of(spoken);
    let is_call = |spoken: &&Spoken| matches!(spoken, Spoken::Call { .. });
    let mut parts: Vec<_> = spoken.iter().filter(|spoken| !is_call(spoken)).flat_map(wire::plain).collect();
    if let Some(signature) = signatures.text.take() {
        parts.extend([ContentPart::ThoughtSignature(signature), ContentPart::from_text("")]);
    }
    for part in spoken.iter().filter(is_call).flat_map(wire::plain) {
        parts.push(match part {
            ContentPart::ToolCall(mut call) => {
                call.thought_signatures = signatures.of_call(&call.fn_name);
                ContentPart::ToolCall(call)
            }
            other => other,
        });
    }
    parts
}

/// The frame that came last. The crate takes one without candidates for a failure and does not say what was in it.
#[derive(Clone, Default)]
pub(super) struct LastFrame(Arc<Mutex<String>>);

impl ChatFrameSink for LastFrame {
    fn on_frame(&self, _ctx: &FrameCtx, frame: RawFrameRef<'_>) {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.clear();
        last.push_str(frame.data);
    }
}

impl LastFrame {
    /// What it says if it is no failure: that the prompt is refused, or nothing but what was used.
    pub(super) fn pieces(&self) -> Option<Vec<Piece>> {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let frame: Value = serde_json::from_str(&last).ok()?;
        if frame.get("error").is_some() {
            return None;
        }
        match frame["promptFeedback"]["blockReason"].is_string() {
            true => Some(vec![Piece::End(End { stop: StopReason::Filtered, ..End::default() })]),
            false => Some(Vec::new()),
        }
    }
}
