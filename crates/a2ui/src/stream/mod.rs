//! Reading what a model writes while it still writes.
//!
//! A [`Stream`] takes the arguments of a tool call, or any other text that holds A2UI messages, in pieces of any size.
//! Each component is released at its closing brace and every other message at its own; nothing is read twice. What
//! models get wrong is repaired and told.
//!
//! | the text is | for instance |
//! |---|---|
//! | the arguments of `send_a2ui_json_to_client` | `{"a2ui_json": …}`: a string of JSON, a list, or one message |
//! | the arguments of `render_a2ui` | `{"surfaceId": …, "components": […], "data": {…}}` |
//! | the result of a tool | `{"a2ui_operations": […]}` |
//! | messages | a list, `{"messages": […]}`, one message, or one behind the other |

mod build;
mod lex;
mod literal;
mod piece;
mod release;
mod repair;
mod string;

pub use self::{
    build::MAX_DEPTH,
    piece::{Form, Piece, Source},
    repair::{MAX_REPAIRS, Repair, RepairKind},
};

use self::lex::Lexer;

/// A text that comes in, and what it has come to so far.
///
/// ```
/// use forestage_a2ui::stream::{Piece, Stream};
///
/// let mut stream = Stream::default();
/// assert!(stream.push(r#"[{"updateComponents":{"surfaceId":"s","components":[{"id":"root","#).is_empty());
/// let pieces = stream.push(r#""component":"Divider"}, {"id":"#);
/// assert!(matches!(&pieces[..], [Piece::Component { component, .. }] if component["id"] == "root"));
/// assert!(stream.finish().is_truncated);
/// ```
#[derive(Debug, Default)]
pub struct Stream {
    lexer: Lexer,
    length: usize,
}

/// What a text was like, once it is over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What was repaired, in its order; the first [`MAX_REPAIRS`] of it.
    pub repairs: Vec<Repair>,
    /// How many repairs there were.
    pub repair_count: usize,
    /// Whether the text ended in the middle of a value. What was not released before is lost.
    pub is_truncated: bool,
}

impl Stream {
    /// Takes the next piece of the text and returns what has become complete.
    pub fn push(&mut self, text: &str) -> Vec<Piece> {
        self.lexer.feed(text, self.length);
        self.length += text.len();
        std::mem::take(&mut self.lexer.builder.release.pieces)
    }

    /// What was repaired so far, at most [`MAX_REPAIRS`] of it.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.lexer.builder.repairs.listed
    }

    /// The text is over. Nothing is released by that: what is not complete by now never will be.
    #[must_use]
    pub fn finish(mut self) -> Report {
        let is_truncated = self.lexer.is_open();
        if is_truncated {
            self.lexer.builder.repairs.add(RepairKind::Truncated, self.length);
        }
        let repairs = self.lexer.builder.repairs;
        Report { repairs: repairs.listed, repair_count: repairs.count, is_truncated }
    }
}

/// Reads a text that is complete.
#[must_use]
pub fn read(text: &str) -> (Vec<Piece>, Report) {
    let mut stream = Stream::default();
    (stream.push(text), stream.finish())
}
