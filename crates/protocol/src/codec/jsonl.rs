//! JSON Lines: one JSON text per line.
//!
//! The format of our log files and of test fixtures. Lines end in LF or CRLF,
//! blank lines separate nothing, and the last line need not be ended.

use super::frame::{Frame, FrameError, Framer, Input, is_space};

/// Cuts a stream into its non-blank lines.
#[derive(Debug, Default)]
pub struct JsonlDecoder {
    input: Input,
}

impl JsonlDecoder {
    /// A decoder with the [default limit](super::frame::DEFAULT_MAX_FRAME).
    pub fn new() -> Self {
        Self::default()
    }

    /// A decoder for lines of at most `max_bytes`, their ends not counted.
    pub fn with_limit(max_bytes: usize) -> Self {
        let input = Input::with_limit(max_bytes);
        Self { input }
    }

    fn scan(&mut self) -> Result<Option<Frame>, FrameError> {
        if !self.input.begin() {
            return Ok(None);
        }
        while let Some(length) = self.input.search(|bytes| memchr::memchr(b'\n', bytes)) {
            self.check_line(length)?;
            let line = self.take_line(length);
            self.input.skip(1);
            if line.is_some() {
                return Ok(line);
            }
        }
        self.check_line(self.input.len())?;
        Ok(None)
    }

    fn check_line(&self, length: usize) -> Result<(), FrameError> {
        let size = without_cr(&self.input.bytes()[..length]);
        self.input.check_size(self.input.offset(), size)
    }

    fn take_line(&mut self, length: usize) -> Option<Frame> {
        let offset = self.input.offset();
        let mut data = self.input.take(length);
        data.truncate(without_cr(&data));
        let blank = data.iter().copied().all(is_space);
        let id = None;
        (!blank).then_some(Frame { data, id, offset })
    }
}

impl Framer for JsonlDecoder {
    fn push(&mut self, bytes: &[u8]) {
        self.input.push(bytes);
    }

    fn next(&mut self) -> Result<Option<Frame>, FrameError> {
        self.input.check_failure()?;
        let found = self.scan();
        self.input.remember(found)
    }

    fn finish(&mut self) -> Result<Option<Frame>, FrameError> {
        self.input.end();
        if let Some(frame) = self.next()? {
            return Ok(Some(frame));
        }
        Ok(self.take_line(self.input.len()))
    }
}

/// The length of a line without the CR of its CRLF. A CR that ends an unfinished
/// line is taken for one too: what follows decides, and the limit must not
/// decide before it.
fn without_cr(line: &[u8]) -> usize {
    line.strip_suffix(b"\r").unwrap_or(line).len()
}

/// Appends one JSON text as one line. Line breaks of a pretty-printed text become
/// spaces: JSON allows them only where a space means the same.
pub fn encode(data: &[u8], out: &mut Vec<u8>) {
    let on_one_line = |&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte };
    out.reserve(data.len() + 1);
    match memchr::memchr2(b'\n', b'\r', data) {
        None => out.extend_from_slice(data),
        Some(_) => out.extend(data.iter().map(on_one_line)),
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::super::frame::testing::{assert_split_independent, read, texts};
    use super::*;
    use proptest::prelude::*;

    fn check(input: &str, expected: &[&str]) {
        let found = texts(&mut JsonlDecoder::new(), input.as_bytes());
        assert_eq!(found, expected, "{input:?}");
    }

    #[test]
    fn every_line_is_a_frame() {
        check("", &[]);
        check("{}\n", &["{}"]);
        check("{}\n[]\n", &["{}", "[]"]);
        check("{}\r\n[]\r\n", &["{}", "[]"]);
        check("{}\n[]", &["{}", "[]"]);
        check("{}\n[]\r", &["{}", "[]"]);
    }

    #[test]
    fn blank_lines_and_a_byte_order_mark_are_skipped() {
        check("\n\r\n \t\n{}\n\n\n[]\n \r\n ", &["{}", "[]"]);
        check("\u{FEFF}{}\n", &["{}"]);
        check("\u{FEFF}", &[]);
        check("{}\n\u{FEFF}[]\n", &["{}", "\u{FEFF}[]"]);
    }

    #[test]
    fn the_beginning_of_a_byte_order_mark_is_not_one() {
        let (frames, _) = read(&mut JsonlDecoder::new(), [b"\xEF\xBB".as_slice()]);
        assert_eq!(frames[0].data, b"\xEF\xBB".as_slice());
    }

    #[test]
    fn a_lone_carriage_return_ends_no_line() {
        check("1\r2\n", &["1\r2"]);
        check("1\r\r\n", &["1\r"]);
    }

    #[test]
    fn offsets_count_from_the_start_of_the_stream() {
        let (frames, _) = read(&mut JsonlDecoder::new(), ["\u{FEFF}1\r\n\n22\n3".as_bytes()]);
        let offsets: Vec<u64> = frames.iter().map(|frame| frame.offset).collect();
        assert_eq!(offsets, [3, 7, 10]);
    }

    #[test]
    fn the_limit_does_not_count_line_ends() {
        let decoder = || JsonlDecoder::with_limit(3);
        assert_eq!(texts(&mut decoder(), b"123\r\n123\n123\r"), ["123", "123", "123"]);
        for input in ["1\n1234\n", "1\n1234", "1\n123\r4", "1\n123\r\r"] {
            let (frames, error) = assert_split_independent(decoder, input.as_bytes(), &[]);
            assert_eq!(frames.len(), 1, "{input:?}");
            let limit = 3;
            assert_eq!(error, Some(FrameError::TooLarge { offset: 2, limit }), "{input:?}");
        }
    }

    #[test]
    fn a_line_without_end_fails_before_it_fills_the_memory() {
        let piece = [b' '; 4096];
        let mut decoder = JsonlDecoder::with_limit(1 << 20);
        let pushes = (0..1000).take_while(|_| {
            decoder.push(&piece);
            decoder.next().is_ok()
        });
        assert_eq!(pushes.count(), 256);
    }

    #[test]
    fn what_is_encoded_is_decoded() {
        let mut out = Vec::new();
        encode(b"{\"a\":1}", &mut out);
        encode(b"2", &mut out);
        encode(b"{\r\n}", &mut out);
        assert_eq!(out, b"{\"a\":1}\n2\n{  }\n");
        let decoded = texts(&mut JsonlDecoder::new(), &out);
        assert_eq!(decoded, ["{\"a\":1}", "2", "{  }"]);
    }

    proptest! {
        #[test]
        fn frames_do_not_depend_on_the_pushes(
            tokens in prop::collection::vec(prop::sample::select(vec![
                "{}", "[1]", "x", " ", "\r", "\n", "\r\n", "\u{FEFF}", "a longer text",
            ]), 0..40),
            cuts in prop::collection::vec(any::<usize>(), 0..8),
            limit in prop::sample::select(vec![4, 20, 1000]),
        ) {
            let bytes = tokens.concat().into_bytes();
            assert_split_independent(|| JsonlDecoder::with_limit(limit), &bytes, &cuts);
        }

        #[test]
        fn any_bytes_are_cut_alike(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            cuts in prop::collection::vec(any::<usize>(), 0..8),
        ) {
            assert_split_independent(JsonlDecoder::new, &bytes, &cuts);
        }
    }
}
