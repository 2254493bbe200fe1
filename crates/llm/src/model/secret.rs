//! Keys of providers. They come from the environment or from a file, and are never shown.

use std::{env, fs, path::Path};

use secrecy::{ExposeSecret, SecretString};

/// So much of a key has to stand in a text for it to be taken out.
const MIN_SCRUBBED: usize = 6;

/// A key. It prints as nothing.
#[derive(Clone, Debug)]
pub struct Key(SecretString);

/// Why there is no key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The variable is not set.
    #[error("the variable `{0}` is not set; it holds the key of the provider")]
    NoVariable(String),
    /// The file cannot be read.
    #[error("the key file `{path}` cannot be read: {why}")]
    NoFile {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
    /// There is nothing in it.
    #[error("the key in `{0}` is empty")]
    Empty(String),
}

impl Key {
    /// A key that somebody has at hand.
    #[must_use]
    pub fn new(key: &str) -> Self {
        Self(SecretString::from(key.to_owned()))
    }

    /// The key in a variable of the environment.
    pub fn from_env(name: &str) -> Result<Self, KeyError> {
        let value = env::var(name).map_err(|_| KeyError::NoVariable(name.to_owned()))?;
        Self::filled(&value, name)
    }

    /// The key in a file; white space around it does not count.
    pub fn from_file(path: &Path) -> Result<Self, KeyError> {
        let shown = path.display().to_string();
        let text = fs::read_to_string(path)
            .map_err(|error| KeyError::NoFile { path: shown.clone(), why: error.to_string() })?;
        Self::filled(&text, &shown)
    }

    fn filled(value: &str, place: &str) -> Result<Self, KeyError> {
        match value.trim() {
            "" => Err(KeyError::Empty(place.to_owned())),
            key => Ok(Self::new(key)),
        }
    }

    /// The key itself, for the one header that it belongs into.
    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }

    /// A text without the key, and without what looks like one: providers repeat keys when they refuse them.
    #[must_use]
    pub fn scrub(&self, text: &str) -> String {
        let key = self.expose();
        let text = if key.len() >= MIN_SCRUBBED { text.replace(key, "[key]") } else { text.to_owned() };
        without_keys(&text)
    }
}

/// How keys of providers begin.
const STARTS: [&str; 5] = ["sk-", "sk_", "xai-", "AIza", "gsk_"];

/// A text without what looks like a key. Nothing around it changes: the text may be JSON.
pub(crate) fn without_keys(text: &str) -> String {
    let is_sign = |sign: char| sign.is_alphanumeric() || matches!(sign, '-' | '_' | '*');
    let mut scrubbed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(is_sign) {
        let (before, word) = rest.split_at(start);
        let (word, after) = word.split_at(word.find(|sign| !is_sign(sign)).unwrap_or(word.len()));
        let is_key = word.len() > MIN_SCRUBBED && STARTS.iter().any(|start| word.starts_with(start));
        scrubbed.push_str(before);
        scrubbed.push_str(if is_key { "[key]" } else { word });
        rest = after;
    }
    scrubbed + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_prints_as_nothing() {
        let key = Key::new("sk-very-secret");
        assert!(!format!("{key:?}").contains("very"));
    }

    #[test]
    fn what_a_provider_repeats_of_a_key_is_taken_out() {
        let key = Key::new("abcdef-secret");
        let told = "Incorrect API key provided: abcdef-secret, or maybe sk-ab**yz. See the docs.";
        let scrubbed = key.scrub(told);
        assert_eq!(scrubbed, "Incorrect API key provided: [key], or maybe [key]. See the docs.");
    }

    #[test]
    fn json_stays_json_and_words_stay_words() {
        let told = r#"{"a":"my AIzaSy-abc_123.","b":["sk-0123456789","sk-i","task-0123456789"]}"#;
        let expected = r#"{"a":"my [key].","b":["[key]","sk-i","task-0123456789"]}"#;
        assert_eq!(without_keys(told), expected);
    }

    #[test]
    fn a_key_file_may_end_with_a_line_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, " abc\n").unwrap();
        assert_eq!(Key::from_file(&path).unwrap().expose(), "abc");
        fs::write(&path, "\n").unwrap();
        assert!(matches!(Key::from_file(&path), Err(KeyError::Empty(_))));
        assert!(matches!(Key::from_file(&folder.path().join("no")), Err(KeyError::NoFile { .. })));
    }
}
