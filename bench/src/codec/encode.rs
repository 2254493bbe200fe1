//! Typed event to JSON bytes.

use std::hint::black_box;

use bytes::Bytes;
use forestage_protocol::codec::{Encoded, proto};
use serde::Serialize;

use super::{CRATE, Material, PROTOBUF};
use crate::race::{Contender, Task};

pub(super) const FLOOR: &str = "floor: serde_json, derived";

/// Into one buffer that is used again and again.
pub(super) fn reused(material: &Material) -> Task<'_> {
    Task {
        key: "encode",
        title: "encode JSON into a reused buffer",
        contenders: vec![
            into_buffer("ours", &material.ours, |event, out| event.write_json(out)),
            into_buffer(PROTOBUF, &material.ours, proto::encode),
            into_buffer(CRATE, &material.theirs, write),
            into_buffer(FLOOR, &material.floor, write),
        ],
    }
}

fn into_buffer<'a, T>(name: &'static str, events: &'a [T], write: fn(&T, &mut Vec<u8>)) -> Contender<'a> {
    let mut out = Vec::new();
    Contender::new(name, events.len(), move || {
        for event in events {
            out.clear();
            write(event, &mut out);
            black_box(&out);
        }
    })
}

fn write<T: Serialize>(event: &T, out: &mut Vec<u8>) {
    serde_json::to_writer(out, event).expect("an event is JSON");
}

/// Into bytes of its own that any number of viewers can share.
pub(super) fn shared(material: &Material) -> Task<'_> {
    Task {
        key: "share",
        title: "encode JSON into bytes to share",
        contenders: vec![
            into_bytes("ours", &material.ours, Encoded::new),
            into_bytes(CRATE, &material.theirs, to_bytes),
            into_bytes(FLOOR, &material.floor, to_bytes),
        ],
    }
}

fn into_bytes<'a, T, B: 'a>(name: &'static str, events: &'a [T], encode: fn(&T) -> B) -> Contender<'a> {
    Contender::new(name, events.len(), move || {
        for event in events {
            drop(black_box(encode(event)));
        }
    })
}

fn to_bytes<T: Serialize>(event: &T) -> Bytes {
    serde_json::to_vec(event).expect("an event is JSON").into()
}
