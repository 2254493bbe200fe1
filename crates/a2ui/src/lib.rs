//! User interfaces that agents draw, as data and pure functions.
//!
//! [`v1`] is the small form: a view is a tree of six kinds of nodes, and a person answers it with one action.
//! [`extract`] finds the view in what a model says, where it stands in a fenced block; [`Scanner`] does the same while the
//! text still comes in, and never lets go of a piece of a block.
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

mod block;
mod extract;
mod scan;
pub mod stream;
pub mod surface;
pub mod v1;

pub use self::{
    extract::{Extracted, extract},
    scan::{Piece, Scanner},
};
