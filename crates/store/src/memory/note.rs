//! Notes.

use super::Books;
use crate::Note;

impl Books {
    pub(super) fn note(&self, owner: &str, name: &str) -> Option<&Note> {
        self.notes.iter().find(|note| note.owner == owner && note.name == name)
    }

    /// Keeps a note, unless somebody has written it since.
    pub(super) fn write_down(&mut self, note: Note) -> bool {
        let before = self.note(&note.owner, &note.name).map_or(0, |note| note.version);
        if before != note.version {
            return false;
        }
        self.notes.retain(|old| old.owner != note.owner || old.name != note.name);
        self.notes.push(Note { version: before + 1, ..note });
        true
    }
}
