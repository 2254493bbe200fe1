//! A reader of JSON for the events of a stream, about twice as fast as serde_json's.
//!
//! It knows what streams look like: short objects of short strings, nearly none with an escape. Those strings are
//! found a block at a time and handed out borrowed. Whatever is rare (escapes, fractions, opaque payloads) is cut
//! out and read by serde_json, so that both agree on every value.
//!
//! Its error says nothing: the caller reads what is refused here once more, slowly, to say where the fault is.

use std::{borrow::Cow, fmt};

use serde::de::{
    self, Deserialize, DeserializeSeed, MapAccess, SeqAccess, Visitor, value::BorrowedStrDeserializer,
};

use serde_json::{de::StrRead, value::RawValue};

use super::{Wire, write::find_special};

/// How deep values may be nested, as in serde_json.
const MAX_DEPTH: usize = 127;

/// Reads one value and nothing else.
pub(crate) fn read<'de, T: Deserialize<'de>>(text: &'de str) -> Result<T, Refused> {
    let mut reader = Reader::new(text);
    let value = T::deserialize(&mut reader)?;
    match reader.peek() {
        None => Ok(value),
        Some(_) => Err(Refused),
    }
}

/// The text is not what was asked for, or not JSON at all.
#[derive(Debug)]
pub struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("refused")
    }
}

impl std::error::Error for Refused {}

impl de::Error for Refused {
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

/// Reads a text from its start to its end.
#[derive(Debug)]
pub struct Reader<'de> {
    text: &'de str,
    at: usize,
    depth: usize,
}

/// Members that are written as we would have written them, without a space anywhere: they are told by comparing
/// with the bytes that we would have written. Whatever is written otherwise is refused and read as any JSON.
impl<'de> Reader<'de> {
    fn new(text: &'de str) -> Self {
        Self { text, at: 0, depth: 0 }
    }

    /// A reader behind these bytes, with which an object begins.
    pub(crate) fn inside(text: &'de str, opening: &[u8]) -> Result<Self, Refused> {
        let mut reader = Self { depth: 1, ..Self::new(text) };
        if reader.skip(opening) { Ok(reader) } else { Err(Refused) }
    }

    /// Takes these bytes if they come next.
    #[inline]
    pub(crate) fn skip(&mut self, bytes: &[u8]) -> bool {
        let found = self.rest().starts_with(bytes);
        self.at += if found { bytes.len() } else { 0 };
        found
    }

    /// Takes a required member if it comes next: these bytes and a value.
    #[inline]
    pub(crate) fn required<T: Wire>(&mut self, name: &[u8], member: &mut Option<T>) -> Result<(), Refused> {
        if self.skip(name) {
            *member = Some(T::read_json(self)?);
        }
        Ok(())
    }

    /// Takes an optional member if it comes next; its value may not be null.
    #[inline]
    pub(crate) fn optional<T: Wire>(&mut self, name: &[u8], member: &mut Option<T>) -> Result<(), Refused> {
        self.required(name, member)?;
        if member.as_ref().is_some_and(T::is_null) { Err(Refused) } else { Ok(()) }
    }

    /// Whether only the brace behind the last member is left.
    #[inline]
    pub(crate) fn is_at_end(&self) -> bool {
        self.rest() == b"}"
    }

    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.at
    }

    #[inline]
    pub(crate) fn is_at_string(&self) -> bool {
        self.rest().first() == Some(&b'"')
    }

    /// A string.
    #[inline]
    pub(crate) fn string(&mut self) -> Result<Cow<'de, str>, Refused> {
        if !self.is_at_string() {
            return Err(Refused);
        }
        match self.plain_text() {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => self.stream().map(Cow::Owned),
        }
    }

    /// A whole number.
    #[inline]
    pub(crate) fn integer(&mut self) -> Result<i64, Refused> {
        match self.whole_number() {
            Some(number) => Ok(number),
            None => self.stream(),
        }
    }

    /// Any value, unread.
    pub(crate) fn raw(&mut self) -> Result<&'de RawValue, Refused> {
        self.stream()
    }

    /// The next value as serde_json reads it.
    fn stream<T: Deserialize<'de>>(&mut self) -> Result<T, Refused> {
        let mut stream = serde_json::Deserializer::from_str(&self.text[self.at..]).into_iter();
        let value = stream.next().and_then(Result::ok).ok_or(Refused)?;
        self.at += stream.byte_offset();
        Ok(value)
    }
}

impl<'de> Reader<'de> {
    #[inline]
    fn rest(&self) -> &'de [u8] {
        &self.text.as_bytes()[self.at..]
    }

    /// The next byte that is not a space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.at) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.at += 1,
                found => return found.copied(),
            }
        }
    }

    fn take(&mut self, wanted: u8) -> Result<(), Refused> {
        if self.peek() != Some(wanted) {
            return Err(Refused);
        }
        self.at += 1;
        Ok(())
    }

    /// The text of a string that has no escapes, if the next value is one.
    fn plain_text(&mut self) -> Option<&'de str> {
        let begin = self.at + 1;
        let length = find_special(&self.text.as_bytes()[begin..])?;
        let end = begin + length;
        if self.text.as_bytes()[end] != b'"' {
            return None;
        }
        self.at = end + 1;
        self.text.get(begin..end)
    }

    /// The next value if it is a whole number above zero that surely fits. A leading zero, a fraction or an
    /// exponent is for serde_json to judge.
    fn whole_number(&mut self) -> Option<i64> {
        let rest = self.rest();
        let mut value = 0;
        for (digits, &byte) in rest.iter().enumerate() {
            match byte {
                b'0'..=b'9' if digits < 18 => value = value * 10 + i64::from(byte - b'0'),
                b',' | b'}' if digits > 0 && rest[0] != b'0' => {
                    self.at += digits;
                    return Some(value);
                }
                _ => return None,
            }
        }
        None
    }

    /// Cuts out the next value. What is inside is not looked at: serde_json reads it.
    fn cut(&mut self) -> Result<&'de str, Refused> {
        self.peek();
        let begin = self.at;
        let mut depth = 0_usize;
        loop {
            match *self.text.as_bytes().get(self.at).ok_or(Refused)? {
                b'"' => self.skip_string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1).ok_or(Refused)?;
                    self.at += 1;
                }
                _ => self.skip_token(),
            }
            if depth == 0 {
                return self.text.get(begin..self.at).ok_or(Refused);
            }
        }
    }

    fn skip_string(&mut self) -> Result<(), Refused> {
        self.at += 1;
        loop {
            self.at += find_special(self.rest()).ok_or(Refused)?;
            match self.text.as_bytes()[self.at] {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => return Err(Refused),
            }
            if self.at >= self.text.len() {
                return Err(Refused);
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Skips what is neither a string nor a bracket: at least one byte.
    fn skip_token(&mut self) {
        let stops = |byte: &u8| matches!(byte, b'"' | b'{' | b'}' | b'[' | b']' | b',');
        let rest = &self.rest()[1..];
        self.at += 1 + rest.iter().position(stops).unwrap_or(rest.len());
    }

    /// Hands the next value to serde_json.
    fn delegate<T>(
        &mut self,
        read: impl FnOnce(&mut serde_json::Deserializer<StrRead<'de>>) -> serde_json::Result<T>,
    ) -> Result<T, Refused> {
        let mut deserializer = serde_json::Deserializer::from_str(self.cut()?);
        let value = read(&mut deserializer).map_err(|_| Refused)?;
        deserializer.end().map_err(|_| Refused)?;
        Ok(value)
    }

    /// Enters an object or a list.
    fn enter(&mut self, bracket: u8) -> Result<(), Refused> {
        if self.depth == MAX_DEPTH {
            return Err(Refused);
        }
        self.depth += 1;
        self.take(bracket)
    }
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de> {
    type Error = Refused;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        match self.peek() {
            Some(b'"') => self.deserialize_str(visitor),
            Some(b'{') => self.deserialize_map(visitor),
            Some(b'[') => self.deserialize_seq(visitor),
            _ => self.delegate(|reader| reader.deserialize_any(visitor)),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        if self.peek() != Some(b'"') {
            return Err(Refused);
        }
        match self.plain_text() {
            Some(text) => visitor.visit_borrowed_str(text),
            None => self.delegate(|reader| reader.deserialize_str(visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.deserialize_str(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.enter(b'{')?;
        let mut members = Items::of(self);
        let value = visitor.visit_map(&mut members)?;
        members.leave(value)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.enter(b'[')?;
        let mut items = Items::of(self);
        let value = visitor.visit_seq(&mut items)?;
        items.leave(value)
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.peek();
        match self.whole_number() {
            Some(number) => visitor.visit_i64(number),
            None => self.delegate(|reader| reader.deserialize_i64(visitor)),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        if self.peek() == Some(b'n') {
            return self.delegate(|reader| reader.deserialize_option(visitor));
        }
        visitor.visit_some(self)
    }

    /// serde_json's own `RawValue` asks by this name for the text of a value.
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Refused> {
        self.delegate(|reader| reader.deserialize_newtype_struct(name, visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Refused> {
        self.delegate(|reader| reader.deserialize_enum(name, variants, visitor))
    }

    /// What is passed over is only cut out: neither its numbers nor its depth matter.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Refused> {
        self.delegate(|reader| reader.deserialize_ignored_any(visitor))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct tuple
        tuple_struct struct identifier
    }
}

/// The members of an object or the items of a list.
struct Items<'r, 'de> {
    reader: &'r mut Reader<'de>,
    phase: Phase,
}

#[derive(PartialEq)]
enum Phase {
    Before,
    Inside,
    After,
}

impl<'r, 'de> Items<'r, 'de> {
    fn of(reader: &'r mut Reader<'de>) -> Self {
        Self { reader, phase: Phase::Before }
    }

    /// Whether another one comes; behind the last one the bracket is taken.
    fn goes_on(&mut self, end: u8) -> Result<bool, Refused> {
        let byte = self.reader.peek().ok_or(Refused)?;
        if byte == end {
            self.phase = Phase::After;
            self.reader.at += 1;
            return Ok(false);
        }
        if self.phase == Phase::Inside {
            self.reader.take(b',')?;
        }
        self.phase = Phase::Inside;
        Ok(true)
    }

    /// A visitor that left something unread did not want it.
    fn leave<T>(self, value: T) -> Result<T, Refused> {
        self.reader.depth -= 1;
        if self.phase == Phase::After { Ok(value) } else { Err(Refused) }
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = Refused;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Refused> {
        if !self.goes_on(b'}')? {
            return Ok(None);
        }
        if self.reader.peek() != Some(b'"') {
            return Err(Refused);
        }
        match self.reader.plain_text() {
            Some(key) => seed.deserialize(BorrowedStrDeserializer::new(key)).map(Some),
            None => seed.deserialize(&mut *self.reader).map(Some),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Refused> {
        self.reader.take(b':')?;
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = Refused;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Refused> {
        if !self.goes_on(b']')? {
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// Both readers accept the same texts and read the same from them.
    fn check(text: &str) {
        let expected: Option<Value> = serde_json::from_str(text).ok();
        assert_eq!(read::<Value>(text).ok(), expected, "{text:?}");
        let expected: Option<Box<RawValue>> = serde_json::from_str(text).ok();
        let found: Option<Box<RawValue>> = read(text).ok();
        assert_eq!(found.map(|raw| raw.to_string()), expected.map(|raw| raw.to_string()), "{text:?}");
    }

    #[test]
    fn odd_texts_are_judged_as_serde_json_does() {
        for text in [
            "",
            " ",
            "{",
            "}",
            "[",
            "]",
            "{}",
            "[]",
            "{]",
            "[}",
            " { } ",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{,}",
            r#"{"a":1,}"#,
            r#"{"a" : 1 , "b":[ ] }"#,
            r#"{"a"}"#,
            r#"{"a":}"#,
            r#"{a:1}"#,
            r#"{"\u0061":1}"#,
            "\"",
            r#""\"#,
            r#""\""#,
            r#""\é""#,
            r#""\ud800""#,
            "\"\u{1}\"",
            "\"\n\"",
            "\"é\"",
            "tru",
            "true ",
            "nulll",
            "01",
            "-",
            "-0",
            "1.",
            "1.5e3",
            "1e999",
            "123456789012345678901234567890",
            "[1]x",
            "1 1",
            "{}{}",
            r#"{"a":{"b":[1,{"c":"d"}]},"e":null}"#,
            r#"[["]"],"\"]"]"#,
        ] {
            check(text);
        }
        for depth in [126, 127, 128, 129] {
            check(&format!("{}{}", "[".repeat(depth), "]".repeat(depth)));
        }
    }

    #[test]
    fn whole_numbers_are_read_as_serde_json_does() {
        for text in [
            "0",
            "1",
            "-1",
            "01",
            "999999999999999999",
            "9223372036854775807",
            "9223372036854775808",
            "1.0",
            "1e3",
            "x",
        ] {
            let text = format!("[{text}]");
            assert_eq!(read::<Vec<i64>>(&text).ok(), serde_json::from_str(&text).ok(), "{text}");
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            ".*".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::hash_map(".*", inner, 0..5).prop_map(|map| map.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_value_is_read_as_serde_json_does(value in any_json(), pretty: bool) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            check(&text.expect("prints"));
        }

        #[test]
        fn broken_text_is_judged_as_serde_json_does(value in any_json(), at: prop::sample::Index, byte in "[\\[\\]{},:\"\\\\a1 \n]?") {
            let mut text = value.to_string();
            let at = at.index(text.len());
            if text.is_char_boundary(at) && text.is_char_boundary(at + 1) {
                text.replace_range(at..at + 1, &byte);
            }
            check(&text);
        }
    }
}
