//! MCP servers of agent files from their users' side: checked, served, decided about after a crash, and gone in the end.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    model_server::ModelServer,
    server::{Lines, Server},
    support::{run, run_json},
};

/// An MCP server that needs nothing but a shell. It writes its process id and every call down.
const SHOP: &str = r#"
echo $$ >>pids
while read -r line; do
  id=$(printf %s "$line" | sed -n 's/.*"id":\([0-9]*\).*/\1/p')
  case "$line" in
    *'"method":"initialize"'*)
      result='{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"sh","version":"1"}}' ;;
    *'"method":"tools/list"'*)
      result='{"tools":[{"name":"pay","description":"Pays.","inputSchema":{"type":"object","properties":{"amount":{"type":"number"}},"required":["amount"]},"annotations":{"destructiveHint":true}}]}' ;;
    *'"method":"tools/call"'*)
      echo "$line" >>calls
      result='{"content":[{"type":"text","text":"paid by the shop"}]}' ;;
    *) continue ;;
  esac
  printf '{"jsonrpc":"2.0","id":%s,"result":%s}\n' "$id" "$result"
done
"#;

const SCRIPT: &str = "
rules:
  - { when: { says: pay }, do: [{ calls: [{ name: shop_pay, args: { amount: 5 } }] }] }
  - { when: { result: shop_pay, contains: paid }, do: [{ text: Paid it. }] }
  - { do: [{ text: Hello! }] }
";

/// A folder with the server and an agent that uses it.
fn folder(house: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    let path = folder.path().display();
    fs::write(folder.path().join("shop.sh"), format!("cd {path}\n{SHOP}")).unwrap();
    let agent = format!(
        "---\nmodel: openai/test\nmcp:\n  shop: {{ command: sh, args: [{path}/shop.sh] }}\n{house}---\nYou pay.\n"
    );
    fs::write(folder.path().join("clerk.md"), agent).unwrap();
    folder
}

fn lines(folder: &Path, file: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[track_caller]
fn await_no_process_of(folder: &Path) {
    let began = Instant::now();
    while lines(folder, "pids").iter().any(|pid| Path::new("/proc").join(pid).exists()) {
        assert!(began.elapsed() < Duration::from_secs(20), "a program was left behind");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_connection_lists_what_servers_have_and_leaves_no_program_behind() {
    let agents = folder("");
    let (code, out, _) = run(&["agents", "check", text(agents.path()), "--connect"], "");
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("shop: 1 tool") && out.contains("shop_pay high risk  Pays."), "{out}");
    assert_eq!(lines(agents.path(), "pids").len(), 1);
    await_no_process_of(agents.path());
}

#[test]
fn a_server_that_cannot_be_started_is_a_mistake_with_its_place() {
    let agents = folder("");
    let file = agents.path().join("clerk.md");
    let broken = fs::read_to_string(&file).unwrap().replace("command: sh", "command: no-such-program");
    fs::write(&file, broken).unwrap();
    assert_eq!(run(&["agents", "check", text(&file)], "").0, 0, "the file is good");
    let (code, told) = run_json(&["agents", "check", text(&file), "--connect", "--json"], "");
    assert_eq!((code, told["servers"][0]["error"]["code"].as_str()), (1, Some("mcp_not_started")), "{told}");
    let error = &told["errors"][0];
    assert_eq!((error["line"].as_u64(), error["path"].as_str()), (Some(4), Some("mcp.shop")), "{told}");
}

#[test]
fn a_decision_after_a_crash_calls_the_server_once_and_stopping_ends_its_program() {
    let models = ModelServer::start(SCRIPT);
    let agents = folder("house: { rules: [{ tools: ['shop_*'], action: ask }] }\n");
    let flags = ["--agents", text(agents.path()), "--model-url", models.url.as_str()];
    let server = Server::start_with(&flags);
    server.run(&["chat", "clerk", "--plain", "--thread", "t1"], "Please pay\n");
    assert_eq!(lines(agents.path(), "calls").len(), 0, "nobody has agreed");
    let mut server = server.kill_and_restart(&flags);
    let listed: Value = serde_json::from_str(&server.ok(&["inbox", "--json"], "")).unwrap();
    let id = listed["interrupts"][0]["id"].as_str().unwrap_or_else(|| panic!("{listed}"));
    server.ok(&["inbox", "approve", id], "");
    let mut tail = Lines::of(server.command(&["tail", "t1", "--after", "start", "--json"]));
    let mut log = tail.until("RUN_FINISHED");
    while log.matches("RUN_FINISHED").count() < 2 {
        log += &tail.next();
    }
    assert!(log.contains("paid by the shop"), "{log}");
    assert_eq!(lines(agents.path(), "calls").len(), 1);
    assert_eq!(server.stop(), 0);
    await_no_process_of(agents.path());
}
