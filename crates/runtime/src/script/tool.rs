//! The tools of a script: declared once, with a schema for their arguments and a result.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    error::{Place, ScriptError},
    value::{Env, Shape, Time},
    yaml::{List, Placed},
};
use crate::{
    BoxFuture,
    tool::{Invocation, RegisterError, Tool, ToolAbout, ToolError, Tools},
};

/// A tool of the agent's.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ToolDeclaration")]
pub(super) struct ToolFile {
    /// Its name.
    pub(super) name: Placed<String>,
    /// What it does, for models and people.
    #[serde(default)]
    description: String,
    /// The JSON Schema of its arguments; any object fits where absent.
    #[serde(default)]
    #[schemars(with = "Option<Map<String, Value>>")]
    parameters: Option<Placed<Map<String, Value>>>,
    /// What it returns; null where absent. `{{args.path}}` is an argument.
    #[serde(default)]
    pub(super) result: Option<Shape>,
    /// How long it works.
    #[serde(default)]
    takes: Time,
    /// Whether it may be executed again when it is unknown whether it ran.
    #[serde(default)]
    repeatable: bool,
}

/// Makes tools of what a script declares.
pub(super) fn build(file_name: &str, declared: &List<ToolFile>, errors: &mut Vec<ScriptError>) -> Tools {
    let mut tools = Tools::new();
    for file in declared.iter() {
        if let Err(error) = tools.add(std::sync::Arc::new(ScriptTool::new(file))) {
            let (place, message) = file.tell(error);
            errors.push(ScriptError::new(file_name, place, message));
        }
    }
    tools
}

impl ToolFile {
    fn tell(&self, error: RegisterError) -> (Place, String) {
        match (error, &self.parameters) {
            (RegisterError::Schema { source, .. }, Some(parameters)) => {
                (parameters.place.clone(), source.to_string())
            }
            (error, _) => (self.name.place.clone(), error.to_string()),
        }
    }
}

/// A tool that returns what its script says.
#[derive(Debug)]
struct ScriptTool {
    about: ToolAbout,
    result: Option<Shape>,
    takes: Time,
}

impl ScriptTool {
    fn new(file: &ToolFile) -> Self {
        let parameters =
            file.parameters.as_ref().map(|parameters| parameters.value.clone()).unwrap_or_default();
        let about = ToolAbout::new(&file.name.value, &file.description).parameters(parameters);
        let about = ToolAbout { repeatable: file.repeatable, ..about };
        Self { about, result: file.result.clone(), takes: file.takes }
    }
}

impl Tool for ScriptTool {
    fn about(&self) -> &ToolAbout {
        &self.about
    }

    fn call(&self, call: Invocation, arguments: Value) -> BoxFuture<'_, Result<Value, ToolError>> {
        Box::pin(async move {
            if !self.takes.0.is_zero() {
                tokio::time::sleep(self.takes.0).await;
            }
            let (thread, run) = (call.thread_id.to_string(), call.run_id.to_string());
            let env = Env { thread, run, args: arguments, ..Env::default() };
            Ok(self.result.as_ref().map(|result| result.value(&env)).unwrap_or_default())
        })
    }
}
