//! What happened to an interrupt, as a frame that all who follow share.

use std::sync::OnceLock;

use bytes::Bytes;
use forestage_protocol::codec::sse;
use forestage_store::{InterruptRecord, Viewer};
use serde::Serialize;

use super::shown::{Shown, risk_of};

/// A piece of news, for one viewer.
#[derive(Debug)]
pub(super) struct News {
    kind: &'static str,
    record: InterruptRecord,
    viewer: Viewer,
    risk: OnceLock<Option<String>>,
    frame: OnceLock<Bytes>,
}

impl News {
    /// Something of this kind has happened to a question.
    pub(super) fn new(kind: &'static str, record: InterruptRecord, viewer: &Viewer) -> Self {
        let (risk, frame) = (OnceLock::new(), OnceLock::new());
        Self { kind, record, viewer: viewer.clone(), risk, frame }
    }

    pub(super) fn record(&self) -> &InterruptRecord {
        &self.record
    }

    /// Whether the question waits no more.
    pub(super) fn is_gone(&self) -> bool {
        matches!(self.kind, "decided" | "closed")
    }

    /// The risk that the asker sees in it, read once for all who filter by it.
    pub(super) fn risk(&self) -> Option<&str> {
        self.risk.get_or_init(|| risk_of(&self.record)).as_deref()
    }

    /// As a frame of an event stream, written once.
    pub(super) fn frame(&self) -> &Bytes {
        self.frame.get_or_init(|| self.write(self.kind))
    }

    /// As a frame that tells something else of the same question, to somebody who was too far behind to hear it in order.
    pub(super) fn write(&self, kind: &'static str) -> Bytes {
        let told = Told { kind, interrupt: Shown::new(&self.record, &self.viewer) };
        let mut out = Vec::new();
        sse::encode(&serde_json::to_vec(&told).unwrap_or_default(), None, &mut out);
        out.into()
    }
}

#[derive(Serialize)]
struct Told<'r> {
    #[serde(rename = "type")]
    kind: &'static str,
    interrupt: Shown<'r>,
}
