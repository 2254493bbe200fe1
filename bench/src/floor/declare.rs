//! The events of our stream, once; the floors differ in how they read them and what a payload is.

/// Hands the table of events to a macro.
macro_rules! with_events {
    ($use:ident) => {
        $use! {
            "TEXT_MESSAGE_CONTENT" TextContent { message_id: String, delta: String }
            "TEXT_MESSAGE_START" TextStart { message_id: String, role: Option<String> }
            "TEXT_MESSAGE_END" TextEnd { message_id: String }
            "TOOL_CALL_ARGS" ToolArgs { tool_call_id: String, delta: String }
            "TOOL_CALL_START" ToolStart {
                tool_call_id: String, tool_call_name: String, parent_message_id: Option<String>
            }
            "TOOL_CALL_END" ToolEnd { tool_call_id: String }
            "TOOL_CALL_RESULT" ToolResult {
                message_id: String, tool_call_id: String, content: String, role: Option<String>
            }
            "STATE_SNAPSHOT" StateSnapshot { snapshot: Payload }
            "STATE_DELTA" StateDelta { delta: Patch }
            "CUSTOM" Custom { name: String, value: Payload }
            "RAW" RawEvent { event: Payload, source: Option<String> }
            "STEP_STARTED" StepStarted { step_name: String }
            "STEP_FINISHED" StepFinished { step_name: String }
            "RUN_STARTED" RunStarted { thread_id: String, run_id: String, protocol_version: Option<String> }
            "RUN_FINISHED" RunFinished { thread_id: String, run_id: String, usage: Option<Payload> }
        }
    };
}
pub(super) use with_events;

/// A struct per event, with `Payload`, `Patch` and `Metadata` as the caller's module has them.
macro_rules! structs {
    ($($tag:literal $name:ident { $($field:ident: $type:ty),* })*) => {$(
        #[derive(Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub(crate) struct $name {
            $(pub(crate) $field: $type,)*
            #[serde(skip_serializing_if = "Option::is_none")]
            timestamp: Option<i64>,
            #[serde(skip_serializing_if = "Option::is_none")]
            pub(crate) metadata: Option<Metadata>,
        }
    )*};
}
pub(super) use structs;

/// An enum that is written by serde's derive and read in one pass: `type` first, then the members.
macro_rules! one_pass {
    ($($tag:literal $name:ident { $($field:ident: $type:ty),* })*) => {
        #[derive(Serialize)]
        #[serde(tag = "type")]
        pub(crate) enum Event {
            $(#[serde(rename = $tag)] $name($name),)*
        }

        impl<'de> Deserialize<'de> for Event {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct EventVisitor;
                impl<'de> Visitor<'de> for EventVisitor {
                    type Value = Event;
                    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                        out.write_str("an event")
                    }
                    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Event, A::Error> {
                        let Some(("type", tag)) = map.next_entry::<&str, &str>()? else {
                            return Err(A::Error::custom("`type` comes first"));
                        };
                        let members = MapAccessDeserializer::new(map);
                        match tag {
                            $($tag => $name::deserialize(members).map(Event::$name),)*
                            _ => Err(A::Error::custom("not an event of our stream")),
                        }
                    }
                }
                deserializer.deserialize_map(EventVisitor)
            }
        }
    };
}
pub(super) use one_pass;

/// An enum that serde's derive reads.
macro_rules! derived {
    ($($tag:literal $name:ident { $($field:ident: $type:ty),* })*) => {
        #[derive(Deserialize)]
        #[serde(tag = "type")]
        #[expect(dead_code, reason = "it is read to measure reading")]
        pub(crate) enum Event {
            $(#[serde(rename = $tag)] $name($name),)*
        }
    };
}
pub(super) use derived;
