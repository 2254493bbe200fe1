//! `GET /openapi.json`: what the server answers, described.

mod inbox;
mod operations;
mod schemas;

use axum::{Json, Router, routing::get};
use serde_json::{Map, Value, json};

use self::{
    operations::{JSON, OPERATIONS, Operation},
    schemas::schemas,
};
use crate::app::App;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/openapi.json", get(|| async { Json(document()) }))
}

/// The description of the API.
#[must_use]
pub fn document() -> Value {
    let mut paths = Map::new();
    for operation in OPERATIONS {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = described(operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Forestage",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Agents in front of people: durable threads, streams that resume, AG-UI 1.0.",
            "license": { "name": "MIT OR Apache-2.0" },
        },
        "security": [{ "key": [] }, { "header": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": { "type": "http", "scheme": "bearer" },
                "header": { "type": "apiKey", "in": "header", "name": "X-API-Key" },
            },
            "schemas": schemas(),
        },
    })
}

fn described(operation: &Operation) -> Value {
    let in_path = operation.path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let path = in_path.map(|name| parameter(name, "path", "", true));
    let query = operation.query.iter().map(|(name, about)| parameter(name, "query", about, false));
    let (status, media, schema, meaning) = operation.answer;
    let mut answer = json!({ "description": meaning });
    if status == 200 || status == 201 {
        answer["content"] = json!({ media: { "schema": schema.map_or_else(|| json!({}), reference) } });
    }
    let mut described = json!({
        "summary": operation.about,
        "operationId": operation_id(operation),
        "parameters": path.chain(query).collect::<Vec<_>>(),
        "responses": {
            status.to_string(): answer,
            "default": wrong("What is wrong."),
        },
    });
    if let Some(body) = operation.body {
        let is_stream = operation.path.ends_with("/import") || operation.path.starts_with("/v1/streams/");
        let media = if is_stream { "application/x-ndjson" } else { JSON };
        described["requestBody"] =
            json!({ "required": true, "content": { media: { "schema": reference(body) } } });
        described["responses"]["400"] = wrong(
            "The body is not JSON: `invalid_body`, or `not_json` where it is an input or events; or the query cannot be read.",
        );
        described["responses"]["422"] = wrong(
            "The body is JSON and says something else than what is asked for: `invalid_body` or a code that says what, with the `path`.",
        );
    }
    described
}

fn wrong(about: &str) -> Value {
    json!({ "description": about, "content": { JSON: { "schema": reference("Error") } } })
}

fn parameter(name: &str, place: &str, about: &str, required: bool) -> Value {
    json!({
        "name": name, "in": place, "required": required, "description": about, "schema": { "type": "string" },
    })
}

/// `get /v1/threads/{thread}/runs` is `getThreadsThreadRuns`.
fn operation_id(operation: &Operation) -> String {
    let words = operation.path.trim_start_matches("/v1").split(['/', '.']).filter(|word| !word.is_empty());
    let capitals = words.map(|word| {
        let word = word.trim_matches(['{', '}']);
        word[..1].to_uppercase() + &word[1..]
    });
    operation.method.to_owned() + &capitals.collect::<String>()
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}
