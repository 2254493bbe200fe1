//! A thread is deleted while a client of a dialect follows it.

use serde_json::json;

use crate::support::*;

#[tokio::test]
async fn a_client_on_a_socket_is_told_that_its_thread_was_deleted() {
    for path in ["/ws?threadId=t1", "/realtime?threadId=t1"] {
        let server = server().await;
        let mut first = Socket::open(&server, "/ws").await;
        let report = [json!({ "role": "user", "content": "the report" })];
        first.send(&json!({ "threadId": "t1", "messages": report, "context": {} })).await;
        first.until("agora:tool_approval_request").await;
        let mut socket = Socket::open(&server, path).await;
        socket.until("RUN_STARTED").await;
        server.stage.delete("local", &"t1".into()).await.unwrap();
        for socket in [&mut first, &mut socket] {
            let told = loop {
                let frame = socket.next().await.to_string();
                if frame.contains("thread_deleted") {
                    break frame;
                }
            };
            assert!(told.contains("t1"), "{path}: {told}");
        }
    }
}
