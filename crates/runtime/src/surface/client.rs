//! What a client can draw, as far as its request says so.
//!
//! Two ways are known. CopilotKit sends its catalog as an entry of the context; others send what the specification calls
//! `a2uiClientCapabilities`, keyed by version since 0.9.

use forestage_a2ui::{
    Version,
    catalog::{BASIC_0_8, BASIC_0_9, CONTEXT_ENTRY, Catalog, Catalogs, is_basic},
};
use forestage_protocol::input::RunAgentInput;
use serde_json::Value;

/// The member of a request that says what its client can draw.
const CAPABILITIES: &str = "a2uiClientCapabilities";

/// The client that a run is for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    pub(crate) catalogs: Catalogs,
    /// The name under which it has registered its catalog.
    catalog_id: Option<String>,
    /// Whether it draws 0.8 and nothing newer.
    is_old: bool,
}

impl Client {
    /// What the request says of its client.
    pub(crate) fn of(input: &RunAgentInput) -> Self {
        let entries = input.context.iter().flatten();
        let schema = entries.into_iter().find(|entry| entry.description.starts_with(CONTEXT_ENTRY));
        let Some(schema) = schema else { return Self::capable(input).unwrap_or_default() };
        let custom = Catalog::from_context(&schema.value, Version::V0_9).ok();
        let catalog_id = custom.as_ref().map(|catalog| catalog.id.clone());
        let catalogs = custom.map_or_else(Catalogs::basic, |catalog| Catalogs::basic().with(catalog));
        Self { catalogs, catalog_id, is_old: false }
    }

    /// What it says with its capabilities. Those of 0.8 name no version.
    fn capable(input: &RunAgentInput) -> Option<Self> {
        let properties = input.forwarded_props.as_ref()?.to_value().ok()?;
        let capabilities = properties.get(CAPABILITIES)?;
        let of_0_9 = ["v0.9.1", "v0.9"].into_iter().find_map(|name| capabilities.get(name));
        let (own, version) = match of_0_9 {
            Some(own) => (own, Version::V0_9),
            None => (capabilities.get("v0.8").unwrap_or(capabilities), Version::V0_8),
        };
        let list = |name: &str| own.get(name).and_then(Value::as_array).into_iter().flatten();
        let custom = list("inlineCatalogs").find_map(|it| Catalog::from_schema(it, version).ok());
        let basic = list("supportedCatalogIds").filter_map(Value::as_str).find(|id| is_basic(id));
        let catalog_id = custom.as_ref().map(|it| it.id.clone()).or_else(|| basic.map(str::to_owned));
        let catalogs = custom.map_or_else(Catalogs::basic, |catalog| Catalogs::basic().with(catalog));
        let is_old = version == Version::V0_8;
        Some(Self { catalogs, catalog_id: catalog_id.filter(|_| !is_old), is_old })
    }

    /// The catalog with which an agent should draw, in a version or in the one that the client draws.
    pub(crate) fn catalog(&self, version: Option<Version>) -> Catalog {
        let is_old = version.map_or(self.is_old, |version| version == Version::V0_8);
        if is_old {
            return self
                .catalogs
                .preferred(Version::V0_8)
                .map_or_else(Catalog::basic_0_8, |it| (**it).clone());
        }
        match self.catalog_id.as_deref() {
            Some(own) if is_basic(own) => Catalog::basic_0_9().named(own),
            Some(own) => self.catalogs.find(own).map_or_else(Catalog::basic_0_9, |it| (**it).clone()),
            None => Catalog::basic_0_9(),
        }
    }

    /// The name of a surface's catalog, as this client knows it. The basic catalog goes by several names.
    pub(crate) fn name_of(&self, catalog_id: Option<&str>) -> String {
        let own = self.catalog_id.as_deref();
        match (catalog_id, own) {
            (Some(id), Some(own)) if is_basic(id) && is_basic(own) => own.to_owned(),
            // What 0.8 draws with its catalog is drawn with the one of 0.9.
            (Some(id), _) if id != BASIC_0_8 => id.to_owned(),
            (_, Some(own)) => own.to_owned(),
            _ => BASIC_0_9.to_owned(),
        }
    }
}
