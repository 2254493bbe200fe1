//! The fields of one protobuf message, by number.

use std::{borrow::Cow, cell::RefCell, mem};

use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, skip_field};

use super::ProtoError;

/// One more than the largest field number of AG-UI.
const SLOTS: usize = 16;

/// What was found under a number.
#[derive(Debug, Default)]
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
    /// Bytes more than once: a list, or a message in pieces that belong together.
    Many(Vec<&'a [u8]>),
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
    slots: [Slot<'a>; SLOTS],
    notes: &'a Notes,
}

impl<'a> Fields<'a> {
    /// Reads all fields of a message.
    pub fn read(bytes: &'a [u8], notes: &'a Notes) -> Result<Self, ProtoError> {
        let mut fields = Self { slots: Default::default(), notes };
        let mut rest = bytes;
        while !rest.is_empty() {
            let (number, slot) = next(&mut rest)?;
            if let Some(old) = fields.slots.get_mut(number as usize) {
                add(old, slot);
            }
        }
        Ok(fields)
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
        Ok(self.list(number)?.pop())
    }

    /// All values given, joined: pieces of one message are merged by writing them one after the other.
    pub(crate) fn message(&mut self, number: u32) -> Result<Option<Cow<'a, [u8]>>, ProtoError> {
        let pieces = self.list(number)?;
        Ok(match pieces.as_slice() {
            [] => None,
            [whole] => Some(Cow::Borrowed(whole)),
            pieces => Some(Cow::Owned(pieces.concat())),
        })
    }

    /// All values given, in order.
    pub(crate) fn list(&mut self, number: u32) -> Result<Pieces<'a>, ProtoError> {
        match self.take(number) {
            Slot::Empty => Ok(Pieces::None),
            Slot::Bytes(bytes) => Ok(Pieces::One([bytes])),
            Slot::Many(many) => Ok(Pieces::Many(many)),
            _ => Err(wrong_type(number)),
        }
    }
}

/// The values of one number, without an allocation for the usual single one.
#[derive(Debug)]
pub(crate) enum Pieces<'a> {
    None,
    One([&'a [u8]; 1]),
    Many(Vec<&'a [u8]>),
}

impl<'a> Pieces<'a> {
    pub(crate) fn as_slice(&self) -> &[&'a [u8]] {
        match self {
            Self::None => &[],
            Self::One(one) => one,
            Self::Many(many) => many,
        }
    }

    fn pop(self) -> Option<&'a [u8]> {
        self.as_slice().last().copied()
    }
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
pub(super) fn next<'a>(rest: &mut &'a [u8]) -> Result<(u32, Slot<'a>), ProtoError> {
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
    match (mem::take(old), new) {
        (kept, Slot::Empty) => *old = kept,
        (Slot::Bytes(first), Slot::Bytes(second)) => *old = Slot::Many(vec![first, second]),
        (Slot::Many(mut many), Slot::Bytes(next)) => {
            many.push(next);
            *old = Slot::Many(many);
        }
        (_, new) => *old = new,
    }
}

fn malformed(error: impl ToString) -> ProtoError {
    ProtoError::Malformed(error.to_string())
}

fn wrong_type(number: u32) -> ProtoError {
    ProtoError::Malformed(format!("field {number} has another wire type"))
}
