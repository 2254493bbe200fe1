//! Which rule fits.
//!
//! A script that has asked is played again from the top when there is an answer, and has to come to the same
//! rule. So conditions look at the conversation and the state as they stood when the turn began, never at what
//! was said since.

use forestage_protocol::message::Message;
use serde_json::Value;

use super::{
    file::{File, Rule, When, WhenAnswered},
    value::{Env, Glob, Regex},
    yaml::Placed,
};
use crate::{Answer, RunContext, surface::LOG_EVENT};

/// How a turn began.
pub(super) struct Turn {
    /// What the person said, if it began with that.
    said: Option<String>,
    /// What the person said last.
    pub(super) user: String,
    /// The answers of the client's tools, if it began with those.
    answers: Vec<Answered>,
    /// Whether the agent has not said anything yet.
    is_first: bool,
}

/// An answer of a tool of the client's.
struct Answered {
    /// The name of the tool.
    tool: String,
    value: Value,
    /// What was found out about it.
    check: Value,
}

impl Answered {
    /// Whether it tells that a person did this on a surface.
    fn does(&self, name: &Glob) -> bool {
        let done = self.value["name"].as_str().filter(|_| self.tool == LOG_EVENT);
        done.is_some_and(|done| name.catch(done).is_some())
    }
}

impl Turn {
    /// The turn of a run.
    pub(super) fn of(ctx: &RunContext) -> Self {
        let messages = ctx.turn_messages();
        let user = messages.iter().rev().find_map(user_text);
        let mut spoken = messages.iter().rev().filter(|message| is_spoken(message));
        let said = spoken.clone().next().and_then(user_text);
        let answers = spoken.by_ref().map_while(|message| answer_of(message, messages)).collect();
        let is_first = !messages.iter().any(|message| matches!(message, Message::Assistant(_)));
        Self { said, user: user.unwrap_or_default(), answers, is_first }
    }
}

/// Instructions, activities and thoughts stand beside the conversation.
fn is_spoken(message: &Message) -> bool {
    matches!(message, Message::User(_) | Message::Assistant(_) | Message::Tool(_))
}

fn user_text(message: &Message) -> Option<String> {
    match message {
        Message::User(message) => Some(message.content.text().into_owned()),
        _ => None,
    }
}

/// The answer of a tool, read as JSON where it is JSON.
fn answer_of(message: &Message, messages: &[Message]) -> Option<Answered> {
    let Message::Tool(answer) = message else { return None };
    let mut calls = messages.iter().flat_map(Message::tool_calls);
    let call = calls.find(|call| call.id == answer.tool_call_id)?;
    let text = answer.content.text();
    // What a person did on a surface is told in a sentence, and is known as data.
    let data = if call.function.name == LOG_EVENT { &call.function.arguments } else { text.as_ref() };
    let value = serde_json::from_str(data).unwrap_or_else(|_| text.clone().into_owned().into());
    let check =
        answer.metadata.as_ref().and_then(|metadata| metadata.get("forestage")?.get("check")).cloned();
    Some(Answered { tool: call.function.name.clone(), value, check: check.unwrap_or_default() })
}

/// The first rule that fits, and what it catches goes to the names.
pub(super) fn find<'a>(file: &'a File, turn: &Turn, env: &mut Env) -> Option<&'a Rule> {
    file.rules.iter().find(|rule| {
        let Some((caught, answered)) = fits(&rule.when, turn, env) else { return false };
        let found = answered.map(|answered| (answered.value.clone(), answered.check.clone()));
        (env.answer, env.check) = found.unwrap_or_default();
        env.caught = caught;
        true
    })
}

fn fits<'t>(when: &When, turn: &'t Turn, env: &Env) -> Option<(Vec<String>, Option<&'t Answered>)> {
    if when.first.is_some_and(|first| first != turn.is_first) {
        return None;
    }
    if let Some(state) = &when.state
        && !holds(&env.state, &state.0.value(env))
    {
        return None;
    }
    let answer = match (&when.answers, &when.action) {
        (None, None) => None,
        (tool, action) => Some(turn.answers.iter().find(|answered| {
            tool.as_ref().is_none_or(|name| name.catch(&answered.tool).is_some())
                && action.as_ref().is_none_or(|name| answered.does(name))
        })?),
    };
    if let Some(check) = &when.check
        && !holds(&answer?.check, &check.0.value(env))
    {
        return None;
    }
    let caught = text_fits(&when.says, &when.matches, &when.contains, turn.said.as_deref())?;
    Some((caught, answer))
}

/// Whether an answer fits, and what the condition catches.
pub(super) fn answer_fits(when: &WhenAnswered, answer: &Answer, env: &Env) -> Option<Vec<String>> {
    let is_cancelled = matches!(answer, Answer::Cancelled(_));
    // Whoever says nothing about refusals does not mean them, unless nothing is said at all.
    let wants_value = when.value.is_some();
    if when.cancelled.unwrap_or(is_cancelled && !wants_value) != is_cancelled {
        return None;
    }
    if let Some(value) = &when.value
        && !holds(&env.answer, &value.value(env))
    {
        return None;
    }
    text_fits(&when.says, &when.matches, &when.contains, env.answer.as_str())
}

fn text_fits(
    says: &Option<Placed<Glob>>,
    matches: &Option<Placed<Regex>>,
    contains: &Option<Placed<String>>,
    text: Option<&str>,
) -> Option<Vec<String>> {
    let mut caught = Vec::new();
    if let Some(glob) = says {
        caught = glob.value.catch(text?)?;
    }
    if let Some(regex) = matches {
        caught = regex.value.catch(text?)?;
    }
    if let Some(part) = contains
        && !text?.to_lowercase().contains(&part.value.to_lowercase())
    {
        return None;
    }
    Some(caught)
}

/// Whether a value has all these parts.
fn holds(value: &Value, parts: &Value) -> bool {
    match (value, parts) {
        (Value::Object(value), Value::Object(parts)) => {
            parts.iter().all(|(key, part)| value.get(key).is_some_and(|value| holds(value, part)))
        }
        _ => value == parts,
    }
}
