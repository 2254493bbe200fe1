//! What the contract asks of a stream instead of AG-UI 1.0.
//!
//! | code | what it asks for |
//! |---|---|
//! | `trainer2_unknown_event` | only events of the contract |
//! | `trainer2_null` | what is absent is left out, never null |
//! | `trainer2_ids` | events name their thread and their run, the one that is open |
//! | `trainer2_order` | a run begins with RUN_STARTED or RUN_STAGED, and nothing comes after its end |
//! | `trainer2_text` | a message is one piece, with an id and something in it, and no block of a view |
//! | `trainer2_call` | a call has an id, a name, a label and an object of arguments, and begins once; a result says what came of it |
//! | `trainer2_view` | CUSTOM is `A2UI_RENDER` with a view, or with null to close it |
//! | `trainer2_gate` | a gate shows what waits; an answer is for a gate that waits; a call that waits does not begin |
//! | `trainer2_error` | RUN_ERROR has a message and a code |

use std::collections::HashSet;

use forestage_a2ui::{extract, v1::RENDER};
use forestage_protocol::Fault;
use forestage_runtime::is_no_fault;
use serde_json::{Value, json};

use crate::dialect::profile::{Rules, ensure, ensure_order, text};

/// Members that hold whatever a tool returned.
const OPEN: [&str; 1] = ["result"];

const GATES: [&str; 3] = ["RUN_STAGED", "TOOL_CALL_PROPOSED", "ASSISTANT_DRAFT_PROPOSED"];

/// The rules of the coach's contract.
#[derive(Debug, Default)]
pub struct Judge {
    /// The thread and the run that is open.
    run: Option<(String, String)>,
    /// Whether the run waited at its first gate, and has not begun.
    is_staged: bool,
    /// The gates that wait: what they are, and the call if it is one.
    gates: HashSet<(&'static str, String)>,
    /// Those that waited when the run before was lost: the one that goes on in its place has their answers.
    lost: HashSet<(&'static str, String)>,
    messages: HashSet<String>,
    calls: HashSet<String>,
}

impl Rules for Judge {
    fn check(&mut self, event: Value) -> Result<Option<Value>, Fault> {
        nulls(&event)?;
        let kind = text(&event, "type");
        if kind == "RUN_ERROR" {
            return self.error(&event);
        }
        self.order(kind, &event)?;
        match kind {
            "RUN_STARTED" => return self.start(&event),
            "RUN_FINISHED" => {
                *self = Self::default();
                return Ok(Some(bare("RUN_FINISHED", &event)));
            }
            "TEXT_MESSAGE_CHUNK" => return self.say(&event).map(Some),
            "TOOL_CALL_STARTED" => return self.begin_call(&event).map(Some),
            "TOOL_CALL_RESULT" => return result(&event).map(Some),
            "CUSTOM" => return view(&event).map(Some),
            "RUN_STAGED" => staged(&event)?,
            "TOOL_CALL_PROPOSED" => call(&event)?,
            "ASSISTANT_DRAFT_PROPOSED" => draft(&event)?,
            "RUN_STAGE_APPROVED" | "RUN_STAGE_DENIED" => self.answer("RUN_STAGED", &event)?,
            "TOOL_CALL_APPROVED" | "TOOL_CALL_DENIED" => self.answer("TOOL_CALL_PROPOSED", &event)?,
            "ASSISTANT_FINAL_APPROVED" | "ASSISTANT_FINAL_DENIED" => {
                self.answer("ASSISTANT_DRAFT_PROPOSED", &event)?;
            }
            _ => {
                ensure(false, "trainer2_unknown_event", "type", "the contract has no such event")?;
            }
        }
        if let Some(gate) = GATES.into_iter().find(|gate| *gate == kind) {
            self.gates.insert((gate, text(&event, "toolCallId").to_owned()));
        }
        // In 1.0 a run that waits at its first gate has begun.
        Ok((kind == "RUN_STAGED").then(|| bare("RUN_STARTED", &event)))
    }
}

impl Judge {
    /// The ids of an event, and whether it may come now.
    fn order(&mut self, kind: &str, event: &Value) -> Result<(), Fault> {
        for name in ["threadId", "runId"] {
            let told = "an event names its thread and its run";
            ensure(!text(event, name).is_empty(), "trainer2_ids", name, told)?;
        }
        let ids = (text(event, "threadId").to_owned(), text(event, "runId").to_owned());
        let begins = kind == "RUN_STAGED" || kind == "RUN_STARTED" && !self.is_staged;
        let told = "a run begins with RUN_STARTED or RUN_STAGED, once the one before is over";
        ensure_order(self.run.is_none() == begins, "trainer2_order", told)?;
        self.is_staged |= kind == "RUN_STAGED";
        let is_same = self.run.get_or_insert_with(|| ids.clone()) == &ids;
        ensure(is_same, "trainer2_ids", "runId", "another run is open")
    }

    fn start(&mut self, event: &Value) -> Result<Option<Value>, Fault> {
        let waits = !self.gates.is_empty();
        ensure(!waits, "trainer2_gate", "type", "the run waits until somebody lets it pass")?;
        let is_told = std::mem::replace(&mut self.is_staged, false);
        Ok((!is_told).then(|| bare("RUN_STARTED", event)))
    }

    /// An error is the end of the run that is open. While one waits, or where none is open, a frame of the client was
    /// refused, and the run is as it was.
    fn error(&mut self, event: &Value) -> Result<Option<Value>, Fault> {
        for name in ["message", "code"] {
            let told = "an error has a message and a code";
            ensure(!text(event, name).is_empty(), "trainer2_error", name, told)?;
        }
        let ids = (text(event, "threadId").to_owned(), text(event, "runId").to_owned());
        let is_lost = is_no_fault(event["code"].as_str());
        let is_refusal = self.run.as_ref() != Some(&ids) || !self.gates.is_empty() && !is_lost;
        if is_refusal {
            return Ok(None);
        }
        let end = json!({ "type": "RUN_ERROR", "message": event["message"], "code": event["code"] });
        *self = Self { lost: std::mem::take(&mut self.gates), ..Self::default() };
        Ok(Some(end))
    }

    fn say(&mut self, event: &Value) -> Result<Value, Fault> {
        let (id, delta) = (text(event, "messageId"), text(event, "delta"));
        ensure(!id.is_empty(), "trainer2_text", "messageId", "a message has an id")?;
        ensure(!delta.is_empty(), "trainer2_text", "delta", "a message has something in it")?;
        let has_block = extract(delta).text != delta;
        ensure(!has_block, "trainer2_text", "delta", "the block of a view is taken out of the text")?;
        let is_new = self.messages.insert(id.to_owned());
        ensure(is_new, "trainer2_text", "messageId", "a message is one piece")?;
        Ok(json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": id, "delta": delta }))
    }

    fn begin_call(&mut self, event: &Value) -> Result<Value, Fault> {
        call(event)?;
        let id = text(event, "toolCallId");
        let waits = self.gates.contains(&("TOOL_CALL_PROPOSED", id.to_owned()));
        ensure(!waits, "trainer2_gate", "toolCallId", "the call waits until somebody lets it pass")?;
        ensure(
            self.calls.insert(id.to_owned()),
            "trainer2_call",
            "toolCallId",
            "the call has begun already",
        )?;
        let arguments = event["args"].to_string();
        Ok(
            json!({ "type": "TOOL_CALL_CHUNK", "toolCallId": id, "toolCallName": event["toolName"], "delta": arguments }),
        )
    }

    fn answer(&mut self, gate: &'static str, event: &Value) -> Result<(), Fault> {
        let gate = (gate, text(event, "toolCallId").to_owned());
        let waited = self.gates.remove(&gate) || self.lost.remove(&gate);
        ensure(waited, "trainer2_gate", "type", "an answer is for a gate that waits")
    }
}

/// An event with nothing but the ids of its run.
fn bare(kind: &str, event: &Value) -> Value {
    json!({ "type": kind, "threadId": event["threadId"], "runId": event["runId"] })
}

fn nulls(event: &Value) -> Result<(), Fault> {
    let members = event.as_object().into_iter().flatten();
    for (name, value) in members.filter(|(name, _)| !OPEN.contains(&name.as_str())) {
        ensure(!value.is_null(), "trainer2_null", name, "what is absent is left out, not null")?;
    }
    Ok(())
}

fn call(event: &Value) -> Result<(), Fault> {
    for name in ["toolCallId", "toolName", "label"] {
        let told = "a call has an id, a name and a label";
        ensure(!text(event, name).is_empty(), "trainer2_call", name, told)?;
    }
    ensure(event["args"].is_object(), "trainer2_call", "args", "the arguments of a call are an object")
}

fn result(event: &Value) -> Result<Value, Fault> {
    let id = text(event, "toolCallId");
    ensure(!id.is_empty(), "trainer2_call", "toolCallId", "a result names its call")?;
    let told = "a result says what came of the call";
    let result = event.get("result");
    ensure(result.is_some(), "trainer2_call", "result", told)?;
    let known = |name: &str| event.get(name).and_then(Value::as_str).map(str::to_owned);
    let content = known("content").or_else(|| result.map(Value::to_string));
    let message = known("messageId").unwrap_or_else(|| format!("{id}-result"));
    Ok(json!({ "type": "TOOL_CALL_RESULT", "messageId": message, "toolCallId": id, "content": content }))
}

fn view(event: &Value) -> Result<Value, Fault> {
    let is_view = text(event, "name") == RENDER;
    ensure(is_view, "trainer2_view", "name", "the only event of this type shows a view")?;
    let is_there = event["value"].get("view").is_some();
    ensure(is_there, "trainer2_view", "value", "there is a `view`, or null to close it")?;
    Ok(json!({ "type": "CUSTOM", "name": RENDER, "value": event["value"] }))
}

fn staged(event: &Value) -> Result<(), Fault> {
    let (payload, told) = (&event["payload"], "what waits is a `message` and a `context`");
    let is_whole = payload["message"].is_string() && payload["context"].is_object();
    ensure(is_whole, "trainer2_gate", "payload", told)
}

/// A draft is shown to those who may decide about it.
fn draft(event: &Value) -> Result<(), Fault> {
    let is_shown = event["draftText"].is_string() || event["mayDecide"] == json!(false);
    ensure(is_shown, "trainer2_gate", "draftText", "a draft has a text")
}
