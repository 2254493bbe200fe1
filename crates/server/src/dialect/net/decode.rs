//! What a client sends.

use axum::http::StatusCode;
use forestage_protocol::{compat::net::upgrade_part, input::RunAgentInput};
use serde_json::{Map, Value, json};

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
                let path = format!("messages[{at}].content[{index}]");
                check_binary(binary, &path)?;
                *part = upgrade_part(binary).ok_or_else(|| missing("an `id`, a `url` or `data`", &path))?;
            }
        }
    }
    Ok(())
}

/// Says what is wrong with binary content in its own words: those of the part that it becomes are not the client's.
fn check_binary(binary: &Map<String, Value>, path: &str) -> Result<(), ApiError> {
    for name in ["mimeType", "id", "url", "data", "filename"] {
        match binary.get(name) {
            Some(Value::String(_)) => {}
            None | Some(Value::Null) if name == "mimeType" => return Err(missing("a `mimeType`", path)),
            None | Some(Value::Null) => {}
            Some(_) => {
                let text = format!("`{name}` is not a string");
                return Err(unfit("wrong_type", &text).at(format!("{path}.{name}")));
            }
        }
    }
    Ok(())
}

fn missing(what: &str, path: &str) -> ApiError {
    unfit("missing_field", &format!("binary content has {what}")).at(path)
}

fn unfit(code: &str, text: &str) -> ApiError {
    ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, code, text)
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
