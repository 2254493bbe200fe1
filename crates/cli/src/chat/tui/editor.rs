//! The line that is being typed, and those that were.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A text with a cursor, and the texts before it.
#[derive(Debug, Default)]
pub(super) struct Editor {
    text: Vec<char>,
    cursor: usize,
    history: Vec<String>,
    /// Which text of the history is shown; its length where none is.
    at: usize,
    /// What was being typed before the history was looked at.
    draft: String,
}

impl Editor {
    pub(super) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text.
    pub(super) fn text(&self) -> String {
        self.text.iter().collect()
    }

    /// The text before the cursor.
    pub(super) fn before(&self) -> String {
        self.text[..self.cursor].iter().collect()
    }

    /// Takes the text out and remembers it.
    pub(super) fn take(&mut self) -> String {
        let text = self.text();
        if !text.trim().is_empty() && self.history.last() != Some(&text) {
            self.history.push(text.clone());
        }
        self.at = self.history.len();
        self.text.clear();
        self.cursor = 0;
        text
    }

    /// Puts text where the cursor is. Control characters stay outside.
    pub(super) fn insert(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_control() || *c == '\n') {
            self.text.insert(self.cursor, c);
            self.cursor += 1;
        }
    }

    /// Obeys a key.
    pub(super) fn key(&mut self, key: KeyEvent) {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('a') if is_control => self.cursor = 0,
            KeyCode::Char('e') if is_control => self.cursor = self.text.len(),
            KeyCode::Char('u') if is_control => drop(self.text.drain(..std::mem::take(&mut self.cursor))),
            KeyCode::Char('k') if is_control => self.text.truncate(self.cursor),
            KeyCode::Char('w') if is_control => self.delete_word(),
            KeyCode::Char(_) if is_control => {}
            KeyCode::Char(c) => self.insert(c.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace if self.cursor > 0 => {
                self.cursor -= 1;
                self.text.remove(self.cursor);
            }
            KeyCode::Delete if self.cursor < self.text.len() => drop(self.text.remove(self.cursor)),
            KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
            KeyCode::Right => self.cursor = (self.cursor + 1).min(self.text.len()),
            KeyCode::Home => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            KeyCode::Up if self.at > 0 => self.recall(self.at - 1),
            KeyCode::Down if self.at < self.history.len() => self.recall(self.at + 1),
            _ => {}
        }
    }

    fn delete_word(&mut self) {
        let before = &self.text[..self.cursor];
        let end = before.iter().rposition(|c| !c.is_whitespace()).map_or(0, |at| at + 1);
        let start = before[..end].iter().rposition(|c| c.is_whitespace()).map_or(0, |at| at + 1);
        self.text.drain(start..self.cursor);
        self.cursor = start;
    }

    fn recall(&mut self, at: usize) {
        if self.at == self.history.len() {
            self.draft = self.text();
        }
        self.at = at;
        let text = self.history.get(at).unwrap_or(&self.draft);
        self.text = text.chars().collect();
        self.cursor = self.text.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(editor: &mut Editor, code: KeyCode) {
        editor.key(code.into());
    }

    #[test]
    fn text_is_edited_where_the_cursor_is() {
        let mut editor = Editor::default();
        editor.insert("wörld");
        press(&mut editor, KeyCode::Home);
        editor.insert("hello ");
        press(&mut editor, KeyCode::Delete);
        press(&mut editor, KeyCode::Char('W'));
        assert_eq!((editor.text().as_str(), editor.before().as_str()), ("hello Wörld", "hello W"));
        editor.key(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::CONTROL));
        assert_eq!(editor.text(), "hello örld");
        editor.key(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
        assert_eq!(editor.text(), "örld");
    }

    #[test]
    fn the_history_is_recalled_and_the_draft_is_kept() {
        let mut editor = Editor::default();
        for text in ["one", "two", "two"] {
            editor.insert(text);
            editor.take();
        }
        editor.insert("dra");
        press(&mut editor, KeyCode::Up);
        assert_eq!(editor.text(), "two");
        press(&mut editor, KeyCode::Up);
        press(&mut editor, KeyCode::Up);
        assert_eq!(editor.text(), "one");
        press(&mut editor, KeyCode::Down);
        press(&mut editor, KeyCode::Down);
        assert_eq!(editor.text(), "dra");
    }

    #[test]
    fn what_is_pasted_cannot_control_the_terminal() {
        let mut editor = Editor::default();
        editor.insert("a\u{1b}[2J\nb\r");
        assert_eq!(editor.text(), "a[2J\nb");
    }
}
