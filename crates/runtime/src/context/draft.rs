//! What is said and not shown yet: checked by the rules of the house, and held back where somebody has to look first.
//!
//! In a run under review, whatever answers the person (text, reasoning, what is drawn) is kept out of the log. When the
//! run ends or asks, the held part goes with the question for the reviewer, for those who decide and nobody else. The
//! run that goes on with the decision shows it, shows it as edited, or does not show it.

use std::collections::HashMap;

use bytes::Bytes;
use forestage_a2ui::v1::RENDER;
use forestage_protocol::{
    event::{Event, TextMessageContent, TextMessageEnd, TextMessageStart},
    id::{InterruptId, MessageId},
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::{Json, Object},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::views::drawn;
use crate::{
    clock,
    decide::Terms,
    error::Stop,
    house::{HouseRules, Review},
    moderation::Moderator,
    surface::view_activity,
};

/// The reason of the question for a reviewer.
pub(crate) const DRAFT_REVIEW: &str = "draft_review";

/// So many bytes may be held back.
const MAX_BYTES: usize = 4 << 20;

/// So much of what was said last is looked at with every piece; all of it each time it has grown by as much.
const WINDOW: usize = 512;

/// What was said and is not shown yet.
#[derive(Debug, Default)]
pub(crate) struct Draft {
    review: bool,
    /// What is held, each with how much was shown before it.
    held: Vec<(u64, Event)>,
    bytes: usize,
    /// What each open message says so far, and how much of it has been looked at as a whole.
    spoken: HashMap<MessageId, (String, usize)>,
}

/// A draft as it is kept with its question.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    /// Whether the agent had nothing more to say.
    last: bool,
    text: String,
    events: Vec<Event>,
    /// What the run returns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    result: Option<Json>,
}

/// What a run that goes on shows first.
#[derive(Debug, Default)]
pub(crate) struct Release {
    pub(crate) events: Vec<Event>,
    /// What everybody is told of the decision.
    pub(crate) told: Value,
    /// Whether the agent had nothing more to say.
    pub(crate) last: bool,
    /// What the run returns.
    pub(crate) result: Option<Json>,
}

impl Draft {
    pub(crate) fn new(review: bool) -> Self {
        Self { review, ..Self::default() }
    }

    /// Whether somebody has to look at what is said.
    pub(crate) fn is_reviewed(&self) -> bool {
        self.review
    }

    /// Somebody has looked at everything.
    pub(crate) fn was_looked_at(&mut self) {
        self.review = false;
    }

    /// Holds back what follows, too, if somebody has to look at it.
    pub(crate) fn review_if(&mut self, wanted: bool) {
        self.review |= wanted;
    }

    /// What is held, each with how much was shown before it: for whoever said it.
    pub(super) fn held(&self) -> Vec<(u64, Event)> {
        self.held.clone()
    }

    /// Holds an event against what may be said.
    pub(super) fn check(&mut self, event: &Event, house: &HouseRules) -> Result<(), Stop> {
        house.moderation.as_ref().map_or(Ok(()), |rules| self.moderate(event, rules))
    }

    /// Lets an event pass, or holds it back. `shown` is how many events of the run were shown before.
    pub(super) fn hold(&mut self, event: Event, shown: u64) -> Result<Option<Event>, Stop> {
        if !self.review || !is_answer(&event) {
            return Ok(Some(event));
        }
        self.bytes += event.to_json().len();
        if self.bytes > MAX_BYTES {
            return Err(Stop::TooLarge { limit: MAX_BYTES, unit: "bytes of a draft" });
        }
        self.held.push((shown, event));
        Ok(None)
    }

    /// The piece with which something becomes visible that may not be said is not shown.
    fn moderate(&mut self, event: &Event, rules: &impl Moderator) -> Result<(), Stop> {
        match event {
            Event::TextMessageContent(event) => {
                let (text, looked) = self.spoken.entry(event.message_id.clone()).or_default();
                text.push_str(&event.delta);
                rules.check_output(tail(text, event.delta.len() + WINDOW)).map_err(Stop::Refused)?;
                if text.len() >= *looked + WINDOW {
                    *looked = text.len();
                    rules.check_output(text).map_err(Stop::Refused)?;
                }
                Ok(())
            }
            Event::TextMessageEnd(event) => match self.spoken.remove(&event.message_id) {
                Some((text, _)) => rules.check_output(&text).map_err(Stop::Refused),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// The question about what is held, with what only a reviewer may see. Nothing if nothing is held.
    pub(crate) fn question(
        &mut self,
        id: String,
        review: &Review,
        last: bool,
        result: Option<Json>,
    ) -> Option<(Interrupt, Bytes)> {
        let events: Vec<_> = std::mem::take(&mut self.held).into_iter().map(|(_, event)| event).collect();
        if events.is_empty() && result.is_none() {
            return None;
        }
        let terms = Terms {
            role: review.role.clone(),
            on_expiry: review.timeout.map(|_| review.on_expiry.as_str().to_owned()),
            ..Terms::default()
        };
        let expires_at = review.timeout.map(|time| {
            let milliseconds = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
            clock::iso(clock::now().saturating_add(milliseconds))
        });
        let question = Interrupt {
            message: Some("An answer waits until somebody has looked at it.".to_owned()),
            response_schema: Some(Object::from(schema())),
            metadata: Some(Object::from(terms.into_metadata())).filter(|metadata| !metadata.is_empty()),
            expires_at,
            ..Interrupt::new(id, DRAFT_REVIEW)
        };
        let kept = Kept { last, text: text_of(&events), events, result };
        Some((question, serde_json::to_vec(&kept).unwrap_or_default().into()))
    }
}

impl Release {
    /// What a decision makes of a draft.
    pub(crate) fn of(private: &[u8], entry: &ResumeEntry) -> Option<Self> {
        let kept: Kept = serde_json::from_slice(private).ok()?;
        let payload = entry.payload.as_ref().and_then(|payload| payload.to_value().ok()).unwrap_or_default();
        let approved = entry.status == ResumeStatus::Resolved && payload["approved"] == json!(true);
        let text = payload["text"].as_str().filter(|text| *text != kept.text);
        let view = payload.get("view").filter(|view| !view.is_null());
        let edited = approved && (text.is_some() || view.is_some());
        let mut events = if approved { kept.events } else { Vec::new() };
        if let Some(text) = text.filter(|_| approved) {
            events = with_text(events, text, &entry.interrupt_id);
        }
        if let Some(view) = view.filter(|_| approved) {
            events = with_view(events, view);
        }
        // What was said differently is not returned as it was said first.
        let result = kept.result.filter(|_| approved && !edited);
        let signature = entry.metadata.as_ref().and_then(|metadata| metadata.get("forestage").cloned());
        let told = json!({
            "interruptId": entry.interrupt_id,
            "approved": approved,
            "edited": edited,
            "events": written(&events),
            "by": signature.as_ref().map(|signature| signature["by"].clone()),
            "at": signature.as_ref().map(|signature| signature["at"].clone()),
            "reason": payload.get("reason"),
        });
        Some(Self { events, told, last: kept.last, result })
    }
}

/// How many events of the log these become: a view is said twice.
fn written(events: &[Event]) -> usize {
    let is_twice = |event: &&Event| matches!(event, Event::Custom(custom) if view_activity(custom).is_some());
    events.len() + events.iter().filter(is_twice).count()
}

/// The shape of a reviewer's answer.
fn schema() -> Map<String, Value> {
    let schema = json!({
        "type": "object",
        "properties": {
            "approved": { "type": "boolean", "description": "Whether the answer is shown." },
            "text": { "type": "string", "description": "What is said instead." },
            "view": { "type": "object", "description": "What is shown instead: a view (`a2ui.v1`)." },
            "reason": { "type": "string", "description": "Why, for the record." }
        },
        "required": ["approved"],
        "additionalProperties": false
    });
    schema.as_object().cloned().unwrap_or_default()
}

/// What a person would take for the answer.
fn is_answer(event: &Event) -> bool {
    matches!(
        event,
        Event::TextMessageStart(_)
            | Event::TextMessageContent(_)
            | Event::TextMessageEnd(_)
            | Event::ReasoningStart(_)
            | Event::ReasoningMessageStart(_)
            | Event::ReasoningMessageContent(_)
            | Event::ReasoningMessageEnd(_)
            | Event::ReasoningEnd(_)
            | Event::ReasoningEncryptedValue(_)
            | Event::ActivitySnapshot(_)
            | Event::ActivityDelta(_)
            | Event::Custom(_)
            | Event::Raw(_)
    ) && !is_ours(event)
}

/// What the engine itself records is no part of an answer.
fn is_ours(event: &Event) -> bool {
    matches!(event, Event::Custom(event) if event.name.starts_with("forestage."))
}

fn text_of(events: &[Event]) -> String {
    let mut text = String::new();
    for event in events {
        match event {
            Event::TextMessageStart(_) if !text.is_empty() => text.push_str("\n\n"),
            Event::TextMessageContent(event) => text.push_str(&event.delta),
            _ => {}
        }
    }
    text
}

/// The same with one message in place of those that were said. Where nothing was said, it is named after the question.
fn with_text(events: Vec<Event>, text: &str, question: &InterruptId) -> Vec<Event> {
    let mut out = Vec::new();
    let mut said = false;
    for event in events {
        match event {
            Event::TextMessageStart(start) if !said => {
                said = true;
                out.extend(message(start, text));
            }
            Event::TextMessageStart(_) | Event::TextMessageContent(_) | Event::TextMessageEnd(_) => {}
            other => out.push(other),
        }
    }
    if !said {
        out.extend(message(TextMessageStart::new(format!("{question}-text")), text));
    }
    out
}

/// The same with one view, at the end, in place of those that were shown.
fn with_view(events: Vec<Event>, view: &Value) -> Vec<Event> {
    let is_view = |event: &Event| matches!(event, Event::Custom(event) if event.name == RENDER);
    let mut out: Vec<_> = events.into_iter().filter(|event| !is_view(event)).collect();
    out.push(drawn(view.clone()));
    out
}

fn message(start: TextMessageStart, text: &str) -> Vec<Event> {
    let (id, tag) = (start.message_id.clone(), start.subagent_run_id.clone());
    let mut events = vec![Event::from(start)];
    if !text.is_empty() {
        let content = TextMessageContent::new(&id, text);
        events.push(TextMessageContent { subagent_run_id: tag.clone(), ..content }.into());
    }
    events.push(TextMessageEnd { subagent_run_id: tag, ..TextMessageEnd::new(&id) }.into());
    events
}

/// The last so many bytes, or a few more.
fn tail(text: &str, bytes: usize) -> &str {
    let from = (0..=text.len().saturating_sub(bytes)).rev().find(|at| text.is_char_boundary(*at));
    &text[from.unwrap_or(0)..]
}
