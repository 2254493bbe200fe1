//! Connections, kept for whoever needs one next.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_postgres::{Client, Row, Statement, types::ToSql};

use super::{
    address::Address,
    failure::{Failure, in_time},
    lifetime::Lifetime,
};

/// Nobody waits longer for a connection, or for an answer to a question.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

pub(super) type Params<'a> = &'a [&'a (dyn ToSql + Sync)];

/// A connection with the statements that were prepared on it. Questions that are asked at once travel together.
pub(super) struct Db {
    client: Client,
    statements: Mutex<HashMap<String, Statement>>,
}

impl Db {
    /// A connection as all of ours are.
    pub(super) async fn connect(address: &Address) -> Result<Self, Failure> {
        let (client, connection) = address.connect().await?;
        // It ends with the client, and what goes wrong the client hears.
        tokio::spawn(connection);
        let db = Self { client, statements: Mutex::default() };
        in_time("preparing a connection", PATIENCE, db.batch(&habits(&address.schema))).await?;
        Ok(db)
    }

    pub(super) async fn query(&self, sql: &str, params: Params<'_>) -> Result<Vec<Row>, Failure> {
        let statement = self.statement(sql).await?;
        Ok(self.client.query(&statement, params).await?)
    }

    /// The first row, if there is one.
    pub(super) async fn first(&self, sql: &str, params: Params<'_>) -> Result<Option<Row>, Failure> {
        Ok(self.query(sql, params).await?.into_iter().next())
    }

    pub(super) async fn execute(&self, sql: &str, params: Params<'_>) -> Result<u64, Failure> {
        let statement = self.statement(sql).await?;
        Ok(self.client.execute(&statement, params).await?)
    }

    /// Statements without values, one after the other.
    pub(super) async fn batch(&self, sql: &str) -> Result<(), Failure> {
        Ok(self.client.batch_execute(sql).await?)
    }

    async fn statement(&self, sql: &str) -> Result<Statement, Failure> {
        let known = lock(&self.statements).get(sql).cloned();
        if let Some(statement) = known {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        lock(&self.statements).insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

/// A process that is cut off in the middle of a transaction must not hold its rows for ever; who waits for such a row gives up
/// before all who wait with them do; and what is to be on the disk is not left to a server that was told not to wait for it.
fn habits(schema: &str) -> String {
    format!(
        "SET search_path TO \"{schema}\"; SET idle_in_transaction_session_timeout = '60s'; SET lock_timeout = '10s';
         SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
    )
}

pub(super) struct Pool {
    address: Arc<Address>,
    idle: Mutex<Vec<Arc<Db>>>,
    room: Arc<Semaphore>,
    lifetime: Arc<Lifetime>,
}

impl Pool {
    /// Room for so many connections, made as they are needed.
    pub(super) fn new(address: Arc<Address>, size: usize, lifetime: Arc<Lifetime>) -> Arc<Self> {
        Arc::new(Self { address, idle: Mutex::default(), room: Arc::new(Semaphore::new(size)), lifetime })
    }

    /// A connection that nobody else has.
    pub(super) async fn take(self: &Arc<Self>) -> Result<Lent, Failure> {
        in_time("waiting for a connection", PATIENCE, self.next()).await
    }

    async fn next(self: &Arc<Self>) -> Result<Lent, Failure> {
        let turn = self.room.clone().acquire_owned().await.expect("nobody closes it");
        let idle = {
            let mut idle = lock(&self.idle);
            idle.retain(|db| !db.client.is_closed());
            idle.pop()
        };
        let db = match idle {
            Some(db) => db,
            None => {
                let db = Db::connect(&self.address).await?;
                self.lifetime.note(&db, &self.address.schema).await?;
                Arc::new(db)
            }
        };
        Ok(Lent { db, pool: self.clone(), good: false, _turn: turn })
    }

    /// Forgets the connections that nobody has: where one was lost the others may be, and not know it yet.
    pub(super) fn forget(&self) {
        lock(&self.idle).clear();
    }
}

/// A connection that goes back when it is known to be as good as before; otherwise it ends here.
pub(super) struct Lent {
    pub(super) db: Arc<Db>,
    pool: Arc<Pool>,
    good: bool,
    _turn: OwnedSemaphorePermit,
}

impl Lent {
    pub(super) fn give_back(mut self) {
        self.good = true;
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if self.good && !self.db.client.is_closed() {
            lock(&self.pool.idle).push(self.db.clone());
        }
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
