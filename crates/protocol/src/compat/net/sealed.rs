//! `REASONING_START.encryptedContent`, which is an event of its own in 1.0.
//!
//! In 1.0 a sealed value belongs to a message, and a span is none. So it waits for the first message of its span; a span
//! that ends without one gets an empty message, or the value would be lost.

use crate::{
    event::{
        EncryptedValueSubtype, Event, ReasoningEncryptedValue, ReasoningMessageEnd, ReasoningMessageStart,
        ReasoningRole,
    },
    id::MessageId,
};

/// The encrypted content of a span, until it has its place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sealed {
    /// Read from the event that is about to come.
    next: Option<String>,
    /// Of the open span.
    span: Option<(MessageId, String)>,
}

impl Sealed {
    /// The next `REASONING_START` had this content.
    pub(super) fn hold(&mut self, content: String) {
        self.next = Some(content);
    }

    /// What has to be said before and after an event.
    pub(crate) fn around(&mut self, event: &Event) -> (Vec<Event>, Vec<Event>) {
        match event {
            Event::ReasoningStart(start) => {
                let content = self.next.take();
                self.span = content.map(|content| (start.message_id.clone(), content));
                Default::default()
            }
            Event::ReasoningMessageStart(start) => {
                let sealed = self.span.take().map(|(_, content)| value(&start.message_id, content));
                (Vec::new(), sealed.into_iter().collect())
            }
            Event::ReasoningEnd(_) | Event::RunFinished(_) | Event::RunError(_) => {
                (self.span.take().map_or_else(Vec::new, |(span, content)| alone(span, content)), Vec::new())
            }
            _ => Default::default(),
        }
    }

    /// Whether an event may have something to do with a sealed value.
    pub(crate) fn concerns(&self, event: &Event) -> bool {
        self.span.is_some() || self.next.is_some() && matches!(event, Event::ReasoningStart(_))
    }
}

fn value(message: &MessageId, content: String) -> Event {
    ReasoningEncryptedValue::new(EncryptedValueSubtype::Message, message.as_str(), content).into()
}

fn alone(span: MessageId, content: String) -> Vec<Event> {
    vec![
        ReasoningMessageStart::new(span.clone(), ReasoningRole::Reasoning).into(),
        value(&span, content),
        ReasoningMessageEnd::new(span).into(),
    ]
}
