//! Why a patch was refused.

use super::operation::Operation;
use super::pointer::Pointer;

/// A patch that was refused; the document is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("operation {operation} ({}): {kind}", self.subject())]
pub struct PatchError {
    /// Which operation failed, counted from zero.
    pub operation: usize,
    /// The name of that operation.
    pub op: &'static str,
    /// The pointer that failed: the operation's `from` if its source was at
    /// fault, otherwise its `path`.
    pub path: String,
    /// What went wrong there.
    pub kind: PatchErrorKind,
}

impl PatchError {
    pub(super) fn new(
        position: usize,
        operation: &Operation,
        pointer: &Pointer,
        kind: PatchErrorKind,
    ) -> PatchError {
        PatchError { operation: position, op: operation.op(), path: pointer.to_string(), kind }
    }

    fn subject(&self) -> String {
        match self.path.as_str() {
            "" => format!("{} of the whole document", self.op),
            path => format!("{} {path}", self.op),
        }
    }
}

/// The ways in which an operation can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum PatchErrorKind {
    /// An object on the way, or at the end of it, has no such member.
    #[error("the path does not exist")]
    PathMissing,
    /// The path continues below a string, number, boolean or null.
    #[error("the path leads into a value that is neither object nor array")]
    NotAContainer,
    /// An array is addressed by something other than `-` or a plain number.
    #[error("the path does not name an array index where the document has an array")]
    BadIndex,
    /// The array has no such element, or the insertion would leave a gap.
    #[error("the index lies past the end of the array")]
    IndexOutOfRange,
    /// A `test` found another value than it expected.
    #[error("the value is not the expected one")]
    TestFailed,
    /// A `move` whose target lies inside its source.
    #[error("a value cannot move into itself")]
    MoveIntoItself,
    /// A path through `__proto__` or `constructor/prototype`. Harmless here,
    /// but the official JavaScript client refuses it, and every consumer of a
    /// stream must fold it alike.
    #[error("the path reaches into a JavaScript prototype")]
    ForbiddenPath,
    /// More operations than [`Limits::max_operations`](super::Limits).
    #[error("the patch has more operations than allowed")]
    TooManyOperations,
    /// Deeper nesting than [`Limits::max_depth`](super::Limits).
    #[error("the document would be nested more deeply than allowed")]
    TooDeep,
    /// More insertion than [`Limits::max_growth`](super::Limits).
    #[error("the patch inserts more data than allowed")]
    TooLarge,
}

impl PatchErrorKind {
    /// A stable name for logs, metrics and responses.
    pub fn code(&self) -> &'static str {
        match self {
            PatchErrorKind::PathMissing => "path_missing",
            PatchErrorKind::NotAContainer => "not_a_container",
            PatchErrorKind::BadIndex => "bad_index",
            PatchErrorKind::IndexOutOfRange => "index_out_of_range",
            PatchErrorKind::TestFailed => "test_failed",
            PatchErrorKind::MoveIntoItself => "move_into_itself",
            PatchErrorKind::ForbiddenPath => "forbidden_path",
            PatchErrorKind::TooManyOperations => "too_many_operations",
            PatchErrorKind::TooDeep => "too_deep",
            PatchErrorKind::TooLarge => "too_large",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_the_operation_and_its_pointer() {
        let check = |path: &str, expected: &str| {
            let path = Pointer::parse(path).expect("valid");
            let operation = Operation::remove(path.clone());
            let kind = PatchErrorKind::PathMissing;
            let error = PatchError::new(3, &operation, &path, kind);
            assert_eq!(error.to_string(), expected);
        };
        check("/a/b", "operation 3 (remove /a/b): the path does not exist");
        check("", "operation 3 (remove of the whole document): the path does not exist");
    }
}
