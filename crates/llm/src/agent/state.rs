//! The state that an agent shares with clients, read and changed by its model through typed tools.

use std::sync::Arc;

use forestage_protocol::patch::diff;
use forestage_runtime::{
    RunContext, StateError, Stop, Used,
    tool::{RegisterError, ToolAbout, ToolError, Tools},
};
use serde_json::{Map, Value, json};

use super::offer::object;

/// The tool that reads the state.
pub(super) const GET: &str = "get_state";

/// The tool that changes it.
pub(super) const UPDATE: &str = "update_state";

/// What a state looks like, and how it begins.
#[derive(Clone, Debug)]
pub struct StateRules {
    initial: Value,
    schema: Map<String, Value>,
    /// Holds the schema, compiled.
    check: Arc<Tools>,
}

/// Why something is no description of a state.
pub type StateRulesError = RegisterError;

impl StateRules {
    /// A state that begins like this and always fits this JSON Schema.
    pub fn new(initial: Value, schema: Map<String, Value>) -> Result<Self, StateRulesError> {
        let mut check = Tools::new();
        check.add(Arc::new(Shape(ToolAbout::new("state", "").parameters(schema.clone()))))?;
        Ok(Self { initial, schema, check: Arc::new(check) })
    }

    /// What is wrong with how it begins.
    pub fn check_initial(&self) -> Result<(), ToolError> {
        self.check.check("state", &self.initial).map_err(|error| in_words(error, "initial"))
    }

    /// A thread without a state gets the initial one.
    pub(super) async fn begin(&self, ctx: &RunContext) -> Result<(), StateError> {
        let state = ctx.state();
        let is_empty = state.is_null() || state.as_object().is_some_and(Map::is_empty);
        if is_empty && !self.initial.is_null() { ctx.set_state(&self.initial).await } else { Ok(()) }
    }

    pub(super) fn tools(&self) -> [(&'static str, String, Map<String, Value>); 2] {
        let changes = loosened(&Value::Object(self.schema.clone()));
        [
            (GET, "Reads the state that you share with the person's screen.".to_owned(), Map::new()),
            (
                UPDATE,
                "Changes the state that you share with the person's screen. `changes` holds just the members that change; null removes one.".to_owned(),
                object(json!({ "changes": changes })),
            ),
        ]
    }

    pub(super) async fn call(&self, ctx: &RunContext, name: &str, arguments: &Value) -> Result<Used, Stop> {
        if name == GET {
            return Ok(Ok(ctx.state().to_string()));
        }
        let mut state = ctx.state();
        merge(&mut state, arguments.get("changes").unwrap_or(&Value::Null));
        if let Err(error) = self.check.check("state", &state) {
            return Ok(Err(in_words(error, "changed")));
        }
        match ctx.patch_state(diff(&ctx.state(), &state)).await {
            Ok(()) => Ok(Ok(json!({ "state": state }).to_string())),
            Err(StateError::Stop(stop)) => Err(stop),
            Err(error) => Ok(Err(ToolError::new("state", error.to_string()))),
        }
    }
}

/// What is wrong with a state, which is checked as if it were arguments.
fn in_words(error: ToolError, which: &str) -> ToolError {
    let message = error.message.replace("the arguments of `state` do", &format!("the {which} state does"));
    ToolError { message: message.replace("arguments.", "state."), ..error }
}

/// A schema for a part of what it describes: nothing is required, and anything may be taken away.
fn loosened(schema: &Value) -> Value {
    let Value::Object(members) = schema else { return schema.clone() };
    let mut loose = members.clone();
    loose.remove("required");
    loose.remove("$schema");
    if let Some(Value::Object(properties)) = loose.get_mut("properties") {
        properties.values_mut().for_each(|property| *property = loosened(property));
    }
    Value::Object(loose)
}

/// JSON Merge Patch.
fn merge(state: &mut Value, changes: &Value) {
    let Value::Object(changes) = changes else { return };
    if !state.is_object() {
        *state = json!({});
    }
    let Value::Object(state) = state else { return };
    for (name, change) in changes {
        match change {
            Value::Null => drop(state.remove(name)),
            Value::Object(_) => merge(state.entry(name).or_insert_with(|| json!({})), change),
            other => drop(state.insert(name.clone(), other.clone())),
        }
    }
}

/// Stands for the schema among tools, which compile and check theirs.
#[derive(Debug)]
struct Shape(ToolAbout);

impl forestage_runtime::tool::Tool for Shape {
    fn about(&self) -> &ToolAbout {
        &self.0
    }

    fn call(
        &self,
        _call: forestage_runtime::tool::Invocation,
        _arguments: Value,
    ) -> forestage_runtime::BoxFuture<'_, Result<Value, ToolError>> {
        Box::pin(async { Err(ToolError::new("unknown_tool", "this is not a tool")) })
    }
}
