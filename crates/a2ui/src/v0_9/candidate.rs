//! What the candidate of 1.0 writes differently inside of components.

use forestage_protocol::Fault;
use serde_json::{Map, Value};

/// Writes `{"@path"}` and `{"@call"}` as 0.9 does, and takes one `@` from keys that begin with two.
pub(super) fn as_in_0_9(properties: &mut Map<String, Value>, path: &str) -> Result<(), Fault> {
    for (name, value) in properties {
        rewrite(value, &format!("{path}/{name}"))?;
    }
    Ok(())
}

fn rewrite(value: &mut Value, path: &str) -> Result<(), Fault> {
    match value {
        Value::Array(items) => items
            .iter_mut()
            .enumerate()
            .try_for_each(|(index, item)| rewrite(item, &format!("{path}/{index}"))),
        Value::Object(members) if members.keys().any(|key| key.starts_with('@')) => {
            *members =
                std::mem::take(members).into_iter().map(|it| renamed(it, path)).collect::<Result<_, _>>()?;
            as_in_0_9(members, path)
        }
        Value::Object(members) => as_in_0_9(members, path),
        _ => Ok(()),
    }
}

fn renamed((key, value): (String, Value), path: &str) -> Result<(String, Value), Fault> {
    let name = match key.strip_prefix('@') {
        None => key,
        Some(rest @ ("path" | "call")) => rest.to_owned(),
        Some(escaped) if escaped.starts_with('@') => escaped.to_owned(),
        Some(_) => {
            let message = format!("`{key}` means nothing; keys with one `@` are `@path` and `@call`");
            return Err(Fault::new("unknown_field", path, message));
        }
    };
    Ok((name, value))
}
