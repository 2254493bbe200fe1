//! Notes.

use rusqlite::{Connection, OptionalExtension, params};

use crate::Note;

pub(super) fn get(db: &Connection, owner: &str, name: &str) -> rusqlite::Result<Option<Note>> {
    db.prepare_cached("SELECT body, version FROM note WHERE owner = ?1 AND name = ?2")?
        .query_row([owner, name], |row| {
            Ok(Note {
                owner: owner.to_owned(),
                name: name.to_owned(),
                body: row.get::<_, Vec<u8>>(0)?.into(),
                version: row.get::<_, i64>(1)?.cast_unsigned(),
            })
        })
        .optional()
}

/// Keeps a note, unless somebody has written it since.
pub(super) fn put(db: &Connection, note: &Note) -> rusqlite::Result<bool> {
    let statement = match note.version {
        0 => "INSERT OR IGNORE INTO note (owner, name, body, version) VALUES (?1, ?2, ?3, ?4 + 1)",
        _ => "UPDATE note SET body = ?3, version = ?4 + 1 WHERE owner = ?1 AND name = ?2 AND version = ?4",
    };
    let changed = db.prepare_cached(statement)?.execute(params![
        note.owner,
        note.name,
        &note.body[..],
        note.version.cast_signed()
    ])?;
    Ok(changed == 1)
}
