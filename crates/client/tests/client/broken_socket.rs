//! Sockets that break, end or fall silent, and what is told of it.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::extract::ws::Message;
use forestage_client::{After, ClientError, Cursor, Settings};
use forestage_protocol::{
    event::{Event, RunError, RunFinished, RunStarted},
    input::RunAgentInput,
};
use serde_json::{Value, json};
use tokio::{sync::Notify, time::timeout};

use crate::{
    server::{for_ever, hello, quick},
    socket::{Peer, client, client_with, events, input, run_frame, take},
};

/// A run on a thread that says nothing.
fn brief(thread: &str, run: &str) -> [Event; 2] {
    [RunStarted::new(thread, run).into(), RunFinished::new(thread, run).into()]
}

fn follow_frame(thread: &str, after: Option<&str>) -> Value {
    let mut frame = json!({ "type": "follow", "threadId": thread });
    after.iter().for_each(|after| frame["after"] = json!(after));
    frame
}

#[tokio::test]
async fn what_is_under_way_of_a_thread_that_is_not_followed_any_more_is_nobodys() {
    let (client, heard) = client(|mut peer: Peer| async move {
        peer.grant().await;
        peer.tell(1, &hello()[..2]).await;
        peer.grant().await;
        peer.tell(3, &hello()[2..]).await;
        peer.grant().await;
        peer.tell_on("u", 1, &brief("u", "r")).await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    take(&mut socket, 2).await;
    socket.unfollow(&"t".into()).await.unwrap();
    socket.follow("u", After::Start).await.unwrap();
    assert_eq!(events(take(&mut socket, 2).await), brief("u", "r"));
    let expected = [
        follow_frame("t", Some("start")),
        json!({ "type": "unfollow", "threadId": "t" }),
        follow_frame("u", Some("start")),
    ];
    assert_eq!(*heard.lock().unwrap(), expected.map(|said| (1, said)));
}

#[tokio::test]
async fn a_socket_that_is_closed_says_so() {
    let left = Arc::new(Notify::new());
    let noticed = left.clone();
    let (client, _) = client(move |mut peer: Peer| {
        let noticed = noticed.clone();
        async move {
            while let Some(Ok(message)) = peer.socket.recv().await {
                if matches!(message, Message::Close(_)) {
                    noticed.notify_one();
                }
            }
        }
    })
    .await;
    client.socket().await.unwrap().close().await;
    timeout(Duration::from_secs(10), left.notified()).await.expect("it says goodbye");
}

#[tokio::test]
async fn a_frame_over_the_limit_ends_the_socket() {
    let settings = Settings { max_frame: 1000, ..quick() };
    let (client, heard) = client_with(settings, |mut peer: Peer| async move {
        peer.grant().await;
        peer.say(json!({ "type": "tomorrow", "text": "x".repeat(100_000) })).await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    let error = socket.next().await.unwrap().unwrap_err();
    assert!(matches!(error, ClientError::Framing(_)), "{error}");
    assert!(socket.next().await.is_none());
    assert_eq!(heard.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn what_a_server_says_unasked_is_told_and_the_socket_goes_on() {
    let (client, _) = client(|mut peer: Peer| async move {
        peer.grant().await;
        let error = |code: &str| json!({ "code": code, "message": "no" });
        peer.say(json!({ "type": "error", "threadId": "t", "error": error("thread_deleted") })).await;
        peer.tell(1, &hello()).await;
        peer.say(json!({ "type": "error", "error": error("shutting_down") })).await;
        peer.grant().await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    let error = socket.next().await.unwrap().unwrap_err();
    assert!(matches!(&error, ClientError::OnThread { thread_id, .. } if *thread_id == "t".into()), "{error}");
    assert_eq!(error.code(), Some("thread_deleted"));
    let error = socket.next().await.unwrap().unwrap_err();
    assert!(
        matches!(&error, ClientError::Refused { .. }),
        "the thread is over, nothing of it is told: {error}"
    );
    assert_eq!(error.code(), Some("shutting_down"));
    socket.ping().await.unwrap();
}

#[tokio::test]
async fn a_request_whose_answer_is_lost_takes_nothing_from_other_threads() {
    let (client, heard) = client(|mut peer: Peer| async move {
        peer.grant().await;
        if peer.number == 1 {
            peer.tell(1, &hello()[..3]).await;
            peer.hear().await;
            return peer.tell_on("u", 1, &brief("u", "r")[..1]).await;
        }
        peer.grant().await;
        peer.tell_on("u", 1, &brief("u", "r")).await;
        peer.tell(4, &hello()[3..]).await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    socket.follow("u", After::Start).await.unwrap();
    let spoken = take(&mut socket, 9).await;
    let on = |thread: &str| -> Vec<Event> {
        let of_thread = spoken.iter().filter(|spoken| spoken.thread_id == thread.into());
        of_thread.map(|spoken| spoken.event.clone()).collect()
    };
    assert_eq!((on("t"), on("u")), (hello(), brief("u", "r").to_vec()));
    let again = [(2, follow_frame("t", Some("e.3"))), (2, follow_frame("u", Some("start")))];
    assert_eq!(heard.lock().unwrap()[2..], again);
}

#[tokio::test]
async fn what_a_run_said_before_its_answer_was_lost_is_not_told_twice() {
    let (client, heard) = client(|mut peer: Peer| async move {
        if peer.number == 1 {
            peer.hear().await;
            return peer.tell(1, &hello()[..3]).await;
        }
        peer.grant().await;
        peer.tell(1, &hello()).await;
        peer.grant().await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.run("hello", input(), None).await.unwrap();
    assert_eq!(events(take(&mut socket, 7).await), hello());
    socket.ping().await.unwrap();
    let ping = json!({ "type": "ping" });
    assert_eq!(*heard.lock().unwrap(), [(1, run_frame()), (2, run_frame()), (2, ping)]);
}

#[tokio::test]
async fn a_run_whose_answer_is_lost_leaves_the_thread_followed_where_it_was() {
    let (client, heard) = client(|mut peer: Peer| async move {
        peer.grant().await;
        if peer.number == 1 {
            peer.tell(1, &brief("t", "r0")).await;
            return drop(peer.hear().await);
        }
        peer.grant().await;
        peer.tell(3, &hello()).await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    assert_eq!(events(take(&mut socket, 2).await), brief("t", "r0"));
    socket.run("hello", input(), None).await.unwrap();
    assert_eq!(events(take(&mut socket, 7).await), hello());
    let again = [(2, follow_frame("t", Some("e.2"))), (2, run_frame())];
    assert_eq!(heard.lock().unwrap()[2..], again);
}

#[tokio::test]
async fn every_request_has_an_id_of_its_own() {
    let ids = Arc::new(Mutex::new(Vec::new()));
    let noted = ids.clone();
    let (client, _) = client(move |mut peer: Peer| {
        let noted = noted.clone();
        async move {
            loop {
                let (_, id) = peer.hear().await;
                noted.lock().unwrap().push(id.clone());
                peer.say(json!({ "type": "pong", "id": id })).await;
            }
        }
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    for _ in 0..3 {
        socket.ping().await.unwrap();
    }
    let mut ids = ids.lock().unwrap().clone();
    ids.dedup();
    assert_eq!(ids.len(), 3, "{ids:?}");
}

#[tokio::test]
async fn a_run_that_is_over_is_not_started_again_on_a_new_connection() {
    let failed = [RunStarted::new("t", "r").into(), RunError::new("overloaded").into()];
    for (run, is_told_first) in
        [(hello(), true), (hello(), false), (failed.to_vec(), true), (failed.to_vec(), false)]
    {
        let told = run.clone();
        let (client, heard) = client(move |mut peer: Peer| {
            let told = told.clone();
            async move {
                let (_, id) = peer.hear().await;
                let ok = json!({ "type": "ok", "id": id });
                if peer.number > 1 {
                    peer.say(ok).await;
                    return for_ever().await;
                }
                if is_told_first {
                    peer.tell(1, &told).await;
                    peer.say(ok).await;
                } else {
                    peer.say(ok).await;
                    peer.tell(1, &told).await;
                }
            }
        })
        .await;
        let mut socket = client.socket().await.unwrap();
        socket.run("hello", input(), None).await.unwrap();
        assert_eq!(events(take(&mut socket, run.len()).await), run);
        socket.ping().await.unwrap();
        assert_eq!(*heard.lock().unwrap(), [(1, run_frame()), (2, json!({ "type": "ping" }))]);
    }
}

#[tokio::test]
async fn a_thread_of_which_nothing_came_is_followed_again_from_the_same_place() {
    let from_cursor = After::Cursor(Cursor::parse("e.3").unwrap());
    for (after, place, first) in
        [(After::Now, None, 1), (After::Start, Some("start"), 1), (from_cursor, Some("e.3"), 4)]
    {
        let (client, heard) = client(move |mut peer: Peer| async move {
            peer.grant().await;
            if peer.number == 2 {
                peer.tell(first, &hello()[first - 1..]).await;
                for_ever().await;
            }
        })
        .await;
        let mut socket = client.socket().await.unwrap();
        socket.follow("t", after).await.unwrap();
        assert_eq!(events(take(&mut socket, 8 - first).await), hello()[first - 1..]);
        assert_eq!(*heard.lock().unwrap(), [(1, follow_frame("t", place)), (2, follow_frame("t", place))]);
    }
}

#[tokio::test]
async fn a_thread_that_was_followed_for_a_run_is_left_once() {
    let (client, heard) = client(|mut peer: Peer| async move {
        peer.grant().await;
        if peer.number == 1 {
            return peer.tell(1, &hello()[..3]).await;
        }
        peer.tell(4, &hello()[3..4]).await;
        peer.grant().await;
        peer.tell(5, &hello()[4..]).await;
        // The next run begins before the server hears that nobody wants to know.
        peer.tell(8, &brief("t", "r2")).await;
        peer.grant().await;
        peer.grant().await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.run("hello", input(), None).await.unwrap();
    take(&mut socket, 4).await;
    socket.ping().await.unwrap();
    take(&mut socket, 5).await;
    socket.ping().await.unwrap();
    let said: Vec<_> = heard.lock().unwrap().iter().map(|(_, said)| said["type"].clone()).collect();
    assert_eq!(said, ["run", "follow", "ping", "unfollow", "ping"]);
}

#[tokio::test]
async fn silence_is_noticed_in_the_time_that_is_allowed_for_it() {
    let both = async { tokio::join!(hears_behind_silence(true), hears_behind_silence(false)) };
    let (greeted, silent) = timeout(Duration::from_millis(4500), both).await.expect("two seconds are enough");
    assert_eq!((greeted, silent), (hello(), hello()));
}

/// What is heard where nothing comes on the first connection but an answer, or not even that.
async fn hears_behind_silence(answers: bool) -> Vec<Event> {
    let settings = Settings { idle: Duration::from_secs(2), ..quick() };
    let (client, _) = client_with(settings, move |mut peer: Peer| async move {
        if answers || peer.number == 2 {
            peer.grant().await;
        }
        if peer.number == 2 {
            peer.tell(1, &hello()).await;
        }
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    events(take(&mut socket, 7).await)
}

#[tokio::test]
async fn a_server_is_not_asked_for_signs_of_life_while_it_gives_them() {
    let asked = Arc::new(Mutex::new(0));
    let counted = asked.clone();
    let (client, _) = client(move |mut peer: Peer| {
        let counted = counted.clone();
        async move {
            peer.grant().await;
            for (seq, event) in (1..).zip(&hello()) {
                // Whatever the client asks meanwhile is read here.
                if let Ok(Some(Ok(_))) = timeout(Duration::from_millis(20), peer.socket.recv()).await {
                    *counted.lock().unwrap() += 1;
                }
                peer.tell(seq, std::slice::from_ref(event)).await;
            }
            for_ever().await;
        }
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    assert_eq!(events(take(&mut socket, 7).await), hello());
    assert_eq!(*asked.lock().unwrap(), 0);
}

#[tokio::test]
async fn only_the_answer_to_a_request_answers_it() {
    let (client, _) = client(|mut peer: Peer| async move {
        let error = |code: &str| json!({ "code": code, "message": "no" });
        let (_, id) = peer.hear().await;
        peer.say(json!({ "type": "error", "threadId": "u", "error": error("thread_deleted") })).await;
        peer.say(json!({ "type": "ok", "id": id })).await;
        let (_, id) = peer.hear().await;
        peer.say(json!({ "type": "ok", "id": "another" })).await;
        peer.say(json!({ "type": "error", "id": id, "error": error("thread_busy") })).await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.ping().await.unwrap();
    assert_eq!(socket.next().await.unwrap().unwrap_err().code(), Some("thread_deleted"));
    let error = socket.run("hello", input(), None).await.unwrap_err();
    assert_eq!(error.code(), Some("thread_busy"));
}

#[tokio::test]
async fn a_run_that_is_taken_while_another_ends_is_followed_to_its_own_end() {
    let (client, heard) = client(|mut peer: Peer| async move {
        peer.grant().await;
        if peer.number == 1 {
            peer.tell(1, &brief("t", "r")[..1]).await;
            let (_, id) = peer.hear().await;
            peer.tell(2, &brief("t", "r")[1..]).await;
            return peer.say(json!({ "type": "ok", "id": id })).await;
        }
        peer.tell(3, &brief("t", "r2")).await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.run("hello", input(), None).await.unwrap();
    socket.run("hello", RunAgentInput::new("t", "r2", []), None).await.unwrap();
    assert_eq!(events(take(&mut socket, 4).await), [brief("t", "r"), brief("t", "r2")].concat());
    assert_eq!(heard.lock().unwrap()[2], (2, follow_frame("t", Some("e.2"))));
}

#[tokio::test]
async fn events_that_one_was_expanded_to_share_its_cursor() {
    let (client, _) = client(|mut peer: Peer| async move {
        peer.grant().await;
        peer.tell(1, &hello()[..1]).await;
        let chunk = json!({ "type": "TEXT_MESSAGE_CHUNK", "messageId": "m", "delta": "x" });
        peer.say(json!({ "type": "event", "threadId": "t", "cursor": "e.2", "event": chunk })).await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    let cursors: Vec<_> = take(&mut socket, 3).await.into_iter().map(|spoken| spoken.cursor).collect();
    assert_eq!(cursors, [Cursor::parse("e.1"), None, Cursor::parse("e.2")]);
}
