//! Entries that travel together: usually one commit.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use forestage_protocol::id::RunId;
use forestage_store::{Entry, Seq};

use super::{Cursor, shorten};

/// Some entries of one log, in order and at least one. Shared by all viewers, and framed once for all of them.
#[derive(Debug)]
pub struct Batch {
    epoch: i64,
    content: Content,
    json_bytes: usize,
    /// Whether it is known to be the last of its run.
    ends_run: bool,
    sse: OnceLock<Bytes>,
}

#[derive(Debug)]
enum Content {
    /// A commit of a run of this process. Event streams need its bytes and nothing else, so the entries are only made
    /// for those who ask for them.
    Said { run_id: RunId, first: Seq, events: Arc<[Bytes]>, entries: OnceLock<Vec<Entry>> },
    /// As it was read.
    Read(Vec<Entry>),
}

impl Batch {
    pub(crate) fn new(epoch: i64, entries: Vec<Entry>) -> Self {
        debug_assert!(!entries.is_empty(), "a batch has at least one entry");
        let json_bytes = entries.iter().map(|entry| entry.json.len()).sum();
        Self { epoch, content: Content::Read(entries), json_bytes, ends_run: false, sse: OnceLock::new() }
    }

    /// What a run has just said.
    pub(crate) fn said(epoch: i64, run_id: &RunId, first: Seq, events: Arc<[Bytes]>) -> Self {
        debug_assert!(!events.is_empty(), "a batch has at least one entry");
        let json_bytes = events.iter().map(Bytes::len).sum();
        let content = Content::Said { run_id: run_id.clone(), first, events, entries: OnceLock::new() };
        Self { epoch, content, json_bytes, ends_run: false, sse: OnceLock::new() }
    }

    /// The same as the last of its run.
    pub(crate) fn ending(self) -> Self {
        Self { ends_run: true, ..self }
    }

    /// The entries.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        match &self.content {
            Content::Read(entries) => entries,
            Content::Said { run_id, first, events, entries } => entries.get_or_init(|| {
                let numbered = events.iter().enumerate();
                numbered.map(|(at, json)| Entry::event(first.forward(at), run_id, json.clone())).collect()
            }),
        }
    }

    /// The cursor behind an entry.
    #[must_use]
    pub fn cursor(&self, entry: &Entry) -> Cursor {
        Cursor { epoch: self.epoch, seq: entry.seq }
    }

    /// All of it as frames of an event stream, each with its cursor.
    pub fn sse(&self) -> &Bytes {
        self.sse.get_or_init(|| {
            let mut out = Vec::with_capacity(self.json_bytes + 40 * self.len());
            let opening = format!("id: {:x}.", self.epoch);
            match &self.content {
                Content::Read(entries) => {
                    entries.iter().for_each(|entry| write_frame(&opening, entry.seq, &entry.json, &mut out));
                }
                Content::Said { first, events, .. } => {
                    for (at, json) in events.iter().enumerate() {
                        write_frame(&opening, first.forward(at), json, &mut out);
                    }
                }
            }
            out.into()
        })
    }

    /// The same with neighbouring deltas of one item made one: fewer events that fold to the same thing.
    #[must_use]
    pub fn coalesced(&self) -> Self {
        let shorter = shorten(self.entries());
        let run_id =
            |first| self.entries().iter().find(|entry| entry.first == first).map(|e| e.run_id.clone());
        let entries = shorter.into_iter().filter_map(|entry| {
            let (first, seq) = (entry.first, entry.last);
            Some(Entry { first, seq, run_id: run_id(first)?, json: entry.json, cuts: entry.cuts })
        });
        Self::new(self.epoch, entries.collect())
    }

    /// Several, one after the other. Nothing if there are none.
    #[must_use]
    pub fn join(batches: &[Arc<Self>]) -> Option<Self> {
        let epoch = batches.first()?.epoch;
        Some(Self::new(epoch, batches.iter().flat_map(|batch| batch.entries().to_vec()).collect()))
    }

    pub(crate) fn epoch(&self) -> i64 {
        self.epoch
    }

    /// How long its events are, as JSON.
    pub(crate) fn json_bytes(&self) -> usize {
        self.json_bytes
    }

    /// Whether nothing of its run comes behind it. One that was read does not know.
    pub(crate) fn ends_run(&self) -> bool {
        self.ends_run
    }

    pub(crate) fn first(&self) -> Seq {
        match &self.content {
            Content::Read(entries) => entries.first().map_or(Seq::START, |entry| entry.first),
            Content::Said { first, .. } => *first,
        }
    }

    /// The last entry's number.
    #[must_use]
    pub fn last(&self) -> Seq {
        match &self.content {
            Content::Read(entries) => entries.last().map_or(Seq::START, |entry| entry.seq),
            Content::Said { first, events, .. } => Seq(first.forward(events.len()).0 - 1),
        }
    }

    fn len(&self) -> usize {
        match &self.content {
            Content::Read(entries) => entries.len(),
            Content::Said { events, .. } => events.len(),
        }
    }
}

/// An entry is one line and a cursor has no line breaks, so neither is searched for any. All cursors of a batch begin
/// alike, and their numbers are written without the machinery of formatting: there is one for every token.
fn write_frame(opening: &str, seq: Seq, json: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(opening.as_bytes());
    write_number(seq.0, out);
    out.extend_from_slice(b"\ndata: ");
    out.extend_from_slice(json);
    out.extend_from_slice(b"\n\n");
}

fn write_number(mut number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return out.extend_from_slice(&digits[at..]);
        }
    }
}

#[cfg(test)]
mod tests {
    use forestage_protocol::codec::sse;

    use super::*;

    #[test]
    fn frames_are_those_of_the_codec() {
        let json = r#"{"type":"CUSTOM","name":"a","value":"b\n"}"#;
        let entries = [0, 9, 10, u64::MAX].map(|seq| Entry::event(Seq(seq), "r", json));
        let batch = Batch::new(1_700_000_000_000, entries.to_vec());
        let mut expected = Vec::new();
        for entry in batch.entries() {
            sse::encode(&entry.json, Some(&batch.cursor(entry).to_string()), &mut expected);
        }
        assert_eq!(batch.sse(), &expected);
    }

    #[test]
    fn what_was_said_is_like_what_was_read() {
        let json = ["{\"a\":1}", "{\"b\":2}"].map(Bytes::from);
        let said = Batch::said(7, &"r".into(), Seq(9), json.to_vec().into());
        let entries =
            [(9, 0), (10, 1)].map(|(seq, at): (u64, usize)| Entry::event(Seq(seq), "r", json[at].clone()));
        let read = Batch::new(7, entries.to_vec());
        assert_eq!((said.first(), said.last(), said.entries()), (read.first(), read.last(), read.entries()));
        assert_eq!((said.sse(), said.json_bytes()), (read.sse(), read.json_bytes()));
        assert_eq!(said.json_bytes(), 14);
    }

    #[test]
    fn what_is_made_one_stays_with_its_run() {
        let said = |seq, run: &str, delta: &str| {
            let json = format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"{run}","delta":"{delta}"}}"#);
            Entry::event(Seq(seq), run, json)
        };
        let batch =
            Batch::new(7, vec![said(1, "r", "a"), said(2, "r", "b"), said(3, "s", "c"), said(4, "s", "d")]);
        let shorter = batch.coalesced();
        let entries: Vec<_> = shorter
            .entries()
            .iter()
            .map(|entry| (entry.first.0, entry.seq.0, entry.run_id.as_str()))
            .collect();
        assert_eq!(entries, [(1, 2, "r"), (3, 4, "s")]);
    }
}
