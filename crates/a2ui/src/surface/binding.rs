//! What a value comes to: literals, bindings to the model, and calls of functions.

use serde_json::{Map, Value};

use super::{model::DataModel, path::Path};
use crate::function::{self, FunctionError, MAX_ARGUMENTS, MAX_CALL_DEPTH, MAX_NESTING, MAX_WORK};

/// So many faults are told for one value.
const MAX_FAULTS: usize = 20;

/// Where a value is looked at: a model, the item that a template shows, and what belongs to the person who looks.
///
/// ```
/// use forestage_a2ui::surface::{DataModel, Path, Scope};
/// use serde_json::json;
///
/// let model = DataModel::new(json!({ "people": [{ "name": "Ada" }], "title": "Hi" }));
/// let scope = Scope::new(&model).in_item(Path::parse("/people/0")?);
/// let call = json!({ "call": "formatString", "args": { "value": "${/title}, ${name}!" } });
/// assert_eq!(scope.evaluate(&call).value, Some(json!("Hi, Ada!")));
/// assert_eq!(scope.evaluate(&json!({ "path": "age" })).value, None);
/// # Ok::<(), forestage_a2ui::surface::PathError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scope<'m> {
    model: &'m DataModel,
    item: Path,
    locale: String,
    utc_offset: i32,
}

/// What a value came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluated {
    /// The value; nothing if the model has none there, or if a function failed. That is not the same as null.
    pub value: Option<Value>,
    /// What went wrong on the way. A renderer reports these and goes on.
    pub faults: Vec<FunctionError>,
}

impl<'m> Scope<'m> {
    /// The whole model, in English and UTC.
    #[must_use]
    pub fn new(model: &'m DataModel) -> Self {
        Self { model, item: Path::root(), locale: "en-US".to_owned(), utc_offset: 0 }
    }

    /// Resolves relative paths against an item.
    #[must_use]
    pub fn in_item(self, item: Path) -> Self {
        Self { item, ..self }
    }

    /// Speaks the language of a BCP 47 tag, such as `nl` or `en-GB`, in numbers and plurals.
    #[must_use]
    pub fn in_locale(self, locale: &str) -> Self {
        Self { locale: locale.to_owned(), ..self }
    }

    /// Shows times so many minutes ahead of UTC.
    #[must_use]
    pub fn at_utc_offset(self, minutes: i32) -> Self {
        Self { utc_offset: minutes, ..self }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'m DataModel {
        self.model
    }

    /// The item that relative paths start from.
    #[must_use]
    pub fn item(&self) -> &Path {
        &self.item
    }

    pub(crate) fn locale(&self) -> &str {
        &self.locale
    }

    pub(crate) fn utc_offset(&self) -> i32 {
        self.utc_offset
    }

    /// What a value comes to here. A renderer resolves a value the same way when it sends an action.
    #[must_use]
    pub fn evaluate(&self, value: &Value) -> Evaluated {
        let mut evaluator = Evaluator::new(self);
        let value = evaluator.value(value);
        Evaluated { value, faults: evaluator.faults }
    }
}

/// The work on one value, within its limits.
pub(crate) struct Evaluator<'s, 'm> {
    pub(crate) scope: &'s Scope<'m>,
    faults: Vec<FunctionError>,
    work: usize,
    calls: usize,
    nesting: usize,
}

impl<'s, 'm> Evaluator<'s, 'm> {
    fn new(scope: &'s Scope<'m>) -> Self {
        Self { scope, faults: Vec::new(), work: 0, calls: 0, nesting: 0 }
    }

    /// What a literal, a binding or a call comes to.
    pub(crate) fn value(&mut self, value: &Value) -> Option<Value> {
        match value {
            Value::Array(items) => {
                Some(items.iter().map(|item| self.value(item).unwrap_or_default()).collect())
            }
            Value::Object(members) => {
                let either = |plain: &str, escaped: &str| members.get(plain).or_else(|| members.get(escaped));
                if let Some(path) = either("path", "@path") {
                    return self.path(path.as_str()?);
                }
                if let Some(name) = either("call", "@call") {
                    return self.call(name, members.get("args"));
                }
                self.copied(value)
            }
            _ => self.copied(value),
        }
    }

    /// What stands at a path.
    pub(crate) fn path(&mut self, text: &str) -> Option<Value> {
        match Path::resolve(text, &self.scope.item) {
            Ok(path) => self.scope.model.get(&path).and_then(|value| self.copied(value)),
            Err(error) => self.fail(FunctionError::Path(error)),
        }
    }

    fn call(&mut self, name: &Value, arguments: Option<&Value>) -> Option<Value> {
        let name = name.as_str()?;
        let none = Map::new();
        let arguments = arguments.and_then(Value::as_object).unwrap_or(&none);
        if self.calls >= MAX_CALL_DEPTH {
            return self.fail(FunctionError::TooDeep);
        }
        if arguments.len() > MAX_ARGUMENTS {
            return self.fail(FunctionError::TooManyArguments { function: name.to_owned() });
        }
        self.calls += 1;
        let resolved = arguments.iter().filter_map(|(name, argument)| {
            let value = self.value(argument)?;
            Some((name.clone(), value))
        });
        let resolved = resolved.collect();
        let result = self.invoke(name, &resolved);
        self.calls -= 1;
        result
    }

    /// Calls a function with arguments that are resolved. What has no value is not among them.
    pub(crate) fn invoke(&mut self, name: &str, arguments: &Map<String, Value>) -> Option<Value> {
        if let Err(error) = self.spend(1) {
            return self.fail(error);
        }
        match function::call(name, arguments, self) {
            Ok(value) => value,
            Err(error) => self.fail(error),
        }
    }

    /// Goes one level deeper.
    pub(crate) fn nested<T>(
        &mut self,
        inside: impl FnOnce(&mut Self) -> Result<T, FunctionError>,
    ) -> Result<T, FunctionError> {
        if self.nesting >= MAX_NESTING {
            return Err(FunctionError::TooDeep);
        }
        self.nesting += 1;
        let result = inside(self);
        self.nesting -= 1;
        result
    }

    /// Counts what a value costs, so that no text of a few bytes keeps a server busy.
    pub(crate) fn spend(&mut self, work: usize) -> Result<(), FunctionError> {
        self.work = self.work.saturating_add(work);
        match self.work > MAX_WORK {
            true => Err(FunctionError::TooMuch),
            false => Ok(()),
        }
    }

    fn copied(&mut self, value: &Value) -> Option<Value> {
        match self.spend(size(value)) {
            Ok(()) => Some(value.clone()),
            Err(error) => self.fail(error),
        }
    }

    fn fail(&mut self, error: FunctionError) -> Option<Value> {
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(error);
        }
        None
    }
}

/// About how many bytes a value takes.
fn size(value: &Value) -> usize {
    match value {
        Value::String(text) => 1 + text.len(),
        Value::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Value::Object(members) => {
            1 + members.iter().map(|(name, value)| name.len() + size(value)).sum::<usize>()
        }
        _ => 1,
    }
}
