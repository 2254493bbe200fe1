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
use crate::{Answer, ClientAnswer, RunContext};

/// How a turn began.
pub(super) struct Turn {
    /// What the person said, if it began with that.
    said: Option<String>,
    /// What the person said last.
    pub(super) user: String,
    /// The answers of the client's tools, if it began with those.
    answers: Vec<ClientAnswer>,
    /// Whether the agent has not said anything yet.
    is_first: bool,
}

/// Whether an answer tells that a person did this on a surface.
fn does(answer: &ClientAnswer, name: &Glob) -> bool {
    answer.action().is_some_and(|done| name.catch(done).is_some())
}

impl Turn {
    /// The turn of a run.
    pub(super) fn of(ctx: &RunContext) -> Self {
        let messages = ctx.turn_messages();
        let user = messages.iter().rev().find_map(user_text);
        let said = ctx.said();
        let answers = ctx.client_answers();
        let is_first = !messages.iter().any(|message| matches!(message, Message::Assistant(_)));
        Self { said, user: user.unwrap_or_default(), answers, is_first }
    }
}

fn user_text(message: &Message) -> Option<String> {
    match message {
        Message::User(message) => Some(message.content.text().into_owned()),
        _ => None,
    }
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

fn fits<'t>(when: &When, turn: &'t Turn, env: &Env) -> Option<(Vec<String>, Option<&'t ClientAnswer>)> {
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
                && action.as_ref().is_none_or(|name| does(answered, name))
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
