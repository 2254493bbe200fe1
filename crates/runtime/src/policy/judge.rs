//! Judging a call.

use std::time::Duration;

use serde_json::Value;

use super::{Action, OnExpiry, Risk, predicate::Condition, reason};
use crate::script::value::Glob;

/// The rules of an agent about its tools. Without any, everything is allowed.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    pub(super) rules: Vec<Rule>,
    pub(super) otherwise: Judgement,
}

#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) tools: Vec<Glob>,
    pub(super) when: Vec<Condition>,
    pub(super) judgement: Judgement,
}

/// What is to happen with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Whether it is made.
    pub action: Action,
    /// How much harm it can do.
    pub risk: Risk,
    /// The rule that decided: its name, or its place such as `rules[2]`; none where no rule fits.
    pub rule: Option<String>,
    /// Why, for people.
    pub reason: Option<String>,
    /// Who may decide; the owner of the thread where absent.
    pub role: Option<String>,
    /// How many different people have to agree.
    pub people: u32,
    /// How long there is to decide.
    pub timeout: Option<Duration>,
    /// What becomes of a question that nobody answers in time.
    pub on_expiry: OnExpiry,
}

impl Default for Judgement {
    /// Allowed, since nobody said anything.
    fn default() -> Self {
        Self {
            action: Action::Allow,
            risk: Risk::Low,
            rule: None,
            reason: None,
            role: None,
            people: 1,
            timeout: None,
            on_expiry: OnExpiry::Reject,
        }
    }
}

impl Policy {
    /// Judges a call by the first rule that fits. It never fails: a condition on a value of another type does not hold.
    #[must_use]
    pub fn judge(&self, tool: &str, arguments: &Value) -> Judgement {
        let rule = self.rules.iter().find(|rule| rule.fits(tool, arguments));
        let judgement = rule.map_or(&self.otherwise, |rule| &rule.judgement).clone();
        let reason = judgement.reason.map(|reason| reason::about(&reason, arguments));
        Judgement { reason, ..judgement }
    }
}

impl Rule {
    fn fits(&self, tool: &str, arguments: &Value) -> bool {
        self.tools.iter().any(|glob| glob.fits(tool))
            && self.when.iter().all(|condition| condition.holds(arguments))
    }
}
