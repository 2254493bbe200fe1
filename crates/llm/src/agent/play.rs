//! The part of a model agent in one run.

use forestage_runtime::{AgentError, RunContext};

use super::{ModelAgent, answer::Answer, history, instructions, offer::Offer, settle::Settled};
use crate::model::{Options, Prompt, Said, StopReason, Turn};

/// So often a model is told that a view of its was not shown.
const MAX_REFUSED: u32 = 2;

impl ModelAgent {
    pub(super) async fn perform(&self, ctx: RunContext) -> Result<(), AgentError> {
        let Some(time) = self.part.limits.time else { return self.play(&ctx).await };
        match tokio::time::timeout(time, self.play(&ctx)).await {
            Ok(ended) => ended,
            Err(_) => {
                Err(limit("limit_time", format!("the agent took longer than {} seconds", time.as_secs())))
            }
        }
    }

    async fn play(&self, ctx: &RunContext) -> Result<(), AgentError> {
        if let Some(asked) = self.asked_by_page(ctx).await? {
            self.check_servers(ctx)?;
            return self.serve_page(ctx, &asked).await;
        }
        if let Some(state) = &self.part.state {
            state.begin(ctx).await?;
        }
        if let Some(other) = self.current(ctx) {
            other.ready().await;
            ctx.hand_over_to(&*other);
            return other.run(ctx.clone()).await;
        }
        self.check_servers(ctx)?;
        let offer = Offer::new(&self.part, &self.find, ctx);
        let instructions = instructions::instructions(&self.part, ctx, &offer);
        let mut turns = history::turns(ctx.turn_messages(), &offer, &ctx.warned_calls(ctx.turn_messages()));
        let (mut tokens, mut refused) = (0, 0);
        for _ in 0..self.part.limits.steps {
            let answer = self.turn(ctx, &offer, &instructions, &turns).await?;
            tokens += answer.usage.total();
            self.check_tokens(tokens)?;
            turns.push(Turn::Model(answer.spoken(&offer)));
            if answer.stop == StopReason::Filtered {
                return Err(AgentError::new("model_filtered", "the provider does not want this to be said"));
            }
            let told = answer.refused_view.as_ref().filter(|_| refused < MAX_REFUSED);
            refused += u32::from(told.is_some());
            let told = told.map(|text| Turn::Person(vec![Said::Text(text.clone())]));
            if answer.calls.is_empty() {
                let Some(told) = told else { return self.end(ctx, &answer).await };
                turns.push(told);
                continue;
            }
            match self.settle(ctx, &answer).await? {
                Settled::Results(results) => {
                    turns.push(Turn::Results(results));
                    turns.extend(told);
                }
                Settled::Pending => return Ok(()),
                Settled::HandedOver(other) => {
                    other.ready().await;
                    ctx.hand_over_to(&*other);
                    return other.run(ctx.clone()).await;
                }
            }
        }
        let steps = self.part.limits.steps;
        Err(limit("limit_steps", format!("the agent did not come to an end in {steps} steps")))
    }

    /// The next turn of the model: the one that an earlier run recorded, or a new one.
    async fn turn(
        &self,
        ctx: &RunContext,
        offer: &Offer,
        instructions: &str,
        turns: &[Turn],
    ) -> Result<Answer, AgentError> {
        let step = format!("model:{}", self.part.name);
        if let Some(recorded) = ctx.recorded_step(&step) {
            let answer: Answer = serde_json::from_value(recorded)?;
            return Ok(answer.said_before(ctx).await?);
        }
        if ctx.is_replaying() {
            let text = "the run that asked has not recorded what its model said";
            return Err(AgentError::new("resume_diverged", text));
        }
        let turns = self.fit(ctx, turns).await?.into_owned();
        let (tools, options) = (offer.specs().to_vec(), self.part.options.clone());
        let prompt = Prompt { instructions: instructions.to_owned(), turns, tools, options };
        let pieces = self.part.model.ask(&prompt).await.map_err(|error| error.into_agent_error())?;
        let answer = Answer::listen(ctx, offer, pieces).await?;
        if let Some(usage) = answer.usage.as_agui(self.part.model.name()) {
            ctx.add_usage(usage);
        }
        // Nothing comes after an answer without calls, so nobody will ask for it again; unless it showed a view that is none.
        if !answer.calls.is_empty() || answer.refused_view.is_some() {
            let recorded = serde_json::to_value(answer.for_the_record(ctx.is_reviewed()))?;
            ctx.record_step(&step, &recorded).await?;
        }
        Ok(answer)
    }

    /// An answer that was cut off is shown as it is, and everybody is told.
    async fn end(&self, ctx: &RunContext, answer: &Answer) -> Result<(), AgentError> {
        if answer.stop == StopReason::Length {
            let value = serde_json::json!({ "reason": "length" });
            ctx.custom("forestage.answer_cut", value).await?;
        }
        Ok(())
    }

    /// A run on its way back to a question needs the tools that were asked about.
    fn check_servers(&self, ctx: &RunContext) -> Result<(), AgentError> {
        match self.part.mcp.missing().first() {
            Some(error) if ctx.is_replaying() => Err(AgentError::new(error.code(), error.to_string())),
            _ => Ok(()),
        }
    }

    fn check_tokens(&self, used: u64) -> Result<(), AgentError> {
        match self.part.limits.tokens {
            Some(most) if used > most => {
                Err(limit("limit_tokens", format!("the agent used {used} tokens and may use {most}")))
            }
            _ => Ok(()),
        }
    }

    /// Asks the model for text alone.
    pub(super) async fn ask_for_text(
        &self,
        ctx: &RunContext,
        instructions: &str,
        text: String,
    ) -> Result<String, AgentError> {
        let turns = vec![Turn::Person(vec![Said::Text(text)])];
        let prompt = Prompt {
            instructions: instructions.to_owned(),
            turns,
            tools: Vec::new(),
            options: Options::default(),
        };
        let pieces = self.part.model.ask(&prompt).await.map_err(|error| error.into_agent_error())?;
        let (text, usage) = super::answer::text_of(pieces).await?;
        if let Some(usage) = usage.as_agui(self.part.model.name()) {
            ctx.add_usage(usage);
        }
        Ok(text)
    }
}

fn limit(code: &str, message: String) -> AgentError {
    AgentError::new(code, message)
}
