//! Patterns that are tried on what a person says. What they catch is `{{1}}`, `{{2}}` and so on.

use serde::{Deserialize, Deserializer, de::Error};

use super::text_schema;

/// A pattern in which `*` is any text and `?` any character; case does not matter.
#[derive(Clone, Debug)]
pub(crate) struct Glob(Regex);

/// A regular expression.
#[derive(Clone, Debug)]
pub(crate) struct Regex(regex::Regex);

text_schema!(
    Glob,
    "A pattern for the whole text: * is any text (caught as {{1}}, {{2}}, …), ? any character. Case does not matter."
);
text_schema!(Regex, "A regular expression that is searched in the text; its groups are caught as {{1}}, {{2}}, …", "format": "regex");

impl Glob {
    /// Finds what the stars stand for; nothing if the pattern does not fit the whole text.
    pub(in crate::script) fn catch(&self, text: &str) -> Option<Vec<String>> {
        self.0.catch(text.trim())
    }

    /// Whether it fits the whole text.
    pub(crate) fn fits(&self, text: &str) -> bool {
        self.0.fits(text.trim())
    }

    /// How many stars there are.
    pub(in crate::script) fn catches(&self) -> usize {
        self.0.catches()
    }
}

impl Regex {
    /// Finds what the groups stand for; nothing if the expression is nowhere in the text.
    pub(in crate::script) fn catch(&self, text: &str) -> Option<Vec<String>> {
        let found = self.0.captures(text)?;
        let group = |group: Option<regex::Match<'_>>| group.map_or("", |group| group.as_str()).to_owned();
        Some(found.iter().skip(1).map(group).collect())
    }

    /// Whether it is somewhere in the text.
    pub(crate) fn fits(&self, text: &str) -> bool {
        self.0.is_match(text)
    }

    /// How many groups there are.
    pub(in crate::script) fn catches(&self) -> usize {
        self.0.captures_len() - 1
    }
}

impl<'de> Deserialize<'de> for Glob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let regex = regex::Regex::new(&expression(&text)).map_err(D::Error::custom)?;
        Ok(Self(Regex(regex)))
    }
}

fn expression(glob: &str) -> String {
    let mut expression = "(?is)^".to_owned();
    for letter in glob.trim().chars() {
        match letter {
            '*' => expression.push_str("(.*?)"),
            '?' => expression.push('.'),
            other => expression.push_str(&regex::escape(other.encode_utf8(&mut [0; 4]))),
        }
    }
    expression + "$"
}

impl<'de> Deserialize<'de> for Regex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        compile(&text, false).map_err(D::Error::custom)
    }
}

/// Compiles a regular expression, or says in a sentence why it is none.
pub(crate) fn compile(text: &str, ignores_case: bool) -> Result<Regex, String> {
    let compiled = regex::RegexBuilder::new(text).case_insensitive(ignores_case).build();
    compiled.map(Regex).map_err(|error| {
        let text = error.to_string();
        let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
        format!("this is not a regular expression: {last}")
    })
}
