//! Which AG-UI a client reads.
//!
//! A client of 1.0 states it. The lines before it state nothing, so what is known about one comes from `?protocol=` in the
//! address.

use axum::http::StatusCode;
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
    pub(crate) fn of(input: &RunAgentInput, asked: Option<Self>) -> Result<Self, ApiError> {
        match input.protocol_version.as_deref() {
            Some(text) => Self::stated(text),
            None => Ok(Self::or_unstated(asked)),
        }
    }

    /// Decides for a request without an input.
    pub(crate) fn or_unstated(asked: Option<Self>) -> Self {
        asked.unwrap_or(Self::Older(Line::UNSTATED))
    }

    /// Reads `?protocol=`. Somebody has written it there on purpose, so it names a version that is known.
    pub(crate) fn asked(text: Option<&str>) -> Result<Option<Self>, ApiError> {
        let Some(text) = text else { return Ok(None) };
        let unreadable = || ApiError::bad_request("invalid_query", not_a_version(text));
        let read = match Version::parse(text) {
            Some(version) => version.known().ok_or_else(|| {
                ApiError::bad_request(
                    "unsupported_protocol",
                    format!("this server does not know AG-UI {text}"),
                )
            }),
            None => Err(unreadable()),
        };
        let remedy = || {
            format!("{KNOWN}; leave `protocol` out to get the form that every client from 0.0.45 on reads")
        };
        read.map(Some).map_err(|error| error.at("protocol").hint(remedy()))
    }

    /// Reads `protocolVersion`. AG-UI obliges a server to serve every newer minor version of its major one, so a client of
    /// 1.1 gets 1.0, and `RUN_STARTED` says so.
    fn stated(text: &str) -> Result<Self, ApiError> {
        let unsupported = |message: String| {
            ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unsupported_protocol", message)
                .at("protocolVersion")
                .hint(format!("{KNOWN}; a client of a later 1.x gets 1.0"))
        };
        match Version::parse(text) {
            Some(Version { major: 1, .. }) => Ok(Self::Current),
            Some(version) => {
                version.known().ok_or_else(|| unsupported(format!("this server does not know AG-UI {text}")))
            }
            None => Err(unsupported(not_a_version(text))),
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

/// What a version may be, for people.
const KNOWN: &str =
    "known are `1.0`, and the versions 0.0.28, 0.0.30 and 0.0.34 to 0.0.59 of `@ag-ui/client`";

fn not_a_version(text: &str) -> String {
    // What somebody sends is not repeated at any length.
    let shown: String = text.chars().take(40).collect();
    format!("`{shown}` is not a version of AG-UI")
}

/// A version as it is written: `1`, `1.0` or `0.0.53`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Version {
    major: u32,
    minor: u32,
    patch: u32,
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.split('.').map(number);
        let major = numbers.next()??;
        let (minor, patch) = (numbers.next().unwrap_or(Some(0))?, numbers.next().unwrap_or(Some(0))?);
        numbers.next().is_none().then_some(Self { major, minor, patch })
    }

    /// Returns the protocol, if the version was published.
    fn known(self) -> Option<Protocol> {
        match (self.major, self.minor, self.patch) {
            (1, 0, 0) => Some(Protocol::Current),
            (0, 0, patch @ (28 | 30 | 34..=59)) => Some(Protocol::Older(Line::stated(patch))),
            _ => None,
        }
    }
}

/// Reads digits and nothing else: `parse` alone accepts a sign.
fn number(text: &str) -> Option<u32> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
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

    /// Where there are no outcomes, a page may look for nothing but text.
    pub(crate) fn shows_questions_as_text(self) -> bool {
        !self.has_outcomes()
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
        Protocol::of(&input(more), None).expect("known").line().expect("an older line")
    }

    #[test]
    fn the_input_decides_before_the_address_and_the_address_before_the_default() {
        let stated = input(json!({ "protocolVersion": "1.0" }));
        let asked = Protocol::asked(Some("0.0.36")).expect("a version");
        assert_eq!(Protocol::of(&stated, asked).expect("known"), Protocol::Current);
        let silent = input(json!({}));
        assert_eq!(Protocol::of(&silent, asked).expect("known"), Protocol::Older(Line::stated(36)));
        assert_eq!(Protocol::of(&silent, None).expect("known"), Protocol::Older(Line::UNSTATED));
    }

    #[test]
    fn an_address_names_a_version_that_was_published() {
        for (text, expected) in [
            ("1.0", Protocol::Current),
            ("1", Protocol::Current),
            ("1.0.0", Protocol::Current),
            ("0.0.28", Protocol::Older(Line::stated(28))),
            ("0.0.34", Protocol::Older(Line::stated(34))),
            ("0.0.45", Protocol::Older(Line::stated(45))),
            ("0.0.59", Protocol::Older(Line::stated(59))),
        ] {
            assert_eq!(Protocol::asked(Some(text)).expect(text), Some(expected), "{text}");
        }
        let unknown = ["1.1", "1.0.1", "2.0", "0", "0.0", "0.0.0", "0.0.29", "0.0.33", "0.0.60", "0.1.0"];
        for text in unknown {
            let error = Protocol::asked(Some(text)).expect_err(text);
            assert_eq!(error.code(), "unsupported_protocol", "{text}");
            let told = error.to_value();
            assert_eq!(told["error"]["path"], "protocol");
            assert!(told["error"]["hint"].as_str().is_some_and(|hint| hint.contains("0.0.34 to 0.0.59")));
        }
        for text in ["", "new", "0.0.x", "0.0.45.1", "-1.0", "+1.0", "1.0-alpha", "1.", "0.0.99999999999"] {
            assert_eq!(Protocol::asked(Some(text)).expect_err(text).code(), "invalid_query", "{text}");
        }
    }

    #[test]
    fn an_input_may_state_any_1_x_and_no_other_version_that_is_not_known() {
        for (text, expected) in [
            ("1.0", Protocol::Current),
            ("1.1", Protocol::Current),
            ("1.27", Protocol::Current),
            ("0.0.53", Protocol::Older(Line::stated(53))),
        ] {
            let stated = input(json!({ "protocolVersion": text }));
            assert_eq!(Protocol::of(&stated, None).expect(text), expected, "{text}");
        }
        let asked = Protocol::asked(Some("0.0.40")).expect("a version");
        for text in ["2.0", "0.0.60", "0.1", "", "newest"] {
            let stated = input(json!({ "protocolVersion": text }));
            let error = Protocol::of(&stated, asked).expect_err(text);
            assert_eq!(error.code(), "unsupported_protocol", "{text}");
            assert_eq!(error.to_value()["error"]["path"], "protocolVersion");
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
        ] {
            assert_eq!(line(more), Line::UNSTATED);
        }
    }

    #[test]
    fn who_was_set_up_as_an_older_line_gets_no_outcome() {
        assert!(Line::UNSTATED.has_outcomes() && Line::stated(54).has_outcomes());
        assert!(!Line::stated(53).has_outcomes());
    }
}
