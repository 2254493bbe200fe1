//! The compatibility boundary: shapes that AG-UI has retired, translated to 1.0 before anything else looks.
//!
//! It sees only events that do not read as 1.0, so a current producer never pays for it. Each translation is
//! reported, because the shapes leave the protocol for good some day.

mod binary;
mod era;
pub mod net;
mod nulls;
mod thinking;

use serde_json::{Map, Value};

pub(crate) use self::era::{no_subagents, without_subagents};
use self::net::Net;
use self::thinking::Thinking;
pub use self::{
    binary::upgrade_message,
    era::{PeerVersion, downgrade_input, refresh_input},
};
use crate::{event::Event, id::RunId, notice::Warning};

/// Translates the retired shapes of one stream. It has state, because the old reasoning events carried no ids.
#[derive(Clone, Debug, Default)]
pub struct Boundary {
    thinking: Thinking,
    /// Set where the shapes of AGUI.Protocol are translated, too.
    net: Option<Net>,
}

impl Boundary {
    /// Also translates the shapes of AGUI.Protocol, see [`net`]. Most of them are errors in 1.0, so this is asked for.
    #[must_use]
    pub fn with_net(self) -> Self {
        Self { net: Some(Net::default()), ..self }
    }

    /// A run starts: ids that are made up from here on carry its name.
    pub fn enter_run(&mut self, run_id: &RunId) {
        self.thinking.enter_run(run_id);
    }

    /// Translates an event in place. `index` is its position in the stream, from which ids are made where the
    /// old shape had none.
    pub fn upgrade(&mut self, event: &mut Value, index: usize, warnings: &mut Vec<Warning>) {
        let Value::Object(object) = event else { return };
        self.thinking.upgrade(object, index, warnings);
        if let Some(net) = &mut self.net {
            net.upgrade(object, warnings);
        }
        nulls::upgrade_event(object, warnings);
        upgrade_messages(object, warnings);
    }

    /// What an event of 1.0 needs before and after it, because an older shape said more with it. `None` for almost all.
    pub(crate) fn around(&mut self, event: &Event) -> Option<(Vec<Event>, Vec<Event>)> {
        let net = self.net.as_mut()?;
        net.note(event);
        net.sealed.concerns(event).then(|| net.sealed.around(event))
    }
}

/// Translates an input of AGUI.Protocol in place, see [`net`].
pub fn upgrade_net_input(input: &mut Value, warnings: &mut Vec<Warning>) {
    if let Value::Object(object) = input {
        net::upgrade_input(object, "", warnings);
    }
    upgrade_input(input, warnings);
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
