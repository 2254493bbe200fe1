//! A conversation as an agent elsewhere tells it.
//!
//! Ours is the one that counts. What it tells is held against the log, message by message:
//!
//! | a message of the snapshot | what becomes of it |
//! |---|---|
//! | known by its id | nothing; if it says something else now, a warning |
//! | not known by its id, but said since the agent was called, or before by the same role in the same words | nothing: it has got another id |
//! | new, of the agent's own, behind the last one that is known | it is said, with its calls and their results |
//! | new, and a person's | a warning |
//! | new, and before something that is known | a warning: nothing is put between what was said |
//!
//! What the snapshot leaves out stays.

use forestage_protocol::{event::MessagesSnapshot, message::Message};
use forestage_runtime::{AgentError, events_of};

use super::{hear::Hearing, names::Kind};

/// What a message of a snapshot is to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Known,
    Changed,
    New,
}

impl Hearing<'_> {
    pub(super) async fn take_snapshot(&mut self, snapshot: MessagesSnapshot) -> Result<(), AgentError> {
        let mut heard: Vec<usize> = Vec::new();
        let places: Vec<_> =
            snapshot.messages.iter().map(|message| self.place(message, &mut heard)).collect();
        let behind = places.iter().rposition(|place| *place != Place::New).map_or(0, |at| at + 1);
        for (at, (message, place)) in snapshot.messages.into_iter().zip(places).enumerate() {
            let id = message.id().clone();
            match place {
                Place::Known => self.take_calls(&message).await?,
                Place::Changed => {
                    let text = format!("message `{id}` is told differently now; what was said stands");
                    self.warn("history", text).await?;
                }
                Place::New if matches!(message, Message::User(_)) => {
                    let text = format!("message `{id}` is said to be the person's, who did not say it");
                    self.warn("spoke_as_user", text).await?;
                }
                Place::New if at < behind && !matches!(message, Message::Tool(_)) => {
                    let text = format!("message `{id}` is told between others, where nothing was said");
                    self.warn("history", text).await?;
                }
                Place::New => self.say_whole(message).await?,
            }
        }
        Ok(())
    }

    /// Holds a message against what is known. `heard` are those since the agent was called that have got another id.
    fn place(&self, message: &Message, heard: &mut Vec<usize>) -> Place {
        let id = message.id().as_str();
        if let Some(known) = self.known.message(id)
            && known.role() == message.role()
        {
            return if is_same(known, message) { Place::Known } else { Place::Changed };
        }
        if let Some(said) = self.said.iter().find(|said| said.theirs == id) {
            return if text_of(message).is_none_or(|text| text.trim() == said.text.trim()) {
                Place::Known
            } else {
                Place::Changed
            };
        }
        if self.is_told(message) || self.is_heard(message, heard) || self.is_old(message) {
            return Place::Known;
        }
        Place::New
    }

    /// Calls, results, thoughts and pictures that came since the agent was called.
    fn is_told(&self, message: &Message) -> bool {
        let is_named = |kind| self.names.find(kind, message.id()).is_some();
        match message {
            Message::Assistant(it) => {
                let is_silent = it.content.as_ref().is_none_or(|text| text.is_empty());
                let is_known = |id: &str| self.is_known_call(id);
                let calls = message.tool_calls();
                is_silent && !calls.is_empty() && calls.iter().all(|call| is_known(&call.id))
            }
            Message::Tool(result) => {
                let call = &result.tool_call_id;
                self.known.result(call).is_some() || self.is_refused(call) || is_named(Kind::Result)
            }
            Message::Reasoning(_) => is_named(Kind::Reasoning),
            Message::Activity(_) => is_named(Kind::Activity) || self.known.is_activity(message.id()),
            _ => false,
        }
    }

    /// A message since the agent was called, in the same words under another id.
    fn is_heard(&self, message: &Message, heard: &mut Vec<usize>) -> bool {
        let (Message::Assistant(_), Some(text)) = (message, text_of(message)) else { return false };
        let is_it = |(at, said): &(usize, &super::hear::Said)| {
            !heard.contains(at) && !text.is_empty() && said.text.trim() == text.trim()
        };
        let found = self.said.iter().enumerate().find(is_it).map(|(at, _)| at);
        found.map(|at| heard.push(at)).is_some()
    }

    /// A message from before, in the same words under another id.
    fn is_old(&self, message: &Message) -> bool {
        let text = text_of(message);
        let is_it = |known: &Message| known.role() == message.role() && text_of(known) == text;
        text.as_ref().is_some_and(|text| !text.is_empty()) && self.known.messages().any(is_it)
    }

    /// A message that is known may have got calls, which are new.
    async fn take_calls(&mut self, message: &Message) -> Result<(), AgentError> {
        let Message::Assistant(message) = message else { return Ok(()) };
        // One from before gets none.
        if self.known.message(&message.id).is_some() {
            return Ok(());
        }
        let mut rest = message.clone();
        rest.content = None;
        rest.tool_calls.iter_mut().for_each(|calls| calls.retain(|call| !self.is_known_call(&call.id)));
        self.say_events(rest.into()).await
    }

    async fn say_whole(&mut self, mut message: Message) -> Result<(), AgentError> {
        if let Message::Assistant(message) = &mut message {
            message
                .tool_calls
                .iter_mut()
                .for_each(|calls| calls.retain(|call| !self.is_known_call(&call.id)));
        }
        self.say_events(message).await
    }

    fn is_known_call(&self, id: &str) -> bool {
        self.calls.knows(id) || self.known.call(id).is_some() || self.corrections.has(id)
    }

    /// Whether a call was not shown, now or earlier in this run.
    fn is_refused(&self, id: &str) -> bool {
        self.calls.is_refused(id) || self.corrections.has(id)
    }

    async fn say_events(&mut self, message: Message) -> Result<(), AgentError> {
        for event in events_of(message) {
            Box::pin(self.take(event)).await?;
        }
        Ok(())
    }
}

/// Whether two messages of one role say the same. Pictures change by their own events.
fn is_same(one: &Message, other: &Message) -> bool {
    match (one, other) {
        (Message::Activity(_), _) => true,
        _ => text_of(one).unwrap_or_default().trim() == text_of(other).unwrap_or_default().trim(),
    }
}

/// What a message says, as text.
fn text_of(message: &Message) -> Option<String> {
    match message {
        Message::Developer(message) => Some(message.content.clone()),
        Message::System(message) => Some(message.content.clone()),
        Message::Assistant(message) => message.content.clone(),
        Message::User(message) => Some(message.content.text().into_owned()),
        Message::Tool(message) => Some(message.content.text().into_owned()),
        Message::Reasoning(message) => Some(message.content.clone()),
        _ => None,
    }
}
