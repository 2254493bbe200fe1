//! Tools made of functions.

use std::{fmt, future::Future, sync::Arc};

use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value};

use super::{Invocation, Tool, ToolAbout, ToolError};
use crate::BoxFuture;

type Call = dyn Fn(Invocation, Value) -> BoxFuture<'static, Result<Value, ToolError>> + Send + Sync;

/// A tool made of a function by [`tool_fn`].
#[derive(Clone)]
pub struct ToolFn {
    about: ToolAbout,
    call: Arc<Call>,
}

/// A tool made of a typed function. The documentation of the arguments is what models and people read: that of the
/// struct describes the tool, that of its fields the arguments.
///
/// ```
/// use forestage_runtime::tool::{Invocation, Tool, tool_fn};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// /// Finds a free table.
/// #[derive(Deserialize, JsonSchema)]
/// struct FindTable {
///     /// How many people come.
///     people: u32,
/// }
///
/// let tool = tool_fn("find_table", |_call: Invocation, table: FindTable| async move {
///     let number: u32 = if table.people > 4 { "12".parse()? } else { 7 };
///     Ok(number)
/// });
/// assert_eq!(tool.about().description, "Finds a free table.");
/// assert_eq!(tool.about().parameters["properties"]["people"]["description"], "How many people come.");
/// ```
pub fn tool_fn<A, R, F, Done>(name: &str, function: F) -> ToolFn
where
    A: DeserializeOwned + JsonSchema + 'static,
    R: Serialize + 'static,
    F: Fn(Invocation, A) -> Done + Send + Sync + 'static,
    Done: Future<Output = Result<R, ToolError>> + Send + 'static,
{
    let (description, parameters) = parts(schemars::schema_for!(A).to_value());
    let about = ToolAbout::new(name, &description).parameters(parameters);
    let function = Arc::new(function);
    let call = move |call: Invocation, arguments: Value| {
        let function = function.clone();
        // Starting the work belongs to it: nothing happens before the future is polled.
        let work = async move {
            let arguments: A = serde_json::from_value(arguments)
                .map_err(|error| ToolError::new("invalid_arguments", error.to_string()))?;
            Ok(serde_json::to_value(function(call, arguments).await?)?)
        };
        Box::pin(work) as BoxFuture<'static, _>
    };
    ToolFn { about, call: Arc::new(call) }
}

/// The description of the arguments is that of the tool; the rest is their schema.
fn parts(schema: Value) -> (String, Map<String, Value>) {
    let Value::Object(mut schema) = schema else { return (String::new(), Map::new()) };
    schema.remove("$schema");
    schema.remove("title");
    let description = schema.remove("description");
    (description.as_ref().and_then(Value::as_str).unwrap_or_default().to_owned(), schema)
}

impl ToolFn {
    /// Says what it does, where the documentation of its arguments does not.
    #[must_use]
    pub fn description(mut self, description: &str) -> Self {
        description.clone_into(&mut self.about.description);
        self
    }

    /// It may be executed again with the same key when it is unknown whether it ran.
    #[must_use]
    pub fn repeatable(mut self) -> Self {
        self.about.repeatable = true;
        self
    }
}

impl Tool for ToolFn {
    fn about(&self) -> &ToolAbout {
        &self.about
    }

    fn call(&self, call: Invocation, arguments: Value) -> BoxFuture<'_, Result<Value, ToolError>> {
        (self.call)(call, arguments)
    }
}

impl fmt::Debug for ToolFn {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("ToolFn").field(&self.about).finish()
    }
}
