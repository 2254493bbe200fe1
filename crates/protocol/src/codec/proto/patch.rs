//! JSON Patch: operations with a number for `op`.

use super::{Fields, Message, Proto, ProtoError, put_text, put_varint, take_text, value};
use crate::patch::{Operation, Patch, Pointer};

const OPS: [&str; 6] = ["add", "remove", "replace", "move", "copy", "test"];

impl Proto for Patch {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        for operation in self.iter() {
            operation.put(number, out);
        }
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        let notes = fields.notes();
        let mut operations = Vec::new();
        for piece in fields.list(number)? {
            match Fields::read(piece, notes, Operation::read) {
                Err(ProtoError::Unknown { value, .. }) => {
                    notes.add(format!("dropped a patch operation of unknown kind {value}"));
                }
                other => operations.push(other?),
            }
        }
        Ok((!operations.is_empty()).then_some(Self(operations)))
    }

    fn missing() -> Option<Self> {
        Some(Self::default())
    }
}

impl Message for Operation {
    fn write(&self, out: &mut Vec<u8>) {
        let op = OPS.iter().position(|op| *op == self.op()).unwrap_or_default();
        // Zero is what proto3 leaves out.
        if op != 0 {
            put_varint(op as u64, 1, out);
        }
        put_text(self.path().as_str(), 2, out);
        if let Some(from) = self.from() {
            put_text(from.as_str(), 3, out);
        }
        if let Some(value) = self.value() {
            value::put_value(value, 4, out);
        }
    }

    fn read(fields: &mut Fields<'_>) -> Result<Self, ProtoError> {
        let op = fields.varint(1)?.unwrap_or_default();
        let path = pointer(fields, 2)?.unwrap_or_default();
        let from = pointer(fields, 3)?;
        let value = value::take_value(fields, 4, 0)?;
        let value = || value.ok_or(ProtoError::Missing("value"));
        let from = || from.ok_or(ProtoError::Missing("from"));
        match op {
            0 => Ok(Self::add(path, value()?)),
            1 => Ok(Self::remove(path)),
            2 => Ok(Self::replace(path, value()?)),
            3 => Ok(Self::move_from(from()?, path)),
            4 => Ok(Self::copy(from()?, path)),
            5 => Ok(Self::test(path, value()?)),
            other => Err(ProtoError::Unknown { kind: "patch operation", value: other.to_string() }),
        }
    }
}

fn pointer(fields: &mut Fields<'_>, number: u32) -> Result<Option<Pointer>, ProtoError> {
    let Some(text) = take_text(fields, number)? else {
        return Ok(None);
    };
    Pointer::parse(text).map(Some).map_err(|error| ProtoError::Invalid(error.to_string()))
}
