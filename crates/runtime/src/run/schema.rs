//! Is an answer what the question asked for? The one place that knows the validator.

use forestage_protocol::interrupt::{Interrupt, ResumeEntry, ResumeStatus};
use serde_json::Value;

use crate::{error::Refusal, tool};

/// Checks an answer against the schema that its question carries, before it counts. A schema that is none, which is the
/// agent's mistake, asks for nothing.
pub(crate) fn check(question: &Interrupt, entry: &ResumeEntry, path: &str) -> Result<(), Refusal> {
    let Some(schema) = question.response_schema.as_ref().filter(|_| entry.status == ResumeStatus::Resolved)
    else {
        return Ok(());
    };
    let schema = Value::Object((**schema).clone());
    let validator = match jsonschema::validator_for(&schema) {
        Ok(validator) => validator,
        Err(error) => {
            tracing::warn!(question = %question.id, %error, "a question has a schema that is none");
            return Ok(());
        }
    };
    let payload = entry.payload.as_ref().map_or(Ok(Value::Null), |payload| payload.to_value());
    let payload = payload.map_err(|error| Refusal::invalid("json_limits", error.to_string()).at(path))?;
    match validator.iter_errors(&payload).next() {
        Some(error) => {
            let place = tool::path(path, error.instance_path().segments());
            // Without the value: it may be a secret, or very long.
            let text = format!("the answer does not fit its question: {}", error.masked());
            Err(Refusal::invalid("invalid_answer", text).at(place).hint("the question is still open"))
        }
        None => Ok(()),
    }
}
