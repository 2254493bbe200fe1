//! `BaseEvent`: field 1 of every event.

use super::{Fields, Proto, ProtoError, Slot, fields, optional, put_nested, put_varint};
use crate::event::{Base, EventType};

const BASE: u32 = 1;

pub(crate) fn write(base: &Base, event_type: EventType, out: &mut Vec<u8>) {
    put_nested(BASE, out, |out| {
        // Zero is what proto3 leaves out.
        if event_type.number() != 0 {
            put_varint(event_type.number() as u64, 1, out);
        }
        if let Some(timestamp) = &base.timestamp {
            timestamp.put(2, out);
        }
        if let Some(raw_event) = &base.raw_event {
            raw_event.put(3, out);
        }
        if let Some(metadata) = &base.metadata {
            metadata.put(4, out);
        }
    });
}

/// Reads the base of an event; its type has to agree with the event's own. An event without a base is one
/// with nothing in it, which says type number 0.
pub(crate) fn read(fields: &mut Fields<'_>, event_type: EventType) -> Result<Base, ProtoError> {
    let notes = fields.notes();
    let bytes = fields.message(BASE)?.unwrap_or_default();
    let (number, base) = match read_plain(&bytes)? {
        Some(plain) => plain,
        None => Fields::read(&bytes, notes, read_all)?,
    };
    if number.cast_signed() != i64::from(event_type.number()) {
        return Err(ProtoError::TypeMismatch { expected: event_type.as_str(), found: number.cast_signed() });
    }
    Ok(base)
}

/// The usual base, a type and perhaps a timestamp, without setting up all fields for it.
fn read_plain(mut rest: &[u8]) -> Result<Option<(u64, Base)>, ProtoError> {
    let (mut number, mut base) = (0, Base::default());
    while !rest.is_empty() {
        match fields::next(&mut rest)? {
            (1, Slot::Varint(value)) => number = value,
            (2, Slot::Varint(value)) => base.timestamp = Some(super::bounded(value)?),
            _ => return Ok(None),
        }
    }
    Ok(Some((number, base)))
}

fn read_all(fields: &mut Fields<'_>) -> Result<(u64, Base), ProtoError> {
    let number = fields.varint(1)?.unwrap_or_default();
    let base = Base {
        timestamp: Proto::take(fields, 2)?,
        raw_event: optional(fields, 3)?,
        metadata: Proto::take(fields, 4)?,
    };
    Ok((number, base))
}
