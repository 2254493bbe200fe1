//! Free JSON as `google.protobuf.Value` and `Struct`.

use serde_json::{Map, Number, Value};

use prost::encoding::{WireType, encode_key};

use super::{Fields, Notes, Proto, ProtoError, put_nested, put_text, put_varint, take_text};
use crate::json::{Json, Object};

/// JSON nested deeper than this is refused: together with the event around it, it could not be read as text.
const MAX_DEPTH: usize = 100;

impl Proto for Json {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        // Text beyond what a `Value` holds has no protobuf form either: decoders limit the depth, and every
        // number is a double.
        put_value(&self.to_value().unwrap_or(Value::Null), number, out);
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        Ok(take_value(fields, number, 0)?.map(Self::from))
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
        Value::Null => put_varint(0, 1, out),
        Value::Number(number) => {
            encode_key(2, WireType::SixtyFourBit, out);
            out.extend_from_slice(&number.as_f64().unwrap_or_default().to_le_bytes());
        }
        Value::String(text) => put_text(text, 3, out),
        Value::Bool(truth) => put_varint(u64::from(*truth), 4, out),
        Value::Object(map) => put_nested(5, out, |out| write_map(map, out)),
        Value::Array(items) => put_nested(6, out, |out| {
            for item in items {
                put_value(item, 1, out);
            }
        }),
    }
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
    let mut fields = Fields::read(bytes, notes)?;
    let arms = (1..=6).filter(|arm| fields.has(*arm)).count();
    if arms > 1 {
        return Err(ProtoError::Ambiguous("a JSON value"));
    }
    if let Some(number) = fields.double(2)? {
        return Ok(number_of(number));
    }
    if let Some(text) = take_text(&mut fields, 3)? {
        return Ok(text.into());
    }
    if let Some(truth) = fields.varint(4)? {
        return Ok((truth != 0).into());
    }
    if let Some(bytes) = fields.message(5)? {
        return read_map(&bytes, notes, depth + 1).map(Value::Object);
    }
    if let Some(bytes) = fields.message(6)? {
        return read_list(&bytes, notes, depth + 1);
    }
    Ok(Value::Null)
}

fn read_list(bytes: &[u8], notes: &Notes, depth: usize) -> Result<Value, ProtoError> {
    let mut fields = Fields::read(bytes, notes)?;
    let pieces = fields.list(1)?;
    pieces.as_slice().iter().map(|piece| read_value(piece, notes, depth)).collect()
}

fn read_map(bytes: &[u8], notes: &Notes, depth: usize) -> Result<Map<String, Value>, ProtoError> {
    let mut fields = Fields::read(bytes, notes)?;
    let mut map = Map::new();
    for piece in fields.list(1)?.as_slice() {
        let mut entry = Fields::read(piece, notes)?;
        let key = take_text(&mut entry, 1)?.unwrap_or_default().to_owned();
        let value = take_value(&mut entry, 2, depth)?.unwrap_or_default();
        map.insert(key, value);
    }
    Ok(map)
}

/// Whole numbers print as such: protobuf has doubles only, JSON readers expect `3` where `3` was written.
fn number_of(double: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if double.fract() == 0.0 && double.abs() < EXACT && !(double == 0.0 && double.is_sign_negative()) {
        return Value::from(double as i64);
    }
    Number::from_f64(double).map_or(Value::Null, Value::Number)
}
