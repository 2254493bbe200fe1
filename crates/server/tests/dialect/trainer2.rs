//! Contract 002: a coach on a socket, its form, its tools, its errors.

use std::sync::Arc;

use forestage_runtime::{Agent, Agents, script};
use forestage_server::{ApiKey, Http, Keys, hash_key};
use serde_json::{Value, json};

use crate::{support::*, wire};

const COACH: &str = include_str!("../../../../examples/agents/coach.yaml");

/// A script that has something for every frame.
const TALKER: &str = r#"
rules:
  - when: { says: "*twice*" }
    do: [{ text: One. }, { text: Two. }]
  - when: { says: "*context*" }
    do: [{ text: "{{context.ui.page}} {{state.plan}}" }]
  - when: { says: "*plan*" }
    do: [{ state: { plan: legs } }, { text: Noted. }]
  - when: { says: "*everything*" }
    do:
      - reasoning: Hm.
      - step: { name: work, do: [{ custom: { name: confetti, value: 1 } }] }
      - tool: { name: look_up, args: { day: 1 }, result: { found: true } }
      - activity: { type: PLAN, content: { a: 1 } }
      - custom: { name: A2UI_RENDER, value: { view: null } }
      - text: Done.
  - when: { says: "*broken block*" }
    do: [{ text: "So:\n```a2ui\n{ nothing }\n```" }]
  - when: { says: "*weather*" }
    do: [{ tool: { name: look_out, args: {}, result: Rain at noon } }]
  - when: { says: "*fail*" }
    do: [{ error: { code: out_of_breath, message: It broke } }]
  - when: { says: "*ask*" }
    do: [{ ask: { message: "How tall?", schema: { type: number }, answers: [{ do: [{ text: "{{answer}} cm" }] }] } }]
  - when: { says: "*much*" }
    do: [{ repeat: { times: 400, do: [{ text: { text: "{{n}} {{user}}", chunk: all } }] } }]
  - do: [{ text: Hello. }]
"#;

/// A script that leaves its form where it is.
const STUBBORN: &str = r#"
rules:
  - when: { says: A2UI_ACTION }
    do: [{ text: "Got {{context.ui.a2uiAction.action.values.firstName}}." }]
  - do:
      - custom:
          name: A2UI_RENDER
          value:
            view:
              kind: a2ui.v1
              viewId: profile_onboarding_v1
              root:
                type: form
                id: profile_onboarding
                fields: [{ type: field.text, name: firstName, label: First name }]
"#;

pub(crate) fn agents(list: &[(&str, &str)]) -> Agents {
    let parse =
        |name: &str, text: &str| script::parse(name, text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    list.iter()
        .map(|(name, text)| ((*name).to_owned(), Arc::new(parse(name, text)) as Arc<dyn Agent>))
        .collect()
}

pub(crate) fn key(user: &str, key: &str) -> ApiKey {
    ApiKey { user: user.to_owned(), hash: hash_key(key), roles: Vec::new() }
}

pub(crate) async fn coach() -> Running {
    serve(agents(&[("coach", COACH)]), Keys::default(), "memory:", Http::default()).await
}

async fn talker() -> Running {
    serve(agents(&[("talker", TALKER)]), Keys::default(), "memory:", Http::default()).await
}

pub(crate) fn says(thread: &str, run: &str, text: &str) -> Value {
    json!({ "threadId": thread, "runId": run, "message": text })
}

pub(crate) fn submit(thread: &str, run: &str, values: &Value) -> Value {
    let action = json!({
        "kind": "a2ui.action.v1",
        "viewId": "profile_onboarding_v1",
        "action": { "type": "form.submit", "formId": "profile_onboarding", "values": values },
    });
    json!({ "threadId": thread, "runId": run, "message": "A2UI_ACTION",
            "forwardedProps": { "uiContext": { "a2uiAction": action } } })
}

pub(crate) fn of<'f>(frames: &'f [Value], kind: &str) -> Vec<&'f Value> {
    frames.iter().filter(|frame| frame["type"] == kind).collect()
}

/// What was said.
pub(crate) fn chunks(frames: &[Value]) -> Vec<&str> {
    of(frames, "TEXT_MESSAGE_CHUNK").into_iter().map(|frame| frame["delta"].as_str().unwrap()).collect()
}

pub(crate) async fn run(socket: &mut Socket, frame: &Value) -> Vec<Value> {
    socket.send(frame).await;
    socket.until("RUN_FINISHED").await
}

/// A thread on which the form has been shown.
pub(crate) async fn shows_its_form(server: &Running, thread: &str) {
    let mut socket = Socket::open(server, "/realtime").await;
    let frames = run(&mut socket, &says(thread, &format!("{thread}-form"), "HELLO")).await;
    assert!(!of(&frames, "CUSTOM").is_empty(), "{frames:#?}");
}

#[tokio::test]
async fn the_onboarding_of_the_contract_from_hello_to_hello() {
    let server = coach().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    let frames = run(&mut socket, &says("t1", "r1", "HELLO")).await;
    assert_eq!(
        kinds(&frames),
        [
            "RUN_STARTED",
            "TOOL_CALL_STARTED",
            "TOOL_CALL_RESULT",
            "TEXT_MESSAGE_CHUNK",
            "CUSTOM A2UI_RENDER",
            "RUN_FINISHED"
        ]
    );
    assert_eq!((&frames[1]["toolName"], &frames[1]["args"]), (&json!("profile_get"), &json!({})));
    assert_eq!(chunks(&frames), ["Nice to meet you. Here is a form."]);
    let render = &frames[4];
    assert_eq!((&render["threadId"], &render["runId"]), (&json!("t1"), &json!("r1")));
    let view = forestage_a2ui::v1::View::read(&render["value"]["view"]).unwrap();
    assert_eq!(
        (view.view_id.as_str(), view.title.as_deref()),
        ("profile_onboarding_v1", Some("New member onboarding"))
    );
    let form = &render["value"]["view"]["root"]["children"][1];
    let names: Vec<_> =
        form["fields"].as_array().unwrap().iter().map(|field| field["name"].as_str().unwrap()).collect();
    assert_eq!(
        (&form["id"], names),
        (&json!("profile_onboarding"), vec!["firstName", "lastName", "goals", "experience"])
    );

    let values = json!({ "firstName": "Ada", "goals": "run far" });
    let frames = run(&mut socket, &submit("t1", "r2", &values)).await;
    let saves: Vec<_> = of(&frames, "TOOL_CALL_STARTED")
        .into_iter()
        .filter(|frame| frame["toolName"] == "profile_save")
        .collect();
    assert_eq!((saves.len(), &saves[0]["args"]), (1, &json!({ "profile": values })));
    let result = of(&frames, "TOOL_CALL_RESULT")
        .into_iter()
        .find(|frame| frame["toolName"] == "profile_save")
        .unwrap();
    assert_eq!(result["result"], json!({ "ok": true, "profile": values }));
    assert_eq!(chunks(&frames), ["Saved"]);
    assert_eq!(of(&frames, "CUSTOM")[0]["value"]["view"]["viewId"], "profile_saved_v1");

    // A new thread of the same person: the profile is known, and nothing is written.
    let frames = run(&mut socket, &says("t2", "r3", "HELLO")).await;
    assert_eq!(chunks(&frames), ["Welcome back, Ada. What shall we train today?"]);
    assert!(of(&frames, "CUSTOM").is_empty() && of(&frames, "TOOL_CALL_STARTED").len() == 1, "{frames:#?}");
}

#[tokio::test]
async fn clients_of_every_contract_get_the_words_without_the_block() {
    let server = coach().await;
    for path in ["/v1/agents/coach/runs", "/awp", "/run"] {
        let thread = path.replace('/', "_");
        let body = json!({ "threadId": thread, "runId": "r1", "messages": [wire::user("m", "HELLO")] });
        let frames = wire::stream(&server, path, &body).await;
        assert_eq!(text(&frames), "Nice to meet you. Here is a form.", "{path}");
        let shown: Vec<_> =
            of(&frames, "CUSTOM").into_iter().filter(|frame| frame["name"] == "A2UI_RENDER").collect();
        assert_eq!(shown.len(), 1, "{path}");
        assert_eq!(shown[0]["value"]["view"]["viewId"], "profile_onboarding_v1", "{path}");
    }
}

#[tokio::test]
async fn a_profile_belongs_to_its_person_and_outlives_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let store = format!("sqlite:{}", folder.path().join("coach.db").display());
    let keys = || Keys::new(&[key("ada", "a"), key("bob", "b")]).unwrap();
    let server = serve(agents(&[("coach", COACH)]), keys(), &store, Http::default()).await;
    let mut ada = Socket::open(&server, "/realtime?token=a").await;
    // Two forms, both shown before anything was known.
    for thread in ["t0", "t1"] {
        run(&mut ada, &says(thread, &format!("{thread}-form"), "HELLO")).await;
    }
    run(&mut ada, &submit("t0", "r1", &json!({ "firstName": "Ada", "goals": "run" }))).await;
    let frames =
        run(&mut ada, &submit("t1", "r2", &json!({ "firstName": "Ada", "experience": "none" }))).await;
    let saved = of(&frames, "TOOL_CALL_RESULT")[1]["result"]["profile"].clone();
    assert_eq!(saved, json!({ "firstName": "Ada", "goals": "run", "experience": "none" }), "nothing is lost");
    server.stage.close().await;
    drop(server);

    let server = serve(agents(&[("coach", COACH)]), keys(), &store, Http::default()).await;
    let mut ada = Socket::open(&server, "/realtime?token=a").await;
    assert!(chunks(&run(&mut ada, &says("t2", "r3", "HELLO")).await)[0].starts_with("Welcome back, Ada"));
    let mut bob = Socket::open(&server, "/realtime?token=b").await;
    assert!(chunks(&run(&mut bob, &says("t3", "r4", "HELLO")).await)[0].starts_with("Nice to meet you"));
}

#[tokio::test]
async fn what_nobody_could_have_sent_is_refused_and_never_saved() {
    let server = coach().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    let fine = json!({ "firstName": "Ada" });
    refused(&mut socket, &submit("t1", "r0", &fine), "unknown_view").await;
    shows_its_form(&server, "t1").await;
    let mut other = submit("t1", "r1", &fine);
    other["forwardedProps"]["uiContext"]["a2uiAction"]["viewId"] = json!("profile_onboarding_v0");
    refused(&mut socket, &other, "impossible_action").await;
    for values in
        [json!({ "firstName": 5 }), json!({ "firstName": " " }), json!({ "firstName": "Ada", "admin": true })]
    {
        refused(&mut socket, &submit("t1", "r2", &values), "impossible_action").await;
    }
    assert!(chunks(&run(&mut socket, &says("t1", "r3", "HELLO")).await)[0].starts_with("Nice to meet you"));
}

#[test]
fn a_profile_has_the_fields_of_the_contract() {
    let coach = script::parse("coach", COACH).unwrap();
    let save = coach.tools().get("profile_save").unwrap().about().parameters.clone();
    let text = || json!({ "type": "string" });
    let number = || json!({ "type": "number" });
    let metrics = json!({ "age": number(), "height": number(), "weight": number() });
    let expected = json!({
        "type": "object", "required": ["profile"], "additionalProperties": false,
        "properties": { "profile": {
            "type": "object", "required": ["firstName"], "additionalProperties": false,
            "properties": {
                "firstName": { "type": "string", "minLength": 1 }, "lastName": text(), "email": text(), "phone": text(),
                "goals": text(), "experience": text(), "constraints": text(), "equipment": text(),
                "injuriesOrRiskFlags": text(), "dietPrefs": text(),
                "metrics": { "type": "object", "additionalProperties": false, "properties": metrics },
            },
        } },
    });
    assert_eq!(serde_json::to_value(save).unwrap(), expected);
}

#[tokio::test]
async fn a_form_can_be_corrected_and_is_not_sent_twice() {
    let server = serve(agents(&[("coach", STUBBORN)]), Keys::default(), "memory:", Http::default()).await;
    let mut socket = Socket::open(&server, "/realtime").await;
    run(&mut socket, &says("t1", "r1", "HELLO")).await;
    run(&mut socket, &submit("t1", "r2", &json!({ "firstName": "Adda" }))).await;
    refused(&mut socket, &submit("t1", "r3", &json!({ "firstName": "Adda" })), "already_acted").await;
    let frames = run(&mut socket, &submit("t1", "r4", &json!({ "firstName": "Ada" }))).await;
    assert_eq!(chunks(&frames), ["Got Ada."]);
}

async fn refused(socket: &mut Socket, frame: &Value, code: &str) {
    socket.send(frame).await;
    let refusal = socket.until("RUN_ERROR").await.pop().unwrap();
    assert_eq!(refusal["code"], code, "{refusal:#}");
}

#[tokio::test]
async fn each_message_is_one_chunk_with_an_id_of_its_own() {
    let server = talker().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    let frames = run(&mut socket, &says("t1", "r1", "twice")).await;
    assert_eq!(chunks(&frames), ["One.", "Two."]);
    let ids: Vec<_> = of(&frames, "TEXT_MESSAGE_CHUNK")
        .iter()
        .map(|frame| frame["messageId"].as_str().unwrap().to_owned())
        .collect();
    assert!(!ids[0].is_empty() && ids[0] != ids[1]);
    assert!(frames.iter().all(|frame| frame["threadId"] == "t1" && frame["runId"] == "r1"));
    assert!(!format!("{frames:?}").contains("Null"), "nothing is null");
}

#[tokio::test]
async fn only_what_the_contract_knows_is_forwarded() {
    let server = talker().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    let frames = run(&mut socket, &says("t1", "r1", "everything")).await;
    let expected = [
        "RUN_STARTED",
        "TOOL_CALL_STARTED",
        "TOOL_CALL_RESULT",
        "CUSTOM A2UI_RENDER",
        "TEXT_MESSAGE_CHUNK",
        "RUN_FINISHED",
    ];
    assert_eq!(kinds(&frames), expected);
    let (started, result) = (&frames[1], &frames[2]);
    let call = json!({ "type": "TOOL_CALL_STARTED", "toolCallId": started["toolCallId"], "toolName": "look_up",
        "label": "look up", "args": { "day": 1 }, "threadId": "t1", "runId": "r1" });
    assert_eq!(*started, call);
    assert_eq!(
        (&result["toolCallId"], &result["label"], &result["result"]),
        (&started["toolCallId"], &json!("look up"), &json!({ "found": true }))
    );
    assert_eq!(result["content"], "{\"found\":true}");
    assert!(result["messageId"].as_str().is_some_and(|id| !id.is_empty()));
    assert_eq!(frames[3]["value"], json!({ "view": null }), "a view can be closed");
}

#[tokio::test]
async fn a_result_in_plain_text_is_forwarded_as_text() {
    let server = talker().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    let frames = run(&mut socket, &says("t1", "r1", "the weather")).await;
    let result = of(&frames, "TOOL_CALL_RESULT")[0];
    assert_eq!((&result["result"], &result["content"]), (&json!("Rain at noon"), &json!("Rain at noon")));
}

#[tokio::test]
async fn a_block_that_cannot_be_read_is_neither_shown_nor_drawn() {
    let server = talker().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    let frames = run(&mut socket, &says("t1", "r1", "a broken block")).await;
    assert_eq!((chunks(&frames), of(&frames, "CUSTOM").len()), (vec!["So:"], 0));
}

#[tokio::test]
async fn the_agent_sees_the_screen_and_the_state() {
    let server = talker().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    run(&mut socket, &says("t1", "r1", "a plan")).await;
    let mut frame = says("t1", "r2", "the context");
    frame["forwardedProps"] = json!({ "uiContext": { "page": "coach" }, "anything": 1 });
    assert_eq!(chunks(&run(&mut socket, &frame).await), ["coach legs"]);
    assert_eq!(
        chunks(&run(&mut socket, &says("t1", "r3", "the context")).await),
        [" legs"],
        "a screen that knows nothing"
    );
}

#[tokio::test]
async fn the_server_keeps_the_history() {
    let server = talker().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    run(&mut socket, &says("t1", "r1", "hi")).await;
    let message = |role: &str, text: &str| json!({ "role": role, "content": text });
    let messages = [message("user", "hi"), message("assistant", "Hello."), message("user", "again")];
    run(&mut socket, &json!({ "threadId": "t1", "runId": "r2", "messages": messages })).await;
    let thread = server.stage.thread("local", &"t1".into()).await.unwrap();
    let said: Vec<_> = server
        .stage
        .conversation(&thread, None)
        .await
        .unwrap()
        .messages
        .iter()
        .map(|message| message.role().to_owned())
        .collect();
    assert_eq!(said, ["user", "assistant", "user", "assistant"]);
}

#[tokio::test]
async fn a_question_for_words_is_answered_by_the_next_message() {
    let server = talker().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    assert_eq!(chunks(&run(&mut socket, &says("t1", "r1", "ask me")).await), ["How tall?"]);
    assert_eq!(chunks(&run(&mut socket, &says("t1", "r2", "180")).await), ["180 cm"]);
}

#[tokio::test]
async fn an_error_is_the_end_and_has_a_code() {
    let server = talker().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    socket.send(&says("t1", "r1", "fail")).await;
    let frames = socket.until("RUN_ERROR").await;
    let expected = json!({ "type": "RUN_ERROR", "threadId": "t1", "runId": "r1", "message": "It broke", "code": "out_of_breath" });
    assert_eq!(frames.last(), Some(&expected));
}

#[tokio::test]
async fn whatever_is_wrong_is_told_and_the_socket_stays() {
    let server = talker().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    for (text, code, path) in [
        ("{", "invalid_json", Value::Null),
        ("[]", "invalid_frame", Value::Null),
        (r#"{"threadId":"t1"}"#, "invalid_envelope", json!("message")),
        (r#"{"type":"TEXT_MESSAGE_CHUNK"}"#, "unknown_event", json!("type")),
        (
            r#"{"threadId":"t1","message":"A2UI_ACTION","forwardedProps":{"uiContext":{"a2uiAction":{"kind":"a2ui.action.v1","viewId":"v","action":{"type":"form.submit","formId":"f"}}}}}"#,
            "invalid_action",
            json!("forwardedProps.uiContext.a2uiAction.action.values"),
        ),
        (r#"{"type":"RUN_STAGE_APPROVED","threadId":"t1","runId":"r1"}"#, "unknown_gate", Value::Null),
        (
            r#"{"type":"TOOL_CALL_APPROVED","threadId":"t1","runId":"r1","toolCallId":"c"}"#,
            "unknown_gate",
            Value::Null,
        ),
        (r#"{"type":"ASSISTANT_FINAL_DENIED","threadId":"t1","runId":"r1"}"#, "unknown_gate", Value::Null),
    ] {
        socket.send_text(text).await;
        let told = socket.next().await;
        assert_eq!(
            (&told["type"], &told["code"], &told["path"]),
            (&json!("RUN_ERROR"), &json!(code), &path),
            "{text}"
        );
        assert!(told["message"].as_str().is_some_and(|message| message.len() > 5), "{told}");
    }
    assert_eq!(chunks(&run(&mut socket, &says("t1", "r1", "hi")).await), ["Hello."]);
}

#[tokio::test]
async fn who_has_no_key_is_closed_with_4401() {
    let server = server_with_key("secret").await;
    for path in ["/realtime", "/realtime?token=wrong"] {
        assert_eq!(Socket::open(&server, path).await.close_code().await, 4401);
    }
    let mut socket = Socket::open(&server, "/realtime?token=secret").await;
    assert_eq!(run(&mut socket, &says("t1", "r1", "hi")).await[0]["type"], "RUN_STARTED");
}

#[tokio::test]
async fn a_thread_of_somebody_else_does_not_exist() {
    let keys = Keys::new(&[key("ada", "a"), key("bob", "b")]).unwrap();
    let server = serve(agents(&[("talker", TALKER)]), keys, "memory:", Http::default()).await;
    let mut ada = Socket::open(&server, "/realtime?token=a").await;
    run(&mut ada, &says("t1", "r1", "hi")).await;
    // Somebody else's thread and one that nobody has look the same: there is nothing to see, now or later.
    let mut bob = Socket::open(&server, "/realtime?token=b&threadId=t1").await;
    run(&mut ada, &says("t1", "r2", "hi")).await;
    bob.send(&says("t1", "r3", "hi")).await;
    let refused = bob.next().await;
    assert_eq!((&refused["code"], &refused["runId"]), (&json!("unknown_thread"), &json!("r3")));
}

#[tokio::test]
async fn a_client_that_is_slow_misses_nothing() {
    let server = talker().await;
    let mut slow = Socket::open(&server, "/realtime").await;
    let text = "much ".repeat(4_000);
    slow.send(&says("t1", "r1", &text)).await;
    // The run ends without this client: another one is told so.
    let mut other = Socket::open(&server, "/realtime").await;
    assert_eq!(chunks(&run(&mut other, &says("t1", "r2", "hi")).await), ["Hello."]);
    let frames = slow.until("RUN_FINISHED").await;
    let numbers: Vec<_> =
        chunks(&frames).iter().map(|text| text.split(' ').next().unwrap().parse::<u32>().unwrap()).collect();
    assert_eq!(numbers, (1..=400).collect::<Vec<_>>());
}

#[tokio::test]
async fn two_messages_at_once_are_answered_one_after_the_other() {
    let server = talker().await;
    let mut socket = Socket::open(&server, "/realtime").await;
    socket.send(&says("t1", "r1", "hi")).await;
    socket.send(&says("t1", "r2", "twice")).await;
    let mut frames = socket.until("RUN_FINISHED").await;
    frames.extend(socket.until("RUN_FINISHED").await);
    let begun: Vec<_> = kinds(&frames).into_iter().filter(|kind| kind.starts_with("RUN_")).collect();
    assert_eq!(begun, ["RUN_STARTED", "RUN_FINISHED", "RUN_STARTED", "RUN_FINISHED"]);
}
