//! Tools of MCP servers, over both transports, called by a model with a script.

use std::{fs, sync::atomic::Ordering, time::Duration};

use forestage_llm::{
    agent_file::{self, Setup},
    model_server::ModelServer,
};
use forestage_runtime::StartRun;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::{
    mcp_server::{Web, program},
    support::{answers, of, run, said, says, server, stage},
};

const LONG: Duration = Duration::from_secs(20);

fn file(settings: &str, more: &str) -> String {
    format!("---\nmodel: openai/test\nmcp:\n  shop: {settings}\n{more}---\nBe brief.\n")
}

/// A model that calls a tool and then says what it got.
fn calls(tool: &str, arguments: &Value) -> String {
    format!(
        "rules:\n  - {{ when: {{ result: {tool} }}, do: [{{ text: Done }}] }}\n  - {{ do: [{{ calls: [{{ name: {tool}, args: {arguments} }}] }}] }}"
    )
}

/// What a tool of such a server gives to a model, and the events.
async fn used(settings: &str, tool: &str, arguments: &Value) -> (String, Vec<Value>) {
    let server = server(&calls(tool, arguments)).await;
    let stage = stage(&server, &[("a", &file(settings, ""))]).await;
    let events = run(&stage, "a", says("r1", "go")).await;
    (told(&server), events)
}

/// What the model was told last by a tool.
fn told(server: &ModelServer) -> String {
    let requests = server.requests();
    let messages = requests.last().unwrap().body["messages"].as_array().unwrap().clone();
    let last = messages.iter().rev().find(|message| message["role"] == "tool");
    last.map(|message| message["content"].as_str().unwrap().to_owned()).unwrap_or_default()
}

fn offered(server: &ModelServer, request: usize) -> Vec<String> {
    let tools = server.requests()[request].body["tools"].as_array().cloned().unwrap_or_default();
    tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn tools_of_all_pages_are_offered_with_the_name_of_their_server_and_called_over_both_transports() {
    let web = Web::start().await;
    for settings in [program(""), web.settings()] {
        let server = server(&calls("shop_find_order", &json!({ "order": "A-17" }))).await;
        let stage = stage(&server, &[("a", &file(&settings, ""))]).await;
        let events = run(&stage, "a", says("r1", "go")).await;
        assert_eq!(said(&events), "Done", "{events:?}");
        assert_eq!(told(&server), r#"{"order":"A-17","price":40}"#);
        let names = [
            "shop_count",
            "shop_crash",
            "shop_find_order",
            "shop_grow",
            "shop_refund",
            "shop_secret",
            "shop_wait",
        ];
        assert_eq!(offered(&server, 0), names, "one with no sensible schema is left out");
    }
}

#[tokio::test]
async fn only_tools_of_the_list_are_offered() {
    let server = server("rules: [{ do: [{ text: Hi }] }]").await;
    let stage = stage(&server, &[("a", &file(&program(", tools: [refund, reefund]"), ""))]).await;
    run(&stage, "a", says("r1", "go")).await;
    assert_eq!(offered(&server, 0), ["shop_refund"]);
}

#[tokio::test]
async fn arguments_are_checked_before_the_server_is_asked_and_its_failures_are_told() {
    let web = Web::start().await;
    let (told, _) = used(&web.settings(), "shop_refund", &json!({ "amount": "all" })).await;
    assert!(told.contains("invalid_arguments"), "{told}");
    assert_eq!(web.shop.refunds.load(Ordering::Relaxed), 0);
    let (told, events) = used(&web.settings(), "shop_find_order", &json!({ "order": "B" })).await;
    assert!(told.contains("mcp_tool_error") && told.contains("there is no such order"), "{told}");
    let result = of(&events, "TOOL_CALL_RESULT")[0];
    assert_eq!(result["metadata"]["forestage"]["failed"], "mcp_tool_error");
}

#[tokio::test]
async fn a_person_is_asked_before_the_call_and_it_is_made_once() {
    let web = Web::start().await;
    let server = server(&calls("shop_refund", &json!({ "amount": 40 }))).await;
    let stage =
        stage(&server, &[("a", &file(&web.settings(), "house: { otherwise: { action: ask } }\n"))]).await;
    let events = run(&stage, "a", says("r1", "go")).await;
    let question = &events.last().unwrap()["outcome"]["interrupts"][0];
    assert_eq!(web.shop.refunds.load(Ordering::Relaxed), 0, "{events:?}");
    assert_eq!(question["metadata"]["risk"], "high", "the server says that it destroys: {question}");
    let events =
        run(&stage, "a", answers("r2", question["id"].as_str().unwrap(), json!({ "approved": true }))).await;
    assert_eq!(said(&events), "Done");
    assert_eq!((web.shop.refunds.load(Ordering::Relaxed), told(&server).as_str()), (1, "refunded 40"));
}

#[tokio::test]
async fn a_rule_that_denies_is_not_skipped_for_a_tool_that_says_it_only_reads() {
    let web = Web::start().await;
    let server = server(&calls("shop_find_order", &json!({ "order": "A-17" }))).await;
    let rules = "house: { rules: [{ tools: ['shop_*'], action: deny }] }\n";
    let stage = stage(&server, &[("a", &file(&web.settings(), rules))]).await;
    run(&stage, "a", says("r1", "go")).await;
    assert!(told(&server).contains("denied"), "{}", told(&server));
}

#[tokio::test]
async fn progress_becomes_an_activity_that_does_not_change_too_often() {
    for settings in [program(""), Web::start().await.settings()] {
        let (told, events) = used(&settings, "shop_count", &json!({ "to": 60 })).await;
        assert_eq!(told, r#"{"counted":60}"#);
        let shown = of(&events, "ACTIVITY_SNAPSHOT");
        assert_eq!(shown.len(), 1, "{events:?}");
        assert_eq!(shown[0]["activityType"], "forestage.progress");
        assert_eq!(shown[0]["content"]["tool"], "shop_count");
        assert_eq!(shown[0]["content"]["status"], "running");
        let changes = of(&events, "ACTIVITY_DELTA");
        assert!((1..=20).contains(&changes.len()), "{} changes for sixty steps", changes.len());
        let last = changes.last().unwrap()["patch"].to_string();
        assert!(last.contains("done"), "{last}");
    }
}

#[tokio::test]
async fn a_program_gets_the_secrets_that_its_file_names_and_no_others() {
    let settings = program(", env: { SHOP_TOKEN: 'it is ${CARGO_PKG_NAME}' }");
    let (told, _) = used(&settings, "shop_secret", &json!({})).await;
    assert_eq!(told, "it is forestage-llm ");
}

#[tokio::test]
async fn a_program_that_dies_fails_the_call_and_is_there_again_for_the_next() {
    let script = "
rules:
  - { when: { says: crash }, do: [{ calls: [{ name: shop_crash }] }] }
  - { when: { says: find }, do: [{ calls: [{ name: shop_find_order, args: { order: A-17 } }] }] }
  - { do: [{ text: Done }] }";
    let server = server(script).await;
    let stage = stage(&server, &[("a", &file(&program(""), ""))]).await;
    let events = run(&stage, "a", says("r1", "crash")).await;
    assert_eq!(said(&events), "Done", "the run goes on");
    assert!(told(&server).contains("mcp_connection_lost"), "{}", told(&server));
    run(&stage, "a", says("r2", "find")).await;
    assert_eq!(told(&server), r#"{"order":"A-17","price":40}"#);
}

#[tokio::test]
async fn a_server_at_an_address_that_comes_back_is_used_again() {
    let web = Web::start().await;
    let settings = web.settings();
    let server = server(&calls("shop_refund", &json!({ "amount": 1 }))).await;
    let stage = stage(&server, &[("a", &file(&settings, ""))]).await;
    run(&stage, "a", says("r1", "go")).await;
    assert_eq!(told(&server), "refunded 1");
    let (port, shop) = web.stop().await;
    run(&stage, "a", says("r2", "go")).await;
    assert!(told(&server).contains("\"mcp_"), "{}", told(&server));
    let web = Web::at(port, shop).await;
    run(&stage, "a", says("r3", "go")).await;
    assert_eq!((told(&server).as_str(), web.shop.refunds.load(Ordering::Relaxed)), ("refunded 1", 2));
}

#[tokio::test]
async fn cancelling_the_run_cancels_the_call_at_the_server() {
    let web = Web::start().await;
    let mut waits = web.shop.waits.subscribe();
    let server = server(&calls("shop_wait", &json!({}))).await;
    let stage = stage(&server, &[("a", &file(&web.settings(), ""))]).await;
    let started = stage.start(StartRun::new("a", says("r1", "go"), "ada")).await.unwrap();
    timeout(LONG, waits.wait_for(|state| *state == "waiting")).await.unwrap().unwrap();
    stage.cancel("ada", &started.thread_id, &started.run_id).await.unwrap();
    timeout(LONG, waits.wait_for(|state| *state == "cancelled")).await.unwrap().unwrap();
}

#[tokio::test]
async fn a_silent_call_ends_in_time() {
    let (told, _) = used(&program(", timeout: 2s"), "shop_wait", &json!({})).await;
    assert!(told.contains("mcp_timeout"), "{told}");
}

#[tokio::test]
async fn a_changed_list_is_offered_from_the_next_run_on() {
    let server = server(
        "rules: [{ when: { says: grow }, do: [{ calls: [{ name: shop_grow }] }] }, { do: [{ text: Hi }] }]",
    )
    .await;
    let stage = stage(&server, &[("a", &file(&program(""), ""))]).await;
    run(&stage, "a", says("r1", "grow")).await;
    assert!(!offered(&server, 0).contains(&"shop_grown".to_owned()));
    let agent = stage.agents().get("a").cloned().unwrap();
    let grown = async {
        while agent.tools().get("shop_grown").is_none() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(LONG, grown).await.unwrap();
    run(&stage, "a", says("r2", "hi")).await;
    assert!(offered(&server, 2).contains(&"shop_grown".to_owned()));
}

#[tokio::test]
async fn a_server_that_cannot_be_started_stops_nobody_and_the_model_knows() {
    let server = server("rules: [{ do: [{ text: Hi }] }]").await;
    let stage = stage(&server, &[("a", &file("{ command: forestage-no-such-program }", ""))]).await;
    let events = run(&stage, "a", says("r1", "go")).await;
    assert_eq!(said(&events), "Hi");
    let instructions = server.requests()[0].body["messages"][0]["content"].to_string();
    assert!(instructions.contains("the MCP server `shop` cannot be started"), "{instructions}");
}

/// The mistakes of settings, and what a connection finds.
async fn connected(settings: &str) -> (Vec<String>, Vec<String>) {
    let (found, errors) = agent_file::connect("a.md", &file(settings, ""), None, &Setup::default()).await;
    let tools = found.iter().flat_map(|found| found.tools.iter().flat_map(|tools| tools.iter()));
    let tools = tools.map(|tool| format!("{} {}", tool.about().name, tool.about().risk)).collect();
    (tools, errors.iter().map(ToString::to_string).collect())
}

#[tokio::test]
async fn a_connection_finds_tools_and_tells_what_is_missing_at_its_place() {
    let (tools, errors) = connected(&program(", tools: [find_order, refund, count, odd, refnud]")).await;
    assert_eq!(tools, ["shop_count low", "shop_find_order low", "shop_refund high"]);
    assert_eq!(errors.len(), 2, "{errors:?}");
    assert!(errors.iter().all(|error| error.starts_with("a.md:4:9: mcp.shop: the tool")), "{errors:?}");
    assert!(errors[0].contains("`refnud`") && errors[1].contains("`odd`"), "{errors:?}");
    for (settings, wanted) in [
        ("{ command: forestage-no-such-program }", "(mcp_not_started)"),
        ("{ command: sh, args: [-c, 'echo it broke >&2; exit 1'] }", "it broke (mcp_not_started)"),
        ("{ command: cat, env: { X: '${NOT_SET_ANYWHERE}' } }", "`NOT_SET_ANYWHERE` is not set"),
        ("{ command: sleep, args: ['60'], timeout: 200ms }", "(mcp_timeout)"),
        ("{ url: 'http://127.0.0.1:1/mcp', allowPrivate: true }", "(mcp_unreachable)"),
        ("{ url: 'http://localhost:1/mcp' }", "private network (mcp_unreachable)"),
    ] {
        let (tools, errors) = connected(settings).await;
        assert!(
            tools.is_empty() && errors.len() == 1 && errors[0].contains(wanted),
            "{settings}: {errors:?}"
        );
    }
}

#[test]
fn mistakes_of_servers_are_told_with_their_place() {
    let check = |settings: &str, wanted: &str| {
        let text = file(settings, "tools: [{ name: other_tool }]\n").replace("shop:", "other:");
        let text = if wanted.contains("other_tool") { text } else { file(settings, "") };
        let errors = agent_file::parse("a.md", &text, &Setup::default()).map(|_| ()).unwrap_err();
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert!(errors.iter().any(|error| error.starts_with(wanted)), "{settings}: {errors:#?}");
    };
    check("{}", "a.md:4:9: mcp.shop: a server needs a `command` or a `url`");
    check(
        "{ command: x, url: 'https://x.example' }",
        "a.md:4:28: mcp.shop.url: a server has a `command` or a `url`, not both",
    );
    check(
        "{ command: x, headers: {} }",
        "a.md:4:32: mcp.shop.headers: `headers` means something with a `url` only",
    );
    check(
        "{ url: 'http://10.0.0.1/mcp' }",
        "a.md:4:16: mcp.shop.url: this is an address of a private network",
    );
    check(
        "{ url: 'https://x.example/', headers: { Accept: x } }",
        "a.md:4:57: mcp.shop.headers.Accept: `Accept` is a header that MCP needs",
    );
    check("{ command: x, tools: [] }", "a.md:4:30: mcp.shop.tools: no tool is named");
    check("{ command: x, timeout: 0s }", "a.md:4:32: mcp.shop.timeout: there has to be time");
    check("{ comand: x }", "a.md:4:11: mcp.shop.comand: unknown key `comand`, did you mean `command`?");
    check(
        "{ command: x }",
        "a.md:4:10: mcp.other: the tool `other_tool` of this file looks like one of the server `other`",
    );
}

#[test]
fn names_of_servers_are_such_that_no_two_tools_get_one_name() {
    for name in ["a_b", "transfer", "a.b"] {
        let text = file("{ command: x }", "").replace("shop:", &format!("{name}:"));
        let errors = agent_file::parse("a.md", &text, &Setup::default()).map(|_| ()).unwrap_err();
        assert!(errors[0].to_string().contains(&format!("`{name}` ")), "{errors:?}");
    }
}

/// The processes with this mark in their environment.
fn processes(mark: &str) -> Vec<String> {
    let is_it = |entry: &fs::DirEntry| {
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        String::from_utf8_lossy(&environment).contains(mark)
    };
    let all = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    all.filter(is_it).map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

async fn gone(mark: &str) {
    let gone = async {
        while !processes(mark).is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(LONG, gone).await.unwrap();
}

#[tokio::test]
#[cfg(target_os = "linux")]
async fn an_edited_file_restarts_what_changed_and_programs_end_with_their_agent() {
    let folder = tempfile::tempdir().unwrap();
    let mark = |name: &str| format!("mark-{name}-{}", std::process::id());
    let write = |name: &str, mark: &str, more: &str| {
        let settings = program(&format!(", env: {{ MARK: {mark} }}"));
        fs::write(folder.path().join(name), file(&settings, more)).unwrap();
    };
    write("a.md", &mark("a"), "");
    write("b.md", &mark("b"), "");
    let (sender, mut changes) = tokio::sync::mpsc::unbounded_channel();
    let take = move |agents| drop(sender.send(agents));
    let (mut agents, watch) = agent_file::watch_folder(folder.path(), Setup::default(), take).unwrap();
    for agent in agents.values() {
        agent.ready().await;
        assert!(agent.tools().get("shop_refund").is_some());
    }
    let before = processes(&mark("b"));
    assert!(!before.is_empty());
    write("a.md", &mark("c"), "description: new\n");
    while agents["a"].about().description != "new" {
        agents = timeout(LONG, changes.recv()).await.unwrap().unwrap();
    }
    agents["a"].ready().await;
    gone(&mark("a")).await;
    assert!(!processes(&mark("c")).is_empty());
    assert_eq!(processes(&mark("b")), before, "what did not change goes on");
    drop((agents, watch, changes));
    gone(&mark("b")).await;
    gone(&mark("c")).await;
}
