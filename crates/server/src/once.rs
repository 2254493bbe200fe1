//! JSON in which nothing is said twice.
//!
//! What a repeated member means depends on who reads it: the first or the last. A server that takes one of them for a
//! person's yes may have been shown the other, so such a text is refused. It is looked for in the text itself, because a
//! reader that keeps a payload unread passes over what a tree could not hold: levels, large numbers, broken escapes.

use forestage_protocol::scan;
use serde_json::Value;

use crate::error::ApiError;

/// Reads a text.
pub(crate) fn read(text: &str) -> Result<Value, ApiError> {
    check(text)?;
    serde_json::from_str(text)
        .map_err(|error| ApiError::bad_request("invalid_json", format!("this is not valid JSON: {error}")))
}

/// Looks through a text that somebody else reads, JSON or not.
pub(crate) fn check(text: &str) -> Result<(), ApiError> {
    match scan::find_repeated_name(text) {
        Some(name) => Err(ApiError::bad_request("invalid_json", format!("twice the member `{name}`"))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_said_once_is_read_as_ever() {
        let text =
            r#"{"a":[1,-2,0.5,true,null,"x\n"],"b":{"a":{}},"18446744073709551615":18446744073709551615}"#;
        assert_eq!(read(text).expect("legal"), serde_json::from_str::<Value>(text).expect("legal"));
    }

    #[test]
    fn a_member_that_comes_twice_is_told() {
        for text in [r#"{"a":1,"a":1}"#, r#"[{"b":{"a":1,"\u0061":2}}]"#] {
            for refused in [read(text).map(drop), check(text)] {
                let refused = refused.expect_err(text);
                assert_eq!((refused.code(), refused.message()), ("invalid_json", "twice the member `a`"));
            }
        }
    }

    #[test]
    fn all_else_is_for_whoever_reads_it() {
        for text in ["", "{", "nonsense", "[]", "7"] {
            assert!(check(text).is_ok(), "{text}");
        }
    }
}
