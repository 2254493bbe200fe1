//! `and`, `or`, `not`, `equals`, `not_equals`.

use serde_json::Value;

use super::{
    Result,
    args::{Args, is_truthy},
};

pub(super) fn and(args: Args<'_>) -> Result<Value> {
    Ok(values(args)?.iter().all(is_truthy).into())
}

pub(super) fn or(args: Args<'_>) -> Result<Value> {
    Ok(values(args)?.iter().any(is_truthy).into())
}

fn values<'a>(args: Args<'a>) -> Result<&'a [Value]> {
    let values = args.needed("values")?.as_array().filter(|values| values.len() >= 2);
    values.map(Vec::as_slice).ok_or_else(|| args.wrong("values", "a list of two values or more"))
}

pub(super) fn not(args: Args<'_>) -> Result<Value> {
    Ok((!is_truthy(args.needed("value")?)).into())
}

pub(super) fn equals(args: Args<'_>) -> Result<Value> {
    Ok(is_equal(args.needed("a")?, args.needed("b")?).into())
}

pub(super) fn not_equals(args: Args<'_>) -> Result<Value> {
    Ok((!is_equal(args.needed("a")?, args.needed("b")?)).into())
}

/// Numbers by what they are worth. Lists and objects by what they hold: there is no identity to compare.
fn is_equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}
