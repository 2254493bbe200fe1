//! What a server answered, as a result that a model can read.

use forestage_runtime::tool::ToolError;
use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use serde_json::Value;

/// So much of an answer is taken.
const MAX_BYTES: usize = 1 << 20;

/// The result of a call. Structured content goes before its text, which says the same; pictures, sounds and files are
/// named, because results are text.
pub(super) fn value_of(result: CallToolResult) -> Result<Value, ToolError> {
    let is_text = |block: &&ContentBlock| matches!(block, ContentBlock::Text(_));
    let (texts, others): (Vec<_>, Vec<_>) = result.content.iter().partition(is_text);
    let others: Vec<_> = others.into_iter().map(told).collect();
    let mut told: Vec<_> = texts.into_iter().map(told).collect();
    if let Some(structured) = result.structured_content.filter(|_| result.is_error != Some(true)) {
        if others.is_empty() {
            return fits(structured);
        }
        told = vec![structured.to_string()];
    }
    told.extend(others);
    let text = told.join("\n");
    match result.is_error {
        Some(true) => Err(ToolError::new(
            "mcp_tool_error",
            if text.is_empty() { "the tool failed".to_owned() } else { text },
        )),
        _ => fits(Value::String(text)),
    }
}

fn fits(value: Value) -> Result<Value, ToolError> {
    let length = value.as_str().map_or_else(|| value.to_string().len(), str::len);
    match length > MAX_BYTES {
        true => {
            Err(ToolError::new("answer_too_large", format!("the answer has more than {MAX_BYTES} bytes")))
        }
        false => Ok(value),
    }
}

fn told(block: &ContentBlock) -> String {
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => thing("image", &image.mime_type, &image.data),
        ContentBlock::Audio(audio) => thing("audio", &audio.mime_type, &audio.data),
        ContentBlock::ResourceLink(link) => {
            let about = link.description.as_deref().or(link.title.as_deref()).unwrap_or(&link.name);
            format!("[{about}: {}]", link.uri)
        }
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("[{uri}]\n{text}"),
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                format!("[{uri}: {}]", thing("file", mime_type.as_deref().unwrap_or("unknown"), blob))
            }
            _ => "[a resource of an unknown kind]".to_owned(),
        },
        _ => "[something of an unknown kind]".to_owned(),
    }
}

/// Something that cannot be read, with its size: three bytes are four signs of base64.
fn thing(what: &str, kind: &str, data: &str) -> String {
    let bytes = data.trim_end_matches('=').len() * 3 / 4;
    format!("[{what}, {kind}, {bytes} bytes]")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn result(value: Value) -> Result<Value, ToolError> {
        value_of(serde_json::from_value(value).unwrap())
    }

    #[test]
    fn structured_content_goes_before_the_text_that_repeats_it() {
        let answer =
            json!({ "content": [{ "type": "text", "text": "{\"n\":1}" }], "structuredContent": { "n": 1 } });
        assert_eq!(result(answer).unwrap(), json!({ "n": 1 }));
    }

    #[test]
    fn what_is_no_text_is_named_beside_the_text() {
        let answer = json!({ "content": [
            { "type": "image", "data": "AAAA", "mimeType": "image/png" },
            { "type": "text", "text": "A cat" },
            { "type": "resource_link", "name": "cat", "uri": "file:///cat.png" },
            { "type": "resource", "resource": { "uri": "note:1", "text": "Purr" } },
            { "type": "resource", "resource": { "uri": "note:2", "blob": "AAA=", "mimeType": "x/y" } },
        ] });
        let told = "A cat\n[image, image/png, 3 bytes]\n[cat: file:///cat.png]\n[note:1]\nPurr\n[note:2: [file, x/y, 2 bytes]]";
        assert_eq!(result(answer).unwrap(), json!(told));
    }

    #[test]
    fn a_failure_of_the_tool_is_told_with_its_words() {
        let answer = json!({ "content": [{ "type": "text", "text": "no such order" }], "isError": true });
        let error = result(answer).unwrap_err();
        assert_eq!((error.code.as_str(), error.message.as_str()), ("mcp_tool_error", "no such order"));
    }

    #[test]
    fn an_answer_that_is_too_large_is_not_taken() {
        let answer = json!({ "content": [{ "type": "text", "text": "x".repeat(MAX_BYTES + 1) }] });
        assert_eq!(result(answer).unwrap_err().code, "answer_too_large");
    }
}
