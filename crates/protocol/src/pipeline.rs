//! The whole way of an event, from text to conversation.
//!
//! ```text
//! text ─> compatibility boundary ─> enforcement ─> chunk expansion ─> verification ─> application
//! ```
//!
//! The order is the protocol's and the same for live streams, replays and files. What was delivered before a
//! fault stays delivered.

use serde::Serialize;
use serde_json::Value;

use crate::{
    apply::ThreadView,
    chunks::Expander,
    codec::proto::{self, Decoded},
    compat::{self, Boundary, PeerVersion},
    enforce,
    event::{Event, RunStarted},
    id::ThreadId,
    notice::{Fault, Warning},
    scan,
    verify::{Verifier, Violation},
};

/// The version of AG-UI that this crate speaks.
pub const PROTOCOL_VERSION: &str = "1.0";

/// Why a stream was refused, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("event {index}: {message}")]
pub struct StreamError {
    /// The event at fault, counted from 0; the number of events where the end is at fault.
    pub index: usize,
    /// A stable name for programs.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// Where in the event, as a JSON Pointer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl StreamError {
    fn fault(index: usize, fault: Fault) -> Self {
        Self { index, code: fault.code, message: fault.message, path: Some(fault.path) }
    }

    fn violation(index: usize, violation: Violation) -> Self {
        Self { index, code: violation.rule.code(), message: violation.message, path: None }
    }
}

/// Reads a stream: retired shapes translated, unknown things stripped, chunks expanded, order verified.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    boundary: Boundary,
    peer: Option<PeerVersion>,
    expander: Expander,
    verifier: Verifier,
    expanded: Vec<Event>,
    warnings: Vec<Warning>,
    index: usize,
    failed: bool,
}

impl Reader {
    /// A reader of a stream that answers an input on this thread.
    #[must_use]
    pub fn for_thread(thread_id: ThreadId) -> Self {
        Self { verifier: Verifier::for_thread(thread_id), ..Self::default() }
    }

    /// The same towards a peer that speaks an older version at most.
    #[must_use]
    pub fn with_peer(self, peer: Option<PeerVersion>) -> Self {
        Self { peer, ..self }
    }

    /// The same for a producer that may speak AGUI.Protocol, whose shapes are translated, see
    /// [`crate::compat::net`].
    #[must_use]
    pub fn with_net(self) -> Self {
        Self { boundary: self.boundary.with_net(), ..self }
    }

    /// Takes one event as JSON text and hands on what it becomes.
    pub fn read_json(&mut self, text: &str, mut deliver: impl FnMut(Event)) -> Result<(), StreamError> {
        let event = self.decode(text).map_err(|fault| self.fail(fault));
        match event? {
            Some(event) => self.read(event, &mut deliver),
            None => self.skip(),
        }
    }

    /// Takes one event as protobuf and hands on what it becomes.
    pub fn read_proto(&mut self, bytes: &[u8], mut deliver: impl FnMut(Event)) -> Result<(), StreamError> {
        match proto::decode(bytes) {
            Ok(Decoded::Event(event, notes)) => {
                for note in notes {
                    self.warn(Warning::new("unknown_value", note));
                }
                self.read(*event, &mut deliver)
            }
            Ok(Decoded::Unknown { arm }) => {
                self.warn(Warning::new(
                    "unknown_event_type",
                    format!("dropped an event of unknown kind {arm}"),
                ));
                self.skip()
            }
            Ok(Decoded::Dropped(notes)) => {
                for note in notes {
                    self.warn(Warning::new("unknown_value", format!("dropped an event: {note}")));
                }
                self.skip()
            }
            Err(error) => Err(self.fail(Fault::new(error.code(), "", error.to_string()))),
        }
    }

    /// Takes one event that is typed already.
    pub fn read(&mut self, event: Event, deliver: &mut impl FnMut(Event)) -> Result<(), StreamError> {
        if let Event::RunStarted(event) = &event {
            self.boundary.enter_run(&event.run_id);
            self.compare_version(event);
        }
        if self.expander.passes(&event) {
            self.hand_on(event, deliver).map_err(|violation| self.break_off(violation))?;
            return self.skip();
        }
        let mut expanded = std::mem::take(&mut self.expanded);
        let result = self.expander.expand(event, &mut expanded);
        let result =
            result.and_then(|()| expanded.drain(..).try_for_each(|event| self.hand_on(event, deliver)));
        self.expanded = expanded;
        result.map_err(|violation| self.break_off(violation))?;
        self.skip()
    }

    fn hand_on(&mut self, mut event: Event, deliver: &mut impl FnMut(Event)) -> Result<(), Violation> {
        if self.predates_subagents() {
            let mark = self.warnings.len();
            let stays = compat::without_subagents(&mut event, &mut self.warnings);
            self.number_from(mark);
            if !stays {
                return Ok(());
            }
        }
        let Some((before, after)) = self.boundary.around(&event) else {
            return self.verified(event, deliver);
        };
        before.into_iter().chain([event]).chain(after).try_for_each(|event| self.verified(event, deliver))
    }

    fn verified(&mut self, event: Event, deliver: &mut impl FnMut(Event)) -> Result<(), Violation> {
        self.verifier.check(&event)?;
        deliver(event);
        Ok(())
    }

    fn predates_subagents(&self) -> bool {
        self.peer.is_some_and(PeerVersion::predates_subagents)
    }

    fn number_from(&mut self, mark: usize) {
        for warning in &mut self.warnings[mark..] {
            warning.index = Some(self.index);
        }
    }

    /// No more events come.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        self.verifier.finish().map_err(|violation| self.break_off(violation))
    }

    /// What there was to say so far; each warning is handed out once.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// How many events were read.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Whether the stream was refused. Nothing should be read any more then.
    #[must_use]
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    fn decode(&mut self, text: &str) -> Result<Option<Event>, Fault> {
        scan::check_event_depth(text)?;
        if let Ok(event) = Event::read_text(text) {
            return Ok(Some(event));
        }
        let mut value: Value = enforce::tree(text)?;
        let name = enforce::event_type(&value)?;
        if self.predates_subagents() && name.starts_with("SUBAGENT_") {
            self.warn(compat::no_subagents(name));
            return Ok(None);
        }
        let mark = self.warnings.len();
        self.boundary.upgrade(&mut value, self.index, &mut self.warnings);
        let event = enforce::enforce(value, &mut self.warnings);
        self.number_from(mark);
        event
    }

    fn compare_version(&mut self, event: &RunStarted) {
        let Some(declared) = &event.protocol_version else {
            return;
        };
        match version(declared) {
            None => {
                let message = format!("cannot interpret the producer's protocol version `{declared}`");
                self.warn(Warning::at("version_unreadable", "/protocolVersion", message));
            }
            Some(theirs) if Some(theirs) > version(PROTOCOL_VERSION) => {
                let message = format!("the producer speaks {declared}, newer than {PROTOCOL_VERSION}");
                self.warn(Warning::at("version_newer", "/protocolVersion", message));
            }
            Some(_) => {}
        }
    }

    fn warn(&mut self, warning: Warning) {
        self.warnings.push(Warning { index: Some(self.index), ..warning });
    }

    fn skip(&mut self) -> Result<(), StreamError> {
        self.index += 1;
        Ok(())
    }

    fn fail(&mut self, fault: Fault) -> StreamError {
        self.failed = true;
        StreamError::fault(self.index, fault)
    }

    fn break_off(&mut self, violation: Violation) -> StreamError {
        self.failed = true;
        StreamError::violation(self.index, violation)
    }
}

/// `MAJOR.MINOR`, compared as numbers.
fn version(text: &str) -> Option<(u32, u32)> {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (major, minor) = text.split_once('.').filter(|(major, minor)| digits(major) && digits(minor))?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Folds a stream into a conversation: a [`Reader`] with a [`ThreadView`] behind it.
#[derive(Clone, Debug, Default)]
pub struct Fold {
    reader: Reader,
    view: ThreadView,
}

impl Fold {
    /// A fold of what a reader delivers, onto a conversation.
    #[must_use]
    pub fn new(reader: Reader, view: ThreadView) -> Self {
        Self { reader, view }
    }

    /// Takes one event as JSON text; `seen` gets each event that is delivered.
    pub fn read_json(&mut self, text: &str, mut seen: impl FnMut(Event)) -> Result<(), StreamError> {
        let (view, mut said) = (&mut self.view, Vec::new());
        let result = self.reader.read_json(text, |event| apply(view, event, &mut said, &mut seen));
        self.hear(said);
        result
    }

    /// Takes one event as protobuf; `seen` gets each event that is delivered.
    pub fn read_proto(&mut self, bytes: &[u8], mut seen: impl FnMut(Event)) -> Result<(), StreamError> {
        let (view, mut said) = (&mut self.view, Vec::new());
        let result = self.reader.read_proto(bytes, |event| apply(view, event, &mut said, &mut seen));
        self.hear(said);
        result
    }

    /// No more events come.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        self.reader.finish()
    }

    /// The conversation so far.
    #[must_use]
    pub fn view(&self) -> &ThreadView {
        &self.view
    }

    /// What there was to say so far; each warning is handed out once.
    pub fn take_warnings(&mut self) -> Vec<Warning> {
        self.reader.take_warnings()
    }

    fn hear(&mut self, said: Vec<Warning>) {
        // The reader has counted the event already, unless it failed on it.
        let index = self.reader.index.saturating_sub(usize::from(!self.reader.failed));
        self.reader
            .warnings
            .extend(said.into_iter().map(|warning| Warning { index: Some(index), ..warning }));
    }
}

fn apply(view: &mut ThreadView, event: Event, said: &mut Vec<Warning>, seen: &mut impl FnMut(Event)) {
    said.extend(view.apply(&event).warning.map(|warning| *warning));
    seen(event);
}
