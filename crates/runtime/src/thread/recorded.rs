//! What a recording says happened elsewhere. Whoever brings one in can have written it, so nothing in it is taken for
//! something that this server did: records of ours become records that nobody reads, and results of tools are marked.

use forestage_protocol::{
    event::{Custom, Event, ToolCallResult},
    message::Message,
};
use serde_json::json;

/// How the events begin that agents and the server write for themselves.
const OURS: &str = "forestage.";

/// What is put in front of the names of such events.
const IMPORTED: &str = "imported.";

/// What there was to mark in a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Claims {
    /// Results of tools.
    pub(super) results: usize,
    /// Records of ours.
    pub(super) records: usize,
}

impl Claims {
    /// An event as it is kept.
    pub(super) fn mark(&mut self, event: Event) -> Event {
        match event {
            Event::Custom(event) if event.name.starts_with(OURS) => {
                self.records += 1;
                let name = format!("{IMPORTED}{}", event.name);
                Custom { name, ..event }.into()
            }
            Event::ToolCallResult(event) => self.result(event).into(),
            Event::MessagesSnapshot(mut event) => {
                self.messages(&mut event.messages);
                event.into()
            }
            Event::RunStarted(mut event) => {
                if let Some(input) = &mut event.input {
                    self.messages(&mut input.messages);
                }
                event.into()
            }
            other => other,
        }
    }

    fn result(&mut self, mut event: ToolCallResult) -> ToolCallResult {
        self.results += 1;
        let metadata = event.base.metadata.get_or_insert_default();
        metadata.insert("forestage".to_owned(), json!({ "unverified": true }));
        event
    }

    fn messages(&mut self, messages: &mut [Message]) {
        for message in messages.iter_mut().filter(|message| matches!(message, Message::Tool(_))) {
            self.results += 1;
            let metadata = message.metadata_mut().get_or_insert_default();
            metadata.insert("forestage".to_owned(), json!({ "unverified": true }));
        }
    }
}
