//! Bytes on the wire: framings, and the protobuf form of events.
//!
//! A *framer* turns bytes, cut anywhere, into frames and knows nothing of events; what a frame holds is read
//! by [`Event::from_json`](crate::event::Event::from_json), [`enforce`](crate::enforce) or
//! [`proto::decode`]. [`sniff()`] tells which framing a file has.

pub mod array;
pub mod frame;
pub mod jsonl;
pub mod length;
pub mod proto;
pub mod sniff;
pub mod sse;

pub use self::{
    frame::{DEFAULT_MAX_FRAME, Frame, FrameError, Framer},
    sniff::{Format, sniff, sniff_end},
};

use std::cell::RefCell;

use bytes::Bytes;

use crate::event::Event;

thread_local! {
    /// Where events are written before their length is known: what is shared is allocated once, exactly.
    static SCRATCH: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// An event in the form in which it is stored and sent: encoded once, on one line, shared by everyone who sends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded(Bytes);

impl Encoded {
    /// Encodes an event as JSON.
    #[must_use]
    pub fn new(event: &Event) -> Self {
        SCRATCH.with_borrow_mut(|scratch| {
            scratch.clear();
            event.write_json(scratch);
            Self(Bytes::copy_from_slice(scratch))
        })
    }

    /// The JSON text.
    #[must_use]
    pub fn json(&self) -> &Bytes {
        &self.0
    }

    /// The event as one frame of an event stream, with a cursor if there is one.
    #[must_use]
    pub fn sse(&self, id: Option<&str>) -> Bytes {
        sse::frame_of_line(&self.0, id)
    }
}
