//! One end of a socket: its runs, and the answers to their requests.

use std::sync::Arc;

use forestage_protocol::{
    id::{RunId, ThreadId},
    input::RunAgentInput,
    number::Timestamp,
};
use forestage_runtime::{Cursor, Follower, OnBusy, now};
use forestage_store::{RunRecord, Seq, Thread, ThreadStatus};
use serde_json::{Map, Value, json};

use super::{
    asked::Asked,
    decode::{Frame, decode},
    encode::Encoder,
    payload::{ERROR, ErrorPayload, custom},
};
use crate::{
    app::App,
    auth::Visitor,
    dialect::{
        Encode,
        door::{before, begin, find, marked_events, pending},
        shown::Shown,
        socket::{Line, Seat, Session},
        words::Words,
    },
    error::ApiError,
    transport::broken::thread_deleted,
};

/// What a client wants beyond the contract.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// A run without a result says `null`.
    pub(super) nulls: bool,
    /// Every frame of a run names the thread, and the last of each entry of the log the place behind it.
    pub(super) cursors: bool,
}

/// One end of a socket.
pub(super) struct Desk {
    pub(super) app: App,
    pub(super) caller: Visitor,
    agent: String,
    manner: Manner,
    line: Line,
    pub(super) shown: Shown,
    pub(super) asked: Asked,
}

impl Session for Desk {
    type Frame = Result<Frame, ApiError>;

    /// What an approval sets going on a thread to which a client has come back is shown once, by that.
    async fn read(&self, text: &str) -> Self::Frame {
        let frame = decode(text);
        if let Ok(Frame::Follow(follow)) = &frame {
            self.shown.enter(&follow.thread_id).await;
        }
        frame
    }

    async fn hear(self: Arc<Self>, frame: Self::Frame) {
        match frame {
            Ok(frame) => self.answer(frame).await,
            Err(refused) => self.refuse(&refused, &Value::Null).await,
        }
    }

    async fn come_back(self: Arc<Self>, thread_id: ThreadId) {
        self.show_open(&thread_id).await;
    }

    async fn refuse_frame(&self, refused: &ApiError) {
        self.refuse(refused, &Value::Null).await;
    }
}

impl Desk {
    pub(super) fn new(seat: Seat, manner: Manner) -> Self {
        let Seat { app, caller, agent, line } = seat;
        Self { app, caller, agent, manner, line, shown: Shown::default(), asked: Asked::default() }
    }

    async fn answer(&self, frame: Frame) {
        match frame {
            Frame::Run(input) => {
                let thread_id = input.thread_id.clone();
                let about = json!({ "threadId": input.thread_id, "runId": input.run_id });
                if let Err(refused) = self.run(*input).await {
                    self.refuse(&refused, &about).await;
                    // Most likely the thread waits for an answer, and the client does not know of the question.
                    if !self.shown.holds(&thread_id).await {
                        self.show_open(&thread_id).await;
                    }
                }
            }
            Frame::Approval(approval) => {
                let mut about = json!({ "approvalId": approval.approval_id });
                if let Some(thread_id) = &approval.thread_id {
                    about["threadId"] = thread_id.as_str().into();
                }
                if let Err(refused) = self.approve(approval).await {
                    self.refuse(&refused, &about).await;
                }
            }
            Frame::Follow(follow) => {
                let thread_id = follow.thread_id.clone();
                let followed = self.follow(follow).await;
                self.shown.leave(&thread_id).await;
                if let Err(refused) = followed {
                    self.refuse(&refused, &json!({ "threadId": thread_id })).await;
                }
            }
        }
    }

    /// Runs, and shows what comes of it, approvals in between included.
    async fn run(&self, mut input: RunAgentInput) -> Result<(), ApiError> {
        let asked = pending(&self.app, &self.caller, &input.thread_id).await?;
        match Words::of(&input, &asked) {
            Words::NotAsked => {}
            Words::Resume(answers) => {
                input.resume = Some(answers);
                input.messages.clear();
            }
            Words::Decide(answers) => {
                for (id, payload) in answers {
                    self.decide(&id, Some(&input.thread_id), payload).await?;
                }
                return Ok(());
            }
        }
        // Whoever shows the run that waits shows how it goes on.
        let is_shown = input.resume.is_some() && self.shown.holds(&input.thread_id).await;
        let started = begin(&self.app, &self.caller, &self.agent, input, OnBusy::Queue).await?;
        if is_shown { Ok(()) } else { self.show_run(&started.thread_id, &started.run_id).await }
    }

    /// Shows the run that is under way on a thread, or waits, from its beginning.
    pub(super) async fn show_open(&self, thread_id: &ThreadId) {
        if let Err(refused) = self.show_head(thread_id).await {
            self.refuse(&refused, &json!({ "threadId": thread_id })).await;
        }
    }

    async fn show_head(&self, thread_id: &ThreadId) -> Result<(), ApiError> {
        // A thread that is not there yet has nothing to show.
        let Some(thread) = find(&self.app, &self.caller, thread_id).await? else { return Ok(()) };
        let is_open = matches!(thread.status, ThreadStatus::Running | ThreadStatus::Waiting);
        let runs = self.app.stage.store().runs(thread_id.clone()).await?;
        match beginning(&runs, thread.head.as_ref()).filter(|_| is_open) {
            // What was over before we came is shown to its end.
            Some(run) => self.show(&thread, run, thread.tail).await,
            None => Ok(()),
        }
    }

    pub(super) async fn show_run(&self, thread_id: &ThreadId, run_id: &RunId) -> Result<(), ApiError> {
        let thread = self.app.stage.thread(&self.caller.user, thread_id).await?;
        let run = self.app.stage.run(&self.caller.user, thread_id, run_id).await?;
        let encoder = self.encoder_for(&thread, &run).await?;
        self.show_with(encoder, &thread, before(&run), Seq::START).await
    }

    /// Shows a run until it is over, and whatever stands before `there`.
    pub(super) async fn show(&self, thread: &Thread, run: &RunRecord, there: Seq) -> Result<(), ApiError> {
        let encoder = self.encoder(thread, run).await?;
        self.show_with(encoder, thread, before(run), there).await
    }

    /// The same from behind a place up to which the encoder knows everything.
    pub(super) async fn show_with(
        &self,
        encoder: Encoder,
        thread: &Thread,
        after: Seq,
        there: Seq,
    ) -> Result<(), ApiError> {
        self.shown.enter(&thread.id).await;
        let shown = self.show_from(encoder, self.app.stage.follow(thread, after), there).await;
        self.shown.leave(&thread.id).await;
        shown
    }

    async fn show_from(
        &self,
        mut encoder: Encoder,
        mut follower: Follower,
        there: Seq,
    ) -> Result<(), ApiError> {
        while !encoder.is_over() || follower.after() < there {
            if follower.after() >= there {
                encoder.end_with_this_run();
            }
            let batch = match follower.next().await? {
                Some(batch) => batch,
                None if follower.is_deleted() => return Err(thread_deleted(&follower)),
                None => return Ok(()),
            };
            let frames: Vec<_> = marked_events(&batch)
                .iter()
                .flat_map(|(event, cursor)| {
                    let mut frames = encoder.encode(std::slice::from_ref(event));
                    self.mark(&mut frames, &encoder, *cursor);
                    frames
                })
                .collect();
            for mut frame in frames {
                self.asked.name(encoder.thread_id(), &mut frame);
                self.send(frame).await;
            }
        }
        Ok(())
    }

    /// Tells a client that wants to come back where it is.
    fn mark(&self, frames: &mut [Value], encoder: &Encoder, cursor: Cursor) {
        if !self.manner.cursors {
            return;
        }
        if let Some(last) = frames.last_mut() {
            last["cursor"] = cursor.to_string().into();
        }
        frames.iter_mut().for_each(|frame| frame["threadId"] = encoder.thread_id().into());
    }

    /// An encoder that knows the state with which the run begins, and the agent that plays it.
    pub(super) async fn encoder(&self, thread: &Thread, run: &RunRecord) -> Result<Encoder, ApiError> {
        let stage = &self.app.stage;
        // One that is not here any more has left its runs.
        let agent = stage.agent(&run.agent).or_else(|_| stage.agent(&self.agent))?;
        let encoder = Encoder::new(&run.agent, agent.tools()).with_nulls(self.manner.nulls);
        Ok(match &run.parent {
            Some(parent) => encoder.with_state(stage.conversation(thread, Some(parent)).await?.state),
            None => encoder,
        })
    }

    pub(super) async fn refuse(&self, refused: &ApiError, about: &Value) {
        let mut details = match &refused.to_value()["error"] {
            Value::Object(told) => told.clone(),
            _ => Map::new(),
        };
        details.remove("code");
        details.remove("message");
        details.extend(about.as_object().cloned().unwrap_or_default());
        let told = ErrorPayload {
            error_code: refused.code().to_owned(),
            message: refused.message().to_owned(),
            details,
        };
        self.send(custom(ERROR, told, Timestamp::new(now()))).await;
        self.line.close_if_lost(refused).await;
    }

    pub(super) async fn send(&self, frame: Value) {
        self.line.send(frame).await;
    }
}

/// The first of the runs that a client sees as one: those before it that waited are part of it.
pub(super) fn beginning<'r>(runs: &'r [RunRecord], head: Option<&RunId>) -> Option<&'r RunRecord> {
    let find = |id: &RunId| runs.iter().find(|run| run.run_id == *id);
    let mut first = find(head?)?;
    while let Some(parent) = first.parent.as_ref().and_then(find)
        && parent.end.as_deref() == Some("interrupt")
    {
        first = parent;
    }
    Some(first)
}
