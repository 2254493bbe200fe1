//! Patterns of JavaScript, within limits of size and time.

use fancy_regex::RegexBuilder;

use super::{FunctionError, Result};

/// The longest pattern, in bytes.
pub const MAX_PATTERN: usize = 1_000;

/// How often a pattern may try again. Patterns without look-around and back references never do.
const MAX_TRIES: usize = 100_000;

/// How large a pattern may become, in bytes.
const MAX_SIZE: usize = 1 << 20;

/// Whether a pattern occurs in a text.
pub(super) fn is_match(pattern: &str, text: &str) -> Result<bool> {
    if pattern.len() > MAX_PATTERN {
        return Err(failed(format!("it is longer than {MAX_PATTERN} bytes")));
    }
    let regex = RegexBuilder::new(&translated(pattern))
        .backtrack_limit(MAX_TRIES)
        .delegate_size_limit(MAX_SIZE)
        .delegate_dfa_size_limit(MAX_SIZE)
        .build()
        .map_err(|error| failed(error.to_string()))?;
    regex.is_match(text).map_err(|error| failed(error.to_string()))
}

fn failed(reason: String) -> FunctionError {
    FunctionError::Pattern { reason }
}

/// The same pattern in the notation of our engine: digits and letters are ASCII, and brackets do not nest.
fn translated(pattern: &str) -> String {
    let (mut out, mut in_class) = (String::new(), false);
    let mut letters = pattern.chars().peekable();
    while let Some(letter) = letters.next() {
        match (letter, in_class) {
            ('\\', _) => match (letters.next(), in_class) {
                (Some('d'), true) => out.push_str("0-9"),
                (Some('d'), false) => out.push_str("[0-9]"),
                (Some('D'), false) => out.push_str("[^0-9]"),
                (Some('w'), true) => out.push_str("A-Za-z0-9_"),
                (Some('w'), false) => out.push_str("[A-Za-z0-9_]"),
                (Some('W'), false) => out.push_str("[^A-Za-z0-9_]"),
                // Escaped for nothing, which JavaScript allows.
                (Some(other), _) if is_needless(other) => out.push(other),
                (Some(other), _) => out.extend(['\\', other]),
                (None, _) => out.push('\\'),
            },
            ('[', false) => {
                in_class = true;
                out.push_str(class(&mut letters));
                in_class &= !out.ends_with(ANYTHING) && !out.ends_with(NOTHING);
            }
            (']', true) => {
                in_class = false;
                out.push(']');
            }
            ('[' | '&' | '~', true) => out.extend(['\\', letter]),
            _ => out.push(letter),
        }
    }
    out
}

const ANYTHING: &str = r"[\s\S]";
const NOTHING: &str = r"[^\s\S]";

/// The beginning of a class, or the whole of one that is empty.
fn class(letters: &mut std::iter::Peekable<std::str::Chars<'_>>) -> &'static str {
    let is_negated = letters.next_if_eq(&'^').is_some();
    match (letters.next_if_eq(&']').is_some(), is_negated) {
        (true, true) => ANYTHING,
        (true, false) => NOTHING,
        (false, true) => "[^",
        (false, false) => "[",
    }
}

fn is_needless(letter: char) -> bool {
    matches!(letter, '/' | '@' | '"' | '\'' | '`' | '!' | '%' | ',' | ':' | ';' | '=' | '<' | '>' | '_' | ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_mean_what_they_mean_in_javascript() {
        for (pattern, text, expected) in [
            ("b", "abc", true),
            ("^b", "abc", false),
            (r"^\d{5}$", "12345", true),
            (r"^\d+$", "١٢", false),
            (r"^\w+$", "é", false),
            (r"^[\w\d-]+$", "a_1-", true),
            (r"^(?=.*[A-Z])(?=.*\d).{8,}$", "Passw0rd", true),
            (r"^(?=.*[A-Z])(?=.*\d).{8,}$", "password", false),
            (r"(a)\1", "aa", true),
            (r"^https?:\/\/\w+", "https://x", true),
            (r"^[^@]+\@[a-z&&b]+$", "a@b&", true),
            ("[[]", "[", true),
            ("a[^]c", "a\nc", true),
            ("[]", "x", false),
            ("^$", "", true),
            ("a$", "a\n", false),
        ] {
            assert_eq!(is_match(pattern, text), Ok(expected), "{pattern}");
        }
    }

    #[test]
    fn patterns_that_cannot_be_used_say_so() {
        let long = "a".repeat(MAX_PATTERN + 1);
        for (pattern, text) in [("(", ""), (long.as_str(), ""), (r"^(?=((a|aa)+)\1$)b", &"a".repeat(5_000))] {
            let result = is_match(pattern, text);
            assert!(matches!(result, Err(FunctionError::Pattern { .. })), "{pattern}: {result:?}");
        }
        assert!(matches!(is_match("((a{1,999}){1,999}){1,999}", "a"), Err(FunctionError::Pattern { .. })));
    }
}
