//! How an [`Operation`] is written and read as JSON.
//!
//! By hand rather than derived: a tagged or flattened derive would buffer every
//! operation, and no derive keeps the `value` of a `remove`. Members come in
//! any order, so reading gathers them in a [`Draft`] and decides at the end
//! which of them the operation defines and which are [`Extra`].

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::extra::Extra;
use super::operation::Operation;
use super::pointer::Pointer;
use crate::wire::write;

impl Serialize for Operation {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut members = serializer.serialize_map(None)?;
        members.serialize_entry("op", self.op())?;
        members.serialize_entry("path", self.path())?;
        if let Some(from) = self.from() {
            members.serialize_entry("from", from)?;
        }
        if let Some(value) = self.value() {
            members.serialize_entry("value", value)?;
        }
        for (name, value) in self.extra().iter().filter(|(name, _)| !self.defines(name)) {
            members.serialize_entry(name, value)?;
        }
        members.end()
    }
}

impl Operation {
    /// Appends it as JSON, byte for byte what serde writes.
    pub(crate) fn write_json(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"op\":\"");
        out.extend_from_slice(self.op().as_bytes());
        out.extend_from_slice(b"\",\"path\":");
        write::text(self.path().as_str(), out);
        if let Some(from) = self.from() {
            out.extend_from_slice(b",\"from\":");
            write::text(from.as_str(), out);
        }
        if let Some(value) = self.value() {
            out.extend_from_slice(b",\"value\":");
            write::value(value, out);
        }
        for (name, value) in self.extra().iter().filter(|(name, _)| !self.defines(name)) {
            out.push(b',');
            write::text(name, out);
            out.push(b':');
            write::value(value, out);
        }
        out.push(b'}');
    }

    // An `Extra` built by hand may claim a member the operation writes itself;
    // writing it twice would be no valid object.
    fn defines(&self, name: &str) -> bool {
        match name {
            "op" | "path" => true,
            "from" => self.from().is_some(),
            "value" => self.value().is_some(),
            _ => false,
        }
    }
}

impl<'de> Deserialize<'de> for Operation {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Operation, D::Error> {
        deserializer.deserialize_map(OperationVisitor)
    }
}

struct OperationVisitor;

impl<'de> Visitor<'de> for OperationVisitor {
    type Value = Operation;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON Patch operation")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Operation, A::Error> {
        let mut draft = Draft::default();
        while let Some(name) = members.next_key()? {
            match name {
                Name::Op => draft.op = Some(members.next_value()?),
                Name::Path => draft.path = Some(members.next_value()?),
                Name::From => draft.from = Some(members.next_value()?),
                Name::Value => draft.value = Some(members.next_value()?),
                Name::Other(name) => {
                    draft.extra.insert(name, members.next_value()?);
                }
            }
        }
        draft.finish()
    }
}

/// An operation while its members arrive.
#[derive(Default)]
struct Draft {
    op: Option<Op>,
    path: Option<Pointer>,
    // Any value: on operations that do not define `from`, it need not be a pointer.
    from: Option<Value>,
    value: Option<Value>,
    extra: Map<String, Value>,
}

impl Draft {
    // Each variant claims its own members first; `rest` is what nobody claimed.
    fn finish<E: de::Error>(mut self) -> Result<Operation, E> {
        let op = self.op.ok_or_else(|| E::custom("an operation has no `op`"))?;
        let path = self.path(op)?;
        Ok(match op {
            Op::Add => Operation::Add { value: self.value(op, &path)?, extra: self.rest(), path },
            Op::Remove => Operation::Remove { extra: self.rest(), path },
            Op::Replace => Operation::Replace { value: self.value(op, &path)?, extra: self.rest(), path },
            Op::Move => Operation::Move { from: self.from(op, &path)?, extra: self.rest(), path },
            Op::Copy => Operation::Copy { from: self.from(op, &path)?, extra: self.rest(), path },
            Op::Test => Operation::Test { value: self.value(op, &path)?, extra: self.rest(), path },
        })
    }

    fn path<E: de::Error>(&mut self, op: Op) -> Result<Pointer, E> {
        let path = self.path.take();
        path.ok_or_else(|| E::custom(format_args!("{} operation has no `path`", op.name())))
    }

    fn value<E: de::Error>(&mut self, op: Op, path: &Pointer) -> Result<Value, E> {
        let value = self.value.take();
        value.ok_or_else(|| fault(op, path, "has no `value`"))
    }

    fn from<E: de::Error>(&mut self, op: Op, path: &Pointer) -> Result<Pointer, E> {
        match self.from.take() {
            Some(Value::String(text)) => Pointer::parse(text).map_err(E::custom),
            Some(_) => Err(fault(op, path, "has a `from` that is not a string")),
            None => Err(fault(op, path, "has no `from`")),
        }
    }

    fn rest(&mut self) -> Extra {
        let mut rest = std::mem::take(&mut self.extra);
        let unclaimed = [("from", self.from.take()), ("value", self.value.take())];
        for (name, value) in unclaimed {
            rest.extend(value.map(|value| (name.to_owned(), value)));
        }
        Extra::from(rest)
    }
}

fn fault<E: de::Error>(op: Op, path: &Pointer, what: &str) -> E {
    E::custom(format_args!("{} operation at {:?} {what}", op.name(), path.as_str()))
}

#[derive(Clone, Copy)]
enum Op {
    Add,
    Remove,
    Replace,
    Move,
    Copy,
    Test,
}

const OPS: [(&str, Op); 6] = [
    ("add", Op::Add),
    ("remove", Op::Remove),
    ("replace", Op::Replace),
    ("move", Op::Move),
    ("copy", Op::Copy),
    ("test", Op::Test),
];

impl Op {
    fn name(self) -> &'static str {
        OPS[self as usize].0
    }
}

impl<'de> Deserialize<'de> for Op {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Op, D::Error> {
        deserializer.deserialize_str(OpVisitor)
    }
}

struct OpVisitor;

impl Visitor<'_> for OpVisitor {
    type Value = Op;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a JSON Patch operation")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Op, E> {
        let known = OPS.iter().find(|(name, _)| *name == text);
        known.map(|(_, op)| *op).ok_or_else(|| {
            E::custom(format_args!(
                "unknown operation {text:?}, expected add, remove, replace, move, copy or test"
            ))
        })
    }
}

/// The name of a member; only names outside RFC 6902 need to be kept.
enum Name {
    Op,
    Path,
    From,
    Value,
    Other(String),
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Name, D::Error> {
        deserializer.deserialize_identifier(NameVisitor)
    }
}

struct NameVisitor;

impl Visitor<'_> for NameVisitor {
    type Value = Name;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a member")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Name, E> {
        Ok(match text {
            "op" => Name::Op,
            "path" => Name::Path,
            "from" => Name::From,
            "value" => Name::Value,
            other => Name::Other(other.to_owned()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Result<Operation, String> {
        let operation = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let value: Value = serde_json::from_str(text).expect("JSON");
        let again = Operation::deserialize(value).expect("a tree reads like text");
        assert_eq!(operation, again);
        Ok(operation)
    }

    /// What both writers write.
    fn written(operation: &Operation) -> String {
        let mut out = Vec::new();
        operation.write_json(&mut out);
        let text = String::from_utf8(out).expect("UTF-8");
        assert_eq!(serde_json::to_string(operation).expect("writes"), text);
        text
    }

    #[test]
    fn members_come_in_any_order() {
        let text = r#"{"value": {"deep": [1]}, "path": "/a", "op": "add"}"#;
        let expected = Operation::add(Pointer::parse("/a").expect("valid"), json!({"deep": [1]}));
        assert_eq!(read(text), Ok(expected));
    }

    #[test]
    fn undefined_members_survive_a_round_trip() {
        for text in [
            r#"{"op":"remove","path":"/a","note":"x","value":7}"#,
            r#"{"op":"remove","path":"/a","from":[1],"value":null}"#,
            r#"{"op":"add","path":"/a","value":1,"from":false}"#,
            r#"{"op":"move","path":"/a","from":"/b","value":{"z":1,"a":2}}"#,
            r#"{"op":"test","path":"","value":null,"":{},"Op":"add"}"#,
        ] {
            let operation = read(text).expect(text);
            assert!(!operation.extra().is_empty());
            assert_eq!(written(&operation), text);
        }
    }

    #[test]
    fn extras_never_repeat_a_defined_member() {
        let members = json!({"op": "test", "path": "/b", "value": 2, "from": "/c"});
        let extra = Extra::from(members.as_object().expect("an object").clone());
        let at = |text: &str| Pointer::parse(text).expect("valid");
        let add = Operation::Add { path: at("/a"), value: json!(1), extra: extra.clone() };
        assert_eq!(written(&add), r#"{"op":"add","path":"/a","value":1,"from":"/c"}"#);
        let moved = Operation::Move { from: at("/b"), path: at("/a"), extra };
        assert_eq!(written(&moved), r#"{"op":"move","path":"/a","from":"/b","value":2}"#);
    }

    #[test]
    fn a_null_value_counts_as_present() {
        let operation = read(r#"{"op": "test", "path": "/a", "value": null}"#);
        assert_eq!(operation.expect("valid").value(), Some(&Value::Null));
    }

    #[test]
    fn the_last_of_two_equal_members_counts_as_it_does_everywhere_in_json() {
        let operation = read(r#"{"op": "add", "op": "remove", "path": "/a"}"#).expect("valid");
        assert_eq!(operation.op(), "remove");
    }

    #[test]
    fn malformed_operations_say_what_is_wrong() {
        let check = |text: &str, expected: &str| {
            let error = read(text).expect_err(text);
            assert!(error.starts_with(expected), "{error}");
        };
        check("{}", "an operation has no `op`");
        check(r#"{"op": "add", "value": 1}"#, "add operation has no `path`");
        check(r#"{"op": "add", "path": "/a"}"#, r#"add operation at "/a" has no `value`"#);
        check(r#"{"op": "copy", "path": "/a"}"#, r#"copy operation at "/a" has no `from`"#);
        check(
            r#"{"op": "move", "path": "/a", "from": 3}"#,
            r#"move operation at "/a" has a `from` that is not a string"#,
        );
        check(r#"{"op": "move", "path": "/a", "from": "b"}"#, r#"pointer "b" does not start with a slash"#);
        check(r#"{"op": "remove", "path": "/~"}"#, r#"pointer "/~" has a ~ at byte 1"#);
        check(r#"{"op": "merge", "path": ""}"#, r#"unknown operation "merge", expected add, remove,"#);
        check("[]", "invalid type: sequence, expected a JSON Patch operation");
    }
}
