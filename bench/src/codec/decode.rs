//! JSON text to typed event.

use std::hint::black_box;

use forestage_protocol::{codec::proto, event::Event, pipeline::Reader};
use serde::de::DeserializeOwned;

use super::{CRATE, Material, PROTOBUF};
use crate::{
    floor::{derived, one_pass},
    race::{Contender, Task},
};

pub(super) const FLOOR_A: &str = "floor A: one pass, payloads as text";

pub(super) fn task(material: &Material) -> Task<'_> {
    let (texts, events) = (&material.texts, material.len());
    let with_serde = |name, pass: fn(&[String])| Contender::new(name, events, move || pass(texts));
    Task {
        key: "decode",
        title: "decode JSON",
        contenders: vec![
            Contender::new("ours, strict", events, move || {
                for text in texts {
                    black_box(Event::from_json(text)).expect("legal");
                }
            }),
            Contender::new("ours, strict, members the other way round", events, move || {
                for text in &material.reversed {
                    black_box(Event::from_json(text)).expect("legal");
                }
            }),
            Contender::new("ours, Reader (enforced and verified)", events, move || {
                let mut reader = Reader::default();
                for text in texts {
                    reader.read_json(text, |event| drop(black_box(event))).expect("legal");
                }
            }),
            Contender::new(PROTOBUF, events, move || {
                for bytes in &material.ours_in_protobuf {
                    black_box(proto::decode(bytes)).expect("legal");
                }
            }),
            with_serde(CRATE, read_all::<ag_ui::Event>),
            with_serde(FLOOR_A, read_all::<one_pass::raw::Event>),
            with_serde("floor A with payloads parsed", read_all::<one_pass::parsed::Event>),
            with_serde("floor B: derived, payloads parsed", read_all::<derived::Event>),
        ],
    }
}

fn read_all<T: DeserializeOwned>(texts: &[String]) {
    for text in texts {
        black_box(serde_json::from_str::<T>(text)).expect("legal");
    }
}
