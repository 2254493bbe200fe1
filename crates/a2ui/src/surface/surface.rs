//! One surface.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::{DataModel, Path};
use crate::{Version, bridge};

/// The id that the outermost component has in 0.9.
pub const ROOT: &str = "root";

/// A surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Its name.
    pub id: String,
    /// Its catalog, where one was named.
    pub catalog_id: Option<String>,
    /// Colours and the like.
    pub theme: Map<String, Value>,
    /// Whether the client sends the data model along with everything.
    pub send_data_model: bool,
    /// The id of the outermost component. Without one the surface is not shown.
    pub root: Option<String>,
    /// Which version drew it.
    pub version: Version,
    /// What its components bind to.
    pub model: DataModel,
    components: Vec<Component>,
    places: HashMap<String, usize>,
}

/// A component, as 0.9 writes it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Component {
    /// Its name on the surface.
    pub id: String,
    /// What it is.
    #[serde(rename = "component")]
    pub kind: String,
    /// What it shows and does.
    #[serde(flatten)]
    pub properties: Map<String, Value>,
}

impl Surface {
    /// A surface with nothing on it.
    #[must_use]
    pub fn new(id: impl Into<String>, version: Version) -> Self {
        Self {
            id: id.into(),
            catalog_id: None,
            theme: Map::new(),
            send_data_model: false,
            root: (version != Version::V0_8).then(|| ROOT.to_owned()),
            version,
            model: DataModel::default(),
            components: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// Its components, in the order in which they came.
    #[must_use]
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// A component by its id.
    #[must_use]
    pub fn component(&self, id: &str) -> Option<&Component> {
        self.places.get(id).map(|&place| &self.components[place])
    }

    /// Whether there is something to show.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        self.root.as_deref().is_some_and(|root| self.places.contains_key(root))
    }

    /// Whether something stands at a path.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        Path::parse(path).is_ok_and(|path| self.model.get(&path).is_some())
    }

    /// Adds a component, or puts it in the place of the one with its id.
    pub fn put(&mut self, component: Component) {
        match self.places.get(&component.id) {
            Some(&place) => self.components[place] = component,
            None => {
                self.places.insert(component.id.clone(), self.components.len());
                self.components.push(component);
            }
        }
    }
}

impl Component {
    /// The ids of the components in it, in order; of a template, the one that is drawn for every item.
    #[must_use]
    pub fn children(&self) -> Vec<String> {
        bridge::references(&self.properties)
    }
}
