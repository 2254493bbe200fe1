//! Help and version.

use std::path::Path;

use crate::support::run;

/// Every command that does something, found by reading the help of those above it.
fn commands() -> Vec<Vec<String>> {
    let (mut found, mut groups) = (Vec::new(), vec![Vec::<String>::new()]);
    while let Some(group) = groups.pop() {
        let args: Vec<_> = group.iter().map(String::as_str).chain(["--help"]).collect();
        let (code, help, stderr) = run(&args, "");
        assert_eq!((code, stderr.as_str()), (0, ""), "{group:?}");
        let listed = help.split_once("Commands:\n").map(|(_, rest)| rest).unwrap_or_default();
        let names = listed.lines().take_while(|line| line.starts_with("  "));
        let names: Vec<_> = names.filter_map(|line| line.split_whitespace().next()).collect();
        // A group that has a meaning of its own has options before its commands in its usage.
        if !group.is_empty() && (names.is_empty() || help.contains("\n       forestage")) {
            found.push(group.clone());
        }
        let members = names.into_iter().filter(|name| *name != "help");
        groups.extend(members.map(|name| [&group[..], &[name.to_owned()]].concat()));
    }
    found
}

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
    &["threads", "review"],
    &["rules", "remove"],
    &["export"],
    &["its", "prompt"],
];

#[test]
fn every_command_explains_itself_with_an_example() {
    let commands = commands();
    assert!(commands.len() > 50, "{commands:?}");
    for command in &commands {
        let command: Vec<_> = command.iter().map(String::as_str).collect();
        let stdout = run(&[&command[..], &["--help"]].concat(), "").1;
        let call = format!("forestage {}", command.join(" "));
        assert!(stdout.contains(&format!("Usage: {call}")), "{stdout}");
        let (_, examples) = stdout.split_once("Example").expect(&call);
        assert!(examples.contains(&call), "{call}: {examples}");
        let files = examples.split_whitespace().filter(|word| word.starts_with("examples/"));
        for file in files.map(|file| Path::new("../..").join(file)) {
            assert!(file.exists(), "{call}: {}", file.display());
        }
        assert_eq!(stdout.contains("--json"), !SILENT.contains(&&command[..]), "{call}");
    }
}

#[test]
fn the_groups_are_listed() {
    let (code, stdout, _) = run(&["--help"], "");
    assert_eq!(code, 0);
    for group in [
        "serve",
        "demo",
        "chat",
        "threads",
        "inbox",
        "rules",
        "audit",
        "tail",
        "replay",
        "export",
        "import",
        "keys",
        "stream",
        "event",
        "message",
        "input",
        "its",
        "a2ui",
        "agents",
        "model-server",
        "patch",
        "schema",
    ] {
        assert!(stdout.lines().any(|line| line.starts_with(&format!("  {group} "))), "{group}: {stdout}");
    }
}

#[test]
fn the_model_server_names_every_provider_that_it_plays() {
    let (_, help, _) = run(&["model-server", "--help"], "");
    for route in ["/v1/chat/completions", "/v1/responses", "/v1/messages", ":generateContent", "/api/chat"] {
        assert!(help.contains(route), "{route}: {help}");
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
