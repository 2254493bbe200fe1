//! `add`, `subtract`, `multiply`, `divide`, `greater_than`, `less_than`.

use serde_json::Value;

use super::{
    Result,
    args::{Args, value_of},
};

fn operands(args: Args<'_>) -> Result<(f64, f64)> {
    Ok((args.operand("a")?, args.operand("b")?))
}

pub(super) fn add(args: Args<'_>) -> Result<Value> {
    operands(args).map(|(a, b)| value_of(a + b))
}

pub(super) fn subtract(args: Args<'_>) -> Result<Value> {
    operands(args).map(|(a, b)| value_of(a - b))
}

pub(super) fn multiply(args: Args<'_>) -> Result<Value> {
    operands(args).map(|(a, b)| value_of(a * b))
}

/// Through zero it is infinite, which is null in JSON.
pub(super) fn divide(args: Args<'_>) -> Result<Value> {
    operands(args).map(|(a, b)| value_of(if b == 0.0 { f64::INFINITY } else { a / b }))
}

pub(super) fn greater_than(args: Args<'_>) -> Result<Value> {
    operands(args).map(|(a, b)| (a > b).into())
}

pub(super) fn less_than(args: Args<'_>) -> Result<Value> {
    operands(args).map(|(a, b)| (a < b).into())
}
