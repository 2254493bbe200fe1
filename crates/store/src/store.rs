//! The contract of a store.

use std::{pin::Pin, sync::Arc};

use bytes::Bytes;
use forestage_protocol::id::{InterruptId, RunId, ThreadId};

use crate::{
    Annotation, Append, AppendError, AuditEntry, AuditQuery, ClaimError, Compacted, CreateError, Decide,
    Decided, Durability, Entry, Found, InterruptQuery, InterruptRecord, Lease, LeaseLost, NewAudit,
    NewThread, Note, OpenError, Page, Rule, RunRecord, Search, Seq, Share, StoreError, Thread, ThreadChange,
    ThreadQuery, Viewer, Watch, memory::MemoryStore, sqlite::SqliteStore,
};

/// A future that can be kept in a box, since stores are chosen at run time.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Where threads live. Any number of tasks may use a store at once.
///
/// # Order
///
/// A log is a row of entries numbered from 1 without gaps:
///
/// ```text
///  seq     1     2     3     4     5
///        ┌─────┬─────┬─────┬─────┬─────┐
///        │     │     │     │     │     │ <── append(after: 5)
///        └─────┴─────┴─────┴─────┴─────┘
///            read(after: 2) ──> 3, 4, 5     tail = 5
/// ```
///
/// An append is in the log as a whole or not at all, with all that its boundaries say: the run's record, the
/// thread's head, count and time, the interrupts it opens and those it answers, and with its audit entries and
/// rules. Who has seen entry `n` can read
/// every entry up to `n` again, the same bytes under the same numbers, until the run is compacted or the thread
/// deleted.
///
/// # Compaction
///
/// [`compact`](Store::compact) replaces the entries of an ended run by fewer ones that cover the same numbers, so
/// every cursor stays good. A read from inside such an entry returns it whole, and the reader trims it:
///
/// ```text
///  seq     1     2     3     4     5
///        ┌─────┬─────────────────┬─────┐
///        │     │      2..=4      │     │
///        └─────┴─────────────────┴─────┘
///            read(after: 2) ──> 2..=4, 5
/// ```
///
/// # Interrupts
///
/// ```text
///  asked ─────────> decided ─────────> carried
///    append           decide            append with the same status and bytes
///      └───────────────────────────────> append that answers what is pending
/// ```
///
/// An interrupt is pending from the end of the run that asks until it is decided: by [`decide`](Store::decide), or
/// by an append whose run begins with an answer to it. The first decision wins, whatever the door. What `decide` has
/// recorded waits to be carried: by an append whose answer has the same status and the same bytes, which changes
/// neither who decided nor when. Any other answer to what is not pending has its append refused whole.
///
/// Where more than one person has to agree, each agreement counts once per person, and the last one needed decides.
///
/// Ids are unique per thread. A pending interrupt counts, in lists, for the status of its thread and when it is due,
/// while its run is the head of the thread: the others are on a branch that was left, and count again if somebody
/// moves the head back.
///
/// # Audit
///
/// The trail is one row for the whole store, numbered from 1 without gaps, and every entry is sealed with the hash
/// of the one before it, so [`verify_audit`](crate::verify_audit) tells where it was changed. Entries are never
/// changed or removed, not even with their thread. Those that come with an append or a decision are there exactly if
/// it is. Several processes that share a store write one row.
///
/// # Durability
///
/// When `append` returns, its events survive what its [`Durability`](crate::Durability) names. No reader sees
/// them before they survive the end of our process, and nobody is woken for them before `append` could return.
/// Later appends never survive what earlier ones do not.
///
/// # Fencing
///
/// At most one [`Lease`] of a thread counts, the one with the highest fence. Appends carry a fence; an older
/// one is refused, whether or not the newer holder has written yet. An expired lease still counts until
/// somebody claims the thread.
///
/// # Idempotency
///
/// An append that is already in the log, the same events at the same place, succeeds again and changes
/// nothing, its audit entries and rules included: a writer that did not hear the answer may ask again, until the run
/// is compacted. An append without events cannot be told from another.
///
/// # Waking
///
/// [`watch`](Store::watch) tells that a log may have grown, that somebody asked to stop its run, or that the
/// thread was deleted. A wake-up may be late, may come for nothing and may
/// stand for several appends, but after the last append one comes. Readers read on from their own place, so
/// nothing depends on counting wake-ups. [`watch_inbox`](Store::watch_inbox) does the same for interrupts, whatever
/// their thread. Both hear of what other processes do to the same store.
///
/// # Cancellation
///
/// Dropping a future may leave its effect in the store or not; it never leaves half of it.
pub trait Store: Send + Sync + 'static {
    /// Adds a thread with an empty log. An id is used once, whoever asks.
    fn create_thread(&self, thread: NewThread) -> BoxFuture<'_, Result<Thread, CreateError>>;

    /// Adds a thread and claims it until `now + for_ms`, in one commit. `None` if there is one with this id, of
    /// whatever owner.
    fn create_and_claim(
        &self,
        thread: NewThread,
        holder: String,
        now: i64,
        for_ms: i64,
    ) -> BoxFuture<'_, Result<Option<(Thread, Lease)>, StoreError>>;

    /// The entry of a thread.
    fn thread(&self, id: ThreadId) -> BoxFuture<'_, Result<Option<Thread>, StoreError>>;

    /// Threads of one owner, the one that changed last first.
    fn threads(&self, query: ThreadQuery) -> BoxFuture<'_, Result<Page<Thread>, StoreError>>;

    /// Messages of one owner with all the words of the search; those of the thread that changed last first, and of one
    /// thread the newest first.
    fn search(&self, search: Search) -> BoxFuture<'_, Result<Vec<Found>, StoreError>>;

    /// Changes the entry of a thread; nothing if there is none.
    fn update_thread(
        &self,
        id: ThreadId,
        change: ThreadChange,
    ) -> BoxFuture<'_, Result<Option<Thread>, StoreError>>;

    /// Removes a thread with all it had: log, runs, interrupts, annotations, shares, texts for search, snapshots, lease and the rules that
    /// hold on it only. Its audit entries stay. Says whether there was one.
    fn delete_thread(&self, id: ThreadId) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Adds events to a log and returns its new end. Boundaries move `updated_at` of the thread, events do not. What
    /// the append says of the thread itself, that it comes into being or that its lease is given back, happens with it
    /// or not at all.
    fn append(&self, append: Append) -> BoxFuture<'_, Result<Seq, AppendError>>;

    /// Entries with `seq > after` and `first <= until`, in order, at most `limit` and possibly fewer; none means
    /// that there are no more, or no such thread. [`Seq::END`] reads to the end.
    fn read(
        &self,
        thread_id: ThreadId,
        after: Seq,
        until: Seq,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<Entry>, StoreError>>;

    /// What places in the log of a thread are named by, beside their number: it changes when numbers that were given out may
    /// have been lost and may be used again. See [`epoch`](crate::epoch).
    fn epoch(&self, created_at: i64) -> i64 {
        created_at
    }

    /// Wake-ups for a thread, from now on. The thread need not exist yet.
    fn watch(&self, thread_id: &ThreadId) -> Watch;

    /// The record of a run.
    fn run(&self, thread_id: ThreadId, run_id: RunId)
    -> BoxFuture<'_, Result<Option<RunRecord>, StoreError>>;

    /// The runs of a thread, first first.
    fn runs(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>>;

    /// Runs that have begun and not ended, on threads whose lease has expired by `now` or was never taken: those
    /// that somebody has to close.
    fn abandoned_runs(&self, now: i64) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>>;

    /// Asks that an open run be stopped, and wakes watchers; its holder also hears of it with the next
    /// [`renew`](Store::renew). `false` if the run is not open.
    fn request_cancel(&self, thread_id: ThreadId, run_id: RunId) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Replaces the entries of an ended run. The new ones must cover `first..=last` of the run in order, without
    /// gaps, and nothing of another run may lie between. `false` if there is no such ended run, or if it is
    /// compacted already.
    fn compact(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
        entries: Vec<Compacted>,
    ) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Runs that have ended and are not compacted, the one that ended first first.
    fn uncompacted_runs(&self, limit: usize) -> BoxFuture<'_, Result<Vec<RunRecord>, StoreError>>;

    /// Keeps a folded view of the thread as it is after a run, in place of an older one; the store does not look
    /// inside. `false` if there is no such run.
    fn put_snapshot(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
        body: Bytes,
    ) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// The view that was kept for a run.
    fn snapshot(
        &self,
        thread_id: ThreadId,
        run_id: RunId,
    ) -> BoxFuture<'_, Result<Option<Bytes>, StoreError>>;

    /// Interrupts that somebody may see, the one that was opened first first: those of their own threads, and those
    /// that name one of their roles.
    fn interrupts(&self, query: InterruptQuery) -> BoxFuture<'_, Result<Vec<InterruptRecord>, StoreError>>;

    /// The newest interrupt with this id that somebody may see, decided or not, on whatever branch.
    fn interrupt(
        &self,
        id: InterruptId,
        viewer: Viewer,
    ) -> BoxFuture<'_, Result<Option<InterruptRecord>, StoreError>>;

    /// Records a decision, or an agreement where more may be needed, with its audit entries and rules. These are
    /// kept only if something was recorded. What was recorded is on the disk when this returns; who did not hear
    /// the answer asks again, and hears that it is decided [already](Decided::Already).
    fn decide(&self, decide: Decide) -> BoxFuture<'_, Result<Decided, StoreError>>;

    /// Pending interrupts whose time is over by `now`, of whatever owner, the one that expired first first.
    fn due_interrupts(
        &self,
        now: i64,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<InterruptRecord>, StoreError>>;

    /// Threads that can go on: the head ended with `interrupt`, all that it asked is decided, and nothing of it has
    /// been carried into a run. The one that was decided first comes first.
    fn resumable(&self, limit: usize) -> BoxFuture<'_, Result<Vec<ThreadId>, StoreError>>;

    /// Wake-ups for interrupts, from now on: one was opened, was decided, got a vote, or its thread was deleted or
    /// got another head by hand.
    fn watch_inbox(&self) -> Watch;

    /// Adds an entry to the audit trail. It is on the disk when this returns.
    fn audit(&self, entry: NewAudit) -> BoxFuture<'_, Result<AuditEntry, StoreError>>;

    /// Entries of the audit trail, in the order of their numbers.
    fn audit_trail(&self, query: AuditQuery) -> BoxFuture<'_, Result<Vec<AuditEntry>, StoreError>>;

    /// The rules of an owner, in the order of their times.
    fn rules(&self, owner: String) -> BoxFuture<'_, Result<Vec<Rule>, StoreError>>;

    /// Keeps a rule, in place of one with the same id of the same owner. `false` if it is for a thread that does not
    /// exist; nothing is kept then, here and where rules come with an append or a decision.
    fn put_rule(&self, rule: Rule) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Removes a rule, with an entry in the audit trail that is there exactly if the rule was. Says whether it was.
    fn delete_rule(
        &self,
        owner: String,
        id: String,
        audit: NewAudit,
    ) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Keeps an annotation, in place of one with the same id on the thread. `false` if there is no such thread.
    fn annotate(&self, annotation: Annotation) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// The annotations of a thread, in the order of their times.
    fn annotations(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<Annotation>, StoreError>>;

    /// Removes an annotation. Says whether there was one.
    fn delete_annotation(&self, thread_id: ThreadId, id: String) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Keeps a share, in place of one with the same id on the thread, with an entry in the audit trail. `false` if there
    /// is no such thread; nothing is kept then.
    fn put_share(&self, share: Share, audit: NewAudit) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// The shares of a thread, in the order of their times.
    fn shares(&self, thread_id: ThreadId) -> BoxFuture<'_, Result<Vec<Share>, StoreError>>;

    /// The share that is opened by what has this hash, on whatever thread, expired or not.
    fn share(&self, hash: [u8; 32]) -> BoxFuture<'_, Result<Option<Share>, StoreError>>;

    /// Removes a share, with an entry in the audit trail that is there exactly if the share was. Says whether it was.
    fn delete_share(
        &self,
        thread_id: ThreadId,
        id: String,
        audit: NewAudit,
    ) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Claims a thread until `now + for_ms`. The fence is higher than any before it on this thread.
    fn claim(
        &self,
        thread_id: ThreadId,
        holder: String,
        now: i64,
        for_ms: i64,
    ) -> BoxFuture<'_, Result<Lease, ClaimError>>;

    /// Prolongs a lease until `now + for_ms`, if it still counts.
    fn renew(&self, lease: Lease, now: i64, for_ms: i64) -> BoxFuture<'_, Result<Lease, LeaseLost>>;

    /// Gives a lease back. One that no longer counts is none, and that is fine.
    fn release(&self, lease: Lease) -> BoxFuture<'_, Result<(), StoreError>>;

    /// What is remembered of somebody under a name.
    fn note(&self, owner: String, name: String) -> BoxFuture<'_, Result<Option<Note>, StoreError>>;

    /// Writes a note in place of the one with the version that it gives, or of none for 0. It is on the disk when this
    /// returns. `false` if somebody has written it since; nothing is kept then.
    fn put_note(&self, note: Note) -> BoxFuture<'_, Result<bool, StoreError>>;

    /// Whether commits succeed, as far as one can know: while none has failed, nothing is tried and the answer is yes;
    /// after a failure something is written, and the answer is what came of it.
    fn check_writable(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(std::future::ready(Ok(())))
    }

    /// Brings everything that was committed to where a copy of the store's own file finds it. Called when nothing more
    /// is to come; what is committed afterwards counts as ever. An error means that somebody held it up and nothing is
    /// lost.
    fn settle(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(std::future::ready(Ok(())))
    }
}

/// Opens the store that a URL names: `memory:`, `sqlite:` with a path, or `postgres://` with a host and a database.
/// `?durability=disk` behind it makes every commit survive the machine, not only those that ask for it.
pub async fn open(url: &str) -> Result<Arc<dyn Store>, OpenError> {
    match place(url)? {
        Place::Memory => Ok(Arc::new(MemoryStore::default())),
        Place::Sqlite(path, least) => Ok(Arc::new(SqliteStore::open_with(path, least).await?)),
        Place::Postgres(scheme) => open_postgres(scheme, url).await,
    }
}

/// Whether a URL names a store, which may still turn out not to be there.
pub fn check_url(url: &str) -> Result<(), OpenError> {
    match place(url)? {
        Place::Postgres(scheme) => check_postgres(scheme, url),
        Place::Memory | Place::Sqlite(..) => Ok(()),
    }
}

/// Where a store is.
enum Place<'u> {
    Memory,
    Sqlite(&'u str, Durability),
    /// By whichever of its names.
    Postgres(&'u str),
}

fn place(url: &str) -> Result<Place<'_>, OpenError> {
    let (location, settings) = url.split_once('?').unwrap_or((url, ""));
    match location.split_once(':') {
        Some(("memory", _)) => refuse_all(settings).map(|()| Place::Memory),
        Some(("sqlite", path)) => match path.trim_start_matches("//") {
            // SQLite would make a database of its own for each connection.
            "" | ":memory:" => Err(OpenError::NoFile(url.to_owned())),
            path => Ok(Place::Sqlite(path, least_durability(settings)?)),
        },
        Some((scheme @ ("postgres" | "postgresql"), _)) => Ok(Place::Postgres(scheme)),
        _ => Err(OpenError::UnknownScheme(shown(url))),
    }
}

/// A URL as it may be shown: without a password, if it has one.
#[must_use]
pub fn shown(url: &str) -> String {
    let (location, settings) = url.split_once('?').map_or((url, None), |(at, rest)| (at, Some(rest)));
    let mut shown = hide_in_location(location);
    for (number, setting) in settings.into_iter().flat_map(|settings| settings.split('&')).enumerate() {
        shown.push(if number == 0 { '?' } else { '&' });
        shown.push_str(if setting.starts_with("password=") { "password=…" } else { setting });
    }
    shown
}

fn hide_in_location(location: &str) -> String {
    let Some((scheme, rest)) = location.split_once("://") else { return location.to_owned() };
    // A password may hold any sign as it is, so the last one that can end it does.
    match rest.rsplit_once('@').and_then(|(user, place)| Some((user.split_once(':')?.0, place))) {
        Some((user, place)) => format!("{scheme}://{user}:…@{place}"),
        None => location.to_owned(),
    }
}

#[cfg(feature = "postgres")]
async fn open_postgres(_: &str, url: &str) -> Result<Arc<dyn Store>, OpenError> {
    Ok(Arc::new(crate::postgres::PostgresStore::open(url).await?))
}

#[cfg(not(feature = "postgres"))]
async fn open_postgres(scheme: &str, _: &str) -> Result<Arc<dyn Store>, OpenError> {
    Err(OpenError::NotBuilt { scheme: scheme.to_owned(), feature: "postgres" })
}

#[cfg(feature = "postgres")]
fn check_postgres(_: &str, url: &str) -> Result<(), OpenError> {
    crate::postgres::PostgresStore::check_url(url)
}

#[cfg(not(feature = "postgres"))]
fn check_postgres(scheme: &str, _: &str) -> Result<(), OpenError> {
    Err(OpenError::NotBuilt { scheme: scheme.to_owned(), feature: "postgres" })
}

fn refuse_all(settings: &str) -> Result<(), OpenError> {
    settings.split('&').find(|setting| !setting.is_empty()).map_or(Ok(()), |setting| {
        Err(OpenError::UnknownSetting { setting: setting.to_owned(), known: "none for memory:" })
    })
}

fn least_durability(settings: &str) -> Result<Durability, OpenError> {
    let mut least = Durability::Process;
    for setting in settings.split('&').filter(|setting| !setting.is_empty()) {
        least = match setting {
            "durability=process" => Durability::Process,
            "durability=disk" => Durability::Disk,
            _ => {
                let known = "durability=process and durability=disk for sqlite:";
                return Err(OpenError::UnknownSetting { setting: setting.to_owned(), known });
            }
        };
    }
    Ok(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (url, expected) in [
            ("memory:", "memory:"),
            ("sqlite:a@b:c.db?durability=disk", "sqlite:a@b:c.db?durability=disk"),
            ("postgres://h/app?schema=a&sslmode=require", "postgres://h/app?schema=a&sslmode=require"),
            ("postgres://ann@h:5432/app", "postgres://ann@h:5432/app"),
            ("postgres://ann:s3:c@r/et@h:5432/app?x=1", "postgres://ann:…@h:5432/app?x=1"),
            (
                "postgres:///app?host=/run&password=secret&user=a",
                "postgres:///app?host=/run&password=…&user=a",
            ),
            ("mysql://ann:secret@h/app", "mysql://ann:…@h/app"),
        ] {
            assert_eq!(shown(url), expected);
        }
    }

    #[test]
    fn a_url_that_names_no_store_is_refused_before_anything_is_opened() {
        for url in ["memory:", "sqlite:a.db?durability=disk"] {
            assert_eq!(check_url(url).map_err(|error| error.to_string()), Ok(()), "{url}");
        }
        for url in
            ["memory:?durability=disk", "sqlite:", "sqlite:a.db?durability=some", "mysql://h/app", "a.db"]
        {
            assert!(check_url(url).is_err(), "{url}");
        }
    }

    #[cfg(feature = "postgres")]
    #[test]
    fn settings_of_postgres_are_checked_without_a_server() {
        assert_eq!(
            check_url("postgres://ann@h/app?schema=a&durability=disk").map_err(|error| error.to_string()),
            Ok(())
        );
        for url in [
            "postgres://ann@h/app?durabilty=disk",
            "postgres://ann@h/app?schema=a;b",
            "postgres://h:port/app",
        ] {
            assert!(check_url(url).is_err(), "{url}");
        }
    }
}
