//! Content: a string in one field, parts in another.

use super::{Fields, Proto, ProtoError, optional, put_nested, required};
use crate::content::{
    AudioPart, Content, ContentPart, DataSource, DocumentPart, FileSource, ImagePart, PartSource, TextPart,
    UrlSource, VideoPart,
};

impl Proto for Content {
    /// Only a tool result has its content in an event: text under 5, parts under 7.
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        put_content(self, number, 7, out);
    }

    fn take(fields: &mut Fields<'_>, number: u32) -> Result<Option<Self>, ProtoError> {
        take_content(fields, number, 7)
    }

    /// Neither text nor parts is an empty list of parts, which writes nothing.
    fn missing() -> Option<Self> {
        Some(Self::Parts(Vec::new()))
    }
}

pub(super) fn put_content(content: &Content, text: u32, parts: u32, out: &mut Vec<u8>) {
    match content {
        Content::Text(content) => content.put(text, out),
        Content::Parts(content) => content.put(parts, out),
    }
}

pub(super) fn take_content(
    fields: &mut Fields<'_>,
    text: u32,
    parts: u32,
) -> Result<Option<Content>, ProtoError> {
    if fields.has(text) && fields.has(parts) {
        return Err(ProtoError::Ambiguous("content"));
    }
    if let Some(text) = String::take(fields, text)? {
        return Ok(Some(Content::Text(text)));
    }
    Ok(Vec::take(fields, parts)?.map(Content::Parts))
}

impl Proto for ContentPart {
    fn put(&self, number: u32, out: &mut Vec<u8>) {
        put_nested(number, out, |out| match self {
            Self::Text(part) => put_nested(1, out, |out| {
                part.text.put(1, out);
                put_some(&part.id, 2, out);
                put_some(&part.metadata, 3, out);
            }),
            Self::Image(part) => put_media(2, &part.source, &part.metadata, &part.id, out),
            Self::Audio(part) => put_media(3, &part.source, &part.metadata, &part.id, out),
            Self::Video(part) => put_media(4, &part.source, &part.metadata, &part.id, out),
            Self::Document(part) => put_media(5, &part.source, &part.metadata, &part.id, out),
        });
    }

    fn take(_fields: &mut Fields<'_>, _number: u32) -> Result<Option<Self>, ProtoError> {
        // Parts only occur in lists, which read them with `read_part`.
        Err(ProtoError::Invalid("a content part outside a list".to_owned()))
    }
}

fn put_media(
    arm: u32,
    source: &PartSource,
    metadata: &Option<crate::json::Json>,
    id: &Option<String>,
    out: &mut Vec<u8>,
) {
    put_nested(arm, out, |out| {
        put_nested(1, out, |out| write_source(source, out));
        put_some(metadata, 2, out);
        put_some(id, 3, out);
    });
}

fn write_source(source: &PartSource, out: &mut Vec<u8>) {
    match source {
        PartSource::Data(source) => put_nested(1, out, |out| {
            source.value.put(1, out);
            source.mime_type.put(2, out);
        }),
        PartSource::Url(source) => put_nested(2, out, |out| {
            source.value.put(1, out);
            put_some(&source.mime_type, 2, out);
        }),
        PartSource::File(source) => put_nested(3, out, |out| {
            source.value.put(1, out);
            put_some(&source.provider, 2, out);
            put_some(&source.mime_type, 3, out);
        }),
    }
}

fn put_some<T: Proto>(value: &Option<T>, number: u32, out: &mut Vec<u8>) {
    if let Some(value) = value {
        value.put(number, out);
    }
}

/// Reads a part; one of a kind that AG-UI does not know is nothing, with a note.
pub(super) fn read_part(fields: &mut Fields<'_>) -> Result<Option<ContentPart>, ProtoError> {
    let Some(arm) = only_arm(fields, 1..=5, "a content part")? else {
        fields.notes().add("dropped a content part of an unknown kind".to_owned());
        return Ok(None);
    };
    let notes = fields.notes();
    let bytes = fields.message(arm)?.unwrap_or_default();
    Fields::read(&bytes, notes, |fields| match arm {
        1 => read_text(fields).map(Some),
        _ => read_media(arm, fields),
    })
}

fn read_media(arm: u32, fields: &mut Fields<'_>) -> Result<Option<ContentPart>, ProtoError> {
    let Some(source) = read_source(fields)? else {
        fields.notes().add("dropped a content part with an unknown source".to_owned());
        return Ok(None);
    };
    let metadata = optional(fields, 2)?;
    let id = Proto::take(fields, 3)?;
    Ok(Some(match arm {
        2 => ImagePart { source, id, metadata }.into(),
        3 => AudioPart { source, id, metadata }.into(),
        4 => VideoPart { source, id, metadata }.into(),
        _ => DocumentPart { source, id, metadata }.into(),
    }))
}

fn read_text(fields: &mut Fields<'_>) -> Result<ContentPart, ProtoError> {
    let part = TextPart {
        text: required(fields, 1, "text")?,
        id: Proto::take(fields, 2)?,
        metadata: optional(fields, 3)?,
    };
    Ok(part.into())
}

fn read_source(fields: &mut Fields<'_>) -> Result<Option<PartSource>, ProtoError> {
    let notes = fields.notes();
    let Some(bytes) = fields.message(1)? else {
        return Err(ProtoError::Missing("source"));
    };
    Fields::read(&bytes, notes, |fields| {
        let Some(arm) = only_arm(fields, 1..=3, "a source")? else {
            return Ok(None);
        };
        let bytes = fields.message(arm)?.unwrap_or_default();
        Fields::read(&bytes, notes, |fields| read_known_source(arm, fields).map(Some))
    })
}

fn read_known_source(arm: u32, fields: &mut Fields<'_>) -> Result<PartSource, ProtoError> {
    let value = required(fields, 1, "value")?;
    Ok(match arm {
        1 => DataSource { value, mime_type: required(fields, 2, "mimeType")? }.into(),
        2 => UrlSource { value, mime_type: Proto::take(fields, 2)? }.into(),
        _ => {
            FileSource { value, provider: Proto::take(fields, 2)?, mime_type: Proto::take(fields, 3)? }.into()
        }
    })
}

fn only_arm(
    fields: &Fields<'_>,
    arms: std::ops::RangeInclusive<u32>,
    what: &'static str,
) -> Result<Option<u32>, ProtoError> {
    let mut given = arms.filter(|arm| fields.has(*arm));
    let first = given.next();
    match given.next() {
        Some(_) => Err(ProtoError::Ambiguous(what)),
        None => Ok(first),
    }
}
