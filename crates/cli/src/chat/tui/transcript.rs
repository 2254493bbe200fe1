//! A conversation as lines: messages, thoughts, cards for tools and activities, how it ended.

use std::collections::HashMap;

use forestage_protocol::{
    apply::{RunEnd, ThreadView},
    id::ToolCallId,
    message::{Message, ToolMessage},
    tool::ToolCall,
};
use ratatui::{
    style::{Color, Modifier, Style},
    text::{Line, Span},
};
use serde_json::Value;

use super::{markdown, wrap::wrap};
use crate::output::{Drawn, draw_activity, excerpt, safe, safe_text};

/// A card never shows more lines than this.
const CARD_LINES: usize = 8;

pub(super) const QUIET: Style = Style::new().fg(Color::DarkGray);
const USER: Style = Style::new().fg(Color::Green).add_modifier(Modifier::BOLD);
const TOOL: Style = Style::new().fg(Color::Yellow);
const ACTIVITY: Style = Style::new().fg(Color::Cyan);
const FAILED: Style = Style::new().fg(Color::Red).add_modifier(Modifier::BOLD);

/// The answers of tools, by call.
type Answers<'v> = HashMap<&'v ToolCallId, &'v ToolMessage>;

/// The last lines of a conversation at this width: as many as are wanted, or all there are. Earlier messages are
/// not looked at, so that a long conversation is drawn as fast as a short one.
pub(super) fn last_lines(view: &ThreadView, width: usize, wanted: usize) -> Vec<Line<'static>> {
    let messages: Vec<&Message> = view.messages().collect();
    let answers: Answers<'_> = messages.iter().filter_map(|message| answer(message)).collect();
    let mut end = Vec::new();
    write_end(view.end(), &mut end);
    let mut blocks = vec![wrap(end, width)];
    let mut count = blocks[0].len();
    for message in messages.into_iter().rev() {
        if count >= wanted {
            break;
        }
        let mut lines = Vec::new();
        write_message(message, &answers, &mut lines);
        if !lines.is_empty() {
            lines.push(Line::default());
            blocks.push(wrap(lines, width));
            count += blocks.last().map_or(0, Vec::len);
        }
    }
    blocks.into_iter().rev().flatten().collect()
}

fn answer(message: &Message) -> Option<(&ToolCallId, &ToolMessage)> {
    match message {
        Message::Tool(answer) => Some((&answer.tool_call_id, answer)),
        _ => None,
    }
}

fn write_message(message: &Message, answers: &Answers<'_>, lines: &mut Vec<Line<'static>>) {
    match message {
        Message::User(user) => {
            for line in user.content.text().lines() {
                lines.push(Line::from(vec![Span::styled("› ", USER), Span::styled(safe(line), USER)]));
            }
        }
        Message::Assistant(assistant) => {
            lines.extend(markdown::lines(assistant.content.as_deref().unwrap_or_default()));
            for call in message.tool_calls() {
                write_call(call, answers.get(&call.id).copied(), lines);
            }
        }
        Message::Reasoning(reasoning) => {
            let style = QUIET.add_modifier(Modifier::ITALIC);
            lines.extend(
                reasoning.content.lines().map(|line| Line::styled(format!("┊ {}", safe(line)), style)),
            );
        }
        Message::Activity(activity) => {
            let content = serde_json::to_value(&activity.content).unwrap_or_default();
            let Drawn { head, lines: drawn } = draw_activity(&activity.activity_type, &content);
            lines.push(Line::styled(format!("◆ {head}"), ACTIVITY));
            write_card(&drawn.join("\n"), QUIET, lines);
        }
        // An answer stands under its call.
        Message::Tool(_) => {}
        Message::System(system) => lines.push(Line::styled(safe(&system.content), QUIET)),
        Message::Developer(developer) => lines.push(Line::styled(safe(&developer.content), QUIET)),
        _ => {}
    }
}

/// A tool with its arguments, and its result once there is one.
fn write_call(call: &ToolCall, answer: Option<&ToolMessage>, lines: &mut Vec<Line<'static>>) {
    let sign = if answer.is_some() { "✓" } else { "…" };
    let name = safe(&call.function.name);
    lines.push(Line::from(vec![
        Span::styled(format!("⚙ {name} "), TOOL.add_modifier(Modifier::BOLD)),
        Span::styled(sign, TOOL),
    ]));
    let arguments = match serde_json::from_str::<Value>(&call.function.arguments) {
        Ok(Value::Object(members)) => members
            .iter()
            .map(|(name, value)| {
                format!("{name}: {}", value.as_str().map_or_else(|| value.to_string(), str::to_owned))
            })
            .collect::<Vec<_>>()
            .join("\n"),
        // They are still arriving, or no JSON at all.
        _ => call.function.arguments.clone(),
    };
    write_card(&arguments, QUIET, lines);
    if let Some(answer) = answer {
        lines.push(Line::styled(format!("  ↳ {}", excerpt(&answer.content.text())), TOOL));
        if let Some(error) = &answer.error {
            lines.push(Line::styled(format!("  ✗ {}", safe(error)), FAILED));
        }
    }
}

fn write_card(text: &str, style: Style, lines: &mut Vec<Line<'static>>) {
    let text = safe_text(text);
    let all: Vec<&str> = text.lines().collect();
    lines.extend(all.iter().take(CARD_LINES).map(|line| Line::styled(format!("  {line}"), style)));
    if all.len() > CARD_LINES {
        lines.push(Line::styled(format!("  … {} more lines", all.len() - CARD_LINES), style));
    }
}

/// An end in order needs no words.
fn write_end(end: Option<&RunEnd>, lines: &mut Vec<Line<'static>>) {
    match end {
        Some(RunEnd::Cancelled) => lines.push(Line::styled("cancelled", QUIET)),
        Some(RunEnd::Error { message, code }) => {
            let code = code.as_deref().map(|code| format!("[{}]", safe(code))).unwrap_or_default();
            lines.push(Line::styled(format!("error{code}: {}", safe(message)), FAILED));
        }
        _ => {}
    }
}
