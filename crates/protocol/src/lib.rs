//! AG-UI 1.0 as data and pure functions.

pub mod apply;
pub mod capabilities;
pub mod chunks;
pub mod codec;
pub mod compact;
pub mod compat;
pub mod content;
pub mod emit;
pub mod enforce;
pub mod event;
pub mod id;
pub mod input;
pub mod interrupt;
pub mod json;
mod lookup;
pub mod message;
pub mod notice;
pub mod number;
pub mod patch;
pub mod pipeline;
pub mod schema;
pub mod tool;
pub mod usage;
pub mod verify;
pub mod wire;

pub use notice::{Fault, Warning};
