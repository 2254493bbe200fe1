//! Events of which nothing may be lost, known to us or not.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

use super::{Event, head::Head};
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
        let head: Head<'_> = serde_json::from_str(json.get()).map_err(D::Error::custom)?;
        Ok(Self::Other { r#type: head.0.into_owned(), json })
    }
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
        ] {
            let event: AnyEvent = serde_json::from_str(text).expect("has a type");
            assert_eq!(serde_json::to_string(&event).expect("prints"), text);
        }
    }
}
