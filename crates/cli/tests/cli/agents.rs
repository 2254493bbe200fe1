//! Agent files from their users' side: checked by the command, served, killed in the middle, decided about.

use std::{fs, path::Path};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    model_server::ModelServer,
    server::{Lines, Server},
    support::{run, run_json},
};

const FILE: &str = "\
---
description: Pays after somebody has agreed
model: openai/test
tools:
  - { name: pay, parameters: { type: object, properties: { amount: { type: number } } }, result: { paid: '{{args.amount}}' } }
house: { rules: [{ tools: [pay], action: ask, risk: high }] }
---
You pay what people ask for.
";

const SCRIPT: &str = "
rules:
  - { when: { says: pay }, do: [{ text: 'I will. ' }, { calls: [{ name: pay, args: { amount: 5 } }] }] }
  - { when: { result: pay, contains: paid }, do: [{ text: Paid it. }] }
  - { do: [{ text: Hello! }] }
";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn path(folder: &Path) -> &str {
    folder.to_str().unwrap()
}

/// A folder with a mistake of every kind: scripts and agent files that are bad, and such as are no UTF-8.
fn mistaken() -> TempDir {
    let bad = folder(&[
        ("bad.yaml", "rules:\n  - do: [{ txt: x }]\n"),
        ("bad.md", "---\nmodle: openai/x\n---\nHi\n"),
        ("desk.yaml", "rules: [{ do: [{ handoff: accents }] }]"),
        ("front.md", "---\nmodel: openai/x\nhandoffs: [drinks]\n---\nHi\n"),
    ]);
    fs::write(bad.path().join("accents.yaml"), b"rules:\n  - do: [{ text: \xc3\xa9 caf\xe9 }]\n").unwrap();
    fs::write(bad.path().join("drinks.md"), b"---\nmodel: openai/x\n---\nCaf\xe9\n").unwrap();
    bad
}

const MISTAKES: [&str; 4] = [
    "accents.yaml:2:23: this is not UTF-8; save the file as UTF-8",
    "bad.md:2:1: modle: unknown key `modle`, did you mean `model`?",
    "bad.yaml:2:12: rules[0].do[0].txt: unknown name `txt`, did you mean `text`?",
    "drinks.md:4:4: this is not UTF-8; save the file as UTF-8",
];

#[test]
fn one_bad_file_hides_no_mistake_of_another() {
    let bad = mistaken();
    let (code, stdout, _) = run(&["agents", "check", path(bad.path())], "");
    let told: Vec<_> = stdout.lines().filter(|line| line.contains(": ")).map(str::to_owned).collect();
    let expected = MISTAKES.map(|mistake| format!("{}/{mistake}", path(bad.path())));
    assert_eq!((code, &told[..4]), (1, &expected[..]), "{stdout}");

    let config = bad.path().join("forestage.toml");
    fs::write(&config, format!("agents = '{}'", path(bad.path()))).unwrap();
    let flags = ["--config", path(&config)];
    for command in [&["serve", "--store", "memory:", "--listen", "127.0.0.1:0"][..], &["agents", "list"]] {
        let (code, _, stderr) = run(&[command, &flags].concat(), "");
        let told: Vec<_> =
            stderr.lines().map(|line| line.rsplit("cannot be used: ").next().unwrap()).collect();
        assert_eq!((code, &told[..]), (2, &MISTAKES[..]), "{command:?}: {stderr}");
    }
}

#[test]
fn good_files_are_told_as_such_and_bad_ones_with_every_mistake() {
    let good = folder(&[("pay.md", FILE), ("README.md", "# For people")]);
    assert_eq!(run(&["agents", "check", path(good.path())], "").0, 0);

    let bad =
        folder(&[("bad.md", "---\nmodel: openai/x\nlimit: 1\nhandoffs: [pya]\n---\nHi\n"), ("pay.md", FILE)]);
    let file = bad.path().join("bad.md");
    let (code, told) = run_json(&["agents", "check", path(&file), "--json"], "");
    let errors = told["errors"].as_array().unwrap();
    let places: Vec<_> =
        errors.iter().map(|error| (error["line"].as_u64(), error["column"].as_u64())).collect();
    assert_eq!((code, places), (1, vec![(Some(3), Some(1)), (Some(4), Some(12))]), "{told}");
    assert!(errors[1]["message"].as_str().unwrap().contains("did you mean `pay`?"), "{told}");

    assert_eq!(run(&["agents", "check", "nowhere.md"], "").0, 2);
    let (code, schema) = run_json(&["agents", "schema"], "");
    assert_eq!((code, schema["title"].as_str()), (0, Some("Agent file")));
}

#[test]
fn an_agent_file_is_served_and_talks() {
    let models = ModelServer::start(SCRIPT);
    let agents = folder(&[("pay.md", FILE)]);
    let server = Server::start_with(&["--agents", path(agents.path()), "--model-url", &models.url]);
    let said = server.chat("pay", "t1", "Good morning\n");
    assert!(said.contains("Hello!"), "{said}");
}

#[test]
fn a_server_with_a_missing_key_serves_and_says_why_the_model_is_silent() {
    let agents = folder(&[(
        "pay.md",
        &FILE.replace("openai/test", "{ provider: openai, name: x, keyEnv: NOT_SET_ANYWHERE }"),
    )]);
    let server = Server::start_with(&["--agents", path(agents.path())]);
    let (_, out, err) = server.run(&["chat", "pay", "--plain", "--thread", "t1"], "Good morning\n");
    assert!(format!("{out}{err}").contains("NOT_SET_ANYWHERE"), "{out}{err}");
}

#[test]
fn a_killed_server_goes_on_with_the_decision_and_asks_the_model_for_nothing_twice() {
    let models = ModelServer::start(SCRIPT);
    let agents = folder(&[("pay.md", FILE)]);
    let flags = ["--agents", path(agents.path()), "--model-url", models.url.as_str()];
    let server = Server::start_with(&flags);
    server.run(&["chat", "pay", "--plain", "--thread", "t1"], "Please pay\n");
    let waiting: Value = serde_json::from_str(&server.ok(&["inbox", "--json"], "")).unwrap();
    let text = waiting.to_string();
    assert!(text.contains("pay"), "{text}");
    assert_eq!(models.requests().len(), 1);

    let server = server.kill_and_restart(&flags);
    assert_eq!(models.requests().len(), 1, "a restart asks nothing");
    let listed: Value = serde_json::from_str(&server.ok(&["inbox", "--json"], "")).unwrap();
    let id = find(&listed, "id").expect("the question outlives the process");
    server.ok(&["inbox", "approve", &id], "");
    let mut tail = Lines::of(server.command(&["tail", "t1", "--after", "start", "--json"]));
    let mut log = tail.until("RUN_FINISHED");
    while log.matches("RUN_FINISHED").count() < 2 {
        log += &tail.next();
    }
    let count = |kind: &str| log.matches(&format!("\"type\":\"{kind}\"")).count();
    assert_eq!(
        (count("TOOL_CALL_START"), count("TOOL_CALL_RESULT")),
        (0, 1),
        "nothing is called twice: {log}"
    );
    assert!(!log.contains("I will. ") && log.contains("\"delta\":\"it.\""), "nothing is said twice: {log}");
    let requests = models.requests();
    assert_eq!(requests.len(), 2, "one for the recorded turn, one after the decision: {requests:#?}");
    let last = requests[1]["body"]["messages"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((last["role"].as_str(), last["content"].as_str()), (Some("tool"), Some("{\"paid\":5}")));
}

/// The first member of this name, wherever it is.
fn find(value: &Value, name: &str) -> Option<String> {
    match value {
        Value::Object(members) => match members.get(name).and_then(Value::as_str) {
            Some(found) => Some(found.to_owned()),
            None => members.values().find_map(|value| find(value, name)),
        },
        Value::Array(items) => items.iter().find_map(|value| find(value, name)),
        _ => None,
    }
}

#[test]
fn agents_elsewhere_are_listed_and_called_upon() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", free.local_addr().unwrap());
    drop(free);
    let folder = folder(&[
        ("pay.md", FILE),
        (
            "desk.yaml",
            "description: Routes\ntitle: Front desk\norder: 1\nrules: [{ do: [{ handoff: far }] }]",
        ),
    ]);
    let config = folder.path().join("forestage.toml");
    let remote = format!(
        "[[remotes]]\nname = 'far'\nkind = 'ag-ui'\nurl = '{url}?key=hidden'\ndescription = 'Elsewhere'\n"
    );
    fs::write(&config, format!("agents = '{}'\n{remote}", path(folder.path()))).unwrap();
    let list = ["agents", "list", "--config", path(&config), "--json"];
    let (code, told) = run_json(&list, "");
    let rows: Vec<_> =
        told["agents"].as_array().unwrap().iter().map(|it| (&it["name"], &it["kind"])).collect();
    let expected = [("desk", "script"), ("far", "ag-ui"), ("pay", "file")];
    assert_eq!((code, rows.len()), (0, 3), "{told}");
    assert!(rows.iter().zip(expected).all(|(row, it)| row.0 == it.0 && row.1 == it.1), "{told}");
    assert_eq!((&told["agents"][0]["title"], &told["agents"][0]["order"]), (&"Front desk".into(), &1.into()));
    let (code, told) = run_json(&[&list[..], &["--reach"]].concat(), "");
    assert_eq!((code, &told["agents"][1]["reached"]), (1, &Value::Bool(false)), "{told}");
    assert!(told["agents"][1]["problem"].as_str().unwrap().contains("refused"), "{told}");
    assert!(!told.to_string().contains("hidden"));
    let check = ["agents", "check", path(folder.path()), "--config", path(&config)];
    assert_eq!(run(&check, "").0, 0, "agents elsewhere are known to those who hand over to them");
}
