//! Many runs and threads on one WebSocket.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::extract::ws::{Message, WebSocket};
use forestage_client::{After, Client, ClientError, Cursor, OnBusy, Settings, Socket, Spoken};
use forestage_protocol::{event::Event, input::RunAgentInput};
use serde_json::{Value, json};

use crate::server::{self, Server, for_ever, hello, quick, sockets};

/// What the sockets of a server heard, with the number of the connection.
pub(crate) type Heard = Arc<Mutex<Vec<(usize, Value)>>>;

/// The server's end of a socket.
pub(crate) struct Peer {
    pub(crate) number: usize,
    pub(crate) socket: WebSocket,
    heard: Heard,
}

impl Peer {
    /// The next request; it is noted without its id.
    pub(crate) async fn hear(&mut self) -> (Value, String) {
        loop {
            match self.socket.recv().await {
                Some(Ok(Message::Text(text))) => {
                    let mut said: Value = serde_json::from_str(&text).unwrap();
                    let id = said.as_object_mut().unwrap().remove("id").unwrap();
                    self.heard.lock().unwrap().push((self.number, said.clone()));
                    return (said, id.as_str().unwrap().to_owned());
                }
                Some(Ok(_)) => {}
                _ => for_ever().await,
            }
        }
    }

    pub(crate) async fn say(&mut self, frame: Value) {
        let _ = self.socket.send(Message::text(frame.to_string())).await;
    }

    /// Hears a request and grants it.
    pub(crate) async fn grant(&mut self) -> Value {
        let (said, id) = self.hear().await;
        self.say(json!({ "type": "ok", "id": id })).await;
        said
    }

    /// Sends events of the thread `t`, the first of which has this number.
    pub(crate) async fn tell(&mut self, first: usize, events: &[Event]) {
        self.tell_on("t", first, events).await;
    }

    pub(crate) async fn tell_on(&mut self, thread: &str, first: usize, events: &[Event]) {
        for (seq, event) in (first..).zip(events) {
            let event: Value = serde_json::from_str(&event.to_json()).unwrap();
            let cursor = format!("e.{seq}");
            self.say(json!({ "type": "event", "threadId": thread, "cursor": cursor, "event": event })).await;
        }
    }
}

/// A client at a server that talks like this on each connection.
pub(crate) async fn client<F, T>(talk: F) -> (Client, Heard)
where
    F: Fn(Peer) -> T + Clone + Send + Sync + 'static,
    T: Future<Output = ()> + Send + 'static,
{
    client_with(quick(), talk).await
}

/// The same with other limits.
pub(crate) async fn client_with<F, T>(settings: Settings, talk: F) -> (Client, Heard)
where
    F: Fn(Peer) -> T + Clone + Send + Sync + 'static,
    T: Future<Output = ()> + Send + 'static,
{
    let heard = Heard::default();
    let noted = heard.clone();
    let base = sockets(move |number, socket| talk(Peer { number, socket, heard: noted.clone() })).await;
    (Client::with_settings(&base, settings).unwrap(), heard)
}

pub(crate) fn input() -> RunAgentInput {
    RunAgentInput::new("t", "r", [])
}

pub(crate) fn run_frame() -> Value {
    let input = json!({ "threadId": "t", "runId": "r", "messages": [], "protocolVersion": "1.0" });
    json!({ "type": "run", "agent": "hello", "input": input })
}

pub(crate) async fn take(socket: &mut Socket, count: usize) -> Vec<Spoken> {
    let mut spoken = Vec::new();
    while spoken.len() < count {
        spoken.push(socket.next().await.unwrap().unwrap());
    }
    spoken
}

pub(crate) fn events(spoken: Vec<Spoken>) -> Vec<Event> {
    spoken.into_iter().map(|spoken| spoken.event).collect()
}

#[tokio::test]
async fn a_run_on_a_socket_delivers_its_events() {
    let (client, heard) = client(|mut peer: Peer| async move {
        peer.grant().await;
        peer.tell(1, &hello()).await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.run("hello", input(), Some(OnBusy::Queue)).await.unwrap();
    let spoken = take(&mut socket, 7).await;
    assert_eq!(spoken[6].thread_id, "t".into());
    assert_eq!(spoken[6].cursor, Cursor::parse("e.7"));
    assert_eq!(events(spoken), hello());
    let mut expected = run_frame();
    expected["onBusy"] = "queue".into();
    assert_eq!(*heard.lock().unwrap(), [(1, expected)]);
}

#[tokio::test]
async fn what_comes_before_an_answer_is_kept() {
    let (client, _) = client(|mut peer: Peer| async move {
        let (_, id) = peer.hear().await;
        peer.tell(1, &hello()).await;
        peer.say(json!({ "type": "tomorrow", "id": id })).await;
        peer.say(json!({ "type": "ok", "id": id })).await;
        let (_, id) = peer.hear().await;
        peer.say(json!({ "type": "pong", "id": id })).await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.run("hello", input(), None).await.unwrap();
    socket.ping().await.unwrap();
    assert_eq!(events(take(&mut socket, 7).await), hello());
}

#[tokio::test]
async fn a_request_that_is_refused_is_an_error_and_the_socket_goes_on() {
    let (client, heard) = client(|mut peer: Peer| async move {
        let (_, id) = peer.hear().await;
        let error = json!({ "code": "thread_busy", "message": "busy", "hint": "wait" });
        peer.say(json!({ "type": "error", "id": id, "error": error })).await;
        peer.grant().await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    let error = socket.run("hello", input(), None).await.unwrap_err();
    assert_eq!(error.code(), Some("thread_busy"));
    socket.cancel(&"t".into(), &"r".into()).await.unwrap();
    assert_eq!(heard.lock().unwrap()[1].1, json!({ "type": "cancel", "threadId": "t", "runId": "r" }));
}

#[tokio::test]
async fn a_thread_is_followed_by_cursor_over_broken_sockets() {
    let (client, heard) = client(|mut peer: Peer| async move {
        peer.grant().await;
        match peer.number {
            1 => peer.tell(1, &hello()[..3]).await,
            // It starts over instead of going on.
            2 => peer.tell(1, &hello()[..5]).await,
            _ => {
                peer.tell(6, &hello()[5..]).await;
                for_ever().await;
            }
        }
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    assert_eq!(events(take(&mut socket, 7).await), hello());
    let follow = |after: &str| json!({ "type": "follow", "threadId": "t", "after": after });
    assert_eq!(*heard.lock().unwrap(), [(1, follow("start")), (2, follow("e.3")), (3, follow("e.5"))]);
}

#[tokio::test]
async fn what_came_before_a_lost_answer_is_not_told_twice() {
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
    socket.follow("t", After::Start).await.unwrap();
    assert_eq!(events(take(&mut socket, 7).await), hello());
    socket.ping().await.unwrap();
    let follow = || json!({ "type": "follow", "threadId": "t", "after": "start" });
    assert_eq!(*heard.lock().unwrap(), [(1, follow()), (2, follow()), (2, json!({ "type": "ping" }))]);
}

#[tokio::test]
async fn a_run_that_breaks_before_its_first_event_is_asked_for_again() {
    let (client, heard) = client(|mut peer: Peer| async move {
        match peer.number {
            // The request is lost, then granted without an event.
            1 => drop(peer.hear().await),
            2 => drop(peer.grant().await),
            _ => {
                peer.grant().await;
                peer.tell(1, &hello()).await;
                for_ever().await;
            }
        }
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.run("hello", input(), None).await.unwrap();
    assert_eq!(events(take(&mut socket, 7).await), hello());
    assert_eq!(*heard.lock().unwrap(), [(1, run_frame()), (2, run_frame()), (3, run_frame())]);
}

#[tokio::test]
async fn a_run_that_breaks_later_is_followed_to_its_end_and_no_further() {
    let (client, heard) = client(|mut peer: Peer| async move {
        peer.grant().await;
        if peer.number == 1 {
            return peer.tell(1, &hello()[..3]).await;
        }
        peer.tell(4, &hello()[3..]).await;
        peer.grant().await;
        peer.grant().await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.run("hello", input(), None).await.unwrap();
    assert_eq!(events(take(&mut socket, 7).await), hello());
    socket.ping().await.unwrap();
    let heard: Vec<_> = heard.lock().unwrap().iter().map(|(number, said)| (*number, said.clone())).collect();
    assert_eq!(heard[1], (2, json!({ "type": "follow", "threadId": "t", "after": "e.3" })));
    assert_eq!(heard[2], (2, json!({ "type": "unfollow", "threadId": "t" })));
}

#[tokio::test]
async fn an_illegal_thread_ends_alone() {
    let (client, heard) = client(|mut peer: Peer| async move {
        peer.grant().await;
        peer.tell(1, &hello()[2..3]).await;
        peer.grant().await;
        peer.grant().await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Now).await.unwrap();
    let error = socket.next().await.unwrap().unwrap_err();
    let ClientError::OnThread { thread_id, error } = error else { panic!("{error}") };
    assert_eq!((thread_id, error.code()), ("t".into(), Some("first_event")));
    socket.ping().await.unwrap();
    assert_eq!(heard.lock().unwrap()[1].1, json!({ "type": "unfollow", "threadId": "t" }));
}

#[tokio::test]
async fn a_socket_that_does_not_come_back_gives_up() {
    let (client, heard) = client(|mut peer: Peer| async move {
        peer.hear().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    let error = socket.follow("t", After::Now).await.unwrap_err();
    assert!(matches!(error, ClientError::GaveUp { attempts: 3, .. }), "{error}");
    assert_eq!(heard.lock().unwrap().len(), 4);
}

#[tokio::test]
async fn a_thread_that_is_gone_on_the_way_back_is_reported() {
    let (client, _) = client(|mut peer: Peer| async move {
        if peer.number == 1 {
            peer.grant().await;
            return peer.tell(1, &hello()[..1]).await;
        }
        let (_, id) = peer.hear().await;
        peer.say(json!({ "type": "error", "id": id, "error": { "code": "no_thread", "message": "gone" } }))
            .await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    take(&mut socket, 1).await;
    let error = socket.next().await.unwrap().unwrap_err();
    assert!(matches!(&error, ClientError::OnThread { .. }), "{error}");
    assert_eq!(error.code(), Some("no_thread"));
}

#[tokio::test]
async fn a_silent_socket_is_made_again() {
    let settings = Settings { idle: Duration::from_millis(200), ..quick() };
    let (client, heard) = client_with(settings, |mut peer: Peer| async move {
        peer.grant().await;
        if peer.number == 1 {
            peer.tell(1, &hello()[..3]).await;
            // Nobody reads any more, so nobody answers a ping.
            return for_ever().await;
        }
        peer.tell(4, &hello()[3..]).await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    assert_eq!(events(take(&mut socket, 7).await), hello());
    assert_eq!(heard.lock().unwrap()[1].0, 2);
}

#[tokio::test]
async fn a_quiet_socket_that_answers_pings_is_kept() {
    let settings = Settings { idle: Duration::from_millis(400), ..quick() };
    let (client, heard) = client_with(settings, |mut peer: Peer| async move {
        peer.grant().await;
        for _ in 0..4 {
            // A ping is what comes when nothing else does.
            while !matches!(peer.socket.recv().await, Some(Ok(Message::Ping(_)))) {}
        }
        peer.tell(1, &hello()).await;
        for_ever().await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    assert_eq!(events(take(&mut socket, 7).await), hello());
    assert_eq!(heard.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_socket_is_opened_with_the_key_and_a_refusal_is_reported() {
    let body = json!({ "error": { "code": "unauthorized", "message": "no such key" } });
    let server = Server::playing([server::json(401, body)]).await;
    let error = server.client().with_key("k").unwrap().socket().await.unwrap_err();
    assert!(matches!(error, ClientError::Refused { status: 401, .. }), "{error}");
    let asked = &server.asked()[0];
    assert_eq!(
        (asked.what.as_str(), asked.header("authorization")),
        ("GET /v1/ws?protocol=1.0", Some("Bearer k"))
    );
}

#[tokio::test]
async fn a_thread_whose_server_lost_its_store_goes_on_behind_its_cursor() {
    let (client, heard) = client(|mut peer: Peer| async move {
        peer.grant().await;
        if peer.number > 1 {
            peer.tell(3, &hello()[2..]).await;
            for_ever().await;
        }
        peer.tell(1, &hello()[..2]).await;
        let error = json!({ "code": "store_unavailable", "message": "the store failed" });
        peer.say(json!({ "type": "error", "threadId": "t", "error": error })).await;
        let _ = peer.socket.send(Message::Close(None)).await;
    })
    .await;
    let mut socket = client.socket().await.unwrap();
    socket.follow("t", After::Start).await.unwrap();
    assert_eq!(events(take(&mut socket, hello().len()).await), hello());
    let again = heard.lock().unwrap().last().unwrap().1.clone();
    assert_eq!(again, json!({ "type": "follow", "threadId": "t", "after": "e.2" }));
}
