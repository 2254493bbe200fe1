//! Markdown as styled lines, good for a text that is still being written.
//!
//! Headings, emphasis, code, lists, quotes and rules; everything else is shown as it stands. What is opened and
//! not closed yet counts to the end of its line, so that nothing jumps when the closing mark arrives.

use ratatui::{
    style::{Color, Modifier, Style},
    text::{Line, Span},
};

const CODE: Style = Style::new().fg(Color::Yellow);
const QUIET: Style = Style::new().fg(Color::DarkGray);

/// The lines of a text, not wrapped yet.
pub(super) fn lines(text: &str) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            let language = line.trim_start().trim_start_matches('`').to_owned();
            lines.push(Line::styled(
                if in_code { "╰──".to_owned() } else { format!("╭── {language}") },
                QUIET,
            ));
            in_code = !in_code;
        } else if in_code {
            lines.push(Line::from(vec![Span::styled("│ ", QUIET), Span::styled(clean(line), CODE)]));
        } else {
            lines.push(block(line));
        }
    }
    lines
}

/// A line outside of code.
fn block(line: &str) -> Line<'static> {
    let trimmed = line.trim_start();
    let indent = " ".repeat(line.len() - trimmed.len());
    let level = trimmed.bytes().take_while(|byte| *byte == b'#').count();
    if (1..=6).contains(&level) && trimmed[level..].starts_with(' ') {
        let style = Style::new().fg(Color::Cyan).add_modifier(Modifier::BOLD);
        return Line::from(inline(trimmed[level..].trim_start(), style));
    }
    if trimmed.len() >= 3 && ['-', '*', '_'].iter().any(|mark| trimmed.chars().all(|c| c == *mark)) {
        return Line::styled("─".repeat(20), QUIET);
    }
    if let Some(quoted) = trimmed.strip_prefix('>') {
        let style = Style::new().add_modifier(Modifier::ITALIC);
        return with_lead(Span::styled("▏ ", QUIET), inline(quoted.trim_start(), style));
    }
    for mark in ["- ", "* ", "+ "] {
        if let Some(item) = trimmed.strip_prefix(mark) {
            return with_lead(Span::raw(format!("{indent}• ")), inline(item, Style::new()));
        }
    }
    with_lead(Span::raw(indent), inline(trimmed, Style::new()))
}

fn with_lead(lead: Span<'static>, spans: Vec<Span<'static>>) -> Line<'static> {
    Line::from_iter([lead].into_iter().filter(|lead| !lead.content.is_empty()).chain(spans))
}

/// The marks of a line, longest first, and what they do to what they enclose.
const MARKS: [(&str, Modifier); 4] =
    [("**", Modifier::BOLD), ("__", Modifier::BOLD), ("~~", Modifier::CROSSED_OUT), ("*", Modifier::ITALIC)];

fn inline(text: &str, style: Style) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    let mut plain = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some((inner, behind, styled)) = marked(rest, style) {
            spans.push(Span::styled(std::mem::take(&mut plain), style));
            match styled == style.patch(CODE) {
                true => spans.push(Span::styled(clean(inner), styled)),
                false => spans.extend(inline(inner, styled)),
            }
            rest = behind;
            continue;
        }
        plain.push_str(&clean(&rest[..c.len_utf8()]));
        rest = &rest[c.len_utf8()..];
    }
    spans.push(Span::styled(plain, style));
    spans.retain(|span| !span.content.is_empty());
    spans
}

/// What a mark at the beginning encloses, what stands behind it, and its style.
fn marked(text: &str, style: Style) -> Option<(&str, &str, Style)> {
    if let Some(inner) = text.strip_prefix('`') {
        let (inner, behind) = inner.split_once('`').unwrap_or((inner, ""));
        return Some((inner, behind, style.patch(CODE)));
    }
    let (mark, modifier) = MARKS.iter().find(|(mark, _)| text.starts_with(mark))?;
    let inner = &text[mark.len()..];
    // A mark before a space is a sign and marks nothing.
    if inner.starts_with(char::is_whitespace) || inner.is_empty() {
        return None;
    }
    let styled = style.add_modifier(*modifier);
    match inner.find(mark) {
        Some(at) => {
            // Of three stars that close, the first belongs to what is inside.
            let more = inner[at + mark.len()..].starts_with(&mark[..1]);
            let at = at + usize::from(more && mark.len() == 2);
            Some((&inner[..at], &inner[at + mark.len()..], styled))
        }
        None if mark.len() == 2 => Some((inner, "", styled)),
        None => None,
    }
}

/// Text that cannot control the terminal.
fn clean(text: &str) -> String {
    crate::output::safe_text(text).replace('\t', "    ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(line: &Line<'_>) -> String {
        line.spans.iter().map(|span| span.content.as_ref()).collect()
    }

    #[test]
    fn marks_become_styles_and_disappear() {
        for (text, expected) in [
            ("# Title", "Title"),
            ("a **b** c", "a b c"),
            ("- item `x`", "• item x"),
            ("  * nested", "  • nested"),
            ("> quote", "▏ quote"),
            ("2 * 3 * 4", "2 * 3 * 4"),
            ("snake_case and **open", "snake_case and open"),
            ("#hash", "#hash"),
            ("---", "────────────────────"),
        ] {
            assert_eq!(plain(&lines(text)[0]), expected);
        }
    }

    #[test]
    fn styles_nest() {
        let line = &lines("**a *b***")[0];
        let bold = Style::new().add_modifier(Modifier::BOLD);
        assert!(line.spans.contains(&Span::styled("a ", bold)), "{line:?}");
        assert!(line.spans.iter().any(|span| span.style.add_modifier.contains(Modifier::ITALIC)), "{line:?}");
    }

    #[test]
    fn code_is_left_alone_also_before_it_ends() {
        let code = lines("```rust\nlet **x** = 1;");
        assert_eq!(plain(&code[0]), "╭── rust");
        assert_eq!(plain(&code[1]), "│ let **x** = 1;");
    }

    #[test]
    fn escape_sequences_are_shown() {
        assert!(!plain(&lines("a\u{1b}[2J `\u{1b}`")[0]).contains('\u{1b}'));
    }
}
