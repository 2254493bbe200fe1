//! Notes.

use super::{failure::Failure, pool::Db, transaction::Transaction};
use crate::Note;

pub(super) async fn get(db: &Db, owner: &str, name: &str) -> Result<Option<Note>, Failure> {
    let sql = "SELECT body, version FROM note WHERE owner = $1 AND name = $2";
    let Some(row) = db.first(sql, &[&owner, &name]).await? else { return Ok(None) };
    Ok(Some(Note {
        owner: owner.to_owned(),
        name: name.to_owned(),
        body: row.try_get::<_, Vec<u8>>(0)?.into(),
        version: row.try_get::<_, i64>(1)?.cast_unsigned(),
    }))
}

/// Keeps a note, unless somebody has written it since.
pub(super) async fn put(tx: &Transaction, note: &Note) -> Result<bool, Failure> {
    let sql = match note.version {
        0 => {
            "INSERT INTO note (owner, name, body, version) VALUES ($1, $2, $3, $4::bigint + 1)
             ON CONFLICT (owner, name) DO NOTHING"
        }
        _ => {
            "UPDATE note SET body = $3, version = $4::bigint + 1 WHERE owner = $1 AND name = $2 AND version = $4"
        }
    };
    let version = note.version.cast_signed();
    Ok(tx.execute(sql, &[&note.owner, &note.name, &&note.body[..], &version]).await? == 1)
}
