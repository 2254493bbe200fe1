//! JSON Patch (RFC 6902) and JSON Pointer (RFC 6901) over [`serde_json::Value`].
//!
//! `STATE_DELTA` and `ACTIVITY_DELTA` carry a [`Patch`]. The reducer folds it
//! with [`Patch::apply`]; agents that know only the old and the new state write
//! one with [`diff()`].
//!
//! Three promises:
//!
//! - a patch applies as a whole or leaves the document as it was, down to the
//!   order of keys, and pays only for what it touches;
//! - whatever an operation carries survives reading and writing, including
//!   members the standard does not define;
//! - a hostile patch is refused, not obeyed: see [`Limits`] and
//!   [`PatchErrorKind::ForbiddenPath`].
//!
//! ```
//! use forestage_protocol::patch::{Patch, diff};
//! use serde_json::json;
//!
//! let mut state = json!({"step": 1, "notes": ["draft"]});
//! let patch: Patch = serde_json::from_str(
//!     r#"[{"op": "replace", "path": "/step", "value": 2},
//!         {"op": "add", "path": "/notes/-", "value": "final"}]"#,
//! )?;
//! patch.apply(&mut state)?;
//! assert_eq!(state, json!({"step": 2, "notes": ["draft", "final"]}));
//!
//! let lost: Patch = serde_json::from_value(json!([
//!     {"op": "remove", "path": "/notes"},
//!     {"op": "replace", "path": "/absent/deeper", "value": 0},
//! ]))?;
//! let error = lost.apply(&mut state).expect_err("there is no such path");
//! assert_eq!(
//!     error.to_string(),
//!     "operation 1 (replace /absent/deeper): the path does not exist"
//! );
//! assert!(state["notes"].is_array(), "nothing of a failed patch stays");
//!
//! let next = json!({"step": 3, "notes": ["draft", "final"]});
//! diff(&state, &next).apply(&mut state)?;
//! assert_eq!(state, next);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod pointer;

mod extra;
mod operation;
mod wire;

mod apply;
mod equal;
mod error;
mod limits;
mod place;

mod diff;

#[cfg(test)]
mod properties;

pub use self::diff::diff;
pub use self::error::{PatchError, PatchErrorKind};
pub use self::extra::Extra;
pub use self::limits::Limits;
pub use self::operation::{Operation, Patch};
pub use self::pointer::{Pointer, PointerError};
