//! The shapes that the description names.

use forestage_protocol::schema;
use serde_json::{Map, Value, json};

use super::inbox;

/// AG-UI's own types as the protocol has them, and ours.
pub(super) fn schemas() -> Value {
    let mut all = Map::new();
    for name in schema::names() {
        if let Some(definition) = schema::document()["$defs"].get(&name) {
            all.insert(name, moved(definition.clone()));
        }
    }
    let text = || json!({ "type": "string" });
    let number = || json!({ "type": "integer" });
    all.insert(
        "Thread".to_owned(),
        json!({
            "type": "object",
            "properties": {
                "id": text(), "agent": text(), "title": { "type": ["string", "null"] },
                "opening": { "type": ["string", "null"] }, "archived": { "type": "boolean" }, "review": { "type": "boolean" },
                "status": { "enum": ["idle", "running", "waiting", "failed"] },
                "runs": number(), "messages": number(), "pendingInterrupts": number(),
                "head": { "type": ["string", "null"] },
                "createdAt": number(), "updatedAt": number(), "cursor": text(),
            },
        }),
    );
    all.insert("Run".to_owned(), json!({
        "type": "object",
        "properties": {
            "id": text(), "threadId": text(), "agent": text(), "parentRunId": { "type": ["string", "null"] },
            "status": { "enum": ["running", "success", "interrupt", "cancelled", "error"] },
            "startedAt": number(), "endedAt": { "type": ["integer", "null"] },
            "before": text(), "cursor": text(),
            "usage": { "type": "array", "items": { "type": "object" } },
            "error": { "type": "object", "properties": { "message": text(), "code": text() } },
        },
    }));
    all.insert(
        "ThreadChange".to_owned(),
        json!({
            "type": "object",
            "properties": {
                "title": { "type": ["string", "null"], "maxLength": 200 },
                "archived": { "type": "boolean" },
                "review": { "type": "boolean" },
            },
            "additionalProperties": false,
        }),
    );
    all.insert(
        "BranchPoint".to_owned(),
        json!({
            "type": "object",
            "properties": { "runId": text(), "messageId": text() },
            "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
        }),
    );
    all.insert("Annotation".to_owned(), json!({
        "type": "object",
        "required": ["kind"],
        "properties": { "id": text(), "kind": text(), "runId": text(), "messageId": text(), "payload": {} },
        "additionalProperties": false,
    }));
    all.insert(
        "NewShare".to_owned(),
        json!({
            "type": "object",
            "properties": { "expiresInSeconds": { "type": "integer", "minimum": 1, "maximum": 316_224_000 } },
            "additionalProperties": false,
        }),
    );
    all.insert(
        "Judgement".to_owned(),
        json!({
            "type": "object",
            "required": ["ok", "events", "runs", "findings"],
            "properties": {
                "ok": { "type": "boolean" }, "events": number(), "runs": number(),
                "findings": { "type": "array", "items": {
                    "type": "object",
                    "required": ["index", "severity", "code", "message"],
                    "properties": {
                        "index": number(), "severity": { "enum": ["error", "warning"] },
                        "code": text(), "message": text(), "path": text(),
                    },
                } },
            },
        }),
    );
    all.extend(inbox::schemas());
    all.insert(
        "Error".to_owned(),
        json!({
            "type": "object",
            "required": ["error"],
            "properties": { "error": {
                "type": "object",
                "required": ["code", "message"],
                "properties": {
                    "code": text(), "message": text(), "path": text(), "hint": text(),
                    "faults": { "type": "array", "items": {
                        "type": "object",
                        "required": ["code", "path", "message"],
                        "properties": { "code": text(), "path": text(), "message": text() },
                    } },
                },
            } },
        }),
    );
    Value::Object(all)
}

/// References of the protocol's own document, moved to where its types are in this one.
fn moved(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let moved_members = members.into_iter().map(|(name, member)| match member {
                Value::String(text) if name == "$ref" => {
                    (name, Value::String(text.replace("#/$defs/", "#/components/schemas/")))
                }
                member => (name, moved(member)),
            });
            Value::Object(moved_members.collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(moved).collect()),
        other => other,
    }
}
