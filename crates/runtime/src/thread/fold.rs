//! The conversation at the end of a run, folded from the log: the newest snapshot and what came after it.

use std::collections::HashMap;

use bytes::Bytes;
use forestage_protocol::{
    apply::ThreadView,
    content::Content,
    event::{Event, MessagesSnapshot, RunStarted, StateSnapshot},
    id::{MessageId, RunId},
    json::Json,
    message::Message,
    open::OpenItems,
};
use forestage_store::{Entry, RunRecord, Seq, Store, StoreError, Thread};
use serde::{Deserialize, Serialize};

use super::Chain;
use crate::context::{Memory, STAGE_REVIEW, approved_words, note_memory};

/// So many entries are read at once.
const PAGE: usize = 1024;

/// Less than this is folded again rather than kept as a whole.
const WORTH_KEEPING: usize = 64 << 10;

/// A conversation, and where its parts came from.
#[derive(Clone, Debug, Default)]
pub(crate) struct Folded {
    pub(crate) view: ThreadView,
    pub(crate) open: OpenItems,
    /// The runs that brought in messages of clients.
    pub(crate) origins: Vec<(MessageId, RunId)>,
    /// What agents hear in place of what was said: the words that somebody approved.
    pub(crate) heard: Vec<(MessageId, String)>,
    /// What agents remember of it.
    pub(crate) memory: Memory,
    /// The event that ended the last run.
    pub(crate) terminal: Option<Event>,
    /// How large the snapshot is that it was folded from.
    kept: usize,
    /// About how much has come since.
    since: usize,
}

impl Folded {
    /// Takes the next event of the log.
    pub(crate) fn apply(&mut self, event: &Event) {
        if let Event::RunStarted(started) = event {
            self.note_origins(started);
            self.note_heard(started);
        }
        self.terminal = matches!(event, Event::RunFinished(_) | Event::RunError(_)).then(|| event.clone());
        note_memory(&mut self.memory, event);
        self.since += weight(event);
        self.view.apply(event);
        self.open.note(event);
    }

    /// About how large it is.
    pub(crate) fn weight(&self) -> usize {
        self.kept + self.since
    }

    /// Whether so much has come since it was last kept that it should be kept again. Each snapshot is half as large again
    /// as the one before, so all of them together are not much larger than the last, and folding what came since takes
    /// no longer than reading it.
    pub(crate) fn is_worth_keeping(&self) -> bool {
        self.since > WORTH_KEEPING.max(self.kept / 2)
    }

    /// The run that brought a message in.
    pub(crate) fn origin(&self, id: &MessageId) -> Option<&RunId> {
        self.origins.iter().rev().find(|(message_id, _)| message_id == id).map(|(_, run_id)| run_id)
    }

    /// The same for all messages, where many are looked up.
    pub(crate) fn origins_by_message(&self) -> HashMap<&MessageId, &RunId> {
        self.origins.iter().map(|(message_id, run_id)| (message_id, run_id)).collect()
    }

    fn note_origins(&mut self, started: &RunStarted) {
        let messages = started.input.iter().flat_map(|input| &input.messages);
        self.origins.extend(messages.map(|message| (message.id().clone(), started.run_id.clone())));
    }

    /// Answers to the question whether what was said last may be heard.
    fn note_heard(&mut self, started: &RunStarted) {
        let answers = started.input.iter().flat_map(|input| input.resume.iter().flatten());
        for entry in answers {
            let mut asked = self.view.pending_interrupts().iter();
            let is_stage = asked.any(|asked| asked.id == entry.interrupt_id && asked.reason == STAGE_REVIEW);
            let said = self.view.messages().filter(|message| matches!(message, Message::User(_))).last();
            if let (true, Some(said), Some(words)) = (is_stage, said, approved_words(entry)) {
                self.heard.push((said.id().clone(), words));
            }
        }
    }

    /// The conversation, with what is new in it, as an agent hears it. What was said last is as it was said: whoever has
    /// to approve it is asked about that.
    pub(crate) fn as_heard(&self, new: &[Message]) -> Vec<Message> {
        let mut messages: Vec<_> = self.view.messages().chain(new).cloned().collect();
        let is_said = |message: &Message| matches!(message, Message::User(_));
        let last = messages.iter().rposition(is_said).unwrap_or_default();
        for message in &mut messages[..last] {
            let heard = self.heard.iter().rfind(|(id, _)| id == message.id());
            if let (Message::User(message), Some((_, words))) = (message, heard) {
                message.content = Content::from(words.as_str());
            }
        }
        messages
    }

    /// Everything as events: the messages, and the state if there is any.
    pub(crate) fn snapshots(&self) -> Vec<Event> {
        let messages = MessagesSnapshot::new(self.view.messages().cloned().collect::<Vec<_>>());
        let mut events = vec![Event::from(messages)];
        if self.view.state().as_object().is_none_or(|state| !state.is_empty()) {
            events.push(StateSnapshot::new(self.view.state()).into());
        }
        events
    }

    /// It is kept in this form from now on.
    pub(crate) fn keep(&mut self) -> Bytes {
        let snapshot = self.to_snapshot();
        (self.kept, self.since) = (snapshot.len(), 0);
        snapshot
    }

    fn to_snapshot(&self) -> Bytes {
        let snapshot = Snapshot {
            messages: self.view.messages().cloned().collect(),
            state: self.view.state().into(),
            origins: self.origins.clone(),
            heard: self.heard.clone(),
            memory: self.memory.clone(),
            terminal: self.terminal.as_ref().map(Event::to_json),
        };
        serde_json::to_vec(&snapshot).unwrap_or_default().into()
    }

    fn from_snapshot(body: &[u8], run: &RunRecord) -> Option<Self> {
        let snapshot: Snapshot = serde_json::from_slice(body).ok()?;
        let state = snapshot.state.to_value().ok()?;
        let mut folded = Self { view: ThreadView::new(snapshot.messages, state), ..Self::default() };
        if let Some(terminal) = snapshot.terminal {
            folded.apply(&RunStarted::new(&run.thread_id, &run.run_id).into());
            folded.apply(&Event::from_json(&terminal).ok()?);
        }
        (folded.origins, folded.heard) = (snapshot.origins, snapshot.heard);
        folded.memory = snapshot.memory;
        (folded.kept, folded.since) = (body.len(), 0);
        Some(folded)
    }
}

/// A folded conversation as it is kept.
#[derive(Serialize, Deserialize)]
struct Snapshot {
    messages: Vec<Message>,
    state: Json,
    origins: Vec<(MessageId, RunId)>,
    #[serde(default)]
    heard: Vec<(MessageId, String)>,
    #[serde(default)]
    memory: Memory,
    terminal: Option<String>,
}

/// The conversation at the end of a run, or an empty one. Nothing if there is no such run.
pub(crate) async fn load(
    store: &dyn Store,
    thread: &Thread,
    head: Option<&RunId>,
) -> Result<Option<Folded>, StoreError> {
    let Some(head) = head else {
        return Ok(Some(Folded::default()));
    };
    let runs = store.runs(thread.id.clone()).await?;
    match Chain::to(head, &runs) {
        Some(chain) => fold_chain(store, &chain).await.map(Some),
        None => Ok(None),
    }
}

/// The conversation at the end of a chain of runs.
pub(crate) async fn fold_chain(store: &dyn Store, chain: &Chain) -> Result<Folded, StoreError> {
    let (mut folded, rest) = from_newest_snapshot(store, chain).await?;
    for run in rest {
        fold_run(store, run, &mut folded).await?;
    }
    Ok(folded)
}

/// The newest conversation that was kept on the way, and the runs after it.
async fn from_newest_snapshot<'c>(
    store: &dyn Store,
    chain: &'c Chain,
) -> Result<(Folded, &'c [RunRecord]), StoreError> {
    for (at, run) in chain.0.iter().enumerate().rev().filter(|(_, run)| run.snapshot) {
        let body = store.snapshot(run.thread_id.clone(), run.run_id.clone()).await?;
        // One that cannot be read was written by another version; the log itself is the truth.
        if let Some(folded) = body.and_then(|body| Folded::from_snapshot(&body, run)) {
            return Ok((folded, &chain.0[at + 1..]));
        }
    }
    Ok((Folded::default(), &chain.0))
}

/// Folds a run onto what came before it.
pub(crate) async fn fold_run(
    store: &dyn Store,
    run: &RunRecord,
    folded: &mut Folded,
) -> Result<(), StoreError> {
    each_page(store, run, |page| page.iter().filter_map(event_of).for_each(|event| folded.apply(&event)))
        .await
}

/// The entries of a run.
pub(crate) async fn read_run(store: &dyn Store, run: &RunRecord) -> Result<Vec<Entry>, StoreError> {
    let mut entries = Vec::new();
    each_page(store, run, |page| entries.extend_from_slice(page)).await?;
    Ok(entries)
}

/// Reads a run page by page: it may be larger than what one wants to hold at once.
pub(crate) async fn each_page(
    store: &dyn Store,
    run: &RunRecord,
    mut take: impl FnMut(&[Entry]),
) -> Result<(), StoreError> {
    let mut after = Seq(run.first.0.saturating_sub(1));
    while after < run.last {
        let page = store.read(run.thread_id.clone(), after, run.last, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.seq;
        take(&page);
    }
    Ok(())
}

/// About how much an event adds to a conversation: of a delta nothing stays but what it brings.
fn weight(event: &Event) -> usize {
    match event {
        Event::TextMessageContent(event) => event.delta.len(),
        Event::ReasoningMessageContent(event) => event.delta.len(),
        Event::ToolCallArgs(event) => event.delta.len(),
        other => other.to_json().len(),
    }
}

/// An entry as an event. Only we write to the log, so it can always be read.
pub(crate) fn event_of(entry: &Entry) -> Option<Event> {
    Event::from_json(std::str::from_utf8(&entry.json).ok()?).ok()
}
