//! Checks of tools that run at the client: what they are called with, and what they answer.
//!
//! A schema says what a value looks like. A [`Check`] knows what a call means, so it can say that an answer names what
//! was never shown, or that it is right. [`Checks`] holds them; an agent without any of its own has those of the tutoring
//! components.

mod its;

use std::{fmt, sync::Arc};

use forestage_protocol::Fault;
use serde_json::Value;

pub use self::its::ItsCheck;
use super::ToolError;

/// So many faults are told in a sentence.
const TOLD: usize = 5;

/// Judges calls of some tools of the client's, and the answers to them.
///
/// # Contract
///
/// The same call is judged the same way at all times: it is judged again when a run is continued. Paths of faults are JSON
/// Pointers into the arguments or into the answer.
pub trait Check: Send + Sync + 'static {
    /// Whether it judges calls of this tool. Calls of such tools are shown whole, once they are judged.
    fn knows(&self, tool: &str) -> bool;

    /// Judges arguments before they are shown.
    fn check_call(&self, tool: &str, arguments: &Value) -> Result<(), Vec<Fault>>;

    /// Finds what is unwise about arguments that may be shown, such as nothing to choose from. The agent is told, and they
    /// are shown all the same.
    fn warnings(&self, _tool: &str, _arguments: &Value) -> Vec<Fault> {
        Vec::new()
    }

    /// Judges an answer by the arguments that were shown. What it finds out beside, such as whether the answer is right,
    /// is kept with the answer.
    fn check_answer(&self, tool: &str, arguments: &Value, answer: &str) -> Result<Option<Value>, Vec<Fault>>;
}

/// The checks of an agent. A copy shares them.
#[derive(Clone)]
pub struct Checks(Vec<Arc<dyn Check>>);

impl Checks {
    /// None at all.
    #[must_use]
    pub fn none() -> Self {
        Self(Vec::new())
    }

    /// The same and this one. Where two know a tool, the one that was added last counts.
    #[must_use]
    pub fn with(mut self, check: impl Check) -> Self {
        self.0.push(Arc::new(check));
        self
    }

    /// Whether calls of this tool are judged.
    #[must_use]
    pub fn knows(&self, tool: &str) -> bool {
        self.of(tool).is_some()
    }

    /// Judges a call before it is shown: `invalid_arguments` with everything that is wrong.
    pub fn check_call(&self, tool: &str, arguments: &Value) -> Result<(), ToolError> {
        let Some(check) = self.of(tool) else { return Ok(()) };
        check.check_call(tool, arguments).map_err(|faults| {
            let faults = rooted("arguments", faults);
            let text = format!("the arguments of `{tool}` do not fit: {}", sentence(&faults));
            ToolError::new("invalid_arguments", text).faults(faults)
        })
    }

    /// Finds what is unwise about the arguments of a call that may be shown. The paths begin with `arguments`.
    #[must_use]
    pub fn warnings(&self, tool: &str, arguments: &Value) -> Vec<Fault> {
        self.of(tool).map_or_else(Vec::new, |check| rooted("arguments", check.warnings(tool, arguments)))
    }

    /// Judges an answer. The paths of faults begin with `root`.
    pub(crate) fn check_answer(
        &self,
        tool: &str,
        arguments: &str,
        answer: &str,
        root: &str,
    ) -> Result<Option<Value>, Vec<Fault>> {
        let Some(check) = self.of(tool) else { return Ok(None) };
        let arguments = serde_json::from_str(arguments).unwrap_or_default();
        check.check_answer(tool, &arguments, answer).map_err(|faults| rooted(root, faults))
    }

    fn of(&self, tool: &str) -> Option<&Arc<dyn Check>> {
        self.0.iter().rev().find(|check| check.knows(tool))
    }
}

impl Default for Checks {
    /// Those of the tutoring components.
    fn default() -> Self {
        Self::none().with(ItsCheck)
    }
}

impl fmt::Debug for Checks {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Checks").field(&self.0.len()).finish()
    }
}

/// What is wrong, for people and models.
pub(crate) fn sentence(faults: &[Fault]) -> String {
    let mut told: Vec<_> =
        faults.iter().take(TOLD).map(|fault| format!("{}: {}", fault.path, fault.message)).collect();
    if faults.len() > TOLD {
        told.push(format!("and {} more", faults.len() - TOLD));
    }
    told.join("; ")
}

/// The same faults with paths such as `arguments.tracks[0].title`.
fn rooted(root: &str, faults: Vec<Fault>) -> Vec<Fault> {
    let place = |fault: Fault| Fault { path: readable(root, &fault.path), ..fault };
    faults.into_iter().map(place).collect()
}

fn readable(root: &str, pointer: &str) -> String {
    let mut text = root.to_owned();
    for token in pointer.split('/').skip(1) {
        match token.parse::<usize>() {
            Ok(index) => text.push_str(&format!("[{index}]")),
            Err(_) => text.push_str(&format!(".{}", token.replace("~1", "/").replace("~0", "~"))),
        }
    }
    text
}
