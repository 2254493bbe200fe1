//! Drawings in what is said: messages of A2UI between tags leave the text, and are drawn behind it.

use forestage_a2ui::TaggedPiece;
use forestage_protocol::event::{TextMessageContent, TextMessageEnd, TextMessageStart, TextRole};

use super::{
    RunContext,
    easel::{Text, first},
    lock,
};
use crate::{error::Stop, surface};

impl RunContext {
    /// What an agent says may hold messages between tags.
    pub(super) fn begin_text(&self, start: TextMessageStart) -> Result<(), Stop> {
        if matches!(start.role, None | Some(TextRole::Assistant)) {
            lock(&self.core.easel).texts.insert(start.message_id.clone(), Text::default());
        }
        self.let_through(start.into())
    }

    /// Says what is no drawing. What may be the beginning of one is held back.
    pub(super) fn say_undrawn(&self, piece: TextMessageContent) -> Result<(), Stop> {
        let pieces = {
            let mut easel = lock(&self.core.easel);
            let text = easel.texts.get_mut(&piece.message_id);
            let text = text.filter(|text| !text.tagged.passes(&piece.delta));
            text.map(|text| text.tagged.push(&piece.delta))
        };
        match pieces {
            Some(pieces) => self.take_pieces(pieces, &piece),
            None => self.let_through(piece.into()),
        }
    }

    pub(super) fn end_text(&self, end: TextMessageEnd) -> Result<(), Stop> {
        let (id, tag) = (end.message_id.clone(), end.subagent_run_id.clone());
        let rest =
            lock(&self.core.easel).texts.get_mut(&id).map(|text| text.tagged.finish()).unwrap_or_default();
        let like = TextMessageContent { subagent_run_id: tag.clone(), ..TextMessageContent::new(&id, "") };
        self.take_pieces(rest, &like)?;
        self.let_through(end.into())?;
        let payloads = lock(&self.core.easel).texts.remove(&id).map(|text| text.payloads).unwrap_or_default();
        for payload in payloads {
            self.draw_payload(&surface::written(&payload), &first(&id), tag.as_ref())?;
        }
        Ok(())
    }

    /// Text is said at once; what is drawn comes behind the message.
    fn take_pieces(&self, pieces: Vec<TaggedPiece>, like: &TextMessageContent) -> Result<(), Stop> {
        for piece in pieces {
            match piece {
                TaggedPiece::Text(delta) => {
                    self.let_through(TextMessageContent { delta, ..like.clone() }.into())?;
                }
                TaggedPiece::Payload(payload) => {
                    if let Some(text) = lock(&self.core.easel).texts.get_mut(&like.message_id) {
                        text.payloads.push(payload);
                    }
                }
            }
        }
        Ok(())
    }
}
