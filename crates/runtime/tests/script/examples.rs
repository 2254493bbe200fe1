//! The examples do what they say.

use std::{fs, path::PathBuf, sync::Arc};

use forestage_runtime::{Limits, Stage, script};
use forestage_store::ThreadStatus;
use serde_json::{Value, json};

use crate::support::*;

async fn examples() -> Arc<Stage> {
    Stage::new(forestage_store::open("memory:").await.unwrap(), script::builtin(), Limits::default())
}

async fn told(stage: &Arc<Stage>, agent: &str, run: &str, said: &str) -> Vec<Value> {
    play(stage, agent, input(run, vec![user(run, said)])).await
}

#[test]
fn every_example_is_built_in() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/agents");
    let files = script::load_folder(&folder).unwrap_or_else(|error| panic!("{error}"));
    assert!(files.keys().eq(script::builtin().keys()), "builtin.rs lists them");
    for (name, agent) in &files {
        assert!(!agent.about().description.is_empty(), "{name}");
        let text = fs::read_to_string(folder.join(format!("{name}.yaml"))).unwrap();
        assert!(text.starts_with("# yaml-language-server: $schema="), "{name} is checked by editors");
    }
}

#[test]
fn every_example_of_the_guide_is_a_script() {
    let guide = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/script-agents.md");
    let guide = fs::read_to_string(guide).unwrap();
    let blocks: Vec<_> =
        guide.split("```yaml\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() > 6, "only {} found", blocks.len());
    for block in blocks {
        let steps = format!("rules:\n- do:\n  {}", block.replace('\n', "\n  "));
        let script = if block.starts_with("- ") { &steps } else { block };
        // The name is that of the script which the guide hands over to.
        script::parse("regulation", script).unwrap_or_else(|errors| panic!("{errors:#?} in\n{script}"));
    }
}

#[tokio::test(start_paused = true)]
async fn hello_says_hello_and_repeats() {
    let stage = examples().await;
    assert!(text(&told(&stage, "hello", "r1", "Hello there").await).starts_with("Hello! I am played"));
    assert_eq!(text(&told(&stage, "hello", "r2", "my name is Ada").await), "Nice to meet you, Ada.");
    assert_eq!(text(&told(&stage, "hello", "r3", "tea").await), "You said: tea");
}

#[tokio::test(start_paused = true)]
async fn the_tour_shows_everything() {
    let stage = examples().await;
    let events = told(&stage, "tour", "r1", "a trip to the sea").await;
    let kinds = [
        "STATE_SNAPSHOT",
        "REASONING_START",
        "ACTIVITY_SNAPSHOT",
        "STEP_STARTED",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_RESULT",
        "ACTIVITY_DELTA",
        "SUBAGENT_STARTED",
        "SUBAGENT_FINISHED",
        "STATE_DELTA",
        "CUSTOM",
        "TEXT_MESSAGE_END",
    ];
    let missing: Vec<_> = kinds.iter().filter(|kind| !types(&events).contains(kind)).collect();
    assert_eq!(missing, Vec::<&&str>::new());
    assert!(text(&events).ends_with("I planned 2 days."), "{}", text(&events));
    assert_eq!(events.last().unwrap()["result"], json!({"planned": true}));
    let days = json!([{"day": 1}, {"day": 2}]);
    assert_eq!(state(&stage).await, json!({"trip": {"city": "a trip to the sea", "days": days}}));
}

#[tokio::test(start_paused = true)]
async fn the_guided_tour_takes_its_time_and_asks_before_it_books() {
    let stage = examples().await;
    let began = tokio::time::Instant::now();
    let first = told(&stage, "tour", "r1", "Give me the tour").await;
    let form = answer(&question_id(&first), json!({"people": 2, "place": "House in the dunes"}));
    let second = play(&stage, "tour", answering("r2", vec![form])).await;
    assert_eq!(question(&second)["message"], "Book this weekend?");
    let third =
        play(&stage, "tour", answering("r3", vec![answer(&question_id(&second), json!({"approved": true}))]))
            .await;
    let took = began.elapsed().as_secs();
    assert!((20..=30).contains(&took), "{took} s");
    assert!(text(&third).starts_with("Booked."), "{}", text(&third));
    let shown = text(&first);
    for part in ["| House in the dunes |", "$$ C =", "```python"] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    let activities: Vec<_> = first.iter().filter_map(|event| event["activityType"].as_str()).collect();
    assert!(activities.contains(&"PLAN") && activities.contains(&"SOURCES"), "{activities:?}");
    assert!(types(&first).contains(&"SUBAGENT_FINISHED"));
    assert!(second.iter().any(|event| event["toolCallName"] == "render_a2ui"), "a surface is drawn");
}

#[tokio::test(start_paused = true)]
async fn e_mails_go_to_whom_they_are_asked_to() {
    for (said, to) in [
        ("Write an e-mail to Ann", "Ann@example.org"),
        ("Mail the team about Friday", "team@example.org"),
        ("write a mail", "ada@example.org"),
    ] {
        let asked = told(&examples().await, "approval", "r1", said).await;
        let arguments = find(&asked, "TOOL_CALL_ARGS")["delta"].as_str().unwrap();
        assert!(arguments.contains(to), "{said}: {arguments}");
    }
}

#[tokio::test(start_paused = true)]
async fn approval_asks_and_takes_changes() {
    let stage = examples().await;
    let asked = told(&stage, "approval", "r1", "write a mail").await;
    let entry =
        answer(&question_id(&asked), json!({"approved": true, "editedArgs": {"to": "bob@example.org"}}));
    let sent = play(&stage, "approval", answering("r2", vec![entry])).await;
    assert_eq!(text(&sent), "I sent it with your changes.");
    let call = &find(&asked, "TOOL_CALL_START")["toolCallId"];
    assert_eq!(find(&sent, "TOOL_CALL_RESULT")["toolCallId"], *call);
}

#[tokio::test(start_paused = true)]
async fn the_form_asks_twice_and_books() {
    let stage = examples().await;
    let first = told(&stage, "form", "r1", "please book a table").await;
    let entry = answer(&question_id(&first), json!({"day": "Friday", "people": 2}));
    let second = play(&stage, "form", answering("r2", vec![entry])).await;
    assert_eq!(question(&second)["message"], "A table on Friday for 2. Any wishes?");
    let third =
        play(&stage, "form", answering("r3", vec![answer(&question_id(&second), json!("a window"))])).await;
    assert_eq!(text(&third), "Booked. I noted: a window");
    assert_eq!(state(&stage).await, json!({"bookings": [{"day": "Friday", "people": 2}]}));
}

#[tokio::test(start_paused = true)]
async fn errors_come_in_several_ways() {
    let stage = examples().await;
    let failed = told(&stage, "error", "r1", "go on").await;
    assert_eq!(error(&failed), ("out_of_luck".to_owned(), "It did not work: go on".to_owned()));
    assert_eq!(error(&told(&stage, "error", "r2", "break a rule").await).0, "text_message_not_open");
    let helped = told(&stage, "error", "r3", "subagent").await;
    assert_eq!(find(&helped, "SUBAGENT_ERROR")["message"], "I could not do it.");
}

#[tokio::test(start_paused = true)]
async fn the_long_one_is_long() {
    let events = told(&examples().await, "long", "r1", "fast").await;
    assert_eq!(events.iter().filter(|event| event["type"] == "TEXT_MESSAGE_END").count(), 200);
}

#[tokio::test(start_paused = true)]
async fn the_story_takes_about_a_minute_and_continues_after_the_last_part_that_was_told() {
    let stage = examples().await;
    let began = tokio::time::Instant::now();
    let whole = text(&told(&stage, "long", "r1", "Tell me a story").await);
    let took = began.elapsed().as_secs();
    assert!((55..=90).contains(&took), "{took} s");
    assert!(whole.starts_with("**The prompter**") && whole.ends_with("the first word."), "{whole}");

    let mut patched = input("r2", vec![user("r2", "Please continue where you stopped.")]);
    patched.thread_id = "other".into();
    patched.state = Some(json!({ "part": 6 }).into());
    let rest = text(&play(&stage, "long", patched).await);
    assert!(rest.starts_with("It was so quiet") && rest.ends_with("the first word."), "{rest}");
}

#[tokio::test(start_paused = true)]
async fn the_clients_tools_are_answered() {
    let stage = examples().await;
    let status = async || stage.thread(OWNER, &"t1".into()).await.unwrap().status;
    let asked = told(&stage, "client-tool", "r1", "hi").await;
    assert_eq!(status().await, ThreadStatus::Waiting, "for the client");
    let call = find(&asked, "TOOL_CALL_START")["toolCallId"].as_str().unwrap();
    let place = tool_answer("a1", call, "{\"city\":\"Porto\",\"colour\":\"blue\"}");
    let events = play(&stage, "client-tool", input("r2", vec![place])).await;
    let call = find(&events, "TOOL_CALL_START")["toolCallId"].as_str().unwrap();
    let last = play(&stage, "client-tool", input("r3", vec![tool_answer("a2", call, "ok")])).await;
    assert_eq!(text(&last), "Done.");
    assert_eq!(status().await, ThreadStatus::Idle);
}

#[tokio::test(start_paused = true)]
async fn the_desk_hands_over_and_gets_back() {
    let stage = examples().await;
    let handed = told(&stage, "desk", "r1", "what is the law?").await;
    assert!(text(&handed).contains("regulation here."), "{}", text(&handed));
    assert!(text(&told(&stage, "desk", "r2", "thanks").await).contains("This is the front desk."));
}

#[tokio::test(start_paused = true)]
async fn refunds_are_paid_as_the_rules_of_the_house_say() {
    let stage = examples().await;
    let small = told(&stage, "refunds", "r1", "refund 20").await;
    assert!(text(&small).ends_with("20 euros are on their way."), "{}", text(&small));
    let other = told(&stage, "refunds", "r0", "refund 35, please").await;
    assert!(text(&other).ends_with("35 euros are on their way."), "{}", text(&other));
    let large = told(&stage, "refunds", "r2", "refund 200").await;
    let question = &large.last().unwrap()["outcome"]["interrupts"][0];
    assert_eq!(question["message"], "Refund €200 for order B-4?");
    assert_eq!(question["metadata"]["risk"], "high");
    assert_eq!(question["metadata"]["arguments"], json!({ "order": "B-4", "amount": 200 }));
    assert_eq!(question["responseSchema"]["properties"]["editedArgs"]["properties"]["amount"]["minimum"], 1);
}
