//! The screen: who and where on top, the conversation, the state, and the line to type on.

use forestage_protocol::{apply::ThreadView, id::ThreadId};
use ratatui::{
    Frame,
    layout::{Constraint, Layout, Position, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span},
    widgets::{Block, BorderType, Paragraph},
};
use serde_json::Map;
use unicode_width::UnicodeWidthStr;

use super::{
    editor::Editor,
    transcript::{self, QUIET},
    wrap::wrap,
};
use crate::{
    chat::question::Form,
    output::{excerpt, safe},
};

/// The input never takes more lines than this.
const MOST_INPUT: usize = 6;

/// Everything that is on the screen.
pub(super) struct Scene<'s> {
    pub(super) agent: &'s str,
    pub(super) thread: &'s ThreadId,
    pub(super) view: &'s ThreadView,
    pub(super) is_running: bool,
    pub(super) steps: &'s [String],
    pub(super) lost: Option<&'s str>,
    pub(super) state_change: Option<&'s str>,
    pub(super) form: Option<&'s Form>,
    pub(super) notes: &'s [String],
    pub(super) editor: &'s Editor,
    pub(super) scroll: usize,
}

/// What drawing has found out.
pub(super) struct Drawn {
    /// How many lines of the conversation fit.
    pub(super) page: usize,
    /// How far it can be scrolled, at most as far as it was asked.
    pub(super) scroll: usize,
}

/// Draws a scene.
pub(super) fn draw(scene: &Scene<'_>, frame: &mut Frame<'_>) -> Drawn {
    let input = wrap(input_lines(scene), usize::from(frame.area().width.saturating_sub(4)));
    let height = u16::try_from(input.len().clamp(1, MOST_INPUT)).unwrap_or(1) + 2;
    let rows = [
        Constraint::Length(1),
        Constraint::Min(3),
        Constraint::Length(u16::from(scene.lost.is_some())),
        Constraint::Length(u16::from(has_state(scene))),
        Constraint::Length(height),
    ];
    let [head, body, banner, state, foot] = Layout::vertical(rows).areas(frame.area());
    frame.render_widget(head_line(scene), head);
    let drawn = draw_body(scene, frame, body);
    if let Some(reason) = scene.lost {
        let style = Style::new().fg(Color::White).bg(Color::Red);
        frame.render_widget(Line::styled(format!(" reconnecting… {}", safe(reason)), style), banner);
    }
    if has_state(scene) {
        frame.render_widget(state_line(scene), state);
    }
    draw_input(scene, input, frame, foot);
    drawn
}

fn head_line(scene: &Scene<'_>) -> Line<'static> {
    let status = match (scene.is_running, scene.form) {
        (true, _) if scene.steps.is_empty() => Span::styled("● running", Style::new().fg(Color::Green)),
        (true, _) => {
            let steps: Vec<String> = scene.steps.iter().map(|step| safe(step)).collect();
            Span::styled(format!("● {}", steps.join(" › ")), Style::new().fg(Color::Green))
        }
        (false, Some(_)) => Span::styled("? it waits for you", Style::new().fg(Color::Yellow)),
        (false, None) => Span::styled("○ idle", QUIET),
    };
    let agent =
        Span::styled(format!(" {} ", safe(scene.agent)), Style::new().add_modifier(Modifier::REVERSED));
    Line::from(vec![agent, Span::styled(format!(" {}  ", safe(scene.thread)), QUIET), status])
}

fn draw_body(scene: &Scene<'_>, frame: &mut Frame<'_>, area: Rect) -> Drawn {
    let (width, page) = (usize::from(area.width), usize::from(area.height));
    let lines = body_lines(scene, width, page + scene.scroll);
    let scroll = scene.scroll.min(lines.len().saturating_sub(page));
    let end = lines.len() - scroll;
    let shown = lines[end.saturating_sub(page)..end].to_vec();
    frame.render_widget(Paragraph::new(shown), area);
    if scroll > 0 {
        let text = format!(" {scroll} lines below, Esc goes there ");
        let corner = Rect { y: area.bottom() - 1, height: 1, ..area };
        frame.render_widget(Line::styled(text, Style::new().add_modifier(Modifier::REVERSED)), corner);
    }
    Drawn { page, scroll }
}

fn body_lines(scene: &Scene<'_>, width: usize, wanted: usize) -> Vec<Line<'static>> {
    let mut lines = transcript::last_lines(scene.view, width, wanted);
    let mut below = Vec::new();
    if let Some(form) = scene.form {
        let style = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
        below.push(Line::styled(format!("? {}", safe(&form.question())), style));
    }
    for note in scene.notes.iter().flat_map(|note| note.lines()) {
        below.push(Line::styled(safe(note), QUIET));
    }
    lines.extend(wrap(below, width));
    lines
}

fn has_state(scene: &Scene<'_>) -> bool {
    !scene.view.state().as_object().is_some_and(Map::is_empty) && !scene.view.state().is_null()
}

fn state_line(scene: &Scene<'_>) -> Line<'static> {
    let change = scene.state_change.map(|change| format!(" ({change})")).unwrap_or_default();
    let text = excerpt(&scene.view.state().to_string());
    Line::from(vec![
        Span::styled(" state ", Style::new().fg(Color::Magenta)),
        Span::raw(text),
        Span::styled(change, QUIET),
    ])
}

fn input_lines(scene: &Scene<'_>) -> Vec<Line<'static>> {
    let text = scene.editor.text();
    text.split('\n').map(|line| Line::raw(safe(line))).collect()
}

fn draw_input(scene: &Scene<'_>, lines: Vec<Line<'static>>, frame: &mut Frame<'_>, area: Rect) {
    let title = match scene.form {
        Some(form) => format!(" {} ", safe(&form.prompt())),
        None if scene.is_running => " Ctrl-C stops it ".to_owned(),
        None => " say something ".to_owned(),
    };
    let border = if scene.form.is_some() { Style::new().fg(Color::Yellow) } else { QUIET };
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(border).title(title);
    let inner = block.inner(area);
    // The cursor stands behind what was typed before it, broken into lines in the same way.
    let before = scene.editor.before();
    let typed: Vec<Line<'static>> = before.split('\n').map(|line| Line::raw(safe(line))).collect();
    let typed = wrap(typed, usize::from(inner.width.saturating_sub(2)));
    let top = typed.len().saturating_sub(usize::from(inner.height));
    let column = typed.last().map_or(0, |line| line.to_string().width()) + usize::from(before.ends_with(' '));
    let shown: Vec<Line<'static>> = lines.into_iter().skip(top).collect();
    frame.render_widget(Paragraph::new(shown).block(block), area);
    let row = u16::try_from(typed.len().saturating_sub(top + 1)).unwrap_or(0);
    let column = u16::try_from(column).unwrap_or(0).min(inner.width.saturating_sub(1));
    frame.set_cursor_position(Position::new(inner.x + column, inner.y + row));
}

#[cfg(test)]
mod tests {
    use forestage_protocol::{
        event::Event,
        message::{AssistantMessage, UserMessage},
    };
    use ratatui::{Terminal, backend::TestBackend};
    use serde_json::json;

    use super::*;

    fn screen(scene: &Scene<'_>, width: u16, height: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal
            .draw(|frame| {
                draw(scene, frame);
            })
            .unwrap();
        terminal.backend().to_string()
    }

    fn scene<'s>(view: &'s ThreadView, thread: &'s ThreadId, editor: &'s Editor) -> Scene<'s> {
        Scene {
            agent: "hello",
            thread,
            view,
            is_running: false,
            steps: &[],
            lost: None,
            state_change: None,
            form: None,
            notes: &[],
            editor,
            scroll: 0,
        }
    }

    fn view(events: &[serde_json::Value]) -> ThreadView {
        let mut view = ThreadView::default();
        for event in events {
            view.apply(&Event::from_json(&event.to_string()).unwrap());
        }
        view
    }

    #[test]
    fn a_conversation_with_a_tool_a_thought_and_state_is_shown() {
        let view = view(&[
            json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r", "input": {"threadId": "t", "runId": "r",
                "messages": [{"id": "u", "role": "user", "content": "Weather?"}]}}),
            json!({"type": "REASONING_MESSAGE_START", "messageId": "q", "role": "reasoning"}),
            json!({"type": "REASONING_MESSAGE_CONTENT", "messageId": "q", "delta": "I look it up"}),
            json!({"type": "TOOL_CALL_START", "toolCallId": "c", "toolCallName": "weather"}),
            json!({"type": "TOOL_CALL_ARGS", "toolCallId": "c", "delta": "{\"city\":\"Berlin\"}"}),
            json!({"type": "TOOL_CALL_END", "toolCallId": "c"}),
            json!({"type": "TOOL_CALL_RESULT", "messageId": "a", "toolCallId": "c", "content": "sunny"}),
            json!({"type": "TEXT_MESSAGE_START", "messageId": "m", "role": "assistant"}),
            json!({"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "It is **sunny"}),
            json!({"type": "STATE_SNAPSHOT", "snapshot": {"city": "Berlin"}}),
        ]);
        let (thread, editor) = ("t".into(), Editor::default());
        let steps = ["look up".to_owned()];
        let scene = Scene { is_running: true, steps: &steps, ..scene(&view, &thread, &editor) };
        let screen = screen(&scene, 60, 24);
        for part in [
            "› Weather?",
            "┊ I look it up",
            "⚙ weather ✓",
            "city: Berlin",
            "↳ sunny",
            "It is sunny",
            "● look up",
            "state {\"city\":\"Berlin\"}",
            "Ctrl-C stops it",
        ] {
            assert!(screen.contains(part), "{part}:\n{screen}");
        }
    }

    #[test]
    fn a_question_is_shown_with_what_to_type() {
        let question = json!({"id": "i", "reason": "confirmation", "message": "Send it?"});
        let view = view(&[
            json!({"type": "RUN_STARTED", "threadId": "t", "runId": "r"}),
            json!({"type": "RUN_FINISHED", "threadId": "t", "runId": "r",
                "outcome": {"type": "interrupt", "interrupts": [question]}}),
        ]);
        let (thread, editor) = ("t".into(), Editor::default());
        let form = Form::of(&view);
        let scene = Scene { form: form.as_ref(), ..scene(&view, &thread, &editor) };
        let screen = screen(&scene, 60, 12);
        for part in ["? Send it?", "y/n, or JSON", "it waits for you"] {
            assert!(screen.contains(part), "{part}:\n{screen}");
        }
    }

    #[test]
    fn the_newest_is_shown_until_somebody_scrolls_up() {
        let said: Vec<_> = (0..40)
            .map(|n| AssistantMessage {
                content: Some(format!("line {n}.")),
                ..AssistantMessage::new(format!("m{n}"))
            })
            .map(Into::into)
            .collect();
        let view = ThreadView::new(said, json!({}));
        let (thread, editor) = ("t".into(), Editor::default());
        let newest = screen(&scene(&view, &thread, &editor), 40, 14);
        assert!(newest.contains("line 39.") && !newest.contains("line 0."), "{newest}");
        let middle = screen(&Scene { scroll: 20, ..scene(&view, &thread, &editor) }, 40, 14);
        assert!(middle.contains("line 29.") && !middle.contains("line 30."), "{middle}");
        let oldest = screen(&Scene { scroll: 1000, ..scene(&view, &thread, &editor) }, 40, 14);
        assert!(oldest.contains("line 0.") && oldest.contains("lines below"), "{oldest}");
    }

    #[test]
    fn a_lost_connection_is_said_and_notes_stand_below() {
        let view = ThreadView::new(vec![UserMessage::new("m", "hi").into()], json!({}));
        let (thread, mut editor) = ("t".into(), Editor::default());
        editor.insert("half a sent");
        let notes = ["/help lists the commands".to_owned()];
        let scene = Scene { lost: Some("refused"), notes: &notes, ..scene(&view, &thread, &editor) };
        let screen = screen(&scene, 40, 12);
        for part in ["reconnecting… refused", "/help lists", "half a sent", "› hi"] {
            assert!(screen.contains(part), "{part}:\n{screen}");
        }
    }

    #[test]
    fn the_smallest_screen_does_not_panic() {
        let (view, thread, mut editor) = (ThreadView::default(), "t".into(), Editor::default());
        editor.insert("some text that is longer than the screen\nand has lines");
        for (width, height) in [(1, 1), (3, 3), (10, 5)] {
            screen(&scene(&view, &thread, &editor), width, height);
        }
    }
}
