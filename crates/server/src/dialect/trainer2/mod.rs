#![doc = include_str!("README.md")]

mod call;
mod decode;
mod encode;
mod gate;
mod session;
mod show;

pub(crate) use self::session::routes;
pub use self::{
    decode::{Decision, Frame, decode},
    encode::Encoder,
    gate::{Draft, Gate},
};
