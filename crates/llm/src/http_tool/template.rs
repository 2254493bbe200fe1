//! Texts with holes: `{city}` for an argument, `${NAME}` for a secret.

use std::env;

use forestage_runtime::tool::ToolError;
use serde_json::Value;

/// Fills arguments into an address, written so that none of them can change its shape.
pub(super) fn fill(template: &str, arguments: &Value) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, name, after)) = hole(rest) {
        out.push_str(before);
        let value = arguments.get(name).unwrap_or(&Value::Null);
        let text = match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        out.push_str(&encoded(&text));
        rest = after;
    }
    out + rest
}

/// The names of the arguments in a template.
pub(super) fn names(template: &str) -> Vec<&str> {
    let (mut names, mut rest) = (Vec::new(), template);
    while let Some((_, name, after)) = hole(rest) {
        names.push(name);
        rest = after;
    }
    names
}

fn hole(text: &str) -> Option<(&str, &str, &str)> {
    let start = text.find('{')?;
    let end = start + text[start..].find('}')?;
    Some((&text[..start], &text[start + 1..end], &text[end + 1..]))
}

/// A path that is `.` or `..` would climb, so dots that stand alone are written out.
fn encoded(text: &str) -> String {
    let is_dots = !text.is_empty() && text.bytes().all(|byte| byte == b'.');
    let plain = |byte: u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~') || (byte == b'.' && !is_dots)
    };
    text.bytes()
        .map(|byte| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// Fills in secrets from the environment.
pub(crate) fn with_secrets(template: &str) -> Result<String, ToolError> {
    let (mut out, mut rest) = (String::new(), template);
    while let Some(start) = rest.find("${") {
        let Some(length) = rest[start..].find('}') else { break };
        let name = &rest[start + 2..start + length];
        let secret = env::var(name).map_err(|_| {
            ToolError::new(
                "secret_missing",
                format!("the variable `{name}` is not set, which the tool needs"),
            )
        })?;
        out.push_str(&rest[..start]);
        out.push_str(&secret);
        rest = &rest[start + length + 1..];
    }
    Ok(out + rest)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_cannot_change_the_shape_of_an_address() {
        let template = "https://x.example/a/{path}?q={q}&n={n}";
        let arguments = json!({ "path": "../b", "q": "1&admin=true#x", "n": 5 });
        assert_eq!(fill(template, &arguments), "https://x.example/a/..%2Fb?q=1%26admin%3Dtrue%23x&n=5");
        assert_eq!(fill("/{a}/x", &json!({ "a": ".." })), "/%2E%2E/x");
        assert_eq!(names(template), ["path", "q", "n"]);
    }
}
