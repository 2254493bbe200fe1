//! YAML that knows where it stands.
//!
//! [`read`] makes a type of a text. It goes on after a mistake in an element of a [`List`], so that several are
//! found at once, and names each with line, column and path.

mod fault;
mod list;
mod node;
mod placed;
mod reader;
mod scalar;

use std::cell::RefCell;

use serde::Deserialize;

use self::{fault::Fault, reader::At};
pub(super) use self::{list::List, placed::Placed};
use super::error::{Place, ScriptError};

/// Reads a text. Mistakes come in the order of the text.
pub(super) fn read<T: for<'de> Deserialize<'de>>(file: &str, text: &str) -> Result<T, Vec<ScriptError>> {
    let error = |fault: Fault| ScriptError::new(file, fault.place.unwrap_or_default(), fault.message);
    let root = node::parse(text).map_err(|fault| vec![error(fault)])?;
    let faults = RefCell::new(Vec::new());
    let at = At { node: &root, path: String::new(), faults: &faults };
    let value = T::deserialize(at).map_err(|fault| fault.or_at(|| at_root(&root)));
    let value = value.map_err(|fault| fault.note(&faults));
    let mut errors: Vec<_> = faults.into_inner().into_iter().map(error).collect();
    if let Ok(value) = value
        && errors.is_empty()
    {
        return Ok(value);
    }
    errors.sort_by_key(|error| (error.line, error.column));
    Err(errors)
}

fn at_root(root: &node::Node) -> Place {
    Place { line: root.line, column: root.column, path: String::new() }
}
