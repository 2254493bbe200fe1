//! Events and inputs of the contract, translated in place.

use std::collections::HashSet;

use serde_json::{Map, Value, json};

use super::{Interrupt, Resume, Sealed, binary::upgrade_part, meta::PREFIX};
use crate::{
    compat::{for_each_message, retired},
    event::Event,
    id::ToolCallId,
    interrupt::{self, ResumeEntry},
    notice::Warning,
};

/// What is known of a stream of the contract.
#[derive(Clone, Debug, Default)]
pub(crate) struct Net {
    pub(crate) sealed: Sealed,
    /// The calls of the run, since a question about one has its id.
    calls: HashSet<ToolCallId>,
}

impl Net {
    /// Remembers what later events refer to.
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::RunStarted(_) => self.calls.clear(),
            Event::ToolCallStart(start) => {
                self.calls.insert(start.tool_call_id.clone());
            }
            _ => {}
        }
    }

    /// Translates an event in place.
    pub(crate) fn upgrade(&mut self, event: &mut Map<String, Value>, warnings: &mut Vec<Warning>) {
        match event.get("type").and_then(Value::as_str) {
            Some("RUN_STARTED") => {
                if let Some(Value::Object(input)) = event.get_mut("input") {
                    upgrade_input(input, "/input", warnings);
                }
            }
            Some("RUN_FINISHED") => self.finished(event, warnings),
            Some("REASONING_START") => self.reasoning(event, warnings),
            Some("REASONING_MESSAGE_START") if event.get("role") == Some(&json!("assistant")) => {
                event.insert("role".to_owned(), "reasoning".into());
                warnings.push(retired("/role", "read the role `assistant` of reasoning as `reasoning`"));
            }
            Some("MESSAGES_SNAPSHOT") => parts(event, "", warnings),
            Some("META") => meta(event, warnings),
            _ => {}
        }
    }

    fn finished(&self, event: &mut Map<String, Value>, warnings: &mut Vec<Warning>) {
        let word = event.get("outcome").and_then(Value::as_str);
        // A run that has a question waits, also where it does not say so.
        let is_open = event.get("outcome").is_none_or(Value::is_null);
        match word {
            Some("success") => {
                event.insert("outcome".to_owned(), json!({ "type": "success" }));
                event.shift_remove("interrupt");
                warnings.push(retired("/outcome", "read the outcome `success` as an object"));
            }
            Some("interrupt") => self.interrupted(event, warnings),
            None if is_open && event.get("interrupt").is_some_and(Value::is_object) => {
                self.interrupted(event, warnings);
            }
            _ => {}
        }
    }

    /// A question that cannot be read stays, for the check to refuse.
    fn interrupted(&self, event: &mut Map<String, Value>, warnings: &mut Vec<Warning>) {
        let Some(asked) = event.get("interrupt").and_then(read_interrupt) else { return };
        let about = self.calls.get(asked.id.as_str()).cloned();
        let upgraded = interrupt::Interrupt { tool_call_id: about, ..asked.into() };
        let Ok(question) = serde_json::to_value(upgraded) else { return };
        event.shift_remove("interrupt");
        event.insert("outcome".to_owned(), json!({ "type": "interrupt", "interrupts": [question] }));
        warnings.push(retired("/outcome", "read the outcome `interrupt` as an object with its question"));
    }

    fn reasoning(&mut self, event: &mut Map<String, Value>, warnings: &mut Vec<Warning>) {
        match event.get("encryptedContent") {
            Some(Value::String(content)) => self.sealed.hold(content.clone()),
            Some(Value::Null) => {}
            _ => return,
        }
        event.shift_remove("encryptedContent");
        warnings.push(retired("/encryptedContent", "read encrypted content as an event of its own"));
    }
}

/// Unknown members of a question are ignored, as those of everything else that others send.
fn read_interrupt(value: &Value) -> Option<Interrupt> {
    let id = value.get("id").and_then(Value::as_str)?;
    let payload = value.get("payload").filter(|payload| !payload.is_null()).map(Into::into);
    Some(Interrupt { payload, ..Interrupt::new(id) })
}

/// Translates an input in place: one answer becomes a list of one, binary parts media parts.
pub(in crate::compat) fn upgrade_input(
    input: &mut Map<String, Value>,
    base: &str,
    warnings: &mut Vec<Warning>,
) {
    parts(input, base, warnings);
    let Some(Value::Object(answer)) = input.get("resume") else { return };
    let Some(id) = answer.get("interruptId").and_then(Value::as_str) else { return };
    let payload = answer.get("payload").filter(|payload| !payload.is_null()).map(Into::into);
    let entry = ResumeEntry::from(Resume { payload, ..Resume::new(id) });
    let Ok(entry) = serde_json::to_value(entry) else { return };
    input.insert("resume".to_owned(), json!([entry]));
    warnings.push(retired(format!("{base}/resume"), "read one answer as a list of one"));
}

/// A part without an id, a url and data stays, for the check to refuse.
fn parts(owner: &mut Map<String, Value>, base: &str, warnings: &mut Vec<Warning>) {
    for_each_message(owner, |message, path| {
        let Some(Value::Array(parts)) = message.get_mut("content") else { return };
        for (index, part) in parts.iter_mut().enumerate() {
            let is_binary = part.get("type") == Some(&json!("binary"));
            let Some(upgraded) = part.as_object().filter(|_| is_binary).and_then(upgrade_part) else {
                continue;
            };
            *part = upgraded;
            let path = format!("{base}{path}/content/{index}");
            warnings.push(retired(path, "read a binary part as a media part"));
        }
    });
}

/// A remark without a type or a payload is no event that anybody knows, and is dropped as such.
fn meta(event: &mut Map<String, Value>, warnings: &mut Vec<Warning>) {
    let Some(kind) = event.get("metaType").and_then(Value::as_str) else { return };
    let name = format!("{PREFIX}{kind}");
    if !event.get("payload").is_some_and(Value::is_object) {
        return;
    }
    let payload = event.shift_remove("payload").unwrap_or_default();
    event.shift_remove("metaType");
    event.insert("type".to_owned(), "CUSTOM".into());
    warnings.push(retired("/type", format!("read META as the custom event `{name}`")));
    event.insert("name".to_owned(), name.into());
    event.insert("value".to_owned(), payload);
}
