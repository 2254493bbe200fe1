//! Reading a text into nodes.

use super::{Broken, Kind, MAX_NESTING, Node};

/// Reads one document and nothing behind it.
pub(super) fn read(text: &str) -> Result<Vec<Node>, Broken> {
    if u32::try_from(text.len()).is_err() {
        return Err(Broken { at: 0, wanted: "a text of less than 4 GiB" });
    }
    // A node per eight bytes is about what generated interfaces come to.
    let mut reader =
        Reader { text, bytes: text.as_bytes(), at: 0, nodes: Vec::with_capacity(text.len() / 8 + 8) };
    reader.value(0)?;
    reader.space();
    if reader.at < reader.bytes.len() { Err(reader.broken("the end of the text")) } else { Ok(reader.nodes) }
}

struct Reader<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    nodes: Vec<Node>,
}

impl Reader<'_> {
    fn value(&mut self, depth: usize) -> Result<(), Broken> {
        self.space();
        match self.peek() {
            Some(b'"') => self.string(),
            Some(b'{') => self.container(Kind::Object, depth),
            Some(b'[') => self.container(Kind::List, depth),
            Some(b't') => self.word("true", Kind::Flag),
            Some(b'f') => self.word("false", Kind::Flag),
            Some(b'n') => self.word("null", Kind::Null),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => Err(self.broken("a value")),
        }
    }

    fn container(&mut self, kind: Kind, depth: usize) -> Result<(), Broken> {
        if depth >= MAX_NESTING {
            return Err(self.broken("fewer than 128 values in each other"));
        }
        let (own, start) = (self.nodes.len(), self.at);
        let closing = if kind == Kind::Object { b'}' } else { b']' };
        self.push(kind, start, start);
        self.at += 1;
        self.space();
        if self.peek() == Some(closing) {
            self.at += 1;
        } else {
            self.members(kind, closing, depth)?;
        }
        let next = self.nodes.len() as u32;
        let node = &mut self.nodes[own];
        (node.end, node.next) = (self.at as u32, next);
        Ok(())
    }

    fn members(&mut self, kind: Kind, closing: u8, depth: usize) -> Result<(), Broken> {
        loop {
            if kind == Kind::Object {
                self.key()?;
            }
            self.value(depth + 1)?;
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(byte) if byte == closing => {
                    self.at += 1;
                    return Ok(());
                }
                _ => return Err(self.broken(if kind == Kind::Object { "`,` or `}`" } else { "`,` or `]`" })),
            }
        }
    }

    fn key(&mut self) -> Result<(), Broken> {
        self.space();
        if self.peek() != Some(b'"') {
            return Err(self.broken("a key"));
        }
        self.string()?;
        self.space();
        if self.peek() != Some(b':') {
            return Err(self.broken("`:`"));
        }
        self.at += 1;
        Ok(())
    }

    fn string(&mut self) -> Result<(), Broken> {
        let start = self.at + 1;
        let (mut at, mut kind) = (start, Kind::Text);
        loop {
            let rest = &self.bytes[at.min(self.bytes.len())..];
            at += rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)).unwrap_or(rest.len());
            match self.bytes.get(at) {
                Some(b'"') => break,
                Some(b'\\') => (kind, at) = (Kind::Escaped, at + 2),
                _ => {
                    self.at = at.min(self.bytes.len());
                    return Err(self.broken("the end of a text, without line breaks in it"));
                }
            }
        }
        self.at = at + 1;
        self.push(kind, start, at);
        if kind == Kind::Escaped { self.escapes(start, at) } else { Ok(()) }
    }

    /// Escapes are rare, and there is somebody who knows them all.
    fn escapes(&self, start: usize, end: usize) -> Result<(), Broken> {
        let read = serde_json::from_str::<String>(&self.text[start - 1..=end]);
        read.map(drop).map_err(|_| Broken { at: start, wanted: "a text with escapes that exist" })
    }

    fn number(&mut self) -> Result<(), Broken> {
        let start = self.at;
        self.at += usize::from(self.peek() == Some(b'-'));
        let leading = self.at;
        self.digits()?;
        if self.bytes[leading] == b'0' && self.at > leading + 1 {
            return Err(Broken { at: leading, wanted: "a number without leading zeros" });
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.at += usize::from(matches!(self.peek(), Some(b'+' | b'-')));
            self.digits()?;
        }
        self.push(Kind::Number, start, self.at);
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Broken> {
        let count = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += count;
        if count == 0 { Err(self.broken("a digit")) } else { Ok(()) }
    }

    fn word(&mut self, word: &'static str, kind: Kind) -> Result<(), Broken> {
        if !self.bytes[self.at..].starts_with(word.as_bytes()) {
            return Err(self.broken("a value"));
        }
        let start = self.at;
        self.at += word.len();
        self.push(kind, start, self.at);
        Ok(())
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(Node { kind, start: start as u32, end: end as u32, next });
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn broken(&self, wanted: &'static str) -> Broken {
        Broken { at: self.at, wanted }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;
    use crate::tape::Tape;

    #[test]
    fn what_is_no_json_is_told_with_its_place() {
        for (text, at) in [
            ("", 0),
            ("{", 1),
            ("{\"a\" 1}", 5),
            ("{\"a\":1,}", 7),
            ("[1 2]", 3),
            ("\"a", 2),
            ("\"a\\", 3),
            ("\"\\q\"", 1),
            ("\"\\ud800\"", 1),
            ("01", 0),
            ("1.", 2),
            ("nul", 0),
            ("{} {}", 3),
        ] {
            assert_eq!(Tape::read(text).expect_err(text).at, at, "{text}");
        }
        let deep = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Tape::read(&deep(MAX_NESTING)).is_ok() && Tape::read(&deep(MAX_NESTING + 1)).is_err());
    }

    fn json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            (-1e9..1e9).prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
                prop::collection::btree_map(".{0,6}", inner, 0..6)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_is_json_is_read_as_it_is(value in json(), pretty: bool) {
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            let tape = Tape::read(&text).expect("is JSON");
            prop_assert_eq!(tape.root().value(), value);
        }

        #[test]
        fn no_text_makes_it_panic_or_disagree(text in "[\\[\\]{}:,\"\\\\ua0-9.eE+ -]{0,24}") {
            prop_assert_eq!(Tape::read(&text).is_ok(), serde_json::from_str::<Value>(&text).is_ok(), "{}", text);
        }
    }
}
