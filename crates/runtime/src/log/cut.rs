//! A shorter log with the same numbers.
//!
//! Neighbouring deltas of one item become one entry that covers their numbers and remembers their lengths, the
//! *cuts*. Whoever holds a cursor from before, even one in the middle of such an entry, gets exactly the rest:
//!
//! ```text
//!  before   5 "Hel"   6 "lo, "   7 "world"
//!  after    5..=7 "Hello, world"   cuts 3, 4, 5
//!  read after 6          ──────> 7 "world"
//! ```

use bytes::Bytes;
use forestage_protocol::{
    codec::Encoded,
    event::{Event, ReasoningMessageContent, TextMessageContent, ToolCallArgs},
};
use forestage_store::{Compacted, Entry, Seq};

/// Deltas of one item that stand beside each other, made one.
pub(crate) fn shorten(entries: &[Entry]) -> Vec<Compacted> {
    let mut shortener = Shortener::default();
    entries.iter().for_each(|entry| shortener.add(entry));
    shortener.finish()
}

/// The same, entry by entry, for a log that is too long to be held as it is.
#[derive(Default)]
pub(crate) struct Shortener {
    shorter: Vec<Compacted>,
    gathered: Option<Gathered>,
}

impl Shortener {
    /// Takes the next entry.
    pub(crate) fn add(&mut self, entry: &Entry) {
        let event = delta_event(entry);
        if let (Some(so_far), Some(next)) = (&mut self.gathered, &event)
            && so_far.join(entry, next)
        {
            return;
        }
        self.shorter.extend(self.gathered.take().map(Gathered::into_entry));
        match event {
            Some(event) => self.gathered = Some(Gathered::new(entry, event)),
            None => self.shorter.push(as_it_is(entry)),
        }
    }

    /// All that was taken, shorter.
    pub(crate) fn finish(mut self) -> Vec<Compacted> {
        self.shorter.extend(self.gathered.map(Gathered::into_entry));
        self.shorter
    }
}

/// Takes a delta into the one before it, if both are of one item and say nothing beside their text. Whoever folds the
/// one sees what they would see of both.
pub(crate) fn goes_on(so_far: &mut Event, next: &Event) -> bool {
    let joins = is_same_item(so_far, next) && is_plain(so_far) && is_plain(next);
    if joins {
        delta_mut(so_far).push_str(delta(next));
    }
    joins
}

/// The part of an entry behind a place that lies within it.
pub(super) fn rest(entry: Entry, after: Seq) -> Entry {
    if after < entry.first {
        return entry;
    }
    let covered = usize::try_from(after.0 - entry.first.0 + 1).unwrap_or(usize::MAX);
    let skipped: usize = lengths(&entry.cuts).take(covered).sum();
    let Some(mut event) = delta_event(&entry) else {
        return entry;
    };
    let delta = delta_mut(&mut event);
    *delta = delta.get(skipped..).unwrap_or_default().to_owned();
    let json = Encoded::new(&event).json().clone();
    Entry {
        first: after.forward(1),
        json,
        cuts: entry.cuts.slice((covered * 4).min(entry.cuts.len())..),
        ..entry
    }
}

struct Gathered {
    first: Seq,
    last: Seq,
    event: Event,
    lengths: Vec<u8>,
    /// The bytes of the one entry, while it is the only one.
    alone: Option<Compacted>,
}

impl Gathered {
    fn new(entry: &Entry, event: Event) -> Self {
        let lengths = cuts_of(entry, &event);
        Self { first: entry.first, last: entry.seq, event, lengths, alone: Some(as_it_is(entry)) }
    }

    fn join(&mut self, entry: &Entry, next: &Event) -> bool {
        if !is_same_item(&self.event, next) {
            return false;
        }
        let delta = delta(next);
        delta_mut(&mut self.event).push_str(delta);
        self.lengths.extend(cuts_of(entry, next));
        self.last = entry.seq;
        self.alone = None;
        true
    }

    fn into_entry(self) -> Compacted {
        self.alone.unwrap_or_else(|| Compacted {
            first: self.first,
            last: self.last,
            json: Encoded::new(&self.event).json().clone(),
            cuts: self.lengths.into(),
        })
    }
}

fn as_it_is(entry: &Entry) -> Compacted {
    Compacted { first: entry.first, last: entry.seq, json: entry.json.clone(), cuts: entry.cuts.clone() }
}

fn cuts_of(entry: &Entry, event: &Event) -> Vec<u8> {
    if !entry.cuts.is_empty() {
        return entry.cuts.to_vec();
    }
    u32::try_from(delta(event).len()).unwrap_or(u32::MAX).to_le_bytes().to_vec()
}

fn lengths(cuts: &Bytes) -> impl Iterator<Item = usize> {
    cuts.as_chunks::<4>().0.iter().map(|length| u32::from_le_bytes(*length) as usize)
}

/// The event, if it is a delta that says nothing beside its text.
fn delta_event(entry: &Entry) -> Option<Event> {
    let text = std::str::from_utf8(&entry.json).ok()?;
    let may_be = ["TEXT_MESSAGE_CONTENT", "TOOL_CALL_ARGS", "REASONING_MESSAGE_CONTENT"];
    let head = text.get(..48).unwrap_or(text);
    if !may_be.iter().any(|name| head.contains(name)) {
        return None;
    }
    let event = Event::from_json(text).ok()?;
    (is_plain(&event) && is_delta(&event)).then_some(event)
}

fn is_plain(event: &Event) -> bool {
    event.base().raw_event.is_none() && event.base().metadata.is_none()
}

fn is_delta(event: &Event) -> bool {
    matches!(event, Event::TextMessageContent(_) | Event::ToolCallArgs(_) | Event::ReasoningMessageContent(_))
}

fn is_same_item(left: &Event, right: &Event) -> bool {
    let is_same = match (left, right) {
        (Event::TextMessageContent(left), Event::TextMessageContent(right)) => {
            left.message_id == right.message_id
        }
        (Event::ToolCallArgs(left), Event::ToolCallArgs(right)) => left.tool_call_id == right.tool_call_id,
        (Event::ReasoningMessageContent(left), Event::ReasoningMessageContent(right)) => {
            left.message_id == right.message_id
        }
        _ => false,
    };
    is_same && left.attribution() == right.attribution()
}

fn delta(event: &Event) -> &str {
    match event {
        Event::TextMessageContent(TextMessageContent { delta, .. })
        | Event::ToolCallArgs(ToolCallArgs { delta, .. })
        | Event::ReasoningMessageContent(ReasoningMessageContent { delta, .. }) => delta,
        _ => "",
    }
}

fn delta_mut(event: &mut Event) -> &mut String {
    match event {
        Event::TextMessageContent(TextMessageContent { delta, .. })
        | Event::ToolCallArgs(ToolCallArgs { delta, .. })
        | Event::ReasoningMessageContent(ReasoningMessageContent { delta, .. }) => delta,
        _ => unreachable!("only deltas are gathered"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_deltas_of_one_item_are_made_one() {
        let events = [
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"b"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"n","delta":"c"}"#,
            r#"{"type":"TEXT_MESSAGE_CONTENT","messageId":"n","delta":"d","subagentRunId":"s"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"n","delta":"e"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"n","delta":"f"}"#,
            r#"{"type":"TOOL_CALL_ARGS","toolCallId":"o","delta":"g"}"#,
            r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"o","delta":"h"}"#,
            r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"o","delta":"i"}"#,
            r#"{"type":"REASONING_MESSAGE_CONTENT","messageId":"p","delta":"j"}"#,
        ];
        let entries: Vec<_> =
            (1..).zip(events).map(|(seq, json)| Entry::event(Seq(seq), "r", json)).collect();
        let covered: Vec<_> = shorten(&entries).iter().map(|entry| (entry.first.0, entry.last.0)).collect();
        assert_eq!(covered, [(1, 2), (3, 3), (4, 4), (5, 6), (7, 7), (8, 9), (10, 10)]);
    }

    #[test]
    fn the_rest_of_an_entry_begins_behind_the_place_in_it() {
        let said = |(seq, delta): (u64, &str)| {
            let json = format!(r#"{{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"{delta}"}}"#);
            Entry::event(Seq(seq), "r", json)
        };
        let entries = [(5, "Hel"), (6, "lo, "), (7, "world")].map(said);
        let shorter = shorten(&entries);
        let [one] = &shorter[..] else { panic!("{shorter:?}") };
        let whole = Entry {
            first: one.first,
            seq: one.last,
            run_id: "r".into(),
            json: one.json.clone(),
            cuts: one.cuts.clone(),
        };
        assert_eq!(rest(whole.clone(), Seq(4)), whole, "nothing of it was read");
        for (after, delta) in [(5, "lo, world"), (6, "world")] {
            let rest = rest(whole.clone(), Seq(after));
            assert_eq!((rest.first, rest.seq), (Seq(after + 1), Seq(7)));
            assert_eq!(delta_event(&rest).as_ref().map(super::delta), Some(delta));
        }
        let twice = rest(rest(whole.clone(), Seq(5)), Seq(6));
        assert_eq!(twice, rest(whole, Seq(6)), "however often it is cut");
    }
}
