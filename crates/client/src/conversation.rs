//! A conversation, turn by turn: what a chat needs.

use forestage_protocol::{
    apply::ThreadView,
    content::Content,
    event::RunStarted,
    id::{MessageId, ThreadId},
    input::{Context, RunAgentInput},
    interrupt::ResumeEntry,
    message::{Message, ToolMessage, UserMessage},
    tool::Tool,
};

use crate::{agent::AgentClient, error::ClientError, id, outcome::Outcome, pump::Delivered, run::Run};

/// A thread and all that was said on it. Each turn sends what is new; all of it where the server keeps nothing.
#[derive(Clone, Debug)]
pub struct Conversation {
    agent: AgentClient,
    thread_id: ThreadId,
    view: ThreadView,
    tools: Vec<Tool>,
    context: Vec<Context>,
}

impl Conversation {
    /// A conversation that begins.
    #[must_use]
    pub fn new(agent: AgentClient) -> Self {
        Self::on(agent, id::fresh(), ThreadView::default())
    }

    /// A conversation that the caller has already.
    #[must_use]
    pub fn on(agent: AgentClient, thread_id: ThreadId, view: ThreadView) -> Self {
        Self { agent, thread_id, view, tools: Vec::new(), context: Vec::new() }
    }

    /// A conversation that a Forestage server has: its messages, its state, and what waits for an answer.
    pub async fn load(agent: AgentClient, thread_id: impl Into<ThreadId>) -> Result<Self, ClientError> {
        let thread_id = thread_id.into();
        let client = agent.client().ok_or(ClientError::Unsupported("load a conversation"))?;
        // Messages and state alone would not tell which questions are open; the events do.
        let mut replay = client.thread(thread_id.clone()).replay(crate::After::Start).await?;
        while let Some(delivered) = replay.next().await {
            delivered?;
        }
        let view = replay.into_view();
        Ok(Self::on(agent, thread_id, view))
    }

    /// Offers these tools to the agent from the next turn on.
    #[must_use]
    pub fn with_tools(self, tools: Vec<Tool>) -> Self {
        Self { tools, ..self }
    }

    /// Tells the agent about the client's situation from the next turn on.
    #[must_use]
    pub fn with_context(self, context: Vec<Context>) -> Self {
        Self { context, ..self }
    }

    /// The thread.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }

    /// Everything so far; what a turn adds is in it when the turn is dropped.
    #[must_use]
    pub fn view(&self) -> &ThreadView {
        &self.view
    }

    /// Says something, and lets the agent answer.
    pub async fn say(&mut self, content: impl Into<Content>) -> Result<Turn<'_>, ClientError> {
        let message = UserMessage::new(id::fresh::<MessageId>(), content);
        self.send(vec![message.into()]).await
    }

    /// Brings the results of tools that the last turn waits for.
    pub async fn return_results(&mut self, results: Vec<ToolMessage>) -> Result<Turn<'_>, ClientError> {
        self.send(results.into_iter().map(Message::from).collect()).await
    }

    /// Answers the questions that the last turn ended on, all of them.
    pub async fn answer(&mut self, answers: Vec<ResumeEntry>) -> Result<Turn<'_>, ClientError> {
        let input = self.agent.answers(&self.thread_id, &self.view, answers)?;
        self.run(input).await
    }

    async fn send(&mut self, new: Vec<Message>) -> Result<Turn<'_>, ClientError> {
        let input = self.agent.turn(&self.thread_id, &self.view, new);
        self.run(input).await
    }

    async fn run(&mut self, mut input: RunAgentInput) -> Result<Turn<'_>, ClientError> {
        input.tools = Some(self.tools.clone()).filter(|tools| !tools.is_empty());
        input.context = Some(self.context.clone()).filter(|context| !context.is_empty());
        let view = with(&self.view, input.clone());
        let run = self.agent.run_onto(input, view).await?;
        Ok(Turn { conversation: self, run })
    }
}

/// The view with what is said now. It is told as a run would tell it, so that questions go on waiting until a run
/// has taken their answers.
fn with(view: &ThreadView, input: RunAgentInput) -> ThreadView {
    let mut view = view.clone();
    let started = RunStarted::new(&input.thread_id, &input.run_id);
    view.apply(&RunStarted { input: Some(Box::new(input)), ..started }.into());
    view
}

/// One turn of a conversation. When it is dropped, early or late, what was delivered is part of the
/// conversation.
#[derive(Debug)]
#[must_use = "a turn that nobody reads makes no progress"]
pub struct Turn<'a> {
    conversation: &'a mut Conversation,
    run: Run,
}

impl Turn<'_> {
    /// The next event. May be dropped before it is ready without losing anything.
    pub async fn next(&mut self) -> Option<Result<Delivered, ClientError>> {
        self.run.next().await
    }

    /// Reads to the end and says how the turn ended.
    pub async fn finish(&mut self) -> Result<Outcome, ClientError> {
        self.run.finish().await
    }

    /// The run behind it.
    pub fn run(&mut self) -> &mut Run {
        &mut self.run
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.conversation.view = self.run.take_view();
    }
}
