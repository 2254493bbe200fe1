//! What a model says, piece by piece.

use forestage_protocol::{number::Count, usage::TokenUsage};
use serde::{Deserialize, Serialize};

use super::Sealed;

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// Something that it thinks.
    Reasoning(String),
    /// Something that it says.
    Text(String),
    /// It begins to call a tool.
    CallStarted {
        /// The call, in the model's words.
        id: String,
        /// The tool.
        name: String,
    },
    /// A piece of the arguments of a call.
    CallArguments {
        /// The call.
        id: String,
        /// The piece.
        delta: String,
    },
    /// The arguments of a call are complete.
    CallEnded {
        /// The call.
        id: String,
    },
    /// The answer is complete.
    End(End),
}

/// How an answer ended.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct End {
    /// Why.
    pub stop: StopReason,
    /// What it used.
    pub usage: Usage,
    /// What the provider wants back with the next prompt.
    pub sealed: Option<Sealed>,
}

/// Why an answer ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// Everything is said.
    #[default]
    Done,
    /// It waits for tools.
    Tools,
    /// It may say no more.
    Length,
    /// Somebody at the provider does not want it to be said.
    Filtered,
}

/// Tokens that an answer used. What is not told is zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Those of the prompt.
    pub input: u64,
    /// Those of the answer.
    pub output: u64,
    /// Those of the answer that were reasoning.
    pub reasoning: u64,
    /// Those of the prompt that came from a cache.
    pub cached: u64,
    /// Those of the prompt that were written to a cache.
    pub cache_written: u64,
}

impl Usage {
    /// All of them.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.input + self.output
    }

    /// In the words of AG-UI; nothing where the provider told nothing.
    #[must_use]
    pub fn as_agui(&self, (provider, model): (&str, &str)) -> Option<TokenUsage> {
        if self.total() == 0 {
            return None;
        }
        let count = |number: u64| i64::try_from(number).ok().and_then(Count::new);
        let part = |number: u64| Some(number).filter(|number| *number > 0).and_then(count);
        Some(TokenUsage {
            provider: Some(provider.to_owned()),
            model: Some(model.to_owned()),
            input_tokens: count(self.input),
            output_tokens: count(self.output),
            total_tokens: count(self.total()),
            reasoning_tokens: part(self.reasoning),
            cached_input_tokens: part(self.cached),
            cache_write_input_tokens: part(self.cache_written),
        })
    }
}
