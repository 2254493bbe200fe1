//! What a surface binds to: [`Path`]s into a [`DataModel`].

mod model;
mod path;

pub use self::{
    model::{DataModel, MAX_DEPTH, MAX_HOLES, MAX_INDEX, ModelError},
    path::{MAX_SEGMENTS, Path, PathError},
};
