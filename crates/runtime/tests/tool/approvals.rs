//! The shape of an answer to a question about a call.

use forestage_runtime::tool::{Leeway, approval_schema};
use serde_json::{Value, json};

fn approval(parameters: Value) -> Value {
    let Value::Object(parameters) = parameters else { panic!("a schema is an object") };
    approval_schema(&parameters, Leeway { edit: true, remember: true }).into()
}

#[test]
fn an_answer_approves_and_may_edit_explain_and_remember() {
    let parameters =
        json!({ "type": "object", "properties": { "to": { "type": "string" } }, "required": ["to"] });
    let schema = approval(parameters.clone());
    assert_eq!(schema["properties"]["editedArgs"], parameters);
    let fits = |answer: Value| jsonschema::is_valid(&schema, &answer);
    assert!(fits(json!({ "approved": true })));
    assert!(fits(
        json!({ "approved": true, "editedArgs": { "to": "x" }, "reason": "ok", "remember": "thread" })
    ));
    for bad in [
        json!(null),
        json!({}),
        json!({ "approved": "yes" }),
        json!({ "approved": true, "editedArgs": { "to": 1 } }),
        json!({ "approved": true, "editedArgs": {} }),
        json!({ "approved": true, "remember": "forever" }),
        json!({ "approved": true, "edited_args": { "to": "x" } }),
    ] {
        assert!(!fits(bad.clone()), "{bad}");
    }
}

#[test]
fn what_is_refused_is_not_offered() {
    let leeway = Leeway { edit: false, remember: false };
    let schema = Value::from(approval_schema(&serde_json::Map::new(), leeway));
    assert!(jsonschema::is_valid(&schema, &json!({ "approved": true, "reason": "ok" })));
    for bad in
        [json!({ "approved": true, "editedArgs": {} }), json!({ "approved": true, "remember": "thread" })]
    {
        assert!(!jsonschema::is_valid(&schema, &bad), "{bad}");
    }
}

#[test]
fn references_of_the_parameters_still_lead_where_they_led() {
    let schema = approval(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": { "amount": { "$ref": "#/$defs/cents" }, "next": { "$ref": "#" }, "same": { "$ref": "#/properties/amount" } },
        "$defs": { "cents": { "type": "integer" }, "list": { "items": { "$ref": "#" } } }
    }));
    assert_eq!(schema["$defs"]["list"]["items"]["$ref"], "#/properties/editedArgs");
    let fits = |arguments: Value| {
        jsonschema::is_valid(&schema, &json!({ "approved": true, "editedArgs": arguments }))
    };
    assert!(fits(json!({ "amount": 1, "next": { "amount": 2 }, "same": 3 })));
    for bad in [json!({ "amount": "1" }), json!({ "next": { "amount": "2" } }), json!({ "same": "3" })] {
        assert!(!fits(bad.clone()), "{bad}");
    }
}
