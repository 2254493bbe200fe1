//! Edits at one place of a document, each with its exact inverse.
//!
//! Finding a place can fail; filling it cannot. `apply.rs` relies on that to
//! change nothing when an operation is refused.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::error::PatchErrorKind;
use super::pointer::{self, Pointer};

/// Where a pointer leads: an existing value or room for a new one.
pub(super) enum Place<'a> {
    Whole(&'a mut Value),
    Member(&'a mut Map<String, Value>, Cow<'a, str>),
    /// The index is at most the array's length.
    Element(&'a mut Vec<Value>, usize),
}

/// What putting a value into a place did.
pub(super) enum Put {
    /// Another value was there.
    Overwrote(Value),
    /// The container grew at this index.
    Inserted(usize),
}

impl<'a> Place<'a> {
    pub(super) fn find(document: &'a mut Value, path: &'a Pointer) -> Result<Place<'a>, PatchErrorKind> {
        let Some((parent, token)) = path.split_last() else {
            return Ok(Place::Whole(document));
        };
        match descend_mut(document, parent)? {
            Value::Object(members) => Ok(Place::Member(members, token)),
            Value::Array(items) => match index(&token, items)? {
                index if index <= items.len() => Ok(Place::Element(items, index)),
                _ => Err(PatchErrorKind::IndexOutOfRange),
            },
            _ => Err(PatchErrorKind::NotAContainer),
        }
    }

    /// The `add` of RFC 6902: inserts into an array, sets a member.
    pub(super) fn put(self, value: Value) -> Put {
        match self {
            Place::Whole(document) => Put::Overwrote(std::mem::replace(document, value)),
            Place::Member(members, name) => put_member(members, name, value),
            Place::Element(items, index) => {
                items.insert(index, value);
                Put::Inserted(index)
            }
        }
    }

    /// Removes the value, and tells at which index it was. The whole document
    /// leaves null behind.
    pub(super) fn take(self) -> Result<(usize, Value), PatchErrorKind> {
        match self {
            Place::Whole(document) => Ok((0, document.take())),
            Place::Member(members, name) => {
                let position = members.keys().position(|key| *key == name);
                let taken = position.zip(members.shift_remove(name.as_ref()));
                taken.ok_or(PatchErrorKind::PathMissing)
            }
            Place::Element(items, index) if index < items.len() => Ok((index, items.remove(index))),
            Place::Element(..) => Err(PatchErrorKind::IndexOutOfRange),
        }
    }

    /// Undoes [`take`](Self::take).
    pub(super) fn untake(self, index: usize, value: Value) {
        match self {
            Place::Whole(document) => *document = value,
            Place::Member(members, name) => {
                members.shift_insert(index, name.into_owned(), value);
            }
            Place::Element(items, _) => items.insert(index, value),
        }
    }

    // A pointer that appended ends in `-`, which no longer finds the element.
    fn at(self, index: usize) -> Place<'a> {
        match self {
            Place::Element(items, _) => Place::Element(items, index),
            other => other,
        }
    }
}

/// Undoes [`Place::put`] and hands back what had been put.
pub(super) fn unput(document: &mut Value, path: &Pointer, put: Put) -> Result<Value, PatchErrorKind> {
    match put {
        Put::Overwrote(old) => replace(document, path, old),
        Put::Inserted(index) => {
            let (_, value) = Place::find(document, path)?.at(index).take()?;
            Ok(value)
        }
    }
}

/// Exchanges an existing value for another and returns the old one.
pub(super) fn replace(document: &mut Value, path: &Pointer, value: Value) -> Result<Value, PatchErrorKind> {
    let target = descend_mut(document, path.as_str())?;
    Ok(std::mem::replace(target, value))
}

/// The existing value at `path`.
pub(super) fn get<'d>(document: &'d Value, path: &Pointer) -> Result<&'d Value, PatchErrorKind> {
    path.tokens().try_fold(document, |value, token| match value {
        Value::Object(members) => members.get(token.as_ref()).ok_or(PatchErrorKind::PathMissing),
        Value::Array(items) => {
            let index = index(&token, items)?;
            items.get(index).ok_or(PatchErrorKind::IndexOutOfRange)
        }
        _ => Err(PatchErrorKind::NotAContainer),
    })
}

fn descend_mut<'d>(document: &'d mut Value, pointer: &str) -> Result<&'d mut Value, PatchErrorKind> {
    pointer::tokens(pointer).try_fold(document, |value, token| match value {
        Value::Object(members) => {
            let member = members.get_mut(token.as_ref());
            member.ok_or(PatchErrorKind::PathMissing)
        }
        Value::Array(items) => {
            let index = index(&token, items)?;
            items.get_mut(index).ok_or(PatchErrorKind::IndexOutOfRange)
        }
        _ => Err(PatchErrorKind::NotAContainer),
    })
}

fn index(token: &str, items: &[Value]) -> Result<usize, PatchErrorKind> {
    pointer::index(token, items.len()).ok_or(PatchErrorKind::BadIndex)
}

// Looked up before inserting, so that an existing member needs no new key.
fn put_member(members: &mut Map<String, Value>, name: Cow<'_, str>, value: Value) -> Put {
    if let Some(member) = members.get_mut(name.as_ref()) {
        return Put::Overwrote(std::mem::replace(member, value));
    }
    let index = members.len();
    members.insert(name.into_owned(), value);
    Put::Inserted(index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn at(text: &str) -> Pointer {
        Pointer::parse(text).expect("valid")
    }

    #[test]
    fn a_put_is_undone_exactly() {
        for path in ["", "/a", "/new", "/list/0", "/list/2", "/list/-"] {
            let before = json!({"a": 1, "b": {"c": 2}, "list": [1, 2]});
            let (mut document, path) = (before.clone(), at(path));
            let place = Place::find(&mut document, &path).expect("a place");
            let put = place.put(json!("put"));
            assert_ne!(document, before);
            let value = unput(&mut document, &path, put);
            assert_eq!(value, Ok(json!("put")), "{path}");
            assert_eq!(document.to_string(), before.to_string(), "{path}");
        }
    }

    #[test]
    fn a_take_is_undone_exactly() {
        for path in ["", "/a", "/b", "/b/c", "/list", "/list/0", "/list/1"] {
            let before = json!({"a": 1, "b": {"c": 2}, "list": [1, 2]});
            let (mut document, path) = (before.clone(), at(path));
            let (index, value) = Place::find(&mut document, &path).and_then(Place::take).expect("a value");
            assert_ne!(document, before);
            let place = Place::find(&mut document, &path).expect("a place");
            place.untake(index, value);
            assert_eq!(document.to_string(), before.to_string(), "{path}");
        }
    }

    #[test]
    fn taking_keeps_the_order_of_the_others() {
        let mut document = json!({"a": 1, "b": 2, "c": 3, "d": 4});
        let path = at("/b");
        let taken = Place::find(&mut document, &path).and_then(Place::take);
        assert_eq!(taken, Ok((1, json!(2))));
        assert_eq!(document.to_string(), r#"{"a":1,"c":3,"d":4}"#);
    }
}
