//! The 31 events of AG-UI 1.0, one file per family.
//!
//! Each struct is declared once by [`wire!`](crate::wire) in its family's file; the table below lists them.
//! To add an event, write its struct and one line here: the compiler then names every place that has to
//! decide what it means ([`verify`](crate::verify), [`apply`](crate::apply), [`compact`](crate::compact),
//! [`chunks`](crate::chunks)).
//!
//! ```
//! use forestage_protocol::event::{Event, TextMessageContent};
//!
//! let event = Event::from_json(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hi"}"#)?;
//! assert_eq!(event, TextMessageContent::new("m1", "Hi").into());
//! # Ok::<(), forestage_protocol::Fault>(())
//! ```

mod activity;
mod any;
mod base;
mod head;
mod lifecycle;
mod reasoning;
mod special;
mod state;
mod subagent;
mod text_message;
mod tool_call;

pub use self::{
    activity::{ActivityDelta, ActivitySnapshot},
    any::AnyEvent,
    base::Base,
    lifecycle::{RunError, RunFinished, RunStarted, StepFinished, StepStarted},
    reasoning::{
        EncryptedValueSubtype, ReasoningEncryptedValue, ReasoningEnd, ReasoningMessageChunk,
        ReasoningMessageContent, ReasoningMessageEnd, ReasoningMessageStart, ReasoningRole, ReasoningStart,
    },
    special::{Custom, Raw},
    state::{MessagesSnapshot, StateDelta, StateSnapshot},
    subagent::{SubagentError, SubagentFinished, SubagentStarted},
    text_message::{TextMessageChunk, TextMessageContent, TextMessageEnd, TextMessageStart, TextRole},
    tool_call::{ToolCallArgs, ToolCallChunk, ToolCallEnd, ToolCallResult, ToolCallStart, ToolRole},
};

use crate::{
    enforce::{self, Fault},
    id::SubagentRunId,
    wire::{Tagged, Wire, quick},
};

/// Lists the events: `Name arm number attribution;` with the protobuf `oneof` arm, the protobuf type number,
/// and whether the event may carry the tag of a subagent.
macro_rules! events {
    ($($name:ident $arm:literal $number:literal $attribution:ident;)*) => {
        crate::wire::union! {
            /// Any event of AG-UI 1.0.
            enum Event by "type" {
                $(
                    #[doc = concat!("See [`", stringify!($name), "`].")]
                    $name($name),
                )*
            }
        }

        /// The type of an event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum EventType {
            $(
                #[doc = concat!("The type of [`", stringify!($name), "`].")]
                $name,
            )*
        }

        impl EventType {
            /// All types, in the order of the protobuf arms.
            pub const ALL: &'static [EventType] = &[$(EventType::$name),*];

            /// Its wire name, such as `RUN_STARTED`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => <$name as Tagged>::TAG,)*
                }
            }

            /// The type with this wire name.
            #[must_use]
            pub fn parse(text: &str) -> Option<Self> {
                match text {
                    $(text if text == <$name as Tagged>::TAG => Some(Self::$name),)*
                    _ => None,
                }
            }

            /// Its number in the protobuf enumeration of types.
            #[must_use]
            pub const fn number(self) -> i32 {
                match self {
                    $(Self::$name => $number,)*
                }
            }

            pub(crate) fn of<T>(_event: &T) -> Self
            where
                Self: TypeOf<T>,
            {
                <Self as TypeOf<T>>::TYPE
            }
        }

        $(impl TypeOf<$name> for EventType {
            const TYPE: EventType = EventType::$name;
        })*

        impl Event {
            /// Its type.
            #[must_use]
            pub const fn event_type(&self) -> EventType {
                match self {
                    $(Self::$name(_) => EventType::$name,)*
                }
            }

            /// The members that all events share.
            #[must_use]
            pub const fn base(&self) -> &Base {
                match self {
                    $(Self::$name(event) => &event.base,)*
                }
            }

            /// The members that all events share, to be changed.
            pub const fn base_mut(&mut self) -> &mut Base {
                match self {
                    $(Self::$name(event) => &mut event.base,)*
                }
            }

            /// Who an attributable event is from: a subagent, or the parent agent where there is no tag. The
            /// `SUBAGENT_*` events name a subagent but are not said by it, so they have none.
            #[must_use]
            pub const fn attribution(&self) -> Option<&SubagentRunId> {
                match self {
                    $(Self::$name(event) => events!(@attribution $attribution event),)*
                }
            }

            /// Makes an attributable event one of a subagent's, or of the parent agent's. Others stay as they are.
            pub fn attribute(&mut self, to: Option<SubagentRunId>) {
                match self {
                    $(Self::$name(event) => events!(@attribute $attribution event to),)*
                }
            }

            /// Reads a text that is written as we would have written it.
            fn read_written(text: &str) -> Result<Self, quick::Refused> {
                let mut reader = quick::Reader::inside(text, b"{\"type\":")?;
                match &*reader.string()? {
                    $(tag if tag == <$name as Tagged>::TAG => {
                        <$name as Tagged>::read_written(&mut reader).map(Self::$name)
                    })*
                    _ => Err(quick::Refused),
                }
            }

            /// Reads a text of a known type member by member, wherever in it the type stands.
            fn read_as(event_type: EventType, text: &str) -> Result<Self, quick::Refused> {
                match event_type {
                    $(EventType::$name => quick::read(text).map(Self::$name),)*
                }
            }

            pub(crate) fn write_proto(&self, out: &mut Vec<u8>) {
                use crate::codec::proto::put_message;
                match self {
                    $(Self::$name(event) => put_message(event, $arm, out),)*
                }
            }

            pub(crate) fn read_proto(
                arm: u32,
                fields: &mut crate::codec::proto::Fields<'_>,
            ) -> Result<Option<Self>, crate::codec::proto::ProtoError> {
                use crate::codec::proto::Message;
                match arm {
                    $($arm => <$name as Message>::read(fields).map(Self::$name).map(Some),)*
                    _ => Ok(None),
                }
            }
        }
    };
    (@attribution A $event:ident) => { $event.subagent_run_id.as_ref() };
    (@attribute A $event:ident $to:ident) => { $event.subagent_run_id = $to };
    (@attribute B $event:ident $to:ident) => { { let _ = ($event, $to); } };
    (@attribution B $event:ident) => { { let _ = $event; None } };
}

events! {
    TextMessageStart 1 0 A;
    TextMessageContent 2 1 A;
    TextMessageEnd 3 2 A;
    ToolCallStart 4 3 A;
    ToolCallArgs 5 4 A;
    ToolCallEnd 6 5 A;
    StateSnapshot 7 6 A;
    StateDelta 8 7 A;
    MessagesSnapshot 9 8 B;
    Raw 10 9 A;
    Custom 11 10 A;
    RunStarted 12 11 B;
    RunFinished 13 12 B;
    RunError 14 13 B;
    StepStarted 15 14 A;
    StepFinished 16 15 A;
    TextMessageChunk 17 19 A;
    ToolCallChunk 18 20 A;
    SubagentStarted 19 16 B;
    SubagentFinished 20 17 B;
    SubagentError 21 18 B;
    ToolCallResult 22 21 A;
    ActivitySnapshot 23 22 A;
    ActivityDelta 24 23 A;
    ReasoningStart 25 24 A;
    ReasoningMessageStart 26 25 A;
    ReasoningMessageContent 27 26 A;
    ReasoningMessageEnd 28 27 A;
    ReasoningMessageChunk 29 28 A;
    ReasoningEnd 30 29 A;
    ReasoningEncryptedValue 31 30 A;
}

/// Ties an event struct to its type at compile time.
pub(crate) trait TypeOf<T> {
    const TYPE: EventType;
}

impl std::fmt::Display for EventType {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(self.as_str())
    }
}

impl Event {
    /// Reads one event strictly: unknown members, nulls for absent values and unknown types are faults. It is
    /// for events that we wrote: what others send is read by [`enforce::strict`], or by a
    /// [`Reader`](crate::pipeline::Reader), which limit how deep it may be.
    pub fn from_json(text: &str) -> Result<Self, Fault> {
        enforce::strict_at_any_depth(text)
    }

    /// Reads conforming text without a tree in between, so that payloads keep their bytes. Where the type is
    /// not the first member it is looked up first.
    pub(crate) fn read_text(text: &str) -> Result<Self, quick::Refused> {
        Self::read_written(text).or_else(|_| Self::read_any_json(text))
    }

    fn read_any_json(text: &str) -> Result<Self, quick::Refused> {
        if text.trim_ascii_start().starts_with(r#"{"type""#) {
            return quick::read(text);
        }
        let head: head::Head<'_> = quick::read(text)?;
        EventType::parse(&head.0).map_or(Err(quick::Refused), |event_type| Self::read_as(event_type, text))
    }

    /// The event as JSON, `type` first, on one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut out = Vec::with_capacity(160);
        self.write_json(&mut out);
        String::from_utf8(out).expect("JSON is UTF-8")
    }

    /// Appends the event as JSON to a buffer.
    pub fn write_json(&self, out: &mut Vec<u8>) {
        Wire::write_json(self, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the quick way takes, it reads as serde does.
    fn check(text: &str, takes: bool) {
        let written = Event::read_written(text).ok();
        assert_eq!(written.is_some(), takes, "{text}");
        if let Some(written) = written {
            assert_eq!(serde_json::from_str::<Event>(text).expect("legal"), written, "{text}");
        }
    }

    #[test]
    fn members_as_we_write_them_are_told_by_comparing() {
        check(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"é \"\u0061"}"#, true);
        check(r#"{"type":"TEXT_MESSAGE_CONTENT","timestamp":1,"messageId":"m","delta":""}"#, true);
        check(
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"","timestamp":-1,"metadata":{"a":[1]}}"#,
            true,
        );
        check(
            r#"{"type":"TEXT_MESSAGE_CONTENT","timestamp":1,"messageId":"m","delta":"","timestamp":2}"#,
            true,
        );
        check(r#"{"type":"TEXT_MESSAGE_START","messageId":"m","role":"user","subagentRunId":"s"}"#, true);
        check(
            r#"{"type":"TEXT_MESSAGE_CONTENT","metadata":{},"delta":"","timestamp":1,"messageId":"m"}"#,
            true,
        );
        check(r#"{"type":"TEXT_MESSAGE_CONTENT","delta":"a","messageId":"m","delta":"b"}"#, true);
        check(r#"{"type":"CUSTOM","name":"n","value":{"a":12345678901234567890123}}"#, true);
        check(r#"{"type":"CUSTOM","name":"n","value":null,"rawEvent":1.50}"#, true);
        check(r#"{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a","value":1}]}"#, true);
        check(
            r#"{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"text","text":"t"}]}"#,
            true,
        );
    }

    #[test]
    fn anything_else_is_left_to_the_reader_of_any_json() {
        check(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"","other":1}"#, false);
        check(r#"{"type":"TEXT_MESSAGE_CONTENT"}"#, false);
        check(r#"{"type":"TEXT_MESSAGE_CONTENT"},"messageId":"m","delta":""}"#, false);
        check(r#"{"type":"TEXT_MESSAGE_CONTENT", "messageId":"m","delta":""}"#, false);
        check(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":""} "#, false);
        check(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"\ud800"}"#, false);
        check(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"","rawEvent":null}"#, false);
        check(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"","timestamp":1.5}"#, false);
        check(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m"}"#, false);
        check(r#"{"type":"CUSTOM","name":"n","value":}"#, false);
        check(r#"{"messageId":"m","type":"TEXT_MESSAGE_END"}"#, false);
        check(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"","timestamp":"#, false);
        check(r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"","timestamp":01}"#, false);
        check(r#"{"type":"FUTURE"}"#, false);
        check("", false);
    }

    #[test]
    fn both_ways_of_reading_end_at_the_same_depth() {
        for depth in [124, 125, 126, 127] {
            let deep = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            let members =
                [r#""type":"STEP_STARTED","stepName":"s""#, &format!(r#""metadata":{{"a":{deep}}}"#)];
            let [forward, reversed] = [[0, 1], [1, 0]].map(|[one, two]| {
                Event::from_json(&format!("{{{},{}}}", members[one], members[two])).is_ok()
            });
            assert_eq!(forward, reversed, "{depth}");
            assert_eq!(forward, depth < 126, "{depth}");
        }
    }
}
