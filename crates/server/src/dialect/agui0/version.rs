//! Which AG-UI a client reads.
//!
//! A client of 1.0 states it. The lines before it state nothing, so what is known about one comes from `?protocol=` in the
//! address.

use forestage_protocol::input::RunAgentInput;

use crate::error::ApiError;

/// The protocol that an answer is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// AG-UI 1.0, as it is in the log.
    Current,
    /// A line of 0.0.x.
    Older(Line),
}

impl Protocol {
    /// Decides by what the input states, then by the address. Nothing else in a request proves a version: histories are
    /// handed from one client to another.
    pub(crate) fn of(input: &RunAgentInput, asked: Option<Self>) -> Self {
        let stated = input.protocol_version.as_deref().and_then(Self::parse);
        stated.unwrap_or_else(|| Self::or_unstated(asked))
    }

    /// Decides for a request without an input.
    pub(crate) fn or_unstated(asked: Option<Self>) -> Self {
        asked.unwrap_or(Self::Older(Line::UNSTATED))
    }

    /// Reads `?protocol=`.
    pub(crate) fn asked(text: Option<&str>) -> Result<Option<Self>, ApiError> {
        let Some(text) = text else { return Ok(None) };
        let unknown = || {
            ApiError::bad_request("invalid_query", format!("`{text}` is not a version of AG-UI"))
                .at("protocol")
                .hint("use `1.0`, or the version of your `@ag-ui/client`, such as `0.0.53`")
        };
        Self::parse(text).map(Some).ok_or_else(unknown)
    }

    /// Reads `1.0` (or any later version, which a server of 1.0 answers in 1.0) and `0.0.N`.
    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split('.').map(|number| number.parse::<u32>().ok());
        let (major, minor) = (numbers.next()??, numbers.next().unwrap_or(Some(0))?);
        let patch = numbers.next().unwrap_or(Some(0))?;
        match (major, minor, numbers.next()) {
            (0, 0, None) => Some(Self::Older(Line::stated(patch))),
            (1.., _, None) => Some(Self::Current),
            _ => None,
        }
    }

    /// The line, if it is an older one.
    pub(crate) fn line(self) -> Option<Line> {
        match self {
            Self::Current => None,
            Self::Older(line) => Some(line),
        }
    }
}

/// The versions 0.0.x of the official client, as far as they read different things.
///
/// Every method names one difference, with the version that brought it, so that what is written never has to ask for a
/// version by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The last number of the version.
    patch: u32,
    /// Whether the client, or who set it up, has said so.
    is_stated: bool,
}

/// How reasoning is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reasoning {
    /// As `RAW`, which no page shows.
    Raw,
    /// As `THINKING_*`, which has no ids: one at a time.
    Thinking,
    /// As in 1.0.
    AsIs,
}

/// How the parts of a message are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// The text among them.
    Text,
    /// `text` and `binary`.
    Binary,
    /// By their kind, as in 1.0.
    Media,
}

impl Line {
    /// What CopilotKit since 1.52 and assistant-ui read, whichever of their versions it is.
    pub const UNSTATED: Self = Self { patch: 45, is_stated: false };

    /// The line of a version 0.0.N that was stated.
    #[must_use]
    pub const fn stated(patch: u32) -> Self {
        Self { patch, is_stated: true }
    }

    /// Up to 0.0.36, only `RAW` may come between the start and the end of a text or a call, and a stream has one run.
    pub(super) fn is_serial(self) -> bool {
        self.patch <= 36
    }

    /// From 0.0.37 on a text may be somebody else's than the assistant's, and the input of a run is read.
    pub(super) fn has_roles(self) -> bool {
        self.patch >= 37
    }

    /// Up to 0.0.37, clients treat an HTTP error as an empty run and report nothing.
    pub(crate) fn ignores_http_errors(self) -> bool {
        self.is_stated && self.patch <= 37
    }

    pub(super) fn reasoning(self) -> Reasoning {
        match self.patch {
            ..=36 => Reasoning::Raw,
            37..=44 => Reasoning::Thinking,
            _ => Reasoning::AsIs,
        }
    }

    /// From 0.0.41 on there are activities.
    pub(super) fn has_activities(self) -> bool {
        self.patch >= 41
    }

    pub(super) fn parts(self) -> Parts {
        match self.patch {
            ..=40 => Parts::Text,
            41..=48 => Parts::Binary,
            _ => Parts::Media,
        }
    }

    /// From 0.0.54 on questions are read from the outcome of a run, and answers go into `resume`. A client that was set
    /// up as an older one answers the old way, which an outcome would block.
    pub(super) fn has_outcomes(self) -> bool {
        !self.is_stated || self.patch >= 54
    }

    /// From 0.0.59 on there are subagents, with steps of their own.
    pub(super) fn has_subagents(self) -> bool {
        self.patch >= 59
    }

    /// From 0.0.59 on a run may follow one that failed.
    pub(super) fn goes_on_after_errors(self) -> bool {
        self.patch >= 59
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn input(more: Value) -> RunAgentInput {
        let mut input = json!({ "threadId": "t", "runId": "r", "messages": [] });
        input.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        serde_json::from_value(input).expect("an input")
    }

    fn line(more: Value) -> Line {
        Protocol::of(&input(more), None).line().expect("an older line")
    }

    #[test]
    fn the_input_decides_before_the_address_and_the_address_before_the_default() {
        let stated = input(json!({ "protocolVersion": "1.0" }));
        let asked = Protocol::asked(Some("0.0.36")).expect("a version");
        assert_eq!(Protocol::of(&stated, asked), Protocol::Current);
        let silent = input(json!({}));
        assert_eq!(Protocol::of(&silent, asked), Protocol::Older(Line::stated(36)));
        assert_eq!(Protocol::of(&silent, None), Protocol::Older(Line::UNSTATED));
    }

    #[test]
    fn versions_are_read_and_anything_else_is_refused() {
        for (text, expected) in [
            ("1.0", Protocol::Current),
            ("1", Protocol::Current),
            ("1.0.0", Protocol::Current),
            ("1.7", Protocol::Current),
            ("0.0.45", Protocol::Older(Line::stated(45))),
        ] {
            assert_eq!(Protocol::asked(Some(text)).expect(text), Some(expected), "{text}");
        }
        for text in ["", "new", "0.1.0", "0.0.x", "0.0.45.1", "-1.0", "1.0-alpha"] {
            assert_eq!(Protocol::asked(Some(text)).expect_err(text).code(), "invalid_query", "{text}");
        }
    }

    #[test]
    fn what_else_a_request_has_says_nothing_about_its_client() {
        let part = json!({ "type": "image", "source": { "type": "url", "value": "http://x/y" } });
        let message =
            json!({ "id": "m", "role": "user", "content": [part], "metadata": {}, "subagentRunId": "s" });
        for more in [
            json!({ "messages": [message] }),
            json!({ "resume": [{ "interruptId": "i", "status": "cancelled" }] }),
            json!({ "protocolVersion": "" }),
            json!({ "protocolVersion": "newest" }),
        ] {
            assert_eq!(line(more), Line::UNSTATED);
        }
        let unreadable = input(json!({ "protocolVersion": "" }));
        let asked = Protocol::asked(Some("0.0.40")).expect("a version");
        assert_eq!(Protocol::of(&unreadable, asked), Protocol::Older(Line::stated(40)));
    }

    #[test]
    fn who_was_set_up_as_an_older_line_gets_no_outcome() {
        assert!(Line::UNSTATED.has_outcomes() && Line::stated(54).has_outcomes());
        assert!(!Line::stated(53).has_outcomes());
    }
}
