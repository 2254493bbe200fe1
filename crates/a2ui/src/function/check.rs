//! Checks: what a field or a button demands before it counts.

use serde_json::{Map, Value};

use super::{FunctionError, args::is_truthy};
use crate::surface::Scope;

/// A check that does not hold.
#[derive(Clone, Debug, PartialEq)]
pub struct FailedCheck {
    /// Which of the rules.
    pub rule: usize,
    /// What a person is told.
    pub message: String,
    /// What went wrong while it was looked at. A check that cannot be evaluated does not hold.
    pub faults: Vec<FunctionError>,
}

/// The rules of `checks` that do not hold: `{"condition": …, "message": …}`, or the call itself with a message in it.
#[must_use]
pub fn failed_checks(checks: &Value, scope: &Scope<'_>) -> Vec<FailedCheck> {
    let rules = checks.as_array().map(Vec::as_slice).unwrap_or_default();
    rules.iter().enumerate().filter_map(|(at, rule)| failed(at, rule, scope)).collect()
}

fn failed(at: usize, rule: &Value, scope: &Scope<'_>) -> Option<FailedCheck> {
    let none = Map::new();
    let members = rule.as_object().unwrap_or(&none);
    let condition = members.get("condition").or_else(|| members.contains_key("call").then_some(rule));
    let evaluated = condition.map(|condition| scope.evaluate(condition)).unwrap_or_default();
    let holds = evaluated.value.as_ref().is_some_and(is_truthy);
    let message = members.get("message").and_then(Value::as_str).unwrap_or_default().to_owned();
    (!holds).then_some(FailedCheck { rule: at, message, faults: evaluated.faults })
}
