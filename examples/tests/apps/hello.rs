//! Contract 004, and the smallest agent, which is the same wherever it is shown.

use std::{fs, path::Path, process::Command};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Process, text};

#[test]
fn the_agent_that_the_documentation_shows_is_the_one_that_is_built() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("it is in the repository");
    let built = read("hello/main.rs");
    let (_, code) = built.split_once("\n\n").expect("a line of documentation, and the code");
    for page in ["../README.md", "../docs/quickstart.md", "../docs/rust-agents.md"] {
        assert!(read(page).contains(code), "{page}");
    }
}

/// The program. Tests of this package are built with it, unless only some of them are.
fn program() -> Command {
    let folder = Path::new(env!("CARGO_BIN_EXE_forestage-examples")).parent().expect("a folder");
    let path = folder.join("examples").join(format!("hello{}", std::env::consts::EXE_SUFFIX));
    assert!(path.exists(), "build {} with `cargo build -p forestage-examples --examples`", path.display());
    Command::new(path)
}

fn started(folder: &TempDir) -> Process {
    Process::of(program().current_dir(folder.path()).env("FORESTAGE_LISTEN", "127.0.0.1:0"))
}

async fn run(url: &str, input: Value) -> Vec<Value> {
    let response = reqwest::Client::new().post(format!("{url}/run")).json(&input).send().await;
    let body = response.expect("it answers").text().await.expect("a stream");
    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).expect("an event")).collect()
}

#[tokio::test]
async fn hello_asks_for_a_name_and_greets_after_a_crash() {
    let folder = TempDir::new().expect("a folder");
    let server = started(&folder);
    let said = json!([{ "id": "m1", "role": "user", "content": "Hi" }]);
    let asked = run(&server.url, json!({ "threadId": "t1", "runId": "r1", "messages": said })).await;
    let end = asked.last().expect("an end");
    assert_eq!(end["outcome"], "interrupt", "{asked:#?}");
    server.kill();
    let server = started(&folder);
    let answer = json!({ "interruptId": end["interrupt"]["id"], "payload": { "response": "Ada" } });
    let input = json!({ "threadId": "t1", "runId": "r2", "messages": [], "resume": answer });
    assert_eq!(text(&run(&server.url, input).await), "Hello, Ada.");
}
