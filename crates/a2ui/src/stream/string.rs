//! Reading texts in quotes, their escapes, and the JSON that some of them hold.

use super::{
    build::Builder,
    lex::{Lexer, is_smart},
    repair::RepairKind,
};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Escape {
    #[default]
    None,
    /// Behind a backslash.
    Begun,
    /// Behind `\u` and so many digits that make so much.
    Digits(u8, u16),
}

/// A text that is being read.
#[derive(Debug, Default)]
pub(super) struct Text {
    quote: Quote,
    /// Where it begins.
    start: usize,
    buffer: String,
    escape: Escape,
    /// The first half of a pair.
    high: Option<u16>,
    /// The text holds JSON, and this reads it.
    messages: Option<Box<Messages>>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Quote {
    #[default]
    Double,
    Single,
    Smart,
}

/// JSON in a string.
#[derive(Debug)]
struct Messages {
    lexer: Lexer,
    /// Whether quotes in it are escaped, as they should be.
    has_escapes: bool,
    /// They are not: everything is read as it stands.
    is_raw: bool,
}

impl Text {
    pub(super) fn open(&mut self, quote: char, start: usize) {
        self.start = start;
        self.quote = match quote {
            '"' => Quote::Double,
            '\'' => Quote::Single,
            _ => Quote::Smart,
        };
    }

    /// Opens a text that holds JSON.
    pub(super) fn open_messages(&mut self, quote: char, start: usize, nesting: usize) {
        self.open(quote, start);
        let lexer = Lexer::inside_of_string(nesting);
        self.messages = Some(Box::new(Messages { lexer, has_escapes: false, is_raw: false }));
    }

    /// Takes what would end the text if it were read.
    pub(super) fn take_literally(&mut self, text: &str, at: usize, builder: &mut Builder) {
        self.lose_half(builder, at);
        self.append(text, at, builder);
    }

    /// Whether the place is behind a backslash.
    pub(super) fn is_in_escape(&self) -> bool {
        self.escape != Escape::None
    }

    /// Reads on, to the end of the piece or of the text. Says where it stopped, and whether the text is over.
    pub(super) fn feed(
        &mut self,
        text: &str,
        mut at: usize,
        offset: usize,
        builder: &mut Builder,
    ) -> (usize, bool) {
        while at < text.len() {
            at = match self.escape {
                Escape::None => match self.plain(text, at, offset, builder) {
                    Plain::Went(at) => at,
                    Plain::Ended(at) => return (at, true),
                },
                Escape::Begun => self.begun(text, at, offset, builder),
                Escape::Digits(count, value) => self.digit(text, at, offset, builder, count, value),
            };
        }
        (at, false)
    }

    fn plain(&mut self, text: &str, at: usize, offset: usize, builder: &mut Builder) -> Plain {
        let bytes = text.as_bytes();
        let stop = at + self.run(&bytes[at..]);
        if stop > at {
            self.lose_half(builder, offset + at);
        }
        match bytes.get(stop) {
            Some(b'"' | b'\'' | 0xE2) if self.closes(&text[stop..]) => {
                self.close(text, at, stop, offset, builder)
            }
            None => {
                self.append(&text[at..stop], offset + at, builder);
                Plain::Went(stop)
            }
            Some(b'\\') if !self.is_raw() => {
                self.append(&text[at..stop], offset + at, builder);
                self.escape = Escape::Begun;
                Plain::Went(stop + 1)
            }
            Some(byte) => {
                // Who tells of a control character depends on what stands in front of it.
                self.lose_half(builder, offset + stop);
                self.append(&text[at..stop], offset + at, builder);
                if *byte < b' ' && !self.is_told_elsewhere() {
                    builder.repairs.add(RepairKind::RawControl, offset + stop);
                }
                let after = stop + text[stop..].chars().next().map_or(1, char::len_utf8);
                self.append(&text[stop..after], offset + stop, builder);
                Plain::Went(after)
            }
        }
    }

    /// How many bytes need no look at.
    fn run(&self, bytes: &[u8]) -> usize {
        let stop = match self.quote {
            Quote::Double => bytes.iter().position(|&byte| byte == b'"' || byte == b'\\' || byte < b' '),
            Quote::Single => bytes.iter().position(|&byte| matches!(byte, b'\'' | b'\\' | 0..b' ')),
            Quote::Smart => bytes.iter().position(|&byte| matches!(byte, b'"' | b'\\' | 0xE2 | 0..b' ')),
        };
        stop.unwrap_or(bytes.len())
    }

    fn closes(&self, rest: &str) -> bool {
        match self.quote {
            Quote::Double => rest.starts_with('"'),
            Quote::Single => rest.starts_with('\''),
            Quote::Smart => rest.starts_with('"') || is_smart(rest),
        }
    }

    /// A closing quote. In JSON whose quotes are not escaped it may be one of them.
    fn close(&mut self, text: &str, at: usize, stop: usize, offset: usize, builder: &mut Builder) -> Plain {
        self.lose_half(builder, offset + stop);
        let after = stop + text[stop..].chars().next().map_or(1, char::len_utf8);
        let Some(messages) = &mut self.messages else {
            if self.buffer.is_empty() {
                builder.text(&text[at..stop], self.start);
            } else {
                self.buffer.push_str(&text[at..stop]);
                builder.text(&self.buffer, self.start);
                self.buffer.clear();
            }
            return Plain::Ended(after);
        };
        messages.feed(&text[at..stop], offset + at, builder);
        if messages.lexer.is_open() {
            messages.unescaped(&text[stop..after], offset + stop, builder);
            return Plain::Went(after);
        }
        self.messages = None;
        builder.string_of_messages_ended();
        Plain::Ended(after)
    }

    fn begun(&mut self, text: &str, at: usize, offset: usize, builder: &mut Builder) -> usize {
        let Some(escaped) = text[at..].chars().next() else { return text.len() };
        let (here, after) = (offset + at - 1, at + escaped.len_utf8());
        self.escape = Escape::None;
        if escaped == 'u' {
            self.escape = Escape::Digits(0, 0);
            return after;
        }
        self.lose_half(builder, here);
        let meant = match escaped {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            '"' | '\\' | '/' => escaped,
            '\'' => {
                builder.repairs.add(RepairKind::BadEscape, here);
                escaped
            }
            _ => {
                builder.repairs.add(RepairKind::BadEscape, here);
                self.append("\\", here, builder);
                escaped
            }
        };
        if let Some(messages) = &mut self.messages {
            messages.has_escapes |= meant == '"';
        }
        self.append_char(meant, here, builder);
        after
    }

    fn digit(
        &mut self,
        text: &str,
        at: usize,
        offset: usize,
        builder: &mut Builder,
        count: u8,
        value: u16,
    ) -> usize {
        let digit = char::from(text.as_bytes()[at]).to_digit(16).and_then(|digit| u16::try_from(digit).ok());
        let Some(digit) = digit else {
            self.escape = Escape::None;
            self.lose_half(builder, offset + at);
            builder.repairs.add(RepairKind::BadEscape, offset + at);
            // The digits are lost in their own notation, which nobody meant anyway.
            let digits = format!("\\u{value:0count$x}", count = usize::from(count));
            let digits = if count == 0 { "\\u" } else { &digits };
            self.append(digits, offset + at, builder);
            return at;
        };
        let value = value << 4 | digit;
        if count < 3 {
            self.escape = Escape::Digits(count + 1, value);
            return at + 1;
        }
        self.escape = Escape::None;
        self.unit(value, offset + at, builder);
        at + 1
    }

    /// One unit of UTF-16.
    fn unit(&mut self, unit: u16, at: usize, builder: &mut Builder) {
        let decoded = match self.high.take() {
            Some(high) => char::decode_utf16([high, unit]).collect::<Vec<_>>(),
            None if matches!(unit, 0xD800..=0xDBFF) => {
                self.high = Some(unit);
                return;
            }
            None => char::decode_utf16([unit]).collect(),
        };
        for decoded in decoded {
            match decoded {
                Ok(read) => self.append_char(read, at, builder),
                Err(half) if matches!(half.unpaired_surrogate(), 0xD800..=0xDBFF) && self.high.is_none() => {
                    // Either the first of two halves, or one that may find its other half yet.
                    match half.unpaired_surrogate() == unit {
                        true => self.high = Some(unit),
                        false => self.broken_half(at, builder),
                    }
                }
                Err(_) => self.broken_half(at, builder),
            }
        }
    }

    fn lose_half(&mut self, builder: &mut Builder, at: usize) {
        if self.high.take().is_some() {
            self.broken_half(at, builder);
        }
    }

    #[cold]
    fn broken_half(&mut self, at: usize, builder: &mut Builder) {
        builder.repairs.add(RepairKind::BadEscape, at);
        self.append_char(char::REPLACEMENT_CHARACTER, at, builder);
    }

    fn append_char(&mut self, read: char, at: usize, builder: &mut Builder) {
        self.append(read.encode_utf8(&mut [0; 4]), at, builder);
    }

    fn append(&mut self, text: &str, at: usize, builder: &mut Builder) {
        match &mut self.messages {
            None => self.buffer.push_str(text),
            Some(messages) => messages.feed(text, at, builder),
        }
    }

    fn is_raw(&self) -> bool {
        self.messages.as_ref().is_some_and(|messages| messages.is_raw)
    }

    /// Whether the JSON in this text tells of control characters, or is broken beyond that.
    fn is_told_elsewhere(&self) -> bool {
        self.messages.as_ref().is_some_and(|messages| messages.is_raw || messages.lexer.is_in_text())
    }
}

enum Plain {
    Went(usize),
    Ended(usize),
}

impl Messages {
    fn feed(&mut self, text: &str, offset: usize, builder: &mut Builder) {
        self.lexer.feed(text, offset);
        let inner = &mut self.lexer.builder;
        builder.release.pieces.append(&mut inner.release.pieces);
        if inner.repairs.count > 0 {
            builder.repairs.absorb(&mut inner.repairs);
        }
    }

    /// A quote that is not escaped, in the middle of a value.
    fn unescaped(&mut self, quote: &str, offset: usize, builder: &mut Builder) {
        builder.repairs.add(RepairKind::UnescapedQuote, offset);
        if self.has_escapes && self.lexer.takes_literally() {
            return self.lexer.take_literally(quote, offset);
        }
        self.is_raw = !self.has_escapes;
        self.feed(quote, offset, builder);
    }
}
