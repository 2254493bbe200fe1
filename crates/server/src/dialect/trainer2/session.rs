//! `GET /realtime`: a socket, its runs, and the answers at their gates.

use std::sync::Arc;

use axum::{Router, extract::State, http::StatusCode, response::Response, routing::get};
use forestage_protocol::{id::ThreadId, input::RunAgentInput, interrupt::Interrupt};
use forestage_runtime::{OnBusy, Started, Verdict};
use forestage_store::{InterruptQuery, InterruptRecord};
use serde::Deserialize;
use serde_json::Value;

use super::{
    decode::{Decision, Frame, decode},
    gate::{Draft, Gate},
    home::Home,
    show::is_open,
};
use crate::{
    app::App,
    auth::{Caller, Visitor},
    dialect::{
        door::{begin, pending},
        shown::Shown,
        socket::{Door, Line, Seat, Session, admit},
        words::Words,
    },
    error::ApiError,
    route::Query,
    transport::upgrade::Upgrade,
};

/// Told to whoever has no key that counts.
const UNAUTHORISED: u16 = 4401;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/realtime", get(open))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct SocketQuery {
    agent: Option<String>,
    /// `audit`: the client looks before anything counts.
    #[serde(default)]
    mode: Mode,
    /// What is under way or waits on this thread is shown at once, and then whatever happens there.
    thread_id: Option<ThreadId>,
    /// The key of the caller, read elsewhere.
    #[serde(rename = "token")]
    _token: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Mode {
    #[default]
    Chat,
    Audit,
}

async fn open(
    State(app): State<App>,
    caller: Result<Caller, ApiError>,
    Query(query): Query<SocketQuery>,
    upgrade: Upgrade,
) -> Result<Response, ApiError> {
    let (audit, home) = (query.mode == Mode::Audit, query.thread_id.clone());
    let door = Door {
        unauthorised: UNAUTHORISED,
        agent: query.agent,
        configured: app.http.dialects.trainer2.clone(),
        back_to: query.thread_id,
    };
    admit(&app, caller, upgrade, door, move |seat| Desk::new(seat, audit, home))
}

/// One end of a socket.
pub(super) struct Desk {
    pub(super) app: App,
    pub(super) caller: Visitor,
    pub(super) shown: Shown,
    /// The thread of which everything is shown, whoever begins it.
    pub(super) home: Home,
    agent: String,
    audit: bool,
    line: Line,
}

impl Session for Desk {
    type Frame = Result<Frame, ApiError>;

    async fn read(&self, text: &str) -> Self::Frame {
        decode(text, self.audit)
    }

    async fn hear(self: Arc<Self>, frame: Self::Frame) {
        match frame {
            Ok(Frame::Run(input)) => {
                let (thread_id, run_id) = (input.thread_id.clone(), input.run_id.clone());
                if let Err(refused) = self.run(*input).await {
                    self.refuse(&refused, Some(&thread_id), Some(&run_id)).await;
                }
            }
            Ok(Frame::Decision(decision)) => {
                let thread_id = decision.thread_id.clone();
                if let Err(refused) = self.decide(decision).await {
                    // The run is as it was, so it is not named: that would be its end.
                    self.refuse(&refused, Some(&thread_id), None).await;
                }
            }
            Err(refused) => self.refuse_frame(&refused).await,
        }
    }

    async fn come_back(self: Arc<Self>, thread_id: ThreadId) {
        self.follow(&thread_id).await;
    }

    async fn refuse_frame(&self, refused: &ApiError) {
        self.refuse(refused, None, None).await;
    }
}

impl Desk {
    fn new(seat: Seat, audit: bool, home: Option<ThreadId>) -> Self {
        let Seat { app, caller, agent, line } = seat;
        Self { app, caller, shown: Shown::default(), home: Home::new(home), agent, audit, line }
    }

    /// Runs, and shows what comes of it, gates in between included.
    async fn run(&self, mut input: RunAgentInput) -> Result<(), ApiError> {
        let asked = pending(&self.app, &self.caller, &input.thread_id).await?;
        if let Words::Resume(answers) = Words::of(&input, &asked) {
            input.resume = Some(answers);
            input.messages.clear();
        }
        // Whoever shows the run that waits shows how it goes on.
        let goes_on = input.resume.is_some() && self.shown.holds(&input.thread_id).await;
        let started = begin(&self.app, &self.caller, &self.agent, input, OnBusy::Queue).await?;
        if goes_on || self.is_shown_anyway(&started).await? {
            return Ok(());
        }
        let thread = self.app.stage.thread(&self.caller.user, &started.thread_id).await?;
        self.show(&thread, started.before.seq).await
    }

    /// Whether all of a run is on the way to the client because its thread is followed. One that the client has seen to its
    /// end, or that was over before it came, is wanted again.
    async fn is_shown_anyway(&self, started: &Started) -> Result<bool, ApiError> {
        let Some(span) = self.home.span_of(&started.thread_id).await else { return Ok(false) };
        if !started.attached || started.before.seq < span.after {
            return Ok(!started.attached);
        }
        let thread = self.app.stage.thread(&self.caller.user, &started.thread_id).await?;
        // A run that ended at a gate is over when its turn is.
        let turn = self.turn(&thread).await?;
        let end = turn.last().filter(|_| turn.iter().any(|run| run.run_id == started.run_id));
        Ok(end.is_some_and(is_open) || end.map_or(started.last, |run| run.last) > span.to)
    }

    /// Decides. Whoever shows the run shows what follows; if that is nobody, we do.
    async fn decide(&self, decision: Decision) -> Result<(), ApiError> {
        let Decision { thread_id, run_id, gate, approved, edits, reason } = decision;
        let records = self.questions(&thread_id, false).await?;
        let is_it = |record: &&InterruptRecord| {
            question_of(record).and_then(|asked| Gate::of(&asked)) == Some(gate.clone())
        };
        let record = records.iter().find(is_it).ok_or_else(|| unknown_gate(&gate, &thread_id))?;
        if let Some(run_id) = run_id
            && !self.is_of_turn(&thread_id, &record.run_id, &run_id).await?
        {
            return Err(unknown_gate(&gate, &thread_id).at("runId"));
        }
        let draft = Draft::read(&record.private).unwrap_or_default();
        let verdict = Verdict::resolved(gate.payload(approved, edits, reason, &draft));
        let ruling =
            self.app.stage.decide_on(&self.caller.decider(), &thread_id, &record.id, verdict).await?;
        let Some(started) = ruling.run else { return Ok(()) };
        if self.shown.holds(&thread_id).await || self.home.span_of(&thread_id).await.is_some() {
            return Ok(());
        }
        let thread = self.app.stage.thread(&self.caller.user, &thread_id).await?;
        self.show_rest(&thread, started.before.seq).await
    }

    /// The questions of a thread of the caller's; those that are decided only if they are wanted.
    pub(super) async fn questions(
        &self,
        thread_id: &ThreadId,
        decided: bool,
    ) -> Result<Vec<InterruptRecord>, ApiError> {
        let query = InterruptQuery {
            thread_id: Some(thread_id.clone()),
            decided,
            limit: 10_000,
            ..InterruptQuery::of(self.caller.user.as_str())
        };
        Ok(self.app.stage.store().interrupts(query).await?)
    }

    pub(super) fn encoder(&self) -> Result<super::Encoder, ApiError> {
        Ok(super::Encoder::new(self.app.stage.agent(&self.agent)?.tools()))
    }

    pub(super) async fn refuse(&self, refused: &ApiError, thread_id: Option<&str>, run_id: Option<&str>) {
        let mut error = refused.to_value()["error"].clone();
        error["type"] = "RUN_ERROR".into();
        for (name, id) in [("threadId", thread_id), ("runId", run_id)] {
            if let Some(id) = id {
                error[name] = id.into();
            }
        }
        self.send(error).await;
        self.line.close_if_lost(refused).await;
    }

    pub(super) async fn send(&self, frame: Value) {
        self.line.send(frame).await;
    }
}

fn question_of(record: &InterruptRecord) -> Option<Interrupt> {
    serde_json::from_slice(&record.json).ok()
}

fn unknown_gate(gate: &Gate, thread_id: &ThreadId) -> ApiError {
    let what = match gate {
        Gate::Stage => "nothing waits to be sent to the agent".to_owned(),
        Gate::Tool(id) => format!("no call `{id}` waits"),
        Gate::Draft => "no draft waits".to_owned(),
    };
    ApiError::new(StatusCode::CONFLICT, "unknown_gate", format!("{what} on thread `{thread_id}`"))
        .hint("it may have been decided elsewhere; open the socket with `?threadId=` to see what waits")
}
