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
    if is_plain(bytes) {
        out.extend_from_slice(bytes);
    } else {
        escaped(bytes, out);
    }
    out.push(b'"');
}

/// Appends text that has something to escape.
#[cold]
fn escaped(mut rest: &[u8], out: &mut Vec<u8>) {
    while let Some(at) = find_special(rest) {
        out.extend_from_slice(&rest[..at]);
        escape(rest[at], out);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
}

/// Whether nothing has to be escaped. Blocks may overlap, so that none is cut short.
#[inline(always)]
fn is_plain(bytes: &[u8]) -> bool {
    const BLOCK: usize = 16;
    let Some(last) = bytes.last_chunk::<BLOCK>() else {
        return is_plain_and_short(bytes);
    };
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    blocks.iter().all(is_plain_block) && is_plain_block(last)
}

/// Looks at all bytes without a branch, which the compiler turns into vector instructions.
#[inline(always)]
fn is_plain_block<const SIZE: usize>(block: &[u8; SIZE]) -> bool {
    !block.iter().fold(false, |found, &byte| found | (byte < 0x20) | (byte == b'"') | (byte == b'\\'))
}

#[inline(always)]
fn is_plain_and_short(bytes: &[u8]) -> bool {
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            (specials(u64::from_le_bytes(*first)) | specials(u64::from_le_bytes(*last))) == 0
        }
        _ => !bytes.iter().any(|&byte| is_special(byte)),
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

/// Appends a whole number.
pub(crate) fn integer(number: i64, out: &mut Vec<u8>) {
    const HALF: u64 = 100_000_000;
    let size = number.unsigned_abs();
    if size >= HALF * HALF {
        return with_serde(&number, out);
    }
    let digits = (u128::from(eight_digits(size % HALF)) << 64) | u128::from(eight_digits(size / HALF));
    // All sixteen are there, the first in the lowest byte; zeros in front are left out, but for a last one.
    let zeros = (digits.trailing_zeros() as usize / 8).min(15);
    if number < 0 {
        out.push(b'-');
    }
    let ascii = digits | u128::from_ne_bytes([b'0'; 16]);
    out.extend_from_slice(&ascii.to_le_bytes()[zeros..]);
}

/// A number of at most eight digits, one digit in each byte, the first in the lowest. Halves, then quarters, then
/// digits are split side by side; dividing by 100 and by 10 is multiplying and shifting, exact for so few digits.
fn eight_digits(number: u64) -> u64 {
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007F_0000_007F;
    let pairs = hundreds | ((fours - 100 * hundreds) << 16);
    let tens = ((pairs * 103) >> 10) & 0x000F_000F_000F_000F;
    tens | ((pairs - 10 * tens) << 8)
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

    #[test]
    fn whole_numbers_are_written_as_serde_does() {
        let mut numbers = vec![0, 1, -1, i64::MAX, i64::MIN, 1_794_000_000_000];
        let tens = (0..19).map(|exponent| 10_i64.pow(exponent));
        numbers.extend(tens.flat_map(|ten| [ten - 1, ten, ten + 1, ten * 9, -ten]));
        numbers.extend(0..10_000);
        numbers.iter().for_each(|&number| check_integer(number));
    }

    fn check_integer(number: i64) {
        let mut out = Vec::new();
        integer(number, &mut out);
        assert_eq!(String::from_utf8_lossy(&out), number.to_string());
    }

    proptest! {
        #[test]
        fn any_whole_number_is_written_as_serde_does(number: i64, shift in 0..64) {
            check_integer(number >> shift);
        }

        #[test]
        fn any_text_is_written_as_serde_does(input in ".*") {
            check(&input);
        }
    }
}
