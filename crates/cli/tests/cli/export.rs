//! `export`, `import` and `replay`: a thread leaves the server, comes back, and is played.

use serde_json::Value;

use crate::{
    server::Server,
    support::{HELLO, jsonl, run, types, values},
};

#[test]
fn an_export_is_a_legal_stream_that_folds_to_the_same_messages() {
    let server = Server::start();
    server.chat("hello", "t", "hi\n");
    server.ok(&["export", "t", "-o", "t.agui.jsonl"], "");
    server.ok(&["stream", "verify", "t.agui.jsonl"], "");
    let fold: Value =
        serde_json::from_str(&server.ok(&["stream", "fold", "--json", "t.agui.jsonl"], "")).unwrap();
    let shown: Value = serde_json::from_str(&server.ok(&["threads", "show", "t", "--json"], "")).unwrap();
    assert_eq!(fold["messages"], shown["messages"]);
}

#[test]
fn a_redacted_export_is_legal_and_says_nothing() {
    let server = Server::start();
    server.chat("hello", "t", "my secret\n");
    let plain = server.ok(&["export", "t"], "");
    let redacted = server.ok(&["export", "t", "--redact"], "");
    assert!(plain.contains("secret") && !redacted.contains("secret"), "{redacted}");
    assert_eq!(run(&["stream", "verify", "-q"], &redacted).0, 0);
    let length = |text: &str| {
        let deltas = values(text)
            .iter()
            .filter_map(|event| event["delta"].as_str().map(str::to_owned))
            .collect::<String>();
        deltas.chars().count()
    };
    assert_eq!(length(&plain), length(&redacted));
}

#[test]
fn a_thread_that_is_not_there_leaves_no_file() {
    let server = Server::start();
    assert_eq!(server.run(&["export", "nope", "-o", "nope.jsonl"], "").0, 2);
    assert!(!server.file("nope.jsonl").exists());
}

#[test]
fn a_stored_thread_is_played_as_it_was_seen() {
    let server = Server::start();
    let said = server.chat("hello", "t", "hi\n");
    let played = server.ok(&["replay", "t", "--speed", "max"], "");
    assert!(played.starts_with("> hi\n"), "{played}");
    assert!(played.ends_with(&said), "{played}");
    let events = server.ok(&["replay", "t", "--speed", "max", "--format", "jsonl"], "");
    assert_eq!(run(&["stream", "verify", "-q"], events).0, 0);
}

#[test]
fn a_recording_is_played_in_any_format() {
    let (code, text, _) = run(&["replay", "-", "--speed", "max"], jsonl(&HELLO));
    assert_eq!((code, text.as_str()), (0, "Hello\n"));
    let (_, sse, _) = run(&["replay", "-", "--format", "sse"], jsonl(&HELLO));
    assert_eq!(sse.matches("data: ").count(), HELLO.len());
    let (_, lines, _) = run(&["replay", "-", "--format", "jsonl"], sse);
    assert_eq!(types(&lines).len(), HELLO.len());
}

#[test]
fn a_broken_recording_is_played_up_to_its_fault() {
    let (code, text, stderr) = run(&["replay", "-"], jsonl(&HELLO[..3]));
    assert_eq!(code, 1);
    assert!(text.contains("Hello") && stderr.contains("stream_truncated"), "{text}{stderr}");
    assert_eq!(run(&["replay", "no/such/file"], "").0, 2);
    assert_eq!(run(&["replay", "-", "--speed", "0"], "").0, 2);
}

#[test]
fn an_export_becomes_a_thread_of_another_name_that_goes_on() {
    let server = Server::start();
    server.chat("form", "t", "book a table\nFriday\n4\nnone\n");
    server.ok(&["export", "t", "-o", "t.agui.jsonl"], "");
    let said = server.ok(&["import", "t.agui.jsonl", "--thread", "copy", "--agent", "form"], "");
    assert_eq!(said, "imported as copy\n");
    let shown = |id: &str| -> Value {
        serde_json::from_str(&server.ok(&["threads", "show", id, "--json"], "")).unwrap()
    };
    let (original, copy) = (shown("t"), shown("copy"));
    assert_eq!((&original["messages"], &original["state"]), (&copy["messages"], &copy["state"]));
    server.chat("form", "copy", "hello\n");

    let (code, _, stderr) = server.run(&["import", "t.agui.jsonl", "--agent", "form"], "");
    assert_eq!(code, 2);
    assert!(stderr.contains("`t`"), "{stderr}");
}

#[test]
fn a_recording_that_is_not_legal_is_not_imported() {
    let server = Server::start();
    let (code, stdout, _) = server.run(&["import", "-", "--agent", "hello"], &jsonl(&HELLO[..4]));
    assert_eq!(code, 1);
    assert!(stdout.contains("stream_truncated"), "{stdout}");
    let (code, _, stderr) = server.run(&["import", "-"], &jsonl(&HELLO));
    assert_eq!(code, 2);
    assert!(stderr.contains("--agent") && stderr.contains("hello"), "{stderr}");
    assert_eq!(server.ok(&["threads"], ""), "no threads\n");
}

#[test]
fn a_history_of_agui_protocol_becomes_a_thread_whose_question_can_be_answered() {
    let server = Server::start();
    let history = r#"[
        {"type":"RUN_STARTED","threadId":"old","runId":"r"},
        {"type":"TEXT_MESSAGE_START","messageId":"m","role":"assistant"},
        {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"May I?"},
        {"type":"TEXT_MESSAGE_END","messageId":"m"},
        {"type":"META","metaType":"thumbs_up","payload":{"messageId":"m"}},
        {"type":"RUN_FINISHED","threadId":"old","runId":"r","outcome":"interrupt",
         "interrupt":{"id":"q","payload":{"functionName":"pay","functionArguments":{"amount":7}}}}]"#;
    assert_eq!(server.ok(&["import", "-", "--agent", "hello"], history), "imported as old\n");
    let shown: Value = serde_json::from_str(&server.ok(&["threads", "show", "old", "--json"], "")).unwrap();
    assert_eq!(shown["messages"][0]["content"], "May I?");
    let exported = server.ok(&["export", "old"], "");
    assert!(exported.contains(r#""name":"meta:thumbs_up","value":{"messageId":"m"}"#), "{exported}");
    assert!(exported.contains(r#""functionArguments":{"amount":7}"#), "{exported}");
    let waiting = server.ok(&["inbox"], "");
    assert!(waiting.contains("pay"), "{waiting}");
}

#[test]
fn what_was_said_at_length_is_joined_exported_verified_and_imported() {
    let server = Server::start();
    let said = "x".repeat(20 << 20);
    // An agent that does not repeat it.
    server.chat("approval", "long", &format!("{said}\n"));
    let seen = server.ok(&["tail", "long", "--once"], "");
    assert!(seen.contains("MESSAGES_SNAPSHOT"), "it is joined by a prelude");
    let exported = server.ok(&["export", "long"], "");
    assert!(exported.len() > said.len());
    server.ok(&["stream", "verify", "-"], &exported);
    server.ok(&["import", "-", "--thread", "again", "--agent", "approval"], &exported);
    assert!(server.chat("approval", "again", "bye\n").contains("write a mail"));
}
