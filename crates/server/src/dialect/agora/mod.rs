#![doc = include_str!("README.md")]

mod decode;
mod encode;
mod session;

pub(crate) use self::session::routes;
pub use self::{
    decode::{Approval, Frame, decode},
    encode::Encoder,
};
