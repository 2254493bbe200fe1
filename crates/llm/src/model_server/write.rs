//! An answer as a stream, in the words of whoever asked.

use std::time::Duration;

use serde_json::Value;

use super::{
    asked::{Asked, Dialect},
    chat::Chat,
    gemini::Gemini,
    messages::Messages,
    ollama::Ollama,
    plan::{Made, Part, Plan},
    responses::Responses,
    script::{Stop, Tokens},
};

/// One thing that is done to the connection.
#[derive(Clone, Debug)]
pub(super) enum Act {
    Send(String),
    Sleep(Duration),
    Cut,
    Hang,
}

/// Writes a stream in one dialect.
pub(super) trait Writer {
    fn open(&mut self) -> String;
    fn text(&mut self, delta: &str) -> String;
    fn reasoning(&mut self, delta: &str) -> String;
    fn seal(&mut self, value: &str) -> String;
    /// Calls, as pieces of the stream.
    fn calls(&mut self, calls: &[Made]) -> Vec<String>;
    fn error(&mut self, message: &str) -> String;
    fn close(&mut self, stop: Stop, tokens: Tokens) -> String;
}

/// Everything that is done for an answer.
pub(super) fn acts(plan: &Plan, asked: &Asked) -> Vec<Act> {
    let id = format!("answer_{}", plan.number);
    let mut writer: Box<dyn Writer> = match asked.dialect {
        Dialect::Chat => Box::new(Chat::new(id, asked)),
        Dialect::Responses => Box::new(Responses::new(id, asked)),
        Dialect::Messages => Box::new(Messages::new(id, asked)),
        Dialect::Gemini => Box::new(Gemini::new(id, asked)),
        Dialect::Ollama => Box::new(Ollama::new(asked)),
    };
    let mut acts = vec![Act::Send(writer.open())];
    let send = |acts: &mut Vec<Act>, text: String| {
        acts.push(Act::Send(text));
        if !plan.pace.is_zero() {
            acts.push(Act::Sleep(plan.pace));
        }
    };
    for part in &plan.parts {
        match part {
            Part::Text(text) => {
                text.split_inclusive(' ').for_each(|word| send(&mut acts, writer.text(word)));
            }
            Part::Reasoning(text) => {
                text.split_inclusive(' ').for_each(|word| send(&mut acts, writer.reasoning(word)));
            }
            Part::Seal(value) => send(&mut acts, writer.seal(value)),
            Part::Calls(calls) => writer.calls(calls).into_iter().for_each(|text| send(&mut acts, text)),
            Part::Sleep(time) => acts.push(Act::Sleep(*time)),
            Part::Raw(text) => acts.push(Act::Send(text.clone())),
            Part::Error(message) => {
                acts.push(Act::Send(writer.error(message)));
                return acts;
            }
            Part::Cut => {
                acts.push(Act::Cut);
                return acts;
            }
            Part::Short => return acts,
            Part::Hang => {
                acts.push(Act::Hang);
                return acts;
            }
        }
    }
    acts.push(Act::Send(writer.close(plan.stop, plan.tokens)));
    acts
}

/// A frame that has no name.
pub(super) fn frame(data: &Value) -> String {
    format!("data: {data}\n\n")
}

/// A frame that is named after its type.
pub(super) fn event(data: &Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap_or_default())
}

/// The pieces of several calls, one of each in turn.
pub(super) fn in_turn(calls: &[Made]) -> Vec<(usize, &str)> {
    let longest = calls.iter().map(|call| call.pieces.len()).max().unwrap_or(0);
    let piece = |round: usize, at: usize| Some((at, calls[at].pieces.get(round)?.as_str()));
    (0..longest).flat_map(|round| (0..calls.len()).filter_map(move |at| piece(round, at))).collect()
}
