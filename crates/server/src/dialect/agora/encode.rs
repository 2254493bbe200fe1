//! What a client sees.

use std::sync::Arc;

use forestage_protocol::{
    event::{Event, RunError, RunFinished, RunStarted, StateDelta, StateSnapshot, StepFinished, StepStarted},
    interrupt::{Interrupt, RunOutcome},
    number::Timestamp,
};
use forestage_runtime::tool::Tools;
use serde_json::{Map, Value, json};

use super::{
    payload::{ApprovalRequest, ERROR, ErrorPayload, REQUEST, RiskLevel, custom, stamped},
    plain::{Plain, ask_in_words},
};
use crate::dialect::{
    Encode,
    calls::{Calls, Kind, as_object, fact},
};

/// Turns the events of a run, and of those that go on after approvals, into what a client of AGORA sees as one run.
#[derive(Debug)]
pub struct Encoder {
    tools: Arc<Tools>,
    thread_id: String,
    run_id: String,
    /// The agent that speaks, as far as the state does not name another.
    agent: String,
    state: Map<String, Value>,
    step: Option<String>,
    /// The end of a step that may turn out to be the work of an error.
    finished: Option<Value>,
    calls: Calls,
    plain: Plain,
    phase: Phase,
    /// Whether a run without a result says `null`.
    nulls: bool,
    /// Whether nothing follows the run that is under way.
    last: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Before,
    Running,
    /// It waits for approvals.
    Waiting,
    Over,
}

impl Encoder {
    /// For a run of this agent.
    #[must_use]
    pub fn new(agent: &str, tools: Arc<Tools>) -> Self {
        Self {
            tools,
            thread_id: String::new(),
            run_id: String::new(),
            agent: agent.to_owned(),
            state: Map::new(),
            step: None,
            finished: None,
            calls: Calls::default(),
            plain: Plain::default(),
            phase: Phase::Before,
            nulls: false,
            last: false,
        }
    }

    /// Begins with this state instead of an empty one.
    #[must_use]
    pub fn with_state(mut self, state: Value) -> Self {
        if let Value::Object(state) = state {
            self.state = state;
        }
        self
    }

    /// Says `"result": null` where a run has no result, for clients that want the member.
    #[must_use]
    pub fn with_nulls(mut self, nulls: bool) -> Self {
        self.nulls = nulls;
        self
    }

    /// Says nothing about runs after this one, whatever comes.
    pub fn end_with_this_run(&mut self) {
        self.last = true;
    }

    /// Whether the run is over, as a client sees it.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    pub(super) fn thread_id(&self) -> &str {
        &self.thread_id
    }

    /// Whether something is held back until it is known what follows.
    #[must_use]
    pub fn is_holding(&self) -> bool {
        self.finished.is_some()
    }

    fn start(&mut self, event: &RunStarted, out: &mut Vec<Value>) {
        if self.phase == Phase::Waiting {
            self.phase = Phase::Running;
            // A recording may not say with what a run began; then it is taken for the answer.
            if event.input.as_ref().is_none_or(|input| input.resume.is_some()) {
                return;
            }
            // The thread has gone on without an answer, so nothing more comes of this run.
            self.complete("completed", event.base.timestamp, None, out);
            if self.last {
                return;
            }
        }
        self.phase = Phase::Running;
        (self.thread_id, self.run_id) = (event.thread_id.to_string(), event.run_id.to_string());
        out.push(stamped(
            json!({ "type": "RUN_STARTED", "threadId": self.thread_id, "runId": self.run_id }),
            event.base.timestamp,
        ));
        out.push(self.snapshot("processing", event.base.timestamp));
    }

    fn finish_run(&mut self, event: &RunFinished, out: &mut Vec<Value>) {
        let at = event.base.timestamp;
        let (interrupts, status) = match &event.outcome {
            Some(RunOutcome::Interrupt(outcome)) => (outcome.interrupts.as_slice(), "completed"),
            Some(RunOutcome::Cancelled(_)) => (&[][..], "cancelled"),
            _ => (&[][..], "completed"),
        };
        for asked in interrupts {
            self.ask(asked, at, out);
        }
        if interrupts.iter().any(|asked| Kind::of(asked) != Kind::Words) {
            self.phase = Phase::Waiting;
            return;
        }
        let result = event.result.as_ref().and_then(|result| result.to_value().ok());
        self.complete(status, at, result, out);
    }

    /// A question: a request for approval, words of the assistant's, or the news that somebody looks at a draft.
    fn ask(&self, asked: &Interrupt, at: Option<Timestamp>, out: &mut Vec<Value>) {
        match Kind::of(asked) {
            Kind::Tool => out.push(custom(REQUEST, self.request(asked), at)),
            Kind::Words => ask_in_words(asked, at, out),
            Kind::Draft => out.push(self.snapshot("waiting_for_review", at)),
        }
    }

    fn complete(&mut self, status: &str, at: Option<Timestamp>, result: Option<Value>, out: &mut Vec<Value>) {
        if let Some(open) = self.step.take() {
            out.push(stamped(json!({ "type": "STEP_FINISHED", "stepName": open }), at));
        }
        out.push(self.snapshot(status, at));
        out.push(self.finished_run(at, result));
        self.phase = Phase::Over;
    }

    fn finished_run(&self, at: Option<Timestamp>, result: Option<Value>) -> Value {
        let mut event = json!({ "type": "RUN_FINISHED", "threadId": self.thread_id, "runId": self.run_id });
        if let Some(result) = result.or(self.nulls.then_some(Value::Null)) {
            event["result"] = result;
        }
        stamped(event, at)
    }

    /// An error ends the run, and the end is told all the same. A step that it cut off is not called finished.
    fn fail(&mut self, event: &RunError, out: &mut Vec<Value>) {
        (self.finished, self.step) = (None, None);
        let at = event.base.timestamp;
        let code = event.code.clone().unwrap_or_else(|| "processing_error".to_owned());
        out.push(match code.as_str() {
            "moderation_violation" => custom(ERROR, self.violation(&code, &event.message), at),
            _ => stamped(json!({ "type": "RUN_ERROR", "message": event.message, "code": code }), at),
        });
        out.push(self.finished_run(at, None));
        self.phase = Phase::Over;
    }

    fn violation(&self, code: &str, message: &str) -> ErrorPayload {
        let explanation = format!("the moderation of this server refused it: {message}");
        let details = [
            ("reason", code),
            ("explanation", &explanation),
            ("threadId", &self.thread_id),
            ("runId", &self.run_id),
        ];
        let details = details.map(|(name, value)| (name.to_owned(), value.into()));
        ErrorPayload {
            error_code: code.to_owned(),
            message: message.to_owned(),
            details: Map::from_iter(details),
        }
    }

    fn start_step(&mut self, event: &StepStarted, out: &mut Vec<Value>) {
        let at = event.base.timestamp;
        if let Some(open) = self.step.replace(event.step_name.clone()) {
            out.push(stamped(json!({ "type": "STEP_FINISHED", "stepName": open }), at));
        }
        out.push(stamped(json!({ "type": "STEP_STARTED", "stepName": event.step_name }), at));
    }

    /// The end of a step is held until it is known that no error follows at once.
    fn finish_step(&mut self, event: &StepFinished) {
        if self.step.as_deref() == Some(event.step_name.as_str()) {
            self.step = None;
            let finished = json!({ "type": "STEP_FINISHED", "stepName": event.step_name });
            self.finished = Some(stamped(finished, event.base.timestamp));
        }
    }

    fn set_state(&mut self, event: &StateSnapshot, out: &mut Vec<Value>) {
        self.state = match event.snapshot.to_value() {
            Ok(Value::Object(state)) => state,
            _ => Map::new(),
        };
        out.push(self.snapshot("processing", event.base.timestamp));
    }

    fn change_state(&mut self, event: &StateDelta, out: &mut Vec<Value>) {
        let before = self.current_agent();
        let mut state = Value::Object(std::mem::take(&mut self.state));
        let fits = event.delta.apply(&mut state).is_ok();
        if let Value::Object(state) = state {
            self.state = state;
        }
        // A patch that does not fit what we know is shown by what we know.
        match fits && self.current_agent() == before {
            true => self.plain.event(&event.clone().into(), out),
            false => out.push(self.snapshot("processing", event.base.timestamp)),
        }
    }

    fn current_agent(&self) -> String {
        let named = self.state.get("currentAgent").and_then(Value::as_str);
        named.unwrap_or(&self.agent).to_owned()
    }

    fn snapshot(&self, status: &str, at: Option<Timestamp>) -> Value {
        let mut snapshot = self.state.clone();
        let ours = [
            ("threadId", self.thread_id.clone()),
            ("runId", self.run_id.clone()),
            ("currentAgent", self.current_agent()),
            ("status", status.to_owned()),
        ];
        snapshot.extend(ours.map(|(name, value)| (name.to_owned(), value.into())));
        stamped(json!({ "type": "STATE_SNAPSHOT", "snapshot": snapshot }), at)
    }

    /// The request for approval that a question about a tool stands for.
    fn request(&self, asked: &Interrupt) -> ApprovalRequest {
        let (tool_name, arguments) =
            self.calls.asked(asked).unwrap_or_else(|| (asked.reason.clone(), json!({})));
        let about = self.tools.get(&tool_name).map(|tool| tool.about().description.clone());
        ApprovalRequest {
            tool_description: about.unwrap_or_default(),
            tool_name,
            parameters: as_object(arguments),
            reasoning: asked.message.clone().unwrap_or_default(),
            risk_level: fact(asked, "risk").and_then(|risk| RiskLevel::named(&risk)).unwrap_or_default(),
            approval_id: asked.id.to_string(),
        }
    }
}

impl Encode for Encoder {
    fn event(&mut self, event: &Event, out: &mut Vec<Value>) {
        if self.last && self.is_over() {
            return;
        }
        if !matches!(event, Event::RunError(_)) {
            out.extend(self.finished.take());
        }
        match event {
            Event::RunStarted(event) => self.start(event, out),
            Event::RunFinished(event) => self.finish_run(event, out),
            Event::RunError(event) => self.fail(event, out),
            Event::StepStarted(event) => self.start_step(event, out),
            Event::StepFinished(event) => self.finish_step(event),
            Event::StateSnapshot(event) => self.set_state(event, out),
            Event::StateDelta(event) => self.change_state(event, out),
            // The client has the conversation already, and what the engine records is not for it.
            Event::MessagesSnapshot(_) => {}
            Event::Custom(custom) if custom.name.starts_with("forestage.") => {}
            other => {
                self.calls.note(other);
                self.plain.event(other, out);
            }
        }
    }

    fn flush(&mut self) -> Vec<Value> {
        self.finished.take().into_iter().collect()
    }
}
