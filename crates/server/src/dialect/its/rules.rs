//! What the contract asks of a stream beside AG-UI 1.0.
//!
//! | code | what it asks for |
//! |---|---|
//! | `its_private_event` | no types of events but those of AG-UI |
//! | `its_component_name` | a component has a name behind `its:` |
//! | `its_arguments` | the arguments of a component are one JSON object when they end, and can be shown |
//! | `its_timestamp` | the time of an event is a number of milliseconds |

use std::collections::HashMap;

use forestage_its::{PREFIX, find, is_component};
use forestage_protocol::{Fault, event::EventType};
use serde_json::{Map, Value};

use crate::dialect::profile::{Rules, ensure, text};

/// The rules of the tutoring contract.
#[derive(Debug, Default)]
pub struct Judge {
    /// The names of components and their arguments so far.
    components: HashMap<String, (String, String)>,
}

impl Rules for Judge {
    fn check(&mut self, event: Value) -> Result<Option<Value>, Fault> {
        let kind = text(&event, "type");
        let is_known = EventType::parse(kind).is_some();
        ensure(is_known, "its_private_event", "type", "the contract has the events of AG-UI and no others")?;
        let is_number = event.get("timestamp").is_none_or(Value::is_number);
        ensure(is_number, "its_timestamp", "timestamp", "the time of an event is a number of milliseconds")?;
        match kind {
            "TOOL_CALL_START" => self.start(&event)?,
            "TOOL_CALL_ARGS" => {
                if let Some((_, arguments)) = self.components.get_mut(text(&event, "toolCallId")) {
                    arguments.push_str(text(&event, "delta"));
                }
            }
            "TOOL_CALL_END" => self.end(&event)?,
            _ => {}
        }
        Ok(Some(event))
    }
}

impl Judge {
    fn start(&mut self, event: &Value) -> Result<(), Fault> {
        let name = text(event, "toolCallName");
        if !name.starts_with(PREFIX) {
            return Ok(());
        }
        ensure(is_component(name), "its_component_name", "toolCallName", "a component has a name")?;
        let component = (name.to_owned(), String::new());
        self.components.insert(text(event, "toolCallId").to_owned(), component);
        Ok(())
    }

    fn end(&mut self, event: &Value) -> Result<(), Fault> {
        let Some((name, arguments)) = self.components.remove(text(event, "toolCallId")) else {
            return Ok(());
        };
        let object = serde_json::from_str::<Map<String, Value>>(&arguments).ok().map(Value::Object);
        let told = "the arguments of the component are no JSON object";
        ensure(object.is_some(), "its_arguments", "toolCallId", told)?;
        // A component that nobody knows yet is for newer clients to judge.
        match (find(&name), object) {
            (Some(component), Some(arguments)) => component.check(&arguments).map_err(|faults| {
                Fault::new("its_arguments", "/toolCallId", format!("`{name}` cannot be shown: {faults}"))
            }),
            _ => Ok(()),
        }
    }
}
