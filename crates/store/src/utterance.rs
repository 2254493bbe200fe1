//! What people and agents wrote on threads, as text that can be searched.
//!
//! The log has every word in events; these are the whole messages, written by the same commit as the boundary of the run
//! that brought them, and deleted with their thread.

use forestage_protocol::id::{MessageId, ThreadId};

/// No more characters of a message can be found.
const MAX_CHARACTERS: usize = 100_000;

/// No more words of a search count.
const MAX_WORDS: usize = 12;

/// The text of a message. The same message again replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Utterance {
    /// The message, unique on its thread.
    pub message_id: MessageId,
    /// Whether a person wrote it.
    pub by_person: bool,
    /// The text.
    pub text: String,
}

impl Utterance {
    /// A text as a store keeps it: Postgres has no place for NUL, and nobody searches for it.
    pub fn new(message_id: impl Into<MessageId>, by_person: bool, text: &str) -> Self {
        let text = text.chars().filter(|sign| *sign != '\0').take(MAX_CHARACTERS).collect();
        Self { message_id: message_id.into(), by_person, text }
    }

    /// The text in which words are found, whatever the case of their letters.
    pub(crate) fn folded(&self) -> String {
        self.text.to_lowercase()
    }
}

/// What to look for. A message is found if it has all the words, each anywhere in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// On whose threads; a store never searches across owners.
    pub owner: String,
    /// The words, in lower case. Without any, nothing is found.
    pub words: Vec<String>,
    /// On archived threads too.
    pub archived: bool,
    /// At most so many messages.
    pub limit: usize,
}

impl Search {
    /// Looks for all words of a text on the threads of somebody.
    #[must_use]
    pub fn new(owner: &str, text: &str, limit: usize) -> Self {
        let words = text.split_whitespace().map(str::to_lowercase).map(|word| word.replace('\0', ""));
        let words = words.filter(|word| !word.is_empty()).take(MAX_WORDS).collect();
        Self { owner: owner.to_owned(), words, archived: false, limit }
    }
}

/// A message that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The thread it is on.
    pub thread_id: ThreadId,
    /// The message with its text.
    pub utterance: Utterance,
}
