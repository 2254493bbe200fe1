//! What Ollama answers, line by line.

use serde::Deserialize;
use serde_json::Value;

use super::SEAL;
use crate::model::{End, Piece, Sealed, StopReason, Usage};

/// Why a line is no piece of an answer.
#[derive(Debug)]
pub(super) enum Fault {
    /// It says what went wrong.
    Told(String),
    /// It cannot be read.
    NoJson,
}

/// Reads the lines of one answer.
#[derive(Debug, Default)]
pub(super) struct Reader {
    calls: usize,
    thoughts: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Line {
    message: Message,
    done: bool,
    done_reason: Option<String>,
    prompt_eval_count: u64,
    prompt_eval_cached_count: u64,
    eval_count: u64,
    error: Option<Value>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Message {
    content: Option<String>,
    thinking: Option<String>,
    tool_calls: Option<Vec<Call>>,
}

#[derive(Debug, Deserialize)]
struct Call {
    function: Function,
}

#[derive(Debug, Deserialize)]
struct Function {
    name: String,
    #[serde(default)]
    arguments: Value,
}

impl Reader {
    pub(super) fn read(&mut self, line: &[u8]) -> Result<Vec<Piece>, Fault> {
        let line: Line = serde_json::from_slice(line).map_err(|_| Fault::NoJson)?;
        if let Some(error) = line.error {
            return Err(Fault::Told(error.as_str().map_or_else(|| error.to_string(), str::to_owned)));
        }
        let mut pieces = Vec::new();
        if let Some(thought) = line.message.thinking.as_ref().filter(|thought| !thought.is_empty()) {
            self.thoughts.push_str(thought);
            pieces.push(Piece::Reasoning(thought.clone()));
        }
        if let Some(text) = line.message.content.as_ref().filter(|text| !text.is_empty()) {
            pieces.push(Piece::Text(text.clone()));
        }
        for call in line.message.tool_calls.iter().flatten() {
            pieces.extend(self.call(&call.function));
        }
        if line.done {
            pieces.push(Piece::End(self.end(&line)));
        }
        Ok(pieces)
    }

    /// Calls come whole, and not every version gives them ids.
    fn call(&mut self, function: &Function) -> [Piece; 3] {
        self.calls += 1;
        let id = format!("call_{}", self.calls);
        let delta = match &function.arguments {
            Value::Null => "{}".to_owned(),
            Value::String(text) => text.clone(),
            arguments => arguments.to_string(),
        };
        [
            Piece::CallStarted { id: id.clone(), name: function.name.clone() },
            Piece::CallArguments { id: id.clone(), delta },
            Piece::CallEnded { id },
        ]
    }

    fn end(&mut self, line: &Line) -> End {
        let stop = match line.done_reason.as_deref() {
            Some("length") => StopReason::Length,
            _ if self.calls > 0 => StopReason::Tools,
            _ => StopReason::Done,
        };
        let usage = Usage {
            input: line.prompt_eval_count,
            output: line.eval_count,
            cached: line.prompt_eval_cached_count,
            ..Usage::default()
        };
        // A model that calls tools goes on from what it thought; later turns do not need it.
        let is_kept = self.calls > 0 && !self.thoughts.is_empty();
        let sealed =
            is_kept.then(|| Sealed { provider: SEAL.to_owned(), parts: self.thoughts.clone().into() });
        End { stop, usage, sealed }
    }
}
