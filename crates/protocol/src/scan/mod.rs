//! A look through JSON text before anything is built from it.
//!
//! A tree costs many times what its text does: two bytes of text can be a value of seventy. And whoever reads a text
//! level by level can be sent more levels than they have room for. So every reader of ours counts first, in one pass
//! that keeps nothing but the way to where it is.
//!
//! The text need not be JSON. Up to the byte at which a parser would give up, the counts are the parser's.

mod names;
mod walk;

use std::borrow::Cow;

use self::{
    names::{Names, meant},
    walk::{Token, Walker, walk},
};
use crate::notice::Fault;

/// How many levels of arrays and objects a JSON text from outside may have: request bodies, frames, files, and the free
/// values of protobuf.
pub const MAX_DEPTH: usize = 100;

/// The same for the text of an event. An event is wrapped around what somebody sent, so it has some levels more.
pub const MAX_EVENT_DEPTH: usize = MAX_DEPTH + 8;

/// What a text may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Levels of arrays and objects.
    pub depth: usize,
    /// Values: every element of an array, every member of an object, and the text itself.
    pub values: usize,
    /// Elements of arrays that are called `messages`.
    pub messages: usize,
}

impl Limits {
    /// A limit for the depth alone.
    #[must_use]
    pub const fn depth(depth: usize) -> Self {
        Self { depth, values: usize::MAX, messages: usize::MAX }
    }
}

/// What a text holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Levels of arrays and objects.
    pub depth: usize,
    /// Values: every element of an array, every member of an object, and the text itself.
    pub values: usize,
    /// Elements of arrays that are called `messages`.
    pub messages: usize,
}

/// What there is too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Excess {
    /// Levels.
    #[error("the JSON is nested deeper than {limit} levels, at byte {at}")]
    Depth {
        /// How many are allowed.
        limit: usize,
        /// Where the first one too many begins.
        at: usize,
    },
    /// Values.
    #[error("the JSON has more than {limit} values")]
    Values {
        /// How many are allowed.
        limit: usize,
    },
    /// Messages.
    #[error("there are more than {limit} messages")]
    Messages {
        /// How many are allowed.
        limit: usize,
    },
}

impl Excess {
    /// A stable name for programs.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Depth { .. } => "too_deep",
            Self::Values { .. } => "too_many_values",
            Self::Messages { .. } => "too_many_messages",
        }
    }
}

impl From<Excess> for Fault {
    fn from(excess: Excess) -> Self {
        Self::new(excess.code(), "", excess.to_string())
    }
}

/// Holds the text of a request, a frame or a file against [`MAX_DEPTH`].
pub fn check_depth(text: &str) -> Result<(), Excess> {
    check_depth_within(text, MAX_DEPTH)
}

/// Holds the text of an event against [`MAX_EVENT_DEPTH`].
pub fn check_event_depth(text: &str) -> Result<(), Excess> {
    check_depth_within(text, MAX_EVENT_DEPTH)
}

fn check_depth_within(text: &str, depth: usize) -> Result<(), Excess> {
    // Each level has two brackets of its own; most events are shorter than that.
    if text.len() <= 2 * depth {
        return Ok(());
    }
    count(text, &Limits::depth(depth)).map(drop)
}

/// Counts what a text holds, up to the first thing that is too much.
pub fn count(text: &str, limits: &Limits) -> Result<Count, Excess> {
    let mut counter = Counter { limits, count: Count::default(), open: Vec::new() };
    walk(text, &mut counter)?;
    Ok(counter.count)
}

/// The first name that an object in the text has twice. What such an object means depends on who reads it.
#[must_use]
pub fn find_repeated_name(text: &str) -> Option<String> {
    walk(text, &mut Repeats::default()).err().map(Cow::into_owned)
}

/// The names in what is open.
#[derive(Default)]
struct Repeats<'a>(Vec<Names<'a>>);

impl<'a> Walker<'a> for Repeats<'a> {
    type Stop = Cow<'a, str>;

    fn take(&mut self, token: Token<'a>) -> Result<(), Cow<'a, str>> {
        match token {
            Token::Open { .. } => self.0.push(Names::default()),
            Token::Close => drop(self.0.pop()),
            Token::Name(quoted) => {
                return self.0.last_mut().map_or(Ok(()), |names| names.add(meant(quoted)));
            }
            Token::Scalar => {}
        }
        Ok(())
    }
}

/// Where arrays and objects are open, and what was counted.
struct Counter<'l> {
    limits: &'l Limits,
    count: Count,
    open: Vec<Open>,
}

/// An array or an object that has not ended.
#[derive(Clone, Copy)]
struct Open {
    /// Whether it is an array of messages.
    holds_messages: bool,
    /// Whether the last name in it was `messages`.
    named_messages: bool,
}

impl<'a> Walker<'a> for Counter<'_> {
    type Stop = Excess;

    fn take(&mut self, token: Token<'a>) -> Result<(), Excess> {
        match token {
            Token::Open { is_array, at } => {
                self.value()?;
                self.open(is_array, at)
            }
            Token::Close => {
                self.open.pop();
                Ok(())
            }
            Token::Scalar => self.value(),
            Token::Name(quoted) => {
                if let Some(around) = self.open.last_mut() {
                    around.named_messages = meant(quoted) == "messages";
                }
                Ok(())
            }
        }
    }
}

impl Counter<'_> {
    fn open(&mut self, is_array: bool, at: usize) -> Result<(), Excess> {
        let limit = self.limits.depth;
        if self.open.len() == limit {
            return Err(Excess::Depth { limit, at });
        }
        let holds_messages = is_array && self.open.last().is_some_and(|around| around.named_messages);
        self.open.push(Open { holds_messages, named_messages: false });
        self.count.depth = self.count.depth.max(self.open.len());
        Ok(())
    }

    fn value(&mut self) -> Result<(), Excess> {
        self.count.values += 1;
        if self.count.values > self.limits.values {
            return Err(Excess::Values { limit: self.limits.values });
        }
        if self.open.last().is_some_and(|around| around.holds_messages) {
            self.count.messages += 1;
            if self.count.messages > self.limits.messages {
                return Err(Excess::Messages { limit: self.limits.messages });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str) -> (usize, usize, usize) {
        let count = count(text, &Limits::depth(usize::MAX)).expect("there are no limits");
        (count.depth, count.values, count.messages)
    }

    #[test]
    fn levels_values_and_messages_are_counted() {
        for (text, expected) in [
            ("", (0, 0, 0)),
            ("7", (0, 1, 0)),
            (r#""a{[b""#, (0, 1, 0)),
            ("[]", (1, 1, 0)),
            (r#"[1,"a",true,null,-0.5e3]"#, (1, 6, 0)),
            (r#"{"a":"b","c":{"d":[[]]}}"#, (4, 5, 0)),
            (r#"{"a\"{":"\\","b" : "\\\""}"#, (1, 3, 0)),
            (r#"{"messages":[{"id":"1"},{"id":"2"}],"b":[1]}"#, (3, 8, 2)),
            (r#"{"input":{"m\u0065ssages" : [[1,2],3]}}"#, (4, 7, 2)),
            (r#"{"a":"messages","b":["messages",[1]]}"#, (3, 6, 0)),
            ("{\"a\":1}\n{\"a\":[2]}", (2, 5, 0)),
        ] {
            assert_eq!(counted(text), expected, "{text}");
        }
    }

    #[test]
    fn a_name_that_comes_twice_is_found_wherever_it_stands() {
        let deep = format!("{}{}", "[".repeat(1000), "]".repeat(1000));
        let many: Vec<_> = (0..40).map(|at| format!(r#""m{at}":{{"a":1}}"#)).collect();
        let many = many.join(",");
        for (text, expected) in [
            (r#"{"a":1,"a":1}"#.to_owned(), Some("a")),
            (r#"[{"b":{"a":1,"\u0061" :2}}]"#.to_owned(), Some("a")),
            (format!(r#"{{"d":{deep},"a":1,"a":2}}"#), Some("a")),
            // No tree could hold these; a reader that passes over them goes on to what follows.
            (r#"{"n":1e999,"a":1,"a":2}"#.to_owned(), Some("a")),
            (r#"{"n":"\ud800","a":1,"a":2}"#.to_owned(), Some("a")),
            (format!(r#"{{{many},"m0":1}}"#), Some("m0")),
            (format!(r#"{{{many},"m39":1}}"#), Some("m39")),
            (format!("{{{many}}}"), None),
            (r#"{"a":{"a":["a","a"]},"b":"a","A":{"a":1}}"#.to_owned(), None),
        ] {
            assert_eq!(find_repeated_name(&text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_json_ends_without_a_word() {
        for text in ["\"", "\"\\", "}}]]", "{\"a", "[1,", "nonsense", ":::", "é\u{0}"] {
            counted(text);
            assert_eq!(find_repeated_name(text), None, "{text}");
        }
    }

    #[test]
    fn the_first_thing_too_many_is_reported() {
        let limits = Limits { depth: 2, values: 5, messages: 1 };
        let wrong = |text| count(text, &limits).expect_err(text).code();
        assert_eq!(count("[[[1]]]", &limits), Err(Excess::Depth { limit: 2, at: 2 }));
        assert!(count("[[1,2,3]]", &limits).is_ok());
        assert_eq!(wrong("[[1,2,3,4]]"), "too_many_values");
        assert_eq!(wrong(r#"{"messages":[1,2]}"#), "too_many_messages");
        assert!(count(r#"{"messages":[1]}"#, &limits).is_ok());
    }

    #[test]
    fn the_last_level_that_is_allowed_is_allowed_at_any_length() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        for depth in [MAX_DEPTH, MAX_EVENT_DEPTH] {
            assert!(check_depth_within(&nested(depth), depth).is_ok());
            assert!(check_depth_within(&nested(depth + 1), depth).is_err());
            assert!(check_depth_within(&"[".repeat(2 * depth), depth).is_ok(), "this is not JSON");
        }
    }

    #[test]
    fn an_event_may_be_deeper_than_a_request() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(check_depth(&nested(MAX_DEPTH)).is_ok() && check_depth(&nested(MAX_DEPTH + 1)).is_err());
        assert!(check_event_depth(&nested(MAX_DEPTH + 1)).is_ok());
        assert!(check_event_depth(&nested(MAX_EVENT_DEPTH + 1)).is_err());
    }
}
