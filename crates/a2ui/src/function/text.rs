//! `contains`, `starts_with`, `ends_with`, `capitalize`.

use serde_json::Value;

use super::{Result, args::Args};

pub(super) fn contains(args: Args<'_>) -> Result<Value> {
    Ok(args.text("string")?.contains(&args.text("substring")?).into())
}

pub(super) fn starts_with(args: Args<'_>) -> Result<Value> {
    Ok(args.text("string")?.starts_with(&args.text("prefix")?).into())
}

pub(super) fn ends_with(args: Args<'_>) -> Result<Value> {
    Ok(args.text("string")?.ends_with(&args.text("suffix")?).into())
}

/// The one function of the minimal catalog.
pub(super) fn capitalize(args: Args<'_>) -> Result<Value> {
    let text = args.text("value")?;
    let mut letters = text.chars();
    let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
    Ok(format!("{first}{}", letters.as_str()).into())
}
