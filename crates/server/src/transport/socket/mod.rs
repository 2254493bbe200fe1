//! One socket, many threads: commands come in, events go out.
//!
//! | frame of the client | answer |
//! |---|---|
//! | `{"type":"run","id","agent","input","onBusy"?}` | `ok`, then the events of the run |
//! | `{"type":"follow","id","threadId","after"?}` | `ok`, then the events of the thread |
//! | `{"type":"unfollow","id","threadId"}` | `ok` |
//! | `{"type":"cancel","id","threadId","runId"}` | `ok` with `cancelled` |
//! | `{"type":"ping","id"}` | `pong` |
//! | a bare `RunAgentInput`, on `/v1/ws?agent=NAME` | the events of the run, bare |
//!
//! An event comes as `{"type":"event","threadId","cursor","event"}`; what is wrong with a frame, as
//! `{"type":"error","id","error"}`. Every viewer on the socket is a cursor, and they take turns to write.

mod command;
mod frames;
mod viewers;

use std::sync::Arc;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use forestage_protocol::id::ThreadId;
use forestage_runtime::{Follower, OnBusy, Prelude, StartRun};
use futures_util::{
    SinkExt, StreamExt,
    stream::{SplitSink, SplitStream},
};
use serde_json::{Value, json};
use tokio::sync::{Mutex, mpsc};

use self::{
    command::Command,
    frames::{Dress, frames},
    viewers::Viewers,
};
use crate::{
    app::App,
    auth::Visitor,
    dialect::agui0::{self, Protocol, View},
    error::ApiError,
    intake::{Share, Unread, admit_frame},
    once,
    route::events::{From, form, from, parse_place},
    transport::{
        broken::{deleted_end, thread_deleted, unwritten_end},
        form::Form,
        upgrade::{broken_frame, goodbye},
    },
};

/// Serves a socket until either side has enough.
pub(crate) async fn talk(
    app: App,
    caller: Visitor,
    agent: Option<String>,
    asked: Option<Protocol>,
    (socket, unread): (WebSocket, Unread),
) {
    let (sink, stream) = socket.split();
    let desk = Arc::new(Desk { app, caller, agent, asked, sink: Mutex::new(sink) });
    let mut viewers = Viewers::default();
    let farewell = listen(&desk, stream, &unread, &mut viewers).await;
    viewers.stop_all();
    let going = || goodbye(close_code::AWAY, "the server is shutting down");
    let frame = farewell.or_else(|| desk.app.ending.is_cancelled().then(going));
    // The other side may be gone already.
    let _ = desk.sink.lock().await.send(Message::Close(frame)).await;
}

/// Hears the client until one side has enough; what to close with, if it was not the client.
async fn listen(
    desk: &Arc<Desk>,
    mut stream: SplitStream<WebSocket>,
    unread: &Unread,
    viewers: &mut Viewers,
) -> Option<CloseFrame> {
    let (gone, mut lost) = mpsc::channel::<Gone>(1);
    let mut heart = tokio::time::interval(desk.app.keep_alive());
    loop {
        let message = tokio::select! {
            message = stream.next() => message,
            () = desk.app.ending.cancelled() => return None,
            gone = lost.recv() => return gone?.0,
            _ = heart.tick() => {
                if desk.send(Message::Ping(bytes::Bytes::new())).await.is_err() {
                    return None;
                }
                continue;
            }
        };
        let text = match message {
            Some(Ok(Message::Text(text))) => {
                unread.handed_on();
                text
            }
            Some(Ok(Message::Binary(_))) => {
                unread.handed_on();
                let error = ApiError::bad_request("invalid_frame", "frames are JSON text");
                desk.refuse(None, &error).await;
                continue;
            }
            Some(Ok(Message::Ping(payload) | Message::Pong(payload))) => {
                unread.handed_on_control(payload.len());
                continue;
            }
            Some(Err(error)) => {
                let (refused, code) = broken_frame(error, unread)?;
                desk.refuse(None, &refused).await;
                return Some(goodbye(code, refused.message()));
            }
            Some(Ok(Message::Close(_))) | None => return None,
        };
        desk.hear(&text, viewers, &gone).await;
    }
}

/// What a viewer on a socket sees, and how.
struct Show {
    thread_id: ThreadId,
    follower: Follower,
    prelude: Option<Prelude>,
    form: Form,
    dress: Dress,
}

/// A viewer cannot go on, so the socket ends: with this frame, or with nothing to a client that is gone.
struct Gone(Option<CloseFrame>);

/// One end of a socket.
struct Desk {
    app: App,
    caller: Visitor,
    agent: Option<String>,
    /// The protocol that the address asks for.
    asked: Option<Protocol>,
    sink: Mutex<SplitSink<WebSocket, Message>>,
}

impl Desk {
    async fn hear(self: &Arc<Self>, text: &str, viewers: &mut Viewers, gone: &mpsc::Sender<Gone>) {
        // The memory is set aside until the run has begun.
        let (value, _share) = match self.read(text).await {
            Ok(read) => read,
            Err(error) => return self.refuse(None, &error).await,
        };
        let id = value.get("id").cloned();
        let done = match value.get("type") {
            Some(_) => self.command(value, viewers, gone).await,
            None => self.bare_input(value, viewers, gone).await,
        };
        if let Err(error) = done {
            self.refuse(id, &error).await;
        }
    }

    async fn read(&self, text: &str) -> Result<(Value, Share), ApiError> {
        let share = admit_frame(text, &self.app).await?;
        Ok((once::read(text)?, share))
    }

    async fn command(
        self: &Arc<Self>,
        value: Value,
        viewers: &mut Viewers,
        gone: &mpsc::Sender<Gone>,
    ) -> Result<(), ApiError> {
        let command = serde_json::from_value(value)
            .map_err(|error| ApiError::bad_request("invalid_frame", error.to_string()))?;
        match command {
            Command::Ping { id } => self.say(json!({ "type": "pong", "id": id })).await,
            Command::Run { agent, input, on_busy, id } => {
                let (request, view) = self.request(&agent, input, on_busy.into()).await?;
                self.run(request, view, Dress::Enveloped, id, viewers, gone).await?;
            }
            Command::Follow { thread_id, after, id } => {
                self.follow(&thread_id, after.as_deref(), id, viewers, gone).await?;
            }
            Command::Unfollow { thread_id, id } => {
                viewers.stop(&format!("thread {thread_id}"));
                self.say(json!({ "type": "ok", "id": id, "threadId": thread_id })).await;
            }
            Command::Cancel { thread_id, run_id, id } => {
                let cancelled = self.app.stage.cancel(&self.caller.user, &thread_id, &run_id).await?;
                let answer = json!({
                    "type": "ok", "id": id, "threadId": thread_id, "runId": run_id, "cancelled": cancelled,
                });
                self.say(answer).await;
            }
        }
        Ok(())
    }

    /// The simplest client there is: an input in, events out.
    async fn bare_input(
        self: &Arc<Self>,
        value: Value,
        viewers: &mut Viewers,
        gone: &mpsc::Sender<Gone>,
    ) -> Result<(), ApiError> {
        let Some(agent) = &self.agent else {
            let error = ApiError::bad_request("invalid_frame", "a frame has a `type`");
            return Err(error.hint("to send bare inputs, name the agent in the address: /v1/ws?agent=NAME"));
        };
        let (request, view) = self.request(agent, value, OnBusy::Reject).await?;
        self.run(request, view, Dress::Bare, None, viewers, gone).await
    }

    /// A request for a run, and how it will be written.
    async fn request(
        &self,
        agent: &str,
        input: Value,
        on_busy: OnBusy,
    ) -> Result<(StartRun, View), ApiError> {
        let agui0::Request { input, protocol } = agui0::Request::from_value(input, self.asked)?;
        let (input, view) = agui0::prepared(&self.app, &self.caller, agent, protocol, input).await?;
        let decider = Some(self.caller.decider());
        Ok((StartRun { on_busy, decider, ..StartRun::new(agent, input, &self.caller.user) }, view))
    }

    async fn run(
        self: &Arc<Self>,
        request: StartRun,
        view: View,
        dress: Dress,
        id: Option<Value>,
        viewers: &mut Viewers,
        gone: &mpsc::Sender<Gone>,
    ) -> Result<(), ApiError> {
        let key = format!("run {} {}", request.input.thread_id, request.input.run_id);
        let thread_id = request.input.thread_id.clone();
        if request.on_busy == OnBusy::Reject {
            let (follower, form) = self.begin(request, view, dress, id).await?;
            let show = Show { thread_id, follower, prelude: None, form, dress };
            self.view(key, show, viewers, gone);
            return Ok(());
        }
        // It may have to wait for its turn, and the socket is for others, too.
        let (desk, gone) = (self.clone(), gone.clone());
        let task = tokio::spawn(async move {
            match desk.begin(request, view, dress, id.clone()).await {
                Ok((follower, form)) => {
                    desk.show(Show { thread_id, follower, prelude: None, form, dress }, &gone).await;
                }
                Err(error) => desk.refuse(id, &error).await,
            }
        });
        viewers.add(key, task.abort_handle());
        Ok(())
    }

    /// Begins a run, or joins it, and says so.
    async fn begin(
        &self,
        request: StartRun,
        view: View,
        dress: Dress,
        id: Option<Value>,
    ) -> Result<(Follower, Form), ApiError> {
        let started = self.app.stage.start(request).await?;
        if dress == Dress::Enveloped {
            let answer = json!({
                "type": "ok",
                "id": id,
                "threadId": started.thread_id,
                "runId": started.run_id,
                "attached": started.attached,
                "cursor": started.before.to_string(),
            });
            self.say(answer).await;
        }
        let follower = self.app.stage.follow_run(&started.thread_id, &started.run_id, started.before);
        Ok((follower, view.of(&self.app, &started).await?))
    }

    async fn follow(
        self: &Arc<Self>,
        thread_id: &ThreadId,
        after: Option<&str>,
        id: Option<Value>,
        viewers: &mut Viewers,
        gone: &mpsc::Sender<Gone>,
    ) -> Result<(), ApiError> {
        let thread = self.app.stage.thread(&self.caller.user, thread_id).await?;
        let place: From = parse_place(after)?;
        let (follower, prelude) = from(&self.app, &thread, place, true).await?;
        let form = form(&self.app, place, Protocol::or_unstated(self.asked), &follower).await?;
        self.say(json!({ "type": "ok", "id": id, "threadId": thread_id })).await;
        let key = format!("thread {thread_id}");
        let show = Show { thread_id: thread_id.clone(), follower, prelude, form, dress: Dress::Enveloped };
        self.view(key, show, viewers, gone);
        Ok(())
    }

    fn view(self: &Arc<Self>, key: String, show: Show, viewers: &mut Viewers, gone: &mpsc::Sender<Gone>) {
        let (desk, gone) = (self.clone(), gone.clone());
        let task = tokio::spawn(async move { desk.show(show, &gone).await });
        viewers.add(key, task.abort_handle());
    }

    /// Shows what a follower reads, to the end or until the client is gone.
    async fn show(&self, show: Show, gone: &mpsc::Sender<Gone>) {
        let Show { thread_id, mut follower, prelude, mut form, dress } = show;
        if let Some(prelude) = prelude
            && self.send_all(frames(&thread_id, &form.prelude(&prelude), dress)).await.is_err()
        {
            return;
        }
        let close = loop {
            if form.is_over() {
                return;
            }
            match follower.next().await {
                Ok(Some(batch)) => {
                    if self.send_all(frames(&thread_id, &form.pieces(&batch), dress)).await.is_err() {
                        break None;
                    }
                }
                Ok(None) => return self.say_deleted(&thread_id, &follower, &mut form, dress).await,
                Err(error) => match unwritten_end(&error, &follower) {
                    Some(end) => {
                        return drop(self.send_all(frames(&thread_id, &form.end(&end), dress)).await);
                    }
                    None => break Some(self.tell_lost(&thread_id, error.into()).await),
                },
            }
        };
        // Somebody else may have ended the socket already.
        let _ = gone.try_send(Gone(close));
    }

    /// Says that the thread was deleted, if that is why nothing more comes. The socket stays open for other threads.
    async fn say_deleted(&self, thread_id: &ThreadId, follower: &Follower, form: &mut Form, dress: Dress) {
        if let Some(end) = deleted_end(follower) {
            return drop(self.send_all(frames(thread_id, &form.end(&end), dress)).await);
        }
        if follower.is_deleted() {
            self.tell(thread_id, &thread_deleted(follower)).await;
        }
    }

    /// Says that a thread cannot be shown any more. A client that only heard pings would believe that nothing happens there.
    async fn tell_lost(&self, thread_id: &ThreadId, error: ApiError) -> CloseFrame {
        self.tell(thread_id, &error).await;
        goodbye(close_code::AGAIN, error.message())
    }

    /// Sends an error that is about a thread and not about a frame of the client.
    async fn tell(&self, thread_id: &ThreadId, error: &ApiError) {
        let mut value = error.to_value();
        value["type"] = json!("error");
        value["threadId"] = json!(thread_id);
        self.say(value).await;
    }

    async fn refuse(&self, id: Option<Value>, error: &ApiError) {
        let mut value = error.to_value();
        value["type"] = json!("error");
        value["id"] = json!(id);
        self.say(value).await;
    }

    /// Whoever is gone hears nothing; the listener notices.
    async fn say(&self, value: Value) {
        let _ = self.send(Message::text(value.to_string())).await;
    }

    async fn send(&self, message: Message) -> Result<(), axum::Error> {
        self.sink.lock().await.send(message).await
    }

    /// Frames that belong together leave in one go.
    async fn send_all(&self, frames: Vec<Message>) -> Result<(), axum::Error> {
        let mut sink = self.sink.lock().await;
        for frame in frames {
            sink.feed(frame).await?;
        }
        sink.flush().await
    }
}
