//! Steps that hold steps, and handing over.

use serde_json::json;

use super::{CURRENT, Flow, MAX_HANDOFFS, Scene, state_error};
use crate::{
    AgentError, RunContext,
    script::step::{Named, Repeat, Sub},
};

impl Scene<'_> {
    pub(super) async fn named(&mut self, ctx: &RunContext, named: &Named) -> Result<Flow, AgentError> {
        let _step = ctx.step(&named.name.text(&self.env))?;
        let flow = self.steps(ctx, &named.steps).await?;
        self.end_chunks(ctx).await?;
        Ok(flow)
    }

    pub(super) async fn subagent(&mut self, ctx: &RunContext, sub: &Sub) -> Result<Flow, AgentError> {
        let subagent = ctx.subagent(&sub.name.text(&self.env))?;
        let flow = self.steps(&subagent, &sub.steps).await?;
        self.end_chunks(ctx).await?;
        match &sub.fails {
            Some(why) => subagent.fail(why.text(&self.env)),
            None => subagent.finish(),
        }
        Ok(flow)
    }

    pub(super) async fn repeat(&mut self, ctx: &RunContext, repeat: &Repeat) -> Result<Flow, AgentError> {
        let outer = self.env.n;
        for n in 1..=repeat.times {
            self.env.n = n;
            if self.steps(ctx, &repeat.steps).await? == Flow::Done {
                return Ok(Flow::Done);
            }
            // A run can be stopped only where it waits, and a repetition may never do so by itself.
            tokio::task::yield_now().await;
        }
        self.env.n = outer;
        Ok(Flow::Next)
    }

    /// Goes on with the rules of another script, and tells clients who speaks.
    pub(super) async fn handoff(&mut self, ctx: &RunContext, target: &str) -> Result<Flow, AgentError> {
        self.handoffs += 1;
        if self.handoffs > MAX_HANDOFFS {
            let message = format!("scripts hand over to each other without end; the last one is `{target}`");
            return Err(AgentError::new("handoff_loop", message));
        }
        let mut state = ctx.state();
        match state.as_object_mut() {
            Some(members) => drop(members.insert(CURRENT.to_owned(), target.into())),
            None => state = json!({ CURRENT: target }),
        }
        // AGORA 2.1.1: the whole state is sent whenever `currentAgent` changes.
        ctx.send_state(&state).await.map_err(state_error)?;
        self.go_on_with(ctx, target).await?;
        Ok(Flow::Done)
    }

    /// Lets another script play, or whoever else goes by this name.
    pub(super) async fn go_on_with(&mut self, ctx: &RunContext, name: &str) -> Result<(), AgentError> {
        if self.cast.contains_key(name) {
            return self.enter(ctx, name).await;
        }
        let Some(other) = ctx.find_agent(name) else {
            let message = format!("there is no agent `{name}` to hand over to");
            return Err(AgentError::new("unknown_agent", message));
        };
        self.end_chunks(ctx).await?;
        other.ready().await;
        ctx.hand_over_to(&*other);
        other.run(ctx.clone()).await
    }
}
