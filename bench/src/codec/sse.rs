//! Server-sent events: bytes as they come from a socket to typed events, and back.

use std::{hint::black_box, str};

use ag_ui::{EventStreamFormatter, SseFormatter, client::transport::SseDecoder as PeerDecoder};
use forestage_protocol::{
    codec::{Encoded, Framer, sse::SseDecoder},
    event::Event,
    pipeline::Reader,
};

use super::{CRATE, Material};
use crate::{
    floor::one_pass::raw,
    race::{Contender, Task},
};

/// How much a read from a socket hands over.
pub(crate) const PIECE: usize = 16 * 1024;

pub(super) fn reading(material: &Material) -> Task<'_> {
    let (body, events) = (&material.body, material.len());
    Task {
        key: "sse-read",
        title: "read SSE: bytes, frames, events",
        contenders: vec![
            Contender::new("ours, strict", events, move || {
                frames(body, |text| drop(black_box(Event::from_json(text)).expect("legal")));
            }),
            Contender::new("ours, Reader (enforced and verified)", events, move || {
                let mut reader = Reader::default();
                frames(body, |text| reader.read_json(text, |event| drop(black_box(event))).expect("legal"));
            }),
            Contender::new(CRATE, events, move || {
                peer_events(body, |event| drop(black_box(event)));
            }),
            Contender::new("floor: split at blank lines, floor A", events, move || {
                floor_frames(body, |text| {
                    drop(black_box(serde_json::from_str::<raw::Event>(text)).expect("legal"));
                });
            }),
        ],
    }
}

/// Our frames of a body that comes in pieces.
pub(crate) fn frames(body: &[u8], mut take: impl FnMut(&str)) {
    let mut decoder = SseDecoder::new();
    for piece in body.chunks(PIECE) {
        decoder.push(piece);
        while let Some(frame) = decoder.next().expect("well framed") {
            take(str::from_utf8(&frame.data).expect("UTF-8"));
        }
    }
}

/// The peer's events of a body that comes in pieces.
pub(crate) fn peer_events(body: &[u8], mut take: impl FnMut(ag_ui::Event)) {
    let mut decoder = PeerDecoder::new();
    for piece in body.chunks(PIECE) {
        decoder.push(piece).expect("small frames");
        while let Some(frame) = decoder.next_frame().expect("well framed") {
            take(frame.into_event().expect("legal"));
        }
    }
}

/// The frames of a body that is there at once and has nothing but data lines.
pub(crate) fn floor_frames(body: &[u8], take: impl FnMut(&str)) {
    let body = str::from_utf8(body).expect("UTF-8");
    body.split_terminator("\n\n").map(|frame| &frame["data: ".len()..]).for_each(take);
}

pub(super) fn writing(material: &Material) -> Task<'_> {
    let events = material.len();
    Task {
        key: "sse-write",
        title: "encode as an SSE frame",
        contenders: vec![
            Contender::new("ours", events, move || {
                for event in &material.ours {
                    black_box(Encoded::new(event).sse(None));
                }
            }),
            Contender::new(CRATE, events, move || {
                for event in &material.theirs {
                    black_box(SseFormatter::new().encode(event)).expect("an event is JSON");
                }
            }),
            Contender::new("floor: serde_json, derived", events, move || {
                for event in &material.floor {
                    let mut out = b"data: ".to_vec();
                    serde_json::to_writer(&mut out, event).expect("an event is JSON");
                    out.extend_from_slice(b"\n\n");
                    black_box(out);
                }
            }),
        ],
    }
}
