//! The table of components, and what can be asked of each.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{component::Component, fault::Faults, grade::Grade, outline::Outline, schema, shape};

/// What names of components begin with.
pub const PREFIX: &str = "its:";

/// One line of the table.
#[derive(Debug)]
pub struct Entry {
    /// The name of the tool, such as `its:render_quick_quiz`.
    pub name: &'static str,
    /// The short name, which is that of its files.
    pub short: &'static str,
    spec: &'static str,
    schemas: LazyLock<Schemas>,
    warn: fn(Value) -> Faults,
    answer: fn(Value, Value) -> Result<Option<Grade>, Faults>,
}

/// Arguments, and what somebody could answer to them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// What it shows.
    pub about: String,
    /// The arguments.
    pub arguments: Value,
    /// The answer.
    pub answer: Value,
}

/// What concerns us of `spec/its/<name>.json`; the rest is for tests.
#[derive(Debug, Deserialize)]
struct Spec {
    examples: Vec<Example>,
}

#[derive(Debug)]
struct Schemas {
    arguments: Value,
    outline: Outline,
    answer: Value,
}

impl Entry {
    /// What it shows, for models and people.
    #[must_use]
    pub fn description(&self) -> &str {
        self.schemas.arguments["description"].as_str().unwrap_or_default()
    }

    /// The JSON Schema of its arguments.
    #[must_use]
    pub fn arguments(&self) -> &Value {
        &self.schemas.arguments
    }

    /// The JSON Schema of its answers. What an answer has to have besides depends on the arguments.
    #[must_use]
    pub fn answer(&self) -> &Value {
        &self.schemas.answer
    }

    /// Examples in our own words; the first has the ids and the shape of the one in the contract.
    #[must_use]
    pub fn examples(&self) -> Vec<Example> {
        serde_json::from_str::<Spec>(self.spec).map(|spec| spec.examples).unwrap_or_default()
    }

    /// Checks arguments against the schema before they are shown.
    pub fn check(&self, arguments: &Value) -> Result<(), Faults> {
        match self.schemas.outline.fits(arguments) {
            true => Ok(()),
            false => fitting(&self.schemas.arguments, arguments).map(drop),
        }
    }

    /// Like [`check`](Self::check), for the text of a call's arguments.
    pub fn check_text(&self, arguments: &str) -> Result<(), Faults> {
        let mut reader = serde_json::Deserializer::from_str(arguments);
        if self.schemas.outline.fits(&mut reader) && reader.end().is_ok() {
            return Ok(());
        }
        let value: Value = serde_json::from_str(arguments).map_err(|error| unreadable(&error))?;
        self.check(&value)
    }

    /// Finds what is unwise about arguments that fit the schema: they are shown, but a learner can do little with them.
    /// Empty for arguments that do not fit.
    #[must_use]
    pub fn warnings(&self, arguments: &Value) -> Faults {
        fitting(&self.schemas.arguments, arguments).map_or_else(|_| Faults::default(), self.warn)
    }

    /// Checks an answer against the arguments that were shown, and grades it where the arguments have a key.
    pub fn check_answer(&self, arguments: &Value, answer: &Value) -> Result<Option<Grade>, Faults> {
        let arguments = fitting(&self.schemas.arguments, arguments)?;
        (self.answer)(arguments, fitting(&self.schemas.answer, answer)?)
    }
}

/// A value that has the shape of the schema.
fn fitting(schema: &Value, value: &Value) -> Result<Value, Faults> {
    let mut value = value.clone();
    let mut faults = Faults::default();
    shape::fit(schema, &mut value, "", &mut faults);
    faults.none().map(|()| value)
}

/// A component by its name: as the tool is called, or short.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    crate::COMPONENTS.iter().find(|entry| entry.name == name || entry.short == name)
}

/// All components with their schemas, as it is committed in `spec/schema/its.json`.
#[must_use]
pub fn document() -> Value {
    let line = |entry: &Entry| {
        let about = json!({
            "description": entry.description(),
            "arguments": entry.arguments(),
            "answer": entry.answer(),
        });
        (entry.name.to_owned(), about)
    };
    Value::Object(crate::COMPONENTS.iter().map(line).collect())
}

/// Whether a tool is a component, known or not.
#[must_use]
pub fn is_component(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|rest| !rest.is_empty())
}

/// The line of a component.
pub(crate) const fn entry<C: Component>(short: &'static str, spec: &'static str) -> Entry {
    Entry {
        name: C::NAME,
        short,
        spec,
        schemas: LazyLock::new(|| {
            let arguments = schema::of::<C>();
            Schemas { outline: Outline::of(&arguments), arguments, answer: schema::of::<C::Answer>() }
        }),
        warn: warnings::<C>,
        answer: check_answer::<C>,
    }
}

fn warnings<C: Component>(arguments: Value) -> Faults {
    let mut faults = Faults::default();
    if let Ok(component) = read::<C>(arguments) {
        component.warn(&mut faults);
    }
    faults
}

fn check_answer<C: Component>(arguments: Value, answer: Value) -> Result<Option<Grade>, Faults> {
    let component = read::<C>(arguments)?;
    let answer = read::<C::Answer>(answer)?;
    let mut faults = Faults::default();
    component.check_answer(&answer, &mut faults);
    faults.none().map(|()| component.grade(&answer))
}

/// A value as its type. Its shape was checked, so this fails where the two do not agree.
fn read<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, Faults> {
    serde_json::from_value(value).map_err(|error| unreadable(&error))
}

fn unreadable(error: &serde_json::Error) -> Faults {
    let mut faults = Faults::default();
    faults.add("unreadable", "", error.to_string());
    faults
}

/// Lists the components: the file, and the type in it.
macro_rules! components {
    ($($file:ident: $name:ident),* $(,)?) => {
        $(pub mod $file;)*
        $(#[doc(inline)] pub use self::$file::$name;)*

        /// All components, in the order of the contract.
        pub static COMPONENTS: [Entry; [$(stringify!($file)),*].len()] = [$(
            table::entry::<$name>(
                stringify!($file),
                include_str!(concat!("../../../spec/its/", stringify!($file), ".json")),
            ),
        )*];
    };
}

pub(crate) use components;
