//! The agents of a server: this is the one place that knows where they come from.

use std::{sync::Arc, time::Duration};

use forestage_runtime::{About, Agent, Agents, Question, RunContext, Stage, agent_fn};

use crate::config::Config;

/// The agents that are served.
pub(crate) struct Cast {
    /// The agents themselves, until the stage takes them.
    pub(crate) agents: Agents,
    /// Their names.
    pub(crate) names: Vec<String>,
    /// Where they are from.
    pub(crate) origin: String,
}

/// Loads the agents.
pub(crate) fn load(_config: &Config, _which: super::Agents) -> anyhow::Result<Cast> {
    let agents = built_in();
    let names = agents.keys().cloned().collect();
    Ok(Cast { agents, names, origin: "built in".to_owned() })
}

/// Keeps the stage's agents up to date for as long as the value lives.
pub(crate) fn watch(_cast: &Cast, _stage: &Arc<Stage>) {}

fn built_in() -> Agents {
    Agents::from([("hello".to_owned(), hello()), ("approval".to_owned(), approval())])
}

fn hello() -> Arc<dyn Agent> {
    agent_fn(About::new("Says hello"), |ctx: RunContext| async move {
        let said = ctx.last_user_text().unwrap_or_default();
        let text = ctx.text()?;
        for word in format!("Hello! You said: {said}").split_inclusive(' ') {
            text.push(word).await?;
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(())
    })
}

fn approval() -> Arc<dyn Agent> {
    agent_fn(About::new("Asks before it acts"), |ctx: RunContext| async move {
        ctx.say("One moment.").await?;
        let answer = ctx.ask(Question::new("confirmation", "May I?")).await?;
        ctx.say(format!("You answered {}", answer.value())).await?;
        Ok(())
    })
}
