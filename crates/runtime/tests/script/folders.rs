//! Folders of scripts: loaded, checked together, kept up with, and handing over to each other.

use std::{fs, sync::Arc};

use forestage_runtime::{Agents, Limits, Stage, script};
use serde_json::json;

use crate::support::*;

const HELLO: &str = "rules: [{ do: [{ text: hello }] }]";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn names(agents: &Agents) -> Vec<&str> {
    agents.keys().map(String::as_str).collect()
}

async fn stage_with(agents: Agents) -> Arc<Stage> {
    Stage::new(forestage_store::open("memory:").await.unwrap(), agents, Limits::default())
}

#[test]
fn every_script_of_a_folder_is_an_agent() {
    let named = format!("name: other\ndescription: Says hello\n{HELLO}");
    let folder = folder(&[("a.yaml", HELLO), ("b.yml", &named), ("notes.md", "# no"), (".c.yaml", "no")]);
    let agents = script::load_folder(folder.path()).unwrap();
    assert_eq!(names(&agents), ["a", "other"]);
    assert_eq!(agents["other"].about().description, "Says hello");
}

#[test]
fn the_mistakes_of_all_files_come_at_once() {
    let folder = folder(&[
        ("a.yaml", "rules: [{ do: [{ handoff: c }] }]"),
        ("b.yaml", "rule: []"),
        ("d.yaml", &format!("name: a\n{HELLO}")),
        ("e f.yaml", HELLO),
    ]);
    let errors = script::load_folder(folder.path()).err().unwrap().to_string();
    let lines: Vec<_> = errors.lines().collect();
    assert_eq!(
        lines,
        [
            "a.yaml:1:27: rules[0].do[0].handoff: there is no agent `c` to hand over to, did you mean `a`?",
            "b.yaml:1:1: rule: unknown key `rule`, did you mean `rules`?",
            "d.yaml:1:7: name: `a` is in `a.yaml` already",
            "e f.yaml:1:1: `e f` is not a name for an agent; rename the file, or say `name:` in it",
        ]
    );
    let missing = script::load_folder(folder.path().join("none")).err().unwrap().to_string();
    assert!(missing.contains("none cannot be read: "), "{missing}");
}

#[tokio::test(start_paused = true)]
async fn a_watched_folder_keeps_the_last_good_version() {
    let folder = folder(&[("a.yaml", HELLO), ("b.yaml", HELLO)]);
    let (changed, mut changes) = tokio::sync::mpsc::unbounded_channel();
    let (agents, _watch) =
        script::watch_folder(folder.path(), move |agents| drop(changed.send(agents))).unwrap();
    assert_eq!(names(&agents), ["a", "b"]);

    fs::write(folder.path().join("a.yaml"), "rules: [{ do: [{ txt: broken }] }]").unwrap();
    fs::remove_file(folder.path().join("b.yaml")).unwrap();
    fs::write(folder.path().join("c.yaml"), "rules: [{ do: [{ handoff: a }] }]").unwrap();
    fs::write(folder.path().join("d.yaml"), "neither").unwrap();
    let mut agents = changes.recv().await.unwrap();
    while names(&agents) != ["a", "c"] {
        agents = changes.recv().await.unwrap();
    }
    let events = play(&stage_with(agents).await, "c", input("r1", vec![])).await;
    assert_eq!(text(&events), "hello", "the bad file is still the one it was");

    fs::write(folder.path().join("a.yaml"), "rules: [{ do: [{ text: good again }] }]").unwrap();
    let agents = changes.recv().await.unwrap();
    let events = play(&stage_with(agents).await, "c", input("r1", vec![])).await;
    assert_eq!(text(&events), "good again");
}

#[tokio::test]
async fn a_handoff_lasts_until_somebody_hands_back() {
    let desk = "
state: { currentAgent: desk, x: 1 }
rules:
  - when: { contains: law }
    do: [{ text: { text: 'over to you. ', chunk: all } }, { step: { name: s, do: [{ handoff: law }, { text: never }] } }, { text: never }]
  - do: [{ text: 'desk: {{user}}' }]
";
    let law = "
rules:
  - when: { says: thanks }
    do: [{ handoff: desk }]
  - do: [{ text: '{{agent}}: {{user}}' }]
";
    let folder = folder(&[("desk.yaml", desk), ("law.yaml", law)]);
    let stage = stage_with(script::load_folder(folder.path()).unwrap()).await;
    let ask = async |run: &str, said: &str| play(&stage, "desk", input(run, vec![user(run, said)])).await;
    assert_eq!(text(&ask("r1", "hello").await), "desk: hello");
    let handed = ask("r2", "the law").await;
    assert_eq!(text(&handed), "over to you. law: the law");
    assert_eq!(find(&handed, "STATE_SNAPSHOT")["snapshot"], json!({"currentAgent": "law", "x": 1}));
    assert_eq!(text(&ask("r3", "more").await), "law: more");
    assert_eq!(text(&ask("r4", "thanks").await), "desk: thanks");
    assert_eq!(text(&ask("r5", "hello").await), "desk: hello");
}

#[tokio::test]
async fn scripts_that_hand_over_for_ever_are_stopped() {
    let folder = folder(&[
        ("a.yaml", "rules: [{ do: [{ handoff: b }] }]"),
        ("b.yaml", "rules: [{ do: [{ handoff: a }] }]"),
    ]);
    let stage = stage_with(script::load_folder(folder.path()).unwrap()).await;
    assert_eq!(error(&play(&stage, "a", input("r1", vec![])).await).0, "handoff_loop");
}

#[tokio::test]
async fn a_script_that_was_handed_over_to_asks_and_goes_on() {
    let folder = folder(&[
        ("desk.yaml", "rules: [{ do: [{ text: 'desk ' }, { handoff: law }] }]"),
        (
            "law.yaml",
            "rules: [{ do: [{ ask: { message: Well? } }, { text: 'law {{answer}} {{agent}}' }, { handoff: end }] }]",
        ),
        ("end.yaml", "rules: [{ do: [{ ask: { message: Sure? } }, { text: 'end {{answer}}' }] }]"),
    ]);
    let stage = stage_with(script::load_folder(folder.path()).unwrap()).await;
    let first = play(&stage, "desk", input("r1", vec![user("m1", "x")])).await;
    assert_eq!(text(&first), "desk ");
    let second =
        play(&stage, "desk", answering("r2", vec![answer(&question_id(&first), json!("yes"))])).await;
    assert_eq!(text(&second), "law yes law");
    let third =
        play(&stage, "desk", answering("r3", vec![answer(&question_id(&second), json!("sure"))])).await;
    assert_eq!(text(&third), "end sure");
    assert_eq!(state(&stage).await, json!({"currentAgent": "end"}));
}
