//! What was wrong with a text and was read all the same.

use std::fmt;

/// So many repairs are told one by one; the others are counted.
pub const MAX_REPAIRS: usize = 100;

/// Something that models get wrong, and how it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairKind {
    /// A fence around the JSON.
    Fence,
    /// Words around the JSON.
    Prose,
    /// `// …` or `/* … */`.
    Comment,
    /// A comma in front of a closing bracket.
    TrailingComma,
    /// No comma between two values.
    MissingComma,
    /// No colon between a name and its value.
    MissingColon,
    /// A name without a value.
    MissingValue,
    /// A value without a name.
    MissingKey,
    /// A bracket that was not closed before the one around it.
    MissingClose,
    /// A character that has no place where it stands.
    Stray,
    /// `“…”` for `"…"`.
    SmartQuotes,
    /// `'…'` for `"…"`.
    SingleQuotes,
    /// A name without quotes.
    UnquotedKey,
    /// A text without quotes.
    UnquotedText,
    /// A line break, a tab or another control character inside of a text.
    RawControl,
    /// A backslash that escapes nothing, or half of a pair of `\u`.
    BadEscape,
    /// A quote that is not escaped inside of a JSON text that is a string.
    UnescapedQuote,
    /// A number, `True`, `None` or the like in another notation than that of JSON.
    Literal,
    /// A name that stands twice in an object.
    RepeatedKey,
    /// A value that nests too deep.
    TooDeep,
    /// The text ends in the middle of a value.
    Truncated,
}

impl RepairKind {
    /// A stable code.
    #[must_use]
    pub fn code(self) -> &'static str {
        self.texts().0
    }

    /// What was done, as a sentence without a full stop.
    #[must_use]
    pub fn sentence(self) -> &'static str {
        self.texts().1
    }

    fn texts(self) -> (&'static str, &'static str) {
        match self {
            Self::Fence => ("fence", "a code fence around the JSON was left out"),
            Self::Prose => ("prose", "words outside of the JSON were left out"),
            Self::Comment => ("comment", "a comment was left out"),
            Self::TrailingComma => ("trailing_comma", "a comma in front of a closing bracket was left out"),
            Self::MissingComma => ("missing_comma", "a missing comma was added"),
            Self::MissingColon => ("missing_colon", "a missing colon was added"),
            Self::MissingValue => ("missing_value", "a name without a value got null"),
            Self::MissingKey => ("missing_key", "a value without a name got the empty name"),
            Self::MissingClose => ("missing_close", "a missing closing bracket was added"),
            Self::Stray => ("stray", "a character without a place was left out"),
            Self::SmartQuotes => ("smart_quotes", "typographic quotes were read as plain ones"),
            Self::SingleQuotes => ("single_quotes", "single quotes were read as double ones"),
            Self::UnquotedKey => ("unquoted_key", "a name without quotes was read as one"),
            Self::UnquotedText => ("unquoted_text", "a word without quotes was read as a text"),
            Self::RawControl => ("raw_control", "a control character inside of a text was kept"),
            Self::BadEscape => ("bad_escape", "a wrong escape was read as it stands"),
            Self::UnescapedQuote => ("unescaped_quote", "a quote inside of a string of JSON was not escaped"),
            Self::Literal => {
                ("literal", "a number or constant that JSON does not have was read as the nearest one")
            }
            Self::RepeatedKey => ("repeated_key", "the last of several values of the same name counts"),
            Self::TooDeep => ("too_deep", "a value that nests too deep was read as null"),
            Self::Truncated => {
                ("truncated", "the text ends early, and its last, unfinished value was left out")
            }
        }
    }
}

/// One repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Repair {
    /// What it was.
    pub kind: RepairKind,
    /// Where: how many bytes of the text stand before it.
    pub offset: usize,
}

impl fmt::Display for Repair {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "at byte {}: {}", self.offset, self.kind.sentence())
    }
}

/// The first repairs by their place, and how many there were. Those inside of a string become known with the string, so
/// they come out of order; which are kept does not depend on when.
#[derive(Clone, Debug, Default)]
pub(super) struct Repairs {
    pub(super) listed: Vec<Repair>,
    pub(super) count: usize,
}

impl Repairs {
    #[cold]
    pub(super) fn add(&mut self, kind: RepairKind, offset: usize) {
        self.count += 1;
        let at = self.listed.partition_point(|it| (it.offset, it.kind.code()) <= (offset, kind.code()));
        if at < MAX_REPAIRS {
            self.listed.truncate(MAX_REPAIRS - 1);
            self.listed.insert(at, Repair { kind, offset });
        }
    }

    /// Takes over what was found inside of a string.
    pub(super) fn absorb(&mut self, inner: &mut Self) {
        let unlisted = inner.count - inner.listed.len();
        for repair in inner.listed.drain(..) {
            self.add(repair.kind, repair.offset);
        }
        self.count += unlisted;
        inner.count = 0;
    }
}
