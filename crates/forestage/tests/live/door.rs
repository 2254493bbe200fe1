//! The front door: what is put together, and what is told where that cannot be.

use forestage::{
    Forestage, StartError,
    client::{Client, Conversation, Outcome},
    runtime::{
        About, AgentError, RunContext, agent_fn,
        house::HouseRules,
        tool::{Invocation, ToolFn, tool_fn},
    },
};
use serde_json::{Value, json};

fn echo() -> ToolFn {
    tool_fn("echo", |_: Invocation, value: Value| async move { Ok(value) })
}

async fn user(ctx: RunContext) -> Result<(), AgentError> {
    let said = match ctx.use_tool("echo", json!({ "sound": ctx.last_user_text() })).await? {
        Ok(result) => result,
        Err(error) => error.code,
    };
    ctx.say(said).await?;
    Ok(())
}

#[tokio::test]
async fn an_agent_without_tools_uses_those_of_the_server_under_its_rules() {
    let rules = "rules: [{ tools: [echo], when: { sound: { equals: loud } }, action: deny }]";
    let server = Forestage::builder()
        .agent("user", agent_fn(About::new("uses a tool"), user))
        .tool(echo())
        .house(HouseRules::parse("house", rules).expect("rules without mistakes"))
        .start()
        .await
        .expect("it starts");
    let client = Client::new(server.url()).expect("an address");
    let mut conversation = Conversation::new(client.agent("user").expect("a name"));
    for (said, answer) in [("hello", r#"{"sound":"hello"}"#), ("loud", "denied")] {
        let outcome = conversation.say(said).await.expect("it runs").finish().await.expect("it ends");
        assert!(matches!(outcome, Outcome::Success { .. }), "{outcome:?}");
        let last = serde_json::to_value(conversation.view().messages().last()).expect("JSON");
        assert!(last["content"].as_str().is_some_and(|text| text.contains(answer)), "{last}");
    }
    server.shutdown().await;
    assert!(client.agents().await.is_err(), "it has stopped");
}

#[tokio::test]
async fn what_cannot_be_served_is_told_before_anything_is() {
    let twice = Forestage::builder().tool(echo()).tool(echo()).start().await;
    assert!(matches!(twice, Err(StartError::Tool(_))), "{twice:?}");
    let nowhere = Forestage::builder().agents_dir("there-is-no-such-folder").start().await;
    let error = nowhere.expect_err("there is no folder").to_string();
    assert_eq!(error, "the agents in `there-is-no-such-folder` cannot be used");
    let open = Forestage::builder().listen("0.0.0.0:0").start().await;
    assert!(matches!(open, Err(StartError::Bind(_))), "everybody could come in: {open:?}");
}
