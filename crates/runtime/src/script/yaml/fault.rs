//! A mistake on its way to the place where it is collected.

use std::{cell::RefCell, fmt};

use serde::de::{self, Expected, Unexpected};

use crate::script::error::{Place, suggestion};

/// A mistake; its place is filled in by the innermost reader that knows it.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: Option<Place>,
    pub(super) message: String,
    /// It is on the list of mistakes already, and only ends the reading.
    pub(super) is_noted: bool,
    /// It follows from another one, and is not told.
    pub(super) is_silent: bool,
    /// The innermost member that holds it; without that member the rest can be read.
    pub(super) member: Option<String>,
    /// The member that is not there, if that is the mistake.
    pub(super) missing: Option<&'static str>,
}

impl Fault {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self {
            place: None,
            message: message.into(),
            is_noted: false,
            is_silent: false,
            member: None,
            missing: None,
        }
    }

    pub(super) fn at(place: Place, message: impl Into<String>) -> Self {
        Self { place: Some(place), ..Self::new(message) }
    }

    /// Puts it on the list. What goes on from here only says so.
    pub(super) fn note(self, faults: &RefCell<Vec<Self>>) -> Self {
        if !self.is_noted {
            faults.borrow_mut().push(self);
        }
        Self { is_noted: true, ..Self::new("") }
    }

    /// In this member, unless it is known better already.
    pub(super) fn or_in(mut self, member: impl FnOnce() -> String) -> Self {
        self.member.get_or_insert_with(member);
        self
    }

    /// Whether it says the same.
    pub(super) fn is(&self, other: &Self) -> bool {
        (&self.place, &self.message) == (&other.place, &other.message)
    }

    /// Here, unless it is known better already.
    pub(super) fn or_at(mut self, place: impl FnOnce() -> Place) -> Self {
        self.place.get_or_insert_with(place);
        self
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::new(message.to_string())
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {}, found {}", plainly(expected), name(&found)))
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::new(format!("expected {}, found {}", plainly(expected), name(&found)))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("unknown name `{variant}`{}", suggestion(variant, expected)))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Self {
        Self::new(format!("unknown key `{field}`{}", suggestion(field, expected)))
    }

    fn missing_field(field: &'static str) -> Self {
        Self { missing: Some(field), ..Self::new(format!("`{field}` is missing")) }
    }
}

/// What is expected, without the names of our types.
fn plainly(expected: &dyn Expected) -> String {
    match expected.to_string().as_str() {
        "a string" | "string" => "a text".to_owned(),
        "a boolean" => "true or false".to_owned(),
        "u64" | "u32" => "a whole number from 0".to_owned(),
        "a map" => "a mapping".to_owned(),
        "a JSON number" => "a number".to_owned(),
        text if text.starts_with("struct ") => "a mapping".to_owned(),
        text if text.starts_with("enum ") => "a mapping with one key".to_owned(),
        other => other.to_owned(),
    }
}

/// What was found, in the words of YAML.
fn name(found: &Unexpected<'_>) -> String {
    match found {
        Unexpected::Unit => "nothing".to_owned(),
        Unexpected::Map => "a mapping".to_owned(),
        Unexpected::Seq => "a list".to_owned(),
        Unexpected::Str(text) => format!("the text `{text}`"),
        Unexpected::Bool(value) => format!("`{value}`"),
        Unexpected::Signed(number) => format!("the number {number}"),
        Unexpected::Unsigned(number) => format!("the number {number}"),
        Unexpected::Float(number) => format!("the number {number}"),
        other => other.to_string(),
    }
}
