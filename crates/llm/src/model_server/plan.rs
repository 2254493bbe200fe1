//! What is answered to a request, before it is written in anybody's words.

use std::time::Duration;

use serde_json::Value;

use super::{
    asked::Asked,
    script::{Failure, Rule, Step, Stop, Tokens},
};

/// An answer.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// Told instead of an answer.
    pub(super) failure: Option<Failure>,
    pub(super) parts: Vec<Part>,
    pub(super) stop: Stop,
    pub(super) tokens: Tokens,
    pub(super) pace: Duration,
    pub(super) bytes: Option<usize>,
    /// Makes ids.
    pub(super) number: u64,
}

/// A part of an answer.
#[derive(Clone, Debug)]
pub(super) enum Part {
    Text(String),
    Reasoning(String),
    Seal(String),
    Calls(Vec<Made>),
    Sleep(Duration),
    Raw(String),
    Error(String),
    Cut,
    Short,
    Hang,
}

/// A call with its id, and its arguments in pieces.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) pieces: Vec<String>,
}

impl Made {
    /// The arguments, for those who send them whole. What is no JSON is told as text.
    pub(super) fn arguments(&self) -> Value {
        let text = self.pieces.concat();
        serde_json::from_str(&text).unwrap_or(Value::String(text))
    }
}

impl Plan {
    pub(super) fn new(rule: &Rule, _asked: &Asked, number: u64) -> Self {
        let mut plan =
            Self { number, bytes: rule.bytes, tokens: Tokens { input: 10, output: 5 }, ..Self::default() };
        plan.pace = rule.pace.map_or(Duration::ZERO, |time| time.0);
        if let Some(Step::Error(failure)) = rule.steps.first() {
            plan.failure = Some(failure.clone());
            return plan;
        }
        let mut calls = 0;
        for step in rule.steps.iter() {
            plan.take(step, &mut calls);
        }
        plan
    }

    fn take(&mut self, step: &Step, calls: &mut usize) {
        let part = match step {
            Step::Text(text) => Part::Text(text.clone()),
            Step::Reasoning(text) => Part::Reasoning(text.clone()),
            Step::Seal(text) => Part::Seal(text.clone()),
            Step::Calls(wanted) => {
                self.stop = Stop::Tools;
                let made = wanted.iter().map(|call| {
                    *calls += 1;
                    let text = serde_json::to_string(&call.args).unwrap_or_default();
                    let text = call.text.clone().unwrap_or(text);
                    let pieces = cut(&text, call.pieces.unwrap_or(2));
                    Made { id: format!("call_{}_{calls}", self.number), name: call.name.clone(), pieces }
                });
                Part::Calls(made.collect())
            }
            Step::Sleep(time) => Part::Sleep(time.0),
            Step::Raw(text) => Part::Raw(text.clone()),
            Step::Error(failure) => Part::Error(failure.message.clone()),
            Step::Cut => Part::Cut,
            Step::Short => Part::Short,
            Step::Hang => Part::Hang,
            Step::Stop(stop) => return self.stop = *stop,
            Step::Usage(tokens) => return self.tokens = *tokens,
        };
        self.parts.push(part);
    }
}

/// A text in about so many pieces, none of which ends within a character.
fn cut(text: &str, pieces: usize) -> Vec<String> {
    let length = text.chars().count().div_ceil(pieces.max(1)).max(1);
    let signs: Vec<_> = text.chars().collect();
    signs.chunks(length).map(|piece| piece.iter().collect()).collect()
}
