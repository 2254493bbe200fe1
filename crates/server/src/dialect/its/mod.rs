#![doc = include_str!("README.md")]

mod decode;
mod door;
mod encode;
mod rules;

use forestage_protocol::codec::Format;

pub(crate) use self::door::routes;
pub use self::{decode::decode, encode::Encoder, rules::Judge};
use super::Profile;

/// The dialect as a profile of streams.
pub(super) const PROFILE: Profile = Profile {
    name: "its",
    about: "the tutoring contract: AG-UI 1.0, components as calls of tools",
    format: Format::Sse,
    encoder: || Box::new(Encoder),
    rules: || Box::<Judge>::default(),
};
