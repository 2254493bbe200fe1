//! Contract 002: somebody new gets a form, once, and is known from then on.

use forestage_examples::{
    app::{Player, Setup},
    coach::{self, Profiles},
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Process, Socket, model, of_type, text};

fn said(run: &str, message: &str) -> Value {
    json!({ "threadId": "t1", "runId": run, "message": message })
}

/// Somebody sends a form.
fn sent(run: &str, view: &str, form: &str, values: Value) -> Value {
    let action = json!({ "kind": "a2ui.action.v1", "viewId": view,
        "action": { "type": "form.submit", "formId": form, "values": values } });
    json!({ "threadId": "t1", "runId": run, "message": "A2UI_ACTION",
        "forwardedProps": { "uiContext": { "a2uiAction": action } } })
}

fn onboarded(run: &str) -> Value {
    sent(
        run,
        "profile_onboarding_v1",
        "profile_onboarding",
        json!({ "firstName": "Ada", "goals": "Run 10 km" }),
    )
}

fn approved(call: &Value) -> Value {
    json!({ "type": "TOOL_CALL_APPROVED", "threadId": "t1", "runId": "r2", "toolCallId": call })
}

/// The tools that were carried out.
fn tools(frames: &[Value]) -> Vec<&str> {
    of_type(frames, "TOOL_CALL_STARTED").iter().filter_map(|frame| frame["toolName"].as_str()).collect()
}

/// The views that were shown.
fn views(frames: &[Value]) -> Vec<&str> {
    let views = frames.iter().filter(|frame| frame["name"] == "A2UI_RENDER");
    views.filter_map(|frame| frame["value"]["view"]["viewId"].as_str()).collect()
}

async fn profile(data: &TempDir) -> Value {
    let profiles = Profiles::open(&data.path().join("profiles.db")).expect("it is a database");
    profiles.get("local".to_owned()).await.expect("it can be read")
}

async fn saves(data: &TempDir) -> i64 {
    let profiles = Profiles::open(&data.path().join("profiles.db")).expect("it is a database");
    profiles.saves("local".to_owned()).await.expect("it can be read")
}

#[tokio::test]
async fn somebody_new_gets_the_form_sends_it_and_is_known_after_a_crash() {
    let data = TempDir::new().expect("a folder");
    let server = Process::start("coach", data.path(), &[]);
    let mut socket = Socket::open(&server.url, "/realtime").await;
    socket.send(&said("r1", "HELLO")).await;
    let frames = socket.until_type("RUN_FINISHED").await;
    assert_eq!(tools(&frames), ["profile_get"]);
    assert_eq!(views(&frames), ["profile_onboarding_v1"]);
    socket.send(&onboarded("r2")).await;
    let frames = socket.until_type("RUN_FINISHED").await;
    assert_eq!(tools(&frames), ["profile_get", "profile_save"]);
    assert_eq!(views(&frames), ["profile_saved_v1"]);
    assert_eq!(text(&frames), "Saved");
    server.kill();
    let server = Process::start("coach", data.path(), &[]);
    let mut socket = Socket::open(&server.url, "/realtime").await;
    socket.send(&said("r3", "HELLO")).await;
    let frames = socket.until_type("RUN_FINISHED").await;
    assert_eq!(text(&frames), "Welcome back, Ada. Shall we go on with your goal: Run 10 km?");
    assert!(views(&frames).is_empty(), "nobody is asked twice");
}

#[tokio::test]
async fn somebody_of_whom_little_is_known_gets_the_form_again_with_what_is_known() {
    let data = TempDir::new().expect("a folder");
    let app = coach::server(Setup::rules(data.path())).expect("it can be built");
    let app = app.start().await.expect("it starts");
    let mut socket = Socket::open(app.url(), "/realtime").await;
    let form = |frames: &[Value]| {
        let shown = frames.iter().find(|frame| frame["name"] == "A2UI_RENDER");
        shown.map_or(Value::Null, |frame| frame["value"]["view"]["root"]["children"][1].clone())
    };
    let submit = |run: &str, values: Value| sent(run, "profile_onboarding_v1", "profile_onboarding", values);
    socket.send(&said("r1", "HELLO")).await;
    let first = form(&socket.until_type("RUN_FINISHED").await);
    assert_eq!(first["fields"][0]["value"], Value::Null, "nothing is known");
    socket.send(&submit("r2", json!({ "firstName": "Ada" }))).await;
    socket.until_type("RUN_FINISHED").await;

    socket.send(&said("r3", "HELLO")).await;
    let frames = socket.until_type("RUN_FINISHED").await;
    let again = form(&frames);
    assert_eq!((&again["id"], views(&frames)), (&json!("profile_onboarding"), vec!["profile_onboarding_v1"]));
    assert_eq!(again["fields"][0]["value"], "Ada");
    assert_eq!(again["fields"][2].get("value"), None);
    socket.send(&submit("r4", json!({ "firstName": "Ada", "goals": "Run" }))).await;
    socket.until_type("RUN_FINISHED").await;
    assert_eq!(saves(&data).await, 2, "once for each form");

    socket.send(&said("r5", "HELLO")).await;
    let frames = socket.until_type("RUN_FINISHED").await;
    assert!(views(&frames).is_empty(), "half of it is enough: {frames:#?}");
    app.shutdown().await;
}

#[tokio::test]
async fn a_save_in_part_keeps_the_rest_and_numbers_stay_numbers() {
    let data = TempDir::new().expect("a folder");
    let app = coach::server(Setup::rules(data.path())).expect("it can be built");
    let app = app.start().await.expect("it starts");
    let mut socket = Socket::open(app.url(), "/realtime").await;
    for frame in [
        said("r1", "HELLO"),
        onboarded("r2"),
        said("r3", "change my profile"),
        sent(
            "r4",
            "profile_details_v1",
            "profile_details",
            json!({ "firstName": "Ada", "goals": "", "lastName": "Lovelace", "age": 36, "weight": 61.5 }),
        ),
    ] {
        socket.send(&frame).await;
        socket.until_type("RUN_FINISHED").await;
    }
    let known =
        json!({ "firstName": "Ada", "lastName": "Lovelace", "metrics": { "age": 36, "weight": 61.5 } });
    assert_eq!(profile(&data).await, known);
    socket.send(&said("r5", "change my profile")).await;
    socket.until_type("RUN_FINISHED").await;
    socket
        .send(&sent("r6", "profile_details_v1", "profile_details", json!({ "firstName": "Ada", "age": 37 })))
        .await;
    socket.until_type("RUN_FINISHED").await;
    assert_eq!(profile(&data).await["metrics"], json!({ "age": 37, "weight": 61.5 }));
    app.shutdown().await;
}

#[tokio::test]
async fn a_save_that_waits_at_a_gate_outlives_the_process_and_is_made_once() {
    let data = TempDir::new().expect("a folder");
    let server = Process::start("coach", data.path(), &[]);
    let mut socket = Socket::open(&server.url, "/realtime").await;
    socket.send(&said("r1", "HELLO")).await;
    socket.until_type("RUN_FINISHED").await;
    let mut socket = Socket::open(&server.url, "/realtime?mode=audit").await;
    let mut form = onboarded("r2");
    form["forwardedProps"]["auditPolicy"] = json!({ "autoApproveStage": true, "autoApproveAssistant": true });
    socket.send(&form).await;
    // Each tool has a gate: the first one looks, the second one saves.
    let looks = socket.until_type("TOOL_CALL_PROPOSED").await;
    let look = looks.last().expect("it is there");
    socket.send(&approved(&look["toolCallId"])).await;
    let is_save =
        |frame: &Value| frame["type"] == "TOOL_CALL_PROPOSED" && frame["toolName"] == "profile_save";
    let proposed = socket.until(is_save).await;
    let call = proposed.last().expect("it is there")["toolCallId"].clone();
    assert_eq!(saves(&data).await, 0);
    server.kill();
    let server = Process::start("coach", data.path(), &[]);
    let mut socket = Socket::open(&server.url, "/realtime?mode=audit&threadId=t1").await;
    socket.until(is_save).await;
    socket.send(&approved(&call)).await;
    let frames = socket.until_type("RUN_FINISHED").await;
    assert_eq!(text(&frames), "Saved");
    // The same frame again, from a client that saw none of it: the same run is shown, and nothing is saved a second time.
    let mut socket = Socket::open(&server.url, "/realtime?mode=audit").await;
    socket.send(&form).await;
    socket.until_type("RUN_FINISHED").await;
    assert_eq!(saves(&data).await, 1);
}

#[tokio::test]
async fn a_call_that_is_repeated_with_its_key_saves_nothing_twice() {
    let data = TempDir::new().expect("a folder");
    let profiles = Profiles::open(&data.path().join("profiles.db")).expect("it is a database");
    for goals in ["Run", "Swim"] {
        let changes = json!({ "firstName": "Ada", "goals": goals });
        profiles.save("local".to_owned(), "one-call".to_owned(), changes).await.expect("it can be written");
    }
    assert_eq!(profile(&data).await["goals"], "Run");
    assert_eq!(saves(&data).await, 1);
}

#[tokio::test]
async fn a_model_uses_the_same_tools_by_the_agent_file() {
    let data = TempDir::new().expect("a folder");
    let model = model("coach/model.yaml").await;
    let player = Player::Model { name: None, url: Some(model.url()) };
    let setup = Setup { data: data.path().to_owned(), player };
    let app = coach::server(setup).expect("it can be built").start().await.expect("it starts");
    let mut socket = Socket::open(app.url(), "/realtime").await;
    socket.send(&said("r1", "HELLO")).await;
    let frames = socket.until_type("RUN_FINISHED").await;
    assert_eq!(views(&frames), ["profile_onboarding_v1"], "{frames:#?}");
    socket
        .send(&sent("r2", "profile_onboarding_v1", "profile_onboarding", json!({ "firstName": "Ada" })))
        .await;
    let frames = socket.until_type("RUN_FINISHED").await;
    assert_eq!(tools(&frames), ["profile_get", "profile_save"], "{frames:#?}");
    assert_eq!(profile(&data).await, json!({ "firstName": "Ada", "metrics": { "age": 36 } }));
    app.shutdown().await;
}
