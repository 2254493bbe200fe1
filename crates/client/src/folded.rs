//! Events on their way to the caller, folded as they pass: what a run and a followed thread have in common.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
};

use forestage_protocol::{Warning, apply::ThreadView};
use futures_util::{Stream, StreamExt};

use crate::{
    cursor::Cursor,
    error::ClientError,
    pump::{Delivered, Item, Items},
};

/// A stream with the conversation that it adds up to, exactly as far as it was delivered.
pub(crate) struct Folded {
    items: Items,
    pub(crate) view: ThreadView,
    pub(crate) cursor: Option<Cursor>,
    pub(crate) warnings: Vec<Warning>,
}

impl Folded {
    pub(crate) fn new(items: Items, view: ThreadView, cursor: Option<Cursor>) -> Self {
        Self { items, view, cursor, warnings: Vec::new() }
    }

    fn note(&mut self, delivered: &Delivered) {
        let warning = self.view.apply(&delivered.event).warning;
        self.warnings.extend(warning.map(|warning| *warning));
        if delivered.cursor.is_some() {
            self.cursor.clone_from(&delivered.cursor);
        }
    }
}

impl Stream for Folded {
    type Item = Result<Delivered, ClientError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            match ready!(self.items.poll_next_unpin(context)) {
                Some(Ok(Item::Event(delivered))) => {
                    self.note(&delivered);
                    return Poll::Ready(Some(Ok(*delivered)));
                }
                Some(Ok(Item::Warning(warning))) => self.warnings.push(*warning),
                Some(Err(error)) => return Poll::Ready(Some(Err(error))),
                None => return Poll::Ready(None),
            }
        }
    }
}
