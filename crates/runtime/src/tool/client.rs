//! The tools that a client offers with a run.

use std::{
    collections::BTreeMap,
    sync::{Arc, OnceLock},
};

use forestage_protocol::tool as agui;
use serde_json::{Map, Value};

use super::{
    SchemaError, ToolError,
    schema::{Schema, inline},
};

/// The tools of a client, of which only the schemas concern us: they run over there.
///
/// Schemas come from the network. They are bounded in size and depth, refer to nothing outside of themselves, and are
/// looked at when they are needed, so that one bad tool spoils no other. Where a name is there twice, the last counts.
#[derive(Clone, Debug, Default)]
pub struct ClientTools(BTreeMap<String, Arc<Entry>>);

#[derive(Debug)]
struct Entry {
    about: agui::Tool,
    read: OnceLock<Result<Read, SchemaError>>,
}

#[derive(Debug)]
struct Read {
    parameters: Map<String, Value>,
    schema: Schema,
}

impl ClientTools {
    /// The tools of a run's input.
    #[must_use]
    pub fn new(tools: &[agui::Tool]) -> Self {
        let entry = |tool: &agui::Tool| {
            let entry = Entry { about: tool.clone(), read: OnceLock::new() };
            (tool.name.clone(), Arc::new(entry))
        };
        Self(tools.iter().map(entry).collect())
    }

    /// The one of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&agui::Tool> {
        self.0.get(name).map(|entry| &entry.about)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &agui::Tool> {
        self.0.values().map(|entry| &entry.about)
    }

    /// The tools whose schemas are none, for whoever wants to refuse them early.
    pub fn problems(&self) -> impl Iterator<Item = (&str, &SchemaError)> {
        self.0.iter().filter_map(|(name, entry)| Some((name.as_str(), entry.read().as_ref().err()?)))
    }

    /// Checks a call before it is shown: `unknown_tool`, `invalid_schema` or `invalid_arguments`.
    pub fn check(&self, name: &str, arguments: &Value) -> Result<(), ToolError> {
        self.read(name)?.schema.check(name, arguments)
    }

    /// The schema of a tool's arguments without any references, safe to be put into another.
    pub fn parameters(&self, name: &str) -> Result<&Map<String, Value>, ToolError> {
        self.read(name).map(|read| &read.parameters)
    }

    fn read(&self, name: &str) -> Result<&Read, ToolError> {
        let known = || self.0.keys().map(String::as_str);
        let entry = self.0.get(name).ok_or_else(|| ToolError::unknown(name, known()))?;
        entry.read().as_ref().map_err(|error| {
            ToolError::new("invalid_schema", format!("the parameters of the client's tool `{name}`: {error}"))
        })
    }
}

impl Entry {
    fn read(&self) -> &Result<Read, SchemaError> {
        self.read.get_or_init(|| {
            let parameters = match &self.about.parameters {
                Some(parameters) => inline(parameters.get())?,
                None => Map::new(),
            };
            let schema = Schema::compile(&parameters)?;
            Ok(Read { parameters, schema })
        })
    }
}
