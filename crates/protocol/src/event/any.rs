//! Events of which nothing may be lost, known to us or not.

use std::collections::HashMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use serde_json::value::RawValue;

use super::Event;
use crate::json::Json;

/// An event as it came: read where AG-UI 1.0 describes all of it, kept as text where it does not.
///
/// Writing it gives the same JSON back, so tomorrow's events pass through today's log.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyEvent {
    /// An event of AG-UI 1.0 with nothing unknown in it.
    Known(Box<Event>),
    /// Anything else that has a `type`: a newer event, or a known one with members we do not know.
    Other {
        /// Its type.
        r#type: String,
        /// All of it.
        json: Json,
    },
}

impl AnyEvent {
    /// Its type, as on the wire.
    #[must_use]
    pub fn event_type(&self) -> &str {
        match self {
            Self::Known(event) => event.event_type().as_str(),
            Self::Other { r#type, .. } => r#type,
        }
    }
}

impl Serialize for AnyEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Known(event) => event.serialize(serializer),
            Self::Other { json, .. } => json.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for AnyEvent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Json::deserialize(deserializer)?;
        if let Ok(event) = Event::read_text(json.get()) {
            return Ok(Self::Known(Box::new(event)));
        }
        let r#type = type_of(json.get()).map_err(D::Error::custom)?;
        Ok(Self::Other { r#type, json })
    }
}

/// The type of an event that is not one of ours. Of two, the last counts, whatever stood in the first.
fn type_of(text: &str) -> serde_json::Result<String> {
    let members: HashMap<String, &RawValue> = serde_json::from_str(text)?;
    let found = members.get("type").ok_or_else(|| serde_json::Error::missing_field("type"))?;
    serde_json::from_str(found.get())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_events_and_members_survive_a_round_trip() {
        for text in [
            r#"{"type":"FUTURE_EVENT","deep":{"n":12345678901234567890123}}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m","newer":true}"#,
            r#"{"type":"TEXT_MESSAGE_END","messageId":"m"}"#,
            r#"{"type":"RAW","messageId":"m","type":"TEXT_MESSAGE_END"}"#,
            r#"{"messageId":"m","type":0.0,"type":"TEXT_MESSAGE_END"}"#,
        ] {
            let event: AnyEvent = serde_json::from_str(text).expect("has a type");
            assert_eq!(serde_json::to_string(&event).expect("prints"), text);
        }
    }

    #[test]
    fn what_has_no_type_is_no_event() {
        for text in ["{}", "[]", r#"{"type":1}"#, r#"{"type":"RAW","type":null}"#] {
            assert!(serde_json::from_str::<AnyEvent>(text).is_err(), "{text}");
        }
    }
}
