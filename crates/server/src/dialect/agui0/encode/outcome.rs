//! How a run ends, and what it asks.
//!
//! | the client | sees a question as |
//! |---|---|
//! | any | `CUSTOM on_interrupt`, as CopilotKit and LangGraph have it: the interrupt as JSON in a text |
//! | from 0.0.54 on, or of no stated version | the outcome, too |
//! | stated to be older | the text of the question, too, since its page may look for neither |

use forestage_protocol::{
    event::{Event, RunFinished},
    interrupt::{Interrupt, RunOutcome},
};
use serde_json::{Value, json};

use super::{
    questions::{Questions, told},
    value_of,
};
use crate::dialect::{agui0::version::Line, shape::strip};

/// The name of the event under which older front ends look for a question.
const QUESTION: &str = "on_interrupt";

/// Returns RUN_FINISHED, preceded by the questions of the run. Other outcomes are removed: these clients ignore them or check
/// them against a closed list. The client has the text of the questions in `told_before` already.
pub(super) fn finished(finished: &RunFinished, line: Line, told_before: &Questions) -> Vec<Value> {
    let mut value = value_of(&Event::RunFinished(finished.clone()));
    let Some(RunOutcome::Interrupt(outcome)) = &finished.outcome else {
        strip(&mut value, &["outcome"]);
        return vec![value];
    };
    let mut values = Vec::new();
    let mut questions = Vec::new();
    for asked in outcome.interrupts.as_slice() {
        let question = shown(asked);
        if !line.has_outcomes() && !told_before.has(&asked.id) {
            values.extend(told(asked));
        }
        values.push(json!({ "type": "CUSTOM", "name": QUESTION, "value": question.to_string() }));
        questions.push(question);
    }
    match line.has_outcomes() {
        true => value["outcome"] = json!({ "type": "interrupt", "interrupts": questions }),
        false => strip(&mut value, &["outcome"]),
    }
    values.push(value);
    values
}

/// Returns a question as it is sent. assistant-ui offers its buttons only for schemas without `additionalProperties`; the server
/// checks answers against the whole schema all the same.
fn shown(asked: &Interrupt) -> Value {
    let mut question = serde_json::to_value(asked).unwrap_or_default();
    if let Some(schema) = question.get_mut("responseSchema") {
        strip(schema, &["additionalProperties"]);
    }
    question
}
