//! `chat --plain`: a conversation through a pipe.

use crate::server::Server;

#[test]
fn what_the_agent_says_is_printed() {
    let server = Server::start();
    let said = server.chat("hello", "t", "How are you\n");
    assert!(said.contains("How are you"), "{said}");
}

#[test]
fn a_conversation_goes_on_where_it_was() {
    let server = Server::start();
    server.chat("hello", "t", "first\n");
    let said = server.chat("hello", "t", "second\n");
    let history = said.find("> first").expect("what was said before is shown");
    assert!(said[history..].contains("second"), "{said}");
    let shown = server.ok(&["threads", "show", "t", "--json"], "");
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(shown["messages"].as_array().unwrap().len(), 4);
    assert_eq!(shown["runs"].as_array().unwrap().len(), 2);
}

#[test]
fn a_question_is_asked_and_the_next_line_answers_it() {
    let server = Server::start();
    let said = server.chat("approval", "t", "go\ny\n");
    assert!(said.contains("? "), "{said}");
    assert!(said.contains("true"), "{said}");
}

#[test]
fn a_question_waits_over_a_crash_of_the_server() {
    let server = Server::start();
    server.chat("approval", "t", "go\n");
    let waiting = server.ok(&["threads", "--status", "waiting", "--json"], "");
    assert!(waiting.contains("\"id\":\"t\""), "{waiting}");
    let server = server.kill_and_restart(&[]);
    let said = server.chat("approval", "t", "n\n");
    assert!(said.contains("false"), "{said}");
}

#[test]
fn an_agent_that_is_not_there_is_told_with_those_that_are() {
    let server = Server::start();
    let (code, _, stderr) = server.run(&["chat", "nobody", "--plain"], "hi\n");
    assert_eq!(code, 2);
    assert!(stderr.contains("`nobody`") && stderr.contains("hello"), "{stderr}");
}

#[test]
fn commands_lead_to_other_threads_and_agents() {
    let server = Server::start();
    server.chat("hello", "old", "remember me\n");
    let said =
        server.chat("hello", "t", "/nope\n/help\n/threads\n/agent\n/thread old\n/new\nfresh\n/quit\nnever\n");
    for part in ["no command /nope", "/thread ID", "· old", "· approval", "> remember me", "fresh"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(!said.contains("never"), "{said}");
    let listed = server.ok(&["threads", "--json"], "");
    let listed: serde_json::Value = serde_json::from_str(&listed).unwrap();
    assert_eq!(listed["threads"].as_array().unwrap().len(), 2, "{listed}");
}
