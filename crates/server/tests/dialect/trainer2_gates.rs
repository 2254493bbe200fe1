//! Contract 002, audit mode: what is sent, what is called and what is said passes a gate each.

use forestage_runtime::{Decider, Verdict};
use forestage_server::{ApiKey, Http, Keys, hash_key};
use serde_json::{Value, json};

use crate::{
    support::*,
    trainer2::{agents, chunks, coach, key, of, run, says, shows_its_form, submit},
};

const HOUSED: &str = r#"
house:
  rules: [{ tools: [pay], action: ask, risk: high, by: { role: manager } }]
tools: [{ name: pay, result: { paid: true } }]
rules: [{ do: [{ tool: { name: pay, args: { amount: 5 }, then: [{ text: Paid. }], failed: [{ text: Not paid. }] } }] }]
"#;

fn answer(kind: &str, frame: &Value) -> Value {
    let mut answer = json!({ "type": kind, "threadId": frame["threadId"], "runId": frame["runId"] });
    if !frame["toolCallId"].is_null() {
        answer["toolCallId"] = frame["toolCallId"].clone();
    }
    answer
}

/// Sends an answer at a gate and returns what follows until something of this kind.
async fn pass(socket: &mut Socket, kind: &str, gate: &Value, until: &str) -> Vec<Value> {
    socket.send(&answer(kind, gate)).await;
    socket.until(until).await
}

fn policy(open: &[&str]) -> Value {
    json!({ "auditPolicy": open.iter().map(|name| ((*name).to_owned(), true.into())).collect::<serde_json::Map<_, _>>() })
}

fn decider(user: &str) -> Decider {
    Decider { user: user.to_owned(), roles: Vec::new(), origin: "inbox".to_owned() }
}

/// Decides the only question of a thread in the inbox.
async fn in_the_inbox(server: &Running, thread: &str, payload: Value) {
    let url = format!("http://{}/v1/interrupts?thread={thread}", server.address);
    let page: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    let waiting = page["interrupts"].as_array().unwrap();
    assert_eq!(waiting.len(), 1, "{page:#}");
    let id = waiting[0]["id"].as_str().unwrap().into();
    server.stage.decide_on(&decider("local"), &thread.into(), &id, Verdict::resolved(payload)).await.unwrap();
}

#[tokio::test]
async fn three_gates_are_passed_one_after_the_other() {
    let server = coach().await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    socket.send(&says("t1", "r1", "HELLO")).await;
    let staged = socket.next().await;
    let payload = json!({ "message": "HELLO", "context": { "ui": {}, "state": {} } });
    assert_eq!((&staged["type"], &staged["payload"]), (&json!("RUN_STAGED"), &payload), "nothing before it");

    let frames = pass(&mut socket, "RUN_STAGE_APPROVED", &staged, "TOOL_CALL_PROPOSED").await;
    assert_eq!(kinds(&frames), ["RUN_STAGE_APPROVED", "RUN_STARTED", "TOOL_CALL_PROPOSED"]);
    let proposed = &frames[2];
    assert_eq!(
        (&proposed["toolName"], &proposed["args"], &proposed["label"]),
        (&json!("profile_get"), &json!({}), &json!("Looking at the profile"))
    );

    let frames = pass(&mut socket, "TOOL_CALL_APPROVED", proposed, "ASSISTANT_DRAFT_PROPOSED").await;
    assert_eq!(
        kinds(&frames),
        ["TOOL_CALL_APPROVED", "TOOL_CALL_STARTED", "TOOL_CALL_RESULT", "ASSISTANT_DRAFT_PROPOSED"]
    );
    let draft = &frames[3];
    assert_eq!(draft["draftText"], "Nice to meet you. Here is a form.");
    assert_eq!(draft["draftA2ui"]["viewId"], "profile_onboarding_v1");

    let frames = pass(&mut socket, "ASSISTANT_FINAL_APPROVED", draft, "RUN_FINISHED").await;
    assert_eq!(
        kinds(&frames),
        ["TEXT_MESSAGE_CHUNK", "CUSTOM A2UI_RENDER", "ASSISTANT_FINAL_APPROVED", "RUN_FINISHED"]
    );
    assert_eq!(
        (&frames[2]["finalText"], &frames[2]["finalA2ui"]),
        (&draft["draftText"], &draft["draftA2ui"])
    );
    assert!(frames.iter().all(|frame| frame["runId"] == "r1"), "it is one run for the client");
}

#[tokio::test]
async fn who_missed_the_end_of_a_run_with_gates_is_shown_it_when_they_ask_again() {
    let server = coach().await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit&threadId=t1").await;
    socket.send(&says("t1", "r1", "HELLO")).await;
    let staged = socket.until("RUN_STAGED").await.pop().unwrap();
    let proposed =
        pass(&mut socket, "RUN_STAGE_APPROVED", &staged, "TOOL_CALL_PROPOSED").await.pop().unwrap();
    let draft =
        pass(&mut socket, "TOOL_CALL_APPROVED", &proposed, "ASSISTANT_DRAFT_PROPOSED").await.pop().unwrap();
    let end = pass(&mut socket, "ASSISTANT_FINAL_APPROVED", &draft, "RUN_FINISHED").await;

    let mut again = Socket::open(&server, "/realtime?mode=audit&threadId=t1").await;
    again.send(&says("t1", "r1", "HELLO")).await;
    let frames = again.until("RUN_FINISHED").await;
    assert_eq!(frames[0], staged, "from its beginning");
    assert_eq!(frames[frames.len() - end.len()..], end, "to its end");
}

#[tokio::test]
async fn what_is_not_sent_never_reaches_the_agent() {
    let server = coach().await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    socket.send(&says("t1", "r1", "HELLO")).await;
    let mut denial = answer("RUN_STAGE_DENIED", &socket.next().await);
    denial["reason"] = json!("not today");
    socket.send(&denial).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!(kinds(&frames), ["RUN_STAGE_DENIED", "RUN_FINISHED"]);
    assert_eq!(frames[0]["reason"], "not today");
}

#[tokio::test]
async fn what_is_sent_can_be_changed() {
    let server = coach().await;
    shows_its_form(&server, "t1").await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    let mut frame = submit("t1", "r1", &json!({ "firstName": "Adda" }));
    frame["forwardedProps"]["auditPolicy"] =
        policy(&["autoApproveToolCalls", "autoApproveAssistant"])["auditPolicy"].clone();
    socket.send(&frame).await;
    let staged = socket.next().await;
    let mut context = staged["payload"]["context"].clone();
    context["ui"]["a2uiAction"]["action"]["values"]["firstName"] = json!("Ada");
    let mut edited = answer("RUN_STAGE_APPROVED", &staged);
    edited["payloadEdits"] = json!({ "context": context });
    socket.send(&edited).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!(of(&frames, "TOOL_CALL_STARTED")[1]["args"], json!({ "profile": { "firstName": "Ada" } }));

    let mut frame = says("t2", "r2", "A word");
    frame["forwardedProps"] = policy(&["autoApproveToolCalls", "autoApproveAssistant"]);
    socket.send(&frame).await;
    let mut edited = answer("RUN_STAGE_APPROVED", &socket.next().await);
    edited["payloadEdits"] = json!({ "message": "HELLO" });
    socket.send(&edited).await;
    assert!(chunks(&socket.until("RUN_FINISHED").await)[0].starts_with("Welcome back"));
}

fn only(gate: &str, thread: &str, run: &str) -> Value {
    let all = ["autoApproveStage", "autoApproveToolCalls", "autoApproveAssistant"];
    let open: Vec<_> = all.into_iter().filter(|name| *name != gate).collect();
    let mut frame = submit(thread, run, &json!({ "firstName": "Ada" }));
    frame["forwardedProps"]["auditPolicy"] = policy(&open)["auditPolicy"].clone();
    frame
}

#[tokio::test]
async fn a_call_that_is_refused_is_not_made() {
    let server = coach().await;
    shows_its_form(&server, "t1").await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    socket.send(&only("autoApproveToolCalls", "t1", "r1")).await;
    let frames = socket.until("TOOL_CALL_PROPOSED").await;
    assert_eq!(kinds(&frames), ["RUN_STARTED", "TOOL_CALL_PROPOSED"]);
    let frames = pass(&mut socket, "TOOL_CALL_APPROVED", &frames[1], "TOOL_CALL_PROPOSED").await;
    let proposed = frames.last().unwrap();
    assert_eq!(proposed["toolName"], "profile_save");
    let mut denial = answer("TOOL_CALL_DENIED", proposed);
    denial["reason"] = json!("too early");
    socket.send(&denial).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!(
        kinds(&frames),
        ["TOOL_CALL_DENIED", "TOOL_CALL_RESULT", "TEXT_MESSAGE_CHUNK", "RUN_FINISHED"]
    );
    assert_eq!(frames[1]["result"]["error"]["code"], "rejected");
    assert!(chunks(&frames)[0].contains("too early"), "{frames:#?}");
    let mut chat = Socket::open(&server, "/realtime").await;
    assert!(chunks(&run(&mut chat, &says("t2", "r2", "HELLO")).await)[0].starts_with("Nice to meet you"));
}

#[tokio::test]
async fn the_arguments_of_a_call_can_be_changed_within_its_schema() {
    let server = coach().await;
    shows_its_form(&server, "t1").await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    socket.send(&only("autoApproveToolCalls", "t1", "r1")).await;
    let gate = socket.until("TOOL_CALL_PROPOSED").await.pop().unwrap();
    let gate = pass(&mut socket, "TOOL_CALL_APPROVED", &gate, "TOOL_CALL_PROPOSED").await.pop().unwrap();
    let mut edited = answer("TOOL_CALL_APPROVED", &gate);
    edited["argsOverride"] = json!({ "profile": { "firstName": 5 } });
    socket.send(&edited).await;
    let refused = socket.next().await;
    assert_eq!(
        (&refused["type"], &refused["code"]),
        (&json!("RUN_ERROR"), &json!("invalid_answer")),
        "the gate stays closed"
    );
    edited["argsOverride"] = json!({ "profile": { "firstName": "Grace" } });
    socket.send(&edited).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!(frames[0]["argsOverride"], edited["argsOverride"]);
    assert_eq!(of(&frames, "TOOL_CALL_RESULT")[0]["result"]["profile"]["firstName"], "Grace");
}

#[tokio::test]
async fn a_draft_can_be_refused_or_said_otherwise() {
    let server = coach().await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    let mut hello = says("t1", "r1", "HELLO");
    hello["forwardedProps"] = policy(&["autoApproveStage", "autoApproveToolCalls"]);
    socket.send(&hello).await;
    let draft = socket.until("ASSISTANT_DRAFT_PROPOSED").await.pop().unwrap();
    let frames = pass(&mut socket, "ASSISTANT_FINAL_DENIED", &draft, "RUN_FINISHED").await;
    assert_eq!(kinds(&frames), ["ASSISTANT_FINAL_DENIED", "RUN_FINISHED"]);

    hello["runId"] = json!("r2");
    socket.send(&hello).await;
    let draft = socket.until("ASSISTANT_DRAFT_PROPOSED").await.pop().unwrap();
    let mut edited = answer("ASSISTANT_FINAL_APPROVED", &draft);
    edited["finalText"] = json!("Please fill this in.");
    socket.send(&edited).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!(chunks(&frames), ["Please fill this in."]);
    let last = of(&frames, "ASSISTANT_FINAL_APPROVED")[0];
    assert_eq!(
        (&last["finalText"], &last["finalA2ui"]),
        (&edited["finalText"], &draft["draftA2ui"]),
        "the view stays"
    );
    assert_eq!(of(&frames, "CUSTOM")[0]["value"]["view"], draft["draftA2ui"]);
}

#[tokio::test]
async fn the_view_of_a_draft_can_be_another_one() {
    let server = coach().await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    let mut hello = says("t1", "r1", "HELLO");
    hello["forwardedProps"] = policy(&["autoApproveStage", "autoApproveToolCalls"]);
    socket.send(&hello).await;
    let draft = socket.until("ASSISTANT_DRAFT_PROPOSED").await.pop().unwrap();
    let mut edited = answer("ASSISTANT_FINAL_APPROVED", &draft);
    edited["finalText"] = draft["draftText"].clone();
    edited["finalA2ui"] = json!({ "kind": "a2ui.v1", "viewId": "" });
    socket.send(&edited).await;
    let refused = socket.next().await;
    assert_eq!(
        (&refused["code"], &refused["path"]),
        (&json!("invalid_decision"), &json!("finalA2ui.viewId"))
    );

    let root = json!({ "type": "text", "text": "Nothing to fill in." });
    edited["finalA2ui"] = json!({ "kind": "a2ui.v1", "viewId": "instead", "root": root });
    socket.send(&edited).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!(chunks(&frames), [draft["draftText"].as_str().unwrap()], "the words stay");
    let shown = of(&frames, "CUSTOM");
    assert_eq!((shown.len(), &shown[0]["value"]["view"]), (1, &edited["finalA2ui"]));
    assert_eq!(of(&frames, "ASSISTANT_FINAL_APPROVED")[0]["finalA2ui"], edited["finalA2ui"]);
}

#[tokio::test]
async fn gates_are_answered_in_the_inbox_too() {
    let server = coach().await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    socket.send(&says("t1", "r1", "HELLO")).await;
    assert_eq!(socket.next().await["type"], "RUN_STAGED");
    in_the_inbox(&server, "t1", json!({ "approved": true })).await;
    socket.until("TOOL_CALL_PROPOSED").await;
    in_the_inbox(&server, "t1", json!({ "approved": true })).await;
    socket.until("ASSISTANT_DRAFT_PROPOSED").await;
    in_the_inbox(&server, "t1", json!({ "approved": true, "text": "From the inbox." })).await;
    let frames = socket.until("RUN_FINISHED").await;
    assert_eq!(chunks(&frames), ["From the inbox."]);
}

#[tokio::test]
async fn a_gate_of_another_dialect_is_answered_here() {
    let server = coach().await;
    shows_its_form(&server, "t1").await;
    let mut audit = Socket::open(&server, "/realtime?mode=audit").await;
    audit.send(&only("autoApproveToolCalls", "t1", "r1")).await;
    audit.until("TOOL_CALL_PROPOSED").await;
    let mut agora = Socket::open(&server, "/ws?threadId=t1").await;
    let request = agora.until("agora:tool_approval_request").await.pop().unwrap();
    let value = json!({ "approvalId": request["value"]["approvalId"], "approved": true });
    agora.send(&json!({ "type": "CUSTOM", "name": "agora:tool_approval_response", "value": value })).await;
    let frames = audit.until("TOOL_CALL_PROPOSED").await;
    assert_eq!(frames[0]["type"], "TOOL_CALL_APPROVED");
    let request = agora.until("agora:tool_approval_request").await.pop().unwrap();
    audit.send(&answer("TOOL_CALL_APPROVED", frames.last().unwrap())).await;
    let shown = agora.until("RUN_FINISHED").await;
    assert!(shown.iter().any(|frame| frame["type"] == "TOOL_CALL_RESULT"), "{request} {shown:#?}");
    assert_eq!(chunks(&audit.until("RUN_FINISHED").await), ["Saved"]);
}

#[tokio::test]
async fn a_socket_that_comes_back_sees_what_waits_and_goes_on() {
    let server = coach().await;
    let mut first = Socket::open(&server, "/realtime?mode=audit").await;
    first.send(&says("t1", "r1", "HELLO")).await;
    let staged = first.next().await;
    pass(&mut first, "RUN_STAGE_APPROVED", &staged, "TOOL_CALL_PROPOSED").await;
    drop(first);

    let mut again = Socket::open(&server, "/realtime?threadId=t1").await;
    let frames = again.until("TOOL_CALL_PROPOSED").await;
    assert_eq!(kinds(&frames), ["RUN_STAGED", "RUN_STAGE_APPROVED", "RUN_STARTED", "TOOL_CALL_PROPOSED"]);
    let frames =
        pass(&mut again, "TOOL_CALL_APPROVED", frames.last().unwrap(), "ASSISTANT_DRAFT_PROPOSED").await;
    let draft = frames.last().unwrap().clone();
    drop(again);

    // One that does not ask for the thread can answer all the same.
    let mut third = Socket::open(&server, "/realtime").await;
    let frames = pass(&mut third, "ASSISTANT_FINAL_APPROVED", &draft, "RUN_FINISHED").await;
    assert_eq!(
        kinds(&frames),
        ["TEXT_MESSAGE_CHUNK", "CUSTOM A2UI_RENDER", "ASSISTANT_FINAL_APPROVED", "RUN_FINISHED"]
    );
    let mut last = Socket::open(&server, "/realtime?threadId=t1").await;
    let frames = run(&mut last, &says("t2", "r2", "HELLO")).await;
    assert_eq!(frames[0]["runId"], "r2", "nothing waits any more");
}

#[tokio::test]
async fn answers_in_the_wrong_order_are_refused_and_the_gate_stays() {
    let server = coach().await;
    let mut socket = Socket::open(&server, "/realtime?mode=audit").await;
    socket.send(&says("t1", "r1", "HELLO")).await;
    let staged = socket.next().await;
    let mut other_run = answer("RUN_STAGE_APPROVED", &staged);
    other_run["runId"] = json!("r9");
    for (frame, code) in [
        (answer("ASSISTANT_FINAL_APPROVED", &staged), "unknown_gate"),
        (other_run, "unknown_gate"),
        (says("t1", "r2", "And another thing"), "interrupts_pending"),
    ] {
        socket.send(&frame).await;
        assert_eq!(socket.next().await["code"], code, "{frame}");
    }
    let gate = pass(&mut socket, "RUN_STAGE_APPROVED", &staged, "TOOL_CALL_PROPOSED").await.pop().unwrap();
    socket.send(&answer("RUN_STAGE_APPROVED", &staged)).await;
    assert_eq!(socket.next().await["code"], "unknown_gate", "it was passed before");
    pass(&mut socket, "TOOL_CALL_APPROVED", &gate, "ASSISTANT_DRAFT_PROPOSED").await;
}

#[tokio::test]
async fn the_house_asks_in_any_mode_and_says_who_may_decide() {
    let manager = ApiKey { user: "max".to_owned(), hash: hash_key("m"), roles: vec!["manager".to_owned()] };
    let keys = Keys::new(&[key("ada", "a"), manager]).unwrap();
    let server = serve(agents(&[("payer", HOUSED)]), keys, "memory:", Http::default()).await;
    let mut socket = Socket::open(&server, "/realtime?token=a").await;
    let mut frame = says("t1", "r1", "pay");
    frame["forwardedProps"] = policy(&["autoApproveToolCalls"]);
    socket.send(&frame).await;
    let gate = socket.until("TOOL_CALL_PROPOSED").await.pop().unwrap();
    assert_eq!(gate["mayDecide"], json!(false));
    socket.send(&answer("TOOL_CALL_APPROVED", &gate)).await;
    assert_eq!(socket.next().await["code"], "role_required");
    let url = format!("http://{}/v1/interrupts", server.address);
    let client = reqwest::Client::new();
    let page: Value = client.get(&url).bearer_auth("m").send().await.unwrap().json().await.unwrap();
    let url = format!("{url}/{}", page["interrupts"][0]["id"].as_str().unwrap());
    let told = client.post(url).bearer_auth("m").json(&json!({ "approved": true })).send().await.unwrap();
    assert!(told.status().is_success());
    assert_eq!(chunks(&socket.until("RUN_FINISHED").await), ["Paid."]);
}
