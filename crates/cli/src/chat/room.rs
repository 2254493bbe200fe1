//! A thread that somebody takes part in: what is said goes to the server, what happens comes from its log.
//!
//! Both faces of the chat sit on it. Promise: what is shown is what the log says, in its order; a broken
//! connection is made again behind the last event, and said so.

use std::time::Duration;

use forestage_client::{After, Client, ClientError, ThreadClient, id};
use forestage_protocol::{
    apply::ThreadView,
    event::Event,
    id::{MessageId, RunId, ThreadId},
    input::RunAgentInput,
    message::{Message, UserMessage},
};
use tokio::{sync::mpsc, task::JoinHandle};

use super::question::{Form, Reply};
use crate::short_id;

/// The longest pause before a connection is tried again.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// Something that happened.
#[derive(Debug)]
pub(super) enum News {
    /// An event, already part of the view.
    Event(Box<Event>),
    /// The connection is gone; it is being made again.
    Lost(String),
    /// It is back.
    Back,
    /// It will not come back.
    Over(ClientError),
}

/// A thread and its agent.
pub(super) struct Room {
    client: Client,
    agent: String,
    thread_id: ThreadId,
    view: ThreadView,
    run: Option<RunId>,
    steps: Vec<String>,
    follower: Option<Follower>,
    news: mpsc::UnboundedReceiver<News>,
    sender: mpsc::UnboundedSender<News>,
}

impl Room {
    /// A room with a new thread. The agent has to be there, so that a wrong name is told before anything is said.
    pub(super) async fn new(client: Client, agent: Option<String>) -> anyhow::Result<Self> {
        let agent = match agent {
            Some(agent) => known(&client, agent).await?,
            None => usual(&client).await?,
        };
        let (sender, news) = mpsc::unbounded_channel();
        Ok(Self {
            client,
            agent,
            thread_id: id::fresh(),
            view: ThreadView::default(),
            run: None,
            steps: Vec::new(),
            follower: None,
            news,
            sender,
        })
    }

    pub(super) fn agent(&self) -> &str {
        &self.agent
    }

    pub(super) fn thread_id(&self) -> &ThreadId {
        &self.thread_id
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    /// The conversation so far.
    pub(super) fn view(&self) -> &ThreadView {
        &self.view
    }

    /// The run under way.
    pub(super) fn run(&self) -> Option<&RunId> {
        self.run.as_ref()
    }

    /// The steps it is in.
    pub(super) fn steps(&self) -> &[String] {
        &self.steps
    }

    /// What the thread waits for, once the run has ended on it.
    pub(super) fn form(&self) -> Option<Form> {
        if self.run.is_some() { None } else { Form::of(&self.view) }
    }

    /// Leaves the thread for a new one.
    pub(super) fn leave(&mut self) {
        self.go(id::fresh());
    }

    /// Talks to another agent from now on.
    pub(super) async fn change_agent(&mut self, agent: String) -> anyhow::Result<()> {
        self.agent = known(&self.client, agent).await?;
        Ok(())
    }

    /// Goes to a thread: its conversation is loaded, and a run under way is followed. One that does not exist
    /// begins with the first thing said.
    pub(super) async fn enter(&mut self, thread: &str) -> anyhow::Result<()> {
        self.go(thread.into());
        let mut client = self.client.thread(thread);
        let record = match client.get().await {
            Ok(record) => record,
            Err(ClientError::Refused { status: 404, .. }) => {
                let Some(id) = short_id::generated_thread(&self.client, thread).await? else { return Ok(()) };
                self.go(id.clone());
                client = self.client.thread(id);
                client.get().await?
            }
            Err(error) => return Err(error.into()),
        };
        if let Some(agent) = record.agent() {
            self.agent = agent.to_owned();
        }
        let mut replay = client.replay(After::Now).await?;
        while let Some(delivered) = replay.next().await {
            self.note(&delivered?.event);
        }
        let after = replay.cursor().cloned().map_or(After::Start, After::Cursor);
        self.follow(after);
        Ok(())
    }

    /// Says something.
    pub(super) async fn say(&mut self, text: &str) -> Result<(), ClientError> {
        let message = UserMessage::new(id::fresh::<MessageId>(), text);
        self.start(RunAgentInput::new(&self.thread_id, id::fresh::<RunId>(), [message.into()])).await
    }

    /// Answers what the thread waits for, all of it.
    pub(super) async fn answer(&mut self, reply: Reply) -> Result<(), ClientError> {
        let results: Vec<_> = reply.results.into_iter().map(Message::from).collect();
        let input = RunAgentInput::new(&self.thread_id, id::fresh::<RunId>(), results);
        let resume = Some(reply.answers).filter(|answers| !answers.is_empty());
        self.start(RunAgentInput { resume, ..input }).await
    }

    /// Stops the run under way.
    pub(super) async fn cancel(&self) -> Result<(), ClientError> {
        match &self.run {
            Some(run_id) => self.client.thread(self.thread_id.clone()).cancel(run_id).await.map(drop),
            None => Ok(()),
        }
    }

    /// The next thing that happens. May be dropped before it is ready without losing anything.
    pub(super) async fn next(&mut self) -> News {
        let news = self.news.recv().await.unwrap_or(News::Back);
        if let News::Event(event) = &news {
            self.note(event);
        }
        news
    }

    /// What has happened already.
    pub(super) fn try_next(&mut self) -> Option<News> {
        let news = self.news.try_recv().ok()?;
        if let News::Event(event) = &news {
            self.note(event);
        }
        Some(news)
    }

    /// Starts a run. Its stream is not read: the log has it, and the follower reads that.
    async fn start(&mut self, input: RunAgentInput) -> Result<(), ClientError> {
        let run_id = input.run_id.clone();
        drop(self.client.agent(&self.agent)?.run(input).await?);
        self.run = Some(run_id);
        if self.follower.is_none() {
            self.follow(After::Start);
        }
        Ok(())
    }

    fn go(&mut self, thread_id: ThreadId) {
        self.follower = None;
        // What the old thread still had to say is not for the new one.
        (self.sender, self.news) = mpsc::unbounded_channel();
        self.thread_id = thread_id;
        self.view = ThreadView::default();
        self.run = None;
        self.steps.clear();
    }

    fn follow(&mut self, after: After) {
        let thread = self.client.thread(self.thread_id.clone());
        self.follower = Some(Follower(tokio::spawn(follow(thread, after, self.sender.clone()))));
    }

    fn note(&mut self, event: &Event) {
        self.view.apply(event);
        match event {
            Event::RunStarted(started) => self.run = Some(started.run_id.clone()),
            Event::StepStarted(step) => self.steps.push(step.step_name.clone()),
            Event::StepFinished(step) => self.steps.retain(|name| *name != step.step_name),
            Event::RunFinished(_) | Event::RunError(_) => {
                self.run = None;
                self.steps.clear();
            }
            _ => {}
        }
    }
}

/// The task that reads the log, ended with the room.
struct Follower(JoinHandle<()>);

impl Drop for Follower {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Reads a thread for ever, over any number of connections.
async fn follow(thread: ThreadClient, mut after: After, news: mpsc::UnboundedSender<News>) {
    let mut failures = 0_u32;
    loop {
        let error = match thread.follow(after.clone()).await {
            Err(error) => error,
            Ok(mut follow) => {
                if failures > 0 && news.send(News::Back).is_err() {
                    return;
                }
                failures = 0;
                loop {
                    match follow.next().await {
                        Some(Ok(delivered)) => {
                            after = delivered.cursor.map_or(after, After::Cursor);
                            if news.send(News::Event(Box::new(delivered.event))).is_err() {
                                return;
                            }
                        }
                        Some(Err(error)) => break error,
                        None => break ClientError::Broken("the server ended the stream".to_owned()),
                    }
                }
            }
        };
        if !error.is_retryable() && !matches!(error, ClientError::Truncated { .. }) {
            let _ = news.send(News::Over(error));
            return;
        }
        failures += 1;
        if news.send(News::Lost(error.to_string())).is_err() {
            return;
        }
        let pause = Duration::from_millis(200).saturating_mul(1 << failures.min(8));
        tokio::time::sleep(pause.min(LONGEST_PAUSE)).await;
    }
}

/// An agent that the server has.
async fn known(client: &Client, agent: String) -> anyhow::Result<String> {
    client.describe(&agent).await?;
    Ok(agent)
}

/// The agent for somebody who named none.
async fn usual(client: &Client) -> anyhow::Result<String> {
    let agents = client.agents().await?;
    let names: Vec<&str> = agents.iter().filter_map(|agent| agent.name()).collect();
    let usual = names.iter().find(|name| **name == "hello").or(names.first());
    usual.map(|name| (*name).to_owned()).ok_or_else(|| anyhow::anyhow!("the server has no agents"))
}
