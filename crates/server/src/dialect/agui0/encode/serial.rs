//! Sends one text or tool call at a time, for lines that accept nothing else between its start and its end.

use std::collections::VecDeque;

use bytes::Bytes;
use forestage_protocol::event::Event;
use serde_json::{Value, json};

use super::text_of;

/// Holds events back until what is open has ended.
#[derive(Debug, Default)]
pub(super) struct Serial {
    open: Option<Item>,
    held: VecDeque<(Turn, Bytes)>,
}

/// A text or a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Text(String),
    Call(String),
}

impl Item {
    fn end(&self) -> Bytes {
        text_of(&match self {
            Self::Text(id) => json!({ "type": "TEXT_MESSAGE_END", "messageId": id }),
            Self::Call(id) => json!({ "type": "TOOL_CALL_END", "toolCallId": id }),
        })
    }
}

/// What an event means for the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// It opens an item, or goes on with it.
    Within(Item),
    /// It ends one.
    Ends(Item),
    /// It may come at any time.
    Anytime,
    /// It ends everything.
    Failed,
    /// It has to wait.
    Other,
}

impl Turn {
    pub(super) fn of(event: &Event) -> Self {
        match event {
            Event::TextMessageStart(event) => Self::Within(Item::Text(event.message_id.to_string())),
            Event::TextMessageContent(event) => Self::Within(Item::Text(event.message_id.to_string())),
            Event::TextMessageEnd(event) => Self::Ends(Item::Text(event.message_id.to_string())),
            Event::ToolCallStart(event) => Self::Within(Item::Call(event.tool_call_id.to_string())),
            Event::ToolCallArgs(event) => Self::Within(Item::Call(event.tool_call_id.to_string())),
            Event::ToolCallEnd(event) => Self::Ends(Item::Call(event.tool_call_id.to_string())),
            Event::Raw(_) => Self::Anytime,
            Event::RunError(_) => Self::Failed,
            _ => Self::Other,
        }
    }

    /// Like [`Turn::of`], for an event that was rewritten.
    pub(super) fn of_value(value: &Value) -> Self {
        let id = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
        match value["type"].as_str() {
            Some("TEXT_MESSAGE_START" | "TEXT_MESSAGE_CONTENT") => Self::Within(Item::Text(id("messageId"))),
            Some("TEXT_MESSAGE_END") => Self::Ends(Item::Text(id("messageId"))),
            Some("RAW") => Self::Anytime,
            Some("RUN_ERROR") => Self::Failed,
            _ => Self::Other,
        }
    }
}

impl Serial {
    pub(super) fn holds(&self) -> bool {
        !self.held.is_empty()
    }

    pub(super) fn take(&mut self, turn: Turn, text: Bytes, out: &mut Vec<Bytes>) {
        match (&self.open, &turn) {
            (_, Turn::Anytime) => out.push(text),
            (_, Turn::Failed) => {
                self.end_all(out);
                out.push(text);
            }
            // A client that came back in the middle of an item has seen its beginning.
            (None, Turn::Within(item)) => {
                self.open = Some(item.clone());
                out.push(text);
            }
            (None, _) => out.push(text),
            (Some(open), Turn::Within(item)) if open == item => out.push(text),
            (Some(open), Turn::Ends(item)) if open == item => {
                out.push(text);
                self.go_on(out);
            }
            (Some(_), _) => self.held.push_back((turn, text)),
        }
    }

    /// What was open has ended: what waited has its turn, until something else is open.
    fn go_on(&mut self, out: &mut Vec<Bytes>) {
        self.open = None;
        for (turn, text) in std::mem::take(&mut self.held) {
            self.take(turn, text, out);
        }
    }

    /// Ends what is open, again and again, until nothing waits.
    fn end_all(&mut self, out: &mut Vec<Bytes>) {
        while let Some(open) = self.open.take() {
            out.push(open.end());
            // What goes on with an item that was ended here would open it again.
            self.held
                .retain(|(turn, _)| !matches!(turn, Turn::Within(item) | Turn::Ends(item) if *item == open));
            self.go_on(out);
        }
    }
}
