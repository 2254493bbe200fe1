//! Blocks: how events lie in a row, whatever the database.
//!
//! A body is its events one after the other, each with its length in front. The block of a compacted run says in
//! `spans` how many numbers each of them covers, and how to cut it:
//!
//! ```text
//!  body    │ length │ json │ length │ json │ ...
//!  spans   │ covers │ length │ cuts │ covers │ length │ cuts │ ...       numbers are 4 bytes, little endian
//! ```

use bytes::{Buf, BufMut, Bytes};
use forestage_protocol::id::RunId;

use crate::{Append, Compacted, Entry, Seq, body::Body};

/// A block of a compacted run is about so long, so that a reader who wants little need not load much.
const BODY: usize = 64 * 1024;

/// The events of an append as they will lie in a row. Whoever appends makes it, before it is the writer's turn.
pub(crate) fn body_of(append: &Append) -> Body {
    Body::new(pack(append.events.iter()))
}

/// Compacted entries as they will lie in a row.
pub(crate) struct Packed {
    pub(crate) first: Seq,
    pub(crate) last: Seq,
    pub(crate) body: Body,
    pub(crate) spans: Vec<u8>,
}

/// The blocks that compacted entries make.
pub(crate) fn pieces(mut entries: &[Compacted]) -> impl Iterator<Item = Packed> {
    std::iter::from_fn(move || {
        let (some, rest) = entries.split_at(chunk(entries));
        entries = rest;
        let (first, last) = (some.first()?.first, some.last()?.last);
        let body = Body::new(pack(some.iter().map(|entry| &entry.json)));
        Some(Packed { first, last, body, spans: pack_spans(some) })
    })
}

/// How many entries make a block; at least one if there is one.
fn chunk(entries: &[Compacted]) -> usize {
    let mut size = 0;
    let full = entries.iter().position(|entry| {
        size += entry.json.len() + entry.cuts.len();
        size >= BODY
    });
    full.map_or(entries.len(), |last| last + 1)
}

/// Whether what is held at the place of an append is the same events.
pub(crate) fn has_already(append: &Append, held: &[Entry]) -> bool {
    let mut pairs = held.iter().zip(&*append.events);
    !append.events.is_empty()
        && held.len() == append.events.len()
        && pairs.all(|(held, given)| {
            held.first == held.seq && held.run_id == append.run_id && held.json == *given
        })
}

/// A number as databases keep it.
pub(crate) fn signed(seq: Seq) -> i64 {
    seq.0.min(Seq::END.0).cast_signed()
}

fn pack<'a>(events: impl Iterator<Item = &'a Bytes> + Clone) -> Vec<u8> {
    let mut body = Vec::with_capacity(events.clone().map(|event| event.len() + 4).sum());
    events.for_each(|event| put_sized(&mut body, event));
    body
}

fn pack_spans(entries: &[Compacted]) -> Vec<u8> {
    let mut spans = Vec::new();
    for entry in entries {
        spans.put_u32_le((entry.last.0 - entry.first.0 + 1) as u32);
        put_sized(&mut spans, &entry.cuts);
    }
    spans
}

fn put_sized(out: &mut Vec<u8>, bytes: &Bytes) {
    out.put_u32_le(bytes.len() as u32);
    out.put_slice(bytes);
}

/// The entries of a block, as views of one allocation.
pub(crate) fn unpack(
    first: Seq,
    run_id: RunId,
    mut body: Bytes,
    mut spans: Option<Bytes>,
) -> impl Iterator<Item = Entry> {
    let mut next = first;
    std::iter::from_fn(move || {
        let json = take_sized(&mut body)?;
        let (count, cuts) = match &mut spans {
            Some(spans) => (spans.try_get_u32_le().ok()?, take_sized(spans)?),
            None => (1, Bytes::new()),
        };
        let first = next;
        next = first.forward(count as usize);
        Some(Entry { first, seq: Seq(next.0 - 1), run_id: run_id.clone(), json, cuts })
    })
}

fn take_sized(bytes: &mut Bytes) -> Option<Bytes> {
    let length = bytes.try_get_u32_le().ok()? as usize;
    (length <= bytes.len()).then(|| bytes.split_to(length))
}
