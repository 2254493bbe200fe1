//! A conversation as a person reads it.

use std::{
    collections::HashMap,
    io::{self, Write},
};

use anstyle::Style;
use forestage_protocol::{
    content::{Content, ContentPart, PartSource},
    id::ToolCallId,
    message::{Message, ToolMessage},
    tool::ToolCall,
};
use serde_json::{Value, to_string, to_string_pretty};

use super::{
    style::{self, BOLD, DIM, ERROR, ID, OWNER},
    text::{safe, safe_lines},
};

/// Writes the messages in order; calls and their results stand under the message that made them.
pub(crate) fn write_conversation(messages: &[Message], out: &mut impl Write) -> io::Result<()> {
    let mut tools: HashMap<&ToolCallId, &str> = HashMap::new();
    for message in messages {
        let calls = message.tool_calls().iter();
        tools.extend(calls.map(|call| (&call.id, call.function.name.as_str())));
        write_message(message, &tools, out)?;
    }
    Ok(())
}

fn write_message(
    message: &Message,
    tools: &HashMap<&ToolCallId, &str>,
    out: &mut impl Write,
) -> io::Result<()> {
    match message {
        Message::Tool(answer) => write_answer(message, answer, tools, out)?,
        Message::Activity(activity) => {
            write_head(message, &activity.activity_type, out)?;
            write_block(&to_string_pretty(&activity.content).unwrap_or_default(), "  ", out)?;
        }
        Message::Reasoning(reasoning) => {
            write_head(message, "", out)?;
            write_styled(&reasoning.content, "  ", DIM, out)?;
        }
        Message::Assistant(assistant) => {
            write_head(message, name(&assistant.name), out)?;
            write_block(assistant.content.as_deref().unwrap_or_default(), "  ", out)?;
            message.tool_calls().iter().try_for_each(|call| write_call(call, out))?;
        }
        Message::User(user) => {
            write_head(message, name(&user.name), out)?;
            write_content(&user.content, "  ", out)?;
        }
        Message::System(system) => {
            write_head(message, name(&system.name), out)?;
            write_block(&system.content, "  ", out)?;
        }
        Message::Developer(developer) => {
            write_head(message, name(&developer.name), out)?;
            write_block(&developer.content, "  ", out)?;
        }
        other => {
            write_head(message, "", out)?;
            write_block(&to_string_pretty(other).unwrap_or_default(), "  ", out)?;
        }
    }
    writeln!(out)
}

fn name(name: &Option<String>) -> &str {
    name.as_deref().unwrap_or_default()
}

/// The answer of a tool stands under the message that called it.
fn write_answer(
    message: &Message,
    answer: &ToolMessage,
    tools: &HashMap<&ToolCallId, &str>,
    out: &mut impl Write,
) -> io::Result<()> {
    let tool = tools.get(&answer.tool_call_id).copied().unwrap_or("an unknown call");
    write!(out, "  ")?;
    write_head(message, &format!("result of {tool}"), out)?;
    write_content(&answer.content, "    ", out)?;
    match &answer.error {
        Some(error) => writeln!(out, "    {ERROR}error{ERROR:#}: {}", safe(error)),
        None => Ok(()),
    }
}

/// Who speaks, under which id, for which subagent.
fn write_head(message: &Message, about: &str, out: &mut impl Write) -> io::Result<()> {
    let style = style::of_role(message.role());
    write!(out, "{style}{}{style:#}", message.role())?;
    if !about.is_empty() {
        write!(out, " {BOLD}{}{BOLD:#}", safe(about))?;
    }
    write!(out, " {DIM}{}{DIM:#}", safe(message.id()))?;
    if let Some(owner) = message.subagent_run_id() {
        write!(out, " {OWNER}@{}{OWNER:#}", safe(owner))?;
    }
    writeln!(out)
}

fn write_call(call: &ToolCall, out: &mut impl Write) -> io::Result<()> {
    let (name, id) = (safe(&call.function.name), safe(&call.id));
    writeln!(out, "  calls {BOLD}{name}{BOLD:#} {ID}{id}{ID:#}")?;
    // Arguments are text; where they are JSON they read better over several lines.
    match serde_json::from_str::<Value>(&call.function.arguments) {
        Ok(arguments) => write_block(&format!("{arguments:#}"), "    ", out),
        Err(_) => write_block(&call.function.arguments, "    ", out),
    }
}

fn write_content(content: &Content, indent: &str, out: &mut impl Write) -> io::Result<()> {
    match content {
        Content::Text(text) => write_block(text, indent, out),
        Content::Parts(parts) => parts.iter().try_for_each(|part| write_part(part, indent, out)),
    }
}

fn write_part(part: &ContentPart, indent: &str, out: &mut impl Write) -> io::Result<()> {
    let (kind, source) = match part {
        ContentPart::Text(part) => return write_block(&part.text, indent, out),
        ContentPart::Image(part) => ("image", &part.source),
        ContentPart::Audio(part) => ("audio", &part.source),
        ContentPart::Video(part) => ("video", &part.source),
        ContentPart::Document(part) => ("document", &part.source),
        other => return write_block(&to_string(other).unwrap_or_default(), indent, out),
    };
    let place = match source {
        PartSource::Data(data) => format!("{}, {} characters of base64", data.mime_type, data.value.len()),
        PartSource::Url(url) => url.value.clone(),
        PartSource::File(file) => format!("file {}", file.value),
        other => to_string(other).unwrap_or_default(),
    };
    writeln!(out, "{indent}{DIM}[{kind}: {}]{DIM:#}", safe(&place))
}

/// Writes text line by line under an indentation.
pub(crate) fn write_block(text: &str, indent: &str, out: &mut impl Write) -> io::Result<()> {
    write_styled(text, indent, Style::new(), out)
}

fn write_styled(text: &str, indent: &str, style: Style, out: &mut impl Write) -> io::Result<()> {
    safe_lines(text).try_for_each(|line| writeln!(out, "{indent}{style}{line}{style:#}"))
}
