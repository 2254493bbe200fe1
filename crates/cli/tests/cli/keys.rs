//! `keys`, and a server that wants them.

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    server::Server,
    support::{run, run_json},
};

#[test]
fn a_key_is_shown_apart_from_the_block_that_holds_its_hash() {
    let (code, stdout, stderr) = run(&["keys", "new", "--user", "ada", "--role", "reviewer"], "");
    assert_eq!(code, 0);
    let key = stderr.lines().map(str::trim).find(|line| line.starts_with("fs_")).expect("a key");
    assert!(!stdout.contains(key), "{stdout}");
    let (_, hash, _) = run(&["keys", "hash"], key);
    for part in ["[[keys]]\nuser = \"ada\"\n", hash.trim(), "roles = [\"reviewer\"]"] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
}

#[test]
fn two_keys_differ() {
    let key = || run_json(&["keys", "new", "--user", "a", "--json"], "").1["key"].clone();
    assert_ne!(key(), key());
}

#[test]
fn a_key_has_to_be_somebodys() {
    assert_eq!(run(&["keys", "new", "--user", " "], "").0, 2);
    assert_eq!(run(&["keys", "hash"], "").0, 2);
}

#[test]
fn a_server_with_keys_answers_those_who_have_one() {
    let (_, new) = run_json(&["keys", "new", "--user", "ada", "--json"], "");
    let text = |name: &str| new[name].as_str().unwrap().to_owned();
    let folder = TempDir::new().unwrap();
    let config = folder.path().join("keys.toml");
    std::fs::write(&config, format!("[[keys]]\nuser = 'ada'\nhash = '{}'\n", text("hash"))).unwrap();
    let server = Server::start_with(&["--config", config.to_str().unwrap()]);

    let (code, _, stderr) = server.run(&["threads", "--json"], "");
    assert_eq!(code, 2);
    assert!(stderr.contains("wants an API key") && stderr.contains("--key"), "{stderr}");
    let listed = server.ok(&["threads", "--json", "--key", &text("key")], "");
    let listed: Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["threads"], Value::Array(Vec::new()));
}
