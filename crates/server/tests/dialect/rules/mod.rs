//! The rules of each dialect, one by one: the smallest streams that break each of them, and their nearest legal neighbours.

mod agora;
mod agui0;
mod its;
mod net;
mod trainer2;

use forestage_protocol::pipeline::Reader;
use forestage_server::dialect;
use serde_json::{Value, json};

/// What a stream is when no rule refuses it, neither one of its dialect nor one of AG-UI 1.0 behind them.
const LEGAL: &str = "legal";

/// Judges a whole stream: [`LEGAL`], or the code and the place of the first fault. What AG-UI 1.0 refuses is told apart by
/// the words before it.
fn verdict(profile: &str, stream: &[Value]) -> String {
    let mut rules = (dialect::profile(profile).unwrap().rules)();
    let mut reader = Reader::default();
    for event in stream {
        let rest = match rules.check(event.clone()) {
            Ok(rest) => rest,
            Err(fault) => return format!("{} {}", fault.code, fault.path).trim_end().to_owned(),
        };
        if let Some(Err(error)) = rest.map(|event| reader.read_json(&event.to_string(), |_| {})) {
            return format!("not AG-UI 1.0: {error}");
        }
    }
    if let Err(fault) = rules.finish() {
        return fault.code.to_owned();
    }
    reader.finish().map_or_else(|error| format!("not AG-UI 1.0: {error}"), |()| LEGAL.to_owned())
}

/// Holds each stream against what is expected of it.
fn check(profile: &str, cases: &[(&[&Value], &str)]) {
    for (stream, expected) in cases {
        let stream: Vec<Value> = stream.iter().copied().cloned().collect();
        assert_eq!(verdict(profile, &stream), *expected, "{profile}: {stream:#?}");
    }
}

/// What the events of a stream are in AG-UI 1.0.
fn in_1_0(profile: &str, stream: &[&Value]) -> Vec<Option<Value>> {
    let mut rules = (dialect::profile(profile).unwrap().rules)();
    stream.iter().map(|event| rules.check((*event).clone()).unwrap()).collect()
}

/// An event with its members.
fn event(kind: &str, members: Value) -> Value {
    let mut event = json!({ "type": kind });
    event.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    event
}

fn started() -> Value {
    event("RUN_STARTED", json!({ "threadId": "t", "runId": "r" }))
}

fn failed() -> Value {
    event("RUN_ERROR", json!({ "message": "It broke" }))
}
