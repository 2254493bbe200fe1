//! Server-sent events: the `text/event-stream` format of the WHATWG HTML standard.
//!
//! AG-UI puts one JSON text into the data of each event. Reading follows the
//! standard's section "Interpreting an event stream", so LF, CRLF and CR all end
//! a line; writing uses LF alone, because the reference client splits events at
//! `\n\n` and nothing else.
//!
//! One deviation, which AG-UI demands: an event that the end of the stream cuts
//! off before its blank line is still delivered.

use bytes::{Bytes, BytesMut};

use super::frame::{Frame, FrameError, Framer, Input};

/// Cuts an event stream into the data of its events.
///
/// Each frame carries the last id that the stream has set, in this event or an
/// earlier one, until an empty `id` takes it back. Its offset is that of the
/// event's first field. `event`, `retry`, unknown fields and comments are
/// ignored. An event whose only data is an empty `data` line is a frame without
/// bytes, as in the standard.
#[derive(Debug, Default)]
pub struct SseDecoder {
    input: Input,
    /// The last line ended in CR: an LF that comes next belongs to that line end.
    after_cr: bool,
    /// Where the event being read began.
    began: Option<u64>,
    data: Data,
    last_id: Option<String>,
}

/// The data lines of the event being read. Nearly every event has a single one,
/// which then is a slice of what was received.
#[derive(Debug, Default)]
enum Data {
    #[default]
    None,
    Line(Bytes),
    Lines(BytesMut),
}

impl Data {
    fn len(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Line(line) => line.len(),
            Self::Lines(lines) => lines.len(),
        }
    }

    fn push(&mut self, line: Bytes) {
        let mut lines = match std::mem::take(self) {
            Self::None => return *self = Self::Line(line),
            Self::Line(first) => BytesMut::from(first),
            Self::Lines(lines) => lines,
        };
        lines.extend_from_slice(b"\n");
        lines.extend_from_slice(&line);
        *self = Self::Lines(lines);
    }

    fn take(&mut self) -> Option<Bytes> {
        match std::mem::take(self) {
            Self::None => None,
            Self::Line(line) => Some(line),
            Self::Lines(lines) => Some(lines.freeze()),
        }
    }
}

impl SseDecoder {
    /// A decoder with the [default limit](super::frame::DEFAULT_MAX_FRAME).
    pub fn new() -> Self {
        Self::default()
    }

    /// A decoder that holds at most `max_bytes` of one event: the data so far,
    /// and the line being read with its field name.
    pub fn with_limit(max_bytes: usize) -> Self {
        let input = Input::with_limit(max_bytes);
        Self { input, ..Self::default() }
    }

    fn scan(&mut self) -> Result<Option<Frame>, FrameError> {
        if !self.input.begin() {
            return Ok(None);
        }
        while let Some(length) = self.line_end() {
            self.check_line(length)?;
            self.read_line(length);
            self.skip_line_end();
            if length == 0
                && let Some(frame) = self.dispatch()
            {
                return Ok(Some(frame));
            }
        }
        self.check_line(self.input.len())?;
        Ok(None)
    }

    fn line_end(&mut self) -> Option<usize> {
        if self.after_cr {
            let &byte = self.input.bytes().first()?;
            self.input.skip(usize::from(byte == b'\n'));
            self.after_cr = false;
        }
        self.input.search(find_line_break)
    }

    fn skip_line_end(&mut self) {
        self.after_cr = self.input.bytes().first() == Some(&b'\r');
        self.input.skip(1);
    }

    fn check_line(&self, length: usize) -> Result<(), FrameError> {
        let offset = self.began.unwrap_or(self.input.offset());
        self.input.check_size(offset, self.data.len() + length)
    }

    fn read_line(&mut self, length: usize) {
        let field = Field::of(&self.input.bytes()[..length]);
        if field.name != Name::None {
            self.began.get_or_insert(self.input.offset());
        }
        match field.name {
            Name::Data => {
                self.input.skip(field.value);
                let line = self.input.take(length - field.value);
                self.data.push(line);
            }
            Name::Id => {
                let line = self.input.take(length);
                self.read_id(&line[field.value..]);
            }
            Name::Other | Name::None => self.input.skip(length),
        }
    }

    fn read_id(&mut self, id: &[u8]) {
        if id.contains(&0) {
            return;
        }
        // The standard decodes the stream as UTF-8 with replacement characters,
        // and does not tell an empty id from one never set.
        let id = String::from_utf8_lossy(id).into_owned();
        self.last_id = (!id.is_empty()).then_some(id);
    }

    fn dispatch(&mut self) -> Option<Frame> {
        let offset = self.began.take()?;
        let data = self.data.take()?;
        let id = self.last_id.clone();
        Some(Frame { data, id, offset })
    }

    /// Reads the line that the end of the stream cut off. Only data is believed:
    /// half an id would name another event.
    fn read_rest(&mut self) {
        let rest = self.input.len();
        match Field::of(self.input.bytes()).name {
            Name::Data => self.read_line(rest),
            _ => self.input.skip(rest),
        }
    }
}

impl Framer for SseDecoder {
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
        self.read_rest();
        Ok(self.dispatch())
    }
}

/// What a line says: the name before the colon, and where its value begins.
struct Field {
    name: Name,
    value: usize,
}

#[derive(PartialEq)]
enum Name {
    Data,
    Id,
    Other,
    /// A comment or a blank line.
    None,
}

impl Field {
    fn of(line: &[u8]) -> Self {
        let colon = memchr::memchr(b':', line).unwrap_or(line.len());
        let name = match &line[..colon] {
            b"data" => Name::Data,
            b"id" => Name::Id,
            b"" => Name::None,
            _ => Name::Other,
        };
        let value = match &line[colon..] {
            [b':', b' ', ..] => colon + 2,
            [b':', ..] => colon + 1,
            _ => colon,
        };
        Self { name, value }
    }
}

fn find_line_break(bytes: &[u8]) -> Option<usize> {
    memchr::memchr2(b'\n', b'\r', bytes)
}

/// Appends one event. Line breaks in `data` (LF, CRLF or CR) divide it into
/// several `data` lines, which a reader joins with LF.
///
/// An id with a line break or NUL is left out, for it cannot be written; such an
/// event keeps the id of the one before it.
pub fn encode(data: &[u8], id: Option<&str>, out: &mut Vec<u8>) {
    out.reserve(line_frame_len(data, id));
    write_id(id, out);
    write_lines(DATA, data, out);
    out.push(b'\n');
}

/// One event as bytes of its own; see [`encode`].
pub fn frame(data: &[u8], id: Option<&str>) -> Bytes {
    let mut out = Vec::with_capacity(line_frame_len(data, id));
    encode(data, id, &mut out);
    out.into()
}

/// The same for data that is known to stand on one line.
pub(super) fn frame_of_line(line: &[u8], id: Option<&str>) -> Bytes {
    let mut out = Vec::with_capacity(line_frame_len(line, id));
    write_id(id, &mut out);
    out.extend_from_slice(DATA);
    out.extend_from_slice(line);
    out.extend_from_slice(b"\n\n");
    out.into()
}

const DATA: &[u8] = b"data: ";

/// The size of a frame, exact for data on one line: it becomes shareable without moving.
fn line_frame_len(line: &[u8], id: Option<&str>) -> usize {
    id.map_or(0, |id| id.len() + "id: \n".len()) + DATA.len() + line.len() + "\n\n".len()
}

fn write_id(id: Option<&str>, out: &mut Vec<u8>) {
    if let Some(id) = id.filter(|id| !id.contains(['\n', '\r', '\0'])) {
        write_line(b"id: ", id.as_bytes(), out);
    }
}

/// A comment, which readers ignore: something to send while there is nothing to
/// say, so that proxies keep the connection open.
pub fn comment(text: &str) -> Bytes {
    let mut out = Vec::with_capacity(text.len() + 4);
    write_lines(b": ", text.as_bytes(), &mut out);
    // The reference client reads up to a blank line; without one the comment
    // would wait in its buffer for the next event.
    out.push(b'\n');
    out.into()
}

fn write_lines(prefix: &[u8], mut text: &[u8], out: &mut Vec<u8>) {
    while let Some(at) = find_line_break(text) {
        write_line(prefix, &text[..at], out);
        let crlf = text[at..].starts_with(b"\r\n");
        text = &text[at + 1 + usize::from(crlf)..];
    }
    write_line(prefix, text, out);
}

fn write_line(prefix: &[u8], line: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(prefix);
    out.extend_from_slice(line);
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::super::frame::testing::{assert_split_independent, read, texts};
    use super::*;
    use proptest::prelude::*;

    fn check(input: &str, expected: &[&str]) {
        let found = texts(&mut SseDecoder::new(), input.as_bytes());
        assert_eq!(found, expected, "{input:?}");
    }

    fn check_ids(input: &str, expected: &[Option<&str>]) {
        let (frames, _) = assert_split_independent(SseDecoder::new, input.as_bytes(), &[]);
        let ids: Vec<_> = frames.iter().map(|frame| frame.id.as_deref()).collect();
        assert_eq!(ids, expected, "{input:?}");
    }

    #[test]
    fn a_blank_line_dispatches_whatever_ends_the_lines() {
        check("data: 1\n\ndata: 2\n\n", &["1", "2"]);
        check("data: 1\r\n\r\ndata: 2\r\n\r\n", &["1", "2"]);
        check("data: 1\r\rdata: 2\r\r", &["1", "2"]);
        check("data: 1\n\r\ndata: 2\r\n\n", &["1", "2"]);
        check("data: 1\n\rdata: 2\r\r\n", &["1", "2"]);
    }

    #[test]
    fn data_lines_are_joined() {
        check("data: a\ndata: b\n\n", &["a\nb"]);
        check("data: a\ndata\ndata:\ndata: b\n\n", &["a\n\n\nb"]);
        check("data: a\n: note\nid: 1\ndata: b\n\n", &["a\nb"]);
    }

    #[test]
    fn one_space_after_the_colon_is_optional() {
        check("data:a\n\ndata: a\n\ndata:  a\n\ndata:\ta\n\n", &["a", "a", " a", "\ta"]);
        check("data: a:b\n\n", &["a:b"]);
    }

    #[test]
    fn only_events_with_data_are_dispatched() {
        check("", &[]);
        check("\n\n\n", &[]);
        check("event: x\n\nid: 1\n\nretry: 5\n\n", &[]);
        check("data\n\ndata:\n\ndata: \n\n", &["", "", ""]);
    }

    #[test]
    fn other_fields_and_comments_are_ignored() {
        check(":\n: hi\nevent: x\nretry: 5\nfoo: 1\nfoo\ndata: 1\n\n", &["1"]);
        check("Data: 1\n\n data: 2\n\ndata : 3\n\ndatas: 4\n\n", &[]);
    }

    #[test]
    fn a_byte_order_mark_is_dropped_at_the_start_alone() {
        check("\u{FEFF}data: 1\n\n", &["1"]);
        check("\u{FEFF}\u{FEFF}data: 1\n\n", &[]);
        check("data: 1\n\n\u{FEFF}data: 2\n\n", &["1"]);
    }

    #[test]
    fn the_end_of_the_stream_delivers_the_last_event() {
        for end in ["", "\n", "\r", "\r\n"] {
            check(&format!("data: 1\n\ndata: 2{end}"), &["1", "2"]);
        }
        check("data: 1\nda", &["1"]);
        check("data: 1\ndata", &["1\n"]);
        check("id: 1", &[]);
    }

    #[test]
    fn an_id_holds_until_the_next() {
        check_ids("data: a\n\nid: 1\ndata: b\n\n", &[None, Some("1")]);
        check_ids("id: 1\ndata: a\n\ndata: b\n\n", &[Some("1"), Some("1")]);
        check_ids("id: 1\ndata: a\n\ndata: b\nid: 2\n\n", &[Some("1"), Some("2")]);
        check_ids("id: 7\n\ndata: a\n\n", &[Some("7")]);
        check_ids("id: 7\ndata: a\n\nid\ndata: b\n\n", &[Some("7"), None]);
    }

    #[test]
    fn an_id_with_nul_is_ignored() {
        check_ids("id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n", &[Some("1"), Some("1")]);
    }

    #[test]
    fn an_id_that_is_cut_off_is_not_believed() {
        check_ids("data: a\nid: 12", &[None]);
        check_ids("data: a\nid: 12\n", &[Some("12")]);
    }

    #[test]
    fn bytes_that_are_not_utf8_pass_through() {
        let bytes = b"id: \xFF\ndata: \xFF\xFE\n\n".as_slice();
        let (frames, _) = read(&mut SseDecoder::new(), [bytes]);
        assert_eq!(frames[0].data, b"\xFF\xFE".as_slice());
        assert_eq!(frames[0].id.as_deref(), Some("\u{FFFD}"));
    }

    #[test]
    fn an_event_ending_in_cr_does_not_wait_for_the_next_byte() {
        let mut decoder = SseDecoder::new();
        decoder.push(b"data: 1\r\n\r");
        assert!(matches!(decoder.next(), Ok(Some(_))));
        decoder.push(b"\ndata: 2\n\r");
        assert!(matches!(decoder.next(), Ok(Some(frame)) if frame.offset == 11));
    }

    #[test]
    fn offsets_point_at_the_first_field() {
        let input = "\u{FEFF}: hi\n\nid: 1\ndata: a\n\n\ndata: b\r\n\r\ndata: c";
        let (frames, _) = read(&mut SseDecoder::new(), [input.as_bytes()]);
        let offsets: Vec<u64> = frames.iter().map(|frame| frame.offset).collect();
        assert_eq!(offsets, [9, 25, 36]);
    }

    #[test]
    fn one_event_is_limited_and_the_stream_is_not() {
        let decoder = || SseDecoder::with_limit(16);
        let fits = "data: 1234567890\n\n: comment\n\n".repeat(100);
        assert_eq!(texts(&mut decoder(), fits.as_bytes()).len(), 100);
        for event in [
            "data: 12345678901\n\n",
            "data: 12345678901",
            "data: 123\ndata: 456\ndata: 7890\n\n",
            ": a comment that goes on",
        ] {
            let input = format!("data: 1\n\n{event}");
            let (frames, error) = assert_split_independent(decoder, input.as_bytes(), &[]);
            let limit = 16;
            assert_eq!(frames.len(), 1, "{event:?}");
            assert_eq!(error, Some(FrameError::TooLarge { offset: 9, limit }), "{event:?}");
        }
    }

    #[test]
    fn a_huge_event_in_tiny_pushes_takes_linear_time() {
        let text = "x".repeat(4 << 20);
        let mut decoder = SseDecoder::new();
        decoder.push(b"data: ");
        for piece in text.as_bytes().chunks(64) {
            decoder.push(piece);
            assert_eq!(decoder.next(), Ok(None));
        }
        let last = decoder.finish();
        assert!(matches!(last, Ok(Some(frame)) if frame.data == text));
    }

    #[test]
    fn an_event_is_written_with_line_feeds() {
        assert_eq!(frame(b"{}", None), "data: {}\n\n");
        assert_eq!(frame(b"{}", Some("7")), "id: 7\ndata: {}\n\n");
        assert_eq!(frame(b"a\nb\r\nc\rd", None), "data: a\ndata: b\ndata: c\ndata: d\n\n");
        assert_eq!(frame(b"", None), "data: \n\n");
    }

    #[test]
    fn an_id_that_cannot_be_written_is_left_out() {
        for id in ["1\ndata: evil", "1\r", "\0"] {
            assert_eq!(frame(b"{}", Some(id)), "data: {}\n\n");
        }
    }

    #[test]
    fn a_comment_is_no_event() {
        assert_eq!(comment("keep-alive"), ": keep-alive\n\n");
        assert_eq!(comment("a\ndata: evil"), ": a\n: data: evil\n\n");
        check(&String::from_utf8_lossy(&comment("a\r\rdata: b")), &[]);
    }

    fn stream() -> impl Strategy<Value = Vec<u8>> {
        let token = prop::sample::select(vec![
            "data",
            "data:",
            "data: ",
            "id: ",
            "id",
            "event: ",
            ": ",
            ":",
            " ",
            "{\"a\":1}",
            "7",
            "\0",
            "\n",
            "\n",
            "\r",
            "\r\n",
            "\n\n",
            "\u{FEFF}",
            "é",
        ]);
        prop::collection::vec(token, 0..60).prop_map(|tokens| tokens.concat().into_bytes())
    }

    /// The standard's rules over whole lines of a whole text.
    fn plain_reading(text: &str) -> Vec<(String, Option<String>)> {
        let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let (mut events, mut data, mut last_id) = (Vec::new(), String::new(), String::new());
        for line in text.split('\n') {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match name {
                "data" => data.extend([value, "\n"]),
                "id" if !value.contains('\0') => last_id = value.to_owned(),
                "" if line.is_empty() && !data.is_empty() => {
                    data.pop();
                    let id = (!last_id.is_empty()).then(|| last_id.clone());
                    events.push((std::mem::take(&mut data), id));
                }
                _ => {}
            }
        }
        events
    }

    proptest! {
        #[test]
        fn a_plain_reading_of_the_standard_agrees(bytes in stream()) {
            let text = String::from_utf8_lossy(&bytes).into_owned() + "\n\n";
            let (frames, _) = read(&mut SseDecoder::new(), text.as_bytes().chunks(3));
            let found: Vec<_> = frames
                .into_iter()
                .map(|frame| (String::from_utf8_lossy(&frame.data).into_owned(), frame.id))
                .collect();
            prop_assert_eq!(found, plain_reading(&text));
        }

        #[test]
        fn frames_do_not_depend_on_the_pushes(
            bytes in stream(),
            cuts in prop::collection::vec(any::<usize>(), 0..8),
            limit in prop::sample::select(vec![12, 40, 1000]),
        ) {
            assert_split_independent(|| SseDecoder::with_limit(limit), &bytes, &cuts);
        }

        #[test]
        fn any_bytes_are_cut_alike(
            bytes in prop::collection::vec(any::<u8>(), 0..200),
            cuts in prop::collection::vec(any::<usize>(), 0..8),
        ) {
            assert_split_independent(SseDecoder::new, &bytes, &cuts);
        }

        #[test]
        fn what_is_encoded_is_decoded(
            events in prop::collection::vec(("[a-z \r\n:{}\"]{0,40}", "[0-9a-z ]{1,5}"), 0..8),
        ) {
            let mut bytes = Vec::new();
            for (data, id) in &events {
                encode(data.as_bytes(), Some(id), &mut bytes);
                bytes.extend_from_slice(&comment("still here"));
            }
            let (frames, error) = read(&mut SseDecoder::new(), [bytes.as_slice()]);
            prop_assert_eq!(error, None);
            let decoded: Vec<_> = frames
                .into_iter()
                .map(|frame| (String::from_utf8_lossy(&frame.data).into_owned(), frame.id.unwrap_or_default()))
                .collect();
            let unix = |data: &str| data.replace("\r\n", "\n").replace('\r', "\n");
            let expected: Vec<_> = events.iter().map(|(data, id)| (unix(data), id.clone())).collect();
            prop_assert_eq!(decoded, expected);
        }
    }
}
