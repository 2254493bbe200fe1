//! `tail`: a thread as it happens.

use serde_json::Value;

use crate::{
    server::{Lines, Server},
    support::{types, values},
};

#[test]
fn a_thread_is_read_once_as_lines_for_people_and_for_programs() {
    let server = Server::start();
    server.chat("hello", "t", "hi\n");
    let lines = server.ok(&["tail", "t", "--after", "start", "--once"], "");
    let first = lines.lines().next().unwrap();
    assert!(first.contains("RUN_STARTED") && first.contains(':'), "{first}");
    let events = server.ok(&["tail", "t", "--after", "start", "--once", "--json"], "");
    assert_eq!(types(&events).last().unwrap(), "RUN_FINISHED");
    assert!(lines.lines().last().unwrap().contains("RUN_FINISHED"), "{lines}");
}

#[test]
fn without_a_place_the_conversation_is_told_in_snapshots() {
    let server = Server::start();
    server.chat("hello", "t", "hi\n");
    let events = types(&server.ok(&["tail", "t", "--once", "--json"], ""));
    assert!(events.iter().any(|name| name == "MESSAGES_SNAPSHOT"), "{events:?}");
}

#[test]
fn what_happens_is_shown_while_it_happens() {
    let server = Server::start();
    server.chat("hello", "t", "one\n");
    let mut tail = Lines::of(server.command(&["tail", "t", "--json"]));
    tail.until("RUN_FINISHED");
    server.chat("hello", "t", "two\n");
    assert!(tail.until("RUN_STARTED").contains("two"));
    tail.until("RUN_FINISHED");
}

#[test]
fn a_cursor_goes_on_behind_it_after_a_crash_of_the_server() {
    let server = Server::start();
    server.chat("hello", "t", "one\n");
    let read = ["tail", "t", "--once", "--json", "--cursors", "--after"];
    let all = values(&server.ok(&[&read[..], &["start"]].concat(), ""));
    let cursor = all[2]["cursor"].as_str().unwrap().to_owned();

    let mut follower = Lines::of(server.command(&["tail", "t", "--json", "--after", &cursor]));
    follower.until("RUN_FINISHED");
    let server = server.kill_and_restart(&[]);
    let rest = values(&server.ok(&[&read[..], &[&cursor]].concat(), ""));
    // The run may have been compacted meanwhile, so pieces of a text may have become one.
    assert_eq!(text(&rest), text(&all[3..]));
    assert_eq!(rest.last(), all.last());
    server.chat("hello", "t", "two\n");
    let after = follower.until("RUN_STARTED");
    assert_eq!(serde_json::from_str::<Value>(&after).unwrap()["input"]["messages"][0]["content"], "two");
}

fn text(lines: &[Value]) -> String {
    lines.iter().filter_map(|line| line["event"]["delta"].as_str()).collect()
}

#[test]
fn a_place_that_is_none_is_a_wrong_call() {
    let server = Server::start();
    assert_eq!(server.run(&["tail", "t", "--after", "yesterday"], "").0, 2);
}
