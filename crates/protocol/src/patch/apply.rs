//! What a patch does to a document.
//!
//! Operations apply in place. Each one leaves an [`Undo`] behind, and when a
//! later one is refused they run backwards: the document is never copied, so a
//! patch costs what it touches, whether it succeeds or not.

use serde_json::Value;

use super::equal::same;
use super::error::{PatchError, PatchErrorKind};
use super::limits::{Budget, Limits};
use super::operation::{Operation, Patch};
use super::place::{self, Place, Put};
use super::pointer::Pointer;

impl Patch {
    /// Applies the patch within the default [`Limits`]: all of it, or on an
    /// error nothing.
    pub fn apply(&self, document: &mut Value) -> Result<(), PatchError> {
        self.apply_with(document, &Limits::default())
    }

    /// Applies the patch within the given limits: all of it, or on an error
    /// nothing.
    ///
    /// Beyond the letter of RFC 6902: removing the whole document leaves null,
    /// moving a value to where it is changes nothing, and paths into a
    /// JavaScript prototype are refused.
    pub fn apply_with(&self, document: &mut Value, limits: &Limits) -> Result<(), PatchError> {
        let position = limits.max_operations;
        if let Some(first) = self.get(position) {
            let kind = PatchErrorKind::TooManyOperations;
            return Err(PatchError::new(position, first, first.path(), kind));
        }
        let mut edit = Edit::new(document, limits);
        for (position, operation) in self.iter().enumerate() {
            edit.is_last = position + 1 == self.len();
            if let Err(Fault { pointer, kind }) = edit.perform(operation) {
                edit.roll_back();
                return Err(PatchError::new(position, operation, pointer, kind));
            }
        }
        Ok(())
    }
}

/// A document with a patch half applied.
struct Edit<'d, 'p> {
    document: &'d mut Value,
    budget: Budget,
    undo: Vec<Undo<'p>>,
    is_last: bool,
}

/// How to take back one operation, provided that all later ones have been.
enum Undo<'p> {
    Put { path: &'p Pointer, put: Put },
    Take { path: &'p Pointer, index: usize, value: Value },
    // The moved value is in the document, not here.
    Move { from: &'p Pointer, index: usize, path: &'p Pointer, put: Put },
}

/// What went wrong with which of an operation's pointers.
struct Fault<'p> {
    pointer: &'p Pointer,
    kind: PatchErrorKind,
}

fn at<'p>(pointer: &'p Pointer) -> impl FnOnce(PatchErrorKind) -> Fault<'p> {
    move |kind| Fault { pointer, kind }
}

impl<'d, 'p> Edit<'d, 'p> {
    fn new(document: &'d mut Value, limits: &Limits) -> Edit<'d, 'p> {
        Edit { document, budget: Budget::new(limits), undo: Vec::new(), is_last: false }
    }

    fn perform(&mut self, operation: &'p Operation) -> Result<(), Fault<'p>> {
        let path = operation.path();
        refuse_prototypes(path)?;
        match operation {
            Operation::Add { value, .. } => self.add(path, value).map_err(at(path)),
            Operation::Remove { .. } => self.remove(path).map_err(at(path)),
            Operation::Replace { value, .. } => self.replace(path, value).map_err(at(path)),
            Operation::Move { from, .. } => self.relocate(from, path),
            Operation::Copy { from, .. } => self.copy(from, path),
            Operation::Test { value, .. } => self.test(path, value).map_err(at(path)),
        }
    }

    fn add(&mut self, path: &'p Pointer, value: &Value) -> Result<(), PatchErrorKind> {
        self.budget.insert(path, value)?;
        let put = Place::find(self.document, path)?.put(value.clone());
        self.remember(Undo::Put { path, put });
        Ok(())
    }

    fn remove(&mut self, path: &'p Pointer) -> Result<(), PatchErrorKind> {
        let (index, value) = Place::find(self.document, path)?.take()?;
        self.remember(Undo::Take { path, index, value });
        Ok(())
    }

    fn replace(&mut self, path: &'p Pointer, value: &Value) -> Result<(), PatchErrorKind> {
        self.budget.insert(path, value)?;
        let old = place::replace(self.document, path, value.clone())?;
        let put = Put::Overwrote(old);
        self.remember(Undo::Put { path, put });
        Ok(())
    }

    fn copy(&mut self, from: &'p Pointer, path: &'p Pointer) -> Result<(), Fault<'p>> {
        refuse_prototypes(from)?;
        let original = place::get(self.document, from).map_err(at(from))?;
        self.budget.insert(path, original).map_err(at(path))?;
        let copy = original.clone();
        let place = Place::find(self.document, path).map_err(at(path))?;
        let put = place.put(copy);
        self.remember(Undo::Put { path, put });
        Ok(())
    }

    fn relocate(&mut self, from: &'p Pointer, path: &'p Pointer) -> Result<(), Fault<'p>> {
        refuse_prototypes(from)?;
        if from.encloses(path) {
            return Err(at(path)(PatchErrorKind::MoveIntoItself));
        }
        if from == path {
            let value = place::get(self.document, from);
            return value.map(drop).map_err(at(from));
        }
        // Only a move downwards can deepen the document.
        if path.depth() > from.depth() {
            let value = place::get(self.document, from).map_err(at(from))?;
            self.budget.nest(path, value).map_err(at(path))?;
        }
        self.carry(from, path)
    }

    // The target is looked up after the source is gone: RFC 6902 defines `move`
    // as a removal followed by an addition, and indices may have shifted.
    fn carry(&mut self, from: &'p Pointer, path: &'p Pointer) -> Result<(), Fault<'p>> {
        let source = Place::find(self.document, from);
        let (index, value) = source.and_then(Place::take).map_err(at(from))?;
        match Place::find(self.document, path) {
            Ok(target) => {
                let put = target.put(value);
                self.remember(Undo::Move { from, index, path, put });
                Ok(())
            }
            Err(kind) => {
                untake(self.document, from, index, value);
                Err(at(path)(kind))
            }
        }
    }

    fn test(&self, path: &Pointer, value: &Value) -> Result<(), PatchErrorKind> {
        let found = place::get(self.document, path)?;
        if same(found, value) { Ok(()) } else { Err(PatchErrorKind::TestFailed) }
    }

    // Nothing can fail after the last operation, so it needs no way back; most
    // patches have a single one and never allocate here.
    fn remember(&mut self, undo: Undo<'p>) {
        if !self.is_last {
            self.undo.push(undo);
        }
    }

    fn roll_back(self) {
        for undo in self.undo.into_iter().rev() {
            undo.run(self.document);
        }
    }
}

impl Undo<'_> {
    fn run(self, document: &mut Value) {
        match self {
            Undo::Put { path, put } => drop(unput(document, path, put)),
            Undo::Take { path, index, value } => untake(document, path, index, value),
            Undo::Move { from, index, path, put } => {
                let value = unput(document, path, put);
                untake(document, from, index, value);
            }
        }
    }
}

const UNDOABLE: &str = "later operations are already undone, so the place is as it was";

fn unput(document: &mut Value, path: &Pointer, put: Put) -> Value {
    place::unput(document, path, put).expect(UNDOABLE)
}

fn untake(document: &mut Value, path: &Pointer, index: usize, value: Value) {
    let place = Place::find(document, path).expect(UNDOABLE);
    place.untake(index, value);
}

fn refuse_prototypes(pointer: &Pointer) -> Result<(), Fault<'_>> {
    if pointer.touches_prototype() { Err(at(pointer)(PatchErrorKind::ForbiddenPath)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn apply(document: &Value, patch: &Value) -> Result<Value, PatchError> {
        let patch: Patch = serde_json::from_value(patch.clone()).expect("a patch");
        let mut patched = document.clone();
        let verdict = patch.apply(&mut patched);
        if verdict.is_err() {
            assert_eq!(patched.to_string(), document.to_string());
        }
        verdict.map(|()| patched)
    }

    fn check(document: Value, patch: Value, expected: Value) {
        let patched = apply(&document, &patch).expect("the patch applies");
        // As text: the order of keys matters here too.
        assert_eq!(patched.to_string(), expected.to_string(), "{patch}");
    }

    fn refuse(document: Value, patch: Value, expected: PatchErrorKind) {
        let error = apply(&document, &patch).expect_err("the patch is refused");
        assert_eq!(error.kind, expected, "{patch}");
    }

    #[test]
    fn add_sets_members_and_inserts_elements() {
        check(
            json!({"pen": 1}),
            json!([{"op": "add", "path": "/ink", "value": "blue"}]),
            json!({"pen": 1, "ink": "blue"}),
        );
        check(
            json!({"pen": 1, "ink": 2}),
            json!([{"op": "add", "path": "/pen", "value": null}]),
            json!({"pen": null, "ink": 2}),
        );
        check(
            json!({"list": ["a", "c"]}),
            json!([{"op": "add", "path": "/list/1", "value": "b"}]),
            json!({"list": ["a", "b", "c"]}),
        );
        check(
            json!({"list": ["a"]}),
            json!([
                {"op": "add", "path": "/list/1", "value": "b"},
                {"op": "add", "path": "/list/-", "value": ["c"]},
            ]),
            json!({"list": ["a", "b", ["c"]]}),
        );
        check(
            json!({"pen": 1}),
            json!([{"op": "add", "path": "/box", "value": {"lid": {}}},
                   {"op": "add", "path": "/box/lid/", "value": 0}]),
            json!({"pen": 1, "box": {"lid": {"": 0}}}),
        );
    }

    #[test]
    fn remove_keeps_the_order_of_what_stays() {
        check(
            json!({"a": 1, "b": 2, "c": 3, "d": 4}),
            json!([{"op": "remove", "path": "/b"}]),
            json!({"a": 1, "c": 3, "d": 4}),
        );
        check(json!([1, 2, 3]), json!([{"op": "remove", "path": "/1"}]), json!([1, 3]));
    }

    #[test]
    fn replace_changes_a_value_in_place() {
        check(
            json!({"a": 1, "b": [2, 3]}),
            json!([{"op": "replace", "path": "/a", "value": {"x": 1}},
                   {"op": "replace", "path": "/b/1", "value": 4}]),
            json!({"a": {"x": 1}, "b": [2, 4]}),
        );
    }

    #[test]
    fn move_is_a_removal_and_an_addition() {
        check(
            json!({"from": {"it": 1, "other": 2}, "to": {"old": 3}}),
            json!([{"op": "move", "from": "/from/it", "path": "/to/new"}]),
            json!({"from": {"other": 2}, "to": {"old": 3, "new": 1}}),
        );
        check(
            json!(["sow", "reap", "water", "mill"]),
            json!([{"op": "move", "from": "/1", "path": "/2"}]),
            json!(["sow", "water", "reap", "mill"]),
        );
        // Removing the first element shifts what index 1 then means.
        check(
            json!(["key", "mat", {"door": "shut"}]),
            json!([{"op": "move", "from": "/0", "path": "/1/door"}]),
            json!(["mat", {"door": "key"}]),
        );
    }

    #[test]
    fn moving_a_value_to_where_it_is_changes_nothing() {
        let document = json!({"a": [1, 2], "b": 2});
        for path in ["", "/a", "/a/0"] {
            let patch = json!([{"op": "move", "from": path, "path": path}]);
            check(document.clone(), patch, document.clone());
        }
        let absent = json!([{"op": "move", "from": "/c", "path": "/c"}]);
        refuse(document, absent, PatchErrorKind::PathMissing);
    }

    #[test]
    fn copy_leaves_the_original() {
        check(
            json!({"a": {"n": [1]}, "list": []}),
            json!([{"op": "copy", "from": "/a", "path": "/list/0"},
                   {"op": "add", "path": "/a/n/-", "value": 2},
                   {"op": "copy", "from": "/a", "path": "/a/inner"}]),
            json!({"a": {"n": [1, 2], "inner": {"n": [1, 2]}}, "list": [{"n": [1]}]}),
        );
    }

    #[test]
    fn the_whole_document_is_a_place_too() {
        let document = || json!({"a": {"b": 1}});
        let root = |op: &str| json!([{"op": op, "path": "", "value": [1], "from": "/a"}]);
        check(document(), root("add"), json!([1]));
        check(document(), root("replace"), json!([1]));
        check(document(), root("remove"), json!(null));
        check(document(), root("move"), json!({"b": 1}));
        check(document(), root("copy"), json!({"b": 1}));
        refuse(document(), root("test"), PatchErrorKind::TestFailed);
        check(document(), json!([{"op": "test", "path": "", "value": {"a": {"b": 1}}}]), document());
    }

    #[test]
    fn expected_values_compare_by_meaning() {
        let document = json!({"n": 1, "o": {"x": [1.0], "y": null}, "~/": "esc"});
        for (path, value) in
            [("/n", json!(1.0)), ("/o", json!({"y": null, "x": [1]})), ("/~0~1", json!("esc"))]
        {
            let patch = json!([{"op": "test", "path": path, "value": value}]);
            check(document.clone(), patch, document.clone());
        }
        let text = json!([{"op": "test", "path": "/n", "value": "1"}]);
        refuse(document, text, PatchErrorKind::TestFailed);
    }

    #[test]
    fn every_way_to_miss_has_its_kind() {
        let document = || json!({"a": {"b": 1}, "list": [1, 2]});
        let one = |op: &str, path: &str| json!([{"op": op, "path": path, "value": 0, "from": path}]);
        for op in ["remove", "replace", "test", "move", "copy"] {
            refuse(document(), one(op, "/c"), PatchErrorKind::PathMissing);
            refuse(document(), one(op, "/list/2"), PatchErrorKind::IndexOutOfRange);
            refuse(document(), one(op, "/list/-"), PatchErrorKind::IndexOutOfRange);
        }
        for op in ["add", "remove", "replace", "test", "move", "copy"] {
            refuse(document(), one(op, "/c/d"), PatchErrorKind::PathMissing);
            refuse(document(), one(op, "/a/b/c"), PatchErrorKind::NotAContainer);
            refuse(document(), one(op, "/list/01"), PatchErrorKind::BadIndex);
            refuse(document(), one(op, "/list/x/y"), PatchErrorKind::BadIndex);
            refuse(document(), one(op, "/list/3"), PatchErrorKind::IndexOutOfRange);
            refuse(document(), one(op, "/list/-/x"), PatchErrorKind::IndexOutOfRange);
        }
    }

    #[test]
    fn a_value_cannot_move_into_itself() {
        for (from, path) in [("/a", "/a/b"), ("", "/a"), ("/a", "/a/b/c")] {
            let patch = json!([{"op": "move", "from": from, "path": path}]);
            let document = json!({"a": {"b": {}}});
            refuse(document, patch, PatchErrorKind::MoveIntoItself);
        }
        check(json!({"a": 1}), json!([{"op": "move", "from": "/a", "path": "/ab"}]), json!({"ab": 1}));
    }

    #[test]
    fn prototypes_are_out_of_reach() {
        let document = || json!({"__proto__": {"x": 1}, "constructor": {"prototype": 1}, "y": 2});
        let forbidden = ["/__proto__", "/__proto__/x", "/constructor/prototype", "/y/__proto__/z"];
        for path in forbidden {
            for op in ["add", "remove", "replace", "test"] {
                let patch = json!([{"op": op, "path": path, "value": 1}]);
                refuse(document(), patch, PatchErrorKind::ForbiddenPath);
            }
            for op in ["move", "copy"] {
                let into = json!([{"op": op, "from": "/y", "path": path}]);
                refuse(document(), into, PatchErrorKind::ForbiddenPath);
                let out = json!([{"op": op, "from": path, "path": "/z"}]);
                refuse(document(), out, PatchErrorKind::ForbiddenPath);
            }
        }
        for path in ["/constructor", "/prototype", "/prototype/constructor", "/__proto"] {
            let patch = json!([{"op": "add", "path": "/prototype", "value": {}},
                               {"op": "add", "path": path, "value": 1}]);
            apply(&document(), &patch).expect("an ordinary name");
        }
    }

    #[test]
    fn a_late_failure_takes_everything_back() {
        let document = json!({"a": 1, "b": {"c": [1, 2, 3], "d": 4}, "e": 5});
        let steps = [
            json!({"op": "remove", "path": "/a"}),
            json!({"op": "add", "path": "/b/c/-", "value": 9}),
            json!({"op": "move", "from": "/b/c/0", "path": "/b/c/2"}),
            json!({"op": "move", "from": "/b/d", "path": "/e"}),
            json!({"op": "copy", "from": "/b", "path": "/b/c/1"}),
            json!({"op": "replace", "path": "/b/c/0", "value": {}}),
            json!({"op": "move", "from": "/b", "path": ""}),
            json!({"op": "remove", "path": ""}),
            json!({"op": "add", "path": "", "value": {"z": 1}}),
        ];
        for length in 0..=steps.len() {
            let mut patch = steps[..length].to_vec();
            apply(&document, &json!(patch)).expect("so far it applies");
            patch.push(json!({"op": "test", "path": "", "value": "never"}));
            let error = apply(&document, &json!(patch)).expect_err("the last step fails");
            assert_eq!((error.operation, error.op), (length, "test"));
        }
    }

    #[test]
    fn errors_name_the_pointer_at_fault() {
        let message = |patch: Value| {
            let error = apply(&json!({"a": {}, "n": 1}), &patch);
            error.expect_err("refused").to_string()
        };
        assert_eq!(
            message(json!([{"op": "remove", "path": "/n"},
                           {"op": "replace", "path": "/absent/deeper", "value": 1}])),
            "operation 1 (replace /absent/deeper): the path does not exist"
        );
        assert_eq!(
            message(json!([{"op": "move", "from": "/gone", "path": "/b"}])),
            "operation 0 (move /gone): the path does not exist"
        );
        assert_eq!(
            message(json!([{"op": "move", "from": "/a", "path": "/n/x"}])),
            "operation 0 (move /n/x): the path leads into a value that is neither object nor array"
        );
    }
}
