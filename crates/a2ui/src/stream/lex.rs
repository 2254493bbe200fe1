//! Cutting text into tokens. A token may end in a later piece of the text than it began in.

use super::{build::Builder, repair::RepairKind, string::Text};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Mode {
    /// Outside of all values.
    #[default]
    Outside,
    /// Between two tokens.
    Between,
    /// In a text.
    Text,
    /// In a number, a constant or a word.
    Word,
    /// Behind a slash.
    Slash,
    LineComment,
    BlockComment,
    /// Behind a star in a comment.
    Star,
}

/// What was left out since the last value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Skipped {
    #[default]
    Nothing,
    Prose,
    Fence,
}

#[derive(Debug, Default)]
pub(super) struct Lexer {
    mode: Mode,
    skipped: Skipped,
    /// Whether a value or prose has begun.
    has_begun: bool,
    /// How deep this is in strings of JSON.
    nesting: usize,
    text: Text,
    word: String,
    word_start: usize,
    pub(super) builder: Builder,
}

/// A string of JSON in a string of JSON in a string of JSON is not read any deeper.
const MAX_NESTING: usize = 3;

impl Lexer {
    pub(super) fn inside_of_string(nesting: usize) -> Self {
        Self { nesting, ..Self::default() }
    }

    /// Whether a value has begun and not ended.
    pub(super) fn is_open(&self) -> bool {
        !self.builder.is_outside() || self.mode == Mode::Text
    }

    /// Whether the place is inside of a text.
    pub(super) fn is_in_text(&self) -> bool {
        self.mode == Mode::Text
    }

    /// Whether a quote can be a part of the text that is being read.
    pub(super) fn takes_literally(&self) -> bool {
        self.mode == Mode::Text && !self.text.is_in_escape()
    }

    /// Takes a quote that would end the text if it were read.
    pub(super) fn take_literally(&mut self, quote: &str, offset: usize) {
        self.text.take_literally(quote, offset, &mut self.builder);
    }

    /// Reads on. `offset` is where the piece stands in the whole text.
    pub(super) fn feed(&mut self, text: &str, offset: usize) {
        let mut at = 0;
        while at < text.len() {
            at = match self.mode {
                Mode::Between => self.between(text, at, offset),
                Mode::Text => self.in_text(text, at, offset),
                Mode::Word => self.in_word(text, at),
                Mode::Outside => self.outside(text, at, offset),
                Mode::Slash => self.slash(text, at, offset),
                Mode::LineComment | Mode::BlockComment | Mode::Star => self.comment(text, at),
            };
        }
    }

    fn outside(&mut self, text: &str, at: usize, offset: usize) -> usize {
        let first = !std::mem::replace(&mut self.has_begun, true);
        match text.as_bytes()[at] {
            b' ' | b'\n' | b'\r' | b'\t' => self.has_begun = !first,
            b'{' | b'[' => {
                self.mode = Mode::Between;
                self.skipped = Skipped::Nothing;
                return self.between(text, at, offset);
            }
            b'"' if first && self.nesting < MAX_NESTING => {
                self.text.open_messages('"', offset + at, self.nesting + 1);
                self.mode = Mode::Text;
            }
            b'/' if self.skipped == Skipped::Nothing => self.mode = Mode::Slash,
            b'`' => self.skip(Skipped::Fence, offset + at),
            0xEF if first && text[at..].starts_with('\u{feff}') => {
                self.has_begun = false;
                return at + '\u{feff}'.len_utf8();
            }
            _ => self.skip(Skipped::Prose, offset + at),
        }
        at + 1
    }

    /// Words behind a fence, such as its language, are a part of it.
    fn skip(&mut self, what: Skipped, at: usize) {
        let is_new = self.skipped == Skipped::Nothing || (what == Skipped::Fence && self.skipped != what);
        if !is_new {
            return;
        }
        self.skipped = what;
        let kind = if what == Skipped::Fence { RepairKind::Fence } else { RepairKind::Prose };
        self.builder.repairs.add(kind, at);
    }

    fn between(&mut self, text: &str, mut at: usize, offset: usize) -> usize {
        let bytes = text.as_bytes();
        while let Some(&byte) = bytes.get(at) {
            let here = offset + at;
            at += 1;
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' => {}
                b'"' => return self.open_text('"', text, at, offset),
                b',' => self.builder.comma(here),
                b'{' | b'[' => self.builder.open(byte == b'{', here),
                b':' | b'}' | b']' => {
                    match byte {
                        b':' => self.builder.colon(here),
                        _ => self.builder.close(byte == b'}', here),
                    }
                    if self.builder.is_outside() {
                        self.mode = Mode::Outside;
                        return at;
                    }
                }
                b'\'' => {
                    self.builder.repairs.add(RepairKind::SingleQuotes, here);
                    return self.open_text('\'', text, at, offset);
                }
                b'/' => {
                    self.mode = Mode::Slash;
                    return at;
                }
                0xE2 if is_smart(&text[at - 1..]) => {
                    self.builder.repairs.add(RepairKind::SmartQuotes, here);
                    return self.open_text('”', text, at + 2, offset);
                }
                _ if ends_word(byte) || byte == b'`' => self.builder.repairs.add(RepairKind::Stray, here),
                _ => {
                    self.mode = Mode::Word;
                    self.word_start = here;
                    return at - 1;
                }
            }
        }
        at
    }

    fn open_text(&mut self, quote: char, text: &str, at: usize, offset: usize) -> usize {
        self.mode = Mode::Text;
        let start = offset + at;
        match self.builder.expects_messages() && self.nesting < MAX_NESTING {
            true => self.text.open_messages(quote, start, self.nesting + 1),
            false => self.text.open(quote, start),
        }
        self.in_text(text, at, offset)
    }

    fn in_text(&mut self, text: &str, at: usize, offset: usize) -> usize {
        let (end, is_over) = self.text.feed(text, at, offset, &mut self.builder);
        if is_over {
            self.back();
        }
        end
    }

    fn in_word(&mut self, text: &str, at: usize) -> usize {
        let rest = &text.as_bytes()[at..];
        let length = rest.iter().position(|&byte| ends_word(byte)).unwrap_or(rest.len());
        let (word, end) = (&text[at..at + length], at + length);
        if end == text.len() {
            self.word.push_str(word);
            return end;
        }
        if self.word.is_empty() {
            self.builder.word(word, self.word_start);
        } else {
            self.word.push_str(word);
            self.builder.word(&self.word, self.word_start);
            self.word.clear();
        }
        self.back();
        end
    }

    fn slash(&mut self, text: &str, at: usize, offset: usize) -> usize {
        let kind = match text.as_bytes()[at] {
            b'/' => Some(Mode::LineComment),
            b'*' => Some(Mode::BlockComment),
            _ => None,
        };
        let here = (offset + at).saturating_sub(1);
        let Some(mode) = kind else {
            self.back();
            match self.mode {
                Mode::Outside => self.skip(Skipped::Prose, here),
                _ => self.builder.repairs.add(RepairKind::Stray, here),
            }
            return at;
        };
        self.builder.repairs.add(RepairKind::Comment, here);
        self.mode = mode;
        at + 1
    }

    fn comment(&mut self, text: &str, at: usize) -> usize {
        match (self.mode, text.as_bytes()[at]) {
            (Mode::LineComment, b'\n') | (Mode::Star, b'/') => self.back(),
            (Mode::LineComment, _) | (Mode::Star, b'*') => {}
            (_, b'*') => self.mode = Mode::Star,
            _ => self.mode = Mode::BlockComment,
        }
        at + 1
    }

    fn back(&mut self) {
        self.mode = if self.builder.is_outside() { Mode::Outside } else { Mode::Between };
    }
}

/// Whether a text begins with a typographic double quote.
pub(super) fn is_smart(text: &str) -> bool {
    text.starts_with(['“', '”', '„'])
}

fn ends_word(byte: u8) -> bool {
    matches!(byte, 0..=b' ' | b',' | b':' | b'{' | b'}' | b'[' | b']' | b'"' | b'/')
}
