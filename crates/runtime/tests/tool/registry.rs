//! Registries: names, schemas, checks.

use forestage_runtime::{
    BoxFuture,
    tool::{Invocation, RegisterError, SchemaError, Tool, ToolAbout, ToolError, Tools},
};
use serde_json::{Value, json};

/// A tool of this schema that does nothing.
struct Inert(ToolAbout);

impl Tool for Inert {
    fn about(&self) -> &ToolAbout {
        &self.0
    }

    fn call(&self, _: Invocation, arguments: Value) -> BoxFuture<'_, Result<Value, ToolError>> {
        Box::pin(async { Ok(arguments) })
    }
}

fn tool(name: &str, schema: Value) -> Inert {
    let Value::Object(schema) = schema else { panic!("a schema is an object") };
    Inert(ToolAbout::new(name, "does nothing").parameters(schema))
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "amount": { "type": "number", "maximum": 100 },
            "items": { "type": "array", "items": { "$ref": "#/$defs/item" } },
            "a b": { "type": "string" }
        },
        "required": ["amount"],
        "$defs": { "item": { "type": "object", "required": ["id"], "properties": { "id": { "type": "integer" } } } }
    })
}

/// The error of a call of `pay`.
#[track_caller]
fn check(arguments: Value, path: &str, message: &str) {
    let tools = Tools::new().with(tool("pay", schema())).unwrap();
    let error = tools.check("pay", &arguments).unwrap_err();
    assert_eq!((error.code.as_str(), error.path.as_deref()), ("invalid_arguments", Some(path)));
    assert_eq!(error.message, message);
}

#[test]
fn arguments_that_fit_pass() {
    let tools = Tools::new().with(tool("pay", schema())).unwrap();
    tools.check("pay", &json!({ "amount": 100, "items": [{ "id": 1 }], "more": true })).unwrap();
}

#[test]
fn violations_are_told_with_their_places() {
    check(
        json!({ "amount": "x", "items": [{ "id": 1 }, { "id": "2" }] }),
        "arguments.amount",
        "the arguments of `pay` do not fit: arguments.amount: \"x\" is not of type \"number\"; \
         arguments.items[1].id: \"2\" is not of type \"integer\"",
    );
    check(
        json!({ "amount": 1, "a b": 2 }),
        "arguments[\"a b\"]",
        "the arguments of `pay` do not fit: arguments[\"a b\"]: 2 is not of type \"string\"",
    );
    check(
        json!({}),
        "arguments",
        "the arguments of `pay` do not fit: arguments: \"amount\" is a required property",
    );
    check(json!([1]), "arguments", "the arguments of `pay` have to be an object");
}

#[test]
fn a_flood_of_violations_is_cut() {
    let tools = Tools::new().with(tool("pay", schema())).unwrap();
    let items = vec![json!({ "id": "x".repeat(10_000) }); 50];
    let error = tools.check("pay", &json!({ "amount": 1, "items": items })).unwrap_err();
    assert_eq!(error.message.matches("arguments.items[").count(), 5);
    assert!(error.message.ends_with("; and more"), "{}", error.message);
    assert!(error.message.len() < 2_000);
}

#[test]
fn unknown_tools_are_told_with_those_that_are_known() {
    let tools = Tools::new().with(tool("pay", json!({}))).unwrap().with(tool("ask", json!({}))).unwrap();
    let error = tools.check("pai", &json!({})).unwrap_err();
    assert_eq!(error, ToolError::new("unknown_tool", "there is no tool `pai`; known tools: `ask`, `pay`"));
    let error = Tools::new().check("pay", &json!({})).unwrap_err();
    assert_eq!(error.message, "there is no tool `pay`; known tools: there are none");
}

#[test]
fn what_is_no_tool_is_not_registered() {
    let tools = Tools::new().with(tool("pay", json!({}))).unwrap();
    let error = |tool: Inert| tools.clone().with(tool).unwrap_err();
    assert_eq!(error(tool("pay", json!({}))), RegisterError::Duplicate("pay".to_owned()));
    assert_eq!(error(tool(" ", json!({}))), RegisterError::Name(" ".to_owned()));
    let bad = error(tool("x", json!({ "properties": { "a": { "type": "numbre" } } })));
    assert!(
        bad.to_string().starts_with("the parameters of tool `x`: this is not valid JSON Schema: "),
        "{bad}"
    );
    assert!(bad.to_string().ends_with(" at /properties/a/type"), "{bad}");
    let list = error(tool("x", json!({ "type": "array" })));
    let source = SchemaError::NotAnObject("array".to_owned());
    assert_eq!(list, RegisterError::Schema { tool: "x".to_owned(), source });
    for remote in ["https://example.org/schema.json", "file:///etc/passwd"] {
        let remote = error(tool("x", json!({ "$ref": remote })));
        assert!(matches!(remote, RegisterError::Schema { .. }), "{remote}");
    }
}

#[test]
fn clients_see_the_tools_in_the_words_of_agui() {
    let tools = Tools::new().with(tool("pay", json!({ "type": "object" }))).unwrap();
    let listed = serde_json::to_value(tools.as_agui()).unwrap();
    let expected =
        json!([{ "name": "pay", "description": "does nothing", "parameters": { "type": "object" } }]);
    assert_eq!(listed, expected);
    assert_eq!(tools.get("pay").unwrap().about().name, "pay");
    assert_eq!(tools.iter().count(), 1);
}

#[test]
fn tools_of_others_are_added_unless_their_names_are_taken() {
    let mut tools = Tools::new().with(tool("pay", schema())).unwrap();
    let others = Tools::new().with(tool("pay", json!({}))).unwrap().with(tool("look", schema())).unwrap();
    assert_eq!(tools.merge(&others), ["pay"]);
    assert!(tools.check("pay", &json!({})).is_err(), "what was there stays");
    assert!(tools.check("look", &json!({})).is_err(), "schemas come along");
    assert!(tools.check("look", &json!({ "amount": 1 })).is_ok());
}
