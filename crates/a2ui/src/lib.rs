//! User interfaces that agents draw, as data and pure functions.
//!
//! Agents say what to draw in A2UI: [`v0_8`] and [`v0_9`] are its messages, and [`Messages`] reads a payload of either.
//! A [`check::Checker`] says whether a client with certain [`catalog`]s can draw it, in sentences for the model that wrote
//! it. [`surface::Surfaces`] folds messages into what is on the screen, and [`bridge`] writes that for clients of the other
//! version. [`prompt`] tells a model how to draw, from the same catalogs.
//!
//! [`v1`] is the small form: a view is a tree of six kinds of nodes, and a person answers it with one action.
//! [`extract`] finds the view in what a model says, where it stands in a fenced block; [`Scanner`] does the same while the
//! text still comes in, and never lets go of a piece of a block. [`Tagged`] does so for messages of A2UI between tags.
//!
//! There is no I/O, clock or randomness in here.
//!
//! ```
//! use forestage_a2ui::{extract, v1};
//!
//! let said = "Here you are.\n```a2ui\n{\"kind\":\"a2ui.v1\",\"viewId\":\"v\",\"root\":{\"type\":\"text\",\"text\":\"Hi\"}}\n```";
//! let found = extract(said);
//! assert_eq!(found.text, "Here you are.");
//! let view = v1::View::read(&found.view.unwrap_or_default()).map_err(|faults| faults.to_string())?;
//! assert_eq!(view.view_id, "v");
//! # Ok::<(), String>(())
//! ```

pub mod act;
mod block;
pub mod bridge;
pub mod catalog;
pub mod check;
mod extract;
mod messages;
mod object;
mod scan;
pub mod function;
pub mod prompt;
pub mod stream;
pub mod surface;
mod tagged;
mod tape;
pub mod v0_8;
pub mod v0_9;
pub mod v1;
mod version;

pub use forestage_protocol::{Fault, Warning};

pub use self::{
    extract::{Extracted, extract},
    messages::Messages,
    scan::{Piece, Scanner},
    tagged::{Tagged, TaggedPiece},
    tape::MAX_NESTING,
    version::Version,
};
