//! Tools: what an agent can do besides speaking.
//!
//! A [`Tool`] is ours and runs in our process; [`tool_fn`] makes one of a typed function, and [`Tools`] holds them by
//! name with their schemas compiled. [`ClientTools`] are those that a client offers with a run: we check what we ask of
//! them, and they run over there; [`Checks`] know what some of them mean. Arguments are checked before anybody is asked and before anything runs.

mod about;
mod approval;
mod check;
mod client;
mod error;
mod function;
mod notes;
mod progress;
mod registry;
mod schema;

pub use self::{
    about::{Invocation, ToolAbout},
    approval::{Leeway, approval_schema},
    check::{Check, Checks, ItsCheck},
    client::ClientTools,
    error::{RegisterError, SchemaError, ToolError},
    function::{ToolFn, tool_fn},
    notes::Notes,
    progress::Progress,
    registry::Tools,
};
pub(crate) use self::{
    check::sentence,
    schema::{Schema, path},
};
use crate::BoxFuture;

/// Something that an agent can do.
///
/// # Contract
///
/// `call` is only called with arguments that fit the schema of [`about`](Self::about). It does its work once per
/// [`Invocation::key`]: whoever calls it again with a key it has seen wants the result, not the effect a second time. A
/// tool that cannot promise this is not [`repeatable`](ToolAbout::repeatable), and is not called again when nobody
/// knows whether it ran.
///
/// The future is dropped when the run is cancelled or its time is over: at any `await`.
pub trait Tool: Send + Sync + 'static {
    /// What it is. The same at every call, because its schema is compiled once.
    fn about(&self) -> &ToolAbout;

    /// Does it.
    fn call(
        &self,
        call: Invocation,
        arguments: serde_json::Value,
    ) -> BoxFuture<'_, Result<serde_json::Value, ToolError>>;
}
