//! The tools of a script: declared once, with a schema for their arguments and a result.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};

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
    /// It returns what is remembered of the owner of the thread: `{"profile": …}` for `recalls: profile`, null if that is
    /// nothing.
    #[serde(default)]
    recalls: Option<Placed<String>>,
    /// It remembers what it is given, on whatever thread: the members of the argument `profile`, for `remembers: profile`,
    /// are written over those that are known. It returns `{"ok": true, "profile": …}`.
    #[serde(default)]
    remembers: Option<Placed<String>>,
    /// How long it works.
    #[serde(default)]
    takes: Time,
    /// Whether it may be executed again when it is unknown whether it ran.
    #[serde(default)]
    repeatable: bool,
}

/// The tools that a file of an agent declares.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct DeclaredTools(List<ToolFile>);

impl DeclaredTools {
    /// Makes tools of them.
    pub fn build(&self, file_name: &str, errors: &mut Vec<ScriptError>) -> Tools {
        build(file_name, &self.0, errors)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &ToolFile> {
        self.0.iter()
    }
}

impl JsonSchema for DeclaredTools {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        List::<ToolFile>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        List::<ToolFile>::json_schema(generator)
    }
}

fn build(file_name: &str, declared: &List<ToolFile>, errors: &mut Vec<ScriptError>) -> Tools {
    let mut tools = Tools::new();
    for file in declared.iter() {
        if let Some(place) = file.one_too_many() {
            let message = "a tool has one of `result`, `recalls` and `remembers`";
            errors.push(ScriptError::new(file_name, place.clone(), message));
        }
        if let Err(error) = tools.add(std::sync::Arc::new(ScriptTool::new(file))) {
            let (place, message) = file.tell(error);
            errors.push(ScriptError::new(file_name, place, message));
        }
    }
    tools
}

impl ToolFile {
    /// Where it says a second time what it does.
    fn one_too_many(&self) -> Option<&Place> {
        let (recalls, remembers) = (self.recalls.as_ref(), self.remembers.as_ref());
        let first = self.result.is_some() || recalls.is_some();
        match (recalls, remembers) {
            (_, Some(remembers)) if first => Some(&remembers.place),
            (Some(recalls), None) if self.result.is_some() => Some(&recalls.place),
            _ => None,
        }
    }

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
    work: Work,
    takes: Time,
}

/// What a tool does.
#[derive(Debug)]
enum Work {
    Returns(Option<Shape>),
    Recalls(String),
    Remembers(String),
}

impl ScriptTool {
    fn new(file: &ToolFile) -> Self {
        let parameters =
            file.parameters.as_ref().map(|parameters| parameters.value.clone()).unwrap_or_default();
        let about = ToolAbout::new(&file.name.value, &file.description).parameters(parameters);
        let about = ToolAbout { repeatable: file.repeatable, ..about };
        let work = match (&file.recalls, &file.remembers) {
            (Some(name), _) => Work::Recalls(name.value.clone()),
            (None, Some(name)) => Work::Remembers(name.value.clone()),
            (None, None) => Work::Returns(file.result.clone()),
        };
        Self { about, work, takes: file.takes }
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
            match &self.work {
                Work::Returns(result) => {
                    let (thread, run) = (call.thread_id.to_string(), call.run_id.to_string());
                    let env = Env { thread, run, args: arguments, ..Env::default() };
                    Ok(result.as_ref().map(|result| result.value(&env)).unwrap_or_default())
                }
                Work::Recalls(name) => Ok(json!({ name: call.notes.read(name).await? })),
                Work::Remembers(name) => {
                    let given = arguments.get(name).cloned().unwrap_or_default();
                    let known = call.notes.change(name, |known| write_over(known, &given)).await?;
                    Ok(json!({ "ok": true, name: known }))
                }
            }
        })
    }
}

/// Writes members over those that are known. What is not named stays; null takes a member away.
fn write_over(known: &mut Value, given: &Value) {
    let Value::Object(given) = given else { return };
    if !known.is_object() {
        *known = json!({});
    }
    let Value::Object(known) = known else { return };
    for (name, value) in given {
        match value {
            Value::Null => drop(known.remove(name)),
            Value::Object(_) => write_over(known.entry(name).or_insert_with(|| json!({})), value),
            other => drop(known.insert(name.clone(), other.clone())),
        }
    }
}
