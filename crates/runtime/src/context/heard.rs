//! How a turn began: with words of a person, or with what they did elsewhere.

use forestage_protocol::message::Message;
use serde_json::Value;

use super::RunContext;
use crate::surface::LOG_EVENT;

/// What came back from a tool of the client's: an answer to a component, or something that a person did on a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct ClientAnswer {
    /// The tool.
    pub tool: String,
    /// The answer, read as JSON where it is JSON.
    pub value: Value,
    /// What was found out about it, such as the grade of a quiz.
    pub check: Value,
    /// Why there is none, such as a component that was closed.
    pub error: Option<String>,
}

impl ClientAnswer {
    /// The name of what a person did on a surface, if it is that.
    #[must_use]
    pub fn action(&self) -> Option<&str> {
        self.value["name"].as_str().filter(|_| self.tool == LOG_EVENT)
    }
}

impl RunContext {
    /// What the person said, if the turn began with that.
    #[must_use]
    pub fn said(&self) -> Option<String> {
        match self.spoken().next()? {
            Message::User(message) => Some(message.content.text().into_owned()),
            _ => None,
        }
    }

    /// The answers of the client's tools that the turn began with, the last one first.
    #[must_use]
    pub fn client_answers(&self) -> Vec<ClientAnswer> {
        let messages = self.turn_messages();
        self.spoken().map_while(|message| answer_of(message, messages)).collect()
    }

    /// The conversation when the turn began, backwards. Instructions, activities and thoughts stand beside it.
    fn spoken(&self) -> impl Iterator<Item = &Message> {
        let is_spoken = |message: &&Message| {
            matches!(message, Message::User(_) | Message::Assistant(_) | Message::Tool(_))
        };
        self.turn_messages().iter().rev().filter(is_spoken)
    }
}

fn answer_of(message: &Message, messages: &[Message]) -> Option<ClientAnswer> {
    let Message::Tool(answer) = message else { return None };
    let mut calls = messages.iter().flat_map(Message::tool_calls);
    let call = calls.find(|call| call.id == answer.tool_call_id)?;
    let text = answer.content.text();
    // What a person did on a surface is told in a sentence, and is known as data.
    let data = if call.function.name == LOG_EVENT { &call.function.arguments } else { text.as_ref() };
    let value = serde_json::from_str(data).unwrap_or_else(|_| text.clone().into_owned().into());
    let check =
        answer.metadata.as_ref().and_then(|metadata| metadata.get("forestage")?.get("check")).cloned();
    Some(ClientAnswer {
        tool: call.function.name.clone(),
        value,
        check: check.unwrap_or_default(),
        error: answer.error.clone(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_happened_on_a_surface_is_an_action() {
        let answer = |tool: &str, value: Value| ClientAnswer {
            tool: tool.to_owned(),
            value,
            check: Value::Null,
            error: None,
        };
        assert_eq!(answer(LOG_EVENT, json!({ "name": "submit" })).action(), Some("submit"));
        assert_eq!(answer(LOG_EVENT, json!({ "title": "submit" })).action(), None);
        assert_eq!(answer("render_quiz", json!({ "name": "submit" })).action(), None);
    }
}
