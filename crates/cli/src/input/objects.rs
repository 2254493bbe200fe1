//! JSON objects one after the other, over as many lines as they like: a single event, or what `jq` prints.

use forestage_protocol::codec::{Frame, FrameError, Framer, array::ArrayDecoder};

/// Cuts a stream into objects, by putting a bracket and commas around them where an array has them.
#[derive(Debug)]
pub(crate) struct ObjectsDecoder {
    array: ArrayDecoder,
    depth: usize,
    string: Option<Escape>,
    begun: bool,
    follows: bool,
    closed: bool,
}

/// Whether the next byte of a string stands behind a backslash.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Escape {
    No,
    Yes,
}

impl ObjectsDecoder {
    /// A decoder of objects up to so many bytes.
    pub(crate) fn with_limit(limit: usize) -> Self {
        let array = ArrayDecoder::with_limit(limit);
        Self { array, depth: 0, string: None, begun: false, follows: false, closed: false }
    }

    /// Hands a byte on. Between two objects goes a comma.
    fn push_byte(&mut self, byte: u8, out: &mut Vec<u8>) {
        if self.depth == 0 && self.follows && !byte.is_ascii_whitespace() {
            out.push(b',');
            self.follows = false;
        }
        self.step(byte);
        out.push(byte);
    }

    fn step(&mut self, byte: u8) {
        match (self.string, byte) {
            (Some(Escape::Yes), _) => self.string = Some(Escape::No),
            (Some(Escape::No), b'\\') => self.string = Some(Escape::Yes),
            (Some(Escape::No), b'"') => self.string = None,
            (Some(Escape::No), _) => {}
            (None, b'"') => self.string = Some(Escape::No),
            (None, b'{' | b'[') => self.depth += 1,
            (None, b'}' | b']') => {
                self.depth = self.depth.saturating_sub(1);
                self.follows = self.depth == 0;
            }
            (None, _) => {}
        }
    }
}

impl Framer for ObjectsDecoder {
    fn push(&mut self, bytes: &[u8]) {
        let mut out = Vec::with_capacity(bytes.len() + 16);
        let mut bytes = bytes;
        if !self.begun {
            self.begun = true;
            bytes = super::without_mark(bytes);
            out.push(b'[');
        }
        for &byte in bytes {
            self.push_byte(byte, &mut out);
        }
        self.array.push(&out);
    }

    fn next(&mut self) -> Result<Option<Frame>, FrameError> {
        self.array.next()
    }

    fn finish(&mut self) -> Result<Option<Frame>, FrameError> {
        if let Some(frame) = self.array.next()? {
            return Ok(Some(frame));
        }
        // An object that is still open stays open, and the array says that it was cut off.
        if self.depth == 0 && !self.closed {
            self.closed = true;
            self.array.push(b"]");
        }
        self.array.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(text: &str) -> Result<Vec<String>, FrameError> {
        let mut decoder = ObjectsDecoder::with_limit(1 << 20);
        let mut frames = Vec::new();
        for byte in text.as_bytes().chunks(1) {
            decoder.push(byte);
            while let Some(frame) = decoder.next()? {
                frames.push(String::from_utf8_lossy(&frame.data).into_owned());
            }
        }
        while let Some(frame) = decoder.finish()? {
            frames.push(String::from_utf8_lossy(&frame.data).into_owned());
        }
        Ok(frames)
    }

    #[test]
    fn objects_are_cut_wherever_they_end() {
        assert_eq!(frames("{}").unwrap(), ["{}"]);
        assert_eq!(frames("{\n\"a\":\"}\\\"{\"\n}\n{\"b\":[{}]}{}\n").unwrap().len(), 3);
        assert_eq!(frames(" \n").unwrap(), [""; 0]);
    }

    #[test]
    fn an_object_that_is_cut_off_is_a_truncated_stream() {
        let error = frames("{}\n{\"a\":").expect_err("cut off");
        assert_eq!(error.code(), "stream_truncated");
    }
}
