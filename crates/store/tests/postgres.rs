//! The store in Postgres keeps the contract, and opens what it should open.
#![cfg(all(unix, feature = "postgres"))]

use std::sync::Arc;

use forestage_store::{
    Append, AuditEntry, AuditQuery, Boundary, NewAudit, NewThread, OpenError, Seq, Store, StoreError,
    conformance::{self, postgres},
    open,
    postgres::PostgresStore,
    verify_audit,
};

async fn keeps_the_contract(settings: &str) {
    if postgres::server().is_none() {
        return;
    }
    conformance::check_all(|| async {
        let url = postgres::fresh().expect("there is a server");
        open(&format!("{url}{settings}")).await.expect("a new schema")
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_in_postgres_keeps_the_contract() {
    keeps_the_contract("").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_store_in_postgres_keeps_the_contract_when_all_is_synced() {
    keeps_the_contract("&durability=disk").await;
}

/// A schema with nothing in it, and a connection for what only SQL can do to it.
struct Fresh {
    url: String,
    sql: tokio_postgres::Client,
}

/// The settings that the store understands and the driver does not.
fn without_ours(url: &str) -> (String, String) {
    let (server, schema) = url.rsplit_once(['?', '&']).expect("it has a schema");
    (server.to_owned(), schema.trim_start_matches("schema=").to_owned())
}

async fn fresh() -> Option<Fresh> {
    let url = postgres::fresh()?;
    let (server, schema) = without_ours(&url);
    let (sql, connection) =
        tokio_postgres::connect(&server, tokio_postgres::NoTls).await.expect("the server is there");
    tokio::spawn(connection);
    sql.batch_execute(&format!("SET search_path TO {schema}")).await.expect("any name will do");
    Some(Fresh { url, sql })
}

#[tokio::test]
async fn a_schema_of_a_newer_version_is_refused_with_a_sentence() {
    let Some(Fresh { url, sql }) = fresh().await else { return };
    drop(PostgresStore::open(&url).await.expect("a new schema"));
    sql.batch_execute("UPDATE format SET version = 99").await.expect("writable");
    let error = PostgresStore::open(&url).await.expect_err("too new");
    assert!(matches!(error, OpenError::TooNew { found: 99, .. }), "{error}");
    assert!(error.to_string().contains("use a newer forestage"), "{error}");
}

#[tokio::test]
async fn a_schema_of_something_else_is_left_alone() {
    let Some(Fresh { url, sql }) = fresh().await else { return };
    let schema = without_ours(&url).1;
    sql.batch_execute(&format!("CREATE SCHEMA {schema}; CREATE TABLE birds (name text)")).await.expect("new");
    let error = PostgresStore::open(&url).await.expect_err("not ours");
    assert!(matches!(error, OpenError::Foreign(_)), "{error}");
    let count = "SELECT count(*) FROM pg_tables WHERE schemaname = $1";
    let tables: i64 = sql.query_one(count, &[&schema]).await.expect("readable").get(0);
    assert_eq!(tables, 1);
}

#[tokio::test]
async fn a_schema_without_a_table_of_its_format_is_refused_with_a_sentence() {
    let Some(Fresh { url, sql }) = fresh().await else { return };
    drop(PostgresStore::open(&url).await.expect("a new schema"));
    sql.batch_execute("DROP TABLE rule").await.expect("there");
    let error = PostgresStore::open(&url).await.expect_err("incomplete");
    assert!(matches!(error, OpenError::Incomplete { format: 3, table: "rule", .. }), "{error}");
}

#[tokio::test]
async fn a_schema_that_somebody_made_for_us_is_used() {
    let Some(Fresh { url, sql }) = fresh().await else { return };
    sql.batch_execute(&format!("CREATE SCHEMA {}", without_ours(&url).1)).await.expect("new");
    let store = PostgresStore::open(&url).await.expect("an empty schema");
    store.create_thread(NewThread::new("t", "ann", "hello", 1)).await.expect("writable");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_processes_that_start_at_once_make_the_tables_once() {
    let Some(url) = postgres::fresh() else { return };
    let opening = (0..6).map(|_| {
        let url = url.clone();
        tokio::spawn(async move { PostgresStore::open(&url).await })
    });
    for opened in opening.collect::<Vec<_>>() {
        opened.await.expect("no panic").expect("a store");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_or_says_nothing_is_an_error_in_time() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = silent.local_addr().expect("it is bound").port();
    for port in [1, port] {
        let url = format!("postgres://ann:secret@127.0.0.1:{port}/app?connect_timeout=1");
        let opened = tokio::time::timeout(std::time::Duration::from_secs(20), open(&url)).await;
        let error = opened.expect("in time").err().expect("nobody there");
        assert!(matches!(&error, OpenError::Store(error) if error.is_retryable()), "{error}");
        assert!(!error.to_string().contains("secret"), "{error}");
    }
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_opening_again() {
    let Some(url) = postgres::fresh() else { return };
    {
        let store = open(&url).await.expect("a new schema");
        store.create_thread(NewThread::new("t", "ann", "hello", 1)).await.expect("a new thread");
        let lease = store.claim("t".into(), "a".into(), 0, 10).await.expect("free");
        let first = Append::new("t", "r", lease.fence, Seq(0), vec!["{}".into()]);
        store.append(first.with_boundary(begin(7))).await.expect("room");
    }
    let store = open(&url).await.expect("the same schema");
    assert_eq!(store.read("t".into(), Seq(0), Seq::END, 9).await.expect("readable").len(), 1);
    let lost = store.abandoned_runs(10).await.expect("readable");
    assert_eq!((lost.len(), lost[0].request_hash), (1, 7));
    let lease = store.claim("t".into(), "b".into(), 10, 10).await.expect("expired");
    assert!(lease.fence.0 > 1, "fences go on after a restart");
}

#[tokio::test]
async fn an_append_wakes_followers_though_nobody_waits_for_it() {
    let Some(url) = postgres::fresh() else { return };
    let store = PostgresStore::open(&url).await.expect("a new schema");
    let new = NewThread::new("t", "ann", "hello", 1);
    let (_, lease) = store.create_and_claim(new, "a".into(), 0, 10).await.expect("writable").expect("new");
    let mut watch = store.watch(&"t".into());
    let first = Append::new("t", "r", lease.fence, Seq(0), vec!["{}".into()]);
    drop(store.append(first.with_boundary(begin(7))));
    while store.read("t".into(), Seq(0), Seq::END, 9).await.expect("readable").is_empty() {
        assert!(watch.changed().await);
    }
}

#[tokio::test]
async fn what_postgres_cannot_keep_is_refused_for_good_and_harms_nobody() {
    let Some(url) = postgres::fresh() else { return };
    let store: Arc<dyn Store> = Arc::new(PostgresStore::open(&url).await.expect("a new schema"));
    let noise: String =
        (0..40_000_u32).filter_map(|number| char::from_u32(0x4e00 + number * 7 % 20_000)).collect();
    let create = |id: &str| {
        let made = store.create_thread(NewThread::new(id, "ann", "hello", 1));
        async move { made.await.map_err(|error| error.to_string()) }
    };
    let (nul, long, good) = tokio::join!(create("a\0b"), create(&noise), create("good"));
    for refused in [nul, long] {
        let error = refused.expect_err("no index takes it");
        assert!(error.contains("cannot keep this"), "{error}");
    }
    good.expect("its neighbours do no harm");
    assert!(!StoreError::Unfit("".into()).is_retryable());
}

#[tokio::test]
async fn sql_cannot_change_the_audit_trail() {
    let Some(Fresh { url, sql }) = fresh().await else { return };
    let store = PostgresStore::open(&url).await.expect("a new schema");
    for kind in ["asked", "decided", "carried"] {
        store.audit(told(kind)).await.expect("writable");
    }
    let copy = "at, kind, actor, origin, owner, thread, interrupt, json, hash FROM audit WHERE seq = 1";
    for statement in [
        "UPDATE audit SET actor = 'eve' WHERE seq = 2".to_owned(),
        "DELETE FROM audit WHERE seq = 3".to_owned(),
        "TRUNCATE audit".to_owned(),
        format!("INSERT INTO audit SELECT 5, {copy}"),
    ] {
        let error = sql.batch_execute(&statement).await.expect_err("refused");
        let said = error.as_db_error().expect("by the server").message();
        assert!(said.contains("the audit trail"), "{statement}: {said}");
    }
    let entries = store.audit_trail(AuditQuery::all()).await.expect("readable");
    assert_eq!(entries.len(), 3);
    verify_audit(AuditEntry::BEFORE_FIRST, &entries).expect("whole");
}

fn told(kind: &str) -> NewAudit {
    NewAudit {
        at: 7,
        kind: kind.into(),
        actor: "ann".into(),
        origin: "inbox".into(),
        owner: "ann".into(),
        thread_id: Some("t".into()),
        interrupt_id: None,
        json: "{}".into(),
    }
}

fn begin(request_hash: u64) -> Boundary {
    Boundary::Started { request_hash, agent: "hello".into(), parent: None, at: 1, answers: Vec::new() }
}
