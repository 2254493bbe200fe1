//! Keeping a client up to date.

use std::collections::{BTreeSet, HashSet};

use forestage_protocol::{Fault, Warning};

use super::{Profile, write_0_8, write_0_9::Writer};
use crate::{
    Messages, Version,
    surface::{Change, Surface, Surfaces},
    v0_8, v0_9,
};

/// Gives one client what agents draw, in the version that the client speaks.
#[derive(Clone, Debug)]
pub struct Bridge {
    profile: Profile,
    surfaces: Surfaces,
    /// The surfaces that the client has.
    begun: HashSet<String>,
}

/// Messages for a client, and what they cannot say.
#[derive(Clone, Debug, PartialEq)]
pub struct Bridged {
    /// The messages.
    pub messages: Messages,
    /// What was left out, or is shown as it is now and does not change.
    pub losses: Vec<Warning>,
}

/// Writes a payload for a client that has nothing on its screen.
pub fn bridge(messages: &Messages, profile: Profile) -> Result<Bridged, Fault> {
    Bridge::new(profile).take(messages)
}

impl Bridge {
    /// A client with nothing on its screen.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self { profile, surfaces: Surfaces::new(), begun: HashSet::new() }
    }

    /// What the client should have on its screen.
    #[must_use]
    pub fn surfaces(&self) -> &Surfaces {
        &self.surfaces
    }

    /// Takes messages in and says what to send.
    pub fn take(&mut self, messages: &Messages) -> Result<Bridged, Fault> {
        let changes = self.surfaces.fold(messages)?;
        Ok(match self.profile.version() {
            Version::V0_8 => self.bring_0_8(&changes),
            _ => self.bring_0_9(&changes),
        })
    }

    fn bring_0_8(&mut self, changes: &[(String, Change)]) -> Bridged {
        let (mut messages, mut losses) = (Vec::new(), Vec::new());
        for id in self.gone(changes) {
            messages.push(v0_8::Message::DeleteSurface { surface_id: id });
        }
        for surface in changed(&self.surfaces, changes) {
            let is_begun = self.begun.contains(&surface.id);
            if let Some(written) = write_0_8::write(surface, is_begun) {
                messages.extend(written.messages);
                losses.extend(written.losses);
                self.begun.insert(surface.id.clone());
            }
        }
        Bridged { messages: Messages::V0_8(messages), losses }
    }

    fn bring_0_9(&mut self, changes: &[(String, Change)]) -> Bridged {
        let mut messages = Vec::new();
        for id in self.gone(changes) {
            messages.push(v0_9::Message::DeleteSurface { surface_id: id });
        }
        for surface in changed(&self.surfaces, changes) {
            let writer = Writer::new(surface, self.profile.basic_catalog());
            if surface.root.is_some() && self.begun.insert(surface.id.clone()) {
                messages.extend(writer.whole());
            } else if self.begun.contains(&surface.id) {
                let own = changes.iter().filter(|(id, _)| *id == surface.id);
                messages.extend(own.filter_map(|(_, change)| writer.changed(change)));
            }
        }
        Bridged { messages: Messages::V0_9(messages), losses: Vec::new() }
    }

    /// The surfaces that the client has and should not have any more.
    fn gone(&mut self, changes: &[(String, Change)]) -> BTreeSet<String> {
        let deleted = changes.iter().filter(|(_, change)| *change == Change::Deleted);
        deleted.map(|(id, _)| id).filter(|id| self.begun.remove(*id)).cloned().collect()
    }
}

fn changed<'s>(surfaces: &'s Surfaces, changes: &[(String, Change)]) -> Vec<&'s Surface> {
    surfaces.iter().filter(|surface| changes.iter().any(|(id, _)| *id == surface.id)).collect()
}
