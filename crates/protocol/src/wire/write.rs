//! JSON written by hand: what serde_json would write, in less time.
//!
//! Nearly all bytes of a stream are ids and pieces of text that need no escape, between keys that are known when
//! the program is compiled. So keys are copied as ready-made literals, and text is searched for something to
//! escape a block at a time instead of byte by byte.

use serde_json::{Map, Value};

/// Appends a JSON string.
#[inline]
pub(crate) fn text(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len() + 2);
    out.push(b'"');
    match find_special(bytes) {
        None => out.extend_from_slice(bytes),
        Some(at) => escaped(bytes, at, out),
    }
    out.push(b'"');
}

/// Appends text whose first special byte is at `at`.
#[cold]
fn escaped(mut rest: &[u8], mut at: usize, out: &mut Vec<u8>) {
    loop {
        out.extend_from_slice(&rest[..at]);
        escape(rest[at], out);
        rest = &rest[at + 1..];
        match find_special(rest) {
            Some(next) => at = next,
            None => return out.extend_from_slice(rest),
        }
    }
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// The index of the first byte that cannot stand in a JSON string as it is.
#[inline(always)]
pub(super) fn find_special(bytes: &[u8]) -> Option<usize> {
    const WORD: usize = 8;
    let (words, rest) = bytes.as_chunks::<WORD>();
    for (index, word) in words.iter().enumerate() {
        let found = specials(u64::from_le_bytes(*word));
        if found != 0 {
            return Some(index * WORD + found.trailing_zeros() as usize / 8);
        }
    }
    let Some(last) = bytes.last_chunk::<WORD>() else {
        return rest.iter().position(|&byte| is_special(byte));
    };
    // The rest has no word of its own, but the last eight bytes have, and their first ones are clear.
    let found = specials(u64::from_le_bytes(*last));
    (found != 0).then(|| bytes.len() - WORD + found.trailing_zeros() as usize / 8)
}

/// The top bit of every special byte of eight; bits above the lowest one may be wrong.
///
/// A subtraction sets the top bit of a byte that is too small for it. It also leaves the top bit of large
/// bytes, which are parts of characters beyond ASCII and never special.
fn specials(word: u64) -> u64 {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const TOPS: u64 = u64::from_ne_bytes([0x80; 8]);
    let control = word.wrapping_sub(ONES * 0x20);
    let quote = (word ^ (ONES * b'"' as u64)).wrapping_sub(ONES);
    let backslash = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    (control | quote | backslash) & !word & TOPS
}

fn escape(byte: u8, out: &mut Vec<u8>) {
    let short = match byte {
        b'"' | b'\\' => byte,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        0x08 => b'b',
        0x0C => b'f',
        _ => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            let digit = |value: u8| DIGITS[usize::from(value & 0xF)];
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte)]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}

/// Appends any JSON.
pub(crate) fn value(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::String(string) => text(string, out),
        Value::Array(items) => list(items, out, self::value),
        Value::Object(map) => object(map, out),
        Value::Null | Value::Bool(_) | Value::Number(_) => with_serde(value, out),
    }
}

/// Appends an object.
pub(crate) fn object(map: &Map<String, Value>, out: &mut Vec<u8>) {
    let mut before = b'{';
    for (key, member) in map {
        out.push(before);
        text(key, out);
        out.push(b':');
        value(member, out);
        before = b',';
    }
    out.extend_from_slice(if map.is_empty() { b"{}" } else { b"}" });
}

/// Appends a list, each item written by `write`.
pub(crate) fn list<T>(items: &[T], out: &mut Vec<u8>, write: impl Fn(&T, &mut Vec<u8>)) {
    let mut before = b'[';
    for item in items {
        out.push(before);
        write(item, out);
        before = b',';
    }
    out.extend_from_slice(if items.is_empty() { b"[]" } else { b"]" });
}

/// Appends whatever serde can write.
pub(crate) fn with_serde<T: serde::Serialize>(value: &T, out: &mut Vec<u8>) {
    serde_json::to_writer(out, value).expect("wire types hold nothing that JSON cannot, and a Vec takes all");
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(input: &str) {
        let mut out = Vec::new();
        text(input, &mut out);
        let expected = serde_json::to_string(input).expect("a string is JSON");
        assert_eq!(String::from_utf8_lossy(&out), expected);
    }

    #[test]
    fn every_byte_is_escaped_as_serde_does() {
        for character in '\0'..='\u{180}' {
            for length in 0..20 {
                check(&format!("{}{character}{}", "a".repeat(length), "é".repeat(length)));
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_written_as_serde_does(input in ".*") {
            check(&input);
        }
    }
}
