//! Tools of clients: their schemas come from the network, and may be anything.

use forestage_protocol::tool::Tool;
use forestage_runtime::tool::{ClientTools, SchemaError};
use serde_json::{Value, json};

fn tools(schema: Value) -> ClientTools {
    ClientTools::new(&[Tool { parameters: Some(schema.into()), ..Tool::new("draw", "draws") }])
}

#[track_caller]
fn refused(schema: Value) -> SchemaError {
    let tools = tools(schema);
    assert_eq!(tools.check("draw", &json!({})).unwrap_err().code, "invalid_schema");
    tools.problems().next().unwrap().1.clone()
}

#[test]
fn arguments_are_checked() {
    let tools = tools(json!({ "type": "object", "properties": { "x": { "type": "integer" } } }));
    tools.check("draw", &json!({ "x": 1 })).unwrap();
    let error = tools.check("draw", &json!({ "x": 1.5 })).unwrap_err();
    assert_eq!((error.code.as_str(), error.path.as_deref()), ("invalid_arguments", Some("arguments.x")));
    assert_eq!(tools.check("drow", &json!({})).unwrap_err().code, "unknown_tool");
    assert_eq!(tools.problems().count(), 0);
}

#[test]
fn a_tool_without_parameters_takes_any_object() {
    let tools = ClientTools::new(&[Tool::new("draw", "draws")]);
    tools.check("draw", &json!({ "x": 1 })).unwrap();
    assert_eq!(tools.check("draw", &json!(3)).unwrap_err().code, "invalid_arguments");
}

#[test]
fn references_within_the_schema_are_followed() {
    let tools = tools(json!({
        "type": "object",
        "properties": { "at": { "$ref": "#/$defs/a%20point", "required": ["y"] }, "$ref": { "type": "string" } },
        "$defs": { "a point": { "properties": { "x": { "enum": [{ "$ref": "no reference" }, 1] } }, "required": ["x"] } }
    }));
    tools.check("draw", &json!({ "at": { "x": 1, "y": 1 }, "$ref": "text" })).unwrap();
    tools.check("draw", &json!({ "at": { "x": { "$ref": "no reference" }, "y": 1 } })).unwrap();
    for bad in [json!({ "x": 1 }), json!({ "y": 1 }), json!({ "x": 2, "y": 1 })] {
        assert!(tools.check("draw", &json!({ "at": bad })).is_err(), "{bad}");
    }
    assert!(tools.check("draw", &json!({ "$ref": 1 })).is_err());
    assert!(!Value::Object(tools.parameters("draw").unwrap().clone()).to_string().contains("#/"));
}

#[test]
fn a_schema_that_refers_to_itself_is_checked_some_levels_deep() {
    let tools = tools(json!({
        "type": "object",
        "properties": { "name": { "type": "string" }, "left": { "$ref": "#" }, "right": { "$ref": "#" } }
    }));
    let error = tools.check("draw", &json!({ "left": { "right": { "name": 1 } } })).unwrap_err();
    assert_eq!(error.path.as_deref(), Some("arguments.left.right.name"));
    tools.check("draw", &json!({ "left": { "right": { "name": "x" } } })).unwrap();
}

#[test]
fn circles_do_not_overflow_the_stack() {
    for circle in [
        json!({ "$ref": "#" }),
        json!({ "allOf": [{ "$ref": "#" }, { "$ref": "#" }] }),
        json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$ref": "#/$defs/b" }, "b": { "$ref": "#/$defs/a" } } }),
    ] {
        tools(circle).check("draw", &json!({})).unwrap();
    }
}

#[test]
fn schemas_that_cost_too_much_are_refused() {
    let mut defs = serde_json::Map::from_iter([("d0".to_owned(), json!({ "type": "object" }))]);
    for level in 1..30 {
        let below = json!({ "$ref": format!("#/$defs/d{}", level - 1) });
        defs.insert(format!("d{level}"), json!({ "allOf": [below, below] }));
    }
    let bomb = refused(json!({ "$ref": "#/$defs/d29", "$defs": defs }));
    assert!(matches!(bomb, SchemaError::TooLarge(_)), "{bomb}");
    let long = refused(json!({ "description": "x".repeat(100_000) }));
    assert!(matches!(long, SchemaError::TooLarge(_)), "{long}");
    let mut deep = json!({});
    for _ in 0..100 {
        deep = json!({ "not": deep });
    }
    assert!(matches!(refused(deep), SchemaError::TooLarge(_)));
    let pattern = refused(json!({ "properties": { "a": { "pattern": "((a{1000}){1000}){1000}" } } }));
    assert!(matches!(pattern, SchemaError::Invalid(_)), "{pattern}");
}

#[test]
fn a_pattern_that_never_ends_does_not_fit() {
    let tools = tools(json!({ "properties": { "a": { "pattern": "^(?=(a+)+b)(a+)+b$" } } }));
    let error = tools.check("draw", &json!({ "a": "a".repeat(60) })).unwrap_err();
    assert_eq!(error.code, "invalid_arguments");
}

#[test]
fn what_is_no_schema_is_told_and_spoils_no_other() {
    for bad in [json!(3), json!(false), json!([]), json!({ "type": "array" }), json!({ "required": "a" })] {
        refused(bad);
    }
    for outside in
        ["https://example.org/s.json", "file:///etc/passwd", "#/$defs/none", "#anchor", "other.json"]
    {
        let error = refused(json!({ "properties": { "a": { "$ref": outside } } }));
        assert_eq!(error, SchemaError::Reference(outside.to_owned()));
    }
    assert!(matches!(refused(json!({ "$dynamicRef": "#x" })), SchemaError::Reference(_)));
    let good = Tool::new("good", "works");
    let bad = Tool { parameters: Some(json!(3).into()), ..Tool::new("bad", "does not") };
    ClientTools::new(&[bad, good]).check("good", &json!({})).unwrap();
}
