//! Agent files: what is wrong with them, and what editors know of them.

use std::{env, fs, path::PathBuf};

use forestage_llm::{
    agent_file::{self, ModelName, Setup, load_folder, watch_folder},
    model_server,
};
use forestage_runtime::{
    Agent, Listing,
    tool::{Invocation, Tools, tool_fn},
};
use serde_json::Value;

fn mistakes(text: &str) -> Vec<String> {
    agent_file::mistakes("a.md", text, None, &Setup::default()).iter().map(ToString::to_string).collect()
}

#[test]
fn all_mistakes_are_told_at_once_with_their_places() {
    let text = "\
---
model: opneai/gpt
tols: []
components: [quick_quizz]
handoffs: [nobody]
state:
  initial: { count: many }
  schema: { type: object, properties: { count: { type: integer } } }
limits: { steps: 0 }
tools:
  - { name: a, parameters: { type: string } }
---
";
    let told = mistakes(text);
    let expected = [
        "a.md:2:8: model: there is no provider `opneai`",
        "a.md:3:1: tols: unknown key `tols`, did you mean `tools`?",
        "a.md:13:1: the instructions are missing",
    ];
    for expected in expected {
        assert!(told.iter().any(|told| told.starts_with(expected)), "{expected}: {told:#?}");
    }
}

#[test]
fn what_can_only_be_seen_when_the_form_is_right_has_a_place_too() {
    let text = "\
---
model: { provider: openai, name: x, url: nowhere, keyEnv: A, keyFile: b }
components: [quick_quizz]
handoffs: [nobody]
state:
  initial: { count: many }
  schema: { type: object, properties: { count: { type: integer } } }
limits: { steps: 0 }
audit: [tools]
house: { rules: [] }
tools:
  - { name: a, parameters: { type: string } }
---
Hello
";
    let told = mistakes(text);
    for (line, part) in [
        (2, "`nowhere` is not an address"),
        (2, "one of `keyEnv` and `keyFile` is enough"),
        (3, "there is no component `quick_quizz`, did you mean `quick_quiz`?"),
        (4, "there is no agent `nobody` here"),
        (6, "the initial state"),
        (8, "at least one step"),
        (9, "otherwise: { action: ask }"),
        (12, "arguments are an object"),
    ] {
        let is_it = |told: &&String| told.starts_with(&format!("a.md:{line}:")) && told.contains(part);
        assert!(told.iter().any(|told| is_it(&told)), "{line} {part}: {told:#?}");
    }
    assert_eq!(told.len(), 8, "{told:#?}");
}

#[test]
fn a_tool_of_the_server_is_used_by_its_name_and_one_that_is_not_there_is_told() {
    let tool = |name| tool_fn(name, |_: Invocation, value: Value| async move { Ok(value) });
    let tools = Tools::new().with(tool("profile_get")).unwrap().with(tool("own")).unwrap();
    let setup = Setup { tools: Some(tools), ..Setup::default() };
    let text =
        "---\nmodel: ollama/x\nuses: [profile_get, profile_gte, own]\ntools: [{ name: own }]\n---\nHi\n";
    let told: Vec<_> =
        agent_file::mistakes("a.md", text, None, &setup).iter().map(ToString::to_string).collect();
    let expected = [
        "a.md:3:21: uses[1]: this server has no tool `profile_gte`, did you mean `profile_get`?",
        "a.md:3:34: uses[2]: the file has a tool `own` of its own already",
    ];
    assert_eq!(told, expected);
    let agent = agent_file::parse("a", &text.replace(", profile_gte, own", ""), &setup).unwrap();
    let names: Vec<_> = agent.tools().iter().map(|tool| tool.about().name.clone()).collect();
    assert_eq!(names, ["own", "profile_get"]);
}

#[test]
fn a_file_says_how_lists_show_its_agent() {
    let text = "---\nmodel: openai/gpt-5-mini\ntitle: Refund desk\nicon: shield\norder: 3\ngroup: Money\n---\nBe kind.\n";
    let agent = agent_file::parse("desk.md", text, &Setup::default()).unwrap();
    let expected = Listing {
        title: Some("Refund desk".to_owned()),
        icon: Some("shield".to_owned()),
        order: Some(3),
        group: Some("Money".to_owned()),
    };
    assert_eq!(agent.about().listing, expected);
}

#[test]
fn a_model_that_is_named_for_all_files_has_a_provider_and_an_address() {
    assert!("openai/gpt-5-mini".parse::<ModelName>().is_ok());
    let error = "opneai/gpt".parse::<ModelName>().unwrap_err().to_string();
    assert!(error.starts_with("there is no provider `opneai`"), "{error}");
    assert!("openai-compatible/x".parse::<ModelName>().is_err(), "nobody knows where that is");
}

#[test]
fn a_file_without_settings_is_told_what_it_needs() {
    assert_eq!(
        mistakes("# Hello\n"),
        ["a.md:1:1: an agent file begins with settings between two lines `---`"]
    );
}

#[test]
fn lines_may_end_as_they_do_elsewhere() {
    assert_eq!(mistakes("\u{feff}---\r\nmodel: ollama/llama3\r\n---\r\nHello\r\n"), Vec::<String>::new());
}

#[test]
fn the_examples_are_agents() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/agent-files");
    let agents = load_folder(&folder, &Setup::default()).unwrap();
    assert!(agents.contains_key("desk"), "{:?}", agents.keys());
    for entry in fs::read_dir(folder.join("../models")).unwrap() {
        let path = entry.unwrap().path();
        let script = model_server::Script::parse("script", &fs::read_to_string(&path).unwrap());
        assert!(script.is_ok(), "{}: {:?}", path.display(), script.err());
    }
}

#[tokio::test]
async fn an_edited_file_is_taken_and_a_bad_one_leaves_the_last_good_version() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let file = |about: &str| format!("---\ndescription: {about}\nmodel: ollama/x\n---\nHello\n");
    write("a.md", &file("first"));
    write("README.md", "# For people\n");
    let (sender, mut changes) = tokio::sync::mpsc::unbounded_channel();
    let (agents, _watch) = watch_folder(folder.path(), Setup::default(), move |agents| {
        let about: Vec<_> =
            agents.iter().map(|(name, agent)| format!("{name}: {}", agent.about().description)).collect();
        let _ = sender.send(about);
    })
    .unwrap();
    assert_eq!(agents.keys().collect::<Vec<_>>(), ["a"]);
    write("a.md", &file("second"));
    write("b.md", "---\nmodle: x\n---\n");
    let mut seen = changes.recv().await.unwrap();
    while seen != ["a: second"] {
        seen = changes.recv().await.unwrap();
    }
    write("a.md", "---\nbroken\n");
    write("b.md", &file("another one"));
    while seen != ["a: second", "b: another one"] {
        seen = changes.recv().await.unwrap();
    }
}

#[test]
fn the_schemas_are_current() {
    for (name, schema) in [("agent", agent_file::schema()), ("model-script", model_server::schema())] {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../spec/schema/{name}.json"));
        let current = serde_json::to_string_pretty(&schema).unwrap() + "\n";
        if fs::read_to_string(&path).unwrap_or_default() == current {
            continue;
        }
        assert!(
            env::var_os("UPDATE").is_some(),
            "{} is stale (UPDATE=1 rewrites it):\n{current}",
            path.display()
        );
        fs::write(&path, current).unwrap();
    }
}
