//! A payload as messages of one version.

use forestage_protocol::Fault;
use serde_json::Value;

use crate::{Version, v0_8, v0_9};

/// The names of the member that holds the messages, in objects around a list.
pub(crate) const WRAPPERS: [&str; 4] = ["messages", "a2ui_operations", "operations", "a2ui_json"];

/// The messages of a payload. All of them are of one version.
#[derive(Clone, Debug, PartialEq)]
pub enum Messages {
    /// Of 0.8.
    V0_8(Vec<v0_8::Message>),
    /// Of 0.9, 0.9.1 or the candidate of 1.0.
    V0_9(Vec<v0_9::Message>),
}

impl Messages {
    /// Reads one message, a list of messages, an object around such a list, or any of these as a JSON string.
    ///
    /// This looks only at the messages themselves; what a catalog thinks of the components, a
    /// [`Checker`](crate::check::Checker) says.
    pub fn read(text: &str) -> Result<Self, Fault> {
        let value = serde_json::from_str(text)
            .map_err(|error| Fault::new("not_json", "", format!("not JSON: {error}")))?;
        Self::from_value(&value)
    }

    /// The same for what is JSON already.
    pub fn from_value(value: &Value) -> Result<Self, Fault> {
        match value {
            Value::String(text) => match serde_json::from_str(text) {
                Ok(inner @ (Value::Array(_) | Value::Object(_))) => Self::from_value(&inner),
                _ => Err(Fault::new("not_json", "", "the text holds no JSON object or list")),
            },
            Value::Array(list) => Self::from_list(list, ""),
            Value::Object(members) => {
                match WRAPPERS.iter().find_map(|name| Some((name, members.get(*name)?))) {
                    Some((name, Value::Array(list))) => Self::from_list(list, &format!("/{name}")),
                    Some((_, inner)) => Self::from_value(inner),
                    None => Self::from_list(std::slice::from_ref(value), ""),
                }
            }
            other => Err(crate::object::wrong("", "a message or a list of messages", other)),
        }
    }

    fn from_list(list: &[Value], path: &str) -> Result<Self, Fault> {
        let at = |index: usize| {
            if list.len() == 1 && path.is_empty() { String::new() } else { format!("{path}/{index}") }
        };
        let mut items = list.iter().enumerate().filter(|(_, item)| !draws_nothing(item));
        if is_0_8(list) {
            return items
                .map(|(index, it)| v0_8::Message::read(it, &at(index)))
                .collect::<Result<_, _>>()
                .map(Self::V0_8);
        }
        if let Some((index, _)) = items.clone().find(|(_, item)| is_0_8(std::slice::from_ref(item))) {
            let message = "messages of 0.8 and of 0.9 stand in one payload; write all of them in one version";
            return Err(Fault::new("mixed_versions", at(index), message));
        }
        items
            .try_fold(Vec::new(), |mut read, (index, item)| {
                read.push(v0_9::Message::read(item, &at(index))?);
                Ok(read)
            })
            .map(Self::V0_9)
    }

    /// How they are written.
    #[must_use]
    pub fn version(&self) -> Version {
        match self {
            Self::V0_8(_) => Version::V0_8,
            Self::V0_9(_) => Version::V0_9,
        }
    }

    /// Them as JSON.
    #[must_use]
    pub fn to_values(&self) -> Vec<Value> {
        match self {
            Self::V0_8(messages) => messages.iter().map(v0_8::Message::to_value).collect(),
            Self::V0_9(messages) => messages.iter().map(v0_9::Message::to_value).collect(),
        }
    }
}

/// Whether the first message that tells is one of 0.8.
fn is_0_8(list: &[Value]) -> bool {
    let has = |item: &Value, names: &[&str]| names.iter().any(|name| item.get(name).is_some());
    list.iter().find_map(|item| {
        let is_08 = has(item, &["surfaceUpdate", "dataModelUpdate", "beginRendering"]);
        let is_09 = has(item, &["createSurface", "updateComponents", "updateDataModel"]);
        let tells = is_08 || is_09 || has(item, &["deleteSurface"]);
        tells.then(|| is_08 || !is_09 && item.get("version").is_none())
    }) == Some(true)
}

fn draws_nothing(item: &Value) -> bool {
    ["callRendererFunction", "agentFunctionResponse"].iter().any(|name| item.get(name).is_some())
}
