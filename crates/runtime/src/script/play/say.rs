//! Messages and thoughts, piece by piece.

use std::time::Duration;

use super::{Scene, pause};
use crate::{
    AgentError, RunContext,
    script::{
        step::Say,
        value::{Chunk, pieces},
    },
};

impl Scene<'_> {
    pub(super) async fn say(&self, ctx: &RunContext, say: &Say) -> Result<(), AgentError> {
        let (text, pace, chunk) = self.manner(say);
        let message = match say.role {
            Some(role) => ctx.text_as(role.into())?,
            None => ctx.text()?,
        };
        for piece in pieces(&text, chunk) {
            message.push(piece).await?;
            pause(ctx, pace).await;
        }
        Ok(())
    }

    pub(super) async fn think(&self, ctx: &RunContext, think: &Say) -> Result<(), AgentError> {
        let (text, pace, chunk) = self.manner(think);
        let thought = ctx.reasoning()?;
        for piece in pieces(&text, chunk) {
            thought.push(piece).await?;
            pause(ctx, pace).await;
        }
        Ok(())
    }

    fn manner(&self, say: &Say) -> (String, Duration, Chunk) {
        let pace = say.pace.unwrap_or(self.script.pace).0;
        (say.text.text(&self.env), pace, say.chunk.unwrap_or(self.script.chunk))
    }
}
