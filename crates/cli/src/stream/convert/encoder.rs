//! How a format puts events one after the other.

use forestage_protocol::codec::{Format, jsonl, length, sse};

/// Frames encoded events.
pub(super) struct Encoder {
    format: Format,
    with_ids: bool,
    count: usize,
    buffer: Vec<u8>,
}

impl Encoder {
    /// An encoder that has written nothing yet.
    pub(super) fn new(format: Format, with_ids: bool) -> Self {
        Self { format, with_ids, count: 0, buffer: Vec::new() }
    }

    /// The bytes of the next frame. The id is used where events have one, unless they are numbered.
    pub(super) fn encode(&mut self, data: &[u8], id: Option<&str>) -> &[u8] {
        self.buffer.clear();
        let out = &mut self.buffer;
        match self.format {
            Format::Array => {
                out.extend_from_slice(if self.count == 0 { b"[\n" } else { b",\n" });
                out.extend_from_slice(data);
            }
            Format::Jsonl => jsonl::encode(data, out),
            Format::Sse if self.with_ids => sse::encode(data, Some(&self.count.to_string()), out),
            Format::Sse => sse::encode(data, id, out),
            Format::Protobuf => length::encode(data, out),
        }
        self.count += 1;
        out
    }

    /// What closes the stream.
    pub(super) fn finish(&self) -> &'static [u8] {
        match (self.format, self.count) {
            (Format::Array, 0) => b"[]\n",
            (Format::Array, _) => b"\n]\n",
            _ => b"",
        }
    }
}
