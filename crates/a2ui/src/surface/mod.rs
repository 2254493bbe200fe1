//! What is on the screen: surfaces, drawn by messages, with a [`DataModel`] that their components bind to by [`Path`].
//! What bound values come to, a [`Scope`] tells.
//!
//! Surfaces are kept as 0.9 writes them, whichever version drew them.

mod binding;
mod fold;
mod model;
mod path;
#[expect(clippy::module_inception, reason = "a surface is what the module is about")]
mod surface;
mod surfaces;

pub(crate) use self::binding::Evaluator;
pub use self::{
    binding::{Evaluated, Scope},
    fold::Change,
    model::{DataModel, MAX_DEPTH, MAX_HOLES, MAX_INDEX, ModelError},
    path::{MAX_SEGMENTS, Path, PathError},
    surface::{Component, ROOT, Surface},
    surfaces::{Data0_8, Surfaces},
};
