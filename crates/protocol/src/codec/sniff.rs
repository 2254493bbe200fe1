//! Which framing a stream uses, told by its name or by its first bytes.
//!
//! For readers of files and pipes that come without a media type.

use std::fmt;
use std::str::FromStr;

use super::array::ArrayDecoder;
use super::frame::{DEFAULT_MAX_FRAME, Framer, is_space};
use super::jsonl::JsonlDecoder;
use super::length::{LengthDecoder, announced};
use super::sse::SseDecoder;

/// How many bytes to look at before giving up: when [`sniff`] does not know by
/// then, [`sniff_end`] decides.
pub const SNIFF_BYTES: usize = 4096;

/// A way to put many events into one byte stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// One JSON array whose elements are the events.
    Array,
    /// One JSON text per line.
    Jsonl,
    /// Server-sent events.
    Sse,
    /// Length-prefixed protobuf messages.
    Protobuf,
}

impl Format {
    /// The name to show and to write; [`FromStr`] reads it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Array => "json",
            Self::Jsonl => "jsonl",
            Self::Sse => "sse",
            Self::Protobuf => "proto",
        }
    }

    /// A framer for streams of this format, with frames of at most `limit` bytes.
    pub fn framer(self, limit: usize) -> Box<dyn Framer + Send> {
        match self {
            Self::Array => Box::new(ArrayDecoder::with_limit(limit)),
            Self::Jsonl => Box::new(JsonlDecoder::with_limit(limit)),
            Self::Sse => Box::new(SseDecoder::with_limit(limit)),
            Self::Protobuf => Box::new(LengthDecoder::with_limit(limit)),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A name that no [`Format`] has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format {0:?}, expected json, jsonl, sse or proto")]
pub struct UnknownFormat(pub String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        match name {
            "json" | "array" => Ok(Self::Array),
            "jsonl" | "ndjson" => Ok(Self::Jsonl),
            "sse" => Ok(Self::Sse),
            "proto" | "protobuf" => Ok(Self::Protobuf),
            _ => Err(UnknownFormat(name.to_owned())),
        }
    }
}

/// The format of a stream that begins with `prefix`; `None` as long as the bytes
/// do not tell. More bytes never change an answer.
pub fn sniff(prefix: &[u8]) -> Option<Format> {
    // Before whitespace is skipped: a length may well end in 0x0A.
    if prefix.first() == Some(&0) {
        return announced(prefix).filter(|&length| length <= DEFAULT_MAX_FRAME).map(|_| Format::Protobuf);
    }
    let text = prefix.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(prefix);
    let space = text.iter().take_while(|&&byte| is_space(byte)).count();
    let (space, text) = text.split_at(space);
    match text.first()? {
        b'[' => Some(Format::Array),
        b'{' => Some(Format::Jsonl),
        _ => (ends_line(space) && begins_field(text)).then_some(Format::Sse),
    }
}

/// The format of a stream of which `prefix` is all there is, or all the caller
/// wants to wait for; `None` if it is none of ours.
pub fn sniff_end(prefix: &[u8]) -> Option<Format> {
    // Nothing else of ours begins with 0x00, so this length was cut off, and the
    // framer will say so.
    let cut_length = prefix.first() == Some(&0) && announced(prefix).is_none();
    sniff(prefix).or(cut_length.then_some(Format::Protobuf))
}

/// An indented field is no field: the space would belong to its name.
fn ends_line(space: &[u8]) -> bool {
    matches!(space.last(), None | Some(b'\n' | b'\r'))
}

fn begins_field(text: &[u8]) -> bool {
    let fields = ["data:", "event:", "id:", "retry:", ":"];
    fields.iter().any(|field| text.starts_with(field.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::super::frame::testing::texts;
    use super::*;
    use proptest::prelude::*;

    const ALL: [Format; 4] = [Format::Array, Format::Jsonl, Format::Sse, Format::Protobuf];

    const TABLE: &[(&[u8], Option<Format>)] = &[
        (b"", None),
        (b" \n\t", None),
        (b"[", Some(Format::Array)),
        (b"\n\n  [{}]", Some(Format::Array)),
        (b"\xEF\xBB\xBF[", Some(Format::Array)),
        (b"\xEF\xBB", None),
        (b"{\"type\":", Some(Format::Jsonl)),
        (b"\xEF\xBB\xBF \r\n{", Some(Format::Jsonl)),
        (b"data: {}", Some(Format::Sse)),
        (b"data:{}", Some(Format::Sse)),
        (b"event: x", Some(Format::Sse)),
        (b"id: 1", Some(Format::Sse)),
        (b"retry: 5", Some(Format::Sse)),
        (b": hello", Some(Format::Sse)),
        (b":", Some(Format::Sse)),
        (b"\xEF\xBB\xBF\r\n\r\ndata:", Some(Format::Sse)),
        (b"dat", None),
        (b"data", None),
        (b"data {}", None),
        (b"  data: {}", None),
        (b"\0\0\0\x0A", Some(Format::Protobuf)),
        (b"\0\0\0\x0A\x12\x08", Some(Format::Protobuf)),
        (b"\0\0\0\0", Some(Format::Protobuf)),
        (b"\0\0\0[", Some(Format::Protobuf)),
        (b"\0\xA0\0\0", Some(Format::Protobuf)),
        (b"\0\xA0\0\x01", None),
        (b"\0\0\0", None),
        (b"\x01\0\0\0", None),
        (b"\n\0\0\0\x0A", None),
        (b"hello", None),
        (b"<html>", None),
        (b"1\n2\n", None),
    ];

    #[test]
    fn the_first_bytes_tell_the_format() {
        for (prefix, expected) in TABLE {
            assert_eq!(sniff(prefix), *expected, "{}", prefix.escape_ascii());
        }
    }

    #[test]
    fn a_cut_length_at_the_end_is_protobuf() {
        for prefix in [b"\0".as_slice(), b"\0\0", b"\0\0\x0A"] {
            assert_eq!(sniff_end(prefix), Some(Format::Protobuf));
        }
        for prefix in [b"".as_slice(), b"data", b"\0\xA0\0\x01", b"\x01"] {
            assert_eq!(sniff_end(prefix), None);
        }
    }

    #[test]
    fn names_are_read_back() {
        for format in ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        let aliases = ["array", "ndjson", "sse", "protobuf"];
        assert_eq!(aliases.map(str::parse), ALL.map(Ok));
        let error = "xml".parse::<Format>().expect_err("no such format");
        assert_eq!(error.to_string(), "unknown format \"xml\", expected json, jsonl, sse or proto");
    }

    #[test]
    fn the_framer_fits_the_format() {
        let streams = ["[{}]", "{}\n", "data: {}\n\n", "\0\0\0\x02{}"];
        for (format, stream) in ALL.into_iter().zip(streams) {
            assert_eq!(sniff(stream.as_bytes()), Some(format));
            let mut framer = format.framer(DEFAULT_MAX_FRAME);
            assert_eq!(texts(&mut *framer, stream.as_bytes()), ["{}"]);
        }
    }

    proptest! {
        #[test]
        fn more_bytes_never_change_an_answer(
            head in prop::sample::select(TABLE),
            tail in prop::collection::vec(any::<u8>(), 0..10),
        ) {
            let (head, known) = head;
            let answer = sniff(&[head, tail.as_slice()].concat());
            prop_assert!(known.is_none() || answer == known);
        }
    }
}
