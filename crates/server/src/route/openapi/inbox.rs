//! The shapes of the inbox, of rules and of the audit trail.

use serde_json::{Value, json};

/// Name and schema of each.
pub(super) fn schemas() -> Vec<(String, Value)> {
    let named = [
        ("InterruptRecord", interrupt()),
        ("Interrupts", page("interrupts", "InterruptRecord")),
        ("Verdict", verdict()),
        ("Ruling", ruling()),
        ("Rule", rule()),
        ("Rules", page("rules", "Rule")),
        ("AuditEntry", audit_entry()),
        ("AuditTrail", page("entries", "AuditEntry")),
    ];
    named.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn text_or_null() -> Value {
    json!({ "type": ["string", "null"] })
}

fn number() -> Value {
    json!({ "type": "integer" })
}

fn interrupt() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": text(), "threadId": text(), "runId": text(), "agent": text(), "owner": text(),
            "role": text_or_null(), "needs": number(),
            "risk": { "enum": ["low", "medium", "high", "critical", null] },
            "interrupt": { "$ref": "#/components/schemas/Interrupt" },
            "private": {}, "mayDecide": { "type": "boolean" },
            "votes": { "type": "array", "items": {
                "type": "object", "properties": { "by": text(), "at": number(), "answer": {} },
            } },
            "openedAt": number(), "expiresAt": { "type": ["integer", "null"] },
            "decision": {
                "type": ["object", "null"],
                "properties": {
                    "status": { "enum": ["resolved", "cancelled", "expired"] },
                    "answer": {}, "by": text(), "at": number(), "runId": text_or_null(),
                },
            },
        },
    })
}

fn verdict() -> Value {
    json!({
        "oneOf": [
            {
                "type": "object",
                "required": ["status"],
                "properties": { "status": { "enum": ["resolved", "cancelled"] }, "payload": {} },
                "additionalProperties": false,
            },
            {
                "type": "object",
                "required": ["approved"],
                "properties": {
                    "approved": { "type": "boolean" },
                    "editedArgs": { "description": "In place of the arguments that were asked about, all of them." },
                    "text": { "type": "string", "description": "What is said instead of a draft." },
                    "view": { "type": "object", "description": "What is shown instead of the views of a draft." },
                    "reason": text(),
                    "remember": { "enum": ["thread", "always"] },
                },
                "additionalProperties": false,
            },
        ],
    })
}

fn ruling() -> Value {
    json!({
        "type": "object",
        "properties": {
            "effect": { "enum": ["decided", "counted", "repeated"] },
            "interrupt": { "$ref": "#/components/schemas/InterruptRecord" },
            "run": { "type": ["object", "null"], "properties": { "threadId": text(), "runId": text() } },
        },
    })
}

fn rule() -> Value {
    json!({
        "type": "object",
        "properties": {
            "id": text(), "agent": text(), "tool": text(), "risk": text(), "threadId": text_or_null(), "by": text(),
            "at": number(),
        },
    })
}

fn audit_entry() -> Value {
    json!({
        "type": "object",
        "properties": {
            "seq": number(), "at": number(), "kind": text(), "actor": text(), "origin": text(), "owner": text(),
            "threadId": text_or_null(), "interruptId": text_or_null(),
            "json": { "type": "string", "description": "The details, as JSON in a text: the hash is over its bytes." },
            "hash": { "type": "string", "pattern": "^[0-9a-f]{64}$" },
        },
    })
}

fn page(name: &str, item: &str) -> Value {
    let items = json!({ "$ref": format!("#/components/schemas/{item}") });
    json!({
        "type": "object",
        "required": [name],
        "properties": { name: { "type": "array", "items": items }, "nextCursor": text_or_null() },
    })
}
