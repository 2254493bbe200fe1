//! Catalogs: which components and functions a client can draw and call, and what each of them takes.
//!
//! A catalog is a table from the name of a component to its properties, so a component is looked up and never tried
//! against all of them.

mod basic_0_8;
mod basic_0_9;
mod functions;
mod icons;
mod id;
mod registry;
mod schema;
mod shape;

use std::collections::HashMap;

pub(crate) use self::shape::listed;
pub use self::{
    id::{BASIC_0_8, BASIC_0_9, BASIC_0_9_COPILOTKIT, BASIC_1_0, MINIMAL_0_9, is_basic, same_catalog},
    registry::Catalogs,
    schema::CONTEXT_ENTRY,
    shape::{Literal, Property, Shape},
};
use crate::Version;

/// What a client can draw.
#[derive(Clone, Debug)]
pub struct Catalog {
    /// Its name.
    pub id: String,
    /// How its components are written.
    pub version: Version,
    components: HashMap<String, Component>,
    functions: HashMap<String, Function>,
    /// Whether functions that it does not name are refused.
    knows_all_functions: bool,
}

/// A component of a catalog.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// What it takes besides `id`, `component`, `weight` and `accessibility`.
    pub properties: Vec<Property>,
    /// Whether it takes properties that are not named, too.
    pub is_open: bool,
}

/// A function of a catalog.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub arguments: Vec<Property>,
    /// Of these, at least one has to be there; empty if there is no such rule.
    pub any_of: Vec<String>,
}

impl Catalog {
    /// A catalog without anything in it.
    #[must_use]
    pub fn new(id: impl Into<String>, version: Version) -> Self {
        let (components, functions) = (HashMap::new(), HashMap::new());
        Self { id: id.into(), version, components, functions, knows_all_functions: true }
    }

    /// The components of 0.8, which has no functions.
    #[must_use]
    pub fn basic_0_8() -> Self {
        Self::new(BASIC_0_8, Version::V0_8).with(basic_0_8::components())
    }

    /// The components and functions of 0.9.
    #[must_use]
    pub fn basic_0_9() -> Self {
        Self::new(BASIC_0_9, Version::V0_9).with(basic_0_9::components()).calling(functions::basic())
    }

    /// The components and functions of the candidate of 1.0.
    #[must_use]
    pub fn basic_1_0() -> Self {
        Self::new(BASIC_1_0, Version::V1_0).with(basic_0_9::candidate()).calling(functions::basic())
    }

    /// The five components of the minimal catalog.
    #[must_use]
    pub fn minimal_0_9() -> Self {
        Self::new(MINIMAL_0_9, Version::V0_9).with(basic_0_9::minimal()).calling(functions::minimal())
    }

    /// The same under another name: clients look for exactly the one that they registered.
    #[must_use]
    pub fn named(self, id: impl Into<String>) -> Self {
        Self { id: id.into(), ..self }
    }

    /// A component by its name.
    #[must_use]
    pub fn component(&self, name: &str) -> Option<&Component> {
        self.components.get(name)
    }

    /// A function by its name.
    #[must_use]
    pub fn function(&self, name: &str) -> Option<&Function> {
        self.functions.get(name)
    }

    /// The names of its components, in order.
    #[must_use]
    pub fn component_names(&self) -> Vec<&str> {
        sorted(self.components.keys())
    }

    /// The names of its functions, in order.
    #[must_use]
    pub fn function_names(&self) -> Vec<&str> {
        sorted(self.functions.keys())
    }

    /// Whether a function may be called that it does not name.
    #[must_use]
    pub fn knows_all_functions(&self) -> bool {
        self.knows_all_functions
    }

    fn with(mut self, components: Vec<Component>) -> Self {
        self.components.extend(components.into_iter().map(|component| (component.name.clone(), component)));
        self
    }

    fn calling(mut self, functions: Vec<Function>) -> Self {
        self.functions.extend(functions.into_iter().map(|function| (function.name.clone(), function)));
        self
    }
}

impl Component {
    fn new(name: &str, properties: Vec<Property>) -> Self {
        Self { name: name.to_owned(), properties, is_open: false }
    }

    /// A property by its name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.properties.iter().find(|property| property.name == name)
    }
}

impl Function {
    fn new(name: &str, arguments: Vec<Property>) -> Self {
        Self { name: name.to_owned(), arguments, any_of: Vec::new() }
    }
}

fn sorted<'n>(names: impl Iterator<Item = &'n String>) -> Vec<&'n str> {
    let mut names: Vec<_> = names.map(String::as_str).collect();
    names.sort_unstable();
    names
}
