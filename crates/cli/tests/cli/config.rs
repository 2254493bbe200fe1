//! The configuration: where it comes from, and what is wrong with it.

use tempfile::TempDir;

use crate::support::{finish, forestage};

fn serve(folder: &TempDir, args: &[&str], env: &[(&str, &str)]) -> (i32, String, String) {
    let mut command = forestage(&[&["serve"], args].concat());
    command.current_dir(folder.path()).envs(env.iter().copied());
    let (code, stdout, stderr) = finish(&mut command, "");
    (code, String::from_utf8(stdout).unwrap(), stderr)
}

fn write(folder: &TempDir, text: &str) {
    std::fs::write(folder.path().join("forestage.toml"), text).unwrap();
}

#[test]
fn flags_win_over_the_environment_and_that_over_the_file() {
    let folder = TempDir::new().unwrap();
    write(&folder, "store = 'sqlite:file.db'\nlog = 'debug'\n[http]\nlisten = '127.0.0.1:1'\n");
    let env = [("FORESTAGE_LISTEN", "127.0.0.1:2"), ("FORESTAGE_STORE", "sqlite:env.db")];
    let (code, stdout, _) = serve(&folder, &["--print-config", "--listen", "127.0.0.1:3"], &env);
    assert_eq!(code, 0);
    for line in ["listen = \"127.0.0.1:3\"", "store = \"sqlite:env.db\"", "log = \"debug\""] {
        assert!(stdout.lines().any(|found| found == line), "{line}: {stdout}");
    }
}

#[test]
fn what_is_printed_is_a_file_that_says_the_same() {
    let folder = TempDir::new().unwrap();
    let env = [("FORESTAGE_HOSTS", "a.example, b.example"), ("FORESTAGE_RUN_SECONDS", "7")];
    let (_, first, _) = serve(&folder, &["--print-config"], &env);
    assert!(first.contains("hosts = [\"a.example\", \"b.example\"]"), "{first}");
    write(&folder, &first);
    let (code, second, stderr) = serve(&folder, &["--print-config"], &[]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(first, second);
}

#[test]
fn a_wrong_name_is_refused_with_line_and_suggestion() {
    let folder = TempDir::new().unwrap();
    write(&folder, "\n[http]\nlisen = 'x'\n");
    let (code, stdout, stderr) = serve(&folder, &[], &[]);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("forestage.toml:3:1:") && stderr.contains("did you mean `listen`?"), "{stderr}");
}

#[test]
fn a_wrong_value_is_refused_with_the_name_of_its_variable() {
    let folder = TempDir::new().unwrap();
    let (code, _, stderr) = serve(&folder, &[], &[("FORESTAGE_MAX_BODY_BYTES", "many")]);
    assert_eq!(code, 2);
    assert!(stderr.contains("FORESTAGE_MAX_BODY_BYTES: expected a whole number"), "{stderr}");
}

#[test]
fn a_file_that_is_named_has_to_be_there() {
    let folder = TempDir::new().unwrap();
    let (code, _, stderr) = serve(&folder, &["--config", "none.toml"], &[]);
    assert_eq!(code, 2);
    assert!(stderr.contains("none.toml: cannot be read"), "{stderr}");
}

#[test]
fn a_store_that_is_none_is_refused() {
    let folder = TempDir::new().unwrap();
    let (code, _, stderr) = serve(&folder, &["--store", "mysql:x"], &[]);
    assert_eq!(code, 2);
    assert!(stderr.contains("`mysql:x` is not a store"), "{stderr}");
}

/// Settings that cannot be used: section, name, value as TOML has it, value as text, and what is told.
const UNUSABLE: [(&str, &str, &str, &str, &str); 18] = [
    ("", "log", "'verbose'", "verbose", "`verbose` is not a level, expected off, error, warn"),
    ("", "log", "'a=b=c'", "a=b=c", "`a=b=c` is not a filter, expected off, error, warn"),
    ("", "model_url", "'nonsense'", "nonsense", "expected an address such as `http://127.0.0.1:9000`"),
    ("", "model_url", "'ftp://x'", "ftp://x", "expected an address such as `http://127.0.0.1:9000`"),
    (
        "",
        "store",
        "'mysql:x'",
        "mysql:x",
        "`mysql:x` is not a store; expected `sqlite:<file>`, `postgres://<host>/<database>` or",
    ),
    ("", "store", "'sqlite:'", "sqlite:", "`sqlite:` names no file"),
    ("", "store", "'sqlite:x?fast=1'", "sqlite:x?fast=1", "`fast=1` is not a setting of this store"),
    ("http", "listen", "':8787'", ":8787", "did you mean `127.0.0.1:8787`?"),
    ("http", "allow_origins", "['*']", "*", "`*` would let the pages of every site use the server"),
    (
        "http",
        "allow_origins",
        "['https://a.example/x']",
        "https://a.example/x",
        "did you mean `https://a.example`?",
    ),
    ("http", "picture_origins", "['*']", "*", "`*` would show pictures of every site"),
    ("http", "picture_origins", "['tauri://a']", "tauri://a", "`tauri://a` serves no pictures"),
    ("http", "picture_origins", "['a.example']", "a.example", "did you mean `https://a.example`?"),
    ("http", "hosts", "['https://a.example']", "https://a.example", "did you mean `a.example`?"),
    ("http", "inspector", "'maybe'", "maybe", "expected `auto` or `on` or `off`, found `maybe`"),
    ("http", "keep_alive_seconds", "0", "0", "expected a whole number from 1 to 4294967295, found `0`"),
    ("http", "max_connections", "9000000000", "9000000000", "expected a whole number from 1 to 4294967295"),
    ("limits", "lease_seconds", "0", "0", "expected a whole number from 1 to 4294967295, found `0`"),
];

#[test]
fn a_value_that_cannot_be_used_is_refused_with_its_line_its_variable_or_its_flag() {
    let folder = TempDir::new().unwrap();
    for (section, name, value, text, told) in UNUSABLE {
        let head = if section.is_empty() { String::new() } else { format!("[{section}]\n") };
        write(&folder, &format!("# settings\n{head}{name} = {value}\n"));
        let line = if section.is_empty() { 2 } else { 3 };
        let column = name.len() + 4 + usize::from(value.starts_with('['));
        let (code, stdout, stderr) = serve(&folder, &[], &[]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{name}: {stderr}");
        let place = format!("forestage.toml:{line}:{column}: {name}: ");
        assert!(stderr.contains(&place) && stderr.contains(told), "{name}: {stderr}");
        write(&folder, "");
        let variable = format!("FORESTAGE_{}", name.to_uppercase());
        let (code, _, stderr) = serve(&folder, &[], &[(&variable, text)]);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(&format!("{variable}: ")) && stderr.contains(told), "{stderr}");
        if ["log", "model_url", "store", "listen"].contains(&name) {
            let flag = format!("--{}", name.replace('_', "-"));
            let (code, _, stderr) = serve(&folder, &[&flag, text], &[]);
            assert_eq!(code, 2, "{stderr}");
            assert!(stderr.contains(&format!("{flag}: ")) && stderr.contains(told), "{stderr}");
        }
    }
}

#[test]
fn an_agent_that_nobody_has_is_refused_with_those_that_are_there() {
    let folder = TempDir::new().unwrap();
    let flags = ["--store", "memory:", "--listen", "127.0.0.1:0"];
    write(&folder, "[dialects]\nagora_agent = 'helo'\nnet_agent = 'hello'\n");
    let (code, stdout, stderr) = serve(&folder, &flags, &[]);
    assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
    let told = "forestage.toml:2:15: there is no agent `helo`; did you mean `hello`?";
    assert!(stderr.contains(told), "{stderr}");
    write(&folder, "");
    let (code, _, stderr) = serve(&folder, &flags, &[("FORESTAGE_ITS_AGENT", "xyz")]);
    assert_eq!(code, 2);
    assert!(
        stderr.contains("FORESTAGE_ITS_AGENT: there is no agent `xyz`; there are: agora, approval"),
        "{stderr}"
    );
    let demo = |args: &[&str], env: Option<(&str, &str)>| {
        let mut command = forestage(&[&["demo"], &flags[..], args].concat());
        let (code, _, stderr) = finish(command.envs(env), "");
        assert_eq!(code, 2, "{stderr}");
        stderr
    };
    let stderr = demo(&["--copilotkit-agent", "xyz"], None);
    assert!(stderr.contains("--copilotkit-agent: there is no agent `xyz`"), "{stderr}");
    let stderr = demo(&[], Some(("FORESTAGE_ALLOW_ORIGINS", "*")));
    assert!(stderr.contains("FORESTAGE_ALLOW_ORIGINS: `*` would let"), "{stderr}");
}

#[test]
fn what_is_no_text_is_told_where_it_is() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("forestage.toml"), b"log = 'info'\n# caf\xe9\n").unwrap();
    let (code, _, stderr) = serve(&folder, &["--print-config"], &[]);
    assert_eq!(code, 2);
    assert!(stderr.contains("forestage.toml:2:6: this is not UTF-8"), "{stderr}");
}

#[cfg(unix)]
#[test]
fn a_variable_that_is_no_text_is_told() {
    use std::os::unix::ffi::OsStrExt;
    let folder = TempDir::new().unwrap();
    let mut command = forestage(&["serve", "--print-config"]);
    command.current_dir(folder.path()).env("FORESTAGE_STORE", std::ffi::OsStr::from_bytes(b"sqlite:\xff"));
    let (code, _, stderr) = finish(&mut command, "");
    assert_eq!(code, 2);
    assert!(stderr.contains("FORESTAGE_STORE: this is not UTF-8"), "{stderr}");
}

#[test]
fn runs_need_not_be_waited_for_at_the_end() {
    let folder = TempDir::new().unwrap();
    let (code, stdout, stderr) = serve(&folder, &["--print-config"], &[("FORESTAGE_GRACE_SECONDS", "0")]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("grace_seconds = 0"), "{stdout}");
}

#[test]
fn what_only_starting_can_tell_names_its_setting_too() {
    let folder = TempDir::new().unwrap();
    write(&folder, "store = 'memory:'\nagents = 'no-such'\n");
    let (code, _, stderr) = serve(&folder, &[], &[]);
    assert_eq!(code, 2);
    assert!(stderr.contains("forestage.toml:2:10: the agents in `no-such`"), "{stderr}");
    write(&folder, "store = 'memory:'\n\n[[remotes]]\nname = 'a'\nurl = 'http://x'\ntoken_env = 'NOPE'\n");
    let (code, _, stderr) = serve(&folder, &[], &[]);
    assert_eq!(code, 2);
    assert!(stderr.contains("forestage.toml:3:1: the remote agent `a` cannot be used"), "{stderr}");
}

#[test]
fn the_password_of_a_store_is_not_shown() {
    let folder = TempDir::new().unwrap();
    for (store, told) in [
        ("mysql://ann:secret@h/app", "`mysql://ann:…@h/app` is not a store"),
        ("postgres://ann:secret@127.0.0.1:1/app", "postgres://ann:…@127.0.0.1:1/app"),
        ("postgres://ann:secret@h/app?x=1", "`x=1` is not a setting of this store"),
    ] {
        let (code, _, stderr) = serve(&folder, &["--store", store], &[]);
        assert_ne!(code, 0);
        assert!(stderr.contains(told) && !stderr.contains("secret"), "{stderr}");
    }
}
