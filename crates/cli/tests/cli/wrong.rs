//! Calls that cannot be answered: each ends with one precise sentence and exit code 2, and says nothing twice.

use std::fs;

use tempfile::TempDir;

use crate::{
    server::Server,
    support::{finish, run_bytes},
};

/// What standard error says of a call that was wrong.
fn told(args: &[&str], stdin: impl AsRef<[u8]>) -> String {
    let (code, stdout, stderr) = run_bytes(args, stdin);
    assert_eq!((code, stdout.len()), (2, 0), "{args:?}: {stderr}");
    assert!(!stderr.contains("panicked"), "{args:?}: {stderr}");
    stderr
}

#[test]
fn a_store_that_cannot_be_opened_is_told_in_words() {
    let folder = TempDir::new().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("short"), "x").unwrap();
    fs::write(path("long"), "years of work\n".repeat(100)).unwrap();
    let cases = [
        (path(""), format!("`{}` is not a file", path(""))),
        (
            path("no/x.db"),
            format!("`{}` cannot be made: there is no folder `{}`", path("no/x.db"), path("no")),
        ),
        (path("short"), format!("`{}` is not a database, so it is left as it is", path("short"))),
        (path("long"), format!("`{}` is not a database, so it is left as it is", path("long"))),
    ];
    for (file, why) in cases {
        let store = format!("sqlite:{file}");
        for command in ["serve", "demo"] {
            let stderr = told(&[command, "--listen", "127.0.0.1:0", "--store", &store], "");
            assert_eq!(stderr, format!("forestage: --store: cannot open the store {store}: {why}\n"));
        }
    }
    assert_eq!(fs::read_to_string(path("short")).unwrap(), "x");
}

#[test]
fn a_store_that_is_damaged_is_told_as_such() {
    let mut server = Server::start();
    server.chat("hello", "t", "hi\n");
    server.stop();
    // The head of a real store, and nothing of what should stand behind it. It lies where no log mends it.
    let mut bytes = fs::read(server.file("forestage.db")).unwrap();
    bytes.truncate(4096);
    bytes[100..].fill(0x55);
    let store = server.file("damaged.db");
    fs::write(&store, bytes).unwrap();
    let url = format!("sqlite:{}", store.display());
    let stderr = told(&["serve", "--listen", "127.0.0.1:0", "--store", &url], "");
    assert!(stderr.contains(&format!("`{}` is damaged: ", store.display())), "{stderr}");
}

#[cfg(unix)]
#[test]
fn a_store_that_is_read_only_is_told_as_such() {
    let mut server = Server::start();
    server.stop();
    let store = server.file("forestage.db");
    let mut rights = fs::metadata(&store).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(&store, rights).unwrap();
    // Somebody may be allowed to write whatever the file says, and then there is nothing to tell.
    if fs::OpenOptions::new().append(true).open(&store).is_ok() {
        return;
    }
    let url = format!("sqlite:{}", store.display());
    let stderr = told(&["serve", "--listen", "127.0.0.1:0", "--store", &url], "");
    assert!(stderr.contains("is read-only, and threads are written"), "{stderr}");
}

#[test]
fn causes_are_not_told_twice() {
    let stderr = told(&["serve", "--store", "memory:", "--agents", "no-such"], "");
    assert_eq!(stderr.matches("No such file or directory").count(), 1, "{stderr}");
    let stderr = told(&["model-server", "--replay", "no-such"], "");
    assert_eq!(stderr.matches("No such file or directory").count(), 1, "{stderr}");
}

#[test]
fn addresses_and_keys_that_cannot_be_used_are_told_with_their_flag() {
    for url in ["", "nonsense", "ftp://x", "http://"] {
        let why = "expected an address such as `http://127.0.0.1:8787`";
        let expected = format!("forestage: --url or FORESTAGE_URL: `{url}` cannot be used: {why}\n");
        assert_eq!(told(&["threads", "--url", url], ""), expected);
    }
    let stderr = told(&["threads", "--key", "a\nb"], "");
    assert!(stderr.contains("--key or FORESTAGE_KEY: `the key` cannot be used: it has signs"), "{stderr}");
}

#[test]
fn a_model_server_that_could_answer_nothing_does_not_start() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().to_str().unwrap();
    let stderr = told(&["model-server", "--replay", path], "");
    assert!(stderr.contains("has no recorded exchanges, which are files `*.json`"), "{stderr}");
    for url in ["nonsense", "ftp://x"] {
        let stderr = told(&["model-server", "--record", url, "--to", path], "");
        assert!(stderr.contains(&format!("`{url}` is not the address of a provider")), "{stderr}");
    }
}

#[test]
fn what_is_no_text_is_refused_where_text_is_read() {
    let server = Server::start();
    let mut chat = server.command(&["chat", "hello", "--plain"]);
    let (code, _, stderr) = finish(&mut chat, b"\xff\xfe\n");
    assert_eq!(code, 2);
    assert!(stderr.contains("cannot read standard input"), "{stderr}");
    assert!(told(&["a2ui", "extract"], b"\xff").contains("standard input is not text: it is not UTF-8"));
    assert!(told(&["audit", "verify", "-"], b"\xff\n").contains("cannot read standard input"));
}

#[test]
fn a_list_of_nothing_is_not_asked_for() {
    for command in ["threads", "inbox", "audit"] {
        assert!(told(&[command, "--limit", "0"], "").contains("expected a whole number of at least 1"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_file_that_cannot_be_written_is_named() {
    let server = Server::start();
    server.chat("hello", "t", "hi\n");
    let (code, _, stderr) = server.run(&["export", "t", "-o", "/dev/full"], "");
    assert_eq!(code, 2);
    assert!(stderr.starts_with("forestage: cannot write /dev/full: No space left on device"), "{stderr}");
}
