//! `threads`: looked at and put in order.

use serde_json::{Value, json};

use crate::server::Server;

fn listed(server: &Server, args: &[&str]) -> Vec<Value> {
    let stdout = server.ok(&[&["threads", "list", "--json"], args].concat(), "");
    let answer: Value = serde_json::from_str(&stdout).unwrap();
    answer["threads"].as_array().unwrap().clone()
}

#[test]
fn threads_are_listed_renamed_and_found() {
    let server = Server::start();
    server.chat("hello", "a", "hi\n");
    server.chat("hello", "b", "hi\n");
    server.ok(&["threads", "rename", "a", "Ünder way"], "");
    assert_eq!(listed(&server, &["--limit", "1"]).len(), 1);
    let found = listed(&server, &["--search", "way"]);
    assert_eq!((found.len(), &found[0]["id"]), (1, &json!("a")));
    let lines = server.ok(&["threads"], "");
    assert_eq!(lines.lines().count(), 2, "{lines}");
    assert!(lines.contains("Ünder way") && lines.contains("hello"), "{lines}");
}

#[test]
fn an_archived_thread_is_listed_apart() {
    let server = Server::start();
    server.chat("hello", "a", "hi\n");
    server.ok(&["threads", "archive", "a"], "");
    assert_eq!(listed(&server, &[]), Vec::<Value>::new());
    assert_eq!(listed(&server, &["--archived"]).len(), 1);
    server.ok(&["threads", "unarchive", "a"], "");
    assert_eq!(listed(&server, &[]).len(), 1);
}

#[test]
fn answers_on_a_thread_are_held_back_until_somebody_has_looked() {
    let server = Server::start();
    server.chat("hello", "a", "hi\n");
    server.ok(&["threads", "review", "a"], "");
    assert_eq!(listed(&server, &[])[0]["review"], true);
    assert!(server.ok(&["threads", "show", "a"], "").contains("looked at"));
    server.ok(&["threads", "review", "a", "--off"], "");
    assert_eq!(listed(&server, &[])[0]["review"], false);
}

#[test]
fn deleting_wants_to_be_confirmed() {
    let server = Server::start();
    server.chat("hello", "a", "hi\n");
    let (code, _, stderr) = server.run(&["threads", "delete", "a"], "");
    assert_eq!(code, 2);
    assert!(stderr.contains("--yes"), "{stderr}");
    server.ok(&["threads", "delete", "a", "--yes"], "");
    assert_eq!(listed(&server, &[]), Vec::<Value>::new());
}

#[test]
fn a_thread_is_shown_with_its_runs_and_messages() {
    let server = Server::start();
    server.chat("hello", "a", "good morning\n");
    let shown = server.ok(&["threads", "show", "a"], "");
    assert!(shown.contains("user") && shown.contains("good morning") && shown.contains("hello"), "{shown}");
}

#[test]
fn cancelling_where_nothing_runs_is_a_no() {
    let server = Server::start();
    server.chat("hello", "a", "hi\n");
    assert_eq!(server.run(&["threads", "cancel", "a"], "").0, 1);
}

#[test]
fn cancelling_a_thread_that_waits_withdraws_its_questions() {
    let server = Server::start();
    server.chat("refunds", "a", "refund 200\n");
    assert_eq!(listed(&server, &["--status", "waiting"]).len(), 1);
    server.ok(&["threads", "cancel", "a"], "");
    let runs = server.ok(&["threads", "show", "a", "--json"], "");
    let first = serde_json::from_str::<Value>(&runs).unwrap()["runs"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(server.run(&["threads", "cancel", "a", &first], "").0, 1, "there is nothing left to cancel");
    assert_eq!(listed(&server, &["--status", "idle"]).len(), 1);
    let inbox: Value = serde_json::from_str(&server.ok(&["inbox", "--json"], "")).unwrap();
    assert_eq!(inbox["interrupts"], json!([]));
}

#[test]
fn a_thread_that_is_not_there_is_told() {
    let server = Server::start();
    for args in [&["threads", "show", "nope"][..], &["tail", "nope", "--once"], &["export", "nope"]] {
        let (code, stdout, stderr) = server.run(args, "");
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}");
        assert!(stderr.contains("nope"), "{stderr}");
    }
}

#[test]
fn a_thread_is_found_by_the_beginning_of_its_id_and_by_its_row() {
    let server = Server::start();
    server.chat("hello", "apple-1", "first\n");
    server.chat("hello", "apple-2", "second\n");
    server.chat("hello", "pear-tree", "third\n");
    assert!(server.ok(&["threads", "show", "pear"], "").contains("third"));
    assert!(server.ok(&["tail", "pear", "--once"], "").contains("pear-tree"));
    assert!(server.ok(&["export", "pear"], "").contains("third"));
    assert!(server.ok(&["replay", "pear", "--speed", "max"], "").contains("third"));
    let rows = server.ok(&["threads"], "");
    let row = rows.lines().find(|row| row.contains("apple-1")).unwrap();
    let number = row.split_whitespace().next().unwrap();
    assert!(server.ok(&["threads", "show", number], "").contains("first"), "{rows}");
    server.ok(&["threads", "rename", "pear", "Fruit"], "");
    assert_eq!(listed(&server, &["--search", "Fruit"])[0]["id"], "pear-tree");
}

#[test]
fn the_beginning_of_several_ids_changes_nothing_and_neither_does_a_row() {
    let server = Server::start();
    server.chat("hello", "apple-1", "first\n");
    server.chat("hello", "apple-2", "second\n");
    let (code, _, stderr) = server.run(&["threads", "delete", "apple", "--yes"], "");
    assert_eq!(code, 2);
    assert!(
        stderr.contains("2 thread ids") && stderr.contains("apple-1") && stderr.contains("apple-2"),
        "{stderr}"
    );
    assert_eq!(
        server.run(&["threads", "delete", "1", "--yes"], "").0,
        2,
        "rows move, so they delete nothing"
    );
    assert_eq!(listed(&server, &[]).len(), 2);
}

#[test]
fn a_chat_goes_on_by_the_beginning_of_a_generated_id_and_takes_other_words_for_new_threads() {
    let server = Server::start();
    server.ok(&["chat", "hello", "--plain"], "first\n");
    let id = listed(&server, &[])[0]["id"].as_str().unwrap().to_owned();
    server.chat("hello", &id[..8], "second\n");
    assert!(server.ok(&["threads", "show", &id], "").contains("second"));
    server.chat("hello", "mailbox", "first\n");
    server.chat("hello", "mail", "second\n");
    assert_eq!(listed(&server, &[]).len(), 3);
}

#[test]
fn plans_are_drawn_in_a_chat() {
    let server = Server::start();
    let said = server.chat("tour", "a", "Lisbon\n");
    assert!(said.contains("[ ] ") && said.contains("[x] "), "{said}");
    assert!(!said.contains("{\"steps\""), "{said}");
}
