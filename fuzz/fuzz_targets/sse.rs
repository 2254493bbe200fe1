//! Server-sent events. Any bytes, cut anywhere: the same frames and the same error as in one push, and the
//! frames of the standard's own algorithm. What was encoded is decoded.

#![no_main]

use forestage_fuzz::framing::{Input, read, without_mark};
use forestage_protocol::codec::{
    Frame,
    sse::{SseDecoder, comment, encode},
};
use libfuzzer_sys::fuzz_target;

/// What an event says: its data, and the last id set.
type Said = (Vec<u8>, Option<String>);

fuzz_target!(|data: &[u8]| {
    let Some(input) = Input::read(data) else { return };
    let (frames, error) = input.check(SseDecoder::new, SseDecoder::with_limit);
    assert_eq!(error, None, "any bytes are an event stream");
    let bytes = without_mark(input.bytes);
    assert_eq!(said(frames), standard(bytes));
    come_back(bytes);
});

fn said(frames: Vec<Frame>) -> Vec<Said> {
    frames.into_iter().map(|frame| (frame.data.to_vec(), frame.id)).collect()
}

/// "Interpreting an event stream", WHATWG HTML 9.2.6, and the event that the end cut off.
fn standard(bytes: &[u8]) -> Vec<Said> {
    let (mut events, mut data, mut last_id) = (Vec::new(), None, None);
    let mut lines = lines(bytes);
    // What follows the last line end is half a line: only data of it is believed.
    let rest = lines.pop().unwrap_or_default();
    for line in lines {
        match field(&line) {
            _ if line.is_empty() => events.extend(data.take().map(|data| (data, last_id.clone()))),
            ("data", value) => add_line(&mut data, value),
            ("id", value) if !value.contains(&0) => {
                last_id = Some(String::from_utf8_lossy(value).into_owned()).filter(|id| !id.is_empty());
            }
            _ => {}
        }
    }
    if let ("data", value) = field(&rest) {
        add_line(&mut data, value);
    }
    events.extend(data.map(|data| (data, last_id)));
    events
}

fn add_line(data: &mut Option<Vec<u8>>, value: &[u8]) {
    *data = Some(match data.take() {
        Some(lines) => [lines.as_slice(), value].join(&b'\n'),
        None => value.to_vec(),
    });
}

fn field(line: &[u8]) -> (&str, &[u8]) {
    let colon = line.iter().position(|&byte| byte == b':').unwrap_or(line.len());
    let (name, value) = line.split_at(colon);
    let value = value.strip_prefix(b":").unwrap_or(value);
    (str::from_utf8(name).unwrap_or("?"), value.strip_prefix(b" ").unwrap_or(value))
}

/// The lines, LF, CRLF or CR between them.
fn lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = vec![Vec::new()];
    let mut last = None;
    for &byte in bytes {
        match byte {
            b'\n' if last == Some(b'\r') => {}
            b'\n' | b'\r' => lines.push(Vec::new()),
            _ => lines.last_mut().expect("there is always a line").push(byte),
        }
        last = Some(byte);
    }
    lines
}

/// Encodes what stands between 0xFF as `id 0xFE data`, a comment after each, and reads it again.
fn come_back(bytes: &[u8]) {
    let (mut stream, mut expected, mut last_id) = (Vec::new(), Vec::new(), None);
    for event in bytes.split(|&byte| byte == 0xFF) {
        let (id, data) = match event.iter().position(|&byte| byte == 0xFE) {
            Some(at) => (str::from_utf8(&event[..at]).ok(), &event[at + 1..]),
            None => (None, event),
        };
        encode(data, id, &mut stream);
        stream.extend_from_slice(&comment(&String::from_utf8_lossy(data)));
        if let Some(id) = id.filter(|id| !id.contains(['\n', '\r', '\0'])) {
            last_id = Some(id.to_owned()).filter(|id| !id.is_empty());
        }
        expected.push((lines(data).join(&b'\n'), last_id.clone()));
    }
    let (frames, error) = read(&mut SseDecoder::new(), [stream.as_slice()]);
    assert_eq!(error, None);
    assert_eq!(said(frames), expected, "what was encoded is decoded");
}
