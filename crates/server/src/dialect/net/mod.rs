#![doc = include_str!("README.md")]

mod decode;
mod encode;
mod door;

pub(crate) use self::door::routes;
pub use self::{decode::decode, encode::Encoder};
