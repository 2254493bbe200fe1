//! The house rules of a script: in it, or in a file beside it.

use std::{borrow::Cow, fmt, fs, path::Path};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{
    Deserialize, Deserializer,
    de::{Error, MapAccess, Visitor, value::MapAccessDeserializer},
};

use super::{
    error::{Place, ScriptError},
    yaml::Placed,
};
use crate::house::{HouseFile, HouseRules};

/// House rules in a file of an agent: written there, or in a file beside it.
#[derive(Clone, Debug, Deserialize)]
#[serde(transparent)]
pub struct HouseMember(Placed<House>);

impl HouseMember {
    /// The file with the rules, as seen from the folder, if they are not written there.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match &self.0.value {
            House::Path(path) => Some(path),
            House::Inline(_) => None,
        }
    }

    /// Makes rules of what the file says. Without a folder there are no files.
    pub fn build(
        &self,
        file_name: &str,
        folder: Option<&Path>,
        errors: &mut Vec<ScriptError>,
    ) -> Option<HouseRules> {
        build(file_name, &self.0, folder, errors)
    }
}

impl JsonSchema for HouseMember {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        House::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        House::json_schema(generator)
    }
}

/// Where the rules are.
#[derive(Clone, Debug)]
enum House {
    /// Here.
    Inline(Box<HouseFile>),
    /// In this file, as seen from the script.
    Path(String),
}

impl<'de> Deserialize<'de> for House {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Forms)
    }
}

struct Forms;

impl<'de> Visitor<'de> for Forms {
    type Value = House;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("house rules, or the path of a file with them")
    }

    fn visit_str<E: Error>(self, path: &str) -> Result<House, E> {
        Ok(House::Path(path.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, members: A) -> Result<House, A::Error> {
        HouseFile::deserialize(MapAccessDeserializer::new(members)).map(|file| House::Inline(Box::new(file)))
    }
}

impl JsonSchema for House {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "House".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let rules = generator.subschema_for::<HouseFile>();
        json_schema!({ "anyOf": [rules, { "type": "string", "description": "The path of a file with house rules, from here." }] })
    }
}

fn build(
    file_name: &str,
    house: &Placed<House>,
    folder: Option<&Path>,
    errors: &mut Vec<ScriptError>,
) -> Option<HouseRules> {
    let path = match &house.value {
        House::Inline(file) => return build_inline(file_name, file, errors),
        House::Path(path) => path,
    };
    let mut fault = |message: String| errors.push(ScriptError::new(file_name, house.place.clone(), message));
    let Some(folder) = folder else {
        fault(format!("there is no folder in which `{path}` could be; write the rules here"));
        return None;
    };
    match fs::read(folder.join(path)) {
        Err(error) => {
            fault(format!("`{path}` cannot be read: {error}"));
            None
        }
        Ok(bytes) => match HouseRules::read(path, bytes) {
            Ok(rules) => Some(rules),
            Err(faults) => {
                fault(format!("`{path}` has mistakes"));
                errors.extend(faults);
                None
            }
        },
    }
}

fn build_inline(file_name: &str, file: &HouseFile, errors: &mut Vec<ScriptError>) -> Option<HouseRules> {
    let (rules, faults) = file.build();
    // What is empty because all of it is bad is not told twice.
    let is_known = |place: &Place| errors.iter().any(|error| error.path.starts_with(&place.path));
    let faults: Vec<_> = faults.into_iter().filter(|(place, _)| !is_known(place)).collect();
    errors.extend(faults.into_iter().map(|(place, message)| ScriptError::new(file_name, place, message)));
    Some(rules)
}
