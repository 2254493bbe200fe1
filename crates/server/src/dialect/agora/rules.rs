//! What the contract asks of a stream beside AG-UI 1.0, or instead of it.
//!
//! | code | what it asks for |
//! |---|---|
//! | `agora_timestamp` | times are whole milliseconds |
//! | `agora_snake_case` | members are in camelCase |
//! | `agora_step_open` | a step is finished before the next one begins |
//! | `agora_empty_delta` | a piece of text has something in it |
//! | `agora_role` | text is the assistant's, results are the tool's |
//! | `agora_tool_order` | start, arguments, end, result, with at least one piece of arguments |
//! | `agora_result_in_end` | the end of a call has no result in it |
//! | `agora_snapshot` | a snapshot names thread, run, agent and status |
//! | `agora_no_first_snapshot` | a snapshot with status `processing` follows RUN_STARTED |
//! | `agora_no_last_snapshot` | a snapshot that is not `processing` comes right before RUN_FINISHED |
//! | `agora_run_not_finished` | RUN_FINISHED follows RUN_ERROR, and nothing stands between |
//! | `agora_payload` | requests for approval and errors have the members that the contract lists; `details` of an error may be left out |
//! | `agora_direction` | answers to requests come from clients alone |

use std::collections::HashMap;

use forestage_protocol::Fault;
use serde_json::{Value, json};

use super::payload::{ApprovalRequest, ERROR, ErrorPayload, REQUEST, RESPONSE, Unfit, read};
use crate::dialect::profile::{Rules, ensure, ensure_order, text};

/// The rules of AGORA.
#[derive(Debug, Default)]
pub struct Judge {
    step: Option<String>,
    calls: HashMap<String, Call>,
    last: Last,
}

/// How far a call has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Started,
    Arguments,
    Ended,
}

/// What came last, as far as it asks for something to follow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Last {
    #[default]
    Other,
    Started,
    /// A snapshot that says how the run ended.
    Snapshot,
    /// An error of the run.
    Error,
    /// An error of the protocol, which may be the end of the run.
    Refused,
}

impl Rules for Judge {
    fn check(&mut self, event: Value) -> Result<Option<Value>, Fault> {
        members(&event)?;
        let kind = text(&event, "type").to_owned();
        let last = std::mem::take(&mut self.last);
        let is_end = kind == "RUN_FINISHED";
        ensure_order(last != Last::Error || is_end, "agora_run_not_finished", AFTER_ERROR)?;
        let is_first = kind == "STATE_SNAPSHOT" && event["snapshot"]["status"] == "processing";
        ensure_order(last != Last::Started || is_first, "agora_no_first_snapshot", FIRST)?;
        match kind.as_str() {
            "RUN_STARTED" => self.last = Last::Started,
            "RUN_ERROR" => {
                (self.last, self.step) = (Last::Error, None);
            }
            "RUN_FINISHED" => return self.finished(event, last),
            "STEP_STARTED" => {
                ensure_order(self.step.is_none(), "agora_step_open", "the step before is not finished")?;
                self.step = Some(text(&event, "stepName").to_owned());
            }
            "STEP_FINISHED" => self.step = None,
            "STATE_SNAPSHOT" => self.last = snapshot(&event)?,
            "CUSTOM" => self.last = custom(&event)?,
            "TEXT_MESSAGE_START" => {
                ensure(text(&event, "role") == "assistant", "agora_role", "role", "text is the assistant's")?;
            }
            "TEXT_MESSAGE_CONTENT" => {
                let is_empty = event.get("delta") == Some(&json!(""));
                ensure(!is_empty, "agora_empty_delta", "delta", "a piece has something in it")?;
            }
            _ if kind.starts_with("TOOL_CALL_") => self.call(&kind, &event)?,
            _ => {}
        }
        Ok(Some(event))
    }

    fn finish(&mut self) -> Result<(), Fault> {
        ensure_order(self.last != Last::Error, "agora_run_not_finished", AFTER_ERROR)
    }
}

const AFTER_ERROR: &str = "RUN_FINISHED follows RUN_ERROR";
const FIRST: &str = "a STATE_SNAPSHOT with status `processing` follows RUN_STARTED";

impl Judge {
    /// The end. After an error it is one that 1.0 does not have, or does not expect with a step open.
    fn finished(&mut self, event: Value, last: Last) -> Result<Option<Value>, Fault> {
        let told = "a STATE_SNAPSHOT that says how the run ended comes before RUN_FINISHED";
        ensure_order(last != Last::Other, "agora_no_last_snapshot", told)?;
        self.calls.clear();
        self.step = None;
        Ok(match last {
            Last::Error => None,
            Last::Refused => Some(json!({ "type": "RUN_ERROR", "message": "refused" })),
            _ => Some(event),
        })
    }

    fn call(&mut self, kind: &str, event: &Value) -> Result<(), Fault> {
        let id = text(event, "toolCallId").to_owned();
        let (allowed, next): (&[Option<Call>], _) = match kind {
            "TOOL_CALL_START" => (&[None, Some(Call::Ended)], Call::Started),
            "TOOL_CALL_ARGS" => (&[Some(Call::Started), Some(Call::Arguments)], Call::Arguments),
            "TOOL_CALL_END" => (&[Some(Call::Arguments)], Call::Ended),
            // A result may be corrected by another one.
            "TOOL_CALL_RESULT" => (&[Some(Call::Ended)], Call::Ended),
            _ => return Ok(()),
        };
        let told =
            "a call is its start, at least one piece of arguments, its end and its result, in this order";
        ensure_order(allowed.contains(&self.calls.get(&id).copied()), "agora_tool_order", told)?;
        let has_result = ["result", "content"].iter().any(|name| event.get(name).is_some());
        let is_end = kind == "TOOL_CALL_END";
        ensure_order(!(is_end && has_result), "agora_result_in_end", "the end of a call has no result")?;
        if kind == "TOOL_CALL_RESULT" {
            ensure(text(event, "role") == "tool", "agora_role", "role", "a result is the tool's")?;
        }
        self.calls.insert(id, next);
        Ok(())
    }
}

/// The time, and the spelling.
fn members(event: &Value) -> Result<(), Fault> {
    let is_whole = event.get("timestamp").is_none_or(|at| at.is_i64() || at.is_u64());
    ensure(is_whole, "agora_timestamp", "timestamp", "times are whole milliseconds since 1970")?;
    for name in event.as_object().into_iter().flat_map(|event| event.keys()) {
        ensure(!name.contains('_'), "agora_snake_case", name, "members are in camelCase")?;
    }
    Ok(())
}

fn snapshot(event: &Value) -> Result<Last, Fault> {
    for name in ["threadId", "runId", "currentAgent", "status"] {
        let is_there = event["snapshot"].get(name).is_some_and(Value::is_string);
        let told = format!("a snapshot names `{name}`");
        ensure(is_there, "agora_snapshot", "snapshot", &told)?;
    }
    Ok(if event["snapshot"]["status"] == "processing" { Last::Other } else { Last::Snapshot })
}

fn custom(event: &Value) -> Result<Last, Fault> {
    let unfit = |Unfit { member, message }| {
        let path = member.map_or_else(|| "/value".to_owned(), |member| format!("/value/{member}"));
        Fault::new("agora_payload", path, message)
    };
    let value = event.get("value").unwrap_or(&Value::Null);
    match text(event, "name") {
        REQUEST => read::<ApprovalRequest>(value.clone()).map(drop).map_err(unfit)?,
        ERROR => {
            read::<ErrorPayload>(value.clone()).map(drop).map_err(unfit)?;
            return Ok(Last::Refused);
        }
        RESPONSE => {
            return Err(Fault::new(
                "agora_direction",
                "/name",
                "answers to requests come from clients alone",
            ));
        }
        _ => {}
    }
    Ok(Last::Other)
}
