//! What a click would send.

use serde_json::{Map, Value};

use super::FunctionError;
use crate::surface::Scope;

/// Why something is no action.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// Neither an event nor a call.
    #[error("an action has an `event` or a `functionCall`")]
    Neither,
    /// An event without a name.
    #[error("the event of an action needs a `name`")]
    NoName,
}

/// What a component offers to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Offer {
    /// Tells the agent.
    Event {
        /// What happens.
        name: String,
        /// The values that go with it, as they are now. Those without a value are not sent.
        context: Map<String, Value>,
        /// What went wrong on the way.
        faults: Vec<FunctionError>,
    },
    /// Calls a function where the person is, such as `openUrl`. The agent hears nothing of it.
    Call {
        /// The function.
        function: String,
        /// Why it would not run.
        faults: Vec<FunctionError>,
    },
}

/// What the `action` of a component would do in a scope.
pub fn offer(action: &Value, scope: &Scope<'_>) -> Result<Offer, ActionError> {
    if let Some(event) = action.get("event") {
        return event_of(event, scope);
    }
    let call = action.get("functionCall").ok_or(ActionError::Neither)?;
    let name = call.get("call").or_else(|| call.get("@call")).and_then(Value::as_str);
    let function = name.ok_or(ActionError::Neither)?.to_owned();
    Ok(Offer::Call { function, faults: scope.evaluate(call).faults })
}

fn event_of(event: &Value, scope: &Scope<'_>) -> Result<Offer, ActionError> {
    let name = event.get("name").and_then(Value::as_str).ok_or(ActionError::NoName)?.to_owned();
    let (mut context, mut faults) = (Map::new(), Vec::new());
    for (key, value) in event.get("context").and_then(Value::as_object).into_iter().flatten() {
        let evaluated = scope.evaluate(value);
        faults.extend(evaluated.faults);
        context.extend(evaluated.value.map(|value| (key.clone(), value)));
    }
    Ok(Offer::Event { name, context, faults })
}
