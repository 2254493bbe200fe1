//! What an agent says.

use forestage_protocol::Fault;
use serde::Serialize;
use serde_json::{Map, Number, Value, json};

use super::contents::Entry;
use crate::object::{Object, wrong};

/// What an agent says about a surface.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Message {
    /// Adds and replaces components.
    SurfaceUpdate {
        /// The surface.
        surface_id: String,
        /// The components.
        components: Vec<Component>,
    },
    /// Says what is in the data model.
    DataModelUpdate {
        /// The surface.
        surface_id: String,
        /// Where; the whole model if nothing is said.
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// What.
        contents: Vec<Entry>,
    },
    /// Shows the surface.
    BeginRendering {
        /// The surface.
        surface_id: String,
        /// The id of the outermost component.
        root: String,
        /// The catalog; the basic one of 0.8 if nothing is said.
        #[serde(skip_serializing_if = "Option::is_none")]
        catalog_id: Option<String>,
        /// `font` and `primaryColor`.
        #[serde(skip_serializing_if = "Option::is_none")]
        styles: Option<Map<String, Value>>,
    },
    /// Takes the surface away.
    DeleteSurface {
        /// The surface.
        surface_id: String,
    },
}

/// A component.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// Its name on the surface.
    pub id: String,
    /// How much room it takes beside its neighbours.
    pub weight: Option<Number>,
    /// What it is.
    pub kind: String,
    /// What it shows and does.
    pub properties: Map<String, Value>,
}

impl Message {
    /// Reads a message at this place of a payload.
    pub fn read(value: &Value, path: &str) -> Result<Self, Fault> {
        let message = Object::new(path, value)?;
        let kinds = ["surfaceUpdate", "dataModelUpdate", "beginRendering", "deleteSurface"];
        let mut found = kinds.into_iter().filter(|kind| message.get(kind).is_some());
        match (found.next(), found.next()) {
            (Some(kind), None) => Self::of(kind, &message.object(kind)?),
            _ => {
                Err(Fault::new("unknown_message", path, format!("needs exactly one of {}", kinds.join(", "))))
            }
        }
    }

    fn of(kind: &str, body: &Object<'_>) -> Result<Self, Fault> {
        let surface_id = body.text("surfaceId")?;
        Ok(match kind {
            "surfaceUpdate" => {
                let components = body.list("components")?.iter().enumerate();
                let at = body.at("components");
                let components = components.map(|(index, it)| Component::read(it, &format!("{at}/{index}")));
                Self::SurfaceUpdate { surface_id, components: components.collect::<Result<_, _>>()? }
            }
            "dataModelUpdate" => {
                let contents = Entry::read_all(body.list("contents")?, &body.at("contents"))?;
                Self::DataModelUpdate { surface_id, path: body.optional_text("path")?, contents }
            }
            "beginRendering" => Self::BeginRendering {
                surface_id,
                root: body.text("root")?,
                catalog_id: body.optional_text("catalogId")?,
                styles: body.optional_map("styles")?,
            },
            _ => Self::DeleteSurface { surface_id },
        })
    }

    /// The surface that it is about.
    #[must_use]
    pub fn surface_id(&self) -> &str {
        match self {
            Self::SurfaceUpdate { surface_id, .. }
            | Self::DataModelUpdate { surface_id, .. }
            | Self::BeginRendering { surface_id, .. }
            | Self::DeleteSurface { surface_id } => surface_id,
        }
    }

    /// It as JSON.
    #[must_use]
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

impl Component {
    fn read(value: &Value, path: &str) -> Result<Self, Fault> {
        let object = Object::new(path, value)?;
        let id = object.text("id").map_err(|fault| Fault { code: "missing_id", ..fault })?;
        let weight = match object.get("weight") {
            Some(Value::Number(weight)) => Some(weight.clone()),
            Some(other) => return Err(wrong(object.at("weight"), "a number", other)),
            None => None,
        };
        let component =
            object.object("component").map_err(|it| Fault { code: "missing_component_type", ..it })?;
        let mut kinds = component.members().iter();
        match (kinds.next(), kinds.next()) {
            (Some((kind, properties)), None) => {
                let properties = Object::new(component.at(kind), properties)?.members().clone();
                Ok(Self { id, weight, kind: kind.clone(), properties })
            }
            _ => {
                let message = format!("`component` of `{id}` needs exactly one member, such as \"Text\"");
                Err(Fault::new("missing_component_type", component.path(), message))
            }
        }
    }
}

impl Serialize for Component {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut value = json!({ "id": self.id });
        if let Some(weight) = &self.weight {
            value["weight"] = Value::Number(weight.clone());
        }
        value["component"] = json!({ &self.kind: self.properties });
        value.serialize(to)
    }
}
