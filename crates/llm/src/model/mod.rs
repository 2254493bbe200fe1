//! Models: who answers a prompt, piece by piece.
//!
//! [`Model`] is all that agents know. [`Provider`] is the one that talks to providers over the network; everything that
//! differs between them stays in here, and so does the crate that we talk with.
//!
//! ```text
//! Prompt ──> wire (their request) ──> retry ──> read (their stream) ──> Piece, Piece, …, Piece::End
//! ```

mod error;
mod explain;
mod gemini;
mod ollama;
mod piece;
mod prompt;
mod provider;
mod read;
mod retry;
mod secret;
mod target;
mod wire;

use forestage_runtime::BoxFuture;
use futures_util::stream::BoxStream;

pub use self::{
    error::{ModelError, ModelErrorKind},
    piece::{End, Piece, StopReason, Usage},
    prompt::{Options, Prompt, Result as CallResult, Said, Sealed, Spoken, ToolSpec, Turn},
    provider::Provider,
    retry::Patience,
    secret::{Key, KeyError},
    target::{Kind, Target},
};

#[cfg(feature = "model-server")]
pub(crate) use self::secret::without_keys;

/// What a model answers: pieces in order, the last of which is [`Piece::End`], or an error. Dropping it hangs up.
pub type Pieces = BoxStream<'static, Result<Piece, ModelError>>;

/// Answers prompts.
///
/// # Contract
///
/// `ask` returns when the first piece is there or there will be none; until then it may try again as often as it likes,
/// and afterwards never, because somebody has seen what was said. Dropping the future or the stream ends the request.
/// Calls may come interleaved: pieces of arguments name their call, each call is started once, and all are ended before
/// the end. An error says nothing that is secret.
pub trait Model: Send + Sync + 'static {
    /// Who runs the model, and its name: for the record.
    fn name(&self) -> (&str, &str);

    /// Asks.
    fn ask<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Pieces, ModelError>>;
}
