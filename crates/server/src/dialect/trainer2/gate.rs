//! Gates: where a run waits until somebody lets it pass. Each is a question that the server keeps.

use forestage_a2ui::{extract, v1::RENDER};
use forestage_protocol::{
    event::{Custom, Event},
    id::ToolCallId,
    interrupt::Interrupt,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// Where a run waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gate {
    /// Before the agent hears anything.
    Stage,
    /// Before a tool is called.
    Tool(ToolCallId),
    /// Before anybody sees the answer.
    Draft,
}

impl Gate {
    /// The gate that a question stands for; nothing for one that wants words.
    #[must_use]
    pub fn of(question: &Interrupt) -> Option<Self> {
        match (question.reason.as_str(), &question.tool_call_id) {
            ("stage_review", _) => Some(Self::Stage),
            ("draft_review", _) => Some(Self::Draft),
            (_, Some(id)) => Some(Self::Tool(id.clone())),
            (_, None) => None,
        }
    }

    /// The answer to the question, in its words.
    pub(super) fn payload(
        &self,
        approved: bool,
        edits: Option<Value>,
        reason: Option<String>,
        draft: &Draft,
    ) -> Value {
        let mut payload = Map::from_iter([("approved".to_owned(), json!(approved))]);
        match (self, edits) {
            (Self::Stage, Some(Value::Object(edits))) => {
                let known = ["message", "context"];
                payload.extend(edits.into_iter().filter(|(name, _)| known.contains(&name.as_str())));
            }
            (Self::Tool(_), Some(arguments)) => drop(payload.insert("editedArgs".to_owned(), arguments)),
            (Self::Draft, Some(Value::Object(edits))) => {
                payload.extend(draft.edited(edits.get("text").and_then(Value::as_str), edits.get("view")));
            }
            _ => {}
        }
        payload.extend(reason.map(|reason| ("reason".to_owned(), reason.into())));
        Value::Object(payload)
    }
}

/// An answer that nobody has seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Draft {
    /// What it says.
    pub text: String,
    /// What it shows.
    pub view: Option<Value>,
    /// Whether the view stands in the text.
    is_block: bool,
}

#[derive(Deserialize)]
struct Kept {
    text: String,
    #[serde(default)]
    events: Vec<Event>,
}

impl Draft {
    /// Reads what is kept with the question.
    #[must_use]
    pub fn read(private: &[u8]) -> Option<Self> {
        let kept: Kept = serde_json::from_slice(private).ok()?;
        let found = extract(&kept.text);
        let is_block = found.view.is_some();
        let view = kept.events.iter().rev().find_map(rendered).or(found.view);
        Some(Self { text: found.text, view, is_block })
    }

    /// What is said and shown instead, if it is something else. A view that stands in the text stays in it.
    fn edited(&self, text: Option<&str>, view: Option<&Value>) -> Map<String, Value> {
        let text = text.filter(|text| *text != self.text);
        let view = view.filter(|view| Some(*view) != self.view.as_ref());
        let mut edits = Map::new();
        match view.or(self.view.as_ref()) {
            Some(shown) if self.is_block && (text.is_some() || view.is_some()) => {
                let text = format!("{}\n\n```a2ui\n{shown}\n```", text.unwrap_or(&self.text));
                edits.insert("text".to_owned(), text.into());
            }
            _ => {
                edits.extend(text.map(|text| ("text".to_owned(), text.into())));
                edits.extend(view.map(|view| ("view".to_owned(), view.clone())));
            }
        }
        edits
    }
}

/// The view that an event shows.
pub(super) fn rendered(event: &Event) -> Option<Value> {
    match event {
        Event::Custom(Custom { name, value, .. }) if name == RENDER => {
            value.to_value().ok().and_then(|value| value.get("view").cloned())
        }
        _ => None,
    }
}
