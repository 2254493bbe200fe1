//! Streams of events from a bytecode.
//!
//! Two or three bytes say which event and fill it, from alphabets so small that legal and illegal orders,
//! repeated ids and ids of two kinds all occur. Messages and tool calls share their ids on purpose.

use arbitrary::{Arbitrary, Result, Unstructured};
use forestage_protocol::{
    event::{self, EncryptedValueSubtype, Event, ReasoningRole, TextRole, ToolRole},
    id::SubagentRunId,
    input::RunAgentInput,
    interrupt::{
        CancelledOutcome, Interrupt, InterruptOutcome, OneOrMore, RunOutcome, SubagentSuspended,
        SuccessOutcome,
    },
    json::{Json, Object},
    message::{
        ActivityMessage, AssistantMessage, DeveloperMessage, Message, ReasoningMessage, SystemMessage,
        ToolMessage, UserMessage,
    },
    patch::Patch,
    tool::{FunctionCall, ToolCall, ToolCallType},
};
use serde_json::{Map, Value, json};

const MAX_EVENTS: usize = 64;
const IDS: [&str; 3] = ["a", "b", "c"];
const NAMES: [&str; 2] = ["f", "g"];
const TEXTS: [&str; 4] = ["", "x", "yz", "{"];
const STATES: [&str; 8] =
    ["{}", r#"{"n":1}"#, r#"{"n":1,"l":[1]}"#, r#"{"l":[1.5],"n":1}"#, "null", "[]", "1e999", r#"{"n":{}}"#];
const PATCHES: [&str; 8] = [
    r#"[{"op":"add","path":"/n","value":2}]"#,
    r#"[{"op":"remove","path":"/n"}]"#,
    r#"[{"op":"add","path":"/l/-","value":3}]"#,
    r#"[{"op":"replace","path":"","value":{"l":[]}}]"#,
    r#"[{"op":"remove","path":"/n"},{"op":"test","path":"/l","value":0}]"#,
    r#"[{"op":"replace","path":"","value":null}]"#,
    r#"[{"op":"move","from":"/n","path":"/l"}]"#,
    "[]",
];

/// A stream, and where to cut it.
#[derive(Debug)]
pub struct Program {
    /// The stream.
    pub events: Vec<Event>,
    /// How many events come before the cut.
    pub cut: usize,
}

impl<'a> Arbitrary<'a> for Program {
    fn arbitrary(bytes: &mut Unstructured<'a>) -> Result<Self> {
        let mut code = Code { bytes, pool: 0, range: 1 };
        let head = code.below(256);
        let mut events = Vec::new();
        // Nearly every other stream would be refused at its first event.
        if head % 8 != 7 {
            events.push(event::RunStarted::new("t", "r").into());
        }
        while !code.bytes.is_empty() && events.len() < MAX_EVENTS {
            events.push(code.event());
        }
        let cut = head / 8 % (events.len() + 1);
        Ok(Self { events, cut })
    }
}

/// The bytecode, taken digit by digit; zeros follow its end.
struct Code<'a, 'b> {
    bytes: &'b mut Unstructured<'a>,
    pool: usize,
    range: usize,
}

impl Code<'_, '_> {
    /// The next digit of a number that has digits of several bases, so that few bytes say much.
    fn below(&mut self, base: usize) -> usize {
        if self.range < base {
            let byte = u8::arbitrary(self.bytes).unwrap_or_default();
            self.pool = self.pool * 256 + usize::from(byte);
            self.range *= 256;
        }
        let digit = self.pool % base;
        self.pool /= base;
        self.range /= base;
        digit
    }

    /// Begins with the next byte, so that a change of one event leaves the next as it is.
    fn align(&mut self) {
        (self.pool, self.range) = (0, 1);
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == one_in - 1
    }

    fn one<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance(4).then(|| make(self))
    }

    fn id(&mut self) -> &'static str {
        self.one(&IDS)
    }

    fn text(&mut self) -> &'static str {
        self.one(&TEXTS)
    }

    fn owner(&mut self) -> Option<SubagentRunId> {
        let tag = self.one(&[None, None, None, Some("s"), Some("u")]);
        tag.map(SubagentRunId::from)
    }

    fn role(&mut self) -> TextRole {
        self.one(&[TextRole::Assistant, TextRole::User, TextRole::System, TextRole::Developer])
    }

    fn state(&mut self) -> Json {
        Json::parse(self.one(&STATES)).expect("JSON")
    }

    fn object(&mut self) -> Object {
        let text = self.one(&[STATES[0], STATES[1], STATES[2], STATES[3]]);
        serde_json::from_str::<Map<String, Value>>(text).expect("an object").into()
    }

    fn patch(&mut self) -> Patch {
        serde_json::from_str(self.one(&PATCHES)).expect("a patch")
    }

    fn event(&mut self) -> Event {
        self.align();
        let mut event = self.bare_event();
        let base = self.below(16);
        if base & 1 != 0 {
            event.base_mut().metadata = Some(self.object());
        }
        if base == 6 {
            event.base_mut().raw_event = Some(Json::from(json!({"raw": self.text()})));
        }
        event
    }

    fn bare_event(&mut self) -> Event {
        match self.below(34) {
            0 => event::TextMessageStart {
                role: self.maybe(Self::role),
                name: self.maybe(|code| code.one(&NAMES).to_owned()),
                subagent_run_id: self.owner(),
                ..event::TextMessageStart::new(self.id())
            }
            .into(),
            1 | 31 => event::TextMessageContent {
                subagent_run_id: self.owner(),
                ..event::TextMessageContent::new(self.id(), self.text())
            }
            .into(),
            2 => event::TextMessageEnd {
                subagent_run_id: self.owner(),
                ..event::TextMessageEnd::new(self.id())
            }
            .into(),
            3 => event::ToolCallStart {
                parent_message_id: self.maybe(|code| code.id().into()),
                subagent_run_id: self.owner(),
                ..event::ToolCallStart::new(self.id(), self.one(&NAMES))
            }
            .into(),
            4 | 32 => event::ToolCallArgs {
                subagent_run_id: self.owner(),
                ..event::ToolCallArgs::new(self.id(), self.text())
            }
            .into(),
            5 => event::ToolCallEnd { subagent_run_id: self.owner(), ..event::ToolCallEnd::new(self.id()) }
                .into(),
            6 => event::ToolCallResult {
                role: self.maybe(|_| ToolRole::Tool),
                subagent_run_id: self.owner(),
                ..event::ToolCallResult::new(self.id(), self.id(), self.text())
            }
            .into(),
            7 => event::StateSnapshot {
                subagent_run_id: self.owner(),
                ..event::StateSnapshot::new(self.state())
            }
            .into(),
            8 => event::StateDelta { subagent_run_id: self.owner(), ..event::StateDelta::new(self.patch()) }
                .into(),
            9 => self.messages_snapshot(),
            10 => event::Raw { subagent_run_id: self.owner(), ..event::Raw::new(self.state()) }.into(),
            11 => event::Custom { subagent_run_id: self.owner(), ..event::Custom::new("n", self.state()) }
                .into(),
            12 => self.run_started(),
            13 => self.run_finished(),
            14 => event::RunError::new(self.text()).into(),
            15 => event::StepStarted {
                subagent_run_id: self.owner(),
                ..event::StepStarted::new(self.one(&NAMES))
            }
            .into(),
            16 => event::StepFinished {
                subagent_run_id: self.owner(),
                ..event::StepFinished::new(self.one(&NAMES))
            }
            .into(),
            17 => event::TextMessageChunk {
                message_id: self.maybe(|code| code.id().into()),
                role: self.maybe(Self::role),
                delta: self.maybe(|code| code.text().to_owned()),
                name: self.maybe(|code| code.one(&NAMES).to_owned()),
                subagent_run_id: self.owner(),
                ..event::TextMessageChunk::new()
            }
            .into(),
            18 => event::ToolCallChunk {
                tool_call_id: self.maybe(|code| code.id().into()),
                tool_call_name: self.maybe(|code| code.one(&NAMES).to_owned()),
                parent_message_id: self.maybe(|code| code.id().into()),
                delta: self.maybe(|code| code.text().to_owned()),
                subagent_run_id: self.owner(),
                ..event::ToolCallChunk::new()
            }
            .into(),
            19 => self.subagent_started(),
            20 => self.subagent_finished(),
            21 => event::SubagentError::new(self.one(&["s", "u"]), self.text()).into(),
            22 | 33 => event::ActivitySnapshot {
                replace: self.maybe(|code| code.chance(2)),
                subagent_run_id: self.owner(),
                ..event::ActivitySnapshot::new(self.id(), self.one(&NAMES), self.object())
            }
            .into(),
            23 => event::ActivityDelta {
                subagent_run_id: self.owner(),
                ..event::ActivityDelta::new(self.id(), self.one(&NAMES), self.patch())
            }
            .into(),
            24 => event::ReasoningStart {
                subagent_run_id: self.owner(),
                ..event::ReasoningStart::new(self.id())
            }
            .into(),
            25 => event::ReasoningMessageStart {
                subagent_run_id: self.owner(),
                ..event::ReasoningMessageStart::new(self.id(), ReasoningRole::Reasoning)
            }
            .into(),
            26 => event::ReasoningMessageContent {
                subagent_run_id: self.owner(),
                ..event::ReasoningMessageContent::new(self.id(), self.text())
            }
            .into(),
            27 => event::ReasoningMessageEnd {
                subagent_run_id: self.owner(),
                ..event::ReasoningMessageEnd::new(self.id())
            }
            .into(),
            28 => event::ReasoningMessageChunk {
                message_id: self.maybe(|code| code.id().into()),
                delta: self.maybe(|code| code.text().to_owned()),
                subagent_run_id: self.owner(),
                ..event::ReasoningMessageChunk::new()
            }
            .into(),
            29 => {
                event::ReasoningEnd { subagent_run_id: self.owner(), ..event::ReasoningEnd::new(self.id()) }
                    .into()
            }
            _ => event::ReasoningEncryptedValue {
                encrypted_value_type: self.maybe(|code| code.text().to_owned()),
                subagent_run_id: self.owner(),
                ..event::ReasoningEncryptedValue::new(
                    self.one(&[EncryptedValueSubtype::Message, EncryptedValueSubtype::ToolCall]),
                    self.id(),
                    self.text(),
                )
            }
            .into(),
        }
    }

    fn messages_snapshot(&mut self) -> Event {
        let mut event = event::MessagesSnapshot::new(self.messages());
        let scope = self.below(8);
        if scope > 4 {
            let types = [json!(["f"]), Value::Null, json!(0)][scope - 5].clone();
            let metadata = json!({"@ag-ui/client": {"authoritativeActivityTypes": types}});
            event.base.metadata = metadata.as_object().cloned().map(Object::from);
        }
        event.into()
    }

    fn run_started(&mut self) -> Event {
        let (thread, run) = self.thread_and_run();
        let mut event = event::RunStarted::new(thread, run);
        if self.chance(2) {
            event.input = Some(Box::new(RunAgentInput::new(thread, run, self.messages())));
        }
        event.into()
    }

    fn run_finished(&mut self) -> Event {
        let (thread, run) = self.thread_and_run();
        let outcome: Option<RunOutcome> = match self.below(6) {
            0 => Some(SuccessOutcome { pending_tool_call_ids: Some(vec![self.id().into()]) }.into()),
            1 => Some(SuccessOutcome { pending_tool_call_ids: Some(Vec::new()) }.into()),
            2 => Some(CancelledOutcome::new().into()),
            3 => {
                let interrupts = vec![Interrupt::new(self.id(), "why"), Interrupt::new(self.id(), "why")];
                Some(InterruptOutcome { interrupts: OneOrMore::new(interrupts).expect("two") }.into())
            }
            _ => None,
        };
        event::RunFinished {
            outcome,
            result: self.maybe(|code| Json::from(json!(code.text()))),
            ..event::RunFinished::new(thread, run)
        }
        .into()
    }

    fn thread_and_run(&mut self) -> (&'static str, &'static str) {
        match self.below(8) {
            6 => ("t", "q"),
            7 => ("v", "r"),
            _ => ("t", "r"),
        }
    }

    fn subagent_started(&mut self) -> Event {
        event::SubagentStarted {
            parent_subagent_run_id: self.maybe(|code| code.one(&["s", "u"]).into()),
            parent_tool_call_id: self.maybe(|code| code.id().into()),
            parent_message_id: self.maybe(|code| code.id().into()),
            ..event::SubagentStarted::new(self.one(&["s", "u"]), "name")
        }
        .into()
    }

    fn subagent_finished(&mut self) -> Event {
        let interrupt_ids = self.maybe(|code| vec![code.id().into()]);
        event::SubagentFinished {
            outcome: self.maybe(|_| SubagentSuspended { interrupt_ids }.into()),
            ..event::SubagentFinished::new(self.one(&["s", "u"]))
        }
        .into()
    }

    fn messages(&mut self) -> Vec<Message> {
        (0..self.below(5)).map(|_| self.message()).collect()
    }

    fn message(&mut self) -> Message {
        let (id, text, owner) = (self.id(), self.text(), self.owner());
        match self.below(8) {
            0 => DeveloperMessage { subagent_run_id: owner, ..DeveloperMessage::new(id, text) }.into(),
            1 => SystemMessage { subagent_run_id: owner, ..SystemMessage::new(id, text) }.into(),
            2 => UserMessage { subagent_run_id: owner, ..UserMessage::new(id, text) }.into(),
            3 => UserMessage::new(id, Vec::new()).into(),
            4 => ToolMessage { subagent_run_id: owner, ..ToolMessage::new(id, text, self.id()) }.into(),
            5 => ActivityMessage {
                subagent_run_id: owner,
                ..ActivityMessage::new(id, self.one(&NAMES), self.object())
            }
            .into(),
            6 => ReasoningMessage { subagent_run_id: owner, ..ReasoningMessage::new(id, text) }.into(),
            _ => AssistantMessage {
                content: self.maybe(|code| code.text().to_owned()),
                tool_calls: self.maybe(Self::tool_calls),
                subagent_run_id: owner,
                ..AssistantMessage::new(id)
            }
            .into(),
        }
    }

    fn tool_calls(&mut self) -> Vec<ToolCall> {
        let call = |code: &mut Self| {
            let function = FunctionCall::new(code.one(&NAMES), code.text());
            ToolCall::new(code.id(), ToolCallType::Function, function)
        };
        (0..self.below(3)).map(|_| call(self)).collect()
    }
}
