//! Views in what is said: a fenced block leaves the text, and what it holds is shown.

use std::collections::HashMap;

use forestage_a2ui::{
    Piece, Scanner,
    v1::{RENDER, View},
};
use forestage_protocol::{
    event::{Custom, Event, TextMessageContent, TextMessageEnd, TextMessageStart, TextRole},
    id::MessageId,
};
use serde_json::{Value, json};

/// The name of the event that tells why a view is not shown.
const INVALID: &str = "forestage.invalid_view";

/// The open messages of a run whose views are taken out.
#[derive(Debug, Default)]
pub(crate) struct Views(HashMap<MessageId, Open>);

#[derive(Debug)]
struct Open {
    /// Held until there is a word: a message that is nothing but a view is none.
    start: Option<TextMessageStart>,
    scanner: Scanner,
    views: Vec<Value>,
}

impl Views {
    /// What is to be said in place of an event. What may become a block is held back.
    pub(super) fn take(&mut self, event: Event) -> Vec<Event> {
        match event {
            Event::TextMessageStart(start) if matches!(start.role, None | Some(TextRole::Assistant)) => {
                let id = start.message_id.clone();
                let open = Open { start: Some(start), scanner: Scanner::default(), views: Vec::new() };
                self.0.insert(id, open);
                Vec::new()
            }
            Event::TextMessageContent(piece) => match self.0.get_mut(&piece.message_id) {
                Some(open) => {
                    let pieces = open.scanner.push(&piece.delta);
                    open.say(pieces, &piece)
                }
                None => vec![piece.into()],
            },
            Event::TextMessageEnd(end) => match self.0.remove(&end.message_id) {
                Some(open) => open.end(end),
                None => vec![end.into()],
            },
            other => vec![other],
        }
    }
}

impl Open {
    /// The text of some pieces; their views are kept for the end.
    fn say(&mut self, pieces: Vec<Piece>, like: &TextMessageContent) -> Vec<Event> {
        let mut said = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(delta) => {
                    said.extend(self.start.take().map(Event::from));
                    said.push(TextMessageContent { delta, ..like.clone() }.into());
                }
                Piece::View(view) => self.views.push(view),
            }
        }
        said
    }

    fn end(mut self, end: TextMessageEnd) -> Vec<Event> {
        let subagent_run_id = end.subagent_run_id.clone();
        let like = TextMessageContent {
            subagent_run_id: subagent_run_id.clone(),
            ..TextMessageContent::new(&end.message_id, "")
        };
        let pieces = self.scanner.finish();
        let mut said = self.say(pieces, &like);
        if self.start.is_none() {
            said.push(end.into());
        }
        let shown = self.views.into_iter().map(drawn);
        said.extend(shown.map(|event| Custom { subagent_run_id: subagent_run_id.clone(), ..event }.into()));
        said
    }
}

/// The event that shows a view, or closes the one there is; or that says why it is none.
pub(super) fn drawn(view: Value) -> Custom {
    match if view.is_null() { None } else { View::read(&view).err() } {
        None => Custom::new(RENDER, json!({ "view": view })),
        Some(faults) => {
            tracing::warn!(%faults, "the agent showed a view that is none");
            let told = faults.iter().map(|fault| json!({ "path": fault.path, "message": fault.message }));
            Custom::new(INVALID, json!({ "faults": told.collect::<Vec<_>>() }))
        }
    }
}
