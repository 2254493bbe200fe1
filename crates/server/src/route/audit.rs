//! `GET /v1/audit`: what was asked, decided and refused, in a row that can only grow.
//!
//! The details of an entry are a text here, not JSON in JSON: the seal is over their bytes, and a tool that reads and
//! writes JSON would not keep these.

use std::borrow::Cow;

use axum::{
    Json, Router,
    body::Body,
    extract::State,
    response::{IntoResponse, Response},
    routing::get,
};
use forestage_protocol::id::{InterruptId, ThreadId};
use forestage_store::{AuditEntry, AuditQuery, NewAudit, StoreError};
use futures_util::{StreamExt, stream};
use serde::{Deserialize, Serialize};

use super::Query;
use crate::{app::App, auth::Caller, error::ApiError, transport::sse::with_headers};

/// A list never has more, and so many are read at a time for an export.
const MAX_PAGE: usize = 1000;

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/audit", get(list))
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TrailQuery {
    thread: Option<ThreadId>,
    interrupt: Option<InterruptId>,
    /// Behind this number.
    #[serde(default)]
    after: u64,
    limit: Option<usize>,
    #[serde(default)]
    format: Form,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Form {
    #[default]
    Json,
    Jsonl,
}

async fn list(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<TrailQuery>,
) -> Result<Response, ApiError> {
    let is_whole = caller.is_auditor();
    let mut wanted = AuditQuery {
        owner: (!is_whole).then_some(caller.user),
        thread_id: query.thread,
        interrupt_id: query.interrupt,
        after: query.after,
        limit: query.limit.unwrap_or(usize::MAX),
    };
    if query.format == Form::Jsonl {
        return Ok(export(app, wanted));
    }
    let limit = query.limit.unwrap_or(100).clamp(1, MAX_PAGE);
    wanted.limit = limit + 1;
    let mut entries = app.stage.store().audit_trail(wanted).await?;
    let has_more = entries.len() > limit;
    entries.truncate(limit);
    let next_cursor = entries.last().filter(|_| has_more).map(|last| last.seq.to_string());
    let entries = entries.iter().map(Shown::from).collect();
    Ok(Json(ShownPage { entries, all: is_whole, next_cursor }).into_response())
}

/// All of it up to its present end, one entry on a line. If others lie between them, the first line says so: seals can
/// be checked over a whole trail only.
fn export(app: App, wanted: AuditQuery) -> Response {
    let marker = stream::iter(marker(&wanted).map(Ok));
    let entries = stream::try_unfold((app, wanted), |(app, mut wanted)| async move {
        let page = AuditQuery { limit: wanted.limit.min(MAX_PAGE), ..wanted.clone() };
        // A failure breaks the connection: what ends in order would be taken for the whole trail.
        let entries = app.stage.store().audit_trail(page).await?;
        let Some(last) = entries.last() else { return Ok::<_, StoreError>(None) };
        wanted.after = last.seq;
        wanted.limit -= entries.len();
        Ok(Some((lines(&entries), (app, wanted))))
    });
    with_headers(Body::from_stream(marker.chain(entries)), "application/x-ndjson")
}

/// What entries were chosen by, if any are left out.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Filtered<'q> {
    #[serde(skip_serializing_if = "Option::is_none")]
    owner: Option<&'q str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread_id: Option<&'q ThreadId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interrupt_id: Option<&'q InterruptId>,
}

fn marker(wanted: &AuditQuery) -> Option<Vec<u8>> {
    let AuditQuery { owner, thread_id, interrupt_id, .. } = wanted;
    let filtered = Filtered {
        owner: owner.as_deref(),
        thread_id: thread_id.as_ref(),
        interrupt_id: interrupt_id.as_ref(),
    };
    let is_whole = owner.is_none() && thread_id.is_none() && interrupt_id.is_none();
    (!is_whole).then(|| format!("{}\n", serde_json::json!({ "filtered": filtered })).into_bytes())
}

fn lines(entries: &[AuditEntry]) -> Vec<u8> {
    let mut out = Vec::new();
    for entry in entries {
        out.extend(serde_json::to_vec(&Shown::from(entry)).unwrap_or_default());
        out.push(b'\n');
    }
    out
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownPage<'e> {
    entries: Vec<Shown<'e>>,
    /// Whether these are everybody's, so that nothing is missing between them unless it was filtered out.
    all: bool,
    next_cursor: Option<String>,
}

/// An entry as clients see it: all that its seal is over, in that order, and the seal.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'e> {
    seq: u64,
    at: i64,
    kind: &'e str,
    actor: &'e str,
    origin: &'e str,
    owner: &'e str,
    thread_id: Option<&'e ThreadId>,
    interrupt_id: Option<&'e InterruptId>,
    json: Cow<'e, str>,
    hash: String,
}

impl<'e> From<&'e AuditEntry> for Shown<'e> {
    fn from(AuditEntry { seq, entry, hash }: &'e AuditEntry) -> Self {
        let NewAudit { at, kind, actor, origin, owner, thread_id, interrupt_id, json } = entry;
        Self {
            seq: *seq,
            at: *at,
            kind,
            actor,
            origin,
            owner,
            thread_id: thread_id.as_ref(),
            interrupt_id: interrupt_id.as_ref(),
            json: String::from_utf8_lossy(json),
            hash: hash.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }
}
