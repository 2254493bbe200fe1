//! Where threads live.
//!
//! A [`Store`] keeps the log of every thread, an index of threads and runs, the questions that wait for people, an
//! audit trail of what became of them, and leases that say who may write.
//! Its documentation is the contract; [`conformance`] checks it against any implementation.
//!
//! | scheme | what | made for |
//! |---|---|---|
//! | `memory:` | [`memory::MemoryStore`] | tests, and servers that may forget |
//! | `sqlite:` | [`sqlite::SqliteStore`] | one machine, no set-up |
//! | `postgres:` | `postgres::PostgresStore`, with the feature `postgres` | many machines |
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! use forestage_store::{Append, Boundary, NewThread, Seq, open};
//!
//! let store = open("memory:").await?;
//! store.create_thread(NewThread::new("t1", "local", "hello", 0)).await?;
//! let lease = store.claim("t1".into(), "this process".into(), 0, 10_000).await?;
//! let events = vec![r#"{"type":"RUN_STARTED","threadId":"t1","runId":"r1"}"#.into()];
//! let append = Append::new("t1", "r1", lease.fence, Seq::START, events);
//! let (agent, answers) = ("hello".to_owned(), vec![]);
//! let started = Boundary::Started { request_hash: 1, agent, parent: None, at: 0, answers };
//! let tail = store.append(append.with_boundary(started)).await?;
//! assert_eq!(tail, Seq(1));
//! # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
//! ```

mod store;
mod log;
mod index;
mod interrupt;
mod decide;
mod audit;
mod rule;
mod note;
mod annotation;
mod share;
mod lease;
mod utterance;
mod wake;
mod error;
pub mod epoch;
mod block;
mod body;

pub mod conformance;
pub mod memory;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod sqlite;

pub use self::{
    annotation::Annotation,
    audit::{AuditBroken, AuditEntry, AuditQuery, NewAudit, verify_audit},
    decide::{Decide, Decided},
    error::{AppendError, ClaimError, CreateError, LeaseLost, OpenError, StoreError},
    index::{NewThread, Page, RunRecord, Thread, ThreadChange, ThreadQuery, ThreadStatus},
    interrupt::{Answer, Decision, InterruptQuery, InterruptRecord, NewInterrupt, Viewer, Vote},
    lease::{Fence, Lease},
    log::{Append, Boundary, Compacted, Creation, Durability, Entry, Seq},
    note::Note,
    rule::Rule,
    share::Share,
    store::{BoxFuture, Store, check_url, open, shown},
    utterance::{Found, Search, Utterance},
    wake::{Tails, Watch},
};
