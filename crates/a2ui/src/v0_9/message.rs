//! What an agent says.

use forestage_protocol::Fault;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{candidate, repair};
use crate::{Version, object::Object};

/// What an agent says about a surface.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Message {
    /// Begins a surface.
    CreateSurface {
        /// The surface.
        surface_id: String,
        /// The catalog. Only the candidate of 1.0 may leave it out.
        #[serde(skip_serializing_if = "Option::is_none")]
        catalog_id: Option<String>,
        /// Colours and the like.
        #[serde(skip_serializing_if = "Option::is_none")]
        theme: Option<Map<String, Value>>,
        /// Whether the client sends the data model along with everything.
        #[serde(skip_serializing_if = "Option::is_none")]
        send_data_model: Option<bool>,
        /// The first components, which only 1.0 sends here.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        components: Vec<Component>,
        /// The first data, which only 1.0 sends here.
        #[serde(skip_serializing_if = "Option::is_none")]
        data_model: Option<Value>,
    },
    /// Adds and replaces components.
    UpdateComponents {
        /// The surface.
        surface_id: String,
        /// The components.
        components: Vec<Component>,
    },
    /// Writes the data model.
    UpdateDataModel {
        /// The surface.
        surface_id: String,
        /// Where; the whole model if nothing is said.
        #[serde(skip_serializing_if = "Option::is_none")]
        path: Option<String>,
        /// What; nothing deletes what is there.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<Value>,
    },
    /// Takes the surface away.
    DeleteSurface {
        /// The surface.
        surface_id: String,
    },
}

/// A component.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Component {
    /// Its name on the surface.
    pub id: String,
    /// What it is; a component that is there already keeps what it is.
    #[serde(rename = "component", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What it shows and does.
    #[serde(flatten)]
    pub properties: Map<String, Value>,
}

const KINDS: [&str; 4] = ["createSurface", "updateComponents", "updateDataModel", "deleteSurface"];

impl Message {
    /// Reads a message at this place of a payload. What 1.0 writes differently comes out as 0.9 would say it.
    pub fn read(value: &Value, path: &str) -> Result<Self, Fault> {
        let message = Object::new(path, value)?;
        let version = match message.get("version").and_then(Value::as_str) {
            None => Version::V0_9,
            Some(text) => {
                Version::read(text).filter(|version| *version != Version::V0_8).ok_or_else(|| {
                    Fault::new(
                        "unknown_version",
                        message.at("version"),
                        format!("there is no version `{text}`"),
                    )
                })?
            }
        };
        let mut found = KINDS.into_iter().filter(|kind| message.get(kind).is_some());
        match (found.next(), found.next()) {
            (Some(kind), None) => Self::of(kind, &message.object(kind)?, version),
            _ => {
                Err(Fault::new("unknown_message", path, format!("needs exactly one of {}", KINDS.join(", "))))
            }
        }
    }

    fn of(kind: &str, body: &Object<'_>, version: Version) -> Result<Self, Fault> {
        let surface_id = body.text("surfaceId")?;
        Ok(match kind {
            "createSurface" => Self::create(surface_id, body, version)?,
            "updateComponents" => {
                Self::UpdateComponents { surface_id, components: components(body, version)? }
            }
            "updateDataModel" => {
                let value = body.get("value").filter(|value| version != Version::V1_0 || !value.is_null());
                Self::UpdateDataModel { surface_id, path: body.optional_text("path")?, value: value.cloned() }
            }
            _ => Self::DeleteSurface { surface_id },
        })
    }

    fn create(surface_id: String, body: &Object<'_>, version: Version) -> Result<Self, Fault> {
        Ok(Self::CreateSurface {
            surface_id,
            catalog_id: match version {
                Version::V1_0 => body.optional_text("catalogId")?,
                _ => Some(body.text("catalogId")?),
            },
            theme: body.optional_map("theme")?,
            send_data_model: body.optional_flag("sendDataModel")?,
            components: match body.get("components") {
                Some(_) => components(body, version)?,
                None => Vec::new(),
            },
            data_model: body.get("dataModel").cloned(),
        })
    }

    /// The surface that it is about.
    #[must_use]
    pub fn surface_id(&self) -> &str {
        match self {
            Self::CreateSurface { surface_id, .. }
            | Self::UpdateComponents { surface_id, .. }
            | Self::UpdateDataModel { surface_id, .. }
            | Self::DeleteSurface { surface_id } => surface_id,
        }
    }

    /// It as JSON that says `v0.9`.
    #[must_use]
    pub fn to_value(&self) -> Value {
        let mut written = Map::from_iter([("version".to_owned(), Value::from(Version::V0_9.name()))]);
        if let Ok(Value::Object(body)) = serde_json::to_value(self) {
            written.extend(body);
        }
        Value::Object(written)
    }
}

fn components(body: &Object<'_>, version: Version) -> Result<Vec<Component>, Fault> {
    let at = body.at("components");
    let components = body.list("components")?.iter().enumerate();
    components.map(|(index, it)| Component::read(it, &format!("{at}/{index}"), version)).collect()
}

impl Component {
    fn read(value: &Value, path: &str, version: Version) -> Result<Self, Fault> {
        let object = Object::new(path, value)?;
        let id = object.text("id").map_err(|fault| Fault { code: "missing_id", ..fault })?;
        let kind = object.optional_text("component")?;
        let others = object.members().iter().filter(|(name, _)| !matches!(name.as_str(), "id" | "component"));
        let mut properties: Map<_, _> = others.map(|(name, value)| (name.clone(), value.clone())).collect();
        if version == Version::V1_0 {
            candidate::as_in_0_9(&mut properties, path)?;
        }
        if let Some(checks) = properties.get_mut("checks") {
            repair::checks(checks);
        }
        Ok(Self { id, kind, properties })
    }
}
