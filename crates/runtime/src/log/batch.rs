//! Entries that travel together: usually one commit.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use forestage_store::{Entry, Seq};

use super::{Cursor, shorten};

/// Some entries of one log, in order and at least one. Shared by all viewers, and framed once for all of them.
#[derive(Debug)]
pub struct Batch {
    epoch: i64,
    entries: Vec<Entry>,
    sse: OnceLock<Bytes>,
}

impl Batch {
    pub(crate) fn new(epoch: i64, entries: Vec<Entry>) -> Self {
        debug_assert!(!entries.is_empty(), "a batch has at least one entry");
        Self { epoch, entries, sse: OnceLock::new() }
    }

    /// The entries.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The cursor behind an entry.
    #[must_use]
    pub fn cursor(&self, entry: &Entry) -> Cursor {
        Cursor { epoch: self.epoch, seq: entry.seq }
    }

    /// All of it as frames of an event stream, each with its cursor.
    pub fn sse(&self) -> &Bytes {
        self.sse.get_or_init(|| {
            let size = self.entries.iter().map(|entry| entry.json.len() + 40).sum();
            let mut out = Vec::with_capacity(size);
            let opening = format!("id: {:x}.", self.epoch);
            for entry in &self.entries {
                write_frame(&opening, entry, &mut out);
            }
            out.into()
        })
    }

    /// The same with neighbouring deltas of one item made one: fewer events that fold to the same thing.
    #[must_use]
    pub fn coalesced(&self) -> Self {
        let shorter = shorten(&self.entries);
        let run_id = |first| self.entries.iter().find(|entry| entry.first == first).map(|e| e.run_id.clone());
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
        Some(Self::new(epoch, batches.iter().flat_map(|batch| batch.entries.clone()).collect()))
    }

    pub(crate) fn epoch(&self) -> i64 {
        self.epoch
    }

    pub(crate) fn first(&self) -> Seq {
        self.entries.first().map_or(Seq::START, |entry| entry.first)
    }

    /// The last entry's number.
    #[must_use]
    pub fn last(&self) -> Seq {
        self.entries.last().map_or(Seq::START, |entry| entry.seq)
    }
}

/// An entry is one line and a cursor has no line breaks, so neither is searched for any. All cursors of a batch begin
/// alike, and their numbers are written without the machinery of formatting: there is one for every token.
fn write_frame(opening: &str, entry: &Entry, out: &mut Vec<u8>) {
    out.extend_from_slice(opening.as_bytes());
    write_number(entry.seq.0, out);
    out.extend_from_slice(b"\ndata: ");
    out.extend_from_slice(&entry.json);
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
}
