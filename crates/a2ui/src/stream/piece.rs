//! What is released while a text still comes in.

use std::sync::Arc;

use serde_json::Value;

use crate::surface::Path;

/// In which words components arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// The message `surfaceUpdate` of 0.8.
    SurfaceUpdate,
    /// The message `updateComponents` of 0.9 and later.
    UpdateComponents,
    /// The arguments of `render_a2ui`.
    Render,
}

/// Where a piece comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// In which words.
    pub form: Form,
    /// The surface, if its name stands anywhere in the message.
    pub surface_id: Option<String>,
    /// What the message says of its version, if that stands in front of the piece.
    pub version: Option<String>,
}

/// What is complete and may be used, although the text around it is not.
#[derive(Clone, Debug, PartialEq)]
pub enum Piece {
    /// A component, at its closing brace.
    Component {
        /// Where it comes from.
        source: Arc<Source>,
        /// The object in the list `components`.
        component: Value,
    },
    /// A part of the `data` of `render_a2ui`. Objects and lists that are released bit by bit come empty first: set in
    /// this order, the parts make up the data.
    Data {
        /// Where it comes from.
        source: Arc<Source>,
        /// Where it belongs in the data.
        path: Path,
        /// The part.
        value: Value,
    },
    /// A message, at its closing brace. Components that were released before are not in it: their list is empty.
    Message {
        /// The message.
        message: Value,
        /// How many components of it were released before.
        released: usize,
    },
    /// All arguments of `render_a2ui`, without what was released before.
    Rendered {
        /// What is left of them.
        arguments: Value,
        /// How many components were released before.
        released: usize,
    },
    /// What stood beside the messages in the object that wraps them.
    Rest(Value),
}
