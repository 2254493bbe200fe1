//! What a client can draw, as far as its request says so.

use forestage_a2ui::{
    Version,
    catalog::{BASIC_0_8, BASIC_0_9, Catalog, Catalogs, is_basic},
};
use forestage_protocol::input::RunAgentInput;

/// What the context entry of a client begins with that holds its catalog.
const SCHEMA: &str = "A2UI Component Schema";

/// The client that a run is for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Client {
    pub(crate) catalogs: Catalogs,
    /// The name under which it has registered its catalog.
    catalog_id: Option<String>,
}

impl Client {
    /// What the request says of its client.
    pub(crate) fn of(input: &RunAgentInput) -> Self {
        let entries = input.context.iter().flatten();
        let schema = entries.into_iter().find(|entry| entry.description.starts_with(SCHEMA));
        let Some(schema) = schema else { return Self::default() };
        let custom = Catalog::from_context(&schema.value, Version::V0_9).ok();
        let catalog_id = custom.as_ref().map(|catalog| catalog.id.clone());
        let catalogs = custom.map_or_else(Catalogs::basic, |catalog| Catalogs::basic().with(catalog));
        Self { catalogs, catalog_id }
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
