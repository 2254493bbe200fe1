//! A patch from one document to another.
//!
//! Agents hold their old and their new state; this writes the `STATE_DELTA`
//! between them. It looks for a short patch, not for the shortest one: time
//! stays about linear in the size of the documents.

use serde_json::{Map, Value};

use super::limits::Limits;
use super::operation::{Operation, Patch};
use super::pointer::Pointer;

/// The operations that turn `before` into `after`.
///
/// Applying the result to `before` gives a value equal to `after`; only the
/// order of keys may differ. It stays within the default limit on operations
/// and avoids paths that [`Patch::apply`] refuses, by replacing a larger part
/// where need be.
///
/// ```
/// use forestage_protocol::patch::diff;
/// use serde_json::json;
///
/// let patch = diff(&json!({"a": [1, 3], "b": 0}), &json!({"a": [1, 2, 3]}));
/// assert_eq!(
///     json!(patch),
///     json!([
///         {"op": "remove", "path": "/b"},
///         {"op": "add", "path": "/a/1", "value": 2},
///     ])
/// );
/// ```
pub fn diff(before: &Value, after: &Value) -> Patch {
    let mut writer = Writer::default();
    writer.value(before, after);
    if writer.operations.len() > Limits::default().max_operations {
        let whole = Operation::replace(Pointer::default(), after.clone());
        return Patch(vec![whole]);
    }
    Patch(writer.operations)
}

#[derive(Default)]
struct Writer {
    path: Pointer,
    operations: Vec<Operation>,
}

/// Whether anything of the old value remains in the new one.
#[derive(PartialEq)]
enum Fate {
    Kept,
    Replaced,
}

impl Writer {
    fn value(&mut self, before: &Value, after: &Value) -> Fate {
        match (before, after) {
            (Value::Object(old), Value::Object(new)) if !hides_a_change(&self.path, old, new) => {
                self.object(old, new);
                Fate::Kept
            }
            (Value::Array(old), Value::Array(new)) => self.array(old, new),
            _ if before == after => Fate::Kept,
            _ => self.replace(after.clone()),
        }
    }

    fn object(&mut self, before: &Map<String, Value>, after: &Map<String, Value>) {
        for name in before.keys().filter(|name| !after.contains_key(*name)) {
            self.below(name, |writer| writer.remove());
        }
        for (name, new) in after {
            self.below(name, |writer| match before.get(name) {
                Some(old) => drop(writer.value(old, new)),
                None => writer.add(new.clone()),
            });
        }
    }

    // An array of which no element survives is a new array. Objects are left
    // alone: their names say which value became which.
    fn array(&mut self, before: &[Value], after: &[Value]) -> Fate {
        let start = self.operations.len();
        let kept = self.elements(before, after);
        if kept || self.operations.len() <= start + 1 {
            return Fate::Kept;
        }
        self.operations.truncate(start);
        self.replace(after.to_vec().into())
    }

    /// Whether any element was kept, at least in part.
    fn elements(&mut self, before: &[Value], after: &[Value]) -> bool {
        let (head, tail) = common_ends(before, after);
        let old = &before[head..before.len() - tail];
        let new = &after[head..after.len() - tail];
        let mut kept = head + tail > 0;
        for (offset, (old, new)) in old.iter().zip(new).enumerate() {
            kept |= self.element(head + offset, |writer| writer.value(old, new)) == Fate::Kept;
        }
        // Backwards, so that no removal moves the next one.
        for index in (new.len()..old.len()).rev() {
            self.element(head + index, Writer::remove);
        }
        for (offset, value) in new.iter().enumerate().skip(old.len()) {
            self.element(head + offset, |writer| writer.add(value.clone()));
        }
        kept
    }

    fn element<T>(&mut self, index: usize, write: impl FnOnce(&mut Writer) -> T) -> T {
        self.below(&index.to_string(), write)
    }

    fn below<T>(&mut self, token: &str, write: impl FnOnce(&mut Writer) -> T) -> T {
        let length = self.path.as_str().len();
        self.path.push(token);
        let written = write(self);
        self.path.truncate(length);
        written
    }

    fn add(&mut self, value: Value) {
        let operation = Operation::add(self.path.clone(), value);
        self.operations.push(operation);
    }

    fn remove(&mut self) {
        let operation = Operation::remove(self.path.clone());
        self.operations.push(operation);
    }

    fn replace(&mut self, value: Value) -> Fate {
        let operation = Operation::replace(self.path.clone(), value);
        self.operations.push(operation);
        Fate::Replaced
    }
}

// No patch may name these members, so a change in them is a change of the
// object that holds them.
fn hides_a_change(path: &Pointer, before: &Map<String, Value>, after: &Map<String, Value>) -> bool {
    let differs = |name: &str| before.get(name) != after.get(name);
    let is_constructor = || path.as_str().ends_with("/constructor");
    differs("__proto__") || (is_constructor() && differs("prototype"))
}

/// How many elements agree at the front and, of the rest, at the back. Arrays
/// of equal length need no alignment, which saves comparing elements twice.
fn common_ends(before: &[Value], after: &[Value]) -> (usize, usize) {
    if before.len() == after.len() {
        return (0, 0);
    }
    let head = agreeing(before.iter().zip(after));
    let (before, after) = (&before[head..], &after[head..]);
    let tail = agreeing(before.iter().rev().zip(after.iter().rev()));
    (head, tail)
}

fn agreeing<'v>(pairs: impl Iterator<Item = (&'v Value, &'v Value)>) -> usize {
    pairs.take_while(|(before, after)| before == after).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(before: Value, after: Value, expected: Value) {
        let patch = diff(&before, &after);
        assert_eq!(json!(patch), expected);
        let mut patched = before;
        patch.apply(&mut patched).expect("a diff applies");
        assert_eq!(patched, after);
    }

    #[test]
    fn equal_documents_need_no_operation() {
        for document in [json!(null), json!([]), json!({"a": [1, {"b": 2}]})] {
            check(document.clone(), document, json!([]));
        }
    }

    #[test]
    fn objects_change_member_by_member() {
        check(
            json!({"keep": 1, "drop": 2, "deep": {"x": 1, "y": 2}}),
            json!({"keep": 1, "deep": {"x": 1, "y": 3}, "a/b": true}),
            json!([
                {"op": "remove", "path": "/drop"},
                {"op": "replace", "path": "/deep/y", "value": 3},
                {"op": "add", "path": "/a~1b", "value": true},
            ]),
        );
        check(
            json!({"count": 1}),
            json!({"count": 2}),
            json!([{"op": "replace", "path": "/count", "value": 2}]),
        );
    }

    #[test]
    fn arrays_keep_their_common_ends() {
        check(
            json!([1, 2, 3, 4, 5]),
            json!([1, 5]),
            json!([
                {"op": "remove", "path": "/3"},
                {"op": "remove", "path": "/2"},
                {"op": "remove", "path": "/1"},
            ]),
        );
        check(
            json!([1, 4]),
            json!([1, 2, 3, 4]),
            json!([
                {"op": "add", "path": "/1", "value": 2},
                {"op": "add", "path": "/2", "value": 3},
            ]),
        );
        check(
            json!([{"n": 1, "m": 0}, "x"]),
            json!([{"n": 2, "m": 0}, "x", "y"]),
            json!([
                {"op": "replace", "path": "/0/n", "value": 2},
                {"op": "add", "path": "/2", "value": "y"},
            ]),
        );
        check(
            json!([1, 2, 3]),
            json!([1, 5, 6, 7]),
            json!([
                {"op": "replace", "path": "/1", "value": 5},
                {"op": "replace", "path": "/2", "value": 6},
                {"op": "add", "path": "/3", "value": 7},
            ]),
        );
        check(
            json!([2, 3, 1]),
            json!([5, 6, 7, 1]),
            json!([
                {"op": "replace", "path": "/0", "value": 5},
                {"op": "replace", "path": "/1", "value": 6},
                {"op": "add", "path": "/2", "value": 7},
            ]),
        );
    }

    #[test]
    fn an_array_without_survivors_is_replaced() {
        check(
            json!({"list": [1, 2, 3]}),
            json!({"list": [4, 5]}),
            json!([{"op": "replace", "path": "/list", "value": [4, 5]}]),
        );
    }

    #[test]
    fn a_change_of_type_or_number_is_a_replacement() {
        let whole = |value: Value| json!([{"op": "replace", "path": "", "value": value}]);
        check(json!({"a": 1}), json!([1]), whole(json!([1])));
        check(json!(1), json!(1.0), whole(json!(1.0)));
    }

    #[test]
    fn forbidden_members_change_with_their_object() {
        check(
            json!({"o": {"__proto__": 1, "x": 1}, "y": {"__proto__": 1, "x": 1}}),
            json!({"o": {"__proto__": 2, "x": 1}, "y": {"__proto__": 1, "x": 2}}),
            json!([
                {"op": "replace", "path": "/o", "value": {"__proto__": 2, "x": 1}},
                {"op": "replace", "path": "/y/x", "value": 2},
            ]),
        );
        check(
            json!({"constructor": {"prototype": 1}, "prototype": 1}),
            json!({"constructor": {}, "prototype": 2}),
            json!([
                {"op": "replace", "path": "/constructor", "value": {}},
                {"op": "replace", "path": "/prototype", "value": 2},
            ]),
        );
    }

    #[test]
    fn a_diff_stays_within_the_limits() {
        let document = |members: u32, n: u32| Value::from_iter((0..members).map(|key| (key.to_string(), n)));
        let patch = diff(&document(10_001, 1), &document(10_001, 2));
        assert_eq!(patch.len(), 1);
        assert_eq!(patch[0].path().as_str(), "");
        assert_eq!(diff(&document(10_000, 1), &document(10_000, 2)).len(), 10_000);
    }
}
