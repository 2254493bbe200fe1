//! The compatibility boundary: shapes that AG-UI has retired, translated to 1.0 before anything else looks.
//!
//! It sees only events that do not read as 1.0, so a current producer never pays for it. Each translation is
//! reported, because the shapes leave the protocol for good some day.

mod binary;
mod era;
mod nulls;
mod thinking;

use serde_json::{Map, Value};

use self::thinking::Thinking;
pub use self::{
    binary::upgrade_message,
    era::{PeerVersion, downgrade_input, refresh_input},
};
use crate::{id::RunId, notice::Warning};

/// Translates the retired shapes of one stream. It has state, because the old reasoning events carried no ids.
#[derive(Clone, Debug, Default)]
pub struct Boundary {
    thinking: Thinking,
    peer: Option<PeerVersion>,
}

impl Boundary {
    /// A boundary towards a peer that speaks an older version at most.
    #[must_use]
    pub fn for_peer(peer: Option<PeerVersion>) -> Self {
        Self { thinking: Thinking::default(), peer }
    }

    /// Whether every event has to be looked at, and not only those that do not read as 1.0.
    #[must_use]
    pub fn watches_all(&self) -> bool {
        self.peer.is_some_and(PeerVersion::predates_subagents)
    }

    /// A run starts: ids that are made up from here on carry its name.
    pub fn enter_run(&mut self, run_id: &RunId) {
        self.thinking.enter_run(run_id);
    }

    /// Translates an event in place. `index` is its position in the stream, from which ids are made where the
    /// old shape had none. Returns whether the event stays.
    pub fn upgrade(&mut self, event: &mut Value, index: usize, warnings: &mut Vec<Warning>) -> bool {
        let Value::Object(object) = event else {
            return true;
        };
        self.thinking.upgrade(object, index, warnings);
        nulls::upgrade_event(object, warnings);
        upgrade_messages(object, warnings);
        if self.watches_all() { era::without_subagents(object, warnings) } else { true }
    }
}

/// Translates an input of a run in place.
pub fn upgrade_input(input: &mut Value, warnings: &mut Vec<Warning>) {
    if let Value::Object(object) = input {
        nulls::upgrade_input(object, "", warnings);
        for_each_message(object, |message, path| binary::upgrade_reported(message, path, "", warnings));
    }
}

/// The messages of a snapshot, and those of the input that a run start repeats.
fn upgrade_messages(event: &mut Map<String, Value>, warnings: &mut Vec<Warning>) {
    match event.get("type").and_then(Value::as_str) {
        Some("MESSAGES_SNAPSHOT") => {
            for_each_message(event, |message, path| {
                nulls::upgrade_parts(message, path, warnings);
                binary::upgrade_reported(message, path, "", warnings);
            });
        }
        Some("RUN_STARTED") => {
            let Some(Value::Object(input)) = event.get_mut("input") else {
                return;
            };
            nulls::upgrade_input(input, "/input", warnings);
            for_each_message(input, |message, path| {
                binary::upgrade_reported(message, path, "/input", warnings);
            });
        }
        _ => {}
    }
}

fn for_each_message(owner: &mut Map<String, Value>, mut visit: impl FnMut(&mut Value, &str)) {
    let Some(Value::Array(messages)) = owner.get_mut("messages") else {
        return;
    };
    for (index, message) in messages.iter_mut().enumerate() {
        visit(message, &format!("/messages/{index}"));
    }
}

fn retired(path: impl Into<String>, what: impl Into<String>) -> Warning {
    Warning::at("retired_shape", path, what)
}
