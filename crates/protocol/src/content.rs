//! What messages and tool results contain: text, or a list of parts.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error, SeqAccess, Visitor, value::SeqAccessDeserializer},
};

use crate::{
    json::Json,
    wire::{Reader, Refused, Shape, Wire, union, wire},
};

/// Text, or a list of parts (which may be empty).
#[derive(Clone, Debug, PartialEq)]
pub enum Content {
    /// Plain text.
    Text(String),
    /// Parts in order.
    Parts(Vec<ContentPart>),
}

impl Content {
    /// The text in it, in order: what a reader that knows no media can show. Borrowed where there is one piece.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Parts(parts) => match parts.as_slice() {
                [ContentPart::Text(part)] => Cow::Borrowed(&part.text),
                parts => parts.iter().filter_map(ContentPart::text).collect::<String>().into(),
            },
        }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<ContentPart>> for Content {
    fn from(parts: Vec<ContentPart>) -> Self {
        Self::Parts(parts)
    }
}

impl Wire for Content {
    const SHAPE: Shape = Shape::TextOrParts(&ContentPart::SHAPE);

    fn write_json(&self, out: &mut Vec<u8>) {
        match self {
            Self::Text(text) => text.write_json(out),
            Self::Parts(parts) => parts.write_json(out),
        }
    }

    fn read_json(reader: &mut Reader<'_>) -> Result<Self, Refused> {
        if reader.is_at_string() {
            reader.string().map(|text| Self::Text(text.into_owned()))
        } else {
            Self::deserialize(reader)
        }
    }
}

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Parts(parts) => parts.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ContentVisitor;
        impl<'de> Visitor<'de> for ContentVisitor {
            type Value = Content;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a string or a list of content parts")
            }
            fn visit_str<E: Error>(self, text: &str) -> Result<Content, E> {
                Ok(Content::from(text))
            }
            fn visit_string<E: Error>(self, text: String) -> Result<Content, E> {
                Ok(Content::Text(text))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, parts: A) -> Result<Content, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(parts)).map(Content::Parts)
            }
        }
        deserializer.deserialize_any(ContentVisitor)
    }
}

union! {
    /// A piece of content: text or media.
    enum ContentPart by "type" {
        /// Text.
        Text(TextPart),
        /// An image.
        Image(ImagePart),
        /// Sound.
        Audio(AudioPart),
        /// Moving pictures.
        Video(VideoPart),
        /// Any other file.
        Document(DocumentPart),
    }
}

impl ContentPart {
    /// The text of a text part.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(part) => Some(&part.text),
            _ => None,
        }
    }
}

wire! {
    /// Text within a list of parts.
    tagged "type" "text" TextPart {
        required {
            /// The text.
            text: String,
        }
        optional {
            /// Id of the part.
            id: String,
            /// Facts about the part.
            metadata: Json,
        }
    }
}

/// The media parts differ in nothing but their type.
macro_rules! media {
    ($($(#[doc = $doc:literal])* $tag:literal $name:ident,)*) => {$(
        wire! {
            $(#[doc = $doc])*
            tagged "type" $tag $name {
                required {
                    /// Where the bytes are.
                    source: PartSource,
                }
                optional {
                    /// Id of the part.
                    id: String,
                    /// Facts about the part, such as a file name.
                    metadata: Json,
                }
            }
        }
    )*};
}

media! {
    /// An image.
    "image" ImagePart,
    /// Sound.
    "audio" AudioPart,
    /// Moving pictures.
    "video" VideoPart,
    /// Any other file.
    "document" DocumentPart,
}

union! {
    /// Where the bytes of a media part are.
    enum PartSource by "type" {
        /// Here, in base64.
        Data(DataSource),
        /// Behind an address.
        Url(UrlSource),
        /// With a provider, under a handle that nobody else may read anything into.
        File(FileSource),
    }
}

wire! {
    /// Bytes in base64.
    tagged "type" "data" DataSource {
        required {
            /// The bytes.
            value: String,
            /// Their media type.
            mime_type: String,
        }
        optional {}
    }
}

wire! {
    /// An address to fetch the bytes from.
    tagged "type" "url" UrlSource {
        required {
            /// The address.
            value: String,
        }
        optional {
            /// The media type of what is there.
            mime_type: String,
        }
    }
}

wire! {
    /// A file that a provider holds. The handle is opaque: it is neither fetched nor parsed.
    tagged "type" "file" FileSource {
        required {
            /// The handle.
            value: String,
        }
        optional {
            /// Who holds the file.
            provider: String,
            /// Its media type.
            mime_type: String,
        }
    }
}
