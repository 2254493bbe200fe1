//! The dialects as profiles of streams: what judges one, and what writes one.

use std::fmt;

use forestage_protocol::{Fault, Warning, codec::Format};
use serde_json::Value;

use super::{Encode, agora, agui0, its, net, trainer2};

/// Every dialect that a stream may be in. A new one is a line here.
pub const PROFILES: &[Profile] = &[
    agora::PROFILE,
    its::PROFILE,
    trainer2::PROFILE,
    net::PROFILE,
    agui0::SERIAL,
    agui0::THINKING,
    agui0::UNSTATED,
    agui0::ASKING_BY_EVENT,
    agui0::SUBAGENTS,
];

/// A dialect, as far as streams of it go.
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// How its events are put one after the other.
    pub format: Format,
    /// What writes a stream of it.
    pub encoder: fn() -> Box<dyn Encode>,
    /// What judges a stream of it.
    pub rules: fn() -> Box<dyn Rules>,
}

impl fmt::Debug for Profile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Profile").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The profile with this name.
#[must_use]
pub fn profile(name: &str) -> Option<&'static Profile> {
    PROFILES.iter().find(|profile| profile.name == name)
}

/// The rules that a contract has beside those of AG-UI 1.0, or instead of them.
///
/// Every rule has a code that begins with the name of the dialect and never changes.
pub trait Rules {
    /// Judges the next event. What it is in AG-UI 1.0 is returned, to be judged by those rules; nothing where the
    /// event has no place there.
    fn check(&mut self, event: Value) -> Result<Option<Value>, Fault>;

    /// Returns whether a warning of AG-UI 1.0 about the event that was judged last is about something that the contract has.
    fn expects(&self, _warning: &Warning) -> bool {
        false
    }

    /// Judges the end of the stream.
    fn finish(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// A text member of an event; empty where it is none.
pub(super) fn text<'e>(event: &'e Value, name: &str) -> &'e str {
    event.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// A fault at a member, unless all is well.
pub(super) fn ensure(fine: bool, code: &'static str, member: &str, told: &str) -> Result<(), Fault> {
    if fine { Ok(()) } else { Err(Fault::new(code, format!("/{member}"), told)) }
}

/// A fault of the event as a whole, unless all is well.
pub(super) fn ensure_order(fine: bool, code: &'static str, told: &str) -> Result<(), Fault> {
    if fine { Ok(()) } else { Err(Fault::new(code, "", told)) }
}
