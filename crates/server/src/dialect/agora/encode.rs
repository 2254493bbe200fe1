//! What a client sees.

use std::sync::Arc;

use forestage_protocol::{
    event::{
        Custom, Event, RunError, RunFinished, RunStarted, StateDelta, StateSnapshot, ToolCallResult,
        ToolCallStart,
    },
    id::ToolCallId,
    interrupt::{Interrupt, RunOutcome},
    number::Timestamp,
};
use forestage_runtime::tool::Tools;
use serde_json::{Map, Value, json};

use super::{
    call_gate::CallGate,
    payload::{ApprovalRequest, ERROR, ErrorPayload, REQUEST, RiskLevel, custom, stamped},
    plain::{Plain, ask_in_words},
    scene::{Scene, scene},
    steps::Steps,
};
use crate::dialect::{
    Encode,
    calls::{Calls, Kind, as_object, fact},
};

/// What the engine records when a tool starts, and when somebody has decided about a call.
const TOOL_STARTED: &str = "forestage.tool";
const DECISION: &str = "forestage.decision";

/// Turns the events of a run, and of those that go on after approvals, into what a client of AGORA sees as one run.
#[derive(Debug)]
pub struct Encoder {
    tools: Arc<Tools>,
    thread_id: String,
    run_id: String,
    /// The agent that speaks, as far as the state does not name another.
    agent: String,
    state: Map<String, Value>,
    steps: Steps,
    calls: Calls,
    gate: CallGate,
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
            steps: Steps::default(),
            calls: Calls::default(),
            gate: CallGate::default(),
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

    /// Shows what comes to somebody who has not seen the run so far: it is one of its own.
    pub(super) fn forget_run(&mut self) {
        self.phase = Phase::Before;
        self.steps.forget();
        self.gate.forget_shown();
    }

    fn start(&mut self, event: &RunStarted, out: &mut Vec<Value>) {
        self.gate.begin(event);
        if self.phase == Phase::Waiting {
            self.phase = Phase::Running;
            // A recording may not say with what a run began; then it is taken for the answer.
            if event.input.as_ref().is_none_or(|input| input.resume.is_some()) {
                return self.steps.go_on();
            }
            // The thread has gone on without an answer, so nothing more comes of this run.
            self.complete("completed", event.base.timestamp, None, out);
            if self.last {
                return;
            }
        }
        self.phase = Phase::Running;
        // What goes on here began in a run that is over for the client.
        self.gate.forget_shown();
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
        let waits = interrupts.iter().any(|asked| Kind::of(asked) != Kind::Words);
        self.gate.ask(interrupts);
        if !waits && status != "cancelled" {
            let rest = self.gate.release_rest(at);
            self.show_call(&rest, out);
        }
        if interrupts.iter().any(|asked| Kind::of(asked) == Kind::Tool) {
            self.steps.wait(at, out);
        }
        for asked in interrupts {
            self.ask(asked, at, out);
        }
        if waits {
            self.phase = Phase::Waiting;
            return;
        }
        let result = event.result.as_ref().and_then(|result| result.to_value().ok());
        self.complete(status, at, result, out);
    }

    /// A question: a request for approval, words of the assistant's, or the news that somebody looks at a draft.
    fn ask(&mut self, asked: &Interrupt, at: Option<Timestamp>, out: &mut Vec<Value>) {
        match Kind::of(asked) {
            Kind::Tool => out.push(custom(REQUEST, self.request(asked), at)),
            Kind::Words => {
                self.steps.think(at, out);
                ask_in_words(asked, at, out);
            }
            Kind::Draft => {
                self.steps.settle(out);
                out.push(self.snapshot("waiting_for_review", at));
            }
        }
    }

    fn complete(&mut self, status: &str, at: Option<Timestamp>, result: Option<Value>, out: &mut Vec<Value>) {
        self.steps.end(at, out);
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
        let at = event.base.timestamp;
        let code = event.code.clone().unwrap_or_else(|| "processing_error".to_owned());
        if code == "moderation_violation" {
            self.steps.forget();
            out.push(custom(ERROR, self.violation(&code, &event.message), at));
        } else {
            self.steps.fail(at, out);
            out.push(stamped(json!({ "type": "RUN_ERROR", "message": event.message, "code": code }), at));
        }
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

    /// A call begins. Whether its client sees it may only be known later.
    fn start_call(&mut self, event: &ToolCallStart, out: &mut Vec<Value>) {
        self.steps.work(&event.tool_call_id, event.base.timestamp, out);
        if self.gate.start(event) {
            self.plain.event(&event.clone().into(), out);
        }
    }

    /// A piece or the end of the arguments of a call.
    fn go_on_with_call(&mut self, id: &ToolCallId, event: &Event, out: &mut Vec<Value>) {
        self.steps.settle(out);
        if self.gate.go_on(id, event) {
            self.plain.event(event, out);
        }
    }

    fn answer_call(&mut self, event: &ToolCallResult, out: &mut Vec<Value>) {
        let (id, at) = (&event.tool_call_id, event.base.timestamp);
        self.steps.work(id, at, out);
        if let Some(call) = self.gate.answer(id, at) {
            self.show_call(&call, out);
            self.plain.event(&event.clone().into(), out);
        }
        self.steps.have_worked(id, at, out);
    }

    fn show_call(&mut self, events: &[Event], out: &mut Vec<Value>) {
        events.iter().for_each(|event| self.plain.event(event, out));
    }

    /// What the engine records is not for clients, but says what becomes of calls.
    fn take_record(&mut self, event: &Custom, out: &mut Vec<Value>) {
        let value = event.value.to_value().unwrap_or_default();
        match (event.name.as_str(), value["toolCallId"].as_str()) {
            (TOOL_STARTED, Some(id)) => {
                let call = self.gate.release(&id.into(), event.base.timestamp);
                self.show_call(&call, out);
            }
            (DECISION, Some(_)) => self.gate.decide(&value),
            _ => {}
        }
    }

    /// An event that is the same in AG-UI, in its step.
    fn say(&mut self, event: &Event, out: &mut Vec<Value>) {
        match scene(event) {
            Scene::Speech(at) => self.steps.think(at, out),
            Scene::Any(at) => self.steps.take_part(at, out),
            Scene::None => self.steps.settle(out),
        }
        self.plain.event(event, out);
    }

    fn set_state(&mut self, event: &StateSnapshot, out: &mut Vec<Value>) {
        self.state = match event.snapshot.to_value() {
            Ok(Value::Object(state)) => state,
            _ => Map::new(),
        };
        self.steps.settle(out);
        out.push(self.snapshot("processing", event.base.timestamp));
    }

    fn change_state(&mut self, event: &StateDelta, out: &mut Vec<Value>) {
        let before = self.current_agent();
        let mut state = Value::Object(std::mem::take(&mut self.state));
        let fits = event.delta.apply(&mut state).is_ok();
        if let Value::Object(state) = state {
            self.state = state;
        }
        self.steps.settle(out);
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
        self.calls.note(event);
        match event {
            Event::RunStarted(event) => self.start(event, out),
            Event::RunFinished(event) => self.finish_run(event, out),
            Event::RunError(event) => self.fail(event, out),
            Event::StepStarted(event) => self.steps.start(event, out),
            Event::StepFinished(event) => self.steps.finish(event),
            Event::StateSnapshot(event) => self.set_state(event, out),
            Event::StateDelta(event) => self.change_state(event, out),
            Event::ToolCallStart(event) => self.start_call(event, out),
            Event::ToolCallArgs(args) => self.go_on_with_call(&args.tool_call_id, event, out),
            Event::ToolCallEnd(end) => self.go_on_with_call(&end.tool_call_id, event, out),
            Event::ToolCallResult(event) => self.answer_call(event, out),
            // The client has the conversation already.
            Event::MessagesSnapshot(_) => {}
            Event::Custom(event) if event.name.starts_with("forestage.") => self.take_record(event, out),
            Event::SubagentStarted(started) => {
                if let Some(call) = &started.parent_tool_call_id {
                    let call = self.gate.release(call, started.base.timestamp);
                    self.show_call(&call, out);
                }
                self.say(event, out);
            }
            other => self.say(other, out),
        }
    }

    fn flush(&mut self) -> Vec<Value> {
        let mut out = Vec::new();
        self.steps.settle(&mut out);
        out
    }
}
