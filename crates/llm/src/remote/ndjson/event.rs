//! One line of an answer.

use forestage_a2ui::v1::RENDER;
use serde::Deserialize;
use serde_json::{Map, Value};

/// What a line says.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// A piece of a message.
    Text {
        /// The message, if the agent tells them apart.
        message_id: Option<String>,
        /// The piece.
        delta: String,
    },
    /// A call of a tool has begun.
    CallStarted {
        /// The call.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments.
        arguments: Value,
        /// What to show while it works.
        label: Option<String>,
    },
    /// A call of a tool has ended.
    CallResult {
        /// The call.
        id: String,
        /// What came of it.
        result: Value,
    },
    /// A view is shown; null closes it.
    Render(Value),
    /// An event of the application's own.
    Custom {
        /// Its name.
        name: String,
        /// What it carries.
        value: Value,
    },
    /// The whole state.
    State(Value),
    /// The run has begun, which we know.
    Started,
    /// The run is over.
    Finished,
    /// The run is over, and failed.
    Failed {
        /// A word for programs.
        code: Option<String>,
        /// A sentence for people.
        message: String,
    },
    /// Something that we do not know.
    Other(Value),
}

/// Why a line is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct LineError {
    text: String,
    is_cut: bool,
}

impl LineError {
    fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_cut: false }
    }

    /// Whether the line is no JSON at all, as a piece of one is.
    #[must_use]
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    message_id: Option<String>,
    delta: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Started {
    tool_call_id: String,
    tool_name: String,
    #[serde(default)]
    args: Value,
    label: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Ended {
    tool_call_id: String,
    #[serde(default)]
    result: Value,
}

#[derive(Deserialize)]
struct Custom {
    name: String,
    #[serde(default)]
    value: Value,
}

#[derive(Deserialize)]
struct Failed {
    code: Option<String>,
    message: Option<String>,
}

impl Line {
    /// Reads a line.
    pub fn read(line: &[u8]) -> Result<Self, LineError> {
        let value: Value = serde_json::from_slice(line)
            .map_err(|error| LineError { is_cut: true, ..LineError::new(format!("no JSON: {error}")) })?;
        let Value::Object(object) = value else {
            return Err(LineError::new("an event is a JSON object"));
        };
        let kind = object.get("type").and_then(Value::as_str).map(str::to_owned);
        let kind = kind.ok_or_else(|| LineError::new("an event has a `type`"))?;
        Self::of(&kind, object).map_err(|error| LineError::new(format!("`{kind}` cannot be read: {error}")))
    }

    fn of(kind: &str, mut object: Map<String, Value>) -> Result<Self, serde_json::Error> {
        let member = |object: &mut Map<String, Value>, name: &str| object.remove(name).unwrap_or_default();
        Ok(match kind {
            "TEXT_MESSAGE_CHUNK" => {
                let Chunk { message_id, delta } = read(object)?;
                Self::Text { message_id, delta }
            }
            "TOOL_CALL_STARTED" => {
                let Started { tool_call_id, tool_name, args, label } = read(object)?;
                Self::CallStarted { id: tool_call_id, name: tool_name, arguments: args, label }
            }
            "TOOL_CALL_RESULT" => {
                let Ended { tool_call_id, result } = read(object)?;
                Self::CallResult { id: tool_call_id, result }
            }
            RENDER => Self::Render(member(&mut object, "view")),
            "CUSTOM" => match read(object)? {
                Custom { name, value } if name == RENDER => {
                    Self::Render(value.get("view").cloned().unwrap_or_default())
                }
                Custom { name, value } => Self::Custom { name, value },
            },
            "STATE_SNAPSHOT" => Self::State(member(&mut object, "snapshot")),
            "RUN_STARTED" => Self::Started,
            "RUN_FINISHED" => Self::Finished,
            "RUN_ERROR" => {
                let Failed { code, message } = read(object)?;
                Self::Failed { code, message: message.unwrap_or_else(|| "the agent failed".to_owned()) }
            }
            _ => Self::Other(Value::Object(object)),
        })
    }
}

fn read<T: for<'de> Deserialize<'de>>(object: Map<String, Value>) -> Result<T, serde_json::Error> {
    serde_json::from_value(Value::Object(object))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn both_ways_to_show_a_view_are_read() {
        for line in [
            json!({ "type": "A2UI_RENDER", "view": { "a": 1 } }),
            json!({ "type": "CUSTOM", "name": "A2UI_RENDER", "value": { "view": { "a": 1 } } }),
        ] {
            assert_eq!(Line::read(line.to_string().as_bytes()), Ok(Line::Render(json!({ "a": 1 }))));
        }
        assert!(Line::read(br#"{"type":"CUSTOM","name":"A2UI_RENDER","value":7}"#).is_ok());
    }

    #[test]
    fn every_line_is_read_with_all_that_it_says() {
        let call = ("call-1".to_owned(), "look".to_owned());
        for (line, expected) in [
            (
                json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "msg-1", "delta": "Hi" }),
                Line::Text { message_id: Some("msg-1".to_owned()), delta: "Hi".to_owned() },
            ),
            (
                json!({ "type": "TEXT_MESSAGE_CHUNK", "delta": " " }),
                Line::Text { message_id: None, delta: " ".to_owned() },
            ),
            (
                json!({ "type": "TOOL_CALL_STARTED", "toolCallId": "call-1", "toolName": "look", "args": { "a": [1] }, "label": "Looking" }),
                Line::CallStarted {
                    id: call.0.clone(),
                    name: call.1.clone(),
                    arguments: json!({ "a": [1] }),
                    label: Some("Looking".to_owned()),
                },
            ),
            (
                json!({ "type": "TOOL_CALL_RESULT", "toolCallId": "call-1", "result": { "ok": true } }),
                Line::CallResult { id: call.0.clone(), result: json!({ "ok": true }) },
            ),
            (json!({ "type": "A2UI_RENDER", "view": null }), Line::Render(Value::Null)),
            (
                json!({ "type": "CUSTOM", "name": "A2UI_RENDERED", "value": { "view": 1 } }),
                Line::Custom { name: "A2UI_RENDERED".to_owned(), value: json!({ "view": 1 }) },
            ),
            (
                json!({ "type": "STATE_SNAPSHOT", "snapshot": { "plan": 1 } }),
                Line::State(json!({ "plan": 1 })),
            ),
            (json!({ "type": "RUN_STARTED" }), Line::Started),
            (json!({ "type": "RUN_FINISHED" }), Line::Finished),
            (
                json!({ "type": "RUN_ERROR", "message": "I am tired", "code": "tired" }),
                Line::Failed { code: Some("tired".to_owned()), message: "I am tired".to_owned() },
            ),
            (
                json!({ "type": "RUN_ERROR" }),
                Line::Failed { code: None, message: "the agent failed".to_owned() },
            ),
        ] {
            assert_eq!(Line::read(line.to_string().as_bytes()), Ok(expected), "{line}");
        }
    }

    #[test]
    fn what_is_no_event_is_told() {
        for (line, told) in [
            ("nothing", "no JSON"),
            ("[]", "an event is a JSON object"),
            ("{}", "an event has a `type`"),
            (
                r#"{"type":"TEXT_MESSAGE_CHUNK"}"#,
                "`TEXT_MESSAGE_CHUNK` cannot be read: missing field `delta`",
            ),
        ] {
            let error = Line::read(line.as_bytes()).expect_err(line).to_string();
            assert!(error.starts_with(told), "{error}");
        }
    }

    #[test]
    fn what_nobody_knows_is_kept() {
        let line = json!({ "type": "TOMORROW", "x": 1 });
        assert_eq!(Line::read(line.to_string().as_bytes()), Ok(Line::Other(line)));
    }
}
