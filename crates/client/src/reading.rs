//! From frames to events: the protocol's reader, and what comes before it can be used.
//!
//! A stream that is joined behind a cursor begins in the middle of a run. What is open there is not known, so
//! nothing can be verified until the next run starts; shapes are enforced and chunks expanded all the same.

use std::str;

use forestage_protocol::{
    Fault, Warning,
    chunks::Expander,
    compat::{Boundary, PeerVersion},
    enforce,
    event::Event,
    id::ThreadId,
    pipeline::{Reader, StreamError},
};

/// Reads the events of one thread, over any number of connections.
#[derive(Debug)]
pub(crate) struct Reading {
    reader: Reader,
    /// Set while the stream has been joined in the middle of a run.
    joined: Option<Joined>,
    has_ended: bool,
    events: usize,
}

impl Reading {
    /// A stream that begins with a run.
    pub(crate) fn from_start(thread_id: &ThreadId) -> Self {
        Self { reader: Reader::for_thread(thread_id.clone()), joined: None, has_ended: false, events: 0 }
    }

    /// A stream that begins anywhere.
    pub(crate) fn from_middle(thread_id: &ThreadId) -> Self {
        Self { joined: Some(Joined::default()), ..Self::from_start(thread_id) }
    }

    /// The same towards a peer that speaks an older version at most.
    pub(crate) fn with_peer(self, peer: Option<PeerVersion>) -> Self {
        Self { reader: self.reader.with_peer(peer), ..self }
    }

    /// Whether the last run of the stream so far has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// How many events were handed on.
    pub(crate) fn events(&self) -> usize {
        self.events
    }

    /// Takes one event as JSON and appends what it becomes, also where it fails half-way.
    pub(crate) fn read_json(&mut self, bytes: &[u8], out: &mut Vec<Event>) -> Result<(), StreamError> {
        let mark = out.len();
        let result = self.decode_json(bytes, out);
        self.note(&out[mark..]);
        result
    }

    /// Takes one event as protobuf and appends what it becomes. Streams in protobuf have no cursors, so they are
    /// never joined in the middle.
    pub(crate) fn read_protobuf(&mut self, bytes: &[u8], out: &mut Vec<Event>) -> Result<(), StreamError> {
        let mark = out.len();
        let result = self.reader.read_proto(bytes, |event| out.push(event));
        self.note(&out[mark..]);
        result
    }

    pub(crate) fn take_warnings(&mut self) -> Vec<Warning> {
        let mut warnings = self.joined.as_mut().map(|joined| std::mem::take(&mut joined.warnings));
        let mut warnings = warnings.take().unwrap_or_default();
        warnings.extend(self.reader.take_warnings());
        warnings
    }

    fn decode_json(&mut self, bytes: &[u8], out: &mut Vec<Event>) -> Result<(), StreamError> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let fault = Fault::new("not_utf8", "", format!("the event is not UTF-8: {error}"));
            refusal(self.reader.index(), fault)
        })?;
        let Some(joined) = &mut self.joined else {
            return self.reader.read_json(text, |event| out.push(event));
        };
        match joined.read(text, out)? {
            Next::Middle => Ok(()),
            Next::Start => {
                self.joined = None;
                self.reader.read_json(text, |event| out.push(event))
            }
        }
    }

    fn note(&mut self, events: &[Event]) {
        self.events += events.len();
        for event in events {
            match event {
                Event::RunStarted(_) => self.has_ended = false,
                Event::RunFinished(_) | Event::RunError(_) => self.has_ended = true,
                _ => {}
            }
        }
    }
}

/// The stages that need no beginning.
#[derive(Debug, Default)]
struct Joined {
    boundary: Boundary,
    expander: Expander,
    warnings: Vec<Warning>,
    index: usize,
}

enum Next {
    Middle,
    /// The event starts a run, from where on everything is known.
    Start,
}

impl Joined {
    fn read(&mut self, text: &str, out: &mut Vec<Event>) -> Result<Next, StreamError> {
        let event = self.decode(text).map_err(|fault| refusal(self.index, fault))?;
        if matches!(event, Some(Event::RunStarted(_))) {
            return Ok(Next::Start);
        }
        if let Some(event) = event {
            self.expander.expand(event, out).map_err(|violation| StreamError {
                index: self.index,
                code: violation.rule.code(),
                message: violation.message,
                path: None,
            })?;
        }
        self.index += 1;
        Ok(Next::Middle)
    }

    fn decode(&mut self, text: &str) -> Result<Option<Event>, Fault> {
        if let Ok(event) = Event::from_json(text) {
            return Ok(Some(event));
        }
        let mut value = enforce::tree(text)?;
        self.boundary.upgrade(&mut value, self.index, &mut self.warnings);
        enforce::enforce(value, &mut self.warnings)
    }
}

fn refusal(index: usize, fault: Fault) -> StreamError {
    StreamError { index, code: fault.code, message: fault.message, path: Some(fault.path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reading: &mut Reading, text: &str) -> Result<Vec<&'static str>, StreamError> {
        let mut out = Vec::new();
        reading.read_json(text.as_bytes(), &mut out)?;
        Ok(out.iter().map(|event| event.event_type().as_str()).collect())
    }

    #[test]
    fn a_joined_stream_is_verified_from_the_next_run_on() {
        let mut reading = Reading::from_middle(&"t".into());
        let content = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"}"#;
        assert_eq!(read(&mut reading, content), Ok(vec!["TEXT_MESSAGE_CONTENT"]));
        let finished = r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#;
        assert_eq!(read(&mut reading, finished), Ok(vec!["RUN_FINISHED"]));
        assert!(reading.has_ended());
        let started = r#"{"type":"RUN_STARTED","threadId":"t","runId":"r2"}"#;
        assert_eq!(read(&mut reading, started), Ok(vec!["RUN_STARTED"]));
        assert!(!reading.has_ended());
        assert_eq!(read(&mut reading, content).expect_err("not open").code, "text_message_not_open");
    }

    #[test]
    fn a_joined_stream_is_enforced_and_expanded_at_once() {
        let mut reading = Reading::from_middle(&"t".into());
        let chunk = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"x","extra":1}"#;
        assert_eq!(read(&mut reading, chunk), Ok(vec!["TEXT_MESSAGE_START", "TEXT_MESSAGE_CONTENT"]));
        assert_eq!(reading.take_warnings().len(), 1);
        let malformed = r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":7}"#;
        assert_eq!(read(&mut reading, malformed).expect_err("malformed").path.as_deref(), Some("/messageId"));
    }

    #[test]
    fn what_is_wrong_in_a_joined_stream_is_counted_from_where_it_was_joined() {
        let mut reading = Reading::from_middle(&"t".into());
        let content = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"x"}"#;
        read(&mut reading, content).expect("legal");
        read(&mut reading, content).expect("legal");
        let malformed = r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":7,"delta":"x"}"#;
        assert_eq!(read(&mut reading, malformed).expect_err("malformed").index, 2);
        assert_eq!(reading.events(), 2);
    }

    #[test]
    fn bytes_that_are_not_text_are_refused() {
        let error = Reading::from_start(&"t".into()).read_json(b"\"\xff\"", &mut Vec::new());
        assert_eq!(error.expect_err("not UTF-8").code, "not_utf8");
    }
}
