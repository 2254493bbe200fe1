//! Reading the members of an object, each with its path.

use forestage_protocol::Fault;
use serde_json::{Map, Value};

/// An object that is being read.
#[derive(Clone, Debug)]
pub(crate) struct Object<'v> {
    path: String,
    members: &'v Map<String, Value>,
}

impl<'v> Object<'v> {
    pub(crate) fn new(path: impl Into<String>, value: &'v Value) -> Result<Self, Fault> {
        let path = path.into();
        match value {
            Value::Object(members) => Ok(Self { path, members }),
            other => Err(wrong(path, "an object", other)),
        }
    }

    /// The path of a member.
    pub(crate) fn at(&self, name: &str) -> String {
        format!("{}/{}", self.path, name.replace('~', "~0").replace('/', "~1"))
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn members(&self) -> &'v Map<String, Value> {
        self.members
    }

    pub(crate) fn get(&self, name: &str) -> Option<&'v Value> {
        self.members.get(name)
    }

    /// A member that has to be there.
    pub(crate) fn needed(&self, name: &str) -> Result<&'v Value, Fault> {
        let missing = || Fault::new("missing_field", &self.path, format!("`{name}` is missing"));
        self.get(name).ok_or_else(missing)
    }

    pub(crate) fn text(&self, name: &str) -> Result<String, Fault> {
        let value = self.needed(name)?;
        value.as_str().map(str::to_owned).ok_or_else(|| wrong(self.at(name), "a text", value))
    }

    pub(crate) fn list(&self, name: &str) -> Result<&'v Vec<Value>, Fault> {
        let value = self.needed(name)?;
        value.as_array().ok_or_else(|| wrong(self.at(name), "a list", value))
    }

    pub(crate) fn object(&self, name: &str) -> Result<Object<'v>, Fault> {
        Object::new(self.at(name), self.needed(name)?)
    }

    pub(crate) fn optional_text(&self, name: &str) -> Result<Option<String>, Fault> {
        self.get(name).map(|_| self.text(name)).transpose()
    }

    pub(crate) fn optional_flag(&self, name: &str) -> Result<Option<bool>, Fault> {
        let read =
            |value: &Value| value.as_bool().ok_or_else(|| wrong(self.at(name), "true or false", value));
        self.get(name).map(read).transpose()
    }

    pub(crate) fn optional_map(&self, name: &str) -> Result<Option<Map<String, Value>>, Fault> {
        self.get(name).map(|_| self.object(name).map(|object| object.members.clone())).transpose()
    }
}

pub(crate) fn wrong(path: impl Into<String>, wanted: &str, found: &Value) -> Fault {
    Fault::new("wrong_type", path, format!("has to be {wanted}, not {}", kind(found)))
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}
