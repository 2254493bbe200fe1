//! The format: an HTTP tool in an agent file.
//!
//! The documentation of these types is what editors show, by way of the schema.

use std::collections::BTreeMap;

use forestage_runtime::{
    file::{Place, Placed, Time},
    script::ScriptError,
    tool::{ToolAbout, Tools},
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{call::HttpTool, client::fixed_url, template::names};

/// A tool that is an HTTP request.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(rename = "HttpTool")]
pub(crate) struct HttpToolFile {
    /// Its name.
    pub(super) name: Placed<String>,
    /// What it does, for models and people.
    #[serde(default)]
    description: String,
    /// The JSON Schema of its arguments; any object fits where absent.
    #[serde(default)]
    #[schemars(with = "Option<Map<String, Value>>")]
    parameters: Option<Placed<Map<String, Value>>>,
    /// How to ask; `GET` where absent.
    #[serde(default)]
    pub(super) method: Method,
    /// Whom to ask. `{name}` is an argument, in the path or in the query.
    pub(super) url: Placed<String>,
    /// What to send along. `${NAME}` is a secret from the environment.
    #[serde(default)]
    pub(super) headers: BTreeMap<String, String>,
    /// Hosts where a redirect may lead, beside the one of the address.
    #[serde(default)]
    pub(super) hosts: Vec<String>,
    /// Whether the request may go to this machine and to private networks.
    #[serde(default)]
    pub(super) allow_private: bool,
    /// How long it may take; 30 seconds where absent.
    #[serde(default)]
    pub(super) timeout: Option<Time>,
    /// Whether it may be sent again when it is unknown whether it was; so it is for `GET`.
    #[serde(default)]
    repeatable: Option<bool>,
}

/// How to ask. All but `GET` and `DELETE` send the arguments that the address does not name as JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "UPPERCASE")]
#[schemars(rename = "HttpMethod")]
pub(super) enum Method {
    /// Reads.
    #[default]
    Get,
    /// Makes.
    Post,
    /// Puts in place.
    Put,
    /// Changes.
    Patch,
    /// Takes away.
    Delete,
}

impl HttpToolFile {
    /// Adds the tool to others, or says what is wrong with it.
    pub(crate) fn add_to(&self, tools: &mut Tools, file: &str, errors: &mut Vec<ScriptError>) {
        let mut fault =
            |place: &Place, text: String| errors.push(ScriptError::new(file, place.clone(), text));
        let url = match fixed_url(&self.url.value) {
            Ok(url) => url,
            Err(text) => return fault(&self.url.place, text),
        };
        let known = self.parameters.as_ref().and_then(|it| it.value.get("properties")?.as_object());
        for name in names(&self.url.value) {
            if known.is_none_or(|known| !known.contains_key(name)) {
                fault(
                    &self.url.place,
                    format!("`{{{name}}}` is not an argument; it has to be in `parameters`"),
                );
            }
        }
        let parameters = self.parameters.as_ref().map(|it| it.value.clone()).unwrap_or_default();
        let mut about = ToolAbout::new(&self.name.value, &self.description).parameters(parameters);
        about.repeatable = self.repeatable.unwrap_or(self.method == Method::Get);
        match HttpTool::new(self, about, &url) {
            Err(text) => fault(&self.url.place, text),
            Ok(tool) => {
                if let Err(error) = tools.add(std::sync::Arc::new(tool)) {
                    fault(&self.name.place, error.to_string());
                }
            }
        }
    }
}
