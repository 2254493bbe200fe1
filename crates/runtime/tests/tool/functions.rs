//! Tools made of functions.

use forestage_runtime::{
    AgentError,
    tool::{Invocation, Tool, ToolError, tool_fn},
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Moves money.
/// Not twice.
#[derive(Deserialize, JsonSchema)]
struct Pay {
    /// How much, in cents.
    amount: u64,
    /// To whom.
    to: Option<String>,
}

#[derive(Serialize)]
struct Paid {
    amount: u64,
    key: String,
}

fn invocation() -> Invocation {
    Invocation {
        key: "k1".to_owned(),
        thread_id: "t1".into(),
        run_id: "r1".into(),
        tool_call_id: "c1".into(),
        owner: "ada".to_owned(),
        notes: Default::default(),
        progress: forestage_runtime::tool::Progress::default(),
    }
}

#[test]
fn documentation_describes_the_tool_and_its_arguments() {
    let tool = tool_fn("pay", |_: Invocation, _: Pay| async { Ok(()) });
    let about = tool.about();
    assert_eq!((about.name.as_str(), about.repeatable), ("pay", false));
    assert_eq!(about.description, "Moves money.\nNot twice.");
    let expected = json!({
        "type": "object",
        "properties": {
            "amount": { "type": "integer", "format": "uint64", "minimum": 0, "description": "How much, in cents." },
            "to": { "type": ["string", "null"], "description": "To whom." }
        },
        "required": ["amount"]
    });
    assert_eq!(Value::Object(about.parameters.clone()), expected);
    let other = tool.description("Pays").repeatable();
    assert_eq!((other.about().description.as_str(), other.about().repeatable), ("Pays", true));
}

#[tokio::test]
async fn arguments_and_results_are_typed_and_the_key_arrives() {
    let tool = tool_fn("pay", |call: Invocation, pay: Pay| async move {
        Ok(Paid { amount: pay.amount, key: format!("{}-{}", call.owner, call.key) })
    });
    let result = tool.call(invocation(), json!({ "amount": 5 })).await;
    assert_eq!(result, Ok(json!({ "amount": 5, "key": "ada-k1" })));
    let error = tool.call(invocation(), json!({ "amount": "5" })).await.unwrap_err();
    assert_eq!(error.code, "invalid_arguments");
}

#[tokio::test]
async fn any_error_becomes_a_tool_error_and_an_agent_error() {
    let tool = tool_fn("pay", |_: Invocation, pay: Pay| async move {
        let number: u8 = pay.to.unwrap_or_default().parse()?;
        if number == 0 {
            return Err(ToolError::new("no_account", "there is no account 0").at("arguments.to"));
        }
        Ok(number)
    });
    let error = tool.call(invocation(), json!({ "amount": 5, "to": "x" })).await.unwrap_err();
    assert_eq!(error, ToolError::new("tool_error", "invalid digit found in string"));
    let error = tool.call(invocation(), json!({ "amount": 5, "to": "0" })).await.unwrap_err();
    assert_eq!(error.path.as_deref(), Some("arguments.to"));
    let error = AgentError::from(error);
    assert_eq!((error.code(), error.message().as_str()), ("no_account", "there is no account 0"));
}
