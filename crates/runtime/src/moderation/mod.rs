//! What may be said: checks of what a person writes and of what an agent answers.
//!
//! A [`Moderator`] looks at a whole text and lets it pass or refuses it with a sentence for people. [`Rules`] is one that
//! is read from a file, as part of the [`HouseRules`](crate::house::HouseRules) of an agent.

mod file;
mod rules;

pub(crate) use self::file::ModerationFile;
pub use self::rules::Rules;

/// Decides whether a text may pass.
///
/// # Contract
///
/// Both are called with whole texts, from any task, and must not block: whoever asks a service does it before or after.
/// The same text gets the same answer, because a run that is repeated asks again.
pub trait Moderator: Send + Sync {
    /// Checks what a person says, before an agent sees it.
    fn check_input(&self, text: &str) -> Result<(), Refused>;

    /// Checks what an agent says, before a person sees it.
    fn check_output(&self, text: &str) -> Result<(), Refused>;
}

/// Why a text may not pass.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refused {
    /// A stable word for programs.
    pub code: String,
    /// A sentence for people. It does not say how to get around the rule.
    pub message: String,
    /// The rule that refused, for the record.
    pub rule: String,
}

impl Refused {
    /// A refusal by a rule, with code `moderation_violation`.
    pub fn new(rule: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: "moderation_violation".to_owned(), message: message.into(), rule: rule.into() }
    }
}
