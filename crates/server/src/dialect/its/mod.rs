#![doc = include_str!("README.md")]

mod decode;
mod door;

pub use self::decode::decode;
pub(crate) use self::door::routes;
