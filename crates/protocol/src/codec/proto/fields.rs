//! The fields of one protobuf message, by number.

use std::{borrow::Cow, cell::RefCell, iter, mem};

use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use super::ProtoError;

/// One more than the largest field number of AG-UI.
const SLOTS: usize = 16;

/// What was found under a number.
#[derive(Clone, Copy, Debug, Default)]
pub enum Slot<'a> {
    /// Nothing.
    #[default]
    Empty,
    /// A whole number.
    Varint(u64),
    /// Eight bytes: a double.
    Fixed64(u64),
    /// Bytes: a string or a message.
    Bytes(&'a [u8]),
    /// Bytes more than once: a list, or a message in pieces that belong together. To be found in the message.
    Many,
}

/// Remarks made while reading: what was dropped because it is not known.
#[derive(Debug, Default)]
pub struct Notes(RefCell<Vec<String>>);

impl Notes {
    /// Adds a remark.
    pub fn add(&self, note: String) {
        self.0.borrow_mut().push(note);
    }

    /// Whether nothing was remarked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// The remarks.
    #[must_use]
    pub fn into_inner(self) -> Vec<String> {
        self.0.into_inner()
    }
}

/// The fields of one message. Unknown numbers are skipped, as protobuf wants.
#[derive(Debug)]
pub struct Fields<'a> {
    message: &'a [u8],
    slots: [Slot<'a>; SLOTS],
    notes: &'a Notes,
}

impl<'a> Fields<'a> {
    /// Reads all fields of a message and hands them on. They are many bytes, so they stay where they are made.
    pub fn read<T>(
        message: &'a [u8],
        notes: &'a Notes,
        then: impl FnOnce(&mut Self) -> Result<T, ProtoError>,
    ) -> Result<T, ProtoError> {
        let mut fields = Self { message, slots: [Slot::Empty; SLOTS], notes };
        let mut rest = message;
        while !rest.is_empty() {
            let (number, slot) = next(&mut rest)?;
            if let Some(old) = fields.slots.get_mut(number as usize) {
                add(old, slot);
            }
        }
        then(&mut fields)
    }

    pub(crate) fn notes(&self) -> &'a Notes {
        self.notes
    }

    fn take(&mut self, number: u32) -> Slot<'a> {
        self.slots.get_mut(number as usize).map(mem::take).unwrap_or_default()
    }

    /// Whether there is anything under this number.
    pub(crate) fn has(&self, number: u32) -> bool {
        !matches!(self.slots.get(number as usize), None | Some(Slot::Empty))
    }

    pub(crate) fn varint(&mut self, number: u32) -> Result<Option<u64>, ProtoError> {
        match self.take(number) {
            Slot::Empty => Ok(None),
            Slot::Varint(value) => Ok(Some(value)),
            _ => Err(wrong_type(number)),
        }
    }

    pub(crate) fn double(&mut self, number: u32) -> Result<Option<f64>, ProtoError> {
        match self.take(number) {
            Slot::Empty => Ok(None),
            Slot::Fixed64(bits) => Ok(Some(f64::from_bits(bits))),
            _ => Err(wrong_type(number)),
        }
    }

    /// The last value given, as for a string.
    pub(crate) fn bytes(&mut self, number: u32) -> Result<Option<&'a [u8]>, ProtoError> {
        match self.take(number) {
            Slot::Empty => Ok(None),
            Slot::Bytes(bytes) => Ok(Some(bytes)),
            Slot::Many => Ok(pieces(self.message, number).last()),
            _ => Err(wrong_type(number)),
        }
    }

    /// All values given, joined: pieces of one message are merged by writing them one after the other.
    pub(crate) fn message(&mut self, number: u32) -> Result<Option<Cow<'a, [u8]>>, ProtoError> {
        match self.take(number) {
            Slot::Empty => Ok(None),
            Slot::Bytes(bytes) => Ok(Some(Cow::Borrowed(bytes))),
            Slot::Many => Ok(Some(Cow::Owned(pieces(self.message, number).collect::<Vec<_>>().concat()))),
            _ => Err(wrong_type(number)),
        }
    }

    /// All values given, in order.
    pub(crate) fn list(&mut self, number: u32) -> Result<impl Iterator<Item = &'a [u8]>, ProtoError> {
        let (one, message): (Option<&[u8]>, &[u8]) = match self.take(number) {
            Slot::Empty => (None, &[]),
            Slot::Bytes(bytes) => (Some(bytes), &[]),
            Slot::Many => (None, self.message),
            _ => return Err(wrong_type(number)),
        };
        Ok(one.into_iter().chain(pieces(message, number)))
    }
}

/// The bytes under a number, in a message that was read before.
fn pieces(message: &[u8], wanted: u32) -> impl Iterator<Item = &[u8]> {
    let mut rest = message;
    iter::from_fn(move || {
        while !rest.is_empty() {
            match next(&mut rest).ok()? {
                (number, Slot::Bytes(bytes)) if number == wanted => return Some(bytes),
                _ => {}
            }
        }
        None
    })
}

/// The event in an `ag_ui.Event`: exactly one of the arms, which may come in pieces.
pub(super) fn envelope(bytes: &[u8]) -> Result<(u32, Cow<'_, [u8]>), ProtoError> {
    let mut found: Option<(u32, Cow<'_, [u8]>)> = None;
    let mut rest = bytes;
    while !rest.is_empty() {
        let (number, slot) = next(&mut rest)?;
        let Slot::Bytes(piece) = slot else { continue };
        match &mut found {
            None => found = Some((number, Cow::Borrowed(piece))),
            Some((arm, payload)) if *arm == number => payload.to_mut().extend_from_slice(piece),
            Some(_) => return Err(ProtoError::Ambiguous("the message")),
        }
    }
    found.ok_or(ProtoError::Empty)
}

/// The next field of a message.
#[inline]
pub(super) fn next<'a>(rest: &mut &'a [u8]) -> Result<(u32, Slot<'a>), ProtoError> {
    match quick_next(rest) {
        Some((number, slot, tail)) => {
            *rest = tail;
            Ok((number, slot))
        }
        None => next_of_any(rest),
    }
}

/// The next field and what comes after it, if it is a usual one: bytes or a number, with a key of one byte.
#[inline]
fn quick_next(rest: &[u8]) -> Option<(u32, Slot<'_>, &[u8])> {
    let [key @ 0x08..0x80, tail @ ..] = rest else {
        return None;
    };
    let (value, tail) = quick_varint(tail)?;
    let number = u32::from(key >> 3);
    if key & 7 == WireType::LengthDelimited as u8 {
        let (bytes, tail) = tail.split_at_checked(usize::try_from(value).ok()?)?;
        return Some((number, Slot::Bytes(bytes), tail));
    }
    (key & 7 == WireType::Varint as u8).then_some((number, Slot::Varint(value), tail))
}

/// A number and what comes after it. One that is cut off, or so long that it may not fit, is for prost to judge.
#[inline]
fn quick_varint(rest: &[u8]) -> Option<(u64, &[u8])> {
    match rest {
        [byte @ 0..0x80, tail @ ..] => Some((u64::from(*byte), tail)),
        [low, high @ 0..0x80, tail @ ..] => Some((u64::from(low & 0x7F) | u64::from(*high) << 7, tail)),
        _ => long_varint(rest),
    }
}

fn long_varint(rest: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (at, byte) in rest.iter().take(9).enumerate() {
        value |= u64::from(byte & 0x7F) << (7 * at);
        if *byte < 0x80 {
            return Some((value, &rest[at + 1..]));
        }
    }
    None
}

fn next_of_any<'a>(rest: &mut &'a [u8]) -> Result<(u32, Slot<'a>), ProtoError> {
    let (number, wire_type) = decode_key(rest).map_err(malformed)?;
    let slot = match wire_type {
        WireType::Varint => Slot::Varint(decode_varint(rest).map_err(malformed)?),
        WireType::SixtyFourBit => Slot::Fixed64(fixed64(rest)?),
        WireType::LengthDelimited => Slot::Bytes(delimited(rest)?),
        WireType::ThirtyTwoBit | WireType::StartGroup | WireType::EndGroup => {
            skip_field(wire_type, number, rest, DecodeContext::default()).map_err(malformed)?;
            Slot::Empty
        }
    };
    Ok((number, slot))
}

fn fixed64(rest: &mut &[u8]) -> Result<u64, ProtoError> {
    let Some((head, tail)) = rest.split_first_chunk::<8>() else {
        return Err(malformed("eight bytes expected"));
    };
    *rest = tail;
    Ok(u64::from_le_bytes(*head))
}

fn delimited<'a>(rest: &mut &'a [u8]) -> Result<&'a [u8], ProtoError> {
    let length = decode_varint(rest).map_err(malformed)?;
    let Some((head, tail)) = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length))
    else {
        return Err(malformed("a field is longer than the message"));
    };
    *rest = tail;
    Ok(head)
}

fn add<'a>(old: &mut Slot<'a>, new: Slot<'a>) {
    *old = match (*old, new) {
        (kept, Slot::Empty) => kept,
        (Slot::Bytes(_) | Slot::Many, Slot::Bytes(_)) => Slot::Many,
        (_, new) => new,
    }
}

fn malformed(error: impl ToString) -> ProtoError {
    ProtoError::Malformed(error.to_string())
}

pub(super) fn wrong_type(number: u32) -> ProtoError {
    ProtoError::Malformed(format!("field {number} has another wire type"))
}

#[cfg(test)]
mod tests {
    use prost::encoding::encode_varint;

    use super::{super::put_varint, *};

    /// Whatever the quick way takes, it reads as prost does.
    fn check(bytes: &[u8], takes: bool) {
        let quick = quick_varint(bytes);
        assert_eq!(quick.is_some(), takes, "{bytes:?}");
        if let Some(quick) = quick {
            let mut rest = bytes;
            assert_eq!(decode_varint(&mut rest).map(|value| (value, rest)), Ok(quick), "{bytes:?}");
        }
    }

    #[test]
    fn numbers_are_read_and_written_as_prost_does() {
        for value in (0..64).flat_map(|shift| [1_u64 << shift, (1 << shift) - 1, u64::MAX >> shift]) {
            let (mut theirs, mut ours) = (Vec::new(), Vec::new());
            encode_varint(value, &mut theirs);
            put_varint(value, 1, &mut ours);
            assert_eq!(&ours[1..], theirs);
            check(&[&theirs[..], b"rest"].concat(), theirs.len() < 10);
            check(&theirs[..theirs.len() - 1], false);
        }
    }

    #[test]
    fn long_forms_of_small_numbers_are_read_as_prost_does() {
        for length in 0..12 {
            check(&vec![0x80; length], false);
            check(&[vec![0x80; length], vec![0]].concat(), length < 9);
        }
    }
}
