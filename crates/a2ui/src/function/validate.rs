//! `required`, `regex`, `length`, `numeric`, `email`.

use serde_json::Value;

use super::{Result, args::Args, regex as pattern};

pub(super) fn required(args: Args<'_>) -> Result<Value> {
    let is_empty = match args.needed("value")? {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        _ => false,
    };
    Ok((!is_empty).into())
}

pub(super) fn regex(args: Args<'_>) -> Result<Value> {
    pattern::is_match(&args.text("pattern")?, &args.text("value")?).map(Value::from)
}

/// Texts are measured in UTF-16, as in JavaScript. What has no length is 0 long.
pub(super) fn length(args: Args<'_>) -> Result<Value> {
    let length = match args.needed("value")? {
        Value::String(text) => text.encode_utf16().count(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    is_within(args, length as f64)
}

pub(super) fn numeric(args: Args<'_>) -> Result<Value> {
    is_within(args, args.number("value")?)
}

fn is_within(args: Args<'_>, number: f64) -> Result<Value> {
    let (least, most) = (args.optional_number("min")?, args.optional_number("max")?);
    if least.is_none() && most.is_none() {
        return Err(args.wrong("min", "given, or `max`"));
    }
    let is_within = least.is_none_or(|least| number >= least) && most.is_none_or(|most| number <= most);
    Ok(is_within.into())
}

/// `^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$`
pub(super) fn email(args: Args<'_>) -> Result<Value> {
    let text = args.text("value")?;
    let parts = text.rsplit_once('@').and_then(|(name, host)| Some((name, host.rsplit_once('.')?)));
    let is_email = parts.is_some_and(|(name, (host, country))| {
        let all = |text: &str, others: &str| {
            !text.is_empty()
                && text.chars().all(|letter| letter.is_ascii_alphanumeric() || others.contains(letter))
        };
        let is_country = country.len() >= 2 && country.bytes().all(|byte| byte.is_ascii_alphabetic());
        all(name, "._%+-") && all(host, ".-") && is_country
    });
    Ok(is_email.into())
}
