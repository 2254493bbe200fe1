//! The agent that stands here for one elsewhere.

use std::{sync::Arc, time::Duration};

use forestage_protocol::{
    event::{Event, RunError, RunFinished},
    id::{MessageId, RunId, ThreadId},
    interrupt::ResumeEntry,
    message::Message,
};
use forestage_runtime::{
    About, Agent, AgentError, BoxFuture, RunContext, Stop, house::HouseRules, tool::Tools,
};

use super::{
    ask,
    config::AgUiConfig,
    ended::{Ended, Proposed},
    hear::Hearing,
    input::input,
    line::{ConfigError, Line},
    stream::Stream,
    withdrawn::{Withdrawn, in_turn},
};
use crate::remote::refused::RefusedCalls;

/// So often an agent is called in one run: again after each round of tools or answers.
const MAX_CALLS: u32 = 25;

/// The event that tells everybody what was decided about a call.
const DECISION: &str = "forestage.decision";

/// An agent elsewhere that speaks AG-UI. See [the module](super).
#[derive(Debug)]
pub struct AgUi {
    config: AgUiConfig,
    line: Line,
}

impl AgUi {
    /// Stands for the agent at this address.
    pub fn new(config: AgUiConfig) -> Result<Self, ConfigError> {
        let line = Line::new(&config)?;
        Ok(Self { config, line })
    }

    async fn perform(&self, ctx: RunContext) -> Result<(), AgentError> {
        let mut hearing = Hearing::new(&ctx, self.config.raw);
        let (mut first, mut before) = (Vec::new(), None);
        if let Some(withdrawn) = Withdrawn::of(&ctx, &self.config.name) {
            (first, before) = self.withdraw(&mut hearing, withdrawn).await?;
        }
        let mut resume = Vec::new();
        for number in 1..=MAX_CALLS {
            let ended = match before.take().map_or_else(|| self.recorded(&ctx), |ended| Ok(Some(ended)))? {
                Some(ended) => ended,
                None => {
                    let conversation = in_turn(&ctx, ctx.conversation().await?, &first);
                    let conversation = hearing.corrections.tell(conversation);
                    self.call(&mut hearing, number, &conversation, std::mem::take(&mut resume)).await?
                }
            };
            hearing.corrections.note(ended.refused.as_ref())?;
            if !ended.asked.is_empty() || !ended.settled.is_empty() {
                resume = self.ask(&ctx, ended).await?;
            } else if ended.proposed.is_empty() && !ended.is_to_be_corrected() {
                return Ok(());
            } else {
                let calls = ended.proposed.into_iter().map(Proposed::into_shown);
                ctx.use_shown(calls.collect()).await?;
                if ended.waits {
                    return Ok(());
                }
            }
        }
        let text = format!("the agent did not come to an end in {MAX_CALLS} calls");
        Err(AgentError::new("limit_steps", text))
    }

    /// Tells the agent of questions that nobody answers any more, as if that had been the answer: without what was said
    /// since, which is what it is called for next. If it has no use for that, it goes on all the same. Returns what it
    /// said to it, and what it wants now, if it wants anything.
    async fn withdraw(
        &self,
        hearing: &mut Hearing<'_>,
        withdrawn: Withdrawn,
    ) -> Result<(Vec<MessageId>, Option<Ended>), AgentError> {
        let ctx = hearing.ctx;
        let whole = ctx.conversation().await?;
        let conversation = withdrawn.before(ctx, whole.clone());
        let error = match self.call(hearing, 0, &conversation, withdrawn.entries()).await {
            Err(error) => error,
            Ok(ended) => {
                let is_new = |message: &&Message| whole.iter().all(|known| known.id() != message.id());
                let said = ctx.conversation().await?;
                let said = said.iter().filter(is_new).map(|message| message.id().clone()).collect();
                return Ok((said, Some(ended).filter(Ended::wants)));
            }
        };
        if error.stop().is_some() {
            return Err(error);
        }
        // One that could not be reached is told the next time.
        if error.code() != "agent_unreachable" {
            Withdrawn::remember(ctx, &self.config.name, &[]).await?;
        }
        let text = "the agent could not do anything with the news that its question was withdrawn";
        hearing.warn("withdrawn", text.to_owned()).await?;
        Ok((Vec::new(), None))
    }

    /// How a call ended that an earlier run of this turn made. One that repeats a lost run calls anew: what the lost one
    /// has heard is gone, and the agent may say something else.
    fn recorded(&self, ctx: &RunContext) -> Result<Option<Ended>, AgentError> {
        if !ctx.is_replaying() {
            return Ok(None);
        }
        match ctx.recorded_step(&self.step()) {
            Some(recorded) => Ok(Some(serde_json::from_value(recorded)?)),
            None => {
                let text = "the run that asked has not recorded what its agent wanted to know".to_owned();
                Err(Stop::Diverged(text).into())
            }
        }
    }

    fn step(&self) -> String {
        format!("remote:{}", self.config.name)
    }

    /// Calls the agent, and says what it says.
    async fn call(
        &self,
        hearing: &mut Hearing<'_>,
        number: u32,
        conversation: &[Message],
        resume: Vec<ResumeEntry>,
    ) -> Result<Ended, AgentError> {
        let ctx = hearing.ctx;
        let (input, warnings) = input(&self.config, ctx, run_id(ctx, number), conversation, resume);
        warnings.iter().for_each(|warning| {
            tracing::warn!(agent = self.config.name, warning = warning.message, "a remote agent is told less")
        });
        hearing.begin(&ctx.conversation().await?);
        let stream = self.line.call(&input, ctx.owner()).await.map_err(|it| self.failed(ctx, it))?;
        let mut stream = stream.on(&thread_id(ctx), self.config.peer);
        let finished = self.listen(hearing, &mut stream).await;
        for warning in stream.take_warnings() {
            tracing::info!(
                agent = self.config.name,
                warning = warning.message,
                "a remote agent speaks an older or newer AG-UI"
            );
        }
        let mut ended = Ended::of(hearing, finished?)?;
        ended.refused = self.refused(hearing).await?;
        if let Some(refused) = ended.refused.as_ref().filter(|_| ended.waits) {
            for call in refused.calls() {
                let text = format!("component `{}` is not shown: {}", call.name, call.message);
                hearing.warn("invalid_arguments", text).await?;
            }
        }
        for told in &ended.told {
            ctx.custom(DECISION, told.clone()).await?;
        }
        Withdrawn::remember(ctx, &self.config.name, &ended.asked).await?;
        if ended.wants() {
            ctx.record_step(&self.step(), &serde_json::to_value(&ended)?).await?;
        }
        Ok(ended)
    }

    /// What of the answer is not shown, for the agent to correct.
    async fn refused(&self, hearing: &Hearing<'_>) -> Result<Option<RefusedCalls>, AgentError> {
        let (ctx, calls) = (hearing.ctx, hearing.calls.refused());
        if calls.is_empty() {
            return Ok(None);
        }
        for call in &calls {
            let (agent, why) = (&self.config.name, &call.message);
            tracing::info!(agent, run = %ctx.run_id(), why, "a component of a remote agent is not shown");
        }
        Ok(RefusedCalls::of(ctx, &ctx.conversation().await?, calls))
    }

    async fn listen(
        &self,
        hearing: &mut Hearing<'_>,
        stream: &mut Stream,
    ) -> Result<RunFinished, AgentError> {
        loop {
            match stream.next().await.map_err(|trouble| self.failed(hearing.ctx, trouble))? {
                Event::RunStarted(_) => {}
                Event::RunError(error) => return Err(said_no(hearing.ctx, error)),
                Event::RunFinished(finished) => {
                    return match stream.late_error().await {
                        Some(Event::RunError(error)) => Err(said_no(hearing.ctx, error)),
                        _ => Ok(finished),
                    };
                }
                event => hearing.take(event).await?,
            }
        }
    }

    fn failed(&self, ctx: &RunContext, trouble: super::trouble::Trouble) -> AgentError {
        tracing::warn!(agent = self.config.name, run = %ctx.run_id(), %trouble, "a remote agent failed");
        trouble.into_agent_error()
    }

    /// Asks a person what the agent asks. The run ends here until somebody has answered.
    async fn ask(&self, ctx: &RunContext, ended: Ended) -> Result<Vec<ResumeEntry>, AgentError> {
        let Ended { asked, within, mut settled, .. } = ended;
        if asked.is_empty() {
            return Ok(settled);
        }
        let within = within.into_iter().chain(std::iter::repeat(None));
        let questions = asked.iter().zip(within).map(|(asked, within)| match within {
            Some(time) => ask::question(asked).expires_in(Duration::from_millis(time)),
            None => ask::question(asked),
        });
        let answers = ctx.ask_all(questions.collect()).await?;
        settled.extend(asked.iter().zip(answers).map(|(asked, answer)| ask::entry(asked, answer)));
        Ok(settled)
    }
}

/// Whoever is asked by another agent has a conversation of its own, and an agent that remembers threads keeps it apart.
pub(super) fn thread_id(ctx: &RunContext) -> ThreadId {
    match ctx.invited_by() {
        Some(call) => format!("{}/{call}", ctx.thread_id()).into(),
        None => ctx.thread_id().clone(),
    }
}

/// A run of its own for each call: no id is used twice on a thread.
fn run_id(ctx: &RunContext, number: u32) -> RunId {
    match number {
        1 if ctx.invited_by().is_none() => ctx.run_id().clone(),
        _ => ctx.new_id("call").into(),
    }
}

fn said_no(ctx: &RunContext, error: RunError) -> AgentError {
    error.usage.into_iter().flatten().for_each(|usage| ctx.add_usage(usage));
    AgentError::new(error.code.as_deref().unwrap_or("agent_error"), error.message)
}

impl Agent for AgUi {
    fn about(&self) -> About {
        About { history: self.config.history, ..About::new(&self.config.description) }
    }

    fn tools(&self) -> Arc<Tools> {
        self.config.tools.clone()
    }

    fn house(&self) -> Arc<HouseRules> {
        self.config.house.clone()
    }

    fn run(&self, ctx: RunContext) -> BoxFuture<'_, Result<(), AgentError>> {
        Box::pin(self.perform(ctx))
    }
}
