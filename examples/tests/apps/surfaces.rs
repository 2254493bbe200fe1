//! Contract 003: a form that is drawn, changed while somebody fills it in, and confirmed.

use forestage_examples::{
    app::{Player, Setup},
    surfaces,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Process, text};

struct Guest<'a> {
    url: &'a str,
    runs: u32,
}

impl Guest<'_> {
    async fn run(&mut self, mut input: Value) -> Vec<Value> {
        self.runs += 1;
        input["threadId"] = json!("t1");
        input["runId"] = json!(format!("r{}", self.runs));
        let url = format!("{}/v1/agents/booking/runs", self.url);
        let response = reqwest::Client::new().post(url).json(&input).send().await.expect("it answers");
        let body = response.text().await.expect("a stream");
        let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
        let events: Vec<Value> = data.map(|data| serde_json::from_str(data).expect("an event")).collect();
        assert_eq!(events.last().map(|event| &event["type"]), Some(&json!("RUN_FINISHED")), "{body}");
        events
    }

    async fn say(&mut self, text: &str) -> Vec<Value> {
        let id = format!("m{}", self.runs);
        self.run(json!({ "messages": [{ "id": id, "role": "user", "content": text }] })).await
    }

    async fn act(&mut self, name: &str, component: &str, context: Value) -> Vec<Value> {
        let action = json!({ "name": name, "surfaceId": "booking", "sourceComponentId": component,
            "timestamp": format!("2026-11-16T10:00:{:02}Z", self.runs), "context": context });
        self.run(json!({ "messages": [], "forwardedProps": { "a2uiAction": { "userAction": action } } }))
            .await
    }

    async fn surface(&self) -> Value {
        let url = format!("{}/v1/threads/t1/surfaces", self.url);
        let view: Value = reqwest::get(url).await.expect("it answers").json().await.expect("JSON");
        view["surfaces"].clone()
    }
}

#[tokio::test]
async fn a_table_is_booked_on_a_form_that_keeps_what_was_typed_over_a_crash() {
    let data = TempDir::new().expect("a folder");
    let server = Process::start("surfaces", data.path(), &[]);
    let mut guest = Guest { url: &server.url, runs: 0 };
    guest.say("A table, please").await;
    let typed = json!({ "name": "Ada", "guests": 4, "terrace": true });
    guest.act("check", "check", typed.clone()).await;
    let drawn = guest.surface().await.to_string();
    assert!(drawn.contains("Table 7 is free for 4, Ada."), "{drawn}");
    assert!(drawn.contains(r#""form":{"name":"Ada","guests":4,"terrace":true}"#), "{drawn}");
    server.kill();
    let server = Process::start("surfaces", data.path(), &[]);
    let mut guest = Guest { url: &server.url, runs: 2 };
    let events = guest.act("confirm", "confirm", typed).await;
    assert_eq!(text(&events), "See you there.");
    let drawn = guest.surface().await.to_string();
    assert!(drawn.contains("Booked: table 7 for 4, under Ada."), "{drawn}");
    assert_eq!(text(&guest.say("What did I book?").await), "Table 7 for 4, under Ada.");
}

#[tokio::test]
async fn a_model_draws_and_books_with_the_same_checks() {
    let data = TempDir::new().expect("a folder");
    let model = crate::support::model("surfaces/model.yaml").await;
    let setup =
        Setup { data: data.path().to_owned(), player: Player::Model { name: None, url: Some(model.url()) } };
    let app = surfaces::server(setup).expect("it can be built").start().await.expect("it starts");
    let mut guest = Guest { url: app.url(), runs: 0 };
    guest.say("A table, please").await;
    assert!(guest.surface().await.to_string().contains("Book it"));
    let events = guest.act("confirm", "confirm", json!({ "name": "Ada" })).await;
    assert_eq!(text(&events), "See you there.");
    app.shutdown().await;
}
