//! How much one patch may do to a document.
//!
//! A patch comes from an agent or a client, and a few hundred bytes of it can
//! ask for gigabytes: twenty `copy` operations that double the document each.

use serde_json::Value;

use super::error::PatchErrorKind;
use super::pointer::Pointer;

/// Bounds that [`Patch::apply_with`](super::Patch::apply_with) enforces.
///
/// They protect the folding process; the defaults are far above what
/// interactive state needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Operations in one patch; 10 000 by default.
    pub max_operations: usize,
    /// Containers around the innermost value once something was inserted or
    /// moved; 128 by default. Only the inserted value and its own path count,
    /// so the check never walks the rest of the document.
    pub max_depth: usize,
    /// Bytes of JSON, approximately, that the `add`, `replace` and `copy`
    /// operations of one patch insert together; 64 MiB by default. Deleting
    /// gives nothing back.
    pub max_growth: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_operations: 10_000, max_depth: 128, max_growth: 64 * 1024 * 1024 }
    }
}

/// What is left of the limits while a patch applies.
pub(super) struct Budget {
    depth: usize,
    growth: usize,
}

impl Budget {
    pub(super) fn new(limits: &Limits) -> Budget {
        Budget { depth: limits.max_depth, growth: limits.max_growth }
    }

    /// Pays for a copy of `value` at `path`.
    pub(super) fn insert(&mut self, path: &Pointer, value: &Value) -> Result<(), PatchErrorKind> {
        let depth = self.depth_below(path)?;
        spend(value, depth, &mut self.growth)
    }

    /// Checks that `value` may move to `path`; it takes no new space.
    pub(super) fn nest(&self, path: &Pointer, value: &Value) -> Result<(), PatchErrorKind> {
        let mut unlimited = usize::MAX;
        spend(value, self.depth_below(path)?, &mut unlimited)
    }

    fn depth_below(&self, path: &Pointer) -> Result<usize, PatchErrorKind> {
        let below = self.depth.checked_sub(path.depth());
        below.ok_or(PatchErrorKind::TooDeep)
    }
}

/// Subtracts the approximate size of `value`, stopping where a limit is hit, so
/// that refusing a huge value costs no more than the limit allows.
fn spend(value: &Value, depth: usize, growth: &mut usize) -> Result<(), PatchErrorKind> {
    pay(own_size(value), growth)?;
    match value {
        Value::Array(items) => {
            let depth = depth.checked_sub(1).ok_or(PatchErrorKind::TooDeep)?;
            items.iter().try_for_each(|item| spend(item, depth, growth))
        }
        Value::Object(members) => {
            let depth = depth.checked_sub(1).ok_or(PatchErrorKind::TooDeep)?;
            members.iter().try_for_each(|(name, value)| {
                pay(name.len() + 4, growth)?;
                spend(value, depth, growth)
            })
        }
        _ => Ok(()),
    }
}

fn pay(size: usize, growth: &mut usize) -> Result<(), PatchErrorKind> {
    let left = growth.checked_sub(size);
    *growth = left.ok_or(PatchErrorKind::TooLarge)?;
    Ok(())
}

/// The size without children: exact for what is common, a guess for numbers.
fn own_size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) => 4,
        Value::Number(_) => 8,
        Value::String(text) => text.len() + 2,
        Value::Array(items) => items.len() + 2,
        Value::Object(_) => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Operation, Patch};
    use super::*;
    use serde_json::json;

    fn at(text: &str) -> Pointer {
        Pointer::parse(text).expect("valid")
    }

    fn nested(depth: usize) -> Value {
        (0..depth).fold(Value::Null, |inner, _| json!([inner]))
    }

    fn check(operations: Vec<Operation>, limits: Limits, expected: Result<(), PatchErrorKind>) {
        let before = json!({"a": {"b": [1, 2, 3]}, "text": "0123456789"});
        let mut document = before.clone();
        let verdict = Patch(operations).apply_with(&mut document, &limits);
        assert!(verdict.is_ok() || document == before);
        assert_eq!(verdict.map_err(|error| error.kind), expected);
    }

    #[test]
    fn the_number_of_operations_is_bounded() {
        let limits = Limits { max_operations: 2, ..Limits::default() };
        let test = || Operation::test(at("/text"), "0123456789");
        check(vec![test(), test()], limits, Ok(()));
        check(vec![test(), test(), test()], limits, Err(PatchErrorKind::TooManyOperations));
    }

    #[test]
    fn nesting_counts_the_path_and_the_inserted_value() {
        let limits = Limits { max_depth: 4, ..Limits::default() };
        let deep = Err(PatchErrorKind::TooDeep);
        check(vec![Operation::add(at("/a/b/-"), nested(1))], limits, Ok(()));
        check(vec![Operation::add(at("/a/b/-"), nested(2))], limits, deep);
        check(vec![Operation::add(at("/a/a name of any length"), nested(2))], limits, Ok(()));
        check(vec![Operation::add(at("/a/a name of any length"), nested(3))], limits, deep);
        check(vec![Operation::replace(at(""), nested(4))], limits, Ok(()));
        check(vec![Operation::replace(at(""), nested(5))], limits, deep);
        check(vec![Operation::copy(at("/a"), at("/a/x"))], limits, Ok(()));
        check(vec![Operation::copy(at(""), at("/a/x"))], limits, deep);
    }

    #[test]
    fn a_move_is_measured_only_when_it_goes_deeper() {
        let limits = Limits { max_depth: 3, ..Limits::default() };
        let down =
            vec![Operation::add(at("/c"), json!({"d": {}})), Operation::move_from(at("/a"), at("/c/d/a"))];
        check(down, limits, Err(PatchErrorKind::TooDeep));
        let up = vec![Operation::move_from(at("/a/b"), at("/b"))];
        check(up, limits, Ok(()));
        let aside = vec![Operation::move_from(at("/a"), at("/z"))];
        check(aside, Limits { max_depth: 1, ..limits }, Ok(()));
    }

    #[test]
    fn copies_cannot_double_without_end() {
        let limits = Limits { max_depth: usize::MAX, max_growth: 1 << 20, ..Limits::default() };
        let double = || Operation::copy(at("/a"), at("/a/b/-"));
        let times = |n: usize| std::iter::repeat_with(double).take(n).collect();
        check(times(10), limits, Ok(()));
        check(times(60), limits, Err(PatchErrorKind::TooLarge));
    }

    #[test]
    fn growth_adds_up_over_the_patch() {
        let limits = Limits { max_growth: 24, ..Limits::default() };
        let add = || Operation::add(at("/text"), "0123456789");
        check(vec![add(), add()], limits, Ok(()));
        check(vec![add(), Operation::remove(at("/a")), add(), add()], limits, Err(PatchErrorKind::TooLarge));
    }

    #[test]
    fn sizes_are_close_to_the_written_json() {
        for value in [
            json!({"name": "Ada", "tags": ["x", "y"], "ok": true, "none": null}),
            json!(vec!["x"; 50]),
            json!("x".repeat(50)),
        ] {
            let mut growth = 1000;
            spend(&value, 9, &mut growth).expect("room enough");
            let written = value.to_string().len();
            assert!((1000 - growth).abs_diff(written) <= 8, "{written}");
        }
    }
}
