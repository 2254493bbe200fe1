//! What everybody reads: one large surface of the kinds of components that agents draw most.

use serde_json::{Value, json};

/// A payload.
pub(super) struct Material {
    pub(super) text: String,
    pub(super) components: usize,
}

impl Material {
    /// A payload of about so many components.
    pub(super) fn new(components: usize) -> Self {
        let (payload, components) = payload(components);
        Self { text: payload.to_string(), components }
    }
}

/// Cards with a form each, six components to a card.
pub(super) fn payload(components: usize) -> (Value, usize) {
    let cards = (components / 6).max(1);
    let mut list = vec![json!({ "id": "root", "component": "Column", "children": ids("card", cards) })];
    for card in 0..cards {
        let at = |name: &str| format!("{name}-{card}");
        let path = format!("/cards/{card}/name");
        list.extend([
            json!({ "id": at("card"), "component": "Card", "child": at("column") }),
            json!({ "id": at("column"), "component": "Column", "children": [at("title"), at("name"), at("send")], "align": "stretch" }),
            json!({ "id": at("title"), "component": "Text", "text": format!("Card number {card}"), "variant": "h3" }),
            json!({ "id": at("name"), "component": "TextField", "label": "Name", "value": { "path": path },
                "checks": [{ "condition": { "call": "required", "args": { "value": { "path": path } } }, "message": "Say a name" }] }),
            json!({ "id": at("send"), "component": "Button", "child": at("label"), "variant": "primary",
                "action": { "event": { "name": "send", "context": { "name": { "path": path }, "card": card } } } }),
            json!({ "id": at("label"), "component": "Text", "text": "Send" }),
        ]);
    }
    let count = list.len();
    let data: Vec<_> = (0..cards).map(|_| json!({ "name": "" })).collect();
    let catalog = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json";
    let payload = json!([
        { "version": "v0.9", "createSurface": { "surfaceId": "s", "catalogId": catalog } },
        { "version": "v0.9", "updateComponents": { "surfaceId": "s", "components": list } },
        { "version": "v0.9", "updateDataModel": { "surfaceId": "s", "path": "/", "value": { "cards": data } } },
    ]);
    (payload, count)
}

fn ids(name: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{name}-{number}")).collect()
}
