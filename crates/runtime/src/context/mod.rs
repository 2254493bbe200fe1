//! What an agent holds while it takes part in a run.

mod activity;
mod ask;
mod conversation;
mod easel;
mod guards;
mod heard;
mod held;
mod invite;
mod memory;
mod plain;
mod record;
mod restate;
mod scene;
mod state;
mod subagent;
mod surfaces;
mod tags;
mod tool;
mod turn;
mod use_tool;
mod draft;
mod views;

use std::sync::{
    Arc, Mutex, MutexGuard, OnceLock, PoisonError,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use forestage_a2ui::v1::RENDER;
use forestage_protocol::{
    chunks::Expander,
    event::{Custom, Event, MessagesSnapshot, Raw, RunFinished, TextRole},
    id::{MessageId, RunId, SubagentRunId, ThreadId, ToolCallId},
    input::RunAgentInput,
    interrupt::Interrupt,
    json::Json,
    message::Message,
    usage::TokenUsage,
};
use forestage_store::Store;
use serde::Serialize;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

pub(crate) use self::record::{Record, STEP_RESULT};
use self::scene::Scene;
pub use self::{
    activity::Activity,
    ask::{Answer, Question},
    guards::{Reasoning, Step, Text, ToolCall},
    heard::ClientAnswer,
    restate::events_of,
    state::StateError,
    subagent::Subagent,
    tool::WarnedCall,
    turn::TurnTerms,
    use_tool::{ShownCall, Used},
};
pub(crate) use self::{
    draft::{DRAFT_REVIEW, Draft, Release},
    easel::Easel,
    held::HeldCalls,
    memory::{MEMORY, Memory, note as note_memory},
    restate::Said,
    turn::{STAGE_REVIEW, Staged, approved_words},
    use_tool::{DECISION, TOOL_STARTED},
    views::Views,
};
use crate::{
    agent::{Agent, Agents},
    error::Stop,
    house::HouseRules,
    run::{Mailboxes, outbox::Outbox},
    surface::view_activity,
    tool::{Checks, Notes, Tools},
};

/// What an agent holds while it takes part in a run: everything it says goes through here.
///
/// Clones speak in the same run. Speaking fails with a [`Stop`] when the run is over or a rule is broken; agents
/// pass it up with `?` and the engine ends the run in order.
#[derive(Clone)]
pub struct RunContext {
    pub(crate) core: Arc<Core>,
    /// The subagent that speaks; nothing for the agent itself.
    tag: Option<SubagentRunId>,
    /// What an invited agent has for itself.
    scene: Option<Arc<Scene>>,
}

/// What all clones share.
pub(crate) struct Core {
    pub(crate) input: RunAgentInput,
    pub(crate) agent: String,
    pub(crate) owner: String,
    pub(crate) messages: Vec<Message>,
    pub(crate) outbox: Arc<Outbox>,
    pub(crate) store: Arc<dyn Store>,
    /// What whoever speaks may do and say, and with which tools.
    pub(crate) part: Mutex<Part>,
    /// What is known of the tools of clients.
    pub(crate) checks: Arc<Checks>,
    /// Calls of them that are not complete.
    pub(crate) held: Mutex<HeldCalls>,
    /// What is said in chunks.
    pub(crate) chunks: Mutex<Expander>,
    /// What was said in this run.
    pub(crate) said: Mutex<Said>,
    /// What is drawn.
    pub(crate) easel: Mutex<Easel>,
    /// Whether data of A2UI 0.8 replaces for every agent.
    pub(crate) strict_a2ui_0_8: bool,
    /// What is held back until somebody has looked at it.
    pub(crate) draft: Mutex<Draft>,
    /// The messages whose views are taken out of the text.
    pub(crate) views: Mutex<Views>,
    /// What was held back by an earlier run, as it was decided.
    pub(crate) release: Mutex<Vec<Release>>,
    /// Nobody wants to go on: the calls that were asked about.
    pub(crate) withdrawn: Option<Vec<ToolCallId>>,
    pub(crate) cancelled: CancellationToken,
    pub(crate) state: Mutex<Value>,
    /// The state of the thread, for an agent that first has to come back to where it asked.
    pub(crate) state_when_heard: Mutex<Option<Value>>,
    pub(crate) record: Mutex<Record>,
    /// What agents remember of the conversation.
    pub(crate) memory: Mutex<Memory>,
    /// While an agent comes back to the line where it asked, it is not heard.
    pub(crate) muted: AtomicBool,
    /// Whether pieces of text may go the short way.
    pub(crate) plain: AtomicBool,
    pub(crate) asked: Mutex<Vec<Interrupt>>,
    pub(crate) result: Mutex<Option<Json>>,
    pub(crate) usage: Mutex<Vec<TokenUsage>>,
    /// What ids of this run begin with: no message that a client brought in does.
    pub(crate) id_prefix: String,
    pub(crate) ids: AtomicU64,
    /// What somebody made of what is sent to the agent, if somebody looked at it.
    pub(crate) staged: OnceLock<Staged>,
    /// Where calls from outside come in.
    pub(crate) mailboxes: Arc<Mailboxes>,
    /// Everybody on the stage, as of the beginning of the run.
    pub(crate) agents: Arc<Agents>,
}

/// What an agent may do and say, and with which tools.
#[derive(Clone)]
pub(crate) struct Part {
    pub(crate) tools: Arc<Tools>,
    pub(crate) house: Arc<HouseRules>,
}

impl Core {
    /// Says an event. A view is said twice, for clients that know views and for those that draw surfaces.
    pub(crate) fn say(&self, event: Event) -> Result<(), Stop> {
        let activity = if let Event::Custom(custom) = &event { view_activity(custom) } else { None };
        self.outbox.say(event)?;
        activity.map_or(Ok(()), |activity| self.outbox.say(activity))
    }
}

impl RunContext {
    pub(crate) fn new(core: Arc<Core>) -> Self {
        Self { core, tag: None, scene: None }
    }

    /// What the client sent. Its messages are only those that were new; see [`messages`](Self::messages).
    #[must_use]
    pub fn input(&self) -> &RunAgentInput {
        self.scene.as_ref().map_or(&self.core.input, |scene| &scene.input)
    }

    /// The conversation so far, the new messages included.
    #[must_use]
    pub fn messages(&self) -> &[Message] {
        if let Some(scene) = &self.scene {
            return &scene.messages;
        }
        self.core.staged.get().map_or(&self.core.messages, Staged::messages)
    }

    /// The conversation as a model may see it: without activities, which are for people's eyes alone.
    pub fn model_messages(&self) -> impl Iterator<Item = &Message> {
        self.messages().iter().filter(|message| !matches!(message, Message::Activity(_)))
    }

    /// The conversation as it stood when the turn began. For a run that continues after a question this is
    /// without what was said since, so what is decided by it is decided the same way again.
    #[must_use]
    pub fn turn_messages(&self) -> &[Message] {
        let messages = self.messages();
        if self.scene.is_some() {
            return messages;
        }
        &messages[..lock(&self.core.record).turn_length(messages)]
    }

    /// Whether the agent is on its way back to the line where it asked. Nothing that it says is heard, so there
    /// is no need to wait between the words.
    #[must_use]
    pub fn is_replaying(&self) -> bool {
        self.is_muted()
    }

    /// The thread.
    #[must_use]
    pub fn thread_id(&self) -> &ThreadId {
        &self.core.input.thread_id
    }

    /// The run.
    #[must_use]
    pub fn run_id(&self) -> &RunId {
        &self.core.input.run_id
    }

    /// The name under which the agent was called.
    #[must_use]
    pub fn agent(&self) -> &str {
        &self.core.agent
    }

    /// The subagent that speaks through this; nothing for the agent itself.
    #[must_use]
    pub fn subagent_run_id(&self) -> Option<&SubagentRunId> {
        self.tag.as_ref()
    }

    /// Speaks as a subagent that was announced by its own event, or as the agent itself.
    #[must_use]
    pub fn speaking_as(&self, subagent: Option<SubagentRunId>) -> Self {
        Self { tag: subagent, ..self.clone() }
    }

    /// Whose thread it is.
    #[must_use]
    pub fn owner(&self) -> &str {
        &self.core.owner
    }

    /// What tools remember of the owner of the thread.
    #[must_use]
    pub fn notes(&self) -> Notes {
        Notes::new(self.core.store.clone(), &self.core.owner)
    }

    /// What the person said last, as text.
    #[must_use]
    pub fn last_user_text(&self) -> Option<String> {
        self.messages().iter().rev().find_map(|message| match message {
            Message::User(message) => Some(message.content.text().into_owned()),
            _ => None,
        })
    }

    /// Waits until the run is stopped. Work in tasks of its own watches this.
    pub async fn cancelled(&self) {
        self.core.cancelled.cancelled().await;
    }

    /// Whether the run was stopped.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.core.cancelled.is_cancelled()
    }

    /// Says a whole message.
    pub async fn say(&self, text: impl Into<String>) -> Result<MessageId, Stop> {
        let message = self.text()?;
        message.push(text.into()).await?;
        Ok(message.end())
    }

    /// Opens a message that is said piece by piece. It ends when the guard is dropped.
    pub fn text(&self) -> Result<Text, Stop> {
        Text::open(self, self.new_id("m").into())
    }

    /// The same for a message that is from somebody else.
    pub fn text_as(&self, role: TextRole) -> Result<Text, Stop> {
        Text::open_as(self, self.new_id("m").into(), Some(role))
    }

    /// Opens a piece of reasoning.
    pub fn reasoning(&self) -> Result<Reasoning, Stop> {
        Reasoning::open(self, self.new_id("g").into())
    }

    /// Opens a step, which ends when the guard is dropped.
    pub fn step(&self, name: &str) -> Result<Step, Stop> {
        Step::open(self, name)
    }

    /// Sends an event of the application's own.
    pub async fn custom(&self, name: &str, value: impl Into<Json>) -> Result<(), Stop> {
        let event = Custom { subagent_run_id: self.tag.clone(), ..Custom::new(name, value) };
        self.emit(event).await
    }

    /// Shows a view (`a2ui.v1`), or closes the one there is with null. What is no view is not shown; the log says why, and
    /// [`take_refused_view`](Self::take_refused_view) tells the agent.
    pub async fn show_view(&self, view: Value) -> Result<(), Stop> {
        self.custom(RENDER, json!({ "view": view })).await
    }

    /// Passes an event of somebody else's through.
    pub async fn raw(&self, source: &str, event: impl Into<Json>) -> Result<(), Stop> {
        let source = Some(source.to_owned());
        self.emit(Raw { source, subagent_run_id: self.tag.clone(), ..Raw::new(event) }).await
    }

    /// Emits any event that the rules allow now, except the boundaries of the run, which are the engine's.
    pub async fn emit(&self, event: impl Into<Event>) -> Result<(), Stop> {
        self.send(event)?;
        self.core.outbox.room().await;
        Ok(())
    }

    /// What the run returns: the result of its last event.
    pub fn set_result(&self, result: &impl Serialize) -> Result<(), serde_json::Error> {
        let value = serde_json::to_value(result)?;
        let place = self.scene.as_ref().map_or(&self.core.result, |scene| &scene.result);
        *lock(place) = Some(Json::from(value)).filter(|result| result.get() != "null");
        Ok(())
    }

    /// Tells what a model used; it is reported with the end of the run, in one entry for each model.
    pub fn add_usage(&self, usage: TokenUsage) {
        let mut used = lock(&self.core.usage);
        if !used.iter_mut().any(|known| known.add(&usage)) {
            used.push(usage);
        }
    }

    /// An id that is new on this thread.
    #[must_use]
    pub fn new_id(&self, kind: &str) -> String {
        let number = self.core.ids.fetch_add(1, Ordering::Relaxed) + 1;
        format!("{}-{kind}{number}", self.core.id_prefix)
    }

    /// Says an event without waiting for room.
    fn send(&self, event: impl Into<Event>) -> Result<(), Stop> {
        let event = event.into();
        if matches!(event, Event::RunStarted(_) | Event::RunFinished(_) | Event::RunError(_)) {
            return Err(Stop::NotItsPart(event.event_type().as_str()));
        }
        if let Some(scene) = &self.scene {
            scene.note(&event);
        }
        if self.is_muted() {
            return Ok(());
        }
        if self.is_plain(&event) {
            return self.core.outbox.say(event);
        }
        self.speak(event)
    }

    /// Says an event, whoever is silent.
    fn speak(&self, event: Event) -> Result<(), Stop> {
        let may_change = plain::may_change(&event);
        let said = self.send_the_long_way(event);
        if may_change {
            self.core.note_plain();
        }
        said
    }

    fn send_the_long_way(&self, event: Event) -> Result<(), Stop> {
        if lock(&self.core.chunks).passes(&event) {
            return self.pass_on(event);
        }
        // What is said in chunks is held, checked and scanned like anything else.
        let mut events = Vec::new();
        lock(&self.core.chunks).expand(event, &mut events).map_err(Stop::Violation)?;
        events.into_iter().try_for_each(|event| self.pass_on(event))
    }

    /// Ends what was said in chunks, as the end of the run does.
    pub(crate) fn end_chunks(&self) -> Result<(), Stop> {
        let end = RunFinished::new(self.thread_id(), self.run_id()).into();
        let mut events = Vec::new();
        lock(&self.core.chunks).expand(end, &mut events).map_err(Stop::Violation)?;
        events.pop();
        events.into_iter().try_for_each(|event| self.pass_on(event))
    }

    /// Calls of checked tools are held until they are complete, and a snapshot does not get past those who look.
    fn pass_on(&self, event: Event) -> Result<(), Stop> {
        match event {
            Event::TextMessageContent(piece) => return self.say_undrawn(piece),
            Event::ReasoningMessageContent(_) => return self.let_through(event),
            _ => {}
        }
        self.settle_drawings(Some(&event))?;
        match event {
            Event::MessagesSnapshot(snapshot) => self.restate(snapshot),
            Event::ToolCallStart(_) | Event::ToolCallArgs(_) | Event::ToolCallEnd(_) => {
                let events = lock(&self.core.held).pass(event, &self.core.checks)?;
                events.into_iter().try_for_each(|event| self.show_and_draw(event))
            }
            other => self.show_and_draw(other),
        }
    }

    fn restate(&self, snapshot: MessagesSnapshot) -> Result<(), Stop> {
        let is_looked_at = self.house().looks_at_words() || lock(&self.core.draft).is_reviewed();
        if !is_looked_at {
            return self.let_through(snapshot.into());
        }
        let events = lock(&self.core.said).new_in(snapshot, self.messages());
        events.into_iter().try_for_each(|event| self.pass_on(event))
    }

    /// Says an event unless somebody has to look at it first.
    fn let_through(&self, event: Event) -> Result<(), Stop> {
        let house = self.house();
        lock(&self.core.said).note(&event);
        // What may not be said may not stand in a view either.
        lock(&self.core.draft).check(&event, &house)?;
        if !house.views {
            return self.say_or_hold(self.check_view(event));
        }
        let events = lock(&self.core.views).take(event);
        events.into_iter().try_for_each(|event| self.say_or_hold(self.check_view(event)))
    }

    fn say_or_hold(&self, event: Event) -> Result<(), Stop> {
        let shown = self.core.outbox.said();
        let passed = lock(&self.core.draft).hold(event, shown)?;
        passed.map_or(Ok(()), |event| self.core.say(event))
    }

    /// The tools that whoever speaks may use.
    #[must_use]
    pub fn tools(&self) -> Arc<Tools> {
        lock(self.part()).tools.clone()
    }

    /// What whoever speaks may do and say, and with which tools.
    fn part(&self) -> &Mutex<Part> {
        self.scene.as_ref().map_or(&self.core.part, |scene| &scene.part)
    }

    /// What whoever speaks may do and say.
    pub(crate) fn house(&self) -> Arc<HouseRules> {
        lock(self.part()).house.clone()
    }

    /// Somebody else speaks from now on, with tools and under rules of their own.
    pub(crate) fn hand_over(&self, part: Part) {
        let mut present = lock(self.part());
        let reviewed = part.house.review.is_some();
        *present = part;
        self.core.plain.store(false, Ordering::Release);
        drop(present);
        self.core.review_if(reviewed);
    }

    /// Another agent of the stage.
    #[must_use]
    pub fn find_agent(&self, name: &str) -> Option<Arc<dyn Agent>> {
        self.core.agents.get(name).cloned()
    }

    /// Somebody else speaks from now on: another agent, with its tools and under its rules.
    pub fn hand_over_to(&self, agent: &dyn Agent) {
        self.hand_over(Part { tools: agent.tools(), house: agent.house() });
    }

    /// Whether somebody looks at what is said before it is shown. What is recorded beside it should not say it either.
    #[must_use]
    pub fn is_reviewed(&self) -> bool {
        lock(&self.core.draft).is_reviewed()
    }

    fn is_muted(&self) -> bool {
        let muted = self.scene.as_ref().map_or(&self.core.muted, |scene| &scene.muted);
        muted.load(Ordering::Relaxed)
    }

    /// The call because of which another agent asked whoever speaks; nothing for the agent of the run. It is the same in
    /// every run of the turn.
    #[must_use]
    pub fn invited_by(&self) -> Option<&str> {
        self.scene.as_ref().map(|scene| scene.scope.as_str())
    }

    fn scope(&self) -> &str {
        self.scene.as_ref().map_or("", |scene| &scene.scope)
    }

    fn new_call_id(&self) -> ToolCallId {
        self.new_id("c").into()
    }
}

impl std::fmt::Debug for RunContext {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("RunContext").field("run_id", self.run_id()).field("tag", &self.tag).finish()
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
