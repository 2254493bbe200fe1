//! Schemas of arguments, compiled. The one place of `tool/` that knows the validator.

mod inline;
mod walk;

use jsonschema::{PatternOptions, Validator, paths::LocationSegment};
use serde_json::{Map, Value};

pub(super) use self::{inline::inline, walk::each_schema};
use super::error::{SchemaError, ToolError};

/// How many violations a message tells, and how long each may be: enough to mend a call, and no flood.
const TOLD: usize = 5;
const LENGTH: usize = 300;

/// How much a pattern from the network may cost.
const BACKTRACKS: usize = 100_000;
const PATTERN_SIZE: usize = 1 << 20;

/// The schema of a tool's arguments.
#[derive(Debug)]
pub(crate) struct Schema(Validator);

impl Schema {
    /// Compiles a schema. Nothing is fetched.
    pub(crate) fn compile(schema: &Map<String, Value>) -> Result<Self, SchemaError> {
        for_objects(schema)?;
        let patterns = PatternOptions::fancy_regex().backtrack_limit(BACKTRACKS).size_limit(PATTERN_SIZE);
        let options = jsonschema::options().offline().with_pattern_options(patterns);
        let validator = options.build(&Value::Object(schema.clone())).map_err(|error| {
            let place = error.instance_path().as_str();
            let place = if place.is_empty() { String::new() } else { format!(" at {place}") };
            SchemaError::Invalid(format!("{}{place}", shorten(&error.to_string())))
        })?;
        Ok(Self(validator))
    }

    /// Checks the arguments of a call of this tool.
    pub(crate) fn check(&self, tool: &str, arguments: &Value) -> Result<(), ToolError> {
        if !arguments.is_object() {
            let text = format!("the arguments of `{tool}` have to be an object");
            return Err(ToolError::new("invalid_arguments", text).at("arguments"));
        }
        let violations: Vec<_> = self.0.iter_errors(arguments).take(TOLD + 1).collect();
        let Some(first) = violations.first() else { return Ok(()) };
        let tell = |error: &jsonschema::ValidationError<'_>| {
            format!(
                "{}: {}",
                path("arguments", error.instance_path().segments()),
                shorten(&error.to_string())
            )
        };
        let mut told: Vec<_> = violations.iter().take(TOLD).map(tell).collect();
        if violations.len() > TOLD {
            told.push("and more".to_owned());
        }
        let text = format!("the arguments of `{tool}` do not fit: {}", told.join("; "));
        Err(ToolError::new("invalid_arguments", text).at(path("arguments", first.instance_path().segments())))
    }
}

fn for_objects(schema: &Map<String, Value>) -> Result<(), SchemaError> {
    match schema.get("type") {
        Some(Value::String(kind)) if kind != "object" => Err(SchemaError::NotAnObject(kind.clone())),
        Some(Value::Array(kinds)) if !kinds.iter().any(|kind| kind == "object") => {
            Err(SchemaError::NotAnObject(Value::from(kinds.clone()).to_string()))
        }
        _ => Ok(()),
    }
}

/// A place in a value that is called `root`, such as `arguments.items[0].amount`.
pub(crate) fn path<'a>(root: &str, segments: impl Iterator<Item = LocationSegment<'a>>) -> String {
    let mut path = root.to_owned();
    for segment in segments {
        match segment {
            LocationSegment::Index(index) => path += &format!("[{index}]"),
            LocationSegment::Property(name) if is_plain(&name) => path += &format!(".{name}"),
            LocationSegment::Property(name) => path += &format!("[{}]", Value::from(name.as_ref())),
        }
    }
    path
}

fn is_plain(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    !name.is_empty() && name.chars().all(is_letter)
}

/// A message may quote a whole document.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
