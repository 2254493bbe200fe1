//! A Postgres for tests, started where one is installed.
//!
//! `FORESTAGE_TEST_POSTGRES` names one that runs already. Otherwise the first test of a run starts one in a temporary folder,
//! reached by a socket there. The other tests of that run use it too, and it ends with whatever runs them, such as cargo. Every
//! test has schemas of its own in it.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader},
    os::unix::{
        net::UnixStream,
        process::{CommandExt, parent_id},
    },
    path::{Path, PathBuf},
    process::{Command, Stdio, id},
    sync::{
        OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

/// The URL of a store with nothing in it. `None` where there is no Postgres, which is said aloud; with `CI` set that is a
/// failure.
pub fn fresh() -> Option<String> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let server = server()?;
    let sign = if server.contains('?') { '&' } else { '?' };
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    Some(format!("{server}{sign}schema=test_{}_{number}", id()))
}

/// The URL of the server that this run of the tests has.
pub fn server() -> Option<&'static str> {
    static SERVER: OnceLock<Option<String>> = OnceLock::new();
    SERVER.get_or_init(|| given().or_else(started)).as_deref()
}

fn given() -> Option<String> {
    std::env::var("FORESTAGE_TEST_POSTGRES").ok().filter(|url| !url.is_empty())
}

fn started() -> Option<String> {
    let Some(programs) = programs() else {
        let missing =
            "there is no Postgres: install the package `postgresql`, or set FORESTAGE_TEST_POSTGRES";
        assert!(std::env::var_os("CI").is_none_or(|value| value.is_empty()), "{missing}");
        eprintln!("SKIPPED: {missing}");
        return None;
    };
    // Tests of one run have one parent, whether each has a process of its own or not.
    let folder = std::env::temp_dir().join(format!("forestage-postgres-{}", parent_id()));
    fs::create_dir_all(&folder).expect("a folder for the server");
    let lock = File::create(folder.join("lock")).expect("a file in it");
    lock.lock().expect("the first one starts the server");
    if UnixStream::connect(folder.join(".s.PGSQL.5432")).is_err() {
        start(&programs, &folder);
    }
    Some(format!("postgres:///postgres?host={}&user=forestage", folder.display()))
}

/// Where `initdb` and `pg_ctl` are: Debian keeps them out of the way.
pub fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let kept = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let kept = kept.map(|version| version.path().join("bin"));
    std::env::split_paths(&path)
        .chain(kept)
        .find(|folder| folder.join("initdb").is_file() && folder.join("pg_ctl").is_file())
}

/// Starts a server, which ends when the parent of this process has. It refuses to be root, so it is `postgres` then.
#[expect(clippy::zombie_processes, reason = "it serves other tests when this one has ended")]
fn start(programs: &Path, folder: &Path) {
    const SCRIPT: &str = r#"
        folder=$1 parent=$2
        if [ "$(id -u)" = 0 ]; then
            as="runuser -u postgres --"
            chown postgres "$folder"
        fi
        cd "$folder"
        rm -rf data
        $as initdb --pgdata data --auth trust --username forestage --encoding UTF8 --locale C --no-sync || exit 1
        $as pg_ctl --pgdata data --wait --log log start --options \
            "-c listen_addresses= -k $folder -c fsync=off -c max_connections=400 -c autovacuum=off" || exit 1
        echo ready
        while kill -0 "$parent"; do sleep 1; done
        $as pg_ctl --pgdata data --mode immediate stop
        rm -rf "$folder"
    "#;
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(std::iter::once(programs.to_owned()).chain(std::env::split_paths(&path)));
    let says = File::create(folder.join("says")).expect("a file for what it says");
    let mut child = Command::new("sh")
        .args(["-c", SCRIPT, "sh"])
        .arg(folder)
        .arg(parent_id().to_string())
        .env("PATH", path.expect("a path made of paths"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(says)
        // Whoever ends this process with all it has started leaves the server to the others.
        .process_group(0)
        .spawn()
        .expect("a shell");
    let output = BufReader::new(child.stdout.take().expect("it is piped"));
    let ready = output.lines().map_while(Result::ok).any(|line| line == "ready");
    let said = || fs::read_to_string(folder.join("says")).unwrap_or_default();
    assert!(ready, "the server did not start: {}", said());
}
