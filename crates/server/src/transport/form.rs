//! How events are written for a viewer: as they are in the log, or in the form of an older client.

use bytes::Bytes;
use forestage_protocol::{codec::sse, event::Event, message::Message};
use forestage_runtime::{Batch, Prelude};

use crate::dialect::agui0::{Encoder, Protocol, Questions};

/// What a viewer reads.
#[derive(Debug)]
pub(crate) enum Form {
    /// The log as it is.
    Current,
    /// Translated, event by event.
    Older(Box<Encoder>),
}

/// An event to send, and the cursor behind it. An event without a cursor is not a safe place to resume from.
pub(crate) struct Piece {
    pub(crate) json: Bytes,
    pub(crate) cursor: Option<String>,
}

impl Form {
    /// For a viewer who has these messages already, `None` if it is not known which, and who was shown these questions as
    /// text.
    pub(crate) fn after(
        protocol: Protocol,
        conversation: Option<Vec<Message>>,
        questions: Questions,
    ) -> Self {
        match protocol {
            Protocol::Current => Self::Current,
            Protocol::Older(line) => {
                Self::Older(Box::new(Encoder::after(line, conversation).with_questions(questions)))
            }
        }
    }

    /// Returns whether the viewer rejects every further event.
    pub(crate) fn is_over(&self) -> bool {
        matches!(self, Self::Older(encoder) if encoder.is_over())
    }

    /// A batch as frames of an event stream. Empty if all of it waits.
    pub(crate) fn sse(&mut self, batch: &Batch) -> Bytes {
        match self {
            Self::Current => batch.sse().clone(),
            Self::Older(encoder) => frames(&translated(encoder, batch)),
        }
    }

    /// A batch, event by event.
    pub(crate) fn pieces(&mut self, batch: &Batch) -> Vec<Piece> {
        match self {
            Self::Older(encoder) => translated(encoder, batch),
            Self::Current => {
                let entries = batch.entries().iter();
                let piece = |json: &Bytes, cursor| Piece { json: json.clone(), cursor: Some(cursor) };
                entries.map(|entry| piece(&entry.json, batch.cursor(entry).to_string())).collect()
            }
        }
    }

    /// A prelude, event by event. Only the last one has a cursor: whoever loses the connection before it starts over.
    pub(crate) fn prelude(&mut self, prelude: &Prelude) -> Vec<Piece> {
        let texts = match self {
            Self::Current => prelude.events.iter().map(|event| event.to_json().into()).collect(),
            Self::Older(encoder) => encoder.prelude(&prelude.events),
        };
        let is_whole = !matches!(self, Self::Older(encoder) if encoder.holds());
        with_last_cursor(texts, is_whole.then(|| prelude.cursor.to_string())).collect()
    }

    /// An end that is not in the log, so it has no cursor.
    pub(crate) fn end(&mut self, end: &Event) -> Vec<Piece> {
        let text = Bytes::from(end.to_json());
        let mut texts = Vec::new();
        match self {
            Self::Current => texts.push(text),
            Self::Older(encoder) => encoder.take(end, &text, &mut texts),
        }
        with_last_cursor(texts, None).collect()
    }

    /// [`Form::end`] as frames of an event stream.
    pub(crate) fn sse_end(&mut self, end: &Event) -> Bytes {
        frames(&self.end(end))
    }

    /// A prelude as frames of an event stream.
    pub(crate) fn sse_prelude(&mut self, prelude: &Prelude) -> Bytes {
        frames(&self.prelude(prelude))
    }
}

/// Each event may become none or several; the last of them is the one behind which a viewer may come back.
fn translated(encoder: &mut Encoder, batch: &Batch) -> Vec<Piece> {
    let mut pieces = Vec::with_capacity(batch.entries().len());
    let mut texts = Vec::new();
    for entry in batch.entries() {
        if encoder.is_over() {
            break;
        }
        let event = std::str::from_utf8(&entry.json).ok().and_then(|text| Event::from_json(text).ok());
        match event {
            Some(event) => encoder.take(&event, &entry.json, &mut texts),
            None => encoder.keep(&entry.json, &mut texts),
        }
        let cursor = (!encoder.holds()).then(|| batch.cursor(entry).to_string());
        pieces.extend(with_last_cursor(std::mem::take(&mut texts), cursor));
    }
    encoder.draw(&mut texts);
    let last = batch.entries().last().filter(|_| !encoder.holds() && !encoder.is_over());
    pieces.extend(with_last_cursor(texts, last.map(|entry| batch.cursor(entry).to_string())));
    pieces
}

fn with_last_cursor(texts: Vec<Bytes>, cursor: Option<String>) -> impl Iterator<Item = Piece> {
    let (last, mut cursor) = (texts.len().saturating_sub(1), cursor);
    let piece = move |(at, json)| Piece { json, cursor: if at == last { cursor.take() } else { None } };
    texts.into_iter().enumerate().map(piece)
}

fn frames(pieces: &[Piece]) -> Bytes {
    let mut out = Vec::with_capacity(pieces.iter().map(|piece| piece.json.len() + 40).sum());
    for piece in pieces {
        sse::encode(&piece.json, piece.cursor.as_deref(), &mut out);
    }
    out.into()
}
