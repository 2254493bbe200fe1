//! `inbox`, `rules` and `audit`: questions decided from a shell, and what is on record of it.

use serde_json::{Value, json};

use crate::{
    server::{Lines, Server},
    support::{file, run, run_json, values},
};

/// A server on which an agent wants to pay 200 euros back, which its owner decides.
fn asked() -> (Server, String) {
    let server = Server::start();
    server.chat("refunds", "t", "refund 200\n");
    let id = only(&server);
    (server, id)
}

fn listed(server: &Server, args: &[&str]) -> Vec<Value> {
    let stdout = server.ok(&[&["inbox", "--json"], args].concat(), "");
    let answer: Value = serde_json::from_str(&stdout).unwrap();
    answer["interrupts"].as_array().unwrap().clone()
}

fn only(server: &Server) -> String {
    let listed = listed(server, &[]);
    assert_eq!(listed.len(), 1, "{listed:?}");
    listed[0]["id"].as_str().unwrap().to_owned()
}

/// Waits until the run that goes on has ended, and looks for what the agent says in it.
fn goes_on(server: &Server, text: &str) {
    let mut tail = Lines::of(server.command(&["tail", "t", "--after", "start", "--json"]));
    tail.until("RUN_FINISHED");
    let mut said = String::new();
    loop {
        let event: Value = serde_json::from_str(&tail.next()).unwrap();
        said.push_str(event["delta"].as_str().unwrap_or_default());
        if event["type"] == "RUN_FINISHED" || event["type"] == "RUN_ERROR" {
            break;
        }
    }
    assert!(said.contains(text), "{said}");
}

#[test]
fn what_waits_is_listed_and_shown() {
    let (server, id) = asked();
    let table = server.ok(&["inbox"], "");
    let (head, row) = table.split_once('\n').unwrap();
    for name in ["ID", "RISK", "AGENT", "THREAD", "SINCE", "EXPIRES", "WHO DECIDES", "WHAT"] {
        assert!(head.contains(name), "{head}");
    }
    for part in [id.as_str(), "high", "refunds", "just now", "23 h", "you", "refund {", "B-4"] {
        assert!(row.contains(part), "{part}: {row}");
    }
    let shown = server.ok(&["inbox", "show", &id], "");
    for part in ["Refund €200 for order B-4?", "\"amount\": 200", "answer with", "refunds on t"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert_eq!(listed(&server, &["--risk", "low,medium"]), Vec::<Value>::new());
    assert_eq!(listed(&server, &["--risk", "high", "--agent", "refunds", "--thread", "t"]).len(), 1);
    let (code, _, stderr) = server.run(&["inbox", "--risk", "huge"], "");
    assert_eq!(code, 2);
    assert!(stderr.contains("`huge` is not a risk"), "{stderr}");
}

#[test]
fn an_approval_makes_the_thread_go_on() {
    let (server, id) = asked();
    let told = server.ok(&["inbox", "approve", &id, "--reason", "spoke to them"], "");
    assert!(told.contains("approved by local") && told.contains("forestage tail t"), "{told}");
    goes_on(&server, "200 euros");
    assert_eq!(server.ok(&["inbox"], "").trim(), "nothing to decide");
    let decided = listed(&server, &["--decided"]);
    assert_eq!(decided[0]["decision"]["answer"]["payload"]["reason"], "spoke to them");
}

#[test]
fn a_question_of_an_agents_own_shows_the_call_before_anybody_decides() {
    let server = Server::start();
    server.chat("approval", "t", "write a mail\n");
    let id = only(&server);
    let shown = server.ok(&["inbox", "show", &id], "");
    for part in ["send_email", "\"to\": \"", "\"subject\": \"", "answer with"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let record: Value = serde_json::from_str(&server.ok(&["inbox", "show", &id, "--json"], "")).unwrap();
    let facts = &record["interrupt"]["metadata"];
    assert_eq!(facts["tool"], "send_email");
    assert!(facts["arguments"]["body"].is_string(), "{facts}");
}

#[test]
fn what_was_decided_is_shown_with_its_arguments_and_where_it_led() {
    let (server, id) = asked();
    server.ok(&["inbox", "approve", &id, "--args", r#"{"order":"B-4","amount":150}"#], "");
    goes_on(&server, "150 euros");
    let shown = server.ok(&["inbox", "show", &id], "");
    for part in ["approved by local", "\"amount\": 200", "\"amount\": 150", "led to"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(!shown.contains("answer with"), "{shown}");
}

#[test]
fn arguments_are_changed_on_the_way() {
    let (server, id) = asked();
    let args = server.file("args.json");
    std::fs::write(&args, "{\n \"order\": \"B-4\", \"amount\": 150 }\n").unwrap();
    server.ok(&["inbox", "approve", &id, "--args", &format!("@{}", args.display())], "");
    goes_on(&server, "150 euros");
}

#[test]
fn arguments_are_changed_in_an_editor() {
    let (server, id) = asked();
    let mut command = server.command(&["inbox", "approve", &id, "--edit"]);
    command.env_remove("VISUAL").env("EDITOR", "sed -i s/200/120/");
    let (code, _, stderr) = crate::support::finish(&mut command, "");
    assert_eq!(code, 0, "{stderr}");
    goes_on(&server, "120 euros");
}

#[test]
fn an_editor_that_fails_decides_nothing() {
    let (server, id) = asked();
    for (editor, text) in
        [("false", "did not end well"), ("", "set VISUAL or EDITOR"), ("echo x >", "not JSON")]
    {
        let mut command = server.command(&["inbox", "approve", &id, "--edit"]);
        command.env_remove("VISUAL").env("EDITOR", editor);
        let (code, _, stderr) = crate::support::finish(&mut command, "");
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(text), "{stderr}");
    }
    assert_eq!(only(&server), id);
}

#[test]
fn who_was_slower_is_told_who_decided() {
    let (server, id) = asked();
    server.ok(&["inbox", "reject", &id, "--reason", "paid before"], "");
    let again = server.ok(&["inbox", "reject", &id, "--reason", "paid before", "--json"], "");
    assert_eq!(serde_json::from_str::<Value>(&again).unwrap()["effect"], "repeated");
    let (code, stdout, stderr) = server.run(&["inbox", "approve", &id], "");
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.contains("rejected by local"), "{stderr}");
    goes_on(&server, "There is no refund");
}

#[test]
fn what_makes_no_sense_is_told_and_decides_nothing() {
    let (server, id) = asked();
    let cases: [(&[&str], &str); 5] = [
        (&["approve", "nope"], "there is no question `nope`"),
        (&["approve", &id, "--args", "{amount: 1}"], "--args is not JSON"),
        (&["approve", &id, "--args", "@no-such-file"], "no-such-file"),
        (&["answer", &id, "--payload", "yes"], "--payload is not JSON"),
        (&["answer", &id, "--payload", "{\"approved\": \"maybe\"}"], "does not fit"),
    ];
    for (args, text) in cases {
        let (code, stdout, stderr) = server.run(&[&["inbox"], args].concat(), "");
        assert_eq!((code, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
        assert!(stderr.contains(text), "{args:?}: {stderr}");
    }
    assert_eq!(only(&server), id);
}

#[test]
fn a_question_is_answered_and_another_one_withdrawn() {
    let server = Server::start();
    server.chat("form", "t", "book a table\n");
    let id = only(&server);
    let ruling = server.ok(&["inbox", "cancel", &id, "--json"], "");
    let ruling: Value = serde_json::from_str(&ruling).unwrap();
    assert_eq!(ruling["interrupt"]["decision"]["status"], "cancelled");
    assert_eq!(ruling["run"]["threadId"], "t");
    server.chat("refunds", "u", "refund 200\n");
    let id = only(&server);
    server.ok(&["inbox", "answer", &id, "--payload", "{\"approved\": false}", "--thread", "u"], "");
    assert_eq!(listed(&server, &[]), Vec::<Value>::new());
}

#[test]
fn the_inbox_is_told_as_it_changes() {
    let (server, id) = asked();
    let mut people = Lines::of(server.command(&["inbox", "--follow"]));
    let mut programs = Lines::of(server.command(&["inbox", "--follow", "--json"]));
    assert!(people.until("opened").contains(&id));
    assert!(programs.next().contains(&id));
    assert_eq!(programs.next().trim(), "{\"type\":\"ready\"}");
    server.ok(&["inbox", "approve", &id], "");
    assert!(people.until("decided").contains("approved by local"));
    let event: Value = serde_json::from_str(&programs.next()).unwrap();
    assert_eq!((&event["type"], &event["interrupt"]["decision"]["by"]), (&json!("decided"), &json!("local")));
    let server = server.kill_and_restart(&[]);
    server.chat("refunds", "u", "refund 200\n");
    assert!(people.until("opened").contains("  u  "), "over a restart of the server");
}

#[test]
fn a_yes_is_remembered_and_taken_back() {
    let (server, id) = asked();
    assert_eq!(server.ok(&["rules"], "").trim(), "no rules");
    server.ok(&["inbox", "approve", &id, "--remember", "always"], "");
    goes_on(&server, "200 euros");
    let rules = server.ok(&["rules"], "");
    assert!(
        rules.contains("refunds may call refund, up to risk high, always") && rules.contains("by local"),
        "{rules}"
    );
    let rules: Value = serde_json::from_str(&server.ok(&["rules", "--json"], "")).unwrap();
    let rule = rules["rules"][0]["id"].as_str().unwrap();
    server.ok(&["rules", "remove", rule], "");
    let (code, _, stderr) = server.run(&["rules", "remove", rule], "");
    assert_eq!(code, 2);
    assert!(stderr.contains("there is no rule"), "{stderr}");
    let trail = server.ok(&["audit"], "");
    assert!(trail.contains("rule_removed"), "{trail}");
}

#[test]
fn the_trail_is_listed_exported_and_checked() {
    let (server, id) = asked();
    server.ok(&["inbox", "approve", &id], "");
    let table = server.ok(&["audit", "--interrupt", &id], "");
    assert!(table.contains("decided") && table.contains("local (http 127.0.0.1)"), "{table}");
    let trail: Value = serde_json::from_str(&server.ok(&["audit", "--thread", "t", "--json"], "")).unwrap();
    assert!(trail["entries"].as_array().unwrap().len() >= 2, "{trail}");
    let export = server.ok(&["audit", "--jsonl"], "");
    let (code, verdict) = run_json(&["audit", "verify", "-", "--json"], &export);
    let lines = values(&export);
    assert_eq!(code, 0);
    let hash = &lines.last().unwrap()["hash"];
    let expected = json!({"ok": true, "entries": lines.len(), "first": 1, "last": lines.len(), "hash": hash, "broken": null});
    assert_eq!(verdict, expected);
    let path = file("trail.jsonl", &export);
    let (code, stdout, _) = run(&["audit", "verify", path.to_str().unwrap()], "");
    assert_eq!(code, 0);
    assert!(stdout.contains("ok") && stdout.contains(hash.as_str().unwrap()), "{stdout}");
}

#[test]
fn a_trail_that_was_changed_is_told_with_the_first_number() {
    let (server, id) = asked();
    server.ok(&["inbox", "approve", &id], "");
    server.run(&["inbox", "reject", &id], "");
    let export = server.ok(&["audit", "--jsonl"], "");
    let lines: Vec<&str> = export.lines().collect();
    assert!(lines.len() >= 3, "{export}");
    let check = |lines: &[&str]| run(&["audit", "verify", "-"], lines.join("\n"));
    let changed = lines[1].replace("local", "mallory");
    let (code, stdout, _) = check(&[&[lines[0], &changed], &lines[2..]].concat());
    assert_eq!(code, 1);
    assert!(stdout.contains("entry 2 is not as it was written"), "{stdout}");
    let (code, stdout, _) = check(&[&lines[..1], &lines[2..]].concat());
    assert_eq!(code, 1);
    assert!(stdout.contains("entry 2 is missing; the one before it is as it was written"), "{stdout}");
    let (code, stdout, _) = check(&[lines[0], lines[1], lines[1]]);
    assert_eq!(code, 1);
    assert!(stdout.contains("entry 2 is not"), "{stdout}");

    let (code, stdout, _) = check(&lines[1..]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("entry 2 is taken for what it says"), "{stdout}");
    let first: Value = serde_json::from_str(lines[0]).unwrap();
    let hash = first["hash"].as_str().unwrap();
    let from =
        |previous: &str| run(&["audit", "verify", "-", "--previous", previous], lines[1..].join("\n")).0;
    assert_eq!((from(hash), from(&"0".repeat(64)), from("abc")), (0, 1, 2));

    let (code, _, stderr) = run(&["audit", "verify", "-"], "{\"seq\": 1}\n");
    assert_eq!(code, 2);
    assert!(stderr.contains("line 1 is not an entry"), "{stderr}");
    assert_eq!(run(&["audit", "verify", "no-such-file"], "").0, 2);

    let (code, stdout, _) = run(&["audit", "verify", "-"], "");
    assert_eq!(code, 1, "of nothing, nobody can say that it is whole");
    assert!(stdout.contains("no entries"), "{stdout}");
    let filtered = server.ok(&["audit", "--jsonl", "--thread", "t"], "");
    let (code, stdout, stderr) = run(&["audit", "verify", "-"], filtered);
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("filtered (threadId t)"), "{stderr}");
}

/// A server for people with keys: Ada, and Bob and Mia who are managers.
fn with_keys() -> Server {
    let entry = |user: &str, roles: &str| {
        let hash = run(&["keys", "hash"], user).1;
        format!("[[keys]]\nuser = '{user}'\nhash = '{}'\nroles = [{roles}]\n", hash.trim())
    };
    let config = [entry("ada", ""), entry("bob", "'manager'"), entry("mia", "'manager'")].concat();
    let path = file("people.toml", config);
    Server::start_with(&["--config", path.to_str().unwrap()])
}

#[test]
fn two_people_agree_and_the_owner_only_watches() {
    let server = with_keys();
    server.ok(&["chat", "refunds", "--plain", "--thread", "t", "--key", "ada"], "refund 2000\n");
    let as_who = |user: &str, args: &[&str]| server.run(&[&["inbox"], args, &["--key", user]].concat(), "");
    let (_, stdout, _) = as_who("bob", &["--json"]);
    let id =
        serde_json::from_str::<Value>(&stdout).unwrap()["interrupts"][0]["id"].as_str().unwrap().to_owned();
    assert!(as_who("bob", &[]).1.contains("you, 0 of 2"));
    assert!(as_who("ada", &[]).1.contains("a manager, 0 of 2"));

    let (code, _, stderr) = as_who("ada", &["approve", &id]);
    assert_eq!(code, 2);
    assert!(stderr.contains("role `manager`"), "{stderr}");
    let (code, stdout, _) = as_who("bob", &["approve", &id]);
    assert_eq!(code, 0);
    assert!(stdout.contains("1 of 2 have agreed"), "{stdout}");
    let (code, _, stderr) = as_who("bob", &["approve", &id]);
    assert_eq!(code, 1);
    assert!(stderr.contains("another person"), "{stderr}");
    assert!(as_who("mia", &["show", &id]).1.contains("bob, just now"));
    let (code, stdout, _) = as_who("mia", &["approve", &id]);
    assert_eq!(code, 0);
    assert!(stdout.contains("approved by mia"), "{stdout}");
}

#[test]
fn a_question_is_found_by_the_beginning_of_its_id_and_shown_but_not_decided_by_its_row() {
    let (server, id) = asked();
    let beginning = &id[..id.len() - 1];
    for given in [beginning, "1"] {
        assert!(server.ok(&["inbox", "show", given], "").contains("\"amount\": 200"), "{given}");
    }
    let (code, _, stderr) = server.run(&["inbox", "approve", "1"], "");
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("forestage inbox show 1"), "{stderr}");
    assert_eq!(only(&server), id);
    server.ok(&["inbox", "approve", beginning], "");
    goes_on(&server, "200 euros");
}

#[test]
fn two_people_of_the_demo_approve_what_needs_two() {
    let mut demo =
        Lines::of(crate::support::forestage(&["demo", "--listen", "127.0.0.1:0", "--store", "memory:"]));
    let line = demo.until("listening on");
    let url = line.split_whitespace().last().unwrap().to_owned();
    let call = |args: &[&str], input: &str| {
        let (code, stdout, stderr) = run(&[args, &["--url", &url]].concat(), input);
        assert_eq!(code, 0, "{stderr}");
        stdout
    };
    call(&["chat", "refunds", "--plain", "--thread", "t"], "refund 2000\n");
    let listed: Value = serde_json::from_str(&call(&["inbox", "--json"], "")).unwrap();
    let id = listed["interrupts"][0]["id"].as_str().unwrap().to_owned();
    let approve = |more: &[&str]| {
        let told = call(&[&["inbox", "approve", &id, "--thread", "t", "--json"], more].concat(), "");
        serde_json::from_str::<Value>(&told).unwrap()["effect"].clone()
    };
    assert_eq!(approve(&[]), "counted");
    assert_eq!(approve(&["--key", "fs_demo_grace"]), "decided");
}
