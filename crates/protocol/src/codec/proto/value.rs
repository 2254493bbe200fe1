//! Free JSON as `google.protobuf.Value` and `Struct`.

use serde_json::{Map, Number, Value, value::to_raw_value};

use prost::encoding::WireType;

use super::{
    Fields, Notes, Proto, ProtoError, Slot, fields, put_key, put_nested, put_text, put_varint, take_text,
    transcode, utf8,
};
use crate::json::{Json, Object};

/// The fields of a `Value`, of which it has one.
pub(super) const NULL: u32 = 1;
pub(super) const NUMBER: u32 = 2;
pub(super) const TEXT: u32 = 3;
pub(super) const BOOL: u32 = 4;
pub(super) const OBJECT: u32 = 5;
pub(super) const LIST: u32 = 6;

/// As for JSON that comes as text.
pub(super) use crate::scan::MAX_DEPTH;

impl Proto for Json {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        let start = out.len();
        if put_nested(number, out, |out| transcode::text(self.get(), out)).is_err() {
            // Text beyond what a `Value` holds has no protobuf form either: decoders limit the depth, and every
            // number is a double.
            out.truncate(start);
            put_value(&Value::Null, number, out);
        }
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        let notes = fields.notes();
        let Some(bytes) = fields.message(number)? else {
            return Ok(None);
        };
        match to_raw_value(&transcode::AsJson::new(&bytes)) {
            Ok(raw) => Ok(Some(Self::from(raw))),
            // What is malformed is read once more, to say how.
            Err(_) => read_value(&bytes, notes, 0).map(|value| Some(Self::from(value))),
        }
    }
}

impl Proto for Object {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        put_nested(number, out, |out| write_map(self, out));
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        let notes = fields.notes();
        match fields.message(number)? {
            Some(bytes) => Ok(Some(read_map(&bytes, notes, 0)?.into())),
            None => Ok(None),
        }
    }

    fn missing() -> Option<Self> {
        Some(Self::default())
    }
}

pub(super) fn put_value(value: &Value, number: u32, out: &mut Vec<u8>) {
    put_nested(number, out, |out| write_value(value, out));
}

fn write_value(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => put_varint(0, NULL, out),
        Value::Number(number) => put_double(number.as_f64().unwrap_or_default(), out),
        Value::String(text) => put_text(text, TEXT, out),
        Value::Bool(truth) => put_varint(u64::from(*truth), BOOL, out),
        Value::Object(map) => put_nested(OBJECT, out, |out| write_map(map, out)),
        Value::Array(items) => put_nested(LIST, out, |out| {
            for item in items {
                put_value(item, 1, out);
            }
        }),
    }
}

pub(super) fn put_double(double: f64, out: &mut Vec<u8>) {
    put_key(NUMBER, WireType::SixtyFourBit, out);
    out.extend_from_slice(&double.to_le_bytes());
}

fn write_map(map: &Map<String, Value>, out: &mut Vec<u8>) {
    for (key, value) in map {
        put_nested(1, out, |out| {
            put_text(key, 1, out);
            put_value(value, 2, out);
        });
    }
}

pub(super) fn take_value(
    fields: &mut Fields<'_>,
    number: u32,
    depth: usize,
) -> Result<Option<Value>, ProtoError> {
    let notes = fields.notes();
    match fields.message(number)? {
        Some(bytes) => read_value(&bytes, notes, depth).map(Some),
        None => Ok(None),
    }
}

fn read_value(bytes: &[u8], notes: &Notes, depth: usize) -> Result<Value, ProtoError> {
    if depth > MAX_DEPTH {
        return Err(ProtoError::Invalid(format!("JSON is nested deeper than {MAX_DEPTH} levels")));
    }
    let mut rest = bytes;
    // A value is a single field, unless somebody split it.
    match fields::next(&mut rest) {
        Ok((number, slot)) if rest.is_empty() => match (number, slot) {
            (NUMBER, Slot::Fixed64(bits)) => Ok(number_of(f64::from_bits(bits))),
            (TEXT, Slot::Bytes(text)) => Ok(utf8(text, TEXT)?.into()),
            (BOOL, Slot::Varint(truth)) => Ok((truth != 0).into()),
            (OBJECT, Slot::Bytes(bytes)) => read_map(bytes, notes, depth + 1).map(Value::Object),
            (LIST, Slot::Bytes(bytes)) => read_list(bytes, notes, depth + 1),
            _ => Fields::read(bytes, notes, |fields| read_arms(fields, depth)),
        },
        _ => Fields::read(bytes, notes, |fields| read_arms(fields, depth)),
    }
}

fn read_arms(fields: &mut Fields<'_>, depth: usize) -> Result<Value, ProtoError> {
    let notes = fields.notes();
    if (1..=LIST).filter(|arm| fields.has(*arm)).count() > 1 {
        return Err(ProtoError::Ambiguous("a JSON value"));
    }
    if let Some(number) = fields.double(NUMBER)? {
        return Ok(number_of(number));
    }
    if let Some(text) = take_text(fields, TEXT)? {
        return Ok(text.into());
    }
    if let Some(truth) = fields.varint(BOOL)? {
        return Ok((truth != 0).into());
    }
    if let Some(bytes) = fields.message(OBJECT)? {
        return read_map(&bytes, notes, depth + 1).map(Value::Object);
    }
    if let Some(bytes) = fields.message(LIST)? {
        return read_list(&bytes, notes, depth + 1);
    }
    Ok(Value::Null)
}

fn read_list(bytes: &[u8], notes: &Notes, depth: usize) -> Result<Value, ProtoError> {
    let mut items = Vec::new();
    each_piece(bytes, |piece| {
        items.push(read_value(piece, notes, depth)?);
        Ok(())
    })?;
    Ok(Value::Array(items))
}

fn read_map(bytes: &[u8], notes: &Notes, depth: usize) -> Result<Map<String, Value>, ProtoError> {
    let mut map = Map::new();
    each_piece(bytes, |piece| {
        let (key, value) = read_entry(piece, notes, depth)?;
        map.insert(key.to_owned(), value);
        Ok(())
    })?;
    Ok(map)
}

/// The messages in field 1, of which lists and objects are made.
pub(super) fn each_piece<'a>(
    mut rest: &'a [u8],
    mut take: impl FnMut(&'a [u8]) -> Result<(), ProtoError>,
) -> Result<(), ProtoError> {
    while !rest.is_empty() {
        match fields::next(&mut rest)? {
            (1, Slot::Bytes(piece)) => take(piece)?,
            (1, Slot::Varint(_) | Slot::Fixed64(_)) => return Err(fields::wrong_type(1)),
            _ => {}
        }
    }
    Ok(())
}

fn read_entry<'a>(piece: &'a [u8], notes: &'a Notes, depth: usize) -> Result<(&'a str, Value), ProtoError> {
    let mut rest = piece;
    // A key and a value, unless somebody split them or left one out.
    if let (1, Slot::Bytes(key)) = fields::next(&mut rest)?
        && let Ok((2, Slot::Bytes(value))) = fields::next(&mut rest)
        && rest.is_empty()
    {
        return Ok((utf8(key, 1)?, read_value(value, notes, depth)?));
    }
    Fields::read(piece, notes, |entry| {
        let key = take_text(entry, 1)?.unwrap_or_default();
        Ok((key, take_value(entry, 2, depth)?.unwrap_or_default()))
    })
}

/// Whole numbers print as such: protobuf has doubles only, JSON readers expect `3` where `3` was written.
pub(super) fn number_of(double: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if double.fract() == 0.0 && double.abs() < EXACT && !(double == 0.0 && double.is_sign_negative()) {
        return Value::from(double as i64);
    }
    Number::from_f64(double).map_or(Value::Null, Value::Number)
}
