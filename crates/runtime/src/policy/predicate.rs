//! Conditions on arguments.

use std::cmp::Ordering;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Number, Value};

use super::number::compare;
use crate::script::{value::Regex, yaml::List};

/// What has to hold for an argument. All that is said has to hold, and a value of another type does not hold.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Predicate {
    /// It is a number above this one.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub(super) above: Option<Number>,
    /// It is a number below this one.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub(super) below: Option<Number>,
    /// It is this number or one above it.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub(super) at_least: Option<Number>,
    /// It is this number or one below it.
    #[serde(default)]
    #[schemars(with = "Option<f64>")]
    pub(super) at_most: Option<Number>,
    /// It is this value.
    #[serde(default)]
    pub(super) equals: Option<Value>,
    /// It is one of these values.
    #[serde(default)]
    pub(super) one_of: Option<List<Value>>,
    /// It is a text in which this regular expression is found.
    #[serde(default)]
    pub(super) matches: Option<Regex>,
    /// Whether it is there at all; null is there.
    #[serde(default)]
    pub(super) present: Option<bool>,
}

/// A predicate on a part of the arguments.
#[derive(Clone, Debug)]
pub(super) struct Condition {
    pub(super) path: Vec<String>,
    pub(super) predicate: Predicate,
}

impl Condition {
    pub(super) fn holds(&self, arguments: &Value) -> bool {
        self.predicate.holds(find(arguments, &self.path))
    }
}

fn find<'a>(arguments: &'a Value, path: &[String]) -> Option<&'a Value> {
    path.iter().try_fold(arguments, |value, key| part(value, key))
}

fn part<'a>(value: &'a Value, key: &str) -> Option<&'a Value> {
    match value {
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        other => other.get(key),
    }
}

impl Predicate {
    /// Whether anything is said.
    pub(super) fn is_empty(&self) -> bool {
        let Self { above, below, at_least, at_most, equals, one_of, matches, present } = self;
        let numbers = [above, below, at_least, at_most].into_iter().all(Option::is_none);
        numbers && equals.is_none() && one_of.is_none() && matches.is_none() && present.is_none()
    }

    fn holds(&self, value: Option<&Value>) -> bool {
        let Some(value) = value else { return self.holds_for_nothing() };
        self.present != Some(false)
            && self.holds_for_number(value)
            && self.equals.as_ref().is_none_or(|equals| is_same(value, equals))
            && self.one_of.as_ref().is_none_or(|values| values.iter().any(|one| is_same(value, one)))
            && self.matches.as_ref().is_none_or(|regex| value.as_str().is_some_and(|text| regex.fits(text)))
    }

    /// What is absent is only `present: false`.
    fn holds_for_nothing(&self) -> bool {
        let others = Self { present: None, ..self.clone() };
        self.present == Some(false) && others.is_empty()
    }

    fn holds_for_number(&self, value: &Value) -> bool {
        let is = |bound: &Option<Number>, allowed: &[Ordering]| {
            let Some(bound) = bound else { return true };
            let Value::Number(number) = value else { return false };
            compare(number, bound).is_some_and(|order| allowed.contains(&order))
        };
        is(&self.above, &[Ordering::Greater])
            && is(&self.below, &[Ordering::Less])
            && is(&self.at_least, &[Ordering::Greater, Ordering::Equal])
            && is(&self.at_most, &[Ordering::Less, Ordering::Equal])
    }
}

/// Whether two values are the same; `1` and `1.0` are.
fn is_same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => compare(left, right) == Some(Ordering::Equal),
        _ => left == right,
    }
}
