//! YAML that knows where it stands.
//!
//! [`read_part`] makes a type of a text. After a mistake it goes on, so that all are found at once, and names each with line,
//! column and path: in a [`List`] with the next element, and in a mapping by reading the whole again without the bad
//! member.

mod fault;
mod list;
mod node;
mod placed;
mod reader;
mod scalar;

use std::{cell::RefCell, collections::HashSet, marker::PhantomData};

use serde::Deserialize;

use self::{fault::Fault, reader::At};
pub use self::{list::List, placed::Placed};
use super::error::ScriptError;

/// How often a text is read again. Whoever has made more mistakes than this in mappings gets the rest the next time.
const AGAIN: usize = 50;

/// Reads as much of a text as is good, and the mistakes in the order of the text. Without mistakes there is a value.
pub fn read_part<T: for<'de> Deserialize<'de>>(file: &str, text: &str) -> (Option<T>, Vec<ScriptError>) {
    let error = |fault: Fault| ScriptError::new(file, fault.place.unwrap_or_default(), fault.message);
    let root = match node::parse(text) {
        Ok(root) => root,
        Err(fault) => return (None, vec![error(fault)]),
    };
    let (value, faults) = read_tree(&root);
    let mut errors: Vec<_> = faults.into_iter().map(error).collect();
    errors.sort_by_key(|error| (error.line, error.column));
    (value, errors)
}

fn read_tree<T: for<'de> Deserialize<'de>>(root: &node::Node) -> (Option<T>, Vec<Fault>) {
    let (mut found, mut bad) = (Vec::<Fault>::new(), HashSet::new());
    for _ in 0..AGAIN {
        let faults = RefCell::new(Vec::new());
        let at = At { node: root, path: String::new(), faults: &faults, bad: &bad };
        let value = at.read(PhantomData::<T>).map_err(|fault| fault.note(&faults));
        let faults = faults.into_inner();
        let more: Vec<_> = faults.iter().filter_map(|fault| fault.member.clone()).collect();
        for fault in faults {
            if !fault.is_silent && !found.iter().any(|known| known.is(&fault)) {
                found.push(fault);
            }
        }
        let known = bad.len();
        bad.extend(more);
        if bad.len() == known {
            return (value.ok(), found);
        }
    }
    (None, found)
}
