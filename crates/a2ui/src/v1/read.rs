//! Reading members, and telling what is wrong with them.

use std::fmt;

use serde_json::{Map, Value};

/// So many faults are told; whoever has more has other troubles.
const MAX_FAULTS: usize = 20;

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where, such as `root.children[1].fields[0].name`. Empty for the whole.
    pub path: String,
    /// What, as a sentence without a full stop.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.as_str() {
            "" => out.write_str(&self.message),
            path => write!(out, "{path}: {}", self.message),
        }
    }
}

/// Everything that is wrong, in the order of the tree. Never empty.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// The first of them.
    #[must_use]
    pub fn first(&self) -> &Fault {
        &self.0[0]
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Fault> {
        self.0.iter()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let faults: Vec<_> = self.0.iter().map(Fault::to_string).collect();
        out.write_str(&faults.join("; "))
    }
}

/// Collects what is wrong while something is read.
#[derive(Debug, Default)]
pub(super) struct Report(Vec<Fault>);

impl Report {
    pub(super) fn add(&mut self, path: &str, message: impl Into<String>) {
        if self.0.len() < MAX_FAULTS {
            self.0.push(Fault { path: path.to_owned(), message: message.into() });
        }
    }

    /// What was read, if nothing is wrong with it.
    pub(super) fn finish<T>(self, read: Option<T>) -> Result<T, Faults> {
        match (read, self.0.is_empty()) {
            (Some(read), true) => Ok(read),
            (_, false) => Err(Faults(self.0)),
            (None, true) => {
                Err(Faults(vec![Fault { path: String::new(), message: "cannot be read".to_owned() }]))
            }
        }
    }
}

/// An object that is being read.
pub(super) struct Object<'v> {
    pub(super) path: String,
    members: &'v Map<String, Value>,
}

impl<'v> Object<'v> {
    pub(super) fn new(path: String, value: &'v Value, report: &mut Report) -> Option<Self> {
        match value {
            Value::Object(members) => Some(Self { path, members }),
            other => {
                report.add(&path, format!("expected an object, found {}", kind(other)));
                None
            }
        }
    }

    /// The path of a member.
    pub(super) fn at(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }

    /// A member that has to be there.
    pub(super) fn needed(&self, name: &str, report: &mut Report) -> Option<&'v Value> {
        let found = self.members.get(name);
        if found.is_none() {
            report.add(&self.at(name), "is missing");
        }
        found
    }

    /// A text that has to be there.
    pub(super) fn text(&self, name: &str, report: &mut Report) -> Option<String> {
        let found = self.needed(name, report)?;
        self.expect(name, found, "a text", found.as_str().map(str::to_owned), report)
    }

    /// A text that has to be there and to say something.
    pub(super) fn name(&self, name: &str, report: &mut Report) -> Option<String> {
        let found = self.text(name, report)?;
        if found.is_empty() {
            report.add(&self.at(name), "must not be empty");
            return None;
        }
        Some(found)
    }

    /// One of a few words that has to be there.
    pub(super) fn word(&self, name: &str, words: &[&str], report: &mut Report) -> Option<String> {
        let found = self.text(name, report)?;
        if words.contains(&found.as_str()) {
            return Some(found);
        }
        let words: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
        report.add(&self.at(name), format!("expected {}, found `{found}`", words.join(" or ")));
        None
    }

    pub(super) fn list(&self, name: &str, report: &mut Report) -> Option<&'v Vec<Value>> {
        let found = self.needed(name, report)?;
        self.expect(name, found, "a list", found.as_array(), report)
    }

    pub(super) fn optional_text(&self, name: &str, report: &mut Report) -> Option<String> {
        self.optional(name, "a text", |value| value.as_str().map(str::to_owned), report)
    }

    /// A member that may be absent.
    pub(super) fn optional<T>(
        &self,
        name: &str,
        wanted: &str,
        read: impl FnOnce(&'v Value) -> Option<T>,
        report: &mut Report,
    ) -> Option<T> {
        let found = self.members.get(name)?;
        self.expect(name, found, wanted, read(found), report)
    }

    fn expect<T>(
        &self,
        name: &str,
        found: &Value,
        wanted: &str,
        read: Option<T>,
        report: &mut Report,
    ) -> Option<T> {
        if read.is_none() {
            report.add(&self.at(name), format!("expected {wanted}, found {}", kind(found)));
        }
        read
    }
}

/// What a value is, for people.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
