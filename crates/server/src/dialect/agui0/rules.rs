//! What the clients of a line refuse, beside what AG-UI 1.0 does.
//!
//! | code | what it asks for |
//! |---|---|
//! | `agui0_unknown_event` | only events that the line has |
//! | `agui0_input` | the input of a run, where there is one, has lists of tools and context |
//! | `agui0_outcome` | no outcome but success and questions, with nothing else in it |
//! | `agui0_role` | texts have a role (up to 0.0.36 the assistant's), and messages one that the line has |
//! | `agui0_empty_delta` | a piece of text or of reasoning has something in it |
//! | `agui0_content` | results are text, and parts are of kinds that the line has |
//! | `agui0_interleaved` | up to 0.0.36, nothing but RAW between the beginning and the end of a text or a call |
//! | `agui0_next_run` | no run behind a failed one before 0.0.59, and none behind any up to 0.0.36 |

use forestage_protocol::{Fault, Warning, event::EventType};
use serde_json::{Value, json};

use super::version::{Line, Parts, Reasoning};
use crate::dialect::profile::{Rules, ensure, ensure_order, text};

/// The rules of a line.
#[derive(Debug)]
pub struct Judge {
    line: Line,
    /// The text or call that is open, on a line that has one at a time.
    open: Option<String>,
    /// The event that ended the last run.
    ended: Option<String>,
    /// The type of the event that was judged last.
    judged: String,
}

impl Judge {
    /// For streams of this line.
    #[must_use]
    pub fn new(line: Line) -> Self {
        Self { line, open: None, ended: None, judged: String::new() }
    }

    fn order(&mut self, event: &Value, kind: &str) -> Result<(), Fault> {
        if kind == "RUN_STARTED" {
            let goes_on = match self.ended.take().as_deref() {
                Some("RUN_ERROR") => self.line.goes_on_after_errors(),
                Some(_) => !self.line.is_serial(),
                None => true,
            };
            ensure_order(goes_on, "agui0_next_run", "clients of this line take no run behind this end")?;
        }
        if matches!(kind, "RUN_FINISHED" | "RUN_ERROR") {
            self.ended = Some(kind.to_owned());
        }
        if !self.line.is_serial() || kind == "RAW" {
            return Ok(());
        }
        let id = match kind {
            "TEXT_MESSAGE_START" | "TEXT_MESSAGE_CONTENT" | "TEXT_MESSAGE_END" => text(event, "messageId"),
            "TOOL_CALL_START" | "TOOL_CALL_ARGS" | "TOOL_CALL_END" => text(event, "toolCallId"),
            _ => "",
        };
        let is_turn = self.open.as_deref().is_none_or(|open| open == id);
        ensure_order(is_turn, "agui0_interleaved", "another text or call is open")?;
        self.open = match kind {
            "TEXT_MESSAGE_END" | "TOOL_CALL_END" => None,
            _ if id.is_empty() => None,
            _ => Some(id.to_owned()),
        };
        Ok(())
    }

    fn has(&self, kind: &str) -> bool {
        if kind.starts_with("THINKING_") {
            return self.line.has_roles();
        }
        if kind.starts_with("REASONING_") {
            return self.line.reasoning() == Reasoning::AsIs;
        }
        if kind.starts_with("ACTIVITY_") {
            return self.line.has_activities();
        }
        if kind.starts_with("SUBAGENT_") {
            return self.line.has_subagents();
        }
        EventType::parse(kind).is_some()
    }

    fn messages(&self, messages: &Value, place: &str) -> Result<(), Fault> {
        for (at, message) in messages.as_array().into_iter().flatten().enumerate() {
            let role = text(message, "role");
            let is_theirs = match role {
                "reasoning" => self.line.reasoning() == Reasoning::AsIs,
                "activity" => self.line.has_activities(),
                _ => true,
            };
            ensure(is_theirs, "agui0_role", &format!("{place}/{at}/role"), "the line has no such role")?;
            let Some(Value::Array(parts)) = message.get("content") else { continue };
            let told = "clients of this line take no such content here";
            let fine = role == "user" && parts.iter().all(|part| self.has_part(part));
            ensure(fine, "agui0_content", &format!("{place}/{at}/content"), told)?;
        }
        Ok(())
    }

    fn has_part(&self, part: &Value) -> bool {
        match (text(part, "type"), self.line.parts()) {
            (_, Parts::Text) => false,
            ("text" | "binary", _) => true,
            (_, Parts::Media) => part.pointer("/source/type") != Some(&json!("file")),
            (_, Parts::Binary) => false,
        }
    }
}

impl Rules for Judge {
    fn check(&mut self, event: Value) -> Result<Option<Value>, Fault> {
        let kind = text(&event, "type").to_owned();
        ensure(self.has(&kind), "agui0_unknown_event", "type", "clients of this line have no such event")?;
        self.order(&event, &kind)?;
        self.judged.clone_from(&kind);
        match kind.as_str() {
            "RUN_STARTED" => self.started(&event)?,
            "RUN_FINISHED" => outcome(&event)?,
            "TEXT_MESSAGE_START" => self.role(&event)?,
            "TEXT_MESSAGE_CONTENT" | "REASONING_MESSAGE_CONTENT" | "THINKING_TEXT_MESSAGE_CONTENT" => {
                let is_empty = event.get("delta") == Some(&json!(""));
                ensure(!is_empty, "agui0_empty_delta", "delta", "a piece has something in it")?;
            }
            "TOOL_CALL_RESULT" => {
                let is_text = event.get("content").is_none_or(Value::is_string);
                ensure(is_text, "agui0_content", "content", "the result of a tool is text")?;
            }
            "MESSAGES_SNAPSHOT" => self.messages(&event["messages"], "messages")?,
            _ => {}
        }
        Ok(Some(event))
    }

    /// What 1.0 has retired is what these lines are about: reasoning without ids, and parts that are `binary`.
    fn expects(&self, warning: &Warning) -> bool {
        let is_in_message = || warning.path.as_deref().is_some_and(|path| path.contains("/messages/"));
        warning.code == "retired_shape"
            && match self.judged.as_str() {
                "RUN_STARTED" | "MESSAGES_SNAPSHOT" => is_in_message() && self.line.parts() != Parts::Text,
                kind => kind.starts_with("THINKING_") && self.line.reasoning() == Reasoning::Thinking,
            }
    }
}

impl Judge {
    fn started(&self, event: &Value) -> Result<(), Fault> {
        let Some(input) = event.get("input").filter(|_| self.line.has_roles()) else { return Ok(()) };
        for name in ["tools", "context"] {
            let told = format!("an input without a list of {name} is refused");
            ensure(input[name].is_array(), "agui0_input", &format!("input/{name}"), &told)?;
        }
        self.messages(&input["messages"], "input/messages")
    }

    fn role(&self, event: &Value) -> Result<(), Fault> {
        let role = text(event, "role");
        let fine = if self.line.has_roles() { !role.is_empty() } else { role == "assistant" };
        ensure(fine, "agui0_role", "role", "clients of this line need a role here")
    }
}

fn outcome(event: &Value) -> Result<(), Fault> {
    let Some(outcome) = event.get("outcome") else { return Ok(()) };
    let members = outcome.as_object().map(|outcome| outcome.len());
    let fine = match outcome["type"].as_str() {
        Some("success") => members == Some(1),
        Some("interrupt") => members == Some(2) && outcome["interrupts"].is_array(),
        _ => false,
    };
    ensure(fine, "agui0_outcome", "outcome", "clients check outcomes against a closed list")
}
