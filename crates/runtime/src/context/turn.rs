//! What came with the message that began a turn: facts for the agent, and who looks before it counts.
//!
//! Both stand in the metadata of the message, under `forestage`, so they are in the log with it and hold for every run
//! of the turn, whoever begins it.

use forestage_protocol::{
    content::Content,
    interrupt::{ResumeEntry, ResumeStatus},
    message::Message,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{DECISION, Question, RunContext};
use crate::{error::Stop, moderation::Moderator};

/// The reason of the question whether the agent is to hear what is sent to it.
pub(crate) const STAGE_REVIEW: &str = "stage_review";

/// What comes with a message and holds for the turn that it begins.
///
/// ```
/// use forestage_protocol::message::{Message, UserMessage};
/// use forestage_runtime::TurnTerms;
///
/// let mut message = Message::from(UserMessage::new("m1", "Hello"));
/// TurnTerms { tools: true, ..TurnTerms::default() }.attach(&mut message);
/// assert!(TurnTerms::of(&message).tools);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TurnTerms {
    /// Somebody looks at what is sent to the agent before it hears it.
    pub stage: bool,
    /// Somebody decides about every call of a tool, also about those that the rules of the house would let pass.
    pub tools: bool,
    /// Somebody looks at what the agent says before anybody sees it.
    pub draft: bool,
    /// Facts for the agent, by name.
    pub context: Map<String, Value>,
}

impl TurnTerms {
    /// Puts them on the message that begins the turn.
    pub fn attach(&self, message: &mut Message) {
        let terms = serde_json::to_value(self).unwrap_or_default();
        let metadata = message.metadata_mut().get_or_insert_default();
        metadata.insert("forestage".to_owned(), json!({ "turn": terms }));
    }

    /// Those that a message came with.
    #[must_use]
    pub fn of(message: &Message) -> Self {
        let terms = message.metadata().and_then(|metadata| metadata.get("forestage")?.get("turn"));
        terms.and_then(|terms| serde_json::from_value(terms.clone()).ok()).unwrap_or_default()
    }
}

/// What somebody made of what is sent to the agent.
#[derive(Debug)]
pub(crate) struct Staged {
    messages: Vec<Message>,
    context: Map<String, Value>,
}

impl Staged {
    pub(super) fn messages(&self) -> &[Message] {
        &self.messages
    }
}

impl RunContext {
    /// The terms of the turn.
    pub(crate) fn terms(&self) -> TurnTerms {
        let messages = &self.core.messages;
        let turn = &messages[..super::lock(&self.core.record).turn_length(messages)];
        let began = turn.iter().rfind(|message| matches!(message, Message::User(_)));
        began.map(TurnTerms::of).unwrap_or_default()
    }

    /// Facts that the client gave along, by name: those of the turn, and those of this run's input. Values that are JSON
    /// are read as such.
    #[must_use]
    pub fn context(&self) -> Map<String, Value> {
        let mut facts = match self.core.staged.get() {
            Some(staged) => staged.context.clone(),
            None => self.terms().context,
        };
        for fact in self.core.input.context.iter().flatten() {
            let value = serde_json::from_str(&fact.value).unwrap_or_else(|_| fact.value.as_str().into());
            facts.entry(fact.description.clone()).or_insert(value);
        }
        facts
    }

    /// Whether the agent may hear what was sent to it. The first time this ends the run with the question.
    pub(crate) async fn pass_stage(&self) -> Result<bool, Stop> {
        let terms = self.terms();
        if !terms.stage {
            return Ok(true);
        }
        let said = self.last_user_text().unwrap_or_default();
        let mut answers = self.ask_entries(vec![question(&said, &terms.context, &self.state())]).await?;
        let Some(entry) = answers.pop() else {
            return Err(Stop::Diverged("nobody was asked whether it may be heard".to_owned()));
        };
        let answer = StageAnswer::of(&entry);
        self.custom(DECISION, answer.told(&entry)).await?;
        let approved = answer.approved;
        if let (Some(text), Some(rules)) = (&answer.message, &self.house().moderation) {
            rules.check_input(text).map_err(Stop::Refused)?;
        }
        if approved {
            self.take_edits(answer, terms.context);
        }
        Ok(approved)
    }

    fn take_edits(&self, answer: StageAnswer, context: Map<String, Value>) {
        let mut messages = self.core.messages.clone();
        if let Some(text) = answer.message {
            let said = messages.iter_mut().rfind(|message| matches!(message, Message::User(_)));
            if let Some(Message::User(message)) = said {
                message.content = Content::from(text.as_str());
            }
        }
        // Nobody has been here before: a run passes its stage once.
        let _ = self.core.staged.set(Staged { messages, context: answer.context.unwrap_or(context) });
    }
}

/// The words that somebody put in place of what was said, if this answer lets them pass.
pub(crate) fn approved_words(entry: &ResumeEntry) -> Option<String> {
    let answer = StageAnswer::of(entry);
    answer.message.filter(|_| answer.approved)
}

/// What somebody said of what is sent to the agent.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct StageAnswer {
    approved: bool,
    message: Option<String>,
    context: Option<Map<String, Value>>,
    reason: Option<String>,
}

impl StageAnswer {
    fn of(entry: &ResumeEntry) -> Self {
        let payload = entry.payload.as_ref().and_then(|payload| payload.to_value().ok());
        let answer: Self =
            payload.and_then(|payload| serde_json::from_value(payload).ok()).unwrap_or_default();
        Self { approved: answer.approved && entry.status == ResumeStatus::Resolved, ..answer }
    }

    /// What everybody is told of it.
    fn told(&self, entry: &ResumeEntry) -> Value {
        let signature = entry.metadata.as_ref().and_then(|metadata| metadata.get("forestage"));
        json!({
            "interruptId": entry.interrupt_id,
            "approved": self.approved,
            "edited": self.message.is_some() || self.context.is_some(),
            "by": signature.and_then(|signature| signature.get("by")),
            "at": signature.and_then(|signature| signature.get("at")),
            "reason": self.reason,
        })
    }
}

fn question(said: &str, context: &Map<String, Value>, state: &Value) -> Question {
    let schema = json!({
        "type": "object",
        "properties": {
            "approved": { "type": "boolean", "description": "Whether the agent hears it." },
            "message": { "type": "string", "description": "What the agent hears instead of what was said." },
            "context": { "type": "object", "description": "The facts that the agent gets instead." },
            "reason": { "type": "string", "description": "Why, for the record." }
        },
        "required": ["approved"],
        "additionalProperties": false
    });
    let facts = json!({ "message": said, "context": context, "state": state });
    Question::new(STAGE_REVIEW, "A message waits until somebody has looked at what the agent is sent.")
        .schema(schema.as_object().cloned().unwrap_or_default())
        .metadata(facts.as_object().cloned().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_reviewer_count_only_where_they_let_it_pass() {
        let said = |status, payload: Value| ResumeEntry {
            payload: Some(payload.into()),
            ..ResumeEntry::new("q", status)
        };
        let (yes, no) =
            (json!({ "approved": true, "message": "so" }), json!({ "approved": false, "message": "so" }));
        assert_eq!(approved_words(&said(ResumeStatus::Resolved, yes.clone())).as_deref(), Some("so"));
        assert_eq!(approved_words(&said(ResumeStatus::Resolved, no)), None);
        assert_eq!(approved_words(&said(ResumeStatus::Cancelled, yes)), None);
        assert_eq!(approved_words(&said(ResumeStatus::Resolved, json!({ "approved": true }))), None);
        assert_eq!(approved_words(&said(ResumeStatus::Resolved, json!("yes"))), None);
    }
}
