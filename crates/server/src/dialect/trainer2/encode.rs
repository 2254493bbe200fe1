//! What a client sees.

use std::{collections::HashMap, sync::Arc};

use forestage_a2ui::{extract, v1::RENDER};
use forestage_protocol::{
    event::{Custom, Event, RunError, RunFinished, RunStarted, TextMessageStart, TextRole, ToolCallResult},
    id::{InterruptId, MessageId},
    input::RunAgentInput,
    interrupt::{Interrupt, RunOutcome},
    message::Message,
};
use forestage_runtime::{TurnTerms, is_no_fault, tool::Tools};
use serde_json::{Map, Value, json};

use super::{
    call::Calls,
    gate::{Draft, Gate, rendered},
};
use crate::dialect::calls::fact;

/// What is known of a question beside what the log says.
pub(super) type Drafts = HashMap<InterruptId, Option<Draft>>;

/// Turns the events of a turn, all its runs from gate to gate, into what a client sees as one run.
#[derive(Debug)]
pub struct Encoder {
    calls: Calls,
    thread_id: String,
    run_id: String,
    phase: Phase,
    /// The beginning is told when somebody has let the run pass.
    is_staged: bool,
    /// Whether the run that speaks goes on with answers.
    goes_on: bool,
    /// What each open message says so far.
    texts: HashMap<MessageId, String>,
    /// The gates that were shown.
    gates: HashMap<InterruptId, Gate>,
    release: Option<Release>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Before,
    Running,
    /// It waits at a gate.
    Waiting,
    /// It was lost with its process after somebody had answered, and is begun again.
    Lost,
    Over,
}

/// An answer that somebody has let pass, while it comes.
#[derive(Debug, Default)]
struct Release {
    /// So many events of it are still to come.
    events: u64,
    texts: Vec<String>,
    view: Option<Value>,
}

impl Encoder {
    /// For a run of an agent with these tools.
    #[must_use]
    pub fn new(tools: Arc<Tools>) -> Self {
        Self::with_calls(Calls::new(tools))
    }

    /// For a recorded run.
    pub(super) fn recorded() -> Self {
        Self::with_calls(Calls::recorded())
    }

    fn with_calls(calls: Calls) -> Self {
        Self {
            calls,
            thread_id: String::new(),
            run_id: String::new(),
            phase: Phase::Before,
            is_staged: false,
            goes_on: false,
            texts: HashMap::new(),
            gates: HashMap::new(),
            release: None,
        }
    }

    /// For the next turn of the same agent.
    pub(super) fn anew(&self) -> Self {
        Self::with_calls(self.calls.anew())
    }

    /// Whether the run is over, as a client sees it.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Encodes events that came together. `drafts` has what waits for a reviewer and may be shown to this client.
    pub fn encode(&mut self, events: &[Event], drafts: &HashMap<InterruptId, Option<Draft>>) -> Vec<Value> {
        let mut out = Vec::new();
        for event in events.iter() {
            if self.phase != Phase::Over {
                self.event(event, drafts, &mut out);
                self.count_released(&mut out);
            }
        }
        out
    }

    fn event(&mut self, event: &Event, drafts: &Drafts, out: &mut Vec<Value>) {
        match event {
            Event::RunStarted(event) => self.start(event, out),
            Event::RunFinished(event) => self.finish(event, drafts, out),
            Event::RunError(event) => self.fail(event, out),
            Event::TextMessageStart(event) if is_answer(event) => {
                self.texts.insert(event.message_id.clone(), String::new());
            }
            Event::TextMessageContent(event) => {
                if let Some(text) = self.texts.get_mut(&event.message_id) {
                    text.push_str(&event.delta);
                }
            }
            Event::TextMessageEnd(event) => {
                if let Some(text) = self.texts.remove(&event.message_id) {
                    self.say(&event.message_id, &text, out);
                }
            }
            Event::ToolCallResult(event) => self.result(event, out),
            Event::Custom(custom) => self.custom(custom, event, out),
            other => {
                let begun = self.calls.note(other);
                out.extend(begun.map(|begun| self.signed(begun)));
            }
        }
    }

    /// What came of a call. One that was not allowed never began.
    fn result(&mut self, event: &ToolCallResult, out: &mut Vec<Value>) {
        let failed = has_failed(event);
        self.pass_unrecorded(event, !failed, out);
        let begun = if failed { None } else { self.calls.begin(&event.tool_call_id) };
        out.extend(begun.map(|begun| self.signed(begun)));
        out.push(self.signed(self.calls.result(event)));
    }

    /// The answer at a gate of which a recording tells only what came of it.
    fn pass_unrecorded(&mut self, event: &ToolCallResult, approved: bool, out: &mut Vec<Value>) {
        let gate = Gate::Tool(event.tool_call_id.clone());
        let asked = self.gates.iter().find(|(_, open)| **open == gate).map(|(id, _)| id.clone());
        if let Some(id) = asked {
            self.decided(&json!({ "interruptId": id, "approved": approved }), out);
        }
    }

    /// One of the contract's events, with the ids of its run.
    fn signed(&self, mut event: Map<String, Value>) -> Value {
        event.insert("threadId".to_owned(), self.thread_id.as_str().into());
        event.insert("runId".to_owned(), self.run_id.as_str().into());
        Value::Object(event)
    }

    fn of(&self, kind: &str) -> Map<String, Value> {
        let ids = json!({ "type": kind, "threadId": self.thread_id, "runId": self.run_id });
        ids.as_object().cloned().unwrap_or_default()
    }

    fn plain(&self, kind: &str) -> Value {
        Value::Object(self.of(kind))
    }

    /// One of the contract's events with one member more, if there is something to say.
    fn with(&self, kind: &str, name: &str, value: Option<Value>) -> Value {
        let mut event = self.of(kind);
        event.extend(value.filter(|value| !value.is_null()).map(|value| (name.to_owned(), value)));
        Value::Object(event)
    }

    fn start(&mut self, event: &RunStarted, out: &mut Vec<Value>) {
        // A recording may not say with what a run began; then it is taken for the answer.
        let answers = event.input.as_ref().is_none_or(|input| input.resume.is_some());
        if matches!(self.phase, Phase::Waiting | Phase::Lost) && !answers {
            // The thread has gone on without an answer, so nothing more comes of this run.
            let ends = self.phase == Phase::Waiting;
            out.extend(ends.then(|| self.plain("RUN_FINISHED")));
            self.phase = Phase::Over;
            return;
        }
        match self.phase {
            Phase::Before => {
                (self.thread_id, self.run_id) = (event.thread_id.to_string(), event.run_id.to_string());
                self.is_staged = event.input.as_deref().is_some_and(is_staged);
                if !self.is_staged {
                    out.push(self.plain("RUN_STARTED"));
                }
            }
            Phase::Lost => self.start_again(event, out),
            _ => {}
        }
        self.goes_on = event.input.as_ref().is_some_and(|input| input.resume.is_some());
        self.phase = Phase::Running;
    }

    /// The run before has ended for the client, so this one has a name of its own. Whoever approved what is sent to the
    /// agent approved it for this one, too.
    fn start_again(&mut self, event: &RunStarted, out: &mut Vec<Value>) {
        self.run_id = event.run_id.to_string();
        self.gates.retain(|_, gate| *gate != Gate::Stage);
        out.push(self.plain("RUN_STARTED"));
    }

    fn finish(&mut self, event: &RunFinished, drafts: &Drafts, out: &mut Vec<Value>) {
        self.flush_release(out);
        let asked = match &event.outcome {
            Some(RunOutcome::Interrupt(outcome)) => outcome.interrupts.as_slice(),
            _ => &[],
        };
        let begun = self.calls.begin_held(asked);
        out.extend(begun.into_iter().map(|begun| self.signed(begun)));
        match &event.outcome {
            Some(RunOutcome::Interrupt(_)) => self.wait(asked, drafts, out),
            Some(RunOutcome::Cancelled(_)) => self.end_with_error("the run was stopped", "cancelled", out),
            _ => {
                out.push(self.plain("RUN_FINISHED"));
                self.phase = Phase::Over;
            }
        }
    }

    fn wait(&mut self, questions: &[Interrupt], drafts: &Drafts, out: &mut Vec<Value>) {
        self.phase = Phase::Over;
        for question in questions {
            match self.proposal(question, drafts) {
                Some(proposal) => {
                    out.push(proposal);
                    self.phase = Phase::Waiting;
                }
                None => self.ask_in_words(question, out),
            }
        }
        if self.phase == Phase::Over {
            out.push(self.plain("RUN_FINISHED"));
        }
    }

    /// The frame with which a gate is shown; nothing for a question that wants words.
    fn proposal(&mut self, question: &Interrupt, drafts: &Drafts) -> Option<Value> {
        let gate = Gate::of(question)?;
        self.gates.insert(question.id.clone(), gate.clone());
        let fact = |name: &str| fact(question, name);
        let mut event = match &gate {
            Gate::Stage => {
                let mut event = self.of("RUN_STAGED");
                let mut context = fact("context").unwrap_or_else(|| json!({}));
                context["state"] = fact("state").unwrap_or_default();
                event.insert("payload".to_owned(), json!({ "message": fact("message"), "context": context }));
                event
            }
            Gate::Tool(id) => {
                let about = self.calls.about("TOOL_CALL_PROPOSED", id).unwrap_or_default();
                let mut event = self.of("TOOL_CALL_PROPOSED");
                event.extend(about);
                event.insert("toolCallId".to_owned(), json!(id));
                event.extend(fact("tool").map(|name| ("toolName".to_owned(), name)));
                event.extend(fact("arguments").map(|arguments| ("args".to_owned(), arguments)));
                // A question about a call that was made elsewhere says little of it.
                for (name, value) in [
                    ("toolName", json!(question.reason)),
                    ("label", json!(question.reason)),
                    ("args", json!({})),
                ] {
                    event.entry(name).or_insert(value);
                }
                event
            }
            Gate::Draft => {
                let draft = drafts.get(&question.id).cloned().flatten().unwrap_or_default();
                let mut event = self.of("ASSISTANT_DRAFT_PROPOSED");
                event.insert("draftText".to_owned(), draft.text.into());
                event.extend(draft.view.map(|view| ("draftA2ui".to_owned(), view)));
                event
            }
        };
        if drafts.get(&question.id).is_some_and(Option::is_none) {
            event.insert("mayDecide".to_owned(), json!(false));
            event.remove("draftText");
        }
        Some(Value::Object(event))
    }

    /// A question for words is something the assistant says.
    fn ask_in_words(&mut self, question: &Interrupt, out: &mut Vec<Value>) {
        let text = question.message.clone().filter(|text| !text.is_empty());
        let text = text.unwrap_or_else(|| question.reason.clone());
        self.say(&question.id.as_str().into(), &text, out);
    }

    fn fail(&mut self, event: &RunError, out: &mut Vec<Value>) {
        let code = event.code.as_deref().unwrap_or("agent_error");
        self.end_with_error(&event.message, code, out);
        if self.goes_on && is_no_fault(Some(code)) {
            self.phase = Phase::Lost;
        }
    }

    fn end_with_error(&mut self, message: &str, code: &str, out: &mut Vec<Value>) {
        self.flush_release(out);
        let mut error = self.of("RUN_ERROR");
        error.insert("message".to_owned(), message.into());
        error.insert("code".to_owned(), code.into());
        out.push(Value::Object(error));
        self.phase = Phase::Over;
    }

    /// A whole message: one piece of text, and a view where one stood in it.
    fn say(&mut self, id: &MessageId, said: &str, out: &mut Vec<Value>) {
        let found = extract(said);
        if !found.text.is_empty() {
            let mut chunk = self.of("TEXT_MESSAGE_CHUNK");
            chunk.insert("messageId".to_owned(), json!(id));
            chunk.insert("delta".to_owned(), found.text.as_str().into());
            out.push(Value::Object(chunk));
            if let Some(release) = &mut self.release {
                release.texts.push(found.text);
            }
        }
        if let Some(view) = found.view {
            self.show(&json!({ "view": view }), out);
        }
    }

    fn show(&mut self, value: &Value, out: &mut Vec<Value>) {
        let mut event = self.of("CUSTOM");
        event.insert("name".to_owned(), RENDER.into());
        event.insert("value".to_owned(), value.clone());
        out.push(Value::Object(event));
        if let Some(release) = &mut self.release {
            release.view = value.get("view").cloned();
        }
    }

    /// Of the application's own events, a client knows those that show a view.
    fn custom(&mut self, custom: &Custom, event: &Event, out: &mut Vec<Value>) {
        let value = custom.value.to_value().unwrap_or_default();
        match custom.name.as_str() {
            RENDER if rendered(event).is_some() => self.show(&value, out),
            "forestage.tool" => {
                let begun = value["toolCallId"].as_str().and_then(|id| self.calls.begin(&id.into()));
                out.extend(begun.map(|begun| self.signed(begun)));
            }
            "forestage.decision" => self.decided(&value, out),
            _ => {}
        }
    }

    /// What somebody decided at a gate, here or elsewhere.
    fn decided(&mut self, value: &Value, out: &mut Vec<Value>) {
        self.flush_release(out);
        let id = value["interruptId"].as_str().map(InterruptId::from);
        let Some(gate) = id.and_then(|id| self.gates.remove(&id)) else { return };
        let (approved, reason) = (value["approved"] == json!(true), value.get("reason").cloned());
        match (gate, approved) {
            (Gate::Stage, true) => {
                out.push(self.plain("RUN_STAGE_APPROVED"));
                out.push(self.plain("RUN_STARTED"));
            }
            (Gate::Stage, false) => out.push(self.with("RUN_STAGE_DENIED", "reason", reason)),
            (Gate::Tool(id), approved) => {
                let edited = value.get("editedArgs").cloned();
                let mut event = match approved {
                    true => self.with("TOOL_CALL_APPROVED", "argsOverride", edited),
                    false => self.with("TOOL_CALL_DENIED", "reason", reason),
                };
                event["toolCallId"] = json!(id);
                out.push(event);
            }
            (Gate::Draft, true) => {
                // The decision is counted as well.
                let events = value["events"].as_u64().unwrap_or(0).saturating_add(1);
                self.release = Some(Release { events, ..Release::default() });
            }
            (Gate::Draft, false) => out.push(self.with("ASSISTANT_FINAL_DENIED", "reason", reason)),
        }
    }

    /// An event of a released answer has gone by.
    fn count_released(&mut self, out: &mut Vec<Value>) {
        let Some(release) = &mut self.release else { return };
        release.events = release.events.saturating_sub(1);
        if release.events == 0 {
            self.flush_release(out);
        }
    }

    /// The answer that somebody let pass is complete.
    fn flush_release(&mut self, out: &mut Vec<Value>) {
        let Some(release) = self.release.take() else { return };
        let mut event = self.of("ASSISTANT_FINAL_APPROVED");
        event.insert("finalText".to_owned(), release.texts.join("\n\n").into());
        event.extend(release.view.map(|view| ("finalA2ui".to_owned(), view)));
        out.push(Value::Object(event));
    }
}

/// Whether somebody looks at what is sent to the agent first.
fn is_staged(input: &RunAgentInput) -> bool {
    let said = input.messages.iter().rfind(|message| matches!(message, Message::User(_)));
    said.is_some_and(|message| TurnTerms::of(message).stage)
}

fn has_failed(event: &ToolCallResult) -> bool {
    let metadata = event.base.metadata.as_ref();
    metadata.and_then(|metadata| metadata.get("forestage")?.get("failed")).is_some()
}

fn is_answer(event: &TextMessageStart) -> bool {
    matches!(event.role, None | Some(TextRole::Assistant))
}
