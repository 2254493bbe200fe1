//! One line per event: where it stands, what it is, what it says, whose it is.

use std::io::{self, Write};

use serde_json::Value;

use super::{
    style::{self, DIM, ID, OWNER},
    text::{brief, counted, excerpt, excerpt_of},
};

/// As wide as the longest type of an event.
const TYPE_WIDTH: usize = 25;

/// How a member is shown.
enum Show {
    /// As an id.
    Id,
    /// As it is.
    Word,
    /// As an excerpt.
    Brief,
    /// By how many there are.
    Count(&'static str),
    /// By its type.
    Type,
}

/// What is worth showing of an event, in this order. The same names mean the same on all events.
const MEMBERS: &[(&str, Show)] = &[
    ("threadId", Show::Id),
    ("runId", Show::Id),
    ("messageId", Show::Id),
    ("toolCallId", Show::Id),
    ("entityId", Show::Id),
    ("subtype", Show::Word),
    ("activityType", Show::Word),
    ("stepName", Show::Word),
    ("toolCallName", Show::Word),
    ("source", Show::Word),
    ("name", Show::Word),
    ("role", Show::Word),
    ("protocolVersion", Show::Word),
    ("code", Show::Word),
    ("message", Show::Brief),
    ("delta", Show::Brief),
    ("content", Show::Brief),
    ("patch", Show::Brief),
    ("snapshot", Show::Brief),
    ("event", Show::Brief),
    ("value", Show::Brief),
    ("messages", Show::Count("message")),
    ("outcome", Show::Type),
    ("result", Show::Brief),
];

/// Writes the line of an event, which may be anything that came as one.
pub(crate) fn write_event(index: usize, event: &Value, out: &mut impl Write) -> io::Result<()> {
    write_line(&format!("{index:>5}"), event, out)?;
    writeln!(out)
}

/// Writes the line of an event that happened: when, what, and the place behind it.
pub(crate) fn write_timed(time: &str, event: &Value, place: &str, out: &mut impl Write) -> io::Result<()> {
    write_line(time, event, out)?;
    writeln!(out, " {DIM}{place}{DIM:#}")
}

fn write_line(lead: &str, event: &Value, out: &mut impl Write) -> io::Result<()> {
    let name = event.get("type").and_then(Value::as_str).unwrap_or("?");
    write_badge(lead, name, out)?;
    for (member, show) in MEMBERS {
        if let Some(value) = event.get(member) {
            write_member(value, show, out)?;
        }
    }
    if let Some(owner) = event.get("subagentRunId").and_then(Value::as_str) {
        write!(out, " {OWNER}@{}{OWNER:#}", excerpt(owner))?;
    }
    Ok(())
}

/// Writes the line of something that is no event.
pub(crate) fn write_other(index: usize, what: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{DIM}{index:>5}{DIM:#}  {}", excerpt(what))
}

fn write_badge(lead: &str, name: &str, out: &mut impl Write) -> io::Result<()> {
    let style = style::of_event(name);
    let name = excerpt_of(name, TYPE_WIDTH);
    write!(out, "{DIM}{lead}{DIM:#}  {style} {name:<TYPE_WIDTH$} {style:#}")
}

fn write_member(value: &Value, show: &Show, out: &mut impl Write) -> io::Result<()> {
    match (show, value) {
        (Show::Id, Value::String(id)) => write!(out, " {ID}{}{ID:#}", excerpt(id)),
        (Show::Word, Value::String(word)) => write!(out, " {}", excerpt(word)),
        (Show::Count(noun), Value::Array(items)) => write!(out, " {}", counted(items.len(), noun)),
        (Show::Type, Value::Object(object)) if object.contains_key("type") => {
            write!(out, " {}", brief(&object["type"]))
        }
        (_, value) => write!(out, " {DIM}{}{DIM:#}", brief(value)),
    }
}
