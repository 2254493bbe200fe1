//! `a2ui.v1`: views of six kinds of nodes, and the one action with which a person answers.
//!
//! | node | members |
//! |---|---|
//! | `screen` | `children` |
//! | `section` | `title?`, `children` |
//! | `text` | `text` |
//! | `form` | `id`, `fields`, `submitLabel?` |
//! | `field.text`, in a form | `name`, `label`, `required?`, `value?`: a text |
//! | `field.number`, in a form | `name`, `label`, `required?`, `value?`: a number |
//!
//! [`schema`] has the same as JSON Schema. Members that are not named here are ignored. What is wrong is told all at once, each with its path and a sentence.

mod action;
mod answer;
mod read;
mod schema;
mod view;

pub use self::{
    action::{Action, ActionKind},
    read::{Fault, Faults},
    schema::{NAMES as SCHEMAS, schema},
    view::{Field, MAX_DEPTH, MAX_NODES, Node, View},
};

/// The name of the event that shows a view: `{"view": …}` is its value, and null closes the view that is shown.
pub const RENDER: &str = "A2UI_RENDER";

/// What a client says when it sends an action and not words.
pub const ACTION_MESSAGE: &str = "A2UI_ACTION";
