//! The six operations of RFC 6902, and the list of them that is a patch.
//!
//! This file holds the data; `wire.rs` reads and writes it, `apply.rs` gives it
//! its meaning.

use std::ops::Deref;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::extra::Extra;
use super::pointer::Pointer;

/// One step of a [`Patch`].
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// Sets an object's member, or inserts into an array before an index.
    Add {
        /// Where the value goes; `-` as last token appends to an array.
        path: Pointer,
        /// The value to insert.
        value: Value,
        /// Members the standard does not define here.
        extra: Extra,
    },
    /// Deletes an existing value.
    Remove {
        /// What to delete.
        path: Pointer,
        /// Members the standard does not define here.
        extra: Extra,
    },
    /// Exchanges an existing value for another.
    Replace {
        /// What to exchange.
        path: Pointer,
        /// The new value.
        value: Value,
        /// Members the standard does not define here.
        extra: Extra,
    },
    /// Removes a value and adds it elsewhere.
    Move {
        /// Where the value is.
        from: Pointer,
        /// Where the value goes, once it has been removed.
        path: Pointer,
        /// Members the standard does not define here.
        extra: Extra,
    },
    /// Adds a copy of a value elsewhere.
    Copy {
        /// Where the original is.
        from: Pointer,
        /// Where the copy goes.
        path: Pointer,
        /// Members the standard does not define here.
        extra: Extra,
    },
    /// Fails the patch unless a value is as expected.
    Test {
        /// What to compare.
        path: Pointer,
        /// The expected value.
        value: Value,
        /// Members the standard does not define here.
        extra: Extra,
    },
}

impl Operation {
    /// `add`: insert `value` at `path`.
    pub fn add(path: Pointer, value: impl Into<Value>) -> Operation {
        let (value, extra) = (value.into(), Extra::default());
        Operation::Add { path, value, extra }
    }

    /// `remove`: delete what is at `path`.
    pub fn remove(path: Pointer) -> Operation {
        let extra = Extra::default();
        Operation::Remove { path, extra }
    }

    /// `replace`: exchange what is at `path` for `value`.
    pub fn replace(path: Pointer, value: impl Into<Value>) -> Operation {
        let (value, extra) = (value.into(), Extra::default());
        Operation::Replace { path, value, extra }
    }

    /// `move`: take what is at `from` to `path`.
    pub fn move_from(from: Pointer, path: Pointer) -> Operation {
        let extra = Extra::default();
        Operation::Move { from, path, extra }
    }

    /// `copy`: add what is at `from` once more at `path`.
    pub fn copy(from: Pointer, path: Pointer) -> Operation {
        let extra = Extra::default();
        Operation::Copy { from, path, extra }
    }

    /// `test`: insist that `value` is at `path`.
    pub fn test(path: Pointer, value: impl Into<Value>) -> Operation {
        let (value, extra) = (value.into(), Extra::default());
        Operation::Test { path, value, extra }
    }

    /// The name of the operation as JSON spells it.
    pub fn op(&self) -> &'static str {
        match self {
            Operation::Add { .. } => "add",
            Operation::Remove { .. } => "remove",
            Operation::Replace { .. } => "replace",
            Operation::Move { .. } => "move",
            Operation::Copy { .. } => "copy",
            Operation::Test { .. } => "test",
        }
    }

    /// The location the operation is about.
    pub fn path(&self) -> &Pointer {
        match self {
            Operation::Add { path, .. }
            | Operation::Remove { path, .. }
            | Operation::Replace { path, .. }
            | Operation::Move { path, .. }
            | Operation::Copy { path, .. }
            | Operation::Test { path, .. } => path,
        }
    }

    /// The source of a `move` or `copy`.
    pub fn from(&self) -> Option<&Pointer> {
        match self {
            Operation::Move { from, .. } | Operation::Copy { from, .. } => Some(from),
            _ => None,
        }
    }

    /// The value of an `add`, `replace` or `test`.
    pub fn value(&self) -> Option<&Value> {
        match self {
            Operation::Add { value, .. }
            | Operation::Replace { value, .. }
            | Operation::Test { value, .. } => Some(value),
            _ => None,
        }
    }

    /// The same as [`value`](Self::value), without a copy.
    pub fn into_value(self) -> Option<Value> {
        match self {
            Operation::Add { value, .. }
            | Operation::Replace { value, .. }
            | Operation::Test { value, .. } => Some(value),
            _ => None,
        }
    }

    /// What the operation carries beyond RFC 6902.
    pub fn extra(&self) -> &Extra {
        match self {
            Operation::Add { extra, .. }
            | Operation::Remove { extra, .. }
            | Operation::Replace { extra, .. }
            | Operation::Move { extra, .. }
            | Operation::Copy { extra, .. }
            | Operation::Test { extra, .. } => extra,
        }
    }
}

/// A JSON Patch: operations that apply one after the other, all or none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Patch(pub Vec<Operation>);

impl From<Vec<Operation>> for Patch {
    fn from(operations: Vec<Operation>) -> Patch {
        Patch(operations)
    }
}

impl FromIterator<Operation> for Patch {
    fn from_iter<I: IntoIterator<Item = Operation>>(operations: I) -> Patch {
        Patch(operations.into_iter().collect())
    }
}

impl Deref for Patch {
    type Target = [Operation];

    fn deref(&self) -> &[Operation] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn constructors_write_what_the_standard_shows() {
        let at = |text: &str| Pointer::parse(text).expect("valid");
        let patch = Patch::from(vec![
            Operation::test(at("/a"), 1),
            Operation::remove(at("/a")),
            Operation::add(at("/b"), json!(["x"])),
            Operation::replace(at("/b"), Value::Null),
            Operation::move_from(at("/b"), at("/c")),
            Operation::copy(at("/c"), at("/d")),
        ]);
        let expected = concat!(
            r#"[{"op":"test","path":"/a","value":1},"#,
            r#"{"op":"remove","path":"/a"},"#,
            r#"{"op":"add","path":"/b","value":["x"]},"#,
            r#"{"op":"replace","path":"/b","value":null},"#,
            r#"{"op":"move","path":"/c","from":"/b"},"#,
            r#"{"op":"copy","path":"/d","from":"/c"}]"#,
        );
        assert_eq!(serde_json::to_string(&patch).expect("writes"), expected);
        assert_eq!(serde_json::from_str::<Patch>(expected).expect("reads"), patch);
        assert_eq!(patch.iter().cloned().collect::<Patch>(), patch);
    }

    #[test]
    fn accessors_answer_only_for_their_own_members() {
        let at = |text: &str| Pointer::parse(text).expect("valid");
        let copy = Operation::copy(at("/a"), at("/b"));
        assert_eq!((copy.from(), copy.path()), (Some(&at("/a")), &at("/b")));
        assert_eq!(copy.value(), None);
        let add = Operation::add(at("/a"), 5);
        assert_eq!((add.from(), add.value()), (None, Some(&json!(5))));
        assert_eq!(add.into_value(), Some(json!(5)));
    }
}
