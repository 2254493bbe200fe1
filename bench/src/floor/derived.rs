//! Floor B: what `#[derive(Deserialize)]` with a tag and parsed payloads costs.

use serde::Deserialize;

use super::{
    declare::{derived, with_events},
    one_pass::parsed::{
        Custom, RawEvent, RunFinished, RunStarted, StateDelta, StateSnapshot, StepFinished, StepStarted,
        TextContent, TextEnd, TextStart, ToolArgs, ToolEnd, ToolResult, ToolStart,
    },
};

with_events!(derived);
