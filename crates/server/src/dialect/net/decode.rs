//! What a client sends.

use axum::http::StatusCode;
use forestage_protocol::input::RunAgentInput;
use serde_json::{Map, Value, json};

use super::input::media;
use crate::{
    dialect::{
        door::object_of,
        shape::{camel, without_nulls},
    },
    error::ApiError,
    route::runs::read_input_value,
};

/// Reads an input: one answer or a list of them, older content parts.
pub fn decode(text: &str) -> Result<RunAgentInput, ApiError> {
    let mut object = object_of(text, "body")?;
    one_answer(&mut object)?;
    media_parts(&mut object)?;
    read_input_value(Value::Object(object))
}

/// A single answer is a list of one.
fn one_answer(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    let Some(Value::Object(answer)) = object.get_mut("resume") else { return Ok(()) };
    camel(answer)?;
    without_nulls(answer);
    answer.entry("status").or_insert_with(|| "resolved".into());
    let answer = Value::Object(std::mem::take(answer));
    object.insert("resume".to_owned(), json!([answer]));
    Ok(())
}

/// Binary content is a part of its kind.
fn media_parts(object: &mut Map<String, Value>) -> Result<(), ApiError> {
    let Some(Value::Array(messages)) = object.get_mut("messages") else { return Ok(()) };
    for (at, message) in messages.iter_mut().enumerate() {
        let Some(Value::Array(parts)) = message.get_mut("content") else { continue };
        for (index, part) in parts.iter_mut().enumerate() {
            if let Value::Object(binary) = &*part
                && binary.get("type") == Some(&json!("binary"))
            {
                *part = media(binary).ok_or_else(|| nowhere(at, index))?;
            }
        }
    }
    Ok(())
}

fn nowhere(message: usize, part: usize) -> ApiError {
    let text = "binary content has an `id`, a `url` or `data`";
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "missing_field", text)
        .at(format!("messages[{message}].content[{part}]"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_answer_is_a_list_of_one() {
        let text = r#"{"threadId":"t","runId":"r","messages":[],"tools":[],"context":[],"state":null,
            "resume":{"interruptId":"i","payload":{"approved":true}}}"#;
        let input = decode(text).expect("legal");
        let answers = input.resume.expect("an answer");
        assert_eq!((answers.len(), answers[0].interrupt_id.as_str()), (1, "i"));
    }

    #[test]
    fn binary_content_becomes_a_part_of_its_kind() {
        let part = r#"{"type":"binary","mimeType":"image/png","url":"http://x/y.png"}"#;
        let text = format!(
            r#"{{"threadId":"t","runId":"r","messages":[{{"id":"m","role":"user","content":[{part}]}}]}}"#
        );
        let input = decode(&text).expect("legal");
        let message = serde_json::to_value(&input.messages[0]).expect("prints");
        assert_eq!(message["content"][0]["type"], "image");
    }
}
