//! Everything that is wrong with a value, so that it can be mended at once.

use std::{collections::HashSet, error::Error, fmt, ops::Deref};

use forestage_protocol::Fault;
use serde::Serialize;

/// More faults than this help nobody.
const MOST: usize = 32;

/// So many ids are held against each other; more are looked up.
const FEW: usize = 24;

/// A place in a value, as a JSON Pointer. It is written down when something is wrong there, and otherwise costs nothing.
pub(crate) trait Place {
    fn written(self) -> String;
}

impl Place for &str {
    fn written(self) -> String {
        self.to_owned()
    }
}

impl<F: FnOnce() -> String> Place for F {
    fn written(self) -> String {
        self()
    }
}

/// What is wrong with an answer, what is wrong with arguments, or what is unwise about them.
///
/// Only the codes of the first two lines are reasons not to show arguments; the others are warnings there.
///
/// | code | what |
/// |---|---|
/// | `missing_field`, `wrong_type`, `unknown_value` | the schema says otherwise |
/// | `invalid_uri`, `invalid_date`, `invalid_time`, `invalid_datetime` | a text is not of its format |
/// | `duplicate_id` | two things have one id, or one thing is there twice |
/// | `too_few_items`, `too_many_items` | nothing to choose from, nothing or too much chosen |
/// | `out_of_range`, `off_step`, `range_order` | a number or a time outside of its bounds, a range that ends before it begins |
/// | `unknown_id` | an answer names what was not shown |
/// | `wrong_id` | an answer is for another component than the one it came from |
/// | `mismatch` | two parts of a value do not belong together |
/// | `unexpected_field` | a part that this kind of component has not |
/// | `not_offered` | an action that was not on offer |
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Adds one. The path is a JSON Pointer.
    pub fn add(&mut self, code: &'static str, path: impl Into<String>, message: impl Into<String>) {
        if self.0.len() < MOST {
            self.0.push(Fault::new(code, path, message));
        }
    }

    /// Adds one unless this holds.
    pub(crate) fn ensure(
        &mut self,
        holds: bool,
        code: &'static str,
        path: impl Place,
        message: impl FnOnce() -> String,
    ) {
        if !holds {
            self.add(code, path.written(), message());
        }
    }

    /// Ids name one thing each, and something. The place of each is asked for where it does not.
    pub(crate) fn unique<'a>(
        &mut self,
        ids: impl Iterator<Item = &'a str> + Clone,
        place: impl Fn(usize) -> String,
    ) {
        let mut seen = HashSet::new();
        for (at, id) in ids.clone().enumerate() {
            self.ensure(!id.is_empty(), "out_of_range", || place(at), || "an id is not empty".to_owned());
            if at == FEW {
                seen.extend(ids.clone().take(FEW));
            }
            let is_new = if at < FEW { ids.clone().take(at).all(|it| it != id) } else { seen.insert(id) };
            self.ensure(is_new, "duplicate_id", || place(at), || format!("`{id}` is there twice"));
        }
    }

    /// A list has something in it.
    pub(crate) fn some<T>(&mut self, items: &[T], path: &str, what: &str) {
        self.ensure(!items.is_empty(), "too_few_items", path, || format!("there is not one of {what}"));
    }

    /// An id is one of those that were shown.
    pub(crate) fn known<'a>(
        &mut self,
        id: &str,
        place: impl Place,
        shown: impl Iterator<Item = &'a str> + Clone,
    ) -> bool {
        let is_known = shown.clone().any(|it| it == id);
        self.ensure(is_known, "unknown_id", place, || {
            format!("`{id}` was not shown; there are {}", listed(&shown.collect::<Vec<_>>()))
        });
        is_known
    }

    /// What was chosen was shown, each once, and no more than one unless several may be.
    pub(crate) fn chosen(&mut self, ids: &[String], path: &str, shown: &[&str], several: bool) {
        let at_most = if several { shown.len() } else { 1 };
        self.ensure(ids.len() <= at_most, "too_many_items", path, || {
            format!("{} are chosen, {at_most} can be", ids.len())
        });
        let place = |at: usize| format!("{path}/{at}");
        for (at, id) in ids.iter().enumerate() {
            self.known(id, || place(at), shown.iter().copied());
        }
        self.unique(ids.iter().map(String::as_str), place);
    }

    /// An answer is for this component.
    pub(crate) fn same(&mut self, id: &str, path: &str, shown: &str) {
        self.ensure(id == shown, "wrong_id", path, || {
            format!("`{id}` is not what was shown: it is `{shown}`")
        });
    }

    /// Nothing if nothing is wrong.
    pub(crate) fn none(self) -> Result<(), Self> {
        if self.0.is_empty() { Ok(()) } else { Err(self) }
    }
}

/// Names for a sentence, not too many.
pub(crate) fn listed(names: &[&str]) -> String {
    const MOST: usize = 12;
    let mut text: Vec<_> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    if names.len() > MOST {
        text.push(format!("{} more", names.len() - MOST));
    }
    if text.is_empty() { "none".to_owned() } else { text.join(", ") }
}

impl Deref for Faults {
    type Target = [Fault];

    fn deref(&self) -> &[Fault] {
        &self.0
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, fault) in self.0.iter().enumerate() {
            let separator = if at == 0 { "" } else { "; " };
            let place = if fault.path.is_empty() { String::new() } else { format!("{}: ", fault.path) };
            write!(out, "{separator}{place}{}", fault.message)?;
        }
        Ok(())
    }
}

impl Error for Faults {}
