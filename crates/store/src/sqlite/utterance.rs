//! What was written, for search.

use rusqlite::{Connection, Row, ToSql, params, params_from_iter};

use crate::{Found, Search, Utterance};

pub(super) fn put_all(db: &Connection, thread: i64, utterances: &[Utterance]) -> rusqlite::Result<()> {
    for utterance in utterances {
        db.prepare_cached(
            "INSERT INTO utterance (thread, message, by_person, text, folded) VALUES (?1, ?2, ?3, ?4, ?5)
             ON CONFLICT (thread, message) DO UPDATE SET text = excluded.text, folded = excluded.folded",
        )?
        .execute(params![
            thread,
            utterance.message_id.as_str(),
            utterance.by_person,
            utterance.text,
            utterance.folded()
        ])?;
    }
    Ok(())
}

pub(super) fn search(db: &Connection, search: &Search) -> rusqlite::Result<Vec<Found>> {
    if search.words.is_empty() {
        return Ok(Vec::new());
    }
    // A condition for each word: there are few of them, so there are few statements.
    let words = search.words.iter().enumerate();
    let words: String = words.map(|(at, _)| format!(" AND instr(folded, ?{}) > 0", at + 4)).collect();
    let mut select = db.prepare_cached(&format!(
        "SELECT thread.id, message, by_person, text FROM thread JOIN utterance ON utterance.thread = key
         WHERE owner = ?1 AND archived <= ?2{words} ORDER BY updated_at DESC, number DESC LIMIT ?3"
    ))?;
    let limit = i64::try_from(search.limit).unwrap_or(i64::MAX);
    let fixed: [&dyn ToSql; 3] = [&search.owner, &search.archived, &limit];
    let values = fixed.into_iter().chain(search.words.iter().map(|word| word as &dyn ToSql));
    select.query_map(params_from_iter(values), found)?.collect()
}

fn found(row: &Row<'_>) -> rusqlite::Result<Found> {
    let utterance =
        Utterance { message_id: row.get_ref(1)?.as_str()?.into(), by_person: row.get(2)?, text: row.get(3)? };
    Ok(Found { thread_id: row.get_ref(0)?.as_str()?.into(), utterance })
}
