//! What an earlier run did, so that this one need not do it again.
//!
//! A run that continues after a question is a new call of the agent. It comes to the same lines as before, takes
//! from here what was done there, and is not heard until it has passed the question.

use std::collections::{HashMap, HashSet, VecDeque};

use forestage_protocol::{
    event::{Custom, Event, SubagentStarted, ToolCallResult},
    id::{InterruptId, MessageId, SubagentRunId, ToolCallId},
    interrupt::{Interrupt, ResumeEntry, RunOutcome},
    message::Message,
};
use serde_json::Value;

use super::{
    draft::DRAFT_REVIEW,
    use_tool::{TOOL_STARTED, Used, error_of},
};

/// The name of the custom event that records the result of a step.
pub(crate) const STEP_RESULT: &str = "forestage.step";

/// What a tool answered.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    /// The call that it answered.
    pub(crate) id: ToolCallId,
    text: String,
    failed: bool,
}

impl Recorded {
    fn of(event: &ToolCallResult) -> Self {
        let metadata = event.base.metadata.as_ref();
        let failed = metadata.and_then(|metadata| metadata.get("forestage")?.get("failed")).is_some();
        Self { id: event.tool_call_id.clone(), text: event.content.text().into_owned(), failed }
    }

    pub(crate) fn text(self) -> String {
        self.text
    }

    pub(crate) fn used(&self) -> Used {
        if self.failed { Err(error_of(&self.text)) } else { Ok(self.text.clone()) }
    }
}

/// Results of tools and steps, and answers to questions, in order.
#[derive(Debug, Default)]
pub(crate) struct Record {
    tools: HashMap<String, VecDeque<(Value, Recorded)>>,
    steps: HashMap<String, VecDeque<Value>>,
    /// The questions that were asked together, with their answers.
    answers: VecDeque<Vec<Answered>>,
    /// The calls that nobody has answered, in the order in which they were made.
    calls: Vec<OpenCall>,
    /// The calls that people were asked about.
    asked_calls: Vec<(String, Value)>,
    /// The calls that were about to be executed, and of which nobody knows whether they were.
    started: Vec<StartedCall>,
    /// The questions that were asked last, and who asked them.
    asked: Vec<(Asked, Scopes)>,
    /// The agents that were invited, and by which calls.
    invited: HashMap<SubagentRunId, Scopes>,
    /// The messages that the turn began with, once its first run is known.
    began_with: Option<Vec<MessageId>>,
    /// The messages that were said in the turn.
    said: HashSet<MessageId>,
}

/// The calls that led to an invited agent, the last one last. None for the agent of the run.
type Scopes = Vec<String>;

/// A question as somebody read it before they answered.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    id: InterruptId,
    pub(crate) reason: String,
    pub(crate) message: Option<String>,
    /// The call it was about.
    pub(crate) call: Option<(String, Value)>,
}

/// An answer, what was asked, and who asked.
#[derive(Debug)]
struct Answered {
    entry: ResumeEntry,
    asked: Asked,
    scopes: Scopes,
}

impl Answered {
    fn is_of(&self, scope: &str) -> bool {
        self.scopes.last().map_or("", String::as_str) == scope
    }

    /// Whether it is of somebody in there, or of somebody whom they invited.
    fn is_within(&self, scope: &str) -> bool {
        self.scopes.iter().any(|it| it == scope)
    }
}

/// A call that nobody has answered.
#[derive(Debug)]
struct OpenCall {
    id: ToolCallId,
    name: String,
    arguments: String,
}

impl OpenCall {
    fn arguments(&self) -> Value {
        serde_json::from_str(&self.arguments).unwrap_or_default()
    }
}

/// A call that was about to be executed.
#[derive(Debug)]
struct StartedCall {
    id: ToolCallId,
    name: String,
    arguments: Value,
    key: String,
}

impl Record {
    /// Takes the next event of the earlier runs.
    pub(crate) fn note(&mut self, event: &Event) {
        match event {
            Event::RunStarted(event) => {
                let resume = event.input.as_ref().and_then(|input| input.resume.clone());
                if let Some(resume) = resume {
                    self.note_answers(resume);
                }
                let messages = event.input.iter().flat_map(|input| &input.messages);
                self.began_with.get_or_insert_with(|| messages.map(|message| message.id().clone()).collect());
            }
            Event::TextMessageStart(event) => {
                self.said.insert(event.message_id.clone());
            }
            Event::ToolCallStart(event) => {
                // A call without a message of its own makes one that has the id of the call.
                let carrier = event.parent_message_id.clone();
                self.said.insert(carrier.unwrap_or_else(|| event.tool_call_id.as_str().into()));
                self.calls.push(OpenCall {
                    id: event.tool_call_id.clone(),
                    name: event.tool_call_name.clone(),
                    arguments: String::new(),
                });
            }
            Event::ToolCallArgs(event) => {
                let call = self.calls.iter_mut().rfind(|call| call.id == event.tool_call_id);
                if let Some(call) = call {
                    call.arguments.push_str(&event.delta);
                }
            }
            Event::ToolCallResult(event) => {
                if let Some(at) = self.calls.iter().position(|call| call.id == event.tool_call_id) {
                    let call = self.calls.remove(at);
                    let result = (call.arguments(), Recorded::of(event));
                    self.tools.entry(call.name).or_default().push_back(result);
                }
                // Whoever was invited by it is done.
                self.forget_within(&event.tool_call_id);
                // What came of it is known: another call that is the same is another call.
                self.started.retain(|started| started.id != event.tool_call_id);
            }
            Event::Custom(Custom { name, value, .. }) if name == STEP_RESULT => {
                let value = value.to_value().unwrap_or_default();
                if let Some(name) = value["name"].as_str() {
                    self.steps.entry(name.to_owned()).or_default().push_back(value["result"].clone());
                }
            }
            Event::Custom(Custom { name, value, .. }) if name == TOOL_STARTED => {
                self.note_started(&value.to_value().unwrap_or_default());
            }
            Event::SubagentStarted(event) => self.note_invited(event),
            Event::RunFinished(event) => {
                if let Some(RunOutcome::Interrupt(outcome)) = &event.outcome {
                    self.note_questions(outcome.interrupts.as_slice());
                }
            }
            _ => {}
        }
    }

    fn note_invited(&mut self, event: &SubagentStarted) {
        let note = event.base.metadata.as_ref().and_then(|metadata| metadata.get("forestage")?.get("scope"));
        let Some(scope) = note.and_then(Value::as_str) else { return };
        let around = event.parent_subagent_run_id.as_ref().and_then(|parent| self.invited.get(parent));
        let scopes = around.into_iter().flatten().cloned().chain([scope.to_owned()]).collect();
        self.invited.insert(event.subagent_run_id.clone(), scopes);
    }

    fn forget_within(&mut self, scope: &str) {
        self.answers.iter_mut().for_each(|together| together.retain(|answer| !answer.is_within(scope)));
        self.answers.retain(|together| !together.is_empty());
    }

    /// Who speaks by this name: those who do not speak for themselves are whoever lets them.
    fn scopes_of(&self, subagent: Option<&SubagentRunId>) -> Scopes {
        subagent.and_then(|id| self.invited.get(id)).cloned().unwrap_or_default()
    }

    fn note_started(&mut self, value: &Value) {
        let (Some(id), Some(key)) = (value["toolCallId"].as_str(), value["key"].as_str()) else { return };
        if let Some((name, arguments)) = self.call(id) {
            self.started.push(StartedCall { id: id.into(), name, arguments, key: key.to_owned() });
        }
    }

    fn note_questions(&mut self, questions: &[Interrupt]) {
        let asked = questions.iter().filter(|question| question.reason != DRAFT_REVIEW);
        let asked: Vec<_> = asked
            .map(|question| (self.asked(question), self.scopes_of(question.subagent_run_id.as_ref())))
            .collect();
        self.asked = asked;
        let calls = questions.iter().filter_map(|question| self.call(question.tool_call_id.as_deref()?));
        let calls: Vec<_> = calls.collect();
        self.asked_calls.extend(calls);
    }

    fn asked(&self, question: &Interrupt) -> Asked {
        Asked {
            id: question.id.clone(),
            reason: question.reason.clone(),
            message: question.message.clone(),
            call: question.tool_call_id.as_deref().and_then(|id| self.call(id)),
        }
    }

    /// The name and the arguments of a call that nobody has answered.
    fn call(&self, id: &str) -> Option<(String, Value)> {
        let call = self.calls.iter().find(|call| call.id.as_str() == id)?;
        Some((call.name.clone(), call.arguments()))
    }

    /// Whether people were asked about this call, each time once.
    pub(crate) fn was_asked(&mut self, name: &str, arguments: &Value) -> bool {
        let at = self.asked_calls.iter().position(|(asked, given)| asked == name && given == arguments);
        at.map(|at| self.asked_calls.remove(at)).is_some()
    }

    /// The key under which a call was about to be executed, if nobody knows whether it was.
    pub(crate) fn started(&mut self, name: &str, arguments: &Value) -> Option<String> {
        let is_it = |started: &StartedCall| started.name == name && started.arguments == *arguments;
        let at = self.started.iter().position(is_it)?;
        Some(self.started.remove(at).key)
    }

    /// Takes the answers to the questions that were asked last, in the order of the questions.
    pub(crate) fn note_answers(&mut self, mut answers: Vec<ResumeEntry>) {
        let place = |id: &InterruptId| self.asked.iter().position(|(asked, _)| asked.id == *id);
        // What was said of a draft is not for the agent.
        answers.retain(|answer| place(&answer.interrupt_id).is_some());
        answers.sort_by_key(|answer| place(&answer.interrupt_id));
        let answered = answers.into_iter().filter_map(|entry| {
            let (asked, scopes) = self.asked[place(&entry.interrupt_id)?].clone();
            Some(Answered { entry, asked, scopes })
        });
        let answered: Vec<_> = answered.collect();
        if !answered.is_empty() {
            self.answers.push_back(answered);
        }
    }

    /// What a tool answered to these arguments, each time once.
    pub(crate) fn tool_result(&mut self, name: &str, arguments: &Value) -> Option<Recorded> {
        let results = self.tools.get_mut(name)?;
        let at = results.iter().position(|(given, _)| given == arguments)?;
        results.remove(at).map(|(_, result)| result)
    }

    /// The id of the first such call that nobody has answered and that is still in the conversation, each time once.
    pub(crate) fn take_open_call(
        &mut self,
        name: &str,
        arguments: &Value,
        is_shown: impl Fn(&ToolCallId) -> bool,
    ) -> Option<ToolCallId> {
        let is_it =
            |call: &OpenCall| call.name == name && call.arguments() == *arguments && is_shown(&call.id);
        let at = self.calls.iter().position(is_it)?;
        Some(self.calls.remove(at).id)
    }

    /// How many of these messages stood there when the turn began.
    pub(crate) fn turn_length(&self, messages: &[Message]) -> usize {
        let began_with = self.began_with.as_deref().unwrap_or_default();
        let is_last = |message: &Message| began_with.last() == Some(message.id());
        let after = messages.iter().rposition(is_last).map(|at| at + 1);
        let said = || messages.iter().position(|message| self.said.contains(message.id()));
        after.or_else(said).unwrap_or(messages.len())
    }

    /// What a step came to, each time once.
    pub(crate) fn step_result(&mut self, name: &str) -> Option<Value> {
        self.steps.get_mut(name)?.pop_front()
    }

    /// The answers to the next questions that were asked together by whoever this is.
    pub(crate) fn answers(&mut self, scope: &str) -> Option<Vec<(Asked, ResumeEntry)>> {
        let together = self.answers.iter_mut().find(|together| together.iter().any(|it| it.is_of(scope)))?;
        let (theirs, others): (Vec<_>, Vec<_>) =
            std::mem::take(together).into_iter().partition(|answer| answer.is_of(scope));
        *together = others;
        self.answers.retain(|together| !together.is_empty());
        Some(theirs.into_iter().map(|answer| (answer.asked, answer.entry)).collect())
    }

    /// Drops the answers: whoever repeats a run from its beginning has not asked yet.
    pub(crate) fn forget_answers(&mut self) {
        self.answers.clear();
    }

    /// Whether there are answers that whoever this is has not come to yet, or those whom they invited.
    pub(crate) fn has_answers(&self, scope: &str) -> bool {
        let is_theirs = |answer: &Answered| match scope {
            "" => answer.is_of(scope),
            scope => answer.is_within(scope),
        };
        self.answers.iter().flatten().any(is_theirs)
    }

    /// Whether there are answers that nobody has come to yet.
    pub(crate) fn has_any_answers(&self) -> bool {
        !self.answers.is_empty()
    }

    /// The names under which an invited agent has spoken in this turn.
    pub(crate) fn names_of(&self, scope: &str) -> Vec<SubagentRunId> {
        let is_it = |(_, scopes): &(&SubagentRunId, &Scopes)| scopes.last().is_some_and(|it| it == scope);
        self.invited.iter().filter(is_it).map(|(id, _)| id.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use forestage_protocol::event::{ToolCallArgs, ToolCallEnd, ToolCallStart};
    use serde_json::json;

    use super::*;

    /// A record of these calls of one tool with the same arguments: each is made and begun, and some have a result.
    fn record(calls: &[(&str, Option<&str>)]) -> Record {
        let mut record = Record::default();
        for (id, result) in calls {
            record.note(&ToolCallStart::new(*id, "book").into());
            record.note(&ToolCallArgs::new(*id, r#"{"room":7}"#).into());
            record.note(&ToolCallEnd::new(*id).into());
            let begun = json!({ "toolCallId": id, "key": format!("key of {id}") });
            record.note(&Custom::new(TOOL_STARTED, begun).into());
            if let Some(result) = result {
                let id = ToolCallId::from(*id);
                record.note(&ToolCallResult::new(format!("m-{id}").as_str(), id, *result).into());
            }
        }
        record
    }

    fn room() -> Value {
        json!({ "room": 7 })
    }

    #[test]
    fn a_call_with_a_result_is_not_in_doubt_and_its_key_is_not_used_again() {
        let mut done = record(&[("one", Some("booked"))]);
        assert_eq!(done.started("book", &room()), None);
        let mut second = record(&[("one", Some("booked")), ("two", None)]);
        assert_eq!(second.started("book", &room()).as_deref(), Some("key of two"));
        assert_eq!(second.started("book", &room()), None, "each is in doubt once");
    }

    #[test]
    fn equal_calls_in_doubt_keep_their_keys_in_order() {
        let mut record = record(&[("one", None), ("two", Some("booked")), ("three", None)]);
        let keys = [(); 3].map(|()| record.started("book", &room()));
        assert_eq!(keys.map(Option::unwrap_or_default), ["key of one", "key of three", ""]);
        assert_eq!(record.started("book", &json!({ "room": 8 })), None, "another call is another one");
    }

    #[test]
    fn results_of_equal_calls_are_handed_out_once_and_in_order() {
        let mut record = record(&[("one", Some("first")), ("two", Some("second"))]);
        let mut next =
            || record.tool_result("book", &room()).map(|result| (result.id.to_string(), result.text()));
        assert_eq!(next(), Some(("one".to_owned(), "first".to_owned())));
        assert_eq!(next(), Some(("two".to_owned(), "second".to_owned())));
        assert_eq!(next(), None);
    }

    #[test]
    fn a_call_without_an_answer_is_taken_up_once() {
        let mut record = record(&[("one", Some("booked")), ("two", None)]);
        let mut open = || record.take_open_call("book", &room(), |_| true);
        assert_eq!((open(), open()), (Some("two".into()), None));
    }
}
