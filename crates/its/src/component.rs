//! What a component is to the rest of the crate.

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

use crate::{fault::Faults, grade::Grade};

/// A component, as its arguments.
///
/// # Contract
///
/// The documentation of the type says what is shown, that of its fields what they mean; both go into the schema. What the
/// schema says holds when [`warn`](Self::warn) and [`check_answer`](Self::check_answer) are called, so they look only at
/// what a schema cannot say. They add faults and never panic; paths are JSON Pointers into what is checked.
///
/// The schema alone decides which arguments are shown. What [`warn`](Self::warn) finds is shown all the same, so
/// [`check_answer`](Self::check_answer) has to cope with it.
pub trait Component: Serialize + DeserializeOwned + JsonSchema {
    /// The name of the tool.
    const NAME: &'static str;

    /// What a person does with it.
    type Answer: Serialize + DeserializeOwned + JsonSchema;

    /// Looks for arguments that can be shown but serve nobody, such as an empty list to choose from.
    fn warn(&self, faults: &mut Faults);

    /// Looks for an answer that does not belong to these arguments.
    fn check_answer(&self, answer: &Self::Answer, faults: &mut Faults);

    /// Says whether a legal answer is right; nothing where nobody knows.
    fn grade(&self, _answer: &Self::Answer) -> Option<Grade> {
        None
    }
}
