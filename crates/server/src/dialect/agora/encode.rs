//! What a client sees.

use std::sync::Arc;

use forestage_protocol::{
    event::{Event, RunError, RunFinished, RunStarted, StateDelta, StateSnapshot, StepFinished, StepStarted},
    interrupt::{Interrupt, RunOutcome},
    number::Timestamp,
};
use forestage_runtime::tool::Tools;
use serde_json::{Map, Value, json};

use crate::dialect::{
    calls::{Calls, fact},
    shape::strip,
};

/// Members of events that AGORA does not know.
const NOT_THEIRS: [&str; 5] = ["metadata", "subagentRunId", "protocolVersion", "input", "usage"];

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
    phase: Phase,
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
            phase: Phase::Before,
        }
    }

    /// Whether the run is over, as a client sees it.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.phase == Phase::Over
    }

    /// Whether it waits for approvals.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.phase == Phase::Waiting
    }

    /// Encodes events that came together.
    pub fn encode(&mut self, events: &[Event]) -> Vec<Value> {
        let mut out = Vec::new();
        for event in events {
            self.event(event, &mut out);
        }
        out.extend(self.finished.take());
        out
    }

    fn event(&mut self, event: &Event, out: &mut Vec<Value>) {
        if !matches!(event, Event::RunError(_)) {
            out.extend(self.finished.take());
        }
        match event {
            Event::RunStarted(event) => self.start(event, out),
            Event::RunFinished(event) => self.finish(event, out),
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
                out.push(plain(other));
            }
        }
    }

    fn start(&mut self, event: &RunStarted, out: &mut Vec<Value>) {
        if self.phase == Phase::Waiting {
            self.phase = Phase::Running;
            let answered = event.input.as_ref().is_some_and(|input| input.resume.is_some());
            if !answered {
                // The thread has gone on without an answer, so nothing more comes of this run.
                self.complete(event.base.timestamp, None, out);
            }
            return;
        }
        self.phase = Phase::Running;
        (self.thread_id, self.run_id) = (event.thread_id.to_string(), event.run_id.to_string());
        out.push(stamped(
            json!({ "type": "RUN_STARTED", "threadId": self.thread_id, "runId": self.run_id }),
            event.base.timestamp,
        ));
        out.push(self.snapshot("processing", event.base.timestamp));
    }

    fn finish(&mut self, event: &RunFinished, out: &mut Vec<Value>) {
        let interrupts = match &event.outcome {
            Some(RunOutcome::Interrupt(outcome)) => outcome.interrupts.as_slice(),
            _ => &[],
        };
        let requests: Vec<_> = interrupts.iter().filter_map(|asked| self.request(asked)).collect();
        if !requests.is_empty() {
            self.phase = Phase::Waiting;
            let at = event.base.timestamp;
            out.extend(requests.into_iter().map(|value| {
                stamped(
                    json!({ "type": "CUSTOM", "name": "agora:tool_approval_request", "value": value }),
                    at,
                )
            }));
            return;
        }
        interrupts.iter().for_each(|asked| ask_in_words(asked, event.base.timestamp, out));
        self.complete(
            event.base.timestamp,
            event.result.as_ref().and_then(|result| result.to_value().ok()),
            out,
        );
    }

    fn complete(&mut self, at: Option<Timestamp>, result: Option<Value>, out: &mut Vec<Value>) {
        out.push(self.snapshot("completed", at));
        out.push(self.finished_run(at, result));
        self.phase = Phase::Over;
    }

    fn finished_run(&self, at: Option<Timestamp>, result: Option<Value>) -> Value {
        let mut event = json!({ "type": "RUN_FINISHED", "threadId": self.thread_id, "runId": self.run_id });
        if let Some(result) = result {
            event["result"] = result;
        }
        stamped(event, at)
    }

    /// An error ends the run, and the end is told all the same. A step that it cut off is not called finished.
    fn fail(&mut self, event: &RunError, out: &mut Vec<Value>) {
        self.finished = None;
        let at = event.base.timestamp;
        let code = event.code.clone().unwrap_or_else(|| "processing_error".to_owned());
        out.push(match code.as_str() {
            "moderation_violation" => {
                stamped(error(&code, &event.message, &json!({ "runId": self.run_id })), at)
            }
            _ => stamped(json!({ "type": "RUN_ERROR", "message": event.message, "code": code }), at),
        });
        out.push(self.finished_run(at, None));
        self.phase = Phase::Over;
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
        let _ = event.delta.apply(&mut state);
        if let Value::Object(state) = state {
            self.state = state;
        }
        match self.current_agent() == before {
            true => out.push(plain(&event.clone().into())),
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

    /// The request for approval that a question stands for; nothing if it is about no tool.
    pub(super) fn request(&self, asked: &Interrupt) -> Option<Value> {
        let (name, arguments) = self.calls.asked(asked)?;
        let about = self.tools.get(&name).map(|tool| tool.about().description.clone());
        let risk = fact(asked, "risk").and_then(|risk| risk.as_str().map(str::to_owned));
        let risk = risk.filter(|risk| ["low", "medium", "high", "critical"].contains(&risk.as_str()));
        Some(json!({
            "toolName": name,
            "toolDescription": about.unwrap_or_default(),
            "parameters": arguments,
            "reasoning": asked.message.clone().unwrap_or_default(),
            "riskLevel": risk.unwrap_or_else(|| "medium".to_owned()),
            "approvalId": asked.id,
        }))
    }
}

/// An error of the protocol's.
pub(super) fn error(code: &str, message: &str, details: &Value) -> Value {
    let value = json!({ "errorCode": code, "message": message, "details": details });
    json!({ "type": "CUSTOM", "name": "agora:error", "value": value })
}

/// A question for words is something the assistant says.
fn ask_in_words(asked: &Interrupt, at: Option<Timestamp>, out: &mut Vec<Value>) {
    let text = asked.message.clone().filter(|text| !text.is_empty()).unwrap_or_else(|| asked.reason.clone());
    for event in [
        json!({ "type": "TEXT_MESSAGE_START", "messageId": asked.id, "role": "assistant" }),
        json!({ "type": "TEXT_MESSAGE_CONTENT", "messageId": asked.id, "delta": text }),
        json!({ "type": "TEXT_MESSAGE_END", "messageId": asked.id }),
    ] {
        out.push(stamped(event, at));
    }
}

/// An event as AG-UI has it, without what AGORA does not know.
fn plain(event: &Event) -> Value {
    let mut value = serde_json::to_value(event).unwrap_or_default();
    strip(&mut value, &NOT_THEIRS);
    match event {
        Event::TextMessageStart(start) if start.role.is_none() => value["role"] = "assistant".into(),
        Event::ToolCallResult(result) => {
            value["role"] = "tool".into();
            value["content"] = result.content.text().into_owned().into();
        }
        _ => {}
    }
    value
}

fn stamped(mut event: Value, at: Option<Timestamp>) -> Value {
    if let Some(at) = at {
        event["timestamp"] = json!(at);
    }
    event
}
