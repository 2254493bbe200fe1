//! An agent with tools that do something to the world: they leave a trace in a file, which outlives the process.
//!
//! What it is told is a row of calls, such as `pay ann 7 during, book bob 3`. `pay` must not be executed twice, `book`
//! may be. After the name and the amount, words say where it waits for the gate of its thread, so that a test can kill
//! the process there: `before` it comes back to the question with the answer, or `during` the tool, between its two
//! lines in the trace.

use std::{
    error::Error,
    fs::{File, OpenOptions},
    io::Write,
    path::{Path, PathBuf},
    sync::Arc,
};

use forestage::runtime::{
    About, Agent, AgentError, BoxFuture, RunContext, agent_fn,
    house::HouseRules,
    script::LoadError,
    tool::{Invocation, Tool, ToolAbout, ToolError, Tools},
    with_house,
};
use serde_json::{Map, Value, json};

use crate::gate::Gate;

/// Small amounts are decided by silence, one way or the other; gifts are free.
const HOUSE: &str = "
rules:
  - { name: gifts, tools: ['*'], when: { to: { equals: charity } }, action: allow }
  - { name: pennies, tools: ['*'], when: { amount: { equals: 1 } }, action: ask, timeout: 1s, on_expiry: approve }
  - { name: twopence, tools: ['*'], when: { amount: { equals: 2 } }, action: ask, timeout: 1s, on_expiry: reject }
  - { name: fortunes, tools: ['*'], when: { amount: { equals: 1000 } }, action: ask, risk: high, by: { role: manager, people: 2 } }
otherwise: { action: ask, risk: medium }
";

/// The agent.
pub(crate) fn agent(gate: &Gate, trace: Option<&Path>) -> Result<Arc<dyn Agent>, Box<dyn Error>> {
    let tool = |about| Till { about, gate: gate.clone(), trace: trace.map(Path::to_owned) };
    let pay = tool(ToolAbout::new("pay", "Pays, once.").parameters(parameters()));
    let book =
        tool(ToolAbout::new("book", "Books, as often as you like.").parameters(parameters()).repeatable());
    let tools = Tools::new().with(pay)?.with(book)?;
    let house = HouseRules::parse("teller", HOUSE).map_err(LoadError::Scripts)?;
    let gate = gate.clone();
    let agent = agent_fn(About::new("pays, if somebody agrees"), move |ctx| serve(ctx, gate.clone()));
    Ok(with_house(agent, tools, house))
}

fn parameters() -> Map<String, Value> {
    let schema = json!({
        "type": "object",
        "properties": {
            "to": { "type": "string" },
            "amount": { "type": "integer", "minimum": 1 },
            "during": { "type": "boolean" }
        },
        "required": ["to", "amount"],
        "additionalProperties": false
    });
    schema.as_object().cloned().unwrap_or_default()
}

async fn serve(ctx: RunContext, gate: Gate) -> Result<(), AgentError> {
    let text = ctx.last_user_text().unwrap_or_default();
    if ctx.is_replaying() && text.contains(" before") {
        gate.pass(ctx.thread_id()).await;
    }
    for used in ctx.use_tools(text.split(", ").map(call).collect()).await? {
        let said = used.unwrap_or_else(|error| format!("{}: {error}", error.code));
        ctx.say(said).await?;
    }
    Ok(())
}

/// `TOOL TO AMOUNT [during]`.
fn call(order: &str) -> (String, Value) {
    let words: Vec<&str> = order.split(' ').collect();
    let word = |at: usize| words.get(at).copied().unwrap_or_default();
    let mut arguments = json!({ "to": word(1), "amount": word(2).parse::<u64>().unwrap_or_default() });
    if words.contains(&"during") {
        arguments["during"] = true.into();
    }
    (word(0).to_owned(), arguments)
}

/// A tool that writes what it does.
struct Till {
    about: ToolAbout,
    gate: Gate,
    trace: Option<PathBuf>,
}

impl Till {
    /// A line in the trace, and on the output for whoever waits for it.
    fn note(&self, line: &str) -> Result<(), ToolError> {
        if let Some(path) = &self.trace {
            let mut file: File = OpenOptions::new().create(true).append(true).open(path)?;
            file.write_all(format!("{line}\n").as_bytes())?;
        }
        println!("{line}");
        Ok(())
    }
}

impl Tool for Till {
    fn about(&self) -> &ToolAbout {
        &self.about
    }

    fn call(&self, call: Invocation, arguments: Value) -> BoxFuture<'_, Result<Value, ToolError>> {
        Box::pin(async move {
            self.note(&format!("begin {}", call.key))?;
            if arguments["during"] == true {
                self.gate.pass(&call.thread_id).await;
            }
            self.note(&format!("end {}", call.key))?;
            Ok(format!("{} to {}", arguments["amount"], arguments["to"].as_str().unwrap_or_default()).into())
        })
    }
}
