//! The tutoring components.

use forestage_its::{Unknown, find, is_component};
use forestage_protocol::Fault;
use serde_json::Value;

use super::Check;

/// Judges calls of tutoring components, and grades the answers to them.
///
/// The schema of a component decides whether it is shown. What is unwise beside is a warning to the agent.
///
/// A component that this version does not know is passed on, and so is its answer: a newer client may draw it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ItsCheck;

impl Check for ItsCheck {
    fn knows(&self, tool: &str) -> bool {
        is_component(tool)
    }

    fn check_call(&self, tool: &str, arguments: &Value) -> Result<(), Vec<Fault>> {
        match (find(tool), Unknown::of(tool, arguments)) {
            (Some(component), _) => component.check(arguments).map_err(|faults| faults.to_vec()),
            (None, Some(_)) => Ok(()),
            (None, None) => {
                Err(vec![Fault::new("wrong_type", "", "the arguments of a component are an object")])
            }
        }
    }

    fn warnings(&self, tool: &str, arguments: &Value) -> Vec<Fault> {
        find(tool).map_or_else(Vec::new, |component| component.warnings(arguments).to_vec())
    }

    fn check_answer(&self, tool: &str, arguments: &Value, answer: &str) -> Result<Option<Value>, Vec<Fault>> {
        let Some(component) = find(tool) else { return Ok(None) };
        let answer: Value = serde_json::from_str(answer).map_err(|error| {
            vec![Fault::new("not_json", "", format!("the answer is not valid JSON: {error}"))]
        })?;
        let grade = component.check_answer(arguments, &answer).map_err(|faults| faults.to_vec())?;
        Ok(grade.map(|grade| serde_json::to_value(grade).unwrap_or_default()))
    }
}
