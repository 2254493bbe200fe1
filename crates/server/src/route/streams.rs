//! `POST /v1/streams/verify`: is this stream legal, and if not, where and why?
//!
//! For recordings that no thread was made of, and for tools that show what they read. Nothing is kept.

use axum::{
    Json, Router,
    extract::{Request, State},
    http::StatusCode,
    routing::post,
};
use forestage_protocol::{
    codec::{Format, Framer, sniff_end},
    event::Event,
    notice::Warning,
    pipeline::{Fold, Reader, StreamError},
};
use serde::Serialize;
use serde_json::Value;

use crate::{
    app::App,
    auth::Caller,
    error::ApiError,
    intake::{Allowance, recording_of},
};

pub(crate) fn routes() -> Router<App> {
    Router::new().route("/v1/streams/verify", post(verify))
}

/// The body is a JSON array, JSON lines or an event stream; its first bytes tell which.
async fn verify(
    State(app): State<App>,
    Caller(_): Caller,
    request: Request,
) -> Result<Json<Judgement>, ApiError> {
    let text = recording_of(request, &app).await?;
    let allowance = Allowance::of_recording(text.len(), &app.http);
    let framer = framer(&text, app.http.max_body_bytes)?;
    // A large recording takes a while, and others are waiting for this thread.
    let judged = tokio::task::spawn_blocking(move || judge(&text, framer, allowance)).await;
    let judged = judged.map_err(|_| {
        let told = "the verifier gave up on this stream";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal_error", told)
    })?;
    judged.map(Json)
}

/// A frame may be as long as the body that was taken.
fn framer(text: &str, limit: usize) -> Result<Box<dyn Framer + Send>, ApiError> {
    if text.trim().is_empty() {
        return Ok(Format::Jsonl.framer(limit));
    }
    match sniff_end(text.as_bytes()) {
        Some(format @ (Format::Array | Format::Jsonl | Format::Sse)) => Ok(format.framer(limit)),
        Some(Format::Protobuf) | None => {
            let told = "cannot tell how the body is written";
            Err(ApiError::no_json(told)
                .hint("send a JSON array of events, one event on a line, or an event stream"))
        }
    }
}

/// What there is to say about a stream.
#[derive(Debug, Default, Serialize)]
struct Judgement {
    /// Whether it is legal; warnings do not count.
    ok: bool,
    events: usize,
    runs: usize,
    findings: Vec<Finding>,
}

/// Something that was found at an event.
#[derive(Debug, Serialize)]
struct Finding {
    /// The event, counted from 0; the number of events where the end is at fault.
    index: usize,
    severity: Severity,
    code: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Severity {
    Error,
    Warning,
}

fn judge(
    text: &str,
    mut framer: Box<dyn Framer + Send>,
    mut allowance: Allowance,
) -> Result<Judgement, ApiError> {
    let mut judge = Judge::default();
    framer.push(text.as_bytes());
    loop {
        match framer.finish() {
            Ok(Some(frame)) => {
                let event = String::from_utf8_lossy(&frame.data);
                let at = |error: ApiError| error.at(format!("[{}]", judge.found.events));
                allowance.spend(&event).map_err(at)?;
                judge.take(&event);
            }
            Ok(None) => return Ok(judge.close()),
            Err(error) => {
                let index = judge.found.events;
                let (code, message) = (error.code(), error.to_string());
                judge.found.findings.push(Finding {
                    index,
                    severity: Severity::Error,
                    code,
                    message,
                    path: None,
                });
                return Ok(judge.told());
            }
        }
    }
}

/// Judges a stream, and goes on with the next run where one broke a rule: a reader wants to see all that is wrong.
#[derive(Default)]
struct Judge {
    fold: Fold,
    /// How many events came before those that this fold has read.
    offset: usize,
    /// Whether the rest of a run is passed over.
    passing: bool,
    found: Judgement,
}

impl Judge {
    fn take(&mut self, text: &str) {
        if self.passing && begins_run(text) {
            self.begin_again();
        }
        if !self.passing {
            let runs = &mut self.found.runs;
            let count = |event| *runs += usize::from(matches!(event, Event::RunStarted(_)));
            let result = self.fold.read_json(text, count);
            self.hear(result);
        }
        self.found.events += 1;
    }

    /// The conversation stays, so that patches of later runs are held against what was there.
    fn begin_again(&mut self) {
        self.fold = Fold::new(Reader::default(), self.fold.view().clone());
        self.offset = self.found.events;
        self.passing = false;
    }

    fn hear(&mut self, result: Result<(), StreamError>) {
        for warning in self.fold.take_warnings() {
            let finding = self.warned(warning);
            self.found.findings.push(finding);
        }
        if let Err(error) = result {
            self.passing = true;
            self.found.findings.push(Finding {
                index: self.offset + error.index,
                severity: Severity::Error,
                code: error.code,
                message: error.message,
                path: error.path,
            });
        }
    }

    fn warned(&self, warning: Warning) -> Finding {
        Finding {
            index: warning.index.map_or(self.found.events, |index| self.offset + index),
            severity: Severity::Warning,
            code: warning.code,
            message: warning.message,
            path: warning.path,
        }
    }

    fn close(mut self) -> Judgement {
        if !self.passing && self.found.events > 0 {
            let result = self.fold.finish();
            self.hear(result);
        }
        self.told()
    }

    fn told(mut self) -> Judgement {
        self.found.ok = self.found.findings.iter().all(|finding| finding.severity == Severity::Warning);
        self.found
    }
}

fn begins_run(text: &str) -> bool {
    let event: Option<Value> = serde_json::from_str(text).ok();
    event.is_some_and(|event| event["type"] == "RUN_STARTED")
}
