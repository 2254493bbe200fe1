//! `GET /v1/threads/{thread}/events`: follow a thread from anywhere.

use axum::{Router, extract::State, http::HeaderMap, response::Response, routing::get};
use forestage_protocol::id::ThreadId;
use forestage_runtime::{Cursor, Follower, Prelude};
use forestage_store::{Seq, Thread};
use serde::Deserialize;

use super::{
    Path, Query,
    runs::{coalesce, last_event_id},
};
use crate::{
    app::App,
    auth::Reader,
    dialect::agui0::{Protocol, questions_before},
    error::ApiError,
    transport::{
        form::Form,
        jsonl, proto,
        sse::{self, Manner},
    },
};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/threads/{thread}/events", get(follow))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EventsQuery {
    /// A cursor, or `start`.
    after: Option<String>,
    /// `false` ends at the present end.
    live: Option<bool>,
    #[serde(default)]
    format: Framing,
    coalesce: Option<u64>,
    /// The version of AG-UI that the client reads.
    protocol: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Framing {
    #[default]
    Sse,
    Jsonl,
}

async fn follow(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ThreadId>,
    Query(query): Query<EventsQuery>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let thread = app.stage.thread(&reader.owner, &id).await?;
    let live = query.live.unwrap_or(query.format == Framing::Sse);
    // An export begins at the beginning; a viewer who joins gets the conversation as it stands.
    let after = query.after.or_else(|| (query.format == Framing::Jsonl).then(|| "start".to_owned()));
    let asked = Protocol::asked(query.protocol.as_deref())?;
    let place = place(after.as_deref(), &headers)?;
    let (follower, prelude) = from(&app, &thread, place, live).await?;
    let response = if query.format == Framing::Jsonl {
        // An export is the log as it is, unless somebody wants it otherwise.
        let form = form(&app, place, asked.unwrap_or(Protocol::Current), &follower).await?;
        jsonl::respond(follower, form, app.ending.clone())
    } else if proto::is_wanted(&headers) {
        proto::refuse_older(asked)?;
        proto::respond(follower, prelude, app.ending.clone())
    } else {
        let manner = Manner { coalesce: coalesce(query.coalesce), keep_alive: app.keep_alive() };
        let form = form(&app, place, Protocol::or_unstated(asked), &follower).await?;
        sse::respond(follower, prelude, form, manner, app.ending.clone())
    };
    Ok(reader.while_open(&app, response))
}

/// Where a viewer wants to begin.
#[derive(Clone, Copy, Debug)]
pub(crate) enum From {
    /// With the conversation as it stands.
    Prelude,
    /// With the first event.
    Start,
    /// Behind a cursor.
    Cursor(Cursor),
}

/// How events are written for a viewer who begins at `place`. What it has before a cursor is not known, but for the questions
/// that it was shown as text.
pub(crate) async fn form(
    app: &App,
    place: From,
    protocol: Protocol,
    follower: &Follower,
) -> Result<Form, ApiError> {
    let conversation = match place {
        From::Prelude | From::Start => Some(Vec::new()),
        From::Cursor(_) => None,
    };
    let questions = questions_before(app, protocol, follower.thread_id(), follower.after()).await?;
    Ok(Form::after(protocol, conversation, questions))
}

fn place(after: Option<&str>, headers: &HeaderMap) -> Result<From, ApiError> {
    // The header is set by a browser that reconnects, so it is newer than what the page once asked for.
    match (last_event_id(headers)?, after) {
        (Some(cursor), _) => Ok(From::Cursor(cursor)),
        (None, text) => parse_place(text),
    }
}

/// A place as it is written: a cursor, `start`, or nothing.
pub(crate) fn parse_place(text: Option<&str>) -> Result<From, ApiError> {
    match text {
        None | Some("") => Ok(From::Prelude),
        Some("start") => Ok(From::Start),
        Some(text) => Ok(From::Cursor(text.parse()?)),
    }
}

/// A follower from there, and what has to be said before.
pub(crate) async fn from(
    app: &App,
    thread: &Thread,
    place: From,
    live: bool,
) -> Result<(Follower, Option<Prelude>), ApiError> {
    let follow = |after: Seq| match live {
        true => app.stage.follow(thread, after),
        false => app.stage.read(thread, after),
    };
    match place {
        From::Start => Ok((follow(Seq::START), None)),
        From::Cursor(cursor) if app.stage.has_place(thread, cursor) => Ok((follow(cursor.seq), None)),
        // A cursor that says nothing about this thread as it is now.
        From::Prelude | From::Cursor(_) => {
            let prelude = app.stage.prelude(thread).await?;
            let after = prelude.as_ref().map_or(Seq::START, |prelude| prelude.cursor.seq);
            Ok((follow(after), prelude))
        }
    }
}
