//! The protobuf form of events: `ag_ui.Event`, all 31 kinds.
//!
//! The field numbers stand beside the members in the [`wire!`](crate::wire) declarations, so there is no
//! generated twin of every struct; the forms that JSON and protobuf spell differently (values, content,
//! outcomes, messages) have a file each here.
//!
//! What protobuf cannot carry: extra members of patch operations, an empty `pendingToolCallIds` as against an
//! absent one, whole numbers beyond 2^53 inside free JSON (they are doubles there), and free JSON nested deeper
//! than 100 levels, which protobuf's own decoders do not read either.

pub(crate) mod base;
mod content;
mod fields;
mod list;
mod message;
mod outcome;
mod patch;
mod transcode;
mod value;

use prost::encoding::{WireType, encode_varint, encoded_len_varint};

pub use self::fields::{Fields, Notes, Slot};
use crate::{
    event::Event,
    wire::{Shape, Wire},
};

/// Why bytes are not an event.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProtoError {
    /// The bytes are not protobuf.
    #[error("not a protobuf message: {0}")]
    Malformed(String),
    /// There is no event in the message.
    #[error("the message holds no event")]
    Empty,
    /// There is more than one event in the message, or a choice is made twice.
    #[error("{0} carries more than one alternative")]
    Ambiguous(&'static str),
    /// The type in the base says otherwise than the event itself.
    #[error("the base names type number {found}, the event is {expected}")]
    TypeMismatch {
        /// What the event is.
        expected: &'static str,
        /// The number in the base.
        found: i64,
    },
    /// A member that has no default is missing.
    #[error("`{0}` is missing")]
    Missing(&'static str),
    /// A member has a value that AG-UI does not know.
    #[error("`{value}` is not a {kind}")]
    Unknown {
        /// What was expected.
        kind: &'static str,
        /// What was found.
        value: String,
    },
    /// A member is out of its range or in the wrong form.
    #[error("{0}")]
    Invalid(String),
}

impl ProtoError {
    /// A stable name for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Malformed(_) => "proto_malformed",
            Self::Empty => "proto_empty",
            Self::Ambiguous(_) => "proto_ambiguous",
            Self::TypeMismatch { .. } => "proto_type_mismatch",
            Self::Missing(_) => "missing_field",
            Self::Unknown { .. } => "unknown_value",
            Self::Invalid(_) => "invalid_value",
        }
    }
}

/// What a frame held.
#[derive(Clone, Debug, PartialEq)]
pub enum Decoded {
    /// An event, with what was dropped from it because it was not known.
    Event(Box<Event>, Vec<String>),
    /// A well-formed event of a kind that AG-UI 1.0 does not have.
    Unknown {
        /// Its number in the choice of events.
        arm: u32,
    },
    /// An event that lacks something required, because what stood there is not known.
    Dropped(Vec<String>),
}

/// Writes an event as protobuf, without the length in front.
pub fn encode(event: &Event, out: &mut Vec<u8>) {
    event.write_proto(out);
}

/// Reads an event from protobuf.
pub fn decode(bytes: &[u8]) -> Result<Decoded, ProtoError> {
    let notes = Notes::default();
    let (arm, payload) = fields::envelope(bytes)?;
    match Fields::read(&payload, &notes, |fields| Event::read_proto(arm, fields)) {
        Ok(Some(event)) => Ok(Decoded::Event(Box::new(event), notes.into_inner())),
        Ok(None) => Ok(Decoded::Unknown { arm }),
        Err(ProtoError::Missing(_)) if !notes.is_empty() => Ok(Decoded::Dropped(notes.into_inner())),
        Err(error) => Err(error),
    }
}

/// A struct with numbered fields.
pub trait Message: Sized {
    /// Appends the fields.
    fn write(&self, out: &mut Vec<u8>);
    /// Reads the struct from fields.
    fn read(fields: &mut Fields<'_>) -> Result<Self, ProtoError>;
}

/// The value of a field.
pub trait Proto: Sized {
    /// Appends it under a number (or under the several numbers that its form has).
    fn put(&self, number: u32, out: &mut Vec<u8>);
    /// Takes it from fields, if it is there.
    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError>;
    /// What an omitted required field means: proto3 leaves out empty strings and lists.
    fn missing() -> Option<Self> {
        None
    }
}

/// A required field.
pub(crate) fn required<T: Proto>(
    fields: &mut Fields<'_>,
    number: u32,
    name: &'static str,
) -> Result<T, ProtoError> {
    match T::take(fields, number)? {
        Some(value) => Ok(value),
        None => T::missing().ok_or(ProtoError::Missing(name)),
    }
}

/// An optional field. Null means absent there, in protobuf as in JSON.
pub(crate) fn optional<T: Proto + Wire>(
    fields: &mut Fields<'_>,
    number: u32,
) -> Result<Option<T>, ProtoError> {
    Ok(T::take(fields, number)?.filter(|value| !value.is_null()))
}

impl<T: Message> Proto for T {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        put_message(self, number, out);
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        let notes = fields.notes();
        match fields.message(number)? {
            Some(bytes) => Fields::read(&bytes, notes, T::read).map(Some),
            None => Ok(None),
        }
    }
}

impl Proto for String {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        put_text(self, number, out);
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        Ok(take_text(fields, number)?.map(str::to_owned))
    }

    fn missing() -> Option<Self> {
        Some(String::new())
    }
}

impl Proto for bool {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        put_varint(u64::from(*self), number, out);
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        Ok(fields.varint(number)?.map(|value| value != 0))
    }
}

impl<const MIN: i64, const MAX: i64> Proto for crate::number::Bounded<MIN, MAX> {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        put_varint(self.get().cast_unsigned(), number, out);
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        fields.varint(number)?.map(bounded).transpose()
    }
}

/// A whole number within its bounds.
fn bounded<const MIN: i64, const MAX: i64>(
    value: u64,
) -> Result<crate::number::Bounded<MIN, MAX>, ProtoError> {
    let value = value.cast_signed();
    crate::number::Bounded::new(value)
        .ok_or_else(|| ProtoError::Invalid(format!("{value} is not within {MIN} and {MAX}")))
}

impl Proto for Box<crate::input::RunAgentInput> {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        put_message(&**self, number, out);
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        Ok(crate::input::RunAgentInput::take(fields, number)?.map(Box::new))
    }
}

pub(crate) fn put_message<T: Message>(message: &T, number: u32, out: &mut Vec<u8>) {
    put_nested(number, out, |out| message.write(out));
}

/// Writes a length-delimited field whose length is known only afterwards. Most are shorter than 128 bytes, so
/// one byte is reserved and the rest moved in the rare case that the length needs more.
pub(crate) fn put_nested<T>(number: u32, out: &mut Vec<u8>, write: impl FnOnce(&mut Vec<u8>) -> T) -> T {
    put_length(number, 0, out);
    let at = out.len() - 1;
    let result = write(out);
    let length = out.len() - at - 1;
    if length < 128 {
        out[at] = length as u8;
        return result;
    }
    let more = encoded_len_varint(length as u64) - 1;
    out.resize(out.len() + more, 0);
    out.copy_within(at + 1..=at + length, at + 1 + more);
    encode_varint(length as u64, &mut &mut out[at..]);
    result
}

pub(crate) fn put_text(text: &str, number: u32, out: &mut Vec<u8>) {
    put_length(number, text.len(), out);
    out.extend_from_slice(text.as_bytes());
}

/// The key and the length of a length-delimited field: two bytes, nearly always.
#[inline]
fn put_length(number: u32, length: usize, out: &mut Vec<u8>) {
    if number < 16 && length < 128 {
        out.extend_from_slice(&[(number << 3 | WireType::LengthDelimited as u32) as u8, length as u8]);
        return;
    }
    put_key(number, WireType::LengthDelimited, out);
    put_short(length as u64, out);
}

#[inline]
pub(crate) fn put_varint(value: u64, number: u32, out: &mut Vec<u8>) {
    if number < 16 && value < 128 {
        out.extend_from_slice(&[(number << 3 | WireType::Varint as u32) as u8, value as u8]);
        return;
    }
    put_key(number, WireType::Varint, out);
    put_short(value, out);
}

#[inline]
pub(crate) fn put_key(number: u32, wire_type: WireType, out: &mut Vec<u8>) {
    put_short(u64::from(number << 3 | wire_type as u32), out);
}

/// A number that is usually below 128.
#[inline]
fn put_short(value: u64, out: &mut Vec<u8>) {
    if value < 128 {
        out.push(value as u8);
    } else {
        put_long(value, out);
    }
}

/// Seven bits to a byte, appended at once.
fn put_long(mut value: u64, out: &mut Vec<u8>) {
    let (mut bytes, mut at) = ([0; 10], 0);
    while value >= 128 {
        bytes[at] = value as u8 | 0x80;
        value >>= 7;
        at += 1;
    }
    bytes[at] = value as u8;
    out.extend_from_slice(&bytes[..=at]);
}

pub(crate) fn take_text<'a>(fields: &mut Fields<'a>, number: u32) -> Result<Option<&'a str>, ProtoError> {
    let Some(bytes) = fields.bytes(number)? else {
        return Ok(None);
    };
    utf8(bytes, number).map(Some)
}

fn utf8(bytes: &[u8], number: u32) -> Result<&str, ProtoError> {
    std::str::from_utf8(bytes).map_err(|_| ProtoError::Malformed(format!("field {number} is not UTF-8")))
}

/// A member of a closed set of strings, judged as in JSON: one that a newer version may have added counts as
/// absent, with a note, and any other is malformed.
pub(crate) fn take_name<T: Wire>(
    fields: &mut Fields<'_>,
    number: u32,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, ProtoError> {
    let Some(text) = take_text(fields, number)? else {
        return Ok(None);
    };
    let Shape::Name(names) = T::SHAPE else {
        return Ok(parse(text));
    };
    match parse(text) {
        Some(name) => Ok(Some(name)),
        None if names.is_unknown(text) => {
            fields.notes().add(format!("`{text}` is not a known {}", names.name));
            Ok(None)
        }
        None => Err(ProtoError::Unknown { kind: names.name, value: text.to_owned() }),
    }
}
