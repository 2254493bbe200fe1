//! What the contract asks of a stream instead of AG-UI 1.0.
//!
//! | code | what it asks for |
//! |---|---|
//! | `net_unknown_event` | only events of the contract |
//! | `net_null` | what is absent is left out, never null |
//! | `net_outcome` | an outcome is `success` or `interrupt` |
//! | `net_interrupt` | an interrupt with an id, exactly where the outcome is `interrupt` |
//! | `net_empty_delta` | a piece of text or of reasoning has something in it |
//! | `net_role` | text and reasoning are the assistant's; messages have one of six roles |
//! | `net_meta` | META has a `metaType` and an object as payload |
//! | `net_content` | results are text; parts are `text`, or `binary` with an id, a url or data |

use forestage_protocol::{Fault, compat::net::upgrade_part, event::EventType};
use serde_json::{Value, json};

use crate::dialect::profile::{Rules, ensure, text};

/// Events of 1.0 that the contract does not have.
const NOT_THEIRS: [&str; 4] =
    ["REASONING_ENCRYPTED_VALUE", "SUBAGENT_STARTED", "SUBAGENT_FINISHED", "SUBAGENT_ERROR"];

const ROLES: [&str; 6] = ["developer", "system", "assistant", "user", "tool", "activity"];

/// Members that hold whatever the application likes.
const OPEN: [&str; 5] = ["rawEvent", "snapshot", "result", "event", "value"];

/// The rules of AGUI.Protocol.
#[derive(Debug, Default)]
pub struct Judge;

impl Rules for Judge {
    fn check(&mut self, mut event: Value) -> Result<Option<Value>, Fault> {
        let kind = text(&event, "type").to_owned();
        let is_theirs =
            kind == "META" || EventType::parse(&kind).is_some() && !NOT_THEIRS.contains(&kind.as_str());
        ensure(is_theirs, "net_unknown_event", "type", "the contract has no such event")?;
        nulls(&event)?;
        match kind.as_str() {
            "RUN_STARTED" => started(&mut event)?,
            "RUN_FINISHED" => finished(&mut event)?,
            "TEXT_MESSAGE_START" => role(&event)?,
            "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT" => {
                let is_empty = event.get("delta") == Some(&json!(""));
                ensure(!is_empty, "net_empty_delta", "delta", "a piece has something in it")?;
            }
            "REASONING_START" => {
                drop(event.as_object_mut().and_then(|event| event.remove("encryptedContent")))
            }
            "REASONING_MESSAGE_START" => {
                role(&event)?;
                event["role"] = "reasoning".into();
            }
            "TOOL_CALL_RESULT" => {
                let is_text = event.get("content").is_none_or(Value::is_string);
                ensure(is_text, "net_content", "content", "the result of a tool is text")?;
            }
            "MESSAGES_SNAPSHOT" => messages(&mut event["messages"], "messages")?,
            "META" => return meta(&event).map(Some),
            _ => {}
        }
        Ok(Some(event))
    }
}

fn nulls(event: &Value) -> Result<(), Fault> {
    let members = event.as_object().into_iter().flatten();
    for (name, value) in members.filter(|(name, _)| !OPEN.contains(&name.as_str())) {
        ensure(!value.is_null(), "net_null", name, "what is absent is left out, not null")?;
    }
    Ok(())
}

fn role(event: &Value) -> Result<(), Fault> {
    let is_assistant = text(event, "role") == "assistant";
    ensure(is_assistant, "net_role", "role", "the role is always `assistant`")
}

/// One answer is a list of one in 1.0.
fn started(event: &mut Value) -> Result<(), Fault> {
    let Some(input) = event.get_mut("input") else { return Ok(()) };
    messages(&mut input["messages"], "input/messages")?;
    if let Some(resume) = input.get_mut("resume")
        && resume.is_object()
    {
        resume["status"] = "resolved".into();
        *resume = json!([resume.take()]);
    }
    Ok(())
}

fn finished(event: &mut Value) -> Result<(), Fault> {
    let outcome = event.get("outcome").cloned();
    let interrupt = event.as_object_mut().and_then(|event| event.remove("interrupt"));
    let is_word = matches!(outcome.as_ref().map(Value::as_str), None | Some(Some("success" | "interrupt")));
    ensure(is_word, "net_outcome", "outcome", "an outcome is the word `success` or `interrupt`")?;
    let is_wanted = outcome == Some(json!("interrupt"));
    let told = "there is an interrupt exactly where the outcome is `interrupt`";
    ensure(interrupt.is_some() == is_wanted, "net_interrupt", "interrupt", told)?;
    if let Some(interrupt) = interrupt {
        let has_id = interrupt.get("id").is_some_and(Value::is_string);
        ensure(has_id, "net_interrupt", "interrupt", "an interrupt has an id")?;
        let asked = json!({ "id": interrupt["id"], "reason": "interrupt" });
        event["outcome"] = json!({ "type": "interrupt", "interrupts": [asked] });
    } else if outcome.is_some() {
        event["outcome"] = json!({ "type": "success" });
    }
    Ok(())
}

fn messages(messages: &mut Value, place: &str) -> Result<(), Fault> {
    let Value::Array(messages) = messages else { return Ok(()) };
    for (at, message) in messages.iter_mut().enumerate() {
        let is_theirs = ROLES.contains(&text(message, "role"));
        ensure(is_theirs, "net_role", &format!("{place}/{at}/role"), "the contract has no such role")?;
        if let Some(Value::Array(parts)) = message.get_mut("content") {
            for (index, part) in parts.iter_mut().enumerate() {
                part_of(part, &format!("{place}/{at}/content/{index}"))?;
            }
        }
    }
    Ok(())
}

fn part_of(part: &mut Value, place: &str) -> Result<(), Fault> {
    let known = match part.get("type").and_then(Value::as_str) {
        Some("text") => return Ok(()),
        Some("binary") => part.as_object().and_then(upgrade_part),
        _ => None,
    };
    let told = "a part is `text`, or `binary` with an `id`, a `url` or `data`";
    *part = known.ok_or_else(|| Fault::new("net_content", format!("/{place}"), told))?;
    Ok(())
}

fn meta(event: &Value) -> Result<Value, Fault> {
    let kind = event.get("metaType").and_then(Value::as_str);
    ensure(kind.is_some(), "net_meta", "metaType", "META says of what type it is")?;
    ensure(event["payload"].is_object(), "net_meta", "payload", "the payload of META is an object")?;
    let name = format!("meta:{}", kind.unwrap_or_default());
    Ok(json!({ "type": "CUSTOM", "name": name, "value": event["payload"] }))
}
