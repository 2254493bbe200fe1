//! Help and version.

use crate::support::run;

const COMMANDS: &[&[&str]] = &[
    &["stream", "verify"],
    &["stream", "expand"],
    &["stream", "fold"],
    &["stream", "compact"],
    &["stream", "convert"],
    &["event", "check"],
    &["message", "check"],
    &["input", "check"],
    &["patch"],
    &["agents", "check"],
    &["agents", "schema"],
    &["model-server"],
    &["schema"],
    &["schema", "check"],
    &["serve"],
    &["demo"],
    &["chat"],
    &["threads"],
    &["threads", "list"],
    &["threads", "show"],
    &["threads", "rename"],
    &["threads", "archive"],
    &["threads", "unarchive"],
    &["threads", "delete"],
    &["threads", "cancel"],
    &["inbox"],
    &["inbox", "list"],
    &["inbox", "show"],
    &["inbox", "approve"],
    &["inbox", "reject"],
    &["inbox", "answer"],
    &["inbox", "cancel"],
    &["rules"],
    &["rules", "remove"],
    &["audit"],
    &["audit", "verify"],
    &["tail"],
    &["replay"],
    &["export"],
    &["import"],
    &["keys", "new"],
    &["keys", "hash"],
];

/// Commands without a form for programs: they do something, speak with a person, or print JSON whoever asks.
const SILENT: &[&[&str]] = &[
    &["agents", "schema"],
    &["demo"],
    &["chat"],
    &["threads", "rename"],
    &["threads", "archive"],
    &["threads", "unarchive"],
    &["threads", "delete"],
    &["threads", "cancel"],
    &["rules", "remove"],
    &["export"],
];

#[test]
fn every_command_explains_itself_with_an_example() {
    for command in COMMANDS {
        let (code, stdout, stderr) = run(&[*command, &["--help"]].concat(), "");
        assert_eq!((code, stderr.as_str()), (0, ""), "{command:?}");
        let call = format!("forestage {}", command.join(" "));
        assert!(stdout.contains(&format!("Usage: {call}")), "{stdout}");
        let (_, examples) = stdout.split_once("Example").expect(&call);
        assert!(examples.contains(&call), "{call}: {examples}");
        assert_eq!(stdout.contains("--json"), !SILENT.contains(command), "{call}");
    }
}

#[test]
fn the_groups_are_listed() {
    let (code, stdout, _) = run(&["--help"], "");
    assert_eq!(code, 0);
    for group in [
        "serve", "demo", "chat", "threads", "inbox", "rules", "audit", "tail", "stream", "event", "message",
        "input", "patch", "schema",
    ] {
        assert!(stdout.lines().any(|line| line.starts_with(&format!("  {group} "))), "{group}: {stdout}");
    }
}

#[test]
fn the_version_is_told() {
    let (code, stdout, _) = run(&["--version"], "");
    assert_eq!((code, stdout), (0, format!("forestage {}\n", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn a_wrong_call_is_told_with_a_suggestion() {
    let (code, _, stderr) = run(&["stream", "verfiy"], "");
    assert_eq!(code, 2);
    assert!(stderr.contains("'verify'"), "{stderr}");
    assert_eq!(run(&[], "").0, 2);
    assert_eq!(run(&["stream", "convert"], "").0, 2);
}
