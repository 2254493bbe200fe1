//! `POST /run`.

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    response::Response,
    routing::post,
};
use forestage_protocol::{
    compat::net,
    input::RunAgentInput,
    interrupt::{Interrupt, ResumeEntry, ResumeStatus},
    json::Json,
};
use forestage_runtime::{OnBusy, Started, Verdict};
use serde_json::json;

use super::{decode::decode, encode::Encoder};
use crate::{
    app::App,
    auth::{Caller, Visitor},
    dialect::{
        door::{begin, pending},
        join::{Joined, StreamQuery, Wanted},
        stream::{frames_of, respond},
    },
    error::ApiError,
    intake::text_of,
    route::Query,
    transport::sse::with_headers,
};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/run", post(run))
}

async fn run(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<StreamQuery>,
    request: Request,
) -> Result<Response, ApiError> {
    let text = text_of(request, &app).await?;
    let (request, configured) = ((query, text.as_str()), app.http.dialects.net.as_ref());
    let (agent, mut input) =
        match Wanted::read(&app, &caller, request, configured, decode, encoder_for).await? {
            Wanted::Shown(response) => return Ok(response),
            Wanted::Run(agent, input) => (agent, *input),
        };
    let pending = match input.resume {
        Some(_) => pending(&app, &caller, &input.thread_id).await?,
        None => Vec::new(),
    };
    fit_answers(&pending, &mut input);
    match input.resume.as_deref() {
        // The others are asked one after the other.
        Some([entry]) if pending.len() > 1 => next_question(&app, &caller, &input, entry, &pending).await,
        _ => {
            let started = begin(&app, &caller, &agent, input, OnBusy::Reject).await?;
            Ok(stream_of(&app, started))
        }
    }
}

/// `{response: …}` answers a question that wants a plain value.
fn fit_answers(pending: &[Interrupt], input: &mut RunAgentInput) {
    for entry in input.resume.iter_mut().flatten() {
        let asked = pending.iter().find(|question| question.id == entry.interrupt_id);
        let wants_object = asked.is_none_or(wants_object);
        let payload = entry.payload.as_ref().and_then(|payload| payload.to_value().ok()).unwrap_or_default();
        if let Some(response) = payload.get("response").filter(|_| !wants_object) {
            entry.payload = Some(Json::from(response.clone()));
        }
    }
}

/// Whether an answer is passed on as it is: an object is wanted, or whoever asked knows the contract and says nothing of
/// what is wanted.
fn wants_object(asked: &Interrupt) -> bool {
    match &asked.response_schema {
        Some(schema) => schema.get("type") == Some(&json!("object")),
        None => net::Interrupt::of(asked).is_some(),
    }
}

/// Records one answer of several, and asks the next question, or shows how the thread goes on.
async fn next_question(
    app: &App,
    caller: &Visitor,
    input: &RunAgentInput,
    entry: &ResumeEntry,
    pending: &[Interrupt],
) -> Result<Response, ApiError> {
    let verdict = match (entry.status, entry.payload.clone()) {
        (ResumeStatus::Resolved, payload) => Verdict { status: ResumeStatus::Resolved, payload },
        _ => Verdict::cancelled(),
    };
    let ruling =
        app.stage.decide_on(&caller.decider(), &input.thread_id, &entry.interrupt_id, verdict).await?;
    if let Some(started) = ruling.run {
        return Ok(stream_of(app, started));
    }
    let next = pending.iter().find(|question| question.id != entry.interrupt_id);
    let next = next.map(|question| Encoder::default().interrupt(question));
    let (thread_id, run_id) = (&input.thread_id, &input.run_id);
    let frames = [
        json!({ "type": "RUN_STARTED", "threadId": thread_id, "runId": run_id }),
        json!({ "type": "RUN_FINISHED", "threadId": thread_id, "runId": run_id, "outcome": "interrupt", "interrupt": next }),
    ];
    Ok(with_headers(Body::from(frames_of(&frames)), "text/event-stream"))
}

/// Of a run that waits, the question is shown that still has no answer.
fn encoder_for(joined: &Joined) -> Encoder {
    match &joined.waits_for {
        Some(waits_for) => Encoder::waiting_for(waits_for.clone()),
        None => Encoder::default(),
    }
}

fn stream_of(app: &App, started: Started) -> Response {
    let follower = app.stage.follow_run(&started.thread_id, &started.run_id, started.before);
    respond(app, Encoder::default(), &[], Some(follower))
}
