//! `POST /v1/interrupts/{interrupt}`: what somebody decides, and what became of it.

use forestage_protocol::{
    id::{RunId, ThreadId},
    interrupt::ResumeStatus,
    json::Json,
};
use forestage_runtime::{Effect, Ruling, Started, Verdict};
use forestage_store::Viewer;
use serde::{Deserialize, Serialize};

use super::shown::Shown;
use crate::error::ApiError;

/// An answer in general, or an approval in short.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct Decision {
    status: Option<Status>,
    payload: Option<Json>,
    approved: Option<bool>,
    edited_args: Option<Json>,
    /// What is said instead of a draft.
    text: Option<String>,
    /// What is shown instead of the view of a draft.
    view: Option<Json>,
    reason: Option<String>,
    remember: Option<Remember>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    Resolved,
    Cancelled,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Remember {
    Thread,
    Always,
}

/// The payload of an approval.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Approval {
    approved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    edited_args: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<Json>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remember: Option<Remember>,
}

impl Decision {
    pub(super) fn into_verdict(self) -> Result<Verdict, ApiError> {
        let is_short = self.edited_args.is_some()
            || self.text.is_some()
            || self.view.is_some()
            || self.reason.is_some()
            || self.remember.is_some();
        match self {
            Self { status: Some(status), approved: None, payload, .. } if !is_short => {
                Ok(Verdict { status: status.into(), payload })
            }
            Self {
                status: None,
                payload: None,
                approved: Some(approved),
                edited_args,
                text,
                view,
                reason,
                remember,
            } => {
                let approval = Approval { approved, edited_args, text, view, reason, remember };
                let payload = serde_json::value::to_raw_value(&approval).map_err(|error| invalid(&error))?;
                Ok(Verdict { status: ResumeStatus::Resolved, payload: Some(payload.into()) })
            }
            _ => Err(invalid(
                &"say either `status`, with a `payload`, or `approved`, with `editedArgs`, `text`, \
                               `view`, `reason` and `remember`",
            )),
        }
    }
}

impl From<Status> for ResumeStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Resolved => Self::Resolved,
            Status::Cancelled => Self::Cancelled,
        }
    }
}

fn invalid(why: &dyn std::fmt::Display) -> ApiError {
    ApiError::wrong_shape(why.to_string())
}

/// What became of it, as clients see it.
#[derive(Serialize)]
pub(super) struct ShownRuling<'r> {
    effect: &'static str,
    interrupt: Shown<'r>,
    run: Option<ShownRun<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ShownRun<'r> {
    thread_id: &'r ThreadId,
    run_id: &'r RunId,
}

impl<'r> ShownRuling<'r> {
    pub(super) fn new(ruling: &'r Ruling, viewer: &Viewer) -> Self {
        let effect = match ruling.effect {
            Effect::Decided => "decided",
            Effect::Counted { .. } => "counted",
            Effect::Repeated => "repeated",
        };
        let run = |started: &'r Started| ShownRun { thread_id: &started.thread_id, run_id: &started.run_id };
        let interrupt = Shown::new(&ruling.record, viewer);
        Self { effect, interrupt, run: ruling.run.as_ref().map(run) }
    }
}
