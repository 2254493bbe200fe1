//! The tools of an agent.

use std::{collections::BTreeMap, fmt, sync::Arc};

use forestage_protocol::tool as agui;
use serde_json::Value;

use super::{RegisterError, Schema, Tool, ToolAbout, ToolError};

/// Tools by name, with their schemas compiled. A copy shares them.
///
/// ```
/// use forestage_runtime::tool::{Invocation, Tools, tool_fn};
/// use serde_json::{Value, json};
///
/// let echo = tool_fn("echo", |_call: Invocation, value: Value| async move { Ok(value) });
/// let tools = Tools::new().with(echo.description("Says it again"))?;
/// assert!(tools.check("echo", &json!({ "text": "hi" })).is_ok());
/// assert_eq!(tools.check("ecko", &json!({})).unwrap_err().code, "unknown_tool");
/// # Ok::<(), forestage_runtime::tool::RegisterError>(())
/// ```
#[derive(Clone, Default)]
pub struct Tools(BTreeMap<String, Entry>);

#[derive(Clone)]
struct Entry {
    tool: Arc<dyn Tool>,
    schema: Arc<Schema>,
}

impl Tools {
    /// No tools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same and this one.
    pub fn with(mut self, tool: impl Tool) -> Result<Self, RegisterError> {
        self.add(Arc::new(tool))?;
        Ok(self)
    }

    /// Adds one that is shared with others.
    pub fn add(&mut self, tool: Arc<dyn Tool>) -> Result<(), RegisterError> {
        let ToolAbout { name, parameters, .. } = tool.about();
        let name = name.clone();
        if !is_name(&name) {
            return Err(RegisterError::Name(name));
        }
        if self.0.contains_key(&name) {
            return Err(RegisterError::Duplicate(name));
        }
        let schema = Schema::compile(parameters)
            .map_err(|source| RegisterError::Schema { tool: name.clone(), source })?;
        self.0.insert(name, Entry { tool, schema: Arc::new(schema) });
        Ok(())
    }

    /// Adds those of others, compiled as they are. Returns the names that were taken already; what had them stays.
    pub fn merge(&mut self, others: &Self) -> Vec<String> {
        let mut taken = Vec::new();
        for (name, entry) in &others.0 {
            match self.0.contains_key(name) {
                true => taken.push(name.clone()),
                false => drop(self.0.insert(name.clone(), entry.clone())),
            }
        }
        taken
    }

    /// The one of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.0.get(name).map(|entry| &entry.tool)
    }

    /// All of them, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.0.values().map(|entry| &entry.tool)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks a call before anything happens: `unknown_tool` names those that are known, `invalid_arguments` tells what
    /// does not fit the schema, with the place of the first violation.
    pub fn check(&self, name: &str, arguments: &Value) -> Result<(), ToolError> {
        let known = || self.0.keys().map(String::as_str);
        let entry = self.0.get(name).ok_or_else(|| ToolError::unknown(name, known()))?;
        entry.schema.check(name, arguments)
    }

    /// The tools in the words of AG-UI, for models and for lists of capabilities.
    #[must_use]
    pub fn as_agui(&self) -> Vec<agui::Tool> {
        let tool = |tool: &Arc<dyn Tool>| {
            let ToolAbout { name, description, parameters, .. } = tool.about().clone();
            let parameters = Some(Value::Object(parameters).into());
            agui::Tool { parameters, ..agui::Tool::new(name, description) }
        };
        self.iter().filter(|tool| tool.about().for_model).map(tool).collect()
    }
}

fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && name.chars().count() <= 256 && !name.contains(char::is_control)
}

impl fmt::Debug for Tools {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_list().entries(self.iter().map(|tool| tool.about())).finish()
    }
}
