//! The stream that every contender reads: a long chat, the same on every machine.
//!
//! A turn is one run of [`TURN`] events: three messages in deltas of about 12 bytes (70 % of all events), three
//! tool calls with arguments and results, a state of 0.9 kB and its changes, a few `CUSTOM` and `RAW` events.
//! Half of the events carry a timestamp, one in twenty metadata. The mean is about 150 bytes of JSON, and the
//! stream is legal, so that verifiers can be measured with it too.

mod payload;
mod random;

use serde_json::{Map, Value, json};

use self::random::Random;

/// How many events a turn has.
pub(crate) const TURN: usize = 200;

const MESSAGES: usize = 3;
const CALLS: usize = 3;
const TEXT_DELTAS: [usize; MESSAGES] = [70, 40, 30];
const ARGUMENT_DELTAS: usize = 8;
const STATE_DELTAS: usize = 2;

/// A stream of `events` events as JSON texts; `events` is a multiple of [`TURN`].
pub(crate) fn stream(events: usize) -> Vec<String> {
    let mut mix = Mix::new();
    for _ in 0..events / TURN {
        mix.turn();
    }
    assert_eq!(mix.texts.len(), events, "whole turns only");
    mix.texts
}

/// The same as one body of server-sent events.
pub(crate) fn event_stream(texts: &[String]) -> Vec<u8> {
    let mut body = Vec::new();
    for text in texts {
        body.extend_from_slice(b"data: ");
        body.extend_from_slice(text.as_bytes());
        body.extend_from_slice(b"\n\n");
    }
    body
}

struct Mix {
    random: Random,
    clock: u64,
    thread_id: String,
    texts: Vec<String>,
}

impl Mix {
    fn new() -> Self {
        let mut random = Random::new(1);
        Self { clock: 1_794_000_000_000, thread_id: random.uuid(), texts: Vec::new(), random }
    }

    fn turn(&mut self) {
        let (thread_id, run_id) = (self.thread_id.clone(), self.random.uuid());
        self.say(
            json!({"type": "RUN_STARTED", "threadId": thread_id, "runId": run_id, "protocolVersion": "1.0"}),
        );
        self.say(json!({"type": "STEP_STARTED", "stepName": "answer"}));
        let snapshot = payload::state(&mut self.random);
        self.say(json!({"type": "STATE_SNAPSHOT", "snapshot": snapshot}));
        for deltas in TEXT_DELTAS {
            let message_id = self.message(deltas);
            self.tool_call(&message_id);
            self.aside();
        }
        for _ in 0..2 {
            let custom = payload::custom(&mut self.random);
            self.say(custom);
            let raw = payload::raw(&mut self.random);
            self.say(raw);
        }
        self.say(json!({"type": "STEP_FINISHED", "stepName": "answer"}));
        let usage = json!([{"provider": "example", "model": "m-1", "inputTokens": 812, "outputTokens": 431}]);
        self.say(json!({"type": "RUN_FINISHED", "threadId": thread_id, "runId": run_id, "usage": usage}));
    }

    fn message(&mut self, deltas: usize) -> String {
        let message_id = self.random.uuid();
        self.say(json!({"type": "TEXT_MESSAGE_START", "messageId": message_id, "role": "assistant"}));
        for _ in 0..deltas {
            let delta = payload::words(&mut self.random);
            self.say(json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": message_id, "delta": delta}));
        }
        self.say(json!({"type": "TEXT_MESSAGE_END", "messageId": message_id}));
        message_id
    }

    fn tool_call(&mut self, parent: &str) {
        let tool_call_id = format!("call_{}", self.random.uuid());
        let name = self.random.pick(&["search_documents", "render_quiz", "get_weather"]);
        self.say(json!({
            "type": "TOOL_CALL_START", "toolCallId": tool_call_id, "toolCallName": name, "parentMessageId": parent,
        }));
        for delta in payload::arguments(&mut self.random, ARGUMENT_DELTAS) {
            self.say(json!({"type": "TOOL_CALL_ARGS", "toolCallId": tool_call_id, "delta": delta}));
        }
        self.say(json!({"type": "TOOL_CALL_END", "toolCallId": tool_call_id}));
        let (message_id, content) = (self.random.uuid(), payload::result(&mut self.random));
        self.say(json!({
            "type": "TOOL_CALL_RESULT", "messageId": message_id, "toolCallId": tool_call_id, "content": content,
            "role": "tool",
        }));
    }

    /// What an agent sends beside what it says.
    fn aside(&mut self) {
        for _ in 0..STATE_DELTAS {
            let delta = payload::patch(&mut self.random);
            self.say(json!({"type": "STATE_DELTA", "delta": delta}));
        }
        let custom = payload::custom(&mut self.random);
        self.say(custom);
        let raw = payload::raw(&mut self.random);
        self.say(raw);
    }

    fn say(&mut self, mut event: Value) {
        self.clock += self.random.below(30) as u64;
        if let Value::Object(event) = &mut event {
            self.add_base(event);
        }
        self.texts.push(event.to_string());
    }

    fn add_base(&mut self, event: &mut Map<String, Value>) {
        if self.random.percent(50) {
            event.insert("timestamp".to_owned(), self.clock.into());
        }
        if self.random.percent(5) {
            event.insert("metadata".to_owned(), payload::metadata(&mut self.random));
        }
    }
}

/// The sum of what [`Mix::turn`] says.
const _: () = {
    let text = 70 + 40 + 30 + 2 * MESSAGES;
    let tools = CALLS * (ARGUMENT_DELTAS + 3);
    let asides = MESSAGES * (STATE_DELTAS + 2) + 4;
    assert!(2 + 2 + 1 + text + tools + asides == TURN);
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mix_is_what_the_readme_says() {
        let texts = stream(20 * TURN);
        let bytes: usize = texts.iter().map(String::len).sum();
        assert_eq!(bytes / texts.len(), 139);
        let deltas = texts.iter().filter(|text| text.contains("TEXT_MESSAGE_CONTENT")).count();
        assert_eq!(deltas * 10, texts.len() * 7);
        assert_eq!(texts, stream(20 * TURN), "the same on every call");
    }
}
