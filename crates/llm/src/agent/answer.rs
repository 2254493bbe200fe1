//! One turn of a model: heard piece by piece, shown as it comes, and kept for the record.

use forestage_protocol::{
    event::{EncryptedValueSubtype, ReasoningEncryptedValue},
    id::ToolCallId,
};
use forestage_runtime::{AgentError, Reasoning, RunContext, Stop, Text};
use futures_util::StreamExt;
use serde::{Deserialize, Serialize};

use super::{
    call::{Called, Hearing},
    offer::Offer,
};
use crate::model::{End, Piece, Pieces, Sealed, Spoken, StopReason, Usage};

/// What a model said in one turn.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Answer {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) thoughts: Vec<Words>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) texts: Vec<Words>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) calls: Vec<Called>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) sealed: Option<Sealed>,
    /// Why a view in it was not shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) refused_view: Option<String>,
    #[serde(default)]
    pub(super) stop: StopReason,
    #[serde(default)]
    pub(super) usage: Usage,
}

/// Something that was said or thought, and the message that shows it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Words {
    pub(super) id: String,
    pub(super) text: String,
}

/// What is open while a model speaks.
#[derive(Default)]
struct Open {
    thought: Option<Reasoning>,
    text: Option<Text>,
}

impl Answer {
    /// Shows what a model says, until it has said everything.
    pub(super) async fn listen(
        ctx: &RunContext,
        offer: &Offer,
        mut pieces: Pieces,
    ) -> Result<Self, AgentError> {
        let (mut answer, mut open, mut hearing) = (Self::default(), Open::default(), Hearing::default());
        while let Some(piece) = pieces.next().await {
            match piece.map_err(|error| error.into_agent_error())? {
                Piece::Reasoning(delta) => answer.think(ctx, &mut open, delta).await?,
                Piece::Text(delta) => answer.say(ctx, &mut open, delta).await?,
                Piece::CallStarted { id, name } => {
                    answer.close(&mut open);
                    hearing.start(ctx, offer, id, &name)?;
                }
                Piece::CallArguments { id, delta } => hearing.push(&id, &delta).await?,
                Piece::CallEnded { id } => answer.calls.extend(hearing.end(ctx, &id)?),
                Piece::End(End { stop, usage, sealed }) => {
                    answer.close(&mut open);
                    (answer.stop, answer.usage, answer.sealed) = (stop, usage, sealed);
                }
            }
        }
        answer.seal(ctx).await?;
        let refused = ctx.take_refused_view();
        answer.refused_view =
            refused.map(|error| format!("{}. {}", error.message, error.hint.unwrap_or_default()));
        Ok(answer)
    }

    async fn think(&mut self, ctx: &RunContext, open: &mut Open, delta: String) -> Result<(), Stop> {
        if open.text.is_some() {
            self.close(open);
        }
        let thought = match open.thought.take() {
            Some(thought) => thought,
            None => {
                self.thoughts.push(Words::default());
                ctx.reasoning()?
            }
        };
        let words = self.thoughts.last_mut();
        words.into_iter().for_each(|words| words.text.push_str(&delta));
        open.thought.insert(thought).push(delta).await
    }

    async fn say(&mut self, ctx: &RunContext, open: &mut Open, delta: String) -> Result<(), Stop> {
        if open.thought.is_some() {
            self.close(open);
        }
        let text = match open.text.take() {
            Some(text) => text,
            None => {
                let text = ctx.text()?;
                self.texts.push(Words { id: text.id().to_string(), text: String::new() });
                text
            }
        };
        let words = self.texts.last_mut();
        words.into_iter().for_each(|words| words.text.push_str(&delta));
        open.text.insert(text).push(delta).await
    }

    fn close(&mut self, open: &mut Open) {
        if let (Some(thought), Some(words)) = (open.thought.take(), self.thoughts.last_mut()) {
            words.id = thought.end().to_string();
        }
        open.text = None;
    }

    /// What the provider wants back stands in the log, with what it belongs to, so that later runs find it there.
    async fn seal(&self, ctx: &RunContext) -> Result<(), Stop> {
        let Some(sealed) = &self.sealed else { return Ok(()) };
        let shown = self.calls.iter().find(|call| call.is_shown());
        let (subtype, id) = match (self.thoughts.last(), shown, self.texts.last()) {
            (Some(thought), _, _) => (EncryptedValueSubtype::Message, thought.id.clone()),
            (None, Some(call), _) => (EncryptedValueSubtype::ToolCall, call.id.clone()),
            (None, None, Some(text)) => (EncryptedValueSubtype::Message, text.id.clone()),
            (None, None, None) => return Ok(()),
        };
        ctx.emit(ReasoningEncryptedValue::new(subtype, id, sealed.to_text())).await
    }

    /// What is recorded. Words that somebody has to look at first are not said beside the road, and thoughts go back to
    /// the model sealed or not at all.
    pub(super) fn for_the_record(&self, is_reviewed: bool) -> Self {
        let mut kept = Self { thoughts: Vec::new(), ..self.clone() };
        if is_reviewed {
            kept.texts.clear();
        }
        kept
    }

    /// Says again what the conversation does not have, for a run that repeats one that was lost.
    pub(super) async fn said_before(mut self, ctx: &RunContext) -> Result<Self, Stop> {
        if ctx.is_replaying() {
            return Ok(self);
        }
        let is_there = |id: &str| ctx.messages().iter().any(|message| message.id().as_str() == id);
        for words in self.texts.iter_mut().filter(|words| !is_there(&words.id)) {
            words.id = ctx.say(words.text.as_str()).await?.to_string();
        }
        let carrier = ctx.new_id("m").into();
        for call in &mut self.calls {
            call.show_again(ctx, &carrier).await?;
        }
        Ok(self)
    }

    /// The turn as the model is reminded of it.
    pub(super) fn spoken(&self, offer: &Offer) -> Vec<Spoken> {
        let sealed = self.sealed.iter().cloned().map(Spoken::Sealed);
        let text: String = self.texts.iter().map(|words| words.text.as_str()).collect();
        let text = Some(text).filter(|text| !text.is_empty()).map(Spoken::Text);
        let calls = self.calls.iter().map(|call| Spoken::Call {
            id: call.id.clone(),
            name: offer.wire_name(&call.name),
            arguments: call.arguments_or_empty(),
        });
        sealed.chain(text).chain(calls).collect()
    }
}

/// The text of an answer to which nobody listens, and what it used.
pub(super) async fn text_of(mut pieces: Pieces) -> Result<(String, Usage), AgentError> {
    let (mut text, mut used) = (String::new(), Usage::default());
    while let Some(piece) = pieces.next().await {
        match piece.map_err(|error| error.into_agent_error())? {
            Piece::Text(delta) => text.push_str(&delta),
            Piece::End(end) => used = end.usage,
            _ => {}
        }
    }
    Ok((text, used))
}

/// The id of a call, as clients know it.
pub(super) fn call_id(id: &str) -> ToolCallId {
    id.into()
}
