//! Places in the log of a thread.

use std::{fmt, str::FromStr, sync::Arc};

/// A place in the log of a thread, as a Forestage server puts it beside every event: `<epoch>.<seq>`.
///
/// Whoever holds one can leave and come back to exactly behind it. An event id of any other form is somebody
/// else's and promises nothing, so it is not a cursor: repeating a request because of it could run it twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cursor {
    text: Arc<str>,
    epoch_len: usize,
    seq: u64,
}

impl Cursor {
    /// Reads a cursor; nothing if the text has another form.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (epoch, seq) = text.rsplit_once('.')?;
        let is_number = !seq.is_empty() && seq.bytes().all(|byte| byte.is_ascii_digit());
        let is_word = !epoch.is_empty() && epoch.bytes().all(|byte| byte.is_ascii_graphic());
        let seq = seq.parse().ok().filter(|_| is_number && is_word)?;
        Some(Self { text: text.into(), epoch_len: epoch.len(), seq })
    }

    /// The cursor as text, to be kept and parsed again.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether this place is behind the other one. Places of different epochs cannot be compared.
    pub(crate) fn is_behind(&self, other: &Cursor) -> bool {
        self.epoch() != other.epoch() || self.seq > other.seq
    }

    fn epoch(&self) -> &str {
        &self.text[..self.epoch_len]
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// How far a stream was read, over any number of connections.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress {
    cursor: Option<Cursor>,
    /// The cursor that was asked for, until something behind it arrives.
    joined_at: Option<Cursor>,
}

impl Progress {
    pub(crate) fn at(cursor: Option<Cursor>) -> Self {
        Self { cursor, joined_at: None }
    }

    pub(crate) fn cursor(&self) -> Option<&Cursor> {
        self.cursor.as_ref()
    }

    /// The stream begins once more, behind the cursor.
    pub(crate) fn join(&mut self) {
        self.joined_at.clone_from(&self.cursor);
    }

    /// Whether an event is one that was read before: a server may start over instead of going on. Once
    /// something new has come, everything is.
    pub(crate) fn has_read(&mut self, cursor: Option<&Cursor>) -> bool {
        if let (Some(cursor), Some(joined_at)) = (cursor, &self.joined_at)
            && !cursor.is_behind(joined_at)
        {
            return true;
        }
        self.joined_at = None;
        false
    }

    /// An event was read; one without a cursor leaves the place as it is.
    pub(crate) fn advance(&mut self, cursor: Option<Cursor>) {
        if cursor.is_some() {
            self.cursor = cursor;
        }
    }
}

/// The text is not a cursor.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a cursor: expected `<epoch>.<number>`")]
pub struct NotACursor(String);

impl FromStr for Cursor {
    type Err = NotACursor;

    fn from_str(text: &str) -> Result<Self, NotACursor> {
        Self::parse(text).ok_or_else(|| NotACursor(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_epoch_and_a_number_make_a_cursor() {
        for text in ["1.0", "a1.42", "x.y.7"] {
            assert_eq!(Cursor::parse(text).expect(text).as_str(), text);
        }
        for text in ["", "1", "1.", ".1", "a.b", "run:3", "1.+2", "1 2.3", "1.99999999999999999999999"] {
            assert_eq!(Cursor::parse(text), None, "{text}");
        }
    }

    #[test]
    fn what_was_read_is_known_until_something_new_comes() {
        let cursor = |text: &str| Cursor::parse(text).expect(text);
        let mut progress = Progress::at(Some(cursor("a.2")));
        assert!(!progress.has_read(Some(&cursor("a.2"))), "not joined yet");
        progress.join();
        assert!(progress.has_read(Some(&cursor("a.1"))));
        assert!(progress.has_read(Some(&cursor("a.2"))));
        assert!(!progress.has_read(Some(&cursor("a.3"))));
        assert!(!progress.has_read(Some(&cursor("a.2"))));
    }

    #[test]
    fn numbers_order_places_of_one_epoch() {
        let cursor = |text: &str| Cursor::parse(text).expect(text);
        assert!(cursor("a.10").is_behind(&cursor("a.9")));
        assert!(!cursor("a.9").is_behind(&cursor("a.9")));
        assert!(cursor("b.1").is_behind(&cursor("a.9")));
    }
}
