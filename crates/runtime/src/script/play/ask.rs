//! Questions to a person.

use serde_json::Value;

use super::{Flow, Scene, tool::call};
use crate::{
    AgentError, Answer, Question, RunContext,
    script::{
        rule::answer_fits,
        step::{Ask, AskTool, Branch},
    },
};

impl Scene<'_> {
    /// Asks, and goes on with what follows from the answer. The first time this ends the run.
    pub(super) async fn ask(&mut self, ctx: &RunContext, ask: &Ask) -> Result<Flow, AgentError> {
        let mut question = self.question(ask)?;
        if let Some(tool) = &ask.tool {
            question = self.show_call(ctx, tool, question).await?;
        }
        let answer = ctx.ask(question).await?;
        self.env.answer = answer.value();
        // From here the state is the one of the thread, which a client may have changed with its answer.
        self.env.state = ctx.state();
        self.branch(ctx, &ask.answers, &answer).await
    }

    /// Plays the first branch that fits an answer.
    pub(super) async fn branch(
        &mut self,
        ctx: &RunContext,
        branches: &[Branch],
        answer: &Answer,
    ) -> Result<Flow, AgentError> {
        let fits = |branch: &Branch| answer_fits(&branch.when, answer, &self.env);
        let Some((branch, caught)) = branches.iter().find_map(|branch| Some((branch, fits(branch)?))) else {
            return Ok(Flow::Next);
        };
        let around = self.env.caught.clone();
        if !caught.is_empty() {
            self.env.caught = caught;
        }
        let flow = self.steps(ctx, &branch.steps).await?;
        self.env.caught = around;
        Ok(flow)
    }

    /// Shows the call that a question is about. Its id is the one it had when it was shown first.
    async fn show_call(
        &mut self,
        ctx: &RunContext,
        tool: &AskTool,
        question: Question,
    ) -> Result<Question, AgentError> {
        let (name, arguments) = (tool.name.text(&self.env), self.object(&tool.args, "args")?);
        let given = Value::Object(arguments.clone());
        ctx.check_call(&name, &given)?;
        let id = ctx.is_replaying().then(|| ctx.open_call(&name, &given)).flatten();
        let id = id.unwrap_or_else(|| ctx.new_id("c").into());
        call(ctx, id.clone(), &name, arguments, tool.chunk).await?;
        self.call = Some(id.clone());
        Ok(question.about_call(&id, &name, given))
    }

    fn question(&self, ask: &Ask) -> Result<Question, AgentError> {
        let usual = if ask.tool.is_some() { "tool_call" } else { "input_required" };
        let reason = ask.reason.as_ref().map_or(usual.to_owned(), |reason| reason.text(&self.env));
        let mut question = Question::new(&reason, &ask.message.text(&self.env));
        if let Some(schema) = &ask.schema {
            question = question.schema(self.object(schema, "schema")?);
        }
        if let Some(metadata) = &ask.metadata {
            question = question.metadata(self.object(metadata, "metadata")?);
        }
        if let Some(time) = ask.expires {
            question = question.expires_in(time.0);
        }
        if let Some(id) = &ask.id {
            question = question.id(&id.text(&self.env));
        }
        Ok(question)
    }
}
