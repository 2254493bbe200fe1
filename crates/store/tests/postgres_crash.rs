//! A Postgres that crashes: what it lost is noticed, although the numbers are used again.
#![cfg(all(unix, feature = "postgres"))]

use std::{path::Path, process::Command, sync::Arc, time::Duration};

use forestage_store::{Append, Boundary, NewThread, Seq, Store, conformance::postgres, open};
use tempfile::TempDir;

/// Long enough for any machine; only a failure waits for it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server of our own, which may be crashed without harm to other tests.
struct Server(TempDir);

impl Server {
    /// Starts one. `None` where there is no Postgres.
    fn start() -> Option<Self> {
        let programs = postgres::programs()?;
        let server = Self(TempDir::new().expect("a folder"));
        server.shell(
            &programs,
            "initdb --pgdata data --auth trust --username forestage --encoding UTF8 --locale C --no-sync",
        );
        server.go_on();
        Some(server)
    }

    fn url(&self, settings: &str) -> String {
        format!("postgres:///postgres?host={}&user=forestage&{settings}", self.0.path().display())
    }

    /// Starts the server after it was stopped.
    fn go_on(&self) {
        let options = format!("-c listen_addresses= -k {} -c autovacuum=off", self.0.path().display());
        self.pg_ctl(&format!("--wait --log log start --options \"{options}\" >/dev/null"));
    }

    fn stop_in_order(&self) {
        self.pg_ctl("--wait --mode fast stop");
    }

    /// Ends every process of the server at once, as a crash of it does.
    fn crash(&self) {
        self.pg_ctl("--wait --mode immediate stop");
    }

    fn pg_ctl(&self, arguments: &str) {
        let programs = postgres::programs().expect("it was there");
        self.shell(&programs, &format!("pg_ctl --pgdata data {arguments}"));
    }

    /// Runs a command in the folder as somebody who may: the server refuses to be root.
    fn shell(&self, programs: &Path, command: &str) {
        let script = format!(
            r#"cd {folder}; as=; if [ "$(id -u)" = 0 ]; then chown postgres .; as="runuser -u postgres --"; fi
               PATH={programs}:$PATH; export PATH; $as {command}"#,
            folder = self.0.path().display(),
            programs = programs.display(),
        );
        let done = Command::new("sh").args(["-c", &script]).output().expect("a shell");
        assert!(done.status.success(), "{command}: {}", String::from_utf8_lossy(&done.stderr));
    }

    /// Holds back what does not wait for the disk: the process that would write it in the background stands still.
    async fn hold_back(&self) {
        let url = format!("host={} user=forestage dbname=postgres", self.0.path().display());
        let (client, connection) =
            tokio_postgres::connect(&url, tokio_postgres::NoTls).await.expect("it runs");
        tokio::spawn(connection);
        let sql = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'walwriter'";
        let pid: i32 = client.query_one(sql, &[]).await.expect("there is one").get(0);
        assert!(Command::new("kill").args(["-STOP", &pid.to_string()]).status().expect("kill").success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let programs = postgres::programs().expect("it was there");
        let path = self.0.path().display();
        let script = format!(
            r#"cd {path}; as=; if [ "$(id -u)" = 0 ]; then as="runuser -u postgres --"; fi
               $as {}/pg_ctl --pgdata data --mode immediate stop"#,
            programs.display()
        );
        let _ = Command::new("sh").args(["-c", &script]).output();
    }
}

/// A thread with a run that has begun, which is on the disk, and then has said something, which is not.
async fn talk(server: &Server, store: &Arc<dyn Store>, said: usize) {
    store.create_thread(NewThread::new("t", "ann", "hello", 1)).await.expect("a new thread");
    let lease = store.claim("t".into(), "x".into(), 0, 0).await.expect("nobody has it");
    let begin =
        Boundary::Started { request_hash: 1, agent: "hello".into(), parent: None, at: 1, answers: vec![] };
    let first = Append::new("t", "r", lease.fence, Seq::START, vec!["{}".into()]).with_boundary(begin);
    store.append(first).await.expect("it is on the disk");
    server.hold_back().await;
    for after in 1..=said {
        let append = Append::new("t", "r", lease.fence, Seq(after as u64), vec!["{}".into()]);
        store.append(append).await.expect("it is acknowledged");
    }
}

/// The end of the log, once the server answers again.
async fn tail(store: &Arc<dyn Store>) -> Seq {
    let found = async {
        loop {
            match store.thread("t".into()).await {
                Ok(thread) => return thread.expect("it was on the disk").tail,
                Err(error) => assert!(error.is_retryable(), "{error}"),
            }
        }
    };
    tokio::time::timeout(PATIENCE, found).await.expect("it answers")
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_crash_lost_is_noticed_by_the_epoch() {
    let Some(server) = Server::start() else { return };
    let url = server.url("durability=process");
    let store = open(&url).await.expect("a new schema");
    let epoch = store.epoch(1);
    talk(&server, &store, 9).await;
    assert_eq!(tail(&store).await, Seq(10));
    server.crash();
    server.go_on();
    assert!(tail(&store).await < Seq(10), "acknowledged events are lost");
    assert_ne!(store.epoch(1), epoch, "so places from before do not count");
    let other = open(&url).await.expect("the same schema");
    assert_eq!(other.epoch(1), store.epoch(1), "every process says the same");

    let epoch = store.epoch(1);
    server.stop_in_order();
    server.go_on();
    tail(&store).await;
    assert_eq!(store.epoch(1), epoch, "nothing is lost by stopping in order");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_every_commit_waits_for_the_disk_places_stay_good() {
    let Some(server) = Server::start() else { return };
    let store = open(&server.url("durability=disk")).await.expect("a new schema");
    let epoch = store.epoch(1);
    talk(&server, &store, 9).await;
    server.crash();
    server.go_on();
    assert_eq!(tail(&store).await, Seq(10));
    assert_eq!(store.epoch(1), epoch);
}
