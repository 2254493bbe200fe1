//! JSON Lines. Any bytes, cut anywhere: the same frames and the same error as in one push, and the frames are
//! the non-blank lines. What was encoded is decoded.

#![no_main]

use forestage_fuzz::framing::{Input, payloads, read, without_mark};
use forestage_protocol::codec::jsonl::{JsonlDecoder, encode};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some(input) = Input::read(data) else { return };
    let found = payloads(input.check(JsonlDecoder::new, JsonlDecoder::with_limit));
    let bytes = without_mark(input.bytes);
    let lines = bytes.split(|&byte| byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    assert!(lines.filter(|line| !is_blank(line)).eq(&found), "the non-blank lines");
    come_back(bytes);
});

/// Encodes what stands between bytes that no JSON has, and reads it again.
fn come_back(bytes: &[u8]) {
    let texts = || bytes.split(|&byte| byte == 0xFF).filter(|text| !is_blank(text));
    // No JSON text begins with a mark; a stream that does has it skipped.
    if texts().any(|text| text.starts_with(b"\xEF\xBB\xBF")) {
        return;
    }
    let mut stream = Vec::new();
    texts().for_each(|text| encode(text, &mut stream));
    let on_one_line = |text: &[u8]| -> Vec<u8> {
        text.iter().map(|&byte| if matches!(byte, b'\n' | b'\r') { b' ' } else { byte }).collect()
    };
    let found = payloads(read(&mut JsonlDecoder::new(), [stream.as_slice()]));
    assert!(texts().map(on_one_line).eq(found), "what was encoded is decoded");
}

fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| b" \t\n\r".contains(byte))
}
