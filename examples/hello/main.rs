//! The smallest agent there is: it asks for a name, and says hello.

use forestage::{
    Forestage,
    runtime::{About, AgentError, RunContext, agent_fn},
};

async fn hello(ctx: RunContext) -> Result<(), AgentError> {
    let name: String = ctx.ask_for("What is your name?").await?;
    let text = ctx.text()?;
    for word in ["Hello, ", &name, "."] {
        text.push(word).await?;
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let agent = agent_fn(About::new("says hello"), hello);
    Ok(Forestage::builder().agent("hello", agent).data("hello.db").serve().await?)
}
