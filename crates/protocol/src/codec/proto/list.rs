//! Repeated fields.

use super::{Fields, Message, Proto, ProtoError, put_text};
use crate::{
    content::ContentPart,
    id::{InterruptId, ToolCallId},
    input::Context,
    interrupt::{Interrupt, ResumeEntry},
    message,
    tool::{Tool, ToolCall},
    usage::TokenUsage,
};

/// Lists of messages. An empty list is written as nothing, so absent and empty are one.
macro_rules! lists {
    ($($item:ty),*) => {$(
        impl Proto for Vec<$item> {
            fn put(&self, number: u32, out: &mut Vec<u8>) {
                for item in self {
                    item.put(number, out);
                }
            }

            fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
                read_all(fields, number, |fields| <$item>::read(fields).map(Some))
            }

            fn missing() -> Option<Self> {
                Some(Vec::new())
            }
        }
    )*};
}

lists!(Context, Interrupt, Tool, ToolCall, TokenUsage);

/// Lists whose items may be of a kind that AG-UI does not know; those are left out, with a note.
macro_rules! open_lists {
    ($($item:ty: $read:path),*) => {$(
        impl Proto for Vec<$item> {
            fn put(&self, number: u32, out: &mut Vec<u8>) {
                for item in self {
                    item.put(number, out);
                }
            }

            fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
                read_all(fields, number, $read)
            }

            fn missing() -> Option<Self> {
                Some(Vec::new())
            }
        }
    )*};
}

open_lists!(
    ContentPart: super::content::read_part,
    message::Message: super::message::read_known,
    ResumeEntry: read_resume_entry
);

fn read_resume_entry(fields: &mut Fields<'_>) -> Result<Option<ResumeEntry>, ProtoError> {
    match ResumeEntry::read(fields) {
        Err(ProtoError::Missing("status")) => Ok(None),
        other => other.map(Some),
    }
}

fn read_all<T>(
    fields: &mut Fields<'_>,
    number: u32,
    read: impl Fn(&mut Fields<'_>) -> Result<Option<T>, ProtoError>,
) -> Result<Option<Vec<T>>, ProtoError> {
    let notes = fields.notes();
    let mut items = Vec::new();
    for piece in fields.list(number)? {
        items.extend(Fields::read(piece, notes, &read)?);
    }
    Ok((!items.is_empty()).then_some(items))
}

/// Lists of ids.
macro_rules! id_lists {
    ($($id:ty),*) => {$(
        impl Proto for Vec<$id> {
            fn put(&self, number: u32, out: &mut Vec<u8>) {
                for id in self {
                    put_text(id, number, out);
                }
            }

            fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
                let mut ids = Vec::new();
                for piece in fields.list(number)? {
                    let text = std::str::from_utf8(piece)
                        .map_err(|_| ProtoError::Malformed(format!("field {number} is not UTF-8")))?;
                    ids.push(<$id>::from(text));
                }
                Ok((!ids.is_empty()).then_some(ids))
            }
        }
    )*};
}

id_lists!(InterruptId, ToolCallId);
