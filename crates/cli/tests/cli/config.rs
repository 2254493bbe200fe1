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

#[test]
fn the_password_of_a_store_is_not_shown() {
    let folder = TempDir::new().unwrap();
    for store in [
        "mysql://ann:secret@h/app",
        "postgres://ann:secret@127.0.0.1:1/app",
        "postgres://ann:secret@h/app?x=1",
    ] {
        let (code, _, stderr) = serve(&folder, &["--store", store], &[]);
        assert_ne!(code, 0);
        assert!(stderr.contains("//ann:…@") && !stderr.contains("secret"), "{stderr}");
    }
}
