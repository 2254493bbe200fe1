//! What was written, for search.

use tokio_postgres::Row;

use super::{failure::Failure, pool::Db, transaction::Transaction};
use crate::{Found, Search, Utterance};

pub(super) async fn put_all(tx: &Transaction, thread: i64, utterances: &[Utterance]) -> Result<(), Failure> {
    for utterance in utterances {
        tx.execute(
            "INSERT INTO utterance (thread, message, by_person, text, folded) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (thread, message) DO UPDATE SET text = excluded.text, folded = excluded.folded",
            &[
                &thread,
                &utterance.message_id.as_str(),
                &utterance.by_person,
                &utterance.text,
                &utterance.folded(),
            ],
        )
        .await?;
    }
    Ok(())
}

pub(super) async fn search(db: &Db, search: &Search) -> Result<Vec<Found>, Failure> {
    if search.words.is_empty() {
        return Ok(Vec::new());
    }
    let rows = db
        .query(
            "SELECT thread.id, message, by_person, text FROM thread JOIN utterance ON utterance.thread = key
             WHERE owner = $1 AND archived <= $2
               AND NOT EXISTS (SELECT 1 FROM unnest($3::text[]) AS word WHERE strpos(folded, word) = 0)
             ORDER BY updated_at DESC, number DESC LIMIT $4",
            &[
                &search.owner,
                &search.archived,
                &search.words,
                &i64::try_from(search.limit).unwrap_or(i64::MAX),
            ],
        )
        .await?;
    rows.iter().map(found).collect()
}

fn found(row: &Row) -> Result<Found, Failure> {
    let utterance = Utterance {
        message_id: row.try_get::<_, &str>(1)?.into(),
        by_person: row.try_get(2)?,
        text: row.try_get(3)?,
    };
    Ok(Found { thread_id: row.try_get::<_, &str>(0)?.into(), utterance })
}
