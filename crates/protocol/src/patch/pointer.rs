//! JSON Pointer (RFC 6901): the address of a value inside a document.
//!
//! A [`Pointer`] is checked once, when it is made; everything after that may
//! rely on its syntax. Each address has exactly one spelling, since `~` and `/`
//! inside a token must always be escaped, so pointers compare as text.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::place;

/// The address of a value inside a JSON document, such as `/notes/0/text`.
///
/// The empty pointer, also the default, addresses the whole document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pointer(String);

/// Why a text is no JSON Pointer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PointerError {
    /// A pointer is empty or begins with a slash.
    #[error("pointer {pointer:?} does not start with a slash")]
    NoSlash {
        /// The refused text.
        pointer: String,
    },
    /// `~` only ever introduces `~0` (a tilde) or `~1` (a slash).
    #[error("pointer {pointer:?} has a ~ at byte {offset} that is not followed by 0 or 1")]
    BadEscape {
        /// The refused text.
        pointer: String,
        /// Where the tilde is, in bytes.
        offset: usize,
    },
}

impl Pointer {
    /// Checks `text` against `^(/([^/~]|~[01])*)*$`.
    pub fn parse(text: impl Into<String>) -> Result<Pointer, PointerError> {
        let pointer = text.into();
        if !pointer.is_empty() && !pointer.starts_with('/') {
            return Err(PointerError::NoSlash { pointer });
        }
        match bad_escape(&pointer) {
            Some(offset) => Err(PointerError::BadEscape { pointer, offset }),
            None => Ok(Pointer(pointer)),
        }
    }

    /// Builds a pointer from plain tokens, escaping them.
    pub fn from_tokens<T: AsRef<str>>(tokens: impl IntoIterator<Item = T>) -> Pointer {
        let mut pointer = Pointer::default();
        for token in tokens {
            pointer.push(token.as_ref());
        }
        pointer
    }

    /// The pointer as written, with its escapes.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The tokens from the outermost to the innermost, without escapes.
    pub fn tokens(&self) -> impl Iterator<Item = Cow<'_, str>> {
        tokens(&self.0)
    }

    /// Descends by one plain token, escaping it.
    pub fn push(&mut self, token: &str) {
        self.0.push('/');
        for character in token.chars() {
            match character {
                '~' => self.0.push_str("~0"),
                '/' => self.0.push_str("~1"),
                other => self.0.push(other),
            }
        }
    }

    /// The value at this address, if the document has one.
    pub fn resolve<'d>(&self, document: &'d Value) -> Option<&'d Value> {
        place::get(document, self).ok()
    }

    /// How many containers enclose the addressed value.
    pub(super) fn depth(&self) -> usize {
        self.0.bytes().filter(|&byte| byte == b'/').count()
    }

    /// The written pointer of the enclosing container, and the last token.
    pub(super) fn split_last(&self) -> Option<(&str, Cow<'_, str>)> {
        let (parent, token) = self.0.rsplit_once('/')?;
        Some((parent, unescape(token)))
    }

    /// Whether `other` lies strictly inside the value addressed here.
    pub(super) fn encloses(&self, other: &Pointer) -> bool {
        let rest = other.0.strip_prefix(self.as_str());
        rest.is_some_and(|rest| rest.starts_with('/'))
    }

    /// Shortens the text to what it was before a `push`.
    pub(super) fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// Whether a JavaScript consumer would reach into a prototype here.
    // No escape can spell these names, so the written tokens are enough.
    pub(super) fn touches_prototype(&self) -> bool {
        let mut parent: &[u8] = b"";
        let mut tokens = self.0.as_bytes().split(|&byte| byte == b'/');
        tokens.any(|token| {
            let parent = std::mem::replace(&mut parent, token);
            token == b"__proto__" || (token == b"prototype" && parent == b"constructor")
        })
    }
}

/// The tokens of a written pointer, without escapes.
// `str::split` is built for long texts; with it, splitting pointers was a third
// of the cost of a small patch.
pub(super) fn tokens(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    let mut rest = pointer.strip_prefix('/');
    std::iter::from_fn(move || {
        let text = rest?;
        let slash = text.bytes().position(|byte| byte == b'/');
        let (token, after) = text.split_at(slash.unwrap_or(text.len()));
        rest = after.strip_prefix('/');
        Some(unescape(token))
    })
}

/// What `token` means for an array of `length` elements: `-` is the place past
/// the end, and so is, for all purposes, a number too large for the machine.
/// `None` if the token is no index at all.
pub(super) fn index(token: &str, length: usize) -> Option<usize> {
    match token.as_bytes() {
        b"-" => Some(length),
        b"0" => Some(0),
        [b'1'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => {
            Some(token.parse().unwrap_or(usize::MAX))
        }
        _ => None,
    }
}

fn bad_escape(text: &str) -> Option<usize> {
    let followed = |offset: usize| matches!(text.as_bytes().get(offset + 1), Some(b'0' | b'1'));
    let mut tildes = text.match_indices('~').map(|(offset, _)| offset);
    tildes.find(|&offset| !followed(offset))
}

// RFC 6901, section 4: `~1` first, so that `~01` becomes `~1` and not `/`.
fn unescape(token: &str) -> Cow<'_, str> {
    if token.as_bytes().contains(&b'~') {
        Cow::Owned(token.replace("~1", "/").replace("~0", "~"))
    } else {
        Cow::Borrowed(token)
    }
}

impl TryFrom<&str> for Pointer {
    type Error = PointerError;

    fn try_from(text: &str) -> Result<Pointer, PointerError> {
        Pointer::parse(text)
    }
}

impl TryFrom<String> for Pointer {
    type Error = PointerError;

    fn try_from(text: String) -> Result<Pointer, PointerError> {
        Pointer::parse(text)
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for Pointer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Pointer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Pointer, D::Error> {
        deserializer.deserialize_string(PointerVisitor)
    }
}

struct PointerVisitor;

impl Visitor<'_> for PointerVisitor {
    type Value = Pointer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON Pointer in a string")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Pointer, E> {
        Pointer::parse(text).map_err(E::custom)
    }

    fn visit_string<E: de::Error>(self, text: String) -> Result<Pointer, E> {
        Pointer::parse(text).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn pointer(text: &str) -> Pointer {
        Pointer::parse(text).expect("a valid pointer")
    }

    #[test]
    fn tokens_are_unescaped_in_order() {
        let check = |text: &str, expected: &[&str]| {
            let found: Vec<_> = pointer(text).tokens().map(Cow::into_owned).collect();
            assert_eq!(found, expected, "{text}");
            assert_eq!(Pointer::from_tokens(expected), pointer(text));
        };
        check("", &[]);
        check("/", &[""]);
        check("//", &["", ""]);
        check("/rooms/0", &["rooms", "0"]);
        check("/a~1b/m~0n", &["a/b", "m~n"]);
        check("/~01", &["~1"]);
        check("/å ~1%", &["å /%"]);
    }

    #[test]
    fn malformed_pointers_say_what_is_wrong() {
        let check = |text: &str, expected: &str| {
            let error = Pointer::parse(text).expect_err(text);
            assert_eq!(error.to_string(), expected);
            let read = serde_json::from_value::<Pointer>(json!(text)).expect_err(text);
            assert_eq!(read.to_string(), expected);
        };
        check("a/b", r#"pointer "a/b" does not start with a slash"#);
        check("#/a", r##"pointer "#/a" does not start with a slash"##);
        let escape = "that is not followed by 0 or 1";
        check("/a~", &format!(r#"pointer "/a~" has a ~ at byte 2 {escape}"#));
        check("/~2", &format!(r#"pointer "/~2" has a ~ at byte 1 {escape}"#));
        check("/~0~/1", &format!(r#"pointer "/~0~/1" has a ~ at byte 3 {escape}"#));
    }

    #[test]
    fn a_pointer_reads_and_writes_as_a_string() {
        let read: Pointer = serde_json::from_str(r#""/tab\tle/~1""#).expect("valid");
        assert_eq!(read.as_str(), "/tab\tle/~1");
        assert_eq!(json!(read), json!("/tab\tle/~1"));
        let error = serde_json::from_str::<Pointer>("7").expect_err("a number");
        assert!(error.to_string().contains("a JSON Pointer in a string"), "{error}");
    }

    #[test]
    fn a_pointer_is_made_of_a_text_that_is_one() {
        assert_eq!(Pointer::try_from("/a/b"), Ok(pointer("/a/b")));
        assert_eq!(Pointer::try_from("/a/b".to_owned()), Ok(pointer("/a/b")));
        assert!(Pointer::try_from("a").is_err() && Pointer::try_from("a".to_owned()).is_err());
    }

    #[test]
    fn an_index_is_a_number_without_anything_else() {
        for (token, expected) in [
            ("0", Some(0)),
            ("12", Some(12)),
            ("-", Some(3)),
            ("99999999999999999999999", Some(usize::MAX)),
            ("01", None),
            ("1x", None),
            ("x1", None),
            ("", None),
            ("-1", None),
        ] {
            assert_eq!(index(token, 3), expected, "{token}");
        }
    }

    #[test]
    fn resolving_follows_members_and_indices() {
        let document = json!({"": 1, "list": [10, [20, 30]], "a/b": {"~": true}, "7": "seven"});
        let check = |text: &str, expected: Option<Value>| {
            assert_eq!(pointer(text).resolve(&document), expected.as_ref(), "{text}");
        };
        check("", Some(document.clone()));
        check("/", Some(json!(1)));
        check("/list/1/0", Some(json!(20)));
        check("/a~1b/~0", Some(json!(true)));
        check("/7", Some(json!("seven")));
        for absent in ["/list/-", "/list/2", "/list/01", "/list/+1", "/list/a"] {
            check(absent, None);
        }
        for absent in ["/list/", "/list/0/0", "/nowhere", "/list/99999999999999999999"] {
            check(absent, None);
        }
    }

    #[test]
    fn only_a_deeper_pointer_is_enclosed() {
        assert!(pointer("/a").encloses(&pointer("/a/b")));
        assert!(pointer("").encloses(&pointer("/a")));
        assert!(!pointer("/a").encloses(&pointer("/a")));
        assert!(!pointer("/a").encloses(&pointer("/ab")));
        assert!(!pointer("").encloses(&pointer("")));
    }
}
