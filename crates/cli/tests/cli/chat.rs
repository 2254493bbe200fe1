//! `chat --plain`: a conversation through a pipe.

use crate::server::{Lines, Server};

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
    let said = server.chat("approval", "t", "write a mail\nperhaps\ny\n");
    for part in ["? Shall I send this e-mail?", "y or n?", "calls send_email", "I sent it."] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn what_was_said_before_a_question_is_printed_once() {
    let server = Server::start();
    let count = |said: &str, text: &str| said.matches(text).count();
    let asked = server.chat("approval", "t", "write a mail\n");
    assert_eq!(count(&asked, "I have written a draft."), 1, "{asked}");
    let answered = server.chat("approval", "t", "y\n");
    assert_eq!(count(&answered, "I have written a draft."), 1, "{answered}");
    assert!(answered.contains("send_email gave"), "the call is known from before: {answered}");
    // The next question restates the whole conversation, which was told as the history of the thread.
    let again = server.chat("approval", "t", "write a mail\ny\n");
    assert_eq!(count(&again, "I have written a draft."), 2, "{again}");
    assert_eq!(count(&again, "I sent it."), 2, "{again}");
    assert_eq!(count(&again, "> write a mail"), 1, "{again}");
    let back = server.chat("approval", "t", "/new\n/thread t\n");
    assert_eq!(count(&back, "I sent it."), 4, "who comes back is told from the beginning: {back}");
    let replayed = server.ok(&["replay", "t", "--speed", "max"], "");
    assert_eq!(count(&replayed, "I have written a draft."), 2, "{replayed}");
    assert_eq!(count(&replayed, "> write a mail"), 2, "{replayed}");
}

#[test]
fn a_question_waits_over_a_crash_of_the_server() {
    let server = Server::start();
    server.chat("approval", "t", "write a mail\n");
    let waiting = server.ok(&["threads", "--status", "waiting", "--json"], "");
    assert!(waiting.contains("\"id\":\"t\""), "{waiting}");
    let server = server.kill_and_restart(&[]);
    let said = server.chat("approval", "t", "n\n");
    assert!(said.contains("I did not send it."), "{said}");
}

#[test]
fn an_answer_can_be_changed_as_json() {
    let server = Server::start();
    let answer = r#"{"approved":true,"editedArgs":{"to":"bob@example.org"}}"#;
    let said = server.chat("approval", "t", &format!("write a mail\n{answer}\n"));
    assert!(said.contains("I sent it with your changes."), "{said}");
}

#[test]
fn the_fields_of_a_form_are_asked_one_by_one() {
    let server = Server::start();
    let said = server.chat("form", "t", "book a table\nmonday\nFriday\n4\na window\n");
    for part in ["Day [Friday | Saturday | Sunday]", "`monday` is none of them", "People [a number]"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.contains("Booked. I noted: a window"), "{said}");
    let shown = server.ok(&["threads", "show", "t", "--json"], "");
    assert!(shown.contains(r#""state":{"bookings":[{"day":"Friday","people":4}]}"#), "{shown}");
}

#[test]
fn a_run_that_fails_is_a_no() {
    let server = Server::start();
    let (code, stdout, _) = server.run(&["chat", "error", "--plain"], "hi\n");
    assert_eq!(code, 1);
    assert!(stdout.contains("error["), "{stdout}");
}

#[test]
fn a_run_under_way_is_followed_and_can_be_cancelled() {
    let server = Server::start();
    let mut first = Lines::fed(server.command(&["chat", "long", "--plain", "--thread", "t"]), "count\n");
    first.until("It is second 1.");
    let mut second = Lines::of(server.command(&["chat", "--plain", "--thread", "t"]));
    assert!(second.until("> count").contains("> count"));
    server.ok(&["threads", "cancel", "t"], "");
    first.until("cancelled");
    second.until("cancelled");
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

#[test]
fn a_tool_of_the_client_is_answered_by_the_person() {
    let server = Server::start();
    let place = r#"{"city":"Oslo","colour":"blue"}"#;
    let said = server.chat("client-tool", "t", &format!("hi\n{place}\n/cancel\n"));
    for part in ["? What does get_location give?", "You are in Oslo", "calls set_theme", "Done."] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[test]
fn a_run_that_dies_with_its_server_is_closed_and_the_chat_comes_back() {
    let folder = tempfile::TempDir::new().unwrap();
    let config = folder.path().join("quick.toml");
    std::fs::write(&config, "[limits]\nlease_seconds = 1\n").unwrap();
    let flags = ["--config", config.to_str().unwrap()];
    let server = Server::start_with(&flags);
    let mut chat = Lines::fed(server.command(&["chat", "long", "--plain", "--thread", "t"]), "count\n");
    chat.until("It is second 1.");
    let server = server.kill_and_restart(&flags);
    chat.until("reconnecting");
    chat.until("connected again");
    chat.until("error[run_lost]");
    let said = server.chat("hello", "t", "are you there\n");
    assert!(said.contains("It is second 1.") && said.contains("are you there"), "{said}");
}
