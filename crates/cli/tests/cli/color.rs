//! Colours, for people only.

use crate::support::{HELLO, finish, forestage, jsonl, run};

#[test]
fn there_are_none_where_there_is_no_terminal() {
    let (_, stdout, _) = run(&["stream", "verify"], jsonl(&HELLO));
    assert!(!stdout.contains('\u{1b}'), "{stdout:?}");
}

#[test]
fn they_can_be_forced_and_forbidden() {
    for args in [&["stream", "verify", "--color", "always"][..], &["--color", "always", "stream", "fold"]] {
        assert!(run(args, jsonl(&HELLO)).1.contains('\u{1b}'), "{args:?}");
    }
    let mut command = forestage(&["stream", "verify", "--color", "never"]);
    let (_, stdout, _) = finish(command.env("CLICOLOR_FORCE", "1"), jsonl(&HELLO));
    assert!(!stdout.contains(&0x1b));
}

#[test]
fn no_color_is_respected() {
    let mut command = forestage(&["stream", "verify"]);
    let (_, stdout, _) = finish(command.env("CLICOLOR_FORCE", "1"), jsonl(&HELLO));
    assert!(stdout.contains(&0x1b), "colours can be forced by the environment");
    let mut command = forestage(&["stream", "verify"]);
    let (_, stdout, _) = finish(command.env("NO_COLOR", "1"), jsonl(&HELLO));
    assert!(!stdout.contains(&0x1b));
}

#[test]
fn json_never_has_any() {
    for args in [&["stream", "fold", "--json"][..], &["stream", "expand"], &["schema"]] {
        let (_, stdout, _) = run(&[args, &["--color", "always"]].concat(), jsonl(&HELLO));
        assert!(!stdout.contains('\u{1b}'), "{args:?}");
    }
}
