//! What is wrong with a script, and where.

use std::{fmt, io, path::PathBuf};

/// A place in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The part, such as `rules[0].do[2]`.
    pub path: String,
}

/// A mistake in a script. It prints as `hello.yaml:3:5: rules[0].do[1]: unknown key …`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScriptError {
    /// The file, or the name of the agent where there is none.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// The part at fault, such as `rules[0].do[2].tool.args`; empty for the whole.
    pub path: String,
    /// A sentence for people.
    pub message: String,
}

impl ScriptError {
    /// A mistake at a place.
    pub fn new(file: &str, place: Place, message: impl Into<String>) -> Self {
        let Place { line, column, path } = place;
        Self { file: file.to_owned(), line, column, path, message: message.into() }
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}:{}: ", self.file, self.line, self.column)?;
        if !self.path.is_empty() {
            write!(out, "{}: ", self.path)?;
        }
        out.write_str(&self.message)
    }
}

impl std::error::Error for ScriptError {}

/// The text of a file, or where it stops being one. What was saved in another encoding is told as a mistake of that file
/// alone, and never played with marks in the place of letters.
pub fn text_of(file: &str, bytes: Vec<u8>) -> Result<String, ScriptError> {
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let before = String::from_utf8_lossy(before);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|letter| *letter != '\n').count() + 1;
        let place = Place { line, column, path: String::new() };
        ScriptError::new(file, place, "this is not UTF-8; save the file as UTF-8")
    })
}

/// Why a folder of scripts was not loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// A file or the folder cannot be read.
    #[error("{} cannot be read: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Scripts have mistakes: all of them, by file and place.
    #[error("{}", lines(.0))]
    Scripts(Vec<ScriptError>),
}

fn lines(errors: &[ScriptError]) -> String {
    let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// The known name that somebody may have meant.
pub fn meant<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |known: &str| strsim::damerau_levenshtein(&name.to_lowercase(), &known.to_lowercase());
    let near = known.into_iter().map(|known| (distance(known), known)).min()?;
    (near.0 <= 1 + near.1.len() / 4).then_some(near.1)
}

/// The end of a sentence about a name that nobody knows.
pub(crate) fn suggestion(name: &str, known: &[&str]) -> String {
    match meant(name, known.iter().copied()) {
        Some(meant) => format!(", did you mean `{meant}`?"),
        None if known.is_empty() => ", nothing is allowed here".to_owned(),
        None => format!(", expected one of: {}", known.join(", ")),
    }
}
