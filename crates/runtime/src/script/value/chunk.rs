//! How a text is cut into pieces.

use std::{borrow::Cow, fmt};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{Error, Visitor},
};

/// How a text is cut into pieces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::script) enum Chunk {
    /// Word by word.
    #[default]
    Word,
    /// In one piece.
    All,
    /// So many characters at a time.
    Chars(usize),
}

/// The pieces of a text; together they are the text.
pub(in crate::script) fn pieces(text: &str, chunk: Chunk) -> Vec<&str> {
    match chunk {
        Chunk::Word => text.split_inclusive(char::is_whitespace).collect(),
        Chunk::All => vec![text],
        Chunk::Chars(count) => by_count(text, count),
    }
}

fn by_count(text: &str, count: usize) -> Vec<&str> {
    let starts: Vec<_> = text.char_indices().map(|(at, _)| at).step_by(count.max(1)).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().zip(ends).map(|(start, end)| &text[*start..end]).collect()
}

impl<'de> Deserialize<'de> for Chunk {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Sizes)
    }
}

struct Sizes;

impl Visitor<'_> for Sizes {
    type Value = Chunk;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("`word`, `char`, `all` or a number of characters")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Chunk, E> {
        match text {
            "word" => Ok(Chunk::Word),
            "char" => Ok(Chunk::Chars(1)),
            "all" => Ok(Chunk::All),
            other => Err(E::invalid_value(serde::de::Unexpected::Str(other), &self)),
        }
    }

    fn visit_i64<E: Error>(self, count: i64) -> Result<Chunk, E> {
        let size = usize::try_from(count).ok().filter(|count| *count > 0);
        size.map(Chunk::Chars).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Signed(count), &self))
    }
}

impl JsonSchema for Chunk {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Chunk".into()
    }

    fn json_schema(_generator: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "How the text is cut into pieces: by word, by char, all at once, or so many characters.",
            "anyOf": [{ "enum": ["word", "char", "all"] }, { "type": "integer", "minimum": 1 }]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Chunk, pieces};

    #[test]
    fn pieces_are_together_the_text() {
        assert_eq!(pieces("one two\nthree", Chunk::Word), ["one ", "two\n", "three"]);
        assert_eq!(pieces("äöü", Chunk::Chars(2)), ["äö", "ü"]);
        assert_eq!(pieces("all of it", Chunk::All), ["all of it"]);
        assert!(pieces("", Chunk::Chars(3)).is_empty());
    }
}
