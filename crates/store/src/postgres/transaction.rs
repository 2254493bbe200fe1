//! What a commit is made of: the statements of its jobs, what the audit trail has to say of them, and who is to be woken.

use std::sync::{Arc, Mutex};

use tokio_postgres::types::ToSql;

use super::{audit, failure::Failure};
use super::{
    pool::{Db, lock},
    wake::News,
};
use crate::{AuditEntry, Durability, NewAudit};

/// A transaction that jobs of several threads share.
pub(super) struct Transaction {
    db: Arc<Db>,
    /// The end of the audit trail, with what is new. It is there if somebody in the group has something to say.
    trail: Mutex<Option<Trail>>,
    news: Mutex<Vec<News>>,
}

struct Trail {
    seq: u64,
    hash: [u8; 32],
    new: Vec<AuditEntry>,
}

impl std::ops::Deref for Transaction {
    type Target = Db;

    fn deref(&self) -> &Db {
        &self.db
    }
}

impl Transaction {
    /// Begins. The audit trail is locked before anything else: whoever holds a thread and waits for the trail could be
    /// waited for by somebody who holds the trail and wants the thread.
    pub(super) async fn begin(
        db: Arc<Db>,
        durability: Durability,
        trail: Option<&str>,
    ) -> Result<Self, Failure> {
        let how = match durability {
            Durability::Process => "; SET LOCAL synchronous_commit = off",
            Durability::Disk => "",
        };
        db.batch(&format!("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE{how}")).await?;
        let trail = match trail {
            None => None,
            Some(name) => {
                let (seq, hash) = audit::lock(&db, name).await?;
                Some(Trail { seq, hash, new: Vec::new() })
            }
        };
        Ok(Self { db, trail: Mutex::new(trail), news: Mutex::default() })
    }

    /// Puts an entry behind the last one of the audit trail; it is written with the others when the transaction ends.
    pub(super) fn seal(&self, new: &NewAudit) -> AuditEntry {
        let mut trail = lock(&self.trail);
        let trail = trail.as_mut().expect("whoever has something to say for the trail says so before");
        let sealed = AuditEntry::seal(trail.seq + 1, &trail.hash, new.clone());
        (trail.seq, trail.hash) = (sealed.seq, sealed.hash);
        trail.new.push(sealed.clone());
        sealed
    }

    pub(super) fn seal_all(&self, new: &[NewAudit]) {
        new.iter().for_each(|new| drop(self.seal(new)));
    }

    /// Somebody is to be woken if it is committed.
    pub(super) fn tell(&self, news: News) {
        lock(&self.news).push(news);
    }

    /// Writes what has gathered, and returns whom to wake once it is committed.
    pub(super) async fn finish(&self, channel: &str, origin: i32) -> Result<Vec<News>, Failure> {
        let sealed = lock(&self.trail).take().map(|trail| trail.new).unwrap_or_default();
        let news = std::mem::take(&mut *lock(&self.news));
        if !sealed.is_empty() {
            audit::insert(&self.db, &sealed).await?;
        }
        if !news.is_empty() {
            let payloads: Vec<_> = news.iter().map(|news| news.payload(origin)).collect();
            let params: [&(dyn ToSql + Sync); 2] = [&channel, &payloads];
            self.query("SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload", &params).await?;
        }
        Ok(news)
    }
}
