//! What of an event the target can carry.

use forestage_protocol::{
    Fault, Warning,
    codec::{
        Format,
        proto::{self, Decoded},
    },
    compat::Boundary,
    enforce,
    event::{AnyEvent, Event},
    patch::diff,
    scan,
};
use serde_json::to_value;

use super::super::walk::{Item, Stop, refuse};
use crate::{input::Payload, output::minify};

/// Turns the events of one encoding into those of another.
pub(super) struct Translator {
    to_proto: bool,
    /// What translates retired shapes, where unknown things may be dropped.
    boundary: Option<Boundary>,
    warnings: Vec<Warning>,
}

impl Translator {
    /// A translator to a format.
    pub(super) fn new(to: Format, enforce: bool) -> Self {
        Self {
            to_proto: to == Format::Protobuf,
            boundary: enforce.then(Boundary::default),
            warnings: Vec::new(),
        }
    }

    /// What there was to say; each warning is handed out once.
    pub(super) fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// The event in the other encoding, or nothing where it is dropped.
    pub(super) fn translate(&mut self, item: Item<'_>) -> Result<Option<Vec<u8>>, Stop> {
        let data = match item.payload {
            Payload::Json(text) => self.translate_json(text, item.index),
            Payload::Proto(bytes) => self.translate_proto(bytes),
        };
        for warning in &mut self.warnings {
            warning.index = Some(item.index);
        }
        data.map_err(|fault| refuse(item.index, fault))
    }

    fn translate_json(&mut self, text: &str, index: usize) -> Result<Option<Vec<u8>>, Fault> {
        if let Some(boundary) = &mut self.boundary {
            let mut value = enforce::tree(text)?;
            enforce::event_type(&value)?;
            boundary.upgrade(&mut value, index, &mut self.warnings);
            let event = enforce::enforce(value, &mut self.warnings)?;
            return event.map(|event| self.write(&event)).transpose();
        }
        if self.to_proto {
            return self.write(&enforce::strict(text)?).map(Some);
        }
        check_json(text)?;
        Ok(Some(minify(text)))
    }

    fn translate_proto(&mut self, bytes: &[u8]) -> Result<Option<Vec<u8>>, Fault> {
        let decoded =
            proto::decode(bytes).map_err(|error| Fault::new(error.code(), "", error.to_string()))?;
        if self.to_proto && self.boundary.is_none() {
            return Ok(Some(bytes.to_vec()));
        }
        match decoded {
            Decoded::Event(event, notes) => {
                for note in notes {
                    self.lose("unknown_value", String::new(), &note)?;
                }
                self.write(&event).map(Some)
            }
            Decoded::Unknown { arm } => {
                self.lose("unknown_event_type", String::new(), &format!("an event of unknown kind {arm}"))?;
                Ok(None)
            }
            Decoded::Dropped(notes) => {
                for note in notes {
                    self.lose("unknown_value", String::new(), &note)?;
                }
                Ok(None)
            }
        }
    }

    /// An event as the target has it.
    pub(super) fn write(&mut self, event: &Event) -> Result<Vec<u8>, Fault> {
        let mut data = Vec::new();
        if !self.to_proto {
            event.write_json(&mut data);
            return Ok(data);
        }
        proto::encode(event, &mut data);
        if let Some(path) = lost(event, &data) {
            self.lose("proto_lossy", path, "protobuf cannot carry this")?;
        }
        Ok(data)
    }

    /// Loses something: a warning where that is allowed, else a fault.
    fn lose(&mut self, code: &'static str, path: String, what: &str) -> Result<(), Fault> {
        if self.boundary.is_none() {
            return Err(Fault::new(code, path, what));
        }
        self.warnings.push(Warning::at(code, path, what));
        Ok(())
    }
}

/// Where protobuf says otherwise than the event, if it does.
fn lost(event: &Event, data: &[u8]) -> Option<String> {
    match proto::decode(data) {
        Ok(Decoded::Event(back, _)) if *back == *event => None,
        Ok(Decoded::Event(back, _)) => {
            // What is nested too deeply for a tree has no place that could be named.
            let (Ok(event), Ok(back)) = (to_value(event), to_value(back)) else {
                return Some(String::new());
            };
            diff(&event, &back).first().map(|change| change.path().to_string())
        }
        _ => Some(String::new()),
    }
}

/// Whether a text is an event at all, known or not.
fn check_json(text: &str) -> Result<(), Fault> {
    scan::check_event_depth(text)?;
    match serde_json::from_str::<AnyEvent>(text) {
        Ok(event) if !event.event_type().is_empty() => Ok(()),
        _ => enforce::event_type(&enforce::tree(text)?).map(drop),
    }
}
