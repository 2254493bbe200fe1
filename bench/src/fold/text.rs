//! A body of server-sent events into a conversation.

use std::hint::black_box;

use forestage_protocol::pipeline::Fold;

use super::{CRATE, FLOOR, Material, OURS, typed::Theirs};
use crate::{
    codec::sse,
    floor::{fold::View, one_pass::parsed},
    race::{Contender, Task},
};

pub(super) fn task(material: &Material) -> Task<'_> {
    let (body, events) = (&material.body, material.len());
    Task {
        key: "fold-sse",
        title: "from SSE text",
        contenders: vec![
            Contender::new(OURS, events, move || {
                let mut fold = Fold::default();
                sse::frames(body, |text| {
                    fold.read_json(text, |event| drop(black_box(event))).expect("legal")
                });
                black_box(fold.view());
            }),
            Contender::new(CRATE, events, move || {
                let mut fold = Theirs::default();
                sse::peer_events(body, |event| fold.take(&event));
                black_box(&fold);
            }),
            Contender::new(FLOOR, events, move || {
                let mut view = View::default();
                sse::floor_frames(body, |text| {
                    let event: parsed::Event = serde_json::from_str(text).expect("legal");
                    view.apply(&event);
                });
                black_box(&view);
            }),
        ],
    }
}
