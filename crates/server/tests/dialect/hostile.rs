//! Frames and bodies that no client of ours would send: each gets an answer with a code, and harms nobody else.

use forestage_server::{Http, Keys};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{
    Bytes, Message,
    protocol::frame::{
        Frame,
        coding::{Data, OpCode},
    },
};

use crate::{support::*, wire::*};

const ECHO: &str = r#"rules: [{ do: [{ text: "You said {{user}}" }] }]"#;

/// The sockets, and where each says what is wrong.
const SOCKETS: [(&str, &str); 3] =
    [("/ws", "/value/errorCode"), ("/v1/ws", "/error/code"), ("/realtime", "/code")];

/// A server that takes next to nothing.
async fn small() -> Running {
    let http = Http { max_body_bytes: 2_000, max_frame_bytes: 2_000, ..Http::default() };
    serve_script(ECHO, Keys::default(), http).await
}

fn says(text: &str) -> Value {
    json!({ "threadId": "t1", "messages": [{ "role": "user", "content": text }] })
}

async fn closes_with(socket: &mut Socket, expected: u16) {
    match socket.message().await {
        Message::Close(Some(frame)) => {
            assert_eq!(u16::from(frame.code), expected);
            assert!(!frame.reason.is_empty(), "it says why");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_body_that_is_too_large_is_answered_even_if_it_never_ends_in_time() {
    let server = small().await;
    for path in ["/awp", "/run", "/v1/agents/general-agent/runs"] {
        let body = json!({ "threadId": "t1", "runId": "r", "messages": [user("m", &"x".repeat(8 << 20))] });
        let (status, told) = post(&server, path, &body).await;
        assert_eq!((status, code(&told).as_str()), (413, "body_too_large"), "{path}");
    }
    // A client that writes everything before it reads, over a bare connection.
    let body = "x".repeat(4 << 20);
    let host = &server.address;
    let request =
        format!("POST /run HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\n\r\n{body}", body.len());
    let answer = raw(&server, request.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 413") && answer.contains("body_too_large"), "{answer}");
}

#[tokio::test]
async fn a_frame_that_is_too_large_is_told_and_closes_with_1009() {
    let server = small().await;
    let mut socket = Socket::open(&server, "/ws").await;
    socket.send(&says(&"x".repeat(1 << 20))).await;
    let told = socket.next().await;
    assert_eq!(
        (&told["name"], &told["value"]["errorCode"]),
        (&json!("agora:error"), &json!("frame_too_large"))
    );
    assert!(told["timestamp"].is_i64());
    closes_with(&mut socket, 1009).await;
    for (path, kind, place) in [("/v1/ws", "error", "/error/code"), ("/realtime", "RUN_ERROR", "/code")] {
        let mut socket = Socket::open(&server, path).await;
        socket.send(&says(&"x".repeat(1 << 20))).await;
        let told = socket.next().await;
        assert_eq!((&told["type"], told.pointer(place)), (&json!(kind), Some(&json!("frame_too_large"))));
        closes_with(&mut socket, 1009).await;
    }
    assert!(server.stage.thread("local", &"t1".into()).await.is_err(), "nothing began");
}

#[tokio::test]
async fn a_frame_that_is_no_text_is_told_and_one_that_lies_about_it_closes_with_1007() {
    let server = small().await;
    for (path, place) in SOCKETS {
        let mut socket = Socket::open(&server, path).await;
        socket.send_message(Message::Binary(Bytes::from_static(b"{}"))).await;
        assert_eq!(socket.next().await.pointer(place), Some(&json!("invalid_frame")), "{path}");
        let lie = Frame::message(Bytes::from_static(b"\xff\xfe"), OpCode::Data(Data::Text), true);
        socket.send_message(Message::Frame(lie)).await;
        assert_eq!(socket.next().await.pointer(place), Some(&json!("invalid_frame")), "{path}");
        closes_with(&mut socket, 1007).await;
    }
}

#[tokio::test]
async fn a_frame_that_no_socket_has_closes_with_1002() {
    let server = small().await;
    for (path, place) in SOCKETS {
        let mut socket = Socket::open(&server, path).await;
        let frame = Frame::message(Bytes::from_static(b"{}"), OpCode::Data(Data::Reserved(3)), true);
        socket.send_message(Message::Frame(frame)).await;
        assert_eq!(socket.next().await.pointer(place), Some(&json!("invalid_frame")), "{path}");
        closes_with(&mut socket, 1002).await;
    }
}

#[tokio::test]
async fn a_body_that_is_none_is_told_at_every_door() {
    let server = small().await;
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    for path in ["/awp", "/run"] {
        for (body, expected) in [
            ("", (400, "invalid_json")),
            ("{", (400, "invalid_json")),
            (deep.as_str(), (422, "too_deep")),
            (r#"{"threadId":"t", "messages":[]} // as in the examples"#, (400, "invalid_json")),
            (r#"{"threadId":"t","threadId":"u","runId":"r","messages":[]}"#, (400, "invalid_json")),
            (r#"{"threadId":"t","thread_id":"u","runId":"r","messages":[]}"#, (400, "ambiguous_member")),
            ("null", (400, "invalid_input")),
            (r#"{"messages":[]}"#, (422, "missing_field")),
            (r#"{"threadId":"t","runId":"r","messages":"hi"}"#, (422, "wrong_type")),
            (r#"{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user"}]}"#, (422, "missing_field")),
            (r#"{"threadId":"t","runId":"r","messages":[],"tools":{}}"#, (422, "wrong_type")),
        ] {
            let (status, told) = post_as(&server, path, None, body).await;
            assert_eq!((status, code(&told).as_str()), expected, "{path} {body}: {told}");
        }
        let binary =
            reqwest::Client::new().post(format!("http://{}{path}", server.address)).body(vec![0xff, 0xfe]);
        let response = binary.send().await.unwrap();
        assert_eq!(response.status(), 400);
        assert_eq!(code(&response.text().await.unwrap()), "invalid_body");
    }
}

#[tokio::test]
async fn a_body_that_is_none_is_told_as_copilotkit_reads_it() {
    let server = small().await;
    let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
    let agent = "/copilotkit/agent/default";
    for path in [format!("{agent}/run"), format!("{agent}/connect"), "/copilotkit".to_owned()] {
        for body in ["", "{", deep.as_str(), "null", "[]", "7", r#"{"threadId":7}"#] {
            let (status, told) = post_as(&server, &path, None, body).await;
            assert!(matches!(status, 400 | 422), "{path} {body}: {status} {told}");
            code(&told);
            let told: Value = serde_json::from_str(&told).unwrap();
            assert_eq!(told["message"], told["error"]["message"], "where a front end looks for it");
        }
        let (status, told) = post(&server, &path, &says(&"x".repeat(8 << 20))).await;
        assert_eq!((status, code(&told).as_str()), (413, "body_too_large"), "{path}");
    }
    for (path, body, expected) in [
        ("/copilotkit/agent/nobody/run", r#"{"threadId":"t","runId":"r","messages":[]}"#, "unknown_agent"),
        ("/copilotkit/agent/nobody/stop/t", "{}", "unknown_agent"),
        ("/copilotkit/agent/default/stop/t", "{}", "unknown_thread"),
    ] {
        let (status, told) = post_as(&server, path, None, body).await;
        assert_eq!((status, code(&told).as_str()), (404, expected), "{path}: {told}");
    }
    assert!(server.stage.thread("local", &"t1".into()).await.is_err(), "nothing began");
}

#[tokio::test]
async fn a_broken_frame_is_told_and_the_socket_is_still_good() {
    let server = small().await;
    let mut socket = Socket::open(&server, "/ws").await;
    let response =
        |value: &str| format!(r#"{{"type":"CUSTOM","name":"agora:tool_approval_response","value":{value}}}"#);
    for (frame, code) in [
        ("", "invalid_json"),
        ("{", "invalid_json"),
        ("[]", "invalid_frame"),
        ("null", "invalid_frame"),
        (r#"{"type":7}"#, "missing_field"),
        (r#"{"type":"TEXT_MESSAGE_START","messageId":"m"}"#, "unknown_event"),
        (r#"{"type":"CUSTOM","name":"agora:error","value":{}}"#, "unknown_event"),
        (r#"{"threadId":7,"messages":[]}"#, "wrong_type"),
        (r#"{"threadId":"t","messages":{}}"#, "wrong_type"),
        (r#"{"threadId":"t","messages":[{"role":"oracle","content":"x"}]}"#, "unknown_value"),
        (&response("{}"), "invalid_approval"),
        (&response(r#"{"approvalId":"a","approved":"yes"}"#), "invalid_approval"),
        (&response(r#"{"approvalId":7,"approved":true}"#), "invalid_approval"),
        (&response(r#"{"approvalId":"never-asked","approved":true,"extra":1}"#), "unknown_interrupt"),
    ] {
        socket.send_text(frame).await;
        let told = socket.next().await;
        assert_eq!(told["name"], "agora:error", "{frame}: {told}");
        assert_eq!(told["value"]["errorCode"], code, "{frame}: {told}");
        assert!(told["value"]["details"].is_object() && told["timestamp"].is_i64(), "{told}");
    }
    socket.send(&says("hi")).await;
    assert_eq!(text(&socket.until("RUN_FINISHED").await), "You said hi");
}

#[tokio::test]
async fn what_is_said_twice_is_refused_and_decides_nothing() {
    let server = server().await;
    let mut agora = Socket::open(&server, "/ws").await;
    agora.send(&says("the report")).await;
    let request = agora.until("agora:tool_approval_request").await.pop().unwrap();
    let id = &request["value"]["approvalId"];
    let response = |value: &str| {
        format!(
            r#"{{"type":"CUSTOM","name":"agora:tool_approval_response","value":{value},"threadId":"t1"}}"#
        )
    };
    for (frame, code) in [
        (response(&format!(r#"{{"approvalId":{id},"approved":false,"approved":true}}"#)), "invalid_json"),
        (
            response(&format!(r#"{{"approvalId":"x","approval_id":{id},"approved":true}}"#)),
            "ambiguous_member",
        ),
        (response(&format!(r#"{{"approvalId":{id},"threadId":"t2","approved":true}}"#)), "ambiguous_member"),
        (format!("{}1{}", "[".repeat(600), "]".repeat(600)), "too_deep"),
    ] {
        agora.send_text(&frame).await;
        assert_eq!(agora.next().await["value"]["errorCode"], code, "{frame}");
    }
    let mut coach = Socket::open(&server, "/realtime?threadId=t1").await;
    let proposed = coach.until("TOOL_CALL_PROPOSED").await.pop().unwrap();
    let call = &proposed["toolCallId"];
    for (frame, code) in [
        (
            format!(
                r#"{{"type":"TOOL_CALL_DENIED","type":"TOOL_CALL_APPROVED","threadId":"t1","toolCallId":{call}}}"#
            ),
            "invalid_json",
        ),
        (
            format!(
                r#"{{"type":"TOOL_CALL_APPROVED","threadId":"t1","toolCallId":"x","tool_call_id":{call}}}"#
            ),
            "ambiguous_member",
        ),
        (format!("{}1{}", "[".repeat(600), "]".repeat(600)), "too_deep"),
    ] {
        coach.send_text(&frame).await;
        assert_eq!(coach.next().await["code"], code, "{frame}");
    }
    for resume in [
        format!(r#"{{"interruptId":{id},"payload":{{"approved":false,"approved":true}}}}"#),
        format!(r#"{{"interruptId":"x","interrupt_id":{id},"payload":{{"approved":true}}}}"#),
    ] {
        let body = format!(r#"{{"threadId":"t1","runId":"r2","messages":[],"resume":{resume}}}"#);
        let (status, told) = post_as(&server, "/run", None, &body).await;
        assert_eq!(status, 400, "{told}");
    }
    let resume = format!(
        r#"[{{"interruptId":{id},"status":"resolved","payload":{{"approved":false,"approved":true}}}}]"#
    );
    let body = format!(r#"{{"threadId":"t1","runId":"r2","messages":[],"resume":{resume}}}"#);
    let envelope = format!(r#"{{"method":"agent/run","params":{{"agentId":"default"}},"body":{body}}}"#);
    let doors = [
        ("/copilotkit/agent/default/run", body.as_str()),
        ("/copilotkit", &envelope),
        ("/v1/agents/default/runs", &body),
        ("/v1/interrupts/t1.x", r#"{"approved":false,"approved":true}"#),
    ];
    for (path, body) in doors {
        let (status, told) = post_as(&server, path, None, body).await;
        assert_eq!((status, code(&told).as_str()), (400, "invalid_json"), "{path}: {told}");
    }
    let mut plain = Socket::open(&server, "/v1/ws").await;
    plain.send_text(&format!(r#"{{"type":"run","agent":"default","input":{body}}}"#)).await;
    assert_eq!(plain.next().await["error"]["code"], "invalid_json");
    // The same in both spellings is no contradiction.
    let value = json!({ "approvalId": id, "approval_id": id, "approved": false });
    agora.send_text(&response(&value.to_string())).await;
    assert!(text(&agora.until("RUN_FINISHED").await).starts_with("There is no report"), "nobody said yes");
}

#[tokio::test]
async fn members_that_nobody_knows_are_left_alone() {
    let server = small().await;
    for (path, kind) in [("/ws", "TEXT_MESSAGE_CONTENT"), ("/realtime", "TEXT_MESSAGE_CHUNK")] {
        let mut socket = Socket::open(&server, path).await;
        let mut frame = says("hi");
        frame["threadId"] = json!(path);
        (frame["tomorrow"], frame["messages"][0]["mood"]) = (json!({ "a": [1] }), json!("fine"));
        socket.send(&frame).await;
        assert!(!of(&socket.until("RUN_FINISHED").await, kind).is_empty(), "{path}");
    }
    for path in ["/awp", "/run"] {
        let mut body = json!({ "threadId": path, "runId": "r", "messages": [user("m", "hi")] });
        (body["tomorrow"], body["messages"][0]["mood"]) = (json!({ "a": [1] }), json!("fine"));
        assert_eq!(text(&stream(&server, path, &body).await), "You said hi");
    }
}

#[tokio::test]
async fn every_door_wants_a_key_and_turns_others_away_in_its_own_way() {
    let server = server_with_key("secret").await;
    for (path, code) in [("/ws", 4001), ("/realtime", 4401)] {
        for wrong in ["", "?token=", "?token=wrong"] {
            assert_eq!(Socket::open(&server, &format!("{path}{wrong}")).await.close_code().await, code);
        }
        let mut socket = Socket::open(&server, &format!("{path}?token=secret")).await;
        let mut frame = says("hi");
        frame["threadId"] = json!(path);
        socket.send(&frame).await;
        socket.until("RUN_FINISHED").await;
    }
    let body = json!({ "threadId": "t", "runId": "r", "messages": [user("m", "hi")] }).to_string();
    for path in ["/awp", "/run", "/copilotkit/agent/default/run", "/v1/agents/general-agent/runs"] {
        for key in [None, Some(""), Some("wrong")] {
            let (status, told) = post_as(&server, path, key, &body).await;
            assert_eq!((status, code(&told).as_str()), (401, "unauthorized"), "{path} {key:?}");
        }
        let body = body.replace("\"t\"", &json!(path).to_string());
        let (status, told) = post_as(&server, path, Some("secret"), &body).await;
        assert_eq!(status, 200, "{path}: {told}");
    }
}

#[tokio::test]
async fn a_socket_that_is_none_is_told_in_json() {
    let server = small().await;
    for (path, _) in SOCKETS {
        let response = reqwest::get(format!("http://{}{path}", server.address)).await.unwrap();
        assert_eq!(response.status(), 426, "{path}");
        assert_eq!(code(&response.text().await.unwrap()), "upgrade_required");
    }
}

#[tokio::test]
async fn an_address_that_is_no_text_is_told_in_json() {
    let server = small().await;
    let host = &server.address;
    for path in ["/v1/threads/%ff", "/v1/threads/%ff/events", "/v1/agents/%ff", "/v1/interrupts/%ff"] {
        let request = format!("GET {path} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        let answer = raw(&server, request.as_bytes()).await;
        assert!(answer.starts_with("HTTP/1.1 400") && answer.contains("invalid_path"), "{path}: {answer}");
    }
}

#[tokio::test]
async fn parameters_that_a_door_does_not_have_are_refused() {
    let server = small().await;
    for path in ["/awp?agnet=x", "/run?agnet=x"] {
        let (status, told) = post(&server, path, &says("hi")).await;
        assert_eq!((status, code(&told).as_str()), (400, "invalid_query"), "{path}");
    }
    for path in ["/awp?agent=nobody", "/run?agent=nobody"] {
        let (status, told) = post(&server, path, &says("hi")).await;
        assert_eq!((status, code(&told).as_str()), (404, "unknown_agent"), "{path}");
    }
}

#[tokio::test]
async fn pieces_of_a_frame_are_one_frame_and_count_together() {
    let server = small().await;
    for (path, place) in SOCKETS {
        let mut socket = Socket::open(&server, path).await;
        let piece = |text: &str, first: bool, last: bool| {
            let code = if first { Data::Text } else { Data::Continue };
            Message::Frame(Frame::message(Bytes::from(text.to_owned()), OpCode::Data(code), last))
        };
        for (at, text) in ["{\"thr", "eadId\"", ": oops"].into_iter().enumerate() {
            socket.send_message(piece(text, at == 0, at == 2)).await;
        }
        assert_eq!(socket.next().await.pointer(place), Some(&json!("invalid_json")), "{path}");
        for at in 0..3 {
            socket.send_message(piece(&"x".repeat(1_000), at == 0, false)).await;
        }
        assert_eq!(socket.next().await.pointer(place), Some(&json!("frame_too_large")), "{path}");
        closes_with(&mut socket, 1009).await;
    }
}

#[tokio::test]
async fn sockets_are_told_when_the_server_goes_and_get_what_was_said_before() {
    for (path, place) in SOCKETS {
        let server = small().await;
        let mut socket = Socket::open(&server, path).await;
        socket.send_text("{").await;
        assert_eq!(socket.next().await.pointer(place), Some(&json!("invalid_json")), "{path}");
        drop(server);
        closes_with(&mut socket, 1001).await;
    }
}
