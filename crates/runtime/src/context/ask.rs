//! Asking a person.

use std::time::Duration;

use forestage_protocol::{
    id::ToolCallId,
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::{Json, Object},
};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::{RunContext, lock, record::Asked};
use crate::{agent::AgentError, clock, error::Stop};

/// A question to a person.
#[derive(Clone, Debug, Default)]
pub struct Question {
    reason: String,
    message: Option<String>,
    schema: Option<Map<String, Value>>,
    tool_call_id: Option<ToolCallId>,
    /// The call it is about, where whoever asks knows it by heart.
    call: Option<(String, Value)>,
    expires_in: Option<Duration>,
    expires_at: Option<String>,
    metadata: Option<Map<String, Value>>,
    id: Option<String>,
}

impl Question {
    /// A question for a reason, such as `input_required` or `tool_call`.
    #[must_use]
    pub fn new(reason: &str, message: &str) -> Self {
        Self { reason: reason.to_owned(), message: Some(message.to_owned()), ..Self::default() }
    }

    /// The shape of the answer, as a JSON Schema.
    #[must_use]
    pub fn schema(self, schema: Map<String, Value>) -> Self {
        Self { schema: Some(schema), ..self }
    }

    /// The call it is about.
    #[must_use]
    pub fn about(self, tool_call_id: &ToolCallId) -> Self {
        Self { tool_call_id: Some(tool_call_id.clone()), ..self }
    }

    /// The same for a call with this name and these arguments, which an answer to another one does not answer.
    #[must_use]
    pub(crate) fn about_call(self, id: &ToolCallId, name: &str, arguments: Value) -> Self {
        Self { call: Some((name.to_owned(), arguments)), ..self.about(id) }
    }

    /// Whether an answer to what was asked answers this. Who asks in other words asks something else.
    fn is(&self, asked: &Asked) -> bool {
        self.reason == asked.reason
            && self.message == asked.message
            && (self.call.is_none() || self.call == asked.call)
    }

    /// When it is too late to answer.
    #[must_use]
    pub fn expires_in(self, time: Duration) -> Self {
        Self { expires_in: Some(time), ..self }
    }

    /// The same as a date and time, such as `2026-11-17T12:00:00Z`. Where both are given the earlier one counts.
    #[must_use]
    pub fn expires_at(self, time: &str) -> Self {
        Self { expires_at: Some(time.to_owned()), ..self }
    }

    /// Facts for whoever shows it.
    #[must_use]
    pub fn metadata(self, metadata: Map<String, Value>) -> Self {
        Self { metadata: Some(metadata), ..self }
    }

    /// An id of your choice, new on this thread.
    #[must_use]
    pub fn id(self, id: &str) -> Self {
        Self { id: Some(id.to_owned()), ..self }
    }

    fn into_interrupt(self, ctx: &RunContext) -> Interrupt {
        let id = self.id.unwrap_or_else(|| ctx.new_id("i"));
        let expires_at = self.expires_in.map(|time| {
            let milliseconds = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
            clock::now().saturating_add(milliseconds)
        });
        Interrupt {
            message: self.message,
            tool_call_id: self.tool_call_id,
            response_schema: self.schema.map(Object::from),
            expires_at: earlier(expires_at, self.expires_at),
            metadata: self.metadata.map(Object::from),
            subagent_run_id: ctx.tag.clone(),
            ..Interrupt::new(id, self.reason)
        }
    }
}

/// The earlier of two times; one that means none does not count beside the other.
fn earlier(ours: Option<i64>, theirs: Option<String>) -> Option<String> {
    let Some(ours) = ours else { return theirs };
    match theirs.as_deref().and_then(clock::from_iso) {
        Some(time) if time < ours => theirs,
        _ => Some(clock::iso(ours)),
    }
}

/// What became of a question.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It was answered.
    Resolved(Json),
    /// It was refused or withdrawn.
    Cancelled(Option<Json>),
}

impl Answer {
    /// The answer as a value; null where there is none.
    #[must_use]
    pub fn value(&self) -> Value {
        match self {
            Self::Resolved(payload) | Self::Cancelled(Some(payload)) => {
                payload.to_value().unwrap_or_default()
            }
            Self::Cancelled(None) => Value::Null,
        }
    }
}

impl From<ResumeEntry> for Answer {
    fn from(entry: ResumeEntry) -> Self {
        match entry.status {
            ResumeStatus::Cancelled => Self::Cancelled(entry.payload),
            _ => Self::Resolved(entry.payload.unwrap_or_else(Json::null)),
        }
    }
}

impl RunContext {
    /// Asks a person. If the answer is there, it is returned; otherwise this fails with [`Stop::Asked`], the run
    /// ends with the question, and the agent is called again when somebody has answered, on any process and after
    /// any restart.
    ///
    /// The second call comes to this line again: what it says until then is not said twice, results of
    /// [`call_tool`](Self::call_tool) and [`once`](Self::once) are taken from the record. So what decides the way
    /// to this line has to come from the conversation, from those two, or from earlier answers.
    pub async fn ask(&self, question: Question) -> Result<Answer, Stop> {
        let mut answers = self.ask_all(vec![question]).await?;
        answers.pop().ok_or_else(|| Stop::Diverged("it has no answer".to_owned()))
    }

    /// Asks several things at once; all have to be answered. Answers come in the order of the questions.
    pub async fn ask_all(&self, questions: Vec<Question>) -> Result<Vec<Answer>, Stop> {
        Ok(self.ask_as_before(questions, Question::is).await?.into_iter().map(Answer::from).collect())
    }

    /// The same with who answered, for those who know themselves what was asked.
    pub(super) async fn ask_entries(&self, questions: Vec<Question>) -> Result<Vec<ResumeEntry>, Stop> {
        self.ask_as_before(questions, |_, _| true).await
    }

    async fn ask_as_before(
        &self,
        questions: Vec<Question>,
        is_same: fn(&Question, &Asked) -> bool,
    ) -> Result<Vec<ResumeEntry>, Stop> {
        let recorded = lock(&self.core.record).answers(self.scope());
        let Some(answers) = recorded else {
            let asked = questions.into_iter().map(|question| question.into_interrupt(self));
            lock(&self.core.asked).extend(asked);
            return Err(Stop::Asked);
        };
        if answers.len() != questions.len() {
            let (had, has) = (answers.len(), questions.len());
            return Err(Stop::Diverged(format!("{had} questions were answered, {has} are asked")));
        }
        if !questions.iter().zip(&answers).all(|(question, (asked, _))| is_same(question, asked)) {
            return Err(Stop::Diverged("it asks something else than what was answered".to_owned()));
        }
        if !lock(&self.core.record).has_answers(self.scope()) {
            self.be_heard()?;
        }
        Ok(answers.into_iter().map(|(_, answer)| answer).collect())
    }

    /// Asks for a value of a type. Its schema goes with the question; a refusal is an error with code
    /// `answer_cancelled`.
    pub async fn ask_for<T: DeserializeOwned + JsonSchema>(&self, message: &str) -> Result<T, AgentError> {
        let schema = match schemars::schema_for!(T).to_value() {
            Value::Object(schema) => schema,
            _ => Map::new(),
        };
        match self.ask(Question::new("input_required", message).schema(schema)).await? {
            Answer::Resolved(payload) => Ok(serde_json::from_str(payload.get())?),
            Answer::Cancelled(_) => Err(AgentError::new("answer_cancelled", "the question was not answered")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_ends_the_earlier_counts_and_one_that_means_none_does_not() {
        let noon = "2026-01-01T13:00:00+01:00";
        let at = clock::from_iso(noon).expect("a time");
        for (ours, theirs, expected) in [
            (None, None, None),
            (None, Some(noon), Some(noon.to_owned())),
            (Some(at), None, Some(clock::iso(at))),
            (Some(at), Some("soon"), Some(clock::iso(at))),
            (Some(at + 1), Some(noon), Some(noon.to_owned())),
            (Some(at - 1), Some(noon), Some(clock::iso(at - 1))),
            (Some(at), Some(noon), Some(clock::iso(at))),
        ] {
            assert_eq!(earlier(ours, theirs.map(str::to_owned)), expected, "{ours:?} {theirs:?}");
        }
    }
}
