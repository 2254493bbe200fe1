//! Streams for property tests: a small program of numbers is interpreted by a producer that keeps to the rules.

use forestage_protocol::event::*;
use forestage_protocol::interrupt::{CancelledOutcome, Interrupt, InterruptOutcome, SuccessOutcome};
use forestage_protocol::json::{Json, Object};
use forestage_protocol::message::{AssistantMessage, Message, ReasoningMessage, UserMessage};
use forestage_protocol::patch::{Operation, Patch, Pointer};
use forestage_protocol::{input::RunAgentInput, number::Timestamp};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A legal stream, or the beginning of one.
pub(crate) fn stream() -> impl Strategy<Value = Vec<Event>> {
    prop::collection::vec(any::<u32>(), 0..120).prop_map(|program| {
        let mut producer = Producer::default();
        program.into_iter().for_each(|step| producer.step(Dice(step)));
        producer.events
    })
}

/// The random number of one step, used up piece by piece.
struct Dice(u32);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        let result = self.0 % sides;
        self.0 /= sides;
        result
    }
}

#[derive(Default)]
struct Producer {
    events: Vec<Event>,
    running: bool,
    runs: u32,
    texts: Vec<(String, Option<String>)>,
    calls: Vec<(String, Option<String>)>,
    thoughts: Vec<(String, Option<String>)>,
    steps: u32,
}

impl Producer {
    fn push(&mut self, event: impl Into<Event>, dice: &mut Dice) {
        let mut event = event.into();
        match dice.roll(12) {
            0 => event.base_mut().metadata = object(json!({"k": dice.roll(3), "n": null})).into(),
            1 => event.base_mut().raw_event = Some(json!({"provider": dice.roll(3)}).into()),
            2 => event.base_mut().timestamp = Timestamp::new(i64::from(dice.roll(9))),
            _ => {}
        }
        self.events.push(event);
    }

    fn step(&mut self, mut dice: Dice) {
        if !self.running {
            return self.start(&mut dice);
        }
        let kind = dice.roll(24);
        match kind {
            0..=1 => self.open_text(&mut dice),
            2..=6 => self.say(&mut dice),
            7 => self.close_text(&mut dice),
            8 => self.open_call(&mut dice),
            9..=10 => self.argue(&mut dice),
            11 => self.close_call(&mut dice),
            12 => self.answer(&mut dice),
            13 => self.snapshot_state(&mut dice),
            14..=15 => self.patch_state(&mut dice),
            16 => self.set_activity(&mut dice),
            17 => self.patch_activity(&mut dice),
            18 => self.think(&mut dice),
            19 => self.chunk(&mut dice),
            20 => self.restate(&mut dice),
            21 => self.seal(&mut dice),
            22 => self.aside(&mut dice),
            _ => self.end(&mut dice),
        }
    }

    fn start(&mut self, dice: &mut Dice) {
        self.running = true;
        self.runs += 1;
        let mut event = RunStarted::new("t", format!("r{}", self.runs));
        if dice.roll(3) == 0 {
            let messages: Vec<Message> = vec![
                UserMessage::new("u1", "hello").into(),
                AssistantMessage { content: Some("old".into()), ..AssistantMessage::new(id("m", dice, 3)) }
                    .into(),
            ];
            event.input = Some(Box::new(RunAgentInput::new("t", "r", messages)));
        }
        self.push(event, dice);
    }

    fn open_text(&mut self, dice: &mut Dice) {
        let (name, tag) = (id("m", dice, 4), None);
        if self.texts.iter().all(|(open, _)| *open != name) {
            let role = [None, Some(TextRole::User), Some(TextRole::Assistant)][dice.roll(3) as usize];
            self.push(TextMessageStart { role, ..TextMessageStart::new(name.as_str()) }, dice);
            self.texts.push((name, tag));
        }
    }

    fn say(&mut self, dice: &mut Dice) {
        if let Some((name, _)) = pick(&self.texts, dice) {
            self.push(TextMessageContent::new(name, word(dice)), dice);
        }
    }

    fn close_text(&mut self, dice: &mut Dice) {
        if let Some((name, _)) = pick(&self.texts, dice) {
            self.texts.retain(|(open, _)| *open != name);
            self.push(TextMessageEnd::new(name), dice);
        }
    }

    fn open_call(&mut self, dice: &mut Dice) {
        let name = id("c", dice, 4);
        if self.calls.iter().all(|(open, _)| *open != name) {
            let mut event = ToolCallStart::new(name.as_str(), ["search", "pay"][dice.roll(2) as usize]);
            if dice.roll(2) == 0 {
                event.parent_message_id = Some(id("m", dice, 5).into());
            }
            self.push(event, dice);
            self.calls.push((name, None));
        }
    }

    fn argue(&mut self, dice: &mut Dice) {
        if let Some((name, _)) = pick(&self.calls, dice) {
            self.push(ToolCallArgs::new(name, word(dice)), dice);
        }
    }

    fn close_call(&mut self, dice: &mut Dice) {
        if let Some((name, _)) = pick(&self.calls, dice) {
            self.calls.retain(|(open, _)| *open != name);
            self.push(ToolCallEnd::new(name), dice);
        }
    }

    fn answer(&mut self, dice: &mut Dice) {
        let (message, call) = (message_id("a", dice, 4), id("c", dice, 4));
        self.push(ToolCallResult::new(message, call, word(dice)), dice);
    }

    fn snapshot_state(&mut self, dice: &mut Dice) {
        let state = [json!({"n": 1, "list": [1]}), json!(null), json!({"n": {"deep": true}})];
        let mut event = StateSnapshot::new(&state[dice.roll(3) as usize]);
        event.subagent_run_id = tag(dice);
        self.push(event, dice);
    }

    fn patch_state(&mut self, dice: &mut Dice) {
        let mut event = StateDelta::new(patch(dice));
        event.subagent_run_id = tag(dice);
        self.push(event, dice);
    }

    fn set_activity(&mut self, dice: &mut Dice) {
        let content = object(json!({"n": dice.roll(4), "list": []}));
        let mut event =
            ActivitySnapshot::new(message_id("x", dice, 3), ["plan", "web"][dice.roll(2) as usize], content);
        event.replace = [None, Some(true), Some(false)][dice.roll(3) as usize];
        self.push(event, dice);
    }

    fn patch_activity(&mut self, dice: &mut Dice) {
        let event =
            ActivityDelta::new(message_id("x", dice, 4), ["plan", "map"][dice.roll(2) as usize], patch(dice));
        self.push(event, dice);
    }

    fn think(&mut self, dice: &mut Dice) {
        match pick(&self.thoughts, dice) {
            Some((name, _)) if dice.roll(3) == 0 => {
                self.thoughts.clear();
                self.push(ReasoningMessageEnd::new(name), dice);
            }
            Some((name, _)) => self.push(ReasoningMessageContent::new(name, word(dice)), dice),
            None => {
                let name = message_id("r", dice, 3);
                self.push(ReasoningMessageStart::new(name.as_str(), ReasoningRole::Reasoning), dice);
                self.thoughts.push((name, None));
            }
        }
    }

    fn chunk(&mut self, dice: &mut Dice) {
        let message_id = Some(id("k", dice, 2).into());
        let mut event = TextMessageChunk { message_id, delta: Some(word(dice)), ..TextMessageChunk::new() };
        event.subagent_run_id = None;
        self.push(event, dice);
    }

    fn restate(&mut self, dice: &mut Dice) {
        let mut messages: Vec<Message> = vec![UserMessage::new("u1", "restated").into()];
        for open in &self.texts {
            messages.push(
                AssistantMessage { content: Some("re".into()), ..AssistantMessage::new(open.0.as_str()) }
                    .into(),
            );
        }
        if dice.roll(2) == 0 {
            messages.push(ReasoningMessage::new("r1", "restated").into());
        }
        self.push(MessagesSnapshot::new(messages), dice);
    }

    fn seal(&mut self, dice: &mut Dice) {
        let (subtype, entity) = match dice.roll(2) {
            0 => (EncryptedValueSubtype::Message, id("m", dice, 4)),
            _ => (EncryptedValueSubtype::ToolCall, id("c", dice, 4)),
        };
        self.push(ReasoningEncryptedValue::new(subtype, entity, word(dice)), dice);
    }

    fn aside(&mut self, dice: &mut Dice) {
        match dice.roll(4) {
            0 => self.push(Raw::new(json!({"n": 1})), dice),
            1 => self.push(Custom::new("app.note", Json::null()), dice),
            2 => {
                self.steps += 1;
                let name = format!("step{}", self.steps);
                self.push(StepStarted::new(name.as_str()), dice);
                self.push(StepFinished::new(name), dice);
            }
            _ => {
                self.steps += 1;
                let name = format!("s{}-{}", self.runs, self.steps);
                self.push(SubagentStarted::new(name.as_str(), "helper"), dice);
                self.push(SubagentFinished::new(name), dice);
            }
        }
    }

    /// One run in eight or so ends; half of them by an error that leaves things open.
    fn end(&mut self, dice: &mut Dice) {
        if dice.roll(2) == 0 {
            self.running = false;
            self.texts.clear();
            self.calls.clear();
            self.thoughts.clear();
            return self.push(RunError::new("broken"), dice);
        }
        for (name, _) in std::mem::take(&mut self.texts) {
            self.push(TextMessageEnd::new(name), dice);
        }
        for (name, _) in std::mem::take(&mut self.calls) {
            self.push(ToolCallEnd::new(name), dice);
        }
        for (name, _) in std::mem::take(&mut self.thoughts) {
            self.push(ReasoningMessageEnd::new(name), dice);
        }
        self.running = false;
        let mut event = RunFinished::new("t", format!("r{}", self.runs));
        event.outcome = match dice.roll(4) {
            0 => Some(InterruptOutcome::new(Interrupt::new("i1", "approval")).into()),
            1 => Some(CancelledOutcome::new().into()),
            2 => Some(SuccessOutcome::new().into()),
            _ => None,
        };
        self.push(event, dice);
    }
}

fn pick(open: &[(String, Option<String>)], dice: &mut Dice) -> Option<(String, Option<String>)> {
    (!open.is_empty()).then(|| open[dice.roll(open.len() as u32) as usize].clone())
}

/// Mostly ids of their own kind; now and then one that kinds of messages share.
fn message_id(prefix: &str, dice: &mut Dice, count: u32) -> String {
    if dice.roll(8) == 0 { "m1".to_owned() } else { id(prefix, dice, count) }
}

fn id(prefix: &str, dice: &mut Dice, count: u32) -> String {
    format!("{prefix}{}", dice.roll(count))
}

fn word(dice: &mut Dice) -> String {
    ["", "ab ", "ü", "👩‍🚀", "{\"q\":"][dice.roll(5) as usize].to_owned()
}

fn tag(dice: &mut Dice) -> Option<forestage_protocol::id::SubagentRunId> {
    (dice.roll(5) == 0).then(|| "s1".into())
}

fn object(value: Value) -> Object {
    value.as_object().cloned().unwrap_or_default().into()
}

fn patch(dice: &mut Dice) -> Patch {
    let at = |path: &str| Pointer::parse(path).expect("a pointer");
    Patch(vec![match dice.roll(6) {
        0 => Operation::add(at("/list/-"), 7),
        1 => Operation::replace(at("/n"), 2),
        2 => Operation::remove(at("/n")),
        3 => Operation::replace(at("/absent/deeper"), 0),
        4 => Operation::add(at("/extra"), "x"),
        _ => Operation::replace(at(""), json!({"n": 9, "list": [3]})),
    }])
}
