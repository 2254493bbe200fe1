//! Plays a script in a run.
//!
//! A script that has asked is played again from the top when there is an answer. The context keeps silent until
//! the question is reached; what is left to us is to come there the same way and not to wait again on it.

mod ask;
mod group;
mod raw;
mod say;
mod state;
mod tool;

use std::{collections::HashMap, time::Duration};

use forestage_protocol::{chunks::Expander, id::ToolCallId};

use super::{
    agent::Cast,
    file::File,
    rule::{self, Turn},
    step::Step,
    value::Env,
};
use crate::{AgentError, BoxFuture, RunContext, StateError, context::Part};

/// The member of the state that names the script that speaks.
const CURRENT: &str = "currentAgent";

/// Whoever hands over that often within a turn does so for ever.
const MAX_HANDOFFS: usize = 16;

/// Plays the script of this name, or the one that it has handed over to.
pub(super) async fn play(ctx: &RunContext, name: &str, cast: &Cast) -> Result<(), AgentError> {
    let turn = Turn::of(ctx);
    let env = Env {
        user: turn.user.clone(),
        thread: ctx.thread_id().to_string(),
        run: ctx.run_id().to_string(),
        context: ctx.context().into(),
        ..Env::default()
    };
    let script = script(cast, name)?;
    let mut scene = Scene {
        cast,
        script,
        turn,
        env,
        activities: HashMap::new(),
        expander: Expander::default(),
        call: None,
        handoffs: 0,
    };
    scene.begin_state(ctx).await?;
    let name = scene.current(ctx, name);
    scene.go_on_with(ctx, &name).await?;
    scene.end_chunks(ctx).await
}

/// What a script knows while it is played.
struct Scene<'a> {
    cast: &'a Cast,
    script: &'a File,
    turn: Turn,
    env: Env,
    /// The kinds of the activities that were shown, by id.
    activities: HashMap<String, String>,
    expander: Expander,
    /// The call that the last question was about.
    call: Option<ToolCallId>,
    handoffs: usize,
}

/// Whether the next step follows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Next,
    /// Somebody else has taken over, and is done.
    Done,
}

impl<'a> Scene<'a> {
    /// The script that spoke last, where scripts hand over to each other.
    fn current(&self, ctx: &RunContext, name: &str) -> String {
        let state = ctx.state();
        let current = state.get(CURRENT).and_then(|current| current.as_str());
        let is_there = |current: &str| self.cast.contains_key(current) || self.hands_out_to(current);
        let current = current.filter(|current| is_there(current) && hands_over(self.script));
        current.unwrap_or(name).to_owned()
    }

    /// Whether a script hands over to somebody of this name who is none.
    fn hands_out_to(&self, name: &str) -> bool {
        self.cast
            .values()
            .any(|script| script.rules.iter().any(|rule| any_handoff(&rule.steps, &|to| to == name)))
    }

    /// Plays with the tools and under the rules that the script has; one without any plays under those that were there.
    fn take_part(&self, ctx: &RunContext) {
        let built = &self.script.built;
        if !built.tools.is_empty() || built.house.is_some() {
            let house = built.house.clone().unwrap_or_else(|| ctx.house());
            ctx.hand_over(Part { tools: built.tools.clone(), house });
        }
    }

    /// Plays the first rule of a script that fits.
    async fn enter(&mut self, ctx: &RunContext, name: &str) -> Result<(), AgentError> {
        self.script = script(self.cast, name)?;
        self.env.agent = name.to_owned();
        self.take_part(ctx);
        self.env.state = ctx.state();
        let Some(rule) = rule::find(self.script, &self.turn, &mut self.env) else {
            let message = format!("no rule of script `{name}` fits; one without `when` fits always");
            return Err(AgentError::new("no_rule", message));
        };
        self.steps(ctx, &rule.steps).await.map(|_| ())
    }

    /// Plays steps in order.
    fn steps<'b>(
        &'b mut self,
        ctx: &'b RunContext,
        steps: &'b [Step],
    ) -> BoxFuture<'b, Result<Flow, AgentError>>
    where
        'a: 'b,
    {
        Box::pin(async move {
            // What is answered in here is known in here: around it `{{answer}}` is what it was.
            let around = (self.env.answer.clone(), self.call.clone());
            for step in steps {
                self.env.state = ctx.state();
                if !matches!(step, Step::Raw(_)) {
                    self.end_chunks(ctx).await?;
                }
                if self.step(ctx, step).await? == Flow::Done {
                    return Ok(Flow::Done);
                }
            }
            (self.env.answer, self.call) = around;
            Ok(Flow::Next)
        })
    }

    async fn step(&mut self, ctx: &RunContext, step: &Step) -> Result<Flow, AgentError> {
        match step {
            Step::Text(say) => self.say(ctx, say).await?,
            Step::Reasoning(think) => self.think(ctx, &think.0).await?,
            Step::Step(named) => return self.named(ctx, named).await,
            Step::Tool(tool) => return self.tool(ctx, tool).await,
            Step::ToolResult(result) => self.tool_result(ctx, &result.value).await?,
            Step::State(state) => self.state(ctx, state).await?,
            Step::Patch(patch) => self.patch(ctx, patch).await?,
            Step::Activity(activity) => self.activity(ctx, &activity.value).await?,
            Step::Custom(custom) => self.custom(ctx, custom).await?,
            Step::Sleep(time) => pause(ctx, time.0).await,
            Step::Subagent(sub) => return self.subagent(ctx, sub).await,
            Step::Handoff(target) => return self.handoff(ctx, &target.value).await,
            Step::Ask(ask) => return self.ask(ctx, ask).await,
            Step::Repeat(repeat) => return self.repeat(ctx, repeat).await,
            Step::Error(failure) => return Err(self.failure(failure)),
            Step::Result(result) => ctx.set_result(&result.value(&self.env))?,
            Step::Usage(usage) => tool::add_usage(ctx, usage),
            Step::Raw(event) => self.raw(ctx, &event.value).await?,
        }
        Ok(Flow::Next)
    }
}

fn script<'a>(cast: &'a Cast, name: &str) -> Result<&'a File, AgentError> {
    let script = cast.get(name).map(|script| &**script);
    script.ok_or_else(|| AgentError::new("unknown_agent", format!("there is no script `{name}` any more")))
}

/// Waits, unless it was waited for in an earlier run.
async fn pause(ctx: &RunContext, time: Duration) {
    if !ctx.is_replaying() && !time.is_zero() {
        tokio::time::sleep(time).await;
    }
}

/// A run that is over is not an error of the state's.
fn state_error(error: StateError) -> AgentError {
    match error {
        StateError::Stop(stop) => stop.into(),
        other => AgentError::new("state_error", other.to_string()),
    }
}

/// Whether a script can hand over to another one.
fn hands_over(script: &File) -> bool {
    script.rules.iter().any(|rule| any_handoff(&rule.steps, &|_| true))
}

fn any_handoff(steps: &[Step], is_it: &dyn Fn(&str) -> bool) -> bool {
    let any = |steps: &[Step]| any_handoff(steps, is_it);
    steps.iter().any(|step| match step {
        Step::Handoff(target) => is_it(&target.value),
        Step::Step(named) => any(&named.steps),
        Step::Subagent(sub) => any(&sub.steps),
        Step::Repeat(repeat) => any(&repeat.steps),
        Step::Tool(tool) => {
            let branches = tool.answers.iter().any(|branch| any(&branch.steps));
            branches || any(&tool.then) || any(&tool.failed)
        }
        Step::Ask(ask) => ask.answers.iter().any(|branch| any(&branch.steps)),
        _ => false,
    })
}
