//! Typed events into a conversation.

use std::hint::black_box;

use ag_ui::client::{Applier, Verifier as PeerVerifier};
use forestage_protocol::{apply::ThreadView, event::Event, verify::Verifier};
use serde_json::Value;

use super::{CRATE, FLOOR, Material, OURS};
use crate::{
    floor::{fold::View, one_pass::parsed},
    race::{Contender, Task},
};

pub(super) const KEY: &str = "fold";

pub(super) fn task(material: &Material) -> Task<'_> {
    let events = material.len();
    Task {
        key: KEY,
        title: "verify and apply",
        contenders: vec![
            Contender::new(OURS, events, move || {
                let mut fold = Ours::default();
                material.ours.iter().for_each(|event| fold.take(event));
                black_box(&fold);
            }),
            Contender::new(CRATE, events, move || {
                let mut fold = Theirs::default();
                material.theirs.iter().for_each(|event| fold.take(event));
                black_box(&fold);
            }),
            Contender::new(FLOOR, events, move || {
                let view = floor(&material.floor);
                black_box(&view);
            }),
        ],
    }
}

#[derive(Default)]
pub(super) struct Ours {
    verifier: Verifier,
    view: ThreadView,
}

impl Ours {
    pub(super) fn take(&mut self, event: &Event) {
        self.verifier.check(event).expect("legal");
        black_box(self.view.apply(event));
    }
}

#[derive(Default)]
pub(super) struct Theirs {
    verifier: PeerVerifier,
    applier: Applier,
}

impl Theirs {
    /// The peer wants a verifier per run, as its own `Thread` does it.
    pub(super) fn take(&mut self, event: &ag_ui::Event) {
        if matches!(event, ag_ui::Event::RunStarted(_)) {
            self.verifier = PeerVerifier::new();
        }
        self.verifier.verify(event).expect("legal");
        black_box(self.applier.apply(event)).expect("applicable");
    }
}

fn floor(events: &[parsed::Event]) -> View {
    let mut view = View::default();
    events.iter().for_each(|event| view.apply(event));
    view
}

/// Everybody has to arrive at the same conversation.
pub(super) fn check(material: &Material) {
    let (mut ours, mut theirs) = (Ours::default(), Theirs::default());
    material.ours.iter().for_each(|event| ours.take(event));
    material.theirs.iter().for_each(|event| theirs.take(event));
    let view = floor(&material.floor);
    let messages: Vec<Value> = ours.view.messages().map(tree).collect();
    let their_messages: Vec<Value> = theirs.applier.messages().iter().map(tree).collect();
    assert_eq!(messages, their_messages);
    assert_eq!(ours.view.state(), theirs.applier.state());
    assert_eq!(ours.view.state(), view.state());
    assert_eq!(messages.len(), view.len());
}

fn tree(message: &impl serde::Serialize) -> Value {
    serde_json::to_value(message).expect("a message is JSON")
}
