//! Styled lines, broken where the screen ends: between words if it can be.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use unicode_width::UnicodeWidthChar;

/// The lines at this width. A line that goes on is indented as it began.
pub(super) fn wrap(lines: Vec<Line<'static>>, width: usize) -> Vec<Line<'static>> {
    lines.into_iter().flat_map(|line| wrap_line(line, width.max(8))).collect()
}

type Cell = (char, Style);

fn wrap_line(line: Line<'static>, width: usize) -> Vec<Line<'static>> {
    if line.width() <= width {
        return vec![line];
    }
    let base = line.style;
    let cells: Vec<Cell> = line
        .spans
        .iter()
        .flat_map(|span| span.content.chars().map(|c| (c, base.patch(span.style))))
        .collect();
    let indent = cells.iter().take_while(|(c, _)| *c == ' ').count().min(width / 2);
    let mut lines = Vec::new();
    let mut rest = cells.as_slice();
    while !rest.is_empty() {
        let room = if lines.is_empty() { width } else { width - indent };
        let (now, later) = split(rest, room);
        let lead = if lines.is_empty() { 0 } else { indent };
        lines.push(join(lead, now));
        rest = later;
    }
    lines
}

/// As many cells as fit, cut behind a space where there is one; and the others.
fn split(cells: &[Cell], width: usize) -> (&[Cell], &[Cell]) {
    let mut used = 0;
    let fits = cells.iter().take_while(|(c, _)| {
        used += c.width().unwrap_or(0);
        used <= width
    });
    let count = fits.count().max(1);
    if count == cells.len() {
        return (cells, &[]);
    }
    let space = cells[..=count].iter().rposition(|(c, _)| *c == ' ').filter(|at| *at > 0);
    let end = space.map_or(count, |at| (at + 1).min(cells.len()));
    let text_end = if space.is_some() { end - 1 } else { end };
    (&cells[..text_end], &cells[end..])
}

fn join(lead: usize, cells: &[Cell]) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(lead))];
    for group in cells.chunk_by(|left, right| left.1 == right.1) {
        spans.push(Span::styled(group.iter().map(|(c, _)| *c).collect::<String>(), group[0].1));
    }
    spans.retain(|span| !span.content.is_empty());
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &'static str, width: usize, expected: &[&str]) {
        let lines = wrap(vec![Line::raw(text)], width);
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn lines_break_between_words_and_long_words_anywhere() {
        check("one two three", 9, &["one two", "three"]);
        check("one twoo", 8, &["one twoo"]);
        check("abcdefghijkl", 8, &["abcdefgh", "ijkl"]);
        check("  one two three", 9, &["  one two", "  three"]);
        check("", 9, &[""]);
    }

    #[test]
    fn wide_characters_take_their_room() {
        check("日本語日本語", 8, &["日本語日", "本語"]);
    }

    #[test]
    fn styles_survive_a_break() {
        let bold = Style::new().bold();
        let line = Line::from(vec![Span::raw("aaaa "), Span::styled("bbbb cccc", bold)]);
        let lines = wrap(vec![line], 9);
        assert_eq!(lines[1], Line::from(vec![Span::styled("cccc", bold)]));
    }
}
