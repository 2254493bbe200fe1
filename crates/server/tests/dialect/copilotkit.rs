//! What a CopilotKit front end asks of its runtime.

use std::time::Duration;

use forestage_server::{Http, Keys};
use reqwest::{Method, Response};
use serde_json::{Value, json};

use crate::{support::*, trainer2::agents};

async fn ask(server: &Running, method: Method, path: &str, body: Option<&Value>) -> Response {
    let url = format!("http://{}/copilotkit{path}", server.address);
    let mut request = reqwest::Client::new().request(method, url);
    if let Some(body) = body {
        request = request.json(body);
    }
    request.send().await.unwrap()
}

async fn get(server: &Running, path: &str) -> Value {
    let response = ask(server, Method::GET, path, None).await;
    assert_eq!(response.status(), 200, "{path}");
    response.json().await.unwrap()
}

async fn post(server: &Running, path: &str, body: &Value) -> Response {
    ask(server, Method::POST, path, Some(body)).await
}

/// The frames of a stream that ends.
async fn frames(response: Response) -> Vec<Value> {
    let status = response.status();
    let text = response.text().await.unwrap();
    assert_eq!(status, 200, "{text}");
    let frames = text.split("\n\n").filter_map(|frame| frame.strip_prefix("data: "));
    frames.map(|frame| serde_json::from_str(frame).unwrap()).collect()
}

/// Frames as they come.
struct Frames(Response, String);

impl Frames {
    async fn next(&mut self) -> Value {
        loop {
            if let Some((frame, rest)) = self.1.split_once("\n\n") {
                let (frame, rest) = (frame.to_owned(), rest.to_owned());
                self.1 = rest;
                if let Some(json) = frame.strip_prefix("data: ") {
                    return serde_json::from_str(json).unwrap();
                }
                continue;
            }
            let chunk = tokio::time::timeout(Duration::from_secs(20), self.0.chunk()).await;
            let chunk = chunk.expect("a frame in time").unwrap().expect("the stream goes on");
            self.1.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    async fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut frames = vec![self.next().await];
        while frames.last().unwrap()["type"] != kind {
            frames.push(self.next().await);
        }
        frames
    }
}

/// As a front end sends it, with all that comes along.
fn input(thread: &str, run: &str, text: &str) -> Value {
    let message = json!({ "id": format!("{run}-m"), "role": "user", "content": text });
    json!({
        "threadId": thread, "runId": run, "messages": [message], "tools": [], "context": [],
        "state": {}, "forwardedProps": {},
    })
}

#[tokio::test]
async fn info_lists_the_agents_and_the_default_one() {
    let server = server().await;
    let info = get(&server, "/info").await;
    let agents: Vec<_> = info["agents"].as_object().unwrap().keys().collect();
    assert_eq!(agents, ["general-agent", "default"]);
    assert_eq!(info["agents"]["default"]["description"], "Inspects");
    assert_eq!(info["mode"], "sse");
    let threads = json!({ "list": true, "inspect": true, "mutations": true, "realtimeMetadata": false });
    assert_eq!(info["threadEndpoints"], threads);
}

#[tokio::test]
async fn a_run_is_told_in_the_words_of_the_older_protocol() {
    let server = server().await;
    let frames = frames(post(&server, "/agent/default/run", &input("t1", "r1", "hi")).await).await;
    assert_eq!(frames[0]["type"], "RUN_STARTED");
    assert!(frames[0].get("input").is_none() && frames[0].get("protocolVersion").is_none());
    assert_eq!(text(&frames), "Hello there.");
    assert_eq!(frames.last().unwrap()["type"], "RUN_FINISHED");
}

#[tokio::test]
async fn a_call_that_waits_for_the_client_ends_with_a_plain_success() {
    let server = server().await;
    let called = frames(post(&server, "/agent/default/run", &input("t1", "r1", "a quiz")).await).await;
    assert_eq!(called.last().unwrap()["outcome"], json!({ "type": "success" }));
    let call = called.iter().find(|frame| frame["type"] == "TOOL_CALL_START").unwrap();
    let mut answer = input("t1", "r2", "");
    let content = json!({ "selected_option_id": "option_paris" }).to_string();
    answer["messages"] =
        json!([{ "id": "a", "role": "tool", "toolCallId": call["toolCallId"], "content": content }]);
    let answered = frames(post(&server, "/agent/default/run", &answer).await).await;
    assert_eq!(text(&answered), "You chose option_paris.");
}

#[tokio::test]
async fn a_call_is_answered_once_and_the_same_answer_again_does_no_harm() {
    let server = server().await;
    let called = frames(post(&server, "/agent/default/run", &input("t1", "r1", "a quiz")).await).await;
    let call = called.iter().find(|frame| frame["type"] == "TOOL_CALL_START").unwrap()["toolCallId"].clone();
    let answer = |run: &str, id: &str, option: &str| {
        let mut answer = input("t1", run, "");
        let content = format!("{{ \"selected_option_id\": \"{option}\" }}");
        answer["messages"] = json!([
            { "id": "r1-m", "role": "user", "content": "a quiz" },
            { "id": id, "role": "tool", "toolCallId": call, "content": content },
        ]);
        answer
    };
    let first = frames(post(&server, "/agent/default/run", &answer("r2", "a", "option_paris")).await).await;
    assert_eq!(text(&first), "You chose option_paris.");
    let before = runs(&server).await;

    let refused = post(&server, "/agent/default/run", &answer("r3", "b", "option_rome")).await;
    assert_eq!(refused.status(), 422);
    let refused: Value = refused.json().await.unwrap();
    assert_eq!(
        (&refused["error"]["code"], &refused["error"]["path"]),
        (&json!("already_answered"), &json!("messages[1].toolCallId"))
    );
    assert_eq!(refused["message"], refused["error"]["message"], "where a front end looks");
    assert_eq!(runs(&server).await, before, "the agent was not asked again");

    for (run, id) in [("r4", "a"), ("r5", "b")] {
        let again = post(&server, "/agent/default/run", &answer(run, id, "option_paris")).await;
        assert_eq!(again.status(), 200, "the same answer under the id `{id}`");
    }
}

async fn runs(server: &Running) -> Value {
    let thread = reqwest::get(format!("http://{}/v1/threads/t1", server.address)).await.unwrap();
    thread.json::<Value>().await.unwrap()["runs"].clone()
}

/// As a front end does it: under the id of the run that asked, with the answer noted as if the tool had given it.
#[tokio::test]
async fn an_answer_goes_on_under_the_id_of_the_run_that_asked() {
    let server = server().await;
    let asked = frames(post(&server, "/agent/default/run", &input("t1", "r1", "the report")).await).await;
    let question = &asked.last().unwrap()["outcome"]["interrupts"][0];
    let call = &question["toolCallId"];
    assert!(call.is_string(), "{question}");
    let noted =
        json!({ "id": "noted", "role": "tool", "toolCallId": call, "content": r#"{"approved":true}"# });

    let forged = json!({ "messages": [noted], "threadId": "t1", "runId": "r2", "tools": [], "context": [] });
    let refused = post(&server, "/agent/default/run", &forged).await;
    assert_eq!(refused.status(), 422, "nobody else says what the tool said");

    let url = format!("http://{}/v1/threads/t1/messages", server.address);
    let history: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    let mut answer = input("t1", "r1", "the report");
    answer["messages"] = history["messages"].clone();
    answer["messages"].as_array_mut().unwrap().push(noted.clone());
    answer["resume"] =
        json!([{ "interruptId": question["id"], "status": "resolved", "payload": { "approved": true } }]);
    let went_on = frames(post(&server, "/agent/default/run", &answer).await).await;
    assert!(text(&went_on).starts_with("Here it is"), "{went_on:#?}");

    let mut next = input("t1", "r3", "hi");
    next["messages"].as_array_mut().unwrap().insert(0, noted);
    let next = frames(post(&server, "/agent/default/run", &next).await).await;
    assert_eq!(text(&next), "Hello there.");
    let messages = get(&server, "/threads/t1/messages").await;
    let tools: Vec<_> =
        messages["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "tool").collect();
    assert_eq!(tools.len(), 1, "the tool answered once: {messages:#}");
    assert!(tools[0]["content"].as_str().unwrap().contains("report.pdf"), "{tools:#?}");
}

#[tokio::test]
async fn connecting_to_a_finished_thread_restates_it_and_ends() {
    let server = server().await;
    frames(post(&server, "/agent/default/run", &input("t1", "r1", "hi")).await).await;
    let restated = frames(post(&server, "/agent/default/connect", &input("t1", "c1", "")).await).await;
    let kinds = kinds(&restated);
    assert_eq!(kinds, ["RUN_STARTED", "MESSAGES_SNAPSHOT", "STATE_SNAPSHOT", "RUN_FINISHED"]);
    assert_eq!(restated[1]["messages"][1]["content"], "Hello there.");
    assert_eq!(get(&server, "/threads").await["threads"].as_array().unwrap().len(), 1, "nothing was started");
}

#[tokio::test]
async fn connecting_to_a_thread_that_is_not_there_is_a_stream_without_events() {
    let server = server().await;
    let response = post(&server, "/agent/default/connect", &json!({ "threadId": "new" })).await;
    assert_eq!(response.headers()["content-type"], "text/event-stream");
    let body = response.text().await.unwrap();
    assert!(body.starts_with(": ") && !body.contains("data:"), "{body}");
}

#[tokio::test]
async fn connecting_in_the_middle_brings_the_rest_and_stopping_ends_it() {
    let server = server().await;
    let mut running =
        Frames(post(&server, "/agent/default/run", &input("t1", "r1", "go on")).await, String::new());
    running.until("TEXT_MESSAGE_CONTENT").await;

    let mut joined =
        Frames(post(&server, "/agent/default/connect", &input("t1", "c1", "")).await, String::new());
    let restated = joined.until("STATE_SNAPSHOT").await;
    assert_eq!(restated[0]["runId"], "r1");
    joined.until("TEXT_MESSAGE_CONTENT").await;

    let other = post(&server, "/agent/default/stop/t1", &json!({ "runId": "another" })).await;
    assert_eq!(other.json::<Value>().await.unwrap()["stopped"], false);
    let stopped = ask(&server, Method::POST, "/agent/default/stop/t1", None).await;
    assert_eq!(stopped.json::<Value>().await.unwrap(), json!({ "stopped": true }));
    for stream in [&mut running, &mut joined] {
        let rest = stream.until("RUN_FINISHED").await;
        assert!(rest.last().unwrap().get("outcome").is_none(), "{rest:#?}");
    }
    let again = ask(&server, Method::POST, "/agent/default/stop/t1", None).await;
    assert_eq!(again.json::<Value>().await.unwrap()["stopped"], false);
}

#[tokio::test]
async fn only_the_agent_that_is_named_is_stopped() {
    let endless = "rules: [{ do: [{ repeat: { times: 100000, do: [{ text: On. }, { sleep: 20ms }] } }] }]";
    let agents = agents(&[("talker", endless), ("other", endless)]);
    let server = serve(agents, Keys::default(), "memory:", Http::default()).await;
    let mut running =
        Frames(post(&server, "/agent/talker/run", &input("t1", "r1", "go on")).await, String::new());
    running.until("TEXT_MESSAGE_CONTENT").await;
    let other = post(&server, "/agent/other/stop/t1", &json!({})).await.json::<Value>().await.unwrap();
    let told = "no such run of agent `other` is under way on thread `t1`";
    assert_eq!(other, json!({ "stopped": false, "message": told }));
    let stopped = post(&server, "/agent/talker/stop/t1", &json!({})).await.json::<Value>().await.unwrap();
    assert_eq!(stopped, json!({ "stopped": true }));
    running.until("RUN_FINISHED").await;
}

#[tokio::test]
async fn what_is_said_right_after_stopping_waits_for_its_turn() {
    let server = server().await;
    let mut running =
        Frames(post(&server, "/agent/default/run", &input("t1", "r1", "go on")).await, String::new());
    running.until("TEXT_MESSAGE_CONTENT").await;
    let next = tokio::spawn({
        let address = server.address.clone();
        async move {
            let url = format!("http://{address}/copilotkit/agent/default/run");
            reqwest::Client::new().post(url).json(&input("t1", "r2", "hi")).send().await.unwrap()
        }
    });
    ask(&server, Method::POST, "/agent/default/stop/t1", None).await;
    assert_eq!(text(&frames(next.await.unwrap()).await), "Hello there.");
}

#[tokio::test]
async fn suggestions_are_none_and_leave_no_thread() {
    let server = server().await;
    let frames = frames(post(&server, "/agent/default/suggest", &input("s1", "r1", "Suggest")).await).await;
    assert_eq!(kinds(&frames), ["RUN_STARTED", "RUN_FINISHED"]);
    assert_eq!(get(&server, "/threads?agentId=default").await["threads"], json!([]));
}

#[tokio::test]
async fn threads_are_listed_in_pages_renamed_archived_and_deleted() {
    let server = server().await;
    for thread in ["t1", "t2", "t3"] {
        frames(post(&server, "/agent/default/run", &input(thread, thread, "hi")).await).await;
    }
    let first = get(&server, "/threads?agentId=default&limit=2").await;
    assert_eq!(first["threads"].as_array().unwrap().len(), 2);
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = get(&server, &format!("/threads?agentId=default&limit=2&cursor={cursor}")).await;
    assert_eq!((&second["threads"][0]["id"], &second["nextCursor"]), (&json!("t1"), &Value::Null));
    let thread = &second["threads"][0];
    assert_eq!(thread["agentId"], "default");
    let time = thread["updatedAt"].as_str().unwrap();
    assert!(time.len() == 24 && time.ends_with('Z'), "{time}");

    let renamed =
        ask(&server, Method::PATCH, "/threads/t1", Some(&json!({ "agentId": "default", "name": "Mine" })))
            .await;
    assert_eq!(renamed.json::<Value>().await.unwrap()["name"], "Mine");
    let archived = post(&server, "/threads/t1/archive", &json!({ "agentId": "default" })).await;
    assert_eq!(archived.json::<Value>().await.unwrap(), json!({ "threadId": "t1", "archived": true }));
    assert_eq!(get(&server, "/threads").await["threads"].as_array().unwrap().len(), 2);
    assert_eq!(get(&server, "/threads?includeArchived=true").await["threads"].as_array().unwrap().len(), 3);
    let deleted = ask(&server, Method::DELETE, "/threads/t1", Some(&json!({ "agentId": "default" }))).await;
    assert_eq!(deleted.json::<Value>().await.unwrap(), json!({ "threadId": "t1", "deleted": true }));
    assert_eq!(get(&server, "/threads?includeArchived=true").await["threads"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn the_inspector_sees_messages_events_and_state() {
    let server = server().await;
    frames(post(&server, "/agent/default/run", &input("t1", "r1", "the history please")).await).await;
    let messages = get(&server, "/threads/t1/messages").await;
    let call = messages["messages"].as_array().unwrap().iter().find_map(|message| message.get("toolCalls"));
    let call = &call.unwrap()[0];
    assert_eq!(call["name"], "get_inspection_history");
    assert_eq!(call["args"], r#"{"kvk":"92251854"}"#);
    let events = get(&server, "/threads/t1/events").await;
    assert_eq!(events["events"][0]["type"], "RUN_STARTED");
    assert!(get(&server, "/threads/t1/state").await["state"].is_object());
}

#[tokio::test]
async fn everything_goes_through_one_address_too() {
    let server = server().await;
    let call = async |method: &str, params: Value, body: Value| {
        post(&server, "", &json!({ "method": method, "params": params, "body": body })).await
    };
    let info: Value = post(&server, "", &json!({ "method": "info" })).await.json().await.unwrap();
    assert_eq!(info, get(&server, "/info").await);
    let agent = json!({ "agentId": "default" });
    let said = frames(call("agent/run", agent.clone(), input("t1", "r1", "hi")).await).await;
    assert_eq!(text(&said), "Hello there.");
    let restated = frames(call("agent/connect", agent, input("t1", "c1", "")).await).await;
    assert_eq!(restated[1]["type"], "MESSAGES_SNAPSHOT");
    let stop = json!({ "agentId": "default", "threadId": "t1" });
    let stopped = call("agent/stop", stop, json!({ "runId": "r1" })).await;
    assert_eq!(stopped.json::<Value>().await.unwrap()["stopped"], false);
    let unknown = call("agent/dance", json!({}), json!({})).await;
    assert_eq!(unknown.status(), 400);
}

#[tokio::test]
async fn what_is_wrong_is_told_where_a_front_end_looks() {
    let server = server().await;
    let run = input("t1", "r1", "hi");
    for (method, path, body, status, code) in [
        (Method::POST, "/agent/nobody/run", &run, 404, "unknown_agent"),
        (Method::POST, "/agent/default/run", &json!({}), 422, "missing_field"),
        (Method::POST, "/agent/default/connect", &json!({}), 422, "invalid_body"),
        (Method::POST, "/agent/default/stop/t1", &json!({}), 404, "unknown_thread"),
        (Method::POST, "/agent/nobody/stop/t1", &json!({}), 404, "unknown_agent"),
        (Method::GET, "/threads?size=3", &json!({}), 400, "invalid_query"),
        (Method::PATCH, "/threads/t1", &json!({ "name": 3 }), 422, "invalid_body"),
    ] {
        let response = ask(&server, method, path, Some(body)).await;
        assert_eq!(response.status().as_u16(), status, "{path}");
        let told: Value = response.json().await.unwrap();
        assert_eq!(told["error"]["code"], code, "{path}: {told}");
        assert_eq!(told["message"], told["error"]["message"], "{path}");
    }
}

#[tokio::test]
async fn a_front_end_without_a_key_is_told() {
    let server = server_with_key("secret").await;
    let url = |path: &str| format!("http://{}/copilotkit{path}", server.address);
    let client = reqwest::Client::new();
    let refused = client.get(url("/info")).send().await.unwrap();
    assert_eq!(refused.status(), 401);
    let told: Value = refused.json().await.unwrap();
    assert_eq!(told["message"], "this server wants an API key");
    let known = client.get(url("/info")).bearer_auth("secret").send().await.unwrap();
    assert_eq!(known.status(), 200);
}
