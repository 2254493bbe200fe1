//! Views in what is said: a fenced block leaves the text, and what it holds is shown.
//!
//! Whichever way a view comes, it is checked before anybody sees it. One that is none is not shown: what is on the screen
//! stays, the log says why, and the agent is told.

use std::collections::HashMap;

use forestage_a2ui::{
    Fault, Piece, Scanner,
    v1::{self, RENDER, View},
};
use forestage_protocol::{
    event::{Custom, Event, TextMessageContent, TextMessageEnd, TextMessageStart, TextRole},
    id::MessageId,
};
use serde_json::{Value, json};

use super::{RunContext, lock};
use crate::tool::ToolError;

/// The name of the event that tells why a view is not shown.
const INVALID: &str = "forestage.invalid_view";

/// The views of a run.
#[derive(Debug, Default)]
pub(crate) struct Views {
    /// The open messages whose views are taken out.
    open: HashMap<MessageId, Open>,
    /// What is wrong with a view that was not shown, until the agent is told.
    refused: Vec<Fault>,
}

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
                self.open.insert(id, open);
                Vec::new()
            }
            Event::TextMessageContent(piece) => match self.open.get_mut(&piece.message_id) {
                Some(open) => {
                    let pieces = open.scanner.push(&piece.delta);
                    open.say(pieces, &piece)
                }
                None => vec![piece.into()],
            },
            Event::TextMessageEnd(end) => match self.open.remove(&end.message_id) {
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
        let shown = self.views.into_iter().map(|view| Custom::new(RENDER, json!({ "view": view })));
        said.extend(shown.map(|event| Custom { subagent_run_id: subagent_run_id.clone(), ..event }.into()));
        said
    }
}

impl RunContext {
    /// What is wrong with the last view that was not shown. Once for each.
    #[must_use]
    pub fn take_refused_view(&self) -> Option<ToolError> {
        let faults = std::mem::take(&mut lock(&self.core.views).refused);
        let told: Vec<_> = faults.iter().take(10).map(|it| format!("{}: {}", it.path, it.message)).collect();
        (!faults.is_empty()).then(|| {
            let message = format!("the view is not shown: {}", told.join("; "));
            ToolError::new("invalid_view", message).faults(faults).hint(AGAIN)
        })
    }

    /// Lets a view pass that is one. Of any other, everybody hears why it is not shown.
    pub(super) fn check_view(&self, event: Event) -> Event {
        let (event, faults) = checked(event);
        if !faults.is_empty() {
            lock(&self.core.views).refused = faults;
        }
        event
    }
}

/// What an agent does about a view that was not shown.
const AGAIN: &str =
    "Correct everything that is wrong with it, keep the rest as it was, and show the whole view again.";

/// The event that shows a view, or closes the one there is; or that says why it is none.
pub(super) fn drawn(view: Value) -> Event {
    checked(Custom::new(RENDER, json!({ "view": view })).into()).0
}

/// An event that shows a view only if it is one, and what is wrong with it otherwise. Null closes the view there is.
fn checked(event: Event) -> (Event, Vec<Fault>) {
    let Event::Custom(custom) = event else { return (event, Vec::new()) };
    let faults = if custom.name == RENDER { faults_of(&custom) } else { Vec::new() };
    if faults.is_empty() {
        return (custom.into(), faults);
    }
    tracing::warn!(?faults, "the agent showed a view that is none");
    let told = faults.iter().map(|fault| json!({ "path": fault.path, "message": fault.message }));
    let value = json!({ "faults": told.collect::<Vec<_>>() });
    (Custom { name: INVALID.to_owned(), value: value.into(), ..custom }.into(), faults)
}

fn faults_of(custom: &Custom) -> Vec<Fault> {
    let value = custom.value.to_value().unwrap_or_default();
    match value.get("view") {
        Some(Value::Null) => Vec::new(),
        Some(view) => {
            let faults = View::read(view).err();
            let one = |fault: &v1::Fault| Fault::new("invalid_view", &fault.path, &fault.message);
            faults.iter().flat_map(|faults| faults.iter().map(one)).collect()
        }
        None => vec![Fault::new(
            "missing_field",
            "view",
            "is missing; it is a view, or null to close the one there is",
        )],
    }
}
