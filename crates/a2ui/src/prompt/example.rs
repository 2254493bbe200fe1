//! Examples, of which a catalog gets those that it can draw.

use serde_json::{Value, json};

use crate::{
    Messages, Version,
    catalog::{Catalog, Catalogs},
    check::Checker,
    surface::Surfaces,
};

/// A payload, and what it is for.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// What it shows.
    pub about: &'static str,
    /// The list of messages.
    pub payload: Value,
}

/// The examples that a catalog can draw, one after the other: what changes a surface follows what draws it.
#[must_use]
pub fn examples(catalog: &Catalog) -> Vec<Example> {
    let catalogs = Catalogs::none().with(catalog.clone());
    let mut surfaces = Surfaces::new();
    let fits = |example: &Example| {
        let report = Checker::new(&catalogs).with_surfaces(&surfaces).check(&example.payload.to_string());
        let messages = Messages::from_value(&example.payload).ok().filter(|_| report.is_ok());
        messages.is_some_and(|messages| surfaces.fold(&messages).is_ok())
    };
    let all = match catalog.version {
        Version::V0_8 => of_0_8(),
        _ => of_0_9(&catalog.id),
    };
    all.into_iter().filter(fits).collect()
}

fn of_0_8() -> Vec<Example> {
    let text = |id: &str, text: &str| json!({ "id": id, "component": { "Text": { "text": { "literalString": text } } } });
    let column = |id: &str, children: &[&str]| json!({ "id": id, "component": { "Column": { "children": { "explicitList": children } } } });
    let button = |id: &str, child: &str, action: Value| json!({ "id": id, "component": { "Button": { "child": child, "action": action } } });
    let name = json!({ "id": "name", "component": { "TextField": {
        "label": { "literalString": "Name" }, "text": { "path": "/form/name" } } } });
    let sent = json!([{ "key": "userName", "value": { "path": "/form/name" } }]);
    vec![
        Example {
            about: "A button",
            payload: json!([
                { "surfaceUpdate": { "surfaceId": "offer", "components": [
                    column("root", &["go"]),
                    button("go", "go-text", json!({ "name": "start_tour" })),
                    text("go-text", "Start the tour"),
                ] } },
                { "beginRendering": { "surfaceId": "offer", "root": "root" } },
            ]),
        },
        Example {
            about: "A form with a field and a button that sends it",
            payload: json!([
                { "surfaceUpdate": { "surfaceId": "sign-up", "components": [
                    { "id": "root", "component": { "Card": { "child": "fields" } } },
                    column("fields", &["name", "send", "note"]),
                    name,
                    button("send", "send-text", json!({ "name": "submit", "context": sent })),
                    text("send-text", "Send"),
                    { "id": "note", "component": { "Text": { "text": { "path": "/note" }, "usageHint": "caption" } } },
                ] } },
                { "dataModelUpdate": { "surfaceId": "sign-up", "contents": [
                    { "key": "form", "valueMap": [{ "key": "name", "valueString": "" }] },
                    { "key": "note", "valueString": "" },
                ] } },
                { "beginRendering": { "surfaceId": "sign-up", "root": "root" } },
            ]),
        },
        Example {
            about: "Later: another label on the button of that form",
            payload: json!([
                { "surfaceUpdate": { "surfaceId": "sign-up", "components": [text("send-text", "Send again")] } },
            ]),
        },
        Example {
            about: "Later: a note below it, by its data alone",
            payload: json!([
                { "dataModelUpdate": { "surfaceId": "sign-up", "contents": [{ "key": "note", "valueString": "Saved." }] } },
            ]),
        },
    ]
}

fn of_0_9(catalog_id: &str) -> Vec<Example> {
    let message = |kind: &str, body: Value| json!({ "version": "v0.9", kind: body });
    let create = |id: &str| message("createSurface", json!({ "surfaceId": id, "catalogId": catalog_id }));
    let update = |id: &str, components: Value| {
        message("updateComponents", json!({ "surfaceId": id, "components": components }))
    };
    let data = |path: &str, value: Value| {
        message("updateDataModel", json!({ "surfaceId": "sign-up", "path": path, "value": value }))
    };
    let name = json!({ "path": "/form/name" });
    let required = json!([{ "condition": { "call": "required", "args": { "value": name } }, "message": "Say your name" }]);
    let form = |checks: Option<&Value>| {
        let mut send = json!({ "id": "send", "component": "Button", "child": "send-text",
            "action": { "event": { "name": "submit", "context": { "userName": name } } } });
        if let Some(checks) = checks {
            send["checks"] = checks.clone();
        }
        json!([
            create("sign-up"),
            update(
                "sign-up",
                json!([
                    { "id": "root", "component": "Column", "children": ["name", "send", "note"] },
                    { "id": "name", "component": "TextField", "label": "Name", "value": name },
                    send,
                    { "id": "send-text", "component": "Text", "text": "Send" },
                    { "id": "note", "component": "Text", "text": { "path": "/note" } },
                ])
            ),
            data("/", json!({ "form": { "name": "" }, "note": "" })),
        ])
    };
    vec![
        Example {
            about: "A button",
            payload: json!([
                create("offer"),
                update(
                    "offer",
                    json!([
                        { "id": "root", "component": "Column", "children": ["go"] },
                        { "id": "go", "component": "Button", "child": "go-text",
                          "action": { "event": { "name": "start_tour" } } },
                        { "id": "go-text", "component": "Text", "text": "Start the tour" },
                    ])
                ),
            ]),
        },
        // The second is for catalogs without functions; where the first can be drawn, its surface is there already.
        Example {
            about: "A form with a field and a button that sends it, once it is filled in",
            payload: form(Some(&required)),
        },
        Example { about: "A form with a field and a button that sends it", payload: form(None) },
        Example {
            about: "Later: another label on the button of that form",
            payload: json!([update(
                "sign-up",
                json!([{ "id": "send-text", "component": "Text", "text": "Send again" }])
            )]),
        },
        Example {
            about: "Later: a note below it, by its data alone",
            payload: json!([data("/note", json!("Saved."))]),
        },
        Example {
            about: "A list, drawn once for every item of the data; paths without a slash in front start from the item",
            payload: json!([
                create("people"),
                update(
                    "people",
                    json!([
                        { "id": "root", "component": "List", "children": { "componentId": "person", "path": "/people" } },
                        { "id": "person", "component": "Text", "text": { "path": "name" } },
                    ])
                ),
                message(
                    "updateDataModel",
                    json!({ "surfaceId": "people", "path": "/people", "value": [{ "name": "Ada" }, { "name": "Grace" }] })
                ),
            ]),
        },
    ]
}
